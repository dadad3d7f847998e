//! The portal on the session bus.

use std::collections::HashMap;
use std::time::Duration;

use atspi::zbus::names::{BusName, OwnedUniqueName, WellKnownName};
use atspi::zbus::zvariant::{DynamicDeserialize, DynamicType, ObjectPath, OwnedValue};
use atspi::zbus::{Connection, MatchRule, MessageStream, connection::Builder, fdo, message};
use serde::Serialize;
use tokio::time::timeout;

use super::failure::PortalFailure;

const NAME: &str = "org.freedesktop.portal.Desktop";
pub(super) const PATH: &str = "/org/freedesktop/portal/desktop";
pub(super) const REMOTE_DESKTOP: &str = "org.freedesktop.portal.RemoteDesktop";
/// The kind of device that keys are of.
pub(super) const KEYBOARD: u32 = 1;
/// Signals that wait to be looked at.
const QUEUED: usize = 16;

/// The values of an answer by their names.
pub(super) type AnswerValues = HashMap<String, OwnedValue>;

/// The connection to one portal: if another takes its place, this one is gone.
pub(super) struct PortalBus {
    pub(super) connection: Connection,
    /// The portal's own name, which no other program on the bus ever has.
    owner: OwnedUniqueName,
    /// The version of remote input.
    pub(super) version: u32,
}

impl PortalBus {
    /// Connects to the portal, which the bus starts if need be.
    pub(super) async fn connect(address: Option<&str>, limit: Duration) -> Result<Self, PortalFailure> {
        let connecting = async {
            let builder = match address {
                Some(address) => Builder::address(address)?,
                None => Builder::session()?,
            };
            builder.build().await
        };
        let connected = timeout(limit, connecting).await.map_err(|_| PortalFailure::NoBus)?;
        let connection = connected.map_err(|_| PortalFailure::NoBus)?;
        let ask = async {
            let path = ObjectPath::from_static_str_unchecked(PATH);
            let interface = Some("org.freedesktop.DBus.Properties");
            let told = connection.call_method(Some(NAME), &path, interface, "GetAll", &(REMOTE_DESKTOP,)).await;
            let told = told.map_err(|_| PortalFailure::NoPortal)?;
            let bus = fdo::DBusProxy::new(&connection).await.map_err(|_| PortalFailure::NoBus)?;
            let owner = bus.get_name_owner(BusName::WellKnown(WellKnownName::from_static_str_unchecked(NAME))).await;
            let owner = owner.map_err(|_| PortalFailure::Gone)?;
            Ok((owner, told.body().deserialize::<AnswerValues>().map_err(|_| PortalFailure::Malformed)?))
        };
        let (owner, told) = timeout(limit, ask).await.map_err(|_| PortalFailure::Late)??;
        // An interface that is not there has no properties for some portals.
        if told.is_empty() {
            return Err(PortalFailure::NoPortal);
        }
        let (version, devices) = (number(&told, "version")?, number(&told, "AvailableDeviceTypes")?);
        if devices & KEYBOARD == 0 {
            return Err(PortalFailure::NoKeyboard);
        }
        Ok(Self { connection, owner, version })
    }

    /// Calls a method of the portal and reads its answer within `limit`.
    pub(super) async fn call<B, R>(
        &self,
        path: &ObjectPath<'_>,
        (interface, method): (&str, &str),
        body: &B,
        limit: Duration,
    ) -> Result<R, PortalFailure>
    where
        B: Serialize + DynamicType + Sync,
        R: for<'d> DynamicDeserialize<'d>,
    {
        let call = self.connection.call_method(Some(&self.owner), path, Some(interface), method, body);
        let answer = timeout(limit, call).await.map_err(|_| PortalFailure::Late)?;
        let answer = answer.map_err(|error| PortalFailure::of_call(&error))?;
        answer.body().deserialize().map_err(|_| PortalFailure::Malformed)
    }

    /// The signals of the portal of this kind from now on; of one object if `path` is given.
    pub(super) async fn signals(
        &self,
        (interface, member): (&str, &str),
        path: Option<&ObjectPath<'_>>,
    ) -> Result<MessageStream, PortalFailure> {
        let rule = || {
            let rule = MatchRule::builder().msg_type(message::Type::Signal).sender(&self.owner)?;
            let rule = rule.interface(interface)?.member(member)?;
            Ok(if let Some(path) = path { rule.path(path.as_str())? } else { rule }.build().to_owned())
        };
        self.follow(rule).await
    }

    /// What is told if the portal ends.
    pub(super) async fn end_of_portal(&self) -> Result<MessageStream, PortalFailure> {
        let rule = || {
            let rule = MatchRule::builder().msg_type(message::Type::Signal).sender("org.freedesktop.DBus")?;
            let rule = rule.interface("org.freedesktop.DBus")?.member("NameOwnerChanged")?;
            Ok(rule.arg(0, self.owner.as_str())?.build().to_owned())
        };
        self.follow(rule).await
    }

    async fn follow(
        &self,
        rule: impl FnOnce() -> atspi::zbus::Result<MatchRule<'static>>,
    ) -> Result<MessageStream, PortalFailure> {
        let rule = rule().map_err(|_| PortalFailure::Malformed)?;
        let stream = MessageStream::for_match_rule(rule, &self.connection, Some(QUEUED)).await;
        stream.map_err(|_| PortalFailure::Lost)
    }
}

/// A number of an answer.
pub(super) fn number(values: &AnswerValues, name: &str) -> Result<u32, PortalFailure> {
    let value = values.get(name).ok_or(PortalFailure::Malformed)?;
    u32::try_from(value).map_err(|_| PortalFailure::Malformed)
}
