//! An engine without a lease: one start for all concurrent callers, replaced without waiting, gone with its last handle.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use luna_engine_host::process::launch::{self, EngineEnd, Substitute};
use luna_engine_host::{EngineProcess, EngineProgram, ManagedEngine, StartError};
use luna_engine_protocol::{LoadSpec, SpeechLoad};
use luna_messages::engine::EngineKind;
use luna_test_support::engine_double::{EngineDoubles, EngineFault, EngineTiming};
use luna_test_support::engines;
use luna_test_support::one_thread::OneThread;
use tokio::time::{Instant, sleep, timeout};

const KIND: EngineKind = EngineKind::Speech;
const MS: fn(u64) -> Duration = Duration::from_millis;

fn program() -> EngineProgram {
    EngineProgram { kind: KIND, path: PathBuf::from("double"), arguments: Vec::new(), nice: 0, memory_limit: None }
}

fn spec() -> LoadSpec {
    LoadSpec::Speech(SpeechLoad { library: None, data: None })
}

async fn ready(engine: &ManagedEngine, asked: &AtomicUsize) -> Result<EngineProcess, StartError> {
    let find = async {
        asked.fetch_add(1, Ordering::Relaxed);
        Ok(spec())
    };
    engine.ready(&program(), find, |_| ()).await
}

async fn none_runs(doubles: &EngineDoubles) {
    let gone = async {
        while doubles.running(KIND) > 0 {
            sleep(MS(1)).await;
        }
    };
    timeout(MS(10_000), gone).await.unwrap_or_else(|_| panic!("{} run", doubles.running(KIND)));
}

// ENG-2
#[tokio::test(start_paused = true)]
async fn one_start_serves_all_who_ask_eng_2() {
    let doubles = EngineDoubles::new(EngineTiming::default(), |_, _| ());
    let (_engines, _thread) = (doubles.here(), OneThread::here());
    let (engine, asked) = (ManagedEngine::unleased(KIND), AtomicUsize::new(0));
    let (first, second) = tokio::join!(ready(&engine, &asked), ready(&engine, &asked));
    assert!(first.is_ok() && second.is_ok());
    assert_eq!((asked.load(Ordering::Relaxed), doubles.running(KIND)), (1, 1));
    ready(&engine, &asked).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 1, "it runs, so nothing is to be found");
    // A program that ended is replaced.
    first.unwrap().kill();
    none_runs(&doubles).await;
    ready(&engine, &asked).await.unwrap();
    assert_eq!((asked.load(Ordering::Relaxed), doubles.running(KIND)), (2, 1));
}

// ENG-2
#[tokio::test(start_paused = true)]
async fn it_ends_with_its_last_handle_eng_2() {
    let doubles = EngineDoubles::new(EngineTiming::default(), |_, _| ());
    let (_engines, _thread) = (doubles.here(), OneThread::here());
    let (engine, asked) = (ManagedEngine::unleased(KIND), AtomicUsize::new(0));
    let process = ready(&engine, &asked).await.unwrap();
    let other = engine.clone();
    drop(engine);
    sleep(MS(1000)).await;
    assert_eq!((process.is_alive(), doubles.running(KIND)), (true, 1), "another handle has it");
    // A program also ends if its last handle is dropped in the middle of its start.
    let dropped = ManagedEngine::unleased(KIND);
    assert!(timeout(MS(20), ready(&dropped, &asked)).await.is_err());
    drop((other, dropped));
    timeout(MS(10_000), process.ended()).await.unwrap();
    none_runs(&doubles).await;
}

/// A program that never ends, as if it hangs in a driver.
#[derive(Debug)]
struct Stuck(#[allow(dead_code, reason = "it runs while it lives")] Box<dyn Substitute>);

impl Substitute for Stuck {
    fn wait(&mut self) -> BoxFuture<'_, EngineEnd> {
        Box::pin(std::future::pending())
    }

    fn kill(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}

// GPU-3, ENG-2
#[tokio::test(start_paused = true)]
async fn one_that_hangs_in_its_end_delays_no_other_eng_2() {
    let doubles = EngineDoubles::new(EngineTiming::default(), |_, _| ());
    let (_engines, _thread) = (doubles.here(), OneThread::here());
    let (serve, first) = (doubles.serve(), Cell::new(true));
    launch::set(Some(Rc::new(move |program| {
        let mut launched = engines::launch(&serve, program)?;
        if first.replace(false) {
            launched.substitute = Box::new(Stuck(launched.substitute));
        }
        Ok(launched)
    })));
    let (engine, asked) = (ManagedEngine::unleased(KIND), AtomicUsize::new(0));
    let old = ready(&engine, &asked).await.unwrap();
    engine.stop();
    sleep(MS(60_000)).await;
    assert!(old.is_alive(), "it does not end");
    let since = Instant::now();
    let new = timeout(MS(10_000), ready(&engine, &asked)).await.unwrap().unwrap();
    assert!(since.elapsed() < MS(1000) && new.is_alive(), "{:?}", since.elapsed());
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

// KER-9
#[tokio::test(start_paused = true)]
async fn a_failed_start_is_told_once_and_tried_again_after_a_pause_ker_9() {
    let doubles = EngineDoubles::new(EngineTiming::default(), |_, _| ());
    let (_engines, _thread) = (doubles.here(), OneThread::here());
    let (engine, asked) = (ManagedEngine::unleased(KIND), AtomicUsize::new(0));
    doubles.order(KIND, EngineFault::NotThere);
    assert!(matches!(ready(&engine, &asked).await, Err(StartError::Failed(_))));
    assert!(matches!(ready(&engine, &asked).await, Err(StartError::Paused)));
    sleep(MS(3001)).await;
    ready(&engine, &asked).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 2, "nothing was tried in the pause");
}
