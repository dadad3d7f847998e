//! Tables of small cases, and a random walk that checks invariants.

use std::collections::HashSet;

use luna_messages::Lang;
use proptest::prelude::*;

use super::super::script::Sentence;
use super::*;

const RATES: Rates = Rates { rate: 1000, step: 150, min: 500, max: 3000 };

fn text(id: u64, sentences: usize) -> SpeechScript {
    let sentences = (0..sentences).map(|i| Sentence::plain(&format!("t{id}.{i}"), Lang::En)).collect();
    SpeechScript { id: RequestId(id), sentences, first: 0 }
}

/// An event or effect as a short string: "play 1.0", "started 1.0", ….
fn brief(effect: &PlayerEffect) -> String {
    let tell = |event: &SpeechEvent| match event {
        SpeechEvent::Sentence { id, idx, notice, .. } => format!("told {id}.{idx}{}", if *notice { "!" } else { "" }),
        SpeechEvent::Finished { id } => format!("finished {id}"),
        SpeechEvent::Stopped { id, idx } => format!("stopped {id}.{idx}"),
        SpeechEvent::Paused { id } => format!("paused {id}"),
        SpeechEvent::Resumed { id } => format!("resumed {id}"),
        SpeechEvent::Rate { thousandths } => format!("rate {thousandths}"),
    };
    match effect {
        PlayerEffect::Play { piece, .. } => format!("play {}.{}", piece.id, piece.idx),
        PlayerEffect::Prepare { piece, .. } => format!("prepare {}.{}", piece.id, piece.idx),
        PlayerEffect::Silence => "silence".into(),
        PlayerEffect::Pause => "halt".into(),
        PlayerEffect::Continue => "continue".into(),
        PlayerEffect::Tempo(rate) => format!("tempo {rate}"),
        PlayerEffect::Wipe => "wipe".into(),
        PlayerEffect::Publish(event) => tell(event),
    }
}

/// Runs commands, one word each: "read3" (three sentences), "say", "now" (notices), "start", "end", "broken", "unspoken", "late", ….
/// `expect` has the effects of the last command.
#[track_caller]
fn check(commands: &str, expect: &[&str]) {
    let mut player = Player::new(RATES);
    let mut last = Vec::new();
    let mut id = 0;
    let mut play = PlayRequest(0);
    for command in commands.split_whitespace() {
        let mut fresh = |sentences| {
            id += 1;
            text(id, sentences)
        };
        let input = match command {
            "say" => PlayerInput::Say(fresh(1), NoticeTiming::AfterSentence),
            "say2" => PlayerInput::Say(fresh(2), NoticeTiming::AfterSentence),
            "now" => PlayerInput::Say(fresh(1), NoticeTiming::Now),
            "configure" => PlayerInput::Configure(RATES),
            "quick" => PlayerInput::Configure(Rates { rate: 2000, ..RATES }),
            "narrow" => PlayerInput::Configure(Rates { max: 1100, min: 900, ..RATES }),
            "stop" => PlayerInput::Stop,
            "pause" => PlayerInput::Pause,
            "resume" => PlayerInput::Resume,
            "toggle" => PlayerInput::PauseToggle,
            "repeat" => PlayerInput::Repeat,
            "next" => PlayerInput::Next,
            "prev" => PlayerInput::Previous,
            "slower" => PlayerInput::Slower,
            "faster" => PlayerInput::Faster,
            "forget" => PlayerInput::Forget,
            "start" => PlayerInput::Started(play),
            "end" => PlayerInput::Ended(play),
            "broken" => PlayerInput::Broken(play),
            "unheard" => PlayerInput::Unheard(play),
            "unspoken" => PlayerInput::Unspoken(play),
            "late" => PlayerInput::Ended(PlayRequest(play.0.wrapping_sub(1))),
            // A text that arrives piecewise: "part1" begins it, "more1" appends to it, "last1" ends it; "enough" is what a stop sends.
            part if part.starts_with("part") => {
                let utterance = fresh(part.strip_prefix("part").unwrap().parse().unwrap());
                PlayerInput::Part(StreamedPart { utterance, first: true, last: false, stop: false })
            }
            part if part.starts_with("more") || part.starts_with("last") => {
                let utterance = text(1, part[4..].parse().unwrap());
                PlayerInput::Part(StreamedPart { utterance, first: false, last: part.starts_with("last"), stop: false })
            }
            "enough" => PlayerInput::Part(StreamedPart { utterance: text(1, 0), first: false, last: true, stop: true }),
            read => PlayerInput::Read(fresh(read.strip_prefix("read").unwrap().parse().unwrap())),
        };
        let effects = player.step(input);
        for effect in &effects {
            if let PlayerEffect::Play { play: order, .. } = effect {
                play = *order;
            }
        }
        last = effects.iter().map(brief).collect();
    }
    assert_eq!(last, expect, "{commands}");
}

