//! Voices that do not fit into one breath: they go on, begin too early, or are answered too late.

use luna_messages::RequestId;
use luna_messages::control::Command;
use luna_messages::dsl::ReadingAnswer;
use luna_messages::language_tasks::Meaning;
use luna_messages::listening::HeardOutcome;
use luna_messages::reading::Intent;
use luna_messages::{Fidelity, Lang};

use std::time::Duration;

use super::scene::{SaidVoice, TurnScene, outcomes, quiet, reflexes, rules, said, sentence};
use crate::turn::{Addressing, TurnEffect, TurnEvent, TurnMachine, TurnSettings};

// VOI-1
#[test]
fn who_speaks_as_soon_as_the_key_is_pressed_is_heard_voi_1() {
    let settings = TurnSettings { addressing: Addressing::Hold, ..TurnSettings::default() };
    // The key counts as held a quarter of a second after it was pressed; the voice was noticed before.
    let mut scene = TurnScene::new(settings.clone(), vec![said(2000, "집중 모드 켜")]);
    scene.events = vec![(2150, || TurnEvent::Hold { down: true }), (3400, || TurnEvent::Hold { down: false })];
    assert_eq!(reflexes(&scene.play()).len(), 1);
    // Not a voice that had ended.
    let mut scene = TurnScene::new(settings, vec![said(2000, "집중 모드 켜")]);
    scene.events = vec![(4150, || TurnEvent::Hold { down: true }), (5400, || TurnEvent::Hold { down: false })];
    assert_eq!(reflexes(&scene.play()), []);
}

// BRG-1, STT-2
#[test]
fn luna_is_not_quiet_for_ever_because_somebody_talks_brg_1_stt_2() {
    // A radio: a short word every second, for twelve seconds.
    let words = (1..12).map(|n| ("글쎄", 2000 + 1000 * n)).collect();
    let talk = SaidVoice { from_ms: 2000, words, own: 0.0, own_now: None };
    let done = TurnScene::new(TurnSettings::default(), vec![talk]).reading("긴 글입니다.").play();
    let quiet = quiet(&done);
    // Quiet for it twice at most, and for less than six of twelve seconds.
    assert!(matches!(quiet[..], [(_, "duck"), (_, "word"), (_, "duck"), (_, "word")]), "{quiet:?}");
    assert!(quiet[1].0 - quiet[0].0 + quiet[3].0 - quiet[2].0 < 6000, "{quiet:?}");
    assert_eq!(reflexes(&done), []);
}

// BRG-1, STT-2
#[test]
fn luna_waits_four_seconds_for_one_who_goes_on_talking_brg_1_stt_2() {
    let said = [
        "그래", "어제", "거기", "갔다", "왔어", "우리", "형이", "밥도", "샀고", "차도", "마셨", "는데", "비가", "왔지",
    ];
    let words = said.iter().enumerate().map(|(n, word)| (*word, 2600 + 600 * n as u64)).collect();
    let talk = SaidVoice { from_ms: 2000, words, own: 0.0, own_now: None };
    let done = TurnScene::new(TurnSettings::default(), vec![talk]).reading("긴 글입니다.").play();
    assert!(matches!(quiet(&done)[..], [(2080, "duck"), (6080..=6300, "word")]), "{:?}", quiet(&done));
}

// BRG-3, STT-2
#[test]
fn luna_stays_quiet_for_a_wish_while_all_of_it_is_transcribed_brg_3_stt_2() {
    let wish = |whole_ms| {
        let mut scene =
            TurnScene::new(TurnSettings::default(), vec![said(2000, "영어로 번역해 줘")]).reading("긴 글입니다.");
        scene.whole_ms = whole_ms;
        quiet(&scene.play())
    };
    // It is cut when the wish is understood, and did not speak up before.
    assert!(matches!(wish(2000)[..], [(_, "duck"), (_, "cut"), (_, "on")]), "{:?}", wish(2000));
    // Not for ever: the voice ended at 3200.
    assert!(matches!(wish(8000)[..], [(_, "duck"), (8000..=8400, "word"), ..]), "{:?}", wish(8000));
}

// VOI-1, STT-1
#[test]
fn the_name_is_heard_however_slow_the_recogniser_voi_1_stt_1() {
    let words = vec![("루나", 900), ("이", 1500), ("창에", 2300), ("있는", 3000), ("저장", 3600), ("눌러", 4100)];
    for window_ms in [150, 1000, 2000, 3200] {
        let voice = SaidVoice { from_ms: 500, words: words.clone(), own: 0.0, own_now: None };
        let mut scene = TurnScene::new(TurnSettings::default(), vec![voice]);
        scene.window_ms = window_ms;
        let told = outcomes(&scene.play()).last().map(|(_, outcome)| *outcome);
        assert_eq!(told, Some(HeardOutcome::Obeyed), "{window_ms} ms");
    }
}

