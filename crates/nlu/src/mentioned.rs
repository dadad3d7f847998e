//! Answers that mention a choice among other words: "아마 전체 답장이 맞을 거야", "the one from Daniel" (EXE-3).

use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, UtteranceKind};

use super::Understanding;
use super::danger::DangerWords;
use super::normalised::{NormalisedUtterance, compact};

/// Words besides those that name a choice; more of them are talk.
const MOST_OTHERS: usize = 5;
/// Cells of a word that names something.
const SHORTEST: usize = 2;
/// Groups of words that take something back, or say that it is not meant.
const DENYING: [&str; 6] = ["contrast", "but_not", "not", "repair", "withdraw", "instead"];
/// Groups of English words that name nothing.
const EMPTY: [&str; 12] =
    ["the", "at_place", "into", "of_for", "this", "filler", "hesitation", "tail", "dummy", "pick", "with", "becomes"];
/// How sure it is: less than any whole label.
const SCORE: f64 = 0.7;

impl Understanding {
    /// The only choice that some of the words name, if nothing is denied.
    pub(super) fn mentioned(&self, heard: &NormalisedUtterance, offered: &[CandidateInput]) -> Option<Interpretation> {
        let words = heard.words(0, heard.len());
        let is_in = |groups: &[&str], from: usize, to: usize| {
            let groups: Vec<u16> = groups.iter().filter_map(|name| self.lexicon.known(name)).collect();
            self.lexicon.entries_of(heard.part(from, to)).iter().any(|entry| groups.contains(&entry.group))
        };
        if words.iter().any(|(from, to)| is_in(&DENYING, *from, *to)) {
            return None;
        }
        let telling: Vec<&[char]> = words
            .iter()
            .filter(|(from, to)| !is_in(&EMPTY, *from, *to))
            .map(|(from, to)| heard.part(*from, *to))
            .collect();
        let choices: Vec<&CandidateInput> = offered.iter().filter(|one| !one.only_labels()).collect();
        let said: Vec<Vec<usize>> = choices.iter().map(|one| matching(one, &telling)).collect();
        let most = said.iter().map(Vec::len).max().filter(|most| *most > 0)?;
        let mut best = choices.into_iter().zip(&said).filter(|(_, said)| said.len() == most);
        let (one, _) = best.next()?;
        if best.next().is_some() || telling.len() - most > MOST_OTHERS {
            return None;
        }
        Some(Interpretation {
            kind: UtteranceKind::Answer,
            dangerous: self.shows_danger(one, DangerWords::All),
            wish: ParsedCommand { target_text: one.text.clone(), ..ParsedCommand::default() },
            target_id: Some(one.id.clone()),
            score: SCORE,
            margin: SCORE,
            ..Interpretation::default()
        })
    }
}

/// The words that a choice's label or its neighbours name; Korean ones may go on with particles.
fn matching(one: &CandidateInput, words: &[&[char]]) -> Vec<usize> {
    let near = one.near.as_ref().map(|near| near.texts().to_vec()).unwrap_or_default();
    let texts = one.text.iter().chain(&near);
    let names: Vec<Vec<char>> = texts.flat_map(|text| text.split_whitespace()).map(compact).collect();
    let names_it = |word: &&[char]| {
        names.iter().any(|name| {
            let goes_on = name.len() >= SHORTEST
                && word.starts_with(name)
                && name.last().is_some_and(|c| luna_text::language::is_hangul(*c));
            (name.len() >= SHORTEST || name.iter().all(char::is_ascii_digit)) && (*word == name.as_slice() || goes_on)
        })
    };
    words.iter().enumerate().filter(|(_, word)| names_it(word)).map(|(at, _)| at).collect()
}