// TTS-1
#[test]
fn reading_goes_sentence_by_sentence_tts_1() {
    check("read2", &["play 1.0", "prepare 1.1"]);
    check("read2 start", &["told 1.0"]);
    check("read2 start start", &[]);
    check("read2 end", &["play 1.1"]);
    check("read2 end end", &["finished 1"]);
    check("read0", &["finished 1"]);
    check("read2 late", &[]);
    check("read2 read1", &["stopped 1.0", "play 2.0"]);
    check("read2 end end end", &[]);
}

// TRN-2
#[test]
fn a_text_that_comes_piece_by_piece_is_one_reading_trn_2() {
    check("part1", &["play 1.0"]);
    check("part0", &[]);
    check("part0 more2", &["play 1.0", "prepare 1.1"]);
    check("part1 end", &[]);
    check("part1 end more1", &["play 1.1"]);
    check("part1 more1", &[]);
    check("part1 more1 end", &["play 1.1"]);
    check("part1 end more1 end last0", &["finished 1"]);
    check("part1 last0", &[]);
    check("part1 last0 end", &["finished 1"]);
    check("part1 last1 end end", &["finished 1"]);
    check("read1 part1", &["stopped 1.0", "play 2.0"]);
    // A piece of a replaced reading changes nothing.
    check("part1 read1 more1", &[]);
    check("part1 read1 more1 end", &["finished 2"]);
    // While it awaits the next piece.
    check("part1 end next", &[]);
    check("part1 end pause", &[]);
    check("part1 end resume", &[]);
    check("part1 end toggle", &[]);
    check("part1 end prev", &["play 1.0"]);
    check("part1 end repeat", &["play 1.0"]);
    check("part1 end repeat end more1", &["play 1.1"]);
    check("part1 next", &["silence"]);
    check("part1 next more1", &["play 1.1"]);
    check("part0 repeat", &[]);
    check("part1 end say", &["stopped 1.0", "play 2.0"]);
}

// TRN-2, TTS-4, BRG-8
#[test]
fn stop_ends_a_text_that_comes_piece_by_piece_trn_2_tts_4_brg_8() {
    check("part1 stop", &["silence", "stopped 1.0"]);
    check("part1 end stop", &["silence", "stopped 1.0"]);
    check("part1 end stop more1", &[]);
    check("part1 stop enough", &[]);
    check("part1 enough", &["silence", "stopped 1.0"]);
    check("part1 end stop enough resume", &["resumed 1", "play 1.0"]);
    check("part1 end stop enough resume more1 end", &["play 1.1"]);
    check("part2 stop enough resume", &["resumed 1", "play 1.0", "prepare 1.1"]);
    check("part1 forget more1", &[]);
}

// TTS-4, BRG-8
#[test]
fn stop_keeps_the_place_and_nothing_follows_tts_4_brg_8() {
    check("read3 end stop", &["silence", "stopped 1.1"]);
    check("read3 stop stop", &["silence"]);
    // The device may still have a piece of a sentence that failed in the middle.
    check("read1 start unspoken stop", &["silence"]);
    check("read3 stop end", &[]);
    check("read3 stop broken", &[]);
    check("read3 end stop resume", &["resumed 1", "play 1.1", "prepare 1.2"]);
    check("read1 end resume", &[]);
    check("resume", &[]);
    check("stop", &["silence"]);
}

// TTS-2
#[test]
fn pause_and_resume_tts_2() {
    check("read2 pause", &["halt", "paused 1"]);
    check("read2 pause pause", &[]);
    check("read2 pause resume", &["resumed 1", "continue"]);
    check("read2 toggle", &["halt", "paused 1"]);
    check("read2 toggle toggle", &["resumed 1", "continue"]);
    check("read2 stop toggle", &["resumed 1", "play 1.0", "prepare 1.1"]);
    // The end arrived during the pause: nothing plays until the person resumes.
    check("read2 pause end", &[]);
    check("read2 pause end resume", &["resumed 1", "play 1.1"]);
    check("read2 pause stop", &["silence", "stopped 1.0"]);
    check("read2 pause next", &["resumed 1", "play 1.1"]);
    check("read2 pause read1", &["stopped 1.0", "play 2.0"]);
}