// VOI-1
#[test]
fn an_order_that_follows_the_name_after_a_pause_is_heard_however_slow_the_recogniser_voi_1() {
    let voices = vec![said(500, "루나"), said(1900, "집중 모드 켜")];
    let mut scene = TurnScene::new(TurnSettings::default(), voices);
    scene.whole_ms = 2500;
    assert_eq!(reflexes(&scene.play()).iter().map(|(_, command)| *command).collect::<Vec<_>>(), [Command::FocusOn]);
}

// STT-3, BRG-1
#[test]
fn a_lost_microphone_ends_the_quiet_and_loses_no_order_that_was_said_stt_3_brg_1() {
    // Said whole before the loss; only its transcript is awaited.
    let mut scene = TurnScene::new(TurnSettings::default(), vec![said(500, "루나 저장 눌러")]);
    scene.events = vec![(2400, || TurnEvent::Lost)];
    assert_eq!(outcomes(&scene.play()).last().map(|(_, outcome)| *outcome), Some(HeardOutcome::Obeyed));
    // In the middle of a voice.
    let mut scene = TurnScene::new(TurnSettings::default(), vec![said(2000, "여보 밥 먹었어")]).reading("긴 글입니다.");
    scene.events = vec![(2500, || TurnEvent::Lost)];
    assert_eq!(quiet(&scene.play()), [(2080, "duck"), (2500, "on")]);
}

// FOC-6, BRG-3
#[test]
fn what_a_model_decides_after_something_else_was_said_is_not_done_foc_6_brg_3() {
    let mut machine = TurnMachine::new(TurnSettings::default());
    let mut step = |event, ms| machine.step(event, Duration::from_millis(ms), rules());
    drop(step(TurnEvent::Speech(sentence("긴 글입니다.", false)), 0));
    let asked = step(TurnEvent::SayTo { text: "루나 두 줄 뒤 영어로 읽어줘".to_owned() }, 100);
    let decided = |id| {
        let answer = ReadingAnswer {
            intent: Intent::Translate,
            mode: Fidelity::Faithful,
            lang_tgt: Some(Lang::En),
            line_offset: Some(2),
        };
        TurnEvent::Decided {
            id,
            utterance: "두 줄 뒤 영어로 읽어줘".to_owned(),
            meaning: Some(Meaning::Reading(answer)),
        }
    };
    let wishes = |effects: &[TurnEffect]| effects.iter().filter(|e| matches!(e, TurnEffect::Wish { .. })).count();
    let id = asked.iter().find_map(|effect| match effect {
        TurnEffect::Decide { id, .. } => Some(*id),
        _ => None,
    });
    // The rules may be sure already; then there is nothing to decide.
    let Some(id) = id else { return assert_eq!(wishes(&asked), 1, "{asked:?}") };
    assert_eq!(wishes(&step(decided(RequestId(u64::MAX)), 200)), 0, "nobody asked for it");
    drop(step(TurnEvent::SayTo { text: "루나 멈춰".to_owned() }, 300));
    assert_eq!(wishes(&step(decided(id), 400)), 0, "the person said something else since");
}

// BRG-6
#[test]
fn an_echo_that_comes_again_and_again_no_longer_makes_luna_quiet_brg_6() {
    let echo = |from_ms| SaidVoice { own: 0.8, ..said(from_ms, "음") };
    let voices = vec![echo(1000), echo(3000), echo(5000), SaidVoice { own: 0.1, ..said(8000, "멈춰") }];
    let done = TurnScene::new(TurnSettings::default(), voices).reading("긴 글입니다.").play();
    let told: Vec<HeardOutcome> = outcomes(&done).into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(told[..3], [HeardOutcome::OwnVoice; 3], "{told:?}");
    let ducks: Vec<u64> = quiet(&done).into_iter().filter(|(_, what)| *what == "duck").map(|(at, _)| at).collect();
    assert!(matches!(ducks[..], [..2000, 3000..4000, 8000..9000]), "{ducks:?}");
    // Going back to the word would cause the same echo.
    assert!(quiet(&done).iter().all(|(_, what)| *what != "word"), "{:?}", quiet(&done));
    assert_eq!(reflexes(&done).len(), 1);
}

// BRG-1, VOI-1
#[test]
fn after_a_pause_resume_needs_no_name_brg_1_voi_1() {
    let mut scene = TurnScene::new(TurnSettings::default(), vec![said(6000, "계속")]).reading("긴 글입니다.");
    let paused = luna_messages::tts::SpeechEvent::Paused { id: RequestId(7) };
    scene.reading.push((3000, paused));
    assert_eq!(reflexes(&scene.play()).iter().map(|(_, command)| *command).collect::<Vec<_>>(), [Command::Resume]);
}
