//! Utterances that were written before the understanding saw them: how many it got right at first sight, by class, and how many it gets right today.
//! A set is only a measure at first sight; whoever mends a case of it has seen it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use luna_messages::understanding::UtteranceInput;
use luna_nlu::Understanding;
use serde_json::Value;

use super::understanding::is_right;

/// Right ones and all of them, by class.
type Counts = BTreeMap<String, [usize; 2]>;

/// Figures recorded at first sight: by set, by design, by class.
type Recorded = BTreeMap<String, BTreeMap<String, Counts>>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language")
}

/// The sets by name.
fn sets() -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut sets = Vec::new();
    for entry in std::fs::read_dir(folder())? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let set = name.strip_prefix("first-sight-").filter(|_| path.extension().is_some_and(|end| end == "jsonl"));
        if let Some(set) = set {
            sets.push((set.to_owned(), path.clone()));
        }
    }
    sets.sort();
    Ok(sets)
}

/// The right ones of a set today.
fn today(path: &Path, luna: &Understanding) -> anyhow::Result<Counts> {
    let text = std::fs::read_to_string(path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    let mut counts = Counts::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line)?;
        let class = case["class"].as_str().unwrap_or("?").to_owned();
        let given: UtteranceInput = serde_json::from_value(case.clone())?;
        let right = is_right(&luna.understand(&given), &case["expect"]);
        for row in [class, "all".to_owned()] {
            let [rights, all] = counts.entry(row).or_default();
            *rights += usize::from(right);
            *all += 1;
        }
    }
    Ok(counts)
}

/// Writes the tables.
///
/// # Errors
/// A set or the recorded figures can't be read.
pub fn report(out: &mut impl Write, luna: &Understanding) -> anyhow::Result<()> {
    let path = folder().join("first-sight.json");
    let recorded: Recorded = match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?,
        Err(_) => Recorded::new(),
    };
    for (set, path) in sets()? {
        let today = today(&path, luna)?;
        let none = BTreeMap::new();
        let first = recorded.get(&set).unwrap_or(&none);
        let heads: String = first.keys().map(|design| format!(" {design}, first sight |")).collect();
        writeln!(out, "\n## Understanding: set {set}, % right by class\n\n| class | utterances |{heads} today |")?;
        writeln!(out, "|---|---:|{}---:|", "---:|".repeat(first.len()))?;
        let share = |[right, all]: [usize; 2]| format!(" {:.1} |", 100.0 * right as f64 / all.max(1) as f64);
        for (class, counts) in &today {
            let cells: String = first
                .values()
                .map(|design| design.get(class).map_or(" – |".to_owned(), |counts| share(*counts)))
                .collect();
            writeln!(out, "| {class} | {} |{cells}{}", counts[1], share(*counts))?;
        }
    }
    Ok(())
}
