//! Whether words call Luna: the wake word at their beginning or end (VOI-1). Works on partial transcripts, and on what the grammar can't read.

use luna_messages::understanding::WakeCall;

use super::Understanding;
use super::lexicon::{Match, Mood};
use super::normalised::NormalisedUtterance;

/// What may stand before the wake word, so that it still begins the utterance.
const BEFORE: [&str; 5] = ["hesitation", "sound", "filler", "now_then", "lead"];
/// What says nothing beside the wake word.
const EMPTY: [&str; 4] = ["wake", "hesitation", "sound", "vocative"];
/// What may follow it at the end of an utterance.
const AFTER: [&str; 4] = ["hesitation", "sound", "filler", "tail"];
/// Particles that bind a noun to what follows: behind one, the name at the end belongs to the sentence ("강아지 이름은 루나야").
const BINDING: [char; 10] = ['은', '는', '이', '가', '을', '를', '의', '와', '과', '랑'];

impl Understanding {
    /// Whether a text, which may be the beginning of an utterance, calls Luna.
    #[must_use]
    pub fn wake_call(&self, text: &str) -> WakeCall {
        self.called(&NormalisedUtterance::new(text))
    }

    pub(super) fn called(&self, heard: &NormalisedUtterance) -> WakeCall {
        let ends: Vec<usize> =
            self.reached(heard, 0, &BEFORE).into_iter().flat_map(|at| self.wakes(heard, at)).collect();
        if !ends.is_empty() {
            let is_empty = |end: &usize| self.reached(heard, *end, &EMPTY).contains(&heard.len());
            return if ends.iter().any(is_empty) { WakeCall::Alone } else { WakeCall::WithWords };
        }
        if heard.too_long {
            return WakeCall::NotCalled;
        }
        let at_end = |(before, (at, _)): ((usize, usize), (usize, usize))| {
            !self.binds(heard, before)
                && self.wakes(heard, at).into_iter().any(|end| self.reached(heard, end, &AFTER).contains(&heard.len()))
        };
        let words = heard.words(0, heard.len());
        let pairs = words.iter().copied().zip(words.iter().skip(1).copied());
        if pairs.rev().any(at_end) { WakeCall::WithWords } else { WakeCall::NotCalled }
    }

    /// Where the wake word may end that begins at `at`.
    fn wakes(&self, heard: &NormalisedUtterance, at: usize) -> Vec<usize> {
        let quoted = heard.quotes.iter().any(|quote| (quote.from..quote.to).contains(&at));
        if quoted || !heard.gap(at) {
            return Vec::new();
        }
        let together = heard.run_together();
        let ends_well = |end: usize| {
            // "루나야저장해줘": the syllable that calls ends the name, "루나틱" is a name of its own.
            let calls = || together.get(at) == Some(&true) && heard.part(end - 1, end) == ['야'];
            heard.gap(end) || calls()
        };
        let found = self.words_at(heard, at, &["wake"]);
        found.into_iter().filter(|found| ends_well(found.end)).map(|found| found.end).collect()
    }

    /// The cells that are reached from `at` by words of these groups, and by none.
    fn reached(&self, heard: &NormalisedUtterance, at: usize, groups: &[&str]) -> Vec<usize> {
        let mut reached = vec![at];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            for found in self.words_at(heard, from, groups) {
                if heard.gap(found.end) && !reached.contains(&found.end) {
                    reached.push(found.end);
                }
            }
            next += 1;
        }
        reached
    }

    fn words_at(&self, heard: &NormalisedUtterance, at: usize, groups: &[&str]) -> Vec<Match> {
        let mut found = Vec::new();
        if at < heard.len() && heard.gap(at) {
            self.lexicon.at(heard, at, false, &mut found);
            self.lexicon.sounding(heard, at, false, &mut found);
        }
        let groups: Vec<u16> = groups.iter().filter_map(|group| self.lexicon.known(group)).collect();
        found.retain(|found| groups.contains(&found.group) && matches!(found.mood, Mood::Bare | Mood::Base));
        found
    }

    /// Whether a word makes what follows a part of its sentence.
    fn binds(&self, heard: &NormalisedUtterance, (from, to): (usize, usize)) -> bool {
        let is_particle = to > from + 1 && heard.part(to - 1, to).iter().all(|last| BINDING.contains(last));
        let group = self.lexicon.known("before_name");
        let entries = self.lexicon.entries_of(heard.part(from, to));
        is_particle || entries.iter().any(|entry| Some(entry.group) == group)
    }
}
