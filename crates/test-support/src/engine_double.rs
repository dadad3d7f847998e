//! In-process doubles of all engines, for [`super::engines`]: they follow the protocol with simulated delays, and break it if a test orders a fault.

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

/// A fault of an engine, which happens once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum EngineFault {
    /// The program does not exist.
    NotThere,
    DieAtStart,
    SilentAtStart,
    GarbageAtStart,
    DieAtLoad,
    HangAtLoad,
    /// Refuses to load, with this kind of error.
    RefuseLoad(EngineErrorKind),
    /// Ends after this number of parts of a result, as if killed.
    DieInRun {
        after: u32,
    },
    /// Ends after this number of parts of a result, as by `abort()`.
    AbortInRun {
        after: u32,
    },
    /// Refuses a job.
    RefuseRun,
    /// Sends nothing after the first part and ignores a cancel; still answers health checks.
    HangInRun,
    /// As [`Self::HangInRun`], but answers no health checks.
    Freeze,
    /// Sends all parts of a result but never `Done`.
    LoseAnswer,
    /// Sends `Done` with this delay.
    LateAnswer(Duration),
    /// Ignores a cancel and completes the job, ten times as slowly.
    IgnoreCancel,
    /// Completes the job and reports this memory use.
    Leak {
        bytes: u64,
    },
    /// Writes bytes that are no frame.
    GarbageInRun,
    DieAtUnload,
    HangAtUnload,
    /// Ends while idle, this long after its load.
    DieIdle(Duration),
}

/// The simulated delays of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineTiming {
    /// From start to greeting.
    pub hello: Duration,
    pub load: Duration,
    /// Between parts of a result.
    pub part: Duration,
    /// Samples per second of speech.
    pub sample_rate: u32,
    /// Milliseconds of speech per character.
    pub speech_ms: u32,
}

impl Default for EngineTiming {
    fn default() -> Self {
        let ms = Duration::from_millis;
        Self { hello: ms(5), load: ms(40), part: ms(10), sample_rate: 16_000, speech_ms: 60 }
    }
}

/// An action of an engine, for traces; without the text of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum EngineAction {
    Start,
    Load,
    Run,
    Cancel,
    Unload,
    /// An ordered fault happened.
    Fault,
    Done,
}

type Tell = Arc<dyn Fn(EngineKind, EngineAction) + Send + Sync>;

#[derive(Default)]
struct EngineDoublesState {
    /// By engine name.
    faults: BTreeMap<&'static str, VecDeque<EngineFault>>,
    running: BTreeMap<&'static str, usize>,
    /// Loads in progress of engines that need a lease.
    loading: usize,
    /// Loads that began while another was in progress.
    overlaps: usize,
    timing: EngineTiming,
    tell: Option<Tell>,
    /// Whether the engines report a build without support for a graphics card.
    processor_only: bool,
}

/// All engines of a test. Clones share their state.
#[derive(Clone, Default)]
pub struct EngineDoubles(Arc<Mutex<EngineDoublesState>>);

impl fmt::Debug for EngineDoubles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = lock(&self.0);
        f.debug_struct("EngineDoubles").field("faults", &state.faults).field("running", &state.running).finish()
    }
}

impl EngineDoubles {
    /// Engines without faults, with this timing; `tell` receives their actions.
    #[must_use]
    pub fn new(timing: EngineTiming, tell: impl Fn(EngineKind, EngineAction) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Mutex::new(EngineDoublesState {
            timing,
            tell: Some(Arc::new(tell)),
            ..EngineDoublesState::default()
        })))
    }

    /// Replaces all engine programs that this thread starts, until the result is dropped.
    pub fn here(&self) -> InProcessEngines {
        InProcessEngines::here(self.serve())
    }

    /// Creates the double of a program.
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

    /// Orders a fault for its next opportunity; earlier orders for the same opportunity come first.
    pub fn order(&self, kind: EngineKind, fault: EngineFault) {
        lock(&self.0).faults.entry(kind.name()).or_default().push_back(fault);
    }

    /// Sets whether engines report a build for the processor only, or also for a graphics card (GPU-6).
    pub fn build_for_processor_only(&self, only: bool) {
        lock(&self.0).processor_only = only;
    }

    fn backends(&self) -> Vec<Backend> {
        if lock(&self.0).processor_only { vec![Backend::Cpu] } else { vec![Backend::Cpu, Backend::Cuda] }
    }

    /// Cancels all faults that have not happened yet.
    pub fn clear(&self) {
        lock(&self.0).faults.clear();
    }

    /// Number of running engines of this kind.
    #[must_use]
    pub fn running(&self, kind: EngineKind) -> usize {
        lock(&self.0).running.get(kind.name()).copied().unwrap_or(0)
    }

    /// How often a language or speech recognition model was loaded while another load was in progress (GPU-1).
    #[must_use]
    pub fn overlapping_loads(&self) -> usize {
        lock(&self.0).overlaps
    }

    /// Counts a load as in progress until the result is dropped.
    fn begin_load(&self, kind: EngineKind) -> LoadInProgress {
        let counts = matches!(kind, EngineKind::Llm | EngineKind::Stt | EngineKind::SttCommand);
        if counts {
            let mut state = lock(&self.0);
            state.overlaps += usize::from(state.loading > 0);
            state.loading += 1;
        }
        LoadInProgress { doubles: self.clone(), counts }
    }

    fn take(&self, kind: EngineKind, fits: impl Fn(EngineFault) -> bool) -> Option<EngineFault> {
        let taken = {
            let mut state = lock(&self.0);
            let faults = state.faults.get_mut(kind.name())?;
            let at = faults.iter().position(|fault| fits(*fault))?;
            faults.remove(at)
        };
        self.tell(kind, EngineAction::Fault);
        taken
    }

    fn timing(&self) -> EngineTiming {
        lock(&self.0).timing
    }

    fn tell(&self, kind: EngineKind, did: EngineAction) {
        let tell = lock(&self.0).tell.clone();
        if let Some(tell) = tell {
            tell(kind, did);
        }
    }

    fn count(&self, kind: EngineKind, change: impl FnOnce(&mut usize)) {
        change(lock(&self.0).running.entry(kind.name()).or_default());
    }
}

struct LoadInProgress {
    doubles: EngineDoubles,
    counts: bool,
}

impl Drop for LoadInProgress {
    fn drop(&mut self) {
        if self.counts {
            lock(&self.doubles.0).loading -= 1;
        }
    }
}
