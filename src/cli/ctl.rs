//! `luna ctl`: controls the running Luna.

mod orders;
mod trace;

use std::io::BufRead as _;
use std::process::ExitCode;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use luna_messages::capability::CapabilityState;
use luna_messages::control::Command;
use luna_messages::gpu::{GpuStatus, MemoryPlace};
use luna_messages::listening::HeardOutcome;

use super::output;
use crate::control_file::{self, ControlFile};
use crate::{control_client, peer};

/// Exit code of what is said to Luna if nothing happens.
const NOTHING_DONE: u8 = 3;

/// Controls the running Luna, or shows its state.
#[derive(Debug, clap::Args)]
pub struct CtlArguments {
    #[command(subcommand)]
    what: CtlTopic,
}

#[derive(Debug, Subcommand)]
enum CtlTopic {
    /// Sends a command, as if it had been spoken.
    Focus {
        /// The command.
        #[arg(value_parser = command_parser())]
        order: Command,
    },
    /// Says something to Luna as text, by the way of spoken words: wake word and confirmation rules hold.
    SayTo {
        /// The words.
        text: String,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Carries out an order on the screen as if it had been said: "저장 눌러", "check Remember me".
    Do {
        /// The order, without the wake word.
        utterance: String,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Answers the question that an order led to: a number, an ordinal, the text of an element, no. Nothing dangerous can be confirmed this way.
    Answer {
        /// The answer.
        text: String,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Shows events as they happen, one JSON object a line.
    Events {
        /// Continues until Luna ends or you interrupt; default: waits for the next event only.
        #[arg(long)]
        follow: bool,
    },
    /// Shows the state of Luna.
    Status {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Shows how the newest commands and picks passed through Luna, with times.
    Trace {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Parses the words of all commands that can be sent.
fn command_parser() -> impl TypedValueParser<Value = Command> {
    let words = Command::ctl_words();
    let values = PossibleValuesParser::new(words.iter().map(|(word, _)| *word));
    values.try_map(move |said| {
        words.iter().find(|(word, _)| *word == said).map(|(_, command)| *command).ok_or("no command has this name")
    })
}

/// Runs `luna ctl`.
///
/// # Errors
/// If no Luna runs, it does not answer or refuses the command, or the output can't be written.
pub fn run(arguments: CtlArguments) -> anyhow::Result<ExitCode> {
    let control = control_file::read(&control_file::path())?;
    // Only the Luna that created the token may see it.
    peer::verify(&control)?;
    match arguments.what {
        CtlTopic::Focus { order } => send(&control, order),
        CtlTopic::SayTo { text, json } => say_to(&control, text, json),
        CtlTopic::Do { utterance, json } => orders::print(&control_client::carry_out(&control, utterance)?, json),
        CtlTopic::Answer { text, json } => orders::print(&control_client::answer(&control, text)?, json),
        CtlTopic::Events { follow } => events(&control, follow),
        CtlTopic::Status { json } => status(&control, json),
        CtlTopic::Trace { json } => trace::run(&control, json),
    }
}

fn send(control: &ControlFile, command: Command) -> anyhow::Result<ExitCode> {
    control_client::send(control, command)?;
    Ok(ExitCode::SUCCESS)
}

/// Exit codes: 0 if Luna obeys, asks or answers; 3 if it does nothing about the words.
fn say_to(control: &ControlFile, text: String, json: bool) -> anyhow::Result<ExitCode> {
    let report = control_client::say_to(control, text)?;
    if json {
        output::json(&report)?;
    } else {
        let outcome = serde_json::to_value(report.outcome)?;
        output::line(&format!("{} {}", outcome.as_str().unwrap_or_default(), report.why))?;
    }
    Ok(match report.outcome {
        HeardOutcome::Obeyed | HeardOutcome::AskedModel | HeardOutcome::Called => ExitCode::SUCCESS,
        HeardOutcome::NotUnderstood
        | HeardOutcome::NotAddressed
        | HeardOutcome::OwnVoice
        | HeardOutcome::NoWords
        | HeardOutcome::NotTranscribed
        | HeardOutcome::Repeated
        | HeardOutcome::AtTheBorder => ExitCode::from(NOTHING_DONE),
    })
}

fn events(control: &ControlFile, follow: bool) -> anyhow::Result<ExitCode> {
    for line in control_client::events(control)?.lines() {
        // The stream ends when Luna exits, which is no error of this command.
        let Ok(line) = line else { break };
        if !output::line(&line)? || !follow {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn status(control: &ControlFile, json: bool) -> anyhow::Result<ExitCode> {
    let status = control_client::ask_status(control)?;
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
        Some(memory) => print_memory(memory)?,
        None => drop(output::line("  The actor that manages the memory for models does not answer.")?),
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

/// Prints how the memory for models is used (GPU-1).
fn print_memory(memory: &GpuStatus) -> Result<(), output::OutputError> {
    let place = |place| match place {
        MemoryPlace::Card => memory.card.as_deref().unwrap_or("the card"),
        MemoryPlace::Ram => "the computer's memory",
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
