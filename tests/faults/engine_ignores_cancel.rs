//! An engine continues although its job was cancelled.

use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_test_support::engine_double::EngineFault;

use crate::world::{MS, World, in_world, machine};

// KER-6, ENG-2, TTS-4
#[test]
fn speech_is_silent_at_once_and_the_next_text_is_read_ker_6_eng_2_tts_4() {
    in_world(async |world| {
        world.expect_reading_works().await;
        world.order(Command::FocusOff);
        world.pass(MS(2000)).await;
        world.engines.order(EngineKind::Speech, EngineFault::IgnoreCancel);
        world.pointer.move_to(machine::TEXT);
        world.order(Command::FocusOn);
        world.pass(MS(400)).await;
        world.expect_stop_is_obeyed().await;
        // The next text does not wait until the engine has finished the cancelled one.
        world.pointer.move_to(machine::OTHER);
        let sounded = world.audio.sounded();
        let took = world.hears("다른 글이에요").await;
        assert!(took < MS(9000), "the next text was read only after {took:?}");
        world.wait("its sound", MS(9000), |world| world.audio.sounded() > sounded).await;
        world.wait("one engine", MS(9000), |world| world.engines.running(EngineKind::Speech) == 1).await;
    });
}

// KER-6
#[test]
fn a_recognition_that_goes_on_in_vain_does_not_hold_up_the_next_for_ever_ker_6() {
    in_world(async |world| {
        world.pass(MS(300)).await;
        world.engines.order(EngineKind::Ocr, EngineFault::IgnoreCancel);
        world.pointer.move_to(machine::PICTURE);
        world.order(Command::FocusOn);
        world.pass(MS(20)).await;
        world.order(Command::FocusOff);
        world.pass(MS(20)).await;
        world.order(Command::FocusOn);
        world.expect_stop_is_obeyed().await;
        world.order(Command::FocusOn);
        let took = world.hears("A line of text").await;
        assert!(took < MS(5000), "{took:?}");
        assert!(world.all_run());
        let _: fn(&World) -> bool = World::all_run;
    });
}
