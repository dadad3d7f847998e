//! Voice activity: where somebody begins and ends to speak.

use earshot::Detector;
use luna_messages::listening::{SamplePosition, VoiceEvent};
use zeroize::Zeroize;

use super::detector_gain::DetectorGain;
use super::echo::HeardFrame;
use super::fading_echo::FadingEcho;
use super::filter_trust::FilterTrust;
use super::high_pass::HighPass;
use super::noise_floor::NoiseFloor;
use super::samples;

/// Samples per block, 16 ms: what the detector takes.
const BLOCK: usize = 256;
/// Samples before the first voiced block, and after the last one, that belong to the voice.
const LEAD: u64 = samples(super::LEAD) as u64;
const TAIL: u64 = samples(super::TAIL) as u64;
/// Blocks without voice after which it has ended, 560 ms: pauses within a command are shorter (closures and short breaths up to 400 ms), and
/// waiting longer makes every answer late.
const HANG: u32 = 35;
/// Longest voice in samples, 11.5 s: the ring keeps 12 s, and the recogniser must still find all of it.
const LONGEST: u64 = 184_000;
/// Blocks that are looked at for an onset, and how much they must speak for a voice together: two blocks of a clear voice, or four of a doubtful one.
const RECENT: usize = 5;
const NEEDED: f32 = 0.75;
/// The same while echo cancellation may leak, because its reference had a hole: leaks last two or three blocks.
const NEEDED_UNSTEADY: f32 = 1.5;
/// Score up to which a block says nothing.
const DOUBT: f32 = 0.25;
/// Score from which a block is voiced.
const VOICED: f32 = 0.5;
/// Score from which a voice goes on.
const GOES_ON: f32 = 0.35;
/// How much louder than the noise of the room a voice begins, 6 dB, and goes on, 4.5 dB: soft syllables sink into a noise. With 3 dB,
/// the unrest of a fan prolonged voices by seconds.
const ABOVE_NOISE: f32 = 4.0;
const GOES_ON_ABOVE_NOISE: f32 = 2.8;
/// Blocks at first in which nothing is a voice, 192 ms: the detector takes the step from nothing to a noise for one.
const WARM_UP: u32 = 12;
/// Least power of a voice, -66 dB.
const LEAST: f32 = 2.5e-7;
/// Share of the microphone's power that a voice has at least while Luna plays, -18 dB: less is what echo cancellation leaves.
const ABOVE_ECHO: f32 = 0.016;

/// What remains of the weight of a block from one block to the next in the newest part of a voice: about 300 ms count.
const NEWEST_DECAY: f64 = 0.95;

/// What is known of 16 ms of sound.
#[derive(Clone, Copy, Default)]
struct VoiceBlock {
    voiced: bool,
    /// Whether it may be what a canceller out of step leaves of the echo.
    is_leak: bool,
    /// How much it speaks for a voice that begins.
    evidence: f32,
    /// Power of the microphone, and what of it playback explains.
    power: f32,
    own: f32,
}

/// The power of a sound, and what of it playback explains.
#[derive(Clone, Copy, Default)]
struct OwnShare {
    power: f64,
    own: f64,
}

impl OwnShare {
    fn add(&mut self, block: VoiceBlock) {
        self.power += f64::from(block.power);
        self.own += f64::from(block.own);
    }

    /// What was before counts less from block to block.
    fn fade(&mut self) {
        self.power *= NEWEST_DECAY;
        self.own *= NEWEST_DECAY;
    }

    fn share(self) -> f32 {
        if self.power > 0.0 { (self.own / self.power).clamp(0.0, 1.0) as f32 } else { 0.0 }
    }
}

enum Speaker {
    /// Nobody speaks.
    Quiet,
    /// Somebody has been speaking since `from`; the last voiced block ended at `voiced_to`, `pause` blocks ago.
    Speaks { from: SamplePosition, voiced_to: SamplePosition, pause: u32, whole: OwnShare, newest: OwnShare },
    /// Ended by a change of the device; the event waits for the next call.
    Cut { from: SamplePosition, to: SamplePosition, own: f32 },
}

