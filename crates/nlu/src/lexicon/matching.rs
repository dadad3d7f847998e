//! Which words begin at a place of an utterance, what their forms say, and what it costs to take them (NLU-2, NLU-9).

use luna_text::hangul::{final_consonant, has_final};

use super::super::inflection::Class;
use super::super::normalised::NormalisedUtterance;
use super::super::slips::{budget, units};
use super::super::trie::Trie;
use super::{LONGEST_SLIP, Lexicon, LexiconWord, Mood, Preceding};

/// Words of a phrase that may stand for others that sound the same.
const MISHEARD: u32 = 2;

/// Prices of what is said less well; a word costs nothing.
mod price {
    /// A word of several syllables that begins inside another, in an utterance with spaces.
    pub const GLUED: u32 = 60;
    /// The same of one syllable.
    pub const GLUED_SHORT: u32 = 160;
    /// In an utterance without spaces.
    pub const UNSPACED: u32 = 6;
    pub const UNSPACED_SHORT: u32 = 40;
    /// A particle or an ending that the word goes on behind.
    pub const CUT: u32 = 90;
    /// A space inside a word.
    pub const TORN: u32 = 12;
    /// A Latin word that is a part of another one.
    pub const PART: u32 = 260;
    pub const BARE: u32 = 0;
    pub const WISH: u32 = 12;
    /// A word for another one that sounds the same.
    pub const MISHEARD: u32 = 30;
    /// A filler between the words of a phrase.
    pub const INNER: u32 = 6;
    /// 읽어 줘 behind a phrase of reading.
    pub const READS: u32 = 1;
    /// Any slip at all, so that what is said exactly wins.
    pub const HEARD_OTHERWISE: u32 = 14;
    /// A unit of slip.
    pub const SLIP: u32 = 28;
}

/// A word that begins at some place of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The cell after it.
    pub end: usize,
    pub group: u16,
    pub entry: u16,
    pub mood: Mood,
    /// What it costs to take the cells for this word, beyond saying it well.
    pub cost: u32,
}

impl Lexicon {
    /// What may have been meant by what is written from a cell on: where it ends, and the letters that were meant.
    pub fn misheard(&self, heard: &NormalisedUtterance, at: usize, mut tell: impl FnMut(usize, &[char])) {
        if heard.gap(at) {
            self.misheard.at(&heard.cells, at, |end, meant| {
                if heard.gap(end) {
                    tell(end, meant);
                }
            });
        }
    }

    /// The words that begin at `at`. `unspaced`: the utterance has no spaces, so none is expected.
    pub fn at(&self, heard: &NormalisedUtterance, at: usize, unspaced: bool, tell: &mut Vec<Match>) {
        self.walk(
            &Begin { heard, at, unspaced },
            Reached { node: Trie::<LexiconWord>::ROOT, cell: at, paid: 0 },
            true,
            tell,
        );
    }

    /// The words that begin at `at` if some of what is written was meant for what sounds the same.
    pub fn sounding(&self, heard: &NormalisedUtterance, at: usize, unspaced: bool, tell: &mut Vec<Match>) {
        let begin = Begin { heard, at, unspaced };
        self.walk_sounds(&begin, Reached { node: Trie::<LexiconWord>::ROOT, cell: at, paid: 0 }, MISHEARD, tell);
    }

    /// Goes on by what sounds the same, at any of the words to come; `left`: how many words may still be other ones.
    fn walk_sounds(&self, begin: &Begin<'_>, mut reached: Reached, left: u32, tell: &mut Vec<Match>) {
        let heard = begin.heard;
        let Some(left) = left.checked_sub(1) else {
            self.walk(begin, reached, false, tell);
            return;
        };
        while reached.cell < heard.len() {
            self.misheard(heard, reached.cell, |end, meant| {
                let node = meant.iter().try_fold(reached.node, |node, c| self.words.step(node, *c));
                if let Some(node) = node {
                    let reached = Reached { node, cell: end, paid: reached.paid + price::MISHEARD };
                    for word in self.words.values(node) {
                        self.told(begin, end, word, reached.paid, tell);
                    }
                    self.walk_sounds(begin, reached, left, tell);
                }
            });
            let next = heard.cells.get(reached.cell).and_then(|c| self.words.step(reached.node, *c));
            let Some(next) = next else { return };
            (reached.node, reached.cell) = (next, reached.cell + 1);
            // What was meant goes on as it is written.
            for word in self.words.values(next).filter(|_| reached.paid > 0) {
                self.told(begin, reached.cell, word, reached.paid, tell);
            }
        }
    }

