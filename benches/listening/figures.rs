//! What was measured, printed and written to the report.

use std::path::Path;

use serde_json::{Value, json};

/// The share of values at most so large.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

#[derive(Default)]
pub struct ProcessReport {
    rows: Vec<Value>,
}

impl ProcessReport {
    /// Percentiles of a delay; with a peer's delays, which get the same.
    pub fn delay(
        &mut self,
        name: &str,
        values: &[f64],
        shares: &[f64],
        goal: (f64, &str),
        peer: Option<(&str, &[f64])>,
    ) {
        if values.is_empty() {
            println!("  {name}: no round could be measured");
            return;
        }
        for share in shares {
            let told = if *share >= 1.0 { "max".to_owned() } else { format!("p{:.0}", share * 100.0) };
            let ours = percentile(values, *share);
            // The goal is that of one percentile.
            let goal = if (goal.0 - share).abs() < 1e-9 { goal.1 } else { "" };
            let peers: serde_json::Map<String, Value> = peer
                .iter()
                .filter(|(_, values)| !values.is_empty())
                .map(|(name, values)| ((*name).to_owned(), json!(rounded(percentile(values, *share)))))
                .collect();
            let beside = peers.iter().map(|(name, value)| format!("; {name} {value}")).collect::<String>();
            println!("  {name}, {told} of {}: {ours:.1} ms{beside} {goal}", values.len());
            self.rows.push(
                json!({ "name": format!("{name}, {told} of {}", values.len()), "unit": "ms", "ours": rounded(ours),
                "peers": peers, "goal": goal, "better": "lower" }),
            );
        }
    }

    pub fn value(&mut self, name: &str, unit: &str, ours: f64, goal: &str) {
        println!("  {name}: {ours:.2} {unit} {goal}");
        self.rows.push(json!({ "name": name, "unit": unit, "ours": rounded(ours), "goal": goal, "better": "lower" }));
    }

    pub fn write(&self, title: &str, note: &str) {
        let folder = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), std::path::PathBuf::from)
            .join("report");
        std::fs::create_dir_all(&folder).unwrap();
        let content = json!({ "title": title, "rows": self.rows, "note": note });
        std::fs::write(folder.join("listening_processes.json"), serde_json::to_vec_pretty(&content).unwrap()).unwrap();
    }
}

/// A hundredth is finer than any of the measurements.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
