//! What a field holds and what is entered in it is neither its name nor told (PRV-2, PIC-5).

use luna_messages::element_action::{Capacity, ElementAction, EnteredText};
use luna_messages::executor::OrderOutcome::{Clarify, Failed};
use luna_messages::executor::OrderSource;
use luna_messages::pick::Role;

use super::screen::{ScriptedScreen, ShownElement, field, shown};
use crate::events::ExecutorEvent;
use crate::expectation::Expectation;
use crate::means::StepMeans;
use crate::plan::{MeansAllowed, StepPlan, plan};

fn holding(label: &str, content: &str) -> ShownElement {
    let mut holding = field(label);
    holding.state.element.text = content.to_owned();
    holding
}

// PRV-2
#[test]
fn a_field_is_called_by_its_label_and_never_by_what_it_holds_prv_2() {
    // One that nothing labels is called what the person called it.
    let check = |label: &str, words: &str, expect: &str| {
        let mut screen = ScriptedScreen::new(vec![holding(label, "일급 비밀")]);
        let report = screen.say(words);
        let told = format!("{report:?}{:?}", screen.said);
        assert!(!told.contains("비밀") && told.contains(expect), "{words}: {told}");
    };
    check("메모", "메모 칸에 안녕 입력해 줘", "메모: 입력했어요");
    check("", "첫 번째 칸에 안녕 입력해 줘", "입력했어요");
    let mut screen = ScriptedScreen::new(vec![holding("메모", "일급 비밀"), holding("메모", "이급 비밀")]);
    let report = screen.say("메모 칸에 안녕 입력해 줘");
    assert_eq!(report.outcome, Clarify, "{report:?}");
    assert!(!report.said.contains("비밀") && report.said.contains("메모"), "{}", report.said);
}

// PRV-2
#[test]
fn no_debug_output_shows_what_is_entered_prv_2() {
    let mut secret = field("비밀번호");
    secret.state.protected = true;
    // What the tree can't set is typed.
    let typed = |mut field: ShownElement| {
        field.state.capacities = [Capacity::Focus].into_iter().collect();
        ScriptedScreen::new(vec![field]).with_input()
    };
    for mut screen in [
        ScriptedScreen::new(vec![secret.clone()]),
        ScriptedScreen::new(vec![field("비밀번호")]),
        typed(secret),
        typed(field("비밀번호")),
    ] {
        let order = ScriptedScreen::spoken("비밀번호 칸에 가나다라 입력해 줘", OrderSource::Voice);
        let event = ExecutorEvent::Order(order);
        let mut shown = format!("{event:?}");
        screen.take(event);
        let mut states = 0;
        while screen.reports.is_empty() {
            shown += &format!("{:?}{:?}", screen.machine, screen.waiting);
            states += 1;
            if !screen.perform_next() {
                screen.pass();
            }
            // What an unprotected field shows is the screen's own text from then on.
            if !screen.acts.is_empty() || !screen.inputs.is_empty() {
                break;
            }
        }
        shown += &format!("{:?}{:?}{:?}{:?}", screen.waiting, screen.reports, screen.acts, screen.inputs);
        assert!(states > 3 && screen.acts.len() + screen.inputs.len() == 1 && !shown.contains("가나다라"), "{shown}");
    }
}

// PRV-2
#[test]
fn a_secret_that_was_taken_for_a_name_is_not_repeated_prv_2() {
    let mut screen = ScriptedScreen::new(vec![field("비밀번호")]);
    for words in ["열려라참깨 입력해 줘", "비밀 번호에는 열려라참깨 입력"] {
        let report = screen.say(words);
        assert!(!report.said.contains("열려라"), "{words}: {report:?}");
    }
    let report = ScriptedScreen::new(Vec::new()).say("fill in the swordfish field");
    assert_eq!((report.outcome, report.said.as_str()), (Failed, "무엇을 입력할지 말해 주세요."));
}

// PIC-5
#[test]
fn a_protected_number_is_not_compared_pic_5() {
    let mut pin = shown("", Role::SpinButton, &[Capacity::SetNumber, Capacity::SetText], &[]);
    pin.state.protected = true;
    let step = luna_messages::understanding::ParsedCommand {
        action: Some(luna_messages::dsl::Action::SetValue),
        value: Some("1234".to_owned()),
        ..Default::default()
    };
    let planned = plan(&step, &pin.state, MeansAllowed::default());
    let StepPlan::Act { means, expectation } = planned else { panic!("{planned:?}") };
    assert_eq!(means, StepMeans::Tree(ElementAction::SetText(EnteredText("1234".to_owned()))));
    assert_eq!(expectation, Expectation::ContentChanged);
}
