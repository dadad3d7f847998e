//! Requests for text, with and without faults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/bench.rs"]
mod support;

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::capability::{CapabilityState, Unavailable};
use luna_messages::engine::EngineErrorKind;
use luna_messages::engine::EngineKind::Llm;
use luna_messages::gpu::{GpuRefusal, Lease, ResidencyOrder};
use luna_messages::llm::{LlmMessage, LlmTask};
use luna_messages::work::WorkFailure;
use luna_test_support::chaos::{InjectedFault, Moment};
use luna_test_support::engine_double::{EngineAction, EngineFault};
use luna_test_support::token_double::{GrantScript, TokenLog};
use support::{LlmBench, job};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn words(count: usize) -> String {
    "word ".repeat(count)
}

/// The next request succeeds: whatever happened before affects no other request (ENG-2).
async fn goes_on(bench: &LlmBench) {
    let (text, _, end) = bench.ask(2).all().await;
    assert_eq!((text, end.unwrap().answer_tokens), (words(2), 2));
    bench.nothing_is_out().await;
}

// ENG-1, GPU-1, GPU-4
#[tokio::test(start_paused = true)]
async fn text_comes_in_pieces_and_the_model_stays_for_the_next_request_eng_1_gpu_1_gpu_4() {
    let bench = LlmBench::new();
    tokio::time::sleep(MS(5000)).await;
    assert_eq!(
        (bench.count_of(EngineAction::Start), bench.models.lock().unwrap().lookups),
        (0, 0),
        "nothing before it is needed"
    );
    let mut first = bench.ask(3);
    assert_eq!(first.first().await, "word ");
    let (rest, thinking, end) = first.all().await;
    assert_eq!((rest, thinking.as_str(), end.unwrap().answer_tokens), (words(2), "", 3));
    bench.nothing_is_out().await;
    goes_on(&bench).await;
    let lease = Lease(1);
    let claim = TokenLog::Acquire { model: "intent".into() };
    let expect = [claim.clone(), TokenLog::Loaded(lease), TokenLog::Release(lease), claim, TokenLog::Release(Lease(2))];
    assert_eq!(bench.token.heard(), expect);
    assert_eq!((bench.count_of(EngineAction::Start), bench.count_of(EngineAction::Load)), (1, 1));
    assert_eq!((bench.ends("done"), bench.capability()), (2, CapabilityState::Available));
    // Another model: the first is unloaded.
    let (text, ..) = bench.ask_for(LlmTask::Translate, job(1), false).all().await;
    assert_eq!((text, bench.count_of(EngineAction::Load)), (words(1), 2));
    assert_eq!(bench.doubles.running(Llm), 1, "one model at a time");
}

// REA-4, PRV-2
#[tokio::test(start_paused = true)]
async fn thinking_goes_only_to_an_asker_who_wants_it_rea_4_prv_2() {
    let bench = LlmBench::new();
    let thinks = || luna_messages::engine::GenerateJob { max_thinking_tokens: 2, ..job(1) };
    let (text, thinking, end) = bench.ask_for(LlmTask::Intent, thinks(), false).all().await;
    assert_eq!((text, thinking.as_str(), end.unwrap().thinking_tokens), (words(1), "", 2));
    let (_, thinking, _) = bench.ask_for(LlmTask::Intent, thinks(), true).all().await;
    assert_eq!(thinking, "hm hm ");
}

// PAK-2
#[tokio::test(start_paused = true)]
async fn tokens_are_counted_pak_2() {
    let bench = LlmBench::new();
    let counts = bench.count(&["one two three", "", "하나 둘"]).await.unwrap().unwrap();
    assert_eq!(counts, Ok(vec![3, 0, 2]));
    bench.nothing_is_out().await;
    bench.doubles.order(Llm, EngineFault::DieInRun { after: 0 });
    let counts = bench.count(&["one"]).await.unwrap().unwrap();
    assert!(matches!(counts, Err(WorkFailure::EngineEnded { .. })), "{counts:?}");
    goes_on(&bench).await;
}

