//! An orderly shutdown within a time limit; a second signal ends at once (KER-10).

use std::sync::Mutex;
use std::time::Duration;

use luna_actor_runtime::shutdown::{self, ShutdownPhase};
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_messages::RequestId;
use luna_messages::tts::TtsMessage;
use tokio::time::Instant;

use super::{Serving, Signals};
use crate::endpoint::EndpointTask;
use crate::wiring::Wiring;

/// Time limit of the whole shutdown.
const SHUTDOWN_BUDGET: Duration = Duration::from_secs(4);

impl Serving {
    /// Stops accepting requests, falls silent, stops actors and engines.
    pub async fn drain(self, mut signals: Signals) {
        tracing::info!("Luna is shutting down.");
        let second = tokio::spawn(async move {
            signals.next().await;
            #[expect(clippy::disallowed_methods, reason = "a second signal ends at once (KER-10)")]
            std::process::exit(130);
        });
        let Self { wiring, tree, hot_keys, silence_keys, endpoint, reloading } = self;
        reloading.abort();
        drop((hot_keys, silence_keys));
        end(&wiring, &tree, endpoint).await;
        second.abort();
    }
}

async fn end(wiring: &Wiring, tree: &SupervisionTree, endpoint: EndpointTask) {
    let begin = Instant::now();
    let endpoint = &Mutex::new(Some(endpoint));
    shutdown::run(SHUTDOWN_BUDGET, |phase, left| async move {
        match phase {
            ShutdownPhase::StopTaking => {
                let endpoint = endpoint.lock().ok().and_then(|mut endpoint| endpoint.take());
                if let Some(endpoint) = endpoint {
                    endpoint.close().await;
                }
            }
            ShutdownPhase::Silence => drop(wiring.tts.post(TtsMessage::Stop { at: RequestId::next() })),
            // This version persists nothing.
            ShutdownPhase::Persist => {}
            ShutdownPhase::EndActors => {
                let report = tree.shutdown(left).await;
                if !report.killed.is_empty() {
                    tracing::warn!(killed = ?report.killed, "Some actors did not end in time.");
                }
                // An actor that was given up could not stop its engine itself.
                wiring.llm_engine.stop();
                wiring.stt_engine.stop();
                wiring.stt_command_engine.stop();
            }
        }
    })
    .await;
    tracing::info!(took_ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX), "Luna has ended.");
}
