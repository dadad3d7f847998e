//! Clicks arrive exactly once, on what was meant, or not at all.

use std::sync::Arc;

use luna_messages::element_action::ElementRefusal;
use luna_messages::input::{ClickRequest, MouseButton, NoClickPoint, OtherWindow};
use luna_messages::{ElementId, Point, Rect};

use super::person::{ESCAPE, SHIFT};
use super::*;

const AWAY: Point = Point::new(7, 9);

/// The element with this text in the active windows of a program.
async fn element(tree: &AtSpi, title: &str, text: &str) -> ElementId {
    active(tree, title).await;
    let start = Instant::now();
    loop {
        let mut all = Vec::new();
        for window in tree.active_windows().await.unwrap() {
            all.extend(tree.window_elements_to_act_on(&window).await.unwrap_or_default().elements);
        }
        if let Some(found) = all.iter().find(|one| one.element.text.contains(text)) {
            return found.id().clone();
        }
        assert!(start.elapsed() < PATIENCE, "no {text:?} in {all:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The button of the program as something to click.
pub(super) async fn button(tree: &AtSpi, title: &str) -> ClickPoint {
    let button = element(tree, title, "Press 누름").await;
    tree.click_point(&button).await.unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn a_click_arrives_exactly_once_and_the_pointer_returns_exe_1_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Click 클릭");
    let (input, person, tree) = (X11Input::new(), SimulatedHands::new(), AtSpi::new());
    let at = button(&tree, "Click").await;
    assert!(at.is_confirmed);
    person.move_to(AWAY);
    program.told();
    let left = ClickRequest::left(at);
    let mut times = Vec::new();
    for (request, expect) in [
        (left, vec!["button pressed 1", "button clicked"]),
        (ClickRequest { button: MouseButton::Right, ..left }, vec!["button pressed 3"]),
        (
            ClickRequest { is_double: true, ..left },
            vec!["button pressed 1", "button clicked", "button pressed 1", "button double 1", "button clicked"],
        ),
    ] {
        // A click shortly after another one would be a double click.
        tokio::time::sleep(Duration::from_millis(450)).await;
        let start = Instant::now();
        assert_eq!(input.click(&request, &free()), Ok(InputResult::Done), "{request:?}");
        times.push(start.elapsed());
        assert_eq!(person.at(), AWAY);
        assert_eq!(program.told(), expect, "{request:?}");
    }
    println!("clicks took {times:?}");
}

// EXE-7, PIC-7
#[tokio::test(flavor = "multi_thread")]
async fn what_is_covered_moved_or_gone_is_not_clicked_and_it_is_told_exe_7_pic_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Cover 위");
    let (input, tree) = (X11Input::new(), AtSpi::new());
    let at = button(&tree, "Cover").await;
    let request = ClickRequest::left(at);
    program.tell("cover");
    let result = input.click(&request, &free());
    let Ok(InputResult::NotDone(InputRefusal::Covered { by: Some(OtherWindow { window, title }) })) = result else {
        panic!("{result:?}");
    };
    assert!(window != at.window && title == "Cover 가림", "{title}");
    program.tell("uncover");
    // What lies beside the window is the desktop.
    let beside = ClickPoint { point: Point::new(at.bounds.right() + 40, at.point.y), ..at };
    let missed = input.click(&ClickRequest::left(beside), &free());
    assert!(matches!(missed, Ok(InputResult::NotDone(InputRefusal::Covered { .. }))), "{missed:?}");
    let grown = ClickPoint { bounds: Rect { width: at.bounds.width + 1, ..at.bounds }, ..at };
    let moved = Ok(InputResult::NotDone(InputRefusal::Moved));
    assert_eq!(input.click(&ClickRequest::left(grown), &free()), moved);
    program.tell("move");
    assert_eq!(input.click(&request, &free()), moved);
    assert_eq!(program.told(), Vec::<String>::new());
    let again = button(&tree, "Cover").await;
    assert_eq!(input.click(&ClickRequest::left(again), &free()), Ok(InputResult::Done));
    assert_eq!(program.told(), ["button pressed 1", "button clicked"]);
    drop(program);
    let start = Instant::now();
    let gone = Ok(InputResult::NotDone(InputRefusal::Gone));
    while input.click(&ClickRequest::left(again), &free()) != gone {
        assert!(start.elapsed() < PATIENCE, "the window is still there");
    }
}

// KER-11, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_clicked_after_a_stop_or_while_the_person_holds_something_ker_11_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Hold 잡고");
    let (input, mut person) = (X11Input::new(), SimulatedHands::new());
    let request = ClickRequest::left(button(&AtSpi::new(), "Hold").await);
    person.move_to(AWAY);
    program.told();
    let epoch = StopEpoch::default();
    let raised = epoch.barrier(RequestId(1));
    epoch.stop(RequestId(2));
    assert_eq!(input.click(&request, &raised), Ok(InputResult::NotDone(InputRefusal::Stopped)));
    let held = Ok(InputResult::NotDone(InputRefusal::Held));
    person.hold(SHIFT);
    let start = Instant::now();
    assert_eq!(input.click(&request, &free()), held);
    assert!(start.elapsed() >= Duration::from_millis(100));
    person.let_go();
    person.hold_button();
    assert_eq!(input.click(&request, &free()), held);
    person.let_go();
    // The middle button opened a menu of the window manager, which gets every click and every key.
    let grabbed = Ok(InputResult::NotDone(InputRefusal::Grabbed));
    let window = request.at.window;
    assert_eq!(input.click(&request, &free()), grabbed);
    assert_eq!(input.type_text(&text("가"), window, &free()), grabbed);
    assert_eq!(input.press(&"enter".parse().unwrap(), 1, window, &free()), grabbed);
    person.tap(ESCAPE);
    assert_eq!((person.at(), program.told()), (AWAY, Vec::<String>::new()));
    // The menu closes a moment after the key.
    let start = Instant::now();
    let mut result = input.click(&request, &epoch.barrier(RequestId(3)));
    while result == grabbed && start.elapsed() < PATIENCE {
        result = input.click(&request, &epoch.barrier(RequestId(3)));
    }
    assert_eq!(result, Ok(InputResult::Done));
    assert_eq!(program.told(), ["button pressed 1", "button clicked"]);
}

// EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn the_pointer_stays_where_the_person_moved_it_meanwhile_exe_1() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Moves 움직임");
    let (input, person) = (Arc::new(X11Input::new()), SimulatedHands::new());
    let at = button(&AtSpi::new(), "Moves").await;
    person.move_to(AWAY);
    // While the program doesn't answer, Luna waits for it.
    program.tell("freeze");
    let clicking = tokio::task::spawn_blocking(move || input.click(&ClickRequest::left(at), &free()));
    let start = Instant::now();
    while person.at() == AWAY {
        assert!(start.elapsed() < PATIENCE, "Luna did not move the pointer");
    }
    let there = Point::new(300, 5);
    person.move_to(there);
    assert_eq!(clicking.await.unwrap(), Ok(InputResult::Done));
    assert_eq!((person.at(), program.told()), (there, vec!["button pressed 1".into(), "button clicked".to_owned()]));
}

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_of_the_programs_own_menu_can_be_clicked_exe_1_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Menu 메뉴");
    let (input, tree) = (X11Input::new(), AtSpi::new());
    active(&tree, "Menu").await;
    program.tell("menu");
    let entry = element(&tree, "Menu", "Two 둘").await;
    let at = tree.click_point(&entry).await.unwrap();
    assert_eq!(input.click(&ClickRequest::left(at), &free()), Ok(InputResult::Done));
    assert_eq!(program.next(), "menu activated Two 둘");
}

