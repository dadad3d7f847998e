//! Tables of numerals.

use super::NumeralKind::{Cardinal, DigitOrdinal, Digits, Native, NativeBound, Ordinal, ScaledDigits, Sino, Year};
use proptest::prelude::*;

use luna_messages::Lang;

use super::{NumeralKind, Spacing, digit_word, longest, readings, zero_digit};
use crate::ratio::Ratio;

/// Every numeral at the beginning of `text`, as its text.
fn all(text: &str, spacing: Spacing) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    readings(&characters.as_slice(), 0, spacing, |numeral| found.push(characters[..numeral.end].iter().collect()));
    found
}

#[track_caller]
fn check(text: &str, spacing: Spacing, expect: Option<(&str, Option<Ratio>, NumeralKind)>) {
    let characters: Vec<char> = text.chars().collect();
    let found = longest(&characters.as_slice(), 0, spacing);
    let found = found.map(|numeral| {
        let part: String = characters[..numeral.end].iter().collect();
        (part, numeral.value, numeral.kind)
    });
    assert_eq!(found, expect.map(|(part, value, kind)| (part.to_owned(), value, kind)), "{text}");
}

#[track_caller]
fn whole(text: &str, part: &str, value: i64, kind: NumeralKind) {
    check(text, Spacing::Kept, Some((part, Some(Ratio::whole(value)), kind)));
}

// PRE-8, NLU-2
#[test]
fn numbers_are_read_with_their_end_and_kind_pre_8_nlu_2() {
    for (text, part, value, kind) in [
        ("1,234개", "1,234", 1234, Digits),
        ("１２층", "１２", 12, Digits),
        ("3만 2천원", "3만 2천", 32_000, ScaledDigits),
        ("5백만 달러", "5백만", 5_000_000, ScaledDigits),
        ("2백여만 원", "2백여만", 2_000_000, ScaledDigits),
        ("1억 2,345만 명", "1억 2,345만", 123_450_000, ScaledDigits),
        ("5 million people", "5 million", 5_000_000, ScaledDigits),
        ("10k", "10k", 10_000, ScaledDigits),
        ("3m people", "3", 3, Digits),
        ("2 dozen", "2 dozen", 24, ScaledDigits),
        ("21st", "21st", 21, DigitOrdinal),
        ("삼만 이천 원", "삼만 이천", 32_000, Sino),
        ("이십일 층", "이십일", 21, Sino),
        ("이천이십육년", "이천이십육", 2026, Sino),
        ("만 명", "만", 10_000, Sino),
        ("영 개", "영", 0, Sino),
        ("일이", "일", 1, Sino),
        ("세 번째", "세", 3, NativeBound),
        ("스물한 번째", "스물한", 21, NativeBound),
        ("스무 살", "스무", 20, NativeBound),
        ("서른여섯 개", "서른여섯", 36, Native),
        ("백스물세 명", "백스물세", 123, NativeBound),
        ("하나를", "하나", 1, Native),
        ("two hundred and five people", "two hundred and five", 205, Cardinal),
        ("one hundred thousand", "one hundred thousand", 100_000, Cardinal),
        ("twenty five", "twenty five", 25, Cardinal),
        ("three dozen eggs", "three dozen", 36, Cardinal),
        ("two score years", "two score", 40, Cardinal),
        ("half a million people", "half a million", 500_000, Cardinal),
        ("half a dozen", "half a dozen", 6, Cardinal),
        ("Twenty-first", "Twenty-first", 21, Ordinal),
        ("twenty first", "twenty first", 21, Ordinal),
        ("hundredth", "hundredth", 100, Ordinal),
        ("two hundredth", "two hundredth", 200, Ordinal),
        ("nineteen ninety-nine", "nineteen ninety-nine", 1999, Year),
        ("twenty twenty-six", "twenty twenty-six", 2026, Year),
        ("seven thirty", "seven", 7, Cardinal),
        ("two and five", "two", 2, Cardinal),
    ] {
        whole(text, part, value, kind);
    }
    for (text, part, n, d, kind) in [
        ("1.5 million", "1.5 million", 1_500_000, 1, ScaledDigits),
        ("2.5km", "2.5", 5, 2, Digits),
        ("two thirds of", "two thirds", 2, 3, Cardinal),
        ("two and a half years", "two and a half", 5, 2, Cardinal),
        ("one and a half million", "one and a half million", 1_500_000, 1, Cardinal),
        ("three-quarters", "three-quarters", 3, 4, Cardinal),
    ] {
        check(text, Spacing::Kept, Some((part, Ratio::new(n, d), kind)));
    }
    for other in ["tensor", "oneself", "second_one", "번째", "가", "", "third-party x", "quarter of"] {
        let other = other.strip_suffix(" x").unwrap_or(other);
        let found = if other == "third-party" { Some(("third", Some(Ratio::whole(3)), Ordinal)) } else { None };
        check(other, Spacing::Kept, found);
    }
}

