//! Models without files, so large that the GpuToken actor must evict, and requests for them.

use std::sync::Arc;

use async_channel::{Receiver, bounded};
use luna_engine_host::ModelPlan;
use luna_engine_protocol::{LlmLoad, LoadSpec, ModelFile, SttLoad};
use luna_messages::engine::{GenerateJob, Prompt, Sampling, SoundExtent};
use luna_messages::gpu::MemoryPlace;
use luna_messages::llm::{Generate, GeneratedText, LlmTask};
use luna_messages::stt::{Sound, Transcribe};
use luna_messages::{Reply, RequestId};

/// Memory budget for models: a language model and a speech model fit, two language models do not.
pub const BUDGET_MB: u64 = 1000;

pub fn language(task: LlmTask) -> ModelPlan {
    let (name, mb) = match task {
        LlmTask::Intent => ("intent", 600),
        LlmTask::Translate => ("translate", 650),
        LlmTask::TranslateLarge => ("translate_large", 800),
    };
    let spec = move |_: MemoryPlace| {
        LoadSpec::Llm(LlmLoad {
            name: name.into(),
            model: ModelFile::unknown(name.into()),
            projector: None,
            context_tokens: 512,
            threads: 1,
            gpu_layers: 0,
        })
    };
    ModelPlan { name: name.into(), file: name.into(), memory_estimate: mb << 20, standby: false, spec: Arc::new(spec) }
}

pub fn speech() -> ModelPlan {
    let spec = |_: MemoryPlace| {
        LoadSpec::Stt(SttLoad { name: "stt".into(), model: ModelFile::unknown("stt".into()), threads: 1, gpu: false })
    };
    ModelPlan {
        name: "stt".into(),
        file: "stt".into(),
        memory_estimate: 300 << 20,
        standby: true,
        spec: Arc::new(spec),
    }
}

/// A request for an answer of `tokens` tokens, and the receiver of its text.
pub fn generate(task: LlmTask, tokens: u32) -> (Generate, Receiver<GeneratedText>) {
    let (pieces, reader) = bounded(64);
    let job = GenerateJob {
        prompt: Prompt::Text { text: "Go on".into() },
        max_answer_tokens: tokens,
        max_thinking_tokens: 0,
        sampling: Sampling::default(),
        stop: Vec::new(),
        grammar: None,
        pictures: Vec::new(),
    };
    let generate = Generate {
        id: RequestId::next(),
        task,
        job: Box::new(job),
        pictures: Vec::new(),
        include_thinking: false,
        pieces,
        reply: Reply::ignored(),
    };
    (generate, reader)
}

/// Drains a channel until its end.
pub fn take_all<T: Send + 'static>(reader: Receiver<T>) {
    tokio::spawn(async move { while reader.recv().await.is_ok() {} });
}

/// A request to transcribe two seconds of silence.
pub fn transcribe(partials: bool) -> (Transcribe, Receiver<String>) {
    let (pieces, reader) = bounded(1);
    let transcribe = Transcribe {
        id: RequestId::next(),
        sound: Sound { samples: vec![0; 3200] },
        lang: None,
        extent: SoundExtent::Utterance,
        hint: String::new(),
        partials,
        pieces,
        reply: Reply::ignored(),
    };
    (transcribe, reader)
}
