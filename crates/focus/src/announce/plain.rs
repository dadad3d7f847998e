//! Texts as they are heard: without layout, case and punctuation.

/// Whether `text` contains `part` as whole words, whatever their case.
pub(super) fn contains_words(text: &str, part: &str) -> bool {
    let words = |text: &str| format!(" {} ", plain_words(text));
    let part = words(part);
    part.trim().is_empty() || words(text).contains(&part)
}

/// The words of a text in lower case, without punctuation.
pub(super) fn plain_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The text with single spaces, without control characters and placeholders of embedded elements.
pub(super) fn one_line(text: &str) -> String {
    let is_gap = |c: char| c.is_whitespace() || c.is_control() || c == '\u{FFFC}';
    text.split(is_gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a text has neither letters nor digits, such as ☰.
pub(super) fn is_symbol(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}
