//! What is sent, to which window, and what stops it.

use luna_messages::Point;
use luna_messages::input::{ClickPoint, ClickRequest, InputInterruption, InputRefusal};

use super::*;

fn taps(keys: &[u32]) -> Vec<PortalKey> {
    keys.iter().flat_map(|&key| [(key, true), (key, false)]).collect()
}

// EXE-4, SES-2
#[test]
fn the_first_key_asks_once_and_texts_are_symbols_in_order_exe_4_ses_2() {
    let desk = PortalDesk::new("order", &[], LIMITS);
    assert_eq!(desk.portal.calls(), [""; 0], "nobody is asked before a key is needed");
    desk.target.set_field(Some(0));
    let target = desk.target.clone();
    desk.portal.on_key(move |count, _| target.set_field(Some(count as u64)));
    assert_eq!(desk.type_text("안a\r\n\tÉ😀 "), Ok(InputResult::Done));
    let symbols = [0x0100_c548, 0x61, ENTER, 0xff09, 0xc9, 0x0101_f600, 0x20];
    assert_eq!(desk.portal.keys(), taps(&symbols));
    let expected = ["GetAll", "CreateSession", "SelectDevices types 1 persist 2 token none", "Start"];
    assert_eq!(desk.portal.calls(), expected);
    assert_eq!(desk.type_text("b"), Ok(InputResult::Done));
    assert_eq!(desk.portal.calls(), expected, "the person was asked already");
}

// EXE-4
#[test]
fn modifiers_are_held_around_all_presses_and_let_go_in_reverse_exe_4() {
    let desk = PortalDesk::new("chord", &[], LIMITS);
    assert_eq!(desk.press("ctrl+shift+s", 2), Ok(InputResult::Done));
    let mut expected = vec![(CTRL, true), (SHIFT, true)];
    expected.extend(taps(&[0x73, 0x73]));
    expected.extend([(SHIFT, false), (CTRL, false)]);
    assert_eq!(desk.portal.keys(), expected);
    assert_eq!(desk.ended_sessions(), 0);
}

// EXE-7
#[test]
fn without_the_focus_nothing_is_sent_and_nobody_asked_exe_7() {
    let desk = PortalDesk::new("focus", &[], LIMITS);
    for (active, expect) in [(None, None), (Some(WINDOW + 1), Some(WINDOW + 1))] {
        desk.target.activate(active);
        let result = desk.type_text("가");
        let Ok(InputResult::NotDone(InputRefusal::NotFocused { focused })) = result else { panic!("{result:?}") };
        assert_eq!(focused.map(|window| window.window), expect);
    }
    let barrier = {
        let epoch = StopEpoch::default();
        epoch.stop(RequestId(2));
        epoch.barrier(RequestId(1))
    };
    desk.target.activate(Some(WINDOW));
    let stopped = desk.input.press(&chord("enter"), 1, WINDOW, &barrier);
    assert_eq!(stopped, Ok(InputResult::NotDone(InputRefusal::Stopped)));
    let unfit = desk.type_text("a\u{1b}");
    assert_eq!(unfit, Ok(InputResult::NotDone(InputRefusal::NotTypeable { place: 1 })));
    assert_eq!((desk.portal.calls(), desk.portal.keys()), (Vec::new(), Vec::new()));
}

// EXE-7
#[test]
fn a_question_that_takes_the_focus_gets_no_keys_exe_7() {
    let desk = PortalDesk::new(
        "question",
        &[PortalFault::NoResponse("Start")],
        PortalLimits { question: Duration::from_secs(20), ..LIMITS },
    );
    std::thread::scope(|scope| {
        let typing = scope.spawn(|| desk.type_text("abc"));
        while desk.questions() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        desk.target.activate(None);
        desk.portal.answer_open("Start");
        let result = typing.join().unwrap();
        assert_eq!(result, Ok(InputResult::NotDone(InputRefusal::NotFocused { focused: None })));
    });
    assert_eq!(desk.portal.keys(), []);
}

// KER-11, EXE-7
#[test]
fn a_stop_or_a_lost_focus_ends_a_text_where_it_is_ker_11_exe_7() {
    let desk = PortalDesk::new("stop", &[], LIMITS);
    let epoch = StopEpoch::default();
    let raised = epoch.clone();
    // With the fifth key, the third character goes down.
    desk.portal.on_key(move |count, _| {
        if count == 5 {
            raised.stop(RequestId(2))
        }
    });
    let result = desk.input.type_text(&EnteredText("abcdef".to_owned()), WINDOW, &epoch.barrier(RequestId(1)));
    let why = InputInterruption::Refused(InputRefusal::Stopped);
    assert_eq!(result, Ok(InputResult::Partly { sent: 3, why }));
    assert_eq!(desk.portal.keys(), taps(&[0x61, 0x62, 0x63]));

    let target = desk.target.clone();
    desk.portal.on_key(move |count, _| {
        if count == 6 + 5 {
            target.activate(Some(WINDOW + 1))
        }
    });
    let pressed = desk.press("ctrl+n", 5);
    let why = InputInterruption::Refused(InputRefusal::NotFocused { focused: None });
    assert_eq!(pressed, Ok(InputResult::Partly { sent: 2, why }));
    assert!(held(&desk.portal.keys()).is_empty());
    assert_eq!(desk.ended_sessions(), 0);
}

// EXE-2
#[test]
fn characters_that_a_desktop_drops_are_not_told_as_typed_exe_2() {
    let desk = PortalDesk::new("dropped", &[], LIMITS);
    desk.target.set_field(Some(0));
    let target = desk.target.clone();
    // As GNOME and KDE do with what the layout of the keyboard lacks.
    desk.portal.on_key(move |count, (symbol, _)| {
        if symbol < 0x0100_0000 {
            target.set_field(Some(count as u64));
        }
    });
    assert_eq!(desk.type_text("abc"), Ok(InputResult::Done));
    let dropped = desk.type_text("ab안녕하세요");
    assert_eq!(dropped, Ok(InputResult::Partly { sent: 3, why: InputInterruption::NoAnswer }));
    // A field that tells nothing, such as a protected one, can't be looked at.
    desk.target.set_field(None);
    assert_eq!(desk.type_text("안녕"), Ok(InputResult::Done));
}

// EXE-1, SES-2
#[test]
fn the_mouse_and_windows_of_x_programs_are_refused_with_a_remedy_exe_1_ses_2() {
    let desk = PortalDesk::new("mouse", &[], LIMITS);
    let at = ClickPoint {
        point: Point::new(1, 1),
        window: WINDOW,
        bounds: luna_messages::Rect::new(0, 0, 9, 9),
        is_confirmed: true,
    };
    for result in [
        desk.input.click(&ClickRequest::left(at), &free()),
        desk.input.hover(&at, &free()),
        desk.input.scroll(&at, 1, &free()),
    ] {
        assert!(reason(result).contains("mouse"));
    }
    let x = desk.input.press(&chord("enter"), 1, 0x0040_0001, &free());
    assert!(reason(x).contains("X program"));
    assert_eq!(desk.portal.calls(), [""; 0]);
}
