//! Whether an engine and its model are available: reported once, probed again when the cause may have gone (KER-9).

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::EngineErrorKind;
use luna_messages::work::WorkFailure;
use tokio::time::Instant;

use crate::grant::NoLease;
use crate::process::EngineFailure;
use luna_actor_runtime::blocking::BlockingThread;
use luna_actor_runtime::capabilities::Capabilities;
use luna_mailbox::sync::lock;

/// Longest time to find a model. Its file may be read whole for its checksum: 10 GB from a slow disk take two minutes.
pub const FIND_MODEL_TIMEOUT: Duration = Duration::from_secs(300);

/// Minimum time from a report or probe of what is missing to the next probe.
const PROBE_INTERVAL: Duration = Duration::from_secs(15);

/// Availability of one engine and its models.
#[derive(Debug)]
pub struct Availability<T> {
    capabilities: Capabilities,
    capability: Capability,
    /// What is missing, and when it was last reported or probed.
    missing: Mutex<Option<(Missing<T>, Instant)>>,
    /// Finds and checks models off the workers: a disk can be slow, or hang (KER-11).
    disk: BlockingThread,
}

/// What an engine lacks; a probe checks whether it is there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing<T> {
    /// The model for this task.
    Model(T),
    /// The engine's program.
    Program(PathBuf),
    /// A loadable model: this file, as it was at this stamp, could not be loaded.
    Replacement(PathBuf, Option<(SystemTime, u64)>),
}

/// Modification time and length of a file; `None` if it does not exist. Reads from the disk: not for workers of the runtime.
pub(crate) fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

impl<T: Clone> Availability<T> {
    /// Starts as unknown: nothing is probed before it is needed, so that a start is quick and causes no messages on a machine without models.
    #[must_use]
    pub fn new(capabilities: Capabilities, capability: Capability) -> Self {
        let disk = BlockingThread::new("models", FIND_MODEL_TIMEOUT);
        Self { capabilities, capability, missing: Mutex::new(None), disk }
    }

    /// The thread that models are found and checked on.
    #[must_use]
    pub const fn disk(&self) -> &BlockingThread {
        &self.disk
    }

    pub fn report_available(&self) {
        *lock(&self.missing) = None;
        self.capabilities.set(self.capability, CapabilityState::Available);
    }

    /// Reports that there is no model for a task.
    pub fn no_model(&self, task: T, why: Unavailable) -> WorkFailure {
        self.report_missing(Missing::Model(task), why)
    }

    fn report_missing(&self, missing: Missing<T>, why: Unavailable) -> WorkFailure {
        *lock(&self.missing) = Some((missing, Instant::now()));
        self.capabilities.set(self.capability, CapabilityState::Unavailable(why.clone()));
        WorkFailure::Unavailable(why)
    }

    /// The answer for a caller whose engine could not be made ready; a permanent failure is also reported to the capabilities. `replacement` is what
    /// to probe for if the model is at fault.
    pub fn not_ready(&self, failure: EngineFailure, program: &Path, replacement: Missing<T>) -> WorkFailure {
        let reinstall = "Install Luna with all its programs again.";
        match failure {
            EngineFailure::NotStarted { .. } | EngineFailure::Protocol { .. } => {
                let why = Unavailable { reason: failure.to_string(), remedy: reinstall.to_owned() };
                self.report_missing(Missing::Program(program.to_owned()), why)
            }
            EngineFailure::Refused(error) => match error.kind {
                EngineErrorKind::Missing | EngineErrorKind::BadModel | EngineErrorKind::Unsupported => {
                    let why = Unavailable { reason: error.message, remedy: error.remedy };
                    self.report_missing(replacement, why)
                }
                // Temporary, or specific to this request.
                EngineErrorKind::BadInput
                | EngineErrorKind::NotLoaded
                | EngineErrorKind::OutOfMemory
                | EngineErrorKind::Internal => WorkFailure::Refused(error),
            },
            EngineFailure::Ended { .. }
            | EngineFailure::Cancelled
            | EngineFailure::TimedOut { .. }
            | EngineFailure::Busy { .. }
            | EngineFailure::Outgrew { .. } => lost_work(&failure),
        }
    }

    /// What to probe for now; `None` if nothing is missing or the last probe is too recent.
    #[must_use]
    pub fn due_probe(&self, now: Instant) -> Option<Missing<T>> {
        let mut last = lock(&self.missing);
        let (missing, probed_at) =
            last.as_mut().filter(|(_, probed_at)| now.duration_since(*probed_at) >= PROBE_INTERVAL)?;
        *probed_at = now;
        Some(missing.clone())
    }

