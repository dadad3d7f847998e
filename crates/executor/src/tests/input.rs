//! Pointer and keys where the tree can't (EXE-1, EXE-2, EXE-7, DNG-2).

use luna_messages::dsl::Action;
use luna_messages::element::{RangeValue, State};
use luna_messages::element_action::{Capacity, ChangedElement, EnteredText, NoEffectProof, ObservedChange};
use luna_messages::executor::OrderOutcome::{self, Confirm, Failed, Success};
use luna_messages::executor::{ActedBy, OrderSource};
use luna_messages::pick::Role;
use luna_messages::understanding::ParsedCommand;

use super::screen::{Behaviour, InputBehaviour, ScriptedScreen, ShownElement, button, check_box, field, shown};
use crate::events::{ExecutorEffect, ExecutorEvent};
use crate::means::StepMeans;
use crate::plan::{CannotAct, MeansAllowed, StepPlan, plan};

/// An element of which the tree tells no way to act on it.
fn bare(label: &str, role: Role, states: &[State]) -> ShownElement {
    shown(label, role, &[], states)
}

/// A field of a browser: its text can't be set by the tree.
fn web_field(label: &str, content: &str) -> ShownElement {
    let mut field = field(label);
    field.state.capacities = [Capacity::Focus].into_iter().collect();
    field.state.element.text = content.to_owned();
    field
}

fn spin(can: &[Capacity]) -> ShownElement {
    let mut spin = shown("", Role::SpinButton, can, &[]);
    spin.state.element.label = "글자 크기".to_owned();
    spin.state.element.properties.value = Some(RangeValue { now: 1.0, min: 0.0, max: 10.0, text: String::new() });
    spin
}

fn text(text: &str) -> Option<EnteredText> {
    Some(EnteredText(text.to_owned()))
}

/// What an order does by pointer and keys, and what came of it.
fn check(element: ShownElement, words: &str, outcome: OrderOutcome, inputs: &[Option<EnteredText>], said: &str) {
    let mut screen = ScriptedScreen::new(vec![element.clone()]).with_input();
    let report = screen.say(words);
    let done: Vec<_> = screen.inputs.iter().map(|(_, text)| text.clone()).collect();
    assert_eq!((report.outcome, done.as_slice()), (outcome, inputs), "{words}: {report:?}");
    assert!(report.said.contains(said), "{words}: {}", report.said);
    screen.pass();
    assert_eq!(screen.inputs.len(), inputs.len(), "{words}: done again");
    if outcome == Success {
        let by = if inputs == [None] { ActedBy::Pointer } else { ActedBy::Keys };
        assert_eq!(report.steps[0].by, Some(by), "{words}");
    }
    let mut screen = ScriptedScreen::new(vec![element]);
    screen.say(words);
    assert!(screen.inputs.is_empty(), "{words}: not allowed");
}

// EXE-1, EXE-2
#[test]
fn what_the_tree_offers_no_means_for_is_clicked_once_exe_1_exe_2() {
    check(bare("저장", Role::Button, &[]), "저장 눌러", Success, &[None], "저장: 눌렀어요.");
    check(bare("저장", Role::Text, &[]), "저장 눌러", Success, &[None], "저장: 눌렀어요.");
    check(shown("저장", Role::Button, &[Capacity::Focus], &[]), "저장 눌러", Success, &[None], "저장: 눌렀어요.");
    let alerts = |state| bare("알림 받기", Role::CheckBox, &[state]);
    check(alerts(State::Checked), "알림 받기 꺼 줘", Success, &[None], "알림 받기: 껐어요.");
    check(bare("보안", Role::Tab, &[State::Unselected]), "보안 탭 선택해", Success, &[None], "보안: 골랐어요.");
    check(bare("고급 설정", Role::Button, &[State::Collapsed]), "고급 설정 펼쳐", Success, &[None], "고급 설정");
    // Nothing tells what a click would lead to.
    check(bare("알림 받기", Role::CheckBox, &[]), "알림 받기 꺼 줘", Failed, &[], "그렇게는 할 수 없는");
    check(bare("고급 설정", Role::Button, &[]), "고급 설정 펼쳐", Failed, &[], "그렇게는 할 수 없는");
    let mut disabled = bare("저장", Role::Button, &[]);
    disabled.state.element.enabled = false;
    check(disabled, "저장 눌러", Failed, &[], "쓸 수 없는");
}

