//! The rules one by one.

use luna_messages::engine::EngineKind;
use luna_messages::gpu::MemoryPlace;
use luna_messages::{Lane, RequestId};

use super::super::{
    Ledger, LedgerEffect, LedgerEvent, LedgerMetric, Terms, budgets, decide, may_claim_memory, placement,
};
use super::script::{MB, MS, check, claim, terms};

// GPU-1
#[test]
fn one_load_at_a_time_and_both_resident_where_the_budget_says_so_gpu_1() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (10, "claim 2 stt w 2000", ""),
            (500, "loaded 1", "#2 L2 load"),
            (700, "loaded 2", ""),
            (800, "release 1", ""),
            (900, "claim 3 llm a 4000", "#3 L3"),
            (950, "release 2", ""),
            (960, "release 3", ""),
        ],
    );
    // Both together exceed the budget: the idle model is evicted.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000", "#1 L1 load"),
            (500, "loaded 1", ""),
            (600, "release 1", ""),
            (700, "claim 2 stt w 3000", "llm unload L1"),
            (800, "tick", ""),
            (900, "unloaded llm 1", "#2 L2 load"),
        ],
    );
}

// GPU-1
#[test]
fn what_never_fits_is_refused_at_once_with_numbers_gpu_1() {
    check(
        terms(),
        &[
            (
                0,
                "claim 1 llm a 8001",
                "#1 refused: The model a needs 8001 MB, and the budget gpu.budget_mb is 8000 MB.",
            ),
            (0, "claim 2 llm a 8000", "#2 L1 load"),
            (0, "claim 3 llm b 7000", ""),
            // A changed budget takes effect at once, also for waiting claims.
            (5, "ram 6000", "#3 refused: The model b needs 7000 MB, and the budget gpu.budget_mb is 6000 MB."),
            (6, "loaded 1", ""),
            // A model above the budget is unloaded as soon as its work is over.
            (7, "release 1", "llm unload L1"),
            (8, "unloaded llm 1", ""),
            (
                9,
                "claim 4 llm a 8000",
                "#4 refused: The model a needs 8000 MB, and the budget gpu.budget_mb is 6000 MB.",
            ),
            (10, "ram 8000", ""),
            (11, "claim 5 llm a 8000", "#5 L2 load"),
        ],
    );
}

// GPU-2
#[test]
fn a_higher_lane_stops_and_unloads_a_lower_one_gpu_2() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000 llm", "#1 L1 load"),
            (500, "loaded 1", ""),
            (600, "claim 2 stt w 3000 uia", "llm stop L1"),
            (601, "claim 3 llm a 6000 llm", ""),
            (650, "release 1", "llm unload L1"),
            (700, "unloaded llm 1", "#2 L2 load"),
            (900, "loaded 2", ""),
            // The lower lane waits for the end of the higher one, and does not stop it.
            (1500, "release 2", "stt unload L2"),
            (1600, "unloaded stt 2", "#3 L3 load"),
        ],
    );
    // Also a loading model gives way, and the same model, too: one engine works on one job at a time.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000 llm", "#1 L1 load"),
            (100, "claim 2 stt w 3000 uia", "llm stop L1"),
            (150, "release 1", "llm unload L1"),
            (200, "unloaded llm 1", "#2 L2 load"),
            (300, "loaded 2", ""),
            (400, "claim 3 stt w 3000 reflex", "stt stop L2"),
            (450, "release 2", "#3 L3"),
        ],
    );
    // If memory is not needed, no work is stopped.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 llm", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 3000 reflex", "#2 L2 load"),
        ],
    );
}

