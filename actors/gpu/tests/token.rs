//! The actor under paused time: its messages and their timing; what a crash of it, or of a holder, leaves behind (GPU-1 to GPU-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "support/harness.rs"]
mod harness;

use std::sync::atomic::Ordering;

use harness::{GpuHarness, MS, grant, refused, waits};
use luna_messages::engine::EngineKind::{Llm, Ocr, Speech, Stt};
use luna_messages::gpu::{GpuMessage, GpuRefusal, MemoryPlace, ResidencyOrder};
use luna_messages::{Lane, NoReply};
use luna_test_support::chaos::{InjectedFault, Moment};
use tokio::time::{Instant, sleep};

// GPU-1, GPU-4
#[tokio::test(start_paused = true)]
async fn a_model_is_granted_kept_and_unloaded_after_its_time_gpu_1_gpu_4() {
    let harness = GpuHarness::new(None);
    let first = harness.loaded(Llm, "a", 4000).await;
    assert_eq!(harness.states().await, ["a working"]);
    harness.post(GpuMessage::Release { lease: first.lease });
    let again = harness.granted(Llm, "a", 4000).await;
    assert!(!again.load && again.lease > first.lease && again.loaded_by == first.lease);
    harness.post(GpuMessage::Release { lease: again.lease });
    sleep(MS(59_900)).await;
    assert_eq!(harness.states().await, ["a idle"]);
    sleep(MS(200)).await;
    assert_eq!(harness.llm.heard(), [ResidencyOrder::Unload { loaded_by: first.lease }]);
    harness.post(GpuMessage::Unloaded { holder: Llm, loaded_by: first.lease });
    assert!(harness.states().await.is_empty());
    assert_eq!(harness.llm.ended(), 0);
}

// GPU-2
#[tokio::test(start_paused = true)]
async fn a_holder_that_ignores_the_order_is_ended_after_the_grace_period_gpu_2() {
    let harness = GpuHarness::new(None);
    let low = harness.loaded(Llm, "a", 6000).await;
    harness.llm.immortal.store(true, Ordering::SeqCst);
    let asked = Instant::now();
    let (_, mut high) = harness.claim(Stt, "w", 3000, Lane::Uia);
    assert!(waits(&mut high, MS(1990)).await);
    assert_eq!((harness.llm.heard(), harness.llm.ended()), (vec![ResidencyOrder::Stop { lease: low.lease }], 0));
    // The engine was ended, but its memory counts as long as its program exists.
    assert!(waits(&mut high, MS(1000)).await);
    assert_eq!((harness.llm.ended(), harness.states().await), (1, vec!["a ending".to_owned()]));
    harness.llm.set_alive(false);
    assert!(grant(high).await.load);
    assert!(asked.elapsed() < MS(3100), "{:?}", asked.elapsed());
    // Its late reports change nothing, and its late load is unloaded.
    harness.post(GpuMessage::Release { lease: low.lease });
    harness.post(GpuMessage::Loaded { lease: low.lease });
    assert_eq!(harness.states().await, ["w loading"]);
    assert_eq!(harness.llm.heard().last(), Some(&ResidencyOrder::Unload { loaded_by: low.lease }));
}

// GPU-3
#[tokio::test(start_paused = true)]
async fn an_engine_that_dies_gives_everything_back_told_or_not_gpu_3() {
    let harness = GpuHarness::new(None);
    let first = harness.loaded(Llm, "a", 6000).await;
    let (_, next) = harness.claim(Stt, "w", 3000, Lane::Llm);
    let died = Instant::now();
    harness.llm.set_alive(false);
    harness.post(GpuMessage::Unloaded { holder: Llm, loaded_by: first.lease });
    let second = grant(next).await;
    assert!(died.elapsed() < MS(5), "{:?}", died.elapsed());
    harness.stt.set_alive(true);
    harness.post(GpuMessage::Loaded { lease: second.lease });
    // The engine's actor died with the engine, so nothing is reported.
    let (_, next) = harness.claim(Llm, "a", 6000, Lane::Llm);
    sleep(MS(10)).await;
    harness.stt.set_alive(false);
    grant(next).await;
    assert!(died.elapsed() < MS(1200), "{:?}", died.elapsed());
}

