//! `luna tools`.

use std::process::ExitCode;

use clap::Subcommand;
use luna_messages::tools::{ToolFailureKind, ToolReport};
use luna_tools::ToolEffect;
use serde_json::Value;

use super::output;
use crate::{control_client, control_file, peer};

/// Exit code of a call that the person did not allow.
const NOT_ALLOWED: u8 = 3;

/// Lists the tools that programs and models may call, or calls one of the running Luna.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 it worked, 1 it did not, 2 no tool has the name or its input is not valid, 3 the person did not allow it."
)]
pub struct ToolsArguments {
    #[command(subcommand)]
    what: ToolsTopic,
}

#[derive(Debug, Subcommand)]
enum ToolsTopic {
    /// Lists the tools; no Luna need run.
    List {
        /// Prints JSON, with the schema of each input.
        #[arg(long)]
        json: bool,
    },
    /// Calls a tool and prints its result as JSON. What acts on the screen asks the person first.
    Call {
        /// The name of the tool.
        name: String,
        /// Its input, a JSON object.
        #[arg(default_value = "{}")]
        input: String,
    },
}

/// Runs `luna tools`.
///
/// # Errors
/// If no Luna runs, it does not answer or takes no calls, or the output can't be written.
pub fn run(arguments: ToolsArguments) -> anyhow::Result<ExitCode> {
    match arguments.what {
        ToolsTopic::List { json } => list(json),
        ToolsTopic::Call { name, input } => call(name, &input),
    }
}

fn list(json: bool) -> anyhow::Result<ExitCode> {
    let tools = luna_tools::list();
    if json {
        output::json(&tools)?;
        return Ok(ExitCode::SUCCESS);
    }
    for tool in &tools {
        let effect = match tool.effect {
            ToolEffect::Reads => "",
            ToolEffect::Acts => " [asks]",
        };
        let inputs: Vec<&String> =
            tool.input_schema["properties"].as_object().into_iter().flat_map(|of| of.keys()).collect();
        let inputs: Vec<&str> = inputs.into_iter().map(String::as_str).collect();
        output::line(&format!("{:15}{effect} {}", tool.name, tool.description))?;
        if !inputs.is_empty() {
            output::line(&format!("{:15} takes {}", "", inputs.join(", ")))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn call(name: String, input: &str) -> anyhow::Result<ExitCode> {
    let arguments: Value = match serde_json::from_str(input) {
        Ok(arguments) => arguments,
        Err(error) => {
            output::remark(&format!(
                "luna: the input is no JSON: {error}; write an object such as {{\"text\": \"hello\"}}"
            ));
            return Ok(ExitCode::from(2));
        }
    };
    let control = control_file::read(&control_file::path())?;
    // Only the Luna that created the token may see it.
    peer::verify(&control)?;
    let report = control_client::call_tool(&control, name, arguments)?;
    output::json(&report)?;
    Ok(exit_code(&report))
}

fn exit_code(report: &ToolReport) -> ExitCode {
    match report.error.as_ref().map(|error| error.kind) {
        None => ExitCode::SUCCESS,
        Some(ToolFailureKind::UnknownTool | ToolFailureKind::InvalidInput) => ExitCode::from(2),
        Some(ToolFailureKind::NotAllowed) => ExitCode::from(NOT_ALLOWED),
        Some(
            ToolFailureKind::Busy
            | ToolFailureKind::Stopped
            | ToolFailureKind::TimedOut
            | ToolFailureKind::NotFound
            | ToolFailureKind::Changed
            | ToolFailureKind::Covered
            | ToolFailureKind::NotAvailable
            | ToolFailureKind::Partly
            | ToolFailureKind::Failed,
        ) => ExitCode::FAILURE,
    }
}