// GPU-2
#[test]
fn who_does_not_obey_within_the_grace_period_is_ended_and_its_late_words_are_ignored_gpu_2() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000 llm", "#1 L1 load"),
            (500, "loaded 1", ""),
            (600, "claim 2 stt w 3000 uia", "llm stop L1"),
            (2599, "tick", ""),
            (2600, "tick", "llm end"),
            // The memory of the engine counts until its end is known; the engine is ended once more if that takes long.
            (2610, "release 1", ""),
            (2620, "claim 3 llm b 1000 llm", ""),
            (4600, "tick", "llm end"),
            (4650, "gone llm", "#2 L2 load"),
            (4700, "loaded 2", "#3 L3 load"),
            (4800, "unloaded llm 1", ""),
            (4801, "loaded 1", "disown L1"),
            (4802, "release 1", ""),
            (4803, "loaded 3", ""),
            (4804, "loaded 3", ""),
        ],
    );
    // An unload that is not done ends the same way.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "release 1", ""),
            (3, "claim 2 llm b 6000", "llm unload L1"),
            (2003, "tick", "llm end"),
            (2010, "gone llm", "#2 L2 load"),
        ],
    );
    // So does a load that is in the way only because there is one load at a time.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 llm", "#1 L1 load"),
            (1, "claim 2 stt w 2000 uia", "llm stop L1"),
            (2000, "tick", ""),
            (2001, "tick", "llm end"),
        ],
    );
    // Work that did not stop in time goes on once no claim waits for it any more.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000 llm", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 3000 uia", "llm stop L1"),
            (3, "withdraw 2", ""),
            (9000, "tick", ""),
            (9001, "release 1", ""),
        ],
    );
}

// GPU-3
#[test]
fn a_holder_that_dies_gives_everything_back_at_once_gpu_3() {
    let next = "claim 2 stt w 8000";
    // While loading, working, idle, leaving and ending.
    check(terms(), &[(0, "claim 1 llm a 6000", "#1 L1 load"), (1, next, ""), (2, "unloaded llm 1", "#2 L2 load")]);
    let working = [(0, "claim 1 llm a 6000", "#1 L1 load"), (1, "loaded 1", "")];
    let and = |lines: &[(u64, &'static str, &'static str)]| [&working[..], lines].concat();
    check(terms(), &and(&[(2, next, ""), (3, "unloaded llm 1", "#2 L2 load")]));
    check(terms(), &and(&[(2, next, ""), (3, "gone llm", "#2 L2 load")]));
    check(terms(), &and(&[(2, "release 1", ""), (3, "unloaded llm 1", ""), (4, next, "#2 L2 load")]));
    check(terms(), &and(&[(2, "release 1", ""), (3, next, "llm unload L1"), (4, "gone llm", "#2 L2 load")]));
    // A program that is to load may not have been started: its absence means nothing.
    check(terms(), &[(0, "claim 1 llm a 6000", "#1 L1 load"), (1, next, ""), (2, "gone llm", "")]);
}

// GPU-3
#[test]
fn a_load_that_is_given_up_counts_until_it_is_unloaded_gpu_3() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000", "#1 L1 load"),
            (1, "claim 2 stt w 1000", ""),
            (2, "release 1", "llm unload L1"),
            (3, "unloaded llm 1", "#2 L2 load"),
        ],
    );
    // If a grant was not delivered, no load has begun.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000", "#1 L1 load"),
            (1, "claim 2 stt w 1000", ""),
            (2, "lost 1", "#2 L2 load"),
            (3, "loaded 2", ""),
            (4, "release 2", ""),
            (5, "claim 3 stt w 1000", "#3 L3"),
            (6, "lost 3", ""),
            (7, "claim 4 stt w 1000", "#4 L4"),
        ],
    );
}

// GPU-4
#[test]
fn an_idle_model_lingers_unless_somebody_needs_its_memory_gpu_4() {
    let lines = [
        (0, "claim 1 llm a 4000", "#1 L1 load"),
        (1, "loaded 1", ""),
        (1000, "release 1", ""),
        (60_999, "tick", ""),
        (61_000, "tick", "llm unload L1"),
        (61_001, "unloaded llm 1", ""),
    ];
    check(terms(), &lines);
    let at_once = Terms { linger: MS(0), ..terms() };
    let lines = [
        (0, "claim 1 llm a 4000", "#1 L1 load"),
        (1, "loaded 1", ""),
        (2, "claim 2 llm a 4000", ""),
        // Another lease uses the idle model.
        (3, "release 1", "#2 L2"),
        (4, "release 2", "llm unload L1"),
    ];
    check(at_once, &lines);
    // The models unused for longest are evicted, and no more than needed.
    let lines = [
        (0, "claim 1 llm a 4000", "#1 L1 load"),
        (1, "loaded 1", ""),
        (2, "claim 2 stt w 1000", "#2 L2 load"),
        (3, "loaded 2", ""),
        (4, "release 1", ""),
        (5, "release 2", ""),
        (6, "claim 3 ocr o 3500", "llm unload L1"),
        (7, "unloaded llm 1", "#3 L3 load"),
    ];
    check(terms(), &lines);
}