// GPU-3, KER-7
#[tokio::test(start_paused = true)]
async fn a_crash_of_the_actor_frees_nothing_and_loses_nobody_gpu_3_ker_7() {
    let harness = GpuHarness::new(None);
    let lease = harness.loaded(Llm, "a", 6000).await;
    let (_, mut waiting) = harness.claim(Llm, "b", 6000, Lane::Llm);
    assert!(waits(&mut waiting, MS(10)).await);
    harness.chaos.order("gpu", Moment::MessageOf("acquire"), InjectedFault::Panic, 1);
    let (_, crashed) = harness.claim(Stt, "w", 1000, Lane::Llm);
    assert_eq!(crashed.await.unwrap(), Err(NoReply::Crashed));
    assert_eq!(harness.states().await, ["a working"]);
    assert!(waits(&mut waiting, MS(5000)).await, "the memory was taken for free");
    assert_eq!(harness.status().await.waiting, 1);
    harness.post(GpuMessage::Release { lease: lease.lease });
    sleep(MS(10)).await;
    assert_eq!(harness.llm.heard(), [ResidencyOrder::Unload { loaded_by: lease.lease }]);
    harness.post(GpuMessage::Unloaded { holder: Llm, loaded_by: lease.lease });
    let next = grant(waiting).await;
    assert!(next.load && next.lease > lease.lease);
}

// GPU-2, KER-7
#[tokio::test(start_paused = true)]
async fn an_order_that_crashes_the_actor_is_made_up_for_by_its_deadline_gpu_2_ker_7() {
    let harness = GpuHarness::new(None);
    harness.loaded(Llm, "a", 6000).await;
    harness.llm.panics.store(true, Ordering::SeqCst);
    let (_, high) = harness.claim(Stt, "w", 3000, Lane::Reflex);
    let asked = Instant::now();
    assert!(grant(high).await.load);
    assert_eq!((harness.llm.heard(), harness.llm.ended()), (vec![], 1));
    assert!(asked.elapsed() < MS(2100), "{:?}", asked.elapsed());
}

// GPU-2
#[tokio::test(start_paused = true)]
async fn withdrawn_claims_are_forgotten_and_end_what_they_got_gpu_2() {
    let harness = GpuHarness::new(None);
    let (id, first) = harness.claim(Llm, "a", 6000, Lane::Llm);
    let first = grant(first).await;
    let (other, waiting) = harness.claim(Llm, "b", 6000, Lane::Llm);
    harness.post(GpuMessage::Withdraw { id: other });
    // The end of the claim is awaited first, because a status request overtakes a withdrawal by its lane.
    assert_eq!(waiting.await.unwrap(), Err(NoReply::Crashed));
    assert_eq!(harness.status().await.waiting, 0);
    // Withdrawn during its load: the memory that the load may have taken is reclaimed.
    harness.post(GpuMessage::Withdraw { id });
    sleep(MS(1)).await;
    assert_eq!(harness.states().await, ["a leaving"]);
    assert_eq!(harness.llm.heard(), [ResidencyOrder::Unload { loaded_by: first.lease }]);
}

