//! False orders in plain talk (NLU-8): of 1,000 sentences of the classifier's own test split, those that would act, and those that would stop speech.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use luna_messages::control::Command;
use luna_messages::understanding::{Interpretation, UtteranceInput, UtteranceKind};
use luna_nlu::Understanding;

use self::samples::{Part, Sample};

/// What trained the classifier knows which sentences it never saw.
#[allow(dead_code, clippy::print_stdout, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/corpora.rs"]
mod corpora;
#[allow(dead_code, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/drawing.rs"]
mod drawing;
#[allow(dead_code, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/labels.rs"]
mod labels;
#[allow(dead_code, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/measures.rs"]
mod measures;
#[allow(dead_code, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/random.rs"]
mod random;
#[allow(dead_code, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/samples.rs"]
mod samples;
#[allow(dead_code, missing_docs, reason = "the training's own modules")]
#[path = "../../crates/nlu/examples/train_talk/variants.rs"]
mod variants;

type Failure = Box<dyn std::error::Error>;

/// Wrong sentences shown.
const SHOWN: usize = 20;

/// Whether it makes Luna do something: an answer without a question does nothing.
fn acts(found: &Interpretation) -> bool {
    !matches!(found.kind, UtteranceKind::None | UtteranceKind::Answer)
}

/// Whether speech ends by it: a command for the desktop, what a model has to decide, or stopping and pausing.
fn stops(found: &Interpretation) -> bool {
    match found.kind {
        UtteranceKind::Reflex => matches!(found.command, Some(Command::Stop | Command::Pause)),
        UtteranceKind::Ambiguous | UtteranceKind::Command | UtteranceKind::Reading => true,
        UtteranceKind::None | UtteranceKind::Answer => false,
    }
}

/// Writes the table.
///
/// # Errors
/// The report can't be written. Texts that are missing are told in it.
pub fn report(out: &mut impl Write, luna: &Understanding) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = root.join("../shared/data/7-nlu");
    let own = root.join("crates/nlu/examples/train_talk");
    writeln!(out, "\n## Understanding: false orders per 1,000 sentences of talk (test split of the classifier)\n")?;
    let samples = match samples::all(&data, &own, &root.join("tests/language/utterances.jsonl")) {
        Ok(samples) => samples,
        Err(error) => return Ok(writeln!(out, "Not measured: {error}.")?),
    };
    let talk = samples.iter().filter(|sample| sample.part == Part::Test && !sample.is_order && sample.is_real());
    // Sentences, those that act idle, those that act while Luna speaks, those that stop it.
    let mut rows: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for sample in talk {
        let understood = |speaking: bool| {
            luna.understand(&UtteranceInput { utterance: sample.text.clone(), speaking, ..UtteranceInput::default() })
        };
        let (idle, speaking) = (understood(false), understood(true));
        for row in [sample.source.to_owned(), format!("all {}", language(sample))] {
            let counts = rows.entry(row).or_default();
            counts[0] += 1;
            counts[1] += usize::from(acts(&idle));
            counts[2] += usize::from(acts(&speaking));
            counts[3] += usize::from(stops(&speaking));
        }
        if acts(&idle) || acts(&speaking) {
            let found = if acts(&idle) { &idle } else { &speaking };
            wrong.push(format!(
                "{:.2} [{}] \"{}\": {}",
                found.score,
                sample.source,
                sample.text,
                serde_json::to_string(&found.wish)?
            ));
        }
    }
    writeln!(out, "| talk | sentences | idle | speaking | stops speech |\n|---|---:|---:|---:|---:|")?;
    for (row, [all, idle, speaking, stop]) in &rows {
        let share = |count: &usize| 1000.0 * *count as f64 / (*all).max(1) as f64;
        writeln!(out, "| {row} | {all} | {:.1} | {:.1} | {:.1} |", share(idle), share(speaking), share(stop))?;
    }
    writeln!(
        out,
        "\nGoals: at most 1 acts, idle or speaking; at most 5 stop speech.\n\n### Talk taken for orders ({})\n",
        wrong.len()
    )?;
    for line in wrong.iter().take(SHOWN) {
        writeln!(out, "- {line}")?;
    }
    Ok(())
}

fn language(sample: &Sample) -> &'static str {
    if sample.is_korean() { "Korean" } else { "English" }
}
