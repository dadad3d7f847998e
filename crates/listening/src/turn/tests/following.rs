//! What words lead to afterwards: the rest of a voice, questions, decisions that are no longer wanted, failures.

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::engine::SoundExtent;
use luna_messages::listening::{HeardOutcome, VoiceEvent};
use luna_messages::tts::SpeechEvent;

use super::scene::{Doing, SaidVoice, TurnScene, outcomes, quiet, reflexes, rules, said};
use crate::signal::HeardPlace;
use crate::turn::phrases::SpokenPhrase;
use crate::turn::{Addressing, TurnEffect, TurnEvent, TurnMachine, TurnSettings};

const TEXT: &str = "오늘 서울은 맑고 바람이 조금 불겠습니다.";

fn commands(done: &[Doing]) -> Vec<Command> {
    reflexes(done).into_iter().map(|(_, command)| command).collect()
}

fn told(done: &[Doing]) -> Vec<HeardOutcome> {
    outcomes(done).into_iter().map(|(_, outcome)| outcome).collect()
}

fn text(text: &str) -> TurnEvent {
    TurnEvent::SayTo { text: text.to_owned() }
}

// BRG-1, BRG-5
#[test]
fn two_commands_in_one_breath_are_both_obeyed_brg_1_brg_5() {
    let check = |words, expect: &[Command]| {
        let done = TurnScene::new(TurnSettings::default(), vec![said(2000, words)]).reading(TEXT).play();
        assert_eq!(commands(&done), expect, "{words}");
    };
    check("멈춰 다음", &[Command::Stop, Command::Next]);
    check("멈춰 음 집중 모드 꺼", &[Command::Stop, Command::FocusOff]);
    check("멈춰 멈춰 멈춰", &[Command::Stop]);
    check("멈춰 여보 이리 와 봐", &[Command::Stop]);
    check("멈춰 고양이 밥그릇 파랗다", &[Command::Stop]);
    // One command of two words.
    check("잠깐 멈춰 봐", &[Command::Pause]);
}

// BRG-5
#[test]
fn a_rest_that_another_command_overtook_is_not_obeyed_brg_5() {
    let voices = vec![said(2000, "멈춰 여보 다음"), said(4000, "루나 집중 모드 켜")];
    let mut scene = TurnScene::new(TurnSettings::default(), voices).reading(TEXT);
    scene.whole_ms = 4_000;
    scene.until_ms = 16_000;
    let done = commands(&scene.play());
    assert_eq!(done, [Command::Stop, Command::FocusOn]);
}

// BRG-6
#[test]
fn lunas_own_voice_after_a_command_is_no_command_brg_6() {
    // "다음" was obeyed, and Luna's next sentence goes on the same voice.
    let check = |own, expect: &[Command]| {
        let voice = SaidVoice { own, ..said(2000, "멈춰 집중 모드 꺼") };
        let done = TurnScene::new(TurnSettings::default(), vec![voice]).reading("집중 모드 꺼 라는 글입니다.").play();
        assert_eq!(commands(&done), expect, "{own}");
    };
    check(0.1, &[Command::Stop, Command::FocusOff]);
    check(0.55, &[Command::Stop]);
}

// BRG-1
#[test]
fn nothing_is_said_about_the_rest_of_a_voice_that_means_nothing_brg_1() {
    let done =
        TurnScene::new(TurnSettings::default(), vec![said(2000, "멈춰 고양이 밥그릇 파랗다")]).reading(TEXT).play();
    assert!(!done.iter().any(|(_, effect)| matches!(effect, TurnEffect::Say(_))), "{done:?}");
    assert_eq!(told(&done), [HeardOutcome::Obeyed]);
}

// BRG-2, BRG-3, FOC-6
#[test]
fn what_words_lead_to_is_newer_than_the_cut_before_it_brg_2_brg_3_foc_6() {
    let check = |words| {
        let done = TurnScene::new(TurnSettings::default(), vec![said(2000, words)]).reading(TEXT).play();
        let cut = done.iter().find_map(|(_, effect)| match effect {
            TurnEffect::Cut { at } => Some(*at),
            _ => None,
        });
        let id = done.iter().find_map(|(_, effect)| match effect {
            TurnEffect::Wish { id, .. } | TurnEffect::Decide { id, .. } => Some(*id),
            _ => None,
        });
        assert!(cut.is_some() && cut < id, "{words}: {cut:?} {id:?} {done:?}");
    };
    check("영어로 번역해 줘");
    check("두 줄 뒤 영어로 읽어줘");
}

