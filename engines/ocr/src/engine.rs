//! The engine: loads models, runs a picture through its stages, releases memory.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use fast_image_resize::Resizer;
use luna_engine_protocol::{CancelFlag, Engine, LoadReport, Output, failure};
use luna_engine_protocol::{
    EngineChunk, EngineJob, EngineNote, LoadSpec, LoadedModel, OcrLoad, PointedArea, RecogniseJob,
};
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind, RecognisedLine};
use ort::environment::Environment;

use crate::detect::Detector;
use crate::direction::DirectionClassifier;
use crate::follow::{self, Side};
use crate::picture::RgbPicture;
use crate::quad::{PictureRect, Quad};
use crate::recognise::{LineImage, LineRecogniser, Paddle};
use crate::runtime::{self, RunCanceller};
use crate::tesseract;
use crate::worker::{OcrWorker, bounds};

/// The OCR engine; empty until models are loaded.
#[derive(Default)]
pub struct Ocr {
    models: Option<OcrModels>,
    // ONNX Runtime can be initialised only once per process, so the library outlives the models.
    library: Option<(PathBuf, Environment)>,
}

struct OcrModels {
    detector: Detector,
    direction: Option<DirectionClassifier>,
    workers: Vec<OcrWorker>,
}

impl Engine for Ocr {
    const KIND: EngineKind = EngineKind::Ocr;

    fn load(&mut self, spec: LoadSpec) -> Result<LoadReport, EngineError> {
        self.unload();
        let LoadSpec::Ocr(spec) = spec else {
            return Err(unsupported());
        };
        let environment = self.library(&spec.runtime_library)?;
        let (models, loaded) = OcrModels::load(environment, &spec)?;
        self.models = Some(models);
        Ok(loaded)
    }

    fn run(
        &mut self,
        job: EngineJob,
        payload: Vec<u8>,
        output: &mut Output,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let EngineJob::Recognise(job) = job else {
            return Err(unsupported());
        };
        let picture = picture(&job, payload)?;
        let models = self.models.as_mut().ok_or_else(|| {
            failure(EngineErrorKind::NotLoaded, "No OCR models are loaded.", "Load models before recognising.")
        })?;
        let run = runtime::run_options()?;
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            // Aborts the model in the middle of its work after a cancel.
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) && !cancel.is_set() {
                    thread::park_timeout(Duration::from_millis(5));
                }
                if cancel.is_set() {
                    // A run that can't be aborted continues to its end.
                    let _ = run.terminate();
                }
            });
            let result = models.recognise(&picture, &job, output, &run, cancel);
            done.store(true, Ordering::Release);
            result
        })
    }

    fn unload(&mut self) {
        if self.models.take().is_some() {
            trim_heap();
        }
    }
}

impl Ocr {
    fn library(&mut self, path: &Path) -> Result<&Environment, EngineError> {
        let path = runtime::existing(path, runtime::LIBRARY)?;
        if self.library.as_ref().is_some_and(|(loaded, _)| *loaded != path) {
            return Err(failure(
                EngineErrorKind::Unsupported,
                format!("Another ONNX Runtime library than {} is loaded already.", path.display()),
                "Start the OCR engine again.",
            ));
        }
        let (path, environment) = match self.library.take() {
            Some(loaded) => loaded,
            None => {
                let environment = runtime::open(&path)?;
                (path, environment)
            }
        };
        Ok(&self.library.insert((path, environment)).1)
    }
}

