//! The peers: two plain ractor actors, and two tasks with tokio channels. Each second one works off its queue in the order of arrival.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ractor::{Actor, ActorProcessingErr, ActorRef, ActorRuntime};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::{Contestant, FLOOD, Stamp};

#[derive(Debug)]
pub enum Word {
    /// One of the flood.
    Work,
    Stop,
}

#[derive(Default)]
pub struct Desk {
    stamp: Stamp,
    posted: AtomicUsize,
    handled: AtomicUsize,
}

impl Desk {
    fn handle(&self, word: &Word) {
        match word {
            Word::Work => drop(self.handled.fetch_add(1, Ordering::Relaxed)),
            Word::Stop => self.stamp.set(),
        }
    }

    fn waiting(&self) -> usize {
        self.posted.load(Ordering::Relaxed) - self.handled.load(Ordering::Relaxed)
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap()
}

/// The one that speaks.
struct Speech;

impl Actor for Speech {
    type Msg = Word;
    type State = Arc<Desk>;
    type Arguments = Arc<Desk>;
    async fn pre_start(&self, _: ActorRef<Word>, desk: Arc<Desk>) -> Result<Arc<Desk>, ActorProcessingErr> {
        Ok(desk)
    }
    async fn handle(&self, _: ActorRef<Word>, word: Word, desk: &mut Arc<Desk>) -> Result<(), ActorProcessingErr> {
        desk.handle(&word);
        Ok(())
    }
}

/// The one that hands a reflex on.
struct Reflex;

impl Actor for Reflex {
    type Msg = Word;
    type State = ActorRef<Word>;
    type Arguments = ActorRef<Word>;
    async fn pre_start(&self, _: ActorRef<Word>, to: ActorRef<Word>) -> Result<ActorRef<Word>, ActorProcessingErr> {
        Ok(to)
    }
    async fn handle(&self, _: ActorRef<Word>, word: Word, to: &mut ActorRef<Word>) -> Result<(), ActorProcessingErr> {
        to.send_message(word)?;
        Ok(())
    }
}

/// A peer: how to reach its two actors.
pub struct Peer<F> {
    desk: Arc<Desk>,
    flood: F,
    reflex: F,
    _runtime: Runtime,
}

impl<F: Fn(Word)> Contestant for Peer<F> {
    fn flood(&self) -> bool {
        for _ in 0..3 * FLOOD {
            self.desk.posted.fetch_add(1, Ordering::Relaxed);
            (self.flood)(Word::Work);
        }
        self.desk.waiting() >= FLOOD
    }

    fn reflex(&self) {
        (self.reflex)(Word::Stop);
    }

    fn stamp(&self) -> &Stamp {
        &self.desk.stamp
    }

    fn is_drained(&self) -> bool {
        self.desk.waiting() == 0
    }
}

pub fn ractor() -> Peer<Box<dyn Fn(Word)>> {
    let (desk, runtime) = (Arc::<Desk>::default(), runtime());
    let inside = runtime.enter();
    let speech = ActorRuntime::spawn_instant(None, Speech, desk.clone()).unwrap().0;
    let reflex = ActorRuntime::spawn_instant(None, Reflex, speech.clone()).unwrap().0;
    drop(inside);
    let to = |actor: ActorRef<Word>| -> Box<dyn Fn(Word)> { Box::new(move |word| actor.send_message(word).unwrap()) };
    Peer { desk, flood: to(speech), reflex: to(reflex), _runtime: runtime }
}

pub fn channels() -> Peer<Box<dyn Fn(Word)>> {
    let (desk, runtime) = (Arc::<Desk>::default(), runtime());
    let (speech, mut words) = unbounded_channel::<Word>();
    let handles = desk.clone();
    runtime.spawn(async move {
        while let Some(word) = words.recv().await {
            handles.handle(&word);
        }
    });
    let (reflex, mut words) = unbounded_channel::<Word>();
    let hands_on = speech.clone();
    runtime.spawn(async move {
        while let Some(word) = words.recv().await {
            hands_on.send(word).unwrap();
        }
    });
    let to =
        |channel: UnboundedSender<Word>| -> Box<dyn Fn(Word)> { Box::new(move |word| channel.send(word).unwrap()) };
    Peer { desk, flood: to(speech), reflex: to(reflex), _runtime: runtime }
}
