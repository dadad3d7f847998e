//! A portal that misbehaves: each fault is told by its name, nothing stays pressed, and the next order works.

use luna_messages::input::InputInterruption;

use super::*;

// SES-2, KER-11
#[test]
fn each_fault_before_the_first_key_has_its_reason_and_the_next_order_asks_anew_ses_2_ker_11() {
    for (fault, expect) in [
        (PortalFault::NoRemoteDesktop, "no portal"),
        (PortalFault::MalformedVersion, "does not understand"),
        (PortalFault::NoKeyboardOffered, "lets no program press keys"),
        (PortalFault::NoReply("GetAll"), "does not answer"),
        (PortalFault::NoReply("CreateSession"), "does not answer"),
        (PortalFault::NoResponse("CreateSession"), "does not answer"),
        (PortalFault::MalformedResponse("CreateSession"), "does not understand"),
        (PortalFault::EmptyResponse("CreateSession"), "does not understand"),
        (PortalFault::Response("CreateSession", 2), "ended its question"),
        (PortalFault::NoResponse("SelectDevices"), "does not answer"),
        (PortalFault::Response("SelectDevices", 1), "ended its question"),
        (PortalFault::NoReply("Start"), "got no answer"),
        (PortalFault::NoResponse("Start"), "got no answer"),
        (PortalFault::MalformedResponse("Start"), "does not understand"),
        (PortalFault::EmptyResponse("Start"), "does not understand"),
        (PortalFault::Response("Start", 2), "ended its question"),
    ] {
        let is_late = ["does not answer", "got no answer"].contains(&expect);
        let brief = Duration::from_millis(300);
        let limits = if is_late { PortalLimits { setup: brief, question: brief, ..LIMITS } } else { LIMITS };
        let mut desk = PortalDesk::new("faults", &[fault], limits);
        let told = reason(desk.type_text("abc"));
        assert!(told.contains(expect), "{fault:?}: {told}");
        assert_eq!(desk.portal.keys(), [], "{fault:?}");
        let begun = desk.portal.calls().iter().any(|call| call.starts_with("SelectDevices"));
        assert_eq!(desk.ended_sessions() > 0, begun, "{fault:?}: {:?}", desk.portal.calls());
        desk.portal.set_faults(&[]);
        if is_late {
            desk.restart(LIMITS);
        }
        assert_eq!(desk.type_text("abc"), Ok(InputResult::Done), "{fault:?}");
    }
}

// SES-2
#[test]
fn a_portal_that_is_not_there_or_goes_away_is_told_ses_2() {
    let mut desk = PortalDesk::new("vanished", &[PortalFault::Vanishes("Start")], LIMITS);
    assert!(reason(desk.type_text("abc")).contains("went away"));
    // Nobody has its name now.
    assert!(reason(desk.type_text("abc")).contains("no portal"));
    desk.portal = ScriptedPortal::start(&desk.bus.address, &[PortalFault::VanishesDuringQuestion]);
    assert!(reason(desk.type_text("abc")).contains("went away"));
    desk.portal = ScriptedPortal::start(&desk.bus.address, &[]);
    assert_eq!(desk.type_text("abc"), Ok(InputResult::Done));

    let settings = PortalSettings { session_bus: Some("unix:path=/nowhere".to_owned()), folder: None, limits: LIMITS };
    let input = PortalInput::with(settings, Arc::new(desk.target.clone()));
    assert!(reason(input.press(&chord("enter"), 1, WINDOW, &free())).contains("session bus"));
}

// SES-2
#[test]
fn a_portal_that_names_its_requests_itself_is_understood_ses_2() {
    let desk = PortalDesk::new("names", &[PortalFault::OwnRequestNames], LIMITS);
    assert_eq!(desk.type_text("abc"), Ok(InputResult::Done));
}

fn limits_for(fault: PortalFault) -> PortalLimits {
    match fault {
        PortalFault::NeverAnswersKey(_) => PortalLimits { key: Duration::from_millis(300), ..LIMITS },
        _ => LIMITS,
    }
}

// EXE-4, EXE-7
#[test]
fn after_a_failing_key_nothing_stays_pressed_and_the_next_order_works_exe_4_exe_7() {
    let partly = |sent| Ok(InputResult::Partly { sent, why: InputInterruption::Display });
    // Ctrl and S go down, S and Ctrl are let go of.
    for (fault, expect) in [
        (PortalFault::RejectsKey(1), Err("refused to press")),
        (PortalFault::RejectsKey(2), Ok(partly(0))),
        (PortalFault::RejectsKey(3), Ok(partly(0))),
        (PortalFault::NeverAnswersKey(1), Ok(partly(0))),
        (PortalFault::NeverAnswersKey(2), Ok(partly(0))),
        (PortalFault::VanishesAtKey(1), Ok(partly(0))),
        (PortalFault::VanishesAtKey(2), Ok(partly(0))),
        (PortalFault::ClosesAfterKey(1), Ok(partly(0))),
    ] {
        let mut desk = PortalDesk::new("keys", &[fault], limits_for(fault));
        let result = desk.press("ctrl+s", 1);
        match expect {
            Ok(expect) => assert_eq!(result, expect, "{fault:?}"),
            Err(expect) => assert!(reason(result).contains(expect), "{fault:?}"),
        }
        match fault {
            // The desktop lets go of the keys of a session that ended.
            PortalFault::VanishesAtKey(_) => {
                desk.portal = ScriptedPortal::start(&desk.bus.address, &[]);
            }
            PortalFault::ClosesAfterKey(_) => {}
            _ => {
                assert!(held(&desk.portal.keys()).is_empty(), "{fault:?}: {:?}", desk.portal.keys());
                assert_eq!(desk.ended_sessions(), 1, "{fault:?}");
            }
        }
        desk.portal.set_faults(&[]);
        desk.restart(LIMITS);
        assert_eq!(desk.type_text("a"), Ok(InputResult::Done), "{fault:?}");
    }
}

// EXE-7
#[test]
fn a_text_that_fails_tells_how_much_was_sent_exe_7() {
    for (fault, sent) in [
        (PortalFault::RejectsKey(5), 2),
        (PortalFault::NeverAnswersKey(5), 2),
        (PortalFault::ClosesAfterKey(4), 2),
        (PortalFault::VanishesAtKey(7), 3),
    ] {
        let desk = PortalDesk::new("text", &[fault], limits_for(fault));
        let result = desk.type_text("abcdef");
        // A session's end may be told while the next key is on its way.
        let Ok(InputResult::Partly { sent: told, why: InputInterruption::Display }) = result else {
            panic!("{result:?}")
        };
        let is_near = (sent..=sent + usize::from(matches!(fault, PortalFault::ClosesAfterKey(_)))).contains(&told);
        assert!(is_near, "{fault:?}: {told}");
    }
}
