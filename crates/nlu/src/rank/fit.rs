//! How well a label fits what was said, word by word (NLU-7, RNK-2).

use luna_messages::understanding::Switch;
use luna_text::loanwords::sound_alike;

use super::words::{Word, WordedText};
use crate::label_lexicon::{LabelLexicon, Sense, WordClass};
use crate::label_numbers::is_said_as;
use crate::slips::{Slips, budget};

/// How well a label fits a text; the least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The very letters.
    Same,
    /// The same words, but for plurals, particles and what is not said.
    Plain,
    /// Words that mean the same.
    Meaning,
    /// A slip of the ear, at this price.
    Slip(u16),
    /// The same name in the other script.
    Sound,
    /// All that was said is among the label's words.
    Part,
}

/// A label that begins or ends in what was said, but has more words besides, is a sentence; unless several were said, which open it like a headline.
const MOST_ADDITIONAL: usize = 2;
/// The same for one that has what was said in its midst, or in other words.
const MOST_ELSEWHERE: usize = 1;
/// A whole text may be misheard by so much.
const MOST_SLIPS: u16 = 3;
/// The price of a short word's last letter.
const CUT_SHORT: u16 = 2;

impl Fit {
    /// From 0 to 1. Additional words make it less.
    #[must_use]
    pub fn score(self, said: &WordedText, label: &WordedText) -> f64 {
        match self {
            Self::Same => 1.0,
            Self::Plain => 0.98,
            Self::Meaning => 0.95,
            Self::Slip(price) => 0.93 - 0.03 * f64::from(price),
            Self::Sound => 0.82,
            Self::Part => {
                let letters = |text: &WordedText| f64::from(u32::try_from(text.cells.len()).unwrap_or(u32::MAX));
                0.5 + 0.25 * (letters(said) / letters(label).max(1.0)).min(1.0)
            }
        }
    }
}

/// What a comparison looks at besides both texts.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    pub lexicon: &'a LabelLexicon,
    pub slips: &'a Slips,
    /// What the step is to switch, if it is: 꺼줘 is an 끄기 that stands in no label's text.
    pub state: Option<Switch>,
}

/// What both texts have in common.
struct SharedWords {
    /// Words of what was said that the label has.
    said: usize,
    /// Words of the label that were not said.
    additional: usize,
    /// Those of them that nobody says who names it.
    unsaid: usize,
    /// Whether only one of them takes something back.
    differs: bool,
    /// Whether the one is the opposite of the other.
    opposed: bool,
    /// Whether the label's additional words make it another deed: "close tabs to the right" for "close tab".
    misleads: bool,
}

