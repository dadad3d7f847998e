//! Single variations of a sentence, as people and recognisers produce them.

use luna_text::hangul::{compose, jamo};
use luna_text::language::is_hangul;

/// The name of a variation, and its function.
pub type Perturbation = (&'static str, fn(&str) -> String);

/// Variations of Korean sentences.
pub const KOREAN: [Perturbation; 8] = [
    ("as it is", str::to_owned),
    ("spaces removed", |text| text.replace(' ', "")),
    ("filler 음 in front", |text| format!("음 {text}")),
    ("filler 좀 before the last word", |text| match text.rsplit_once(' ') {
        Some((head, last)) => format!("{head} 좀 {last}"),
        None => format!("좀 {text}"),
    }),
    ("-요 at the end", |text| format!("{text}요")),
    ("full-width digits and letters", full_width),
    ("a space inside the last word", |text| {
        let mut chars: Vec<char> = text.chars().collect();
        chars.insert(chars.len().saturating_sub(1), ' ');
        chars.into_iter().collect()
    }),
    ("a vowel misheard", confused_vowel),
];

/// Variations of English sentences.
pub const ENGLISH: [Perturbation; 6] = [
    ("as it is", str::to_owned),
    ("um in front", |text| format!("um {text}")),
    ("please in front", |text| format!("please {text}")),
    ("full-width digits and letters", full_width),
    ("capitals", str::to_uppercase),
    ("thanks at the end", |text| format!("{text} thanks")),
];

fn full_width(text: &str) -> String {
    let wide = |c: char| if c.is_ascii_alphanumeric() { char::from_u32(c as u32 + 0xFEE0).unwrap_or(c) } else { c };
    text.chars().map(wide).collect()
}

/// Replaces the first ㅐ, ㅔ, ㅝ or ㅗ by its neighbour, if there is one.
fn confused_vowel(text: &str) -> String {
    let mut done = false;
    let neighbour = |c: char| {
        let (initial, vowel, last) = jamo(c)?;
        let other = match vowel {
            'ㅐ' => 'ㅔ',
            'ㅔ' => 'ㅐ',
            'ㅝ' => 'ㅓ',
            'ㅗ' => 'ㅜ',
            _ => return None,
        };
        compose(initial, other, last)
    };
    text.chars()
        .map(|c| match neighbour(c).filter(|_| !done) {
            Some(other) => {
                done = true;
                other
            }
            None => c,
        })
        .collect()
}

/// Whether a sentence contains Hangul.
#[must_use]
pub fn is_korean(text: &str) -> bool {
    text.chars().any(is_hangul)
}
