//! Transcriptions under way.

use std::collections::HashMap;

use async_channel::bounded;
use luna_actor_runtime::Task;
use luna_actor_runtime::actor::ActorContext;
use luna_messages::engine::SoundExtent;
use luna_messages::listening::ListeningMessage;
use luna_messages::stt::{Sound, Transcribe};
use luna_messages::{Reply, RequestId};

/// Transcriptions under way. Dropping a request's task drops the receiver of its partial results, which cancels it (KER-6).
#[derive(Default)]
pub struct OpenRequests {
    tasks: HashMap<RequestId, Task>,
}

impl OpenRequests {
    /// A request for the Stt actor, whose results come back as messages.
    pub fn open(
        &mut self,
        id: RequestId,
        sound: Sound,
        extent: SoundExtent,
        hint: String,
        context: &ActorContext<ListeningMessage>,
    ) -> Transcribe {
        // Capacity 1: each partial result replaces the one before.
        let (pieces, reader) = bounded(1);
        let (inbox, answers) = (context.inbox().clone(), context.inbox().clone());
        self.tasks.insert(
            id,
            context.spawn(async move {
                while let Ok(text) = reader.recv().await {
                    if inbox.post(ListeningMessage::Partial { id, text }).is_err() {
                        break;
                    }
                }
            }),
        );
        let reply = Reply::new(move |answer| drop(answers.post(ListeningMessage::Transcribed { id, answer })));
        let partials = extent == SoundExtent::Utterance;
        Transcribe { id, sound, lang: None, extent, hint, partials, pieces, reply }
    }

    /// The request is answered, or no longer needed.
    pub fn close(&mut self, id: RequestId) {
        self.tasks.remove(&id);
    }
}
