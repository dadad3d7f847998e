//! An engine calls `abort()`: a fake one in the tree, and a real one.

use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_test_support::engine_double::EngineFault;

use crate::desktop::{self, LunaProcess, Mouse, SampleWindow, take_turns};
use crate::moved::{CounterChanges, engine_is_back, with_its_engine};
use crate::world::{MS, in_world, machine};

// ENG-2
#[test]
fn it_costs_nothing_but_a_moment_eng_2() {
    for after in 0..3 {
        in_world(async |world| {
            world.pass(MS(300)).await;
            world.engines.order(EngineKind::Speech, EngineFault::AbortInRun { after });
            world.order(Command::FocusOn);
            // The next engine speaks the sentence.
            let sounded = world.audio.sounded();
            world.hears("brown fox").await;
            world.wait("sound", MS(3000), |world| world.audio.sounded() > sounded + 5).await;
            world.expect_stop_is_obeyed().await;
            // An engine that was starting for a sentence that the stop made pointless may also be ended.
            assert_eq!(world.counts.sum("luna_engine_ends_total", &[("engine", "speech"), ("how", "crashed")]), 1);
        });
        in_world(async |world| {
            world.pass(MS(300)).await;
            let moved = CounterChanges::since(&world.counts);
            world.engines.order(EngineKind::Ocr, EngineFault::AbortInRun { after });
            world.pointer.move_to(machine::PICTURE);
            world.order(Command::FocusOn);
            world.hears("A line of text").await;
            world.expect_stop_is_obeyed().await;
            engine_is_back(world, "ocr", &moved).await;
            let mut expect = with_its_engine("ocr", "crashed");
            expect.push(("Key(luna_engine_requests_total, [engine = ocr, outcome = lost])".to_owned(), 1));
            let expect: Vec<_> = expect.iter().map(|(name, count)| (name.as_str(), *count)).collect();
            moved.expect(&world.counts, &expect);
        });
    }
}

// ENG-2
#[test]
fn a_real_one_is_replaced_and_counted_once_eng_2() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Abort");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna = LunaProcess::start();
    luna.order("on");
    luna.hears("quick brown fox");
    for (name, label) in [("luna-engine-speech", "speech"), ("luna-engine-ocr", "ocr")] {
        luna.wait_for_capability("text_recognition", "available");
        let engine = luna.engines(name);
        assert_eq!(engine.len(), 1);
        desktop::kill(engine[0], "ABRT");
        let line = format!("luna_engine_ends_total{{engine=\"{label}\",how=\"crashed\"}}");
        desktop::wait(
            "the end to be counted",
            MS(5000),
            || (luna.metric(&line) == 1.0).then_some(()),
            || luna.get("metrics"),
        );
    }
    luna.order("off");
    luna.clear();
    luna.order("on");
    luna.hears("quick brown fox");
    let (x, y, _, height) = sample.place("picture");
    mouse.move_to((x + 60, y + height / 4));
    luna.hears("1,234.56");
    assert_eq!(luna.engines("luna-engine").len(), 2);
}
