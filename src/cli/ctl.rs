//! `luna ctl`: tells the running Luna what to do.

use std::io::{BufRead as _, BufReader};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use luna_messages::capability::CapabilityState;
use luna_messages::control::Command;
use luna_messages::gpu::{GpuStatus, Place};

use super::output;
use crate::control_file::{self, Control};
use crate::http::control::{CommandRequest, Refusal, Status};
use crate::peer;

/// Tells the running Luna what to do, or shows what she does.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Sends a command, as if it had been spoken.
    Focus {
        /// Which.
        #[arg(value_parser = orders())]
        order: Command,
    },
    /// Shows events as they happen, one JSON object a line.
    Events {
        /// Goes on until Luna ends or you interrupt; without it, waits for the next event only.
        #[arg(long)]
        follow: bool,
    },
    /// Shows how Luna is.
    Status {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
}

/// The words of all commands that can be ordered.
fn orders() -> impl TypedValueParser<Value = Command> {
    let words = Command::ctl_words();
    let values = PossibleValuesParser::new(words.iter().map(|(word, _)| *word));
    values.try_map(move |said| {
        words.iter().find(|(word, _)| *word == said).map(|(_, command)| *command).ok_or("no command has this name")
    })
}

/// Talks to the running Luna.
///
/// # Errors
/// Where none runs, or it does not answer.
pub fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let control = control_file::read(&control_file::path())?;
    // The token is told to nobody but the Luna that gave it out.
    peer::verify(&control)?;
    match arguments.what {
        What::Focus { order } => send(&control, order),
        What::Events { follow } => events(&control, follow),
        What::Status { json } => status(&control, json),
    }
}

/// Asks a running Luna; `limit`: how long an answer may take in all.
pub(crate) fn agent(limit: Option<Duration>) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_global(limit)
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .build();
    config.into()
}

pub(crate) fn url(control: &Control, route: &str) -> String {
    format!("http://{}/{route}", control.address)
}

pub(crate) fn bearer(control: &Control) -> String {
    format!("Bearer {}", control.token)
}

const NO_ANSWER: &str = "the running Luna does not answer; if it was killed, start it again with `luna run`";

fn send(control: &Control, command: Command) -> anyhow::Result<ExitCode> {
    let body = serde_json::to_vec(&CommandRequest { command })?;
    let response = agent(Some(Duration::from_secs(5)))
        .post(url(control, "command"))
        .header("Authorization", bearer(control))
        .header("Content-Type", "application/json")
        .send(&body[..])
        .context(NO_ANSWER)?;
    accepted(response)?;
    Ok(ExitCode::SUCCESS)
}

/// What Luna did not take, with the reason that it gives (KER-4).
fn accepted(mut response: ureq::http::Response<ureq::Body>) -> anyhow::Result<ureq::http::Response<ureq::Body>> {
    if response.status().is_success() {
        return Ok(response);
    }
    let text = response.body_mut().read_to_string().unwrap_or_default();
    match serde_json::from_str::<Refusal>(&text) {
        Ok(refusal) => anyhow::bail!("Luna did not take it: {}", refusal.reason.trim_end_matches('.')),
        Err(_) => anyhow::bail!("Luna did not take it (HTTP {})", response.status()),
    }
}

/// The state of the running Luna.
///
/// # Errors
/// It does not answer, or not in words that are understood.
pub fn ask_status(control: &Control) -> anyhow::Result<Status> {
    let response = agent(Some(Duration::from_secs(5)))
        .get(url(control, "status"))
        .header("Authorization", bearer(control))
        .call()
        .context(NO_ANSWER)?;
    let text = accepted(response)?.body_mut().read_to_string().context(NO_ANSWER)?;
    serde_json::from_str(&text).context("the answer of the running Luna can't be read")
}

fn events(control: &Control, follow: bool) -> anyhow::Result<ExitCode> {
    let response =
        agent(None).get(url(control, "events")).header("Authorization", bearer(control)).call().context(NO_ANSWER)?;
    for line in BufReader::new(accepted(response)?.into_body().into_reader()).lines() {
        // The stream ends with Luna; that is no error of this command.
        let Ok(line) = line else { break };
        if !output::line(&line)? || !follow {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn status(control: &Control, json: bool) -> anyhow::Result<ExitCode> {
    let status = ask_status(control)?;
    if json {
        output::json(&status)?;
        return Ok(ExitCode::SUCCESS);
    }
    output::line(&format!("Luna {}, process {}", status.version, status.process))?;
    for actor in &status.actors {
        let waiting: usize = actor.depth.iter().sum();
        let restarts = actor.restarts;
        output::line(&format!("  {:10} {:10} restarts {restarts}, waiting {waiting}", actor.actor, actor.state))?;
    }
    for entry in &status.capabilities {
        let state = match &entry.state {
            CapabilityState::Unknown => "not tried yet".to_owned(),
            CapabilityState::Available => "available".to_owned(),
            CapabilityState::Unavailable(why) => format!("not available: {} {}", why.reason, why.remedy),
        };
        output::line(&format!("  {:24} {state}", entry.capability.name()))?;
    }
    for key in &status.hot_keys {
        let state = match &key.reason {
            _ if key.held => "Luna has it".to_owned(),
            Some(reason) => format!("not available: {reason} {}", key.remedy()),
            None => "not taken yet".to_owned(),
        };
        output::line(&format!("  hot key {} ({}): {state}", key.key, key.command.name()))?;
    }
    match &status.memory {
        Some(memory) => tell_memory(memory)?,
        None => drop(output::line("  The part that shares out memory to models gives no answer now.")?),
    }
    for it in &status.stages {
        let state = if it.keeps_budget() { "keeps" } else { "misses" };
        let (stage, p50, p95, budget, count) = (&it.stage, it.p50_ms, it.p95_ms, it.budget_ms, it.count);
        output::line(&format!(
            "  {stage:14} p50 {p50:.1} ms, p95 {p95:.1} ms: {state} its {budget:.0} ms ({count} times)"
        ))?;
    }
    for line in &status.recent_log {
        output::line(&format!("  {line}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Who has the memory for models (GPU-1).
fn tell_memory(memory: &GpuStatus) -> Result<(), output::OutputError> {
    let place = |place| match place {
        Place::Card => memory.card.as_deref().unwrap_or("the card"),
        Place::Ram => "the computer's memory",
    };
    for pool in &memory.pools {
        output::line(&format!("  models have {} of {} MB of {}", pool.used_mb, pool.budget_mb, place(pool.place)))?;
    }
    for model in &memory.resident {
        let (holder, state) = (model.holder.name(), model.state.name());
        output::line(&format!("  {holder:10} {state:10} {}, {} MB of {}", model.model, model.mb, place(model.place)))?;
    }
    if memory.waiting > 0 {
        output::line(&format!("  {} pieces of work wait for memory", memory.waiting))?;
    }
    Ok(())
}
