//! The actor in a tree with the real engine, and the events that it sent.

#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::{Capabilities, Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_actor_tts::{Mute, TtsActor, TtsDependencies, TtsSettings};
use luna_engine_host::{EngineProgram, engine_path};
use luna_engine_protocol::SpeechLoad;
use luna_messages::engine::EngineKind;
use luna_messages::reading::Style;
use luna_messages::tts::{NoticeTiming, ReadAloud, ReadRequest, SpeechEvent, SpokenNotice, TtsMessage};
use luna_messages::{Lang, RequestId};
use luna_platform::audio::AudioOutput;
use luna_platform::audio::tap::PlaybackTap;
use tokio::time::Instant;

/// The running tree, which stops on drop.
pub struct TtsHarness {
    pub inbox: Inbox<TtsMessage>,
    pub capabilities: Capabilities,
    pub tree: SupervisionTree,
    pub mute: Mute,
    pub tap: PlaybackTap,
    events: Arc<Mutex<Vec<(Instant, SpeechEvent)>>>,
}

/// The real engine; it must have been built.
pub fn engine() -> EngineProgram {
    let path = engine_path("luna-engine-speech-espeak");
    assert!(
        path.is_file(),
        "the speech engine is not at {}: build it with `cargo build -p luna-engine-speech-espeak`",
        path.display()
    );
    program(path)
}

/// Any program as the engine.
pub fn program(path: PathBuf) -> EngineProgram {
    EngineProgram { kind: EngineKind::Speech, path, arguments: Vec::new(), nice: 0, memory_limit: None }
}

impl TtsHarness {
    pub fn new(audio: Arc<dyn AudioOutput>) -> Self {
        Self::with(audio, engine(), TtsSettings::default())
    }

    pub fn with(audio: Arc<dyn AudioOutput>, engine: EngineProgram, settings: TtsSettings) -> Self {
        let events = Arc::new(Mutex::new(Vec::new()));
        let capabilities = Capabilities::new(Arc::new(|_, _| {}));
        let recorded = events.clone();
        let (mute, tap) = (Mute::default(), PlaybackTap::new());
        let dependencies = TtsDependencies {
            mute: mute.clone(),
            tap: tap.clone(),
            audio: BlockingService::new("sound device", Duration::from_secs(3), audio),
            engine,
            load: SpeechLoad { library: None, data: None },
            capabilities: capabilities.clone(),
            events: Arc::new(move |event| recorded.lock().unwrap().push((Instant::now(), event))),
        };
        let inbox = Inbox::new("tts", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree.add(RestartPolicy::default(), inbox.clone(), move || {
            TtsActor::new(settings.clone(), dependencies.clone())
        });
        Self { inbox, capabilities, tree, mute, tap, events }
    }

    pub fn post(&self, message: TtsMessage) {
        assert!(self.inbox.post(message).is_ok(), "the inbox takes every message of these tests");
    }

    pub fn read(&self, text: &str) -> RequestId {
        self.read_as(text, Style::News)
    }

    pub fn read_as(&self, text: &str, style: Style) -> RequestId {
        let id = RequestId::next();
        let reading = ReadAloud::Text { text: text.into(), offset: 0 };
        self.post(TtsMessage::Read(ReadRequest { id, reading, style, lang: Lang::Ko }));
        id
    }

    pub fn say(&self, text: &str, timing: NoticeTiming) -> RequestId {
        let id = RequestId::next();
        self.post(TtsMessage::Say(SpokenNotice { id, text: text.into(), lang: Lang::Ko, timing }));
        id
    }

    pub fn events(&self) -> Vec<SpeechEvent> {
        self.events.lock().unwrap().iter().map(|(_, event)| event.clone()).collect()
    }

    /// The events of request `of`, each as a short string: "0" for its first sentence, "finished", "stopped 1", ….
    pub fn brief_events(&self, of: RequestId) -> Vec<String> {
        let brief = |event: SpeechEvent| match event {
            SpeechEvent::Sentence { id, idx, .. } => (id == of).then(|| idx.to_string()),
            SpeechEvent::Finished { id } => (id == of).then(|| "finished".into()),
            SpeechEvent::Stopped { id, idx } => (id == of).then(|| format!("stopped {idx}")),
            SpeechEvent::Paused { id } => (id == of).then(|| "paused".into()),
            SpeechEvent::Resumed { id } => (id == of).then(|| "resumed".into()),
            SpeechEvent::Rate { .. } => None,
        };
        self.events().into_iter().filter_map(brief).collect()
    }

    /// Waits for an event; returns the time of its arrival.
    pub async fn wait(&self, what: &str, wanted: impl Fn(&SpeechEvent) -> bool) -> Instant {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some((at, _)) = self.events.lock().unwrap().iter().find(|(_, event)| wanted(event)) {
                return *at;
            }
            assert!(Instant::now() < until, "{what} never came: {:?}", self.events());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    pub async fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let until = Instant::now() + Duration::from_secs(20);
        while !holds() {
            assert!(Instant::now() < until, "waited in vain: {what}: {:?}", self.events());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub async fn sentence(&self, of: RequestId, number: usize) -> Instant {
        self.wait("a sentence", |e| matches!(e, SpeechEvent::Sentence { id, idx, .. } if *id == of && *idx == number))
            .await
    }

    pub async fn finished(&self, of: RequestId) -> Instant {
        self.wait("the end", |e| matches!(e, SpeechEvent::Finished { id } if *id == of)).await
    }

    pub async fn stopped(&self, of: RequestId) -> Instant {
        self.wait("the stop", |e| matches!(e, SpeechEvent::Stopped { id, .. } if *id == of)).await
    }
}

/// The pitch of a voice: the median over windows that have one, by autocorrelation.
pub fn pitch(sound: &[f32], sample_rate: u32) -> f32 {
    let window = (sample_rate / 20) as usize;
    let (shortest, longest) = ((sample_rate / 320) as usize, (sample_rate / 60) as usize);
    let mut found: Vec<f32> = sound
        .chunks_exact(window)
        .filter(|w| w.iter().map(|s| s * s).sum::<f32>() / window as f32 > 0.0005)
        .filter_map(|w| {
            let like = |lag: usize| {
                let (mut ab, mut aa, mut bb) = (0.0, 1e-9, 1e-9);
                for (a, b) in w.iter().zip(&w[lag..]).step_by(2) {
                    ab += a * b;
                    aa += a * a;
                    bb += b * b;
                }
                ab / f32::sqrt(aa * bb)
            };
            let all: Vec<f32> = (shortest..longest.min(window / 2)).map(like).collect();
            let best = all.iter().copied().fold(f32::MIN, f32::max);
            let at = all.iter().position(|l| *l > 0.95 * best)?;
            let top = all[at..].windows(2).position(|pair| pair[1] < pair[0]).unwrap_or(0);
            (best > 0.7).then(|| sample_rate as f32 / (shortest + at + top) as f32)
        })
        .collect();
    assert!(found.len() > 4, "there is no voice in {} samples", sound.len());
    found.sort_by(f32::total_cmp);
    found[found.len() / 2]
}
