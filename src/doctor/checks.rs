//! The checks, one function each.

use bytes::Bytes;
use luna_messages::Lang;
use luna_messages::Rect;
use luna_messages::engine::{EngineJob, EngineKind, LoadSpec, SpeakJob};
use luna_models::State as ModelState;
use luna_platform::PlatformError;
use luna_platform::audio::{OutputFormat, SoundSource};
use luna_runtime::engine::{EngineFailure, EngineHost};
use tokio::time::Instant;

use super::{Finding, State};
use crate::config::{Config, Loaded};
use crate::wiring::System;
use crate::{control_file, engines};

/// The file and the profile.
pub fn configuration(loaded: &Loaded) -> Finding {
    let profile = &loaded.profile;
    let detail = match &loaded.file {
        Some(file) if loaded.file_found => format!("{} with profile {profile}.", file.display()),
        Some(file) => format!("Built-in defaults with profile {profile}; {} is not there.", file.display()),
        None => format!("Built-in defaults with profile {profile}."),
    };
    match loaded.warnings.first() {
        None => Finding::works("configuration", detail),
        Some(warning) => Finding::not("configuration", State::Limited, detail, warning.clone()),
    }
}

/// Whether a Luna runs that can be talked to.
pub fn running() -> Finding {
    let path = control_file::path();
    match control_file::read(&path) {
        Ok(control) if crate::cli::ctl::answers(&control) => {
            Finding::works("running", format!("Process {} answers at {}.", control.process, control.address))
        }
        Ok(control) => Finding::not(
            "running",
            State::Limited,
            format!("Process {} left a control file but does not answer.", control.process),
            "Start Luna again with `luna run`.",
        ),
        Err(_) => Finding::not("running", State::Limited, "Luna is not running.", "Start her with `luna run`."),
    }
}

/// The bus, and what is under the pointer.
pub async fn accessibility(system: &System) -> Finding {
    let begin = Instant::now();
    match system.accessibility.check().await {
        Ok(()) => Finding::works("accessibility", format!("It answers in {} ms.", begin.elapsed().as_millis())),
        Err(error) => of_platform("accessibility", &error),
    }
}

/// A picture of the whole screen.
pub fn screen_capture(system: &System) -> Finding {
    let shot = system.capture.monitors().and_then(|monitors| {
        let all = monitors.iter().fold(Rect::default(), |all, monitor| all.union(monitor.bounds));
        let begin = Instant::now();
        system.capture.region(all).map(|shot| (monitors.len(), shot.region, begin.elapsed()))
    });
    match shot {
        Ok((monitors, region, took)) => Finding::works(
            "screen_capture",
            format!(
                "{monitors} monitor(s), {}×{} pixels in {:.1} ms.",
                region.width,
                region.height,
                took.as_secs_f64() * 1e3
            ),
        ),
        Err(error) => of_platform("screen_capture", &error),
    }
}

/// Where the pointer is.
pub fn pointer(system: &System) -> Finding {
    match system.pointer.position() {
        Ok(point) => Finding::works("pointer", format!("It is at {}, {}.", point.x, point.y)),
        Err(error) => of_platform("pointer", &error),
    }
}

/// Whether the platform has global hot keys.
pub fn hot_key(system: &System) -> Finding {
    match system.hot_keys.watch(&[], Box::new(|_| {})) {
        Ok(_) => Finding::works("hot_key", "The platform has global hot keys; control.hot_keys names them."),
        Err(error) => {
            let Finding { detail, remedy, .. } = of_platform("hot_key", &error);
            Finding { name: "hot_key", state: State::Limited, detail, remedy }
        }
    }
}

/// Opens the device for a moment, with silence.
pub fn audio_output(system: &System) -> Finding {
    struct Silence;
    impl SoundSource for Silence {
        fn fill(&mut self, _: &mut [f32]) -> usize {
            0
        }
    }
    let make = Box::new(|_: OutputFormat| Box::new(Silence) as Box<dyn SoundSource>);
    match system.audio.open(None, 512, make) {
        Ok(open) => {
            let format = open.format();
            let name = system.audio.devices().ok().and_then(|names| names.into_iter().next()).unwrap_or_default();
            let detail = format!("{name} at {} Hz with {} frames.", format.sample_rate, format.buffer_frames);
            Finding::works("audio_output", detail)
        }
        Err(error) => of_platform("audio_output", &error),
    }
}

