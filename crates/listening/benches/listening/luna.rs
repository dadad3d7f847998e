//! Luna as it reads: its voice is espeak-ng's, made when the bench runs, and it ducks, goes on and stops as the speech actor does.

use std::process::Command;

use luna_messages::tts::SpeechEvent;
use luna_messages::{Lang, RequestId};

use crate::sounds::{RATE, at_level, speech_extent};

/// Gain of ducked sound, duration of the fade, and time after which ducked sound is held: as in the speech actor.
const DUCK_GAIN: f32 = 0.178;
const FADE_SAMPLES: f32 = 0.015 * RATE as f32;
const HOLD: usize = RATE as usize * 6 / 10;
/// Quiet after a command, before Luna reads on.
const AFTER_COMMAND: usize = 2 * RATE as usize;
/// Level of Luna's voice as it is played.
const LEVEL: f32 = -20.0;

/// A word and the samples in which it sounds.
#[derive(Debug, Clone)]
pub struct TimedWord {
    pub text: String,
    pub from: usize,
    pub to: usize,
}

/// The words of a sound, in time in proportion to their letters.
pub fn timed_words(text: &str, sound: &[f32], at: usize) -> Vec<TimedWord> {
    let (first, last) = speech_extent(sound);
    let last = last.min(sound.len());
    // Where words are not separated, each letter comes as it is said.
    let is_han = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
    let words: Vec<&str> = text
        .split_whitespace()
        .flat_map(|word| {
            let parts: Vec<&str> =
                if word.contains(is_han) { word.split_inclusive(is_han).collect() } else { vec![word] };
            parts
        })
        .collect();
    let total: usize = words.iter().map(|word| word.chars().count()).sum();
    let (mut letters, mut timed) = (0, Vec::new());
    for word in words {
        let place = |letters: usize| at + first + (last - first) * letters / total.max(1);
        let from = place(letters);
        letters += word.chars().count();
        timed.push(TimedWord { text: word.to_owned(), from, to: place(letters) });
    }
    timed
}

/// What espeak-ng says, at 16 kHz.
pub fn espeak(voice: &str, speed: u32, text: &str) -> Vec<f32> {
    let file = std::env::temp_dir().join(format!("luna-listening-{}.wav", std::process::id()));
    let speed = speed.to_string();
    let status = Command::new("espeak-ng").args(["-v", voice, "-s", &speed, "-w"]).arg(&file).arg(text).status();
    assert!(status.expect("espeak-ng is installed").success(), "{voice}: {text}");
    let mut reader = hound::WavReader::open(&file).unwrap();
    let rate = reader.spec().sample_rate;
    let sound: Vec<f32> = reader.samples::<i16>().map(|sample| f32::from(sample.unwrap()) / 32_768.0).collect();
    std::fs::remove_file(&file).unwrap();
    crate::sounds::resample(&sound, rate, RATE)
}

/// A text as Luna's voice says it.
pub struct LunaVoice {
    sound: Vec<f32>,
    /// Where sentences begin.
    sentences: Vec<(usize, String, Lang)>,
    words: Vec<TimedWord>,
}

impl LunaVoice {
    pub fn new(text: &[(Lang, &str)], speed: u32) -> Self {
        let (mut sound, mut sentences, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for (lang, sentence) in text {
            let voice = if *lang == Lang::Ko { "ko" } else { "en-us" };
            let said = at_level(&espeak(voice, speed, sentence), LEVEL);
            sentences.push((sound.len(), (*sentence).to_owned(), *lang));
            words.extend(timed_words(sentence, &said, sound.len()));
            sound.extend(said);
        }
        Self { sound, sentences, words }
    }

    /// The voice without a pause, for the first `count` samples.
    pub fn uninterrupted(&self, count: usize) -> Vec<f32> {
        self.sound.iter().copied().cycle().take(count).collect()
    }
}

enum PlaybackState {
    /// From the sample at `at` on.
    Sounds,
    Held,
    Waits {
        left: usize,
    },
}

/// Luna's playback of a text, again and again.
pub struct LunaPlayback<'a> {
    voice: &'a LunaVoice,
    at: usize,
    playing: PlaybackState,
    gain: f32,
    /// Where a duck began, and for how long it has lasted.
    ducked: Option<(usize, usize)>,
    next_sentence: usize,
    reading: u64,
    /// The word that sounds, and when it began to be played.
    word: usize,
    word_began: Option<usize>,
    /// Words that were audible as a whole, with the time of playback.
    pub aired: Vec<TimedWord>,
}

