//! The metrics recorder of a test program, and sums over its series.
#![allow(clippy::expect_used, reason = "it fails the test that has two recorders")]

use std::sync::OnceLock;

use luna_actor_runtime::{metric_names, stages};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// The recorder of this test program. Call it before inboxes are created.
pub fn recorder() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let handle = PrometheusBuilder::new().install_recorder().expect("no other recorder is installed in this test");
        metric_names::describe_all();
        stages::publish_budgets();
        handle
    })
}

/// Sum of all series of `name` with all these labels.
pub fn metric(name: &str, labels: &[(&str, &str)]) -> f64 {
    let wanted: Vec<String> = labels.iter().map(|(key, value)| format!("{key}=\"{value}\"")).collect();
    recorder()
        .render()
        .lines()
        .filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' '])))
        .filter(|line| wanted.iter().all(|label| line.contains(label)))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
        .sum()
}