    /// Probes again. `find` returns whether there is a model for a task; it may take as long as reading one. Reports the capability as available if
    /// the cause has gone; a failure is silent, because it was reported before.
    pub fn probe(&self, missing: &Missing<T>, find: impl FnOnce(&T) -> bool) {
        let there = match missing {
            Missing::Model(task) => find(task),
            Missing::Program(path) => path.exists(),
            Missing::Replacement(path, before) => {
                let now = stamp(path);
                now.is_some() && now != *before
            }
        };
        if there {
            self.report_available();
        }
    }
}

/// The answer for work that was lost with the engine.
#[must_use]
pub fn lost_work(failure: &EngineFailure) -> WorkFailure {
    WorkFailure::EngineEnded { reason: failure.to_string() }
}

/// The answer for a claim that got no lease.
#[must_use]
pub fn no_lease(no: NoLease) -> WorkFailure {
    match no {
        NoLease::Refused(refusal) => WorkFailure::OutOfMemory(refusal),
        NoLease::NoToken | NoLease::Full => {
            let remedy = "Try again in a moment; `luna doctor` tells more.".to_owned();
            WorkFailure::Unavailable(Unavailable { reason: no.to_string(), remedy })
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use std::sync::Arc;

    use luna_messages::engine::EngineError;

    use super::*;

    fn fixture() -> (Availability<u8>, Arc<Mutex<Vec<bool>>>) {
        let told: Arc<Mutex<Vec<bool>>> = Arc::default();
        let hears = told.clone();
        let capabilities = Capabilities::new(Arc::new(move |_, state: &CapabilityState| {
            hears.lock().unwrap().push(matches!(state, CapabilityState::Available));
        }));
        (Availability::new(capabilities, Capability::TextRecognition), told)
    }

    fn why() -> Unavailable {
        Unavailable { reason: "It is not there.".into(), remedy: "Get it.".into() }
    }

    // KER-9
    #[tokio::test(start_paused = true)]
    async fn a_missing_model_is_told_once_and_looked_for_again_ker_9() {
        let (availability, told) = fixture();
        for _ in 0..3 {
            assert_eq!(availability.no_model(7, why()), WorkFailure::Unavailable(why()));
        }
        assert_eq!(*told.lock().unwrap(), [false], "told once");
        assert_eq!(availability.due_probe(Instant::now()), None, "it was looked for just now");
        tokio::time::advance(PROBE_INTERVAL).await;
        let missing = availability.due_probe(Instant::now()).unwrap();
        assert_eq!((&missing, availability.due_probe(Instant::now())), (&Missing::Model(7), None));
        availability.probe(&missing, |_| false);
        assert_eq!(*told.lock().unwrap(), [false]);
        availability.probe(&missing, |task| *task == 7);
        assert_eq!(*told.lock().unwrap(), [false, true]);
        tokio::time::advance(PROBE_INTERVAL).await;
        assert_eq!(availability.due_probe(Instant::now()), None, "nothing is missing any more");
    }

    // KER-9, ENG-4
    #[tokio::test(start_paused = true)]
    async fn what_fails_again_is_a_lost_capability_and_what_does_not_is_not_ker_9_eng_4() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let refused = |kind| EngineFailure::Refused(EngineError { kind, message: "M.".into(), remedy: "R.".into() });
        let check = |failure: EngineFailure, lost: bool, text: &str| {
            let (availability, told) = fixture();
            let failure = availability.not_ready(
                failure,
                Path::new("/nowhere/engine"),
                Missing::Replacement(file.clone(), stamp(&file)),
            );
            assert_eq!(failure.to_string(), text);
            assert_eq!(!told.lock().unwrap().is_empty(), lost, "{failure:?}");
        };
        let ended = EngineFailure::Ended { reason: "by SIGKILL (9)".into() };
        check(refused(EngineErrorKind::BadModel), true, "M. R.");
        check(refused(EngineErrorKind::Missing), true, "M. R.");
        check(refused(EngineErrorKind::OutOfMemory), false, "M. R.");
        check(refused(EngineErrorKind::BadInput), false, "M. R.");
        let text =
            "The engine ended: by SIGKILL (9). What it worked on is lost; at the next request it is started anew.";
        check(ended, false, text);
        let gone = EngineFailure::NotStarted { path: "/nowhere/engine".into(), reason: "no such file".into() };
        let text =
            "The engine /nowhere/engine could not be started: no such file. Install Luna with all its programs again.";
        check(gone, true, text);
    }

    // KER-9
    #[test]
    fn a_bad_file_counts_again_once_it_changed_ker_9() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let check = |missing: Missing<u8>, expect: &[bool]| {
            let (availability, told) = fixture();
            availability.probe(&missing, |_| panic!("no model is looked for"));
            assert_eq!(*told.lock().unwrap(), expect, "{missing:?}");
        };
        check(Missing::Replacement(file.clone(), stamp(&file)), &[]);
        check(Missing::Replacement(file.clone(), None), &[true]);
        check(Missing::Replacement("/nowhere".into(), None), &[]);
        check(Missing::Program("/nowhere".into()), &[]);
        check(Missing::Program(file), &[true]);
    }
}
