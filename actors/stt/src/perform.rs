//! Performs requests with the engine and answers them.

use luna_actor_runtime::metric_names::{STT_DURATION, extent};
use luna_actor_runtime::stages::{Stage, record_stage};
use luna_engine_host::{EngineAccess, EngineWork, SendAnswer};
use luna_engine_host::{WorkError, WorkTicket};
use luna_messages::work::WorkFailure;

use crate::transcribe;
use crate::work::{SttWork, TranscriptionRequest};

impl EngineWork for SttWork {
    type Task = ();

    async fn perform(
        self,
        engine: &EngineAccess<Self>,
        ticket: &WorkTicket<Self>,
    ) -> Result<SendAnswer, (Self, WorkError)> {
        match transcribe::transcribe(engine, &self.request, ticket).await {
            Ok(segments) => {
                record(&self.request);
                Ok(Box::new(move || self.reply.answer(Ok(segments))))
            }
            Err(error) => Err((self, error)),
        }
    }

    fn refuse(self, why: WorkFailure) {
        self.reply.answer(Err(why));
    }

    async fn after_cancel(engine: &EngineAccess<Self>, ticket: WorkTicket<Self>) {
        transcribe::warm_up(engine, ticket).await;
    }
}

/// Records the duration (MET-1).
fn record(request: &TranscriptionRequest) {
    let took = request.since.elapsed();
    metrics::histogram!(STT_DURATION, "extent" => extent::of(request.job.extent)).record(took.as_secs_f64());
    record_stage(Stage::Hearing, took);
}
