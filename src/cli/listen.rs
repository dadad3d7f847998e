//! `luna listen`.

use std::path::PathBuf;
use std::process::ExitCode;

use luna_messages::bus::BusEvent;
use luna_model_store::manifest::Format;
use serde_json::json;

use super::{Globals, output, progress, small_runtime};
use crate::batch_commands::listen::{HeardLine, ListenNews, ListenSource, listen};
use crate::batch_commands::transcribe::open;
use crate::system::System;

/// Prints what is heard and understood, with times. Nothing is carried out.
#[derive(Debug, clap::Args)]
pub struct ListenArguments {
    /// A sound file: WAV, at most ten minutes; default: the microphone, until you interrupt.
    #[arg(conflicts_with = "device")]
    file: Option<PathBuf>,
    /// Part of the name of the microphone; default: voice.device of the configuration, else that of the system.
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Listens as while Luna reads aloud: commands need no wake word.
    #[arg(long)]
    speaking: bool,
    /// A model of `luna models list`, or any Whisper file in ggml format; default: models.tasks.stt of the configuration.
    #[arg(long, value_name = "NAME|FILE")]
    model: Option<String>,
    /// Prints one JSON object a line: {"ms", "name", "data"}.
    #[arg(long)]
    jsonl: bool,
}

/// Runs `luna listen`. Exit codes: 0 success, even if nobody spoke; 1 failure, 2 wrong usage or configuration.
///
/// # Errors
/// If the configuration or the file is invalid, there is no microphone, speech recognition is not available, or the output can't be written.
pub fn run(arguments: ListenArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut config = globals.load()?.config;
    if let Err(wrong) = super::choose_model(&mut config.models.tasks.stt, arguments.model.as_deref(), Format::Ggml) {
        return Ok(wrong);
    }
    let source = match &arguments.file {
        Some(file) => ListenSource::Sound(open(file)?),
        None => ListenSource::Microphone(arguments.device.or_else(|| config.voice.device.clone())),
    };
    let jsonl = arguments.jsonl;
    let mut written = Ok(true);
    let tell = |news: ListenNews| {
        let heard = match news {
            ListenNews::Heard(heard) => heard,
            ListenNews::Microphone(sentence) => {
                output::remark(sentence);
                return true;
            }
        };
        written = if jsonl { print_json(&heard) } else { print_text(&heard) };
        matches!(written, Ok(true))
    };
    let system = System::of_this_machine();
    let listened = listen(&config, &system, source, arguments.speaking, progress::lease_lost, tell);
    let outcome = small_runtime()?.block_on(listened);
    written?;
    outcome?;
    Ok(ExitCode::SUCCESS)
}

fn print_json(heard: &HeardLine) -> anyhow::Result<bool> {
    let mut line = serde_json::to_value(&heard.event)?;
    if let Some(line) = line.as_object_mut() {
        line.insert("ms".to_owned(), json!(heard.at_ms));
    }
    Ok(output::line(&line.to_string())?)
}

/// What a person wants to know: the words, and what they mean.
fn print_text(heard: &HeardLine) -> anyhow::Result<bool> {
    let seconds = heard.at_ms / 1000;
    let tenths = heard.at_ms % 1000 / 100;
    let text = match &heard.event {
        BusEvent::SttPartial { text } => format!("… {text}"),
        BusEvent::SttFinal { text, .. } => text.clone(),
        BusEvent::SttUnderstood { command, outcome, why, .. } => {
            let command = command.map(|command| format!(" {}", command.name())).unwrap_or_default();
            let outcome = serde_json::to_value(outcome)?;
            format!("→ {}{command} {why}", outcome.as_str().unwrap_or_default())
        }
        BusEvent::IntentResult { intent, lang_tgt, .. } => {
            let to = lang_tgt.map(|lang| format!(" ({})", lang.code())).unwrap_or_default();
            format!("→ {}{to}", serde_json::to_value(intent)?.as_str().unwrap_or_default())
        }
        _ => return Ok(true),
    };
    Ok(output::line(&format!("{seconds:4}.{tenths} s  {}", text.trim_end()))?)
}
