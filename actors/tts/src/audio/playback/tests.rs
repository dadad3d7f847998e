//! The audio thread and the device's source, stepped by hand: ducks, ways back to a word, stops.

use std::sync::{Arc, LazyLock};

use luna_platform::audio::SoundSource as _;
use luna_platform::audio::tap::PlaybackTap;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::clip::Clip;
use crate::duck::DUCK_GAIN;
use crate::source::RingSource;

/// Samples a second of clips and device: one a millisecond, so that fades of a millisecond are one sample.
const RATE: u32 = 1000;
/// Distance of words.
const WORD: usize = 100;

/// Nobody reads it; one is enough for ten thousand benches.
static TAP: LazyLock<PlaybackTap> = LazyLock::new(PlaybackTap::new);

/// The audio thread and the device, stepped by hand.
struct PlaybackBench {
    control: Arc<PlaybackControl>,
    ring: Arc<Ring>,
    source: RingSource,
    playback: Playback,
    /// The job that the thread has not taken.
    job: Option<PlaybackJob>,
    plays: u64,
    rate: f32,
    latency: u32,
    reports: Vec<String>,
}

impl PlaybackBench {
    fn new() -> Self {
        let (ring, control) = (Arc::new(Ring::new(100)), Arc::new(PlaybackControl::new()));
        Self {
            source: RingSource::new(ring.clone(), control.clone(), RATE, TAP.clone()),
            ring,
            control,
            playback: Playback::default(),
            job: None,
            plays: 0,
            rate: 1.0,
            latency: 0,
            reports: Vec::new(),
        }
    }

    fn clip(&self, samples: Vec<f32>, words: &[usize]) -> Arc<Clip> {
        let clip = Arc::new(Clip::new(self.control.clone()));
        clip.append(samples, RATE, words);
        clip
    }

    fn play(&mut self, clip: Arc<Clip>) {
        self.plays += 1;
        let order = self.control.next_sentence();
        self.job = Some(PlaybackJob { order, play: PlayRequest(self.plays), clip });
    }

    /// A sentence of `length` samples with a word every 100; each sample tells its place.
    fn play_places(&mut self, length: usize) {
        let samples = (0..length).map(of_place).collect();
        let clip = self.clip(samples, &(0..length).step_by(WORD).collect::<Vec<_>>());
        clip.end(ClipEnd::Done);
        self.play(clip);
    }

    /// A round of the audio thread.
    fn round(&mut self) {
        if let Some(job) = self.job.take() {
            self.playback.begin(job);
        }
        self.playback.drop_stopped(&self.control);
        self.playback.follow_duck(&self.control, self.latency);
        let failed = self.playback.feed(&self.ring, RATE, self.rate);
        let progress = self.playback.progress(&self.control, Instant::now());
        let reports = failed.into_iter().chain(progress).map(|report| match report {
            PlaybackReport::Started(play, _) => format!("started {}", play.0),
            PlaybackReport::Ended(play) => format!("ended {}", play.0),
            PlaybackReport::Broken(play) | PlaybackReport::Unheard(play) | PlaybackReport::Unspoken(play) => {
                format!("failed {}", play.0)
            }
        });
        self.reports.extend(reports);
    }

    /// What the device plays, without a round.
    fn fill(&mut self, count: usize) -> Vec<f32> {
        let mut out = vec![9.0; count];
        assert_eq!(self.source.fill(&mut out), count);
        out
    }

    /// What the device plays while the thread runs.
    fn hear(&mut self, count: usize) -> Vec<f32> {
        (0..count.div_ceil(10))
            .flat_map(|_| {
                self.round();
                self.fill(10)
            })
            .collect()
    }
}

fn of_place(place: usize) -> f32 {
    (place + 1) as f32 / 10_000.0
}

fn is_silent(sound: &[f32]) -> bool {
    sound.iter().all(|sample| *sample == 0.0)
}

/// The place of a loud sample.
fn place(sample: f32) -> usize {
    (sample * 10_000.0).round() as usize - 1
}

