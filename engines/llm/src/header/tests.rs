//! GGUF headers, intact and damaged.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::Cursor;

use luna_test_support::tiny_models::gguf::RandomLlm;
use proptest::prelude::*;

use super::*;

fn parse(bytes: &[u8]) -> Result<GgufHeader, HeaderError> {
    let size = bytes.len() as u64;
    GgufReader { file: BufReader::new(Cursor::new(bytes)), size, at: 0 }.header()
}

fn model() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    RandomLlm::small(1).write(&path).unwrap();
    std::fs::read(path).unwrap()
}

// ENG-4
#[test]
fn a_header_is_understood_eng_4() {
    let header = parse(&model()).unwrap();
    // Two layers, each with one head of 32 for keys and values, two bytes each.
    let expect = GgufHeader {
        architecture: "llama".into(),
        layers: 2,
        context: 2048,
        cache_bytes_per_token: 2 * 2 * 32 * 2,
        vocabulary: header.vocabulary,
    };
    assert_eq!(header, expect);
    assert!(header.vocabulary > 256);
}

// ENG-4
#[test]
fn a_file_that_is_cut_anywhere_is_truncated_eng_4() {
    let whole = model();
    for length in (8..whole.len()).step_by(997).chain([whole.len() - 1]) {
        match parse(&whole[..length]) {
            Err(HeaderError::Truncated { size, needed, .. }) => assert!(size < needed, "{length}"),
            other => panic!("{length} bytes: {other:?}"),
        }
    }
}

// ENG-4
#[test]
fn other_versions_and_nonsense_are_refused_eng_4() {
    let mut old = model();
    old[4] = 1;
    assert!(matches!(parse(&old), Err(HeaderError::Version(1))));
    let mut swapped = model();
    swapped[4..8].copy_from_slice(&3u32.to_be_bytes());
    assert!(matches!(parse(&swapped), Err(HeaderError::Version(0x0300_0000))));
    let mut huge = model();
    huge[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(parse(&huge).is_err());
    let mut keys = model();
    keys[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(parse(&keys).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    // ENG-4
    #[test]
    fn any_damage_ends_in_an_answer_eng_4(places in prop::collection::vec((0usize..6000, any::<u8>()), 1..20)) {
        let mut bytes = model();
        for (place, value) in places {
            bytes[place] = value;
        }
        let _ = parse(&bytes);
    }

    // ENG-4
    #[test]
    fn any_bytes_end_in_an_answer_eng_4(rest in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend(rest);
        let _ = parse(&bytes);
    }
}