// EXE-1, EXE-2
#[test]
fn what_the_tree_can_not_set_is_typed_once_exe_1_exe_2() {
    let name = |content| web_field("이름", content);
    check(name(""), "이름 칸에 홍길동 입력해 줘", Success, &[text("홍길동")], "이름: 입력했어요.");
    check(name("김철수"), "이름 칸에 홍길동 입력해 줘", Success, &[text("홍길동")], "이름: 입력했어요.");
    check(spin(&[Capacity::Focus]), "글자 크기 4로 설정해 줘", Success, &[text("4")], "글자 크기: 입력했어요.");
    check(spin(&[Capacity::Focus]), "글자 크기 40으로 설정해 줘", Failed, &[], "범위를 벗어난");
    let mut read_only = name("");
    read_only.state.element.properties.states = [State::ReadOnly].into_iter().collect();
    check(read_only, "이름 칸에 홍길동 입력해 줘", Failed, &[], "쓸 수 없는");
    let mut choice = name("");
    choice.state.element.role = Role::ComboBox;
    check(choice, "이름 칸에 홍길동 입력해 줘", Failed, &[], "그렇게는 할 수 없는");
    let mut ignores = name("");
    ignores.input = InputBehaviour::IGNORES;
    check(ignores, "이름 칸에 홍길동 입력해 줘", Failed, &[text("홍길동")], "달라진 게 없어요");
    let mut secret = web_field("비밀번호", "");
    secret.state.protected = true;
    check(secret, "비밀번호 칸에 가나다 입력해 줘", Success, &[text("가나다")], "보호된 칸");
}

// EXE-1
#[test]
fn what_is_as_wished_is_neither_clicked_nor_typed_exe_1() {
    let check = |element: ShownElement, words: &str| {
        let mut screen = ScriptedScreen::new(vec![element]).with_input();
        let report = screen.say(words);
        assert_eq!((report.outcome, screen.inputs.len()), (Success, 0), "{words}: {report:?}");
        assert!(report.said.contains("이미 그래요"), "{words}: {}", report.said);
    };
    check(bare("알림 받기", Role::CheckBox, &[State::Unchecked]), "알림 받기 꺼 줘");
    check(web_field("이름", "홍길동"), "이름 칸에 홍길동 입력해 줘");
}

fn planned(step: ParsedCommand, now: &ShownElement) -> StepPlan {
    plan(&step, &now.state, MeansAllowed { input: true, ..MeansAllowed::default() })
}

// EXE-1
#[test]
fn keys_that_may_send_or_leave_the_field_are_not_typed_exe_1() {
    let enters = |value: &str| ParsedCommand {
        action: Some(Action::SetValue),
        value: Some(value.to_owned()),
        ..ParsedCommand::default()
    };
    let name = web_field("이름", "김철수");
    for value in ["가\n", "가\t나", "\r", "가\u{1b}"] {
        assert_eq!(planned(enters(value), &name), StepPlan::Cannot(CannotAct::NotOffered), "{value:?}");
    }
    let typed = StepMeans::Keys(EnteredText("가 나".to_owned()));
    assert!(matches!(planned(enters("가 나"), &name), StepPlan::Act { means, .. } if means == typed));
    for value in ["크게", "NaN", "11", "-1"] {
        assert!(matches!(planned(enters(value), &spin(&[Capacity::Focus])), StepPlan::Cannot(_)), "{value:?}");
    }
}

