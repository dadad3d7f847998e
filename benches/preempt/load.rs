//! The load: a language model that generates endlessly, and continuous recognition of pages, each in the real engine program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use luna_config::Config;
use luna_engine_host::EngineProcess;
use luna_engine_protocol::{EngineChunk, EngineJob, LlmLoad, LoadSpec, ModelFile, RecogniseJob};
use luna_messages::engine::EngineKind;
use tokio::runtime::Runtime;

use crate::generation::{model, story};

/// The work done so far.
#[derive(Debug, Clone, Copy)]
pub struct LoadProgress {
    pub tokens: u64,
    pub pages: u64,
}

/// The running load; ends on drop.
pub struct Load {
    pub runtime: Runtime,
    tokens: Arc<AtomicU64>,
    pages: Arc<AtomicU64>,
}

async fn start(kind: EngineKind, spec: LoadSpec) -> EngineProcess {
    let program = luna::engines::program(kind, &Config::built_in("default").unwrap());
    let host = EngineProcess::start(&program).await;
    let host = host.unwrap_or_else(|failure| panic!("{failure} `cargo build --release --workspace --bins` builds it."));
    host.load(spec).await.unwrap();
    host
}

impl Load {
    pub fn start() -> Self {
        let load = Self { runtime: luna::run::threads().unwrap(), tokens: Arc::default(), pages: Arc::default() };
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let (tokens, pages) = (load.tokens.clone(), load.pages.clone());
        load.runtime.spawn(async move {
            let spec = LlmLoad {
                name: "bench".into(),
                model: ModelFile::unknown(model()),
                projector: None,
                context_tokens: 512,
                threads: cores,
                gpu_layers: 0,
            };
            let host = start(EngineKind::Llm, LoadSpec::Llm(spec)).await;
            loop {
                let mut run = host.run(story(), Bytes::new()).unwrap();
                while let Some((chunk, _)) = run.next().await.unwrap() {
                    if let EngineChunk::Text { .. } = chunk {
                        tokens.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        });
        load.runtime.spawn(async move {
            let spec = luna::engines::ocr_load(&Config::built_in("default").unwrap());
            let spec = spec.expect("the models of recognition are needed: `luna models fetch test`");
            let host = start(EngineKind::Ocr, LoadSpec::Ocr(spec)).await;
            let (width, height) = (1280, 720);
            let pixels: Vec<u8> = (0..3 * width * height).map(|at| if at / 50 % 3 == 0 { 20 } else { 235 }).collect();
            let (pixels, job) = (Bytes::from(pixels), RecogniseJob { width, height, magnify: 1.0, around: None });
            loop {
                let mut run = host.run(EngineJob::Recognise(job.clone()), pixels.clone()).unwrap();
                while run.next().await.unwrap().is_some() {}
                pages.fetch_add(1, Ordering::Relaxed);
            }
        });
        let begin = std::time::Instant::now();
        while load.progress().tokens == 0 || load.progress().pages == 0 {
            assert!(begin.elapsed() < Duration::from_secs(60), "the load does not begin: {:?}", load.progress());
            std::thread::sleep(Duration::from_millis(20));
        }
        load
    }

    pub fn progress(&self) -> LoadProgress {
        LoadProgress { tokens: self.tokens.load(Ordering::Relaxed), pages: self.pages.load(Ordering::Relaxed) }
    }
}
