//! Two actors ask each other and both wait inside a handler, against the project's rules. The runtime has no blocking call: an answer
//! arrives in the asker's own mailbox. So only an actor that breaks this rule can take part in a cycle, and the watchdog ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use luna_actor_runtime::{Actor, ActorContext, ActorError, Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_messages::{Lane, Message, NoReply, Reply};
use luna_test_support::{EventLog, reply};

use crate::moved::CounterChanges;
use crate::world::counts::Counts;
use crate::world::{MS, PendingReplies};

#[derive(Debug)]
enum CycleMessage {
    /// Asks the other actor, waits, and then answers.
    AskTheOther(Reply<u32>),
    /// Asks the asker back, waits, and then answers.
    AskBack(Reply<u32>),
    /// Answered immediately.
    Simple(Reply<u32>),
    /// Arrives in the reflex lane.
    Urgent(Reply<u32>),
}

impl Message for CycleMessage {
    fn lane(&self) -> Lane {
        match self {
            Self::Urgent(_) => Lane::Reflex,
            Self::AskTheOther(_) | Self::AskBack(_) | Self::Simple(_) => Lane::Llm,
        }
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::AskTheOther(_) => "ask_the_other",
            Self::AskBack(_) => "ask_back",
            Self::Simple(_) => "simple",
            Self::Urgent(_) => "urgent",
        }
    }
}

struct Asker {
    other: Inbox<CycleMessage>,
    lost: Arc<AtomicU32>,
}

#[async_trait]
impl Actor for Asker {
    type Message = CycleMessage;
    const NAME: &'static str = "asker";

    async fn handle(&mut self, question: CycleMessage, _: &ActorContext<CycleMessage>) -> Result<(), ActorError> {
        match question {
            CycleMessage::AskTheOther(owed) => self.wait_for(CycleMessage::AskBack, owed).await,
            CycleMessage::AskBack(owed) => self.wait_for(CycleMessage::Simple, owed).await,
            CycleMessage::Simple(owed) | CycleMessage::Urgent(owed) => owed.answer(7),
        }
        Ok(())
    }
}

impl Asker {
    /// Waits for an answer inside a handler, which no actor of Luna does.
    async fn wait_for(&self, question: fn(Reply<u32>) -> CycleMessage, owed: Reply<u32>) {
        let (asked, answer) = reply();
        drop(self.other.post(question(asked)));
        match answer.await {
            Ok(Ok(answer)) => owed.answer(answer + 1),
            Ok(Err(NoReply::Crashed)) | Err(_) => {
                self.lost.fetch_add(1, Ordering::Relaxed);
                owed.answer(0);
            }
        }
    }
}

// KER-8, KER-7
#[test]
fn a_cycle_of_askers_is_cut_and_both_work_on_ker_8_ker_7() {
    let counts = Counts::default();
    metrics::with_local_recorder(&counts.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (log, lost) = (EventLog::default(), Arc::new(AtomicU32::new(0)));
            let tree = SupervisionTree::new(log.observer());
            let inbox = |name| Inbox::new(name, InboxSettings::default());
            let (first, second, bystander) = (inbox("first"), inbox("second"), inbox("bystander"));
            // The first actor's deadline ends before the second's.
            for (own, other, deadline) in
                [(&first, &second, 300), (&second, &first, 900), (&bystander, &bystander, 300)]
            {
                let policy = RestartPolicy { handler_deadline: MS(deadline), ..RestartPolicy::default() };
                let (other, lost) = (other.clone(), lost.clone());
                tree.add::<Asker>(policy, own.clone(), move || Asker { other: other.clone(), lost: lost.clone() });
            }
            tokio::time::sleep(MS(10)).await;
            let (moved, owed) = (CounterChanges::since(&counts), PendingReplies::default());
            // The first asks the second, which asks back; the first waits for its own answer and never handles that question.
            first.post(CycleMessage::AskTheOther(owed.reply())).unwrap();
            tokio::time::sleep(MS(1)).await;
            first.post(CycleMessage::Simple(owed.reply())).unwrap();
            second.post(CycleMessage::Simple(owed.reply())).unwrap();
            let urgent = PendingReplies::default();
            bystander.post(CycleMessage::Urgent(urgent.reply())).unwrap();
            tokio::time::sleep(MS(1)).await;
            assert!(urgent.all_answered(), "others do not notice");
            assert_eq!(owed.count().1, 0, "the cycle stands");
            tokio::time::sleep(MS(600)).await;
            // The first was replaced: its asker gets a crash error, and its successor answers the second's waiting question.
            assert_eq!(owed.count(), (3, 3, 1), "{:?}", log.all());
            moved.expect(
                &counts,
                &[
                    ("Key(luna_actor_failures_total, [actor = asker, cause = hung])", 1),
                    ("Key(luna_actor_hung_total, [actor = asker])", 1),
                    ("Key(luna_actor_restarts_total, [actor = asker])", 1),
                    ("Key(luna_messages_crashed_total, [actor = first])", 1),
                ],
            );
            assert_eq!(tree.status().iter().map(|child| child.depth).collect::<Vec<_>>(), [[0; 5]; 3]);
            for inbox in [&first, &second] {
                let again = PendingReplies::default();
                inbox.post(CycleMessage::Urgent(again.reply())).unwrap();
                tokio::time::sleep(MS(1)).await;
                assert_eq!(again.count(), (1, 1, 0));
            }
            assert_eq!(lost.load(Ordering::Relaxed), 0, "the second one got its answer");
        });
    });
}
