//! Memory is too short for a model: an engine reports it, or the system ends an engine that takes too much.

use std::os::unix::fs::PermissionsExt;

use luna_messages::capability::Capability;
use luna_messages::control::Command;
use luna_messages::engine::{EngineErrorKind, EngineKind};
use luna_test_support::engine_double::EngineFault;

use crate::desktop::{self, LunaProcess, Mouse, SampleWindow, take_turns};
use crate::world::{MS, in_world, machine};

/// A failed start is retried after 15 to 20 s; the load comes on top.
const RETRY_LIMIT: std::time::Duration = std::time::Duration::from_secs(90);

// ENG-4, KER-9
#[test]
fn an_engine_that_refuses_for_want_of_memory_is_tried_again_eng_4_ker_9() {
    in_world(async |world| {
        world.engines.order(EngineKind::Ocr, EngineFault::RefuseLoad(EngineErrorKind::OutOfMemory));
        world.pass(MS(200)).await;
        assert!(!world.is_available(Capability::TextRecognition));
        world.expect_stop_is_obeyed().await;
        world.expect_reading_works().await;
        world.wait("the next try", MS(25_000), |world| world.is_available(Capability::TextRecognition)).await;
        world.pointer.move_to(machine::PICTURE);
        world.order(Command::FocusOff);
        world.pass(MS(100)).await;
        world.order(Command::FocusOn);
        world.hears("A line of text").await;
        assert_eq!(world.counts.sum("luna_engine_loads_total", &[("engine", "ocr"), ("outcome", "failed")]), 1);
    });
}

// ENG-2, KER-9
#[test]
fn a_real_engine_that_gets_no_memory_ends_itself_alone_eng_2_ker_9() {
    let _turn = take_turns();
    let folder = tempfile::tempdir().unwrap();
    let beside = |name: &str| luna_engine_host::engine_path(name);
    let speech = "luna-engine-speech-espeak";
    std::os::unix::fs::symlink(beside(speech), folder.path().join(speech)).unwrap();
    // Enough for the program, not for its models.
    let script = format!("#!/bin/sh\nulimit -v 120000\nexec {}\n", beside("luna-engine-ocr").display());
    let wrapper = folder.path().join("luna-engine-ocr");
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
    let sample = SampleWindow::start("gtk3_sample.py", "Memory");
    Mouse::new().move_to(sample.point("label_en"));
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA_ENGINE_DIR", folder.path());
    });
    luna.wait_for_capability("text_recognition", "unavailable");
    luna.order("on");
    luna.hears("quick brown fox");
    luna.order("stop");
    luna.event("TTS.Stop", |data| data["finished"] == false);
    // With enough memory, the automatic retry succeeds.
    std::fs::remove_file(&wrapper).unwrap();
    std::os::unix::fs::symlink(beside("luna-engine-ocr"), &wrapper).unwrap();
    luna.wait_for_capability_within(RETRY_LIMIT, "text_recognition", "available");
    let _ = desktop::root();
}
