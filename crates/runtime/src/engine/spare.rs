//! An engine program that stands by, so that the next work begins at once where the one before had to be ended (KER-6, ENG-2).
//!
//! Some native work can be stopped only by ending its program: speech recognition is one. Whoever takes an engine from a [`Spare`] gets the one
//! that stands by, and the next is prepared in the background. A second program with the model loaded takes its memory a second time, so
//! [`Standby`] says how much is made ready; whoever answers for memory sets it, and calls [`Spare::give_up`] where it is needed elsewhere.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_messages::engine::LoadSpec;
use tokio::task::JoinHandle;

use super::{EngineFailure, EngineHost, EngineProgram, HostSettings, Loaded};
use crate::sync::lock;

/// How long one that stands by may take for a sign of life before another is started in its place. It takes about 100 µs.
const ALIVE: Duration = Duration::from_millis(500);

/// How much of the next engine is made ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standby {
    /// Nothing: the next begins from nothing.
    Off,
    /// The program runs, without a model: some megabytes.
    #[default]
    Started,
    /// The model is loaded: its memory is taken twice.
    Loaded,
}

/// Which engine, and with what.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// The program.
    pub program: EngineProgram,
    /// Times that its host keeps to.
    pub settings: HostSettings,
    /// What it is to load.
    pub spec: LoadSpec,
}

/// Keeps the next engine ready. Nothing is started before the first is taken. Clones share what stands by; it ends with the last of them.
#[derive(Debug, Clone, Default)]
pub struct Spare {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    standby: Standby,
    next: Option<Next>,
}

/// An engine that stands by, or is on its way there. Dropping it ends the program.
#[derive(Debug)]
struct Next {
    wish: Wish,
    ready: JoinHandle<Result<Ready, EngineFailure>>,
    /// Once the program runs.
    standing: Arc<Mutex<Option<Standing>>>,
}

/// A program that stands by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Its process id.
    pub pid: u32,
    /// Whether it has the model in memory.
    pub loaded: bool,
}

impl Drop for Next {
    fn drop(&mut self) {
        // What is under way ends its program when it is dropped; what is ready is dropped with the handle.
        self.ready.abort();
    }
}

#[derive(Debug)]
struct Ready {
    host: EngineHost,
    /// What it loaded, where it has.
    loaded: Option<Loaded>,
}

impl Spare {
    /// Makes so much of the next engine ready.
    #[must_use]
    pub fn new(standby: Standby) -> Self {
        Self { state: Arc::new(Mutex::new(State { standby, next: None })) }
    }

    /// From now on makes so much of the next engine ready. What stands by with more than that ends.
    pub fn set_standby(&self, standby: Standby) {
        let mut state = lock(&self.state);
        if state.standby != standby {
            state.standby = standby;
            state.next = None;
        }
    }

    /// An engine that has loaded what is wished for: the one that stands by where it fits and lives, else a new one. Then prepares the next in
    /// the background. Dropping the future ends the engine that it waits for.
    ///
    /// # Errors
    /// Why none could be started and loaded. Nothing stands by then, so that an engine that can't start is not tried again and again.
    pub async fn take(&self, wish: &Wish) -> Result<(EngineHost, Loaded), EngineFailure> {
        let next = lock(&self.state).next.take().filter(|next| next.wish == *wish);
        let ready = match next {
            Some(next) => next.wait().await,
            None => None,
        };
        let taken = match ready {
            Some(ready) => match complete(ready, wish).await {
                // It may have ended while it stood by; that says nothing about the next.
                Err(failure) if !matches!(failure, EngineFailure::Refused(_)) => from_nothing(wish).await,
                taken => taken,
            },
            None => from_nothing(wish).await,
        }?;
        self.prepare(wish);
        Ok(taken)
    }

    /// Ends what stands by and gives its memory back (GPU-2). The next is prepared after an engine was taken again.
    pub fn give_up(&self) {
        lock(&self.state).next = None;
    }

    /// Whether an engine stands by, as ready as it gets.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        lock(&self.state).next.as_ref().is_some_and(|next| next.ready.is_finished())
    }

    /// The program that stands by, once it runs.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        lock(&self.state).next.as_ref().and_then(|next| *lock(&next.standing))
    }

    fn prepare(&self, wish: &Wish) {
        let mut state = lock(&self.state);
        let load = match state.standby {
            Standby::Off => return,
            Standby::Started => false,
            Standby::Loaded => true,
        };
        // Another taker may have been quicker.
        if state.next.is_some() {
            return;
        }
        let standing = Arc::new(Mutex::new(None));
        let (tells, to_do) = (standing.clone(), wish.clone());
        let ready = tokio::spawn(async move {
            let host = EngineHost::start_with(&to_do.program, to_do.settings).await?;
            let pid = host.pid();
            *lock(&tells) = Some(Standing { pid, loaded: false });
            let loaded = if load { Some(host.load(to_do.spec).await?) } else { None };
            *lock(&tells) = Some(Standing { pid, loaded: load });
            Ok(Ready { host, loaded })
        });
        state.next = Some(Next { wish: wish.clone(), ready, standing });
    }
}

impl Next {
    /// The engine, once it is ready; `None` where that failed, or it ended or hung meanwhile.
    async fn wait(mut self) -> Option<Ready> {
        match (&mut self.ready).await {
            // Its end may not have been noticed yet.
            Ok(Ok(ready)) => ready.host.health(ALIVE).await.is_ok().then_some(ready),
            Err(_) => None,
            Ok(Err(failure)) => {
                tracing::debug!(%failure, "The engine that was to stand by could not be made ready.");
                None
            }
        }
    }
}

async fn complete(ready: Ready, wish: &Wish) -> Result<(EngineHost, Loaded), EngineFailure> {
    let loaded = match ready.loaded {
        Some(loaded) => loaded,
        None => ready.host.load(wish.spec.clone()).await?,
    };
    Ok((ready.host, loaded))
}

async fn from_nothing(wish: &Wish) -> Result<(EngineHost, Loaded), EngineFailure> {
    let host = EngineHost::start_with(&wish.program, wish.settings).await?;
    complete(Ready { host, loaded: None }, wish).await
}
