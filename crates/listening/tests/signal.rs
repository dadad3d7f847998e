//! The signal chain on recordings of people, in noise, with echo, and with whatever a device may deliver.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/sounds.rs"]
mod sounds;

use std::time::Duration;

use luna_listening::signal::{SignalChain, SignalSettings};
use luna_messages::listening::VoiceEvent;
use proptest::prelude::*;
use sounds::{
    RATE, RECORDINGS, Run, at_level, db, fan, keys, mix, ms, pink, power, recording, resample, room, run, silence,
    speech_extent, white,
};

/// A quiet microphone in a quiet room.
const HISS: f32 = -75.0;
/// What Luna says in these tests: real speech of another person.
const LUNA: [&str; 3] = [
    "librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0890.wav",
    "librivox/sense_and_sensibility_01_austen_64kb-0920.wav",
];

fn luna_speaks() -> Vec<f32> {
    let mut sound = silence(1.0);
    for name in LUNA {
        sound.extend(at_level(&recording(name), -20.0));
        sound.extend(silence(0.3));
    }
    sound.extend(silence(1.0));
    sound
}

/// Speech of `name` at `level` dB in `noise`, from the sixth second on; at most `late` ms from its first sound to the report, with a lead before it,
/// and its end within `end` ms.
fn check_speech(name: &str, level: f32, noise: impl Fn(usize) -> Vec<f32>, late: i64, end: std::ops::Range<i64>) {
    let speech = at_level(&recording(name), level);
    let at = 6 * RATE as usize;
    let (first, last) = speech_extent(&speech);
    let (first, last) = (first + at, last + at);
    let mut microphone = noise(at + speech.len() + 2 * RATE as usize);
    mix(&mut microphone, &speech, at);
    let run = run(&microphone, &[]);
    let (onsets, ends) = (run.onsets(), run.ends());
    let Some((from, own, reported)) = onsets.first().copied() else { panic!("{name} at {level} dB: no onset") };
    assert!(
        ms(reported as i64 - first as i64) <= late,
        "{name} at {level} dB: reported {} ms late",
        ms(reported as i64 - first as i64)
    );
    assert!(reported + 3_200 > first && own == 0.0, "{name} at {level} dB: an onset before the voice, own {own}");
    assert!(from < first as u64, "{name} at {level} dB: begins {} ms after the voice", ms(from as i64 - first as i64));
    let (_, to, _, _) = *ends.last().unwrap_or_else(|| panic!("{name} at {level} dB: no end"));
    let behind = ms(to as i64 - last as i64);
    assert!(end.contains(&behind), "{name} at {level} dB: ends {behind} ms after the voice");
    assert_eq!(onsets.len(), ends.len(), "{name} at {level} dB");
}

/// Single sentences.
const SHORT: &[&str] = RECORDINGS.split_at(8).0;

// STT-4
#[test]
fn a_person_is_found_at_every_level_stt_4() {
    for name in SHORT {
        for level in [-12.0, -24.0, -36.0, -48.0] {
            check_speech(name, level, |count| white(count, HISS), 190, 40..700);
        }
    }
}

// STT-4
#[test]
fn a_person_is_found_in_noise_stt_4() {
    for name in SHORT {
        check_speech(name, -24.0, |count| white(count, -34.0), 350, -100..600);
        check_speech(name, -24.0, |count| pink(count, -34.0), 350, -100..700);
        check_speech(name, -24.0, |count| fan(count, -34.0), 350, -100..1_000);
    }
}

// STT-4
#[test]
fn noise_is_nobody_stt_4() {
    let count = 20 * RATE as usize;
    let check = |name: &str, noise: Vec<f32>, most: usize| {
        let mut quiet = white(6 * RATE as usize, HISS);
        quiet.extend(&noise);
        for sound in [noise, quiet] {
            let onsets = run(&sound, &[]).onsets();
            assert!(onsets.len() <= most, "{name}: {onsets:?}");
        }
    };
    check("silence", silence(20.0), 0);
    for level in [-30.0, -50.0, -70.0] {
        check("white noise", white(count, level), 0);
    }
    check("pink noise", pink(count, -50.0), 0);
    check("a fan", fan(count, -45.0), 0);
    check("key strokes", keys(count, -6.0), 0);
    check("quiet key strokes", keys(count, -20.0), 0);
    // A loud noise that begins at once may be taken for a voice once, but not for long.
    check("loud pink noise", pink(count, -30.0), 1);
    check("a loud fan", fan(count, -30.0), 1);
}

