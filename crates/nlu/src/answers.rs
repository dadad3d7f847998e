//! Answers to a question: a number, an ordinal, yes, no (EXE-3, DNG-2).

use luna_messages::understanding::ParsedCommand;

use super::draft::Scene;
use super::fillers::lines;
use super::normalised::NormalisedUtterance;
use super::numbers::Series;
use super::phrases::PhraseBook;
use super::template::expand;
use super::trie::Trie;
use super::verbs::Class;

/// The words for yes, no and cancel.
#[derive(Debug, Clone)]
pub struct Answers {
    book: PhraseBook,
    /// What may stand before a number: "number", "let's go with the".
    leads: Trie<()>,
}

const NAMES: [&str; 3] = ["yes", "no", "cancel"];
const THINGS: [&str; 35] = [
    "링크",
    "탭",
    "link",
    "tab",
    "result",
    "거",
    "것",
    "꺼",
    "걸",
    "껄",
    "버튼",
    "항목",
    "번호",
    "거로",
    "걸로",
    "껄로",
    "것으로",
    "꺼로",
    "후보",
    "선택지",
    "쪽",
    "놈",
    "one",
    "option",
    "item",
    "button",
    "choice",
    "row",
    "entry",
    "suggestion",
    "candidate",
    "answer",
    "line",
    "oneplease",
    "instead",
];

/// What says no more than that there are several.
const OF_THE_LIST: [&str; 8] =
    ["fromthelist", "inthelist", "onthelist", "ofthelist", "inthemenu", "onthemenu", "onthescreen", "onthepage"];

impl Answers {
    /// Reads the list. `more`: configured words by "yes", "no", "cancel" (VOI-2).
    #[must_use]
    pub fn new(more: impl Fn(&str) -> Vec<String>) -> Self {
        let mut book = PhraseBook::new();
        for (label, name) in (0..).zip(NAMES) {
            lines(include_str!("words/answers.txt"))
                .filter(|line| line.0 == name)
                .for_each(|line| book.add(label, line.1));
            more(name).iter().for_each(|word| book.add(label, word));
        }
        let mut leads = Trie::default();
        lines(include_str!("words/answers.txt"))
            .filter(|line| line.0 == "lead")
            .flat_map(|line| expand(line.1, 2000))
            .for_each(|phrase| leads.insert(&phrase, ()));
        Self { book, leads }
    }

    /// The answer that the whole utterance is. `open`: a question is open, or there are numbered candidates, so that "둘" and "이" can be numbers.
    #[must_use]
    pub fn read(&self, scene: &Scene<'_>, open: bool) -> Option<ParsedCommand> {
        if let Some(n) = place(scene, &self.leads, open) {
            return Some(ParsedCommand { ordinal: Some(n), ..ParsedCommand::default() });
        }
        let label = self.book.find(scene.heard, scene.grease, scene.frame)?;
        let value = NAMES.get(usize::try_from(label).ok()?)?;
        Some(ParsedCommand { value: Some((*value).to_owned()), ..ParsedCommand::default() })
    }
}

fn place(scene: &Scene<'_>, leads: &Trie<()>, open: bool) -> Option<i32> {
    let heard = scene.heard;
    if heard.len() > 40 {
        return None;
    }
    let mut starts = scene.frame.starts.clone();
    let mut next = 0;
    while let Some(&at) = starts.get(next) {
        leads.at(&heard.cells, at, |end, ()| {
            if !starts.contains(&end) && starts.len() < 64 && (heard.gap(end) || !bare(heard, end)) {
                starts.push(end);
            }
        });
        next += 1;
    }
    for start in starts {
        let mut ends: Vec<(usize, i32)> = Vec::new();
        if let Some((end, n)) = english_last(scene, start).or_else(|| scene.numbers.place(heard, start, true)) {
            let doubtful = end == start + 2 && heard.part(start, end) == ['이', '번'];
            let adverb = heard.part(start, end) == ['처', '음'] && !open;
            if (!doubtful || open || heard.len() > end) && !adverb {
                ends.push((end, n));
            }
        }
        for (end, n, series) in scene.numbers.numbers(heard, start) {
            let marked = start > 0 && !heard.has_hangul();
            let plain = match series {
                Series::Digits => open || marked || (end == heard.len() && start == 0),
                Series::English | Series::Counting => open || marked || (start == 0 && scene.frame.tail.is_greasy(end)),
                Series::Sino => open,
                Series::Native | Series::EnglishOrdinal => false,
            };
            if plain {
                ends.push((end, n));
            }
            if open && series == Series::Native && heard.is_at(end, &['번']) {
                ends.push((end + 1, n));
            }
        }
        for (end, n) in ends {
            let mut after = vec![end];
            for thing in THINGS {
                let thing: Vec<char> = thing.chars().collect();
                if heard.is_at(end, &thing) {
                    after.push(end + thing.len());
                }
            }
            for end in after.clone() {
                after.extend(OF_THE_LIST.iter().filter_map(|words| heard.word_end(end, words)));
            }
            if after.into_iter().any(|end| scene.grease.after(heard, &scene.frame.tail, end, Class::Noun, true)) {
                return Some(n);
            }
        }
    }
    None
}

/// Whether a letter of the same word stands before and behind: "no" in "november".
fn bare(heard: &NormalisedUtterance, at: usize) -> bool {
    let letter = |at: usize| heard.cells.get(at).is_some_and(char::is_ascii_alphabetic);
    letter(at) && at.checked_sub(1).is_some_and(letter) && !heard.unspaced(0, heard.len())
}

fn english_last(scene: &Scene<'_>, at: usize) -> Option<(usize, i32)> {
    [
        ("secondtolast", -2),
        ("2ndtolast", -2),
        ("2ndlast", -2),
        ("3rdtolast", -3),
        ("3rdlast", -3),
        ("secondfromlast", -2),
        ("secondlast", -2),
        ("nexttolast", -2),
        ("thirdtolast", -3),
        ("lastbutone", -2),
        ("verylast", -1),
        ("last", -1),
        ("final", -1),
        ("veryfirst", 1),
    ]
    .into_iter()
    .find(|(word, _)| scene.heard.is_at(at, &word.chars().collect::<Vec<_>>()))
    .map(|(word, n)| (at + word.len(), n))
}
