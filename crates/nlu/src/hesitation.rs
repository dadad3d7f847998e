//! Sounds of hesitation between words: 음, 어, um. Nobody means them, wherever they stand.

use std::borrow::Cow;

const SOUNDS: [&str; 17] = [
    "음", "어", "으음", "음음", "흠", "엄", "어음", "저기", "어어", "um", "umm", "uh", "uhh", "uhm", "er", "erm", "hmm",
];
const QUOTES: [char; 10] = ['"', '“', '”', '‘', '’', '「', '」', '『', '』', '`'];

/// The utterance without words that are nothing but a sound of hesitation; as it is if nothing else would be left, or where
/// something is quoted, because there every word counts.
#[must_use]
pub fn without(utterance: &str) -> Cow<'_, str> {
    let sound = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        SOUNDS.iter().any(|sound| word.eq_ignore_ascii_case(sound))
    };
    let words: Vec<&str> = utterance.split_whitespace().collect();
    // "그" between two words; before a single syllable it may be a part of a word with a space in it.
    let that = |at: usize| {
        at > 0 && words.get(at) == Some(&"그") && words.get(at + 1).is_some_and(|next| next.chars().nth(1).is_some())
    };
    let kept: Vec<&str> =
        words.iter().enumerate().filter(|(at, word)| !sound(word) && !that(*at)).map(|(_, word)| *word).collect();
    if kept.is_empty() || kept.len() == words.len() || utterance.contains(QUOTES) {
        return Cow::Borrowed(utterance);
    }
    Cow::Owned(kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    // RNK-2
    #[test]
    fn hesitation_is_left_out_rnk_2() {
        for (utterance, expect) in [
            ("회의 음 메모 열어", "회의 메모 열어"),
            ("click the um, save button", "click the save button"),
            ("음악 열어", "음악 열어"),
            ("음", "음"),
            ("\"음 어\" 입력해", "\"음 어\" 입력해"),
        ] {
            assert_eq!(without(utterance), expect);
        }
    }
}
