//! The checks, one function each.

use bytes::Bytes;
use luna_engine_host::process::{EngineFailure, start_and_load};
use luna_engine_protocol::{EngineJob, LoadSpec, SpeakJob};
use luna_messages::Lang;
use luna_messages::Rect;
use luna_messages::engine::EngineKind;
use luna_model_store::StoredState as ModelState;
use luna_platform::PlatformError;
use luna_platform::audio::{OutputFormat, SoundSource};
use tokio::time::Instant;

use super::{CheckResult, CheckState};
use crate::control_file::ReadError;
use crate::control_protocol::HotKeyStatus;
use crate::system::System;
use crate::{control_client, control_file, engines, hot_keys, order_or_talk, peer};
use luna_config::{Config, LoadedConfig};

/// The configuration file and the profile.
pub fn configuration(loaded: &LoadedConfig) -> CheckResult {
    let profile = &loaded.profile;
    let detail = match &loaded.file {
        Some(file) if loaded.file_found => format!("{} with profile {profile}.", file.display()),
        Some(file) => format!("Built-in defaults with profile {profile}; {} is not there.", file.display()),
        None => format!("Built-in defaults with profile {profile}."),
    };
    match loaded.warnings.first() {
        None => CheckResult::works("configuration", detail),
        Some(warning) => CheckResult::with_remedy("configuration", CheckState::Limited, detail, warning.clone()),
    }
}

/// Whether a Luna runs and answers.
pub fn running() -> CheckResult {
    let limited =
        |detail: String, remedy: &str| CheckResult::with_remedy("running", CheckState::Limited, detail, remedy);
    match control_file::read(&control_file::path()) {
        Ok(control) => match peer::verify(&control) {
            Ok(()) => {
                CheckResult::works("running", format!("Process {} answers at {}.", control.process, control.address))
            }
            Err(error) => limited(sentence(&error), "Start Luna again with `luna run`."),
        },
        Err(ReadError::NotRunning(_)) => limited("Luna is not running.".to_owned(), "Start it with `luna run`."),
        Err(error) => limited(sentence(&error), "Set LUNA_RUNTIME_DIR to a folder of your own."),
    }
}

/// An error as a sentence: with a capital and a full stop.
fn sentence(error: &impl ToString) -> String {
    let text = error.to_string();
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

/// Whether the accessibility bus answers; what can be read of it at the pointer is another check.
pub async fn accessibility(system: &System) -> CheckResult {
    let begin = Instant::now();
    match system.accessibility.programs().await {
        Ok(_) => CheckResult::works("accessibility", format!("It answers in {} ms.", begin.elapsed().as_millis())),
        Err(error) => platform_failure("accessibility", &error),
    }
}

/// Captures the whole screen.
pub fn screen_capture(system: &System) -> CheckResult {
    let shot = system.capture.monitors().and_then(|monitors| {
        let all = monitors.iter().fold(Rect::default(), |all, monitor| all.union(monitor.bounds));
        let begin = Instant::now();
        system.capture.region(all).map(|shot| (monitors.len(), shot.region, begin.elapsed()))
    });
    match shot {
        Ok((monitors, region, took)) => CheckResult::works(
            "screen_capture",
            format!(
                "{monitors} monitor(s), {}×{} pixels in {:.1} ms.",
                region.width,
                region.height,
                took.as_secs_f64() * 1e3
            ),
        ),
        Err(error) => platform_failure("screen_capture", &error),
    }
}

/// Asks for the pointer's position.
pub fn pointer(system: &System) -> CheckResult {
    match system.pointer.position() {
        Ok(point) => CheckResult::works("pointer", format!("It is at {}, {}.", point.x, point.y)),
        Err(error) => platform_failure("pointer", &error),
    }
}

/// Each configured hot key: reported by a running Luna, else tried by grabbing it for a moment (SES-6).
pub fn hot_key(system: &System, config: &Config) -> CheckResult {
    let keys = match keys_of_running_luna() {
        Some(keys) => Ok(keys),
        None => hot_keys::try_all(&*system.hot_keys, &hot_keys::configured(config)),
    };
    match keys {
        Ok(keys) => hot_key_result(&keys),
        Err(error) => CheckResult { state: CheckState::Limited, ..platform_failure("hot_key", &error) },
    }
}

fn keys_of_running_luna() -> Option<Vec<HotKeyStatus>> {
    let control = control_file::read(&control_file::path()).ok()?;
    peer::verify(&control).ok()?;
    Some(control_client::ask_status(&control).ok()?.hot_keys)
}

fn hot_key_result(keys: &[HotKeyStatus]) -> CheckResult {
    if keys.is_empty() {
        return CheckResult::works("hot_key", "None is configured under control.hot_keys.");
    }
    let missing: Vec<&HotKeyStatus> = keys.iter().filter(|key| !key.held).collect();
    let had = keys.len() - missing.len();
    if missing.is_empty() {
        let names: Vec<&str> = keys.iter().map(|key| key.key.as_str()).collect();
        return CheckResult::works("hot_key", format!("All {had} can be had: {}.", names.join(", ")));
    }
    let reasons: Vec<&str> = missing.iter().filter_map(|key| key.reason.as_deref()).collect();
    let remedies: Vec<String> = missing.iter().map(|key| key.remedy()).collect();
    let detail = format!("{had} of {} can be had. {}", keys.len(), reasons.join(" "));
    CheckResult::with_remedy("hot_key", CheckState::Limited, detail, remedies.join(" "))
}

/// Opens the device for a moment, with silence.
pub fn audio_output(system: &System) -> CheckResult {
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
            CheckResult::works("audio_output", detail)
        }
        Err(error) => platform_failure("audio_output", &error),
    }
}

