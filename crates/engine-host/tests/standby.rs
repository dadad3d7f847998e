//! The standby of an engine (STT-1): it takes over from a crashed program, never from a deliberately stopped one, and the token is notified of the
//! end of a residency when no program is left (GPU-3).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/stand.rs"]
mod stand;

use std::time::Duration;

use luna_engine_host::EngineFailure;
use luna_engine_host::{StopReason, WorkError};
use luna_messages::engine::{EngineErrorKind, EngineKind};
use luna_test_support::engine_double::{EngineAction, EngineFault};
use luna_test_support::token_double::GrantScript;
use stand::{MS, Stand};
use tokio::time::{Instant, sleep, timeout};

/// How the active program ends.
#[derive(Debug, Clone, Copy)]
enum ProgramEnd {
    Killed,
    Fault(EngineFault),
    /// It does not react to a cancel.
    Cancel(EngineFault),
}

const ENDS: [ProgramEnd; 7] = [
    ProgramEnd::Killed,
    ProgramEnd::Fault(EngineFault::DieInRun { after: 0 }),
    ProgramEnd::Fault(EngineFault::AbortInRun { after: 1 }),
    ProgramEnd::Fault(EngineFault::GarbageInRun),
    ProgramEnd::Fault(EngineFault::Freeze),
    ProgramEnd::Cancel(EngineFault::IgnoreCancel),
    ProgramEnd::Cancel(EngineFault::HangInRun),
];

// STT-1, ENG-2, GPU-3
#[tokio::test(start_paused = true)]
async fn who_stands_by_takes_the_place_of_one_that_ends_stt_1_eng_2_gpu_3() {
    for end in ENDS {
        let stand = Stand::new();
        let lease = stand.engine_lease().await;
        stand.until("one stands by", |stand| stand.engine.standby_pid().is_some()).await;
        if let ProgramEnd::Fault(fault) | ProgramEnd::Cancel(fault) = end {
            stand.doubles.order(EngineKind::Stt, fault);
        }
        let mut run = stand.run(&lease);
        let mut time_limit = MS(60_000);
        match end {
            ProgramEnd::Killed => lease.process.kill(),
            ProgramEnd::Fault(_) => {}
            ProgramEnd::Cancel(_) => {
                assert!(run.next().await.unwrap().is_some(), "its first result");
                run.cancel();
                // The actor of speech recognition waits as long for a cancelled job.
                time_limit = MS(50);
            }
        }
        let over = timeout(time_limit, Stand::end_of(&mut run)).await;
        let late = EngineFailure::TimedOut { what: "an end", after: time_limit };
        let over = over.unwrap_or(Err(late.clone()));
        assert_eq!(over.as_ref() == Err(&late), matches!(end, ProgramEnd::Cancel(_)), "{end:?}: {over:?}");
        let stop = matches!(end, ProgramEnd::Cancel(_)).then_some(StopReason::Cancel);
        let begin = Instant::now();
        let error = lease.fail(over.unwrap_err(), stop, false).await;
        assert_eq!(matches!(error, WorkError::Cancelled(None)), stop.is_some(), "{end:?}: {error:?}");
        // From here on, work starts at once and without a load.
        assert!(stand.engine.is_warm() && stand.engine.is_alive(), "{end:?}");
        let loaded_by = lease.grant.grant().loaded_by;
        drop(lease);
        stand.until("the lease is back", |stand| stand.token.out().is_none()).await;
        let next = stand.engine_lease().await;
        assert!(begin.elapsed() < MS(20), "{end:?}: {:?}", begin.elapsed());
        let grant = next.grant.grant();
        assert_eq!((grant.load, grant.loaded_by), (false, loaded_by), "{end:?}");
        assert_eq!(stand.did(EngineAction::Load), 2, "{end:?}");
        assert_eq!(Stand::end_of(&mut stand.run(&next)).await, Ok(()), "{end:?}");
        stand.until("another one stands by", |stand| stand.engine.standby_pid().is_some()).await;
        assert_eq!((stand.doubles.running(EngineKind::Stt), stand.did(EngineAction::Load)), (2, 3), "{end:?}");
        assert_eq!((stand.unloaded(), stand.count("luna_engine_takeovers_total")), (vec![], 1), "{end:?}");
    }
}