// EXE-1, EXE-7, PIC-6
#[tokio::test(flavor = "multi_thread")]
async fn what_is_scrolled_away_or_gone_has_no_place_to_click_exe_1_exe_7_pic_6() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Rows 줄");
    let tree = AtSpi::new();
    let row = element(&tree, "Rows", "Row 1 줄").await;
    let at = tree.click_point(&row).await.unwrap();
    assert!(at.is_confirmed);
    assert_eq!(X11Input::new().click(&ClickRequest::left(at), &free()), Ok(InputResult::Done));
    assert_eq!(program.told(), ["row clicked"]);
    program.tell("scroll");
    // A rest of it is in view, but its middle is where the button above the list is.
    assert_eq!(tree.click_point(&row).await, Err(NoClickPoint::Covered));
    program.tell("end");
    assert_eq!(tree.click_point(&row).await, Err(NoClickPoint::OutOfView));
    drop(program);
    let refusal = tree.click_point(&row).await;
    let gone = [ElementRefusal::Gone, ElementRefusal::NoAnswer].map(|why| Err(NoClickPoint::Element(why)));
    assert!(gone.contains(&refusal), "{refusal:?}");
}

// EXE-1, EXE-7, KER-11
#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_turns_as_far_as_was_asked_and_nowhere_else_exe_1_exe_7_ker_11() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Wheel 휠");
    let (input, person, tree) = (X11Input::new(), SimulatedHands::new(), AtSpi::new());
    let at = button(&tree, "Wheel").await;
    person.move_to(AWAY);
    program.told();
    for (notches, expect) in [(3, vec!["button scrolled down"; 3]), (-2, vec!["button scrolled up"; 2])] {
        assert_eq!(input.scroll(&at, notches, &free()), Ok(InputResult::Done));
        assert_eq!(program.told(), expect, "{notches}");
        assert_eq!(person.at(), AWAY, "{notches}");
    }
    let (stops, order) = (StopEpoch::default(), RequestId(1));
    let barrier = stops.barrier(order);
    stops.stop(RequestId(2));
    assert_eq!(input.scroll(&at, 3, &barrier), Ok(InputResult::NotDone(InputRefusal::Stopped)));
    let moved = ClickPoint { bounds: Rect { x: at.bounds.x + 1, ..at.bounds }, ..at };
    assert_eq!(input.scroll(&moved, 3, &free()), Ok(InputResult::NotDone(InputRefusal::Moved)));
    assert!(program.told().is_empty());
}

// EXE-1, KER-11
#[tokio::test(flavor = "multi_thread")]
async fn the_pointer_rests_where_it_was_put_and_presses_nothing_exe_1_ker_11() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Hover 머묾");
    let (input, person, tree) = (X11Input::new(), SimulatedHands::new(), AtSpi::new());
    let at = button(&tree, "Hover").await;
    person.move_to(AWAY);
    program.told();
    let (stops, order) = (StopEpoch::default(), RequestId(1));
    let barrier = stops.barrier(order);
    stops.stop(RequestId(2));
    assert_eq!(input.hover(&at, &barrier), Ok(InputResult::NotDone(InputRefusal::Stopped)));
    assert_eq!(person.at(), AWAY);
    assert_eq!(input.hover(&at, &free()), Ok(InputResult::Done));
    assert_eq!((person.at(), program.told()), (at.point, Vec::<String>::new()));
}
