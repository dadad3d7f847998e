//! What each of two joined numbers counts, and whether both took it along to their new places: "3 cats and 5 dogs" is right as 개 5마리와 고양이
//! 3마리 (PRE-2). Without a dictionary only names and loanwords tell which noun is which: they sound alike in both languages.

use luna_text::loanwords::sound_alike;

use super::super::alignment::AlignedText;
use super::super::joining::{is_article, is_equal, is_function_word};
use super::super::labels::{PARTICLES, is_break};

/// How far a noun may be, in characters.
const REACH: usize = 32;
/// The most words of a noun.
const WORDS: usize = 3;
/// Korean words that join two numbers or say nothing of what they count.
const JOINING: [&str; 6] = ["및", "그리고", "또는", "혹은", "각각", "약"];
/// What the nouns of two numbers show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nouns {
    /// The numbers have none of their own: "3 and 5 dogs", "3 to 5".
    Shared,
    /// Each number has its own, but nothing tells which one it is in the other language.
    Unknown,
    /// Both stand with their numbers, as far as is known.
    Kept,
    /// One stands with the other number.
    Exchanged,
    /// Each stands with the other number.
    BothExchanged,
}

/// Compares what the tokens `(one, other)` count in an English text with what they count in a Korean one.
pub(super) fn compare(
    (english, of_english): (&AlignedText<'_>, (usize, usize)),
    (korean, of_korean): (&AlignedText<'_>, (usize, usize)),
) -> Nouns {
    let (around_english, around_korean) = (surroundings(english, of_english), surroundings(korean, of_korean));
    let found = english_nouns(&around_english).zip(korean_nouns(&around_korean));
    let Some(([first, last], [mut of_first, mut of_last])) = found else { return Nouns::Shared };
    if (of_english.0 > of_english.1) != (of_korean.0 > of_korean.1) {
        std::mem::swap(&mut of_first, &mut of_last);
    }
    let kept = alike(&first, &of_first) || alike(&last, &of_last);
    match (kept, alike(&first, &of_last), alike(&last, &of_first)) {
        (false, true, true) => Nouns::BothExchanged,
        (false, true, false) | (false, false, true) => Nouns::Exchanged,
        (true, false, false) => Nouns::Kept,
        _ => Nouns::Unknown,
    }
}

/// The text before two numbers, between them, and after them.
struct Surroundings {
    before: String,
    between: String,
    after: String,
}

fn surroundings(side: &AlignedText<'_>, (one, other): (usize, usize)) -> Surroundings {
    let place = |at: usize| side.span_of(at).unwrap_or_default();
    let ((start, end), (next, last)) = (place(one.min(other)), place(one.max(other)));
    let before = side.folded.string(start.saturating_sub(REACH), start);
    let after = side.folded.string(last, last + REACH);
    Surroundings {
        before: before.rsplit(is_break).next().unwrap_or("").to_owned(),
        between: side.folded.string(end, next),
        after: after.split(is_break).next().unwrap_or("").to_owned(),
    }
}

/// The words that name something, up to the first that does not.
fn named<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lower = words.map(str::to_lowercase).filter(|word| !is_article(word));
    lower.take_while(|word| !is_function_word(word)).take(WORDS).collect()
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
}

/// The two lists without what both have; `None` if one has nothing of its own.
fn distinct(one: &[String], other: &[String]) -> Option<[Vec<String>; 2]> {
    let own = |list: &[String], of: &[String]| list.iter().filter(|word| !of.contains(word)).cloned().collect();
    let (one, other): (Vec<String>, Vec<String>) = (own(one, other), own(other, one));
    (!one.is_empty() && !other.is_empty()).then_some([one, other])
}

/// What stands after both numbers ("3 cats and 5 dogs"), or else before them ("highs of 12 and lows of 4").
fn english_nouns(text: &Surroundings) -> Option<[Vec<String>; 2]> {
    let between: Vec<&str> = words(&text.between).collect();
    let (left, right) = match between.iter().rposition(|word| is_equal(&word.to_lowercase())) {
        Some(at) => (between.get(..at)?.to_vec(), between.get(at + 1..)?.to_vec()),
        None => {
            text.between.rsplit_once(is_break).map(|(left, right)| (words(left).collect(), words(right).collect()))?
        }
    };
    distinct(&named(left.into_iter()), &named(words(&text.after)))
        .or_else(|| distinct(&named(words(&text.before).rev()), &named(right.into_iter().rev())))
}

/// What stands before both numbers (고양이 3마리와 개 5마리), or else after them (3마리의 고양이와 5마리의 개).
fn korean_nouns(text: &Surroundings) -> Option<[Vec<&str>; 2]> {
    let (counter, rest) = apart(&text.between);
    let between: Vec<&str> = rest.collect();
    if between.is_empty() {
        return None;
    }
    if counter.ends_with('의') {
        return Some([between, apart(&text.after).1.take(1).collect()]);
    }
    let before = text.before.split_whitespace().rev().take(2);
    Some([before.collect(), between])
}

/// The counter that follows a number without a space, and the words after it that name something.
fn apart(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (counter, rest) = text.split_at(end);
    (counter, words(rest).filter(|word| !JOINING.contains(word)))
}

/// Whether a word of one list sounds like a word of the other.
fn alike(english: &[String], korean: &[&str]) -> bool {
    let letters = |word: &str| word.chars().collect::<Vec<char>>();
    english.iter().any(|english| {
        let forms = [english.as_str(), english.strip_suffix('s').unwrap_or(english)];
        korean.iter().any(|korean| {
            let stem = PARTICLES.iter().find_map(|particle| korean.strip_suffix(particle)).unwrap_or(korean);
            [*korean, stem].iter().any(|korean| forms.iter().any(|form| sound_alike(&letters(form), &letters(korean))))
        })
    })
}
