//! A double of all engines, for [`super::engines`]: it keeps to the protocol and takes its time, or breaks it where a test orders a fault.

mod jobs;
mod serve;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_engine_protocol::Backend;
use luna_messages::engine::{EngineErrorKind, EngineKind};

use super::engines::{EnginePipes, InProcessEngines, Serve};
use luna_mailbox::sync::lock;

/// What an engine does wrong, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum EngineFault {
    /// The program is not there.
    NotThere,
    DieAtStart,
    SilentAtStart,
    GarbageAtStart,
    DieAtLoad,
    HangAtLoad,
    /// It refuses to load, with this kind of error.
    RefuseLoad(EngineErrorKind),
    /// It ends after so many parts of a result, as if killed.
    DieInRun {
        after: u32,
    },
    /// It ends after so many parts of a result, as by `abort()`.
    AbortInRun {
        after: u32,
    },
    /// It says that a job can't be done.
    RefuseRun,
    /// It gives nothing more after the first part; it still answers whether it lives, and does not obey a cancel.
    HangInRun,
    /// As [`Self::HangInRun`], and it does not answer whether it lives.
    Freeze,
    /// It gives all parts of a result and never says that it is done.
    LoseAnswer,
    /// It says so much later that it is done.
    LateAnswer(Duration),
    /// It works a job to its end although it was cancelled, ten times as slowly.
    IgnoreCancel,
    /// It does its work and says that it holds so much memory after it.
    Leak {
        bytes: u64,
    },
    /// It writes what is no frame.
    GarbageInRun,
    DieAtUnload,
    HangAtUnload,
    /// It ends while nothing is asked of it, so long after its load.
    DieIdle(Duration),
}

/// How long an engine takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineTiming {
    /// From its start to its greeting.
    pub hello: Duration,
    pub load: Duration,
    /// From part to part of a result.
    pub part: Duration,
    /// Samples a second of speech.
    pub sample_rate: u32,
    /// Milliseconds of speech for each character.
    pub speech_ms: u32,
}

impl Default for EngineTiming {
    fn default() -> Self {
        let ms = Duration::from_millis;
        Self { hello: ms(5), load: ms(40), part: ms(10), sample_rate: 16_000, speech_ms: 60 }
    }
}

/// What an engine did; for traces. The text of jobs is not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum EngineDid {
    Start,
    Load,
    Run,
    Cancel,
    Unload,
    /// It did what it was not to do.
    Fault,
    Done,
}

type Tell = Arc<dyn Fn(EngineKind, EngineDid) + Send + Sync>;

#[derive(Default)]
struct EngineDoublesState {
    /// By name of the engine.
    faults: BTreeMap<&'static str, VecDeque<EngineFault>>,
    running: BTreeMap<&'static str, usize>,
    /// Loads of models under the token that are under way, and how often one began while another was.
    loading: usize,
    overlaps: usize,
    pace: EngineTiming,
    tell: Option<Tell>,
    /// Whether they were built for the processor only.
    processor_only: bool,
}

/// All engines of a test. Clones are the same.
#[derive(Clone, Default)]
pub struct EngineDoubles(Arc<Mutex<EngineDoublesState>>);

impl fmt::Debug for EngineDoubles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = lock(&self.0);
        f.debug_struct("EngineDoubles").field("faults", &inside.faults).field("running", &inside.running).finish()
    }
}

impl EngineDoubles {
    /// Engines that work, at this pace; `tell` hears what they do.
    #[must_use]
    pub fn new(pace: EngineTiming, tell: impl Fn(EngineKind, EngineDid) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Mutex::new(EngineDoublesState {
            pace,
            tell: Some(Arc::new(tell)),
            ..EngineDoublesState::default()
        })))
    }

    /// They take the place of all programs that are started from this thread.
    pub fn here(&self) -> InProcessEngines {
        InProcessEngines::here(self.serve())
    }

    /// What makes the engine of a program.
    #[must_use]
    pub fn serve(&self) -> Serve {
        let doubles = self.clone();
        Arc::new(move |program, pipes: EnginePipes| {
            if doubles.take(program.kind, |fault| fault == EngineFault::NotThere).is_some() {
                return None;
            }
            let (doubles, kind) = (doubles.clone(), program.kind);
            Some(Box::pin(serve::serve(doubles, kind, pipes)))
        })
    }

    /// Orders a fault for the next moment at which it can happen, after those that were ordered before.
    pub fn order(&self, kind: EngineKind, fault: EngineFault) {
        lock(&self.0).faults.entry(kind.name()).or_default().push_back(fault);
    }

    /// From now on they say that they were built for the processor only, or for a graphics card, too (GPU-6).
    pub fn build_for_processor_only(&self, only: bool) {
        lock(&self.0).processor_only = only;
    }

    fn backends(&self) -> Vec<Backend> {
        if lock(&self.0).processor_only { vec![Backend::Cpu] } else { vec![Backend::Cpu, Backend::Cuda] }
    }

    /// Takes back the faults that did not happen yet.
    pub fn clear(&self) {
        lock(&self.0).faults.clear();
    }

    /// How many engines of this kind run.
    #[must_use]
    pub fn running(&self, kind: EngineKind) -> usize {
        lock(&self.0).running.get(kind.name()).copied().unwrap_or(0)
    }

    /// How often a model of the language or of speech recognition was loaded while another one was (GPU-1).
    #[must_use]
    pub fn overlapping_loads(&self) -> usize {
        lock(&self.0).overlaps
    }

    /// Counts a load until the result is dropped.
    fn loads(&self, kind: EngineKind) -> LoadCounts {
        let counts = matches!(kind, EngineKind::Llm | EngineKind::Stt);
        if counts {
            let mut inside = lock(&self.0);
            inside.overlaps += usize::from(inside.loading > 0);
            inside.loading += 1;
        }
        LoadCounts { doubles: self.clone(), counts }
    }

    fn take(&self, kind: EngineKind, fits: impl Fn(EngineFault) -> bool) -> Option<EngineFault> {
        let taken = {
            let mut inside = lock(&self.0);
            let faults = inside.faults.get_mut(kind.name())?;
            let at = faults.iter().position(|fault| fits(*fault))?;
            faults.remove(at)
        };
        self.tell(kind, EngineDid::Fault);
        taken
    }

    fn pace(&self) -> EngineTiming {
        lock(&self.0).pace
    }

    fn tell(&self, kind: EngineKind, did: EngineDid) {
        let tell = lock(&self.0).tell.clone();
        if let Some(tell) = tell {
            tell(kind, did);
        }
    }

    fn count(&self, kind: EngineKind, change: impl FnOnce(&mut usize)) {
        change(lock(&self.0).running.entry(kind.name()).or_default());
    }
}

/// A load under way.
struct LoadCounts {
    doubles: EngineDoubles,
    counts: bool,
}

impl Drop for LoadCounts {
    fn drop(&mut self) {
        if self.counts {
            lock(&self.doubles.0).loading -= 1;
        }
    }
}
