//! Loads a model: validates the files first, then calls llama.cpp (ENG-4).

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;
use luna_engine_protocol::{EngineNote, LlmLoad, LoadedModel, ModelFile};
use luna_engine_protocol::{check, failure};
use luna_messages::engine::{EngineError, EngineErrorKind};

use crate::generate::Tags;
use crate::header::{self, GgufHeader};
use crate::prompt::Prompter;
use crate::refusal::{bad, refused};
use crate::session::LlmSession;
use crate::thinking::{CLOSE, OPEN};
use crate::{log, memory};

const GGUF: check::FileFormat = check::FileFormat { format: "GGUF", magic: b"GGUF", smallest: 32 };
/// The smallest useful context, tokens.
const MIN_CONTEXT: u32 = 64;
/// Encoder and encoder-decoder architectures, which can't continue a prompt.
const NON_GENERATIVE: [&str; 9] =
    ["bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "jina-bert-v2", "modern-bert", "t5", "t5encoder", "clip"];

/// A model ready to work.
pub struct LlmModel {
    pub session: LlmSession,
    pub prompter: Prompter,
    pub tags: Tags,
    /// The projector for pictures.
    #[cfg(feature = "vision")]
    pub projector: Option<crate::vision::Projector>,
    pub loaded: Vec<LoadedModel>,
    /// Missing capabilities.
    pub notes: Vec<EngineNote>,
    /// Bytes allocated on graphics cards.
    pub card_bytes: u64,
}

impl LlmModel {
    /// # Errors
    /// A file is missing, damaged or too large for the memory, or the processor or the build can't use it.
    pub fn load(backend: &LlamaBackend, spec: &LlmLoad) -> Result<Self, EngineError> {
        check_processor()?;
        let (bytes, header) = check_file(&spec.model)?;
        if NON_GENERATIVE.contains(&header.architecture.as_str()) {
            let what = format!("holds a model of the kind {}, which can't write text", header.architecture);
            return Err(bad(&spec.model, &what));
        }
        let mut loaded = vec![LoadedModel { name: "model".to_owned(), bytes }];
        if let Some(projector) = &spec.projector {
            loaded.push(LoadedModel { name: "projector".to_owned(), bytes: check_file(projector)?.0 });
            #[cfg(not(feature = "vision"))]
            return Err(failure(
                EngineErrorKind::Unsupported,
                format!("This build of the engine sees no pictures, so {} is of no use.", projector.path.display()),
                "Build luna-engine-llm with the feature \"vision\", or take the projector out of the configuration.",
            ));
        }
        let mut notes = Vec::new();
        let gpu_layers = gpu_layers(backend, spec.gpu_layers, &mut notes);
        let mut limit = spec.context_tokens.max(MIN_CONTEXT);
        if let Ok(trained @ 1..) = u32::try_from(header.context) {
            limit = limit.min(trained.max(MIN_CONTEXT));
        }
        let whole: u64 = loaded.iter().map(|model| model.bytes).sum();
        check_memory(spec, &header, (whole, u64::from(limit), u64::from(gpu_layers)), memory::available())?;
        log::take();
        let free_before = free_on_cards(gpu_layers);
        let params = LlamaModelParams::default().with_n_gpu_layers(gpu_layers);
        let model = LlamaModel::load_from_file(backend, &spec.model.path, &params)
            .map_err(|error| refused(&spec.model, &error.to_string()))?;
        let (prompter, note) = Prompter::new(&model).map_err(|error| bad(&spec.model, &error.to_string()))?;
        notes.extend(note);
        let tags = tags(&model);
        #[cfg(feature = "vision")]
        let projector = match &spec.projector {
            Some(file) => Some(crate::vision::Projector::open(&model, file, spec.threads, gpu_layers > 0)?),
            None => None,
        };
        let session = LlmSession::new(backend, model, limit, spec.threads, gpu_layers > 0)?;
        let used = free_before.saturating_sub(free_on_cards(gpu_layers));
        let card_bytes = match gpu_layers {
            0 => 0,
            // The driver reported no decrease of free memory, but the weights are on the card.
            _ if used == 0 => whole,
            _ => used,
        };
        Ok(Self {
            session,
            prompter,
            tags,
            #[cfg(feature = "vision")]
            projector,
            loaded,
            notes,
            card_bytes,
        })
    }
}

fn check_file(file: &ModelFile) -> Result<(u64, GgufHeader), EngineError> {
    let bytes = check::model_file(file, &GGUF)?;
    let header = header::read(&file.path).map_err(|error| bad(file, &error.to_string()))?;
    Ok((bytes, header))
}

/// Checks that the model fits into memory; the error names the numbers.
fn check_memory(
    spec: &LlmLoad,
    header: &GgufHeader,
    (bytes, context, gpu_layers): (u64, u64, u64),
    available: Option<u64>,
) -> Result<(), EngineError> {
    let needed = memory::needed(header, bytes, context, gpu_layers);
    match available {
        Some(available) if needed > available => {
            let mb = |bytes: u64| bytes.div_ceil(1 << 20);
            Err(failure(
                EngineErrorKind::OutOfMemory,
                format!(
                    "The model \"{}\" needs {} MB of memory with a context of {context} tokens, and {} MB are free.",
                    spec.name,
                    mb(needed),
                    mb(available)
                ),
                "Close other programs, set a smaller context in the configuration, or take a smaller model.",
            ))
        }
        Some(_) | None => Ok(()),
    }
}

/// Checks the processor: llama.cpp is built for processors of the last ten years and crashes with an illegal instruction on older ones.
fn check_processor() -> Result<(), EngineError> {
    #[cfg(target_arch = "x86_64")]
    {
        let able = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
            && std::arch::is_x86_feature_detected!("f16c")
            && std::arch::is_x86_feature_detected!("bmi2");
        if !able {
            return Err(failure(
                EngineErrorKind::Unsupported,
                "This processor lacks AVX2, FMA, F16C or BMI2, which the engine of language models needs.",
                "Use a model of a provider in the network, or a newer computer.",
            ));
        }
    }
    Ok(())
}

/// The number of layers for the card; adds a note if the configured number is not possible.
fn gpu_layers(backend: &LlamaBackend, wanted: u32, notes: &mut Vec<EngineNote>) -> u32 {
    let built = cfg!(any(feature = "cuda", feature = "vulkan"));
    if wanted == 0 || (built && backend.supports_gpu_offload()) {
        return wanted;
    }
    let (reason, remedy) = if built {
        ("No graphics card was found, so the processor works alone.", "Check the card and its driver.")
    } else {
        (
            "This build of the engine uses the processor only.",
            "Build luna-engine-llm with the feature \"cuda\" or \"vulkan\", or set the layers on the card to 0.",
        )
    };
    notes.push(EngineNote { topic: "gpu".to_owned(), reason: reason.to_owned(), remedy: remedy.to_owned() });
    0
}

/// Free bytes on graphics cards; 0 if none is used, so that no driver is initialised.
fn free_on_cards(gpu_layers: u32) -> u64 {
    if gpu_layers == 0 {
        return 0;
    }
    let devices = llama_cpp_2::list_llama_ggml_backend_devices();
    let cards = devices.iter().filter(|device| device.backend != "CPU");
    cards.map(|device| device.memory_free as u64).fold(0, u64::saturating_add)
}

fn tags(model: &LlamaModel) -> Tags {
    let vocab = model.vocab();
    let single = |tag: &str| match vocab.tokenize(tag.as_bytes(), false, true)[..] {
        [token] if token != LlamaToken(-1) => Some(token),
        _ => None,
    };
    Tags { open: single(OPEN), close: single(CLOSE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-4
    #[test]
    fn a_model_that_does_not_fit_is_refused_with_numbers_eng_4() {
        let file = ModelFile::unknown("m.gguf".into());
        let spec = LlmLoad {
            name: "big".to_owned(),
            model: file,
            projector: None,
            context_tokens: 4096,
            threads: 1,
            gpu_layers: 0,
        };
        let header = GgufHeader { layers: 1, cache_bytes_per_token: 1 << 20, ..GgufHeader::default() };
        let check = |available| check_memory(&spec, &header, (1 << 30, 1024, 0), available);
        assert_eq!(check(None), Ok(()));
        assert_eq!(check(Some(1 << 40)), Ok(()));
        let error = check(Some(1 << 30)).err();
        assert!(error.as_ref().is_some_and(|error| error.kind == EngineErrorKind::OutOfMemory), "{error:?}");
        let message = error.map(|error| error.message).unwrap_or_default();
        assert!(
            ["\"big\"", "2096 MB", "1024 tokens", "1024 MB are free"].iter().all(|part| message.contains(part)),
            "{message}"
        );
    }
}