// GPU-4
#[test]
fn a_larger_context_has_the_model_loaded_anew_gpu_4() {
    let lines = [
        (0, "claim 1 llm a 4000", "#1 L1 load"),
        (1, "loaded 1", ""),
        (2, "release 1", ""),
        (3, "claim 2 llm a 3000", "#2 L2"),
        (4, "release 2", ""),
        (5, "claim 3 llm a 5000", "llm unload L1"),
        (6, "unloaded llm 1", "#3 L3 load"),
    ];
    check(terms(), &lines);
}

// GPU-5
#[test]
fn models_live_where_they_belong_gpu_5() {
    use EngineKind::{Llm, Ocr, Speech, Stt};
    for (engine, card, full, expect) in [
        (Llm, true, false, MemoryPlace::Card),
        (Llm, true, true, MemoryPlace::Card),
        (Llm, false, true, MemoryPlace::Ram),
        (Stt, true, true, MemoryPlace::Card),
        (Stt, true, false, MemoryPlace::Ram),
        (Stt, false, true, MemoryPlace::Ram),
        (Ocr, true, true, MemoryPlace::Ram),
        (Ocr, false, false, MemoryPlace::Ram),
        (Speech, true, true, MemoryPlace::Ram),
    ] {
        assert_eq!(placement(engine, card, full), expect, "{engine:?}, card {card}, full {full}");
    }
    assert!(may_claim_memory(Llm) && may_claim_memory(Stt) && may_claim_memory(Ocr) && !may_claim_memory(Speech));
    let refused = "#1 refused: The engine speech has no part in the token for memory; it starts by itself.";
    check(terms(), &[(0, "claim 1 speech v 10 reflex", refused)]);
}

// GPU-5
#[test]
fn a_model_moves_when_the_mode_changes_or_the_card_goes_gpu_5() {
    let with_card = Terms { card: Some(6000 * MB), ..terms() };
    check(
        with_card,
        &[
            (0, "claim 1 stt w 2000", "#1 L1 load"),
            (1, "loaded 1", ""),
            // The models are in different memories, so neither is evicted for the other.
            (2, "claim 2 llm a 6000", "#2 L2 load card"),
            (3, "loaded 2", ""),
            (4, "release 1", ""),
            (5, "full", "stt unload L1"),
            (6, "unloaded stt 1", ""),
            (7, "release 2", ""),
            (8, "claim 3 stt w 2000", "llm unload L2"),
            (9, "unloaded llm 2", "#3 L3 load card"),
            (10, "loaded 3", ""),
            // The card goes away during work on it.
            (11, "card none", ""),
            (12, "claim 4 llm a 6000", "#4 L4 load"),
            (13, "release 3", "stt unload L3"),
        ],
    );
}

#[test]
fn budgets_never_exceed_what_the_machine_has_gpu_1_gpu_5() {
    for (configured, card, ram, expect) in [
        (8192, None, None, (None, 8192)),
        (8192, Some(6144), Some(16384), (Some(6144), 8192)),
        (8192, Some(24576), Some(8000), (Some(8192), 6000)),
        (0, Some(6144), Some(8000), (Some(0), 0)),
    ] {
        assert_eq!(budgets(configured, card, ram), expect, "{configured} {card:?} {ram:?}");
    }
}

// GPU-2
#[test]
fn claims_queue_by_lane_then_by_arrival_gpu_2() {
    let lines = [
        (0, "claim 1 llm a 4000 reflex", "#1 L1 load"),
        (1, "claim 2 llm a 4000 llm", ""),
        (2, "claim 3 llm a 4000 ocr", ""),
        (3, "claim 4 llm a 4000 llm", ""),
        (4, "claim 5 llm a 4000 ocr", ""),
        (5, "loaded 1", ""),
        (6, "release 1", "#3 L2"),
        (7, "withdraw 5", ""),
        (8, "release 2", "#2 L3"),
        // A withdrawal of a claim that was granted meanwhile ends the lease.
        (9, "withdraw 2", "#4 L4"),
        (10, "release 3", ""),
        (11, "release 4", ""),
    ];
    check(terms(), &lines);
}