// GPU-1, GPU-2
#[tokio::test(start_paused = true)]
async fn what_the_token_says_counts_gpu_1_gpu_2() {
    let bench = LlmBench::new();
    let refusal = GpuRefusal::TooLarge { model: "intent".into(), needs_mb: 9000, budget_mb: 8192 };
    bench.token.plan(GrantScript::Refuse(refusal.clone()));
    assert_eq!(bench.ask(1).failure().await, WorkFailure::OutOfMemory(refusal));
    assert_eq!((bench.count_of(EngineAction::Start), bench.ends("no_room")), (0, 1));
    // The token crashes with the claim: its next incarnation gets the claim again.
    bench.token.plan(GrantScript::Lose);
    goes_on(&bench).await;
    // The token crashes repeatedly.
    for _ in 0..3 {
        bench.token.plan(GrantScript::Lose);
    }
    assert!(matches!(bench.ask(1).failure().await, WorkFailure::Unavailable(_)));
    goes_on(&bench).await;
    // The token believes a model resident that died unnoticed, or was never loaded.
    bench.slot.stop();
    bench.until("the engine's end is told", |bench| bench.token.resident().is_none()).await;
    bench.token.plan(GrantScript::GrantWithoutLoad);
    goes_on(&bench).await;
    // A stop for a lease without a holder.
    bench.inbox.post(LlmMessage::Order(ResidencyOrder::Stop { lease: Lease(777) })).unwrap();
    bench.until("it is given back", |bench| bench.token.heard().contains(&TokenLog::Release(Lease(777)))).await;
}

// GPU-2, KER-6
#[tokio::test(start_paused = true)]
async fn work_that_must_stop_is_done_later_once_or_its_asker_is_told_gpu_2_ker_6() {
    let stop = |bench: &LlmBench| {
        let lease = bench.token.out().unwrap();
        bench.inbox.post(LlmMessage::Order(ResidencyOrder::Stop { lease })).unwrap();
    };
    // While the model loads: the engine is ended, the work waits again and is done.
    let bench = LlmBench::new();
    let asked = bench.ask(2);
    bench.until("it loads", |bench| bench.count_of(EngineAction::Load) == 1).await;
    stop(&bench);
    let (text, _, end) = asked.all().await;
    assert_eq!((text, end.is_ok(), bench.count_of(EngineAction::Load)), (words(2), true, 2));
    assert!(bench.token.heard().contains(&TokenLog::Unloaded(Lease(1))), "{:?}", bench.token.heard());
    assert_eq!((bench.ends("put_back"), bench.ends("done")), (1, 1));

    // A second time: the caller gets an error.
    bench.slot.stop();
    bench.until("it is gone", |bench| bench.token.resident().is_none()).await;
    let asked = bench.ask(2);
    for load in [3, 4] {
        bench.until("it loads", |bench| bench.count_of(EngineAction::Load) == load).await;
        stop(&bench);
    }
    assert_eq!(asked.failure().await, WorkFailure::Interrupted);
    assert_eq!((bench.ends("put_back"), bench.ends("interrupted")), (2, 1));
    goes_on(&bench).await;

    // After the first piece: the work can't be repeated, since the caller already has a part of the answer.
    let mut asked = bench.ask(30);
    asked.first().await;
    stop(&bench);
    assert_eq!(asked.failure().await, WorkFailure::Interrupted);
    bench.nothing_is_out().await;
    assert_eq!(bench.doubles.running(Llm), 1, "the engine stays; the token decides about its memory");
    goes_on(&bench).await;
}

// GPU-2, GPU-4, ENG-3
#[tokio::test(start_paused = true)]
async fn a_model_leaves_on_order_and_with_it_the_program_gpu_2_gpu_4_eng_3() {
    let bench = LlmBench::new();
    goes_on(&bench).await;
    let unload = |loaded_by| bench.inbox.post(LlmMessage::Order(ResidencyOrder::Unload { loaded_by })).unwrap();
    // A model that is not loaded any more: answered at once, and nothing else changes.
    unload(Lease(99));
    bench.until("it is told", |bench| bench.token.heard().contains(&TokenLog::Unloaded(Lease(99)))).await;
    assert_eq!(bench.doubles.running(Llm), 1);
    unload(Lease(1));
    bench.until("it is told", |bench| bench.token.heard().contains(&TokenLog::Unloaded(Lease(1)))).await;
    assert_eq!((bench.doubles.running(Llm), bench.slot.is_alive()), (0, false));
    goes_on(&bench).await;
    assert_eq!(bench.count_of(EngineAction::Load), 2);
    let told = bench.token.heard().iter().filter(|heard| **heard == TokenLog::Unloaded(Lease(1))).count();
    assert_eq!(told, 1, "told once: {:?}", bench.token.heard());
}

