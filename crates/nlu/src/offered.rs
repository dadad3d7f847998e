//! What a window offers, as the rules take it.

use luna_messages::candidate::Candidate;
use luna_messages::understanding::{CandidateInput, OneOrMany};

/// All elements of a window as candidates of an utterance (PIC-9). If nothing can be done to any of them, nobody asked what can be done; else one to which
/// nothing can be done only tells where others are (EXE-1).
#[must_use]
pub fn offered_all(candidates: &[Candidate]) -> Vec<CandidateInput> {
    let asked = candidates.iter().any(|one| !one.details.capacities.is_empty());
    let capacities = |one: &Candidate| Some(one.details.capacities).filter(|_| asked);
    candidates.iter().map(|one| CandidateInput { capacities: capacities(one), ..offered(one) }).collect()
}

/// An element of the screen as a candidate of an utterance (PIC-9). If nothing can be done to it, that may only be unknown.
#[must_use]
pub fn offered(candidate: &Candidate) -> CandidateInput {
    CandidateInput {
        id: candidate.id.0.clone(),
        role: Some(candidate.role.name().to_owned()),
        text: Some(candidate.text.clone()),
        automation_id: Some(candidate.automation_id.clone()).filter(|id| !id.is_empty()),
        near: Some(OneOrMany::Many(candidate.near.clone())),
        zone: Some(candidate.zone.name().to_owned()),
        enabled: Some(candidate.enabled),
        bbox: Some(candidate.bbox.into()),
        source: None,
        capacities: Some(candidate.details.capacities).filter(|capacities| !capacities.is_empty()),
        kind: candidate.details.kind.map(|kind| kind.name().to_owned()),
        said: Some(candidate.details.said.clone()).filter(|said| !said.is_empty()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use luna_messages::candidate::{CandidateDetails, Zone};
    use luna_messages::element_action::{Capacity, CapacitySet};
    use luna_messages::pick::Role;
    use luna_messages::{ElementId, Rect};

    use super::*;

    // PIC-9
    #[test]
    fn a_candidate_is_offered_as_it_is_written_pic_9() {
        let check = |automation_id: &str| {
            let candidate = Candidate {
                id: ElementId("e1".to_owned()),
                role: Role::MenuItem,
                text: "저장".to_owned(),
                bbox: Rect::new(1, 2, 30, 40),
                automation_id: automation_id.to_owned(),
                enabled: false,
                near: vec!["파일".to_owned()],
                zone: Zone::TopRight,
                details: CandidateDetails::default(),
            };
            let mut written = serde_json::to_value(&candidate).unwrap();
            let fields = written.as_object_mut().unwrap();
            fields.retain(|_, value| value != "");
            assert_eq!(offered(&candidate), serde_json::from_value(written).unwrap(), "{automation_id:?}");
        };
        check("save");
        check("");
    }

    // EXE-1
    #[test]
    fn what_nobody_asked_about_may_be_a_target_exe_1() {
        let one = |capacities: &[Capacity]| Candidate {
            id: ElementId("e1".to_owned()),
            role: Role::Text,
            text: "이름".to_owned(),
            bbox: Rect::new(1, 2, 30, 40),
            automation_id: String::new(),
            enabled: true,
            near: Vec::new(),
            zone: Zone::Top,
            details: CandidateDetails {
                capacities: capacities.iter().copied().collect(),
                said: "이름, 텍스트".to_owned(),
                ..CandidateDetails::default()
            },
        };
        let check = |all: &[&[Capacity]], expect: &[Option<&[Capacity]>]| {
            let candidates: Vec<Candidate> = all.iter().map(|capacities| one(capacities)).collect();
            let found: Vec<Option<CapacitySet>> =
                offered_all(&candidates).into_iter().map(|one| one.capacities).collect();
            let expect: Vec<Option<CapacitySet>> =
                expect.iter().map(|set| set.map(|set| set.iter().copied().collect())).collect();
            assert_eq!(found, expect);
        };
        check(&[], &[]);
        check(&[&[], &[]], &[None, None]);
        check(&[&[], &[Capacity::Press]], &[Some(&[]), Some(&[Capacity::Press])]);
        assert_eq!(offered(&one(&[])).capacities, None);
        assert_eq!(offered(&one(&[])).said.as_deref(), Some("이름, 텍스트"));
    }
}