/// How a residency is ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndOrder {
    End,
    /// Right after the active program crashed.
    EndOfDead,
    Unload,
    Close,
    Drop,
}

// GPU-2, GPU-3, ENG-3, KER-10
#[tokio::test(start_paused = true)]
async fn who_was_told_to_end_is_replaced_by_nobody_gpu_2_gpu_3_eng_3_ker_10() {
    // Times in ms at which the standby starts, greets, loads, has just loaded, or is ready.
    for after in [0, 3, 5, 20, 44, 45, 46, 200] {
        for order in [EndOrder::End, EndOrder::EndOfDead, EndOrder::Unload, EndOrder::Close, EndOrder::Drop] {
            let mut stand = Stand::new();
            let lease = stand.engine_lease().await;
            let loaded_by = lease.grant.grant().loaded_by;
            sleep(MS(after)).await;
            match order {
                EndOrder::End => stand.engine.stop(),
                EndOrder::EndOfDead => {
                    lease.process.kill();
                    stand.engine.stop();
                }
                EndOrder::Unload => stand.engine.unload(loaded_by).await,
                EndOrder::Close => stand.engine.close_within(MS(300)).await,
                EndOrder::Drop => stand.replace_engine(),
            }
            let what = format!("{order:?} after {after} ms");
            if matches!(order, EndOrder::Unload | EndOrder::Close) {
                assert_eq!(stand.doubles.running(EngineKind::Stt), 0, "{what}: they are gone when it returns");
            }
            sleep(MS(100)).await;
            assert_eq!(stand.doubles.running(EngineKind::Stt), 0, "{what}");
            assert!(!stand.engine.is_alive() && !stand.engine.is_warm() && stand.engine.pid().is_none(), "{what}");
            let told = if order == EndOrder::Close { vec![] } else { vec![loaded_by] };
            assert_eq!(stand.unloaded(), told, "{what}");
            let starts = stand.did(EngineAction::Start);
            sleep(MS(3000)).await;
            assert_eq!(
                (stand.did(EngineAction::Start), stand.unloaded()),
                (starts, told),
                "{what}: no program follows"
            );
            assert_eq!(stand.count("luna_engine_takeovers_total"), 0, "{what}");
            let ended = stand.count("luna_engine_ends_total");
            assert_eq!(ended, stand.count("luna_engine_starts_total"), "{what}: each end counts");
            drop(lease);
        }
    }
}

// GPU-3
#[tokio::test(start_paused = true)]
async fn without_one_that_is_ready_all_is_as_without_a_second_one_gpu_3() {
    for after in [0, 3, 5, 20, 44] {
        let stand = Stand::new();
        let lease = stand.engine_lease().await;
        let loaded_by = lease.grant.grant().loaded_by;
        sleep(MS(after)).await;
        let error =
            lease.fail(EngineFailure::Ended { reason: "by order".into() }, Some(StopReason::Cancel), false).await;
        assert!(matches!(error, WorkError::Cancelled(None)), "{error:?}");
        assert!(!stand.engine.is_warm(), "after {after} ms");
        drop(lease);
        stand.until("the token is notified", |stand| stand.unloaded() == [loaded_by]).await;
        let next = stand.engine_lease().await;
        assert!(next.grant.grant().load && next.grant.grant().loaded_by > loaded_by, "after {after} ms");
        stand.until("one stands by", |stand| stand.engine.standby_pid().is_some()).await;
        assert_eq!(stand.unloaded(), [loaded_by]);
        assert_eq!((stand.doubles.running(EngineKind::Stt), stand.count("luna_engine_takeovers_total")), (2, 0));
    }
}