// BRG-1, TTS-4
#[test]
fn a_ducked_sentence_goes_on_from_its_word_and_is_announced_once_brg_1_tts_4() {
    // The duck at, samples until it ends, the word.
    for (at, ducked, word) in
        [(250, 50, 200), (250, 900, 200), (220, 300, 200), (190, 300, 100), (10, 900, 0), (950, 900, 900)]
    {
        let mut bench = PlaybackBench::new();
        bench.play_places(1000);
        let before = bench.hear(at);
        assert_eq!(before[at - 1], of_place(at - 1), "loud, up to the duck at {at}");
        bench.control.duck();
        let quiet = bench.hear(ducked);
        let places = (at + 20..at + ducked.min(600)).take_while(|place| *place < 1000);
        for (heard, place) in quiet[20..].iter().zip(places) {
            assert!((heard / of_place(place) / DUCK_GAIN - 1.0).abs() < 0.01, "{heard} at {place}");
        }
        assert!(is_silent(quiet.get(600..).unwrap_or_default()), "it is held after 600 ms");
        bench.control.unduck(true);
        assert!(is_silent(&bench.fill(20)[1..]), "later words are not said on the way back");
        let after = bench.hear(1200);
        let first = after.iter().position(|sample| *sample != 0.0).unwrap();
        assert!(first <= 20, "the sound is back after {first} ms");
        let rest: Vec<usize> = after[first..first + 1000 - word].iter().map(|sample| place(*sample)).collect();
        assert_eq!(rest, (word..1000).collect::<Vec<_>>(), "the whole rest from the word, loud (duck at {at})");
        assert!(is_silent(&after[first + 1000 - word..]));
        assert_eq!(bench.reports, ["started 1", "ended 1"]);
    }
}

// BRG-1
#[test]
fn a_ducked_sentence_goes_on_in_place_brg_1() {
    for ducked in [50, 400, 900] {
        let mut bench = PlaybackBench::new();
        bench.play_places(1500);
        bench.hear(250);
        bench.control.duck();
        bench.hear(ducked);
        bench.control.unduck(false);
        let after = bench.hear(1500);
        let at = 250 + ducked.min(600);
        // Louder within the fade; from silence at once.
        let loud = if ducked < 600 { 20 } else { 0 };
        assert_eq!(place(after[loud]), at + loud, "after {ducked} ms");
        assert!(after[0] >= of_place(at) * DUCK_GAIN);
        assert_eq!(bench.reports, ["started 1", "ended 1"]);
        // The next duck has its own place.
        bench.play_places(1000);
        bench.hear(450);
        bench.control.duck();
        bench.hear(10);
        bench.control.unduck(true);
        assert_eq!(bench.hear(30).into_iter().find(|s| *s != 0.0).map(place), Some(400));
    }
}

// BRG-1
#[test]
fn a_duck_that_the_device_never_saw_has_no_place_brg_1() {
    let mut bench = PlaybackBench::new();
    bench.play_places(1000);
    bench.hear(250);
    bench.control.duck();
    bench.hear(20);
    bench.control.unduck(false);
    bench.hear(230);
    // The place of the first duck is not that of the second.
    bench.control.duck();
    bench.control.unduck(true);
    assert_eq!(bench.hear(40).into_iter().find(|s| *s != 0.0).map(place), Some(500));
}

// BRG-1, TTS-4
#[test]
fn what_was_stopped_or_replaced_is_not_gone_back_to_brg_1_tts_4() {
    let control = PlaybackControl::new();
    let order = control.next_sentence();
    let renewed = control.renew_order(order).unwrap();
    assert_eq!((control.order(), renewed), (renewed, order + 1));
    assert_eq!(control.renew_order(order), None);
    control.mute();
    assert_eq!(control.renew_order(renewed), None);
    let next = control.next_sentence();
    assert_eq!((control.renew_order(renewed), control.order()), (None, next));
}

// BRG-1
#[test]
fn what_begins_while_somebody_speaks_is_quiet_then_held_and_begins_again_brg_1() {
    let mut bench = PlaybackBench::new();
    bench.control.duck();
    bench.hear(400);
    bench.play_places(1000);
    let quiet = bench.hear(600);
    let sounds = quiet.iter().filter(|sample| **sample != 0.0).count();
    assert!((180..=200).contains(&sounds) && is_silent(&quiet[200..]), "held 600 ms after the duck: {sounds}");
    assert!(quiet.iter().all(|sample| *sample < 0.01));
    bench.control.unduck(true);
    assert_eq!(bench.hear(30).into_iter().find(|s| *s != 0.0).map(place), Some(0), "nothing is said unheard");
    // What replaces a ducked sentence is the one that begins again.
    bench.control.duck();
    bench.hear(100);
    bench.play_places(1000);
    bench.hear(100);
    bench.control.unduck(true);
    assert_eq!(bench.hear(30).into_iter().find(|s| *s != 0.0).map(place), Some(0));
    assert_eq!(bench.reports, ["started 1", "started 2"]);
}

