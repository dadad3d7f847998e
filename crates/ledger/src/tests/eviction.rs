//! Which models are evicted for another, and the reason that their holders get.

use luna_messages::gpu::ResidencyOrder;

use super::super::{Ledger, LedgerEffect, Terms, decide};
use super::script::{MB, MS, check, event, terms};

// GPU-1, GPU-4
#[test]
fn the_cheapest_model_goes_whatever_was_loaded_first_gpu_1_gpu_4() {
    // Of two idle models, the model that was unused for longest is evicted.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 4000", "#2 L2 load"),
            (3, "loaded 2", ""),
            (4, "release 2", ""),
            (5, "release 1", ""),
            (6, "claim 3 ocr o 3000", "stt unload L2"),
        ],
    );
    // An idle model before a model whose work would give way.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 llm", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 4000", "#2 L2 load"),
            (3, "loaded 2", ""),
            (4, "release 2", ""),
            (5, "claim 3 ocr o 3000 uia", "stt unload L2"),
        ],
    );
    // Of two models whose work gives way, the model with the lower lane, though it was loaded later.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 ocr", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 4000 llm", "#2 L2 load"),
            (3, "loaded 2", ""),
            (4, "claim 3 ocr o 3000 uia", "stt stop L2"),
        ],
    );
    // In the same lane, the model whose work began last.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 llm", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 4000 llm", "#2 L2 load"),
            (3, "loaded 2", ""),
            (4, "claim 3 ocr o 3000 uia", "stt stop L2"),
        ],
    );
    // A model whose work gives way before a model whose work does not.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 uia", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 4000 llm", "#2 L2 load"),
            (3, "loaded 2", ""),
            (4, "claim 3 ocr o 3000 uia", "stt stop L2"),
        ],
    );
}

// GPU-1
#[test]
fn no_model_goes_needlessly_gpu_1() {
    // Evicting the older small model alone would not be enough, and together with the big model it is needless, to the byte.
    for (needs, expect) in [(6999, "ocr unload L2"), (7000, "ocr unload L2"), (7001, "stt unload L1, ocr unload L2")] {
        check(
            terms(),
            &[
                (0, "claim 1 stt w 1000", "#1 L1 load"),
                (1, "loaded 1", ""),
                (2, "release 1", ""),
                (3, "claim 2 ocr o 4000", "#2 L2 load"),
                (4, "loaded 2", ""),
                (5, "release 2", ""),
                (6, &format!("claim 3 llm a {needs}"), expect),
            ],
        );
    }
}

// GPU-1, GPU-5
#[test]
fn only_models_in_the_same_memory_go_gpu_1_gpu_5() {
    let with_card = Terms { card: Some(6000 * MB), ..terms() };
    // The model on the card is idle for longer, but memory of RAM is needed.
    check(
        with_card,
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load card"),
            (1, "loaded 1", ""),
            (2, "release 1", ""),
            (3, "claim 2 stt w 6000", "#2 L2 load"),
            (4, "loaded 2", ""),
            (5, "release 2", ""),
            (6, "claim 3 ocr o 3000", "stt unload L2"),
        ],
    );
    // The model in RAM is idle for longer, but memory of the card is needed.
    check(
        Terms { listening_full: true, ..with_card },
        &[
            (0, "claim 1 ocr o 6000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "release 1", ""),
            (3, "claim 2 stt w 4000", "#2 L2 load card"),
            (4, "loaded 2", ""),
            (5, "release 2", ""),
            (6, "claim 3 llm a 4000", "stt unload L2"),
        ],
    );
}

// GPU-4
#[test]
fn above_the_budget_what_is_idle_for_longest_goes_and_no_more_gpu_4() {
    let both = [
        (0, "claim 1 llm a 4000", "#1 L1 load"),
        (1, "loaded 1", ""),
        (2, "claim 2 stt w 4000", "#2 L2 load"),
        (3, "loaded 2", ""),
        (4, "release 2", ""),
        (5, "release 1", ""),
    ];
    let and = |budget, expect| [&both[..], &[(6, budget, expect)]].concat();
    check(terms(), &and("ram 8000", ""));
    check(terms(), &and("ram 7999", "stt unload L2"));
    check(terms(), &and("ram 4000", "stt unload L2"));
    check(terms(), &and("ram 3999", "stt unload L2, llm unload L1"));
}

// GPU-2, GPU-4
#[test]
fn a_holder_is_told_whether_somebody_else_needs_its_memory_gpu_2_gpu_4() {
    let idle = ["claim 1 llm a 6000", "loaded 1", "release 1"];
    // Plays the lines; returns whether the last order is to stop, and whether it is a reclaim.
    let told = |at: u64, lines: &[&str]| {
        let (mut rules, mut ledger, mut last) = (terms(), Ledger::new(terms()), None);
        for (index, line) in lines.iter().enumerate() {
            let now = if index + 1 == lines.len() { at } else { index as u64 };
            let (next, effects) = decide(&ledger, event(line, &mut rules), MS(now));
            ledger = next;
            for effect in effects {
                if let LedgerEffect::Order { order, reclaim, .. } = effect {
                    last = Some((matches!(order, ResidencyOrder::Stop { .. }), reclaim));
                }
            }
        }
        last.expect("a holder gets an order")
    };
    let after = |lines: &[&'static str]| [&idle[..], lines].concat();
    for (at, lines, stop, reclaim) in [
        // Another claim needs the memory of an idle holder, of a working one, and of the engine itself.
        (10, after(&["claim 2 stt w 6000"]), false, true),
        (10, vec!["claim 1 llm a 6000", "loaded 1", "claim 2 stt w 6000 uia"], true, true),
        (10, after(&["claim 2 llm b 1000"]), false, true),
        // The model was idle for long, its load was given up, or the budget became smaller.
        (60_002, after(&["tick"]), false, false),
        (10, vec!["claim 1 llm a 6000", "release 1"], false, false),
        (10, after(&["ram 5000"]), false, false),
    ] {
        assert_eq!(told(at, &lines), (stop, reclaim), "(to stop, for another claim) after {lines:?}");
    }
}

// GPU-4
#[test]
fn a_withdrawal_of_what_never_was_changes_nothing_gpu_4() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 6000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "release 1", ""),
            // A withdrawal does not count as work on the model, which would make it linger for longer.
            (50_000, "withdraw 9", ""),
            (60_002, "tick", "llm unload L1"),
            // Nor does a leaving model become idle again.
            (60_003, "withdraw 9", ""),
            (60_004, "claim 2 llm a 6000", ""),
            (60_005, "unloaded llm 1", "#2 L2 load"),
        ],
    );
}
