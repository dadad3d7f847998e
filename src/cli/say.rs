//! `luna say`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use luna_messages::Lang;
use luna_messages::tts::ReadAloud;
use luna_text::language;

use super::{Globals, input, output, small_runtime};
use crate::batch_commands::sound;
use crate::system::System;

/// Speaks a text, or writes the speech to a sound file. Each part is spoken by the voice of its own script.
#[derive(Debug, clap::Args)]
pub struct SayArguments {
    /// The text; `-` reads standard input.
    text: String,
    /// Language of parts without a script of their own, such as numbers alone; default: by the rest of the text.
    #[arg(long, value_enum)]
    lang: Option<LangChoice>,
    /// Writes a WAV file instead of speaking.
    #[arg(long, value_name = "FILE")]
    wav: Option<PathBuf>,
    /// Prints the result as JSON.
    #[arg(long)]
    json: bool,
}

/// A language on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum LangChoice {
    /// Korean.
    Ko,
    /// English.
    En,
}

impl From<LangChoice> for Lang {
    fn from(choice: LangChoice) -> Self {
        match choice {
            LangChoice::Ko => Self::Ko,
            LangChoice::En => Self::En,
        }
    }
}

/// Runs `luna say`.
///
/// # Errors
/// If the text is empty or unreadable, speech or the sound device is unavailable, or the file or the output can't be written.
pub fn run(arguments: SayArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = globals.load()?.config;
    let text = input::argument(arguments.text, "what is to be said")?;
    let by_script = || language::by_script(&text, crate::settings::own_language(&config));
    let lang = arguments.lang.map_or_else(by_script, Lang::from);
    let request = sound::request(ReadAloud::Text { text, offset: 0 }, lang);
    let runtime = small_runtime()?;
    match arguments.wav {
        Some(path) => {
            let seconds = runtime.block_on(sound::to_file(&config, &request, &path))?;
            if arguments.json {
                output::json(&serde_json::json!({ "wav": path, "seconds": seconds, "lang": lang }))?;
            } else {
                output::line(&format!("{}: {seconds:.2} s", path.display()))?;
            }
        }
        None => runtime.block_on(sound::aloud(&config, &System::of_this_machine(), request))?,
    }
    Ok(ExitCode::SUCCESS)
}