// TTS-2, FOC-6
#[test]
fn in_a_pause_a_notice_is_spoken_at_once_and_the_pause_goes_on_tts_2_foc_6() {
    check("read2 pause say", &["play 2.0", "prepare 1.0"]);
    check("read2 pause say end", &["finished 2", "paused 1"]);
    check("read2 pause say end pause", &[]);
    check("read2 pause say end end", &[]);
    check("read2 pause say end say", &["play 3.0", "prepare 1.0"]);
    check("read2 pause say say", &[]);
    check("read2 pause say say end", &["finished 2", "play 3.0", "prepare 1.0"]);
    check("read2 pause say2 end", &["play 2.1", "prepare 1.0"]);
    check("read2 pause say broken broken", &["told 2.0!", "finished 2", "paused 1"]);
    // What waited before the pause comes first.
    check("read2 say pause say", &["play 2.0", "prepare 1.0"]);
    check("read2 say pause say end end", &["finished 3", "paused 1"]);
    // The reading goes on at its sentence.
    check("read3 end pause say end resume", &["resumed 1", "play 1.1", "prepare 1.2"]);
    check("read3 end pause say end toggle", &["resumed 1", "play 1.1", "prepare 1.2"]);
    check("read3 end pause say end repeat", &["resumed 1", "play 1.1", "prepare 1.2"]);
    check("read3 end pause say end resume pause resume", &["resumed 1", "continue"]);
    // Resumed while the notice sounds: it goes on after it.
    check("read2 pause say resume", &[]);
    check("read2 pause say resume end", &["finished 2", "resumed 1", "play 1.0", "prepare 1.1"]);
    // The sentence had ended before the notice: it is not read twice.
    check("read2 pause end say end resume", &["resumed 1", "play 1.1"]);
    check("read1 pause end say end resume", &["silence", "resumed 1", "finished 1"]);
    check("part1 pause end say end resume", &["silence", "resumed 1"]);
    check("part1 pause end say more1", &[]);
    check("part1 pause end say more1 end resume", &["resumed 1", "play 1.1"]);
    check("part1 pause end say last0 end resume", &["silence", "resumed 1", "finished 1"]);
    // The keys mean what they mean in a pause, also while the notice sounds.
    check("read3 pause say next", &["stopped 2.0", "resumed 1", "play 1.1", "prepare 1.2"]);
    check("read3 end pause say prev", &["stopped 2.0", "resumed 1", "play 1.0", "prepare 1.1"]);
    check("read3 pause say end next", &["resumed 1", "play 1.1", "prepare 1.2"]);
    check("read2 pause say repeat", &["play 2.0", "prepare 1.0"]);
    check("read2 pause say stop", &["silence", "stopped 2.0", "stopped 1.0"]);
    check("read2 pause say end stop", &["silence", "stopped 1.0"]);
    check("read2 pause say end stop resume", &["resumed 1", "play 1.0", "prepare 1.1"]);
    check("read2 pause say read1", &["stopped 2.0", "stopped 1.0", "play 3.0"]);
    check("read2 pause say now", &["stopped 2.0", "stopped 1.0", "play 3.0"]);
    check("read2 pause say forget", &["silence", "stopped 2.0", "stopped 1.0", "wipe"]);
    // A notice is paused as well, and the one that answers it.
    check("say2 end pause say end resume", &["resumed 1", "play 1.1"]);
    check("read2 now pause say end resume", &["resumed 2", "play 2.0"]);
    check("read2 now pause say end resume end repeat", &["resumed 2", "play 2.0"]);
    check("read2 pause say pause", &["halt", "paused 2"]);
    check("read2 pause say pause say end resume", &["resumed 2", "play 2.0", "prepare 1.0"]);
    check("read2 pause say pause say end resume end", &["finished 2", "resumed 1", "play 1.0", "prepare 1.1"]);
    check("read2 pause say pause say resume end end", &["finished 2", "resumed 1", "play 1.0", "prepare 1.1"]);
    check("read2 pause say pause say next", &["stopped 3.0", "stopped 2.0", "resumed 1", "play 1.1"]);
    check("read2 pause say2 pause say stop", &["silence", "stopped 3.0", "stopped 2.0", "stopped 1.0"]);
}

// FOC-4
#[test]
fn repeat_next_previous_foc_4() {
    check("read3 end repeat", &["play 1.1", "prepare 1.2"]);
    check("read1 end repeat", &["resumed 1", "play 1.0"]);
    check("read3 next", &["play 1.1", "prepare 1.2"]);
    check("read2 next next", &["silence", "finished 1"]);
    check("read2 next next next", &[]);
    check("read2 prev", &["play 1.0", "prepare 1.1"]);
    check("read3 end end prev", &["play 1.1", "prepare 1.2"]);
    check("read3 stop next", &["resumed 1", "play 1.1", "prepare 1.2"]);
    check("read2 end end prev", &["resumed 1", "play 1.0", "prepare 1.1"]);
    check("next", &[]);
    check("prev", &[]);
    check("repeat", &[]);
}