// EXE-1, DNG-1
#[test]
fn the_focus_is_moved_by_a_click_only_where_that_does_nothing_else_exe_1_dng_1() {
    let focus = || ParsedCommand { action: Some(Action::Focus), ..ParsedCommand::default() };
    let press = || ParsedCommand { action: Some(Action::Invoke), ..ParsedCommand::default() };
    let clicks = |step, element: ShownElement| match planned(step, &element) {
        StepPlan::Act { means: StepMeans::Click(_), .. } => true,
        StepPlan::Act { .. } | StepPlan::AlreadySo | StepPlan::Cannot(_) => false,
    };
    for role in [Role::Edit, Role::Protected, Role::SpinButton] {
        assert!(clicks(focus(), bare("이름", role, &[])) && clicks(press(), bare("이름", role, &[])), "{role:?}");
    }
    for role in [Role::Button, Role::Hyperlink, Role::ComboBox, Role::Document, Role::Terminal, Role::ListItem] {
        assert!(!clicks(focus(), bare("이름", role, &[])), "{role:?}");
    }
    assert!(clicks(press(), bare("이름", Role::ComboBox, &[])));
    assert!(!clicks(press(), bare("이름", Role::Slider, &[])), "a click changes a slider");
    assert!(clicks(press(), web_field("이름", "")), "a page may do something when it is clicked");
    assert!(!clicks(focus(), web_field("이름", "")), "the tree moves the focus");
}

// EXE-2, EXE-7
#[test]
fn the_pointer_is_tried_only_if_the_tree_certainly_did_nothing_exe_2_exe_7() {
    let check = |element: ShownElement, words: &str, behaviour, outcome: OrderOutcome, count: (usize, usize)| {
        let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour, ..element }]).with_input();
        let report = screen.say(words);
        screen.pass();
        let done = (screen.acts.len(), screen.inputs.len());
        assert_eq!((report.outcome, done), (outcome, count), "{words} {behaviour:?}: {report:?}");
    };
    let alert = || check_box("알림", true);
    for (behaviour, outcome, count) in [
        (Behaviour::Declines, Success, (1, 1)),
        (Behaviour::Works, Success, (1, 0)),
        (Behaviour::Late, Success, (1, 0)),
        (Behaviour::Ignores, Failed, (1, 0)),
        (Behaviour::Silent, Failed, (1, 0)),
    ] {
        check(button("저장"), "저장 눌러", behaviour, outcome, count);
        check(alert(), "알림 꺼 줘", behaviour, outcome, count);
        check(alert(), "알림 눌러", behaviour, outcome, count);
        check(field("이름"), "이름 칸에 홍길동 입력해 줘", behaviour, outcome, count);
        let mut number = spin(&[Capacity::SetNumber, Capacity::Focus]);
        number.behaviour = behaviour;
        check(number, "글자 크기 4로 설정해 줘", behaviour, outcome, count);
    }
    // Each means of the tree is tried first.
    let tab = shown("보안", Role::Tab, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    check(tab, "보안 탭 선택해", Behaviour::Declines, Success, (2, 1));
}

// EXE-7, FOC-6
#[test]
fn the_pointer_is_not_tried_after_a_stop_held_the_tree_back_exe_7_foc_6() {
    for element in [button("저장"), bare("저장", Role::Button, &[])] {
        let mut screen = ScriptedScreen::new(vec![element]).with_input();
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("저장 눌러", OrderSource::Voice)));
        while !matches!(screen.waiting.front(), Some(ExecutorEffect::Act { .. } | ExecutorEffect::Click { .. })) {
            assert!(screen.perform_next());
        }
        // The platform knows of the stop before the machine does.
        let stop = screen.stop();
        screen.settle();
        screen.take(stop);
        screen.settle();
        assert_eq!((screen.acts.len(), screen.inputs.len(), screen.acts_wanted, screen.reports.len()), (0, 0, 1, 1));
    }
}

