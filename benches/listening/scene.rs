//! A running Luna that reads a long text, a person at its microphone, and recordings of both.

use std::path::{Path, PathBuf};
use std::time::Duration;

use luna_test_support::tiny_models::whisper::{PublishedWhisper, ScriptedWhisper, WhisperSizes};

use crate::desktop::{LunaProcess, Mouse, SampleWindow};
use crate::engine::{EngineFolder, TranscriptionNote};
use crate::events::EventTimes;
use crate::person::QuietRoom;
use crate::recorder::SinkRecorder;

/// Writes a model of the real size that hears `words` in every sound.
pub fn model(size: PublishedWhisper, words: &str, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{size:?}-{}.bin", words.replace(' ', "_")));
    // Whisper cuts a syllable of Korean into one to three tokens.
    let mut script = ScriptedWhisper::new(words).in_tokens_of(3).hearing(&[("ko", 1.0)]);
    script.sizes = WhisperSizes::of(size);
    script.write(&path).expect("the model is written");
    path
}

pub struct ReadingScene {
    pub luna: LunaProcess,
    pub events: EventTimes,
    pub loudspeaker: SinkRecorder,
    pub microphone: SinkRecorder,
    engines: Option<EngineFolder>,
    mouse: Mouse,
    window: SampleWindow,
    _room: QuietRoom,
}

impl ReadingScene {
    /// `blocks`: how many blocks of what the person says are audible, so that no word is heard before it is said; 0: each window holds all words;
    /// `None`: the engine program itself, without notes.
    pub fn start(model: &Path, blocks: Option<usize>) -> Self {
        // Before Luna listens: a microphone that gives nothing but silence is muted.
        let room = QuietRoom::begin();
        let window = SampleWindow::start("../../benches/listening/long_text.py", "Long text");
        let mouse = Mouse::new();
        mouse.move_to((5, 5));
        let engines = blocks.map(EngineFolder::new);
        let luna = LunaProcess::start_with(|command| {
            command.env("LUNA_LOG", std::env::var("LUNA_BENCH_LOG").unwrap_or_else(|_| "warn".into()));
            for set in [format!("models.tasks.stt={}", model.display()), "voice.device=mic".into()] {
                command.args(["--set", &set]);
            }
            // Settings under trial, separated by spaces.
            for set in std::env::var("LUNA_BENCH_SETS").unwrap_or_default().split_whitespace() {
                command.args(["--set", set]);
            }
            if let Some(engines) = &engines {
                engines.prepare(command);
            }
        });
        luna.wait_for_capability("microphone", "available");
        // What Luna says at its start.
        luna.event("TTS.Stop", |_| true);
        let (loudspeaker, microphone) = (SinkRecorder::open("luna"), SinkRecorder::open("mic"));
        let events = EventTimes::follow(&luna);
        Self { luna, events, loudspeaker, microphone, engines, mouse, window, _room: room }
    }

    /// Has Luna read the text under the pointer. A busy machine may need more than one try: programs that do not answer are not waited for.
    pub fn read(&self) {
        let (x, y) = self.window.point("text");
        for attempt in 0..5 {
            self.mouse.move_to((x + attempt, y));
            self.luna.order(if attempt == 0 { "on" } else { "repeat" });
            if self.begins_to_read() {
                return;
            }
        }
        panic!("Luna does not read:\n{}", self.luna.seen.lock().unwrap());
    }

    fn begins_to_read(&self) -> bool {
        self.events.wait("TTS.Start", Duration::from_secs(8), |data| data["notice"] == false).is_some()
    }

    /// Has Luna read it once more from the beginning; `false` if it does not.
    pub fn read_again(&self) -> bool {
        self.events.clear();
        self.luna.order("repeat");
        self.begins_to_read()
    }

    /// All transcriptions so far.
    pub fn notes(&self) -> Vec<TranscriptionNote> {
        self.engines.as_ref().map(EngineFolder::notes).unwrap_or_default()
    }

    /// Forgets what was recorded.
    pub fn forget(&self) {
        self.loudspeaker.take();
        self.microphone.take();
    }
}
