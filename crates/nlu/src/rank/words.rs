//! A label, or what was said for one, as words (NLU-7): spaces are unreliable, so that words of the lexicon are found over spaces and, in Hangul, without
//! them; all else is a word from space to space.

use std::borrow::Cow;

use luna_text::hangul::final_consonant;
use luna_text::language::is_hangul;

use super::file_names::without_ending;
use crate::label_lexicon::{LabelLexicon, Sense, WordClass, WordHash};
use crate::normalised::NormalisedUtterance;
use crate::slips::{Units, units};

/// Cells of a label that are looked at.
const MOST: usize = 90;
/// Letters of which a word without a particle or a plural still consists.
const SHORTEST_STEM: usize = 2;
/// Letters of an English word that was recognised as one with its neighbour.
const SHORTEST_JOINED: usize = 3;

/// Letters of the longest word that is not said by who names a label.
const LONGEST_UNSAID: usize = 3;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// First cell.
    pub from: usize,
    /// The cell after the last, particles included.
    pub to: usize,
    /// The cell after the stem.
    pub stem: usize,
    /// What it means, if the lexicon has it.
    pub sense: Option<Sense>,
    /// Equal for words that mean the same.
    pub key: u64,
    pub class: WordClass,
    /// Whether, as an additional word, it undoes the rest of the text.
    pub undoes: bool,
    /// Of digits and letters without Hangul.
    pub latin: bool,
    /// Not said by who names a label that has it.
    pub unsaid: bool,
}

impl Word {
    /// Cells of the stem.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.stem - self.from
    }
}

/// A text as it is compared.
#[derive(Debug, Clone, Default)]
pub struct WordedText {
    pub cells: Vec<char>,
    /// Where a space or a mark stands before a cell.
    gaps: Vec<bool>,
    pub words: Vec<Word>,
    pub units: Units,
    pub pairs: UnitPairs,
}

/// Which pairs of neighbouring units a text has, one bit each: a rough likeness at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnitPairs(u128);

impl UnitPairs {
    /// Of these units.
    #[must_use]
    pub fn of(units: &[u8]) -> Self {
        Self(units.windows(2).fold(0, |pairs, pair| match pair {
            [a, b] => pairs | 1 << ((usize::from(*a) * 31 + usize::from(*b)) % 128),
            _ => pairs,
        }))
    }

    /// Whether both have any.
    #[must_use]
    pub const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// How many pairs both have, from 0 to 1.
    #[must_use]
    pub fn likeness(self, other: Self) -> f64 {
        let all = self.0.count_ones() + other.0.count_ones();
        if all == 0 { 0.0 } else { f64::from(2 * (self.0 & other.0).count_ones()) / f64::from(all) }
    }
}

impl WordedText {
    /// A label: its spaces are right.
    #[must_use]
    pub fn label(lexicon: &LabelLexicon, text: &str) -> Self {
        let heard = NormalisedUtterance::new(text);
        Self::of(lexicon, heard.cells, heard.gaps, false)
    }

    /// What was said: in English, too, words may be recognised as one.
    #[must_use]
    pub fn said(lexicon: &LabelLexicon, text: &str) -> Self {
        let heard = NormalisedUtterance::new(text);
        Self::of(lexicon, heard.cells, heard.gaps, true)
    }

    /// Cells without spaces.
    #[must_use]
    pub fn unspaced(lexicon: &LabelLexicon, cells: &[char]) -> Self {
        Self::of(lexicon, cells.to_vec(), Vec::new(), true)
    }

    fn of(lexicon: &LabelLexicon, mut cells: Vec<char>, gaps: Vec<bool>, joined: bool) -> Self {
        cells.truncate(MOST);
        let mut words = words(lexicon, &cells, &gaps, joined);
        if joined {
            // "취소 취소": said twice.
            words.dedup_by_key(|word| word.key);
        }
        let units = units(&cells);
        let pairs = UnitPairs::of(&units);
        Self { cells, gaps, words, units, pairs }
    }

