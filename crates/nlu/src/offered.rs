//! What a window offers, as the rules take it.

use luna_messages::candidate::Candidate;
use luna_messages::understanding::{CandidateInput, OneOrMany};

/// An element of the screen as a candidate of an utterance (PIC-9).
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
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use luna_messages::candidate::{CandidateDetails, Zone};
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
            if automation_id.is_empty() {
                written.as_object_mut().unwrap().remove("automation_id");
            }
            assert_eq!(offered(&candidate), serde_json::from_value(written).unwrap(), "{automation_id:?}");
        };
        check("save");
        check("");
    }
}
