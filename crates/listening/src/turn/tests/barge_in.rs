//! What is said while Luna speaks.

use luna_messages::control::Command;
use luna_messages::listening::HeardOutcome;
use luna_messages::reading::Intent;

use super::scene::{HANG_OVER_MS, ONSET_MS, SaidVoice, TurnScene, outcomes, quiet, reflexes, said};
use crate::turn::{TurnEffect, TurnSettings};

const TEXT: &str = "오늘 서울은 맑고 바람이 조금 불겠습니다.";

fn scene(words: &'static str) -> TurnScene {
    TurnScene::new(TurnSettings::default(), vec![said(2000, words)]).reading(TEXT)
}

// BRG-1
#[test]
fn a_reflex_is_obeyed_before_its_voice_counts_as_ended_brg_1() {
    let check = |words, command: Command| {
        let done = scene(words).play();
        let obeyed = reflexes(&done);
        assert_eq!(obeyed.iter().map(|(_, command)| *command).collect::<Vec<_>>(), [command], "{words}");
        let end = said(2000, words).to_ms();
        assert!(obeyed[0].0 <= end + HANG_OVER_MS, "{words}: {obeyed:?}");
        let first = quiet(&done);
        assert_eq!(first.first(), Some(&(2000 + ONSET_MS, "duck")), "{words}");
        assert_eq!(first.len(), 2, "{words}: {first:?}");
        assert_eq!(outcomes(&done).last().map(|(_, outcome)| *outcome), Some(HeardOutcome::Obeyed), "{words}");
    };
    check("멈춰", Command::Stop);
    check("stop", Command::Stop);
    check("잠깐", Command::Pause);
    check("다음", Command::Next);
    check("더 크게", Command::Bigger);
    check("다시", Command::Repeat);
    check("집중 모드 꺼", Command::FocusOff);
    check("고정 해제", Command::Unpin);
}

// BRG-1
#[test]
fn a_command_that_silences_is_obeyed_at_the_first_window_that_has_it_brg_1() {
    let done = scene("멈춰").play();
    // The word ends at 2400; a window that has it is requested at once or when the one before is answered, and takes 150 ms.
    assert!(reflexes(&done)[0].0 <= 2400 + 2 * 150 + 60, "{done:?}");
}

// BRG-1
#[test]
fn a_command_is_not_obeyed_when_it_only_begins_a_sentence_brg_1() {
    for words in ["다음 주에 보자", "다시 생각해 봤는데 그건 아니야", "번역 회사에서 전화 왔어"]
    {
        let done = scene(words).play();
        assert_eq!(reflexes(&done), [], "{words}");
    }
}

// STT-2, BRG-1
#[test]
fn after_other_words_luna_goes_on_from_the_word_stt_2_brg_1() {
    for words in ["여보 밥 먹었어", "어제 그 사람 만났어"] {
        let done = scene(words).play();
        let end = said(2000, words).to_ms();
        let resumed = quiet(&done);
        assert_eq!((resumed.len(), resumed[1].1), (2, "word"), "{words}: {resumed:?}");
        assert!(resumed[1].0 <= end + 800, "{words}: {resumed:?} after {end}");
    }
}

// BRG-1
#[test]
fn a_window_with_the_pause_after_a_voice_is_its_last_brg_1() {
    // Wherever ticks and windows fall.
    for end in (3200..3360).step_by(10) {
        let voice = SaidVoice {
            from_ms: 2000,
            words: vec![("여보", 2400), ("밥", 2800), ("먹었어", end)],
            own: 0.0,
            own_now: None,
        };
        let done = TurnScene::new(TurnSettings::default(), vec![voice]).reading(TEXT).play();
        // At the end of the hang-over, without another pass of the recogniser.
        assert_eq!(quiet(&done)[1], (end + HANG_OVER_MS, "word"), "{end}: {done:?}");
    }
}

