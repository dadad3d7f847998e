//! Contestant: Luna's mailbox with its actor loop.

use super::*;

impl Message for BenchMessage {
    fn lane(&self) -> Lane {
        match self {
            Self::Urgent(_) => Lane::Reflex,
            Self::Gate | Self::Work => Lane::Llm,
        }
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::Urgent(_) => "urgent",
            Self::Gate => "gate",
            Self::Work => "work",
        }
    }
}

struct LunaWorker(Arc<InboxHandler>);

#[async_trait::async_trait]
impl luna_actor_runtime::Actor for LunaWorker {
    type Message = BenchMessage;
    const NAME: &'static str = "bench";
    async fn handle(
        &mut self,
        message: BenchMessage,
        _: &luna_actor_runtime::ActorContext<BenchMessage>,
    ) -> Result<(), luna_actor_runtime::ActorError> {
        self.0.handle(message).await;
        Ok(())
    }
}

struct LunaInbox(Inbox<BenchMessage>, #[allow(dead_code)] SupervisionTree);

impl InboxContestant for LunaInbox {
    fn post(&self, message: BenchMessage) {
        self.0.post(message).unwrap();
    }
}

pub fn start(handler: Arc<InboxHandler>) -> Box<dyn InboxContestant> {
    let promote_after = InboxSettings::default().promote_after;
    let inbox = Inbox::new("bench", InboxSettings { bounds: [64, 64, 64, 64, FLOOD + 1], promote_after });
    let tree = SupervisionTree::new(Arc::new(|event| panic!("{event:?}")));
    let policy = RestartPolicy { handler_deadline: Duration::from_secs(60), ..RestartPolicy::default() };
    tree.add::<LunaWorker>(policy, inbox.clone(), move || LunaWorker(handler.clone()));
    Box::new(LunaInbox(inbox, tree))
}
