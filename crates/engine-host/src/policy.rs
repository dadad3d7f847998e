//! What differs between the engines, as one table.

use std::time::Duration;

use luna_messages::Lane;
use luna_messages::capability::Capability;
use luna_messages::engine::EngineKind;
use luna_messages::stt::SPEECH_LANE;

const MB: u64 = 1 << 20;

/// How one engine is managed: a row of the table, which has all differences between engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnginePolicy {
    pub kind: EngineKind,
    /// What the person loses without it.
    pub capability: Capability,
    /// File name of its program.
    pub program: &'static str,
    /// Name of the thread that starts it: the system may take long to read the program from a disk (KER-11).
    pub start_thread: &'static str,
    /// Whether it runs at the configured lower priority. Engines that a person listens or talks to don't.
    pub lowers_priority: bool,
    /// Whether its heap overwrites freed memory (BUF-2): only if its libraries keep texts for long. Those of speech recognition and of language
    /// models allocate and free so much while a person waits that a cancel would take twice as long.
    pub wipes_heap: bool,
    /// Working memory besides its models, bytes (ENG-2).
    pub working_memory: u64,
    /// Whether its models are leased from the token (GPU-1).
    pub leased: bool,
    /// Priority of its work.
    pub lane: Lane,
    /// Longest time for a load; a longer load counts as hung (KER-4).
    pub load_timeout: LoadTimeout,
    /// What was not loaded in time, for the error.
    pub load_subject: &'static str,
    /// Pause after a failed start in which requests trigger no other start.
    pub start_pause: Duration,
    /// How long its program may take to end by itself at Luna's shutdown.
    pub closing: Duration,
}

/// Longest time for a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadTimeout {
    /// By the size of the model: half a minute for a small model, almost five minutes for a model of 4 GB.
    BySize,
    /// The same for each model.
    Fixed(Duration),
}

/// Longest time for a load besides reading the file.
const BESIDES_READING: Duration = Duration::from_secs(30);
/// Read rate of the slowest disk that models are realistically loaded from, bytes per second.
const SLOWEST_DISK: u64 = 16 * MB;

impl LoadTimeout {
    /// The time for a model that needs this much memory.
    #[must_use]
    pub const fn for_bytes(self, bytes: u64) -> Duration {
        match self {
            Self::BySize => BESIDES_READING.saturating_add(Duration::from_secs(bytes / SLOWEST_DISK)),
            Self::Fixed(time) => time,
        }
    }
}

const OCR: EnginePolicy = EnginePolicy {
    kind: EngineKind::Ocr,
    capability: Capability::TextRecognition,
    program: "luna-engine-ocr",
    start_thread: "ocr program",
    lowers_priority: true,
    wipes_heap: true,
    // A whole screen at twice its size temporarily takes some 700 MB.
    working_memory: 1024 * MB,
    leased: false,
    lane: Lane::Ocr,
    // A load takes about a second.
    load_timeout: LoadTimeout::Fixed(Duration::from_secs(60)),
    load_subject: "its models",
    start_pause: Duration::ZERO,
    closing: Duration::from_millis(300),
};

const SPEECH: EnginePolicy = EnginePolicy {
    kind: EngineKind::Speech,
    capability: Capability::SpeechSynthesis,
    program: "luna-engine-speech-espeak",
    start_thread: "speech program",
    lowers_priority: false,
    wipes_heap: true,
    working_memory: 256 * MB,
    leased: false,
    lane: Lane::Tts,
    // It reads some megabytes of voices.
    load_timeout: LoadTimeout::Fixed(Duration::from_secs(20)),
    load_subject: "its voices",
    start_pause: Duration::from_secs(3),
    closing: Duration::ZERO,
};

const LLM: EnginePolicy = EnginePolicy {
    kind: EngineKind::Llm,
    capability: Capability::LanguageModel,
    program: "luna-engine-llm",
    start_thread: "llm program",
    lowers_priority: true,
    wipes_heap: false,
    working_memory: 1024 * MB,
    leased: true,
    lane: Lane::Llm,
    load_timeout: LoadTimeout::BySize,
    load_subject: "the loaded model",
    start_pause: Duration::ZERO,
    closing: Duration::from_millis(300),
};

