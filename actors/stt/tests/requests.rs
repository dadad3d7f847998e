//! Requests for transcription, with and without faults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/bench.rs"]
mod support;

use std::sync::atomic::Ordering;
use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::engine::EngineKind::{Stt, SttCommand};
use luna_messages::engine::{EngineErrorKind, SoundExtent};
use luna_messages::gpu::{GpuRefusal, Lease, ResidencyOrder};
use luna_messages::stt::{SPEECH_LANE, SttMessage};
use luna_messages::work::WorkFailure;
use luna_test_support::chaos::{InjectedFault, Moment};
use luna_test_support::engine_double::{EngineAction, EngineFault, EngineTiming};
use luna_test_support::token_double::{GrantScript, TokenLog};
use support::SttBench;
use tokio::time::Instant;

const MS: fn(u64) -> Duration = Duration::from_millis;

/// The next request succeeds: whatever happened before affects no other request (ENG-2).
async fn goes_on(bench: &SttBench) {
    assert_eq!(bench.ask().end().await, Ok("said".to_owned()));
    bench.nothing_is_out().await;
}

// STT-1, GPU-1, MET-4
#[tokio::test(start_paused = true)]
async fn speech_is_written_down_with_partial_results_stt_1_gpu_1_met_4() {
    let bench = SttBench::new();
    tokio::time::sleep(MS(5000)).await;
    assert_eq!(bench.count_of(EngineAction::Start), 0, "nothing before it is needed");
    let mut asked = bench.ask();
    assert_eq!(asked.partial().await.as_deref(), Some("sa"));
    assert_eq!(asked.partial().await, None);
    assert_eq!(asked.end().await, Ok("said".to_owned()));
    goes_on(&bench).await;
    assert_eq!((bench.count_of(EngineAction::Load), bench.ends("done")), (1, 2));
    assert_eq!(bench.metric("luna_stage_duration_seconds_count{stage=\"hearing\"} "), 2);
    assert!(bench.token.claims().iter().all(|claim| claim.lane == SPEECH_LANE && claim.holder == Stt));
    assert_eq!(bench.capability(), CapabilityState::Available);
}

// KER-6, STT-1
#[tokio::test(start_paused = true)]
async fn a_cancel_takes_less_than_100_ms_whatever_the_engine_does_and_the_next_is_warm_ker_6_stt_1() {
    let timing = EngineTiming { part: MS(500), ..EngineTiming::default() };
    for (fault, starts) in [(None, 1), (Some(EngineFault::IgnoreCancel), 2), (Some(EngineFault::Freeze), 2)] {
        let bench = SttBench::with(timing);
        goes_on(&bench).await;
        if let Some(fault) = fault {
            bench.doubles.order(Stt, fault);
        }
        let mut asked = bench.ask();
        bench.until("it runs", |bench| bench.count_of(EngineAction::Run) == 2).await;
        if fault == Some(EngineFault::Freeze) {
            // This fault happens after the first partial result.
            asked.partial().await;
        }
        let begin = Instant::now();
        bench.inbox.post(SttMessage::Cancel { id: asked.id }).unwrap();
        assert_eq!(asked.end().await, Err(WorkFailure::Cancelled));
        assert!(begin.elapsed() < MS(100), "{fault:?}: {:?}", begin.elapsed());
        // Without any request.
        bench.until("the next engine is warm", |bench| bench.count_of(EngineAction::Load) == starts).await;
        bench.nothing_is_out().await;
        assert_eq!(bench.doubles.running(Stt), 1, "{fault:?}");
        let loads = bench.count_of(EngineAction::Load);
        goes_on(&bench).await;
        assert_eq!((bench.count_of(EngineAction::Load), bench.ends("cancelled")), (loads, 1), "{fault:?}");
    }
}

