//! The pointer before the tree, if so configured (EXE-1).

use luna_messages::element_action::NoEffectProof;
use luna_messages::executor::OrderOutcome::{Confirm, Failed, Success};
use luna_messages::executor::OrderSource;

use super::screen::{InputBehaviour, ScriptedScreen, ShownElement, button};

// EXE-1, EXE-7
#[test]
fn the_pointer_comes_first_if_so_configured_and_the_tree_if_there_is_nothing_to_click_exe_1_exe_7() {
    let (works, covered) = (InputBehaviour::WORKS, InputBehaviour::refuses(NoEffectProof::Covered));
    let held_back = InputBehaviour::refuses(NoEffectProof::NotDelivered);
    for (tree_first, input, outcome, clicks, acts) in [
        (true, works, Success, 0, 1),
        (false, works, Success, 1, 0),
        (false, covered, Success, 0, 1),
        // A stop may have held it back.
        (false, held_back, Failed, 0, 0),
    ] {
        let mut screen = ScriptedScreen::new(vec![ShownElement { input, ..button("저장") }]).with_input();
        screen.settings.tree_first = tree_first;
        screen.machine.set_settings(screen.settings.clone());
        let report = screen.say("저장 버튼 눌러");
        let done = (report.outcome, screen.inputs.len(), screen.acts.len());
        assert_eq!(done, (outcome, clicks, acts), "{tree_first}: {report:?}");
    }
}

// DNG-2, EXE-7
#[test]
fn a_yes_for_the_pointer_holds_for_the_tree_in_its_place_dng_2_exe_7() {
    let covered = InputBehaviour::refuses(NoEffectProof::Covered);
    let mut screen = ScriptedScreen::new(vec![ShownElement { input: covered, ..button("삭제") }]).with_input();
    screen.settings.tree_first = false;
    screen.machine.set_settings(screen.settings.clone());
    assert_eq!(screen.say("삭제 버튼 눌러").outcome, Confirm);
    assert_eq!(screen.answer("루나, 예", OrderSource::Voice).outcome, Success);
    assert_eq!(screen.pressed(), ["삭제"]);
}
