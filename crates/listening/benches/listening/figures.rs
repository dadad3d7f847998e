//! Figures and where they go.

use std::path::Path;

use serde_json::{Value, json};

/// Milliseconds, of which one tells the percentiles.
#[derive(Debug, Default, Clone)]
pub struct DelaySamples(pub Vec<f64>);

impl DelaySamples {
    pub fn percentile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
        sorted.get(at).copied().unwrap_or(f64::NAN)
    }

    /// Percentage of those above a limit.
    pub fn above(&self, limit: f64) -> f64 {
        100.0 * self.0.iter().filter(|delay| **delay > limit).count() as f64 / self.0.len().max(1) as f64
    }

    pub fn told(&self) -> String {
        let [p50, p95, most] = [0.5, 0.95, 1.0].map(|share| self.percentile(share));
        format!("p50 {p50:.0} ms, p95 {p95:.0} ms, most {most:.0} ms of {}", self.0.len())
    }
}

/// What was measured.
#[derive(Default)]
pub struct ListeningReport {
    rows: Vec<Value>,
}

impl ListeningReport {
    pub fn row(&mut self, name: &str, unit: &str, ours: f64, goal: &str) {
        println!("  {name}: {} {unit}", number(ours));
        self.rows.push(json!({ "name": name, "unit": unit, "ours": ours, "goal": goal, "better": "lower" }));
    }

    pub fn beside(&mut self, name: &str, unit: &str, ours: f64, peer: f64) {
        println!("  {name}: {} {unit}, pipecat {}", number(ours), number(peer));
        let peers = json!({ "pipecat": peer });
        self.rows.push(json!({ "name": name, "unit": unit, "ours": ours, "peers": peers, "better": "lower" }));
    }

    pub fn write(&self, note: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/report");
        std::fs::create_dir_all(&folder).unwrap();
        let content = json!({ "title": "The listening loop (virtual time)", "rows": self.rows, "note": note });
        std::fs::write(folder.join("listening.json"), serde_json::to_vec_pretty(&content).unwrap()).unwrap();
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
