//! `luna translate`.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::ExitCode;

use luna_messages::language_tasks::{PieceStatus, TranslatedPiece, TranslationSource};
use luna_messages::{Fidelity, Lang};
use luna_model_store::manifest::Format;

use super::{Globals, input, output, progress, small_runtime};
use crate::batch_commands::language_tasks::{TranslationProgress, translate};
use crate::settings;
use crate::system::System;

/// Translates a text with a language model on this machine and prints each sentence as it finishes. Numbers, dates, addresses and the like are
/// compared with the source: a sentence that alters one is translated again, and marked if that fails too.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 everything was translated and verified, 1 something was not, 2 wrong usage or configuration."
)]
pub struct TranslateArguments {
    /// The text file, in UTF-8; default, or with `-`: standard input.
    file: Option<PathBuf>,
    /// Target language; default: English for a Korean text, Korean for any other.
    #[arg(long, value_name = "en|ko", value_parser = super::input::language)]
    to: Option<Lang>,
    /// faithful keeps every number as written, natural keeps its value; default: translation.mode_default of the configuration.
    #[arg(long, value_name = "faithful|natural", value_parser = super::input::mode)]
    mode: Option<Fidelity>,
    /// A model of `luna models list`, or any GGUF file; default: models.tasks.translate of the configuration.
    #[arg(long, value_name = "NAME|FILE")]
    model: Option<String>,
    /// Prints a line of JSON for each piece: index, gap, source, text, status (kept, repaired, unchanged, failed, missing), tokens.
    #[arg(long)]
    json: bool,
}

/// Runs `luna translate`.
///
/// # Errors
/// If the configuration or an argument is invalid, the model or its engine fails, or the output can't be written; the error says what to do.
pub fn run(arguments: TranslateArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut config = globals.load()?.config;
    if let Err(wrong) =
        super::choose_model(&mut config.models.tasks.translate, arguments.model.as_deref(), Format::Gguf)
    {
        return Ok(wrong);
    }
    let text = input::text(arguments.file.as_deref())?;
    let to = arguments.to.unwrap_or_else(|| input::other_language(&text));
    let fidelity = arguments.mode.unwrap_or(config.translation.mode_default);
    let lang = settings::own_language(&config);
    let progress = RefCell::new(progress::ProgressPrinter::new(lang));
    let (begun, unwritten) = (Cell::new(false), Cell::new(None));
    let tell = |told: TranslationProgress| match told {
        TranslationProgress::Step(step) => {
            progress.borrow_mut().step(&step);
            true
        }
        TranslationProgress::Piece(piece) => {
            progress.borrow_mut().clear();
            begun.set(true);
            // If the reader is gone or the disk is full, the translation ends.
            show(&piece, arguments.json).unwrap_or_else(|error| {
                unwritten.set(Some(error));
                false
            })
        }
    };
    let system = System::of_this_machine();
    let outcome = small_runtime()?.block_on(translate(
        &config,
        &system,
        TranslationSource::Text(text),
        to,
        fidelity,
        progress::lease_lost,
        tell,
    ));
    progress.borrow_mut().clear();
    if let Some(error) = unwritten.take() {
        return Err(error.into());
    }
    if begun.get() && !arguments.json {
        output::line("")?;
    }
    let end = outcome?;
    if end.repaired + end.failed > 0 {
        output::remark(&match lang {
            Lang::Ko => {
                format!("문장 {}개 중 {}개를 고쳤고, {}개는 검증하지 못했어요.", end.pieces, end.repaired, end.failed)
            }
            Lang::En => format!("Pieces: {}. Repaired: {}. Not verified: {}.", end.pieces, end.repaired, end.failed),
        });
    }
    Ok(if end.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(piece: &TranslatedPiece, json: bool) -> output::Printed {
    if json {
        return output::json_line(piece);
    }
    // A failed sentence shows source and translation, starting on its own line.
    let marked = matches!(piece.status, PieceStatus::Failed | PieceStatus::Missing);
    let gap = if marked && !piece.gap.contains('\n') && piece.index > 0 { "\n" } else { &piece.gap };
    output::piece(&format!("{gap}{}", piece.text))
}
