//! Negation, repair and contrast (NLU-5).

use super::*;

/// What is done, in one word each: a reflex or an answer by its name, else the target, the keys or the order.
fn meant(found: &Interpretation) -> String {
    let of = |wish: &luna_messages::understanding::ParsedCommand| {
        let texts = [&wish.target_text, &wish.hotkey, &wish.key, &wish.value, &wish.order];
        let zone = wish.zone.map(|zone| zone.name().to_owned());
        let said = texts.into_iter().flatten().next().cloned().or(zone);
        said.or(wish.intent.map(|intent| format!("{intent:?}").to_lowercase())).unwrap_or_default()
    };
    match (found.command, found.steps.as_slice()) {
        (Some(command), _) => command.name().to_owned(),
        (None, []) => of(&found.wish),
        (None, steps) => steps.iter().map(of).collect::<Vec<_>>().join(" + "),
    }
}

fn check(utterance: &str, kind: UtteranceKind, expect: &str) {
    let found = said(utterance, false);
    assert_eq!((found.kind, meant(&found).to_lowercase().as_str()), (kind, expect), "{utterance}: {found:?}");
}

// NLU-5
#[test]
fn what_is_meant_is_done_and_not_what_is_rejected_nlu_5() {
    use UtteranceKind::{Command, Reading};
    for (utterance, kind, expect) in [
        ("저장 안 함 말고 저장 눌러", Command, "저장"),
        ("삭제 누르지 말고 취소 눌러", Command, "취소"),
        ("click cancel no wait click okay", Command, "okay"),
        ("click okay not cancel", Command, "okay"),
        ("click okay, not cancel", Command, "okay"),
        ("취소 아니 확인 눌러", Command, "확인"),
        ("취소 눌러 아니 확인 눌러", Command, "확인"),
        ("don't click delete, click cancel", Command, "cancel"),
        ("click okay instead of cancel", Command, "okay"),
        ("컨트롤 브이 말고 컨트롤 씨", Command, "ctrl+c"),
        ("press control v, no, control c", Command, "ctrl+c"),
        ("번역하지 말고 그냥 읽어 줘", Reading, "read"),
    ] {
        check(utterance, kind, expect);
    }
}

// NLU-5
#[test]
fn a_thing_after_a_contrast_is_looked_for_where_it_is_said_to_be_nlu_5() {
    let offered = [button("a", "위", 0, 0), button("b", "아래", 0, 300)];
    let found = among("아니 그거 말고 아래 거", &offered);
    assert_ne!(found.kind, UtteranceKind::Reflex, "{found:?}");
    assert_ne!(found.target_id.as_deref(), Some("a"), "{found:?}");
    let found = said("아니 그거 말고 아래 거", true);
    assert_ne!(found.command, Some(Command::Prev), "{found:?}");
}

// NLU-5
#[test]
fn a_negated_order_does_nothing_and_says_so_nlu_5() {
    for utterance in [
        "저장 누르지 마",
        "그 창 닫지 마",
        "삭제하지 마세요",
        "확인 버튼 누르지 말아 줘",
        "메일 보내지 마",
        "don't click save",
        "do not close the window",
        "please don't delete this file",
        "never press the red button",
        "안 저장해",
        "결제하기 누르면 큰일 나니까 누르지 마라",
        "크롬 켜 줘 아 됐어 안 켜도 돼",
        "못 닫아",
        "파일 안 저장해",
        "저장하지 말고",
        "저장 눌러 아 잠깐",
        "저장 눌러 아니",
        "저장 눌러 그만",
        "close it no",
        "click save wait",
        "don't open or close it",
        "don't save or print it",
    ] {
        let found = said(utterance, false);
        assert_eq!((found.kind, found.negated), (UtteranceKind::None, true), "{utterance}: {found:?}");
        assert!(found.wish == luna_messages::understanding::ParsedCommand::default() && found.target_id.is_none());
        assert!(!found.dangerous, "nothing is done: {utterance}");
        let expect = if utterance.is_ascii() { "nothing is done" } else { "아무것도 하지 않습니다" };
        assert!(found.why.contains(expect), "{utterance}: {}", found.why);
    }
    // What is not negated doesn't say so.
    for utterance in ["저장 눌러", "click save", "멈춰", "안녕하세요"] {
        assert!(!said(utterance, false).negated, "{utterance}");
    }
}

