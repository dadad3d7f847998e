//! Loads a [`Config`] from files, variables and flags.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bounded::{InputError, bounded};
use super::error::{ConfigError, ConfigFault, Problem};
use super::nearest::nearest;
use super::origin::ValueOrigin;
use super::place::{ConfigSource, SourcePosition};
use super::profile::{DEFAULT, Document, effective, overlay};
use super::schema_check::{ConfigSchema, Extent};
use super::tree::{self, ConfigNode, MAX_FILE_BYTES, YamlValue};
use super::{BUILT_IN, Config, check, effect, overrides};

/// Sources of a configuration. Only [`LoadOptions::from_process`] reads the process environment.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// `--config`; default: `LUNA_CONFIG` of `env`, then the usual place.
    pub file: Option<PathBuf>,
    /// `--profile`; default: `LUNA_PROFILE` of `env`, then `default`.
    pub profile: Option<String>,
    /// `--set key=value`; the last wins.
    pub sets: Vec<String>,
    /// Environment variables. If empty, only [`LoadOptions::file`] is read.
    pub env: BTreeMap<String, String>,
    /// Whether this is a release build, which refuses settings for development (PRV-8).
    pub release: bool,
}

impl LoadOptions {
    /// These flags, with the environment of this process. Variables that aren't UTF-8 are ignored.
    #[must_use]
    pub fn from_process(file: Option<PathBuf>, profile: Option<String>, sets: Vec<String>) -> Self {
        let env =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self { file, profile, sets, env: env.collect(), release: !cfg!(debug_assertions) }
    }
}

/// A configuration with its origins and warnings.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    pub config: Config,
    /// The origin of each value, by key.
    pub provenance: BTreeMap<String, ValueOrigin>,
    /// Sentences about values that were adjusted or have no effect.
    pub warnings: Vec<String>,
    pub profile: String,
    /// The person's file, whether it exists or not; `None` if there is no place for it.
    pub file: Option<PathBuf>,
    /// Whether that file exists.
    pub file_found: bool,
}

