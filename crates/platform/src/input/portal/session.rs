//! A session of remote input: from the question to the end.

use std::sync::Arc;
use std::time::Duration;

use atspi::zbus::zvariant::{ObjectPath, OwnedObjectPath, Value};
use futures_util::StreamExt as _;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use x11rb::protocol::xproto::Keysym;

use super::PortalSettings;
use super::bus::{AnswerValues, KEYBOARD, PATH, PortalBus, REMOTE_DESKTOP, number};
use super::failure::PortalFailure;
use super::request::{CallOptions, PortalRequests, RequestLimits};
use super::token::{RestoreToken, TokenStore};

const SESSION: &str = "org.freedesktop.portal.Session";
/// The consent holds until it is taken back.
const PERSIST_UNTIL_REVOKED: u32 = 2;
/// The first version that keeps a consent.
const PERSISTENT: u32 = 2;

/// Why the session ended; `None` as long as it lasts. The first reason stays.
type SessionEnd = Arc<watch::Sender<Option<PortalFailure>>>;

/// A session in which Luna may press keys.
pub(super) struct PortalSession {
    bus: PortalBus,
    handle: OwnedObjectPath,
    end: SessionEnd,
    /// They note the end.
    watches: [JoinHandle<()>; 2],
    key_limit: Duration,
}

impl PortalSession {
    /// Asks the desktop, which asks the person unless `tokens` has an earlier consent.
    pub(super) async fn open(settings: &PortalSettings, tokens: &TokenStore) -> Result<Self, PortalFailure> {
        let limits = settings.limits;
        let bus = PortalBus::connect(settings.session_bus.as_deref(), limits.setup).await?;
        let mut requests = PortalRequests::of(&bus).await?;
        let handle = create(&mut requests, limits.setup).await?;
        let end = SessionEnd::new(watch::channel(None).0);
        let started = async {
            let watches = watches(&bus, &handle, &end, tokens).await?;
            let started = start(&mut requests, &handle, bus.version, settings, tokens).await;
            started.map(|()| watches)
        };
        let watches = match started.await {
            Ok(watches) => watches,
            Err(failure) => {
                close(&bus, &handle, limits.key).await;
                return Err(failure);
            }
        };
        drop(requests);
        Ok(Self { bus, handle, end, watches, key_limit: limits.key })
    }

    /// Why the session ended; `None` as long as it lasts.
    pub(super) fn end(&self) -> Option<PortalFailure> {
        *self.end.borrow()
    }

    /// Presses or lets go of a key. After a failure the session has ended; keys that are held are to be let go of by
    /// [`PortalSession::release`].
    pub(super) async fn key(&self, symbol: Keysym, is_down: bool) -> Result<(), PortalFailure> {
        if let Some(failure) = self.end() {
            return Err(failure);
        }
        let sent = self.notify(symbol, is_down, self.key_limit).await;
        sent.inspect_err(|failure| note_end(&self.end, *failure))
    }

    /// Lets go of keys in a session that failed, and ends it, by which the desktop lets go of whatever is left.
    pub(super) async fn release(&self, keys: &[Keysym]) {
        if self.end().is_some_and(PortalFailure::has_released_keys) {
            return;
        }
        for &key in keys.iter().rev() {
            if self.notify(key, false, self.key_limit).await == Err(PortalFailure::Late) {
                break;
            }
        }
        note_end(&self.end, PortalFailure::Lost);
        close(&self.bus, &self.handle, self.key_limit).await;
    }

    async fn notify(&self, symbol: Keysym, is_down: bool, limit: Duration) -> Result<(), PortalFailure> {
        let path = ObjectPath::from_static_str_unchecked(PATH);
        let symbol = i32::try_from(symbol).unwrap_or(0);
        let body = (&self.handle, CallOptions::new(), symbol, u32::from(is_down));
        self.bus.call(&path, (REMOTE_DESKTOP, "NotifyKeyboardKeysym"), &body, limit).await
    }
}

impl Drop for PortalSession {
    fn drop(&mut self) {
        self.watches.iter().for_each(JoinHandle::abort);
    }
}

