//! `luna understand`.

use std::io;
use std::process::ExitCode;

use anyhow::Context as _;
use luna_messages::understanding::UtteranceInput;
use luna_nlu::Understanding;
use serde_json::json;

use super::input::LONGEST_LINE;
use super::{Globals, output};
use crate::{order_or_talk, rules};
use luna_config::bounded::{BoundedLine, Lines};

/// Shows how Luna understands an utterance, by rules alone: no model is asked, no action runs.
#[derive(Debug, clap::Args)]
pub struct UnderstandArguments {
    /// The utterance.
    #[arg(required_unless_present = "jsonl", conflicts_with = "jsonl")]
    utterance: Option<String>,
    /// Reads objects {"utterance", "speaking"?, "asking"?, "candidates"?} from standard input, one a line, and prints one line for each.
    #[arg(long)]
    jsonl: bool,
    /// Assumes that Luna is speaking: reflex commands apply.
    #[arg(long, conflicts_with = "jsonl")]
    speaking: bool,
    /// Assumes that a question of Luna is open: single words answer it.
    #[arg(long, conflicts_with = "jsonl")]
    asking: bool,
}

/// Runs `luna understand`. Exit codes: 0 success, 1 an invalid line, 2 wrong usage or configuration.
///
/// # Errors
/// If the configuration is invalid, standard input can't be read, or the output can't be written.
pub fn run(arguments: UnderstandArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = globals.load()?.config;
    let classifier = order_or_talk::load();
    if let Err(error) = &classifier {
        output::remark(&format!("luna: {error}. Orders are told from talk by rules alone, more carefully."));
    }
    let classifier = classifier.ok().map(|(_, classifier)| classifier);
    let understanding = Understanding::new(&rules::vocabulary(&config)).with_classifier(classifier);
    for name in understanding.unknown_synonyms() {
        output::remark(&format!(
            "luna: voice.synonyms.{name} names no command and is ignored. Known are those of luna ctl focus, usual orders such as copy and undo, and click, yes, no, cancel."
        ));
    }
    if arguments.jsonl {
        return lines(&understanding);
    }
    let (speaking, asking) = (arguments.speaking, arguments.asking);
    let utterance =
        UtteranceInput { utterance: arguments.utterance.unwrap_or_default(), speaking, asking, candidates: None };
    output::json(&understanding.understand(&utterance))?;
    Ok(ExitCode::SUCCESS)
}

/// Answers line by line. An invalid line is answered with an error, and the lines behind it are still read.
fn lines(understanding: &Understanding) -> anyhow::Result<ExitCode> {
    let (mut number, mut bad) = (0_u64, false);
    for line in Lines::new(io::stdin().lock(), LONGEST_LINE) {
        number += 1;
        let line = line.context("standard input can't be read")?;
        if matches!(&line, BoundedLine::Whole(line) if line.iter().all(u8::is_ascii_whitespace)) {
            continue;
        }
        let answer = match read(&line) {
            Ok(utterance) => serde_json::to_string(&understanding.understand(&utterance))?,
            Err(wrong) => {
                bad = true;
                json!({ "error": wrong, "line": number }).to_string()
            }
        };
        if !output::line(&answer)? {
            break;
        }
    }
    Ok(if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn read(line: &BoundedLine) -> Result<UtteranceInput, String> {
    let BoundedLine::Whole(line) = line else {
        return Err(format!("the line is longer than the {LONGEST_LINE} bytes that are taken; shorten it"));
    };
    let text = std::str::from_utf8(line).map_err(|_| "the line is no UTF-8 text; write it in UTF-8".to_owned())?;
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        format!("the line is no utterance: {error}; write {{\"utterance\": \"…\", \"speaking\": false}}")
    })
}