// KER-6, STT-1
#[tokio::test(start_paused = true)]
async fn the_next_words_begin_at_once_where_an_engine_stands_by_ker_6_stt_1() {
    let pace = EngineTiming { part: MS(500), hello: MS(100), load: MS(2000), ..EngineTiming::default() };
    for fault in [EngineFault::IgnoreCancel, EngineFault::HangInRun, EngineFault::Freeze] {
        let bench = SttBench::with_standby(pace);
        goes_on(&bench).await;
        // A person may interrupt repeatedly.
        for times in 1..=3 {
            bench.until("another stands by", |bench| bench.slot.standby_pid().is_some()).await;
            let loads = bench.count_of(EngineAction::Load);
            bench.doubles.order(Stt, fault);
            let mut asked = bench.ask();
            if fault != EngineFault::IgnoreCancel {
                // This fault happens after the first partial result.
                asked.partial().await;
            }
            bench.until("it runs", |bench| bench.count_of(EngineAction::Run) == 2 * times).await;
            let begin = Instant::now();
            bench.inbox.post(SttMessage::Cancel { id: asked.id }).unwrap();
            let next = bench.ask();
            assert_eq!(asked.end().await, Err(WorkFailure::Cancelled));
            bench.until("the next one runs", |bench| bench.count_of(EngineAction::Run) == 2 * times + 1).await;
            assert!(begin.elapsed() < MS(100), "{fault:?}: {:?}", begin.elapsed());
            assert_eq!(bench.count_of(EngineAction::Load), loads, "{fault:?}: something was loaded in between");
            assert_eq!(next.end().await, Ok("said".to_owned()));
            bench.nothing_is_out().await;
        }
        assert!(!bench.token.heard().iter().any(|heard| matches!(heard, TokenLog::Unloaded(_))), "{fault:?}");
        assert_eq!((bench.ends("done"), bench.ends("cancelled")), (4, 3), "{fault:?}");
        let report = bench.tree.shutdown(Duration::from_secs(2)).await;
        assert!(report.killed.is_empty(), "{report:?}");
        assert_eq!(bench.doubles.running(Stt), 0);
    }
}

// KER-6
#[tokio::test(start_paused = true)]
async fn a_cancel_is_obeyed_wherever_the_work_is_ker_6() {
    let bench = SttBench::new();
    let cancel = |id| bench.inbox.post(SttMessage::Cancel { id }).unwrap();
    let asked = bench.ask();
    cancel(asked.id);
    assert_eq!(asked.end().await, Err(WorkFailure::Cancelled), "before it comes");
    bench.token.plan(GrantScript::NoAnswer);
    let asked = bench.ask();
    bench.until("it claims", |bench| !bench.token.claims().is_empty()).await;
    cancel(asked.id);
    assert_eq!(asked.end().await, Err(WorkFailure::Cancelled), "while it waits for memory");
    bench.until("it withdraws", |bench| bench.token.heard().contains(&TokenLog::Withdraw)).await;
    let asked = bench.ask();
    drop(asked.reader);
    assert_eq!(asked.answer.await.unwrap().unwrap(), Err(WorkFailure::Cancelled), "a caller that has gone");
    cancel(RequestId::next());
    goes_on(&bench).await;
}

// KER-4
#[tokio::test(start_paused = true)]
async fn what_is_too_much_is_refused_and_a_newer_window_replaces_an_older_one_ker_4() {
    let bench = SttBench::with(EngineTiming { part: MS(1000), ..EngineTiming::default() });
    let running = bench.ask();
    bench.until("it runs", |bench| bench.count_of(EngineAction::Run) == 1).await;
    let waiting: Vec<_> = (0..3).map(|_| bench.ask()).collect();
    let too_much = bench.ask();
    assert_eq!(too_much.end().await, Err(WorkFailure::Busy { waiting: 3 }));
    for asked in waiting.into_iter().chain([running]) {
        assert_eq!(asked.end().await, Ok("said".to_owned()));
    }
    // Posted before the actor reads its inbox.
    let (older, newer) = (bench.ask_for(SoundExtent::Window, 1), bench.ask_for(SoundExtent::Window, 2));
    assert!(older.answer.await.unwrap().is_err(), "its caller gets an error");
    assert_eq!(newer.end().await, Ok("said".to_owned()));
}

// GPU-2, GPU-4
#[tokio::test(start_paused = true)]
async fn the_token_is_obeyed_gpu_2_gpu_4() {
    let bench = SttBench::with(EngineTiming { part: MS(500), ..EngineTiming::default() });
    let refusal = GpuRefusal::TooLarge { model: "whisper".into(), needs_mb: 9000, budget_mb: 8192 };
    bench.token.plan(GrantScript::Refuse(refusal.clone()));
    assert_eq!(bench.ask().end().await, Err(WorkFailure::OutOfMemory(refusal)));
    // Preempted work is repeated, once.
    let asked = bench.ask();
    for _ in 0..2 {
        let runs = bench.count_of(EngineAction::Run);
        bench.until("it runs", |bench| bench.count_of(EngineAction::Run) > runs).await;
        let lease = bench.token.out().unwrap();
        bench.inbox.post(SttMessage::Order(ResidencyOrder::Stop { lease })).unwrap();
    }
    assert_eq!(asked.end().await, Err(WorkFailure::Interrupted));
    assert_eq!((bench.ends("put_back"), bench.ends("interrupted")), (1, 1));
    goes_on(&bench).await;
    let loaded_by = bench.token.resident().unwrap();
    bench.inbox.post(SttMessage::Order(ResidencyOrder::Unload { loaded_by })).unwrap();
    bench.until("it is told", |bench| bench.token.heard().contains(&TokenLog::Unloaded(loaded_by))).await;
    assert_eq!(bench.doubles.running(Stt), 0);
    bench.inbox.post(SttMessage::Order(ResidencyOrder::Unload { loaded_by: Lease(99) })).unwrap();
    bench.until("it is told", |bench| bench.token.heard().contains(&TokenLog::Unloaded(Lease(99)))).await;
    goes_on(&bench).await;
}