// BRG-1
#[test]
fn luna_goes_on_over_a_murmur_that_seems_to_go_on_speaking_and_still_listens_brg_1() {
    // The signal shows one voice: some words, a murmur without words, then a command.
    let voice = |command| {
        let words = vec![("여보", 2400), ("밥", 2800), ("", 6200), (command, 6600)];
        TurnScene::new(TurnSettings::default(), vec![SaidVoice { from_ms: 2000, words, own: 0.0, own_now: None }])
            .reading(TEXT)
            .play()
    };
    let done = voice("멈춰");
    assert!(matches!(quiet(&done)[1], (4000..=4600, "word")), "{:?}", quiet(&done));
    assert_eq!(reflexes(&done).len(), 1, "{done:?}");
    // New words, and Luna is quiet again.
    let again = quiet(&voice("먹었어"));
    assert!(matches!(again[2..], [(6600..=7000, "duck"), (7150..=7400, "word")]), "{again:?}");
}

// BRG-1
#[test]
fn a_slow_recogniser_keeps_luna_quiet_for_800_ms_at_most_and_is_still_obeyed_brg_1() {
    let mut scene = scene("멈춰");
    scene.window_ms = 2500;
    let done = scene.play();
    // The signal may show the end of a voice 100 ms late.
    assert!(matches!(quiet(&done)[1], (2800..=3100, "word")), "{:?}", quiet(&done));
    assert_eq!(reflexes(&done).len(), 1, "{done:?}");
}

// BRG-3
#[test]
fn an_ambiguous_utterance_stops_speech_and_asks_a_model_brg_3() {
    let done = scene("두 줄 뒤 영어로 읽어줘").play();
    let asked = done.iter().find_map(|(_, effect)| match effect {
        TurnEffect::Decide { utterance, text, barge_in, .. } => Some((utterance.clone(), text.clone(), *barge_in)),
        TurnEffect::Wish { wish, .. } => Some((wish.utterance.clone(), TEXT.to_owned(), true)),
        _ => None,
    });
    assert_eq!(asked, Some(("두 줄 뒤 영어로 읽어줘".to_owned(), TEXT.to_owned(), true)), "{done:?}");
}

// BRG-2, FOC-3
#[test]
fn a_language_that_is_said_goes_with_the_wish_brg_2_foc_3() {
    let done = scene("영어로 번역해 줘").play();
    let wish = done.iter().find_map(|(_, effect)| match effect {
        TurnEffect::Wish { wish, .. } => Some((wish.intent, wish.lang_tgt)),
        _ => None,
    });
    assert_eq!(wish, Some((Intent::Translate, Some(luna_messages::Lang::En))), "{done:?}");
}

// BRG-5
#[test]
fn a_voice_shorter_than_the_debounce_is_obeyed_only_when_it_has_ended_brg_5() {
    let obeyed = |debounce| {
        let settings = TurnSettings { debounce: std::time::Duration::from_millis(debounce), ..TurnSettings::default() };
        let voice = SaidVoice { from_ms: 2000, words: vec![("멈춰", 2250)], own: 0.0, own_now: None };
        reflexes(&TurnScene::new(settings, vec![voice]).reading(TEXT).play())
    };
    assert!(matches!(obeyed(200)[..], [(..=2750, Command::Stop)]), "{:?}", obeyed(200));
    assert_eq!(obeyed(300), [(2250 + HANG_OVER_MS, Command::Stop)]);
}

// BRG-5
#[test]
fn the_same_command_at_once_again_counts_once_brg_5() {
    let twice = |second| {
        let voices = vec![said(2000, "다음"), said(second, "다음")];
        reflexes(&TurnScene::new(TurnSettings::default(), voices).reading(TEXT).play()).len()
    };
    assert_eq!(twice(4500), 2);
    let settings = TurnSettings { min_repeat: std::time::Duration::from_secs(3), ..TurnSettings::default() };
    let voices = vec![said(2000, "다음"), said(3500, "다음")];
    let done = TurnScene::new(settings, voices).reading(TEXT).play();
    assert_eq!(reflexes(&done).len(), 1);
    assert_eq!(outcomes(&done)[1].1, HeardOutcome::Repeated);
}

// STT-2, VOI-1
#[test]
fn a_command_for_the_desktop_needs_the_wake_word_while_luna_speaks_stt_2_voi_1() {
    let plain = scene("저장 눌러").play();
    assert_eq!(outcomes(&plain).last().map(|(_, outcome)| *outcome), Some(HeardOutcome::NotAddressed), "{plain:?}");
    let called = scene("루나 저장 눌러").play();
    assert_eq!(outcomes(&called).last().map(|(_, outcome)| *outcome), Some(HeardOutcome::Obeyed), "{called:?}");
}
