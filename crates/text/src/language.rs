//! The language of a text, by its script (PIC-8).

use luna_messages::Lang;

/// Whether `c` is Hangul: a syllable, a jamo or a half-width jamo.
#[must_use]
pub const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A960}'..='\u{A97F}'
        | '\u{D7B0}'..='\u{D7FF}' | '\u{FFA0}'..='\u{FFDC}')
}

/// The language of `text`: Korean if at least 30 % of its letters are Hangul, else English. A Hangul syllable counts as two letters, because a
/// Korean word has about half as many syllables as an English word has letters. A text without letters gets `fallback`.
#[must_use]
pub fn by_script(text: &str, fallback: Lang) -> Lang {
    let (mut hangul, mut other) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        if is_hangul(c) {
            hangul += 2;
        } else {
            other += 1;
        }
    }
    match (hangul, other) {
        (0, 0) => fallback,
        _ if 10 * hangul >= 3 * (hangul + other) => Lang::Ko,
        _ => Lang::En,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-8
    #[test]
    fn the_script_tells_the_language_pic_8() {
        for (text, expect) in [
            ("파일", Lang::Ko),
            ("Save", Lang::En),
            ("Wi-Fi 설정을 여세요", Lang::Ko),
            ("Open the 설정 window to see all of the devices", Lang::En),
            ("USB 드라이브", Lang::Ko),
            ("12:30", Lang::Ko),
            ("", Lang::Ko),
            ("東京", Lang::En),
        ] {
            assert_eq!(by_script(text, Lang::Ko), expect, "{text}");
        }
        assert_eq!(by_script("42", Lang::En), Lang::En);
    }
}
