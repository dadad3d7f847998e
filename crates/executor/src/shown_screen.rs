//! What a window showed before an action, to compare with what it shows after it (EXE-2).
//!
//! Some applications tell nothing of what they change: a page of settings takes the place of another without an event. Texts of their own, such as a clock,
//! change by themselves, so one text that is different shows nothing.

use std::collections::BTreeMap;

use luna_messages::candidate::Candidate;
use luna_messages::element::Role;

/// Elements that came or went, from which on a clock or a counter is no explanation.
const MANY: usize = 2;

/// How different a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownDifference {
    None,
    /// Something is different that may have another cause.
    Little,
    Much,
}

/// How often each name of each kind was shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShownScreen(BTreeMap<(String, String), usize>);

impl ShownScreen {
    #[must_use]
    pub fn of(candidates: &[Candidate]) -> Self {
        let mut shown = BTreeMap::new();
        // A text that changes is told as one that went and one that came. Recognised lines are texts that can be pressed.
        let is_told = |one: &&Candidate| one.role != Role::Text || !one.details.capacities.is_empty();
        // Words of a recognised line are candidates besides the line.
        let is_within = |one: &Candidate, line: &Candidate| {
            line.role == Role::Text
                && line.id != one.id
                && line.text.len() > one.text.len()
                && line.bbox.intersection(one.bbox) == one.bbox
        };
        let told: Vec<&Candidate> = candidates.iter().filter(is_told).collect();
        let is_word = |one: &Candidate| one.role == Role::Text && told.iter().any(|line| is_within(one, line));
        for one in told.iter().filter(|one| !is_word(one)) {
            *shown.entry((format!("{:?}", one.role), one.text.clone())).or_default() += 1;
        }
        Self(shown)
    }

    /// What is different in `now`.
    #[must_use]
    pub fn difference(&self, now: &Self) -> ShownDifference {
        let missing = |here: &Self, there: &Self| -> usize {
            here.0.iter().map(|(one, count)| count.saturating_sub(there.0.get(one).copied().unwrap_or(0))).sum()
        };
        let (gone, new) = (missing(self, now), missing(now, self));
        if gone.max(new) >= MANY {
            ShownDifference::Much
        } else if gone + new > 0 {
            ShownDifference::Little
        } else {
            ShownDifference::None
        }
    }
}

#[cfg(test)]
mod tests {
    use luna_messages::candidate::{CandidateDetails, Zone};
    use luna_messages::element_action::Capacity;
    use luna_messages::{ElementId, Rect};

    use super::*;

    /// A text that can be pressed, from column `x`, as wide as its letters.
    fn recognised(text: &str, x: i32) -> Candidate {
        let capacities = [Capacity::Press].into_iter().collect();
        Candidate {
            id: ElementId(format!("{text} {x}")),
            role: Role::Text,
            text: text.to_owned(),
            bbox: Rect::new(x, 0, i32::try_from(text.len()).unwrap_or(0), 10),
            automation_id: String::new(),
            enabled: true,
            near: Vec::new(),
            zone: Zone::Top,
            details: CandidateDetails { capacities, ..CandidateDetails::default() },
        }
    }

    // EXE-2
    #[test]
    fn a_clock_that_is_recognised_is_little_even_with_its_words_exe_2() {
        let clock = |time: &str| {
            let line = format!("{time} AM");
            ShownScreen::of(&[recognised(&line, 0), recognised(time, 0), recognised("AM", 6)])
        };
        assert_eq!(clock("10:41").difference(&clock("10:41")), ShownDifference::None);
        assert_eq!(clock("10:41").difference(&clock("10:42")), ShownDifference::Little);
        let page = |[one, other]: [&str; 2]| ShownScreen::of(&[recognised(one, 0), recognised(other, 40)]);
        assert_eq!(page(["Open", "Save as"]).difference(&page(["Back", "Forward"])), ShownDifference::Much);
    }
}
