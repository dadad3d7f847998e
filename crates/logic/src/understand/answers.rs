//! Answers to a question: a number, an ordinal, yes, no (EXE-3, DNG-2).

use luna_messages::understanding::Wish;

use super::draft::Scene;
use super::grease::lines;
use super::numbers::Series;
use super::phrases::PhraseBook;
use super::verbs::Class;

/// The words for yes, no and cancel.
#[derive(Debug, Clone)]
pub struct Answers {
    book: PhraseBook,
}

const NAMES: [&str; 3] = ["yes", "no", "cancel"];
const THINGS: [&str; 27] = [
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
];

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
        Self { book }
    }

    /// The answer that the whole utterance is. `open`: a question is open, or there are numbered candidates, so that "둘" and "이" can be numbers.
    #[must_use]
    pub fn read(&self, scene: &Scene<'_>, open: bool) -> Option<Wish> {
        if let Some(n) = place(scene, open) {
            return Some(Wish { ordinal: Some(n), ..Wish::default() });
        }
        let label = self.book.find(scene.heard, scene.grease, scene.frame)?;
        let value = NAMES.get(usize::try_from(label).ok()?)?;
        Some(Wish { value: Some((*value).to_owned()), ..Wish::default() })
    }
}

fn place(scene: &Scene<'_>, open: bool) -> Option<i32> {
    let heard = scene.heard;
    if heard.len() > 40 {
        return None;
    }
    let mut starts = scene.frame.starts.clone();
    for word in [
        "the",
        "number",
        "option",
        "no",
        "choice",
        "#",
        "item",
        "the number",
        "itsthe",
        "itsnumber",
        "illtakethe",
        "illtake",
        "pickthe",
        "thatisthe",
        "button",
        "그",
        "iwant",
        "iwantthe",
        "iwantnumber",
        "makeit",
        "giveme",
        "givemethe",
        "givemenumber",
        "thenumber",
        "iwouldliketheone",
        "letsgowith",
        "letsgowiththe",
        "gowith",
        "gowiththe",
        "goforthe",
        "goforthe",
        "iwouldlike",
        "idlike",
        "idlikethe",
        "ichoose",
        "ichoosethe",
        "take",
        "takethe",
        "use",
        "usethe",
    ] {
        let word: Vec<char> = word.chars().filter(|c| *c != ' ').collect();
        for start in starts.clone() {
            if heard.is_at(start, &word) {
                starts.push(start + word.len());
            }
        }
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
            if after.into_iter().any(|end| scene.grease.after(heard, &scene.frame.tail, end, Class::Noun, true)) {
                return Some(n);
            }
        }
    }
    None
}

fn english_last(scene: &Scene<'_>, at: usize) -> Option<(usize, i32)> {
    [
        ("secondtolast", -2),
        ("secondlast", -2),
        ("nexttolast", -2),
        ("thirdtolast", -3),
        ("lastbutone", -2),
        ("last", -1),
        ("final", -1),
    ]
    .into_iter()
    .find(|(word, _)| scene.heard.is_at(at, &word.chars().collect::<Vec<_>>()))
    .map(|(word, n)| (at + word.len(), n))
}
