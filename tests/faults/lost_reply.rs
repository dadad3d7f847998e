//! An answer never arrives, because the actor that owes it crashed, or because an engine forgot it.

use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_messages::pick::PickRequest;
use luna_messages::uia::{LinesRequest, UiaMessage};
use luna_test_support::chaos::{InjectedFault, Moment};
use luna_test_support::engine_double::EngineFault;

use crate::moved::CounterChanges;
use crate::world::{MS, PendingReplies, World, in_world, machine};

// KER-7
#[test]
fn a_question_on_which_an_actor_crashed_is_answered_with_an_error_ker_7() {
    in_world(async |world| {
        world.pass(MS(300)).await;
        let (moved, owed) = (CounterChanges::since(&world.counts), PendingReplies::default());
        let request = PickRequest { cursor: machine::TEXT, enlarge: 1.0 };
        let lines = LinesRequest { cursor: machine::TEXT, window: None, part: None, recognised: false };
        world.chaos.order("uia", Moment::MessageOf("pick"), InjectedFault::Panic, 1);
        world.wiring.uia.post(UiaMessage::Pick { request, reply: owed.reply() }).unwrap();
        world.wiring.uia.post(UiaMessage::Lines { request: lines, reply: owed.reply() }).unwrap();
        world.expect_stop_is_obeyed().await;
        world.wait("both answers", MS(200), |_| owed.all_answered()).await;
        assert_eq!(owed.count(), (2, 2, 1), "the one is lost, the other one was handled after the restart");
        moved.expect(
            &world.counts,
            &[
                ("Key(luna_actor_failures_total, [actor = uia, cause = panic])", 1),
                ("Key(luna_actor_restarts_total, [actor = uia])", 1),
                ("Key(luna_messages_crashed_total, [actor = uia])", 1),
            ],
        );
    });
}

// ENG-2, KER-9
#[test]
fn an_engine_that_forgets_its_answer_is_given_up_and_the_person_is_told_eng_2_ker_9() {
    in_world(async |world| {
        world.pass(MS(300)).await;
        let moved = CounterChanges::since(&world.counts);
        world.engines.order(EngineKind::Ocr, EngineFault::LoseAnswer);
        world.pointer.move_to(machine::PICTURE);
        world.order(Command::FocusOn);
        // After the five seconds of a pick's deadline.
        let took = world.hears("does not answer").await;
        assert!(took < MS(5500), "{took:?}");
        world.expect_stop_is_obeyed().await;
        // The recognition itself is abandoned after 20 s; its engine is replaced.
        let ended = |world: &World| world.counts.sum("luna_engine_ends_total", &[("engine", "ocr")]) == 1;
        world.wait("the engine to be ended", MS(21_000), ended).await;
        moved.expect(
            &world.counts,
            &[
                ("Key(luna_engine_ends_total, [engine = ocr, how = killed])", 1),
                // The job whose answer was forgotten, and the one queued behind it.
                ("Key(luna_engine_requests_total, [engine = ocr, outcome = lost])", 2),
                ("Key(luna_outcomes_total, [outcome = failed])", 1),
                ("Key(luna_picks_total, [method = none, outcome = no_answer])", 1),
            ],
        );
        world.order(Command::FocusOff);
        world.pass(MS(100)).await;
        world.order(Command::FocusOn);
        world.hears("A line of text").await;
    });
}
