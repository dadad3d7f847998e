//! The sound device disappears and returns, or exists but accepts no sound.

use std::path::PathBuf;
use std::process::{Child, Command as Program, Stdio};

use luna_messages::capability::Capability;
use luna_messages::control::Command;
use luna_test_support::one_thread::hang;

use crate::desktop::{LunaProcess, Mouse, SampleWindow, kill, take_turns, wait};
use crate::moved::CounterChanges;
use crate::world::{MS, in_world, machine};

// KER-9, TTS-1
#[test]
fn what_is_said_is_told_meanwhile_and_heard_again_after_ker_9_tts_1() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let moved = CounterChanges::since(&world.counts);
        world.audio.set_gone(true);
        world.wait("it is noticed", MS(1500), |world| !world.is_available(Capability::AudioOutput)).await;
        // Luna still publishes its words, for the web page and `luna ctl events`.
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

// KER-11, KER-9
#[test]
fn a_sound_server_that_hangs_keeps_nobody_from_obeying_ker_11_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let moved = CounterChanges::since(&world.counts);
        for _ in 0..2 {
            // The device closes after some time without sound and opens for the next sentence.
            world.order(Command::FocusOff);
            world.pass(MS(20_000)).await;
            hang("sound device", true);
            world.order(Command::FocusOn);
            world.wait("it is told", MS(5000), |world| !world.is_available(Capability::AudioOutput)).await;
            let opens = world.audio.opens();
            for _ in 0..30 {
                world.order(Command::FocusToggle);
                world.expect_stop_is_obeyed().await;
                world.pass(MS(400)).await;
            }
            assert_eq!(world.audio.opens(), opens);
            hang("sound device", false);
            world.wait("it is back", MS(6000), |world| world.is_available(Capability::AudioOutput)).await;
            world.expect_reading_works().await;
            world.expect_stop_is_obeyed().await;
        }
        moved.expect(&world.counts, &[("Key(luna_outside_late_total, [what = sound device])", 2)]);
    });
}

