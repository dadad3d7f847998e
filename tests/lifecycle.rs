//! Luna's life cycle: start, end, and processes that die meanwhile (KER-7, KER-9, KER-10, ENG-2).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

#[path = "lifecycle/components.rs"]
mod components;

use std::time::{Duration, Instant};

use desktop::{LunaProcess, Mouse, SampleWindow, take_turns, wait};

fn ended(luna: &mut LunaProcess, limit: Duration) -> Option<i32> {
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if let Ok(Some(status)) = luna.child.try_wait() {
            return Some(status.code().unwrap_or(-1));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

// KER-10
#[test]
fn the_end_is_orderly_and_leaves_nothing_ker_10() {
    let _turn = take_turns();
    let mut luna = LunaProcess::start();
    luna.wait_for_capability("text_recognition", "available");
    luna.order("on");
    luna.hears("창이 없어요");
    let engines = [luna.engines("luna-engine-ocr"), luna.engines("luna-engine-speech")].concat();
    assert_eq!(engines.len(), 2, "{engines:?}");
    luna.signal("TERM");
    assert_eq!(ended(&mut luna, Duration::from_secs(6)), Some(0), "{}", luna.log.lock().unwrap());
    assert!(!luna.home.path().join("run/control.json").exists());
    for engine in engines {
        wait(
            "the engines to end",
            Duration::from_secs(2),
            || (!std::path::Path::new(&format!("/proc/{engine}")).exists()).then_some(()),
            String::new,
        );
    }
}

#[test]
fn a_killed_luna_can_be_started_again_and_its_engines_end_by_themselves() {
    let _turn = take_turns();
    let mut luna = LunaProcess::start();
    luna.wait_for_capability("text_recognition", "available");
    let engines = luna.engines("luna-engine");
    assert!(!engines.is_empty());
    luna.signal("KILL");
    assert!(ended(&mut luna, Duration::from_secs(2)).is_some());
    for engine in engines {
        wait(
            "the engines to end",
            Duration::from_secs(3),
            || (!std::path::Path::new(&format!("/proc/{engine}")).exists()).then_some(()),
            String::new,
        );
    }
    // The killed Luna's control file still exists and does not prevent a start.
    let output = desktop::luna(luna.home.path()).args(["ctl", "status"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not answer"));
}

// ENG-2
#[test]
fn engines_that_are_killed_are_started_again_and_nothing_is_lost_eng_2() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Kill");
    let mouse = Mouse::new();
    let (x, y, _, height) = sample.place("picture");
    mouse.move_to((x + 60, y + height / 4));
    let luna = LunaProcess::start();
    luna.wait_for_capability("text_recognition", "available");
    luna.order("on");
    luna.hears("1,234.56");
    for engine in [luna.engines("luna-engine-ocr"), luna.engines("luna-engine-speech")].concat() {
        std::process::Command::new("kill").args(["-KILL", &engine.to_string()]).status().unwrap();
    }
    mouse.move_to((x + 60, y + 3 * height / 4));
    luna.event("Focus.Pick.result", |data| {
        data["method"] == "ocr" && data["text"].as_str().is_some_and(|t| t.contains("루나"))
    });
    luna.hears("루나");
    assert_eq!(luna.engines("luna-engine").len(), 2);
    assert!(luna.metric("luna_engine_ends_total{engine=\"ocr\",how=\"crashed\"}") == 1.0, "{}", luna.get("metrics"));
    assert!(luna.metric("luna_engine_ends_total{engine=\"speech\",how=\"crashed\"}") == 1.0, "{}", luna.get("metrics"));
}

// KER-9
#[test]
fn without_bus_display_and_sound_luna_runs_and_says_what_is_missing_ker_9() {
    let _turn = take_turns();
    let luna = LunaProcess::start_with(|command| {
        command
            .env_remove("DISPLAY")
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
            .env("PULSE_SERVER", "unix:/nowhere")
            .env("ALSA_CONFIG_PATH", "/nowhere")
            .env("LUNA_MODELS", "/nowhere");
    });
    for capability in ["accessibility", "hot_key", "text_recognition", "audio_output"] {
        luna.wait_for_capability(capability, "unavailable");
    }
    // Commands are still answered: in words on the bus, because there is no sound.
    luna.order("on");
    luna.hears("커서의 위치를 알 수 없어요");
    let status = luna.ctl(&["status"]);
    assert!(status.status.success());
    // GPU-1: the status names the holder of the model memory, too.
    let text = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(text.contains("models have 0 of "), "{text}");
}

// CFG-4
#[test]
fn a_changed_configuration_counts_and_a_broken_one_does_not_cfg_4() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let file = luna.home.path().join("config.yaml");
    std::fs::write(&file, "version: 1\nprofiles:\n  default:\n    focus_mode: {wait_cmd_timeout_ms: 700}\n").unwrap();
    luna.hears("바뀐 설정");
    Mouse::new().move_to((1900, 1060));
    luna.order("on");
    luna.hears("창이 없어요");
    luna.hears("그만 기다릴게요");
    std::fs::write(&file, "version: 1\nprofiles:\n  default:\n    focus_mode: {wait_cmd_timeout_m: 900}\n").unwrap();
    luna.hears("이전 설정을 그대로");
    let log = luna.log.lock().unwrap().clone();
    assert!(log.contains("wait_cmd_timeout_m") && log.contains("config.yaml:4"), "{log}");
}