// TTS-2, BRG-2
#[test]
fn the_speed_changes_within_its_limits_tts_2_brg_2() {
    check("read2 faster", &["tempo 1.15", "rate 1150"]);
    // CFG-4: the person's own speed stays unless the configured one changed or forbids it.
    check("faster configure", &[]);
    check("faster quick", &["tempo 2", "rate 2000"]);
    check("quick faster quick", &[]);
    check("faster narrow", &["tempo 1.1", "rate 1100"]);
    check("narrow slower slower", &["tempo 0.9", "rate 900"]);
    check("read2 slower", &["tempo 0.85", "rate 850"]);
    check("slower slower slower slower slower", &["tempo 0.5", "rate 500"]);
    check(&"faster ".repeat(20), &["tempo 3", "rate 3000"]);
}

#[test]
fn notices_wait_for_the_sentence_or_replace_it() {
    check("say", &["play 1.0"]);
    check("say start", &["told 1.0!"]);
    check("read2 say", &[]);
    check("read2 say end", &["play 2.0", "prepare 1.1"]);
    check("read2 say end end", &["finished 2", "play 1.1"]);
    check("read1 say end", &["finished 1", "play 2.0"]);
    check("read2 say2 end end", &["play 2.1", "prepare 1.1"]);
    check("read2 now", &["stopped 1.0", "play 2.0"]);
    check("read2 now end", &["finished 2"]);
    check("read2 now end resume", &["resumed 1", "play 1.0", "prepare 1.1"]);
    check("read2 now end repeat", &["resumed 2", "play 2.0"]);
    check("read1 say end end repeat", &["resumed 1", "play 1.0"]);
    check("read2 say stop", &["silence", "stopped 1.0", "stopped 2.0"]);
    check("read2 say end stop", &["silence", "stopped 2.0", "stopped 1.1"]);
    check("read3 say end next", &["stopped 2.0", "play 1.1", "prepare 1.2"]);
    check("read3 say end prev", &["stopped 2.0", "play 1.0", "prepare 1.1"]);
    check("read2 now next", &["stopped 2.0", "resumed 1", "play 1.1"]);
    check("now next", &["silence", "stopped 1.0"]);
    check("read2 read0", &["silence", "stopped 1.0", "finished 2"]);
    check("now repeat", &["play 1.0"]);
}

// ENG-2
#[test]
fn a_crash_is_tried_once_more_then_told_eng_2() {
    check("read2 broken", &["play 1.0", "prepare 1.1"]);
    check("read2 broken broken", &["told 1.0", "play 1.1"]);
    check("read2 start broken start", &[]);
    check("read2 start broken broken", &["play 1.1"]);
    check("read2 broken end broken", &["play 1.1"]);
}

// KER-9
#[test]
fn without_a_device_the_place_is_kept_and_the_text_told_once_ker_9() {
    check("read2 unheard", &["told 1.0"]);
    check("read2 unheard unheard", &[]);
    check("read2 unheard start", &[]);
    check("read2 unheard start end", &["play 1.1"]);
    check("read2 start unheard", &[]);
    check("read2 unheard late", &[]);
    check("read2 unheard stop", &["silence", "stopped 1.0"]);
    check("read2 unheard stop resume", &["resumed 1", "play 1.0", "prepare 1.1"]);
    check("read2 unheard next", &["play 1.1"]);
    check("read2 unheard say", &[]);
}

// KER-9
#[test]
fn without_a_voice_the_text_is_told_ker_9() {
    check("read2 unspoken", &["told 1.0", "play 1.1"]);
    check("read2 unspoken unspoken", &["told 1.1", "finished 1"]);
    check("read2 pause unspoken", &[]);
}

// BUF-2
#[test]
fn forget_leaves_nothing_buf_2() {
    check("read2 forget", &["silence", "stopped 1.0", "wipe"]);
    check("read2 forget repeat", &[]);
    check("read2 forget resume", &[]);
    check("read2 now end forget repeat", &[]);
    check("forget", &["silence", "wipe"]);
}

