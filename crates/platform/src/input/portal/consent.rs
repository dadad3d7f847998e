//! The person's consent: asked for once, at the first key, while no order waits for the person.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::timeout;

use super::PortalSettings;
use super::failure::PortalFailure;
use super::session::PortalSession;
use super::token::TokenStore;

/// Steps of opening a session in each of which the bus may take its time.
const STEPS: u32 = 6;

#[derive(Clone)]
enum ConsentState {
    NotAsked,
    Asking,
    Granted(Arc<PortalSession>),
    /// Only a no lasts: after anything else, the next key asks anew.
    Failed(PortalFailure),
}

/// The consent of this run.
pub(super) struct PortalConsent {
    settings: Arc<PortalSettings>,
    tokens: TokenStore,
    state: Arc<watch::Sender<ConsentState>>,
}

impl PortalConsent {
    pub(super) fn new(settings: PortalSettings) -> Self {
        let tokens = TokenStore::new(settings.folder.clone());
        let state = Arc::new(watch::channel(ConsentState::NotAsked).0);
        Self { settings: Arc::new(settings), tokens, state }
    }

    /// The session in which keys may be pressed. Begins to ask if need be, and waits a moment.
    pub(super) async fn session(&self) -> Result<Arc<PortalSession>, PortalFailure> {
        let mut told = self.state.subscribe();
        let known = told.borrow_and_update().clone();
        match known {
            ConsentState::Granted(session) if session.end().is_none() => return Ok(session),
            ConsentState::Failed(PortalFailure::Refused) => return Err(PortalFailure::Refused),
            ConsentState::Asking => {}
            ConsentState::NotAsked | ConsentState::Granted(_) | ConsentState::Failed(_) => self.ask(),
        }
        let answered = told.wait_for(|state| !matches!(state, ConsentState::Asking));
        let Ok(answered) = timeout(self.settings.limits.ready, answered).await else {
            return Err(PortalFailure::Pending);
        };
        match answered.as_deref() {
            Ok(ConsentState::Granted(session)) => Ok(Arc::clone(session)),
            Ok(ConsentState::Failed(failure)) => Err(*failure),
            Ok(ConsentState::NotAsked | ConsentState::Asking) | Err(_) => Err(PortalFailure::Pending),
        }
    }

    /// Drops the session with its connection: the next key asks anew.
    pub(super) fn abandon(&self) {
        self.state.send_replace(ConsentState::Failed(PortalFailure::Lost));
    }

    /// Asks in a task of its own: an order that waits no more does not end the question.
    fn ask(&self) {
        self.state.send_replace(ConsentState::Asking);
        let (settings, tokens, state) = (Arc::clone(&self.settings), self.tokens.clone(), Arc::clone(&self.state));
        drop(tokio::spawn(async move {
            let limit = settings.limits.setup * STEPS + settings.limits.question;
            let opened = timeout(limit, PortalSession::open(&settings, &tokens)).await;
            let opened = opened.unwrap_or(Err(PortalFailure::Late));
            if let Err(failure) = &opened {
                tracing::warn!(?failure, "The desktop does not let Luna press keys.");
            }
            state.send_replace(match opened {
                Ok(session) => ConsentState::Granted(Arc::new(session)),
                Err(failure) => ConsentState::Failed(failure),
            });
        }));
    }
}
