//! OCR compared with the Python packages of its models: same models, same machine, same number of threads, in one run, alternately. Goal:
//! no worse in character error rate, at most 0.7 of the time, for a 480 × 480 region and for a full page.
//!
//! `cargo bench -p luna-engine-ocr`; LUNA_BENCH_ROUNDS sets the number of rounds (5), LUNA_BENCH_THREADS that of threads (2).
//! Writes `target/report/ocr.json`. The packages go to `target/ocr-peer-venv`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, dead_code)]

#[path = "../engines/ocr/tests/support/client.rs"]
mod client;
#[path = "support/peer.rs"]
mod peer;

use std::path::{Path, PathBuf};
use std::time::Instant;

use client::{OcrClient, error_rate, error_rate_by_line, on_white, root, v4, v6};
use image::RgbImage;
use image::imageops::crop_imm;
use peer::{PipInstall, PythonPeer, python};

/// The packages, with the headless OpenCV, because the full one needs desktop libraries.
const PACKAGES: [&str; 2] = ["rapidocr-onnxruntime==1.4.4", "rapidocr==3.10.0"];
const NEEDED: [&str; 13] = [
    "onnxruntime==1.31.0",
    "opencv-python-headless",
    "numpy",
    "pyclipper",
    "shapely",
    "pyyaml",
    "pillow",
    "tqdm",
    "omegaconf",
    "six",
    "requests",
    "colorlog",
    "setuptools<81",
];

struct OcrPeer(PythonPeer);

struct OcrTiming {
    wall: f64,
    processor: f64,
    lines: Vec<String>,
}

