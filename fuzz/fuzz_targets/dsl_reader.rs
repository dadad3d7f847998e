//! For any model output: an accepted answer was offered and round-trips (DSL-4).
#![no_main]

use libfuzzer_sys::fuzz_target;
use luna_llm_tasks::dsl::{MAX_OPTIONS, MAX_STEPS, Offer, read};
use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
use luna_messages::dsl::{DslAnswer, DslCommand, DslTask};
use luna_messages::pick::Role;
use luna_messages::{ElementId, Rect};

fn offer() -> Offer {
    let candidate = |text: &str| Candidate {
        id: ElementId(format!("element-{text}")),
        role: Role::Button,
        text: text.to_owned(),
        bbox: Rect::new(1, 2, 3, 4),
        automation_id: String::new(),
        enabled: true,
        near: Vec::new(),
        zone: Zone::Top,
        details: CandidateDetails::default(),
    };
    Offer::new(&["저장", "Save as", "열기"].map(candidate))
}

fuzz_target!(|text: &str| {
    let offer = offer();
    let check = |command: &DslCommand| {
        assert!(command.target.as_ref().is_none_or(|target| offer.has(&target.id)));
        assert!(command.options.len() <= MAX_OPTIONS);
    };
    for task in DslTask::ALL {
        let Ok(answer) = read(task, text, &offer) else { continue };
        match &answer {
            DslAnswer::Command(command) => check(command),
            DslAnswer::Plan(commands) => {
                assert!((1..=MAX_STEPS).contains(&commands.len()));
                commands.iter().for_each(check);
            }
            DslAnswer::Reading(_) | DslAnswer::Text(_) => {}
        }
        if !matches!(answer, DslAnswer::Text(_)) {
            let again = serde_json::to_string(&answer).unwrap_or_default();
            assert_eq!(read(task, &again, &offer), Ok(answer));
        }
    }
});
