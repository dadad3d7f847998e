//! A handler panics, in each actor of the tree.

use luna_messages::control::Command;
use luna_test_support::chaos::{InjectedFault, Moment};

use crate::moved::{CounterChanges, engine_is_back, with_its_engine};
use crate::world::{MS, World, in_world};

/// The actors whose failure costs no reflex command.
const ACTORS: [&str; 4] = ["ocr", "uia", "focus", "metrics"];

async fn reads(world: &mut World) {
    world.expect_reading_works().await;
    world.pass(MS(500)).await;
}

// KER-7, KER-9
#[test]
fn an_actor_that_panics_is_back_at_once_and_counted_once_ker_7_ker_9() {
    for actor in ACTORS {
        for (strike, cause) in [(InjectedFault::Panic, "panic"), (InjectedFault::Error, "error")] {
            in_world(async |world| {
                reads(world).await;
                let moved = CounterChanges::since(&world.counts);
                world.said.clear();
                world.chaos.order(actor, Moment::Message, strike, 1);
                if actor == "focus" {
                    world.order(Command::Repeat);
                }
                world.wait("the blow", MS(6000), |world| world.chaos.left() == 0).await;
                world.expect_stop_is_obeyed().await;
                world.wait("the actor", MS(500), World::all_run).await;
                engine_is_back(world, actor, &moved).await;
                let mut expect = vec![
                    (format!("Key(luna_actor_failures_total, [actor = {actor}, cause = {cause}])"), 1),
                    (format!("Key(luna_actor_restarts_total, [actor = {actor}])"), 1),
                    (format!("Key(luna_messages_crashed_total, [actor = {actor}])"), 1),
                ];
                expect.extend(with_its_engine(actor, "killed"));
                let expect: Vec<_> = expect.iter().map(|(name, count)| (name.as_str(), *count)).collect();
                moved.expect(&world.counts, &expect);
                world.hears("A part of me had to restart").await;
                reads(world).await;
            });
        }
    }
}

// KER-7, BRG-1, TTS-4
#[test]
fn a_stop_on_which_an_actor_panics_still_silences_ker_7_brg_1_tts_4() {
    for actor in ["reflex", "tts"] {
        in_world(async |world| {
            reads(world).await;
            assert!(world.audio.silent_for() < MS(100), "it is being read");
            let moved = CounterChanges::since(&world.counts);
            let begun = world.begun();
            world.chaos.order(actor, Moment::MessageOf("stop"), InjectedFault::Panic, 1);
            world.order(Command::Stop);
            world.pass(MS(200)).await;
            // Of everything that began since then, only Luna's own notice may sound.
            let notices = world.notices_since(begun);
            assert!(
                notices.is_some_and(|count| count > 0) || world.audio.silent_for() > MS(60),
                "{actor}: it is still read on"
            );
            assert!(notices.is_some(), "{actor}: something is read after stop");
            engine_is_back(world, actor, &moved).await;
            let mut expect = vec![
                (format!("Key(luna_actor_failures_total, [actor = {actor}, cause = panic])"), 1),
                (format!("Key(luna_actor_restarts_total, [actor = {actor}])"), 1),
                (format!("Key(luna_messages_crashed_total, [actor = {actor}])"), 1),
                (format!("Key(luna_messages_retried_total, [actor = {actor}])"), 1),
            ];
            expect.extend(with_its_engine(actor, "killed"));
            let expect: Vec<_> = expect.iter().map(|(name, count)| (name.as_str(), *count)).collect();
            moved.expect(&world.counts, &expect);
            world.hears("A part of me had to restart").await;
            reads(world).await;
            world.expect_stop_is_obeyed().await;
        });
    }
}