// BRG-1
#[test]
fn a_sentence_that_goes_back_before_its_beginning_was_reported_is_announced_brg_1() {
    let mut bench = PlaybackBench::new();
    bench.control.duck();
    bench.play_places(1000);
    bench.round();
    assert!(!is_silent(&bench.fill(10)));
    bench.control.unduck(true);
    bench.hear(50);
    assert_eq!(bench.reports, ["started 1"]);
}

// BRG-1, TTS-4
#[test]
fn a_stop_ends_a_duck_brg_1_tts_4() {
    for stop in [PlaybackControl::mute, PlaybackControl::silence] {
        for ducked in [100, 900] {
            let mut bench = PlaybackBench::new();
            bench.play_places(1000);
            bench.hear(250);
            bench.control.duck();
            bench.hear(ducked);
            stop(&bench.control);
            assert!(is_silent(&bench.hear(50)[1..]));
            bench.play_places(300);
            assert_eq!(bench.hear(20).into_iter().find(|s| *s != 0.0).map(place), Some(0), "full volume");
            stop(&bench.control);
            bench.control.unduck(true);
            assert!(is_silent(&bench.hear(50)[1..]), "there is nothing to go back to");
        }
    }
}

// BRG-1, TTS-2
#[test]
fn pause_and_speed_keep_their_meaning_while_ducked_brg_1_tts_2() {
    let mut bench = PlaybackBench::new();
    bench.play_places(1000);
    bench.hear(250);
    bench.control.duck();
    bench.hear(50);
    bench.control.set_paused(true);
    bench.control.unduck(true);
    assert!(is_silent(&bench.hear(200)[1..]), "it is still paused");
    bench.control.set_paused(false);
    assert_eq!(bench.hear(40).into_iter().find(|s| *s != 0.0).map(place), Some(200), "it goes on from the word");
    assert_eq!(bench.reports, ["started 1"]);
}

// BRG-1
#[test]
fn two_ducks_in_a_row_keep_the_first_place_brg_1() {
    let mut bench = PlaybackBench::new();
    bench.play_places(1000);
    bench.hear(250);
    bench.control.duck();
    bench.hear(300);
    bench.control.duck();
    let quiet = bench.hear(400);
    assert!(!is_silent(&quiet[..200]) && is_silent(&quiet[310..]), "the time of the first counts");
    bench.control.unduck(true);
    // A duck before the thread has gone back: the word is said, quietly.
    bench.control.duck();
    let quiet = bench.hear(60);
    let first = quiet.iter().find(|s| **s != 0.0).unwrap();
    assert!((first / of_place(200) / DUCK_GAIN - 1.0).abs() < 0.01);
    bench.control.unduck(true);
    assert_eq!(bench.hear(40).into_iter().find(|s| *s != 0.0).map(place), Some(200));
    assert_eq!(bench.reports, ["started 1"]);
}

// BRG-1, TTS-2
#[test]
fn the_place_is_right_at_any_speed_and_with_any_delay_brg_1_tts_2() {
    for rate in [0.5, 0.8, 1.0, 1.3, 2.0, 3.5] {
        for (heard, latency) in [(200, 0), (430, 0), (333, 20), (150, 85)] {
            let mut bench = PlaybackBench::new();
            (bench.rate, bench.latency) = (rate, latency);
            let clip = bench.clip((0..4000).map(|n| (n as f32 * 0.7).sin()).collect(), &(0..4000).collect::<Vec<_>>());
            clip.end(ClipEnd::Done);
            bench.play(clip);
            bench.hear(heard);
            bench.control.duck();
            bench.hear(10);
            bench.round();
            let word = bench.playback.word.unwrap().begin as f32;
            let expect = (heard as f32 - latency as f32).max(0.0) * rate;
            // 16 samples are the precision of a mark, 10 that of the stretch.
            assert!((word - expect).abs() <= 20.0 * rate.max(1.0) + 10.0, "{word} instead of {expect} at {rate}");
        }
    }
}