/// Finds voices in the sound without echo.
pub(super) struct VoiceActivity {
    detector: Box<Detector>,
    clean: [f32; BLOCK],
    linear: [f32; BLOCK],
    raw: [f32; BLOCK],
    filled: usize,
    /// Whether echo may be in the block, and whether the reference was in step.
    playing: bool,
    is_steady: bool,
    /// Whether none of it is louder than an echo can be.
    may_be_echo: bool,
    clean_filter: HighPass,
    linear_filter: HighPass,
    raw_filter: HighPass,
    filter: FilterTrust,
    fading: FadingEcho,
    noise: NoiseFloor,
    gain: DetectorGain,
    /// Whether echo cancellation may leak.
    leaks: bool,
    /// Blocks left of the warm-up.
    warm_up: u32,
    /// The last blocks, the newest last.
    recent: [VoiceBlock; RECENT],
    speaker: Speaker,
    /// Position after the last sample taken.
    at: SamplePosition,
    /// End of the last voice.
    last_end: SamplePosition,
}

impl VoiceActivity {
    pub fn new() -> Self {
        Self {
            detector: Box::default(),
            clean: [0.0; BLOCK],
            linear: [0.0; BLOCK],
            raw: [0.0; BLOCK],
            filled: 0,
            playing: false,
            is_steady: true,
            may_be_echo: true,
            clean_filter: HighPass::new(),
            linear_filter: HighPass::new(),
            raw_filter: HighPass::new(),
            filter: FilterTrust::default(),
            fading: FadingEcho::default(),
            noise: NoiseFloor::new(),
            gain: DetectorGain::new(),
            leaks: false,
            warm_up: WARM_UP,
            recent: [VoiceBlock::default(); RECENT],
            speaker: Speaker::Quiet,
            at: 0,
            last_end: 0,
        }
    }

    pub const fn speaks(&self) -> bool {
        matches!(self.speaker, Speaker::Speaks { .. })
    }

    /// Share of the voice so far that playback explains.
    pub fn own(&self) -> f32 {
        match &self.speaker {
            Speaker::Speaks { whole, .. } => whole.share(),
            Speaker::Quiet | Speaker::Cut { .. } => 0.0,
        }
    }

    /// The same of the newest part of it.
    pub fn own_now(&self) -> f32 {
        match &self.speaker {
            Speaker::Speaks { newest, .. } => newest.share(),
            // Nobody has joined in.
            Speaker::Quiet | Speaker::Cut { .. } => 1.0,
        }
    }

    /// Where the newest voiced sound of the voice that lasts ends; of the last voice, if nobody speaks.
    pub const fn voiced(&self) -> SamplePosition {
        match &self.speaker {
            Speaker::Speaks { voiced_to, .. } => *voiced_to,
            Speaker::Cut { to, .. } => *to,
            Speaker::Quiet => self.last_end,
        }
    }

    /// Takes a frame.
    pub fn push(&mut self, frame: &HeardFrame<'_>, events: &mut Vec<VoiceEvent>) {
        self.playing |= frame.playing;
        self.is_steady &= frame.is_steady;
        self.may_be_echo &= frame.may_be_echo;
        for ((clean, linear), raw) in frame.clean.iter().zip(frame.linear).zip(frame.raw) {
            self.clean[self.filled] = *clean;
            self.linear[self.filled] = *linear;
            self.raw[self.filled] = *raw;
            self.filled += 1;
            self.at += 1;
            if self.filled == BLOCK {
                self.filled = 0;
                let block = self.measure();
                self.step(block, events);
                (self.playing, self.is_steady) = (frame.playing, frame.is_steady);
                self.may_be_echo = frame.may_be_echo;
            }
        }
    }

