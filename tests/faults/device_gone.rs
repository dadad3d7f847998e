//! The sound device goes away and comes back, and one that is there takes nothing.

use std::process::{Command as Program, Stdio};

use luna_messages::capability::Capability;
use luna_messages::control::Command;

use crate::desk::{Luna, Mouse, Sample, take_turns};
use crate::moved::Moved;
use crate::world::{MS, in_world, machine};

// KER-9, TTS-1
#[test]
fn what_is_said_is_told_meanwhile_and_heard_again_after_ker_9_tts_1() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let moved = Moved::since(&world.counts);
        world.audio.set_gone(true);
        world.wait("it is noticed", MS(1500), |world| !world.is_available(Capability::AudioOutput)).await;
        // Its words are still told, for the page and `luna ctl events`.
        world.order(Command::FocusOff);
        world.pass(MS(100)).await;
        world.order(Command::FocusOn);
        world.hears("brown fox").await;
        assert!(world.order(Command::Stop));
        world.audio.set_gone(false);
        world.wait("it is back", MS(6000), |world| world.is_available(Capability::AudioOutput)).await;
        world.expect_reading_works().await;
        world.expect_stop_is_obeyed().await;
        moved.expect(&world.counts, &[]);
    });
}

// KER-9
#[test]
fn a_device_that_takes_nothing_is_opened_again_then_declared_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        world.audio.set_stalled(true);
        world.pointer.move_to(machine::OTHER);
        world.wait("it is declared", MS(20_000), |world| !world.is_available(Capability::AudioOutput)).await;
        assert!(world.audio.opens() >= 2, "opened {} times", world.audio.opens());
        world.audio.set_stalled(false);
        world.wait("it is back", MS(8000), |world| world.is_available(Capability::AudioOutput)).await;
        world.expect_reading_works().await;
    });
}

fn pactl(arguments: &[&str]) -> String {
    let output = Program::new("pactl").args(arguments).stderr(Stdio::inherit()).output();
    let output = output.expect("pactl is needed: the Debian package pulseaudio-utils");
    assert!(output.status.success(), "pactl {arguments:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Puts the sink back, also where the test fails.
struct Back(String);

impl Drop for Back {
    fn drop(&mut self) {
        if !pactl(&["list", "short", "sinks"]).contains("\tluna\t") {
            let arguments: Vec<&str> =
                ["load-module", "module-null-sink"].into_iter().chain(self.0.split(' ')).collect();
            pactl(&arguments);
            pactl(&["set-default-sink", "luna"]);
        }
    }
}

// KER-9
#[test]
fn the_real_device_is_taken_away_and_given_back_ker_9() {
    let _turn = take_turns();
    let sample = Sample::start("gtk3_sample.py", "Device");
    Mouse::new().move_to(sample.point("label_en"));
    let luna = Luna::start();
    luna.order("on");
    luna.hears("quick brown fox");
    let modules = pactl(&["list", "short", "modules"]);
    let sink = modules.lines().find(|line| line.contains("module-null-sink") && line.contains("sink_name=luna"));
    let fields: Vec<&str> = sink.expect("the sink of the virtual desktop").split('\t').collect();
    let back = Back(fields[2].trim().to_owned());
    for _ in 0..2 {
        let modules = pactl(&["list", "short", "modules"]);
        let line = modules.lines().find(|line| line.contains("sink_name=luna")).unwrap();
        pactl(&["unload-module", line.split('\t').next().unwrap()]);
        // Reflexes are obeyed and words are told, whatever becomes of the sound.
        luna.order("off");
        luna.clear();
        luna.order("on");
        luna.hears("quick brown fox");
        luna.order("stop");
        let arguments: Vec<&str> = ["load-module", "module-null-sink"].into_iter().chain(back.0.split(' ')).collect();
        pactl(&arguments);
        pactl(&["set-default-sink", "luna"]);
        luna.wait_for_capability("audio_output", "available");
        luna.order("off");
        luna.clear();
        luna.order("on");
        luna.hears("quick brown fox");
    }
}
