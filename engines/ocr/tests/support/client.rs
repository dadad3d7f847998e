//! The host's side of the pipe for tests and the bench, and the paths of models and pictures.

use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use luna_engine_protocol::frame;
use luna_engine_protocol::{
    EngineChunk, EngineJob, EngineNote, FromEngine, LoadSpec, LoadedModel, OcrLoad, PointedArea, RecogniseJob,
    RecogniserLoad, TesseractLoad, ToEngine,
};
use luna_messages::RequestId;
use luna_messages::engine::{EngineError, RecognisedLine};

/// A running engine program.
pub struct OcrClient {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
    last: u64,
}

/// How a job ended.
#[derive(Debug)]
pub enum JobEnd {
    Done(Vec<RecognisedLine>),
    Cancelled,
    Failed(EngineError),
}

impl OcrClient {
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_luna-engine-ocr"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine program starts");
        let (to, from) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
        let mut client = Self { child, to, from, last: 0 };
        let hello = client.receive();
        assert!(matches!(hello, FromEngine::Hello { .. }), "{hello:?}");
        client
    }

    pub fn loaded(spec: OcrLoad) -> Self {
        let mut client = Self::start();
        client.load(spec).expect("the models load");
        client
    }

    fn next(&mut self) -> RequestId {
        self.last += 1;
        RequestId(self.last)
    }

    fn send_message(&mut self, message: &ToEngine, payload: &[u8]) {
        frame::write(&mut self.to, message, payload).expect("the engine listens");
    }

    fn receive(&mut self) -> FromEngine {
        frame::read(&mut self.from).expect("a sound frame").expect("the engine lives").0
    }

    pub fn load(&mut self, spec: OcrLoad) -> Result<(Vec<LoadedModel>, Vec<EngineNote>), EngineError> {
        let id = self.next();
        self.send_message(&ToEngine::Load { id, spec: LoadSpec::Ocr(spec) }, &[]);
        match self.receive() {
            FromEngine::Loaded { models, notes, .. } => Ok((models, notes)),
            FromEngine::Failed { error, .. } => Err(error),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a job; [`Self::end`] returns how it ends.
    pub fn send(&mut self, width: u32, height: u32, pixels: &[u8], magnify: f32) -> RequestId {
        self.send_job(RecogniseJob { width, height, magnify, around: None }, pixels)
    }

    fn send_job(&mut self, job: RecogniseJob, pixels: &[u8]) -> RequestId {
        let id = self.next();
        self.send_message(&ToEngine::Run { id, job: EngineJob::Recognise(job) }, pixels);
        id
    }

    /// All that comes for a part of a picture, in the order in which it comes.
    pub fn read_around(&mut self, picture: &image::RgbImage, around: PointedArea) -> Vec<RecognisedLine> {
        let (width, height) = picture.dimensions();
        self.send_job(RecogniseJob { width, height, magnify: 1.0, around: Some(around) }, picture.as_raw());
        let mut lines = Vec::new();
        loop {
            match self.receive() {
                FromEngine::Chunk { chunk: EngineChunk::Line(line), .. } => lines.push(line),
                FromEngine::Done { .. } => return lines,
                other => panic!("{other:?}"),
            }
        }
    }

    pub fn cancel(&mut self, id: RequestId) {
        self.send_message(&ToEngine::Cancel { id }, &[]);
    }

    pub fn end(&mut self) -> JobEnd {
        let mut lines = Vec::new();
        loop {
            match self.receive() {
                FromEngine::Chunk { chunk: EngineChunk::Line(line), .. } => lines.push(line),
                FromEngine::Done { .. } => return JobEnd::Done(in_order(lines)),
                FromEngine::Cancelled { .. } => return JobEnd::Cancelled,
                FromEngine::Failed { error, .. } => return JobEnd::Failed(error),
                other => panic!("{other:?}"),
            }
        }
    }

    pub fn read(&mut self, picture: &image::RgbImage) -> Vec<RecognisedLine> {
        self.send(picture.width(), picture.height(), picture.as_raw(), 1.0);
        match self.end() {
            JobEnd::Done(lines) => lines,
            other => panic!("{other:?}"),
        }
    }

    /// Text of the lines with a credible confidence (PIC-4), in reading order.
    pub fn text(&mut self, picture: &image::RgbImage) -> String {
        let lines = self.read(picture);
        lines.iter().filter(|line| line.confidence > 0.5).map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    pub fn unload(&mut self) -> u64 {
        let id = self.next();
        self.send_message(&ToEngine::Unload { id }, &[]);
        match self.receive() {
            FromEngine::Unloaded { resident_bytes, .. } => resident_bytes,
            other => panic!("{other:?}"),
        }
    }

    pub fn resident(&mut self) -> u64 {
        let id = self.next();
        self.send_message(&ToEngine::Health { id }, &[]);
        match self.receive() {
            FromEngine::Healthy { resident_bytes, .. } => resident_bytes,
            other => panic!("{other:?}"),
        }
    }

    /// Processor time of the engine so far.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let ticks: u64 = stat.rsplit(')').next().map_or(0, |rest| {
            rest.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
        });
        Duration::from_millis(ticks * 10)
    }

    /// Closes its stdin and waits for its exit.
    pub fn close(self) -> Duration {
        let Self { mut child, to, .. } = self;
        let start = Instant::now();
        drop(to);
        let _ = child.wait();
        start.elapsed()
    }
}