impl OcrModels {
    fn load(environment: &Environment, spec: &OcrLoad) -> Result<(Self, LoadReport), EngineError> {
        let threads = spec.threads.clamp(1, 64);
        // Fails on a second call, which is fine: the pool exists already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        let mut loaded = LoadReport::default();
        let mut add_loaded = |name: String, path: Option<&Path>| {
            let bytes = path.and_then(|path| path.metadata().ok()).map_or(0, |file| file.len());
            loaded.models.push(LoadedModel { name, bytes });
        };
        let detector = Detector::load(environment, &spec.detector, threads)?;
        add_loaded("detector".to_owned(), Some(&spec.detector));
        let direction =
            spec.direction.as_deref().map(|path| DirectionClassifier::load(environment, path)).transpose()?;
        if let Some(path) = &spec.direction {
            add_loaded("direction".to_owned(), Some(path));
        }
        if spec.recognisers.is_empty() {
            return Err(failure(
                EngineErrorKind::Missing,
                "No text recognition model is configured.",
                "Run `luna models fetch`, or name one in the configuration.",
            ));
        }
        let mut workers = Vec::new();
        for _ in 0..threads {
            let mut all = spec.recognisers.iter().map(|load| Paddle::load(environment, load));
            let preferred: Box<dyn LineRecogniser> = match all.next() {
                Some(first) => Box::new(first?),
                None => continue,
            };
            let others =
                all.map(|one| one.map(|one| Box::new(one) as Box<dyn LineRecogniser>)).collect::<Result<_, _>>()?;
            workers.push(OcrWorker { preferred, others, scaler: Resizer::new() });
        }
        for load in &spec.recognisers {
            add_loaded(format!("recogniser:{}", load.name), Some(&load.model));
        }
        let has_hangul = |worker: &OcrWorker| {
            worker.preferred.knows_hangul() || worker.others.iter().any(|other| other.knows_hangul())
        };
        let mut notes = Vec::new();
        if !workers.iter().all(has_hangul) {
            match add_tesseract(spec, &mut workers) {
                Ok(languages) => add_loaded(format!("tesseract:{languages}"), None),
                Err(error) => {
                    notes.push(EngineNote { topic: "korean".to_owned(), reason: error.message, remedy: error.remedy });
                }
            }
        }
        if direction.is_none() {
            notes.push(EngineNote {
                topic: "direction".to_owned(),
                reason: "No text direction model is configured; upside-down lines are not turned.".to_owned(),
                remedy: "Run `luna models fetch` to get it.".to_owned(),
            });
        }
        loaded.notes = notes;
        Ok((Self { detector, direction, workers }, loaded))
    }

    fn recognise(
        &mut self,
        picture: &RgbPicture<'_>,
        job: &RecogniseJob,
        output: &mut Output,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let done = match job.around {
            None => self.whole(picture, job.magnify, output, run, cancel),
            Some(around) => self.around(picture, job.magnify, around, output, run, cancel),
        };
        // An error after a cancel is a consequence of the cancel.
        if cancel.is_set() { Ok(()) } else { done }
    }

    /// Recognises all lines of a picture.
    fn whole(
        &mut self,
        picture: &RgbPicture<'_>,
        magnify: f32,
        output: &mut Output,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let quads = self.detector.find(picture, magnify, run, cancel)?;
        self.read(picture, quads, output, run, cancel)
    }

    /// Recognises the lines that touch a part of the picture, near ones first (OCR-5).
    fn around(
        &mut self,
        picture: &RgbPicture<'_>,
        magnify: f32,
        around: PointedArea,
        output: &mut Output,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let area = follow::area(picture, around.region);
        let found = self.detector.find_in(picture, area, magnify, run, cancel)?;
        let (near, quads) = follow::ordered(found, around.region, around.cursor);
        for quad in &quads {
            let bbox = bounds(quad, picture);
            let found =
                RecognisedLine { bbox, text: String::new(), confidence: 0.0, contrast: 0.0, recogniser: String::new() };
            output.chunk(EngineChunk::Line(found), &[]);
        }
        let (near, far) = quads.split_at(near);
        for batch in [near, far] {
            if batch.is_empty() || cancel.is_set() {
                continue;
            }
            let mut batch = batch.to_vec();
            for side in [Side::Left, Side::Right] {
                self.follow(picture, area, &mut batch, side, magnify, run, cancel)?;
            }
            self.read(picture, batch, output, run, cancel)?;
        }
        Ok(())
    }