    /// Its first cells.
    #[must_use]
    pub fn up_to(&self, lexicon: &LabelLexicon, end: usize) -> Self {
        Self::of(lexicon, self.cells.get(..end).unwrap_or_default().to_vec(), self.gaps.clone(), true)
    }

    /// The text without the words that only say that it is a file; none if it has no such word, or no other.
    #[must_use]
    pub fn without_files(&self, lexicon: &LabelLexicon) -> Option<Self> {
        let says_file = |word: &&Word| word.sense.is_some_and(|sense| lexicon.names_files(sense));
        let kept: Vec<&Word> = self.words.iter().filter(|word| !says_file(word)).collect();
        if kept.is_empty() || kept.len() == self.words.len() {
            return None;
        }
        let range = |word: &&Word| word.from..word.to;
        let cells = kept.iter().flat_map(range).filter_map(|at| self.cells.get(at).copied()).collect();
        let gaps = kept.iter().flat_map(range).filter_map(|at| self.gaps.get(at).copied()).collect();
        Some(Self::of(lexicon, cells, gaps, true))
    }

    /// Its cells with spaces between the words.
    #[must_use]
    pub fn cells_apart(&self) -> String {
        let mut text = String::with_capacity(self.cells.len() + 8);
        for (at, cell) in self.cells.iter().enumerate() {
            if at > 0 && self.gaps.get(at).copied().unwrap_or(false) {
                text.push(' ');
            }
            text.push(*cell);
        }
        text
    }

    /// The words that say something; all of them if none does.
    pub fn telling(&self) -> impl Iterator<Item = &Word> + Clone {
        let only_fillers = self.words.iter().all(|word| word.class == WordClass::Filler);
        self.words.iter().filter(move |word| only_fillers || word.class != WordClass::Filler)
    }

    /// Whether a word begins or ends at a cell. Inside of what takes something back none does.
    #[must_use]
    pub fn border(&self, at: usize) -> bool {
        match self.words.iter().find(|word| (word.from..word.to).contains(&at)) {
            None => true,
            Some(word) => {
                word.from == at || word.stem == at || (!word.undoes && self.gaps.get(at).copied().unwrap_or(false))
            }
        }
    }

    /// How many words it has by its spaces, in a range of cells.
    #[must_use]
    pub fn chunks(&self, from: usize, to: usize) -> usize {
        1 + (from + 1..to).filter(|at| self.gaps.get(*at).copied().unwrap_or(false)).count()
    }

    /// Whether a word means this.
    #[must_use]
    pub fn has(&self, key: u64) -> bool {
        self.words.iter().any(|word| word.key == key)
    }

    /// The cells of a word's stem.
    #[must_use]
    pub fn stem(&self, word: &Word) -> &[char] {
        self.cells.get(word.from..word.stem).unwrap_or_default()
    }

    /// The units of a word's stem.
    #[must_use]
    pub fn units_of(&self, word: &Word) -> Units {
        units(self.stem(word))
    }

    #[must_use]
    pub fn has_hangul(&self) -> bool {
        self.cells.iter().any(|cell| is_hangul(*cell))
    }
}

/// A label without what is not said: mnemonics (`&Save`, `_Save`, "저장(S)"), shortcuts behind it, the dots that say that a question follows, a count
/// in brackets at its end.
#[must_use]
pub fn spoken(label: &str) -> Cow<'_, str> {
    if !label.contains(['&', '_', '(', '\t', '+']) {
        return Cow::Borrowed(label);
    }
    let label = label.split('\t').next().unwrap_or_default();
    let mut text = String::with_capacity(label.len());
    let one_line_below = label.matches('_').count() == 1 && without_ending(label).is_none();
    let mut before = ' ';
    let mut letters = label.chars().peekable();
    while let Some(c) = letters.next() {
        let mnemonic = match c {
            '&' => matches!(before, ' ' | '('),
            // A key of the keyboard: "D_elete", but not "회의록_3월".
            '_' => one_line_below && letters.peek().is_some_and(char::is_ascii_alphabetic),
            _ => false,
        };
        if !mnemonic {
            text.push(c);
        }
        before = c;
    }
    let end = text.trim_end_matches(['.', '…', ':', ' ']).len();
    if let Some((head, inside)) =
        text.get(..end).and_then(|text| text.strip_suffix(')')).and_then(|text| text.rsplit_once('('))
    {
        let mnemonic = inside.chars().count() == 1 && inside.is_ascii();
        let count = inside.len() < 5 && inside.chars().all(|c| c.is_ascii_digit());
        if !head.trim().is_empty() && (mnemonic || count) {
            text.truncate(head.len());
        }
    }
    let shortcut = |word: &str| {
        word.split_once('+').is_some_and(|(held, _)| {
            ["ctrl", "alt", "shift", "cmd", "win", "super"].contains(&held.to_lowercase().as_str())
        })
    };
    if let Some((head, _)) = text.trim_end().rsplit_once(' ').filter(|(_, last)| shortcut(last)) {
        text.truncate(head.len());
    }
    Cow::Owned(text)
}

