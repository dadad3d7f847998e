//! Real models on real pictures: pages, screens, Korean, rotated pages, many sizes (OCR-1).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code)]

#[path = "support/client.rs"]
mod client;

use client::{OcrClient, error_rate, error_rate_by_line, model, picture, sample, spec, v4, v6};
use image::RgbImage;
use image::imageops::{FilterType, crop_imm, resize, rotate90, rotate180, rotate270};

const PAGE: &str = "tesseract/phototest.tif";

fn page_text() -> String {
    std::fs::read_to_string(sample("tesseract/phototest.gold.txt")).unwrap()
}

#[track_caller]
fn check(engine: &mut OcrClient, picture: &RgbImage, expected: &str, bound: f64) {
    let found = engine.text(picture);
    let rate = error_rate(expected, &found);
    assert!(rate <= bound, "error rate {rate:.3} is above {bound}; read:\n{found}");
}

// OCR-1
#[test]
fn an_english_page_is_read_with_its_spaces_ocr_1() {
    let page = picture(PAGE);
    for models in [v6(2), v4(2)] {
        check(&mut OcrClient::loaded(models), &page, &page_text(), 0.01);
    }
}

// OCR-1
#[test]
fn a_page_that_stands_on_its_head_or_lies_on_its_side_is_read_ocr_1() {
    let page = picture(PAGE);
    let mut engine = OcrClient::loaded(v6(2));
    let turned = engine.text(&rotate180(&page));
    // The last line of the rotated page is on top.
    let lines: Vec<&str> = turned.lines().rev().collect();
    assert!(error_rate(&page_text(), &lines.join("\n")) <= 0.02, "{turned}");
    for side in [rotate90(&page), rotate270(&page)] {
        let found = engine.text(&side);
        for line in ["The quick brown dog jumped over the", "ocr code and see if it works on all types"] {
            assert!(found.contains(line), "{line:?} in {found}");
        }
    }
}

// OCR-1
#[test]
fn a_slanted_page_is_read_ocr_1() {
    // Rotated by 5 degrees around its corner, on white.
    let page = picture(PAGE);
    let (sin, cos) = 5f32.to_radians().sin_cos();
    let slanted = RgbImage::from_fn(720, 560, |x, y| {
        let (x, y) = (x as f32 - 60.0, y as f32 - 20.0);
        let (u, v) = (x * cos + y * sin, y * cos - x * sin);
        if u < 0.0 || v < 0.0 || u >= 639.0 || v >= 479.0 {
            return image::Rgb([255; 3]);
        }
        image::imageops::interpolate_bilinear(&page, u, v).unwrap_or(image::Rgb([255; 3]))
    });
    let found = OcrClient::loaded(v6(2)).text(&slanted);
    for line in ["of file format.", "jumped over the lazy fox. The quick"] {
        assert!(found.contains(line), "{line:?} in {found}");
    }
}

// OCR-1
#[test]
fn small_text_is_magnified_ocr_1() {
    let page = picture(PAGE);
    let small = resize(&page, 288, 216, FilterType::Lanczos3);
    check(&mut OcrClient::loaded(v6(2)), &small, &page_text(), 0.12);
}

// OCR-1
#[test]
fn a_screen_is_read_ocr_1() {
    let truth = std::fs::read_to_string(sample("omniparser/windows.txt")).unwrap();
    let expected: Vec<&str> = truth
        .lines()
        .flat_map(|line| match line {
            // Wrapped into two lines below their icons.
            "Microsoft Edge" => vec!["Microsoft", "Edge"],
            "Google Chrome" => vec!["Google", "Chrome"],
            "VLC media player" => vec!["VLC media", "player"],
            line => vec![line],
        })
        .collect();
    for models in [v6(2), v4(2)] {
        let found: Vec<String> =
            OcrClient::loaded(models).text(&picture("omniparser/windows.png")).lines().map(str::to_owned).collect();
        let rate = error_rate_by_line(&expected, &found);
        assert!(rate <= 0.04, "{rate:.3}: {found:?}");
    }
}

