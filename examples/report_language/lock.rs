//! The preserve lock's part of the report: correct answers by class and by kind of change, with the worst cases.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use luna_messages::Fidelity;
use luna_preservation::{Glossary, check};
use serde_json::Value;

/// Number of wrong cases shown.
const SHOWN: usize = 12;

/// Writes the table of the labelled pairs.
///
/// # Errors
/// The pairs can't be read.
pub fn report(out: &mut impl Write) -> anyhow::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/pairs.jsonl");
    let text = std::fs::read_to_string(&path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    // Kind of case → correct, all.
    let mut table: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let pair: Value = serde_json::from_str(line)?;
        let (source, target) = (pair["source"].as_str().unwrap_or(""), pair["target"].as_str().unwrap_or(""));
        let natural = pair["mode"] == "natural";
        let mode = if natural { Fidelity::Natural } else { Fidelity::Faithful };
        let report = check(source, target, mode, &Glossary::default());
        let expected = pair["expect"]["tokens"].as_array().map(Vec::as_slice).unwrap_or_default();
        let found = |token: &Value| {
            report.tokens.iter().any(|t| {
                serde_json::to_value(t.class).ok().as_ref() == Some(&token["class"])
                    && serde_json::to_value(t.status).ok().as_ref() == Some(&token["status"])
                    && token["text"] == t.text.as_str()
            })
        };
        let right = Some(report.ok) == pair["expect"]["ok"].as_bool() && expected.iter().all(found);
        let korean = source.chars().any(luna_text::language::is_hangul);
        let mut rows = vec![
            "all pairs".to_owned(),
            format!("mode {}", if natural { "natural" } else { "faithful" }),
            format!("from {}", if korean { "Korean" } else { "English" }),
            (if pair["expect"]["ok"] == true { "nothing changed" } else { "something changed" }).to_owned(),
        ];
        for token in expected {
            rows.push(format!("class {}", token["class"].as_str().unwrap_or("?")));
            rows.push(format!("token {}", token["status"].as_str().unwrap_or("?")));
        }
        for row in rows {
            let count = table.entry(row).or_default();
            count.0 += usize::from(right);
            count.1 += 1;
        }
        if !right {
            wrong.push(format!("{source} / {target}: {:?}", report.tokens));
        }
    }
    writeln!(out, "## Preserve lock: labelled pairs\n\n| what | right | of | % |\n|---|---:|---:|---:|")?;
    for (row, (right, all)) in &table {
        writeln!(out, "| {row} | {right} | {all} | {:.1} |", 100.0 * *right as f64 / (*all).max(1) as f64)?;
    }
    writeln!(out, "\nWorst cases ({} wrong):\n", wrong.len())?;
    for case in wrong.iter().take(SHOWN) {
        writeln!(out, "- {case}")?;
    }
    Ok(())
}
