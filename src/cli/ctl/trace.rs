//! `luna ctl trace`: how the newest commands and picks passed through Luna, with times (KER-12).

use std::process::ExitCode;

use crate::cli::output;
use crate::control_client;
use crate::control_file::ControlFile;
use crate::control_protocol::{HopStatus, TraceStatus};

pub(super) fn run(control: &ControlFile, json: bool) -> anyhow::Result<ExitCode> {
    let told = control_client::ask_traces(control)?;
    if json {
        output::json(&told)?;
        return Ok(ExitCode::SUCCESS);
    }
    if told.traces.is_empty() {
        output::line("Nothing was asked of Luna yet.")?;
    }
    for trace in &told.traces {
        output::line(&heading(trace))?;
        for hop in &trace.hops {
            output::line(&line(hop))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn heading(trace: &TraceStatus) -> String {
    format!("#{} {}, {:.1} s ago", trace.id, trace.origin, thousandths(trace.ago_ms))
}

fn line(hop: &HopStatus) -> String {
    let HopStatus { actor, what, lane, after_us, waited_us, took_us } = hop;
    let after = format!("  +{:.2} ms", thousandths(*after_us));
    let times = format!("waited {:.2} ms, took {:.2} ms", thousandths(*waited_us), thousandths(*took_us));
    match lane {
        Some(lane) => format!("{after:15} {actor:8} {what:18} lane {lane:7} {times}"),
        None => format!("{after:15} {actor:8} {what}"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "times far below 2^53")]
fn thousandths(count: u64) -> f64 {
    count as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-12
    #[test]
    fn a_trace_is_shown_as_one_line_a_hop_ker_12() {
        let hop = |lane: Option<&str>, waited_us, took_us| HopStatus {
            actor: "tts".into(),
            what: "first_sound".into(),
            lane: lane.map(str::to_owned),
            after_us: 61_020,
            waited_us,
            took_us,
        };
        let trace = TraceStatus { id: 17, origin: "hot_key".into(), ago_ms: 3210, hops: Vec::new() };
        assert_eq!(heading(&trace), "#17 hot_key, 3.2 s ago");
        assert_eq!(line(&hop(None, 0, 0)), "  +61.02 ms     tts      first_sound");
        let full = "  +61.02 ms     tts      first_sound        lane tts     waited 0.02 ms, took 1.50 ms";
        assert_eq!(line(&hop(Some("tts"), 20, 1500)), full);
    }
}
