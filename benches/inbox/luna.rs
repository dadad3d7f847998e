//! The contestant luna.

use super::*;

impl Message for Note {
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

struct Worker(Arc<Desk>);

#[async_trait::async_trait]
impl luna_actor_runtime::Actor for Worker {
    type Message = Note;
    const NAME: &'static str = "bench";
    async fn handle(
        &mut self,
        note: Note,
        _: &luna_actor_runtime::ActorContext<Note>,
    ) -> Result<(), luna_actor_runtime::ActorError> {
        self.0.handle(note).await;
        Ok(())
    }
}

struct Luna(Inbox<Note>, #[allow(dead_code)] SupervisionTree);

impl Contestant for Luna {
    fn post(&self, note: Note) {
        self.0.post(note).unwrap();
    }
}

pub fn start(desk: Arc<Desk>) -> Box<dyn Contestant> {
    let promote_after = InboxSettings::default().promote_after;
    let inbox = Inbox::new("bench", InboxSettings { bounds: [64, 64, 64, 64, FLOOD + 1], promote_after });
    let tree = SupervisionTree::new(Arc::new(|event| panic!("{event:?}")));
    let policy = RestartPolicy { handler_deadline: Duration::from_secs(60), ..RestartPolicy::default() };
    tree.add::<Worker>(policy, inbox.clone(), move || Worker(desk.clone()));
    Box::new(Luna(inbox, tree))
}