impl OcrPeer {
    fn start(version: &str, threads: usize) -> Self {
        let installs: [PipInstall<'_>; 2] = [(&[&["--no-deps"], &PACKAGES[..]].concat(), &[]), (&NEEDED, &[])];
        let python = python(&root().join("target/ocr-peer-venv"), &installs);
        let script = root().join("benches/ocr_rapidocr.py");
        let mut peer = PythonPeer::start(&python, &script, &[version, &threads.to_string()]);
        peer.expect_ready();
        Self(peer)
    }

    fn read(&mut self, file: &Path) -> OcrTiming {
        let answer = self.0.ask(file.display());
        let lines = answer["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect();
        OcrTiming { wall: answer["wall"].as_f64().unwrap(), processor: answer["processor"].as_f64().unwrap(), lines }
    }
}

fn ours(engine: &mut OcrClient, picture: &RgbImage) -> OcrTiming {
    let (before, start) = (engine.processor_time(), Instant::now());
    let lines = engine.text(picture);
    let wall = start.elapsed().as_secs_f64() * 1e3;
    let processor = (engine.processor_time() - before).as_secs_f64() * 1e3;
    OcrTiming { wall, processor, lines: lines.lines().map(str::to_owned).collect() }
}

struct OcrBench {
    rounds: usize,
    folder: tempfile::TempDir,
    report: Vec<serde_json::Value>,
}

impl OcrBench {
    fn note(&mut self, name: &str, unit: &str, ours: f64, peer: f64) {
        // Both error rates may be zero.
        let ratio = if ours == peer { 1.0 } else { ours / peer };
        println!("{name:<60} {ours:>9.1} {unit:<3} peer {peer:>9.1} {unit:<3} ratio {ratio:.2}");
        self.report.push(serde_json::json!({ "name": name, "unit": unit, "ours": ours, "peer": peer, "ratio": ratio }));
    }

    fn file(&self, picture: &RgbImage) -> PathBuf {
        let file = self.folder.path().join("picture.png");
        picture.save(&file).unwrap();
        file
    }

    /// Median times of one picture; engine and peer alternate.
    fn time(&mut self, name: &str, engine: &mut OcrClient, peer: &mut OcrPeer, picture: &RgbImage) -> [f64; 4] {
        let file = self.file(picture);
        // The first run of each warms up caches.
        ours(engine, picture);
        peer.read(&file);
        let mut rounds: Vec<[f64; 4]> = Vec::new();
        for _ in 0..self.rounds {
            let (own, other) = (ours(engine, picture), peer.read(&file));
            rounds.push([own.wall, other.wall, own.processor, other.processor]);
        }
        let median = [0, 1, 2, 3].map(|column| {
            let mut values: Vec<f64> = rounds.iter().map(|round| round[column]).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        });
        self.note(name, "ms", median[0], median[1]);
        median
    }

    fn group(&mut self, name: &str, engine: &mut OcrClient, peer: &mut OcrPeer, pictures: &[(&str, RgbImage)]) {
        let mut sum = [0.0; 4];
        for (part, picture) in pictures {
            let median = self.time(&format!("{name}: {part}"), engine, peer, picture);
            sum.iter_mut().zip(median).for_each(|(sum, value)| *sum += value);
        }
        self.note(&format!("{name}, all"), "ms", sum[0], sum[1]);
        self.note(&format!("{name}, all, processor time"), "ms", sum[2], sum[3]);
    }
}

/// A file of the shared data folder, which only measurements read.
fn shared(file: &str) -> PathBuf {
    let path = root().join("../shared/data/6-ocr-images").join(file);
    if !path.exists() {
        println!("Nothing is measured: {} is not there.", path.display());
        std::process::exit(1);
    }
    path
}

fn main() {
    // `cargo test --benches` only checks that it starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let number =
        |name: &str, usual: usize| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual);
    let threads = number("LUNA_BENCH_THREADS", 2);
    let mut bench =
        OcrBench { rounds: number("LUNA_BENCH_ROUNDS", 5), folder: tempfile::tempdir().unwrap(), report: Vec::new() };
    let data = |file: &str| on_white(&shared(file));
    let (page, rust, screen) =
        (data("tesseract-test/phototest.tif"), data("ocrs/why-rust.png"), data("omniparser-ui/windows.png"));
    let region = |picture: &RgbImage, x, y| crop_imm(picture, x, y, 480, 480).to_image();
    let regions =
        [("screen", region(&screen, 800, 320)), ("page", region(&page, 80, 0)), ("large text", region(&rust, 0, 296))];
    let pages = [
        ("screen 1280 × 800", screen.clone()),
        ("screen 1659 × 1031", data("omniparser-ui/windows_vm.png")),
        ("page 640 × 480", page.clone()),
        ("page 2320 × 776", rust.clone()),
        ("page 1896 × 242", data("ocrs/polar-bears.png")),
        ("book cover 1200 × 1600", data("ocrs/rust-book.jpg")),
    ];
    let typed = |file: &str| std::fs::read_to_string(shared(file)).unwrap();
    let lines =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let scans = ["tesseract-test/8087_054.3B", "tesseract-test/8071_093.3B"];
    let screen_text = typed("truth-typed-from-picture/omniparser-ui__windows.png.txt")
        .replace("Microsoft Edge", "Microsoft\nEdge")
        .replace("Google Chrome", "Google\nChrome")
        .replace("VLC media player", "VLC media\nplayer");
    let mut texts: Vec<(&str, RgbImage, Vec<String>)> = vec![
        ("English page", page, lines(&typed("tesseract-test/phototest.gold.txt"))),
        ("English page, three columns", rust, lines(&typed("ocrs/why-rust.expected.txt"))),
        ("English page, wide", data("ocrs/polar-bears.png"), lines(&typed("ocrs/polar-bears.expected.txt"))),
        ("screen", screen, lines(&screen_text)),
    ];
    for scan in scans {
        texts.push(("English newspaper scan", data(&format!("{scan}.tif")), lines(&typed(&format!("{scan}.txt")))));
    }
    for (version, spec) in [("v6", v6(threads)), ("v4", v4(threads))] {
        let (mut engine, mut peer) = (OcrClient::loaded(spec), OcrPeer::start(version, threads));
        bench.group(&format!("OCR {version}, region 480 × 480"), &mut engine, &mut peer, &regions);
        bench.group(&format!("OCR {version}, full page"), &mut engine, &mut peer, &pages);
        for (name, picture, expected) in &texts {
            let file = bench.file(picture);
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            let (own, other) = (ours(&mut engine, picture), peer.read(&file));
            let rate = |answer: &OcrTiming| 100.0 * error_rate_by_line(&expected, &answer.lines);
            bench.note(&format!("OCR {version}, error rate, {name}"), "%", rate(&own), rate(&other));
        }
        let labels = typed("ocr_kor-words/labels.tsv");
        let (mut expected, mut found) = (String::new(), [String::new(), String::new()]);
        for (file, text) in labels.lines().skip(1).filter_map(|line| line.split_once('\t')) {
            let picture = data(&format!("ocr_kor-words/{file}"));
            let file = bench.file(&picture);
            for (found, answer) in found.iter_mut().zip([ours(&mut engine, &picture), peer.read(&file)]) {
                found.push_str(&answer.lines.join(" "));
                found.push('\n');
            }
            expected.push_str(text);
            expected.push('\n');
        }
        let [own, other] = found.map(|found| 100.0 * error_rate(&expected, &found));
        bench.note(&format!("OCR {version}, error rate, Korean lines"), "%", own, other);
    }
    let report = root().join("target/report");
    std::fs::create_dir_all(&report).unwrap();
    std::fs::write(report.join("ocr.json"), serde_json::to_string_pretty(&bench.report).unwrap()).unwrap();
}
