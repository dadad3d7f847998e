//! Paths of the engine programs and their models, by the configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use luna_actor_ocr::{FindOcrModels, FindOcrModelsFn};
use luna_actor_runtime::blocking::BlockingService;
use luna_engine_host::EnginePolicy;
use luna_engine_host::ModelPlan;
use luna_engine_host::availability::FIND_MODEL_TIMEOUT;
use luna_engine_host::process::{EngineProgram, engine_path};
use luna_engine_protocol::{LlmLoad, LoadSpec, ModelFile, OcrLoad, RecogniserLoad, SpeechLoad, SttLoad, TesseractLoad};
use luna_ledger::budgets;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::MemoryPlace;
use luna_messages::llm::LlmTask;
use luna_model_store::{Manifest, ModelError, ModelStore};
use luna_platform::private_folder;

use luna_config::Config;

/// The program of an engine with its memory limit. The engine's policy decides whether `engines.nice` lowers its priority.
#[must_use]
pub fn program(kind: EngineKind, config: &Config) -> EngineProgram {
    let nice = i32::try_from(config.engines.nice).unwrap_or(10);
    let limits = &config.engines.memory_limit_mb;
    let policy = EnginePolicy::of(kind);
    let limit_mb = match kind {
        EngineKind::Ocr => limits.ocr,
        EngineKind::Speech => limits.speech,
        EngineKind::Llm => limits.llm,
        EngineKind::Stt | EngineKind::SttCommand => limits.stt,
    };
    let nice = if policy.lowers_priority { nice } else { 0 };
    let memory_limit = limit_mb.map(|mb| mb << 20);
    EngineProgram { kind, path: engine_path(policy.program), arguments: Vec::new(), nice, memory_limit }
}

/// Load specification of the speech engine: the system's library and data.
#[must_use]
pub const fn speech_load() -> SpeechLoad {
    SpeechLoad { library: None, data: None }
}

/// Finds the models of recognition at each call, so that a newly placed file is used (KER-9).
#[must_use]
pub fn find_ocr_models(config: Config) -> FindOcrModels {
    Arc::new(move || ocr_load(&config).map_err(|error| unavailable(&error)))
}

/// Runs the lookup on its own thread, with a deadline (KER-11).
#[must_use]
pub fn ocr_models(find: FindOcrModels) -> BlockingService<FindOcrModelsFn> {
    BlockingService::new("models", FIND_MODEL_TIMEOUT, find)
}

/// Load specification of the recognition engine.
///
/// # Errors
/// If a file is missing or broken, or there is no model store; the error names the first.
pub fn ocr_load(config: &Config) -> Result<OcrLoad, ModelError> {
    ocr_load_from(&store(config)?, config)
}

/// Load specification of the recognition engine, from this store.
///
/// # Errors
/// If a file is missing or broken, or there is no model store; the error names the first.
pub fn ocr_load_from(store: &ModelStore, config: &Config) -> Result<OcrLoad, ModelError> {
    let ocr = &config.engines.ocr;
    let mut recognisers = Vec::new();
    // The Korean recogniser is optional: without it Tesseract reads Hangul (OCR-1).
    if let Some(korean) = ocr.recognition_ko.as_deref()
        && let Ok(model) = store.resolve(korean, "")
    {
        recognisers.push(RecogniserLoad { name: "korean".to_owned(), model, dictionary: None });
    }
    let model = store.resolve(&ocr.recognition, "")?;
    recognisers.insert(0, RecogniserLoad { name: "latin".to_owned(), model, dictionary: None });
    Ok(OcrLoad {
        runtime_library: store.resolve("onnxruntime", "")?,
        detector: store.resolve(&ocr.detection, "")?,
        direction: ocr.direction.as_deref().map(|name| store.resolve(name, "")).transpose()?,
        recognisers,
        tesseract: Some(TesseractLoad { library: None, data: None, languages: "kor".to_owned() }),
        threads: ocr.threads as usize,
    })
}

/// Layers to offload to the card: all.
const ALL_LAYERS: u32 = 999;

