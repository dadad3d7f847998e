//! Microphones of a real sound server. Runs inside the desktop session of the tests; without a sound server every test fails with a message that says
//! so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use luna_platform::audio::device::DeviceOutput;
use luna_platform::audio::{AudioOutput, OutputFormat, SoundSource};
use luna_platform::microphone::device::{DeviceLoopback, DeviceMicrophone};
use luna_platform::microphone::queue::{SampleConsumer, queue};
use luna_platform::microphone::{Microphone, OpenMicrophone};

const LIMIT: Duration = Duration::from_secs(20);
const RATE: usize = 48_000;
/// Likeness from which one sound is the other.
const ALIKE: f32 = 0.95;

/// The sound server's devices are shared.
static SERVER_LOCK: Mutex<()> = Mutex::new(());

/// A module of the sound server, unloaded when dropped.
struct Module(String);

impl Module {
    fn load(arguments: &[&str]) -> Self {
        let output = Command::new("pactl").arg("load-module").args(arguments).output();
        let output = output.expect("pactl is needed: the Debian package pulseaudio-utils");
        assert!(
            output.status.success(),
            "this needs a sound server; run it inside the desktop session of the tests (PULSE_SERVER)"
        );
        Self(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        drop(Command::new("pactl").args(["unload-module", &self.0]).status());
    }
}

/// A cable: what is played into the sink `name` comes out of the microphone `name-input`.
fn cable(name: &str) -> (Module, Module) {
    let sink = Module::load(&["module-null-sink", &format!("sink_name={name}"), "rate=48000", "channels=2"]);
    let source = Module::load(&[
        "module-remap-source",
        &format!("master={name}.monitor"),
        &format!("source_name={name}-input"),
        "channels=2",
    ]);
    (sink, source)
}

/// Noise that does not repeat: where it is found, it was played.
struct NoiseSource(u32);

impl NoiseSource {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32 - 0.5
    }
}

impl NoiseSource {
    /// What follows after that many samples: a beginning may be cut off while a device wakes.
    fn after(mut self, samples: usize) -> Self {
        for _ in 0..samples {
            self.next();
        }
        self
    }
}

impl SoundSource for NoiseSource {
    fn fill(&mut self, out: &mut [f32]) -> usize {
        out.fill_with(|| self.next());
        out.len()
    }
}

fn open(device: Option<&str>) -> (Box<dyn OpenMicrophone>, SampleConsumer) {
    let (producer, consumer) = queue(RATE * 4);
    let microphone = DeviceMicrophone::new().open(device, Box::new(|_| Box::new(producer)));
    (microphone.unwrap_or_else(|error| panic!("{device:?}: {error}")), consumer)
}

/// Waits until `count` samples are there.
fn take(consumer: &mut SampleConsumer, count: usize) -> Vec<f32> {
    let (due, mut samples) = (Instant::now() + LIMIT, Vec::new());
    while samples.len() < count {
        assert!(Instant::now() < due, "only {} samples came", samples.len());
        std::thread::sleep(Duration::from_millis(5));
        consumer.take(count - samples.len(), &mut samples);
    }
    samples
}

/// What comes from the first sound on, for as long as the other program plays.
fn take_what_is_audible(consumer: &mut SampleConsumer) -> Vec<f32> {
    let due = Instant::now() + LIMIT;
    loop {
        let mut samples = take(consumer, 480);
        if samples.iter().any(|sample| *sample != 0.0) {
            samples.extend(take(consumer, RATE / 2));
            return samples;
        }
        assert!(Instant::now() < due, "only silence came");
    }
}

/// How much the next hundredth of a second of `noise` is like what is most like it in `taken`, -1 to 1.
fn likeness(taken: &[f32], mut noise: NoiseSource) -> f32 {
    let wanted: Vec<f32> = (0..480).map(|_| noise.next()).collect();
    let of_wanted = wanted.iter().map(|a| a * a).sum::<f32>();
    let likeness = |window: &[f32]| -> f32 {
        let product: f32 = window.iter().zip(&wanted).map(|(a, b)| a * b).sum();
        let power: f32 = window.iter().map(|a| a * a).sum::<f32>() * of_wanted;
        product / power.sqrt().max(f32::MIN_POSITIVE)
    };
    taken.windows(480).map(likeness).fold(-1.0, f32::max)
}

/// The best likeness of eight parts of the noise: a busy machine may cut some of them.
fn best_likeness(taken: &[f32], noise: u32) -> f32 {
    let part = |n: usize| likeness(taken, NoiseSource(noise).after(n * RATE / 20));
    let mut best = -1.0_f32;
    // The search takes a while, so the first good one is enough.
    (1..=8).map(part).find(|likeness| {
        best = best.max(*likeness);
        best > ALIKE
    });
    best
}

/// Another program that plays half a second of noise.
fn other_program_plays(sink: &str, mut noise: NoiseSource) -> Child {
    let sound: Vec<u8> = (0..RATE / 2).flat_map(|_| noise.next().to_le_bytes()).collect();
    let mut program = Command::new("pacat")
        .args(["--raw", "--format=float32le", "--rate=48000", "--channels=1", &format!("--device={sink}")])
        .stdin(Stdio::piped())
        .spawn()
        .expect("pacat is needed: the Debian package pulseaudio-utils");
    program.stdin.take().unwrap().write_all(&sound).unwrap();
    program
}

