//! The usual orders of the desktop (DSL-6), and their danger (DNG-4).

use super::*;

// DSL-6
#[test]
fn usual_orders_are_commands_in_both_languages_dsl_6() {
    for (order, argument, utterances) in [
        ("copy", None, &["복사해 줘", "이거 복사해", "copy this", "copy that please"][..]),
        ("cut", None, &["잘라내 줘", "잘라내기", "cut this", "cut it"]),
        ("paste", None, &["붙여넣어 줘", "붙여 넣기", "paste", "paste it here"]),
        ("undo", None, &["되돌려 줘", "실행 취소해 줘", "undo", "undo that"]),
        ("redo", None, &["다시 실행해 줘", "redo", "redo that"]),
        ("select_all", None, &["전체 선택해 줘", "모두 선택", "select all", "select everything"]),
        ("save", None, &["저장해 줘", "저기 저장해줘", "save this"]),
        ("find", None, &["찾기", "검색해 줘"]),
        ("find", Some("서울"), &["서울 찾아 줘", "서울 검색해 줘"]),
        ("find", Some("budget"), &["find budget", "search for budget"]),
        ("print", None, &["인쇄해 줘", "프린트해 줘", "print this", "print it"]),
        ("new", Some("탭"), &["새 탭 열어 줘", "새 탭 하나 띄워 줘"]),
        ("new", Some("tab"), &["open a new tab", "new tab"]),
        ("close", None, &["닫아 줘", "close it"]),
        ("save", Some("document"), &["I want the document saved"]),
        ("close", Some("window"), &["would you mind closing this window"]),
        ("minimise", None, &["최소화해 줘", "minimize this"]),
        ("maximise", None, &["최대화해 줘", "maximise it"]),
        ("back", None, &["뒤로 가 줘", "이전 페이지로 가 줘", "go back a page", "take me back to the previous page"]),
        ("forward", None, &["앞으로 가 줘", "다음 페이지로 가 줘", "go forward a page"]),
        ("reload", None, &["새로고침해 줘", "페이지 다시 불러와 줘", "reload the page", "refresh"]),
        ("zoom", Some("in"), &["확대해 줘", "줌 인", "zoom in"]),
        ("zoom", Some("out"), &["축소해 줘", "zoom out"]),
        ("zoom", Some("reset"), &["원래 크기로 돌려 줘", "reset the zoom"]),
        ("volume", Some("up"), &["볼륨 올려 줘", "소리 키워 줘", "turn up the volume", "volume up"]),
        ("volume", Some("down"), &["볼륨 낮춰 줘", "소리 줄여 줘", "turn the volume down"]),
        ("mute", Some("on"), &["음소거해 줘", "소리 꺼 줘", "mute"]),
        ("mute", Some("off"), &["음소거 해제해 줘", "unmute", "turn the sound back on"]),
        ("where_am_i", None, &["지금 어디야", "나 지금 어디 있어", "where am I", "what window is this"]),
        (
            "time",
            None,
            &["지금 몇 시야", "오늘 며칠이야", "오늘 무슨 요일이야", "what time is it", "what's the date today"],
        ),
        ("battery", None, &["배터리 얼마나 남았어", "배터리 몇 퍼센트야", "how much battery is left", "battery level"]),
        ("what_can_i_say", None, &["뭐라고 말할 수 있어", "도움말", "what can I say", "help"]),
    ] {
        for utterance in utterances {
            let found = said(utterance, false);
            let wish = &found.wish;
            assert_eq!(
                (found.kind, wish.action, wish.order.as_deref(), wish.argument.as_deref()),
                (UtteranceKind::Command, Some(Action::Desktop), Some(order), argument),
                "{utterance}: {found:?}"
            );
            assert_eq!(found.target_id, None, "{utterance}");
        }
    }
}

// DSL-6
#[test]
fn what_is_opened_or_switched_to_may_be_a_program_dsl_6() {
    for (utterance, order, name) in [
        ("메모장 열어 줘", "open", "메모장"),
        ("open firefox", "open", "firefox"),
        ("크롬으로 전환해 줘", "switch_to", "크롬"),
        ("switch to chrome", "switch_to", "chrome"),
    ] {
        let wish = said(utterance, false).wish;
        let named = wish.argument.as_deref().or(wish.target_text.as_deref());
        assert_eq!((wish.order.as_deref(), named), (Some(order), Some(name)), "{utterance}: {wish:?}");
    }
}

// DSL-6, NLU-3
#[test]
fn a_label_that_is_named_as_one_is_still_pressed_dsl_6() {
    let offered = [button("a", "저장", 0, 0), button("b", "닫기", 0, 40), button("c", "Print", 0, 80)];
    for (utterance, expect) in
        [("저장 버튼 눌러", "a"), ("닫기 눌러 줘", "b"), ("click print", "c"), ("press the print button", "c")]
    {
        let found = among(utterance, &offered);
        assert_eq!(
            (found.wish.action, found.target_id.as_deref()),
            (Some(Action::Invoke), Some(expect)),
            "{utterance}: {found:?}"
        );
    }
}

// DNG-4
#[test]
fn danger_is_a_property_of_words_in_every_form_dng_4() {
    for utterance in [
        "이 메일 보내",
        "보내 줘",
        "보내기 눌러",
        "이 메일 보내고 창 닫아",
        "메일 좀 보내 주실래요",
        "송금 눌러",
        "송금해 줘",
        "이체하기 눌러",
        "휴지통으로 옮겨 줘",
        "파일 지워 줘",
        "이거 지우고 저장해",
        "구독 결제하기 눌러",
        "move this to trash",
        "move it to the trash",
        "delete it",
        "send this email",
        "click pay",
        "click the purchase button",
    ] {
        let found = said(utterance, false);
        assert!(found.dangerous, "{utterance}: {found:?}");
    }
    for utterance in [
        "저장해 줘",
        "복사해 줘",
        "창 닫아 줘",
        "파일 열어 줘",
        "이 메일 읽어 줘",
        "보낸 편지함 열어 줘",
        "click save",
        "close the window",
        "open the sent folder",
    ] {
        let found = said(utterance, false);
        assert!(!found.dangerous, "{utterance}: {found:?}");
    }
    for (label, dangerous) in [
        ("보내기", true),
        ("송금", true),
        ("영구 삭제", true),
        ("Move to Trash", true),
        ("Pay now", true),
        ("휴지통 비우기", true),
        ("Display", false),
        ("보관", false),
        ("Sender", false),
        ("Payload", false),
    ] {
        assert_eq!(luna().is_dangerous(label), dangerous, "{label}");
    }
    let offered = [button("a", "휴지통으로 이동", 0, 0), button("b", "보관", 0, 40)];
    assert!(among("첫 번째 버튼 눌러", &offered).dangerous);
    assert!(!among("두 번째 버튼 눌러", &offered).dangerous);
}
