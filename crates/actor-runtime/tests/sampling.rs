//! `metrics.sample_rate` and `metrics.counters` at the single place that all observations pass (MET-3, MET-4).

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::Mutex;
use std::time::Duration;

use luna_actor_runtime::metric_names::{self, Family, HISTOGRAMS, LLM_TOKENS, PICKS, PRESERVE};
use luna_actor_runtime::sampling::{self, SamplingRecorder};
use luna_actor_runtime::stages::{Stage, publish_budgets, record_stage, timed};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Serialises the tests: rate and families are one per process.
static TURN: Mutex<()> = Mutex::new(());

/// The recorded metrics as Prometheus sees them.
struct SampleLog(PrometheusHandle);

impl SampleLog {
    /// The value of one series.
    fn value(&self, series: &str) -> f64 {
        let text = self.0.render();
        let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ').map(str::to_owned));
        line.map_or(0.0, |value| value.parse().unwrap())
    }

    /// Share of the observations of a histogram up to the bound `le`.
    fn share(&self, name: &str, le: f64) -> f64 {
        self.value(&format!("{name}_bucket{{le=\"{le}\"}}")) / self.value(&format!("{name}_count"))
    }
}

/// Runs `work` with all `families` recorded at `rate`, on a recorder of its own.
fn recorded(rate: f64, families: &[Family], work: impl FnOnce()) -> SampleLog {
    let mut builder = PrometheusBuilder::new();
    for (name, bounds) in HISTOGRAMS {
        builder = builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), bounds).unwrap();
    }
    let recorder = builder.build_recorder();
    let seen = SampleLog(recorder.handle());
    sampling::set_rate(rate);
    sampling::set_families(families);
    metrics::with_local_recorder(&SamplingRecorder::new(recorder), work);
    sampling::set_rate(1.0);
    sampling::set_families(&Family::ALL);
    seen
}

/// Realistic waiting times: most short, few long. Always the same.
fn observations(count: u32) -> impl Iterator<Item = f64> {
    let mut state = 7_u64;
    (0..count).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let even = (state >> 11) as f64 / (1_u64 << 53) as f64;
        0.05 * -(1.0 - even).ln()
    })
}

// MET-3
#[test]
fn every_histogram_is_thinned_without_bias_and_no_counter_is_met_3() {
    let _turn = TURN.lock();
    const ALL: u32 = 20_000;
    for (name, bounds) in HISTOGRAMS {
        let seen_at = |rate: f64| {
            recorded(rate, &Family::ALL, || {
                let kept = metrics::histogram!(*name);
                for (index, value) in observations(ALL).enumerate() {
                    // As actors do: some keep the handle, some look it up each time.
                    if index % 2 == 0 {
                        kept.record(value)
                    } else {
                        metrics::histogram!(*name).record(value)
                    }
                    metrics::counter!("beside_total").increment(1);
                }
            })
        };
        let (whole, thinned) = (seen_at(1.0), seen_at(0.1));
        assert_eq!(whole.value(&format!("{name}_count")), f64::from(ALL), "{name}");
        assert_eq!(thinned.value("beside_total"), f64::from(ALL), "{name}: counters are exact");
        let count = thinned.value(&format!("{name}_count"));
        // Four standard deviations of a binomial with p = 0.1.
        let spread = 4.0 * (f64::from(ALL) * 0.1 * 0.9).sqrt();
        assert!((count - f64::from(ALL) * 0.1).abs() <= spread, "{name}: {count} of {ALL}");
        for le in *bounds {
            let (all, some) = (whole.share(name, *le), thinned.share(name, *le));
            assert!(
                (all - some).abs() <= 4.0 * (all * (1.0 - all) / count).sqrt() + 1e-9,
                "{name} ≤ {le}: {all} {some}"
            );
        }
        assert_eq!(seen_at(0.0).value(&format!("{name}_count")), 0.0, "{name}");
    }
}

