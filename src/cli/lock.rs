//! `luna lock`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use luna_messages::Fidelity;
use luna_messages::preserve::PreservationReport;
use luna_preservation::{Glossary, check, repair};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::input::LONGEST_LINE;
use super::{input, output};
use luna_config::bounded::{BoundedLine, Lines};

/// Compares translations with their sources: the same numbers, dates, amounts, addresses and code?
#[derive(Debug, clap::Args)]
pub struct LockArguments {
    /// The action.
    #[command(subcommand)]
    command: LockCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LockCommand {
    /// Reports for each token whether it was kept, respelled, reordered, altered, added or is missing, as JSON.
    ///
    /// Without --source and --target, reads objects {"source", "target", "mode"?, "glossary"?} from standard input and prints one finding a line.
    /// Exit codes: 0 everything was kept (with --jsonl: every line was valid), 1 otherwise, 2 wrong usage.
    Check(CheckArguments),
}

#[derive(Debug, clap::Args)]
struct CheckArguments {
    /// Reads one pair a line from standard input; the default without --source and --target.
    #[arg(long, conflicts_with_all = ["source", "target"])]
    jsonl: bool,
    /// The source text.
    #[arg(long, requires = "target", allow_hyphen_values = true)]
    source: Option<String>,
    /// The translation.
    #[arg(long, requires = "source", allow_hyphen_values = true)]
    target: Option<String>,
    /// How to compare; a line of input may set its own.
    #[arg(long, value_parser = modes(), default_value = Fidelity::Faithful.name())]
    mode: Fidelity,
    /// A file with names that stay untranslated, one a line.
    #[arg(long, value_name = "FILE")]
    glossary: Option<PathBuf>,
    /// Also restores a single altered token, and shows the repaired text.
    #[arg(long)]
    repair: bool,
}

/// Parses the modes, with a help text for each.
fn modes() -> impl TypedValueParser<Value = Fidelity> {
    let choice = |mode: Fidelity| {
        PossibleValue::new(mode.name()).help(match mode {
            Fidelity::Faithful => "The same tokens, verbatim",
            Fidelity::Natural => "The same values",
        })
    };
    PossibleValuesParser::new(Fidelity::ALL.map(choice)).try_map(|name| input::mode(&name))
}

#[derive(Debug, Deserialize)]
struct LockPair {
    source: String,
    target: String,
    mode: Option<Fidelity>,
    #[serde(default)]
    glossary: Vec<String>,
}

/// The report of one pair, and with `--repair` the repaired text.
#[derive(Debug, Serialize)]
struct LockFinding {
    #[serde(flatten)]
    report: PreservationReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    repaired: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Runs `luna lock`. Exit codes: 0 everything was kept (or every line was valid), 1 otherwise, 2 wrong usage.
///
/// # Errors
/// If the glossary or standard input can't be read, or the results can't be written.
pub fn run(arguments: LockArguments) -> anyhow::Result<ExitCode> {
    let LockCommand::Check(arguments) = arguments.command;
    let names = match &arguments.glossary {
        None => Vec::new(),
        Some(path) => {
            let text = input::optional_text(path).context("the glossary can't be used")?;
            text.lines().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
        }
    };
    let glossary = Glossary::new(&names);
    let mode = arguments.mode;
    if let (Some(source), Some(target)) = (&arguments.source, &arguments.target) {
        let finding = find(source, target, mode, &glossary, arguments.repair);
        output::json(&finding)?;
        return Ok(if finding.report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let mut all_read = true;
    for (index, line) in Lines::new(std::io::stdin().lock(), LONGEST_LINE).enumerate() {
        let pair = match line.context("standard input can't be read")? {
            BoundedLine::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
            BoundedLine::Whole(line) => serde_json::from_slice::<LockPair>(&line).map_err(|wrong| wrong.to_string()),
            BoundedLine::TooLong => {
                Err(format!("the line is longer than the {LONGEST_LINE} bytes that are taken; shorten it"))
            }
        };
        let answer = match pair {
            Ok(pair) => {
                let mode = pair.mode.unwrap_or(mode);
                let own;
                let glossary = if pair.glossary.is_empty() {
                    &glossary
                } else {
                    own = Glossary::new(names.iter().chain(&pair.glossary));
                    &own
                };
                serde_json::to_string(&find(&pair.source, &pair.target, mode, glossary, arguments.repair))?
            }
            Err(wrong) => {
                all_read = false;
                let what = format!(
                    "line {}: {wrong}; expected an object {{\"source\": text, \"target\": text, \"mode\": \"faithful\" or \"natural\"}}",
                    index + 1
                );
                json!({ "error": what }).to_string()
            }
        };
        if !output::line(&answer)? {
            break;
        }
    }
    Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn find(source: &str, target: &str, mode: Fidelity, glossary: &Glossary, mend: bool) -> LockFinding {
    if !mend {
        return LockFinding { report: check(source, target, mode, glossary), repaired: None, text: None };
    }
    let mended = repair(source, target, mode, glossary);
    LockFinding { report: mended.report, repaired: Some(mended.repaired), text: Some(mended.text) }
}
