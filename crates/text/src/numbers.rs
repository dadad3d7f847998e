//! Extracts the numbers of a text with their units (TTS-3).

use super::numerals::{big_power, powers, small_power};
use super::units::MONTHS;
use super::units::spoken::{ENGLISH, KOREAN, LATIN, PREFIXES};
use crate::language::is_hangul;

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpokenNumber<'a> {
    /// As written in the text.
    pub text: &'a str,
    /// Start in the text, in characters.
    pub start: usize,
}

/// The numbers of `text` with their units, in order. Parts of one number or date ("3만 2천원", "2026년 11월 21일") stay together. Digits inside a word
/// ("A4"), an e-mail address or a URL are not numbers.
#[must_use]
pub fn find(text: &str) -> Vec<SpokenNumber<'_>> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(is_digit) {
        let digits = at + offset;
        if let Some(end) = address_end(text, digits) {
            at = end;
            continue;
        }
        let number_end = number_end(text, digits);
        let before = text[..digits].chars().next_back();
        if before.is_some_and(|c| c.is_alphabetic() && !is_hangul(c) && !currency_before(text, digits))
            || is_code(text, digits)
        {
            at = number_end;
            continue;
        }
        let end = unit_end(text, number_end);
        let start = prefix_start(text, digits, ranges.last().map_or(0, |r| r.1));
        match ranges.last_mut() {
            Some(last) if belongs(&text[last.0..last.1], &text[last.1..start]) => last.1 = end,
            _ => ranges.push((start, end)),
        }
        at = end;
    }
    let (mut counted, mut chars) = (0, 0);
    ranges
        .into_iter()
        .map(|(from, to)| {
            chars += text[counted..from].chars().count();
            counted = from;
            SpokenNumber { text: &text[from..to], start: chars }
        })
        .collect()
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '０'..='９')
}

/// Whether it multiplies the digits before it, and more digits may follow: 만, 억.
fn is_magnitude(c: char) -> bool {
    small_power(c).or_else(|| big_power(c)).is_some()
}

/// The end of the URL or e-mail address that contains byte `at`.
fn address_end(text: &str, at: usize) -> Option<usize> {
    let from =
        text[..at].rfind(char::is_whitespace).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let to = text[at..].find(char::is_whitespace).map_or(text.len(), |i| at + i);
    let word = &text[from..to];
    (word.contains("://") || word.starts_with("www.") || word.contains('@')).then_some(to)
}

/// Whether a hyphen joins the digits to a word: "COVID-19", "ISO-8859".
fn is_code(text: &str, digits: usize) -> bool {
    let mut back = text[..digits].chars().rev();
    matches!(back.next(), Some('-' | '_')) && back.next().is_some_and(|c| c.is_ascii_alphabetic())
}

fn currency_before(text: &str, at: usize) -> bool {
    PREFIXES.iter().any(|p| text[..at].ends_with(p))
}

/// The end of digits with separators: "1,234.56", "10:30", "2026-11-21", "1/2", "10~20".
fn number_end(text: &str, digits: usize) -> usize {
    let mut end = digits;
    let mut chars = text[digits..].char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let inside = matches!(c, '.' | ',' | ':' | '/' | '-' | '–' | '~' | '～' | '∼')
            && chars.peek().is_some_and(|next| is_digit(next.1));
        if !is_digit(c) && !inside {
            break;
        }
        end = digits + i + c.len_utf8();
    }
    end
}

/// The start of a sign, a currency or a month before the number; not before byte `floor`.
fn prefix_start(text: &str, digits: usize, floor: usize) -> usize {
    let mut start = digits;
    let before = |start: usize| text.get(floor..start).unwrap_or_default();
    for sign in ["-", "−", "+", "±"] {
        if before(start).ends_with(sign) && !before(start - sign.len()).ends_with(|c: char| c.is_alphanumeric()) {
            start -= sign.len();
            break;
        }
    }
    for prefix in PREFIXES.iter() {
        let near = before(start).trim_end_matches(' ');
        // Also "₩ 3,200".
        if near.ends_with(prefix) && before(start).len() - near.len() <= 1 {
            start = floor + near.len() - prefix.len();
            break;
        }
    }
    if let Some(sign) = ["-", "−", "+"].iter().find(|s| start < digits && before(start).ends_with(**s)) {
        start -= sign.len();
    }
    let word = before(start).trim_end().trim_end_matches('.');
    let from =
        word.rfind(|c: char| !c.is_alphabetic()).map_or(0, |i| i + word[i..].chars().next().map_or(1, char::len_utf8));
    if start == digits && MONTHS.contains(&word[from..].to_lowercase().as_str()) {
        start = floor + from;
    }
    start
}