fn input() -> impl Strategy<Value = u8> {
    0..22_u8
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    // TTS-2, TTS-4, BRG-8
    #[test]
    fn what_must_always_hold_tts_2_tts_4_brg_8(walk in prop::collection::vec((input(), 0..4_usize), 1..60)) {
        let mut player = Player::new(RATES);
        let mut play = PlayRequest(0);
        let mut id = 0;
        // Readings begun and not ended; whether an order is playing; whether it is paused; whether a stop forbids playing.
        let mut owed: HashSet<RequestId> = HashSet::new();
        let (mut sounding, mut paused, mut stopped) = (false, false, false);
        // Whether the device has what is paused.
        let mut on_device = false;
        for (choice, size) in walk {
            let mut fresh = || { id += 1; text(id, size) };
            let mut stale = false;
            let mut command = true;
            let input = match choice {
                0..=2 => PlayerInput::Read(fresh()),
                3 => PlayerInput::Say(fresh(), NoticeTiming::Now),
                4 => PlayerInput::Say(fresh(), NoticeTiming::AfterSentence),
                5 => PlayerInput::Pause,
                6 => PlayerInput::Resume,
                7 => PlayerInput::PauseToggle,
                8 => PlayerInput::Repeat,
                9 => PlayerInput::Next,
                10 => PlayerInput::Previous,
                11 => PlayerInput::Slower,
                12 => PlayerInput::Faster,
                13 => PlayerInput::Stop,
                14 => PlayerInput::Forget,
                results => {
                    command = false;
                    stale = size == 3;
                    let of = if stale { PlayRequest(play.0.wrapping_sub(1)) } else { play };
                    match results {
                        15 | 16 => PlayerInput::Started(of),
                        17..=19 => PlayerInput::Ended(of),
                        20 => PlayerInput::Broken(of),
                        _ => PlayerInput::Unspoken(of),
                    }
                }
            };
            match &input {
                PlayerInput::Read(u) | PlayerInput::Say(u, _) => { owed.insert(u.id); }
                _ => {}
            }
            let stops = matches!(input, PlayerInput::Stop | PlayerInput::Forget);
            // TTS-2, FOC-6: Luna answers in a pause; what was paused is owed still, and is heard again only if the person says so.
            let answers = paused && size > 0 && matches!(input, PlayerInput::Say(..));
            let effects = player.step(input);
            if stale || !command && !sounding {
                prop_assert!(effects.is_empty(), "a late result did {effects:?}");
            }
            if command {
                stopped = stops;
            }
            for effect in &effects {
                match effect {
                    PlayerEffect::Play { play: order, sentence, piece } => {
                        prop_assert!(!stopped, "played after a stop");
                        prop_assert!(command || !paused, "played while halted");
                        prop_assert!(order.0 > play.0, "numbers of orders grow");
                        prop_assert!(owed.contains(&piece.id), "played what was ended");
                        prop_assert_eq!(&sentence.text, &format!("t{}.{}", piece.id, piece.idx));
                        play = *order;
                        (sounding, paused, on_device) = (true, false, true);
                    }
                    PlayerEffect::Silence => (sounding, paused, on_device) = (false, false, false),
                    PlayerEffect::Pause => { prop_assert!(sounding && !paused); paused = true; }
                    PlayerEffect::Continue => { prop_assert!(sounding && paused && on_device); paused = false; }
                    PlayerEffect::Publish(SpeechEvent::Resumed { id }) => { owed.insert(*id); }
                    PlayerEffect::Publish(SpeechEvent::Finished { id } | SpeechEvent::Stopped { id, .. }) => {
                        prop_assert!(owed.remove(id), "{id} ended twice");
                    }
                    PlayerEffect::Publish(SpeechEvent::Sentence { idx, of, .. }) => prop_assert!(idx < of),
                    PlayerEffect::Publish(SpeechEvent::Rate { thousandths }) => prop_assert!((500..=3000).contains(thousandths)),
                    PlayerEffect::Publish(SpeechEvent::Paused { id }) => {
                        prop_assert!(sounding && owed.contains(id));
                        // The pause goes on after a notice, whose sound has replaced what is paused.
                        if !paused { (paused, on_device) = (true, false); }
                    }
                    PlayerEffect::Prepare { .. } | PlayerEffect::Tempo(_) | PlayerEffect::Wipe => {}
                }
            }
            prop_assert!(!answers || player.is_speaking(), "no answer in a pause");
            if player.is_silent() {
                sounding = false;
                prop_assert!(owed.is_empty(), "{owed:?} never ended");
            }
            prop_assert_eq!(sounding, !player.is_silent());
            prop_assert_eq!(sounding && !paused, player.is_speaking());
            if stopped {
                prop_assert!(player.is_silent());
            }
        }
    }
}
