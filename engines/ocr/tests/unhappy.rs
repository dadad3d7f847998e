//! Failures: missing, damaged and wrong files, bad jobs, cancel, memory, the end of the host (ENG-1, ENG-2, ENG-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code)]

#[path = "support/client.rs"]
mod client;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use client::{JobEnd, OcrClient, model, picture, recogniser, sample, v4, v6};
use image::RgbImage;
use luna_engine_protocol::{OcrLoad, TesseractLoad};
use luna_messages::engine::EngineErrorKind;

/// Loads a changed specification; expects this kind of error containing these words, and a working engine afterwards.
#[track_caller]
fn check(change: impl FnOnce(&mut OcrLoad), kind: EngineErrorKind, words: &[&str]) {
    let mut spec = v4(1);
    change(&mut spec);
    let mut engine = OcrClient::start();
    let error = engine.load(spec).expect_err("it can't be loaded");
    assert_eq!(error.kind, kind, "{error}");
    for word in words {
        assert!(error.message.contains(word), "{word:?} in {error}");
    }
    assert!(error.message.ends_with('.') && error.remedy.ends_with('.'), "{error}");
    engine.load(v4(1)).expect("the right models load after an error");
}

/// Writes these bytes to a file of that name.
fn broken(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

// ENG-4
#[test]
fn missing_files_are_named_eng_4() {
    let nowhere = || PathBuf::from("/nowhere/it.onnx");
    let words = &["/nowhere/it.onnx", "not there"];
    check(|spec| spec.runtime_library = nowhere(), EngineErrorKind::Missing, words);
    check(|spec| spec.detector = nowhere(), EngineErrorKind::Missing, words);
    check(|spec| spec.direction = Some(nowhere()), EngineErrorKind::Missing, words);
    check(|spec| spec.recognisers[0].model = nowhere(), EngineErrorKind::Missing, words);
    check(|spec| spec.recognisers[0].dictionary = Some(nowhere()), EngineErrorKind::Missing, words);
    check(|spec| spec.recognisers.clear(), EngineErrorKind::Missing, &["No text recognition model"]);
    check(|spec| spec.detector = std::env::temp_dir(), EngineErrorKind::Missing, &["not there"]);
}

// ENG-4
#[test]
fn damaged_files_are_named_eng_4() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(model("ch_PP-OCRv4_rec_infer.onnx")).unwrap();
    for (name, bytes) in
        [("half.onnx", &whole[..whole.len() / 2]), ("empty.onnx", &[]), ("text.onnx", b"<html>not found</html>")]
    {
        let path = broken(folder.path(), name, bytes);
        check(|spec| spec.recognisers[0].model = path.clone(), EngineErrorKind::BadModel, &[name]);
        check(|spec| spec.detector = path.clone(), EngineErrorKind::BadModel, &[name]);
        check(|spec| spec.direction = Some(path.clone()), EngineErrorKind::BadModel, &[name]);
    }
    let library = broken(folder.path(), "libonnxruntime.so", b"no library");
    check(|spec| spec.runtime_library = library, EngineErrorKind::BadModel, &["libonnxruntime.so"]);
}

// ENG-4
#[test]
fn a_library_that_is_another_is_refused_eng_4() {
    let other =
        ["/usr/lib/x86_64-linux-gnu/libz.so.1", "/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"];
    let other = other.iter().map(PathBuf::from).find(|path| path.exists()).expect("some library of the system");
    check(|spec| spec.runtime_library = other, EngineErrorKind::BadModel, &["not a usable ONNX Runtime library"]);
}

// ENG-4
#[test]
fn models_that_are_mixed_up_are_refused_eng_4() {
    let (detector, direction, reader) = (
        model("ch_PP-OCRv4_det_infer.onnx"),
        model("ch_ppocr_mobile_v2.0_cls_infer.onnx"),
        model("ch_PP-OCRv4_rec_infer.onnx"),
    );
    for wrong in [&direction, &reader] {
        check(|spec| spec.detector = wrong.clone(), EngineErrorKind::BadModel, &["is no text detection model"]);
    }
    for wrong in [&detector, &reader] {
        check(|spec| spec.direction = Some(wrong.clone()), EngineErrorKind::BadModel, &["is no text direction model"]);
    }
    for wrong in [&detector, &direction] {
        check(
            |spec| spec.recognisers[0].model = wrong.clone(),
            EngineErrorKind::BadModel,
            &["is no text recognition model"],
        );
    }
}

// ENG-4
#[test]
fn a_dictionary_of_the_wrong_length_names_both_numbers_eng_4() {
    let file = sample("paddleocr/en_dict.txt");
    check(
        |spec| spec.recognisers[0].dictionary = Some(file),
        EngineErrorKind::BadModel,
        &["6625", "95", "en_dict.txt"],
    );
    let bare = sample("paddleocr/en_number_mobile_v2.0_rec_infer.onnx");
    check(|spec| spec.recognisers[0].model = bare, EngineErrorKind::BadModel, &["does not carry a dictionary"]);
}

