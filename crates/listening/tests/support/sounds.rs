//! Recordings, noises and rooms for the tests of the signal chain. All sound is mono at 16 kHz.

#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::path::{Path, PathBuf};

use luna_listening::signal::{SignalChain, SignalSettings};
use luna_messages::listening::{SamplePosition, VoiceEvent};
use luna_speech::resample::Resampler;

pub const RATE: u32 = 16_000;

/// Recordings of speech; the first eight are single sentences.
pub const RECORDINGS: &[&str] = &[
    "wyoming/living_room_light_ko.wav",
    "wyoming/living_room_light_en.wav",
    "wyoming/living_room_light_ja.wav",
    "wyoming/living_room_light_zh.wav",
    "wyoming/living_room_light_yue.wav",
    "wyoming/living_room_light_de.wav",
    "wyoming/living_room_light_es.wav",
    "wyoming/whats_your_name_french.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0880.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0890.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0920.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0930.wav",
    "lhotse/LJ002-0020.wav",
    "lhotse/LJ002-0035.wav",
    "whisper.cpp/jfk.wav",
];

pub fn recording(name: &str) -> Vec<f32> {
    recording_at(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples").join(name))
}

pub fn recording_at(path: &Path) -> Vec<f32> {
    let mut reader = hound::WavReader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let spec = reader.spec();
    let all: Vec<f32> = reader.samples::<i16>().map(|s| f32::from(s.unwrap()) / 32_768.0).collect();
    let mono: Vec<f32> = all.chunks(spec.channels.into()).map(|c| c.iter().sum::<f32>() / c.len() as f32).collect();
    resample(&mono, spec.sample_rate, RATE)
}

pub fn resample(sound: &[f32], from: u32, to: u32) -> Vec<f32> {
    let mut out = Vec::new();
    let mut resampler = Resampler::new(from, to);
    resampler.push(sound, &mut out);
    resampler.finish(&mut out);
    out
}

pub fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; (seconds * RATE as f32) as usize]
}

pub fn gain(sound: &[f32], db: f32) -> Vec<f32> {
    let factor = 10_f32.powf(db / 20.0);
    sound.iter().map(|s| s * factor).collect()
}

pub fn db(power: f32) -> f32 {
    10.0 * (power + 1e-12).log10()
}

pub fn power(sound: &[f32]) -> f32 {
    sound.iter().map(|s| s * s).sum::<f32>() / sound.len().max(1) as f32
}

/// Root mean square of the loudest half second: the level of the speech without its pauses.
pub fn level(sound: &[f32]) -> f32 {
    db(sound.windows(8_000).step_by(800).map(power).fold(power(sound), f32::max))
}

/// The sound at a level in dB.
pub fn at_level(sound: &[f32], db: f32) -> Vec<f32> {
    gain(sound, db - level(sound))
}

pub fn mix(into: &mut Vec<f32>, sound: &[f32], at: usize) {
    if into.len() < at + sound.len() {
        into.resize(at + sound.len(), 0.0);
    }
    for (a, b) in into[at..].iter_mut().zip(sound) {
        *a += b;
    }
}

pub struct Random(pub u64);

impl Random {
    /// -1 to 1.
    pub fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}

pub fn white(count: usize, db: f32) -> Vec<f32> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    at_power(&(0..count).map(|_| random.next()).collect::<Vec<_>>(), db)
}

/// Noise of equal power per octave, by sums of slower and slower random steps.
pub fn pink(count: usize, db: f32) -> Vec<f32> {
    let (mut random, mut rows) = (Random(7), [0.0_f32; 12]);
    let sound: Vec<f32> = (0..count)
        .map(|i| {
            rows[(i.trailing_zeros() as usize).min(11)] = random.next();
            rows.iter().sum::<f32>() + random.next()
        })
        .collect();
    at_power(&sound, db)
}

/// A fan: low noise, the hum of its motor and the blades.
pub fn fan(count: usize, db: f32) -> Vec<f32> {
    let (mut random, mut low) = (Random(11), 0.0_f32);
    let sound: Vec<f32> = (0..count)
        .map(|i| {
            low += 0.08 * (random.next() - low);
            let t = i as f32 / RATE as f32 * std::f32::consts::TAU;
            let blades = 1.0 + 0.3 * (t * 23.0).sin();
            low * blades + 0.02 * (t * 100.0).sin() + 0.012 * (t * 200.0).sin() + 0.02 * random.next()
        })
        .collect();
    at_power(&sound, db)
}

/// Key strokes: bursts of a few milliseconds, 120 to 250 ms apart.
pub fn keys(count: usize, db: f32) -> Vec<f32> {
    let (mut random, mut sound, mut at) = (Random(13), vec![0.0; count], 2_000);
    while at + 2_000 < count {
        let strength = 0.6 + 0.4 * random.next().abs();
        for (press, decay) in [(0, 60.0), (1_100, 90.0)] {
            for i in 0..700 {
                sound[at + press + i] += random.next() * strength * (-(i as f32) / decay).exp();
            }
        }
        at += 1_900 + (random.next().abs() * 2_100.0) as usize;
    }
    let peak = sound.iter().fold(0.0_f32, |a, s| a.max(s.abs()));
    gain(&sound, db - 20.0 * peak.log10())
}

