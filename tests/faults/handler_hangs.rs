//! A handler never returns.

use luna_messages::control::Command;
use luna_test_support::chaos::{InjectedFault, Moment};

use crate::moved::{CounterChanges, engine_is_back, with_its_engine};
use crate::world::{MS, World, audio, in_world};

// KER-8
#[test]
fn the_watchdog_replaces_who_makes_no_progress_ker_8() {
    // With the deadlines of `src/tree.rs`.
    for (actor, deadline) in [("ocr", 2000), ("uia", 2000), ("focus", 2000), ("metrics", 5000)] {
        in_world(async |world| {
            world.expect_reading_works().await;
            let moved = CounterChanges::since(&world.counts);
            world.chaos.order(actor, Moment::Message, InjectedFault::Hang, 1);
            if actor == "focus" {
                world.order(Command::Repeat);
            }
            world.wait("the blow", MS(6000), |world| world.chaos.left() == 0).await;
            // Speech is unaffected.
            world.expect_stop_is_obeyed().await;
            let restarted = |world: &World| world.counts.sum("luna_actor_restarts_total", &[("actor", actor)]) == 1;
            let took = world.wait("the actor", MS(deadline + 500), restarted).await;
            assert!(took + MS(200) >= MS(deadline), "{actor} was replaced after {took:?} already");
            engine_is_back(world, actor, &moved).await;
            let mut expect = vec![
                (format!("Key(luna_actor_failures_total, [actor = {actor}, cause = hung])"), 1),
                (format!("Key(luna_actor_hung_total, [actor = {actor}])"), 1),
                (format!("Key(luna_actor_restarts_total, [actor = {actor}])"), 1),
                (format!("Key(luna_messages_crashed_total, [actor = {actor}])"), 1),
            ];
            expect.extend(with_its_engine(actor, "killed"));
            let expect: Vec<_> = expect.iter().map(|(name, count)| (name.as_str(), *count)).collect();
            moved.expect(&world.counts, &expect);
            world.hears("A part of me had to restart").await;
            world.expect_reading_works().await;
        });
    }
}

// KER-8, TTS-4, BRG-7
#[test]
fn a_stop_is_obeyed_at_once_while_the_speech_actor_hangs_ker_8_tts_4_brg_7() {
    in_world(async |world| {
        world.expect_reading_works().await;
        world.chaos.order("tts", Moment::MessageOf("faster"), InjectedFault::Hang, 1);
        world.order(Command::Faster);
        world.pass(MS(10)).await;
        let (spoken, reflexes) = (world.sentences(), world.reflexes("tts"));
        world.order(Command::Stop);
        world.pass(audio::BUFFER * 3).await;
        assert_eq!((world.sentences(), world.reflexes("tts")), (spoken, reflexes), "the speech actor hangs");
        assert!(world.audio.silent_for() >= audio::BUFFER, "it is still read on");
        // The handler deadline of speech is one second; the watchdog checks ten times a second.
        world.pass(MS(1400)).await;
        assert!(world.reflexes("tts") > reflexes, "the order itself is kept");
        assert_eq!(world.counts.sum("luna_actor_hung_total", &[("actor", "tts")]), 1);
        world.wait("speech", MS(500), World::all_run).await;
        world.expect_reading_works().await;
        world.expect_stop_is_obeyed().await;
    });
}

// KER-8, BRG-7, TTS-2
#[test]
fn a_pause_is_obeyed_at_once_while_the_speech_actor_hangs_ker_8_brg_7_tts_2() {
    for pause in [Command::Pause, Command::PauseToggle] {
        in_world(async |world| {
            world.expect_reading_works().await;
            world.chaos.order("tts", Moment::MessageOf("faster"), InjectedFault::Hang, 1);
            world.order(Command::Faster);
            world.pass(MS(10)).await;
            world.order(pause);
            world.pass(audio::BUFFER * 3).await;
            assert!(world.audio.silent_for() >= audio::BUFFER, "it is still read on");
            world.pass(MS(1400)).await;
            world.wait("speech", MS(500), World::all_run).await;
            world.expect_reading_works().await;
        });
    }
}

// BRG-7, TTS-2
#[test]
fn a_pause_and_what_goes_on_after_it_are_one_sentence_brg_7_tts_2() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let said = world.said.len();
        for (pause, resume) in [(Command::Pause, Command::Resume), (Command::PauseToggle, Command::PauseToggle)] {
            world.order(pause);
            world.pass(audio::BUFFER * 3).await;
            assert!(world.audio.silent_for() >= audio::BUFFER, "{pause:?}");
            world.order(resume);
            world.pass(audio::BUFFER * 3).await;
            assert!(world.audio.silent_for() < audio::BUFFER * 2, "{resume:?}");
        }
        assert_eq!(world.said.len(), said, "it was begun anew");
    });
}