// ENG-2, GPU-3, KER-9
#[tokio::test(start_paused = true)]
async fn an_engine_that_fails_costs_one_request_eng_2_gpu_3_ker_9() {
    use EngineFault::*;
    let cases = [
        (NotThere, "unavailable"),
        (DieAtStart, "unavailable"),
        (DieAtLoad, "engine_ended"),
        (RefuseLoad(EngineErrorKind::BadModel), "unavailable"),
        (RefuseLoad(EngineErrorKind::OutOfMemory), "refused"),
        (DieInRun { after: 0 }, "engine_ended"),
        (AbortInRun { after: 1 }, "engine_ended"),
        (GarbageInRun, "engine_ended"),
        (RefuseRun, "refused"),
        (HangInRun, "engine_ended"),
        (Freeze, "engine_ended"),
        (LoseAnswer, "engine_ended"),
    ];
    for (fault, end) in cases {
        let bench = SttBench::new();
        bench.doubles.order(Stt, fault);
        let (first, second) = (bench.ask(), bench.ask());
        let failure = first.end().await.unwrap_err();
        let lost = matches!(bench.capability(), CapabilityState::Unavailable(_));
        assert_eq!(lost, end == "unavailable", "{fault:?}: {failure:?}");
        assert_eq!(second.end().await, Ok("said".to_owned()), "{fault:?}");
        bench.nothing_is_out().await;
        assert_eq!((bench.ends(end), bench.ends("done")), (1, 1), "{fault:?}: {failure:?}");
        assert_eq!(bench.capability(), CapabilityState::Available, "{fault:?}");
    }
}

// KER-7, KER-9, KER-10
#[tokio::test(start_paused = true)]
async fn the_actor_may_crash_miss_its_model_and_end_ker_7_ker_9_ker_10() {
    let bench = SttBench::with(EngineTiming { part: MS(500), ..EngineTiming::default() });
    let running = bench.ask();
    bench.until("it runs", |bench| bench.count_of(EngineAction::Run) == 1).await;
    let waiting = bench.ask();
    tokio::time::sleep(MS(20)).await;
    bench.chaos.order("stt", Moment::MessageOf("cancel"), InjectedFault::Panic, 1);
    bench.inbox.post(SttMessage::Cancel { id: RequestId::next() }).unwrap();
    assert_eq!((waiting.end().await, bench.chaos.left()), (Ok("said".to_owned()), 0));
    assert!(running.answer.await.unwrap().is_err(), "its caller gets an error");

    let why = Unavailable { reason: "whisper is not there.".into(), remedy: "Fetch it.".into() };
    *bench.missing.lock().unwrap() = Some(why.clone());
    assert_eq!(bench.ask().end().await, Err(WorkFailure::Unavailable(why.clone())));
    assert_eq!(bench.capability(), CapabilityState::Unavailable(why));
    *bench.missing.lock().unwrap() = None;
    bench.until("it is found", |bench| bench.capability() == CapabilityState::Available).await;

    let running = bench.ask();
    bench.until("it runs", |bench| bench.token.out().is_some()).await;
    let waiting = bench.ask();
    tokio::time::sleep(MS(20)).await;
    let report = bench.tree.shutdown(Duration::from_secs(2)).await;
    assert!(report.killed.is_empty(), "{report:?}");
    assert_eq!(waiting.end().await, Err(WorkFailure::OutOfMemory(GpuRefusal::Ending)));
    assert!(running.answer.await.unwrap().is_err());
    assert_eq!(bench.doubles.running(Stt), 0);
}

