//! The peers: two plain ractor actors, and two tasks with tokio channels. The second of each handles its queue in order of arrival.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ractor::{Actor, ActorProcessingErr, ActorRef, ActorRuntime};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::{FLOOD, PreemptContestant, Timestamps};

/// The message of both peers.
#[derive(Debug)]
pub enum PeerMessage {
    /// A message of the flood.
    Work,
    Stop,
}

/// The state of the second actor.
#[derive(Default)]
pub struct PreemptState {
    stamp: Timestamps,
    posted: AtomicUsize,
    handled: AtomicUsize,
}

impl PreemptState {
    fn handle(&self, word: &PeerMessage) {
        match word {
            PeerMessage::Work => drop(self.handled.fetch_add(1, Ordering::Relaxed)),
            PeerMessage::Stop => self.stamp.set(),
        }
    }

    fn waiting(&self) -> usize {
        self.posted.load(Ordering::Relaxed) - self.handled.load(Ordering::Relaxed)
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap()
}

/// The second actor.
struct Speech;

impl Actor for Speech {
    type Msg = PeerMessage;
    type State = Arc<PreemptState>;
    type Arguments = Arc<PreemptState>;
    async fn pre_start(
        &self,
        _: ActorRef<PeerMessage>,
        state: Arc<PreemptState>,
    ) -> Result<Arc<PreemptState>, ActorProcessingErr> {
        Ok(state)
    }
    async fn handle(
        &self,
        _: ActorRef<PeerMessage>,
        word: PeerMessage,
        state: &mut Arc<PreemptState>,
    ) -> Result<(), ActorProcessingErr> {
        state.handle(&word);
        Ok(())
    }
}

/// The first actor, which forwards the command.
struct Reflex;

impl Actor for Reflex {
    type Msg = PeerMessage;
    type State = ActorRef<PeerMessage>;
    type Arguments = ActorRef<PeerMessage>;
    async fn pre_start(
        &self,
        _: ActorRef<PeerMessage>,
        to: ActorRef<PeerMessage>,
    ) -> Result<ActorRef<PeerMessage>, ActorProcessingErr> {
        Ok(to)
    }
    async fn handle(
        &self,
        _: ActorRef<PeerMessage>,
        word: PeerMessage,
        to: &mut ActorRef<PeerMessage>,
    ) -> Result<(), ActorProcessingErr> {
        to.send_message(word)?;
        Ok(())
    }
}

/// A peer: how to reach its two actors.
pub struct PreemptPeer<F> {
    state: Arc<PreemptState>,
    flood: F,
    reflex: F,
    _runtime: Runtime,
}

impl<F: Fn(PeerMessage)> PreemptContestant for PreemptPeer<F> {
    fn flood(&self) -> bool {
        for _ in 0..3 * FLOOD {
            self.state.posted.fetch_add(1, Ordering::Relaxed);
            (self.flood)(PeerMessage::Work);
        }
        self.state.waiting() >= FLOOD
    }

    fn reflex(&self) {
        (self.reflex)(PeerMessage::Stop);
    }

    fn stamp(&self) -> &Timestamps {
        &self.state.stamp
    }

    fn is_drained(&self) -> bool {
        self.state.waiting() == 0
    }
}

pub fn ractor() -> PreemptPeer<Box<dyn Fn(PeerMessage)>> {
    let (state, runtime) = (Arc::<PreemptState>::default(), runtime());
    let inside = runtime.enter();
    let speech = ActorRuntime::spawn_instant(None, Speech, state.clone()).unwrap().0;
    let reflex = ActorRuntime::spawn_instant(None, Reflex, speech.clone()).unwrap().0;
    drop(inside);
    let to = |actor: ActorRef<PeerMessage>| -> Box<dyn Fn(PeerMessage)> {
        Box::new(move |word| actor.send_message(word).unwrap())
    };
    PreemptPeer { state, flood: to(speech), reflex: to(reflex), _runtime: runtime }
}

pub fn channels() -> PreemptPeer<Box<dyn Fn(PeerMessage)>> {
    let (state, runtime) = (Arc::<PreemptState>::default(), runtime());
    let (speech, mut words) = unbounded_channel::<PeerMessage>();
    let handles = state.clone();
    runtime.spawn(async move {
        while let Some(word) = words.recv().await {
            handles.handle(&word);
        }
    });
    let (reflex, mut words) = unbounded_channel::<PeerMessage>();
    let hands_on = speech.clone();
    runtime.spawn(async move {
        while let Some(word) = words.recv().await {
            hands_on.send(word).unwrap();
        }
    });
    let to = |channel: UnboundedSender<PeerMessage>| -> Box<dyn Fn(PeerMessage)> {
        Box::new(move |word| channel.send(word).unwrap())
    };
    PreemptPeer { state, flood: to(speech), reflex: to(reflex), _runtime: runtime }
}
