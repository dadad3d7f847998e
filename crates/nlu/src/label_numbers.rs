//! Labels with numbers, said in words (RNK-2): "삼 층 안내" is 3층 안내, "chapter seven" is Chapter 7.

use super::numbers::{ENGLISH, ENGLISH_TENS, NATIVE, ONES, TENS};

/// Whether a text without digits is the label with its numbers, of at most two digits, in words. Both without spaces.
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
    let value = number.iter().collect::<String>().parse::<usize>().ok().filter(|value| *value < 100);
    value.is_some_and(|value| {
        words(value).iter().any(|word| {
            let word: Vec<char> = word.chars().collect();
            text.strip_prefix(word.as_slice()).is_some_and(|text| follows(rest, text))
        })
    })
}

/// How a number below 100 is said: Sino-Korean, native, English.
fn words(value: usize) -> Vec<String> {
    if value == 0 {
        return ["영", "공", "제로", "zero"].map(str::to_owned).to_vec();
    }
    let (ten, one) = (value / 10, value % 10);
    let part = |row: &[&'static str], at: usize| row.get(at).copied().unwrap_or_default();
    let tens = if ten > 1 { part(&ONES, ten) } else { "" };
    let sino = format!("{tens}{}{}", if ten > 0 { "십" } else { "" }, part(&ONES, one));
    let native = if value == 20 { "스무".to_owned() } else { format!("{}{}", part(&TENS, ten), part(&NATIVE, one)) };
    let english = |n: usize| n.checked_sub(1).map_or("", |at| part(&ENGLISH, at));
    let english = match ten.checked_sub(2).and_then(|at| ENGLISH_TENS.get(at)) {
        Some((ten, _)) => format!("{ten}{}", english(one)),
        None => english(value).to_owned(),
    };
    vec![sino, native, english]
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
            ("2026년", "이천이십육년", false),
        ] {
            assert_eq!(is_said_as(&compact(label), &compact(text)), expect, "{label} {text}");
        }
    }
}