/// A model's file on this disk.
struct InstalledModel {
    file: PathBuf,
    bytes: u64,
    /// Memory by the manifest, bytes; 0 if the model is not in it.
    memory: u64,
}

/// Finds the file of a task's model. The checksum of a manifest model is verified once, and again when the file changes (PRV-7).
fn find(config: &Config, named: &str) -> Result<InstalledModel, Unavailable> {
    let (file, memory) = match luna_config::check::model_path(named) {
        Some(path) => (path.to_owned(), 0),
        None => {
            let store = store(config).map_err(|error| unavailable(&error))?;
            let entry = store.manifest().expect_model(named).map_err(|error| unavailable(&error))?;
            (store.resolve_first(named).map_err(|error| unavailable(&error))?, entry.memory_mb << 20)
        }
    };
    let about = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file);
    let bytes = about.map(|about| about.len()).ok_or_else(|| Unavailable {
        reason: format!("The model file {} is not there.", file.display()),
        remedy: "Put it there, or name another one under models.tasks.".to_owned(),
    })?;
    Ok(InstalledModel { file, bytes, memory })
}

fn not_configured(key: &str, what: &str) -> Unavailable {
    Unavailable {
        reason: format!("No model for {what} is configured."),
        remedy: format!("Set {key} to a name that `luna models list` shows, or to the path of a file."),
    }
}

/// The language model for a task (TRN-5).
///
/// # Errors
/// If no model is configured for the task, or its file is missing or broken.
pub fn llm_model(config: &Config, task: LlmTask) -> Result<ModelPlan, Unavailable> {
    let tasks = &config.models.tasks;
    let (named, what) = match task {
        LlmTask::Intent => (&tasks.intent, "understanding commands"),
        LlmTask::Translate => (&tasks.translate, "translating"),
        LlmTask::TranslateLarge => (&tasks.translate_large, "translating hard sentences"),
    };
    let key = format!("models.tasks.{}", task.name());
    let named = named.as_ref().ok_or_else(|| not_configured(&key, what))?;
    let found = find(config, named)?;
    let engine = &config.engines.llm;
    let bytes = luna_actor_llm::memory_estimate::needed(found.bytes, engine.context_tokens).max(found.memory);
    let load = LlmLoad {
        name: named.clone(),
        model: ModelFile { path: found.file.clone(), bytes: Some(found.bytes), sha256: None },
        projector: None,
        context_tokens: engine.context_tokens,
        threads: engine.threads as usize,
        gpu_layers: 0,
    };
    let spec = move |place| {
        let gpu_layers = if place == MemoryPlace::Card { ALL_LAYERS } else { 0 };
        LoadSpec::Llm(LlmLoad { gpu_layers, ..load.clone() })
    };
    Ok(ModelPlan {
        name: named.clone(),
        file: found.file,
        memory_estimate: bytes,
        standby: false,
        spec: Arc::new(spec),
    })
}

/// The model of speech recognition.
///
/// # Errors
/// If no model is configured for the task, or its file is missing or broken.
pub fn stt_model(config: &Config) -> Result<ModelPlan, Unavailable> {
    let named = config.models.tasks.stt.as_ref();
    speech_model(config, named.ok_or_else(|| not_configured("models.tasks.stt", "speech recognition"))?)
}

/// The model of commands and partial results if it is another one than that of whole utterances (STT-2).
#[must_use]
pub fn separate_command_model(config: &Config) -> Option<&str> {
    let tasks = &config.models.tasks;
    tasks.stt_command.as_deref().filter(|command| tasks.stt.as_deref() != Some(command))
}

/// The model of commands and partial results: by default that of whole utterances (STT-2).
///
/// # Errors
/// As [`stt_model`].
pub fn stt_command_model(config: &Config) -> Result<ModelPlan, Unavailable> {
    match &config.models.tasks.stt_command {
        Some(named) => speech_model(config, named),
        None => stt_model(config),
    }
}

