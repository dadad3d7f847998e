//! Units in both languages.

use super::table::TABLES;
use super::{KoreanUnit, MeasureUnit, english, english_money, korean, money_code, money_sign, symbol};
use crate::characters::IndexedText as _;

#[test]
fn every_row_of_the_tables_can_be_read() {
    assert!(TABLES.unknown.is_empty(), "{:?}", TABLES.unknown);
}

#[track_caller]
fn same(sign: &str, english_words: &str, korean_word: &str) {
    let of = |text: &str| text.chars().collect::<Vec<char>>();
    let (one, other) = (of(english_words), of(korean_word));
    let english = english(&one.as_slice(), 0).filter(|found| found.0 == one.len()).map(|found| found.1);
    let korean = korean(&other.as_slice(), 0).filter(|found| found.0 == other.len()).map(|found| found.1);
    let expect: Option<MeasureUnit> = symbol(sign);
    assert!(expect.is_some(), "{sign}");
    assert_eq!(english, expect, "{english_words}");
    assert_eq!(korean, expect.map(KoreanUnit::Unit), "{korean_word}");
}

// PRE-1
#[test]
fn both_languages_name_the_units_of_the_symbols_pre_1() {
    for (sign, english, korean) in [
        ("ha", "hectares", "헥타르"),
        ("MW", "megawatts", "메가와트"),
        ("TWh", "terawatt hours", "테라와트시"),
        ("kWh", "kilowatt-hour", "킬로와트시"),
        ("mAh", "milliamp hours", "밀리암페어시"),
        ("kV", "kilovolts", "킬로볼트"),
        ("Mbit", "megabits", "메가비트"),
        ("PB", "petabytes", "페타바이트"),
        ("MiB", "mebibytes", "메비바이트"),
        ("hPa", "hectopascals", "헥토파스칼"),
        ("μg", "micrograms", "마이크로그램"),
        ("dL", "deciliters", "데시리터"),
        ("km²", "square kilometers", "제곱킬로미터"),
        ("m³", "cubic metres", "세제곱미터"),
        ("m²", "square meter", "평방미터"),
        ("kJ", "kilojoules", "킬로줄"),
        ("kΩ", "kiloohms", "킬로옴"),
        ("THz", "terahertz", "테라헤르츠"),
        ("mSv", "millisieverts", "밀리시버트"),
    ] {
        same(sign, english, korean);
    }
    let characters: Vec<char> = "miles per hour".chars().collect();
    assert_eq!(english(&characters.as_slice(), 0), symbol("mph").map(|unit| (14, unit)));
    // A line of text is no joule.
    let characters: Vec<char> = "줄".chars().collect();
    assert_eq!(korean(&characters.as_slice(), 0), None);
}

// PRE-7
#[test]
fn symbols_are_said_in_korean_pre_7() {
    for (word, said) in [
        ("kg", Some("킬로그램")),
        ("㎏", Some("킬로그램")),
        ("px", Some("픽셀")),
        ("hours", Some("시간")),
        ("kJ", Some("킬로줄")),
        ("KRW", Some("원")),
        ("$", Some("달러")),
        ("mph", None),
    ] {
        assert_eq!(super::korean_reading(word), said, "{word}");
    }
}

// PRE-2
#[test]
fn currencies_have_codes_signs_and_words_pre_2() {
    for (code, sign, words) in [
        ("KRW", "₩", "korean won"),
        ("USD", "$", "dollars"),
        ("AUD", "A$", "australian dollars"),
        ("CHF", "", "swiss francs"),
        ("RUB", "₽", "rubles"),
    ] {
        let letters: Vec<char> = code.chars().collect();
        let money = money_code(&letters.as_slice().letters(0));
        assert!(money.is_some(), "{code}");
        assert!(sign.is_empty() || money_sign(sign) == money, "{sign}");
        let characters: Vec<char> = words.chars().collect();
        assert_eq!(english_money(&characters.as_slice(), 0), money.map(|money| (characters.len(), (money, 1))));
    }
}
