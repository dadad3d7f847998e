//! The final sound of a token as spoken in Korean, which selects the form of a particle (PRE-7).

use luna_messages::preserve::TokenClass;

use luna_text::hangul::final_consonant;
use luna_text::units::korean_reading;

/// The final sound of a spoken word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FinalSound {
    Vowel,
    /// ㄹ, after which 으로 is 로.
    Rieul,
    Consonant,
}

/// The final sound of a Hangul syllable.
pub(super) fn syllable_ending(syllable: char) -> FinalSound {
    match final_consonant(syllable) {
        None => FinalSound::Vowel,
        Some('ㄹ') => FinalSound::Rieul,
        Some(_) => FinalSound::Consonant,
    }
}

/// Final sounds of words that are no units: AM, and the last part of an address.
const OTHERS: &[&str] = &["AM", "PM", "am", "pm", "com", "net"];

/// The final sound of `text`, a token of this class.
pub(super) fn ending(class: TokenClass, text: &str) -> FinalSound {
    let text = text.trim_end_matches(|c: char| !(c.is_alphanumeric() || "%℃℉₩$€£¥°Ω㎞㎏㎜㎝％￦‰".contains(c)));
    let Some(last) = text.chars().next_back() else { return FinalSound::Vowel };
    if luna_text::language::is_hangul(last) {
        return syllable_ending(last);
    }
    // A leading currency sign is read after its amount.
    if class == TokenClass::Currency && !last.is_alphabetic() {
        let won = text.contains(['₩', '￦']) || text.contains("KRW");
        let other = text.contains(['¥', '￥']) || text.contains("JPY") || text.contains("CNY");
        return if won || other { FinalSound::Consonant } else { FinalSound::Vowel };
    }
    if class == TokenClass::Date
        && let Some(ending) = date_ending(text)
    {
        return ending;
    }
    if last.is_ascii_digit() || last.is_numeric() {
        return digits_ending(text);
    }
    let letters = text.len() - text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == 'Ω').len();
    let word = text.get(text.len() - letters..).unwrap_or("");
    let unit = matches!(
        class,
        TokenClass::Unit | TokenClass::Date | TokenClass::Currency | TokenClass::Url | TokenClass::Email
    );
    let measured = matches!(class, TokenClass::Unit | TokenClass::Date | TokenClass::Currency);
    if unit && OTHERS.contains(&word) {
        return FinalSound::Consonant;
    }
    if let Some(last) = korean_reading(word).filter(|_| measured).and_then(|said| said.chars().next_back()) {
        return syllable_ending(last);
    }
    // ㎏
    let sign = || korean_reading(last.encode_utf8(&mut [0; 4])).and_then(|said| said.chars().next_back());
    if let Some(said) = sign().filter(|_| word.is_empty() && class == TokenClass::Unit) {
        return syllable_ending(said);
    }
    if word.is_empty() || unit && class == TokenClass::Unit {
        return FinalSound::Vowel;
    }
    word_ending(word)
}

/// A date in digits is read to its day, a time to its minutes.
fn date_ending(text: &str) -> Option<FinalSound> {
    if let Some((_, minutes)) = text.rsplit_once(':') {
        let minutes: String = minutes.chars().take_while(char::is_ascii_digit).collect();
        let half = text.trim_end().ends_with(['M', 'm', '.']);
        return Some(if half || minutes != "00" { FinalSound::Consonant } else { FinalSound::Vowel });
    }
    // 일 ends in ㄹ; a two-part date may be a month, and 월 ends in ㄹ, too.
    let digits = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | ' '));
    let english = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    (digits || english).then_some(FinalSound::Rieul)
}