    fn measure(&mut self) -> VoiceBlock {
        let clean = self.clean_filter.power(&self.clean);
        let linear = self.linear_filter.power(&self.linear);
        let power = self.raw_filter.power(&self.raw);
        self.noise.push(clean);
        let noise = self.noise.power();
        self.gain.amplify(&mut self.clean, clean, noise);
        let score = self.detector.predict_f32(&self.clean);
        if self.warm_up > 0 {
            // Some devices begin with zeros.
            self.warm_up -= u32::from(power > 0.0);
            return VoiceBlock::default();
        }
        let (needed, above) = if self.speaks() { (GOES_ON, GOES_ON_ABOVE_NOISE) } else { (VOICED, ABOVE_NOISE) };
        let loud = clean > LEAST && clean > above * noise;
        let echo = self.playing && clean < ABOVE_ECHO * power;
        let audible = loud && !echo;
        let voiced = score >= needed && audible;
        if self.playing && !voiced && !self.speaks() {
            self.filter.learn(power - noise, linear - noise);
        }
        // The suppressor takes what people say for echo, too; the linear filter does not, once it knows the room.
        let left = if self.is_steady && self.filter.is_trusted() { clean.max(linear) } else { clean };
        self.leaks = self.playing && !self.is_steady;
        let explained = if self.playing { (power - left).max(0.0) } else { 0.0 };
        let own = if self.fading.is_of_room(left, explained) { power } else { explained };
        // Until the filter knows the room, and while it is out of step, echo leaks: only who is louder than the echo is known to be somebody else.
        let is_leak = self.playing && self.may_be_echo && !(self.is_steady && self.filter.is_trusted());
        let evidence = if audible && !is_leak { (score - DOUBT).max(0.0) } else { 0.0 };
        VoiceBlock { voiced, is_leak, evidence, power, own }
    }

    fn step(&mut self, block: VoiceBlock, events: &mut Vec<VoiceEvent>) {
        self.recent.rotate_left(1);
        self.recent[RECENT - 1] = block;
        match &mut self.speaker {
            Speaker::Quiet => self.look_for_onset(events),
            Speaker::Speaks { from, voiced_to, pause, whole, newest } => {
                whole.add(block);
                if !block.is_leak {
                    // A leak would look like somebody who joins in.
                    newest.fade();
                    newest.add(block);
                }
                if block.voiced {
                    *voiced_to = self.at;
                    *pause = 0;
                } else {
                    *pause += 1;
                }
                let (from, voiced_to, pause, whole, newest) = (*from, *voiced_to, *pause, *whole, *newest);
                if pause >= HANG {
                    self.end(from, self.at.min(voiced_to + TAIL), whole.share(), events);
                } else if self.at - from >= LONGEST {
                    self.end(from, self.at, whole.share(), events);
                    // Whose voice it is does not change because it is long.
                    self.begin(self.at, whole, newest, events);
                }
            }
            Speaker::Cut { .. } => {}
        }
    }

    fn look_for_onset(&mut self, events: &mut Vec<VoiceEvent>) {
        let Some(first) = self.recent.iter().position(|block| block.evidence > 0.0) else { return };
        let blocks = &self.recent[first..];
        let needed = if self.leaks { NEEDED_UNSTEADY } else { NEEDED };
        if blocks.iter().map(|block| block.evidence).sum::<f32>() < needed {
            return;
        }
        let mut share = OwnShare::default();
        blocks.iter().for_each(|block| share.add(*block));
        let sound = (blocks.len() * BLOCK) as u64;
        let from = self.at.saturating_sub(sound + LEAD).max(self.last_end);
        self.begin(from, share, share, events);
    }

    fn begin(&mut self, from: SamplePosition, whole: OwnShare, newest: OwnShare, events: &mut Vec<VoiceEvent>) {
        events.push(VoiceEvent::Onset { from, own: whole.share() });
        self.speaker = Speaker::Speaks { from, voiced_to: self.at, pause: 0, whole, newest };
    }