/// Whether an English label of several words begins with a verb, so that it says as an order what it does: "Play Radio 4".
#[must_use]
pub fn orders_something(label: &str) -> bool {
    let text = WordedText::label(LabelLexicon::shared(), label);
    let verb = text.words.first().filter(|word| word.latin && word.class == WordClass::Act && word.to == word.stem);
    verb.is_some() && text.words.len() > 1
}

/// The cheapest way on from a cell.
#[derive(Debug, Clone, Copy)]
struct Step {
    price: u16,
    to: usize,
    stem: usize,
    sense: Option<Sense>,
}

/// A known word costs little, one from space to space that is not known much: whatever can be read in known words, is.
const KNOWN: u16 = 2;
const UNKNOWN: u16 = 10;
const NO_WAY: u16 = u16::MAX / 2;

/// `joined`: whether English words, too, may stand without a space between them.
fn words(lexicon: &LabelLexicon, cells: &[char], gaps: &[bool], joined: bool) -> Vec<Word> {
    let n = cells.len();
    let gap = |at: usize| at == 0 || at >= n || gaps.get(at).copied().unwrap_or(false);
    let mut steps: Vec<Step> = vec![Step { price: NO_WAY, to: n, stem: n, sense: None }; n];
    let price = |steps: &[Step], at: usize| if at >= n { 0 } else { steps.get(at).map_or(NO_WAY, |step| step.price) };
    let mut next_gap = n;
    for at in (0..n).rev() {
        let opens = gap(at);
        let latin = cells.get(at).is_some_and(char::is_ascii);
        // Inside a chunk only Hangul may go on with another word, or a change of script.
        let script_changes =
            at.checked_sub(1).and_then(|before| cells.get(before)).is_some_and(|before| before.is_ascii() != latin);
        if !opens && latin && !script_changes && !joined {
            continue;
        }
        let shortest = if latin { SHORTEST_JOINED } else { SHORTEST_STEM };
        let mut best = Step { price: NO_WAY, to: n, stem: n, sense: None };
        if opens {
            let stem = stem_end(lexicon, cells, at, next_gap);
            let sense = (stem < next_gap).then(|| lexicon.sense(cells.get(at..stem).unwrap_or_default())).flatten();
            let cost = if sense.is_some() { KNOWN } else { UNKNOWN };
            best = Step { price: cost + price(&steps, next_gap), to: next_gap, stem, sense };
        }
        let mut hash = WordHash::START;
        // The end of the chunk in which `end` lies.
        let mut chunk = next_gap;
        for (end, cell) in (at + 1..).zip(cells.iter().skip(at).take(lexicon.longest())) {
            hash = hash.with(*cell);
            if end > chunk {
                chunk = (end..n).find(|at| gap(*at)).unwrap_or(n);
            }
            let closes = end == chunk;
            let inside = !closes && (!latin || joined || cells.get(end).is_some_and(|next| !next.is_ascii()));
            if !closes && !inside {
                continue;
            }
            let Some(sense) = lexicon.word(hash).and_then(|word| word.sense) else { continue };
            let mut offer = |to: usize| {
                let price = KNOWN + price(&steps, to);
                if price <= best.price {
                    best = Step { price, to, stem: end, sense: Some(sense) };
                }
            };
            if closes {
                offer(end);
            } else {
                if is_ending(lexicon, cells, end, chunk) {
                    offer(chunk);
                }
                if end - at >= shortest {
                    offer(end);
                }
            }
        }
        // The rest of a chunk in one syllable is no word of its own, nor are two letters.
        if !opens && best.to - at < shortest {
            best.price = NO_WAY;
        }
        if let Some(step) = steps.get_mut(at) {
            *step = best;
        }
        if opens {
            next_gap = at;
        }
    }
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        let stem = cells.get(at..step.stem).unwrap_or_default();
        words.push(Word {
            from: at,
            to: step.to,
            stem: step.stem,
            sense: step.sense,
            key: step.sense.map_or_else(|| WordHash::of(stem).number(), u64::from),
            class: step.sense.map_or(WordClass::Noun, |sense| lexicon.class(sense)),
            undoes: step.sense.is_some_and(|sense| lexicon.undoes(sense)),
            latin: stem.iter().all(char::is_ascii),
            unsaid: stem.len() <= LONGEST_UNSAID && lexicon.word(WordHash::of(stem)).is_some_and(|word| word.is_unsaid),
        });
        at = step.to.max(at + 1);
    }
    taken_back(lexicon, &mut words);
    words
}

