//! The load: a language model that generates endlessly in the real engine program, at the priority that Luna gives it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use luna_config::Config;
use luna_engine_host::EngineProcess;
use luna_engine_protocol::{EngineChunk, LlmLoad, LoadSpec, ModelFile};
use luna_messages::engine::EngineKind;
use tokio::runtime::Runtime;

use crate::generation::{model, story};

/// A language model that generates until it is dropped.
pub struct GeneratingModel {
    tokens: Arc<AtomicU64>,
    _runtime: Runtime,
}

impl GeneratingModel {
    pub fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let tokens = Arc::<AtomicU64>::default();
        let counts = tokens.clone();
        runtime.spawn(async move {
            let program = luna::engines::program(EngineKind::Llm, &Config::built_in("default").unwrap());
            let host = EngineProcess::start(&program).await.expect("the engine starts");
            let threads = std::thread::available_parallelism().map_or(2, usize::from);
            let spec = LlmLoad {
                name: "bench".into(),
                model: ModelFile::unknown(model()),
                projector: None,
                context_tokens: 512,
                threads,
                gpu_layers: 0,
            };
            host.load(LoadSpec::Llm(spec)).await.expect("the language model loads");
            loop {
                let mut run = host.run(story(), Bytes::new()).unwrap();
                while let Some((chunk, _)) = run.next().await.unwrap() {
                    if let EngineChunk::Text { .. } = chunk {
                        counts.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        });
        let load = Self { tokens, _runtime: runtime };
        for _ in 0..600 {
            if load.tokens() > 0 {
                return load;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the language model does not generate");
    }

    /// Tokens so far.
    pub fn tokens(&self) -> u64 {
        self.tokens.load(Ordering::Relaxed)
    }
}