    /// Goes on by what is written. `fillers`: whether some may stand between the words of a phrase.
    fn walk(&self, begin: &Begin<'_>, mut reached: Reached, fillers: bool, tell: &mut Vec<Match>) {
        let heard = begin.heard;
        let from = reached.cell;
        for (cell, c) in heard.cells.iter().enumerate().skip(from) {
            let Some(next) = self.words.step(reached.node, *c) else { return };
            if cell > from && heard.gap(cell) && !self.words.border(reached.node) {
                reached.paid += price::TORN;
            }
            (reached.node, reached.cell) = (next, cell + 1);
            for word in self.words.values(next) {
                self.told(begin, reached.cell, word, reached.paid, tell);
            }
            // "고정 좀 풀어 줘": between the words of a phrase.
            if fillers && self.words.border(next) {
                self.inner.at(&heard.cells, reached.cell, |after, ()| {
                    if heard.gap(after) && after < heard.len() {
                        self.walk(
                            begin,
                            Reached { cell: after, paid: reached.paid + price::INNER, ..reached },
                            true,
                            tell,
                        );
                    }
                });
            }
        }
    }

    /// Tells of a word that ends at a cell, in each of its forms. `extra`: what the cells cost beyond what any word does.
    fn told(&self, begin: &Begin<'_>, end: usize, word: &LexiconWord, extra: u32, tell: &mut Vec<Match>) {
        let heard = begin.heard;
        let Some(entry) = self.entry(word.entry) else { return };
        if !begin.agrees(word.after) || (entry.glue && begin.splits_no()) {
            return;
        }
        let mut push = |end: usize, mood: Mood, more: u32| {
            if entry.whole && !heard.gap(end) {
                return;
            }
            let cost =
                begin.price(end, entry.glue) + extra + more + ends(heard, end, word.class, entry.glue, begin.unspaced);
            let found = Match { end, group: entry.group, entry: word.entry, mood, cost };
            // The same form by another way.
            let known = |other: &Match| Match { cost, ..*other } == found && other.cost <= cost;
            if !tell.iter().any(known) {
                tell.push(found);
            }
        };
        match word.class {
            Class::English => {
                push(end, Mood::Base, 0);
                // "open 해줘", "copy만 해 줘"
                if heard.cells.get(end).is_some_and(|c| luna_text::language::is_hangul(*c)) {
                    let mut done = |at: usize| {
                        self.does.at(&heard.cells, at, |end, class| self.ended(heard, end, *class, false, &mut push));
                    };
                    done(end);
                    self.objects.at(&heard.cells, end, |end, ()| done(end));
                }
            }
            _ if entry.fixed => push(end, Mood::Bare, price::BARE),
            Class::Ing => push(end, Mood::Ing, 0),
            Class::Participle => push(end, Mood::Done, 0),
            class => self.ended(heard, end, class, entry.phrase, &mut push),
        }
    }

    /// Where a noun, with what follows it, may end.
    pub fn noun_ends(&self, heard: &NormalisedUtterance, at: usize, push: &mut impl FnMut(usize, Mood, u32)) {
        self.ended(heard, at, Class::Noun, false, push);
    }

    /// Tells where a form of this class, with what follows it, may end, and what it says then.
    fn ended(
        &self,
        heard: &NormalisedUtterance,
        at: usize,
        class: Class,
        phrase: bool,
        push: &mut dyn FnMut(usize, Mood, u32),
    ) {
        match class {
            Class::Infinitive => push(at, Mood::Order, 0),
            Class::Noun => push(at, Mood::Bare, price::BARE),
            _ => {}
        }
        self.endings.at(&heard.cells, at, |end, (of, mood)| {
            if *of == class {
                push(end, *mood, if *mood == Mood::Wish { price::WISH } else { 0 });
            }
        });
        match class {
            Class::Infinitive => self.helped(heard, at, push),
            Class::Stem => self.honors.at(&heard.cells, at, |end, class| self.ended(heard, end, *class, false, push)),
            _ => {}
        }
        if class != Class::Noun {
            return;
        }
        let mut begins = vec![at];
        self.objects.at(&heard.cells, at, |end, ()| begins.push(end));
        for begin in begins {
            self.does.at(&heard.cells, begin, |end, class| self.ended(heard, end, *class, false, push));
            if phrase {
                self.reads.at(&heard.cells, begin, |end, class| {
                    // "번역가" is a translator, "다음으로가" is not.
                    if heard.gap(begin) || begin > at || end > begin + 1 {
                        // The same said by a phrase of its own wins.
                        self.ended(heard, end, *class, false, &mut |end, mood, more| {
                            push(end, mood, more + price::READS);
                        });
                    }
                });
            }
        }
    }