fn open_loopback(output: Option<&str>) -> (Box<dyn OpenMicrophone>, SampleConsumer) {
    let (producer, consumer) = queue(RATE * 4);
    let loopback = DeviceLoopback::new().open(output, Box::new(|_| Box::new(producer)));
    (loopback.unwrap_or_else(|error| panic!("{output:?}: {error}")), consumer)
}

/// Makes another sink the default one, until it is dropped.
struct DefaultSink(String);

impl DefaultSink {
    fn set(sink: &str) -> Self {
        let before = Command::new("pactl").arg("get-default-sink").output().unwrap();
        assert!(Command::new("pactl").args(["set-default-sink", sink]).status().unwrap().success());
        Self(String::from_utf8(before.stdout).unwrap().trim().to_owned())
    }
}

impl Drop for DefaultSink {
    fn drop(&mut self) {
        drop(Command::new("pactl").args(["set-default-sink", &self.0]).status());
    }
}

// BRG-4, KER-9
#[test]
fn the_loopback_takes_what_another_program_plays_and_follows_the_default_output_brg_4_ker_9() {
    let _turn = SERVER_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let sink =
        |name: &str| Module::load(&["module-null-sink", &format!("sink_name={name}"), "rate=48000", "channels=2"]);
    let (_first, _second) = (sink("luna-loop-a"), sink("luna-loop-b"));
    let _before = DefaultSink::set("luna-loop-a");
    let (loopback, mut consumer) = open_loopback(None);
    let (_named, mut of_the_other) = open_loopback(Some("Luna-Loop-B"));
    let mut program = other_program_plays("luna-loop-a", NoiseSource(1));
    let heard = best_likeness(&take_what_is_audible(&mut consumer), 1);
    assert!(heard > ALIKE, "likeness {heard}");
    let mut silence = Vec::new();
    of_the_other.take(usize::MAX, &mut silence);
    assert!(silence.iter().all(|sample| *sample == 0.0), "the other output plays nothing");
    assert!(loopback.lost().is_none());
    let _after = DefaultSink::set("luna-loop-b");
    let due = Instant::now() + LIMIT;
    while loopback.lost().is_none() {
        assert!(Instant::now() < due, "the change of the output is not reported");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(loopback);
    let (_loopback, mut consumer) = open_loopback(None);
    assert!(program.wait().unwrap().success());
    let mut program = other_program_plays("luna-loop-b", NoiseSource(2));
    let heard = best_likeness(&take_what_is_audible(&mut consumer), 2);
    assert!(heard > ALIKE, "likeness {heard}");
    assert!(program.wait().unwrap().success());
}

// STT-3
#[test]
fn a_microphone_takes_what_is_played_into_its_cable_stt_3() {
    let _turn = SERVER_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let _cable = cable("luna-mic-a");
    let (microphone, mut consumer) = open(Some("LUNA-MIC-A-INPUT"));
    assert_eq!(microphone.format().sample_rate as usize, RATE);
    let source = |_: OutputFormat| -> Box<dyn SoundSource> { Box::new(NoiseSource(1)) };
    let _playing = DeviceOutput::new().open(Some("luna-mic-a"), 512, Box::new(source)).unwrap();
    let likeness = likeness(&take(&mut consumer, RATE), NoiseSource(1));
    assert!(likeness > ALIKE, "likeness {likeness}");
    assert_eq!(consumer.take_lost(), 0);
    drop(microphone);
    consumer.take(usize::MAX, &mut Vec::new());
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(consumer.waiting(), 0, "a closed microphone delivers nothing");
}

// STT-3, KER-9
#[test]
fn a_microphone_that_goes_away_is_lost_and_can_be_opened_again_stt_3_ker_9() {
    let _turn = SERVER_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let devices = cable("luna-mic-b");
    let (microphone, mut consumer) = open(Some("luna-mic-b-input"));
    take(&mut consumer, 1_000);
    assert!(microphone.lost().is_none());
    drop(devices);
    let due = Instant::now() + LIMIT;
    while microphone.lost().is_none() {
        assert!(Instant::now() < due, "the loss of the microphone is not reported");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(microphone);
    let _devices = cable("luna-mic-b");
    let (microphone, mut consumer) = open(Some("luna-mic-b-input"));
    take(&mut consumer, 1_000);
    assert!(microphone.lost().is_none());
}

// BRG-4
#[test]
fn what_a_loudspeaker_plays_is_never_the_default_microphone_brg_4() {
    let _turn = SERVER_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let sink = Module::load(&["module-null-sink", "sink_name=luna-mic-c", "rate=48000", "channels=2"]);
    // In the desktop of the tests there is no real microphone: all sources are what sinks play.
    let error = DeviceMicrophone::new().open(None, Box::new(|_| Box::new(queue(1).0))).err();
    assert!(error.is_some_and(|error| error.to_string().contains("no microphone")));
    let (_microphone, mut consumer) = open(Some("luna-mic-c.monitor"));
    take(&mut consumer, 1_000);
    let _source = Module::load(&["module-remap-source", "master=luna-mic-c.monitor", "source_name=luna-mic-c-input"]);
    let (default, mut consumer) = open(None);
    take(&mut consumer, 1_000);
    assert!(default.lost().is_none());
    drop(sink);
}