// STT-4, BUF-1
#[test]
fn long_speech_is_cut_before_the_ring_forgets_it_and_goes_on_at_once_stt_4_buf_1() {
    let mut speech = white(2 * RATE as usize, HISS);
    for _ in 0..4 {
        // Without the pauses at the ends.
        let part = at_level(&recording(LUNA[0]), -20.0);
        let (first, last) = speech_extent(&part);
        let at = speech.len();
        mix(&mut speech, &part[first..last], at);
    }
    speech.extend(white(2 * RATE as usize, HISS));
    let run = run(&speech, &[]);
    let (onsets, ends) = (run.onsets(), run.ends());
    let cut = ends.iter().position(|(from, to, _, _)| to - from >= 184_000).expect("a voice of 27 s is cut");
    let (from, to, _, reported) = ends[cut];
    assert!(to - from < 184_000 + 256, "{from} to {to}");
    assert_eq!((onsets[cut + 1].0, onsets[cut + 1].2), (to, reported), "the next voice begins there and then");
}

/// The echo of Luna's speech alone, in a room, at a delay and level.
fn check_echo(delay_ms: usize, level: f32, reverberation: f32) {
    let played = luna_speaks();
    let mut echo = white(played.len(), -70.0);
    mix(&mut echo, &room(&played, delay_ms, level, reverberation, 5), 0);
    echo.truncate(played.len());
    let alone = run(&echo, &played);
    for (from, own, _) in alone.onsets() {
        assert!(
            own > 0.6,
            "{delay_ms} ms, {level} dB: Luna's own voice at {} ms is taken for a person, own {own}",
            ms(from as i64)
        );
    }
    assert!(alone.onsets().len() <= 1, "{delay_ms} ms, {level} dB: {:?}", alone.onsets());
    let clean = alone.chain.full();
    let clean: Vec<f32> = clean.samples.iter().map(|s| f32::from(*s) / 32_768.0).collect();
    let heard = alone.chain.heard() as usize;
    let reduction = db(power(&echo[heard - clean.len()..heard])) - db(power(&clean));
    // The sound for the recogniser is what the linear filter leaves: it keeps people whole.
    assert!(reduction > 10.0, "{delay_ms} ms, {level} dB: reduced by {reduction} dB only");
    // A person speaks meanwhile, as loud as Luna's loudspeaker.
    for (i, name) in [SHORT[0], SHORT[1], SHORT[7]].into_iter().enumerate() {
        let person = at_level(&recording(name), -20.0);
        let (first, last) = speech_extent(&person);
        let at = (7 + 4 * i) * RATE as usize;
        let mut both = echo.clone();
        mix(&mut both, &person, at);
        let run = run(&both, &played);
        let found = run.onsets().into_iter().find(|(_, _, when)| (at + first..at + last).contains(when));
        let Some((_, own, when)) = found else {
            panic!("{delay_ms} ms, {level} dB: {name} is not heard beside Luna: {:?}", run.onsets())
        };
        let late = ms(when as i64 - (at + first) as i64);
        assert!(late <= 250 && own < 0.94, "{delay_ms} ms, {level} dB: {name} {late} ms late, own {own}");
    }
}

// BRG-4, BRG-6
#[test]
fn luna_does_not_hear_itself_and_hears_a_person_meanwhile_brg_4_brg_6() {
    for (delay_ms, level, reverberation) in
        [(0, -6.0, 0.15), (20, 0.0, 0.4), (80, -6.0, 0.4), (200, -12.0, 0.15), (300, -6.0, 0.4)]
    {
        check_echo(delay_ms, level, reverberation);
    }
}

// BRG-4
#[test]
fn without_playback_the_sound_is_the_microphones_and_playback_shifts_no_position_brg_4() {
    let speech = at_level(&recording(SHORT[1]), -20.0);
    let mut microphone = silence(1.0);
    microphone.extend(&speech);
    microphone.extend(silence(2.0));
    // A sound of Luna that nobody hears: the canceller runs, and there is no echo.
    let mut played = silence(0.5);
    played.extend(white(8_000, -40.0));
    let start = 16_000 + speech_extent(&speech).0;
    for played in [Vec::new(), played] {
        let run = run(&microphone, &played);
        let sound = run.chain.sound(0, u64::MAX);
        assert!(microphone.len() - sound.samples.len() <= 208 + 159, "{}", sound.samples.len());
        // Where the two are most alike.
        let likeness = |lag: i64| -> f32 {
            (start..start + 8_000).map(|i| microphone[i] * f32::from(sound.samples[(i as i64 + lag) as usize])).sum()
        };
        let best = (-400..400).max_by(|a, b| likeness(*a).total_cmp(&likeness(*b))).unwrap();
        assert!(best.abs() <= 3, "shifted by {best} samples");
        if played.is_empty() {
            let worst = microphone
                .iter()
                .zip(&sound.samples)
                .map(|(a, b)| (a - f32::from(*b) / 32_767.0).abs())
                .fold(0.0, f32::max);
            assert!(worst < 0.000_1, "{worst}");
        }
    }
}

