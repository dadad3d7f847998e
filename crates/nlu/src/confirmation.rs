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

/// Whether the target is certainly a field, so that what is said like a button clears it: "이름 지워 줘".
pub fn is_cleared(wish: &ParsedCommand, ranked: &Ranked, offered: &[CandidateInput]) -> bool {
    wish.order.as_deref() == Some(CLEAR) && ranked.fit >= WHOLE && is_field(ranked, offered)
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

    /// A clause as the screen shows that it is meant, if that is other than how it was said: what empties a thing clears that if it is a field, and what is said
    /// of what stands in a thing is about no field if that is none.
    pub(super) fn as_shown(&self, clause: &Clause, offered: &[CandidateInput]) -> Option<Clause> {
        let shown = self.as_setting(clause, offered).or_else(|| self.as_entry(clause, offered));
        if shown.is_some() {
            return shown;
        }
        let wish = &clause.draft.wish;
        let is_said = matches!(wish.role, Some(Role::Edit | Role::ComboBox));
        if clause.wipes.is_some() {
            let is_inside = is_said || is_field(&self.aimed(&clause.draft, offered), offered);
            return (!is_inside).then(|| clause.outside_field());
        }
        let empties = wish.action == Some(Action::Invoke) && wish.order.as_deref() == Some(CLEAR);
        let clears = empties && is_cleared(wish, &self.aimed(&clause.draft, offered), offered);
        clears.then(|| clause.cleared())
    }

    /// The field that a step empties, if one is called so and no button is for that: "메모 지우기".
    pub(super) fn field_of(&self, draft: &Draft, offered: &[CandidateInput]) -> Option<Ranked> {
        let (text, verb) = (draft.wish.target_text.as_ref()?, draft.verb.as_ref()?);
        if draft.wish.order.as_deref() != Some(CLEAR) || text == verb {
            return None;
        }
        let called = |text: String| {
            let wish = ParsedCommand { target_text: Some(text), ..draft.wish.clone() };
            self.ranker.rank(&Draft { wish, ..Draft::default() }, offered)
        };
        let button = called(format!("{text} {verb}"));
        let field = called(text.clone());
        let is_alone = button.target.is_none() && button.several.is_empty();
        (is_alone && is_cleared(&draft.wish, &field, offered)).then_some(field)
    }
}