const STT: EnginePolicy = EnginePolicy {
    kind: EngineKind::Stt,
    capability: Capability::SpeechRecognition,
    program: "luna-engine-stt",
    start_thread: "stt program",
    lowers_priority: false,
    wipes_heap: false,
    working_memory: 1024 * MB,
    leased: true,
    lane: SPEECH_LANE,
    load_timeout: LoadTimeout::BySize,
    load_subject: "the loaded model",
    start_pause: Duration::ZERO,
    closing: Duration::from_millis(300),
};

/// As [`STT`]: the same program with another model.
const STT_COMMAND: EnginePolicy = EnginePolicy {
    kind: EngineKind::SttCommand,
    capability: Capability::CommandRecognition,
    start_thread: "stt_command program",
    ..STT
};

impl EnginePolicy {
    /// The engine's row.
    #[must_use]
    pub const fn of(kind: EngineKind) -> &'static Self {
        match kind {
            EngineKind::Ocr => &OCR,
            EngineKind::Speech => &SPEECH,
            EngineKind::Llm => &LLM,
            EngineKind::Stt => &STT,
            EngineKind::SttCommand => &STT_COMMAND,
        }
    }

    /// Default limit of the engine's memory, bytes, without a configured one: twice its memory with loaded models, plus its working memory. Weights
    /// that are read from the disk on demand count in full, so `held` must be the larger of its report and the size of its files.
    #[must_use]
    pub const fn memory_limit(&self, held: u64) -> u64 {
        held.saturating_mul(2).saturating_add(self.working_memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [EngineKind; 5] =
        [EngineKind::Ocr, EngineKind::Speech, EngineKind::Llm, EngineKind::Stt, EngineKind::SttCommand];

    // ENG-1, GPU-1
    #[test]
    fn each_engine_has_its_own_row_and_those_with_a_token_are_leased_eng_1_gpu_1() {
        for kind in KINDS {
            let policy = EnginePolicy::of(kind);
            assert_eq!(policy.kind, kind);
            assert_eq!(policy.start_thread, format!("{} program", kind.name()));
            let name = format!("luna-engine-{}", kind.of_program().name());
            assert!(policy.program.starts_with(&name), "{policy:?}");
            for other in KINDS.into_iter().filter(|other| *other != kind).map(EnginePolicy::of) {
                let same_program = other.kind.of_program() == kind.of_program();
                assert_eq!(other.program == policy.program, same_program, "{kind:?} {other:?}");
                assert_ne!(other.capability, policy.capability, "{kind:?} {other:?}");
            }
        }
        let leased: Vec<_> = KINDS.into_iter().filter(|kind| EnginePolicy::of(*kind).leased).collect();
        let expected = [EngineKind::Llm, EngineKind::Stt, EngineKind::SttCommand];
        assert_eq!(leased, expected, "those whose actors the token can give orders to");
    }

    // KER-4
    #[test]
    fn a_large_model_may_take_longer_to_load_ker_4() {
        for (kind, mb, seconds) in [
            (EngineKind::Llm, 0, 30),
            (EngineKind::Stt, 160, 40),
            (EngineKind::Llm, 4096, 286),
            (EngineKind::Ocr, 4096, 60),
            (EngineKind::Speech, 4096, 20),
        ] {
            let within = EnginePolicy::of(kind).load_timeout.for_bytes(mb * MB);
            assert_eq!(within, Duration::from_secs(seconds), "{kind:?} {mb}");
        }
    }

    // ENG-2
    #[test]
    fn a_limit_follows_the_size_of_the_models_eng_2() {
        for (kind, held_mb, limit_mb) in [
            (EngineKind::Speech, 20, 296),
            (EngineKind::Ocr, 150, 1324),
            (EngineKind::Llm, 2600, 6224),
            (EngineKind::Stt, 0, 1024),
        ] {
            assert_eq!(EnginePolicy::of(kind).memory_limit(held_mb * MB), limit_mb * MB, "{kind:?} {held_mb}");
        }
        assert_eq!(EnginePolicy::of(EngineKind::Llm).memory_limit(u64::MAX), u64::MAX);
    }
}
