//! Opens the endpoint, reports that Luna is ready, and watches the configuration.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use luna_actor_runtime::Task;
use luna_actor_runtime::retry::RetryPolicy;
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_focus::phrases::Phrase;
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::{Configuration, Luna, ProcessSetup};
use crate::cli::output;
use crate::cli::run::RunArguments;
use crate::endpoint::{self, EndpointTask};
use crate::http::{self, Endpoint};
use crate::wiring::Wiring;
use crate::{control_file, reload, settings};

/// Longest wait for the first attempt to grab the hot keys, which takes some milliseconds.
const FIRST_GRAB_TIMEOUT: Duration = Duration::from_millis(500);

/// A running, ready Luna.
pub struct Serving {
    pub(super) wiring: Wiring,
    pub(super) tree: Arc<SupervisionTree>,
    pub(super) hot_keys: Task,
    pub(super) silence_keys: Option<Task>,
    pub(super) endpoint: EndpointTask,
    pub(super) reloading: JoinHandle<()>,
}

impl Luna {
    /// Opens the endpoint and reports that Luna is ready.
    ///
    /// # Errors
    /// If the system provides no random numbers for the token.
    pub async fn serve(self, arguments: &RunArguments) -> anyhow::Result<Serving> {
        let Self { configuration, process, live, wiring, tree, models_lock, hot_keys, hot_keys_tried, silence_keys } =
            self;
        let Configuration { loaded, watcher } = configuration;
        let ProcessSetup { start, log, claim, metrics } = process;
        // A program may press a key as soon as Luna is ready, so wait for the keys; but not for a display that does not answer.
        drop(tokio::time::timeout(FIRST_GRAB_TIMEOUT, hot_keys_tried).await);

        let endpoint = Endpoint {
            metrics,
            reflex: wiring.reflex.clone(),
            executor: wiring.executor.clone(),
            tools: wiring.tools.clone(),
            listening: wiring.listening.clone(),
            traces: wiring.traces.clone(),
            gpu: wiring.gpu.clone(),
            bus: wiring.bus.clone(),
            capabilities: wiring.capabilities.clone(),
            tree: tree.clone(),
            log,
            hot_keys: wiring.hot_keys.clone(),
            streams: Arc::new(Semaphore::new(http::MAX_STREAMS)),
            lease_holders: wiring.lease_holders.clone(),
            models_lock,
            token: control_file::new_token().context("the system provides no random numbers")?.into(),
        };
        let address = settings::start_settings(&loaded.config).listen;
        let (endpoint, first) = endpoint::start(address, endpoint, claim, RetryPolicy::default());
        let opened = first.await.ok().flatten();
        let ready = Ready {
            address: opened.as_ref().map(|opened| opened.address.to_string()),
            control: opened.map(|opened| opened.control),
            after_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        ready.print(arguments.json);
        wiring.announcer.say(Phrase::Ready);
        if arguments.focus {
            let focus_on = || drop(wiring.reflex.post(ReflexMessage::Command(Command::FocusOn)));
            wiring.traces.begin("start").scope(focus_on);
        }
        let reloading = tokio::spawn(reload::follow_changes(watcher, live, wiring.clone()));
        Ok(Serving { wiring, tree, hot_keys, silence_keys, endpoint, reloading })
    }
}

/// Report printed when Luna is ready.
#[derive(Debug, Serialize)]
struct Ready {
    /// `None` if the endpoint could not be opened.
    address: Option<String>,
    /// Path of the control file.
    control: Option<String>,
    /// Milliseconds since the setup began.
    after_ms: u64,
}

impl Ready {
    /// Prints to standard output. If nothing reads it, Luna goes on: it serves the person, not the program that started it.
    fn print(&self, json: bool) {
        let printed = if json {
            output::json(self)
        } else {
            let control = self.control.as_ref().map(|control| format!("\ncontrol: {control}")).unwrap_or_default();
            output::line(&format!("Luna is ready ({} ms). 루나가 준비됐어요.{control}", self.after_ms))
        };
        if let Err(error) = printed {
            tracing::warn!(%error, "The message that Luna is ready could not be written.");
        }
    }
}