// GPU-1, GPU-5, KER-10
#[tokio::test(start_paused = true)]
async fn refusals_name_their_reason_gpu_1_gpu_5_ker_10() {
    let harness = GpuHarness::new(None);
    let (_, large) = harness.claim(Llm, "a", 9000, Lane::Llm);
    let why = GpuRefusal::TooLarge { model: "a".into(), needs_mb: 9000, budget_mb: 8000 };
    assert_eq!(refused(large).await, why);
    for engine in [Speech, Ocr] {
        let (_, answer) = harness.claim(engine, "v", 10, Lane::Tts);
        assert_eq!(refused(answer).await, GpuRefusal::UnknownHolder { engine: engine.name() });
    }
    harness.loaded(Llm, "a", 6000).await;
    let (_, mut waiting) = harness.claim(Llm, "b", 6000, Lane::Llm);
    assert!(waits(&mut waiting, MS(10)).await);
    assert!(harness.tree.shutdown(MS(1000)).await.killed.is_empty());
    assert_eq!(refused(waiting).await, GpuRefusal::Ending);
}

// GPU-1, GPU-5, CFG-4
#[tokio::test(start_paused = true)]
async fn card_and_settings_are_taken_over_while_it_runs_gpu_1_gpu_5() {
    let harness = GpuHarness::new(Some(6000));
    let status = harness.status().await;
    assert_eq!((status.card.as_deref(), status.budget_mb), (Some("Scripted"), 6000));
    let pools: Vec<_> = status.pools.iter().map(|pool| (pool.place, pool.budget_mb)).collect();
    assert_eq!(pools, [(MemoryPlace::Card, 6000), (MemoryPlace::Ram, 8000)]);
    let lease = harness.loaded(Llm, "a", 5000).await;
    assert_eq!(lease.place, MemoryPlace::Card);
    assert_eq!(harness.granted(Stt, "w", 1000).await.place, MemoryPlace::Ram);
    // The card goes away; the next measurement notices it.
    harness.machine.set_card(None);
    sleep(MS(35_000)).await;
    let status = harness.status().await;
    assert_eq!((status.card, status.budget_mb), (None, 8000));
    harness.post(GpuMessage::Release { lease: lease.lease });
    sleep(MS(10)).await;
    assert_eq!(harness.llm.heard(), [ResidencyOrder::Unload { loaded_by: lease.lease }]);
    harness.settings.lock().unwrap().budget_mb = 500;
    let (_, large) = harness.claim(Llm, "a", 5000, Lane::Llm);
    assert!(matches!(refused(large).await, GpuRefusal::TooLarge { budget_mb: 500, .. }));
}

// GPU-4
#[tokio::test(start_paused = true)]
async fn unused_it_measures_nothing_and_sets_no_clock_gpu_4() {
    let harness = GpuHarness::new(Some(6000));
    harness.status().await;
    let asked = harness.machine.query_count();
    sleep(MS(600_000)).await;
    assert_eq!(harness.machine.query_count(), asked);
}

// GPU-1, KER-5
#[tokio::test(start_paused = true)]
async fn a_claim_gets_its_turn_under_a_stream_for_another_model_gpu_1_ker_5() {
    let harness = GpuHarness::new(None);
    let mut now = harness.loaded(Llm, "a", 6000).await;
    let (_, lone) = harness.claim(Llm, "b", 6000, Lane::Llm);
    let asked = Instant::now();
    // Each piece of work is followed by another one for the same model.
    let stream = async {
        loop {
            let (_, next) = harness.claim(Llm, "a", 6000, Lane::Llm);
            sleep(MS(700)).await;
            harness.post(GpuMessage::Release { lease: now.lease });
            sleep(MS(50)).await;
            for order in harness.llm.heard() {
                if let ResidencyOrder::Unload { loaded_by } = order {
                    harness.post(GpuMessage::Unloaded { holder: Llm, loaded_by });
                }
            }
            match tokio::time::timeout(MS(50), next).await {
                Ok(answer) => now = answer.unwrap().unwrap().unwrap(),
                Err(_) => return,
            }
        }
    };
    let (granted, ()) = tokio::join!(grant(lone), stream);
    assert!(granted.load);
    assert!(asked.elapsed() <= MS(17_000), "{:?}", asked.elapsed());
    assert_eq!(harness.llm.ended(), 0);
}
