//! Durations of a request's stages, in numbers for people (MET-4).

use luna_actor_runtime::metric_names::STAGE_DURATION;
use luna_actor_runtime::stages::Stage;

use crate::control_protocol::StageStatus;

/// Parses the stages from the Prometheus text; omits stages without observations.
#[must_use]
pub fn parse_metrics(text: &str) -> Vec<StageStatus> {
    Stage::ALL.into_iter().filter_map(|stage| parse_stage(stage, text)).collect()
}

fn parse_stage(stage: Stage, text: &str) -> Option<StageStatus> {
    let start = format!("{STAGE_DURATION}_bucket{{stage=\"{}\",le=\"", stage.name());
    let bucket = |line: &str| {
        let (le, count) = line.strip_prefix(&start)?.split_once("\"} ")?;
        let le = if le == "+Inf" { f64::INFINITY } else { le.parse().ok()? };
        Some((le, count.trim().parse::<u64>().ok()?))
    };
    let buckets: Vec<(f64, u64)> = text.lines().filter_map(bucket).collect();
    let budget = stage.budget().as_secs_f64();
    let within = buckets.iter().rfind(|(le, _)| *le <= budget).map_or(0, |(_, count)| *count);
    let count = buckets.last().map(|(_, count)| *count).filter(|count| *count > 0)?;
    Some(StageStatus {
        stage: stage.name().to_owned(),
        budget_ms: budget * 1000.0,
        count,
        p50_ms: quantile(&buckets, 0.5) * 1000.0,
        p95_ms: quantile(&buckets, 0.95) * 1000.0,
        within: number(within) / number(count),
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
const fn number(count: u64) -> f64 {
    count as f64
}

/// As Prometheus' `histogram_quantile`: linear within a bucket; the last bound for values above all bounds.
fn quantile(buckets: &[(f64, u64)], part: f64) -> f64 {
    let wanted = part * buckets.last().map_or(0.0, |(_, count)| number(*count));
    let mut below = (0.0, 0);
    for &(le, count) in buckets {
        if number(count) >= wanted {
            if le.is_infinite() || count == below.1 {
                return below.0;
            }
            return below.0 + (le - below.0) * (wanted - number(below.1)) / number(count - below.1);
        }
        below = (le, count);
    }
    below.0
}

#[cfg(test)]
mod tests {
    use super::*;

    // MET-4
    #[test]
    fn quantiles_are_read_out_of_buckets_met_4() {
        let line = |stage: &str, le: &str, count: u64| {
            format!("luna_stage_duration_seconds_bucket{{stage=\"{stage}\",le=\"{le}\"}} {count}\n")
        };
        let text = [
            "# TYPE luna_stage_duration_seconds histogram\n".to_owned(),
            line("pick", "0.001", 0),
            line("pick", "0.002", 50),
            line("pick", "0.04", 100),
            line("pick", "+Inf", 100),
            line("capture", "0.033", 1),
            line("capture", "+Inf", 100),
            line("hearing", "+Inf", 0),
        ]
        .concat();
        let stages = parse_metrics(&text);
        let seen: Vec<_> = stages.iter().map(|it| (it.stage.as_str(), it.count, it.keeps_budget())).collect();
        assert_eq!(seen, [("pick", 100, true), ("capture", 100, false)]);
        assert!((stages[0].p50_ms - 2.0).abs() < 1e-9 && (stages[0].p95_ms - 36.2).abs() < 1e-9, "{stages:?}");
        assert!(parse_metrics("").is_empty());
    }
}