/// The engine speaks a word in each language.
pub async fn speech(config: &Config) -> Finding {
    let outcome: Result<(), EngineFailure> = async {
        let host = EngineHost::start(&engines::program(EngineKind::Speech, config)).await?;
        host.load(LoadSpec::Speech(engines::speech_load())).await?;
        for (lang, text) in [(Lang::Ko, "루나"), (Lang::En, "Luna")] {
            let mut run =
                host.run(EngineJob::Speak(SpeakJob { text: text.to_owned(), lang, voice: None }), Bytes::new())?;
            while run.next().await?.is_some() {}
        }
        Ok(())
    }
    .await;
    match outcome {
        Ok(()) => Finding::works("speech_synthesis", "espeak-ng speaks Korean and English."),
        Err(failure) => of_engine("speech_synthesis", &failure),
    }
}

/// The engine loads its models.
pub async fn recognition(config: &Config) -> Vec<Finding> {
    let load = match engines::ocr_load(config) {
        Ok(load) => load,
        Err(error) => {
            let (reason, remedy) = error.parts();
            return vec![Finding::not("text_recognition", State::Missing, reason, remedy)];
        }
    };
    let begin = Instant::now();
    let outcome = async {
        let host = EngineHost::start(&engines::program(EngineKind::Ocr, config)).await?;
        host.load(LoadSpec::Ocr(load)).await
    }
    .await;
    match outcome {
        Ok(loaded) => {
            let names: Vec<&str> = loaded.models.iter().map(|model| model.name.as_str()).collect();
            let detail = format!("{} in {} ms.", names.join(", "), begin.elapsed().as_millis());
            let mut findings = vec![Finding::works("text_recognition", detail)];
            findings.push(match loaded.notes.into_iter().find(|note| note.topic == "korean") {
                None => Finding::works("korean_text_recognition", "Hangul is read."),
                Some(note) => Finding::not("korean_text_recognition", State::Limited, note.reason, note.remedy),
            });
            findings
        }
        Err(failure) => vec![of_engine("text_recognition", &failure)],
    }
}

/// Which models lie where.
pub fn models(config: &Config) -> Finding {
    let store = match engines::store(config) {
        Ok(store) => store,
        Err(error) => {
            let (reason, remedy) = error.parts();
            return Finding::not("models", State::Missing, reason, remedy);
        }
    };
    let states = store.list();
    let present = states.iter().filter(|model| model.state == ModelState::Present).count();
    let broken: Vec<&str> =
        states.iter().filter(|model| model.state == ModelState::Broken).map(|model| model.name.as_str()).collect();
    let detail = format!("{present} of {} are in {}.", states.len(), store.directory().display());
    let problems = states.iter().flat_map(|model| model.files.iter().filter_map(|file| file.problem.as_deref()));
    let other = problems.filter(|problem| !problem.contains("luna models fetch")).next();
    if broken.is_empty() {
        Finding::works("models", detail)
    } else if let Some(problem) = other {
        // What fetching again would not mend says itself what does.
        Finding::not("models", State::Missing, detail, problem)
    } else {
        let remedy = format!("Fetch again what is broken: luna models fetch {}", broken.join(" "));
        Finding::not("models", State::Missing, detail, remedy)
    }
}

fn of_platform(name: &'static str, error: &PlatformError) -> Finding {
    match error {
        PlatformError::Unavailable(why) => Finding::not(name, State::Missing, why.reason.clone(), why.remedy.clone()),
        other => Finding::not(name, State::Missing, format!("It failed: {other}."), "Try again."),
    }
}

pub(super) fn of_engine(name: &'static str, failure: &EngineFailure) -> Finding {
    match failure {
        EngineFailure::Refused(error) => {
            Finding::not(name, State::Missing, error.message.clone(), error.remedy.clone())
        }
        EngineFailure::NotStarted { .. } | EngineFailure::Protocol { .. } => {
            Finding::not(name, State::Missing, failure.to_string(), "Install Luna with all its programs again.")
        }
        EngineFailure::Ended { .. }
        | EngineFailure::Cancelled
        | EngineFailure::TimedOut { .. }
        | EngineFailure::Busy { .. } => {
            let remedy = "Close other programs and try again; if it happens each time, report it with this text.";
            Finding::not(name, State::Missing, failure.to_string(), remedy)
        }
    }
}
