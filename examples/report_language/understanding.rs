//! Understanding's part of the report: correct answers by class and by perturbation, false positives, the worst cases.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use luna_messages::understanding::{Interpretation, UtteranceInput, UtteranceKind};
use luna_nlu::Understanding;
use serde_json::Value;

use super::perturb::{ENGLISH, KOREAN, Perturbation, is_korean};

/// Number of wrong cases shown.
const SHOWN: usize = 20;

/// A labelled utterance: the expected fields; other fields are not checked.
struct Case {
    class: String,
    given: UtteranceInput,
    expect: Value,
    varied: bool,
}

/// Whether the result matches the expectation. Texts are compared without spaces and case, names of what is on the screen also without hyphens.
pub fn is_right(understood: &Interpretation, expect: &Value) -> bool {
    let found = serde_json::to_value(understood).unwrap_or_default();
    let plain = |value: &Value| match value {
        Value::String(text) => Value::String(text.replace(' ', "").to_lowercase()),
        other => other.clone(),
    };
    let named = |value: &Value| value.as_str().map(|text| plain(&Value::String(text.replace('-', ""))));
    expect.as_object().is_some_and(|fields| {
        fields.iter().all(|(name, value)| match (name.as_str(), &found[name]) {
            ("steps", steps) if value.is_u64() => {
                steps.as_array().map_or(0, Vec::len) as u64 == value.as_u64().unwrap_or(0)
            }
            ("target_text" | "anchor" | "argument", found) => named(found) == named(value),
            (_, found) => plain(found) == plain(value),
        })
    })
}

fn cases() -> anyhow::Result<Vec<Case>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/utterances.jsonl");
    let text = std::fs::read_to_string(&path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    text.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line)?;
            Ok(Case {
                class: value["class"].as_str().unwrap_or("?").to_owned(),
                expect: value["expect"].clone(),
                varied: value["perturbation"].is_string(),
                given: serde_json::from_value(value)?,
            })
        })
        .collect()
}

/// Writes the tables.
///
/// # Errors
/// The utterances can't be read.
pub fn report(out: &mut impl Write, luna: &Understanding) -> anyhow::Result<()> {
    let cases = cases()?;
    let mut classes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut ways: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut ordinary, mut hits) = (0_usize, 0_usize);
    for case in &cases {
        let understood = luna.understand(&case.given);
        let right = is_right(&understood, &case.expect);
        let korean = is_korean(&case.given.utterance);
        for row in [case.class.clone(), format!("all, {}", if korean { "Korean" } else { "English" })] {
            count(&mut classes, row, right);
        }
        if !right {
            wrong.push(format!("\"{}\": {}", case.given.utterance, serde_json::to_string(&understood)?));
        }
        let table: &[Perturbation] = if korean { &KOREAN } else { &ENGLISH };
        // Removing spaces destroys quotes and values; an utterance that is already varied is not varied again.
        if case.varied || case.given.utterance.contains(['"', '\'']) {
            continue;
        }
        for (name, vary) in table {
            let utterance = vary(&case.given.utterance);
            if *name != "as it is" && utterance == case.given.utterance {
                continue;
            }
            let understood = luna.understand(&UtteranceInput { utterance, ..case.given.clone() });
            if case.class == "ordinary" {
                ordinary += 1;
                hits += usize::from(understood.kind == UtteranceKind::Reflex);
            } else {
                let right = is_right(&understood, &without_values(&case.expect, name));
                count(&mut ways, format!("{}: {name}", if korean { "Korean" } else { "English" }), right);
                if !right {
                    wrong.push(format!(
                        "{name}: \"{}\": {}",
                        vary(&case.given.utterance),
                        serde_json::to_string(&understood)?
                    ));
                }
            }
        }
    }
    writeln!(
        out,
        "## Understanding: labelled utterances by class\n\n| class | right | of | % |\n|---|---:|---:|---:|"
    )?;
    rows(out, &classes)?;
    writeln!(out, "\n## Understanding: the same, varied\n\n| way | right | of | % |\n|---|---:|---:|---:|")?;
    rows(out, &ways)?;
    let rate = 1000.0 * hits as f64 / ordinary.max(1) as f64;
    writeln!(
        out,
        "\nFalse reflexes in ordinary sentences: {hits} of {ordinary}, {rate:.1} per 1,000 (goal: at most 1)."
    )?;
    writeln!(out, "\n### Wrong ones ({})\n", wrong.len())?;
    for case in wrong.iter().take(SHOWN) {
        writeln!(out, "- {case}")?;
    }
    Ok(())
}

/// The expectation of a varied utterance, without the value to be entered: a confused vowel or a filler may be part of that value.
fn without_values(expect: &Value, perturbation: &str) -> Value {
    let mut expect = expect.clone();
    if let Some(fields) = expect.as_object_mut().filter(|_| perturbation != "as it is") {
        fields.remove("value");
        if perturbation == "a vowel misheard" || perturbation == "a space inside the last word" {
            fields.remove("target_text");
            fields.remove("anchor");
        }
    }
    expect
}

fn count(table: &mut BTreeMap<String, (usize, usize)>, row: String, right: bool) {
    let cell = table.entry(row).or_default();
    cell.0 += usize::from(right);
    cell.1 += 1;
}

fn rows(out: &mut impl Write, table: &BTreeMap<String, (usize, usize)>) -> std::fmt::Result {
    for (row, (right, all)) in table {
        writeln!(out, "| {row} | {right} | {all} | {:.1} |", 100.0 * *right as f64 / *all as f64)?;
    }
    Ok(())
}
