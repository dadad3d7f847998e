//! Contestant: Luna's mailbox with its actor loop.

use super::*;

impl Message for BenchNote {
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

struct LunaWorker(Arc<InboxDesk>);

#[async_trait::async_trait]
impl luna_actor_runtime::Actor for LunaWorker {
    type Message = BenchNote;
    const NAME: &'static str = "bench";
    async fn handle(
        &mut self,
        note: BenchNote,
        _: &luna_actor_runtime::ActorContext<BenchNote>,
    ) -> Result<(), luna_actor_runtime::ActorError> {
        self.0.handle(note).await;
        Ok(())
    }
}

struct LunaInbox(Inbox<BenchNote>, #[allow(dead_code)] SupervisionTree);

impl InboxContestant for LunaInbox {
    fn post(&self, note: BenchNote) {
        self.0.post(note).unwrap();
    }
}

pub fn start(desk: Arc<InboxDesk>) -> Box<dyn InboxContestant> {
    let promote_after = InboxSettings::default().promote_after;
    let inbox = Inbox::new("bench", InboxSettings { bounds: [64, 64, 64, 64, FLOOD + 1], promote_after });
    let tree = SupervisionTree::new(Arc::new(|event| panic!("{event:?}")));
    let policy = RestartPolicy { handler_deadline: Duration::from_secs(60), ..RestartPolicy::default() };
    tree.add::<LunaWorker>(policy, inbox.clone(), move || LunaWorker(desk.clone()));
    Box::new(LunaInbox(inbox, tree))
}