// BRG-4
#[test]
fn clocks_that_differ_and_blocks_of_any_size_keep_the_echo_away_brg_4() {
    let played = luna_speaks();
    let mut echo = white(played.len(), -70.0);
    mix(&mut echo, &room(&played, 60, -6.0, 0.15, 5), 0);
    echo.truncate(played.len());
    for (ppm, block, played_block) in [(0, 480, 171), (0, 160, 683), (300, 160, 683), (-300, 160, 683)] {
        let reference = resample(&played, 1_000_000, (1_000_000 + ppm) as u32);
        let mut run = Run { chain: SignalChain::new(SignalSettings::default()), events: Vec::new() };
        let (mut taken, mut given) = (0, 0);
        for time in (160..=echo.len()).step_by(160) {
            let now = time / block * block;
            let then = (time as f64 * (1.0 + f64::from(ppm) * 1e-6)) as usize / played_block * played_block;
            let then = then.clamp(given, reference.len());
            run.push(&echo[taken..now], RATE, &reference[given..then], RATE, time);
            (taken, given) = (now, then);
        }
        let bad = run.onsets().into_iter().filter(|(_, own, _)| *own < 0.6).collect::<Vec<_>>();
        assert!(bad.is_empty() && run.onsets().len() <= 2, "{ppm} ppm, {block}/{played_block}: {:?}", run.onsets());
    }
}

// STT-3
#[test]
fn every_rate_gives_the_same_voice_stt_3() {
    let speech = at_level(&recording(SHORT[0]), -20.0);
    let mut microphone = white(2 * RATE as usize, HISS);
    microphone.extend(&speech);
    microphone.extend(white(2 * RATE as usize, HISS));
    let expect = run(&microphone, &[]).ends();
    for rate in [8_000, 44_100, 48_000, 96_000] {
        let sound = resample(&microphone, RATE, rate);
        let mut run = Run { chain: SignalChain::new(SignalSettings::default()), events: Vec::new() };
        for block in sound.chunks(rate as usize / 100) {
            run.push(block, rate, &[], 0, 0);
        }
        let ends = run.ends();
        assert_eq!(ends.len(), expect.len(), "{rate}");
        let apart = ms(ends[0].0 as i64 - expect[0].0 as i64).abs() + ms(ends[0].1 as i64 - expect[0].1 as i64).abs();
        assert!(apart < 200, "{rate}: {ends:?} instead of {expect:?}");
    }
}

// KER-9
#[test]
fn a_muted_microphone_is_noticed_and_a_quiet_one_is_not_ker_9() {
    let check = |sound: &[f32], rate: u32, expect: bool| {
        let mut chain = SignalChain::new(SignalSettings::default());
        for block in sound.chunks(100) {
            chain.push(block, rate, &[], rate, &mut Vec::new());
        }
        assert_eq!(chain.is_silent_device(), expect, "{:?} at {rate}", &sound[..3]);
        chain.push(&[0.25, 0.5], rate, &[], rate, &mut Vec::new());
        assert!(!chain.is_silent_device());
    };
    check(&vec![0.0; 48_000 * 3], 48_000, true);
    check(&vec![0.1; 44_100 * 3 + 10], 44_100, true);
    check(&vec![f32::NAN; 16_000 * 3], 16_000, true);
    check(&vec![0.0; 48_000 * 3 - 100], 48_000, false);
    check(&white(RATE as usize * 4, -90.0), RATE, false);
}

// BUF-2, PRV-1
#[test]
fn old_sound_is_gone_even_if_no_new_sound_comes_buf_2_prv_1() {
    let mut chain = SignalChain::new(SignalSettings::default());
    chain.push(&white(14 * RATE as usize, -20.0), RATE, &[], RATE, &mut Vec::new());
    let count = |chain: &SignalChain| (chain.full().samples.len(), chain.hot().samples.len());
    assert_eq!(count(&chain), (12 * 16_000, 3 * 16_000));
    chain.expire(Duration::from_secs(4));
    assert_eq!(count(&chain), (8 * 16_000, 3 * 16_000));
    chain.expire(Duration::from_secs(10));
    assert_eq!(count(&chain), (2 * 16_000, 2 * 16_000));
    let heard = chain.heard();
    chain.expire(Duration::from_secs(13));
    assert_eq!((count(&chain), chain.heard()), ((0, 0), heard));
}