/// Several people who talk at once, further away.
pub fn babble(count: usize, db: f32) -> Vec<f32> {
    let mut sound = vec![0.0; count];
    for (i, name) in RECORDINGS.iter().enumerate() {
        let voice = at_level(&recording(name), -20.0);
        let mut at = i * 7_919 % 16_000;
        while at < count {
            let end = (at + voice.len()).min(count);
            let part = voice[..end - at].to_vec();
            mix(&mut sound, &part, at);
            at += voice.len() + 3_000;
        }
    }
    at_power(&sound, db)
}

fn at_power(sound: &[f32], decibel: f32) -> Vec<f32> {
    gain(sound, decibel - db(power(sound)))
}

/// The way from a loudspeaker to the microphone: the direct sound after `delay_ms`, then what the walls return, with 60 dB of decay in
/// `reverberation` seconds. `db`: level of the echo beside what was played.
pub fn room(sound: &[f32], delay_ms: usize, db: f32, reverberation: f32, seed: u64) -> Vec<f32> {
    let (mut random, delay) = (Random(seed), delay_ms * RATE as usize / 1000);
    let length = (reverberation * 0.6 * RATE as f32) as usize;
    let mut response: Vec<f32> =
        (0..length).map(|i| 0.25 * random.next() * (-6.9 * i as f32 / (reverberation * RATE as f32)).exp()).collect();
    response[0] = 1.0;
    let norm = 10_f32.powf(db / 20.0) / response.iter().map(|x| x * x).sum::<f32>().sqrt();
    // Sparse reflections keep the test fast: every 23rd tap.
    let taps: Vec<(usize, f32)> =
        response.iter().enumerate().filter(|(i, _)| i % 23 == 0).map(|(i, x)| (i, x * norm)).collect();
    let mut out = vec![0.0; sound.len() + delay + length];
    for (i, tap) in taps {
        for (out, s) in out[delay + i..].iter_mut().zip(sound) {
            *out += tap * s;
        }
    }
    out
}

/// The first and last sample of audible speech: where blocks of 10 ms are within 20 dB of the level, for 30 ms, without the rumble of the recording,
/// which nobody hears as speech.
pub fn speech_extent(sound: &[f32]) -> (usize, usize) {
    let sound = without_rumble(sound);
    let limit = level(&sound) - 20.0;
    let loud: Vec<bool> = sound.chunks(160).map(|block| db(power(block)) > limit).collect();
    let first = loud.windows(3).position(|w| w.iter().all(|x| *x)).unwrap_or(0);
    let last = loud.windows(3).rposition(|w| w.iter().all(|x| *x)).unwrap_or(0) + 3;
    (first * 160, last * 160)
}

/// Above 100 Hz: two high-passes of first order, one after the other.
fn without_rumble(sound: &[f32]) -> Vec<f32> {
    let keep = 1.0 / (1.0 + 2.0 * std::f32::consts::PI * 100.0 / RATE as f32);
    let pass = |sound: &[f32]| {
        let (mut last, mut out) = (0.0, 0.0);
        let next = |sample: &f32| {
            out = keep * (out + sample - last);
            last = *sample;
            out
        };
        sound.iter().map(next).collect::<Vec<f32>>()
    };
    pass(&pass(sound))
}

/// An event, and how many samples the microphone had taken when it was reported.
#[derive(Debug, Clone, Copy)]
pub struct Reported {
    pub event: VoiceEvent,
    pub at: usize,
}

pub struct Run {
    pub chain: SignalChain,
    pub events: Vec<Reported>,
}

/// Runs the chain over a microphone and what is played, 10 ms at a time.
pub fn run(microphone: &[f32], played: &[f32]) -> Run {
    let mut run = Run { chain: SignalChain::new(SignalSettings::default()), events: Vec::new() };
    for (i, block) in microphone.chunks(160).enumerate() {
        let reference = played.get(i * 160..(i * 160 + 160).min(played.len())).unwrap_or_default();
        run.push(block, RATE, reference, RATE, i * 160 + block.len());
    }
    run
}

impl Run {
    pub fn push(&mut self, microphone: &[f32], rate: u32, played: &[f32], played_rate: u32, at: usize) {
        let mut events = Vec::new();
        self.chain.push(microphone, rate, played, played_rate, &mut events);
        self.events.extend(events.into_iter().map(|event| Reported { event, at }));
    }

    /// Onsets: where they begin, the own share, and when they were reported.
    pub fn onsets(&self) -> Vec<(SamplePosition, f32, usize)> {
        let onset = |r: &Reported| match r.event {
            VoiceEvent::Onset { from, own } => Some((from, own, r.at)),
            VoiceEvent::End { .. } => None,
        };
        self.events.iter().filter_map(onset).collect()
    }

    /// Ends: from, to, the own share, and when they were reported.
    pub fn ends(&self) -> Vec<(SamplePosition, SamplePosition, f32, usize)> {
        let end = |r: &Reported| match r.event {
            VoiceEvent::End { from, to, own } => Some((from, to, own, r.at)),
            VoiceEvent::Onset { .. } => None,
        };
        self.events.iter().filter_map(end).collect()
    }
}

pub fn ms(samples: i64) -> i64 {
    samples * 1000 / i64::from(RATE)
}
