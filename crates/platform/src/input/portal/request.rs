//! What the portal answers by a signal, because a person may have to be asked.

use std::collections::HashMap;
use std::time::Duration;

use atspi::zbus::MessageStream;
use atspi::zbus::zvariant::{DynamicType, ObjectPath, OwnedObjectPath, Value};
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::time::timeout;

use super::bus::{AnswerValues, PATH, PortalBus, REMOTE_DESKTOP};
use super::failure::PortalFailure;

const REQUEST: &str = "org.freedesktop.portal.Request";

/// CallOptions of a call by their names.
pub(super) type CallOptions<'a> = HashMap<&'static str, Value<'a>>;

/// How long a call may take, and how long its answer.
#[derive(Clone, Copy)]
pub(super) struct RequestLimits {
    pub(super) call: Duration,
    pub(super) answer: Duration,
}

/// The answers of the portal to one program, from before the first question on.
pub(super) struct PortalRequests<'a> {
    bus: &'a PortalBus,
    answers: MessageStream,
    /// Ends the wait: the portal went away.
    end: MessageStream,
    count: u32,
}

impl<'a> PortalRequests<'a> {
    pub(super) async fn of(bus: &'a PortalBus) -> Result<Self, PortalFailure> {
        let answers = bus.signals((REQUEST, "Response"), None).await?;
        Ok(Self { bus, answers, end: bus.end_of_portal().await?, count: 0 })
    }

    /// A name for the object of the next request, which is no secret.
    pub(super) fn next_token(&mut self) -> String {
        self.count += 1;
        format!("luna{}", self.count)
    }

    /// Calls a method with the option `handle_token`, `token`, and waits for its answer: the values if it was yes, else the
    /// failure `no`.
    pub(super) async fn ask(
        &mut self,
        method: &str,
        body: &(impl Serialize + DynamicType + Sync),
        token: &str,
        limits: RequestLimits,
        no: PortalFailure,
    ) -> Result<AnswerValues, PortalFailure> {
        let path = ObjectPath::from_static_str_unchecked(PATH);
        let told: OwnedObjectPath = self.bus.call(&path, (REMOTE_DESKTOP, method), body, limits.call).await?;
        // Portals before version 0.9 choose the name themselves.
        let expected = self.object("request", token);
        let is_ours = |path: &ObjectPath<'_>| *path == *told || path.as_str() == expected;
        let answer = async {
            loop {
                let message = tokio::select! {
                    message = self.answers.next() => message,
                    _ = self.end.next() => return Err(PortalFailure::Lost),
                };
                let Some(Ok(message)) = message else { return Err(PortalFailure::Lost) };
                if message.header().path().is_some_and(is_ours) {
                    return message.body().deserialize::<(u32, AnswerValues)>().map_err(|_| PortalFailure::Malformed);
                }
            }
        };
        let Ok(answer) = timeout(limits.answer, answer).await else {
            // Whatever is shown is taken away again; nobody needs its answer.
            let _: Result<(), _> = self.bus.call(&told, (REQUEST, "Close"), &(), limits.call).await;
            return Err(PortalFailure::Late);
        };
        match answer? {
            (0, values) => Ok(values),
            (1, _) => Err(no),
            _ => Err(PortalFailure::QuestionEnded),
        }
    }

    /// The path of an object that the portal makes for this program.
    fn object(&self, kind: &str, token: &str) -> String {
        let own = self.bus.connection.unique_name().map(|name| name.as_str()).unwrap_or_default();
        format!("{PATH}/{kind}/{}/{token}", own.trim_start_matches(':').replace('.', "_"))
    }
}
