//! An actor crashes faster than its restart budget allows.

use luna_actor_runtime::supervisor::ChildState;
use luna_messages::control::Command;
use luna_messages::pick::PickRequest;
use luna_messages::uia::UiaMessage;
use luna_test_support::chaos::{InjectedFault, Moment};

use crate::world::{MS, PendingReplies, World, in_world, machine};

// KER-7, KER-9
#[test]
fn its_group_starts_anew_then_it_is_given_up_aloud_and_comes_back_ker_7_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        world.chaos.order("uia", Moment::Start, InjectedFault::Panic, 30);
        world.chaos.order("uia", Moment::Message, InjectedFault::Panic, 1);
        let owed = PendingReplies::default();
        let request = PickRequest { cursor: machine::TEXT, enlarge: 1.0 };
        world.pass(MS(600)).await;
        drop(world.wiring.uia.post(UiaMessage::Pick { request, reply: owed.reply() }));
        let restarted = |world: &World| world.counts.sum("luna_actor_restarts_total", &[("actor", "ocr")]) > 0;
        world.wait("the group", MS(20_000), restarted).await;
        // The rest of the group has recovered; speech was unaffected.
        world.expect_stop_is_obeyed().await;
        world.wait("it is given up", MS(30_000), |world| world.state("uia") == ChildState::Degraded).await;
        assert_eq!(world.counts.sum("luna_actor_given_up_total", &[("actor", "uia")]), 1);
        assert!(owed.all_answered(), "every waiting caller was answered");
        world.hears("A part of me is not working").await;
        world.expect_stop_is_obeyed().await;
        // Requests are meanwhile refused immediately, and the person hears it.
        world.order(Command::FocusOff);
        world.pass(MS(200)).await;
        world.said.clear();
        world.order(Command::FocusOn);
        assert!(world.hears("Reading failed").await < MS(3000));
        world.chaos.clear();
        world.wait("it is tried again", MS(31_000), World::all_run).await;
        world.expect_reading_works().await;
    });
}

// KER-9
#[test]
fn when_speech_itself_was_given_up_its_return_is_said_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        world.chaos.order("tts", Moment::Start, InjectedFault::Error, 12);
        world.chaos.order("tts", Moment::MessageOf("faster"), InjectedFault::Panic, 1);
        world.order(Command::Faster);
        world.wait("it is given up", MS(10_000), |world| world.state("tts") == ChildState::Degraded).await;
        assert!(world.audio.silent_for() > MS(100), "an actor that was given up is silent");
        // Reflex commands still reach the other actors.
        let before = world.reflexes("focus");
        world.order(Command::FocusOff);
        world.pass(MS(1)).await;
        assert_eq!(world.reflexes("focus"), before + 1);
        world.said.clear();
        world.wait("it is tried again", MS(31_000), World::all_run).await;
        // The restart is announced only now, because nothing could speak meanwhile.
        world.hears("A part of me had to restart").await;
        world.expect_reading_works().await;
    });
}
