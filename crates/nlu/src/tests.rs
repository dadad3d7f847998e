//! The whole of understanding, over the whole vocabulary and over ordinary sentences.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod anchors;
mod around;
mod assent;
mod besides;
mod configured;
mod counting;
mod desktop;
mod fields;
mod frames;
mod help;
mod hesitation;
mod korean_frames;
mod numbers;
mod operators;
mod ordinary;
mod places;
mod properties;
mod reasons;
mod resolve;
mod second_hearing;
mod sure;
mod values;
mod variants;
mod wake;
mod widgets;
mod words;

use luna_messages::Fidelity;
use luna_messages::candidate::Zone;
use luna_messages::dsl::{Action, ScrollAmount, ScrollDirection};
use luna_messages::reading::Intent;
use luna_messages::understanding::{CandidateInput, Relation, UtteranceKind};
use luna_messages::{Lang, understanding::OneOrMany};

use super::*;

/// The classifier that lies beside the program.
fn classifier() -> talk::Classifier {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/order-or-talk/order-or-talk.bin");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    talk::Classifier::read(&bytes).unwrap()
}

fn luna() -> &'static Understanding {
    static LUNA: std::sync::OnceLock<Understanding> = std::sync::OnceLock::new();
    LUNA.get_or_init(|| Understanding::new(&Vocabulary::default()).with_classifier(Some(classifier())))
}

/// Without the classifier's file: the grammar alone.
fn careful() -> &'static Understanding {
    static CAREFUL: std::sync::OnceLock<Understanding> = std::sync::OnceLock::new();
    CAREFUL.get_or_init(|| Understanding::new(&Vocabulary::default()))
}

fn said(utterance: &str, speaking: bool) -> Interpretation {
    luna().understand(&UtteranceInput { utterance: utterance.to_owned(), speaking, ..UtteranceInput::default() })
}

fn among(utterance: &str, candidates: &[CandidateInput]) -> Interpretation {
    let candidates = Some(candidates.to_vec());
    luna().understand(&UtteranceInput { utterance: utterance.to_owned(), candidates, ..UtteranceInput::default() })
}

fn check_reflex(utterance: &str, expect: Option<Command>) {
    assert_eq!(said(utterance, true).command, expect, "{utterance}");
}

// BRG-1
#[test]
fn reflexes_are_understood_however_they_are_said_brg_1() {
    for utterance in [
        "멈춰",
        "멈춰줘",
        "멈춰 주실래요?",
        "음, 멈춰",
        "루나야 멈춰",
        "멈 춰",
        "멈춰 멈춰",
        "좀 멈춰 봐",
        "멈추라고 했잖아",
        "ＳＴＯＰ",
        "stop please",
        "스톱",
    ] {
        check_reflex(utterance, Some(Command::Stop));
    }
    for utterance in ["멈처", "멈쳐", "stopp"] {
        check_reflex(utterance, Some(Command::Stop));
    }
    for utterance in ["정류장에 멈춰 있는 버스", "다음 주", "번역가", "이번", "shop", "그게", "the next stop"]
    {
        check_reflex(utterance, None);
    }
}

// BRG-1, ANN-3
#[test]
fn rows_are_read_on_demand_brg_1_ann_3() {
    for utterance in ["행 읽어", "이 행 읽어 줘", "행 전체 읽어줘", "read the row", "read this whole row"]
    {
        check_reflex(utterance, Some(Command::ReadRow));
    }
    for utterance in
        ["표 읽어", "목록 읽어", "이 표 다 읽어 줘", "리스트 읽어줘", "read the table", "read this list aloud"]
    {
        check_reflex(utterance, Some(Command::ReadTable));
    }
    for utterance in ["표", "목록", "행", "여행 목록", "비행기 표", "table"] {
        check_reflex(utterance, None);
    }
}

// BRG-1, NLU-1
#[test]
fn what_works_on_a_text_is_a_reflex_only_while_luna_speaks_brg_1() {
    let speaking = said("영어로 번역해줘", true);
    assert_eq!(
        (speaking.kind, speaking.command, speaking.wish.lang_tgt),
        (UtteranceKind::Reflex, Some(Command::Translate), Some(Lang::En))
    );
    let silent = said("영어로 번역해줘", false);
    assert_eq!((silent.kind, silent.command, silent.wish.lang_tgt), (UtteranceKind::Reading, None, Some(Lang::En)));
    assert_eq!(silent.wish.intent, Some(Intent::Translate));
}

// BRG-3, DSL-5
#[test]
fn more_than_a_reflex_is_ambiguous_while_luna_speaks_brg_3() {
    for (speaking, kind) in [(true, UtteranceKind::Ambiguous), (false, UtteranceKind::Reading)] {
        let understood = said("두 줄 뒤 영어로 읽어줘", speaking);
        let wish = understood.wish;
        assert_eq!(understood.kind, kind);
        assert_eq!((wish.intent, wish.lang_tgt, wish.line_offset), (Some(Intent::Read), Some(Lang::En), Some(2)));
    }
}