// BRG-4
#[test]
fn another_source_of_what_is_played_keeps_the_echo_away_and_shifts_nothing_brg_4() {
    let played = luna_speaks();
    let mut echo = white(played.len(), -70.0);
    mix(&mut echo, &room(&played, 120, -6.0, 0.15, 5), 0);
    echo.truncate(played.len());
    // The other source gives the same 70 ms later; then the first one is back.
    let (late, from, to) = (70 * 16, 9 * RATE as usize, 16 * RATE as usize);
    let mut run = Run { chain: SignalChain::new(SignalSettings::default()), events: Vec::new() };
    let mut heard = 0;
    for at in (0..echo.len() - 160).step_by(160) {
        if at == from || at == to {
            run.chain.reset_played();
        }
        let of = if (from..to).contains(&at) { at - late } else { at };
        run.push(&echo[at..at + 160], RATE, &played[of..of + 160], RATE, at + 160);
        let now = run.chain.heard();
        assert!(now - heard == 160 || at < 320, "a gap at {at}");
        heard = now;
    }
    let bad = run.onsets().into_iter().filter(|(_, own, _)| *own < 0.6).collect::<Vec<_>>();
    assert!(bad.is_empty() && run.onsets().len() <= 3, "{:?}", run.onsets());
}

// STT-3
#[test]
fn another_device_ends_the_voice_stt_3() {
    let mut microphone = white(RATE as usize, HISS);
    microphone.extend(&at_level(&recording(LUNA[0]), -20.0)[..2 * RATE as usize]);
    let mut run = run(&microphone, &[]);
    assert!(run.chain.voice());
    run.chain.reset();
    assert!(!run.chain.voice());
    run.push(&[], RATE, &[], RATE, 0);
    let (_, to, _, _) = run.ends()[0];
    assert!(to <= run.chain.heard() && !run.chain.sound(run.ends()[0].0, to).samples.is_empty());
}

#[derive(Debug, Clone)]
enum HeardStep {
    Push { sound: usize, count: usize, rate: u32, played: usize, played_rate: u32 },
    Reset,
    ResetPlayed,
    Wipe,
    Expire { unheard_ms: u64 },
}

fn step() -> impl Strategy<Value = HeardStep> {
    let rate = || prop_oneof![Just(16_000_u32), Just(44_100), Just(48_000), 0_u32..200_000];
    let push = (0_usize..6, 0_usize..20_000, rate(), 0_usize..20_000, rate()).prop_map(
        |(sound, count, rate, played, played_rate)| HeardStep::Push { sound, count, rate, played, played_rate },
    );
    prop_oneof![12 => push, 1 => Just(HeardStep::Reset), 1 => Just(HeardStep::ResetPlayed), 1 => Just(HeardStep::Wipe), 1 => (0_u64..20_000).prop_map(|unheard_ms| HeardStep::Expire { unheard_ms })]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    // STT-3, BUF-1, BUF-2
    #[test]
    fn whatever_comes_events_alternate_and_positions_never_go_back_stt_3_buf_1_buf_2(steps in proptest::collection::vec(step(), 1..30)) {
        let voice = recording(SHORT[1]);
        let sounds = [voice.clone(), white(20_000, -20.0), vec![0.0; 20_000], vec![f32::NAN; 20_000], vec![f32::INFINITY; 20_000], vec![-3.0e38; 20_000]];
        let mut chain = SignalChain::new(SignalSettings::default());
        let (mut last, mut open, mut before) = (0, None, 0);
        for step in steps {
            let mut events = Vec::new();
            match step {
                HeardStep::Push { sound, count, rate, played, played_rate } => {
                    let sound = &sounds[sound];
                    chain.push(&sound[..count.min(sound.len())], rate, &voice[..played.min(voice.len())], played_rate, &mut events);
                }
                HeardStep::Reset => chain.reset(),
                HeardStep::ResetPlayed => chain.reset_played(),
                HeardStep::Wipe => {
                    chain.wipe();
                    prop_assert!(chain.full().samples.is_empty() && chain.sound(0, u64::MAX).samples.is_empty());
                }
                HeardStep::Expire { unheard_ms } => {
                    chain.expire(Duration::from_millis(unheard_ms));
                    prop_assert!(chain.full().samples.len() as u64 <= 12_000_u64.saturating_sub(unheard_ms) * 16);
                }
            }
            let heard = chain.heard();
            prop_assert!(heard >= before);
            before = heard;
            for event in events {
                match event {
                    VoiceEvent::Onset { from, own } => {
                        prop_assert!(open.is_none() && from >= last && from <= heard && (0.0..=1.0).contains(&own));
                        (open, last) = (Some(from), from);
                    }
                    VoiceEvent::End { from, to, own } => {
                        prop_assert_eq!(open, Some(from));
                        prop_assert!(to >= from && to <= heard && to - from <= 12 * 16_000 && (0.0..=1.0).contains(&own));
                        (open, last) = (None, to);
                    }
                }
            }
            let (from, to) = (heard.saturating_sub(1_000), heard);
            prop_assert!(chain.sound(from, to).samples.len() <= 1_000 && chain.sound(to, from).samples.is_empty());
            prop_assert!(chain.full().samples.len() <= 12 * 16_000 && chain.hot().samples.len() <= 3 * 16_000);
        }
    }
}
