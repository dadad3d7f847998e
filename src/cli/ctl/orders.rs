//! `luna ctl do` and `luna ctl answer`: prints what came of an order.

use std::process::ExitCode;

use luna_messages::executor::{ActedBy, OrderOutcome, OrderReport, StepReport};

use super::NOTHING_DONE;
use crate::cli::output;

/// Exit codes: 0 if it was done or Luna asks something, 1 if it failed, 3 if there was nothing to do or the person did not want it.
pub fn print(report: &OrderReport, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        output::json(report)?;
    } else {
        for step in &report.steps {
            output::line(&line(step)?)?;
        }
        output::line(&format!("{} {}", word(report.outcome)?, report.said))?;
    }
    Ok(match report.outcome {
        OrderOutcome::Success | OrderOutcome::Clarify | OrderOutcome::Confirm => ExitCode::SUCCESS,
        OrderOutcome::Failed => ExitCode::FAILURE,
        OrderOutcome::Refused | OrderOutcome::None => ExitCode::from(NOTHING_DONE),
    })
}

fn line(step: &StepReport) -> anyhow::Result<String> {
    let by = match step.by {
        Some(ActedBy::Tree) => "by the accessibility tree",
        Some(ActedBy::Pointer) => "by the pointer",
        Some(ActedBy::Keys) => "by keys",
        None => "nothing to do",
    };
    let seen = if step.verified { "seen" } else { "not seen" };
    Ok(format!("  {} {}: {by}, {seen}, {} ms", word(step.action)?, step.target, step.ms))
}

/// The name of an outcome or an action in JSON.
fn word(of: impl serde::Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_value(of)?.as_str().unwrap_or_default().to_owned())
}