async fn create(requests: &mut PortalRequests<'_>, limit: Duration) -> Result<OwnedObjectPath, PortalFailure> {
    let token = requests.next_token();
    let options: CallOptions<'_> =
        [("handle_token", Value::from(&token)), ("session_handle_token", Value::from("luna"))].into();
    let limits = RequestLimits { call: limit, answer: limit };
    let created = requests.ask("CreateSession", &(options,), &token, limits, PortalFailure::QuestionEnded).await?;
    let handle = created.get("session_handle").ok_or(PortalFailure::Malformed)?;
    // A text since the first version, though documented as a path.
    match &**handle {
        Value::Str(path) => OwnedObjectPath::try_from(path.as_str()).map_err(|_| PortalFailure::Malformed),
        Value::ObjectPath(path) => Ok(path.to_owned().into()),
        _ => Err(PortalFailure::Malformed),
    }
}

/// Chooses the keyboard and asks for the consent.
async fn start(
    requests: &mut PortalRequests<'_>,
    handle: &OwnedObjectPath,
    version: u32,
    settings: &PortalSettings,
    tokens: &TokenStore,
) -> Result<(), PortalFailure> {
    let limits = RequestLimits { call: settings.limits.setup, answer: settings.limits.setup };
    let token = requests.next_token();
    let mut options: CallOptions<'_> = [("handle_token", Value::from(&token)), ("types", Value::from(KEYBOARD))].into();
    if version >= PERSISTENT {
        options.insert("persist_mode", Value::from(PERSIST_UNTIL_REVOKED));
        if let Some(RestoreToken(token)) = tokens.load() {
            options.insert("restore_token", Value::from(token));
        }
    }
    requests.ask("SelectDevices", &(handle, options), &token, limits, PortalFailure::QuestionEnded).await?;
    let token = requests.next_token();
    let options: CallOptions<'_> = [("handle_token", Value::from(&token))].into();
    let question = RequestLimits { answer: settings.limits.question, ..limits };
    let asked = requests.ask("Start", &(handle, "", options), &token, question, PortalFailure::Refused).await;
    let started = match asked {
        Err(PortalFailure::Late) => return Err(PortalFailure::Unanswered),
        Err(PortalFailure::Refused) => {
            tokens.forget();
            return Err(PortalFailure::Refused);
        }
        asked => asked?,
    };
    granted(&started, tokens)
}

/// What the person allowed.
fn granted(started: &AnswerValues, tokens: &TokenStore) -> Result<(), PortalFailure> {
    if number(started, "devices")? & KEYBOARD == 0 {
        tokens.forget();
        return Err(PortalFailure::Refused);
    }
    match started.get("restore_token").map(|token| &**token) {
        Some(Value::Str(token)) => tokens.keep(&RestoreToken(token.as_str().to_owned())),
        // Each one works once.
        _ => tokens.forget(),
    }
    Ok(())
}

async fn watches(
    bus: &PortalBus,
    handle: &OwnedObjectPath,
    end: &SessionEnd,
    tokens: &TokenStore,
) -> Result<[JoinHandle<()>; 2], PortalFailure> {
    let mut closed = bus.signals((SESSION, "Closed"), Some(handle)).await?;
    let mut gone = bus.end_of_portal().await?;
    let (noted, tokens) = (Arc::clone(end), tokens.clone());
    let first = tokio::spawn(async move {
        if closed.next().await.is_some() {
            // The person may have ended it on purpose: a consent that comes back by itself is none.
            tokens.forget();
            note_end(&noted, PortalFailure::Closed);
        }
    });
    let noted = Arc::clone(end);
    let second = tokio::spawn(async move {
        // The stream ends with the connection.
        let _ = gone.next().await;
        note_end(&noted, PortalFailure::Gone);
    });
    Ok([first, second])
}

fn note_end(end: &SessionEnd, failure: PortalFailure) {
    end.send_if_modified(|known| known.is_none() && known.replace(failure).is_none());
}

async fn close(bus: &PortalBus, handle: &OwnedObjectPath, limit: Duration) {
    let _: Result<(), _> = bus.call(handle, (SESSION, "Close"), &(), limit).await;
}