// NLU-5
#[test]
fn what_is_rejected_is_never_the_target_nlu_5() {
    let offered = [
        button("a", "저장 안 함", 0, 0),
        button("b", "취소", 0, 40),
        button("c", "삭제", 0, 80),
        button("d", "저장", 0, 120),
    ];
    for (utterance, expect) in [
        ("저장 안 함 말고 저장 눌러", "d"),
        ("삭제 누르지 말고 취소 눌러", "b"),
        ("삭제 말고 취소", "b"),
        ("저장 말고 취소 눌러 줘", "b"),
    ] {
        assert_eq!(among(utterance, &offered).target_id.as_deref(), Some(expect), "{utterance}");
    }
    for utterance in ["삭제 누르지 마", "삭제 버튼은 누르지 말아 주세요", "삭제 말고"] {
        let found = among(utterance, &offered);
        assert_eq!(found.target_id, None, "{utterance}: {found:?}");
    }
    assert!(!among("삭제 말고 취소 눌러", &offered).dangerous, "only what is done is dangerous");
    assert!(among("취소 말고 삭제 눌러", &offered).dangerous);
}

// NLU-5, BRG-1
#[test]
fn reflexes_may_be_negated_and_repaired_nlu_5() {
    for (utterance, expect) in [
        ("don't stop keep going", Some(Command::Resume)),
        ("멈추지 말고 계속 읽어", Some(Command::Resume)),
        ("잠깐만 전화 왔다", Some(Command::Pause)),
        ("don't stop", None),
        ("멈추지 마", None),
    ] {
        let found = said(utterance, true);
        assert_eq!(found.command, expect, "{utterance}: {found:?}");
    }
}

// NLU-5, EXE-5
#[test]
fn steps_are_joined_nlu_5_exe_5() {
    check("열고 저장해", UtteranceKind::Command, "open + save");
    let steps = said("검색창에 날씨 치고 엔터", false).steps;
    let said_of = |at: usize| steps.get(at).map(|step| (step.action, step.value.as_deref(), step.key.as_deref()));
    assert_eq!(said_of(0), Some((Some(Action::SetValue), Some("날씨"), None)));
    assert_eq!(said_of(1), Some((Some(Action::Key), None, Some("enter"))));
}

// NLU-2
#[test]
fn questions_about_the_screen_are_readings_nlu_1() {
    for utterance in ["여기 뭐라고 써 있어", "what does it say"] {
        let found = said(utterance, false);
        assert_eq!(
            (found.kind, found.wish.intent),
            (UtteranceKind::Reading, Some(Intent::Read)),
            "{utterance}: {found:?}"
        );
    }
    let third = said("click the third link from the bottom", false).wish;
    assert_eq!((third.ordinal, third.role), (Some(-3), Some(luna_messages::pick::Role::Hyperlink)));
}

// NLU-5, BRG-1
#[test]
fn what_stops_luna_takes_an_order_back_unless_it_is_a_step_of_its_own_nlu_5_brg_1() {
    for (utterance, speaking, command, steps) in [
        ("저장 눌러 그만", true, Some(Command::Stop), 0),
        ("close it stop", true, Some(Command::Stop), 0),
        ("저장하고 멈춰", false, None, 2),
        ("save it and stop", false, None, 2),
        ("저장 눌러 닫지 말고", false, None, 0),
    ] {
        let found = said(utterance, speaking);
        assert_eq!((found.command, found.steps.len()), (command, steps), "{utterance}: {found:?}");
    }
}