// NLU-2
#[test]
fn a_thing_named_by_its_place_needs_no_verb_nlu_2() {
    for (utterance, text, relation, anchor, zone) in [
        ("파일 이름 아래의 버튼", Some("버튼"), Some(Relation::Below), Some("파일 이름"), None),
        ("비밀번호 칸 아래 로그인 버튼", Some("로그인"), Some(Relation::Below), Some("비밀번호"), None),
        ("오른쪽 위 닫기 버튼", Some("닫기"), None, None, Some(Zone::TopRight)),
        ("the button below File name", Some("button"), Some(Relation::Below), Some("File name"), None),
        ("the close button at the top right", Some("close"), None, None, Some(Zone::TopRight)),
    ] {
        let Interpretation { kind, wish, .. } = said(utterance, false);
        assert_eq!((kind, wish.action), (UtteranceKind::Command, Some(Action::Invoke)), "{utterance}");
        assert_eq!(
            (wish.target_text.as_deref(), wish.relation, wish.anchor.as_deref(), wish.zone),
            (text, relation, anchor, zone),
            "{utterance}"
        );
        assert_eq!(said(utterance, true).kind, UtteranceKind::None, "speech goes on: {utterance}");
    }
    for utterance in ["저장 버튼", "아래의 글", "below the line", "책상 위의 사과"] {
        assert_ne!(said(utterance, false).kind, UtteranceKind::Command, "{utterance}");
    }
}

// NLU-1, TRN-3
#[test]
fn reading_knows_language_and_mode_nlu_1() {
    for (utterance, intent, lang, mode) in [
        ("영어를 한국어로 번역해", Intent::Translate, Some(Lang::Ko), None),
        ("자연스럽게 번역해줘", Intent::Translate, None, Some(Fidelity::Natural)),
        ("직역해줘", Intent::Translate, None, Some(Fidelity::Faithful)),
        ("translate this naturally into Korean", Intent::Translate, Some(Lang::Ko), Some(Fidelity::Natural)),
        ("이 글 요약해줘", Intent::Summarize, None, None),
        ("숫자만 읽어줘", Intent::Numbers, None, None),
        ("철자 하나씩 불러줘", Intent::Spell, None, None),
        ("여기 읽어줘", Intent::Read, None, None),
    ] {
        let understood = said(utterance, false);
        assert_eq!(understood.kind, UtteranceKind::Reading, "{utterance}");
        assert_eq!(
            (understood.wish.intent, understood.wish.lang_tgt, understood.wish.mode),
            (Some(intent), lang, mode),
            "{utterance}"
        );
    }
}

// NLU-2, DSL-2
#[test]
fn commands_are_taken_apart_nlu_2() {
    let below = said("파일 이름 아래의 버튼 눌러줘", false).wish;
    assert_eq!((below.relation, below.anchor.as_deref()), (Some(Relation::Below), Some("파일 이름")));
    let corner = said("우하단 확인 버튼 클릭", false).wish;
    assert_eq!((corner.zone, corner.target_text.as_deref()), (Some(Zone::BottomRight), Some("확인")));
    let third = said("세 번째 저장 버튼 눌러", false).wish;
    assert_eq!(
        (third.action, third.ordinal, third.target_text.as_deref()),
        (Some(Action::Invoke), Some(3), Some("저장"))
    );
    let value = said("이름 칸에 '홍 길동'이라고 써줘", false).wish;
    assert_eq!(
        (value.action, value.value.as_deref(), value.target_text.as_deref()),
        (Some(Action::SetValue), Some("홍 길동"), Some("이름"))
    );
    let scroll = said("끝까지 내려줘", false).wish;
    assert_eq!((scroll.direction, scroll.amount), (Some(ScrollDirection::Down), Some(ScrollAmount::End)));
    for (utterance, target) in [
        ("회의 메모 눌러줘", "회의 메모"),
        ("휴가 신청 눌러줘", "휴가 신청"),
        ("홈으로 가줘", "홈"),
        ("바로 가기 눌러", "바로 가기"),
    ] {
        assert_eq!(said(utterance, false).wish.target_text.as_deref(), Some(target), "{utterance}");
    }
}

// EXE-4
#[test]
fn keys_have_one_spelling_exe_4() {
    for (utterance, expect) in [
        ("컨트롤 쉬프트 티 눌러", "ctrl+shift+t"),
        ("쉬프트 컨트롤 티", "ctrl+shift+t"),
        ("press shift+ctrl+t", "ctrl+shift+t"),
        ("알트 탭", "alt+tab"),
        ("ctrl+s 눌러줘", "ctrl+s"),
    ] {
        assert_eq!(said(utterance, false).wish.hotkey.as_deref(), Some(expect), "{utterance}");
    }
    for (utterance, expect) in
        [("엔터 쳐줘", "enter"), ("press escape", "esc"), ("에프 오 키 눌러", "f5"), ("아래 화살표 눌러", "down")]
    {
        assert_eq!(said(utterance, false).wish.key.as_deref(), Some(expect), "{utterance}");
    }
}