    /// "눌러 놔 줄래": an infinitive goes on with verbs that say for whom or how, each with all its endings.
    fn helped(&self, heard: &NormalisedUtterance, at: usize, push: &mut dyn FnMut(usize, Mood, u32)) {
        let softened = heard.cells.get(at).is_some_and(|c| ['좀', '쫌'].contains(c));
        for begin in [Some(at), softened.then_some(at + 1)].into_iter().flatten() {
            self.helps.at(&heard.cells, begin, |end, class| {
                self.ended(heard, end, *class, false, &mut |end, mood, more| {
                    // "열어 줄게" is a promise.
                    if mood != Mood::Wish || *class == Class::Infinitive {
                        push(end, mood, more);
                    }
                });
            });
        }
    }

    /// The words that what begins at `at` sounds like.
    pub fn near(&self, heard: &NormalisedUtterance, at: usize, unspaced: bool, tell: &mut Vec<Match>) {
        if !heard.gap(at) && !unspaced {
            return;
        }
        let latin = heard.cells.get(at).is_some_and(char::is_ascii);
        let longest = LONGEST_SLIP * if latin { 2 } else { 1 };
        let mut said = Vec::new();
        // Where a word may end, in cells and in units.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for end in at + 1..=(at + longest).min(heard.len()) {
            said.extend(units(heard.part(end - 1, end)));
            let whole = !latin || heard.gap(end);
            if whole && self.not_slips.get(heard.part(at, end)).is_none() {
                places.push((end, said.len()));
            }
        }
        let Some(&(_, most)) = places.last() else { return };
        said.truncate(most);
        let limit = budget(said.len() + 1, latin).min(3);
        let begin = Begin { heard, at, unspaced };
        self.near.search(&self.slips, &said, limit, |row, length, (entry, class)| {
            let most = budget(length, latin).min(limit);
            for &(end, units) in &places {
                let Some(slip) = row.price(units).filter(|slip| *slip > 0 && *slip <= most) else { continue };
                let word = LexiconWord {
                    entry: u16::try_from(*entry).unwrap_or(u16::MAX),
                    class: *class,
                    after: Preceding::Any,
                };
                let extra = u32::from(slip) * price::SLIP + price::HEARD_OTHERWISE;
                self.told(&begin, end, &word, extra, tell);
            }
        });
    }
}

/// Where a word begins.
struct Begin<'a> {
    heard: &'a NormalisedUtterance,
    at: usize,
    unspaced: bool,
}

/// How far into the words an utterance led.
#[derive(Clone, Copy)]
struct Reached {
    node: u32,
    cell: usize,
    /// What it cost so far.
    paid: u32,
}

impl Begin<'_> {
    fn before(&self) -> Option<char> {
        self.at.checked_sub(1).and_then(|before| self.heard.cells.get(before)).copied()
    }

    /// Whether it would be the end of 아니, which is a word of its own and no verb with an ending.
    fn splits_no(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).filter(|before| self.heard.gap(*before)) else { return false };
        self.heard.part(before, self.at + 1) == ['아', '니'] && self.heard.gap(self.at + 1)
    }

    /// Whether what stands before is what a particle stands behind.
    fn agrees(&self, after: Preceding) -> bool {
        match (after, self.before()) {
            (Preceding::Any, _) => true,
            (_, None) => false,
            (_, Some(c)) if !luna_text::language::is_hangul(c) => true,
            (Preceding::Closed, Some(c)) => has_final(c),
            (Preceding::Open, Some(c)) => !has_final(c),
            (Preceding::OpenOrL, Some(c)) => !has_final(c) || final_consonant(c) == Some('ㄹ'),
        }
    }

    /// What it costs that a word begins here.
    fn price(&self, end: usize, glue: bool) -> u32 {
        let before = self.before();
        if self.heard.gap(self.at) || (glue && before.is_some()) {
            return 0;
        }
        let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
        let first = self.heard.cells.get(self.at).copied();
        match (latin(before), latin(first)) {
            (true, true) if self.unspaced => return price::UNSPACED_SHORT,
            (true, true) => return price::PART,
            (false, false) => {}
            _ => return 0,
        }
        match (self.unspaced, end == self.at + 1) {
            (true, false) => price::UNSPACED,
            (true, true) => price::UNSPACED_SHORT,
            (false, false) => price::GLUED,
            (false, true) => price::GLUED_SHORT,
        }
    }
}

/// What it costs that a word ends here.
fn ends(heard: &NormalisedUtterance, end: usize, class: Class, glue: bool, unspaced: bool) -> u32 {
    if heard.gap(end) {
        return 0;
    }
    let latin = |at: usize| heard.cells.get(at).is_some_and(char::is_ascii_alphabetic);
    let (last, next) = (end.checked_sub(1).is_some_and(latin), latin(end));
    match (last, next) {
        (true, true) if unspaced => price::UNSPACED_SHORT,
        (true, true) => price::PART,
        _ if glue && !unspaced => price::CUT,
        _ if !matches!(class, Class::Noun | Class::English) && !unspaced => price::GLUED,
        _ => 0,
    }
}
