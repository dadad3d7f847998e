//! Which orders need a confirmation (DNG-1, DNG-4): by what is said, by what the target is called, and by what is done to it.
//!
//! To enter something, to move the focus and to unfold something does nothing that a word in the name of the field could make dangerous: "인쇄 매수" is a number.
//! Only the words that DNG-1 lists, or that are configured, ask whatever is done.

use luna_messages::dsl::Action;
use luna_messages::element_action::Capacity;
use luna_messages::pick::Role;
use luna_messages::understanding::{CandidateInput, ParsedCommand};

use super::Understanding;
use super::danger::DangerWords;
use super::draft::Draft;
use super::meaning::{CLEAR, Clause};
use super::normalised::NormalisedUtterance;
use super::rank::Ranked;
use super::roles::role;

/// What a label fits at least if it was said as a whole, and not in part.
const WHOLE: f64 = 0.8;

/// Which words make a step dangerous.
pub fn words_for(wish: &ParsedCommand) -> DangerWords {
    match wish.action {
        Some(Action::SetValue | Action::Focus | Action::Expand | Action::Collapse) => DangerWords::Listed,
        Some(
            Action::Invoke
            | Action::Toggle
            | Action::Select
            | Action::Scroll
            | Action::Key
            | Action::Hotkey
            | Action::Desktop
            | Action::Clarify,
        )
        | None => DangerWords::All,
    }
}

/// Whether the label of the target was said as a whole, or no label at all.
pub fn is_whole(ranked: &Ranked) -> bool {
    ranked.fit >= WHOLE
}

/// Whether the target is a field, so that what is said like a button clears it: "이름 지워 줘".
pub fn is_cleared(wish: &ParsedCommand, ranked: &Ranked, offered: &[CandidateInput]) -> bool {
    wish.order.as_deref() == Some(CLEAR) && is_field(ranked, offered)
}

/// A clause whose verb empties what it is done to, as what it does to a field; none if its target is none.
pub fn cleared(clause: &Clause, ranked: &Ranked, offered: &[CandidateInput]) -> Option<Clause> {
    let is_cleared = clause.draft.wish.action == Some(Action::Invoke) && is_cleared(&clause.draft.wish, ranked, offered);
    is_cleared.then(|| clause.cleared())
}

fn is_field(ranked: &Ranked, offered: &[CandidateInput]) -> bool {
    let target = ranked.target.as_ref().and_then(|target| offered.iter().find(|one| one.id == *target));
    target.is_some_and(|one| {
        let name = one.role.as_deref().unwrap_or_default();
        let is_written = || one.capacities.is_some_and(|has| has.contains(Capacity::SetText));
        match role(name) {
            Some(Role::Edit) => true,
            Some(Role::ComboBox) => is_written(),
            Some(_) => false,
            None => matches!(name, "protected" | "date_field"),
        }
    })
}

impl Understanding {
    /// Whether orders need a confirmation. `plain`: nothing was rejected, negated or told besides, so that each word counts (DNG-1).
    pub(super) fn orders_danger(&self, clauses: &[&Clause], heard: &NormalisedUtterance, plain: bool) -> bool {
        let words = |clause: &Clause| words_for(&clause.draft.wish);
        if clauses.iter().any(|clause| self.says_danger(&clause.draft, words(clause))) {
            return true;
        }
        if !plain {
            return false;
        }
        if clauses.iter().all(|clause| words(clause) == DangerWords::All) {
            return self.danger.is_in(heard, DangerWords::All);
        }
        // What is entered says nothing of what is pressed then.
        let in_span = |clause: &&Clause| {
            clause.span.is_some_and(|(from, to)| {
                self.danger.is_in(&NormalisedUtterance::new(&heard.said(from, to)), DangerWords::All)
            })
        };
        self.danger.is_in(heard, DangerWords::Listed)
            || clauses.iter().filter(|clause| words(clause) == DangerWords::All).any(in_span)
    }

    /// Whether what a clause names is dangerous.
    pub(super) fn says_danger(&self, draft: &Draft, words: DangerWords) -> bool {
        let wish = &draft.wish;
        let named = [&wish.target_text, &wish.argument, &draft.verb];
        named.into_iter().flatten().chain(&draft.also).any(|text| self.danger.is_label(text, words))
    }

    /// Whether a candidate shows that what it does is dangerous: by its label, or by what is said of it (DNG-4).
    pub(super) fn shows_danger(&self, one: &CandidateInput, words: DangerWords) -> bool {
        // What is said of a field tells what stands in it.
        let writes = one.role.as_deref().and_then(role).is_some_and(|role| matches!(role, Role::Edit | Role::Document));
        let said = one.said.as_deref().filter(|_| !writes);
        one.text.as_deref().into_iter().chain(said).any(|text| self.danger.is_label(text, words))
    }

    pub(super) fn target_shows_danger(&self, target: &str, offered: &[CandidateInput], words: DangerWords) -> bool {
        offered.iter().filter(|one| one.id == target).any(|one| self.shows_danger(one, words))
    }

    /// A clause about what stands in something that is no field, neither by the role that was said nor on the screen: what it asks for then.
    pub(super) fn outside_field(&self, clause: &Clause, offered: &[CandidateInput]) -> Option<Clause> {
        let draft = &clause.draft;
        let is_said = matches!(draft.wish.role, Some(Role::Edit | Role::ComboBox));
        let is_inside = clause.wipes.is_none() || is_said || is_field(&self.aimed(draft, offered), offered);
        (!is_inside).then(|| clause.outside_field())
    }
}
