//! The person's consent: asked for once, kept for the next run, and not asked for again after a no.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use super::*;

fn selected(desk: &PortalDesk) -> Vec<String> {
    desk.portal.calls().into_iter().filter(|call| call.starts_with("SelectDevices")).collect()
}

// SES-2, PRV-4
#[test]
fn the_consent_is_kept_privately_and_used_in_the_next_run_ses_2_prv_4() {
    let mut desk = PortalDesk::new("token", &[], LIMITS);
    assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
    assert_eq!(desk.folder.token().as_deref(), Some("consent-1"));
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(desk.folder.0.join("portal-token")), mode(desk.folder.0.clone())), (0o600, 0o700));
    desk.restart(LIMITS);
    assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
    // Each token works once.
    assert_eq!(desk.folder.token().as_deref(), Some("consent-2"));
    let expected = ["none", "consent-1"].map(|token| format!("SelectDevices types 1 persist 2 token {token}"));
    assert_eq!(selected(&desk), expected);
}

// SES-2
#[test]
fn the_first_version_of_the_portal_keeps_no_consent_ses_2() {
    let desk = PortalDesk::new("first", &[PortalFault::FirstVersion], LIMITS);
    assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
    assert_eq!(selected(&desk), ["SelectDevices types 1 persist -1 token none"]);
    assert_eq!(desk.folder.token(), None);
}

// PRV-4
#[test]
fn a_token_that_others_can_change_is_not_used_prv_4() {
    let mut desk = PortalDesk::new("others", &[], LIMITS);
    assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
    let path = desk.folder.0.join("portal-token");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    desk.restart(LIMITS);
    assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
    assert_eq!(selected(&desk)[1], "SelectDevices types 1 persist 2 token none");
}

// SES-2
#[test]
fn after_a_no_nobody_is_asked_again_in_this_run_ses_2() {
    for fault in [PortalFault::Response("Start", 1), PortalFault::NoKeyboardAllowed] {
        let mut desk = PortalDesk::new("no", &[], LIMITS);
        assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
        desk.portal.set_faults(&[fault]);
        desk.restart(LIMITS);
        for _ in 0..2 {
            assert!(reason(desk.type_text("a")).contains("did not allow"), "{fault:?}");
        }
        assert_eq!(desk.questions(), 2, "{fault:?}");
        assert_eq!(desk.folder.token(), None, "{fault:?}");
        desk.portal.set_faults(&[]);
        desk.restart(LIMITS);
        assert_eq!(desk.type_text("a"), Ok(InputResult::Done), "{fault:?}: the next run asks");
    }
}

// SES-2, KER-11
#[test]
fn no_order_waits_for_the_person_and_the_answer_holds_for_the_next_ses_2_ker_11() {
    let limits = PortalLimits { ready: Duration::from_millis(150), question: Duration::from_secs(20), ..LIMITS };
    let desk = PortalDesk::new("pending", &[PortalFault::NoResponse("Start")], limits);
    let begun = Instant::now();
    for _ in 0..3 {
        assert!(reason(desk.type_text("a")).contains("may be asking you"));
    }
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    while desk.questions() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    desk.portal.answer_open("Start");
    let until = Instant::now() + Duration::from_secs(5);
    while desk.type_text("b") != Ok(InputResult::Done) {
        assert!(Instant::now() < until, "the answer does not come");
    }
    // What was ordered before the answer is not typed after it.
    assert_eq!(desk.portal.keys(), [(0x62, true), (0x62, false)]);
    assert_eq!(desk.questions(), 1);
}

// SES-2
#[test]
fn a_session_that_was_ended_is_asked_for_anew_and_its_consent_forgotten_ses_2() {
    let desk = PortalDesk::new("closed", &[], LIMITS);
    assert_eq!(desk.type_text("a"), Ok(InputResult::Done));
    desk.portal.close_session();
    let until = Instant::now() + Duration::from_secs(5);
    while desk.folder.token().is_some() {
        assert!(Instant::now() < until, "the consent is still kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(desk.type_text("b"), Ok(InputResult::Done));
    assert_eq!(selected(&desk), ["SelectDevices types 1 persist 2 token none"; 2]);
}
