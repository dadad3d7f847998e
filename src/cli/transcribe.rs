//! `luna transcribe`.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use luna_messages::Lang;
use luna_messages::engine::TranscribedSegment;
use luna_model_store::manifest::Format;
use serde_json::json;

use super::say::LangChoice;
use super::{Globals, output, progress, small_runtime};
use crate::batch_commands::transcribe::{TranscriptionProgress, open, transcribe};
use crate::settings;
use crate::system::System;

/// Transcribes the speech in a sound file. The text goes to standard output, everything else to standard error.
#[derive(Debug, clap::Args)]
pub struct TranscribeArguments {
    /// The sound file: WAV, at most ten minutes.
    file: PathBuf,
    /// The spoken language; default: detected.
    #[arg(long, value_enum)]
    lang: Option<LangChoice>,
    /// A model of `luna models list`, or any Whisper file in ggml format; default: models.tasks.stt of the configuration.
    #[arg(long, value_name = "NAME|FILE")]
    model: Option<String>,
    /// Prints words, times and confidence as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `luna transcribe`. Exit codes: 0 success, even if the file contains no speech; 1 failure, 2 wrong usage or configuration.
///
/// # Errors
/// If the configuration or the file is invalid, the model or its engine fails, or the output can't be written; the error says what to do.
pub fn run(arguments: TranscribeArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut config = globals.load()?.config;
    if let Err(wrong) = super::choose_model(&mut config.models.tasks.stt, arguments.model.as_deref(), Format::Ggml) {
        return Ok(wrong);
    }
    let sound = open(&arguments.file)?;
    let millis = sound.millis();
    let lang = arguments.lang.map(Lang::from);
    let own = settings::own_language(&config);
    let progress = RefCell::new(progress::ProgressPrinter::new(own));
    let tell = |told: TranscriptionProgress| match told {
        TranscriptionProgress::Step(step) => progress.borrow_mut().step(&step),
        TranscriptionProgress::Partial(text) => progress.borrow_mut().partial(&text),
    };
    let outcome = small_runtime()?.block_on(transcribe(
        &config,
        &System::of_this_machine(),
        sound,
        lang,
        progress::lease_lost,
        tell,
    ));
    progress.borrow_mut().clear();
    let segments = outcome?;
    let text = joined(&segments);
    if arguments.json {
        let model = &config.models.tasks.stt;
        output::json(&json!({ "text": text, "millis": millis, "model": model, "segments": segments }))?;
    } else if text.is_empty() {
        output::remark(match own {
            Lang::Ko => "말소리가 없어요.",
            Lang::En => "Nobody speaks in this file.",
        });
    } else {
        output::line(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn joined(segments: &[TranscribedSegment]) -> String {
    let texts = segments.iter().map(|segment| segment.text.trim()).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(" ")
}