/// A model of speech recognition, by its name or path.
fn speech_model(config: &Config, named: &str) -> Result<ModelPlan, Unavailable> {
    let found = find(config, named).map_err(|why| fetch_voice(named, why))?;
    let bytes = luna_actor_stt::memory_estimate::needed(found.bytes).max(found.memory);
    let load = SttLoad {
        name: named.to_owned(),
        model: ModelFile { path: found.file.clone(), bytes: Some(found.bytes), sha256: None },
        threads: config.engines.stt.threads as usize,
        gpu: false,
    };
    let spec = move |place| LoadSpec::Stt(SttLoad { gpu: place == MemoryPlace::Card, ..load.clone() });
    Ok(ModelPlan {
        name: named.to_owned(),
        file: found.file,
        memory_estimate: bytes,
        standby: false,
        spec: Arc::new(spec),
    })
}

/// Names the one command that fetches all that listening needs, too; a file of the person's own can't be fetched.
fn fetch_voice(named: &str, why: Unavailable) -> Unavailable {
    if luna_config::check::model_path(named).is_some() || !why.remedy.contains("luna models fetch") {
        return why;
    }
    let remedy = format!("{}; all that listening needs: luna models fetch voice", why.remedy.trim_end_matches('.'));
    Unavailable { remedy, ..why }
}

/// Divisor of the RAM budget for models: a model and its standby together may use at most a fourth.
const STANDBY_PART: u64 = 4;

/// Adds a standby program to a model (STT-1), if both are small compared to the RAM budget; otherwise returns it unchanged. A large model, or a model
/// on a card, is reloaded when its program ends.
#[must_use]
pub fn with_standby(model: ModelPlan, config: &Config, ram_total: Option<u64>) -> ModelPlan {
    let (_, budget) = budgets(config.gpu.budget_mb << 20, None, ram_total);
    let both = model.memory_estimate.saturating_mul(2);
    if both > budget / STANDBY_PART { model } else { ModelPlan { memory_estimate: both, standby: true, ..model } }
}

/// The model store in the folder set by the configuration or `LUNA_MODELS`.
///
/// # Errors
/// If the built-in manifest can't be read, or no folder of models can be determined.
pub fn store(config: &Config) -> Result<ModelStore, ModelError> {
    store_by(config, |name| std::env::var(name).ok())
}

/// As [`store`]; `environment` returns a variable's value.
///
/// # Errors
/// If the built-in manifest can't be read, or no folder of models can be determined.
pub fn store_by(config: &Config, environment: impl Fn(&str) -> Option<String>) -> Result<ModelStore, ModelError> {
    let directory = luna_model_store::directory(None, config.models.directory.clone(), environment)?;
    Ok(ModelStore::new(Manifest::built_in()?, directory).owned(check_owner))
}

/// Checks that only the person or the administrator can have written a file or any folder above it (PRV-7). Follows links.
///
/// # Errors
/// If another user can write one of them; the error says what to do.
pub fn check_owner(file: &Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // For a missing file, the nearest existing folder is checked.
    for folder in file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        match private_folder::check(folder) {
            Err(error) if error.is_not_found() => {}
            other => {
                other?;
                break;
            }
        }
    }
    let Ok(real) = file.canonicalize() else { return Ok(()) };
    if let Some(folder) = real.parent() {
        private_folder::check(folder)?;
    }
    private_folder::open(&real)?;
    Ok(())
}