// BRG-1
#[test]
fn a_sentence_without_known_words_goes_on_after_a_dip_brg_1() {
    let mut bench = PlaybackBench::new();
    let sound = (0..1000).map(|n| if n % 200 < 40 { 0.0001 } else { 0.5 }).collect();
    let clip = bench.clip(sound, &[]);
    clip.end(ClipEnd::Done);
    bench.play(clip);
    bench.hear(350);
    bench.control.duck();
    bench.hear(700);
    let word = bench.playback.word.unwrap().begin;
    assert!((200..=240).contains(&word), "{word}");
}

#[derive(Debug, Clone, Copy)]
enum ScheduleStep {
    Play(usize),
    Duck,
    Unduck(bool),
    Mute,
    Stop,
    Pause,
    Resume,
    Round,
    Fill(usize),
}

fn schedule_step() -> impl Strategy<Value = ScheduleStep> {
    prop_oneof![
        2 => (1_usize..600).prop_map(ScheduleStep::Play),
        3 => Just(ScheduleStep::Duck),
        3 => any::<bool>().prop_map(ScheduleStep::Unduck),
        1 => Just(ScheduleStep::Mute),
        1 => Just(ScheduleStep::Stop),
        1 => Just(ScheduleStep::Pause),
        2 => Just(ScheduleStep::Resume),
        10 => Just(ScheduleStep::Round),
        10 => (1_usize..250).prop_map(ScheduleStep::Fill),
    ]
}

/// Loudness of the sentences, by their number: more apart than the duck changes them, so that a sample tells its sentence.
fn amplitude(play: u64) -> f32 {
    let sign = if play.is_multiple_of(2) { 1.0 } else { -1.0 };
    sign * 0.1_f32.powi((play % 6) as i32)
}

fn is_of(sample: f32, play: u64) -> bool {
    let part = sample / amplitude(play);
    (DUCK_GAIN * 0.99..=1.01).contains(&part)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    // TTS-4, BRG-1
    #[test]
    fn no_sample_of_an_older_order_is_ever_heard_tts_4_brg_1(steps in vec(schedule_step(), 1..60)) {
        let mut bench = PlaybackBench::new();
        // The sentence that may sound, its length, and what was heard of it.
        let (mut current, mut length, mut heard) = (None, 0, 0);
        let check = |out: &[f32], current: Option<u64>, heard: &mut usize| {
            let sounds = out.iter().filter(|sample| **sample != 0.0);
            for sample in sounds {
                prop_assert!(current.is_some_and(|play| is_of(*sample, play)), "{sample} of another than {current:?}");
                *heard += 1;
            }
            Ok(())
        };
        for schedule_step in steps {
            match schedule_step {
                ScheduleStep::Play(samples) => {
                    let words: Vec<usize> = (0..samples).step_by(WORD).collect();
                    let clip = bench.clip(vec![amplitude(bench.plays + 1); samples], &words);
                    clip.end(ClipEnd::Done);
                    bench.play(clip);
                    (current, length, heard) = (Some(bench.plays), samples, 0);
                }
                ScheduleStep::Duck => bench.control.duck(),
                ScheduleStep::Unduck(from_word) => bench.control.unduck(from_word),
                ScheduleStep::Mute => {
                    bench.control.mute();
                    current = None;
                }
                ScheduleStep::Stop => {
                    bench.control.silence();
                    (bench.job, current) = (None, None);
                }
                ScheduleStep::Pause => bench.control.set_paused(true),
                ScheduleStep::Resume => bench.control.set_paused(false),
                ScheduleStep::Round => bench.round(),
                ScheduleStep::Fill(count) => {
                    let out = bench.fill(count);
                    check(&out, current, &mut heard)?;
                }
            }
        }
        // In the end all of the last sentence is heard, and each is reported at most once.
        bench.control.unduck(true);
        bench.control.set_paused(false);
        for _ in 0..120 {
            let out = bench.hear(10);
            check(&out, current, &mut heard)?;
        }
        if let Some(play) = current {
            prop_assert!(heard >= length, "{heard} of {length}");
            prop_assert_eq!(bench.reports.last(), Some(&format!("ended {play}")));
        }
        let mut once = bench.reports.clone();
        once.sort();
        once.dedup();
        prop_assert_eq!(once.len(), bench.reports.len(), "{:?}", bench.reports);
    }
}
