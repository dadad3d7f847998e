//! The plain way, for comparison: wait until voice activity tells that the utterance has ended, then transcribe all of it, with the same engine
//! program, model and load. The voice activity is Luna's own, with the hang-over that it has for utterances.

use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use luna_config::Config;
use luna_engine_host::EngineProcess;
use luna_engine_protocol::{EngineJob, LoadSpec, ModelFile, SttLoad, TranscribeJob};
use luna_listening::signal::{SignalChain, SignalSettings};
use luna_messages::engine::{EngineKind, SoundExtent};
use luna_messages::listening::VoiceEvent;
use tokio::runtime::Runtime;

use crate::recorder::{RATE, extent};

/// Samples of a round of the signal thread.
const ROUND: usize = 480;

pub struct PlainWay {
    runtime: Runtime,
    host: EngineProcess,
}

impl PlainWay {
    pub fn start(model: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let config = Config::built_in("default").unwrap();
        let program = luna::engines::program(EngineKind::Stt, &config);
        let threads = config.engines.stt.threads as usize;
        let spec = SttLoad { name: "plain".into(), model: ModelFile::unknown(model.into()), threads, gpu: false };
        let host = runtime.block_on(async {
            let host = EngineProcess::start(&program).await.expect("the engine starts");
            host.load(LoadSpec::Stt(spec)).await.expect("the model loads");
            host
        });
        Self { runtime, host }
    }

    /// Milliseconds from the end of the speech in a recording to its transcript.
    pub fn wait(&self, recording: &[f32]) -> Option<f64> {
        let (_, end) = extent(recording)?;
        let mut chain = SignalChain::new(SignalSettings::default());
        // The room before and after: its noise is the beginning of the recording, again and again.
        let room = &recording[..recording.len().min(2 * ROUND)];
        let (before, after) = (150, 150);
        let mut events = Vec::new();
        let mut taken = 0;
        let rounds = std::iter::repeat_n(room, before / 2)
            .chain(std::iter::once(recording))
            .chain(std::iter::repeat_n(room, after / 2))
            .flat_map(|part| part.chunks(ROUND));
        for round in rounds {
            chain.push(round, RATE as u32, &[], RATE as u32, &mut events);
            taken += round.len();
            if let Some(VoiceEvent::End { from, to, .. }) =
                events.iter().find(|event| matches!(event, VoiceEvent::End { .. }))
            {
                let waited = taken as f64 - (room.len() * (before / 2) + end) as f64;
                let samples = chain.sound(*from, *to).samples.clone();
                let sound: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
                return Some(waited * 1e3 / RATE + self.transcribe(sound.into()));
            }
        }
        None
    }

    fn transcribe(&self, sound: Bytes) -> f64 {
        let job = TranscribeJob { lang: None, extent: SoundExtent::Utterance, hint: String::new(), partials: false };
        let begin = Instant::now();
        self.runtime.block_on(async {
            let mut run = self.host.run(EngineJob::Transcribe(job), sound).expect("it takes jobs");
            while run.next().await.expect("the job is done").is_some() {}
        });
        begin.elapsed().as_secs_f64() * 1e3
    }
}