/// The last digit decides; trailing zeros are read 십, 백, 천, 만.
fn digits_ending(text: &str) -> FinalSound {
    let number = text.rsplit(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).next().unwrap_or(text);
    let spelled =
        number.contains('.') || text.contains('-') && text.matches('-').count() >= 2 || number.starts_with('0');
    match number.chars().next_back() {
        Some('0') if spelled => FinalSound::Consonant,
        // 십, 백, 천, 만, 억, 영: all end in a consonant; 조 (twelve zeros) does not.
        Some('0') => {
            let zeros = number.chars().rev().take_while(|c| matches!(c, '0' | ',')).filter(|c| *c == '0').count();
            if (12..16).contains(&zeros) { FinalSound::Vowel } else { FinalSound::Consonant }
        }
        Some('1' | '7' | '8') => FinalSound::Rieul,
        Some('3' | '6') => FinalSound::Consonant,
        _ => FinalSound::Vowel,
    }
}

/// A Latin word: capitals and single letters are spelled out, others are read as usual.
fn word_ending(word: &str) -> FinalSound {
    let last = word.chars().next_back().unwrap_or('a');
    let spelled = word.len() <= 2
        || word.chars().all(|c| c.is_ascii_uppercase())
        || !word.to_ascii_lowercase().contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let lower = word.to_ascii_lowercase();
    if spelled {
        return match last.to_ascii_lowercase() {
            'l' | 'r' => FinalSound::Rieul,
            'm' | 'n' => FinalSound::Consonant,
            _ => FinalSound::Vowel,
        };
    }
    let vowel_before = lower.chars().rev().nth(1).is_some_and(|c| "aeiou".contains(c));
    let two_vowels = vowel_before && lower.chars().rev().nth(2).is_some_and(|c| "aeiou".contains(c));
    if lower.ends_with("le") || lower.ends_with('l') {
        return FinalSound::Rieul;
    }
    let nasal = ["m", "n", "ng", "me", "ne"].iter().any(|end| lower.ends_with(end));
    // book, app, bot: a short vowel before a stop.
    let stop = lower.ends_with("ck")
        || lower.ends_with("pp")
        || (vowel_before && !two_vowels && matches!(last, 'k' | 'p' | 't' | 'b'))
        || lower.ends_with("ook");
    if nasal || stop { FinalSound::Consonant } else { FinalSound::Vowel }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRE-7
    #[test]
    fn tokens_end_as_they_are_spoken_pre_7() {
        use FinalSound::{Consonant, Rieul, Vowel};
        use TokenClass::{Code, Currency, Date, Email, Number, Percent, Unit, Url};
        let check = |class, text: &str, expect| assert_eq!(ending(class, text), expect, "{text}");
        check(Percent, "30%", Vowel);
        check(Unit, "5km", Vowel);
        check(Unit, "70kg", Consonant);
        check(Unit, "25°C", Vowel);
        check(Unit, "12px", Rieul);
        check(Unit, "16GB", Vowel);
        check(Unit, "5㎏", Consonant);
        check(Unit, "3 knots", Vowel);
        check(Unit, "7 acres", Vowel);
        check(Unit, "2 kJ", Rieul);
        check(Unit, "3시간", Consonant);
        check(Currency, "₩32,000", Consonant);
        check(Currency, "$5.99", Vowel);
        check(Currency, "3만 2천원", Consonant);
        check(Number, "3", Consonant);
        check(Number, "7", Rieul);
        check(Number, "10", Consonant);
        check(Number, "2.5", Vowel);
        check(Number, "v1.2.0", Consonant);
        check(Date, "2026-11-21", Rieul);
        check(Date, "14:30", Consonant);
        check(Date, "14:00", Vowel);
        check(Date, "2:30 PM", Consonant);
        check(Url, "https://a.kr", Rieul);
        check(Url, "https://a.kr/x", Vowel);
        check(Url, "https://a.kr/l", Rieul);
        check(Email, "kim@example.com", Consonant);
        check(Code, "`main.rs`", Vowel);
        check(Code, "Ctrl+L", Rieul);
        check(Code, "--help", Vowel);
        check(Code, "`app`", Consonant);
    }
}
