//! A Korean recogniser of PP-OCR beside the usual one, as the manifest names it: tiny models with its signature, 11,945 characters inside (OCR-1).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code)]

#[path = "support/client.rs"]
mod client;
#[path = "support/onnx.rs"]
mod onnx;

use client::{OcrClient, sample, v4};
use image::{Rgb, RgbImage};
use luna_engine_protocol::{OcrLoad, RecogniserLoad};

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// All Hangul syllables and as many other characters as the dictionary of `korean_PP-OCRv5_rec_mobile.onnx` has.
fn dictionary() -> Vec<String> {
    let syllables = '가'..='힣';
    let others = ('!'..='~').chain('\u{a1}'..='\u{377}');
    syllables.chain(others).take(11_945).map(String::from).collect()
}

fn write(folder: &std::path::Path) -> OcrLoad {
    let dictionary = dictionary();
    assert_eq!(dictionary.len(), 11_945);
    let at = |char: &str| dictionary.iter().position(|one| one == char).unwrap();
    let colours = [(RED, at("설")), (GREEN, at("정")), (BLUE, at("A"))];
    let file = |name: &str, bytes: Vec<u8>| {
        let file = folder.join(name);
        std::fs::write(&file, bytes).unwrap();
        file
    };
    let mut spec = v4(1);
    spec.detector = file("detector.onnx", onnx::detector());
    (spec.direction, spec.tesseract) = (None, None);
    spec.recognisers = vec![
        RecogniserLoad {
            name: "latin".to_owned(),
            model: sample("paddleocr/en_number_mobile_v2.0_rec_infer.onnx"),
            dictionary: Some(sample("paddleocr/en_dict.txt")),
        },
        RecogniserLoad {
            name: "korean".to_owned(),
            model: file("korean.onnx", onnx::recogniser(&dictionary, &colours)),
            dictionary: None,
        },
    ];
    spec
}

/// A line of stripes on white.
fn stripes(colours: &[[u8; 3]]) -> RgbImage {
    RgbImage::from_fn(640, 160, |x, y| {
        let (stripe, within) = ((x as usize).wrapping_sub(80) / 64, (x as usize).wrapping_sub(80) % 64);
        let inside = (56..104).contains(&y) && x >= 80 && within < 40;
        Rgb(colours.get(stripe).filter(|_| inside).copied().unwrap_or([255; 3]))
    })
}

// OCR-1
#[test]
fn a_korean_recogniser_reads_hangul_in_place_of_tesseract_ocr_1() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = OcrClient::start();
    let (models, notes) = engine.load(write(folder.path())).unwrap();
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["detector", "recogniser:latin", "recogniser:korean"]);
    assert!(notes.iter().all(|note| note.topic != "korean"), "it knows Hangul: {notes:?}");
    let lines = engine.read(&stripes(&[RED, GREEN, RED, GREEN]));
    let texts: Vec<(&str, &str)> = lines.iter().map(|line| (line.text.as_str(), line.recogniser.as_str())).collect();
    assert_eq!(texts, [("설정설정", "korean")]);
    assert!(engine.read(&stripes(&[])).is_empty());
}
