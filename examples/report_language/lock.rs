//! The preserve lock's part of the report: correct answers by class and by kind of change, with the worst cases; what it finds in broken
//! translations and what a repair does to them; false alarms by pattern.

#[path = "../../crates/preservation/tests/broken_pairs/breakage.rs"]
mod breakage;
#[path = "../../crates/preservation/tests/broken_pairs/figures.rs"]
mod figures;
#[path = "../../crates/preservation/tests/broken_pairs/pairs.rs"]
mod pairs;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use breakage::Breakage;
use figures::{Share, alarm_pattern, figures};
use luna_messages::Fidelity;
use luna_preservation::{Glossary, check};
use pairs::{interface, right_pairs};
use serde_json::Value;

/// Number of wrong cases shown.
const SHOWN: usize = 12;

/// Writes the tables.
///
/// # Errors
/// The pairs can't be read.
pub fn report(out: &mut impl Write) -> anyhow::Result<()> {
    labelled(out)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    broken(out, root)?;
    alarms(out, root)?;
    Ok(())
}

/// What is found in broken translations, and what a repair makes of them.
fn broken(out: &mut impl Write, root: &Path) -> std::fmt::Result {
    let found = figures(&right_pairs(root), 7);
    writeln!(out, "\n## Preserve lock: {} right pairs, each broken once in each way\n", found.pairs)?;
    writeln!(out, "| breakage | pairs | found | of | % | goal |\n|---|---|---:|---:|---:|---:|")?;
    let mut row = |name: &str, origin: &str, share: Share, goal: &str| {
        writeln!(out, "| {name} | {origin} | {} | {} | {:.1} | {goal} |", share.found, share.all, share.percent())
    };
    let goals = [(Breakage::Digit, "99.5"), (Breakage::Dropped, "97")];
    for (kind, goal) in goals {
        row(&format!("{kind:?}"), "all", found.share(kind), goal)?;
    }
    row("Swapped, of one class", "all", found.swapped_share(), "80")?;
    for (origin, share) in &found.swapped_class {
        row("Swapped, of one class", &format!("{origin:?}"), *share, "80")?;
    }
    for ((kind, origin), share) in &found.found {
        row(&format!("{kind:?}"), &format!("{origin:?}"), *share, "")?;
    }
    writeln!(out, "\n| repair after | restored | left alone | made worse |\n|---|---:|---:|---:|")?;
    for (kind, repairs) in &found.repairs {
        writeln!(out, "| {kind:?} | {} | {} | {} |", repairs.restored, repairs.left, repairs.harmed)?;
    }
    writeln!(out, "\nTranslations made worse, intact ones included: {} (goal: none).\n", found.harms.len())?;
    for case in found.harms.iter().take(SHOWN) {
        writeln!(out, "- {case}")?;
    }
    writeln!(out, "\nNot found ({}):\n", found.missed.len())?;
    for (kind, case) in found.missed.iter().filter(|(kind, _)| *kind == Breakage::Swapped).take(SHOWN) {
        writeln!(out, "- {kind:?}, {case}")?;
    }
    Ok(())
}

/// False alarms on the published translation of an interface, in both directions.
fn alarms(out: &mut impl Write, root: &Path) -> std::fmt::Result {
    let strings = interface(root);
    let all = 2 * strings.len();
    writeln!(out, "\n## Preserve lock: false alarms on {all} strings of an interface (goal: at most 2 %)\n")?;
    writeln!(out, "| mode | pattern | alarms | % | such as |\n|---|---|---:|---:|---|")?;
    for (mode, name) in [(Fidelity::Faithful, "faithful"), (Fidelity::Natural, "natural")] {
        let mut patterns: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let mut alarms = 0;
        for (english, korean) in &strings {
            for (source, target) in [(english, korean), (korean, english)] {
                let report = check(source, target, mode, &Glossary::default());
                if report.ok {
                    continue;
                }
                alarms += 1;
                let example = format!("{source} / {target}").replace('\n', " ").replace('|', "\\|");
                patterns.entry(alarm_pattern(&report)).or_insert((0, example)).0 += 1;
            }
        }
        let percent = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
        writeln!(out, "| {name} | all | {alarms} | {:.2} | |", percent(alarms))?;
        let mut patterns: Vec<_> = patterns.into_iter().collect();
        patterns.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (pattern, (count, example)) in patterns {
            writeln!(out, "| {name} | {pattern} | {count} | {:.2} | {example} |", percent(count))?;
        }
    }
    Ok(())
}

/// The table of the labelled pairs.
fn labelled(out: &mut impl Write) -> anyhow::Result<()> {
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