// MET-3, CFG-4
#[test]
fn a_changed_rate_counts_at_once_also_for_handles_that_are_kept_met_3_cfg_4() {
    let _turn = TURN.lock();
    let seen = recorded(1.0, &Family::ALL, || {
        let kept = metrics::histogram!("kept_seconds");
        for (rate, times) in [(1.0, 5), (0.0, 100), (1.0, 3), (f64::NAN, 2), (7.0, 1), (-1.0, 9)] {
            sampling::set_rate(rate);
            (0..times).for_each(|_| kept.record(0.1));
        }
    });
    assert_eq!(seen.value("kept_seconds_count"), 11.0);
}

// MET-1
#[test]
fn a_family_that_is_left_out_is_not_recorded_and_the_others_are_met_1() {
    let _turn = TURN.lock();
    let record = || {
        record_stage(Stage::Pick, Duration::from_millis(3));
        for part in ["thinking", "answer", "prompt"] {
            metrics::counter!(LLM_TOKENS, "task" => "intent", "part" => part).increment(1);
        }
        for method in ["uia", "ocr", "none"] {
            metrics::counter!(PICKS, "method" => method, "outcome" => "success").increment(1);
        }
        metrics::counter!(PRESERVE, "outcome" => "marked").increment(1);
        metrics::counter!(metric_names::CLARIFICATIONS).increment(1);
    };
    let series = [
        (Family::Latency, "luna_stage_duration_seconds_count{stage=\"pick\"}"),
        (Family::ThinkingTokens, "luna_llm_tokens_total{task=\"intent\",part=\"thinking\"}"),
        (Family::AnswerTokens, "luna_llm_tokens_total{task=\"intent\",part=\"answer\"}"),
        (Family::PreserveFailures, "luna_preserve_failures_total{outcome=\"marked\"}"),
        (Family::Clarifications, "luna_clarifications_total"),
        (Family::PicksByRecognition, "luna_picks_total{method=\"ocr\",outcome=\"success\"}"),
        (Family::PicksByTree, "luna_picks_total{method=\"uia\",outcome=\"success\"}"),
    ];
    for left_out in Family::ALL {
        let wanted: Vec<_> = Family::ALL.into_iter().filter(|family| *family != left_out).collect();
        let seen = recorded(1.0, &wanted, record);
        for (family, series) in series {
            assert_eq!(seen.value(series), if family == left_out { 0.0 } else { 1.0 }, "{series} without {left_out:?}");
        }
        assert_eq!(seen.value("luna_llm_tokens_total{task=\"intent\",part=\"prompt\"}"), 1.0, "no family");
    }
}

// MET-4
#[test]
fn each_stage_has_its_budget_beside_it_met_4() {
    let _turn = TURN.lock();
    let seen = recorded(1.0, &Family::ALL, || {
        metric_names::describe_all();
        publish_budgets();
        Stage::ALL.into_iter().for_each(|stage| record_stage(stage, stage.budget()));
    });
    for stage in Stage::ALL {
        let (name, budget) = (stage.name(), stage.budget().as_secs_f64());
        assert_eq!(seen.value(&format!("luna_stage_budget_seconds{{stage=\"{name}\"}}")), budget);
        let within = format!("luna_stage_duration_seconds_bucket{{stage=\"{name}\",le=\"{budget}\"}}");
        assert_eq!(seen.value(&within), 1.0, "{name}: what keeps the budget is counted within it");
    }
}

// MET-4
#[test]
fn what_fails_has_no_duration_met_4() {
    let _turn = TURN.lock();
    let seen = recorded(1.0, &Family::ALL, || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for outcome in [Ok(()), Err(())] {
            let _ = runtime.block_on(timed(Stage::Capture, async { outcome }));
        }
    });
    assert_eq!(seen.value("luna_stage_duration_seconds_count{stage=\"capture\"}"), 1.0);
}
