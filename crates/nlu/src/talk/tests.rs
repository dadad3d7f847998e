//! Tests of the classifier's file and of its features. How well it tells orders from talk is measured by the training itself.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::features::{self, Feature};
use super::{Classifier, Error, file};

fn classifier() -> Classifier {
    let weights = (0..1_u32 << 10).map(|bucket| (bucket % 251) as u8 as i8).collect();
    Classifier::new(weights, 0.01, -0.5).unwrap()
}

fn seen(utterance: &str) -> Vec<Feature> {
    let mut all = Vec::new();
    features::each(utterance, |feature| all.push(feature));
    all
}

// NLU-8
#[test]
fn a_written_file_reads_back_as_it_was_nlu_8() {
    let one = classifier();
    let read = Classifier::read(&one.bytes()).unwrap();
    assert_eq!(read, one);
    assert_eq!(read.order("저장 눌러 줘").to_bits(), one.order("저장 눌러 줘").to_bits());
}

// NLU-8
#[test]
fn a_bad_file_is_refused_with_its_reason_nlu_8() {
    let good = classifier().bytes();
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let long = [good.clone(), vec![0]].concat();
    // With a checksum that is right: another length than the header says, or no number.
    let sealed = |at: usize, four: [u8; 4]| {
        let mut bytes = good[..good.len() - 8].to_vec();
        bytes[at..at + 4].copy_from_slice(&four);
        let sum = file::checksum(&bytes).to_le_bytes();
        bytes.extend(sum);
        bytes
    };
    let check = |bytes: &[u8], expect: Error| assert_eq!(Classifier::read(bytes), Err(expect));
    check(b"", Error::OtherFormat);
    check(b"GGUF", Error::OtherFormat);
    check(&with(0, b'l'), Error::OtherFormat);
    check(&good[..8], Error::Damaged);
    check(&good[..40], Error::Damaged);
    check(&good[..good.len() - 1], Error::Damaged);
    check(&long, Error::Damaged);
    check(&with(8, 9), Error::OtherVersion { found: 9, expected: 1 });
    check(&with(12, 9), Error::OtherVersion { found: 9, expected: features::VERSION });
    check(&with(16, 11), Error::Damaged);
    check(&with(100, good[100] ^ 1), Error::Damaged);
    check(&sealed(16, 11_u32.to_le_bytes()), Error::Damaged);
    check(&sealed(24, f32::NAN.to_le_bytes()), Error::Damaged);
    assert!(Classifier::read(&sealed(16, 10_u32.to_le_bytes())).is_ok());
    assert_eq!(Error::Damaged.to_string(), "it is damaged or incomplete");
}

#[test]
fn only_powers_of_two_and_finite_numbers_make_a_classifier() {
    let check = |buckets: usize, slope: f32, expect: bool| {
        assert_eq!(Classifier::new(vec![0; buckets].into(), slope, 0.0).is_some(), expect, "{buckets} {slope}");
    };
    check(256, 1.0, true);
    check(0, 1.0, false);
    check(128, 1.0, false);
    check(300, 1.0, false);
    check(256, f32::NAN, false);
    check(256, f32::INFINITY, false);
}

// NLU-8
#[test]
fn punctuation_case_width_and_digits_make_no_difference_nlu_8() {
    let check = |left: &str, right: &str| assert_eq!(seen(left), seen(right), "{left} {right}");
    check("저장 눌러 줘.", "저장 눌러 줘");
    check("  Click  SAVE! ", "click save");
    check("Ｃｌｉｃｋ save", "click save");
    check("don't stop", "dont stop");
    check("12번 눌러", "3번 눌러");
    check("저장", "\u{110c}\u{1165}\u{110c}\u{1161}\u{11bc}");
    assert!(seen("").is_empty() && seen(" …! ").is_empty());
    assert_ne!(seen("저장 눌러"), seen("저장 눌렀어"));
}

// NLU-8
#[test]
fn of_a_long_text_the_beginning_and_the_end_count_nlu_8() {
    let long = |middle: &str| format!("{} {middle} {}", "앞".repeat(64), "뒤".repeat(96));
    assert_eq!(seen(&long("가운데")), seen(&long("다른 말이 여기에 더 길게")));
    assert_ne!(seen(&long("가운데")), seen(&format!("{} 끝", long("가운데"))));
    // As long in bytes, but not in characters: all of it counts.
    let short = |middle: &str| format!("{} {middle} {}", "앞".repeat(30), "뒤".repeat(30));
    assert_ne!(seen(&short("가운데")), seen(&short("다른")));
}

#[test]
fn canonical_texts_forget_spaces_and_punctuation() {
    let check = |text: &str, expect: &str| assert_eq!(features::canonical(text), expect);
    check("저장 눌러 줘!", "저장눌러줘");
    check("Don't Stop, 12 of 7", "dontstop0of0");
    check("1 2", "00");
}

// NLU-8
#[test]
fn without_letters_nothing_is_an_order_nlu_8() {
    assert_eq!(classifier().order("").to_bits(), 0.0_f32.to_bits());
    assert_eq!(classifier().order("?! …").to_bits(), 0.0_f32.to_bits());
}

#[test]
fn features_spread_over_the_buckets() {
    let text = "우리 애는 매일 일기 써 그리고 나는 the quick brown fox jumps over the lazy dog";
    let (all, mut buckets, mut negative) = (seen(text), BTreeSet::new(), 0);
    for feature in &all {
        buckets.insert(feature.bucket(18));
        negative += usize::from(feature.is_negative());
    }
    let distinct: BTreeSet<String> = all.iter().map(|feature| format!("{feature:?}")).collect();
    assert!(distinct.len() - buckets.len() < 5, "{} of {}", buckets.len(), distinct.len());
    assert!((all.len() * 2 / 5..all.len() * 3 / 5).contains(&negative), "{negative} of {}", all.len());
}

proptest! {
    // NLU-8
    #[test]
    fn any_text_has_a_probability_nlu_8(text in ".{0,400}") {
        let order = classifier().order(&text);
        prop_assert!((0.0..=1.0).contains(&order));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let with_magic = [b"LUNATALK\x01\0\0\0\x01\0\0\0".as_slice(), &bytes].concat();
        prop_assert!(Classifier::read(&bytes).is_err());
        prop_assert!(Classifier::read(&with_magic).is_err());
    }
}
