//! The ledger's published status, and when it wants its next step.

use luna_messages::Lane;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Lease, MemoryPlace, ResidentState};

use super::super::{Ledger, LedgerEvent, Terms};
use super::script::{MB, MS, claim, terms};

/// Checks the state of the engine's model, its size in MB, and whether the engine should have a running program.
#[track_caller]
fn sees(ledger: &Ledger, holder: EngineKind, expect: (ResidentState, u64), lives: bool) {
    let resident = ledger.resident();
    let found = resident.iter().find(|model| model.holder == holder).expect("it is in memory");
    assert_eq!((found.state, found.mb), expect);
    assert_eq!(ledger.should_live().any(|one| one == holder), lives, "{ledger:#?}");
}

// GPU-2, GPU-3
#[test]
fn each_state_of_a_model_is_shown_gpu_2_gpu_3() {
    let llm = EngineKind::Llm;
    let mut ledger = Ledger::new(terms());
    drop(ledger.step(claim(1, llm, "a", 6000, Lane::Llm), MS(0)));
    // A model that is to load may have no program yet.
    sees(&ledger, llm, (ResidentState::Loading, 6000), false);
    assert!(!ledger.awaits_end());
    drop(ledger.step(LedgerEvent::Loaded(Lease(1)), MS(10)));
    sees(&ledger, llm, (ResidentState::Working, 6000), true);
    drop(ledger.step(claim(2, EngineKind::Stt, "w", 3000, Lane::Uia), MS(20)));
    sees(&ledger, llm, (ResidentState::Stopping, 6000), true);
    assert_eq!(ledger.waiting(), 1);
    assert!(!ledger.awaits_end(), "it works still");
    drop(ledger.step(LedgerEvent::Release(Lease(1)), MS(30)));
    sees(&ledger, llm, (ResidentState::Leaving, 6000), true);
    assert!(ledger.awaits_end());
    drop(ledger.step(LedgerEvent::Tick, MS(2030)));
    sees(&ledger, llm, (ResidentState::Ending, 6000), true);
    assert!(ledger.awaits_end());
    drop(ledger.step(LedgerEvent::Gone(llm), MS(2040)));
    assert_eq!(ledger.resident().len(), 1, "the next one loads");
    drop(ledger.step(LedgerEvent::Loaded(Lease(2)), MS(2050)));
    drop(ledger.step(LedgerEvent::Release(Lease(2)), MS(2060)));
    sees(&ledger, EngineKind::Stt, (ResidentState::Idle, 3000), true);
    assert!(!ledger.awaits_end());
}

// GPU-1, GPU-5
#[test]
fn the_memories_are_shown_with_what_is_taken_of_them_gpu_1_gpu_5() {
    let seen = |ledger: &Ledger| {
        ledger.pools().iter().map(|pool| (pool.place, pool.budget_mb, pool.used_mb)).collect::<Vec<_>>()
    };
    let mut ledger = Ledger::new(terms());
    assert_eq!(seen(&ledger), [(MemoryPlace::Ram, 8000, 0)]);
    drop(ledger.step(claim(1, EngineKind::Stt, "w", 2000, Lane::Uia), MS(0)));
    drop(ledger.step(LedgerEvent::Loaded(Lease(1)), MS(1)));
    assert_eq!(seen(&ledger), [(MemoryPlace::Ram, 8000, 2000)]);
    drop(ledger.step(LedgerEvent::Terms(Terms { card: Some(6000 * MB + 1), ..terms() }), MS(2)));
    drop(ledger.step(claim(2, EngineKind::Llm, "a", 4000, Lane::Llm), MS(3)));
    assert_eq!(seen(&ledger), [(MemoryPlace::Card, 6000, 4000), (MemoryPlace::Ram, 8000, 2000)]);
    // A part of a megabyte counts as a whole one that is used, but not as a part of the budget.
    let part = LedgerEvent::Claim(luna_messages::gpu::Claim {
        id: luna_messages::RequestId(3),
        holder: EngineKind::Ocr,
        model: "o".into(),
        bytes: 1,
        lane: Lane::Ocr,
    });
    drop(ledger.step(LedgerEvent::Loaded(Lease(2)), MS(4)));
    drop(ledger.step(part, MS(5)));
    assert_eq!(seen(&ledger), [(MemoryPlace::Card, 6000, 4000), (MemoryPlace::Ram, 8000, 2001)]);
    assert_eq!(ledger.terms().card, Some(6000 * MB + 1));
}