fn unavailable(error: &ModelError) -> Unavailable {
    let (reason, remedy) = error.parts();
    Unavailable { reason, remedy }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // ENG-4, KER-9
    #[test]
    fn a_model_is_found_by_path_or_by_name_or_it_is_said_how_to_get_it_eng_4_ker_9() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("m.gguf");
        std::fs::write(&there, vec![0; 3 << 20]).unwrap();
        let mut config = Config::built_in("default").unwrap();
        config.models.directory = Some(folder.path().to_owned());
        let mut find = |named: Option<&str>| {
            config.models.tasks.intent = named.map(str::to_owned);
            llm_model(&config, LlmTask::Intent)
        };
        let found = find(there.to_str()).unwrap();
        assert!(found.memory_estimate > 3 << 20 && found.file == there, "{found:?}");
        let layers = |place| match (found.spec)(place) {
            LoadSpec::Llm(load) => (load.gpu_layers, load.model.bytes),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (layers(MemoryPlace::Ram), layers(MemoryPlace::Card)),
            ((0, Some(3 << 20)), (ALL_LAYERS, Some(3 << 20)))
        );
        let mut fails = |named: Option<&str>, part: &str| {
            let why = find(named).unwrap_err();
            assert!(format!("{} {}", why.reason, why.remedy).contains(part), "{named:?}: {why:?}");
        };
        fails(None, "models.tasks.intent");
        fails(Some("/nowhere/x.gguf"), "/nowhere/x.gguf is not there");
        fails(Some(folder.path().join("no.gguf").to_str().unwrap()), "no.gguf");
        config.models.tasks.stt = None;
        assert!(stt_model(&config).unwrap_err().reason.contains("speech recognition"));
    }

    // STT-1, GPU-2
    #[test]
    fn a_second_program_stands_by_where_both_are_small_stt_1_gpu_2() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("m.bin");
        std::fs::write(&there, vec![0; 1 << 20]).unwrap();
        let mut config = Config::built_in("default").unwrap();
        config.models.tasks.stt = there.to_str().map(str::to_owned);
        config.gpu.budget_mb = 8192;
        let check = |mb: u64, ram_gb: Option<u64>, stands_by: bool| {
            let model = ModelPlan { memory_estimate: mb << 20, ..stt_model(&config).unwrap() };
            let model = with_standby(model, &config, ram_gb.map(|gb| gb << 30));
            let both = if stands_by { 2 * mb } else { mb };
            assert_eq!((model.standby, model.memory_estimate >> 20), (stands_by, both), "{mb} MB, {ram_gb:?} GB");
        };
        // The models of the manifest on computers of 16, 8 and 4 GB.
        for (mb, smallest) in [(130, 4), (200, 4), (500, 8), (1200, 32)] {
            for ram_gb in [4, 8, 16] {
                check(mb, Some(ram_gb), ram_gb >= smallest);
            }
        }
        check(1024, None, true);
        check(1025, None, false);
        check(u64::MAX >> 20, None, false);
        assert!(!stt_model(&config).unwrap().standby, "where nobody asks for it");
    }

    // STT-2, CFG-5
    #[test]
    fn commands_have_a_model_of_their_own_if_another_is_configured_stt_2_cfg_5() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, vec![0; 1 << 20]).unwrap();
            path.to_str().map(str::to_owned)
        };
        let mut config = Config::built_in("default").unwrap();
        assert_eq!(config.models.tasks.stt_command, None, "unless configured, there is one model");
        let (whole, small) = (file("whole.bin"), file("small.bin"));
        for (stt, command, model, separate) in [
            (&whole, &None, &whole, false),
            (&whole, &whole, &whole, false),
            (&whole, &small, &small, true),
            (&None, &small, &small, true),
        ] {
            (config.models.tasks.stt, config.models.tasks.stt_command) = (stt.clone(), command.clone());
            assert_eq!(stt_command_model(&config).unwrap().name, model.clone().unwrap());
            assert_eq!(separate_command_model(&config).is_some(), separate, "{stt:?} {command:?}");
        }
    }

    // STT-1, KER-9
    #[test]
    fn a_missing_speech_model_names_the_one_command_that_fetches_all_stt_1_ker_9() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::built_in("default").unwrap();
        config.models.directory = Some(folder.path().to_owned());
        config.models.tasks.stt_command = Some("whisper-tiny".to_owned());
        for (found, file) in [(stt_model(&config), "ggml-base"), (stt_command_model(&config), "ggml-tiny")] {
            let why = found.unwrap_err();
            assert!(why.reason.contains(file) && why.remedy.ends_with("luna models fetch voice"), "{why:?}");
        }
        config.models.tasks.stt = Some("/nowhere/own.bin".to_owned());
        let why = stt_model(&config).unwrap_err();
        assert!(!why.remedy.contains("fetch"), "a file of the person's own: {why:?}");
    }
}
