//! What the rules leave open, with a language model that answers as it is told.

use luna_messages::ElementId;
use luna_messages::dsl::{Action, DslCommand, DslTask};
use luna_messages::executor::OrderOutcome::{Clarify, Confirm, Failed, None as Nothing, Refused, Success};
use luna_messages::executor::OrderSource;
use luna_messages::language_tasks::{ChosenCommand, ClarifyOption, Meaning};

use super::screen::{ScriptedScreen, ShownElement, button, field};
use crate::events::ExecutorEvent;

fn chosen(action: Action, element: &str) -> ChosenCommand {
    ChosenCommand { command: DslCommand::new(action), element: Some(ElementId(element.to_owned())) }
}

fn takes(element: &str) -> Option<Meaning> {
    Some(Meaning::Command(chosen(Action::Invoke, element)))
}

fn enters(value: &str, element: &str) -> ChosenCommand {
    let mut entered = chosen(Action::SetValue, element);
    entered.command.params.value = Some(value.to_owned());
    entered
}

fn asks(element: Option<&str>, fallback: bool) -> Option<Meaning> {
    let option = |text: &str| ClarifyOption { text: text.to_owned(), element: None };
    let options = vec![option("실행"), option("취소")];
    Some(Meaning::Clarify { options, element: element.map(|id| ElementId(id.to_owned())), fallback })
}

impl ScriptedScreen {
    /// A language model answers this when it is asked.
    fn with_model(mut self, answers: Option<Meaning>) -> Self {
        self.settings.asks_model = true;
        self.machine.set_settings(self.settings.clone());
        self.model_answers = answers;
        self
    }
}

fn settings_windows() -> Vec<ShownElement> {
    vec![button("네트워크 설정"), button("소리 설정"), button("닫기")]
}

// NLU-4
#[test]
fn the_model_takes_one_of_those_that_fit_and_nothing_else_nlu_4() {
    for (meaning, outcome, pressed) in [
        (takes("e2"), Success, vec!["소리 설정"]),
        // Not among those that fit, or nothing on the screen.
        (takes("e3"), Clarify, vec![]),
        (takes("e9"), Clarify, vec![]),
        (asks(None, false), Clarify, vec![]),
        (asks(Some("e1"), true), Clarify, vec![]),
        // A question of the model's own about something harmless is asked.
        (asks(Some("e1"), false), Clarify, vec![]),
    ] {
        let mut screen = ScriptedScreen::new(settings_windows()).with_model(meaning.clone());
        let report = screen.say("루나, 설정 눌러");
        assert_eq!((report.outcome, screen.pressed()), (outcome, pressed), "{meaning:?}: {report:?}");
        let offered = vec!["네트워크 설정".to_owned(), "소리 설정".to_owned()];
        assert_eq!(screen.model_asked, [(DslTask::SelectionDisambiguation, offered)]);
    }
}

// NLU-4, EXE-3
#[test]
fn without_an_answer_the_person_is_asked_nlu_4_exe_3() {
    let mut screen = ScriptedScreen::new(settings_windows()).with_model(None);
    let report = screen.say("루나, 설정 눌러");
    assert_eq!(report.outcome, Clarify);
    assert!(screen.now >= std::time::Duration::from_millis(2500), "the model has its time");
    assert_eq!(screen.answer("2번", OrderSource::Voice).outcome, Success);
    assert_eq!(screen.pressed(), ["소리 설정"]);
}

// EXE-6, NLU-4
#[test]
fn no_model_is_asked_what_only_the_person_can_know_exe_6_nlu_4() {
    for (elements, said, outcome) in [
        (vec![button("확인"), button("확인")], "루나, 확인 눌러", Clarify),
        (vec![button("열기"), button("닫기")], "루나, 버튼 눌러", Clarify),
        (vec![button("열기"), button("닫기")], "루나, 닫기 눌러", Success),
    ] {
        let mut screen = ScriptedScreen::new(elements).with_model(takes("e1"));
        assert_eq!(screen.say(said).outcome, outcome, "{said}");
        assert!(screen.model_asked.is_empty(), "{said}");
    }
}

// DNG-3, DNG-1
#[test]
fn a_choice_of_the_model_is_confirmed_like_any_other_dng_3_dng_1() {
    for answers in [takes("e1"), asks(Some("e1"), false)] {
        let elements = vec![button("메일 삭제"), button("사진 삭제")];
        let mut screen = ScriptedScreen::new(elements).with_model(answers);
        let report = screen.say("루나, 삭제 눌러");
        assert_eq!((report.outcome, screen.pressed().len()), (Confirm, 0), "{report:?}");
        assert_eq!(screen.answer("루나, 예", OrderSource::Voice).outcome, Success);
        assert_eq!(screen.pressed(), ["메일 삭제"]);
    }
}

// NLU-4, NLU-7
#[test]
fn what_the_rules_do_not_find_is_done_only_after_a_yes_nlu_4_nlu_7() {
    for (answer, outcome, pressed) in [
        ("예", Success, vec!["환경설정"]),
        ("환경설정", Success, vec!["환경설정"]),
        ("아니", Refused, vec![]),
        ("파란색", Clarify, vec![]),
    ] {
        let mut screen = ScriptedScreen::new(vec![button("열기"), button("환경설정")]).with_model(takes("e2"));
        let report = screen.say("루나, 톱니바퀴 눌러");
        assert_eq!((report.outcome, screen.pressed().len()), (Clarify, 0), "{report:?}");
        assert_eq!(screen.said.last().unwrap(), "이 뜻인가요? 환경설정: 누를까요? 맞으면 예라고 말해 주세요.");
        assert_eq!(screen.answer(answer, OrderSource::Voice).outcome, outcome, "{answer}");
        assert_eq!(screen.pressed(), pressed, "{answer}");
    }
}

