//! The engine: loads a model, runs jobs, releases memory.

use std::time::Instant;

use llama_cpp_2::llama_backend::LlamaBackend;
use luna_engine_protocol::{Backend, CountTokensJob, EngineChunk, EngineJob, LoadSpec};
use luna_engine_protocol::{CancelFlag, Engine, LoadReport, Output, failure};
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind, GenerateJob};

use crate::generate::{Generation, GenerationStart};
use crate::load::LlmModel;
use crate::{grammar, log, memory, thinking};

/// The language-model engine; empty until a model is loaded.
#[derive(Default)]
pub struct Llm {
    model: Option<LlmModel>,
    // llama.cpp can be initialised only once per process, so the backend outlives the model.
    backend: Option<LlamaBackend>,
}

impl Engine for Llm {
    const KIND: EngineKind = EngineKind::Llm;
    const BACKENDS: &'static [Backend] = if cfg!(feature = "cuda") {
        &[Backend::Cpu, Backend::Cuda]
    } else if cfg!(feature = "vulkan") {
        &[Backend::Cpu, Backend::Vulkan]
    } else {
        &[Backend::Cpu]
    };

    fn load(&mut self, spec: LoadSpec) -> Result<LoadReport, EngineError> {
        self.unload();
        let spec = match spec {
            LoadSpec::Llm(spec) => spec,
            LoadSpec::Ocr(_) | LoadSpec::Speech(_) | LoadSpec::Stt(_) => return Err(unsupported()),
        };
        let model = LlmModel::load(self.backend()?, &spec)?;
        let loaded =
            LoadReport { models: model.loaded.clone(), notes: model.notes.clone(), card_bytes: model.card_bytes };
        self.model = Some(model);
        Ok(loaded)
    }

    fn run(
        &mut self,
        job: EngineJob,
        payload: Vec<u8>,
        output: &mut Output,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError> {
        let started = Instant::now();
        let model = self.model.as_mut().ok_or_else(|| {
            failure(EngineErrorKind::NotLoaded, "No language model is loaded.", "Load a model before asking it.")
        });
        match job {
            EngineJob::Generate(job) => generate(model?, &job, payload, (output, cancel), started),
            EngineJob::CountTokens(job) => {
                count(model?, &job, output);
                Ok(())
            }
            EngineJob::Recognise(_) | EngineJob::Speak(_) | EngineJob::Transcribe(_) => Err(unsupported()),
        }
    }

    fn unload(&mut self) {
        self.model = None;
        memory::trim_heap();
    }
}

impl Llm {
    fn backend(&mut self) -> Result<&LlamaBackend, EngineError> {
        if self.backend.is_none() {
            log::install();
            let backend = LlamaBackend::init().map_err(|error| {
                failure(
                    EngineErrorKind::Internal,
                    format!("llama.cpp could not be started: {error}."),
                    "Start the engine again.",
                )
            })?;
            self.backend = Some(backend);
        }
        self.backend.as_ref().ok_or_else(unsupported)
    }
}

fn unsupported() -> EngineError {
    failure(
        EngineErrorKind::Unsupported,
        "The engine of language models generates text and counts tokens, nothing else.",
        "Give this work to another engine.",
    )
}

fn count(model: &LlmModel, job: &CountTokensJob, output: &mut Output) {
    let vocab = model.session.model().vocab();
    let counts = job.texts.iter().map(|text| number(vocab.tokenize(text.as_bytes(), false, false).len())).collect();
    output.chunk(EngineChunk::TokenCounts { counts }, &[]);
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn generate(
    model: &mut LlmModel,
    job: &GenerateJob,
    payload: Vec<u8>,
    (output, cancel): (&mut Output, &CancelFlag),
    started: Instant,
) -> Result<(), EngineError> {
    // Compiled before the prompt is read, so that a bad grammar fails early.
    let shape = job.grammar.as_ref().map(|grammar| grammar::gbnf(grammar, job.max_answer_tokens)).transpose()?;
    let start = if job.pictures.is_empty() {
        if !payload.is_empty() {
            return Err(bad_input("The job brings pixels and names no picture.".to_owned()));
        }
        read_text(model, job, cancel, started)?
    } else {
        read_with_pictures(model, job, payload, cancel, started)?
    };
    let Some(start) = start else {
        return Ok(());
    };
    Generation::new(&mut model.session, (output, cancel), job, shape.as_ref(), model.tags, &start)?.run()
}

fn bad_input(message: String) -> EngineError {
    failure(EngineErrorKind::BadInput, message, "Change the job and try again.")
}

/// Rejects a prompt that leaves no space for an answer in the context.
fn check_context_length(tokens: usize, limit: usize) -> Result<(), EngineError> {
    if tokens < limit {
        return Ok(());
    }
    Err(failure(
        EngineErrorKind::BadInput,
        format!("The prompt has {tokens} tokens, and the context has room for {limit} with the answer."),
        "Shorten the prompt, or set a larger context in the configuration.",
    ))
}

/// Evaluates a text prompt; `None` if it was cancelled.
fn read_text(
    model: &mut LlmModel,
    job: &GenerateJob,
    cancel: &CancelFlag,
    started: Instant,
) -> Result<Option<GenerationStart>, EngineError> {
    let rendered = model.prompter.text(&job.prompt, job.max_thinking_tokens > 0)?;
    let tokens = model.prompter.tokens(&model.session.model().vocab(), &job.prompt, &rendered);
    if tokens.is_empty() {
        return Err(bad_input("The prompt is empty.".to_owned()));
    }
    check_context_length(tokens.len(), model.session.limit())?;
    let Some(reused) = model.session.prefill(&tokens, cancel)? else {
        return Ok(None);
    };
    let stage = thinking::stage_after(&rendered);
    Ok(Some(GenerationStart {
        prompt_tokens: number(tokens.len()),
        reused_tokens: number(reused),
        stage,
        tokens,
        started,
    }))
}

#[cfg(feature = "vision")]
fn read_with_pictures(
    model: &mut LlmModel,
    job: &GenerateJob,
    payload: Vec<u8>,
    cancel: &CancelFlag,
    started: Instant,
) -> Result<Option<GenerationStart>, EngineError> {
    let Some(projector) = &mut model.projector else {
        return Err(pictures_unsupported());
    };
    let pictures = crate::vision::pictures(&job.pictures, &payload)?;
    drop(payload);
    let prompt = projector.with_marks(&job.prompt, pictures.len());
    let rendered = model.prompter.text(&prompt, job.max_thinking_tokens > 0)?;
    let evaluated =
        projector.read_with_pictures(&mut model.session, &rendered, &pictures, check_context_length, cancel)?;
    Ok(evaluated.map(|tokens| GenerationStart {
        prompt_tokens: number(tokens),
        reused_tokens: 0,
        stage: thinking::stage_after(&rendered),
        tokens: Vec::new(),
        started,
    }))
}

#[cfg(not(feature = "vision"))]
fn read_with_pictures(
    _: &mut LlmModel,
    _: &GenerateJob,
    _: Vec<u8>,
    _: &CancelFlag,
    _: Instant,
) -> Result<Option<GenerationStart>, EngineError> {
    Err(pictures_unsupported())
}

fn pictures_unsupported() -> EngineError {
    failure(
        EngineErrorKind::Unsupported,
        "The loaded model sees no pictures.",
        "Ask without pictures, or load a model with a projector in an engine that was built with the feature \"vision\".",
    )
}
