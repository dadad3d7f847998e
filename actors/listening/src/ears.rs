//! The signal thread: opens and closes the microphone, and passes its sound through the signal chain. The actor never waits for it.

mod played;
mod thread;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luna_actor_runtime::Capabilities;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::periodic_task::{self, PeriodicTaskWaker};
use luna_listening::signal::{EchoReference, HeardPlace, SignalChain, SignalSettings};
use luna_messages::listening::{ListeningMessage, SamplePosition, VoiceEvent};
use luna_messages::stt::Sound;
use luna_platform::audio::tap::PlaybackTap;
use luna_platform::microphone::Microphone;

use crate::ListeningSettings;

/// Capacity of the queue between a device's thread and that of the signal: enough for a busy machine.
const QUEUE_SECONDS: usize = 2;

/// Dependencies of the signal thread.
pub struct EarsDependencies {
    /// The microphone; its calls may block on a stopped sound server (KER-11).
    pub microphone: BlockingService<dyn Microphone>,
    /// What this machine plays, see [`EchoReference::Loopback`].
    pub loopback: BlockingService<dyn Microphone>,
    /// What Luna plays.
    pub tap: PlaybackTap,
    /// Reports whether the microphone is available.
    pub capabilities: Capabilities,
    /// Woken when there is news.
    pub inbox: Inbox<ListeningMessage>,
}

/// What the actor wants of the thread.
#[derive(Debug, Clone, PartialEq)]
struct EarsTarget {
    listens: bool,
    device: Option<String>,
    reference: EchoReference,
    quit: bool,
}

/// News for the actor.
#[derive(Debug, Default)]
struct EarsNews {
    /// With the position that was heard then.
    events: Vec<(VoiceEvent, SamplePosition)>,
    /// Whether the microphone was lost meanwhile; before all events.
    lost: bool,
}

struct EarsShared {
    target: Mutex<EarsTarget>,
    /// Settings of the chain.
    signal: Mutex<SignalSettings>,
    /// Held for the time of a few frames at most.
    chain: Mutex<SignalChain>,
    news: Mutex<EarsNews>,
}

/// Locks; no update can be left half-done, so a poisoned lock is safe to use.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The actor's handle of the signal thread. Dropping it closes the microphone and wipes what was heard (BUF-2).
pub struct Ears {
    shared: Arc<EarsShared>,
    thread: PeriodicTaskWaker,
}

impl Ears {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system can't start a thread.
    pub fn start(dependencies: EarsDependencies, settings: &ListeningSettings) -> std::io::Result<Self> {
        let shared = Arc::new(EarsShared {
            target: Mutex::new(target(settings)),
            signal: Mutex::new(settings.signal),
            chain: Mutex::new(SignalChain::new(settings.signal)),
            news: Mutex::default(),
        });
        let thread = periodic_task::start("luna-listening", thread::rounds(shared.clone(), dependencies))?;
        Ok(Self { shared, thread })
    }

    /// Applies changed settings. If those of the signal changed, it begins anew, as after a loss of the microphone.
    pub fn configure(&self, settings: &ListeningSettings) {
        *lock(&self.shared.target) = target(settings);
        let mut signal = lock(&self.shared.signal);
        if *signal != settings.signal {
            *signal = settings.signal;
            *lock(&self.shared.chain) = SignalChain::new(settings.signal);
            *lock(&self.shared.news) = EarsNews { events: Vec::new(), lost: true };
        }
        drop(signal);
        self.thread.wake();
    }

    /// The news since the last call, and whether the microphone was lost before them.
    pub fn take_news(&self) -> (Vec<(VoiceEvent, SamplePosition)>, bool) {
        let news = std::mem::take(&mut *lock(&self.shared.news));
        (news.events, news.lost)
    }

    /// What is heard now.
    pub fn place(&self) -> HeardPlace {
        lock(&self.shared.chain).place()
    }

    /// A stretch of what was heard, as far as it is kept.
    pub fn sound(&self, from: SamplePosition, to: SamplePosition) -> Sound {
        lock(&self.shared.chain).sound(from, to)
    }
}

impl Drop for Ears {
    fn drop(&mut self) {
        lock(&self.shared.target).quit = true;
        lock(&self.shared.chain).wipe();
        self.thread.wake();
        // Not joined: closing a device can take long, and the caller must not wait for it.
    }
}

fn target(settings: &ListeningSettings) -> EarsTarget {
    EarsTarget {
        listens: settings.listens,
        device: settings.device.clone(),
        reference: settings.reference.clone(),
        quit: false,
    }
}
