//! Scripts of characters.

/// The script of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Syllables and letters.
    Hangul,
    /// Chinese characters and kana.
    Ideographic,
    /// Latin and all other letters.
    Letter,
    Digit,
    /// Punctuation and all that is neither letter nor digit.
    Mark,
}

pub fn of(char: char) -> Script {
    if is_hangul(char) {
        Script::Hangul
    } else if is_ideographic(char) {
        Script::Ideographic
    } else if char.is_numeric() {
        Script::Digit
    } else if char.is_alphabetic() {
        Script::Letter
    } else {
        Script::Mark
    }
}

/// Position of a Hangul syllable in Unicode's order: `(onset * 21 + vowel) * 28 + coda`.
pub fn syllable(char: char) -> Option<usize> {
    ('가'..='힣').contains(&char).then(|| char as usize - '가' as usize)
}

/// Hangul syllables and letters.
pub fn is_hangul(char: char) -> bool {
    matches!(char, '가'..='힣' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}')
}

/// Chinese characters, kana, and their punctuation.
pub fn is_ideographic(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}
