//! The Tools actor: what programs and models may call (TOOL-1 to TOOL-3), and the model of the current screen (SCR-2).
//!
//! **Receives** [`ToolsMessage`]: calls from the HTTP endpoint, stops from Reflex. **Sends** questions to Ocr, and to Executor whether a program may act.
//!
//! **Never** acts without the person's yes to this very call: a [`Permit`](permission::Permit) comes from Executor alone. **Never** does anything after a
//! stop: each action has the barrier of its call. **Never** returns what a protected field holds (PRV-3). **Never** takes what the screen or a program says
//! for an order (PRV-5). **Never** waits in a handler.

#![forbid(unsafe_code)]

mod active;
mod call;
mod click;
mod failures;
mod held_keys;
mod launch;
mod looking;
mod open_calls;
mod permission;
mod pictures;
mod typing;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::Task;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::{BlockingService, BlockingThread};
use luna_actor_runtime::inbox::Inbox;
use luna_messages::executor::ExecutorMessage;
use luna_messages::ocr::OcrMessage;
use luna_messages::tools::{ToolFailure, ToolFailureKind, ToolKind, ToolReport, ToolRequest, ToolsMessage};
use luna_messages::{Reply, RequestId};
use luna_navigation::ShadowModel;
use luna_platform::accessibility::Accessibility;
use luna_platform::accessibility::actions::{ElementActions, StopEpoch};
use luna_platform::input::Input;
use luna_platform::programs::Programs;
use luna_tools::CheckedCall;
use luna_tools::table::{ToolEffect, effect};
use tokio::time::Instant;

use crate::open_calls::OpenCalls;

/// Deadline for a picture as PNG; a large screen takes some tens of milliseconds.
const ENCODING_DEADLINE: Duration = Duration::from_secs(5);
/// Pause until the screen is read again after an action: what it led to takes its time.
const SETTLES: Duration = Duration::from_millis(300);

/// How long the model of the screen is kept (PRV-1); read only at Luna's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShadowSettings {
    pub lifetime: Duration,
    /// Longest interval at which an expired one is wiped, `privacy.ttl_purge_ms`.
    pub purge_every: Duration,
}

/// Dependencies of the Tools actor. Clones share them, one for each incarnation.
#[derive(Clone)]
pub struct ToolsDependencies {
    pub accessibility: Arc<dyn Accessibility>,
    /// Tells the active window and its elements; nothing is done to them here.
    pub actions: Arc<dyn ElementActions>,
    pub input: BlockingService<dyn Input>,
    pub programs: BlockingService<dyn Programs>,
    pub ocr: Inbox<OcrMessage>,
    /// Asks the person whether a program may act.
    pub executor: Inbox<ExecutorMessage>,
    /// Raised by the Reflex actor at each stop, at once.
    pub stops: StopEpoch,
    pub shadow: ShadowSettings,
}

/// What a call works with.
#[derive(Clone)]
struct ToolEnvironment {
    dependencies: ToolsDependencies,
    /// The model of the current screen.
    shadow: Arc<Mutex<ShadowModel>>,
    /// Makes files of pictures.
    encoder: BlockingThread,
    /// The beginning of the model's time.
    base: Instant,
}

/// Carries out calls, several at a time.
pub struct ToolsActor {
    environment: ToolEnvironment,
    calls: OpenCalls,
    /// Reads the screen again after an action.
    refreshing: Option<Task>,
    timer: Option<Task>,
}

impl ToolsActor {
    /// Nothing is called.
    #[must_use]
    pub fn new(dependencies: ToolsDependencies) -> Self {
        let environment = ToolEnvironment {
            shadow: Arc::new(Mutex::new(ShadowModel::new(dependencies.shadow.lifetime))),
            encoder: BlockingThread::new("picture encoder", ENCODING_DEADLINE),
            base: Instant::now(),
            dependencies,
        };
        Self { environment, calls: OpenCalls::default(), refreshing: None, timer: None }
    }

    fn call(&mut self, request: ToolRequest, reply: Reply<ToolReport>, context: &ActorContext<ToolsMessage>) {
        let ToolRequest { id, tool, arguments } = request;
        let named = ToolKind::named(&tool);
        let is_stopped = self.environment.dependencies.stops.barrier(id).is_raised();
        let parsed = match CheckedCall::parse(&tool, &arguments) {
            _ if is_stopped => Err(failures::stopped()),
            Ok(_) if self.calls.is_full() => {
                Err(ToolFailure::new(ToolFailureKind::Busy, "Too many calls are under way; try again in a moment."))
            }
            other => other,
        };
        match parsed {
            Ok(call) => {
                let (environment, inbox) = (self.environment.clone(), context.inbox().clone());
                let task = context.spawn(async move {
                    let answer = call::perform(&environment, id, call).await;
                    drop(inbox.post(ToolsMessage::Ended { id, answer }));
                });
                self.calls.open(id, named, reply, task);
            }
            Err(failure) => OpenCalls::refuse(named, reply, failure),
        }
    }

    fn ended(
        &mut self,
        id: RequestId,
        answer: Result<serde_json::Value, ToolFailure>,
        context: &ActorContext<ToolsMessage>,
    ) {
        let Some(tool) = self.calls.answer(id, answer) else { return };
        if effect(tool) == ToolEffect::Acts {
            let environment = self.environment.clone();
            self.refreshing = Some(context.spawn_service(async move {
                tokio::time::sleep(SETTLES).await;
                drop(looking::refresh(&environment).await);
            }));
        }
    }
}

#[async_trait]
impl Actor for ToolsActor {
    type Message = ToolsMessage;
    const NAME: &'static str = "tools";

    async fn started(&mut self, context: &ActorContext<ToolsMessage>) -> Result<(), ActorError> {
        self.timer = Some(context.every(self.environment.dependencies.shadow.purge_every, || ToolsMessage::Tick));
        Ok(())
    }

    async fn handle(&mut self, message: ToolsMessage, context: &ActorContext<ToolsMessage>) -> Result<(), ActorError> {
        match message {
            ToolsMessage::Call { request, reply } => self.call(request, reply, context),
            ToolsMessage::Cancel { id } => self.calls.cancel(id),
            ToolsMessage::Stop { at } => self.calls.stop(at),
            ToolsMessage::Ended { id, answer } => self.ended(id, answer, context),
            ToolsMessage::Tick => {
                let now = self.environment.base.elapsed();
                if let Ok(mut shadow) = self.environment.shadow.lock() {
                    shadow.purge(now);
                }
            }
        }
        Ok(())
    }
}
