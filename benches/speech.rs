//! Delay from a stop to silence and from a text to sound, at the monitor of the sound device (TTS-4), compared with plain rodio `Player`s
//! in the same run. Needs a session with a null sink. Writes `target/report/speech.json`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs)]

#[cfg(target_os = "linux")]
#[path = "../actors/tts/tests/support/harness.rs"]
mod harness;
#[cfg(target_os = "linux")]
#[path = "../actors/tts/tests/support/monitor.rs"]
mod monitor;

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("This bench records the monitor of a PulseAudio null sink, which this platform has not.");
}

#[cfg(target_os = "linux")]
fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure::all());
}

#[cfg(target_os = "linux")]
mod measure {
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use luna_messages::RequestId;
    use luna_messages::tts::TtsMessage;
    use luna_platform::audio::device::DeviceOutput;
    use rodio::buffer::SamplesBuffer;
    use rodio::{DeviceSinkBuilder, Player, Source, nz};
    use serde_json::json;
    use tokio::time::{Instant, sleep};

    use crate::harness::TtsHarness;
    use crate::monitor::{SAMPLE_RATE, SoundMonitor, device};

    /// Voiced nearly throughout, so that a stop rarely falls into a silence of the sentence itself.
    const TEXT: &str = "We were all well aware of an early yellow moon over a lonely railway, and a million owls and lions, and no one knew why \
        an animal ran along a warm river in January or in a lull in a long lazy rain over all our many minor wooden holly arbours.";
    const OURS: usize = 120;
    const PEERS: usize = 40;

    #[derive(Default)]
    struct SpeechFigures {
        stop: Vec<f64>,
        first: Vec<f64>,
    }

    impl SpeechFigures {
        fn line(&mut self, name: &str) {
            let stop = summary(&mut self.stop);
            let first = summary(&mut self.first);
            println!("{name}\n    stop to silence: {stop}\n    text to sound:   {first}");
        }
    }

    fn percentile(values: &mut [f64], p: f64) -> f64 {
        values.sort_by(f64::total_cmp);
        let at = (values.len() as f64 * p).ceil() as usize;
        values[at.clamp(1, values.len()) - 1]
    }

    fn summary(values: &mut [f64]) -> String {
        assert!(!values.is_empty(), "no round could be measured");
        let [p50, p99, max] = [0.5, 0.99, 1.0].map(|p| percentile(values, p));
        format!("p50 {p50:.1} ms, p99 {p99:.1} ms, max {max:.1} ms (n = {})", values.len())
    }

    /// Extracts the two figures of a round from the recording.
    fn note(figures: &mut SpeechFigures, monitor: &SoundMonitor, requested: Instant, stopped: Instant) {
        let heard = monitor.take();
        if let Some(first) = heard.first_loud(requested) {
            figures.first.push((first - requested).as_secs_f64() * 1000.0);
        }
        // Skips a round whose stop fell into a silence of the sentence.
        let near = Duration::from_millis(7);
        if heard.is_loud_between(stopped - near, stopped) && heard.is_loud_between(stopped, stopped + near) {
            let last = heard.last_loud().unwrap();
            figures.stop.push(last.saturating_duration_since(stopped).as_secs_f64() * 1000.0);
        }
    }

    async fn ours(monitor: &SoundMonitor) -> SpeechFigures {
        let harness = TtsHarness::new(Arc::new(DeviceOutput::new()));
        let mut figures = SpeechFigures::default();
        // The first text opens the device and starts the engine.
        let id = harness.read("Hello.");
        harness.finished(id).await;
        for round in 0..OURS {
            sleep(Duration::from_millis(150)).await;
            let _ = monitor.take();
            let requested = Instant::now();
            harness.read(TEXT);
            sleep(Duration::from_micros(400_000 + 7_130 * (round as u64 % 40))).await;
            let stopped = Instant::now();
            harness.post(TtsMessage::Stop { at: RequestId::next() });
            sleep(Duration::from_millis(250)).await;
            note(&mut figures, monitor, requested, stopped);
        }
        figures
    }

    async fn peer(monitor: &SoundMonitor, frames: Option<u32>) -> SpeechFigures {
        let mut builder = DeviceSinkBuilder::from_device(device().1).unwrap();
        if let Some(frames) = frames {
            builder = builder.with_buffer_size(cpal::BufferSize::Fixed(frames));
        }
        let mut sink = builder.open_stream().unwrap();
        sink.log_on_drop(false);
        let wave = |i: u32| 0.4 * (i as f32 * 200.0 / SAMPLE_RATE as f32 * std::f32::consts::TAU).sin();
        let tone: Vec<f32> = (0..3 * SAMPLE_RATE).map(wave).collect();
        let mut figures = SpeechFigures::default();
        sleep(Duration::from_millis(300)).await;
        for round in 0..PEERS {
            let player = Player::connect_new(sink.mixer());
            let source = SamplesBuffer::new(nz!(1), nz!(48_000), tone.clone());
            sleep(Duration::from_millis(50)).await;
            let _ = monitor.take();
            let requested = Instant::now();
            player.append(source.amplify(1.0));
            sleep(Duration::from_micros(400_000 + 7_130 * (round as u64 % 40))).await;
            let stopped = Instant::now();
            player.stop();
            sleep(Duration::from_millis(400)).await;
            note(&mut figures, monitor, requested, stopped);
        }
        figures
    }

    pub async fn all() {
        let monitor = SoundMonitor::open();
        let mut luna = ours(&monitor).await;
        let mut default = peer(&monitor, None).await;
        let mut same = peer(&monitor, Some(512)).await;
        let mut half = peer(&monitor, Some(256)).await;
        luna.line("Luna, a buffer of 512 frames: two periods of 256 (speech through engine, stretch and ring)");
        default.line("rodio 0.23 Player, default buffer (a tone that is ready)");
        same.line("rodio 0.23 Player, 512 frames a period, a buffer of 1024 (a tone that is ready)");
        half.line("rodio 0.23 Player, 256 frames a period, a buffer of 512 as Luna's (a tone that is ready)");
        let mut rows = Vec::new();
        let peers = [
            ("rodio Player, default buffer", &mut default),
            ("rodio Player, with_buffer_size 512", &mut same),
            ("rodio Player, with_buffer_size 256", &mut half),
        ];
        for (name, peer) in peers {
            for (what, p) in [("p50", 0.5), ("p99", 0.99), ("max", 1.0)] {
                let (ours, theirs) = (percentile(&mut luna.stop, p), percentile(&mut peer.stop, p));
                rows.push(json!({
                    "name": format!("stop to silence at the monitor, {what}, beside {name}"),
                    "unit": "ms", "ours": ours, "peer": theirs, "ratio": ours / theirs,
                }));
                println!("stop to silence {what}: {ours:.1} ms, {name} {theirs:.1} ms, ratio {:.2}", ours / theirs);
            }
            let (ours, theirs) = (percentile(&mut luna.first, 0.5), percentile(&mut peer.first, 0.5));
            rows.push(json!({
                "name": format!("text to first sound at the monitor, p50, beside {name} with sound that is ready"),
                "unit": "ms", "ours": ours, "peer": theirs, "ratio": ours / theirs,
            }));
        }
        let met = percentile(&mut luna.stop, 0.99) <= 20.0;
        println!("goal (p99 of stop to silence at most 20 ms): {}", if met { "met" } else { "missed" });
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/report");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("speech.json"), serde_json::to_string_pretty(&rows).unwrap()).unwrap();
    }
}