// EXE-5
#[test]
fn a_plan_of_the_model_is_told_and_done_step_by_step_after_a_yes_exe_5() {
    let plan = Meaning::Plan(vec![enters("홍길동", "e1"), chosen(Action::Invoke, "e2")]);
    let mut screen = ScriptedScreen::new(vec![field("이름"), button("가입")]).with_model(Some(plan));
    let report = screen.say("내가 홍길동이니까 알아서 들어가게 좀 해 봐라 얘야");
    assert_eq!((report.outcome, screen.acts.len()), (Clarify, 0), "{report:?}");
    assert_eq!(screen.model_asked[0].0, DslTask::MacroPlan);
    assert_eq!(screen.answer("응", OrderSource::Voice).outcome, Success);
    assert_eq!(screen.pressed(), ["이름", "가입"]);
}

// PRV-5, NLU-4
#[test]
fn nothing_that_the_model_makes_up_is_done_prv_5_nlu_4() {
    let hotkey = ChosenCommand { command: DslCommand::new(Action::Hotkey), element: None };
    for meaning in [
        Meaning::Command(enters("비밀", "e1")),
        // It would empty the field; a part of a word was not said.
        Meaning::Command(enters("", "e1")),
        Meaning::Command(enters("길동", "e1")),
        Meaning::Command(chosen(Action::Invoke, "e3")),
        Meaning::Plan(vec![chosen(Action::Invoke, "e9")]),
        Meaning::Plan(Vec::new()),
        Meaning::Command(hotkey),
        Meaning::Command(chosen(Action::Clarify, "e1")),
    ] {
        let shown = vec![field("이름"), button("가입"), button("")];
        let mut screen = ScriptedScreen::new(shown).with_model(Some(meaning.clone()));
        let report = screen.say("내가 홍길동이니까 알아서 들어가게 좀 해 봐라 얘야");
        assert_eq!(report.outcome, Nothing, "{meaning:?}: {report:?}");
        assert!(!screen.machine.is_asking() && screen.acts.is_empty());
    }
    let mut screen = ScriptedScreen::new(vec![button("열기")]).with_model(takes("e7"));
    assert_eq!(screen.say("루나, 톱니바퀴 눌러").outcome, Failed);
}

// KER-6, FOC-6
#[test]
fn a_stop_or_a_newer_order_ends_what_the_model_was_asked_ker_6_foc_6() {
    let mut screen = ScriptedScreen::new(settings_windows()).with_model(None);
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("루나, 설정 눌러", OrderSource::Voice)));
    screen.settle();
    let stop = screen.stop();
    screen.take(stop);
    screen.settle();
    assert_eq!(screen.reports[0].1.outcome, Refused);
    assert_eq!(screen.say("닫기 눌러").outcome, Success);
    assert_eq!(screen.pressed(), ["닫기"]);
}

// PRV-3, PRV-2
#[test]
fn what_may_be_a_secret_is_not_told_to_a_model_prv_3_prv_2() {
    let secret = |label: &str| {
        let mut field = field(label);
        field.state.protected = true;
        field
    };
    for said in [
        "루나, 비밀번호에 1234 입력해",
        "루나, 암호문에 1234 입력해",
        "내가 홍길동이니까 알아서 들어가게 좀 해 봐라 얘야",
    ] {
        let shown = vec![secret("비밀번호 하나"), secret("비밀번호 확인"), button("저장")];
        let mut screen = ScriptedScreen::new(shown).with_model(takes("e1"));
        screen.say(said);
        assert!(screen.model_asked.is_empty() && screen.acts.is_empty(), "{said}");
    }
}

// DNG-2, EXE-3
#[test]
fn a_late_yes_to_a_proposal_presses_nothing_dng_2_exe_3() {
    let mut screen = ScriptedScreen::new(vec![button("열기"), button("환경설정")]).with_model(takes("e2"));
    assert_eq!(screen.say("루나, 톱니바퀴 눌러").outcome, Clarify);
    screen.pass();
    screen.show(button("예"));
    assert_eq!(screen.say("루나, 예").outcome, Nothing);
    assert!(screen.acts.is_empty(), "{:?}", screen.pressed());
}

// DNG-1, DNG-3
#[test]
fn the_danger_of_the_words_is_kept_and_an_order_is_no_yes_dng_1_dng_3() {
    // By the words alone, whatever the model chose.
    let mut screen = ScriptedScreen::new(vec![button("열기"), button("초록")]).with_model(takes("e2"));
    assert_eq!(screen.say("루나, 빨간 거 삭제해").outcome, Clarify);
    assert_eq!(screen.answer("예", OrderSource::Voice).outcome, Confirm);
    assert!(screen.acts.is_empty());
    // An order that names the target.
    let mut screen = ScriptedScreen::new(vec![button("열기"), button("환경설정")]).with_model(takes("e2"));
    assert_eq!(screen.say("루나, 톱니바퀴 눌러").outcome, Clarify);
    assert_ne!(screen.say("루나, 환경설정 삭제해 줘").outcome, Success);
    assert!(screen.acts.is_empty(), "{:?}", screen.pressed());
}
