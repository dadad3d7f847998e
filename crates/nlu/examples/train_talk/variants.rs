//! Sentences as recognisers write them: without spaces, with other spaces.

use super::random::RandomSequence;
use super::samples::is_korean;

/// The sentence, or a variant of it.
pub fn varied(text: &str, random: &mut RandomSequence) -> String {
    if !is_korean(text) {
        return if random.one_in(20) { without_spaces(text) } else { text.to_owned() };
    }
    match random.below(10) {
        0..=4 => text.to_owned(),
        5 | 6 => without_spaces(text),
        7 | 8 => text.chars().filter(|c| *c != ' ' || random.one_in(2)).collect(),
        _ => {
            let mut out = String::new();
            for c in text.chars() {
                if random.one_in(8) {
                    out.push(' ');
                }
                out.push(c);
            }
            out
        }
    }
}

pub fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
