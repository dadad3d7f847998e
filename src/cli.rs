//! The command line: one file per subcommand, in `cli/`.
//!
//! Exit codes of all subcommands: 0 success, 1 failure, 2 wrong usage or configuration.

pub mod output;

pub mod run;

pub mod ctl;
pub mod keys;
pub mod mcp;
pub mod read;
pub mod say;
pub mod tools;

pub mod input;
pub mod listen;
pub mod llm;
pub mod lock;
pub mod progress;
pub mod schema;
pub mod summarize;
pub mod transcribe;
pub mod translate;
pub mod understand;

pub mod config;
pub mod doctor;
pub mod models;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use luna_model_store::Manifest;
use luna_model_store::manifest::Format;

use luna_config::{LoadOptions, LoadedConfig};

/// Luna reads aloud what is under the cursor, in Korean and English.
#[derive(Debug, Parser)]
#[command(
    name = "luna",
    version,
    about,
    after_help = "Exit codes: 0 it worked, 1 it did not, 2 wrong usage or configuration."
)]
pub struct Cli {
    /// Options of all subcommands.
    #[command(flatten)]
    pub globals: Globals,
    /// The subcommand.
    #[command(subcommand)]
    pub verb: CliCommand,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Starts Luna and keeps it running.
    Run(run::RunArguments),
    /// Batch commands.
    #[command(flatten)]
    Batch(BatchCommand),
}

/// The batch commands: each does one thing and ends.
#[derive(Debug, Subcommand)]
pub enum BatchCommand {
    /// Controls the running Luna, or shows its state.
    Ctl(ctl::CtlArguments),
    /// Lists the tools that programs and models may call, or calls one of the running Luna.
    Tools(tools::ToolsArguments),
    /// Offers the tools of the running Luna to another agent by MCP, on standard input and output.
    Mcp(mcp::McpArguments),
    /// Lists the keys, and tells which of them Luna has.
    Keys(keys::KeysArguments),
    /// Reads what is at a place on the screen or in a picture, once.
    Read(read::ReadArguments),
    /// Speaks a text, or writes the speech to a sound file.
    Say(say::SayArguments),
    /// Asks a language model on this machine.
    Llm(llm::LlmArguments),
    /// Checks that a translation preserves the numbers, dates and names of its source.
    Lock(lock::LockArguments),
    /// Translates a text, sentence by sentence.
    Translate(translate::TranslateArguments),
    /// Summarises a text.
    Summarize(summarize::SummarizeArguments),
    /// Prints the JSON Schemas of the messages between Luna and a language model.
    Schema(schema::SchemaArguments),
    /// Transcribes the speech in a sound file.
    Transcribe(transcribe::TranscribeArguments),
    /// Prints what is heard and understood, from the microphone or a sound file.
    Listen(listen::ListenArguments),
    /// Shows how Luna understands an utterance.
    Understand(understand::UnderstandArguments),
    /// Checks what works on this machine, and says how to get the rest.
    Doctor(doctor::DoctorArguments),
    /// Shows, checks and describes the configuration.
    Config(config::ConfigArguments),
    /// Lists, fetches and verifies models.
    Models(models::ModelsArguments),
}

/// The flags that every subcommand shares.
#[derive(Debug, Clone, clap::Args)]
pub struct Globals {
    /// The configuration file; default: LUNA_CONFIG, else luna/config.yaml in the user's configuration folder.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The profile; default: LUNA_PROFILE, else `default`.
    #[arg(long, global = true)]
    pub profile: Option<String>,
    /// Sets a single key, such as `tts.rate=1.2`. May be repeated.
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

impl Globals {
    /// The options for loading the configuration.
    #[must_use]
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions::from_process(self.config.clone(), self.profile.clone(), self.sets.clone())
    }

    /// Loads the configuration; prints the values that were corrected or have no effect to standard error (CFG-5).
    ///
    /// # Errors
    /// If the configuration is invalid; the error lists every mistake with file, line and column.
    pub fn load(&self) -> anyhow::Result<LoadedConfig> {
        let loaded = self.load_quietly()?;
        loaded.warnings.iter().for_each(|warning| output::remark(&format!("luna: {warning}")));
        Ok(loaded)
    }

