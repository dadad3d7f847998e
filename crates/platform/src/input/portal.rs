//! Keys in a Wayland session, by the portal `org.freedesktop.portal.RemoteDesktop` and with the person's consent (EXE-4, SES-2).
//!
//! The desktop asks the person at the first key that Luna needs, not before, and never twice in a run if the answer was no.
//! Only the keyboard is asked for: where an element is on the desktop, no application knows under Wayland, so there is no
//! point that Luna could click without guessing. What the person holds, a compositor does not tell: it is not checked.
//!
//! **Invariant:** keys go only to the window that alone says that it is active, or nowhere.

mod bus;
mod consent;
mod failure;
mod keys;
mod request;
mod session;
mod target;
mod thread;
mod token;
mod typing;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, ClickRequest, InputInterruption, InputRefusal, InputResult};
use luna_messages::keyboard::KeyChord;

use self::consent::PortalConsent;
pub use self::target::{FieldState, KeyTarget};
use self::target::{TreeTarget, obstacle};
use self::thread::PortalThread;
use super::linux::SentCount;
use super::{Input, typed_characters};
use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;
use crate::accessibility::linux::is_tree_window;

/// How long things may take; tests shorten it.
#[derive(Debug, Clone, Copy)]
pub struct PortalLimits {
    /// Until the portal, which the bus may have to start, answers what no person is asked for.
    pub setup: Duration,
    /// Until the person answered the desktop's question.
    pub question: Duration,
    /// How long an order waits for the consent. A consent of an earlier run comes in this time; a person is not waited for,
    /// because the question takes the focus from the window that the keys are for.
    pub ready: Duration,
    /// Until a key is acknowledged.
    pub key: Duration,
    /// Until a field shows a character that was typed.
    pub arrival: Duration,
}

impl Default for PortalLimits {
    fn default() -> Self {
        Self {
            setup: Duration::from_secs(10),
            question: Duration::from_secs(180),
            ready: Duration::from_millis(800),
            key: Duration::from_millis(400),
            arrival: Duration::from_millis(400),
        }
    }
}

/// Where the portal is, and where the consent is kept.
#[derive(Debug, Clone, Default)]
pub struct PortalSettings {
    /// D-Bus address of the session bus; `None` selects the one that the environment names.
    pub session_bus: Option<String>,
    /// The private folder of the token that stands for the consent; `None` keeps none.
    pub folder: Option<PathBuf>,
    pub limits: PortalLimits,
}

impl PortalSettings {
    /// This session, with the consent in Luna's folder for states.
    #[must_use]
    pub fn of_this_session() -> Self {
        Self { folder: token::state_folder(|name| std::env::var_os(name)), ..Self::default() }
    }
}

/// Keys by the portal. Its thread and its connection begin with the first key.
pub struct PortalInput {
    shared: Arc<PortalOrders>,
    /// Held during an order, so that the keys of two orders don't mix.
    turn: Mutex<()>,
    thread: OnceLock<Result<PortalThread, PlatformError>>,
}

/// What the thread needs of it.
struct PortalOrders {
    consent: PortalConsent,
    target: Arc<dyn KeyTarget>,
    limits: PortalLimits,
}

/// What keys are to be sent.
enum KeyOrder {
    Press { chord: KeyChord, times: u8 },
    Text(Vec<char>),
}

impl PortalInput {
    /// Keys for the windows that the accessibility tree tells.
    #[must_use]
    pub fn new() -> Self {
        Self::with(PortalSettings::of_this_session(), Arc::new(TreeTarget::default()))
    }

    /// As [`PortalInput::new`], with what tests replace.
    #[must_use]
    pub fn with(settings: PortalSettings, target: Arc<dyn KeyTarget>) -> Self {
        let limits = settings.limits;
        let shared = Arc::new(PortalOrders { consent: PortalConsent::new(settings), target, limits });
        Self { shared, turn: Mutex::default(), thread: OnceLock::new() }
    }

    fn order(&self, order: KeyOrder, window: u64, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        if !is_tree_window(window) {
            return Err(PlatformError::unavailable(
                "This window is one of an X program, of which Wayland does not tell Luna for certain that it gets the keys.",
                "What the accessibility tree offers works all the same; for the rest, log in to a session with X11 (often \
                 called Xorg on the login screen).",
            ));
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = self.thread.get_or_init(PortalThread::start).as_ref().map_err(Clone::clone)?;
        let (shared, barrier) = (Arc::clone(&self.shared), barrier.clone());
        let result = thread.run(async move { shared.carry_out(order, window, &barrier).await });
        let result = result.unwrap_or_else(|| {
            // It panicked: nobody knows what was sent. The keys end with the connection.
            self.shared.consent.abandon();
            Ok(InputResult::Partly { sent: 0, why: InputInterruption::Display })
        });
        tracing::debug!(?result, "Keys were sent by the portal.");
        result
    }
}

impl Default for PortalInput {
    fn default() -> Self {
        Self::new()
    }
}

impl PortalOrders {
    async fn carry_out(
        &self,
        order: KeyOrder,
        window: u64,
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        let target = &*self.target;
        // Nobody is asked for consent for the sake of keys that have nowhere to go.
        if let Some(refusal) = obstacle(target, window, barrier).await? {
            return Ok(InputResult::NotDone(refusal));
        }
        let session = self.consent.session().await?;
        // The desktop's question may have taken the focus.
        if let Some(refusal) = obstacle(target, window, barrier).await? {
            return Ok(InputResult::NotDone(refusal));
        }
        let mut count = SentCount::default();
        let sent = match &order {
            KeyOrder::Press { chord, times } => {
                keys::press(&session, target, chord, *times, window, barrier, &mut count).await
            }
            KeyOrder::Text(text) => {
                typing::type_all(&session, (target, self.limits), text, window, barrier, &mut count).await
            }
        };
        match sent {
            Ok(result) => Ok(result),
            Err(failure) if !count.is_begun => Err(failure.into()),
            Err(failure) => {
                tracing::warn!(?failure, "The portal took no more keys.");
                Ok(InputResult::Partly { sent: count.sent, why: InputInterruption::Display })
            }
        }
    }
}

/// There is no point on the desktop that is known to be the element's.
fn no_place() -> PlatformError {
    PlatformError::unavailable(
        "In a Wayland session no program tells where on the desktop its elements are, so that Luna can't use the mouse.",
        "What the accessibility tree offers works all the same, and so do keys; for the mouse, log in to a session with X11 \
         (often called Xorg on the login screen).",
    )
}

impl Input for PortalInput {
    fn click(&self, _request: &ClickRequest, _barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        Err(no_place())
    }

    fn hover(&self, _at: &ClickPoint, _barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        Err(no_place())
    }

    fn scroll(&self, _at: &ClickPoint, _notches: i16, _barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        Err(no_place())
    }

    fn press(
        &self,
        chord: &KeyChord,
        times: u8,
        window: u64,
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        self.order(KeyOrder::Press { chord: *chord, times }, window, barrier)
    }

    fn type_text(&self, text: &EnteredText, window: u64, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        match typed_characters(text) {
            Ok(characters) => self.order(KeyOrder::Text(characters), window, barrier),
            Err(place) => Ok(InputResult::NotDone(InputRefusal::NotTypeable { place })),
        }
    }
}