impl Comparison<'_> {
    /// Whether the label is the opposite of what was said, or takes it back (NLU-7).
    #[must_use]
    pub fn opposed(&self, said: &WordedText, label: &WordedText) -> bool {
        self.shared(said, label).opposed
    }

    /// How well a label fits; none if it does not, or is the opposite.
    #[must_use]
    pub fn fit(&self, said: &WordedText, label: &WordedText) -> Option<Fit> {
        if said.cells.is_empty() || label.cells.is_empty() {
            return None;
        }
        if said.cells == label.cells {
            return Some(Fit::Plain);
        }
        let shared = self.shared(said, label);
        if shared.opposed {
            return None;
        }
        let count = said.telling().count();
        if shared.said == count && shared.additional == 0 {
            let same_letters = |(one, other): (&Word, &Word)| said.stem(one) == label.stem(other);
            let plain = said.telling().zip(label.telling()).all(same_letters);
            return Some(if plain { Fit::Plain } else { Fit::Meaning });
        }
        if is_said_as(&label.cells, &said.cells) {
            return Some(Fit::Meaning);
        }
        if !shared.differs {
            if let Some(price) = self.slip(said, label) {
                return Some(Fit::Slip(price));
            }
            if sounds(said, label) {
                return Some(Fit::Sound);
            }
        }
        if shared.misleads {
            return None;
        }
        let additional = match run(said, label) {
            // "메일쓰기" is two words of "메일 쓰기 예약".
            Some(run) if !shared.differs => run,
            _ if shared.said == count => {
                Additional { words: shared.additional - shared.unsaid, opens: false, closes: false }
            }
            _ => return None,
        };
        let most = if additional.opens || additional.closes { MOST_ADDITIONAL } else { MOST_ELSEWHERE };
        let headline = additional.opens && said.words.len() > 1;
        (additional.words <= most || headline).then_some(Fit::Part)
    }

    fn shared(&self, said: &WordedText, label: &WordedText) -> SharedWords {
        let opposes = |text: &WordedText, sense: Sense| {
            text.words.iter().any(|word| word.sense.is_some_and(|other| self.lexicon.are_opposite(sense, other)))
        };
        let mut shared =
            SharedWords { said: 0, additional: 0, unsaid: 0, differs: false, opposed: false, misleads: false };
        let (mut asked_to_undo, mut undoes) = (false, false);
        for word in said.telling() {
            if label.has(word.key) {
                shared.said += 1;
                continue;
            }
            asked_to_undo |= word.undoes && may_undo(said, word);
            shared.opposed |= word.sense.is_some_and(|sense| opposes(label, sense) && !opposes(said, sense));
        }
        let acts = said.words.iter().any(|word| word.class == WordClass::Act);
        for word in label.telling().filter(|word| !said.has(word.key)) {
            shared.additional += 1;
            shared.unsaid += usize::from(word.unsaid);
            let Some(sense) = word.sense else { continue };
            shared.misleads |= acts && word.class == WordClass::Noun && self.lexicon.has_opposite(sense);
            // "켜기/끄기" does both.
            let both = opposes(label, sense);
            undoes |= word.undoes && !both && may_undo(label, word);
            shared.opposed |= self.state == Some(Switch::Off) && !both && self.lexicon.switches_on(sense);
        }
        // "Mark to mark" has a word twice.
        let (count, all) = (said.telling().count(), label.telling().count());
        shared.additional = shared.additional.max(all.saturating_sub(count));
        shared.said = shared.said.min(all);
        let switched_off = undoes && self.state == Some(Switch::Off);
        shared.differs = asked_to_undo != undoes && !switched_off;
        shared.opposed |= shared.differs && shared.said > 0;
        shared.opposed |= negated(said, label) || negated(label, said);
        shared
    }

    /// The price at which a text is a slip of the label: word by word if both have as many, else as a whole. A word that the lexicon has was heard
    /// right: it is none.
    fn slip(&self, said: &WordedText, label: &WordedText) -> Option<u16> {
        let alone = said.words.len() < 2;
        if (alone && said.words.iter().all(|word| word.sense.is_some()))
            || digits(said).ne(digits(label))
            || !said.pairs.meet(label.pairs)
        {
            return None;
        }
        if said.words.len() == label.words.len() {
            let mut price = 0;
            for (one, other) in said.words.iter().zip(&label.words).filter(|(one, other)| one.key != other.key) {
                // "no" for "now"
                if said.words.len() > 1 && other.sense.is_none() && cut_short(said.stem(one), label.stem(other)) {
                    price += CUT_SHORT;
                    continue;
                }
                if one.sense.is_some() {
                    return None;
                }
                let (one, other) = (said.units_of(one), label.units_of(other));
                let most = budget(one.len().min(other.len()), false).min(MOST_SLIPS.saturating_sub(price));
                price += self.slips.distance(&one, &other, most).filter(|price| *price > 0)?;
            }
            return (1..=MOST_SLIPS).contains(&price).then_some(price);
        }
        let lost = said
            .words
            .iter()
            .any(|word| word.sense.is_some() && word.len() > 1 && !contains(&label.cells, said.stem(word)));
        // What is too short to be misheard must be there.
        let short = label
            .words
            .iter()
            .any(|word| budget(label.units_of(word).len(), false) == 0 && !contains(&said.cells, label.stem(word)));
        if lost || short {
            return None;
        }
        let most = budget(said.units.len().min(label.units.len()), false).min(MOST_SLIPS);
        (most > 0).then(|| self.slips.distance(&said.units, &label.units, most)).flatten()
    }
}

