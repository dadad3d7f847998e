//! What faithful mode compares: the wording of what is written in digits, and the value of numbers that one side spells (PRE-8).

use luna_text::characters::IndexedText;

use super::alignment::is_amount;
use super::glossary::Glossary;
use super::scan as scanner;
use super::text::{Text, is_digit};
use super::token::{CanonicalValue, Token, TokenScan, Weight};

/// The tokens of `text` for faithful mode.
pub(super) fn scan(text: &Text, glossary: &Glossary) -> TokenScan {
    let by_value = scanner::scan(text, true, glossary);
    // What is spelled out has no wording to compare: most texts are read once.
    let spelled = |token: &Token| {
        token.weight != Weight::Hard && is_amount(token.class) && !is_digit(text.at(token.start as usize))
    };
    if by_value.tokens.iter().all(spelled) {
        return by_value;
    }
    with_spelled(&scanner::scan(text, false, glossary), &by_value)
}

/// The tokens by wording, each with the values of the same place, and the spelled-out numbers between them.
fn with_spelled(by_wording: &TokenScan, by_value: &TokenScan) -> TokenScan {
    let mut found = TokenScan {
        tokens: Vec::with_capacity(by_wording.tokens.len()),
        keys: Vec::with_capacity(by_value.keys.len()),
    };
    let mut values = by_value.tokens.iter().peekable();
    for word in &by_wording.tokens {
        while let Some(value) = values.next_if(|value| value.end <= word.start) {
            add_spelled(&mut found, value, by_value);
        }
        let mut same = None;
        while let Some(value) = values.next_if(|value| value.start < word.end) {
            if value.span() == word.span() {
                same = Some(value);
            }
        }
        // Letters with digits (5E, Q3) are compared as they are.
        let of_place = same.filter(|_| word.weight == Weight::Hard).map_or(&[][..], |value| by_value.keys_of(value));
        add(&mut found, word, by_wording.keys_of(word).iter().chain(of_place.iter().filter(|key| !key.is_verbatim())));
    }
    for value in values {
        add_spelled(&mut found, value, by_value);
    }
    found
}

/// Adds a number that only the values know: it is spelled. What must occur in the other text in these very words is known by its wording; "twenty
/// percent" must only occur by its value.
fn add_spelled(found: &mut TokenScan, token: &Token, of: &TokenScan) {
    let mut spelled = token.clone();
    if spelled.weight == Weight::Hard {
        spelled.weight = Weight::Strong;
    }
    add(found, &spelled, of.keys_of(token).iter());
}

fn add<'k>(found: &mut TokenScan, token: &Token, keys: impl Iterator<Item = &'k CanonicalValue>) {
    found.push(token.class, (token.start as usize, token.end as usize), token.weight, keys.cloned().map(Some));
    if let Some(last) = found.tokens.last_mut() {
        last.short_end = token.short_end;
    }
}