    /// Extends the lines that a side of `area` cuts.
    #[expect(clippy::too_many_arguments, reason = "the last three are the run")]
    fn follow(
        &mut self,
        picture: &RgbPicture<'_>,
        area: PictureRect,
        lines: &mut [Quad],
        side: Side,
        magnify: f32,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let cut: Vec<&Quad> = lines.iter().filter(|line| follow::is_cut(line, area, picture, side)).collect();
        let strips = follow::strips(picture, &cut, area, side);
        let mut found = Vec::new();
        for strip in strips {
            found.extend(self.detector.find_in(picture, strip, magnify, run, cancel)?);
        }
        for line in lines.iter_mut().filter(|line| follow::is_cut(line, area, picture, side)) {
            *line = follow::joined(*line, &found, side);
        }
        Ok(())
    }

    /// Reads lines.
    fn read(
        &mut self,
        picture: &RgbPicture<'_>,
        quads: Vec<Quad>,
        output: &mut Output,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        if quads.is_empty() || cancel.is_set() {
            return Ok(());
        }
        let upside_down = match &mut self.direction {
            Some(model) => model.upside_down(picture, &quads, run)?,
            None => vec![false; quads.len()],
        };
        let mut lines: Vec<LineImage<'_>> = quads
            .into_iter()
            .zip(upside_down)
            .map(|(quad, upside_down)| LineImage { picture, quad, upside_down, span: (0.0, 1.0) })
            .collect();
        // The longest lines first, so that no thread ends with a long one alone.
        let length = |line: &LineImage<'_>| {
            let quad = line.quad;
            quad.width.max(quad.height) / quad.width.min(quad.height).max(1.0)
        };
        lines.sort_by(|a, b| length(b).total_cmp(&length(a)));
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for worker in &mut self.workers {
                let (sender, lines, next) = (sender.clone(), &lines, &next);
                scope.spawn(move || worker.work(lines, next, &sender, run, cancel));
            }
            drop(sender);
            let mut result = Ok(());
            for answer in receiver {
                match answer {
                    Ok(line) if !cancel.is_set() => {
                        output.chunk(EngineChunk::Line(line), &[]);
                    }
                    Ok(_) => {}
                    Err(error) => result = Err(error),
                }
            }
            result
        })
    }
}

/// Gives each worker a Tesseract instance; returns its languages.
fn add_tesseract(spec: &OcrLoad, workers: &mut [OcrWorker]) -> Result<String, EngineError> {
    let load = spec.tesseract.as_ref().ok_or_else(|| {
        failure(
            EngineErrorKind::Missing,
            "No recogniser for Korean is configured; Korean text can't be read from pictures.",
            "Run `luna models fetch` to get one, or install the packages libtesseract5 and tesseract-ocr-kor.",
        )
    })?;
    let source = tesseract::TesseractLibrary::load(load)?;
    for worker in workers {
        worker.others.push(Box::new(source.instance()?));
    }
    Ok(load.languages.clone())
}

/// Validates a job against its pixels.
fn picture(job: &RecogniseJob, payload: Vec<u8>) -> Result<RgbPicture<'static>, EngineError> {
    let (width, height) = (job.width as usize, job.height as usize);
    let bad = |message: String| failure(EngineErrorKind::BadInput, message, "Send a picture of 8-bit RGB pixels.");
    if width == 0 || height == 0 {
        return Err(bad(format!("A picture of {width} × {height} pixels holds no text.")));
    }
    let expected = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(3));
    if expected != Some(payload.len()) {
        return Err(bad(format!("A picture of {width} × {height} pixels does not have {} bytes.", payload.len())));
    }
    Ok(RgbPicture { width, height, pixels: Cow::Owned(payload) })
}

fn unsupported() -> EngineError {
    failure(
        EngineErrorKind::Unsupported,
        "The OCR engine only reads text in pictures.",
        "Ask the speech engine to speak.",
    )
}

/// Returns freed memory to the system, not only to the allocator.
fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: glibc allows it at any time from any thread.
        unsafe {
            malloc_trim(0);
        }
    }
}