// NLU-5, NLU-6
#[test]
fn every_step_says_what_to_do_nlu_5_nlu_6() {
    for (utterance, first, last) in [
        ("저장하고 멈춰", "save", "stop"),
        ("저장 누르고 다음", "저장", "next"),
        ("go back and reload the page", "prev", "reload"),
        ("화면 확대하고 아래로 내려 봐", "zoom", ""),
        ("방금 온 메일 읽고 첨부파일 다운로드 해줘", "온 메일", "첨부파일"),
        ("read this and click save", "read", "save"),
        ("translate this and press save", "translate", "save"),
    ] {
        let found = said(utterance, false);
        let meant: Vec<String> = found
            .steps
            .iter()
            .map(|step| meant(&Interpretation { wish: step.clone(), ..Interpretation::default() }))
            .collect();
        assert_eq!(
            (found.kind, meant),
            (UtteranceKind::Command, vec![first.to_owned(), last.to_owned()]),
            "{utterance}"
        );
    }
    let read = said("방금 온 메일 읽고 첨부파일 다운로드 해줘", false).steps.remove(0);
    assert_eq!((read.action, read.intent), (None, Some(Intent::Read)));
    for utterance in ["3 말고 높여", "e 말고 내려줘", "teams 아니 다음"] {
        let found = said(utterance, false);
        assert!(found.kind != UtteranceKind::Command || found.wish.action.is_some(), "{utterance}: {found:?}");
    }
    let doubt = said("저장 눌러, 아 잠깐, 취소 눌러", false).alternatives;
    assert!(doubt.iter().any(|other| other.kind == UtteranceKind::None && other.negated), "{doubt:?}");
}

// BRG-1
#[test]
fn while_luna_speaks_a_reflex_is_obeyed_whatever_a_button_is_called_brg_1() {
    let candidates = Some(vec![button("a", "Stop", 0, 0), button("b", "다음", 0, 40)]);
    for (utterance, command) in [("stop", Command::Stop), ("다음", Command::Next)] {
        let given = UtteranceInput {
            utterance: utterance.to_owned(),
            speaking: true,
            candidates: candidates.clone(),
            ..UtteranceInput::default()
        };
        assert_eq!(luna().understand(&given).command, Some(command), "{utterance}");
    }
}

// NLU-5
#[test]
fn a_label_that_denies_is_a_label_nlu_5() {
    use UtteranceKind::Command;
    for (utterance, expect) in [
        ("저장 안 함 눌러", "저장 안 함"),
        ("지금은 안 함 버튼 눌러 줄래요", "지금은 안 함"),
        ("다시 묻지 않음 체크해 주세요", "다시 묻지 않음"),
        ("click never save", "never save"),
    ] {
        check(utterance, Command, expect);
    }
}

// NLU-5
#[test]
fn what_is_said_behind_a_forbidden_or_withdrawn_order_is_done_nlu_5() {
    use UtteranceKind::{Command, Reading};
    for (utterance, kind, expect) in [
        ("don't read the whole article just summarise it", Reading, "summarize"),
        ("보내기 눌러 아니다 임시 저장 눌러", Command, "임시 저장"),
        ("수량에 3 말고 5 입력해요", Command, "수량"),
    ] {
        check(utterance, kind, expect);
    }
    assert_eq!(said("수량에 3 말고 5 입력해요", false).wish.value.as_deref(), Some("5"));
    // What is denied is the reason, not the order.
    let found = said("잘 안 보이니까 확대해 줘", false);
    assert!(!found.negated && found.kind != UtteranceKind::None, "{found:?}");
}

// EXE-5
#[test]
fn long_orders_of_several_steps_are_kept_to_the_end_exe_5() {
    for (utterance, steps) in [
        ("아이디에 홍길동 입력하고 로그인 유지 체크한 다음 로그인 눌러", 3),
        ("이름에 박지민 입력하고 전화번호에 01012345678 입력한 다음 약관 동의 체크하고 회원 가입 눌러 줘", 4),
    ] {
        let found = said(utterance, false);
        assert_eq!(found.steps.len(), steps, "{utterance}: {found:?}");
    }
}