impl<'a> LunaPlayback<'a> {
    pub fn new(voice: &'a LunaVoice) -> Self {
        Self {
            voice,
            at: 0,
            playing: PlaybackState::Sounds,
            gain: 1.0,
            ducked: None,
            next_sentence: 0,
            reading: 1,
            word: 0,
            word_began: None,
            aired: Vec::new(),
        }
    }

    fn seek(&mut self, at: usize) {
        self.at = at;
        self.word = self.voice.words.partition_point(|word| word.from < at);
        self.word_began = None;
    }

    pub fn duck(&mut self) {
        self.ducked.get_or_insert((self.at, 0));
    }

    pub fn unduck(&mut self, from_word: bool) {
        let Some((at, _)) = self.ducked.take() else { return };
        if matches!(self.playing, PlaybackState::Held) {
            self.playing = PlaybackState::Sounds;
        }
        if from_word {
            let words = &self.voice.words;
            let word = words.partition_point(|word| word.from <= at).saturating_sub(1);
            self.seek(words.get(word).map_or(at, |word| word.from.min(at)));
            self.next_sentence = self.voice.sentences.partition_point(|(start, ..)| *start <= self.at);
        }
    }

    /// A command was obeyed: Luna stops, and later reads the next sentence.
    pub fn stop(&mut self, events: &mut Vec<SpeechEvent>) {
        if matches!(self.playing, PlaybackState::Waits { .. }) {
            return;
        }
        self.ducked = None;
        self.playing = PlaybackState::Waits { left: AFTER_COMMAND };
        events.push(SpeechEvent::Stopped { id: RequestId(self.reading), idx: 0 });
    }

    fn begin_sentence(&mut self, events: &mut Vec<SpeechEvent>) {
        let (_, text, lang) = self.voice.sentences[self.next_sentence].clone();
        self.next_sentence += 1;
        events.push(SpeechEvent::Sentence { id: RequestId(self.reading), idx: 0, of: 1, text, lang, notice: false });
    }

    /// The next samples to be played, at `now`.
    pub fn next(&mut self, count: usize, now: usize, events: &mut Vec<SpeechEvent>) -> Vec<f32> {
        (0..count).map(|i| self.sample(now + i, events)).collect()
    }

    fn sample(&mut self, now: usize, events: &mut Vec<SpeechEvent>) -> f32 {
        match &mut self.playing {
            PlaybackState::Held => return 0.0,
            PlaybackState::Waits { left } => {
                *left -= 1;
                if *left == 0 {
                    self.playing = PlaybackState::Sounds;
                    self.reading += 1;
                    self.gain = 1.0;
                    self.next_sentence %= self.voice.sentences.len();
                    let start = self.voice.sentences[self.next_sentence].0;
                    self.seek(start);
                }
                return 0.0;
            }
            PlaybackState::Sounds => {}
        }
        if let Some((_, lasted)) = &mut self.ducked {
            *lasted += 1;
            if *lasted >= HOLD {
                self.playing = PlaybackState::Held;
                return 0.0;
            }
        }
        if self.at >= self.voice.sound.len() {
            self.seek(0);
            self.next_sentence = 0;
        }
        if self.voice.sentences.get(self.next_sentence).is_some_and(|(start, ..)| *start <= self.at) {
            self.begin_sentence(events);
        }
        let (target, step) = (if self.ducked.is_some() { DUCK_GAIN } else { 1.0 }, (1.0 - DUCK_GAIN) / FADE_SAMPLES);
        self.gain += (target - self.gain).clamp(-step, step);
        self.follow_word(now);
        self.at += 1;
        self.voice.sound[self.at - 1] * self.gain
    }

    fn follow_word(&mut self, now: usize) {
        let Some(word) = self.voice.words.get(self.word) else { return };
        if self.at == word.from {
            self.word_began = Some(now);
        }
        if self.gain < 0.5 {
            self.word_began = None;
        }
        if self.at + 1 >= word.to {
            if let Some(from) = self.word_began.take() {
                self.aired.push(TimedWord { text: word.text.clone(), from, to: now });
            }
            self.word += 1;
            if self.voice.words.get(self.word).is_some_and(|next| next.from <= self.at + 1) {
                self.word_began = Some(now);
            }
        }
    }
}
