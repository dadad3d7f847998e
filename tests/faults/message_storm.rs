//! A million messages in a burst.

use luna_messages::control::Command;
use luna_messages::focus::FocusMessage;
use luna_messages::tts::{NoticeTiming, SpokenNotice, TtsMessage};
use luna_messages::uia::UiaMessage;
use luna_messages::{Lang, RequestId};

use crate::world::{MS, PendingReplies, in_world, machine};

const BATCH: u64 = 10_000;

// KER-3, KER-4, TTS-4
#[test]
fn a_million_messages_neither_hold_up_a_stop_nor_get_lost_unseen_ker_3_ker_4_tts_4() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let before = world.counts.all();
        let count = |kind: &str| world.counts.sum(kind, &[]);
        let (handled, dropped) = (count("luna_messages_handled_total"), count("luna_messages_dropped_total"));
        drop(before);
        let (owed, mut posted, mut refused) = (PendingReplies::default(), 0u64, 0u64);
        for batch in 0..100 {
            for n in 0..BATCH {
                let taken = match n % 4 {
                    0 => world.wiring.focus.post(FocusMessage::CursorMoved(machine::OTHER)).is_ok(),
                    1 => {
                        let text = "A notice of a storm.".to_owned();
                        let timing = NoticeTiming::AfterSentence;
                        let notice = SpokenNotice { id: RequestId::next(), text, lang: Lang::En, timing };
                        world.wiring.tts.post(TtsMessage::Say(notice)).is_ok()
                    }
                    2 => world.wiring.tts.post(TtsMessage::Idle { reply: owed.reply() }).is_ok(),
                    _ => world.wiring.uia.post(UiaMessage::Tick).is_ok(),
                };
                posted += 1;
                refused += u64::from(!taken);
            }
            if batch % 10 == 5 {
                // All of this batch is still queued.
                world.expect_stop_is_obeyed().await;
            }
            for child in world.tree.status() {
                assert!(child.depth.iter().all(|depth| *depth <= 2048), "{child:?}");
            }
        }
        assert_eq!(posted, 1_000_000);
        assert!(refused > 0, "a storm that fits is none");
        world.order(Command::FocusOff);
        world
            .wait("all inboxes to be empty", MS(60_000), |world| {
                world.tree.status().iter().all(|child| child.depth == [0; 5])
            })
            .await;
        world.order(Command::Stop);
        world.wait("all answers", MS(1000), |_| owed.all_answered()).await;
        // Every message is handled or counted as dropped; Luna sends some of its own in addition.
        let done = world.counts.sum("luna_messages_handled_total", &[]) - handled;
        let lost = world.counts.sum("luna_messages_dropped_total", &[]) - dropped;
        assert!(done + lost >= posted, "{done} handled, {lost} dropped");
        assert!(world.counts.sum("luna_messages_dropped_total", &[("how", "refused")]) >= refused);
        assert_eq!(world.counts.sum("luna_actor_failures_total", &[]), 0);
        world.expect_reading_works().await;
    });
}