// ENG-2
#[tokio::test(start_paused = true)]
async fn one_that_dies_while_it_stands_by_hurts_nobody_and_is_replaced_eng_2() {
    let stand = Stand::new();
    let lease = stand.engine_lease().await;
    stand.doubles.order(EngineKind::Stt, EngineFault::DieIdle(MS(500)));
    stand.until("one stands by", |stand| stand.engine.standby_pid().is_some()).await;
    stand.until("it dies", |stand| stand.engine.standby_pid().is_none()).await;
    assert_eq!(Stand::end_of(&mut stand.run(&lease)).await, Ok(()));
    let begin = Instant::now();
    stand.until("another one stands by", |stand| stand.engine.standby_pid().is_some()).await;
    assert!(begin.elapsed() > MS(900) && begin.elapsed() < MS(1200), "{:?}", begin.elapsed());
    assert_eq!((stand.unloaded(), stand.doubles.running(EngineKind::Stt)), (vec![], 2));
}

// ENG-2
#[tokio::test(start_paused = true)]
async fn a_model_that_kills_its_programs_makes_no_loop_eng_2() {
    // Several times longer than all pauses together.
    let long = Duration::from_secs(200);
    let check = |fault: EngineFault, most_loads: usize, survives: bool| async move {
        let stand = Stand::new();
        let lease = stand.engine_lease().await;
        (0..1000).for_each(|_| stand.doubles.order(EngineKind::Stt, fault));
        sleep(long).await;
        let loads = stand.did(EngineAction::Load);
        assert!(loads <= most_loads, "{fault:?}: {loads} loads");
        assert_eq!((stand.engine.is_warm(), stand.unloaded().len()), (survives, usize::from(!survives)), "{fault:?}");
        assert_eq!(stand.doubles.running(EngineKind::Stt), usize::from(survives), "{fault:?}");
        drop(lease);
    };
    check(EngineFault::DieAtLoad, 7, true).await;
    check(EngineFault::DieAtStart, 1, true).await;
    check(EngineFault::NotThere, 1, true).await;
    check(EngineFault::DieIdle(MS(300)), 7, true).await;
    check(EngineFault::RefuseLoad(EngineErrorKind::OutOfMemory), 2, true).await;
    // Also if the model crashes active programs that have no request.
    let stand = Stand::new();
    (0..1000).for_each(|_| stand.doubles.order(EngineKind::Stt, EngineFault::DieIdle(MS(300))));
    let lease = stand.engine_lease().await;
    sleep(long).await;
    let loads = stand.did(EngineAction::Load);
    assert!(loads <= 10, "{loads} loads");
    assert_eq!((stand.unloaded().len(), stand.doubles.running(EngineKind::Stt)), (1, 0));
    drop(lease);
}

// GPU-1
#[tokio::test(start_paused = true)]
async fn its_load_gives_way_to_one_that_the_token_allowed_gpu_1() {
    for fault in [None, Some(EngineFault::HangAtLoad)] {
        let stand = Stand::new();
        let _held = stand.engine_lease().await;
        fault.into_iter().for_each(|fault| stand.doubles.order(EngineKind::Stt, fault));
        stand.until("the second one loads", |stand| stand.did(EngineAction::Load) == 2).await;
        sleep(MS(100) * u32::from(fault.is_some())).await;
        let begin = Instant::now();
        let other = stand.other_engine();
        let _other = stand.lease_of(&other).await;
        assert!(begin.elapsed() < MS(60), "{fault:?}: {:?}", begin.elapsed());
        assert_eq!(stand.engine.standby_pid(), None);
        stand.until("the second one comes back", |stand| stand.engine.standby_pid().is_some()).await;
        assert!(begin.elapsed() < MS(200), "{fault:?}: {:?}", begin.elapsed());
        assert_eq!(stand.doubles.overlapping_loads(), 0);
        assert_eq!((stand.doubles.running(EngineKind::Stt), stand.unloaded()), (2, vec![]));
    }
}

// GPU-5
#[tokio::test(start_paused = true)]
async fn nobody_stands_by_on_a_card_or_where_it_is_not_wanted_gpu_5() {
    for on_card in [true, false] {
        let stand = if on_card { Stand::new() } else { Stand::alone() };
        if on_card {
            stand.token.plan(GrantScript::OnCard);
        }
        let lease = stand.engine_lease().await;
        sleep(MS(10_000)).await;
        assert_eq!((stand.did(EngineAction::Start), stand.engine.standby_pid()), (1, None));
        lease.process.kill();
        stand.until("the token is notified", |stand| stand.unloaded().len() == 1).await;
    }
}
