//! Orders for usual widgets: fields, lists, sections, spinners, menus (NLU-2, EXE-5).

use luna_messages::element_action::Capacity;
use luna_messages::understanding::ParsedCommand;

use super::*;

/// One candidate: its role, its label, and what can be done to it.
pub(super) type Shown = (&'static str, &'static str, &'static [Capacity]);

pub(super) const PRESS: &[Capacity] = &[Capacity::Press, Capacity::Focus];
pub(super) const TICK: &[Capacity] = &[Capacity::Toggle, Capacity::Focus];
pub(super) const WRITE: &[Capacity] = &[Capacity::SetText, Capacity::Focus];
pub(super) const COUNT: &[Capacity] = &[Capacity::SetNumber, Capacity::Focus];
pub(super) const UNFOLD: &[Capacity] = &[Capacity::Expand, Capacity::Press];
pub(super) const READ: &[Capacity] = &[];

pub(super) fn screen(all: &[Shown]) -> Vec<CandidateInput> {
    let one = |(at, (role, text, capacities)): (usize, &Shown)| CandidateInput {
        role: Some((*role).to_owned()),
        capacities: Some(capacities.iter().copied().collect()),
        ..button(&format!("{at}:{text}"), text, 0, i32::try_from(at).unwrap() * 40)
    };
    all.iter().enumerate().map(one).collect()
}

/// Each step with what it does, its target on the same screen, and its value.
fn steps(utterance: &str, all: &[Shown]) -> Vec<(Option<Action>, String, String)> {
    let offered = screen(all);
    let found = among(utterance, &offered);
    let plain = |step: &ParsedCommand| {
        let target = luna().resolve(step, &offered).target.unwrap_or_default();
        (step.action, target, step.value.clone().unwrap_or_default())
    };
    if !matches!(found.kind, UtteranceKind::Command) {
        println!("{utterance}: {found:?}");
        return Vec::new();
    }
    let first = found.target_id.clone().unwrap_or_default();
    let all: Vec<_> =
        if found.steps.is_empty() { vec![plain(&found.wish)] } else { found.steps.iter().map(plain).collect() };
    assert_eq!(all[0].1, first, "{utterance}: the first step means what the utterance means: {found:?}");
    all
}

pub(super) fn check(utterance: &str, all: &[Shown], expect: &[(Action, &str, &str)]) {
    let expect: Vec<_> = expect
        .iter()
        .map(|(action, target, value)| (Some(*action), (*target).to_owned(), (*value).to_owned()))
        .collect();
    assert_eq!(steps(utterance, all), expect, "{utterance}");
}

// NLU-2, NLU-3
#[test]
fn a_button_is_named_before_or_behind_its_label_nlu_3() {
    let all = [
        ("label", "안내", READ),
        ("button", "ONE", PRESS),
        ("button", "Two words", PRESS),
        ("button", "확인", PRESS),
        ("link", "ONE", PRESS),
    ];
    for (utterance, target) in [
        ("Click button ONE.", "1:ONE"),
        ("click on the button \"ONE\"", "1:ONE"),
        ("click link ONE", "4:ONE"),
        ("press button Two words", "2:Two words"),
        ("click the \"ONE\" button", "1:ONE"),
        ("ONE 버튼을 눌러", "1:ONE"),
        ("Two words 버튼 눌러 줘", "2:Two words"),
        ("확인 버튼 클릭해", "3:확인"),
    ] {
        check(utterance, &all, &[(Action::Invoke, target, "")]);
    }
}

// NLU-2
#[test]
fn what_is_done_by_pressing_something_is_pressing_it_nlu_2() {
    let all = [("label", "Dialog", READ), ("button", "Close", PRESS), ("button", "Cancel", PRESS)];
    check("Close the dialog box by clicking the \"x\".", &all, &[(Action::Invoke, "1:Close", "")]);
    check("close the dialog by clicking cancel", &all, &[(Action::Invoke, "2:Cancel", "")]);
    check("close the dialog by pressing the cancel button", &all, &[(Action::Invoke, "2:Cancel", "")]);
    for label in ["×", "x", "✕", "닫기"] {
        let all: [Shown; 2] = [("button", label, PRESS), ("button", "OK", PRESS)];
        let id = format!("0:{label}");
        check("click the \"x\"", &all, &[(Action::Invoke, &id, "")]);
        check("닫기 눌러", &all, &[(Action::Invoke, &id, "")]);
        check("엑스 버튼 눌러", &all, &[(Action::Invoke, &id, "")]);
    }
}

// EXE-5
#[test]
fn each_part_of_a_list_is_a_step_exe_5() {
    let all = [
        ("check_box", "4XuTN", TICK),
        ("check_box", "cl", TICK),
        ("check_box", "ONb9", TICK),
        ("button", "Submit", PRESS),
    ];
    let ticked: Vec<(Action, &str, &str)> = ["0:4XuTN", "1:cl", "2:ONb9"].map(|id| (Action::Select, id, "")).to_vec();
    let submitted = [ticked.clone(), vec![(Action::Invoke, "3:Submit", "")]].concat();
    check("Select 4XuTN, cl, ONb9 and click Submit.", &all, &submitted);
    check("select 4XuTN, cl, and ONb9", &all, &ticked);
    check("select 4XuTN, cl and ONb9", &all, &ticked);
    check("4XuTN, cl, ONb9를 선택해", &all, &ticked);
    check("4XuTN, cl, ONb9를 선택하고 Submit을 눌러", &all, &submitted);
    check("select cl and ONb9", &all, &ticked[1..]);
    let all = [
        ("check_box", "와이파이", TICK),
        ("check_box", "블루투스", TICK),
        ("button", "저장", PRESS),
        ("button", "취소", PRESS),
    ];
    check("와이파이와 블루투스 꺼 줘", &all, &[(Action::Toggle, "0:와이파이", ""), (Action::Toggle, "1:블루투스", "")]);
    check("와이파이, 블루투스 체크해", &all, &[(Action::Toggle, "0:와이파이", ""), (Action::Toggle, "1:블루투스", "")]);
    check("저장 눌러", &all, &[(Action::Invoke, "2:저장", "")]);
    // Two that are pressed may be a correction.
    assert!(among("저장, 취소 눌러", &screen(&all)).steps.is_empty());
    let with_danger = [("check_box", "이름", TICK), ("check_box", "모두 삭제", TICK)];
    assert!(among("이름과 모두 삭제 선택해", &screen(&with_danger)).dangerous);
}

// NLU-2
#[test]
fn one_goes_into_fields_nlu_2() {
    let all = [("edit", "이름", WRITE), ("edit", "주소", WRITE), ("edit", "City", WRITE), ("button", "확인", PRESS)];
    for (utterance, target) in [
        ("focus into the 3rd input textbox", "2:City"),
        ("focus on the City field", "2:City"),
        ("put the cursor in the city field", "2:City"),
        ("Focus into the first text field", "0:이름"),
        ("세 번째 입력 칸으로 가", "2:City"),
        ("이름 칸으로 이동해 줘", "0:이름"),
        ("커서를 주소 칸에 놔 줘", "1:주소"),
        ("주소 칸에 커서를 둬", "1:주소"),
        ("go to the city field", "2:City"),
    ] {
        check(utterance, &all, &[(Action::Focus, target, "")]);
    }
    check("Focus into the textbox.", &[("edit", "", WRITE), ("button", "OK", PRESS)], &[(Action::Focus, "0:", "")]);
    let reflex = luna().understand(&UtteranceInput {
        utterance: "focus on".to_owned(),
        speaking: true,
        ..UtteranceInput::default()
    });
    assert_eq!(reflex.command, Some(Command::FocusOn));
}

// NLU-2
#[test]
fn sections_are_expanded_and_collapsed_nlu_2() {
    let all = [
        ("label", "Section", READ),
        ("button", "Details", UNFOLD),
        ("button", "OK", PRESS),
        ("button", "상세 정보", UNFOLD),
    ];
    check("expand Details", &all, &[(Action::Expand, "1:Details", "")]);
    check("collapse the details", &all, &[(Action::Collapse, "1:Details", "")]);
    check("상세 정보 펼쳐 줘", &all, &[(Action::Expand, "3:상세 정보", "")]);
    check("상세 정보 접어 줘", &all, &[(Action::Collapse, "3:상세 정보", "")]);
    let one = [("label", "Instruction", READ), ("button", "x1", UNFOLD), ("button", "OK", PRESS)];
    for utterance in
        ["Expand the section below", "expand the section", "expand this section", "아래 섹션을 펼쳐", "구역 펼쳐 줘"]
    {
        check(utterance, &one, &[(Action::Expand, "1:x1", "")]);
    }
    check("Expand the section below and click ok", &one, &[(Action::Expand, "1:x1", ""), (Action::Invoke, "2:OK", "")]);
}

// NLU-2
#[test]
fn a_number_is_chosen_with_a_spinner_nlu_2() {
    let all = [("slider", "", COUNT), ("button", "Submit", PRESS)];
    check("Select 4 with the spinner", &all, &[(Action::SetValue, "0:", "4")]);
    check(
        "Select 12 with the spinner and hit Submit",
        &all,
        &[(Action::SetValue, "0:", "12"), (Action::Invoke, "1:Submit", "")],
    );
    check("스피너로 4를 선택해", &all, &[(Action::SetValue, "0:", "4")]);
    check("스피너에서 4를 골라 줘", &all, &[(Action::SetValue, "0:", "4")]);
    check("set the spinner to 7", &all, &[(Action::SetValue, "0:", "7")]);
}

// EXE-5
#[test]
fn a_way_through_menus_is_a_step_each_exe_5() {
    let all = [("menu_item", "File", PRESS), ("menu_item", "Edit", PRESS), ("menu_item", "파일", PRESS)];
    check(
        "Select File>Export>PDF",
        &all,
        &[(Action::Invoke, "0:File", ""), (Action::Invoke, "", ""), (Action::Select, "", "")],
    );
    check("click Edit > Find", &all, &[(Action::Invoke, "1:Edit", ""), (Action::Invoke, "", "")]);
    check("파일 > 내보내기 눌러", &all, &[(Action::Invoke, "2:파일", ""), (Action::Invoke, "", "")]);
    check("파일 메뉴에서 내보내기 눌러", &all, &[(Action::Invoke, "2:파일", ""), (Action::Invoke, "", "")]);
    check(
        "파일 메뉴에서 내보내기 누르고 확인 눌러",
        &all,
        &[(Action::Invoke, "2:파일", ""), (Action::Invoke, "", ""), (Action::Invoke, "", "")],
    );
    // A menu of a later clause is not opened first.
    let later = among("확인 누르고 파일 메뉴에서 내보내기 눌러", &screen(&all));
    assert_ne!(later.steps.first().and_then(|step| step.target_text.as_deref()), Some("파일"), "{later:?}");
    check("click Find in the Edit menu", &all, &[(Action::Invoke, "1:Edit", ""), (Action::Invoke, "", "")]);
    let found = among("Select File>Export>PDF", &screen(&all));
    let texts: Vec<_> = found.steps.iter().map(|step| step.target_text.as_deref().unwrap_or_default()).collect();
    assert_eq!(texts, ["File", "Export", "PDF"]);
}

// NLU-2, EXE-5
#[test]
fn pairs_of_fields_and_values_are_steps_exe_5() {
    let all = [
        ("edit", "Username", WRITE),
        ("edit", "Password", WRITE),
        ("button", "Login", PRESS),
        ("edit", "아이디", WRITE),
        ("edit", "비밀번호", WRITE),
        ("button", "로그인", PRESS),
    ];
    check(
        "Enter the username \"vanda\" and the password \"W3\" into the text fields and press login.",
        &all,
        &[
            (Action::SetValue, "0:Username", "vanda"),
            (Action::SetValue, "1:Password", "W3"),
            (Action::Invoke, "2:Login", ""),
        ],
    );
    check(
        "아이디에 \"vanda\", 비밀번호에 \"W3\"를 입력하고 로그인 눌러",
        &all,
        &[
            (Action::SetValue, "3:아이디", "vanda"),
            (Action::SetValue, "4:비밀번호", "W3"),
            (Action::Invoke, "5:로그인", ""),
        ],
    );
    check(
        "아이디에 홍길동, 비밀번호에 김치를 입력해",
        &all,
        &[(Action::SetValue, "3:아이디", "홍길동"), (Action::SetValue, "4:비밀번호", "김치")],
    );
    check(
        "Enter \"Juan\" into the username field and press login",
        &all,
        &[(Action::SetValue, "0:Username", "Juan"), (Action::Invoke, "2:Login", "")],
    );
}

// EXE-5
#[test]
fn the_first_step_is_what_the_utterance_is_told_to_mean_exe_5() {
    let all = [("check_box", "cl", TICK), ("check_box", "ONb9", TICK), ("menu_item", "File", PRESS)];
    for utterance in
        ["select cl and ONb9", "Select CL, ONb9", "cl, ONb9를 선택해", "Select File>Export", "파일 > 저장 눌러"]
    {
        let found = among(utterance, &screen(&all));
        assert!(found.steps.len() > 1 && found.steps.first() == Some(&found.wish), "{utterance}: {found:?}");
    }
}

// NLU-2, EXE-3
#[test]
fn any_of_several_is_taken_only_if_that_was_said_exe_3() {
    let all = [
        ("radio_button", "가", TICK),
        ("radio_button", "나", TICK),
        ("check_box", "다", TICK),
        ("edit", "", &[Capacity::Focus]),
    ];
    for (utterance, target) in [
        ("Click on a \"radio\" widget.", "0:가"),
        ("click on a \"checkbox\" widget", "2:다"),
        ("Click on a \"text\" widget.", "3:"),
        ("press any radio button", "0:가"),
        ("아무 라디오 버튼이나 눌러 줘", "0:가"),
        ("라디오 버튼을 하나 눌러 줘", "0:가"),
    ] {
        check(utterance, &all, &[(Action::Invoke, target, "")]);
    }
    // A voice slurs the article.
    for utterance in ["press a radio button", "click the radio button", "라디오 버튼 눌러 줘"] {
        assert_eq!(among(utterance, &screen(&all)).target_id, None, "{utterance}");
    }
}

// NLU-2
#[test]
fn a_sign_before_a_number_is_kept_nlu_2() {
    let all = [("spin_button", "값", COUNT), ("button", "Submit", PRESS)];
    for (utterance, value) in [
        ("Select -7 with the spinner and hit Submit.", "-7"),
        ("Select 7 with the spinner and hit Submit.", "7"),
        ("스피너에서 -3 선택하고 Submit 눌러 줘", "-3"),
    ] {
        check(utterance, &all, &[(Action::SetValue, "0:값", value), (Action::Invoke, "1:Submit", "")]);
    }
}

// NLU-2, NLU-6
#[test]
fn each_quoted_text_goes_into_its_field_or_nothing_is_done_nlu_2_nlu_6() {
    let all = [("edit", "사용자 이름", WRITE), ("edit", "비밀번호", WRITE), ("button", "Login", PRESS)];
    for utterance in [
        "사용자 이름에 \"kim\", 비밀번호에 \"1234\" 입력하고 Login 눌러 줘",
        "사용자 이름 \"kim\", 비밀번호 \"1234\" 입력하고 Login 눌러 줘",
        "입력란에 사용자 이름 \"kim\", 비밀번호 \"1234\" 입력하고 Login 눌러 줘",
    ] {
        let expect = [
            (Action::SetValue, "0:사용자 이름", "kim"),
            (Action::SetValue, "1:비밀번호", "1234"),
            (Action::Invoke, "2:Login", ""),
        ];
        check(utterance, &all, &expect);
    }
}

// NLU-2
#[test]
fn what_is_not_chosen_is_no_target_nlu_2() {
    let all = [("check_box", "nothing else", TICK), ("button", "Submit", PRESS)];
    check("Select nothing and click Submit.", &all, &[(Action::Invoke, "1:Submit", "")]);
}

// NLU-3
#[test]
fn a_field_for_a_date_is_named_by_what_it_is_nlu_3() {
    let mut all =
        screen(&[("edit", "", &[Capacity::Focus]), ("tab", "Enter Date Task", PRESS), ("edit", "이름", WRITE)]);
    all[0].kind = Some("date_field".to_owned());
    for utterance in ["Enter 10/11/2011 as the date", "날짜로 10/11/2011 입력해 줘", "날짜에 10/11/2011 입력해 줘"]
    {
        let found = among(utterance, &all);
        assert_eq!(found.target_id.as_deref(), Some("0:"), "{utterance}: {found:?}");
        assert_eq!(found.wish.value.as_deref(), Some("10/11/2011"), "{utterance}");
    }
}
