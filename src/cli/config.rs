//! `luna config show|check|schema`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use super::{Globals, output};
use luna_config::{ConfigError, load, load_all_profiles, schema, show, user_file};

/// Shows, checks and describes the configuration.
#[derive(clap::Args, Debug, Clone)]
pub struct ConfigArguments {
    /// The action.
    #[command(subcommand)]
    pub action: ConfigAction,
}

/// The actions of `luna config`.
#[derive(Subcommand, Debug, Clone)]
pub enum ConfigAction {
    /// Print the effective configuration, each value with its origin (default, file, env, flag).
    ///
    /// The output is YAML that can be used as a configuration file.
    Show {
        /// For programs: {"profile","file","config":{…},"from":{key: origin},"takes_effect":{key: when}}.
        #[arg(long)]
        json: bool,
    },
    /// Find all mistakes, each with file, line, column and a correction. Exit code 2 if there are any.
    Check {
        /// The file; default: the file in use.
        file: Option<PathBuf>,
        /// For programs: {"file","ok","problems":[…],"warnings":[…]}.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of a configuration file, for editors.
    Schema,
}

/// Runs `luna config`. Exit codes: 0 success, 2 the configuration is wrong.
///
/// # Errors
/// If the output can't be written. A wrong configuration is no error but exit code 2.
pub fn run(arguments: ConfigArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut options = globals.load_options();
    match arguments.action {
        ConfigAction::Schema => {
            output::json(&schema::schema())?;
            Ok(ExitCode::SUCCESS)
        }
        ConfigAction::Show { json } => match load(&options) {
            Ok(loaded) => {
                loaded.warnings.iter().for_each(|warning| output::remark(warning));
                if json {
                    output::json(&show::json(&loaded))?;
                } else {
                    output::line(show::yaml(&loaded).trim_end())?;
                }
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => {
                report(&error);
                Ok(ExitCode::from(2))
            }
        },
        ConfigAction::Check { file, json } => {
            let named = file.is_some();
            options.file = file.or(options.file);
            let path = user_file(&options).map(|(path, _)| path);
            let shown =
                path.as_ref().map_or_else(|| "the built-in defaults".to_owned(), |path| path.display().to_string());
            let result = load_all_profiles(&options);
            let missing = named && path.as_ref().is_some_and(|path| !path.exists());
            let (mut problems, warnings) = match &result {
                Ok(loaded) => (Vec::new(), loaded.warnings.clone()),
                Err(error) => (error.lines(), Vec::new()),
            };
            if missing {
                problems.push(format!("{shown}: there is no such file. Name one that is there."));
            }
            if json {
                let answer =
                    json!({ "file": path, "ok": problems.is_empty(), "problems": problems, "warnings": warnings });
                output::json(&answer)?;
            } else if problems.is_empty() {
                let found = result.is_ok_and(|loaded| loaded.file_found);
                warnings.iter().for_each(|warning| output::remark(warning));
                let state = if found { "no mistakes" } else { "not there; the built-in defaults hold" };
                output::line(&format!("{shown}: {state}."))?;
            } else {
                problems.iter().for_each(|problem| output::remark(problem));
            }
            Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
        }
    }
}

/// Prints the problems of a configuration to standard error, one a line.
pub fn report(error: &ConfigError) {
    error.lines().iter().for_each(|line| output::remark(line));
}
