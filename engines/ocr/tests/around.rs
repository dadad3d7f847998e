//! Real models on a part of a picture: the lines that it touches are read whole, in both scripts (OCR-1, OCR-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code)]

#[path = "support/client.rs"]
mod client;

use client::{OcrClient, errors, picture, sample, v6};
use luna_engine_protocol::PointedArea;
use luna_messages::{Point, Rect};

/// Rows of `lines.png`: the first one, and the distance to the next.
const FIRST: i32 = 38;
const STEP: i32 = 44;

fn pointed(x: i32, y: i32) -> PointedArea {
    PointedArea { region: Rect::new(x - 189, y - 189, 378, 378), cursor: Point::new(x, y) }
}

// OCR-1, OCR-5
#[test]
fn lines_that_the_region_cuts_are_read_whole_and_the_pointed_one_first_ocr_1_ocr_5() {
    let page = picture("luna/lines.png");
    let texts = std::fs::read_to_string(sample("luna/lines.txt")).unwrap();
    let texts: Vec<&str> = texts.lines().collect();
    let mut engine = OcrClient::loaded(v6(2));
    let (mut wrong, mut all) = (0, 0);
    for row in [1, 2, 5, 8] {
        let lines = engine.read_around(&page, pointed(520, FIRST + STEP * row));
        let (boxes, read): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.text.is_empty());
        assert!(boxes.len() >= read.len() && lines[..boxes.len()].iter().all(|line| line.text.is_empty()), "{lines:?}");
        assert!(read.len() >= 5, "{read:?}");
        let near: Vec<i32> = read[..1].iter().map(|line| (line.bbox.center().y - FIRST) / STEP).collect();
        assert!((near[0] - row).abs() <= 1, "row {row}: {read:?}");
        for line in read {
            let at = (line.bbox.center().y - FIRST + STEP / 2) / STEP;
            let (errors, length) = errors(texts[at as usize % texts.len()], &line.text);
            (wrong, all) = (wrong + errors, all + length);
            assert!(4 * errors < length, "{line:?}");
        }
    }
    assert!(100 * wrong <= 3 * all, "{wrong} of {all} characters");
}

// OCR-2, OCR-5
#[test]
fn a_column_of_a_terminal_is_no_vertical_line_ocr_2_ocr_5() {
    let lines = OcrClient::loaded(v6(2)).read(&picture("luna/terminal.png"));
    let tall: Vec<_> = lines.iter().filter(|line| line.bbox.height > 40).collect();
    assert!(tall.is_empty(), "{tall:?}");
    let files = lines.iter().filter(|line| line.text.contains(".txt")).count();
    assert!(files >= 22, "{files}: {lines:?}");
}
