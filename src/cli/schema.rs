//! `luna schema`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use luna_llm_tasks::dsl::schema::PublishedSchema;

use super::output;

/// Prints a JSON Schema of the messages between Luna and a language model (DSL-1, DSL-2, DSL-5).
#[derive(Debug, clap::Args)]
pub struct SchemaArguments {
    /// Name of the schema; default: lists the names.
    #[arg(value_parser = PublishedSchema::ALL.map(PublishedSchema::name))]
    name: Option<String>,
    /// Writes all schemas into a folder instead, as NAME.json.
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    write: Option<PathBuf>,
}

/// Runs `luna schema`.
///
/// # Errors
/// If the folder or the output can't be written.
pub fn run(arguments: SchemaArguments) -> anyhow::Result<ExitCode> {
    if let Some(folder) = arguments.write {
        for schema in PublishedSchema::ALL {
            let file = folder.join(format!("{}.json", schema.name()));
            std::fs::write(&file, schema.text()).with_context(|| format!("{} can't be written", file.display()))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    match arguments.name {
        None => {
            let names: Vec<&str> = PublishedSchema::ALL.iter().map(|schema| schema.name()).collect();
            output::line(&names.join("\n"))?;
        }
        Some(name) => {
            let schema = PublishedSchema::ALL.into_iter().find(|schema| schema.name() == name);
            output::piece(&schema.map(PublishedSchema::text).unwrap_or_default())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