/// The end of the suffix of a number that ends at `from`: magnitudes directly after it, then a unit after at most one space.
fn unit_end(text: &str, from: usize) -> usize {
    let mut end = from;
    while let Some(c) = text[end..].chars().next().filter(|c| is_magnitude(*c)) {
        end += c.len_utf8();
    }
    // The "일" of "일반" is not a unit.
    let korean =
        |rest: &str| KOREAN.iter().filter(|u| rest.starts_with(**u) && u.chars().all(is_hangul)).map(|u| u.len()).max();
    let latin = |rest: &str| LATIN.iter().filter(|u| stands(rest, u)).map(|u| u.len()).max();
    let english = |rest: &str| {
        let word: &str = &rest[..rest.find(|c: char| !(c.is_alphabetic() || c == '\'')).unwrap_or(rest.len())];
        let lower = word.to_lowercase();
        (ENGLISH.contains(lower.as_str()) || MONTHS.contains(&lower.as_str())).then_some(word.len())
    };
    let rest = &text[end..];
    if let Some(len) = korean(rest).or_else(|| latin(rest)).or_else(|| english(rest)) {
        end += len;
    } else if let Some(rest) = rest.strip_prefix(' ') {
        // After a space, only units that can hardly be another word.
        let spaced =
            korean(rest).filter(|len| !rest[*len..].starts_with(is_hangul) || particle(&rest[*len..])).or_else(|| {
                latin(rest).filter(|len| {
                    *len > 1 && !matches!(&rest[..*len], "in" | "st" | "th")
                        || rest[..*len].starts_with(['%', '°', '℃'])
                })
            });
        if let Some(len) = spaced.or_else(|| english(rest)) {
            end += 1 + len;
        }
    }
    // "5 million won", "3 thousand people".
    if end > from
        && let Some(rest) = text[end..].strip_prefix(' ')
        && powers().any(|power| text[from..end].trim_start().eq_ignore_ascii_case(power))
        && let Some(len) = english(rest).or_else(|| latin(rest).filter(|l| *l > 2))
    {
        end += 1 + len;
    }
    end
}

/// Whether the text begins with this Latin unit, with no further Latin letter or digit after its letters.
fn stands(rest: &str, unit: &str) -> bool {
    rest.strip_prefix(unit).is_some_and(|after| {
        let next = after.chars().next();
        !unit.ends_with(|c: char| c.is_alphabetic()) || next.is_none_or(|c| !c.is_alphanumeric() || is_hangul(c))
    })
}

/// Whether the text begins with a Korean word that may follow a unit and is not a part of it.
fn particle(rest: &str) -> bool {
    [
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "에",
        "의",
        "로",
        "으로",
        "와",
        "과",
        "도",
        "만",
        "씩",
        "까지",
        "부터",
        "입니다",
        "이다",
        "쯤",
        "정도",
    ]
    .iter()
    .any(|p| rest.starts_with(p))
}

/// Whether a number continues after `gap`, given its previous text `before`: "3만" + "2천원"; "2026년" + "11월"; "November 21," + "2026".
fn belongs(before: &str, gap: &str) -> bool {
    let month = MONTHS.iter().any(|m| before.to_lowercase().starts_with(m));
    match gap {
        "" | " " => {
            before.ends_with(is_magnitude)
                || ["년", "월", "일", "시", "분", "시간"].iter().any(|u| before.ends_with(u))
                || month
                || MONTHS.iter().any(|m| before.to_lowercase().ends_with(m))
        }
        ", " => month,
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(find(text).iter().map(|f| f.text).collect::<Vec<_>>(), expect, "{text}");
    }

    // TTS-3
    #[test]
    fn numbers_come_with_their_units_tts_3() {
        check("가격은 ₩3,200이고 배송비는 3만 2천원입니다.", &["₩3,200", "3만 2천원"]);
        check("지난해보다 12.5% 늘었다.", &["12.5%"]);
        check("Total: 1,234.56 USD due.", &["1,234.56 USD"]);
        check("2026년 11월 21일에 5km를 달렸다.", &["2026년 11월 21일", "5km"]);
        check("기온은 -3.5℃, 습도는 40 %", &["-3.5℃", "40 %"]);
        check("오전 10시 30분부터 2시간", &["10시 30분", "2시간"]);
        check("It was $5 million in November 21, 2026.", &["$5 million", "November 21, 2026"]);
        check("Born 21 November 2026", &["21 November 2026"]);
        check("참석자 12 명, 학생 20명", &["12 명", "20명"]);
        check("10~20명이 왔다", &["10~20명"]);
        check("전화 010-1234-5678, 2026-11-21 10:30", &["010-1234-5678", "2026-11-21", "10:30"]);
        check("A4 용지와 COVID-19", &[]);
        check("https://a.kr/12 kim2@b.kr 7", &["7"]);
        check("no numbers here", &[]);
        check("1/2 cup and 3 kg", &["1/2", "3 kg"]);
        check("１２３원", &["１２３원"]);
        check("-$20 and +5 points", &["-$20", "+5 points"]);
        check("15억 3,000만 원", &["15억 3,000만 원"]);
        check("at 5 p.m. today", &["5 p.m."]);
        check("90 km/h", &["90 km/h"]);
        check("", &[]);
    }

    proptest! {
        // TTS-3
        #[test]
        fn what_is_found_stands_in_the_text_tts_3(text in "([0-9]{1,3}|[.,:/~+$₩ -]|원|만|년|km|[a-zA-Z]{1,4}|\\PC){0,40}") {
            for found in find(&text) {
                let at: String = text.chars().skip(found.start).take(found.text.chars().count()).collect();
                prop_assert_eq!(&at, found.text);
                prop_assert!(found.text.chars().any(is_digit));
            }
        }
    }
}
