//! Waiting until an application has taken what was sent, before the meaning of keys changes and before the pointer leaves.

use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, CLIENT_MESSAGE_EVENT, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask,
    Window,
};

use super::link::{InputLink, window_of};
use crate::x11::{Failure, WakeReason, Waker, unless_gone, wait};

/// How long an application may take.
const ANSWER_LIMIT: Duration = Duration::from_millis(1000);
/// What an application that doesn't answer such questions gets: some ten times what xterm needs on a busy machine.
const BLIND_WAIT: Duration = Duration::from_millis(250);
/// What an input method gets for each key: it takes keys from the application and gives them back one by one, and some
/// programs mix them up with keys that come meanwhile.
const INPUT_METHOD_WAIT: Duration = Duration::from_millis(25);
/// The time in the question, by which its answer is told from those to a window manager.
const STAMP: u32 = 0x004c_554e;

/// Whether an application has taken what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyReceipt {
    /// It answered a question that was sent after it.
    Certainly,
    /// It can't answer such a question; it had some time.
    Likely,
    /// It does not answer in time.
    No,
}

/// Tells whether the application of a window has taken what was sent, by the question of window managers whether it still
/// answers (_NET_WM_PING): events are answered in the order in which they came.
pub(super) struct Settling<'a> {
    link: &'a InputLink,
    /// A window of the application that answers; `None` if there is none.
    window: Option<Window>,
    protocols: u32,
    ping: u32,
    /// Whether an input method may be asked before the application takes a key.
    has_input_method: bool,
}

impl<'a> Settling<'a> {
    pub(super) fn of(link: &'a InputLink, window: u64) -> Result<Self, Failure> {
        let connection = &link.display.connection;
        let protocols = connection.intern_atom(false, b"WM_PROTOCOLS")?.reply()?.atom;
        let ping = connection.intern_atom(false, b"_NET_WM_PING")?.reply()?.atom;
        let list = connection.intern_atom(false, b"_NET_CLIENT_LIST")?.reply()?.atom;
        let clients = connection.get_property(false, link.display.root, list, AtomEnum::WINDOW, 0, 4096)?.reply()?;
        let window = window_of(window);
        // Menus have no protocols of their own.
        let others = clients.value32().into_iter().flatten().filter(|&other| link.is_same_client(window, other));
        let mut answering = None;
        for one in std::iter::once(window).chain(others) {
            let answer = connection.get_property(false, one, protocols, AtomEnum::ATOM, 0, 64)?.reply();
            let answer = unless_gone(answer.map_err(Failure::from))?;
            if answer.is_some_and(|answer| answer.value32().into_iter().flatten().any(|one| one == ping)) {
                answering = Some(one);
                break;
            }
        }
        let has_input_method = has_input_method(link)?;
        Ok(Self { link, window: answering, protocols, ping, has_input_method })
    }

    /// Whether the application can be asked.
    pub(super) const fn is_certain(&self) -> bool {
        self.window.is_some()
    }

    /// Whether an input method runs.
    pub(super) const fn has_input_method(&self) -> bool {
        self.has_input_method
    }

    /// Waits a moment after a key, if an input method runs.
    pub(super) fn pause(&self) {
        if self.has_input_method {
            std::thread::sleep(INPUT_METHOD_WAIT);
        }
    }

    /// As [`Settling::wait`], after keys: an input method looks itself what they produce, later than the application.
    pub(super) fn wait_for_keys(&self) -> Result<KeyReceipt, Failure> {
        let taken = self.wait()?;
        if !self.has_input_method || taken == KeyReceipt::No {
            return Ok(taken);
        }
        std::thread::sleep(BLIND_WAIT);
        Ok(KeyReceipt::Likely)
    }

    /// Waits until the application has taken all that was sent to it so far.
    pub(super) fn wait(&self) -> Result<KeyReceipt, Failure> {
        let Some(window) = self.window else {
            self.link.sync()?;
            std::thread::sleep(BLIND_WAIT);
            return Ok(KeyReceipt::Likely);
        };
        // Answers go to the root window. Nothing is selected while nobody reads.
        let _listening = RootEvents::select(self.link)?;
        let connection = &self.link.display.connection;
        let data = [self.ping, STAMP, window, 0, 0];
        let question = ClientMessageEvent::new(32, window, self.protocols, data);
        debug_assert_eq!(question.response_type, CLIENT_MESSAGE_EVENT);
        connection.send_event(false, window, EventMask::NO_EVENT, question)?.ignore_error();
        connection.flush()?;
        let (until, waker) = (Instant::now() + ANSWER_LIMIT, Waker::new()?);
        loop {
            while let Some(event) = connection.poll_for_event()? {
                if let Event::ClientMessage(answer) = event
                    && answer.type_ == self.protocols
                    && answer.data.as_data32()[..3] == data[..3]
                {
                    return Ok(KeyReceipt::Certainly);
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(KeyReceipt::No);
            }
            if wait(connection, &waker, Some(left)) == WakeReason::Stop {
                return Ok(KeyReceipt::No);
            }
        }
    }
}

/// Whether an input method runs, by what it offers to programs.
fn has_input_method(link: &InputLink) -> Result<bool, Failure> {
    let connection = &link.display.connection;
    let servers = connection.intern_atom(false, b"XIM_SERVERS")?.reply()?.atom;
    let servers = connection.get_property(false, link.display.root, servers, AtomEnum::ATOM, 0, 64)?.reply()?;
    for server in servers.value32().into_iter().flatten() {
        if connection.get_selection_owner(server)?.reply()?.owner != x11rb::NONE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The events of the root window, until this is dropped.
struct RootEvents<'a>(&'a InputLink);

impl<'a> RootEvents<'a> {
    fn select(link: &'a InputLink) -> Result<Self, Failure> {
        let selected = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        link.display.connection.change_window_attributes(link.display.root, &selected)?.ignore_error();
        Ok(Self(link))
    }
}

impl Drop for RootEvents<'_> {
    fn drop(&mut self) {
        let none = ChangeWindowAttributesAux::new().event_mask(EventMask::NO_EVENT);
        let display = &self.0.display;
        // If the display is lost, nothing is selected any more.
        let _ = display
            .connection
            .change_window_attributes(display.root, &none)
            .map(x11rb::cookie::VoidCookie::ignore_error);
    }
}
