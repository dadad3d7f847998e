//! An engine hangs while it starts, while it loads or in the middle of a job, with and without answering health checks.

use luna_messages::capability::Capability;
use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_test_support::engine_double::EngineFault;

use crate::world::{MS, World, in_world, machine};

// ENG-2, KER-9
#[test]
fn speech_goes_on_with_a_new_engine_eng_2_ker_9() {
    for (fault, within) in [
        (EngineFault::SilentAtStart, 20_000),
        (EngineFault::HangAtLoad, 70_000),
        (EngineFault::HangInRun, 20_000),
        (EngineFault::Freeze, 20_000),
        (EngineFault::LoseAnswer, 20_000),
    ] {
        in_world(async |world| {
            world.engines.order(EngineKind::Speech, fault);
            world.pointer.move_to(machine::TEXT);
            world.order(Command::FocusOn);
            world.pass(MS(100)).await;
            world.expect_stop_is_obeyed().await;
            world.order(Command::Resume);
            world.pass(MS(within)).await;
            assert!(world.is_available(Capability::SpeechSynthesis), "{fault:?}: {:?}", world.wiring.capabilities);
            world.expect_reading_works().await;
            assert_eq!(world.engines.running(EngineKind::Speech), 1, "{fault:?}");
        });
    }
}

// ENG-2, KER-9
#[test]
fn recognition_goes_on_with_a_new_engine_eng_2_ker_9() {
    for (fault, within) in [
        (EngineFault::SilentAtStart, 40_000),
        (EngineFault::HangAtLoad, 90_000),
        (EngineFault::HangInRun, 40_000),
        (EngineFault::Freeze, 40_000),
        (EngineFault::LateAnswer(MS(30_000)), 40_000),
    ] {
        in_world(async |world| {
            world.engines.order(EngineKind::Ocr, fault);
            world.pointer.move_to(machine::PICTURE);
            world.order(Command::FocusOn);
            world.pass(MS(100)).await;
            world.expect_stop_is_obeyed().await;
            // Luna announces the failure in time, whatever the engine does; but not the failure of a stopped search (FOC-6).
            world.order(Command::FocusOn);
            world.hears("does not answer").await;
            world.order(Command::FocusOff);
            world.pass(MS(within)).await;
            world.pointer.move_to(machine::PICTURE);
            world.said.clear();
            world.order(Command::FocusOn);
            let took = world.hears("A line of text").await;
            assert!(took < MS(5000), "{fault:?}: {took:?}");
            assert_eq!(world.engines.running(EngineKind::Ocr), 1, "{fault:?}");
            let _: fn(&World) -> bool = World::all_run;
        });
    }
}
