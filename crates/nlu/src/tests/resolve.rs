//! A step on a later screen, and answers to a question (EXE-3, EXE-5).

use luna_messages::understanding::{ParsedCommand, TargetMatch};
use proptest::prelude::*;

use super::*;

fn screen(labels: &[&str]) -> Vec<CandidateInput> {
    let row = |at: usize| i32::try_from(at).unwrap() * 40;
    labels.iter().enumerate().map(|(at, label)| button(&format!("{at}:{label}"), label, 0, row(at))).collect()
}

/// The label of an id.
fn shown(id: Option<&String>) -> Option<&str> {
    id.and_then(|id| id.split_once(':')).map(|(_, label)| label)
}

// EXE-5
#[test]
fn a_step_finds_its_target_without_the_utterance_exe_5() {
    for (utterance, labels, expect) in [
        // The verb may be what the button is called, or the thing, or both.
        ("파일 삭제해 줘", &["삭제", "저장"][..], Some("삭제")),
        ("파일 삭제해 줘", &["파일 삭제", "삭제", "저장"], Some("파일 삭제")),
        ("연결 끊어 줘", &["연결", "연결 끊기"], Some("연결 끊기")),
        ("로그인해 줘", &["로그인", "취소"], Some("로그인")),
        ("submit the form", &["Submit", "Cancel"], Some("Submit")),
        ("delete the file", &["Delete", "Save"], Some("Delete")),
        ("저장 눌러", &["저장", "취소"], Some("저장")),
        ("취소 버튼 눌러 줘", &["저장", "취소"], Some("취소")),
        ("저장 눌러", &["열기", "취소"], None),
        ("크롬 열어", &["크롬", "엣지"], Some("크롬")),
        ("크롬 열어", &["메모장"], None),
        ("open settings", &["Settings", "Help"], Some("Settings")),
        ("복사해 줘", &["복사", "붙여넣기"], None),
        ("번역해 줘", &["번역"], None),
        ("컨트롤 씨", &["씨"], None),
    ] {
        let offered = screen(labels);
        let alone = said(utterance, false);
        let found = luna().resolve(&alone.wish, &offered);
        assert_eq!(shown(found.target.as_ref()), expect, "{utterance} {labels:?}: {:?} {found:?}", alone.wish);
    }
}

// EXE-5
#[test]
fn later_steps_are_resolved_on_their_screens_exe_5() {
    let found = among("파일 메뉴 누르고 파일 삭제해 줘", &screen(&["파일", "편집"]));
    assert_eq!((found.steps.len(), shown(found.target_id.as_ref())), (2, Some("파일")), "{found:?}");
    let [first, last] = found.steps.as_slice() else { panic!("{found:?}") };
    let later = luna().resolve(last, &screen(&["삭제", "저장"]));
    assert_eq!((shown(later.target.as_ref()), later.dangerous), (Some("삭제"), true), "{last:?}");
    assert_eq!(luna().resolve(first, &screen(&["삭제", "저장"])).target, None);
    let found = said("설정 열고 와이파이 꺼줘", false);
    let [first, last] = found.steps.as_slice() else { panic!("{found:?}") };
    assert_eq!(shown(luna().resolve(first, &screen(&["설정", "도움말"])).target.as_ref()), Some("설정"));
    assert_eq!(shown(luna().resolve(last, &screen(&["와이파이", "블루투스"])).target.as_ref()), Some("와이파이"));
}

// EXE-3
#[test]
fn those_that_fit_alike_are_told_in_reading_order_exe_3() {
    let mut offered = screen(&["선택", "취소", "선택", "선택"]);
    offered.swap(0, 3);
    let found = among("선택 버튼 눌러", &offered);
    assert_eq!((found.kind, &found.target_id), (UtteranceKind::Ambiguous, &None), "{found:?}");
    assert_eq!(found.several, ["0:선택", "2:선택", "3:선택"]);
    let again = luna().resolve(&found.wish, &offered);
    assert_eq!((again.target, again.several), (None, found.several));
    let one = among("두 번째 선택 버튼 눌러", &offered);
    assert_eq!((one.target_id.as_deref(), one.several.len()), (Some("2:선택"), 0), "{one:?}");
}

// EXE-5
#[test]
fn an_unsure_step_says_so_exe_5() {
    let check = |utterance: &str, verb: Option<&str>, unsure: bool| {
        let found = said(utterance, false);
        assert_eq!((found.wish.verb.as_deref(), found.wish.unsure), (verb, unsure), "{utterance}: {found:?}");
    };
    check("파일 삭제해 줘", Some("삭제"), false);
    check("저장 눌러", None, false);
    check("책상 좀 올려 줘", None, true);
    let written = serde_json::to_value(said("저장 눌러", false)).unwrap();
    assert!(written.get("verb").is_none() && written.get("also").is_none() && written.get("unsure").is_none());
}

