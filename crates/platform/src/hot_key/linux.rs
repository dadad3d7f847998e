//! Global hot keys of an X11 display: keys grabbed on the root window.

mod grab;
mod key_events;
pub(crate) mod keyboard;
mod observe;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use luna_messages::keyboard::KeyEvent;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::Timestamp;

use self::grab::{KeyGrabs, grab_all, release_all, release_stale};
use super::{HotKey, HotKeyCode, HotKeys, Watch};
use crate::PlatformError;
use crate::x11::{Failure, WakeReason, Waker, XDisplay, wait};

/// The hot keys of an X11 display.
#[derive(Debug, Default, Clone, Copy)]
pub struct X11HotKeys;

impl X11HotKeys {
    /// Connects when keys are watched.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl HotKeys for X11HotKeys {
    fn watch(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        self.watch_until_lost(keys, pressed, Box::new(|| {}))
    }

    fn watch_until_lost(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
        lost: Box<dyn FnOnce() + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        let display = XDisplay::open()?;
        let (mut grabbed, refused) = grab_all(&display, keys).map_err(PlatformError::from)?;
        let shared =
            Arc::new(HotKeyShared { display, waker: Waker::new()?, state: Mutex::new(ListenerState::Watching) });
        // Refused keys are not grabbed when the layout changes either: the caller may try them with another watch
        // meanwhile.
        let grabbed_indices: Vec<usize> =
            (0..keys.len()).filter(|index| refused.iter().all(|(place, _)| place != index)).collect();
        grabbed.renumber(&grabbed_indices);
        let listener = HotKeyListener {
            shared: Arc::clone(&shared),
            keys: grabbed_indices.iter().filter_map(|&index| keys.get(index).cloned()).collect(),
            grabbed,
            pressed: Box::new(move |place| {
                if let Some(&index) = grabbed_indices.get(place) {
                    pressed(index);
                }
            }),
            lost: Some(lost),
            released: HashMap::new(),
        };
        std::thread::Builder::new().name("luna-hot-key".into()).spawn(move || listener.run()).map_err(|error| {
            PlatformError::unavailable(
                format!("The system gives no thread to wait for hot keys with: {error}."),
                "Close programs, or raise the limit of processes (ulimit -u).",
            )
        })?;
        Ok((Watch::new(move || shared.stop()), refused))
    }

    fn observe(&self, key: HotKeyCode, pressed: Box<dyn Fn() + Send>) -> Result<Watch, PlatformError> {
        observe::start(key, pressed)
    }

    fn observe_keyboard(
        &self,
        own: &[HotKey],
        changed: Box<dyn FnMut(KeyEvent) + Send>,
        lost: Box<dyn FnOnce() + Send>,
    ) -> Result<Watch, PlatformError> {
        key_events::start(own, changed, lost)
    }
}

/// Shared by the thread and the owner of the watch.
struct HotKeyShared {
    display: XDisplay,
    waker: Waker,
    /// Locked while keys are grabbed or released, so that a layout change can't grab keys again that the owner just
    /// released.
    state: Mutex<ListenerState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListenerState {
    Watching,
    Stopped,
}

impl HotKeyShared {
    /// Releases the keys before it returns, so that the caller can watch them again immediately.
    fn stop(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = ListenerState::Stopped;
        // If the display is lost, the grabs are gone as well.
        let _ = release_all(&self.display);
        self.waker.wake();
    }
}

struct HotKeyListener {
    shared: Arc<HotKeyShared>,
    /// Kept to grab them again when the keyboard layout changes.
    keys: Vec<HotKey>,
    grabbed: KeyGrabs,
    pressed: Box<dyn Fn(usize) + Send>,
    /// Called once, when a key is lost.
    lost: Option<Box<dyn FnOnce() + Send>>,
    /// When each key was last released. A held key repeats: it is released and pressed within the same millisecond,
    /// which no finger can do.
    released: HashMap<u8, Timestamp>,
}

impl HotKeyListener {
    fn run(mut self) {
        loop {
            match self.take_events() {
                Ok(()) => {}
                Err(Failure::Lost | Failure::Silent) => {
                    tracing::warn!("The display is gone, and with it the hot keys.");
                    self.report_loss();
                    return;
                }
                Err(failure) => {
                    tracing::warn!(error = %PlatformError::from(failure), "The hot keys could not be grabbed again.")
                }
            }
            if wait(&self.shared.display.connection, &self.shared.waker, None) == WakeReason::Stop {
                return;
            }
        }
    }

    fn take_events(&mut self) -> Result<(), Failure> {
        loop {
            // A layout change causes a burst of events; grabbing once after the last is enough.
            let mut remapped = false;
            while let Some(event) = self.shared.display.connection.poll_for_event()? {
                match event {
                    Event::KeyPress(event) => {
                        let repeats = self.released.get(&event.detail) == Some(&event.time);
                        if let Some(index) = self.grabbed.find(event.detail, event.state.into())
                            && !repeats
                            && self.is_watching()
                        {
                            (self.pressed)(index);
                        }
                    }
                    Event::KeyRelease(event) => {
                        self.released.insert(event.detail, event.time);
                    }
                    Event::MappingNotify(_) => remapped = true,
                    _ => {}
                }
            }
            if !remapped {
                return Ok(());
            }
            // Replies to the requests may arrive with events, so check the queue once more.
            self.grab_again()?;
        }
    }

    fn report_loss(&mut self) {
        if let Some(lost) = self.lost.take()
            && self.is_watching()
        {
            lost();
        }
    }

    fn is_watching(&self) -> bool {
        *self.shared.state.lock().unwrap_or_else(PoisonError::into_inner) == ListenerState::Watching
    }

    fn grab_again(&mut self) -> Result<(), Failure> {
        let state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == ListenerState::Stopped {
            return Ok(());
        }
        // Grab the new combinations before releasing the old: switching to another keyboard sends these events in the
        // middle of a chord, and the next key must not fall into a gap.
        let (grabbed, refused) = grab_all(&self.shared.display, &self.keys)?;
        let old = std::mem::replace(&mut self.grabbed, grabbed);
        release_stale(&self.shared.display, &old, &self.grabbed)?;
        drop(state);
        for (index, reason) in &refused {
            let key = self.keys.get(*index).map(ToString::to_string);
            tracing::warn!(?key, reason, "A hot key is lost after the keyboard changed.");
        }
        if !refused.is_empty() {
            self.report_loss();
        }
        Ok(())
    }
}