/// Lets the engine speak a word in each language.
pub async fn speech(config: &Config) -> CheckResult {
    let outcome: Result<(), EngineFailure> = async {
        let load = LoadSpec::Speech(engines::speech_load());
        let (process, _) = start_and_load(&engines::program(EngineKind::Speech, config), load).await?;
        for (lang, text) in [(Lang::Ko, "루나"), (Lang::En, "Luna")] {
            let mut run =
                process.run(EngineJob::Speak(SpeakJob { text: text.to_owned(), lang, voice: None }), Bytes::new())?;
            while run.next().await?.is_some() {}
        }
        Ok(())
    }
    .await;
    match outcome {
        Ok(()) => CheckResult::works("speech_synthesis", "espeak-ng speaks Korean and English."),
        Err(failure) => engine_failure("speech_synthesis", &failure),
    }
}

/// Lets the engine load its models.
pub async fn recognition(config: &Config) -> Vec<CheckResult> {
    let load = match engines::ocr_load(config) {
        Ok(load) => load,
        Err(error) => {
            let (reason, remedy) = error.parts();
            return vec![CheckResult::with_remedy("text_recognition", CheckState::Missing, reason, remedy)];
        }
    };
    let begin = Instant::now();
    let outcome = start_and_load(&engines::program(EngineKind::Ocr, config), LoadSpec::Ocr(load)).await;
    match outcome {
        Ok((_, loaded)) => {
            let names: Vec<&str> = loaded.models.iter().map(|model| model.name.as_str()).collect();
            let detail = format!("{} in {} ms.", names.join(", "), begin.elapsed().as_millis());
            let mut findings = vec![CheckResult::works("text_recognition", detail)];
            findings.push(match loaded.notes.into_iter().find(|note| note.topic == "korean") {
                None => CheckResult::works("korean_text_recognition", "Hangul is read."),
                Some(note) => {
                    CheckResult::with_remedy("korean_text_recognition", CheckState::Limited, note.reason, note.remedy)
                }
            });
            findings
        }
        Err(failure) => vec![engine_failure("text_recognition", &failure)],
    }
}

/// Installed models and their folder.
pub fn models(config: &Config) -> CheckResult {
    let store = match engines::store(config) {
        Ok(store) => store,
        Err(error) => {
            let (reason, remedy) = error.parts();
            return CheckResult::with_remedy("models", CheckState::Missing, reason, remedy);
        }
    };
    let states = store.list();
    let present = states.iter().filter(|model| model.state == ModelState::Present).count();
    let broken: Vec<&str> =
        states.iter().filter(|model| model.state == ModelState::Broken).map(|model| model.name.as_str()).collect();
    let detail = format!("{present} of {} are in {}.", states.len(), store.directory().display());
    let mut problems = states.iter().flat_map(|model| model.files.iter().filter_map(|file| file.problem.as_deref()));
    let other = problems.find(|problem| !problem.contains("luna models fetch"));
    if broken.is_empty() {
        CheckResult::works("models", detail)
    } else if let Some(problem) = other {
        // A problem that fetching again would not solve has its own remedy in its text.
        CheckResult::with_remedy("models", CheckState::Missing, detail, problem)
    } else {
        let remedy = format!("Fetch again what is broken: luna models fetch {}", broken.join(" "));
        CheckResult::with_remedy("models", CheckState::Missing, detail, remedy)
    }
}

/// Whether the model that tells orders from talk is there (NLU-8).
pub fn understanding() -> CheckResult {
    match order_or_talk::load() {
        Ok((path, _)) => {
            let result =
                CheckResult::works("understanding", format!("Order-or-talk model found: {}.", path.display()));
            result.in_korean(format!("명령과 잡담을 가리는 모델이 있습니다: {}.", path.display()), None)
        }
        Err(error) => CheckResult::with_remedy(
            "understanding",
            CheckState::Limited,
            format!("No order-or-talk model: {error}. The grammar works alone, more careful: it may ask more often."),
            "Install Luna with all its files again, or set LUNA_ORDER_OR_TALK to the path of order-or-talk.bin.",
        )
        .in_korean(
            format!("명령과 잡담을 가리는 모델이 없습니다({error}). 문법만으로 더 조심스럽게 알아듣습니다. 되묻는 일이 잦을 수 있습니다."),
            Some("루나를 모든 파일과 함께 다시 설치하거나, LUNA_ORDER_OR_TALK에 order-or-talk.bin의 경로를 쓰세요.".to_owned()),
        ),
    }
}

pub(super) fn platform_failure(name: &'static str, error: &PlatformError) -> CheckResult {
    match error {
        PlatformError::Unavailable(why) => {
            CheckResult::with_remedy(name, CheckState::Missing, why.reason.clone(), why.remedy.clone())
        }
        other => CheckResult::with_remedy(name, CheckState::Missing, format!("It failed: {other}."), "Try again."),
    }
}

pub(super) fn engine_failure(name: &'static str, failure: &EngineFailure) -> CheckResult {
    match failure {
        EngineFailure::Refused(error) => {
            CheckResult::with_remedy(name, CheckState::Missing, error.message.clone(), error.remedy.clone())
        }
        EngineFailure::NotStarted { .. } | EngineFailure::Protocol { .. } => CheckResult::with_remedy(
            name,
            CheckState::Missing,
            failure.to_string(),
            "Install Luna with all its programs again.",
        ),
        EngineFailure::Ended { .. }
        | EngineFailure::Cancelled
        | EngineFailure::TimedOut { .. }
        | EngineFailure::Outgrew { .. }
        | EngineFailure::Busy { .. } => {
            let remedy = "Close other programs and try again; if it happens each time, report it with this text.";
            CheckResult::with_remedy(name, CheckState::Missing, failure.to_string(), remedy)
        }
    }
}