// STT-2, CFG-4
#[tokio::test(start_paused = true)]
async fn windows_go_to_a_second_engine_while_commands_have_a_model_of_their_own_stt_2_cfg_4() {
    let bench = SttBench::with(EngineTiming { part: MS(500), ..EngineTiming::default() });
    let ask = async |extent, kind| {
        let heard = bench.ask_for(extent, 1).end().await;
        assert_eq!(heard, Ok("said".to_owned()));
        assert_eq!(bench.ran.lock().unwrap().last(), Some(&kind), "{extent:?}");
    };
    ask(SoundExtent::Window, Stt).await;
    ask(SoundExtent::Utterance, Stt).await;
    bench.separate.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        ask(SoundExtent::Window, SttCommand).await;
        ask(SoundExtent::Utterance, Stt).await;
    }
    assert_eq!(bench.count_of(EngineAction::Load), 2, "neither model is loaded anew for the other");
    assert!(bench.command_token.claims().iter().all(|claim| claim.holder == SttCommand && claim.lane == SPEECH_LANE));
    // A window does not wait behind an utterance.
    let whole = bench.ask();
    bench.until("it runs", |bench| bench.ran.lock().unwrap().len() == 7).await;
    let window = bench.ask_for(SoundExtent::Window, 1);
    bench.until("both run", |bench| bench.token.out().is_some() && bench.command_token.out().is_some()).await;
    assert_eq!((window.end().await, whole.end().await), (Ok("said".to_owned()), Ok("said".to_owned())));
    bench.separate.store(false, Ordering::Relaxed);
    ask(SoundExtent::Window, Stt).await;
    assert_eq!(bench.metric("luna_engine_work_total{engine=\"stt_command\",end=\"done\"} "), 3);
    let report = bench.tree.shutdown(Duration::from_secs(2)).await;
    assert!(report.killed.is_empty(), "{report:?}");
    assert_eq!((bench.doubles.running(Stt), bench.doubles.running(SttCommand)), (0, 0));
}

// STT-2, KER-6, GPU-2
#[tokio::test(start_paused = true)]
async fn cancels_and_orders_reach_the_engine_of_commands_stt_2_ker_6_gpu_2() {
    let bench = SttBench::with(EngineTiming { part: MS(500), ..EngineTiming::default() });
    bench.separate.store(true, Ordering::Relaxed);
    let cancelled = bench.ask_for(SoundExtent::Window, 1);
    bench.until("it runs", |bench| bench.count_of(EngineAction::Run) == 1).await;
    let whole = bench.ask();
    bench.inbox.post(SttMessage::Cancel { id: cancelled.id }).unwrap();
    assert_eq!(cancelled.end().await, Err(WorkFailure::Cancelled));
    assert_eq!(whole.end().await, Ok("said".to_owned()), "that of the other engine goes on");
    assert_eq!(bench.ask_for(SoundExtent::Window, 1).end().await, Ok("said".to_owned()));
    bench.until("the lease comes back", |bench| bench.command_token.out().is_none()).await;
    // A lease of one engine is unknown to the other, which says so; both number them from 1.
    let loaded_by = bench.command_token.resident().unwrap();
    bench.inbox.post(SttMessage::CommandOrder(ResidencyOrder::Unload { loaded_by })).unwrap();
    bench.until("it is told", |bench| bench.command_token.heard().contains(&TokenLog::Unloaded(loaded_by))).await;
    assert_eq!((bench.doubles.running(SttCommand), bench.doubles.running(Stt)), (0, 1));
    let lease = Lease(99);
    bench.inbox.post(SttMessage::CommandOrder(ResidencyOrder::Stop { lease })).unwrap();
    bench.until("it is told", |bench| bench.command_token.heard().contains(&TokenLog::Release(lease))).await;
    assert!(!bench.token.heard().contains(&TokenLog::Release(lease)));
}

// STT-2, KER-9
#[tokio::test(start_paused = true)]
async fn without_their_model_commands_are_heard_by_the_other_until_it_is_there_stt_2_ker_9() {
    let bench = SttBench::new();
    bench.separate.store(true, Ordering::Relaxed);
    let why = Unavailable { reason: "whisper-tiny is not there.".into(), remedy: "Fetch it.".into() };
    *bench.missing_command.lock().unwrap() = Some(why.clone());
    let window = || bench.ask_for(SoundExtent::Window, 1).end();
    assert_eq!(window().await, Err(WorkFailure::Unavailable(why.clone())), "the first one finds out");
    let state = || bench.capabilities.get(Capability::CommandRecognition);
    assert_eq!(state(), CapabilityState::Unavailable(why));
    assert_eq!(window().await, Ok("said".to_owned()));
    assert_eq!(*bench.ran.lock().unwrap(), [Stt]);
    assert_eq!(bench.capability(), CapabilityState::Available, "the other one is not affected");
    *bench.missing_command.lock().unwrap() = None;
    bench.until("it is found", |_| state() == CapabilityState::Available).await;
    assert_eq!(window().await, Ok("said".to_owned()));
    assert_eq!(*bench.ran.lock().unwrap(), [Stt, SttCommand]);
}