// KER-6
#[test]
fn a_decision_that_is_no_longer_wanted_is_cancelled_ker_6() {
    let voices = vec![said(2000, "두 줄 뒤 영어로 읽어줘"), said(7000, "루나 멈춰")];
    let done = TurnScene::new(TurnSettings::default(), voices).reading(TEXT).play();
    let asked: Vec<RequestId> = done
        .iter()
        .filter_map(|(_, effect)| match effect {
            TurnEffect::Decide { id, .. } => Some(*id),
            _ => None,
        })
        .collect();
    let cancelled = |id: &RequestId| done.iter().any(|(_, effect)| *effect == TurnEffect::CancelDecide { id: *id });
    // Not decided by rules, or the test tests nothing.
    assert!(asked.len() == 1 && asked.iter().all(cancelled), "{done:?}");
}

// BRG-1
#[test]
fn only_what_was_nothing_counts_as_resumed_brg_1() {
    let resumed = |words| {
        let done = TurnScene::new(TurnSettings::default(), vec![said(2000, words)]).reading(TEXT).play();
        done.iter().any(|(_, effect)| matches!(effect, TurnEffect::Publish(BusEvent::DuckEnded { .. })))
    };
    assert!(!resumed("멈춰") && !resumed("다음"));
    assert!(resumed("여보 이리 와 봐"));
}

// VOI-1
#[test]
fn who_was_not_understood_says_it_again_without_the_name_voi_1() {
    let voices = vec![said(500, "루나 고양이 밥그릇 파랗다"), said(5500, "집중 모드 켜")];
    let done = TurnScene::new(TurnSettings::default(), voices).play();
    assert_eq!(told(&done), [HeardOutcome::NotUnderstood, HeardOutcome::Obeyed]);
    // A television is asked once more at most.
    let talk = |n: u64| said(500 + 4000 * n, if n == 0 { "루나 고양이 밥그릇 파랗다" } else { "고양이 밥그릇 파랗다" });
    let mut scene = TurnScene::new(TurnSettings::default(), (0..5).map(talk).collect());
    scene.until_ms = 24_000;
    let asked = told(&scene.play()).iter().filter(|outcome| **outcome == HeardOutcome::NotUnderstood).count();
    assert!(asked <= 2, "{asked}");
}

// VOI-1
#[test]
fn words_that_come_as_text_need_the_name_in_mode_hold_and_no_key_voi_1() {
    let settings = TurnSettings { addressing: Addressing::Hold, ..TurnSettings::default() };
    let mut scene = TurnScene::new(settings, vec![]);
    scene.events = vec![(1000, || text("루나, 집중 모드 켜")), (2000, || text("집중 모드 꺼"))];
    assert_eq!(commands(&scene.play()), [Command::FocusOn]);
}

// BRG-1, VOI-1
#[test]
fn without_barge_in_words_over_luna_need_the_name_brg_1_voi_1() {
    let obeyed = |words| {
        let settings = TurnSettings { barge_in: false, ..TurnSettings::default() };
        let done = TurnScene::new(settings, vec![said(2000, words)]).reading(TEXT).play();
        assert!(!quiet(&done).iter().any(|(_, what)| *what == "duck"), "{done:?}");
        commands(&done)
    };
    assert_eq!(obeyed("멈춰"), []);
    assert_eq!(obeyed("루나 멈춰"), [Command::Stop]);
}

// VOI-1
#[test]
fn a_pause_that_was_ended_is_no_pause_voi_1() {
    let obeyed = |stopped: bool| {
        let mut scene = TurnScene::new(TurnSettings::default(), vec![said(4000, "다음")]).reading(TEXT);
        scene.events = vec![(1000, || TurnEvent::Speech(SpeechEvent::Paused { id: RequestId(7) }))];
        if stopped {
            scene.events.push((2000, || TurnEvent::Speech(SpeechEvent::Stopped { id: RequestId(7), idx: 0 })));
        }
        commands(&scene.play())
    };
    assert_eq!(obeyed(false), [Command::Next]);
    assert_eq!(obeyed(true), []);
}

