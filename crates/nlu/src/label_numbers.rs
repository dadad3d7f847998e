//! Labels with numbers, said in words (RNK-2): "삼 층 안내" is 3층 안내, "chapter seven" is Chapter 7.

use luna_text::numerals::{NumeralKind, Spacing, readings, zero_digit};

use super::numbers::NumberCells;

/// Whether a text without digits is the label with its numbers in words. Both without spaces.
#[must_use]
pub fn is_said_as(label: &[char], text: &[char]) -> bool {
    let digits = |text: &[char]| text.iter().filter(|c| c.is_ascii_digit()).count();
    (1..=6).contains(&digits(label)) && digits(text) == 0 && follows(label, text)
}

fn follows(label: &[char], text: &[char]) -> bool {
    let plain = label.iter().position(char::is_ascii_digit).unwrap_or(label.len());
    let (Some(text), Some(before)) = (label.get(..plain).and_then(|head| text.strip_prefix(head)), label.get(plain..))
    else {
        return false;
    };
    if before.is_empty() {
        return text.is_empty();
    }
    let length = before.iter().take_while(|c| c.is_ascii_digit()).count();
    let (number, rest) = before.split_at(length);
    let Ok(value) = number.iter().collect::<String>().parse::<i64>() else { return false };
    let goes_on = |end: usize| text.get(end..).is_some_and(|text| follows(rest, text));
    let said = NumberCells(text);
    let mut found = value == 0 && zero_digit(&said, 0).is_some_and(goes_on);
    readings(&said, 0, Spacing::Removed, |numeral| {
        found |= numeral.kind != NumeralKind::Ordinal && numeral.whole() == Some(value) && goes_on(numeral.end);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::normalised::compact;
    use super::*;

    // RNK-2
    #[test]
    fn numbers_of_labels_may_be_said_in_words_rnk_2() {
        for (label, text, expect) in [
            ("3층 안내", "삼 층 안내", true),
            ("Chapter 7", "chapter seven", true),
            ("Windows 11", "windows eleven", true),
            ("2단원 21과", "이 단원 이십일 과", true),
            ("5개월", "다섯 개월", true),
            ("20명", "스무 명", true),
            ("3층 안내", "사 층 안내", false),
            ("Chapter 7", "chapter", false),
            ("Chapter 7", "chapter seventeen", false),
            ("안내", "안내", false),
            ("2026년", "이천이십육 년", true),
            ("Windows 2000", "windows two thousand", true),
            ("101호", "백일 호", true),
            ("10,000원", "만 원", true),
            ("0점", "영 점", true),
            ("0점", "공 점", true),
            ("Chapter 7", "chapter seventh", false),
            ("2026년", "이천이십칠 년", false),
        ] {
            assert_eq!(is_said_as(&compact(label), &compact(text)), expect, "{label} {text}");
        }
    }
}