fn answer(utterance: &str, options: &[CandidateInput]) -> Interpretation {
    let candidates = Some(options.to_vec());
    luna().understand(&UtteranceInput {
        utterance: utterance.to_owned(),
        asking: true,
        candidates,
        ..UtteranceInput::default()
    })
}

// EXE-3, DNG-2
#[test]
fn answers_choose_among_the_options_alone_exe_3() {
    let options = screen(&["홍길동 저장", "전체 저장", "삭제"]);
    for (utterance, expect) in [
        ("1번", Some("홍길동 저장")),
        ("2번", Some("전체 저장")),
        ("이 번", Some("전체 저장")),
        ("두 번째", Some("전체 저장")),
        ("두 번째 거", Some("전체 저장")),
        ("두 번째 거요", Some("전체 저장")),
        ("두 번째 걸로 해 줘", Some("전체 저장")),
        ("세 번째 거 눌러 줘", Some("삭제")),
        ("마지막 거", Some("삭제")),
        ("맨 아래 거", Some("삭제")),
        ("아래 거", Some("삭제")),
        ("위에 거", Some("홍길동 저장")),
        ("전체 저장", Some("전체 저장")),
        ("전체 저장이요", Some("전체 저장")),
        ("전체 저장으로 해 줘", Some("전체 저장")),
        ("홍길동 거", Some("홍길동 저장")),
        ("삭제", Some("삭제")),
        ("4번", None),
    ] {
        let found = answer(utterance, &options);
        assert_eq!(shown(found.target_id.as_ref()), expect, "{utterance}: {found:?}");
        assert_eq!(found.dangerous, expect == Some("삭제"), "{utterance}: {found:?}");
    }
    let options = screen(&["Save draft", "Save all", "Delete"]);
    for (utterance, expect) in [
        ("number 2", Some("Save all")),
        ("two", Some("Save all")),
        ("the second one", Some("Save all")),
        ("second", Some("Save all")),
        ("the last one", Some("Delete")),
        ("the bottom one", Some("Delete")),
        ("the top one", Some("Save draft")),
        ("save all", Some("Save all")),
        ("the save all one", Some("Save all")),
        ("I want the first one", Some("Save draft")),
        ("draft", Some("Save draft")),
        ("click the third one", Some("Delete")),
    ] {
        let found = answer(utterance, &options);
        assert_eq!(shown(found.target_id.as_ref()), expect, "{utterance}: {found:?}");
    }
    for (utterance, value) in [
        ("네", "yes"),
        ("응", "yes"),
        ("아니요", "no"),
        ("취소", "cancel"),
        ("yes", "yes"),
        ("no", "no"),
        ("cancel", "cancel"),
        ("never mind", "cancel"),
    ] {
        let found = answer(utterance, &options);
        assert_eq!(
            (found.kind, found.wish.value.as_deref(), &found.target_id),
            (UtteranceKind::Answer, Some(value), &None),
            "{utterance}: {found:?}"
        );
    }
    // An option that is called so is chosen.
    assert_eq!(shown(answer("취소", &screen(&["확인", "취소"])).target_id.as_ref()), Some("취소"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    // EXE-5
    #[test]
    fn a_step_means_what_the_utterance_means_exe_5(
        thing in prop::sample::select(vec!["저장", "파일", "설정", "연결", "Save", "Inbox", "삭제", "2"]),
        order in prop::sample::select(vec!["X 눌러 줘", "X 삭제해 줘", "X 켜 줘", "X 버튼 눌러", "click X", "delete X", "turn on X", "X 칸에 김치 입력해", "두 번째 X 눌러", "X 끊어 줘", "X 아래 버튼 눌러"]),
        labels in proptest::collection::vec(prop::sample::select(vec!["저장", "파일 삭제", "설정", "연결 끊기", "Save", "Inbox", "삭제", "저장", "Delete", "2"]), 1..7),
    ) {
        let (utterance, offered) = (order.replace('X', thing), screen(&labels));
        let found = among(&utterance, &offered);
        if matches!(found.kind, UtteranceKind::Command | UtteranceKind::Ambiguous) && found.steps.is_empty() {
            let TargetMatch { target, several, ranking, .. } = luna().resolve(&found.wish, &offered);
            prop_assert_eq!((target, several, ranking), (found.target_id, found.several, found.ranking), "{}", utterance);
        }
        prop_assert_eq!(luna().resolve(&ParsedCommand::default(), &offered), TargetMatch::default());
    }
}
