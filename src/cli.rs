//! The command line: one file per subcommand, in `cli/`.
//!
//! Exit codes, everywhere: 0 it worked, 1 it did not, 2 the command or the configuration is wrong.

pub mod output;

pub mod run;

pub mod ctl;
pub mod read;
pub mod say;

pub mod input;
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
    /// What goes for all subcommands.
    #[command(flatten)]
    pub globals: Globals,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Starts Luna and keeps it running.
    Run(run::RunArguments),
    /// Does one thing and ends.
    #[command(flatten)]
    Batch(BatchCommand),
}

/// The subcommands that do one thing and end.
#[derive(Debug, Subcommand)]
pub enum BatchCommand {
    /// Tells the running Luna what to do, or shows what it does.
    Ctl(ctl::CtlArguments),
    /// Reads what stands at a place of the screen or in a picture, once.
    Read(read::ReadArguments),
    /// Says a text, or writes it to a sound file.
    Say(say::SayArguments),
    /// Has a language model on this machine answer.
    Llm(llm::LlmArguments),
    /// Compares translations with their sources: nothing may change on the way.
    Lock(lock::LockArguments),
    /// Translates a text, sentence by sentence.
    Translate(translate::TranslateArguments),
    /// Summarises a text.
    Summarize(summarize::SummarizeArguments),
    /// Prints the JSON Schemas of what Luna and a language model say to each other.
    Schema(schema::SchemaArguments),
    /// Writes the speech in a sound file down.
    Transcribe(transcribe::TranscribeArguments),
    /// Tells what an utterance is taken to mean.
    Understand(understand::UnderstandArguments),
    /// Tells what works here, and how to get the rest.
    Doctor(doctor::DoctorArguments),
    /// Shows, checks and describes the configuration.
    Config(config::ConfigArguments),
    /// Lists, fetches and verifies models.
    Models(models::ModelsArguments),
}

/// The flags that every subcommand shares.
#[derive(Debug, Clone, clap::Args)]
pub struct Globals {
    /// The configuration file; else LUNA_CONFIG, else luna/config.yaml in the user's configuration folder.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The profile; else LUNA_PROFILE, else `default`.
    #[arg(long, global = true)]
    pub profile: Option<String>,
    /// Sets a single key, such as `tts.rate=1.2`. May be repeated.
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

impl Globals {
    /// How the configuration is to be loaded.
    #[must_use]
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions::from_process(self.config.clone(), self.profile.clone(), self.sets.clone())
    }

    /// Loads the configuration and tells what of it is not as typed, or has no effect, on the error output (CFG-5).
    ///
    /// # Errors
    /// Everything that is wrong with it, with file, line and column.
    pub fn load(&self) -> anyhow::Result<LoadedConfig> {
        let loaded = self.load_in_silence()?;
        loaded.warnings.iter().for_each(|warning| output::remark(&format!("luna: {warning}")));
        Ok(loaded)
    }

    /// As [`Globals::load`], for who tells the warnings otherwise.
    ///
    /// # Errors
    /// The same.
    pub fn load_in_silence(&self) -> anyhow::Result<LoadedConfig> {
        luna_config::load(&self.load_options()).map_err(|error| anyhow::Error::new(error).context(Usage))
    }
}

/// Marks an error as wrong usage or configuration: exit code 2.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the configuration can't be used")]
pub struct Usage;

/// The first act of every command: what it holds in memory, screen text above all, is never written to disk (BUF-3).
pub fn keep_memory_private() {
    if let Err(error) = luna_actor_runtime::memory_only::forbid_core_files() {
        output::remark(&format!("luna: this system does not let Luna forbid core files: {error}"));
    }
}

/// Shows help, the version, or what is wrong with the arguments. Exit codes: 0 it was asked for, 1 it can't be written, 2 wrong usage.
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
/// Whatever ends it with an exit code other than its own.
pub fn dispatch(command: BatchCommand, globals: &Globals) -> anyhow::Result<ExitCode> {
    match command {
        BatchCommand::Ctl(arguments) => ctl::run(arguments),
        BatchCommand::Read(arguments) => read::run(arguments, globals),
        BatchCommand::Say(arguments) => say::run(arguments, globals),
        BatchCommand::Llm(arguments) => llm::run(arguments, globals),
        BatchCommand::Lock(arguments) => lock::run(arguments),
        BatchCommand::Translate(arguments) => translate::run(arguments, globals),
        BatchCommand::Summarize(arguments) => summarize::run(arguments, globals),
        BatchCommand::Schema(arguments) => schema::run(arguments),
        BatchCommand::Transcribe(arguments) => transcribe::run(arguments, globals),
        BatchCommand::Understand(arguments) => understand::run(arguments, globals),
        BatchCommand::Doctor(arguments) => doctor::run(arguments, globals),
        BatchCommand::Config(arguments) => config::run(arguments, globals),
        BatchCommand::Models(arguments) => models::run(arguments, globals),
    }
}

/// The exit code of what a command came to; tells what went wrong.
#[must_use]
pub fn exit_code(outcome: anyhow::Result<ExitCode>) -> ExitCode {
    outcome.unwrap_or_else(|error| {
        output::error(&error);
        if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
    })
}

/// A model that was named on the command line: a name of the manifest whose file has this format, or the path of a file.
///
/// # Errors
/// A name that there is not, as a sentence with all that there are: wrong usage.
pub fn chosen_model(named: &str, format: Format) -> Result<String, String> {
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

/// A runtime for commands that do one thing and end.
///
/// # Errors
/// If the system gives no threads.
pub fn small_runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}