// EXE-5
#[test]
fn several_steps_are_told_apart_exe_5() {
    let steps = said("설정 열고 와이파이 꺼줘", false).steps;
    let actions: Vec<_> = steps.iter().map(|step| step.action).collect();
    assert_eq!(actions, [Some(Action::Desktop), Some(Action::Toggle)]);
    assert_eq!(said("open the menu, select the second item and press enter", false).steps.len(), 3);
    assert!(said("저장 버튼 눌러", false).steps.is_empty());
}

fn button(id: &str, text: &str, x: i32, y: i32) -> CandidateInput {
    let bbox = Some(luna_messages::Rect::new(x, y, 80, 30).into());
    CandidateInput {
        id: id.to_owned(),
        role: Some("button".to_owned()),
        text: Some(text.to_owned()),
        bbox,
        ..CandidateInput::default()
    }
}

// NLU-3
#[test]
fn the_same_label_beats_one_that_contains_it_nlu_3() {
    let offered = [button("b", "다른 이름으로 저장", 0, 0), button("a", "저장", 100, 0)];
    for utterance in ["저장 눌러", "저 장 버튼 눌러줘", "저쟝 눌러", "세이브 버튼 클릭", "저장눌러줘"]
    {
        assert_eq!(among(utterance, &offered).target_id.as_deref(), Some("a"), "{utterance}");
    }
    let twice = [button("a", "저장", 0, 0), button("b", "저장", 100, 0)];
    assert_eq!(among("저장 눌러", &twice).target_id, None);
    assert_eq!(among("두 번째 저장 눌러", &twice).target_id.as_deref(), Some("b"));
}

// RNK-1
#[test]
fn ties_go_to_accessibility_then_to_reading_order_rnk_1() {
    let mut offered = [button("late", "저장", 0, 100), button("ocr", "저장", 0, 0), button("early", "저장", 0, 50)];
    offered[1].source = Some("ocr".to_owned());
    assert_eq!(among("저장 눌러", &offered).ranking, ["early", "late", "ocr"]);
    offered[2].enabled = Some(false);
    assert_eq!(among("저장 눌러", &offered).ranking, ["late", "ocr", "early"]);
    let many: Vec<CandidateInput> = (0..9).map(|i| button(&i.to_string(), "저장", 0, 40 * i)).collect();
    assert_eq!(among("저장 눌러", &many).ranking.len(), 5);
    let mut near = [button("x", "찾아보기", 0, 0), button("y", "찾아보기", 300, 300)];
    near[1].near = Some(OneOrMany::One("파일 이름".to_owned()));
    near[0].bbox = None;
    near[1].bbox = None;
    assert_eq!(among("파일 이름 옆의 찾아보기 눌러", &near).ranking[0], "y");
}

// DNG-1, DNG-3
#[test]
fn danger_is_said_of_what_acts_dng_1() {
    for (utterance, expect) in [
        ("삭제해줘", true),
        ("휴지통 비워줘", true),
        ("메일 전송해 주세요", true),
        ("구매 버튼 눌러", true),
        ("결재 버튼 눌러", true),
        ("delete this file", true),
        ("send it", true),
        ("pay now", true),
        ("저장해줘", false),
        ("display 설정 열어줘", false),
        ("삭제 버튼 읽어줘", false),
        ("결제 금액 번역해줘", false),
    ] {
        assert_eq!(said(utterance, false).dangerous, expect, "{utterance}");
    }
    let offered = [button("a", "취소", 0, 0), button("b", "모두 삭제", 0, 40)];
    assert!(among("두 번째 버튼 눌러", &offered).dangerous);
    assert!(among("2번", &offered).dangerous);
    assert!(!among("취소 눌러", &offered).dangerous);
    let own = Understanding::new(&Vocabulary { dangerous: vec!["제출".to_owned()], ..Vocabulary::default() });
    assert!(own.is_dangerous("과제 제출") && !luna().is_dangerous("과제 제출"));
    assert!(own.is_dangerous("empty it") && own.is_dangerous("삭제"), "the configuration takes none away");
}

// EXE-3
#[test]
fn answers_choose_by_number_ordinal_and_text_exe_3() {
    let offered = [button("a", "하나은행", 0, 0), button("b", "우리은행", 0, 40), button("c", "국민은행", 0, 80)];
    for (utterance, expect) in [
        ("2번", "b"),
        ("두 번째", "b"),
        ("이번 거", "b"),
        ("둘", "b"),
        ("우리은행", "b"),
        ("마지막 거요", "c"),
        ("number three", "c"),
        ("일번", "a"),
    ] {
        let understood = among(utterance, &offered);
        assert_eq!(
            (understood.kind, understood.target_id.as_deref()),
            (UtteranceKind::Answer, Some(expect)),
            "{utterance}"
        );
    }
    assert_eq!(said("이번", false).kind, UtteranceKind::None);
    for (utterance, expect) in
        [("네", "yes"), ("루나, 예", "yes"), ("하지 마", "no"), ("취소해 줘", "cancel"), ("never mind", "cancel")]
    {
        assert_eq!(said(utterance, false).wish.value.as_deref(), Some(expect), "{utterance}");
    }
}