// EXE-7
#[test]
fn nothing_else_is_tried_if_something_changed_although_it_was_declined_exe_7() {
    type Change = fn(&mut ScriptedScreen);
    let opened: Change = |screen| screen.see(ObservedChange::WindowOpened);
    let switched: Change = |screen| {
        screen.elements[0].state.element.properties.states = [State::Unchecked].into_iter().collect();
    };
    let renamed: Change = |screen| screen.elements[0].state.element.text = "알림 꺼짐".to_owned();
    let clock: Change = |screen| screen.see(ObservedChange::Content { of: ChangedElement::Other });
    // Before the application answered, and before the element was looked at again.
    for (change, steps, clicks) in
        [(opened, 0, 0), (opened, 1, 0), (switched, 1, 0), (renamed, 1, 0), (clock, 0, 1), (clock, 1, 1)]
    {
        let alert = ShownElement { behaviour: Behaviour::Declines, ..check_box("알림", true) };
        let mut screen = ScriptedScreen::new(vec![alert]).with_input();
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("알림 눌러", OrderSource::Voice)));
        screen.postpones = true;
        while screen.acts.is_empty() {
            screen.perform_next();
            if screen.acts.is_empty() {
                std::mem::take(&mut screen.postponed).into_iter().for_each(|event| screen.take(event));
            }
        }
        if steps == 0 {
            change(&mut screen);
        }
        std::mem::take(&mut screen.postponed).into_iter().for_each(|event| screen.take(event));
        if steps == 1 {
            change(&mut screen);
        }
        screen.postpones = false;
        screen.settle();
        (0..3).for_each(|_| screen.pass());
        assert_eq!((screen.acts.len(), screen.inputs.len()), (1, clicks), "{steps}: {:?}", screen.reports);
        assert_eq!(screen.reports[0].1.outcome == Success, clicks == 1, "{:?}", screen.reports);
    }
}

// EXE-2, EXE-7
#[test]
fn a_click_that_was_not_done_or_not_seen_is_told_and_never_repeated_exe_2_exe_7() {
    for (input, outcome, count, said) in [
        (InputBehaviour::IGNORES, Failed, 1, "달라진 게 없어요"),
        (InputBehaviour::SILENT, Failed, 1, "됐는지 확인한 뒤에"),
        (InputBehaviour::LATE, Success, 1, "저장: 눌렀어요."),
        (InputBehaviour::refuses(NoEffectProof::Covered), Failed, 0, "가리는 창을 닫거나 옮긴 뒤에"),
        (InputBehaviour::refuses(NoEffectProof::OutOfView), Failed, 0, "화면을 넘긴 뒤에"),
        (InputBehaviour::refuses(NoEffectProof::NotDelivered), Failed, 0, "전해지지 않아서"),
        (InputBehaviour::refuses(NoEffectProof::Declined), Failed, 0, "받아들이지 않았어요"),
    ] {
        let save = ShownElement { input, ..bare("저장", Role::Button, &[]) };
        let mut screen = ScriptedScreen::new(vec![save]).with_input();
        let report = screen.say("저장 눌러");
        (0..3).for_each(|_| screen.pass());
        let found = (report.outcome, screen.inputs.len(), screen.acts_wanted);
        assert_eq!(found, (outcome, count, 1), "{input:?}: {report:?}");
        assert!(report.said.contains(said), "{input:?}: {report:?}");
    }
}