    /// As [`Globals::load`], but prints no warnings; the caller reports them.
    ///
    /// # Errors
    /// As for [`Globals::load`].
    pub fn load_quietly(&self) -> anyhow::Result<LoadedConfig> {
        luna_config::load(&self.load_options()).map_err(|error| anyhow::Error::new(error).context(Usage))
    }
}

/// Marks an error as wrong usage or configuration: exit code 2.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the configuration can't be used")]
pub struct Usage;

/// Forbids core files, so that the memory, screen text above all, is never written to disk (BUF-3). The first step of every command.
pub fn keep_memory_private() {
    if let Err(error) = luna_actor_runtime::memory_only::forbid_core_files() {
        output::remark(&format!("luna: this system does not let Luna forbid core files: {error}"));
    }
}

/// Shows help, the version, or what is wrong with the arguments. Exit codes: 0 success, 1 the text can't be written, 2 wrong usage.
#[must_use]
pub fn show(shown: &clap::Error) -> ExitCode {
    match output::help(shown) {
        Ok(_) => ExitCode::from(if shown.use_stderr() { 2 } else { 0 }),
        Err(error) => {
            output::error(&error.into());
            ExitCode::FAILURE
        }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// Any failure for which the subcommand has no exit code of its own.
pub fn dispatch(command: BatchCommand, globals: &Globals) -> anyhow::Result<ExitCode> {
    match command {
        BatchCommand::Ctl(arguments) => ctl::run(arguments),
        BatchCommand::Tools(arguments) => tools::run(arguments),
        BatchCommand::Mcp(arguments) => mcp::run(arguments),
        BatchCommand::Keys(arguments) => keys::run(arguments, globals),
        BatchCommand::Read(arguments) => read::run(arguments, globals),
        BatchCommand::Say(arguments) => say::run(arguments, globals),
        BatchCommand::Llm(arguments) => llm::run(arguments, globals),
        BatchCommand::Lock(arguments) => lock::run(arguments),
        BatchCommand::Translate(arguments) => translate::run(arguments, globals),
        BatchCommand::Summarize(arguments) => summarize::run(arguments, globals),
        BatchCommand::Schema(arguments) => schema::run(arguments),
        BatchCommand::Transcribe(arguments) => transcribe::run(arguments, globals),
        BatchCommand::Listen(arguments) => listen::run(arguments, globals),
        BatchCommand::Understand(arguments) => understand::run(arguments, globals),
        BatchCommand::Doctor(arguments) => doctor::run(arguments, globals),
        BatchCommand::Config(arguments) => config::run(arguments, globals),
        BatchCommand::Models(arguments) => models::run(arguments, globals),
    }
}

/// The exit code of a command's outcome; prints the error, if any.
#[must_use]
pub fn exit_code(outcome: anyhow::Result<ExitCode>) -> ExitCode {
    outcome.unwrap_or_else(|error| {
        output::error(&error);
        if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
    })
}

/// Resolves a model named on the command line: a manifest name with a file of this format, or the path of a file.
///
/// # Errors
/// If the name is unknown; the error is a sentence that lists the known names.
fn chosen_model(named: &str, format: Format) -> Result<String, String> {
    if let Some(path) = luna_config::check::model_path(named) {
        let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
        return Ok(whole.unwrap_or_else(|_| path.to_owned()).display().to_string());
    }
    let models = Manifest::built_in().map(|manifest| manifest.models).unwrap_or_default();
    let fits = models.into_iter().filter(|model| model.files.first().is_some_and(|file| file.format == format));
    let known: Vec<String> = fits.map(|model| model.name).collect();
    if known.iter().any(|name| name == named) {
        return Ok(named.to_owned());
    }
    Err(format!(
        "luna: there is no model \"{named}\" for this. Known: {}; or give the path of a file.",
        known.join(", ")
    ))
}

/// Puts the model of `--model`, if there is one, into its place in the configuration.
///
/// # Errors
/// If the name is unknown: the exit code of wrong usage, after the known names were printed.
fn choose_model(place: &mut Option<String>, named: Option<&str>, format: Format) -> Result<(), ExitCode> {
    let Some(named) = named else { return Ok(()) };
    match chosen_model(named, format) {
        Ok(model) => *place = Some(model),
        Err(wrong) => {
            output::remark(&wrong);
            return Err(ExitCode::from(2));
        }
    }
    Ok(())
}

/// A runtime for batch commands.
///
/// # Errors
/// If the system can't start threads.
pub fn small_runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}
