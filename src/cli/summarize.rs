//! `luna summarize`.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use luna_messages::Lang;
use luna_model_store::manifest::Format;
use luna_text::language::by_script;

use super::{Globals, input, output, progress, small_runtime};
use crate::batch_commands::language_tasks::summarize;
use crate::settings;
use crate::system::System;

/// Summarises a text with a language model on this machine, in a few sentences. Every number in the summary is checked against the text.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 there is a verified summary, 1 there is none, 2 wrong usage or configuration.")]
pub struct SummarizeArguments {
    /// The text file, in UTF-8; default, or with `-`: standard input.
    file: Option<PathBuf>,
    /// Language of the summary; default: that of the text.
    #[arg(long, value_name = "en|ko", value_parser = super::input::language)]
    to: Option<Lang>,
    /// A model of `luna models list`, or any GGUF file; default: models.tasks.translate of the configuration.
    #[arg(long, value_name = "NAME|FILE")]
    model: Option<String>,
    /// Prints the summary as JSON: text, verified, shortened.
    #[arg(long)]
    json: bool,
}

/// Runs `luna summarize`.
///
/// # Errors
/// If the configuration or an argument is invalid, the model or its engine fails, or the output can't be written; the error says what to do.
pub fn run(arguments: SummarizeArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut config = globals.load()?.config;
    if let Err(wrong) =
        super::choose_model(&mut config.models.tasks.translate, arguments.model.as_deref(), Format::Gguf)
    {
        return Ok(wrong);
    }
    let text = input::text(arguments.file.as_deref())?;
    let to = arguments.to.unwrap_or_else(|| by_script(&text, Lang::En));
    let lang = settings::own_language(&config);
    let progress = RefCell::new(progress::ProgressPrinter::new(lang));
    let system = System::of_this_machine();
    let work = summarize(&config, &system, text, to, progress::lease_lost, |step| progress.borrow_mut().step(&step));
    let outcome = small_runtime()?.block_on(work);
    progress.borrow_mut().clear();
    let summary = outcome?;
    if arguments.json {
        output::json(&summary)?;
    } else if !summary.text.is_empty() {
        output::line(&summary.text)?;
    }
    if summary.text.is_empty() {
        output::remark("luna: the language model gave no summary; try again, or name another model with --model");
    }
    if summary.shortened {
        output::remark(match lang {
            Lang::Ko => "글이 길어서 앞부분만 요약했어요.",
            Lang::En => "The text is long, so this is a summary of its beginning.",
        });
    }
    Ok(if summary.verified { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
