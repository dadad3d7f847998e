//! Measured times, and their rows in the report.

use serde_json::{Value, json};

/// Milliseconds.
#[derive(Default)]
pub struct Times(Vec<f64>);

impl Times {
    pub fn add(&mut self, ms: f64) {
        self.0.push(ms);
    }

    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// The value below which the share `at` of them lies.
    pub fn quantile(&self, at: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let index = (sorted.len().saturating_sub(1) as f64 * at).round() as usize;
        sorted[index]
    }
}

/// Median and 95th percentile beside those of pyatspi; the goal holds for the latter.
pub fn rows(name: &str, ours: &Times, peer: &Times, goal: Option<&str>) -> Vec<Value> {
    let row = |what: &str, at, goal: Option<&str>| {
        let (ours, peer) = (ours.quantile(at), peer.quantile(at));
        println!("{name:60} {what:6} {ours:8.1} ms  pyatspi {peer:8.1} ms  ratio {:.2}", ours / peer);
        json!({
            "name": format!("{name}, {what}"), "unit": "ms", "ours": ours, "peers": {"pyatspi": peer}, "ratio": ours / peer, "goal": goal,
        })
    };
    vec![row("median", 0.5, None), row("p95", 0.95, goal)]
}