// OCR-1
#[test]
fn korean_lines_are_read_by_tesseract_where_no_model_knows_hangul_ocr_1() {
    let mut engine = OcrClient::loaded(v6(2));
    let labels = std::fs::read_to_string(sample("ocr_kor/labels.tsv")).unwrap();
    let (mut expected, mut found) = (String::new(), String::new());
    for line in labels.lines().skip(1) {
        let (file, text) = line.split_once('\t').unwrap();
        expected.push_str(text);
        expected.push('\n');
        found.push_str(&engine.text(&picture(&format!("ocr_kor/{file}"))));
        found.push('\n');
    }
    let rate = error_rate(&expected, &found);
    // All that is left is wrong in Tesseract's own readings.
    assert!(rate <= 0.03, "{rate:.3}:\n{found}");
    let title = engine.read(&picture("rapidocr/korean.jpg"));
    assert_eq!(title.len(), 1, "{title:?}");
    assert_eq!(
        (title[0].text.as_str(), title[0].recogniser.as_str()),
        ("베이징 차오양, 디지털 기술로 농업 새로운 발전 이끌어", "tesseract")
    );
}

// OCR-1
#[test]
fn a_picture_of_korean_and_english_lines_is_read_line_by_line_ocr_1() {
    // A Korean title above an English page.
    let page = picture(PAGE);
    let title = picture("rapidocr/korean.jpg");
    let title = resize(&title, 640, 82, FilterType::Lanczos3);
    let mut mixed = RgbImage::from_pixel(640, 562, image::Rgb([255; 3]));
    image::imageops::replace(&mut mixed, &title, 0, 0);
    image::imageops::replace(&mut mixed, &page, 0, 82);
    let lines = OcrClient::loaded(v6(2)).read(&mixed);
    assert_eq!(lines.len(), 9, "{lines:?}");
    assert_eq!(lines[0].recogniser, "tesseract");
    assert!(error_rate("베이징 차오양, 디지털 기술로 농업 새로운 발전 이끌어", &lines[0].text) < 0.1, "{:?}", lines[0]);
    assert!(lines[1..].iter().all(|line| line.recogniser == "latin"), "{lines:?}");
}

// OCR-1
#[test]
fn chinese_and_japanese_stay_what_they_are_ocr_1() {
    let mut engine = OcrClient::loaded(v6(2));
    for (file, text) in [("ch_en_num.jpg", "强力去污符合国标"), ("japan.jpg", "農村の学校で、伝統演劇の特別クラス")]
    {
        let lines = engine.read(&picture(&format!("rapidocr/{file}")));
        assert!(lines.iter().any(|line| line.text.contains(text)), "{text} in {lines:?}");
        let sure = lines.iter().filter(|line| line.confidence > 0.5);
        assert!(sure.clone().all(|line| line.recogniser == "latin"), "{lines:?}");
    }
}

// OCR-1
#[test]
fn older_models_and_dictionary_files_work_ocr_1() {
    let mut models = spec("ch_PP-OCRv4_det_infer.onnx", "ch_PP-OCRv4_rec_infer.onnx", 1);
    // Version 2 takes lines of 32 pixels and has its dictionary in a file.
    models.recognisers[0].model = sample("paddleocr/en_number_mobile_v2.0_rec_infer.onnx");
    models.recognisers[0].dictionary = Some(sample("paddleocr/en_dict.txt"));
    let page = picture(PAGE);
    for detector in ["PP-OCRv6_det_small.onnx", "ch_PP-OCRv4_det_infer.onnx", "ch_PP-OCRv3_det_infer.onnx"] {
        models.detector = model(detector);
        check(&mut OcrClient::loaded(models.clone()), &page, &page_text(), 0.05);
    }
}

// OCR-1
#[test]
fn a_line_of_20000_pixels_is_read_ocr_1() {
    let page = picture(PAGE);
    let line = crop_imm(&page, 20, 185, 600, 46).to_image();
    let mut wide = RgbImage::from_pixel(20_000, 60, image::Rgb([255; 3]));
    for at in 0..33 {
        image::imageops::replace(&mut wide, &line, at * 600, 7);
    }
    let found = OcrClient::loaded(v6(2)).text(&wide);
    let expected = ["The quick brown dog jumped over the"; 33].join(" ");
    let rate = error_rate(&expected, &found);
    assert!(rate < 0.1, "{rate:.3}: {found}");
}