// OCR-1
#[test]
fn what_korean_lacks_is_a_note_not_an_error_ocr_1() {
    let mut engine = OcrClient::start();
    let mut topics = |tesseract: Option<TesseractLoad>, direction: bool| {
        let mut spec = v4(1);
        spec.tesseract = tesseract;
        if !direction {
            spec.direction = None;
        }
        let (_, notes) = engine.load(spec).expect("it loads");
        assert!(notes.iter().all(|note| note.reason.ends_with('.') && note.remedy.ends_with('.')), "{notes:?}");
        notes.iter().map(|note| note.topic.clone()).collect::<Vec<_>>()
    };
    let load = |library: Option<&str>, data: Option<&str>, languages: &str| {
        Some(TesseractLoad {
            library: library.map(PathBuf::from),
            data: data.map(PathBuf::from),
            languages: languages.to_owned(),
        })
    };
    assert_eq!(topics(load(None, None, "kor"), true), [""; 0]);
    assert_eq!(topics(None, true), ["korean"]);
    assert_eq!(topics(load(Some("/nowhere/libtesseract.so"), None, "kor"), true), ["korean"]);
    assert_eq!(topics(load(None, Some("/nowhere"), "kor"), true), ["korean"]);
    assert_eq!(topics(load(None, None, "klingon"), false), ["korean", "direction"]);
    let folder = tempfile::tempdir().unwrap();
    broken(folder.path(), "kor.traineddata", b"no data");
    assert_eq!(topics(load(None, folder.path().to_str(), "kor"), true), ["korean"]);
}

// ENG-1
#[test]
fn bad_jobs_are_refused_and_odd_pictures_are_not_eng_1() {
    let mut engine = OcrClient::start();
    engine.send(8, 8, &[0; 192], 1.0);
    assert!(matches!(engine.end(), JobEnd::Failed(error) if error.kind == EngineErrorKind::NotLoaded));
    engine.load(v4(2)).unwrap();
    for (width, height, bytes) in
        [(0, 0, 0), (0, 5, 0), (5, 0, 15), (10, 10, 299), (10, 10, 301), (u32::MAX, u32::MAX, 3)]
    {
        engine.send(width, height, &vec![0; bytes], 1.0);
        match engine.end() {
            JobEnd::Failed(error) => assert_eq!(error.kind, EngineErrorKind::BadInput, "{error}"),
            other => panic!("{width} × {height}: {other:?}"),
        }
    }
    for (width, height) in [(1, 1), (1, 3000), (3000, 1), (2, 40), (20_000, 3), (640, 480)] {
        for light in [0, 255] {
            let picture = RgbImage::from_pixel(width, height, image::Rgb([light; 3]));
            assert!(engine.read(&picture).is_empty(), "{width} × {height}");
        }
    }
    // Noise and an absurd magnification.
    let mut seed = 1u32;
    let noise = RgbImage::from_fn(300, 200, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgb([(seed >> 24) as u8; 3])
    });
    for magnify in [1.0, -3.0, 0.0, 1e30, f32::MIN_POSITIVE] {
        engine.send(300, 200, noise.as_raw(), magnify);
        assert!(matches!(engine.end(), JobEnd::Done(_)), "{magnify}");
    }
}

// ENG-1
#[test]
fn a_cancel_takes_effect_within_bound_and_the_next_job_runs_eng_1() {
    let mut engine = OcrClient::loaded(v6(2));
    let page = picture("tesseract/8087_054.3B.tif");
    for wait in [5, 200, 1500] {
        let id = engine.send(page.width(), page.height(), page.as_raw(), 1.0);
        std::thread::sleep(Duration::from_millis(wait));
        let start = Instant::now();
        engine.cancel(id);
        let end = engine.end();
        let took = start.elapsed();
        assert!(matches!(end, JobEnd::Cancelled), "{end:?}");
        assert!(took < Duration::from_millis(1000), "{took:?} after {wait} ms");
    }
    let first = engine.send(page.width(), page.height(), page.as_raw(), 1.0);
    let small = picture("rapidocr/en.jpg");
    engine.send(small.width(), small.height(), small.as_raw(), 1.0);
    engine.cancel(first);
    assert!(matches!(engine.end(), JobEnd::Cancelled));
    assert!(matches!(engine.end(), JobEnd::Done(lines) if !lines.is_empty()));
}

// ENG-2
#[test]
fn unload_gives_memory_back_and_a_second_load_works_eng_2() {
    let mut engine = OcrClient::loaded(v6(2));
    let page = picture("tesseract/phototest.tif");
    let first = engine.text(&page);
    assert_eq!(first, engine.text(&page), "two jobs in a row");
    let loaded = engine.resident();
    let unloaded = engine.unload();
    assert!(unloaded * 5 < loaded * 2, "{loaded} bytes before, {unloaded} after");
    engine.load(v6(1)).unwrap();
    assert_eq!(first, engine.text(&page), "another number of threads reads the same");
}

// OCR-1
#[test]
fn two_recognisers_work_together_ocr_1() {
    let mut spec = v4(1);
    spec.recognisers.push(recogniser("other", "PP-OCRv6_rec_small.onnx"));
    let mut engine = OcrClient::start();
    let (models, _) = engine.load(spec).unwrap();
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["detector", "direction", "recogniser:latin", "recogniser:other", "tesseract:kor"]);
    assert!(!engine.read(&picture("rapidocr/en.jpg")).is_empty());
}

// ENG-1
#[test]
fn the_program_ends_with_its_host_also_during_work_eng_1() {
    let mut engine = OcrClient::loaded(v6(1));
    let page = picture("tesseract/8087_054.3B.tif");
    engine.send(page.width(), page.height(), page.as_raw(), 1.0);
    std::thread::sleep(Duration::from_millis(300));
    let took = engine.close();
    assert!(took < Duration::from_millis(3000), "{took:?}");
}
