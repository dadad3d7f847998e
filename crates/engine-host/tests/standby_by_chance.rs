//! Random sequences of events on an engine with a standby: never more than two programs, never two loads at a time, no work without an answer, and at
//! the end nothing is left and the token was notified (GPU-1, GPU-3, ENG-2).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/stand.rs"]
mod stand;

use std::time::Duration;

use luna_engine_host::EngineFailure;
use luna_engine_host::StopReason;
use luna_messages::engine::{EngineErrorKind, EngineKind};
use luna_test_support::engine_double::EngineFault;
use luna_test_support::token_double::TokenLog;
use proptest::prelude::*;
use stand::{MS, Stand};
use tokio::time::{sleep, timeout};

#[derive(Debug, Clone)]
enum ChanceStep {
    /// A piece of work, cancelled after this many milliseconds.
    Work {
        cancel_after: Option<u64>,
    },
    /// Work that is dropped after this many milliseconds, in any state.
    Drop {
        after: u64,
    },
    Fault(EngineFault),
    /// The token kills the programs.
    End,
    /// The token orders an unload.
    Unload,
    /// Another engine loads, and ends.
    Other,
    Wait(u64),
}

fn step() -> impl Strategy<Value = ChanceStep> {
    use EngineFault::*;
    let fault = prop_oneof![
        Just(NotThere),
        Just(DieAtStart),
        Just(SilentAtStart),
        Just(GarbageAtStart),
        Just(DieAtLoad),
        Just(HangAtLoad),
        Just(RefuseLoad(EngineErrorKind::OutOfMemory)),
        (0u32..3).prop_map(|after| DieInRun { after }),
        Just(AbortInRun { after: 1 }),
        Just(HangInRun),
        Just(Freeze),
        Just(LoseAnswer),
        Just(IgnoreCancel),
        Just(GarbageInRun),
        (0u64..200).prop_map(|ms| DieIdle(MS(ms))),
    ];
    prop_oneof![
        4 => proptest::option::of(0u64..40).prop_map(|cancel_after| ChanceStep::Work { cancel_after }),
        1 => (0u64..120).prop_map(|after| ChanceStep::Drop { after }),
        4 => fault.prop_map(ChanceStep::Fault),
        1 => Just(ChanceStep::End),
        1 => Just(ChanceStep::Unload),
        1 => Just(ChanceStep::Other),
        4 => prop_oneof![0u64..120, 500u64..3000].prop_map(ChanceStep::Wait),
    ]
}

async fn work(stand: &Stand, cancel_after: Option<u64>) {
    let Ok(lease) = stand.try_lease_of(&stand.engine).await else { return };
    let Ok(mut run) = stand.try_run(&lease) else { return };
    let mut stop = None;
    let mut end = None;
    if let Some(after) = cancel_after {
        end = timeout(MS(after), Stand::end_of(&mut run)).await.ok();
        if end.is_none() {
            run.cancel();
            stop = Some(StopReason::Cancel);
            // Like the actor, this does not wait for a job that ignores its cancel.
            let late = EngineFailure::TimedOut { what: "an end", after: MS(50) };
            end = Some(timeout(MS(50), Stand::end_of(&mut run)).await.unwrap_or(Err(late)));
        }
    }
    let end = match end {
        Some(end) => end,
        None => {
            // The actor gives up a job whose answer is lost.
            let late = EngineFailure::TimedOut { what: "an end", after: MS(30_000) };
            timeout(MS(30_000), Stand::end_of(&mut run)).await.unwrap_or(Err(late))
        }
    };
    if let Err(failure) = end {
        lease.fail(failure, stop, false).await;
    }
}

async fn take(stand: &Stand, step: &ChanceStep) {
    // An engine works on one thing at a time.
    stand.until("the lease is back", |stand| stand.token.out().is_none()).await;
    match step {
        ChanceStep::Work { cancel_after } => {
            // A load that hangs is ended after half a minute, an engine that hangs in its work after some seconds.
            let done = timeout(Duration::from_secs(900), work(stand, *cancel_after)).await;
            assert!(done.is_ok(), "its asker is left waiting");
        }
        ChanceStep::Drop { after } => drop(timeout(MS(*after), work(stand, None)).await),
        ChanceStep::Fault(fault) => stand.doubles.order(EngineKind::Stt, *fault),
        ChanceStep::End => stand.engine.stop(),
        ChanceStep::Unload => {
            if let Some(loaded_by) = stand.token.resident() {
                stand.engine.unload(loaded_by).await;
            }
        }
        ChanceStep::Other => {
            let other = stand.other_engine();
            let loaded = timeout(MS(3000), stand.try_lease_of(&other)).await;
            let lease = loaded.expect("another load is held up").unwrap();
            let loaded_by = lease.grant.grant().loaded_by;
            drop(lease);
            other.unload(loaded_by).await;
            sleep(MS(5)).await;
        }
        ChanceStep::Wait(ms) => sleep(MS(*ms)).await,
    }
    stand.assert_invariants();
}

async fn check(steps: Vec<ChanceStep>) {
    let stand = Stand::new();
    for step in &steps {
        take(&stand, step).await;
    }
    // Everything works again.
    stand.doubles.clear();
    stand.until("the lease is back", |stand| stand.token.out().is_none()).await;
    stand.engine.stop();
    stand.until("all are gone", |stand| !stand.engine.is_alive()).await;
    let lease = timeout(MS(3000), stand.engine_lease()).await.expect("it loads again");
    assert_eq!(Stand::end_of(&mut stand.run(&lease)).await, Ok(()));
    stand.until("one stands by", |stand| stand.engine.standby_pid().is_some()).await;
    assert_eq!(stand.doubles.running(EngineKind::Stt), 2);
    stand.engine.stop();
    drop(lease);
    sleep(MS(11_000)).await;
    assert_eq!(stand.doubles.running(EngineKind::Stt), 0, "a program is left over");
    assert_eq!((stand.token.out(), stand.token.resident()), (None, None));
    let unloaded = stand.unloaded();
    for heard in stand.token.heard() {
        if let TokenLog::Loaded(lease) = heard {
            assert!(unloaded.contains(&lease), "nothing reported the end of {lease:?}");
        }
    }
    let starts = stand.count("luna_engine_starts_total");
    assert_eq!(stand.count("luna_engine_ends_total"), starts, "each program that was started has an end");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    // GPU-1, GPU-3, ENG-2
    #[test]
    fn no_program_is_lost_or_too_many_gpu_1_gpu_3_eng_2(steps in proptest::collection::vec(step(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(check(steps));
    }
}
