//! Triggers the supervisor's health checks periodically (KER-8).

use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use ractor::ActorRef;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::actor::SupervisorMessage;
use crate::task::Task;

/// The timer of the supervisor's health checks. It ends when dropped.
#[derive(Debug)]
pub(super) enum WatchdogTimer {
    /// A thread of its own. tokio's timers are run by a worker that sleeps; if a handler blocks the very worker that they woke, no other worker is
    /// woken, and all timers of the runtime stand still. A message from a foreign thread wakes a sleeping worker, which then takes over the timers.
    Thread { _ends_by_drop: SyncSender<()> },
    /// A task, if the runtime has only one thread or no thread can be started. It follows a paused clock.
    Task { _ends_by_drop: Task },
}

impl WatchdogTimer {
    pub fn start(supervisor: &ActorRef<SupervisorMessage>, period: Duration) -> Self {
        if matches!(Handle::current().runtime_flavor(), RuntimeFlavor::MultiThread) {
            let (end, ended) = sync_channel(0);
            let checked = supervisor.clone();
            let ticks = move || {
                while checked.send_message(SupervisorMessage::CheckHealth).is_ok() {
                    if ended.recv_timeout(period) != Err(RecvTimeoutError::Timeout) {
                        break;
                    }
                }
            };
            match std::thread::Builder::new().name("luna-watchdog".into()).spawn(ticks) {
                Ok(_) => return Self::Thread { _ends_by_drop: end },
                Err(error) => tracing::warn!(%error, "The watchdog gets no thread of its own and shares one."),
            }
        }
        let checked = supervisor.clone();
        let ticks = async move {
            while checked.send_message(SupervisorMessage::CheckHealth).is_ok() {
                tokio::time::sleep(period).await;
            }
        };
        Self::Task { _ends_by_drop: Task::spawn("supervisor", ticks) }
    }
}