    fn end(&mut self, from: SamplePosition, to: SamplePosition, own: f32, events: &mut Vec<VoiceEvent>) {
        events.push(VoiceEvent::End { from, to, own });
        self.last_end = to;
        self.recent = [VoiceBlock::default(); RECENT];
        self.speaker = Speaker::Quiet;
    }

    /// Reports a voice that a change of the device ended.
    pub fn flush(&mut self, events: &mut Vec<VoiceEvent>) {
        if let Speaker::Cut { from, to, own } = self.speaker {
            self.end(from, to, own, events);
        }
    }

    /// Another device follows.
    pub fn reset(&mut self) {
        if let Speaker::Speaks { from, whole, .. } = self.speaker {
            self.speaker = Speaker::Cut { from, to: self.at, own: whole.share() };
        }
        self.wipe();
        self.warm_up = WARM_UP;
        self.noise = NoiseFloor::new();
        self.gain = DetectorGain::new();
        self.recent = [VoiceBlock::default(); RECENT];
    }

    /// Overwrites all sound.
    pub fn wipe(&mut self) {
        self.detector.reset();
        self.clean.zeroize();
        self.linear.zeroize();
        self.raw.zeroize();
        (self.filter, self.fading) = (FilterTrust::default(), FadingEcho::default());
        self.linear_filter.wipe();
        self.clean_filter.wipe();
        self.raw_filter.wipe();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::signal::FRAME;

    /// Whether somebody is noticed in a recording of speech that comes through the canceller as it is.
    fn is_noticed(is_steady: bool, may_be_echo: bool) -> bool {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/samples/whisper.cpp/jfk.wav");
        let mut wav = hound::WavReader::open(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let sound: Vec<f32> = wav.samples::<i16>().map(|sample| f32::from(sample.unwrap()) / 32_768.0).collect();
        let (mut voice, mut events) = (VoiceActivity::new(), Vec::new());
        for frame in sound.chunks_exact(FRAME).take(300) {
            let frame = HeardFrame { clean: frame, linear: frame, raw: frame, playing: true, is_steady, may_be_echo };
            voice.push(&frame, &mut events);
        }
        events.iter().any(|event| matches!(event, VoiceEvent::Onset { .. }))
    }

    // BRG-4, BRG-6
    #[test]
    fn what_may_leak_is_nobody_and_who_is_louder_is_noticed_brg_4_brg_6() {
        for is_steady in [false, true] {
            // The filter has taken nothing away yet, so it is not trusted in step either.
            assert!(!is_noticed(is_steady, true), "a leak");
            assert!(is_noticed(is_steady, false), "a person");
        }
    }

    // BRG-6
    #[test]
    fn whose_voice_it_is_stays_known_when_a_long_one_is_cut_brg_6() {
        let mut voice = VoiceActivity::new();
        let mut events = Vec::new();
        let share = OwnShare { power: 1.0, own: 0.97 };
        voice.begin(0, share, share, &mut events);
        let block = VoiceBlock { voiced: true, is_leak: false, evidence: 0.0, power: 1.0, own: 0.97 };
        for _ in 0..=LONGEST / BLOCK as u64 {
            voice.at += BLOCK as u64;
            voice.step(block, &mut events);
        }
        let [VoiceEvent::Onset { .. }, VoiceEvent::End { .. }, VoiceEvent::Onset { own, .. }] = events[..] else {
            panic!("{events:?}")
        };
        assert!(own > 0.95, "{own}");
        // A person who joins in is noticed at once, however long Luna was heard before.
        for _ in 0..20 {
            voice.step(VoiceBlock { own: 0.3, ..block }, &mut events);
        }
        assert!(voice.own_now() < 0.8 && voice.own() > 0.9, "{} {}", voice.own_now(), voice.own());
    }
}
