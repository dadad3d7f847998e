//! Readings of made-up lines, and what is made of them.

use super::*;

/// A reading of a line as high as two letters: each letter takes one unit, each syllable two; a space one. The line is `units` long.
fn reading(text: &str, units: f32, confidence: f32) -> LineReading {
    let (mut characters, mut at, mut spaced) = (Vec::new(), 0.0, false);
    for char in text.chars() {
        if char == ' ' {
            (at, spaced) = (at + 1.0, true);
            continue;
        }
        let width = if script::is_hangul(char) { 2.0 } else { 1.0 };
        let (start, end) = (at / units, (at + width) / units);
        characters.push(ReadCharacter { text: char.to_string(), start, end, confidence, spaced });
        (at, spaced) = (at + width, false);
    }
    LineReading { characters }
}

fn units(text: &str) -> f32 {
    text.chars().map(|char| if script::is_hangul(char) { 2.0 } else { 1.0 }).sum()
}

/// Ink under all but the spaces, ten columns a unit.
fn ink(text: &str) -> Vec<bool> {
    text.chars().flat_map(|char| vec![char != ' '; if script::is_hangul(char) { 20 } else { 10 }]).collect()
}

/// What comes out for a line `truth`, if the Korean recogniser reads `korean` and the preferred one reads Latin letters and nothing else.
#[track_caller]
fn check(truth: &str, korean: &str, expect: &str) {
    let all = units(truth);
    let ink = ink(truth);
    let shape = LineShape { aspect: all / 3.0, ink: &ink };
    let korean = reading(korean, all, 0.9);
    let latin = reading(truth, all, 0.98);
    let merged = merge(&korean, shape, |start, end| -> Result<LineReading, ()> {
        let within = |one: &&ReadCharacter| one.middle() > start && one.middle() < end && one.text.is_ascii();
        let place = |x: f32| (x - start) / (end - start);
        let part = latin.characters.iter().filter(within);
        Ok(LineReading {
            characters: part
                .map(|one| ReadCharacter { start: place(one.start), end: place(one.end), ..one.clone() })
                .collect(),
        })
    });
    assert_eq!(merged.map(|read| read.text()), Ok(expect.to_owned()), "{truth}");
}

// OCR-1
#[test]
fn each_part_of_a_mixed_line_is_read_by_who_knows_its_script_ocr_1() {
    check("설정을 저장했습니다.", "설정을 저장했습니다.", "설정을 저장했습니다.");
    check("가격 30,000원", "가격 30,000원", "가격 30,000원");
    // The Korean recogniser takes letters for anything.
    check("새 Settings 창", "새 56(10981 창", "새 Settings 창");
    check("USB를 뽑으세요", "456를 뽑으세요", "USB를 뽑으세요");
    check("HTTP/2 연결", "4176,2 연결", "HTTP/2 연결");
    check("Linux를 씁니다", "니041를 씁니다", "Linux를 씁니다");
    // A syllable among words, and a syllable that is one.
    check("price of a thing 가격", "97168 아 8 (1109 가격", "price of a thing 가격");
    check("새 책 한 권", "새 책 한 권", "새 책 한 권");
}

// OCR-1
#[test]
fn what_passes_over_ink_is_doubtful_ocr_1() {
    let check = |truth: &str, read: &str, confidence: f32, expect: bool| {
        let ink = ink(truth);
        let shape = LineShape { aspect: units(truth) / 3.0, ink: &ink };
        let found = is_doubtful(&reading(read, units(truth), confidence), shape);
        assert_eq!(found, expect, "{read} for {truth}");
    };
    check("Save the file", "Save the file", 0.98, false);
    check("Save the file", "Save the file", 0.7, true);
    // Hangul beside Latin letters of which the recogniser is sure.
    check("Firefox 설정", "Firefox", 0.99, true);
    check("30,000원", "30,000", 0.99, true);
    check("두껍다", "SIC", 0.99, true);
    check("", "", 0.0, true);
    // Nonsense counts only if it is not clear, letter by letter.
    check("libssl.so.3 xqzvkj", "libssl.so.3 xqzvkj", 0.99, false);
    check("xqzvkjwwq", "xqzvkjwwq", 0.95, true);
}

// OCR-1, OCR-3
#[test]
fn hangul_counts_if_it_is_plausible_ocr_1_ocr_3() {
    let check = |merged: (&str, f32), first: (&str, f32), truth: &str, expect: bool| {
        let ink = ink(truth);
        let shape = LineShape { aspect: units(truth) / 3.0, ink: &ink };
        let of = |(text, confidence): (&str, f32)| reading(text, units(truth), confidence);
        assert_eq!(is_better(&weighed(of(merged)), &of(first), shape), expect, "{merged:?} {first:?}");
    };
    check(("설정", 0.9), ("", 0.0), "설정", true);
    check(("두껍다", 0.9), ("SIC", 0.97), "두껍다", true);
    check(("뷁쉛", 0.9), ("text", 0.97), "text", false);
    check(("XML A비", 0.8), ("XML API", 0.99), "XML API", false);
    check(("Save", 0.8), ("Save", 0.9), "Save", false);
    assert!(
        quality(&reading("뷁쉛퉱 궋뜍뽥", 14.0, 0.95)) < 0.5,
        "OCR-3: nonsense is of low quality however sure its reader is"
    );
}
