//! The engine: selects a voice by language or name and synthesises sentences.

use std::path::{Path, PathBuf};

use luna_engine_protocol::{CancelFlag, Engine, LoadReport, Output, failure};
use luna_engine_protocol::{EngineChunk, EngineJob, EngineNote, LoadSpec, LoadedModel, SpeakJob, SpeechLoad};
use luna_messages::Lang;
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind};

use crate::espeak::{Espeak, OpenError};
use crate::trim::{Trim, TrimmedSound};

/// The default library name.
const LIBRARY: &str = if cfg!(windows) { "libespeak-ng.dll" } else { "libespeak-ng.so.1" };
const INSTALL: &str =
    "Install the packages libespeak-ng1 and espeak-ng-data, or name library and data folder in the configuration.";

/// The espeak-ng engine.
#[derive(Default)]
pub struct EspeakVoice {
    espeak: Option<Espeak>,
    /// The current voice; it is not set again, because that would read its files again.
    current: Option<String>,
}

impl Engine for EspeakVoice {
    const KIND: EngineKind = EngineKind::Speech;

    fn load(&mut self, spec: LoadSpec) -> Result<LoadReport, EngineError> {
        let LoadSpec::Speech(load) = spec else {
            return Err(failure(
                EngineErrorKind::Unsupported,
                "The speech engine was asked to load models of another engine.",
                "This is a mistake in Luna's wiring; please report it.",
            ));
        };
        // The library keeps its state in globals: the old instance must be dropped first.
        self.unload();
        let mut espeak = open(&load)?;
        let mut loaded = LoadReport::default();
        for lang in [Lang::Ko, Lang::En] {
            if espeak.set_voice(voice_of(lang)) {
                loaded.models.push(LoadedModel { name: format!("voice:{}", lang.code()), bytes: 0 });
            } else {
                loaded.notes.push(EngineNote {
                    topic: format!("voice_{}", lang.code()),
                    reason: format!("espeak-ng has no voice \"{}\".", voice_of(lang)),
                    remedy: INSTALL.to_owned(),
                });
            }
        }
        if loaded.models.is_empty() {
            return Err(failure(
                EngineErrorKind::Missing,
                "espeak-ng has neither a Korean nor an English voice.",
                INSTALL,
            ));
        }
        self.espeak = Some(espeak);
        Ok(loaded)
    }

    fn run(
        &mut self,
        job: EngineJob,
        _payload: Vec<u8>,
        output: &mut Output,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let EngineJob::Speak(job) = job else {
            return Err(failure(
                EngineErrorKind::Unsupported,
                "The speech engine only speaks.",
                "This is a mistake in Luna's wiring; please report it.",
            ));
        };
        self.speak(&job, output, cancel)
    }

    fn on_idle(&mut self) {
        if let Some(espeak) = &mut self.espeak {
            espeak.forget();
        }
    }

    fn unload(&mut self) {
        self.espeak = None;
        self.current = None;
    }
}

impl EspeakVoice {
    fn speak(&mut self, job: &SpeakJob, output: &mut Output, cancel: &CancelFlag) -> Result<(), EngineError> {
        let Some(espeak) = &mut self.espeak else {
            return Err(failure(EngineErrorKind::NotLoaded, "No voice is loaded.", "Load the speech library first."));
        };
        let name = job.voice.as_deref().unwrap_or_else(|| voice_of(job.lang));
        if self.current.as_deref() != Some(name) {
            self.current = None;
            if !is_name(name) || !espeak.set_voice(name) {
                return Err(failure(
                    EngineErrorKind::BadInput,
                    format!("espeak-ng has no voice \"{name}\"."),
                    "Choose one that `espeak-ng --voices` lists, or none.",
                ));
            }
            self.current = Some(name.to_owned());
        }
        let sample_rate = espeak.sample_rate;
        let mut trim = Trim::new(sample_rate);
        let mut send = |sound: TrimmedSound| {
            let bytes: Vec<u8> = sound.samples.iter().flat_map(|s| s.to_le_bytes()).collect();
            bytes.is_empty() || output.chunk(EngineChunk::Sound { sample_rate, words: sound.words }, &bytes)
        };
        let spoken = espeak.speak(&job.text, &mut |samples, words| {
            !cancel.is_set() && send(trim.push(samples, words)) && !cancel.is_set()
        });
        if cancel.is_set() {
            return Ok(());
        }
        if !spoken {
            return Err(failure(
                EngineErrorKind::Internal,
                "espeak-ng refused to speak this sentence.",
                "Luna goes on with the next one; nothing has to be done.",
            ));
        }
        send(trim.finish());
        Ok(())
    }
}

/// The default voice of a language.
const fn voice_of(lang: Lang) -> &'static str {
    match lang {
        Lang::Ko => "ko",
        Lang::En => "en-us",
    }
}

/// Whether this is a valid voice name. espeak-ng would open it as a file below its voices.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && !name.contains("..")
        && !name.starts_with(['/', '\\'])
        && !name.contains(char::is_control)
}

fn open(load: &SpeechLoad) -> Result<Espeak, EngineError> {
    let library = load.library.clone().unwrap_or_else(|| PathBuf::from(LIBRARY));
    let missing = |what: String| failure(EngineErrorKind::Missing, what, INSTALL);
    if let Some(path) = &load.library
        && !path.is_file()
    {
        return Err(missing(format!("The speech library {} is not there.", path.display())));
    }
    if let Some(path) = &load.data {
        let holds = |folder: &Path| folder.join("phontab").is_file();
        if !holds(path) && !holds(&path.join("espeak-ng-data")) {
            return Err(missing(format!("{} is no data folder of espeak-ng: it holds no phontab.", path.display())));
        }
    }
    Espeak::open(&library, load.data.as_deref()).map_err(|error| match error {
        OpenError::Library(error) if load.library.is_some() => failure(
            EngineErrorKind::BadModel,
            format!("The speech library {} can't be loaded: {error}.", library.display()),
            INSTALL,
        ),
        OpenError::Library(error) => missing(format!("The speech library {LIBRARY} can't be loaded: {error}.")),
        error @ (OpenError::DataName | OpenError::Data { .. }) => {
            missing(format!("The speech library can't be used: {error}."))
        }
    })
}