// ENG-2, GPU-3, KER-9
#[tokio::test(start_paused = true)]
async fn an_engine_that_fails_costs_one_request_eng_2_gpu_3_ker_9() {
    use EngineFault::*;
    let ended = |failure: &WorkFailure| matches!(failure, WorkFailure::EngineEnded { .. });
    let unavailable = |failure: &WorkFailure| matches!(failure, WorkFailure::Unavailable(_));
    let refused = |failure: &WorkFailure| matches!(failure, WorkFailure::Refused(_));
    type Is<'a> = &'a dyn Fn(&WorkFailure) -> bool;
    let cases: [(EngineFault, Is<'_>, &str, bool); 14] = [
        (NotThere, &unavailable, "unavailable", true),
        (DieAtStart, &unavailable, "unavailable", true),
        (GarbageAtStart, &unavailable, "unavailable", true),
        (SilentAtStart, &ended, "engine_ended", false),
        (DieAtLoad, &ended, "engine_ended", false),
        (RefuseLoad(EngineErrorKind::BadModel), &unavailable, "unavailable", true),
        (RefuseLoad(EngineErrorKind::OutOfMemory), &refused, "refused", false),
        (DieInRun { after: 0 }, &ended, "engine_ended", false),
        (AbortInRun { after: 3 }, &ended, "engine_ended", false),
        (GarbageInRun, &ended, "engine_ended", false),
        (RefuseRun, &refused, "refused", false),
        (HangInRun, &ended, "engine_ended", false),
        (Freeze, &ended, "engine_ended", false),
        (LoseAnswer, &ended, "engine_ended", false),
    ];
    for (fault, is, end, lost) in cases {
        let bench = LlmBench::new();
        bench.doubles.order(Llm, fault);
        let first = bench.ask(5);
        let second = bench.ask(2);
        let failure = first.failure().await;
        assert!(is(&failure), "{fault:?}: {failure:?}");
        assert_eq!(
            matches!(bench.capability(), CapabilityState::Unavailable(_)),
            lost,
            "{fault:?}: {:?}",
            bench.capability()
        );
        // No waiting request is lost, and the engine is restarted.
        let (text, _, done) = second.all().await;
        assert_eq!((text, done.map(|usage| usage.answer_tokens)), (words(2), Ok(2)), "{fault:?}");
        bench.nothing_is_out().await;
        assert_eq!((bench.ends(end), bench.ends("done")), (1, 1), "{fault:?}");
        assert_eq!(bench.capability(), CapabilityState::Available, "{fault:?}");
        assert!(bench.doubles.running(Llm) == 1, "{fault:?}");
    }
}

// ENG-2, GPU-3
#[tokio::test(start_paused = true)]
async fn an_engine_that_dies_idle_costs_nothing_eng_2_gpu_3() {
    let bench = LlmBench::new();
    bench.doubles.order(Llm, EngineFault::DieIdle(MS(5000)));
    goes_on(&bench).await;
    bench.until("the token is told", |bench| bench.token.heard().contains(&TokenLog::Unloaded(Lease(1)))).await;
    goes_on(&bench).await;
    assert_eq!(bench.count_of(EngineAction::Load), 2);
}

// KER-6
#[tokio::test(start_paused = true)]
async fn a_cancel_is_obeyed_wherever_the_work_is_ker_6() {
    let bench = LlmBench::new();
    let cancel = |id| bench.inbox.post(LlmMessage::Cancel { id }).unwrap();
    // Before the request arrives, which is possible because a higher lane overtakes.
    let asked = bench.ask(1);
    cancel(asked.id);
    assert_eq!(asked.failure().await, WorkFailure::Cancelled);
    assert_eq!(bench.count_of(EngineAction::Start), 0);
    // While it waits for memory: the claim is withdrawn.
    bench.token.plan(GrantScript::NoAnswer);
    let asked = bench.ask(1);
    bench.until("it claims", |bench| !bench.token.claims().is_empty()).await;
    cancel(asked.id);
    assert_eq!(asked.failure().await, WorkFailure::Cancelled);
    bench.until("it withdraws", |bench| bench.token.heard().contains(&TokenLog::Withdraw)).await;
    // While the model loads: answered at once, and the load goes on, because the next request will need it.
    let asked = bench.ask(1);
    bench.until("it loads", |bench| bench.count_of(EngineAction::Load) == 1).await;
    cancel(asked.id);
    assert_eq!(asked.failure().await, WorkFailure::Cancelled);
    assert!(!bench.token.heard().iter().any(|heard| matches!(heard, TokenLog::Loaded(_))), "before the load is over");
    goes_on(&bench).await;
    assert_eq!(bench.count_of(EngineAction::Load), 1);
    // While the request waits behind another, and while it runs.
    let (mut running, waiting) = (bench.ask(30), bench.ask(1));
    running.first().await;
    cancel(waiting.id);
    assert_eq!(waiting.failure().await, WorkFailure::Cancelled);
    cancel(running.id);
    assert_eq!(running.failure().await, WorkFailure::Cancelled);
    bench.nothing_is_out().await;
    assert_eq!((bench.count_of(EngineAction::Cancel), bench.ends("cancelled")), (1, 5));
    cancel(RequestId::next());
    goes_on(&bench).await;
    assert_eq!(bench.count_of(EngineAction::Start), 1, "no cancel cost the engine");
}

// KER-6
#[tokio::test(start_paused = true)]
async fn an_asker_who_goes_or_takes_nothing_cancels_its_work_ker_6() {
    let bench = LlmBench::new();
    let mut asked = bench.ask(30);
    asked.first().await;
    drop(asked.reader);
    assert_eq!(asked.answer.await.unwrap().unwrap(), Err(WorkFailure::Cancelled));
    assert_eq!(bench.count_of(EngineAction::Cancel), 1);
    let asked = bench.ask(30);
    drop(asked);
    goes_on(&bench).await;
    // The caller keeps its receiver but reads nothing: other requests don't wait for ever.
    let (pieces, reader) = async_channel::bounded(1);
    let (reply, answer) = luna_test_support::reply();
    let request = luna_messages::llm::Generate {
        id: RequestId::next(),
        task: LlmTask::Intent,
        job: Box::new(job(30)),
        pictures: Vec::new(),
        include_thinking: false,
        pieces,
        reply,
    };
    bench.inbox.post(LlmMessage::Generate(request)).unwrap();
    goes_on(&bench).await;
    assert_eq!(answer.await.unwrap().unwrap(), Err(WorkFailure::Cancelled));
    drop(reader);
}

// KER-6, ENG-2
#[tokio::test(start_paused = true)]
async fn an_engine_that_ignores_a_cancel_is_ended_ker_6_eng_2() {
    let bench = LlmBench::new();
    goes_on(&bench).await;
    // Each piece takes a tenth of a second, so the whole answer takes longer than the wait for a cancel.
    let doubles = &bench.doubles;
    doubles.order(Llm, EngineFault::HangInRun);
    let mut asked = bench.ask(40);
    asked.first().await;
    bench.inbox.post(LlmMessage::Cancel { id: asked.id }).unwrap();
    assert_eq!(asked.failure().await, WorkFailure::Cancelled);
    bench.until("it is ended", |bench| bench.doubles.running(Llm) == 0).await;
    goes_on(&bench).await;
    assert_eq!(bench.count_of(EngineAction::Start), 2);
}

// KER-4
#[tokio::test(start_paused = true)]
async fn what_is_too_much_is_refused_at_once_ker_4() {
    let bench = LlmBench::new();
    let mut running = bench.ask(40);
    running.first().await;
    let waiting: Vec<_> = (0..3).map(|_| bench.ask(1)).collect();
    assert_eq!(bench.ask(1).failure().await, WorkFailure::Busy { waiting: 3 });
    assert_eq!(bench.ends("busy"), 1);
    assert!(running.all().await.2.is_ok());
    for asked in waiting {
        assert!(asked.all().await.2.is_ok());
    }
}

// KER-7, GPU-3
#[tokio::test(start_paused = true)]
async fn a_crash_of_the_actor_costs_the_request_under_way_only_ker_7_gpu_3() {
    let bench = LlmBench::new();
    let mut running = bench.ask(40);
    running.first().await;
    let waiting = bench.ask(2);
    bench.until("it waits", |bench| bench.inbox.depth().iter().sum::<usize>() == 0).await;
    let lease = bench.token.out().unwrap();
    bench.chaos.order("llm", Moment::MessageOf("cancel"), InjectedFault::Panic, 1);
    bench.inbox.post(LlmMessage::Cancel { id: RequestId::next() }).unwrap();
    let (text, _, end) = waiting.all().await;
    assert_eq!((text, end.is_ok(), bench.chaos.left()), (words(2), true, 0));
    assert!(running.answer.await.unwrap().is_err(), "its caller gets an error");
    assert!(bench.token.heard().contains(&TokenLog::Release(lease)), "{:?}", bench.token.heard());
    bench.nothing_is_out().await;
    assert_eq!(bench.count_of(EngineAction::Start), 1, "the engine outlives the actor");
    // A request that makes the worker panic affects only itself.
    bench.models.lock().unwrap().panics = true;
    assert!(matches!(bench.ask(1).failure().await, WorkFailure::EngineEnded { .. }));
    goes_on(&bench).await;
}

// KER-9
#[tokio::test(start_paused = true)]
async fn a_missing_model_is_told_and_looked_for_again_ker_9() {
    let bench = LlmBench::new();
    let why = Unavailable { reason: "intent is not there.".into(), remedy: "Fetch it.".into() };
    bench.models.lock().unwrap().missing = Some(why.clone());
    assert_eq!(bench.ask(1).failure().await, WorkFailure::Unavailable(why.clone()));
    assert_eq!(bench.capability(), CapabilityState::Unavailable(why));
    tokio::time::sleep(Duration::from_secs(60)).await;
    let lookups = bench.models.lock().unwrap().lookups;
    assert!((3..=6).contains(&lookups), "now and then, not all the time: {lookups}");
    bench.models.lock().unwrap().missing = None;
    bench.until("it is found", |bench| bench.capability() == CapabilityState::Available).await;
    assert_eq!(bench.count_of(EngineAction::Start), 0, "nothing is loaded for that");
    goes_on(&bench).await;
}

// CFG-4
#[tokio::test(start_paused = true)]
async fn changed_settings_count_for_the_next_request_cfg_4() {
    let bench = LlmBench::new();
    goes_on(&bench).await;
    bench.models.lock().unwrap().context_tokens = 1024;
    goes_on(&bench).await;
    assert_eq!((bench.count_of(EngineAction::Load), bench.doubles.running(Llm)), (2, 1));
    goes_on(&bench).await;
    assert_eq!(bench.count_of(EngineAction::Load), 2);
}

// KER-10
#[tokio::test(start_paused = true)]
async fn at_the_end_whoever_waits_is_told_and_no_engine_stays_ker_10() {
    let bench = LlmBench::new();
    let mut running = bench.ask(40);
    running.first().await;
    let waiting = bench.ask(1);
    tokio::time::sleep(MS(20)).await;
    let report = bench.tree.shutdown(Duration::from_secs(2)).await;
    assert!(report.killed.is_empty(), "{report:?}");
    assert_eq!(waiting.failure().await, WorkFailure::OutOfMemory(GpuRefusal::Ending));
    assert!(running.answer.await.unwrap().is_err());
    assert_eq!(bench.doubles.running(Llm), 0);
}
