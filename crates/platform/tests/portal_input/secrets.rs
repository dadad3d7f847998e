//! Neither what is typed nor the token of the consent is ever logged (PRV-2).

use std::fmt::Write as _;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::*;

/// All that was logged in this process at any level, by whatever library.
static LOGGED: Mutex<String> = Mutex::new(String::new());

struct LogRecorder;

struct LineRecorder<'a>(&'a mut String);

impl Visit for LineRecorder<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for LogRecorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut LineRecorder(&mut LOGGED.lock().unwrap()));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut LineRecorder(&mut LOGGED.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut LineRecorder(&mut LOGGED.lock().unwrap()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

// PRV-2
#[test]
fn neither_texts_nor_tokens_are_logged_prv_2() {
    tracing::subscriber::set_global_default(LogRecorder).unwrap();
    let mut desk = PortalDesk::new("logs", &[], LIMITS);
    assert_eq!(desk.type_text("Qx7비밀번호"), Ok(InputResult::Done));
    desk.portal.set_faults(&[PortalFault::RejectsKey(20)]);
    drop(desk.type_text("Qx7비밀번호"));
    desk.portal.set_faults(&[PortalFault::Response("Start", 1)]);
    desk.restart(LIMITS);
    drop(desk.type_text("Qx7비밀번호"));
    let logged = LOGGED.lock().unwrap().clone();
    assert!(logged.contains("Keys were sent by the portal."), "the recorder records nothing");
    for secret in ["Qx7", "비밀", "consent-", "Editor"] {
        assert!(!logged.contains(secret), "{secret} is in the log");
    }
}
