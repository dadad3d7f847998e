//! Placement follows the reports of engines (GPU-6).

use luna_messages::gpu::MemoryPlace;

use super::super::Terms;
use super::script::{MB, check, terms};

fn with_card(mb: u64) -> Terms {
    Terms { card: Some(mb * MB), ..terms() }
}

// GPU-6
#[test]
fn an_engine_without_support_for_the_card_works_in_ram_gpu_6() {
    let ledger = check(
        with_card(8000),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load card"),
            // Its program reports its backends at its start, and releases the lease.
            (5, "built llm cpu", ""),
            (6, "unloaded llm 1", ""),
            (6, "release 1", ""),
            (7, "claim 2 llm a 4000", "#2 L2 load"),
            (900, "built llm cpu", ""),
            (900, "loaded 2", ""),
            (1000, "release 2", ""),
            (1100, "claim 3 llm a 4000", "#3 L3"),
        ],
    );
    assert_eq!(
        (ledger.used(MemoryPlace::Card), ledger.used(MemoryPlace::Ram)),
        (0, 4000 * MB),
        "the card is never charged"
    );
    // Another build of the program may use the card from then on.
    check(
        with_card(8000),
        &[
            (0, "built llm cpu", ""),
            (1, "claim 1 llm a 4000", "#1 L1 load"),
            (2, "built llm card", ""),
            (3, "loaded 1", ""),
            (4, "release 1", "llm unload L1"),
            (5, "unloaded llm 1", ""),
            (6, "claim 2 llm a 4000", "#2 L2 load card"),
        ],
    );
}

// GPU-6
#[test]
fn a_model_too_large_for_the_card_lives_in_ram_gpu_6() {
    check(
        with_card(2000),
        &[
            (0, "claim 1 llm a 3500", "#1 L1 load"),
            (500, "loaded 1", ""),
            (600, "release 1", ""),
            (700, "claim 2 llm b 1500", "llm unload L1"),
            (800, "unloaded llm 1", "#2 L2 load card"),
            (
                801,
                "claim 3 llm c 8001",
                "#3 refused: The model c needs 8001 MB, and the budget gpu.budget_mb is 8000 MB.",
            ),
        ],
    );
    // If RAM is no larger, the card's budget counts.
    check(
        Terms { ram: 1000 * MB, ..with_card(2000) },
        &[(0, "claim 1 llm a 3500", "#1 refused: The model a needs 3500 MB, and the budget gpu.budget_mb is 2000 MB.")],
    );
}

// GPU-6
#[test]
fn the_ledger_corrects_itself_by_what_was_really_used_gpu_6() {
    // An engine that was built for a card but found none is no longer placed there, until the card changes.
    let ledger = check(
        with_card(8000),
        &[
            (0, "built llm card", ""),
            (0, "claim 1 llm a 4000", "#1 L1 load card"),
            (500, "loaded 1", ""),
            (500, "used 1 ram 4200", ""),
            (600, "release 1", ""),
            // The model is not moved to the card and back.
            (700, "claim 2 llm a 4000", "#2 L2"),
            (800, "release 2", ""),
            (900, "built llm card", ""),
            (901, "claim 3 llm a 4000", "#3 L3"),
        ],
    );
    assert_eq!((ledger.used(MemoryPlace::Card), ledger.used(MemoryPlace::Ram)), (0, 4200 * MB));
    // That lasts until another program appears that was built for a card; the other engine still has the same program.
    check(
        Terms { listening_full: true, ..with_card(8000) },
        &[
            (0, "claim 1 llm a 3000", "#1 L1 load card"),
            (1, "loaded 1", ""),
            (2, "used 1 ram 3000", ""),
            (3, "claim 2 stt w 3000", "#2 L2 load card"),
            (4, "loaded 2", ""),
            (5, "used 2 ram 3000", ""),
            (6, "release 1", ""),
            (7, "release 2", ""),
            (8, "built llm cpu", ""),
            (9, "built llm card", "llm unload L1"),
            (10, "unloaded llm 1", ""),
            (11, "claim 3 llm a 3000", "#3 L3 load card"),
            (12, "claim 4 stt w 3000", "#4 L4"),
        ],
    );
    check(
        with_card(8000),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load card"),
            (500, "used 1 ram 4200", ""),
            (501, "loaded 1", ""),
            (502, "card none", ""),
            (503, "card 8000", ""),
            (600, "release 1", "llm unload L1"),
            (601, "unloaded llm 1", ""),
            (602, "claim 2 llm a 4000", "#2 L2 load card"),
        ],
    );
}

// GPU-6, GPU-1
#[test]
fn what_takes_more_than_it_claimed_is_charged_for_it_gpu_6_gpu_1() {
    let ledger = check(
        terms(),
        &[
            (0, "claim 1 stt w 2000", "#1 L1 load"),
            (10, "loaded 1", ""),
            (20, "release 1", ""),
            (30, "claim 2 llm a 5000", "#2 L2 load"),
            (40, "loaded 2", ""),
            // Both together exceed the budget: the idle model is evicted.
            (50, "used 2 ram 7000", "stt unload L1"),
            (60, "unloaded stt 1", ""),
            // Less than was claimed frees nothing, and a late report of a residency that is over changes nothing.
            (70, "used 2 ram 100", ""),
            (80, "used 1 ram 9000", ""),
            (90, "release 2", ""),
            (95, "claim 3 llm a 5000", "#3 L3"),
        ],
    );
    assert_eq!(ledger.used(MemoryPlace::Ram), 7000 * MB);
    // A report above the whole budget does not keep the model from working alone.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 5000", "#1 L1 load"),
            (40, "loaded 1", ""),
            (50, "used 1 ram 9000", ""),
            (90, "release 1", ""),
            (95, "claim 2 llm a 5000", "#2 L2"),
        ],
    );
}