// KER-10
#[test]
fn the_end_refuses_all_that_wait_and_all_that_come_ker_10() {
    let lines = [
        (0, "claim 1 llm a 4000", "#1 L1 load"),
        (1, "claim 2 llm b 4000", ""),
        (2, "end", "#2 refused: Luna ends."),
        (3, "claim 3 stt w 10", "#3 refused: Luna ends."),
        (4, "loaded 1", ""),
    ];
    check(terms(), &lines);
}

// KER-4
#[test]
fn the_queue_is_bounded_ker_4() {
    let mut ledger = Ledger::new(terms());
    for id in 0..=64 {
        let (next, effects) = decide(&ledger, claim(id, EngineKind::Llm, "a", 10, Lane::Llm), MS(id));
        assert!(!effects.iter().any(|effect| matches!(effect, LedgerEffect::Refuse { .. })), "claim {id}");
        ledger = next;
    }
    let (ledger, effects) = decide(&ledger, claim(999, EngineKind::Llm, "a", 10, Lane::Reflex), MS(999));
    assert!(matches!(&effects[..], [LedgerEffect::Refuse { id: RequestId(999), .. }]), "{effects:?}");
    assert_eq!(ledger.waiting(), 64);
    // Claims for another model are not crowded out.
    let (mut ledger, _) = decide(&ledger, claim(1000, EngineKind::Llm, "b", 10, Lane::Llm), MS(1000));
    assert_eq!(ledger.waiting(), 65);
    // In all there are at most 512, for any number of models.
    for id in 1001..=1447 {
        ledger = decide(&ledger, claim(id, EngineKind::Llm, &format!("c{id}"), 10, Lane::Llm), MS(1000)).0;
    }
    assert_eq!(ledger.waiting(), 512);
    let (ledger, effects) = decide(&ledger, claim(1448, EngineKind::Stt, "w", 10, Lane::Reflex), MS(1000));
    assert!(matches!(&effects[..], [LedgerEffect::Refuse { id: RequestId(1448), .. }]), "{effects:?}");
    assert_eq!(ledger.waiting(), 512);
}

// MET-1
#[test]
fn holds_loads_promotions_and_withdrawals_are_told_once_met_1() {
    let notes = |ledger: &mut Ledger, event: LedgerEvent, at: u64| {
        let effects = ledger.step(event, MS(at));
        effects
            .into_iter()
            .filter_map(|effect| match effect {
                LedgerEffect::Note(note) => Some(note),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let mut ledger = Ledger::new(terms());
    let llm = |id, model| claim(id, EngineKind::Llm, model, 4000, Lane::Llm);
    let load = LedgerMetric::Load { holder: EngineKind::Llm, place: MemoryPlace::Ram };
    assert_eq!(notes(&mut ledger, llm(1, "a"), 0), [load]);
    assert_eq!(notes(&mut ledger, llm(2, "b"), 10), []);
    assert_eq!(notes(&mut ledger, llm(3, "b"), 10), []);
    assert_eq!(notes(&mut ledger, LedgerEvent::Withdraw(RequestId(3)), 20), [LedgerMetric::Withdrawn]);
    assert_eq!(notes(&mut ledger, LedgerEvent::Tick, 15_010), [LedgerMetric::Promoted { lane: Lane::Llm }]);
    assert_eq!(notes(&mut ledger, LedgerEvent::Tick, 15_020), []);
    let held_for = LedgerMetric::LeaseEnded { holder: EngineKind::Llm, held_for: MS(16_000) };
    let lease = luna_messages::gpu::Lease(1);
    assert_eq!(notes(&mut ledger, LedgerEvent::Release(lease), 16_000), [held_for]);
    assert_eq!(notes(&mut ledger, LedgerEvent::Release(lease), 16_001), []);
}
