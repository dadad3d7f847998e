//! The ways in which people and recognisers vary a sentence, one at a time.

use luna_text::hangul::{compose, jamo};
use luna_text::language::is_hangul;

/// A way by its name.
pub type Perturbation = (&'static str, fn(&str) -> String);

/// What varies a Korean sentence.
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
    ("a vowel misheard", misheard),
];

/// What varies an English sentence.
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

/// The first ㅐ, ㅔ, ㅝ or ㅗ taken for its neighbour; the sentence as it is if there is none.
fn misheard(text: &str) -> String {
    let mut done = false;
    let slip = |c: char| {
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
        .map(|c| match slip(c).filter(|_| !done) {
            Some(other) => {
                done = true;
                other
            }
            None => c,
        })
        .collect()
}

/// Whether a sentence is Korean.
#[must_use]
pub fn is_korean(text: &str) -> bool {
    text.chars().any(is_hangul)
}
