//! `luna models list|fetch|verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use luna_model_store::fetch::{FetchOutcome, Fetcher, HttpSettings};
use luna_model_store::{Manifest, ModelError, ModelKind, ModelState, ModelStore, ProgressSink, StoredState};
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
        /// Names of models, or of sets: default (what Luna needs to run; used without any name), voice (what listening needs: the models of
        /// models.tasks.stt and stt_command), all.
        names: Vec<String>,
        /// All models, about 7 GB.
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
    /// Verify the checksums of installed models. Exit code 1 if one is wrong.
    Verify {
        /// Names of models, or voice; default: all that are installed.
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
    let store = ModelStore::new(Manifest::built_in()?, directory(arguments.models_dir.clone(), &config)?)
        .owned(engines::check_owner);
    run_in(&store, &config, arguments)
}

/// As [`run`], in a given store.
///
/// # Errors
/// If the output can't be written.
pub fn run_in(store: &ModelStore, config: &Config, arguments: ModelsArguments) -> anyhow::Result<ExitCode> {
    match arguments.action {
        ModelsAction::List => list(store, config, arguments.json),
        ModelsAction::Fetch { names, all } => {
            let names = match (all, names.is_empty()) {
                (true, _) => vec!["all".to_owned()],
                (false, true) => vec!["default".to_owned()],
                (false, false) => names,
            };
            match chosen(store, config, &names) {
                Ok(models) => fetch(store, &models, &names, arguments.json),
                Err(error) => Ok(wrong_usage(&error)),
            }
        }
        ModelsAction::Verify { names } => match known(store, config, &names) {
            // A set of nothing but own files is not "all that are installed".
            Ok(models) if models.is_empty() && !names.is_empty() => Ok(ExitCode::SUCCESS),
            Ok(models) => verify(store, &models, arguments.json),
            Err(error) => Ok(wrong_usage(&error)),
        },
    }
}

/// Why names of models or sets can't be resolved.
#[derive(Debug, thiserror::Error)]
enum ChoiceError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(
        "No model for speech recognition is configured. Set models.tasks.stt to a name that `luna models list` shows, such as whisper-base."
    )]
    NoSpeechModel,
}

/// The set whose models the configuration names: those of speech recognition.
const VOICE: &str = "voice";

fn wrong_usage(error: &ChoiceError) -> ExitCode {
    output::remark(&error.to_string());
    ExitCode::from(2)
}

fn known(store: &ModelStore, config: &Config, names: &[String]) -> Result<Vec<String>, ChoiceError> {
    let mut known = Vec::new();
    for name in names {
        if name == VOICE {
            known.extend(voice(store, config)?);
        } else {
            store.manifest().expect_model(name)?;
            known.push(name.clone());
        }
    }
    Ok(known)
}

/// The models that listening needs (STT-1, STT-2). A file of the person's own is named and left out.
fn voice(store: &ModelStore, config: &Config) -> Result<Vec<String>, ChoiceError> {
    let tasks = &config.models.tasks;
    let stt = tasks.stt.as_deref().ok_or(ChoiceError::NoSpeechModel)?;
    let mut models = Vec::new();
    for (key, name) in [("stt", Some(stt)), ("stt_command", engines::separate_command_model(config))] {
        let Some(name) = name else { continue };
        if luna_config::check::model_path(name).is_some() {
            output::remark(&format!(
                "models.tasks.{key} is a file of your own, {name}; it is neither fetched nor verified."
            ));
        } else {
            models.push(store.manifest().expect_model(name)?.name.clone());
        }
    }
    Ok(models)
}

/// Resolves names of models and sets to models, each once.
fn chosen(store: &ModelStore, config: &Config, names: &[String]) -> Result<Vec<String>, ChoiceError> {
    let mut chosen: Vec<String> = Vec::new();
    for name in names {
        let models = if name == VOICE {
            voice(store, config)?
        } else if store.manifest().model(name).is_some() {
            vec![name.clone()]
        } else {
            // The error lists the models, which helps more than the shorter list of sets.
            store
                .manifest()
                .set(name)
                .or_else(|_| store.manifest().expect_model(name).map(|model| vec![model.name.clone()]))?
        };
        for model in models {
            if !chosen.contains(&model) {
                chosen.push(model);
            }
        }
    }
    Ok(chosen)
}

fn list(store: &ModelStore, config: &Config, json: bool) -> anyhow::Result<ExitCode> {
    let (models, tasks) = (store.list(), tasks(config));
    if json {
        let tasks: serde_json::Map<_, _> =
            tasks.into_iter().map(|(task, model)| (task.to_owned(), json!(model))).collect();
        output::json(&json!({ "directory": store.directory(), "models": models, "tasks": tasks }))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::line(&format!("Models in {}", store.directory().display()))?;
    for model in &models {
        let of: Vec<&str> = tasks.iter().filter(|(_, name)| *name == model.name).map(|(task, _)| *task).collect();
        output::line(&format!("{}{}", describe(model), configured_for(&of)))?;
        for problem in model.files.iter().filter_map(|file| file.problem.as_ref()) {
            output::line(&format!("    {problem}"))?;
        }
        if model.kind == ModelKind::System && model.state == StoredState::Missing {
            output::line(&format!("    sudo apt-get install {}", model.packages.join(" ")))?;
        }
    }
    for (task, file) in tasks.iter().filter(|(_, name)| luna_config::check::model_path(name).is_some()) {
        let state = if std::path::Path::new(file).is_file() { "present" } else { "missing" };
        output::line(&format!("{file}: {state}; a file of your own{}", configured_for(&[task])))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The models that the configuration names, by task. Speech recognition of commands is listed only if it has a model of its own (STT-2).
fn tasks(config: &Config) -> Vec<(&'static str, &str)> {
    let tasks = &config.models.tasks;
    let named = [
        ("stt", tasks.stt.as_deref()),
        ("stt_command", engines::separate_command_model(config)),
        ("intent", tasks.intent.as_deref()),
        ("translate", tasks.translate.as_deref()),
        ("translate_large", tasks.translate_large.as_deref()),
    ];
    named.into_iter().filter_map(|(task, name)| Some((task, name?))).collect()
}

fn configured_for(tasks: &[&str]) -> String {
    if tasks.is_empty() { String::new() } else { format!(" [models.tasks: {}]", tasks.join(", ")) }
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

/// Fetches these models, which `requested`, names of models and sets, stands for.
fn fetch(store: &ModelStore, names: &[String], requested: &[String], json: bool) -> anyhow::Result<ExitCode> {
    let mut fetcher = Fetcher::new(store, HttpSettings::default(), |name| std::env::var(name).ok());
    let mut sink = DownloadProgress::new();
    let mut failed = Vec::new();
    let mut done = Vec::new();
    let mut all_there = true;
    for name in names {
        match fetcher.fetch(name, &mut sink) {
            Ok(files) => {
                let there = files.iter().all(|file| *file == FetchOutcome::AlreadyPresent);
                all_there &= there;
                if there && !json {
                    output::line(&format!("{name}: there already."))?;
                }
                done.push(json!({ "name": name, "fetched": !there }));
            }
            Err(error) => {
                all_there = false;
                sink.clear();
                output::remark(&error.to_string());
                failed.push(json!({ "name": name, "error": error.to_string() }));
            }
        }
    }
    if json {
        output::json(&json!({ "directory": store.directory(), "done": done, "failed": failed }))?;
    } else if all_there {
        for set in requested.iter().filter(|name| store.manifest().model(name).is_none()) {
            output::line(&format!("{set}: nothing to fetch, all of it is there."))?;
        }
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