// DNG-1, DNG-2, EXE-7
#[test]
fn what_was_confirmed_is_clicked_only_as_it_was_confirmed_dng_1_dng_2_exe_7() {
    type Change = fn(&mut ShownElement);
    let same: Change = |_| {};
    let moved: Change = |one| one.state.element.bbox.x += 7;
    let renamed: Change = |one| one.state.element.text = "모두 삭제".to_owned();
    let described: Change = |one| one.state.element.properties.description = "되돌릴 수 없음".to_owned();
    let offered: Change = |one| one.state.capacities = [Capacity::Select].into_iter().collect();
    let declines = || ShownElement { behaviour: Behaviour::Declines, ..button("삭제") };
    // `late`: after the tree declined it.
    let check = |element: ShownElement, change: Change, late: bool, outcome: OrderOutcome, clicks: usize| {
        let mut screen = ScriptedScreen::new(vec![element]).with_input();
        let report = screen.say("삭제 눌러");
        assert_eq!((report.outcome, screen.acts_wanted), (Confirm, 0), "{report:?}");
        assert!(report.said.contains("삭제: 누를까요?"), "{}", report.said);
        if !late {
            change(&mut screen.elements[0]);
        }
        let yes = ScriptedScreen::spoken("루나, 예", OrderSource::Voice);
        screen.take(ExecutorEvent::Answer(yes));
        while late && screen.acts.is_empty() {
            assert!(screen.perform_next());
        }
        if late {
            change(&mut screen.elements[0]);
        }
        screen.settle();
        (0..3).for_each(|_| screen.pass());
        let report = &screen.reports.last().expect("a report").1;
        assert_eq!((report.outcome, screen.inputs.len()), (outcome, clicks), "{report:?}");
    };
    let bare = || bare("삭제", Role::Button, &[]);
    for change in [same, moved] {
        check(bare(), change, false, Success, 1);
        check(declines(), change, false, Success, 1);
        check(declines(), change, true, Success, 1);
    }
    for change in [renamed, described, offered] {
        check(bare(), change, false, Failed, 0);
        check(declines(), change, false, Failed, 0);
        check(declines(), change, true, Failed, 0);
    }
    // The tree has another action left, which was not confirmed.
    let item = shown("삭제", Role::ListItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    let mut screen = ScriptedScreen::new(vec![ShownElement { behaviour: Behaviour::Declines, ..item }]).with_input();
    screen.say("삭제 선택해");
    let report = screen.say("루나, 예");
    assert_eq!((report.outcome, screen.acts.len(), screen.inputs.len()), (Failed, 1, 0));
    assert!(report.said.contains("받아들이지 않았어요"), "{}", report.said);
}

// EXE-1, EXE-4
#[test]
fn what_may_be_selected_is_never_typed_over_exe_1_exe_4() {
    for (text, selected, typed) in
        [("김철수", Some(false), true), ("김철수", Some(true), false), ("김철수", None, false), ("", None, false)]
    {
        let mut name = web_field("이름", text);
        name.state.capacities = [Capacity::Insert, Capacity::SetText, Capacity::Focus].into_iter().collect();
        (name.state.focused, name.state.caret.has_selection) = (true, selected);
        let mut screen = ScriptedScreen::new(vec![name]).with_input();
        let report = screen.say("'박' 입력해 줘");
        assert_eq!((screen.inputs.len() == 1, screen.acts.len()), (typed, 0), "{report:?}");
        assert!(typed || report.said.contains("선택"), "{report:?}");
    }
}

// EXE-1
#[test]
fn what_holds_several_lines_or_can_not_be_read_is_not_replaced_exe_1() {
    let check = |text: &str, is_multi_line: bool, states: &[State], outcome: OrderOutcome| {
        let mut memo = web_field("메모", text);
        memo.state.capacities = [Capacity::SetText, Capacity::Focus].into_iter().collect();
        memo.state.caret.is_multi_line = is_multi_line;
        memo.state.element.properties.states = states.iter().copied().collect();
        let mut screen = ScriptedScreen::new(vec![memo]).with_input();
        let report = screen.say("메모에 안녕 입력해");
        let acts = usize::from(outcome == Success);
        assert_eq!((report.outcome, screen.acts.len(), screen.inputs.len()), (outcome, acts, 0), "{report:?}");
    };
    // A browser tells paragraphs without ends of lines.
    check("첫 문단 둘째 문단", true, &[], Failed);
    check("첫 문단", false, &[], Success);
    check("", true, &[], Success);
    check("", false, &[State::Withheld], Failed);
}

// EXE-2, EXE-7
#[test]
fn a_text_of_which_only_a_part_may_have_arrived_is_not_told_as_entered_exe_2_exe_7() {
    let mut memo = web_field("메모", "긴 글 ");
    memo.state.focused = true;
    memo.input = InputBehaviour::SILENT;
    let mut screen = ScriptedScreen::new(vec![memo]).with_input();
    let order = ScriptedScreen::spoken("'안녕하세요' 입력해 줘", OrderSource::Voice);
    let id = order.id;
    screen.take(ExecutorEvent::Order(order));
    screen.until_acted();
    screen.see(ObservedChange::Content { of: ChangedElement::Target });
    screen.settle();
    for _ in 0..3 {
        screen.pass();
    }
    let report = &screen.reports.iter().find(|(of, _)| *of == id).expect("a report").1;
    assert_eq!((report.outcome, screen.inputs.len()), (Failed, 1), "{report:?}");
}

// EXE-1
#[test]
fn several_lines_are_never_replaced_by_what_is_entered_exe_1() {
    for (focused, can, after, outcome) in [
        (true, Capacity::SetText, "첫 줄\n둘째 줄 안녕", Success),
        (true, Capacity::Insert, "첫 줄\n둘째 줄 안녕", Success),
        (false, Capacity::SetText, "첫 줄\n둘째 줄 ", Failed),
        (false, Capacity::Insert, "첫 줄\n둘째 줄 ", Failed),
    ] {
        let mut memo = web_field("메모", "첫 줄\n둘째 줄 ");
        memo.state.capacities = [can, Capacity::Focus].into_iter().collect();
        memo.state.focused = focused;
        let mut screen = ScriptedScreen::new(vec![memo]).with_input();
        let report = screen.say("메모에 안녕 입력해");
        assert_eq!(report.outcome, outcome, "{report:?}");
        assert_eq!(screen.elements[0].state.element.text, after, "{report:?}");
        assert!(focused || report.said.contains("여러 줄"), "{report:?}");
    }
}

// EXE-4, PRV-2
#[test]
fn dictation_is_typed_into_what_has_the_focus_and_replaces_nothing_exe_4_prv_2() {
    let paragraph = |content: &str| shown(content, Role::Text, &[Capacity::Insert, Capacity::Focus], &[]);
    let terminal = |content: &str| {
        let mut terminal = shown(content, Role::Terminal, &[Capacity::Insert, Capacity::Focus], &[]);
        terminal.state.element.label = "터미널".to_owned();
        terminal
    };
    let label = |content: &str| shown(content, Role::Text, &[Capacity::Focus], &[]);
    type MakeElement = fn(&str) -> ShownElement;
    let cases: [(MakeElement, &str, bool, usize, &str, &str); 9] = [
        (|content| web_field("메모", content), "", true, 1, "안녕", "메모: 입력했어요."),
        (|content| web_field("메모", content), "", false, 0, "", "어느 칸"),
        (|content| web_field("메모", content), "긴 글 ", true, 1, "긴 글 안녕", "메모: 입력했어요."),
        (|content| web_field("메모", content), "안녕", true, 1, "안녕안녕", "메모: 입력했어요."),
        (paragraph, "", true, 1, "안녕", "입력했어요."),
        (paragraph, "첫 줄 ", true, 1, "첫 줄 안녕", "입력했어요."),
        (paragraph, "첫 줄 ", false, 0, "첫 줄 ", "어느 칸"),
        (terminal, "$ ", true, 1, "$ 안녕", "터미널: 입력했어요."),
        (label, "읽기만 하는 글", true, 0, "읽기만 하는 글", "어느 칸"),
    ];
    for (element, content, focused, typed, after, said) in cases {
        let mut memo = element(content);
        memo.state.focused = focused;
        let mut screen = ScriptedScreen::new(vec![web_field("이름", ""), memo]).with_input();
        let report = screen.say("'안녕' 입력해 줘");
        let expect: Vec<_> = (0..typed).map(|_| ("e2", text("안녕"))).collect();
        let found: Vec<_> = screen.inputs.iter().map(|(id, text)| (id.0.as_str(), text.clone())).collect();
        assert_eq!(found, expect, "{report:?}");
        assert_eq!(screen.elements[1].state.element.text, after, "{report:?}");
        assert!(report.said.ends_with(said) || typed == 0 && report.said.contains(said), "{report:?}");
        assert!(content.is_empty() || !report.said.contains(content), "what is there is not repeated: {report:?}");
    }
}

// EXE-2
#[test]
fn what_shows_only_later_is_told_as_typed_and_not_as_seen_exe_2() {
    let mut cell = shown("A1", Role::Cell, &[Capacity::Insert, Capacity::Focus], &[]);
    cell.state.focused = true;
    cell.input = InputBehaviour::IGNORES;
    let mut screen = ScriptedScreen::new(vec![cell]).with_input();
    let report = screen.say("'12' 입력해 줘");
    assert_eq!((report.outcome, screen.inputs.len(), report.steps[0].verified), (Success, 1, false), "{report:?}");
    assert!(report.said.contains("확인하지 못했어요"), "{report:?}");
}