// NLU-2
#[test]
fn a_text_without_spaces_is_read_too_nlu_2() {
    for (text, part, value, kind) in [
        ("세번째", "세", 3, NativeBound),
        ("스물한번째", "스물한", 21, NativeBound),
        ("열두번째", "열두", 12, NativeBound),
        ("twentyfirstlink", "twentyfirst", 21, Ordinal),
        ("twentyone", "twentyone", 21, Cardinal),
        ("seventeenth", "seventeenth", 17, Ordinal),
        ("sixtyfourbutton", "sixtyfour", 64, Cardinal),
        ("twohundredandfive", "twohundredandfive", 205, Cardinal),
        ("twohundredandroid", "twohundred", 200, Cardinal),
        ("3rdlink", "3rd", 3, DigitOrdinal),
        ("삼만이천", "삼만이천", 32_000, Sino),
        ("이십일번", "이십일", 21, Sino),
    ] {
        check(text, Spacing::Removed, Some((part, Some(Ratio::whole(value)), kind)));
    }
    assert_eq!(all("이십일번", Spacing::Removed), ["이", "이십", "이십일"]);
    assert_eq!(all("열두번째", Spacing::Removed), ["열", "열두"]);
    assert_eq!(all("twentyfirst", Spacing::Removed), ["twenty", "twentyfirst"]);
}

// PRE-8
#[test]
fn a_number_between_two_has_both_ends_pre_8() {
    for (text, from, to) in [("두세 개", 2, 3), ("서너 명", 3, 4), ("열두세 명", 12, 13), ("한두 번", 1, 2)]
    {
        let characters: Vec<char> = text.chars().collect();
        let found = longest(&characters.as_slice(), 0, Spacing::Kept).map(|n| (n.whole(), n.upto));
        assert_eq!(found, Some((Some(from), Some(to))), "{text}");
    }
}

// TTS-3, RNK-2
#[test]
fn a_digit_has_its_usual_word_tts_3_rnk_2() {
    for (digit, korean, english) in [(0, "영", "zero"), (6, "육", "six"), (9, "구", "nine")] {
        assert_eq!((digit_word(digit, Lang::Ko), digit_word(digit, Lang::En)), (Some(korean), Some(english)));
    }
    assert_eq!(digit_word(10, Lang::Ko), None);
    for (text, end) in [("공 점", Some(1)), ("제로", Some(2)), ("영", None), ("", None)] {
        let characters: Vec<char> = text.chars().collect();
        assert_eq!(zero_digit(&characters.as_slice(), 0), end, "{text}");
    }
}

#[test]
fn every_row_of_the_words_has_a_known_role() {
    assert_eq!(super::words::WORDS.unknown, 0);
}

/// `n` below 10^8 in Sino-Korean, as it is said: no 일 before a power below 만.
fn in_korean(n: u32) -> String {
    let section = |n: u32| -> String {
        let digits = ["", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
        let part = |n: u32, power: u32, name: &str| match n / power % 10 {
            0 => String::new(),
            1 if power > 1 => name.to_owned(),
            digit => format!("{}{name}", digits[digit as usize]),
        };
        [(1000, "천"), (100, "백"), (10, "십"), (1, "")].map(|(power, name)| part(n, power, name)).concat()
    };
    match n / 10_000 {
        0 => section(n),
        1 => format!("만{}", section(n % 10_000)),
        groups => format!("{}만{}", section(groups), section(n % 10_000)),
    }
}

/// `n` below 10^6 in English, without "and".
fn in_english(n: u32) -> String {
    const BELOW_TWENTY: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
                                fifteen sixteen seventeen eighteen nineteen";
    const TENS: &str = "- - twenty thirty forty fifty sixty seventy eighty ninety";
    let word = |list: &'static str, n: u32| list.split(' ').nth(n as usize).unwrap_or("").to_owned();
    let joined = |head: String, rest: u32, gap: &str| {
        if rest == 0 { head } else { format!("{head}{gap}{}", in_english(rest)) }
    };
    match n {
        0..20 => word(BELOW_TWENTY, n),
        20..100 => joined(word(TENS, n / 10), n % 10, "-"),
        100..1000 => joined(format!("{} hundred", in_english(n / 100)), n % 100, " "),
        _ => joined(format!("{} thousand", in_english(n / 1000)), n % 1000, " "),
    }
}

proptest! {
    // PRE-8
    #[test]
    fn a_number_in_words_is_read_back_pre_8(korean in 1_u32..100_000_000, english in 0_u32..1_000_000) {
        for (text, value) in [(in_korean(korean), korean), (in_english(english), english)] {
            for (text, spacing) in [(text.clone(), Spacing::Kept), (text.replace([' ', '-'], ""), Spacing::Removed)] {
                let characters: Vec<char> = text.chars().collect();
                let found = longest(&characters.as_slice(), 0, spacing);
                let whole = found.map(|numeral| (numeral.end, numeral.whole()));
                prop_assert_eq!(whole, Some((characters.len(), Some(i64::from(value)))), "{}", text);
            }
        }
    }

    // PRE-6
    #[test]
    fn any_text_is_read_from_any_place_pre_6(text in "([0-9]{1,3}|[,. -]|만|백|이|세|열|two|hundred|and|half|first|k|\\PC){0,30}", spacing in prop::sample::select(vec![Spacing::Kept, Spacing::Removed])) {
        let characters: Vec<char> = text.chars().collect();
        for at in 0..=characters.len() {
            let mut last = 0;
            readings(&characters.as_slice(), at, spacing, |numeral| {
                assert!(numeral.end > at && numeral.end <= characters.len(), "{numeral:?} at {at} of {text}");
                last = last.max(numeral.end);
            });
            let longest = longest(&characters.as_slice(), at, spacing);
            prop_assert_eq!(longest.map_or(0, |numeral| numeral.end), last);
        }
    }
}