/// Joins a word and the mark that takes it back, if the lexicon has a word for both: 팔로우 취소 is unfollow, "not agree" disagree.
fn taken_back(lexicon: &LabelLexicon, words: &mut Vec<Word>) {
    let mut at = 0;
    while let Some([one, other]) = words.get(at..at + 2) {
        let (word, mark) = if other.undoes && !other.latin { (one, other) } else { (other, one) };
        // "켜기/끄기" is no 끄기.
        let both = word.sense.zip(mark.sense).is_some_and(|(word, mark)| lexicon.are_opposite(word, mark));
        let takes_back = mark.undoes && !both && mark.latin == word.latin && mark.class != WordClass::Scope;
        let sense = word.sense.filter(|_| takes_back).and_then(|sense| lexicon.taken_back(sense));
        if let Some(sense) = sense {
            let joined = Word {
                to: other.to,
                stem: other.stem,
                sense: Some(sense),
                key: u64::from(sense),
                undoes: true,
                ..*one
            };
            words.splice(at..at + 2, [joined]);
        }
        at += 1;
    }
}

/// Where the stem of a word ends: before its plural, or before the particle that fits it.
fn stem_end(lexicon: &LabelLexicon, cells: &[char], from: usize, to: usize) -> usize {
    let word = cells.get(from..to).unwrap_or_default();
    if word.last().is_some_and(char::is_ascii) {
        let plural = word.len() > 3 && word.ends_with(&['s']) && !word.ends_with(&['s', 's']);
        return if plural { to - 1 } else { to };
    }
    const LONGEST_ENDING: usize = 7;
    (from + SHORTEST_STEM..to)
        .filter(|at| to - at <= LONGEST_ENDING)
        .find(|at| is_ending(lexicon, cells, *at, to))
        .unwrap_or(to)
}

/// Whether what is between these cells may end the word before: a particle that fits its last syllable, 하기.
fn is_ending(lexicon: &LabelLexicon, cells: &[char], from: usize, to: usize) -> bool {
    let Some(ending) = cells.get(from..to).filter(|ending| !ending.is_empty()) else { return false };
    // "documents", of a known word.
    if ending == ['s'] || ending == ['e', 's'] {
        return true;
    }
    let Some(before) = from.checked_sub(1).and_then(|before| cells.get(before)) else { return false };
    let last = final_consonant(*before);
    let fits = match ending {
        ['을' | '은' | '이' | '과'] => last.is_some(),
        ['를' | '는' | '가' | '와'] => last.is_none(),
        ['으', '로'] => last.is_some_and(|last| last != 'ㄹ'),
        ['로'] => last.is_none_or(|last| last == 'ㄹ'),
        _ => true,
    };
    fits && lexicon.word(WordHash::of(ending)).is_some_and(|word| word.is_ending)
}