// KER-9, STT-1
#[test]
fn who_called_luna_learns_that_the_recogniser_failed_ker_9_stt_1() {
    let check = |words: &'static str, expect: bool| {
        let mut machine = TurnMachine::new(TurnSettings::default());
        let mut step = |event, ms: u64| machine.step(event, Duration::from_millis(ms), rules());
        let position = |ms: u64| ms * 16;
        let onset = VoiceEvent::Onset { from: position(500), own: 0.0 };
        let mut done = step(TurnEvent::Voice { event: onset, heard: position(600) }, 600);
        let place = HeardPlace { heard: position(1500), voiced: position(1400), own: 0.0, own_now: 0.0 };
        done.extend(step(TurnEvent::Tick(place), 1500));
        let end = VoiceEvent::End { from: position(500), to: position(1640), own: 0.0 };
        let (mut next, mut failed) = (Some(TurnEvent::Voice { event: end, heard: position(2000) }), false);
        while let Some(event) = next.take() {
            let mut effects = step(event, 2000);
            effects.extend(step(TurnEvent::Tick(HeardPlace { heard: position(2000), ..place }), 2000));
            for effect in done.drain(..).chain(effects) {
                if let TurnEffect::Transcribe { id, extent, .. } = &effect {
                    let heard = (*extent == SoundExtent::Window).then(|| vec![super::scene::segment(words.to_owned())]);
                    failed |= heard.is_none();
                    next = Some(TurnEvent::Transcribed { id: *id, segments: heard });
                } else if effect == TurnEffect::Say(SpokenPhrase::NotHeard) {
                    assert!(expect, "{words}");
                    return;
                }
            }
        }
        assert!(!expect, "{words}: {failed}");
    };
    check("루나 고양이 밥그릇", true);
    check("고양이 밥그릇", false);
}

// BRG-4, BRG-6
#[test]
fn a_person_who_joins_in_with_luna_is_heard_brg_4_brg_6() {
    let joins = |own_now| {
        let voice = SaidVoice { own: 0.97, own_now: Some(own_now), ..said(2000, "멈춰 줘") };
        let done = TurnScene::new(TurnSettings::default(), vec![voice]).reading(TEXT).play();
        (commands(&done), quiet(&done).len())
    };
    assert_eq!(joins(0.96), (vec![], 0));
    assert_eq!(joins(0.4), (vec![Command::Stop], 2));
}

// VOI-1, KER-9
#[test]
fn without_a_device_nobody_speaks_over_luna_voi_1_ker_9() {
    let obeyed = |unheard: bool| {
        let mut scene = TurnScene::new(TurnSettings::default(), vec![said(4000, "다음")]).reading(TEXT);
        if unheard {
            scene.events = vec![(2000, || TurnEvent::Unheard)];
        }
        commands(&scene.play())
    };
    assert_eq!((obeyed(false), obeyed(true)), (vec![Command::Next], vec![]));
}

// STT-3
#[test]
fn a_signal_that_begins_anew_forgets_where_talk_ended_stt_3() {
    let said = [
        "그래", "어제", "거기", "갔다", "왔어", "우리", "형이", "밥도", "샀고", "차도", "마셨", "는데", "비가", "왔지",
    ];
    let words = said.iter().enumerate().map(|(n, word)| (*word, 2600 + 600 * n as u64)).collect();
    let talk = SaidVoice { from_ms: 2000, words, own: 0.0, own_now: None };
    let mut scene = TurnScene::new(TurnSettings::default(), vec![talk]).reading(TEXT);
    scene.until_ms = 14_500;
    let _ = scene.play();
    let mut machine = scene.machine;
    let mut onset = |from| {
        let event = TurnEvent::Voice { event: VoiceEvent::Onset { from, own: 0.0 }, heard: from + 1280 };
        machine.step(event, Duration::from_secs(20), rules()).contains(&TurnEffect::Duck)
    };
    assert!(!onset(14_000), "the same talk goes on");
    let _ = machine.step(TurnEvent::Lost, Duration::from_secs(20), rules());
    let event = TurnEvent::Voice { event: VoiceEvent::Onset { from: 14_000, own: 0.0 }, heard: 15_280 };
    assert!(machine.step(event, Duration::from_secs(21), rules()).contains(&TurnEffect::Duck));
}