// GPU-2, GPU-4
#[test]
fn it_wants_to_be_asked_again_when_something_is_due_and_not_before_gpu_2_gpu_4() {
    let mut ledger = Ledger::new(terms());
    assert_eq!(ledger.wake_at(MS(0)), None);
    drop(ledger.step(claim(1, EngineKind::Llm, "a", 6000, Lane::Llm), MS(0)));
    assert_eq!(ledger.wake_at(MS(0)), None, "work has no end that is known");
    drop(ledger.step(LedgerEvent::Loaded(Lease(1)), MS(100)));
    drop(ledger.step(claim(2, EngineKind::Llm, "b", 6000, Lane::Llm), MS(200)));
    // The claim is ripe after half the bound, overdue after all of it.
    assert_eq!(ledger.wake_at(MS(200)), Some(MS(15_200)));
    assert_eq!(ledger.wake_at(MS(15_199)), Some(MS(15_200)));
    assert_eq!(ledger.wake_at(MS(15_200)), Some(MS(30_200)));
    drop(ledger.step(claim(3, EngineKind::Stt, "w", 6000, Lane::Uia), MS(300)));
    assert_eq!(ledger.wake_at(MS(300)), Some(MS(2300)), "the grace period of the holder that was told to stop");
    drop(ledger.step(LedgerEvent::Release(Lease(1)), MS(400)));
    assert_eq!(ledger.wake_at(MS(400)), Some(MS(2400)), "that of the holder that was told to unload");
    drop(ledger.step(LedgerEvent::Tick, MS(2400)));
    assert_eq!(ledger.wake_at(MS(2400)), Some(MS(4400)), "its engine is ended once more then");
    drop(ledger.step(LedgerEvent::Withdraw(luna_messages::RequestId(2)), MS(2500)));
    drop(ledger.step(LedgerEvent::Gone(EngineKind::Llm), MS(2600)));
    drop(ledger.step(LedgerEvent::Loaded(Lease(2)), MS(2700)));
    drop(ledger.step(LedgerEvent::Release(Lease(2)), MS(3000)));
    assert_eq!(ledger.wake_at(MS(3000)), Some(MS(63_000)), "an idle model leaves after its linger");
}

// GPU-1, GPU-2
#[test]
fn it_wants_to_be_asked_when_a_turn_and_its_beginning_are_over_gpu_1_gpu_2() {
    let mut ledger = Ledger::new(terms());
    let llm = |id, model| claim(id, EngineKind::Llm, model, 4000, Lane::Llm);
    drop(ledger.step(llm(1, "a"), MS(0)));
    drop(ledger.step(LedgerEvent::Loaded(Lease(1)), MS(1)));
    drop(ledger.step(llm(2, "b"), MS(2)));
    drop(ledger.step(LedgerEvent::Tick, MS(30_002)));
    drop(ledger.step(LedgerEvent::Release(Lease(1)), MS(30_100)));
    drop(ledger.step(LedgerEvent::Unloaded { holder: EngineKind::Llm, loaded_by: Lease(1) }, MS(30_200)));
    // The overdue claim has the turn for half the bound; nothing interrupts it until it worked for the grace period.
    assert_eq!(ledger.wake_at(MS(30_200)), Some(MS(45_200)));
    drop(ledger.step(LedgerEvent::Loaded(Lease(2)), MS(33_000)));
    assert_eq!(ledger.wake_at(MS(33_000)), Some(MS(35_000)));
    assert_eq!(ledger.wake_at(MS(35_000)), Some(MS(45_200)));
    assert_eq!(ledger.wake_at(MS(45_200)), None);
}