fn pactl(arguments: &[&str]) -> String {
    let output = Program::new("pactl").args(arguments).stderr(Stdio::inherit()).output();
    let output = output.expect("pactl is needed: the Debian package pulseaudio-utils");
    assert!(output.status.success(), "pactl {arguments:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Restores the sink, even if the test fails.
struct RestoredSink(String);

impl Drop for RestoredSink {
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
    let sample = SampleWindow::start("gtk3_sample.py", "Device");
    Mouse::new().move_to(sample.point("label_en"));
    let luna = LunaProcess::start();
    luna.order("on");
    luna.hears("quick brown fox");
    let modules = pactl(&["list", "short", "modules"]);
    let sink = modules.lines().find(|line| line.contains("module-null-sink") && line.contains("sink_name=luna"));
    let fields: Vec<&str> = sink.expect("the sink of the virtual desktop").split('\t').collect();
    let back = RestoredSink(fields[2].trim().to_owned());
    for _ in 0..2 {
        let modules = pactl(&["list", "short", "modules"]);
        let line = modules.lines().find(|line| line.contains("sink_name=luna")).unwrap();
        pactl(&["unload-module", line.split('\t').next().unwrap()]);
        // Reflex commands work and words are published, whatever happens to the sound.
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

/// A separate sound server with a silent sink.
struct SoundServer {
    folder: tempfile::TempDir,
    child: Option<Child>,
}

impl SoundServer {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("luna-pulse").tempdir().unwrap();
        let mut server = Self { folder, child: None };
        server.start();
        server
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("native")
    }

    fn address(&self) -> String {
        format!("unix:{}", self.socket().display())
    }

    fn start(&mut self) {
        // A killed server leaves its socket behind.
        drop(std::fs::remove_file(self.socket()));
        let options =
            ["-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes", "--realtime=no"];
        let protocol = format!("module-native-protocol-unix auth-anonymous=1 socket={}", self.socket().display());
        let child = Program::new("pulseaudio")
            .args(options)
            .args(["-L", protocol.as_str(), "-L", "module-null-sink sink_name=own rate=48000 channels=2"])
            .envs(["PULSE_RUNTIME_PATH", "PULSE_STATE_PATH"].map(|name| (name, self.folder.path())))
            // The desktop's server owns the name on the session bus.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.expect("pulseaudio is needed: the Debian package pulseaudio"));
        let server = self.address();
        let answers = || {
            let info = Program::new("pactl").arg("info").env("PULSE_SERVER", &server).stdout(Stdio::null()).status();
            info.unwrap().success().then_some(())
        };
        wait("the sound server", std::time::Duration::from_secs(20), answers, String::new);
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for SoundServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Has the table under the pointer read as a whole, after its cell was.
fn begin_long_reading(luna: &LunaProcess) {
    luna.order("on");
    luna.event("TTS.Start", |data| data["notice"] == false);
    luna.event("TTS.Stop", |data| data["finished"] == true);
    luna.order("read-table");
}

// KER-9, TTS-1
#[test]
fn a_reading_goes_on_where_it_was_when_the_sound_server_is_back_ker_9_tts_1() {
    let _turn = take_turns();
    let mut server = SoundServer::new();
    let sample = SampleWindow::start("gtk3_sample.py", "Server");
    Mouse::new().move_to(sample.point("cell0_0"));
    let luna = LunaProcess::start_with(|command| {
        command.env("PULSE_SERVER", server.address());
    });
    begin_long_reading(&luna);
    let sentences = |at_least: usize| {
        let mut sentences = Vec::new();
        while sentences.len() < at_least {
            let event = luna.event("TTS.Start", |data| data["notice"] == false);
            sentences.push(event["idx"].as_u64().unwrap());
        }
        sentences
    };
    let mut all = sentences(2);
    server.kill();
    luna.wait_for_capability("audio_output", "unavailable");
    // Inaudible text is not skipped: at most the sentence that was about to begin is reported.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let seen = luna.seen.lock().unwrap().matches("\"TTS.Start\"").count();
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(luna.seen.lock().unwrap().matches("\"TTS.Start\"").count(), seen, "it reads on without sound");
    server.start();
    luna.wait_for_capability("audio_output", "available");
    all.extend(sentences(2));
    let expect: Vec<u64> = (0..all.len() as u64).collect();
    assert_eq!(all, expect, "each sentence once, none left out");
}

// KER-9, KER-11, TTS-1
#[test]
fn a_reading_waits_for_a_sound_server_that_is_stopped_and_goes_on_ker_9_ker_11_tts_1() {
    let _turn = take_turns();
    let server = SoundServer::new();
    let signal = |name: &str| kill(server.child.as_ref().unwrap().id(), name);
    let sample = SampleWindow::start("gtk3_sample.py", "Stopped");
    Mouse::new().move_to(sample.point("cell0_0"));
    let luna = LunaProcess::start_with(|command| {
        command.env("PULSE_SERVER", server.address());
    });
    begin_long_reading(&luna);
    luna.event("TTS.Start", |data| data["notice"] == false);
    let threads = || std::fs::read_dir(format!("/proc/{}/task", luna.child.id())).unwrap().count();
    for _ in 0..2 {
        signal("STOP");
        luna.wait_for_capability("audio_output", "unavailable");
        let before = threads();
        let sentences = luna.seen.lock().unwrap().matches("\"TTS.Start\"").count();
        for round in 0..8 {
            let begin = std::time::Instant::now();
            luna.order(["faster", "slower"][round % 2]);
            let status: serde_json::Value = serde_json::from_str(&luna.get("status")).unwrap();
            assert!(begin.elapsed() < std::time::Duration::from_secs(5), "round {round} took {:?}", begin.elapsed());
            for actor in status["actors"].as_array().unwrap() {
                assert_eq!(actor["state"], "running", "{status}");
            }
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        // No threads pile up behind a server that does not answer: the sound thread, and one of the library.
        let after = threads();
        assert!(after <= before + 3, "{before} threads became {after}");
        // Inaudible text is not skipped.
        let seen = luna.seen.lock().unwrap().matches("\"TTS.Start\"").count();
        assert!(seen <= sentences + 1, "{} sentences without sound", seen - sentences);
        luna.clear();
        signal("CONT");
        luna.wait_for_capability("audio_output", "available");
        luna.event("TTS.Start", |data| data["notice"] == true);
        luna.event("TTS.Start", |data| data["notice"] == false);
    }
    for actor in ["focus", "uia", "ocr", "reflex", "tts", "gpu"] {
        assert_eq!(luna.metric(&format!("luna_actor_hung_total{{actor=\"{actor}\"}}")), 0.0, "{actor}");
    }
    // Luna ends in time even while the server is stopped.
    signal("STOP");
    luna.wait_for_capability("audio_output", "unavailable");
    drop(luna);
    signal("CONT");
}

// KER-11, KER-9
#[test]
fn a_sound_server_that_is_stopped_for_long_costs_no_more_threads_ker_11_ker_9() {
    let _turn = take_turns();
    let server = SoundServer::new();
    let signal = |name: &str| kill(server.child.as_ref().unwrap().id(), name);
    let luna = LunaProcess::start_with(|command| {
        // The server is the only sound output of this machine, and each attempt to open it gives up by itself.
        command.env("PULSE_SERVER", server.address()).env("ALSA_CONFIG_PATH", "/dev/null");
    });
    luna.order("on");
    luna.event("TTS.Start", |_| true);
    signal("STOP");
    luna.order("off");
    luna.wait_for_capability("audio_output", "unavailable");
    let threads = || std::fs::read_dir(format!("/proc/{}/task", luna.child.id())).unwrap().count();
    std::thread::sleep(std::time::Duration::from_secs(5));
    let before = threads();
    std::thread::sleep(std::time::Duration::from_secs(20));
    assert!(threads() <= before + 1, "{before} threads became {}", threads());
    luna.clear();
    signal("CONT");
    luna.wait_for_capability("audio_output", "available");
    luna.order("on");
    luna.event("TTS.Start", |_| true);
}
