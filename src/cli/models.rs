//! `luna models list|fetch|verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use luna_model_store::fetch::{FetchOutcome, Fetcher, HttpSettings};
use luna_model_store::{Manifest, ModelKind, ModelState, ModelStore, ProgressSink, StoredState};
use serde_json::json;

use super::{Globals, output};
use crate::engines;
use luna_config::Config;

/// Lists, fetches and verifies models.
#[derive(clap::Args, Debug, Clone)]
pub struct ModelsArguments {
    /// The folder of models; default: LUNA_MODELS, else models.directory of the configuration, else luna/models in your data directory.
    #[arg(long, value_name = "DIR", global = true)]
    pub models_dir: Option<PathBuf>,
    /// Prints JSON, for programs.
    #[arg(long, global = true)]
    pub json: bool,
    /// The action.
    #[command(subcommand)]
    pub action: ModelsAction,
}

/// The actions of `luna models`.
#[derive(Subcommand, Debug, Clone)]
pub enum ModelsAction {
    /// Show all models: whether they are installed, size, purpose, licence.
    List,
    /// Fetch models that are missing or broken. Resumes interrupted downloads; verifies before use.
    Fetch {
        /// Names of models, or of sets: default (what Luna needs to run; used without any name), all.
        names: Vec<String>,
        /// All models, about 7 GB.
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
    /// Verify the checksums of installed models. Exit code 1 if one is wrong.
    Verify {
        /// Names of models; default: all that are installed.
        names: Vec<String>,
    },
}

/// The folder of models, by flag, environment and configuration.
///
/// # Errors
/// If no flag, environment variable or configuration key names a folder, and the data directory of the user is unknown.
pub fn directory(named: Option<PathBuf>, config: &Config) -> Result<PathBuf, luna_model_store::ModelError> {
    luna_model_store::directory(named, config.models.directory.clone(), |name| std::env::var(name).ok())
}

/// Runs `luna models`. Exit codes: 0 success, 1 a model could not be fetched or is wrong, 2 an unknown name.
///
/// # Errors
/// If the configuration or the built-in manifest is invalid, no folder can be determined, or the output can't be written.
pub fn run(arguments: ModelsArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = globals.load()?.config;
    let store =
        ModelStore::new(Manifest::built_in()?, directory(arguments.models_dir, &config)?).owned(engines::check_owner);
    match arguments.action {
        ModelsAction::List => list(&store, arguments.json),
        ModelsAction::Fetch { names, all } => match chosen(&store, names, all) {
            Ok(names) => fetch(&store, &names, arguments.json),
            Err(error) => Ok(wrong_usage(&error)),
        },
        ModelsAction::Verify { names } => match known(&store, names) {
            Ok(names) => verify(&store, &names, arguments.json),
            Err(error) => Ok(wrong_usage(&error)),
        },
    }
}

fn wrong_usage(error: &luna_model_store::ModelError) -> ExitCode {
    output::remark(&error.to_string());
    ExitCode::from(2)
}

fn known(store: &ModelStore, names: Vec<String>) -> Result<Vec<String>, luna_model_store::ModelError> {
    names.iter().try_for_each(|name| store.manifest().expect_model(name).map(drop))?;
    Ok(names)
}

/// Resolves names of models and sets to models, each once.
fn chosen(store: &ModelStore, names: Vec<String>, all: bool) -> Result<Vec<String>, luna_model_store::ModelError> {
    let names = match (all, names.is_empty()) {
        (true, _) => vec!["all".to_owned()],
        (false, true) => vec!["default".to_owned()],
        (false, false) => names,
    };
    let mut chosen: Vec<String> = Vec::new();
    for name in names {
        let models = if store.manifest().model(&name).is_some() {
            vec![name]
        } else {
            // The error lists the models, which helps more than the shorter list of sets.
            store
                .manifest()
                .set(&name)
                .or_else(|_| store.manifest().expect_model(&name).map(|model| vec![model.name.clone()]))?
        };
        for model in models {
            if !chosen.contains(&model) {
                chosen.push(model);
            }
        }
    }
    Ok(chosen)
}

fn list(store: &ModelStore, json: bool) -> anyhow::Result<ExitCode> {
    let models = store.list();
    if json {
        output::json(&json!({ "directory": store.directory(), "models": models }))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::line(&format!("Models in {}", store.directory().display()))?;
    for model in &models {
        output::line(&describe(model))?;
        for problem in model.files.iter().filter_map(|file| file.problem.as_ref()) {
            output::line(&format!("    {problem}"))?;
        }
        if model.kind == ModelKind::System && model.state == StoredState::Missing {
            output::line(&format!("    sudo apt-get install {}", model.packages.join(" ")))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(model: &ModelState) -> String {
    let state = match model.state {
        StoredState::Present => "present",
        StoredState::Missing => "missing",
        StoredState::Partial => "partial",
        StoredState::Broken => "broken",
        StoredState::NotForThisPlatform => "not for this platform",
    };
    let size = if model.kind == ModelKind::System { "system".to_owned() } else { megabytes(model.bytes) };
    format!("{:<24} {state:<8} {size:>10}  {} ({})", model.name, model.purpose, model.licence)
}

#[allow(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn fetch(store: &ModelStore, names: &[String], json: bool) -> anyhow::Result<ExitCode> {
    let mut fetcher = Fetcher::new(store, HttpSettings::default(), |name| std::env::var(name).ok());
    let mut sink = DownloadProgress::new();
    let mut failed = Vec::new();
    let mut done = Vec::new();
    for name in names {
        match fetcher.fetch(name, &mut sink) {
            Ok(files) => {
                let there = files.iter().all(|file| *file == FetchOutcome::AlreadyPresent);
                if there && !json {
                    output::line(&format!("{name}: there already."))?;
                }
                done.push(json!({ "name": name, "fetched": !there }));
            }
            Err(error) => {
                sink.clear();
                output::remark(&error.to_string());
                failed.push(json!({ "name": name, "error": error.to_string() }));
            }
        }
    }
    if json {
        output::json(&json!({ "directory": store.directory(), "done": done, "failed": failed }))?;
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn verify(store: &ModelStore, names: &[String], json: bool) -> anyhow::Result<ExitCode> {
    let mut results = Vec::new();
    let mut wrong = false;
    for model in &store.manifest().models {
        let named = names.contains(&model.name);
        if model.kind == ModelKind::System || !(named || names.is_empty()) {
            continue;
        }
        for file in model.files_here() {
            let path = store.path(model, file);
            if !named && !path.exists() {
                continue;
            }
            let problem = store.verify(model, file).err().map(|error| error.to_string());
            wrong |= problem.is_some();
            if !json {
                match &problem {
                    None => drop(output::line(&format!("{}/{}: right.", model.name, file.path))?),
                    Some(problem) => output::remark(problem),
                }
            }
            results.push(json!({ "name": model.name, "file": path, "ok": problem.is_none(), "problem": problem }));
        }
    }
    if json {
        output::json(&json!({ "directory": store.directory(), "files": results }))?;
    } else if results.is_empty() {
        output::line("No models are there. Get them with: luna models fetch")?;
    }
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Download progress: a bar on a terminal, lines elsewhere.
struct DownloadProgress {
    bar: Option<ProgressBar>,
}

impl DownloadProgress {
    const fn new() -> Self {
        Self { bar: None }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl ProgressSink for DownloadProgress {
    fn begin(&mut self, name: &str, source: &str, total: Option<u64>, done: u64) {
        self.clear();
        let size = total.map_or_else(|| "unknown size".to_owned(), megabytes);
        output::remark(&format!("{name}: {size} from {source}"));
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        let template = "{bar:30} {percent:>3} %  {bytes} of {total_bytes}  {bytes_per_sec}  {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        self.bar = Some(bar);
    }

    fn advance(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    fn finish(&mut self, name: &str, bytes: u64) {
        self.clear();
        output::remark(&format!("{name}: in place, verified, {}", megabytes(bytes)));
    }

    fn note(&mut self, text: &str) {
        self.clear();
        output::remark(text);
    }
}