/// Whether a word stands where it undoes the rest: last in Korean, first in English, "off" also last.
fn may_undo(text: &WordedText, word: &Word) -> bool {
    if word.class == WordClass::Scope {
        return true;
    }
    if text.telling().nth(1).is_none() {
        return false;
    }
    let ends = text.telling().last().is_some_and(|last| last.from == word.from);
    let opens = text.telling().next().is_some_and(|first| first.from == word.from);
    if word.latin { opens || (ends && text.stem(word) == ['o', 'f', 'f']) } else { ends }
}

/// Whether a word that the lexicon does not have is the other's with a prefix that negates it: unarchive.
fn negated(said: &WordedText, label: &WordedText) -> bool {
    const PREFIXES: [&str; 5] = ["un", "dis", "de", "non", "in"];
    label.words.iter().filter(|word| word.latin && word.sense.is_none()).any(|word| {
        let stem = label.stem(word);
        PREFIXES.iter().any(|prefix| {
            let rest =
                prefix.chars().zip(stem).all(|(one, other)| one == *other).then(|| stem.get(prefix.len()..)).flatten();
            rest.is_some_and(|rest| rest.len() > 2 && said.words.iter().any(|word| said.stem(word) == rest))
        })
    })
}

/// "3번" is no slip of "2번".
fn digits(text: &WordedText) -> impl Iterator<Item = char> + '_ {
    text.cells.iter().copied().filter(char::is_ascii_digit)
}

/// Whether a word of two or three letters lost its last one, or gained it.
fn cut_short(one: &[char], other: &[char]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.len() == 2 && long.len() == 3 && long.starts_with(short) && long.iter().all(char::is_ascii_alphabetic)
}

fn contains(cells: &[char], part: &[char]) -> bool {
    part.is_empty() || cells.windows(part.len()).any(|window| window == part)
}

/// What a label has besides what was said.
struct Additional {
    words: usize,
    /// Whether what was said opens the label, word for word.
    opens: bool,
    /// Whether it closes it.
    closes: bool,
}

/// What a label has besides what was said, if it holds that letter by letter, from the border of a word to the border of a word.
fn run(said: &WordedText, label: &WordedText) -> Option<Additional> {
    let (n, all) = (said.cells.len(), label.cells.len());
    let from = (0..(all + 1).saturating_sub(n)).find(|from| {
        label.cells.get(*from..from + n).is_some_and(|cells| cells == said.cells)
            && label.border(*from)
            && label.border(from + n)
    })?;
    let is_outside = |word: &&Word| word.to <= from || word.from >= from + n;
    let unsaid = label.words.iter().filter(is_outside).filter(|word| word.unsaid || word.class == WordClass::Filler);
    let words = label.chunks(0, all).saturating_sub(label.chunks(from, from + n) + unsaid.count());
    Some(Additional { words, opens: from == 0, closes: from + n == all })
}

/// Whether the one sounds like the other in the other script, word by word if both have as many. Only words that the lexicon does not have: what a
/// known one means is known.
fn sounds(said: &WordedText, label: &WordedText) -> bool {
    if said.has_hangul() && label.words.iter().all(|word| !word.latin) || !said.has_hangul() && !label.has_hangul() {
        return false;
    }
    if said.words.len() == label.words.len() {
        return said.words.iter().zip(&label.words).all(|(one, other)| {
            one.key == other.key || (unknown_in_hangul(one, other) && sound_alike(said.stem(one), label.stem(other)))
        });
    }
    let strange = |text: &WordedText, other: &WordedText| {
        text.words.iter().all(|word| word.latin || word.sense.is_none() || other.has(word.key))
    };
    strange(said, label) && strange(label, said) && sound_alike(&said.cells, &label.cells)
}

fn unknown_in_hangul(one: &Word, other: &Word) -> bool {
    one.latin != other.latin && if one.latin { other.sense.is_none() } else { one.sense.is_none() }
}
