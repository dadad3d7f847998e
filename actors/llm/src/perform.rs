//! Performs requests with the engine and answers them.

use luna_engine_host::{EngineAccess, EngineWork, SendAnswer};
use luna_engine_host::{WorkError, WorkTicket};
use luna_messages::llm::LlmTask;
use luna_messages::work::WorkFailure;

use crate::work::LlmWork;
use crate::{count, generate};

impl EngineWork for LlmWork {
    type Task = LlmTask;

    async fn perform(
        self,
        engine: &EngineAccess<Self>,
        ticket: &WorkTicket<Self>,
    ) -> Result<SendAnswer, (Self, WorkError)> {
        match self {
            Self::Generate(work) => match generate::generate(engine, &work.request, ticket).await {
                Ok(usage) => {
                    generate::record(&work.request, &usage);
                    Ok(Box::new(move || work.reply.answer(Ok(usage))))
                }
                Err(error) => Err((Self::Generate(work), error)),
            },
            Self::Count(work) => match count::count(engine, work.task, &work.texts, ticket).await {
                Ok(counts) => Ok(Box::new(move || work.reply.answer(Ok(counts)))),
                Err(error) => Err((Self::Count(work), error)),
            },
        }
    }

    fn refuse(self, why: WorkFailure) {
        match self {
            Self::Generate(work) => work.reply.answer(Err(why)),
            Self::Count(work) => work.reply.answer(Err(why)),
        }
    }
}
