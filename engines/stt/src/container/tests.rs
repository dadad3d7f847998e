//! Model files, intact and damaged.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may fail")]

use std::path::Path;
use std::sync::OnceLock;

use luna_test_support::tiny_models::whisper::{RandomWhisper, ScriptedWhisper};
use proptest::prelude::*;

use super::*;

/// Offset of a number in the header; the vocabulary is the first.
const fn at(number: usize) -> usize {
    4 + 4 * number
}

fn small() -> Vec<u8> {
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    let write = || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.bin");
        ScriptedWhisper::new("a model").write(&path).unwrap();
        std::fs::read(path).unwrap()
    };
    SMALL.get_or_init(write).clone()
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

fn verdict(path: &Path) -> String {
    match open(&ModelFile::unknown(path.to_owned())) {
        Ok((_, _, sizes)) => format!("a model of width {}", sizes.text_state),
        Err(error) => {
            assert_eq!(error.kind, EngineErrorKind::BadModel, "{error}");
            assert!(error.message.contains("model.bin") && error.remedy.contains("luna models fetch"), "{error}");
            error.message
        }
    }
}

/// Asserts that the error for these bytes contains `expect`.
#[track_caller]
fn check(bytes: &[u8], expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    std::fs::write(&path, bytes).unwrap();
    let verdict = verdict(&path);
    assert!(verdict.contains(expect), "{verdict}");
}

// ENG-4
#[test]
fn a_file_that_breaks_off_is_refused_wherever_it_does_eng_4() {
    let whole = small();
    check(&whole, "a model of width 64");
    check(&whole[..20], "truncated: its 20 bytes");
    let mels = at(11) + 8;
    let words = mels + 80 * 201 * 4;
    for (length, expect) in [
        (at(11) + 4, "ends inside its mel filters"),
        (mels + 100, "ends inside its mel filters"),
        (words + 2, "ends inside its vocabulary"),
        (words + 300, "ends inside its vocabulary"),
        (whole.len() / 4, "truncated"),
        (whole.len() / 2, "ends inside the tensor decoder.token_embedding.weight"),
        (whole.len() - 1, "ends inside the tensor"),
    ] {
        check(&whole[..length], expect);
    }
    let mut longer = whole;
    longer.extend([0; 12]);
    check(&longer, "impossible number of dimensions");
}

// ENG-4
#[test]
fn absurd_sizes_are_refused_before_anything_is_allocated_eng_4() {
    for (number, value, expect) in [
        (0, 100, "number of tokens is 100"),
        (0, u32::MAX, "number of tokens"),
        (1, 0, "audio positions is 0"),
        (1, 1 << 30, "audio positions"),
        (2, 1 << 20, "width is 1048576"),
        (3, 0, "heads is 0"),
        (3, 7, "heads is 7"),
        (4, 0, "layers is 0"),
        (4, 1_000_000, "layers"),
        (5, 5, "text positions is 5"),
        (6, 128, "width of the decoder is 128"),
        (8, 97, "layers is 97"),
        (9, 79, "mel bands is 79"),
        (9, 81, "mel filters is 80"),
        (10, 4, "not known (type 4)"),
        (10, 2, "not known (type 2)"),
        (10, 999, "not known (type 999)"),
        (10, u32::MAX, "not known"),
        // Plausible, but different from the tensors.
        (1, 1499, "encoder.positional_embedding has other dimensions"),
        (4, 2, "incomplete: it has 50 of 65 tensors"),
        (10, 2007, "stored in another way"),
        (10, 0, "stored in another way"),
    ] {
        let mut bytes = small();
        put(&mut bytes, at(number), value);
        check(&bytes, expect);
    }
}

// ENG-4
#[test]
fn a_broken_vocabulary_is_refused_eng_4() {
    let words = at(11) + 8 + 80 * 201 * 4;
    for (offset, value, expect) in
        [(0, 51_866, "more texts than tokens"), (4, 5000, "a token is too long"), (0, 3, "it has no space")]
    {
        let mut bytes = small();
        put(&mut bytes, words + offset, value);
        check(&bytes, expect);
    }
}

// ENG-4
#[test]
fn a_stub_without_weights_is_no_model_eng_4() {
    for name in ["for-tests-ggml-tiny.bin", "for-tests-ggml-base.bin", "for-tests-ggml-tiny.en.bin"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/whisper.cpp").join(name);
        let error = match open(&ModelFile::unknown(path.clone())) {
            Ok(_) => panic!("{name} passed"),
            Err(error) => error,
        };
        assert_eq!(error.kind, EngineErrorKind::BadModel, "is {} there? {error}", path.display());
        assert!(error.message.contains("holds no weights"), "{error}");
    }
}

// ENG-4
#[test]
fn models_of_other_shapes_pass_eng_4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    let mut random = RandomWhisper::default();
    random.sizes.multilingual = false;
    random.sizes.heads = 2;
    random.sizes.audio_layers = 3;
    random.sizes.text_layers = 4;
    random.write(&path).unwrap();
    let Ok((_, length, sizes)) = open(&ModelFile::unknown(path.clone())) else { panic!("{}", verdict(&path)) };
    assert_eq!((length, sizes.multilingual()), (path.metadata().unwrap().len(), false));
    assert_eq!((sizes.audio_layers, sizes.text_layers), (3, 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // ENG-4
    #[test]
    fn no_change_of_a_file_makes_the_check_panic_eng_4(changes in prop::collection::vec((0usize..80_000, any::<u8>()), 1..20), length in 0usize..200_000) {
        let mut bytes = small();
        for (at, value) in changes {
            bytes[at] = value;
        }
        bytes.truncate(length);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.bin");
        std::fs::write(&path, bytes).unwrap();
        prop_assert!(!verdict(&path).is_empty());
    }
}
