//! When words count as said to Luna.

use luna_messages::control::Command;
use luna_messages::engine::SoundExtent;
use luna_messages::listening::HeardOutcome;

use super::scene::{TurnScene, outcomes, reflexes, said};
use crate::turn::{Addressing, TurnEffect, TurnEvent, TurnSettings};

fn last(scene: &mut TurnScene) -> Option<HeardOutcome> {
    outcomes(&scene.play()).last().map(|(_, outcome)| *outcome)
}

fn with(addressing: Addressing) -> TurnSettings {
    TurnSettings { addressing, ..TurnSettings::default() }
}

// VOI-1
#[test]
fn while_luna_is_silent_the_wake_word_decides_voi_1() {
    let check = |words, expect: HeardOutcome| {
        let mut scene = TurnScene::new(TurnSettings::default(), vec![said(500, words)]);
        assert_eq!(last(&mut scene), Some(expect), "{words}");
    };
    check("루나 집중 모드 켜", HeardOutcome::Obeyed);
    check("집중 모드 켜", HeardOutcome::NotAddressed);
    check("루나 저장 눌러", HeardOutcome::Obeyed);
    check("루나", HeardOutcome::Called);
    check("루나 고양이 밥그릇 파랗다", HeardOutcome::NotUnderstood);
    check("여보 멈춰", HeardOutcome::NotAddressed);
}

// VOI-1, STT-2
#[test]
fn speech_that_never_calls_luna_is_not_transcribed_as_a_whole_voi_1_stt_2() {
    let words = "어제 본 영화가 참 재미있었는데 너도 꼭 한번 봐야 해 정말로";
    let done = TurnScene::new(TurnSettings::default(), vec![said(500, words)]).play();
    let extents: Vec<SoundExtent> = done
        .iter()
        .filter_map(|(_, effect)| match effect {
            TurnEffect::Transcribe { extent, .. } => Some(*extent),
            _ => None,
        })
        .collect();
    assert!(!extents.contains(&SoundExtent::Utterance) && extents.len() <= 5, "{extents:?}");
}

// VOI-1
#[test]
fn after_the_name_alone_the_next_words_are_for_luna_voi_1() {
    let voices = vec![said(500, "루나"), said(3500, "집중 모드 켜")];
    let done = TurnScene::new(TurnSettings::default(), voices).play();
    assert_eq!(reflexes(&done).iter().map(|(_, command)| *command).collect::<Vec<_>>(), [Command::FocusOn]);
    // Not for ever.
    let mut late = TurnScene::new(TurnSettings::default(), vec![said(500, "루나"), said(12_000, "집중 모드 켜")]);
    late.until_ms = 16_000;
    assert_eq!(reflexes(&late.play()), []);
}

// VOI-1, BRG-1
#[test]
fn who_calls_while_luna_reads_is_listened_to_voi_1_brg_1() {
    let voices = vec![said(2000, "루나"), said(5000, "저장 눌러")];
    let done = TurnScene::new(TurnSettings::default(), voices).reading("긴 글입니다.").play();
    assert!(done.iter().any(|(_, effect)| matches!(effect, TurnEffect::Cut { .. })), "{done:?}");
    let told: Vec<HeardOutcome> = outcomes(&done).into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(told, [HeardOutcome::Called, HeardOutcome::Obeyed]);
}

// VOI-1
#[test]
fn modes_limit_when_words_count_voi_1() {
    let reads = |settings: TurnSettings, words| {
        reflexes(&TurnScene::new(settings, vec![said(2000, words)]).reading("긴 글입니다.").play()).len()
    };
    assert_eq!(reads(with(Addressing::Auto), "멈춰"), 1);
    assert_eq!(reads(with(Addressing::WakeOnly), "멈춰"), 0);
    assert_eq!(reads(with(Addressing::WakeOnly), "루나 멈춰"), 1);
    assert_eq!(reads(with(Addressing::Hold), "멈춰"), 0);
    let mut held = TurnScene::new(with(Addressing::Hold), vec![said(2000, "멈춰")]).reading("긴 글입니다.");
    held.events = vec![(1500, || TurnEvent::Hold { down: true }), (2900, || TurnEvent::Hold { down: false })];
    assert_eq!(reflexes(&held.play()).len(), 1);
    let always = TurnSettings { wake_word: None, ..TurnSettings::default() };
    let done = TurnScene::new(always, vec![said(500, "집중 모드 켜")]).play();
    assert_eq!(reflexes(&done).len(), 1);
}

// VOI-1
#[test]
fn without_the_key_nothing_is_heard_in_mode_hold_voi_1() {
    let mut scene = TurnScene::new(with(Addressing::Hold), vec![said(2000, "루나 멈춰")]).reading("긴 글입니다.");
    let done = scene.play();
    assert!(done.iter().all(|(_, effect)| matches!(effect, TurnEffect::Mode(_) | TurnEffect::Publish(_))), "{done:?}");
}