/// The person's file: `--config`, else `LUNA_CONFIG`, else `$XDG_CONFIG_HOME/luna/config.yaml`, `~/.config/luna/config.yaml`, on
/// Windows `%APPDATA%\luna\config.yaml`. The flag tells whether the person named it. `None` without a home folder.
#[must_use]
pub fn user_file(options: &LoadOptions) -> Option<(PathBuf, bool)> {
    let var = |name: &str| options.env.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(file) = options.file.clone().or_else(|| var("LUNA_CONFIG")) {
        return Some((file, true));
    }
    let home = if cfg!(windows) {
        var("APPDATA")
    } else {
        var("XDG_CONFIG_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| var("HOME").map(|home| home.join(".config")))
    };
    home.map(|home| (home.join("luna").join("config.yaml"), false))
}

/// The effective configuration.
///
/// # Errors
/// A file that can't be read, or else all mistakes in the profiles of the file, the variables and the flags (CFG-2). A missing file is no error.
pub fn load(options: &LoadOptions) -> Result<LoadedConfig, ConfigError> {
    let schema = ConfigSchema::default();
    let mut problems = Vec::new();
    let mut warnings = Vec::new();

    let built_in = match tree::read(BUILT_IN, &Arc::new(ConfigSource::BuiltIn))? {
        Some(node) => Document::new(node, &mut problems),
        None => Document::default(),
    };
    let file = user_file(options);
    let mut file_found = false;
    let mut user = Document::default();
    if let Some((path, named)) = &file {
        match read_file(path)? {
            Some(text) => {
                file_found = true;
                user = read_user(path, &text, &schema, &mut problems);
            }
            None if *named => warnings.push(format!("{} is not there; the built-in defaults hold.", path.display())),
            None => {}
        }
    }
    let documents = [&built_in, &user];
    let (profile, place) = chosen_profile(options);
    let known = effective(&documents, &profile);
    if known.is_none() {
        let mut allowed: Vec<String> = documents.iter().flat_map(|it| it.names()).map(str::to_owned).collect();
        allowed.sort();
        allowed.dedup();
        let nearest = nearest(&profile, allowed.iter().map(String::as_str)).map(str::to_owned);
        let fault = ConfigFault::NotOneOf { found: profile.clone(), nearest, allowed };
        problems.push(Problem { place, key: "profile".into(), fault });
    }
    let Some(mut node) = known.or_else(|| effective(&documents, DEFAULT)) else {
        return Err(ConfigError::Invalid(problems));
    };
    for layer in layers_above(options, &schema, &node) {
        match layer {
            Ok(layer) => {
                let found = schema.problems(&layer, Extent::Layer);
                if found.is_empty() {
                    node = overlay(node, layer);
                } else {
                    problems.extend(found);
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    let whole = schema.problems(&node, Extent::Whole);
    let validated = if whole.is_empty() { check::validated(&node, options.release, &mut warnings) } else { Err(whole) };
    let config = match validated {
        Ok(config) if problems.is_empty() => config,
        other => {
            let found = other.err().unwrap_or_default();
            problems.extend(found.into_iter().filter(|problem| !problems.contains(problem)).collect::<Vec<_>>());
            return Err(ConfigError::Invalid(problems));
        }
    };
    let mut provenance = BTreeMap::new();
    collect(&node, String::new(), &mut provenance);
    warnings.extend(effect::warnings(&provenance));
    Ok(LoadedConfig { config, provenance, warnings, profile, file: file.map(|(path, _)| path), file_found })
}

/// [`load`] for each profile of the file, for `luna config check`.
///
/// # Errors
/// A file that can't be read, or else all mistakes in all profiles.
pub fn load_all_profiles(options: &LoadOptions) -> Result<LoadedConfig, ConfigError> {
    let chosen = load(options);
    let mut problems = match &chosen {
        Ok(_) => Vec::new(),
        Err(ConfigError::Invalid(problems)) => problems.clone(),
        Err(ConfigError::Unreadable { .. } | ConfigError::TooLarge { .. } | ConfigError::NoFile { .. }) => {
            return chosen;
        }
    };
    let bytes = user_file(options).map(|(path, _)| read_file(&path)).transpose()?.flatten().unwrap_or_default();
    let source = Arc::new(ConfigSource::BuiltIn);
    let root = std::str::from_utf8(&bytes).ok().and_then(|text| tree::read(text, &source).ok()).flatten();
    let document = root.map(|node| Document::new(node, &mut Vec::new())).unwrap_or_default();
    for name in document.names() {
        let other = LoadOptions { profile: Some(name.to_owned()), ..options.clone() };
        if let Err(ConfigError::Invalid(found)) = load(&other) {
            for problem in found {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    if problems.is_empty() { chosen } else { Err(ConfigError::Invalid(problems)) }
}

/// The bytes of a file; `None` if it does not exist. Never blocks on a pipe, and never reads an endless device.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { file: path.to_owned(), source };
    let no_file = |what| ConfigError::NoFile { file: path.to_owned(), what };
    let file = match super::stream::open_at_once(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(file) => file,
    };
    let kind = file.metadata().map_err(unreadable)?.file_type();
    if kind.is_dir() {
        return Err(no_file("a folder"));
    }
    if !kind.is_file() {
        // `/dev/null` counts as an empty file: it is the usual way to name no configuration.
        let nothing = !is_pipe(kind) && matches!((&file).read(&mut [0]), Ok(0));
        return if nothing { Ok(Some(Vec::new())) } else { Err(no_file("a pipe or a device")) };
    }
    match bounded(file, "", MAX_FILE_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(InputError::Unreadable { source, .. }) => Err(unreadable(source)),
        Err(_) => Err(ConfigError::TooLarge { file: path.to_owned(), largest: MAX_FILE_BYTES }),
    }
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    false
}

fn read_user(path: &Path, bytes: &[u8], schema: &ConfigSchema, problems: &mut Vec<Problem>) -> Document {
    let source = Arc::new(ConfigSource::File { path: path.display().to_string() });
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() as u64 + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
            problems.push(Problem {
                place: SourcePosition { source, line, column },
                key: String::new(),
                fault: ConfigFault::NotUtf8,
            });
            return Document::default();
        }
    };
    match tree::read(text, &source) {
        Ok(None) => Document::default(),
        Ok(Some(node)) => {
            let document = Document::new(node, problems);
            for own in document.own() {
                // A mistake in a block that several profiles merge is reported once.
                for problem in schema.problems(own, Extent::Layer) {
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }
            }
            document
        }
        Err(problem) => {
            problems.push(problem);
            Document::default()
        }
    }
}

fn chosen_profile(options: &LoadOptions) -> (String, SourcePosition) {
    let place = |source| SourcePosition { source: Arc::new(source), line: 0, column: 0 };
    if let Some(name) = &options.profile {
        return (name.clone(), place(ConfigSource::Flag { text: format!("--profile {name}") }));
    }
    match options.env.get("LUNA_PROFILE").filter(|name| !name.is_empty()) {
        Some(name) => (name.clone(), place(ConfigSource::Env { name: "LUNA_PROFILE".into() })),
        None => (DEFAULT.to_owned(), place(ConfigSource::BuiltIn)),
    }
}

fn layers_above(options: &LoadOptions, schema: &ConfigSchema, below: &ConfigNode) -> Vec<Result<ConfigNode, Problem>> {
    let env = options.env.iter().filter(|(name, _)| name.starts_with(overrides::PREFIX));
    let env = env.map(|(name, value)| overrides::from_env(schema, below, name, value));
    env.chain(options.sets.iter().map(|text| overrides::from_flag(schema, text))).collect()
}

fn collect(node: &ConfigNode, path: String, into: &mut BTreeMap<String, ValueOrigin>) {
    match &node.value {
        YamlValue::Map(entries) if !entries.is_empty() => {
            for entry in entries {
                collect(&entry.node, super::schema_check::join(&path, &entry.key), into);
            }
        }
        _ => {
            into.insert(path, ValueOrigin::new(node));
        }
    }
}