// NLU-2
#[test]
fn sounds_of_hesitation_may_stand_anywhere_but_in_a_quote_nlu_2() {
    for (utterance, expect) in [
        ("새 음 문서 버튼 눌러 줘", "새 문서"),
        ("저장 버튼 눌러 음 줘", "저장"),
        ("click the save um as button", "save as"),
        ("음 소거 버튼 눌러", "음 소거"),
    ] {
        let found = said(utterance, false);
        assert_eq!(found.wish.target_text.as_deref(), Some(expect), "{utterance}: {found:?}");
    }
    assert_eq!(said("메모에 \"음 좋아\" 입력해 줘", false).wish.value.as_deref(), Some("음 좋아"));
    assert_eq!(said("다음 음 거로", true).command, Some(Command::Next));
}

// RNK-2
#[test]
fn words_run_together_between_spaces_are_taken_apart_rnk_2() {
    for (utterance, expect) in [("음 저장버튼눌러줘", "저장"), ("그럼 확인버튼눌러줘", "확인")] {
        check(utterance, UtteranceKind::Command, expect);
    }
}

// NLU-5
#[test]
fn what_is_corrected_keeps_what_was_not_nlu_5() {
    for (utterance, target, value) in [
        ("type kathryn in the first name field no sorry catherine", Some("first name"), Some("catherine")),
        ("set the quantity to 4 no make it 6", Some("quantity"), Some("6")),
        ("이름 칸에 박지훈 아니 박지운이라고 써 줘", Some("이름"), Some("박지운")),
        ("수량에 3 아니 5 입력해 줘", Some("수량"), Some("5")),
        ("search this page for delivery no for returns", None, Some("returns")),
        ("switch over to teams no sorry to zoom", None, Some("zoom")),
    ] {
        let wish = said(utterance, false).wish;
        let value_of = wish.value.clone().or(wish.argument.clone());
        assert_eq!((wish.target_text.as_deref(), value_of.as_deref()), (target, value), "{utterance}: {wish:?}");
    }
    let off = said("switch bluetooth on, no sorry, I mean off", false).wish;
    assert_eq!(
        (off.target_text.as_deref(), off.state),
        (Some("bluetooth"), Some(luna_messages::understanding::Switch::Off))
    );
    let down = said("turn the volume up no no down I meant down", false).wish;
    assert_eq!((down.order.as_deref(), down.argument.as_deref()), (Some("volume"), Some("down")), "{down:?}");
}

// EXE-5
#[test]
fn english_steps_need_no_word_between_them_exe_5() {
    for (utterance, steps) in [
        ("open settings turn off notifications and then close the window", 3),
        ("copy this switch to excel and paste it", 3),
        ("turn the camera off turn the microphone on and after that click join", 3),
        ("type priya in the first name field and patel in the surname field", 2),
        // A label may hold the word of an order.
        ("click empty trash", 0),
        ("click save as", 0),
    ] {
        let found = said(utterance, false);
        assert_eq!(found.steps.len(), steps, "{utterance}: {found:?}");
    }
}

// NLU-5
#[test]
fn what_denies_a_reason_denies_no_order_nlu_5() {
    let found = said("말이 너무 빨라서 못 알아듣겠어 천천히 읽어 줘", true);
    assert!(!found.negated, "{found:?}");
    for utterance in ["안 읽어 줘도 돼", "번역할 필요 없어"] {
        assert!(said(utterance, false).negated, "{utterance}");
    }
}

// NLU-5, EXE-5
#[test]
fn what_is_dictated_is_written_whole_nlu_5() {
    for (utterance, value) in [
        ("write so sorry mum", "so sorry mum"),
        ("type I am sorry I am late", "I am sorry I am late"),
        ("type well actually yes", "well actually yes"),
        ("메모에 정말 미안 엄마라고 써 줘", "정말 미안 엄마"),
        ("메모에 커피 대신 차라고 써 줘", "커피 대신 차"),
    ] {
        let found = said(utterance, false);
        assert_eq!(found.wish.value.as_deref(), Some(value), "{utterance}: {found:?}");
    }
}