/// Sorts lines into rows by their centre, then from left to right.
fn in_order(mut lines: Vec<RecognisedLine>) -> Vec<RecognisedLine> {
    lines.sort_by_key(|line| line.bbox.center().y);
    let mut rows: Vec<Vec<RecognisedLine>> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(row)
                if row.last().is_some_and(|last| {
                    2 * (line.bbox.center().y - last.bbox.center().y) < last.bbox.height.min(line.bbox.height)
                }) =>
            {
                row.push(line);
            }
            _ => rows.push(vec![line]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|line| line.bbox.x));
    rows.concat()
}

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of `tests/samples`.
pub fn sample(path: &str) -> PathBuf {
    let path = root().join("tests/samples").join(path);
    assert!(path.exists(), "{} is missing", path.display());
    path
}

/// A model file by name, searched in the folders of fetched models.
pub fn model(name: &str) -> PathBuf {
    fn search(folder: &Path, name: &str) -> Option<PathBuf> {
        let entries: Vec<PathBuf> =
            std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        let here =
            entries.iter().find(|path| path.is_file() && path.file_name().is_some_and(|file| file == name)).cloned();
        here.or_else(|| entries.iter().filter(|path| path.is_dir()).find_map(|folder| search(folder, name)))
    }
    let folder = std::env::var_os("LUNA_MODELS").map_or_else(|| root().join(".cache/models"), PathBuf::from);
    search(&folder, name)
        .unwrap_or_else(|| panic!("{name} is not below {}; run `luna models fetch test`", folder.display()))
}

pub fn recogniser(name: &str, file: &str) -> RecogniserLoad {
    RecogniserLoad { name: name.to_owned(), model: model(file), dictionary: None }
}

/// The models of one generation, with direction classifier and Tesseract.
pub fn spec(detector: &str, recogniser_file: &str, threads: usize) -> OcrLoad {
    OcrLoad {
        runtime_library: model("libonnxruntime.so"),
        detector: model(detector),
        direction: Some(model("ch_ppocr_mobile_v2.0_cls_infer.onnx")),
        recognisers: vec![recogniser("latin", recogniser_file)],
        tesseract: Some(TesseractLoad { library: None, data: None, languages: "kor".to_owned() }),
        threads,
    }
}

pub fn v6(threads: usize) -> OcrLoad {
    spec("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx", threads)
}

pub fn v4(threads: usize) -> OcrLoad {
    spec("ch_PP-OCRv4_det_infer.onnx", "ch_PP-OCRv4_rec_infer.onnx", threads)
}

/// A picture of `tests/samples` on a white background.
pub fn picture(path: &str) -> image::RgbImage {
    on_white(&sample(path))
}

/// A picture file on a white background.
pub fn on_white(path: &Path) -> image::RgbImage {
    let picture = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_rgba8();
    image::RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0.map(u32::from);
        image::Rgb(
            [red, green, blue].map(|value| u8::try_from((value * alpha + 255 * (255 - alpha)) / 255).expect("a byte")),
        )
    })
}

/// Wrong, missing and superfluous characters, and the expected number; spaces and line ends count as one space.
pub fn errors(expected: &str, found: &str) -> (usize, usize) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect::<Vec<char>>();
    let (expected, found) = (plain(expected), plain(found));
    (strsim::generic_levenshtein(&expected, &found), expected.len())
}

/// Character error rate.
pub fn error_rate(expected: &str, found: &str) -> f64 {
    let (wrong, all) = errors(expected, found);
    wrong as f64 / all.max(1) as f64
}

/// Error rate of the expected lines of a screen, each found anywhere, because texts of a screen have no defined order.
pub fn error_rate_by_line(expected: &[&str], found: &[String]) -> f64 {
    let whole = found.join(" ");
    let (wrong, all) = expected.iter().fold((0, 0), |(wrong, all), line| {
        let nearest = found.iter().map(|found| errors(line, found).0).min().unwrap_or(usize::MAX);
        let length = line.chars().count();
        (wrong + if whole.contains(line) { 0 } else { nearest.min(length) }, all + length)
    });
    wrong as f64 / all.max(1) as f64
}
