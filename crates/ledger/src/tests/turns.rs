//! Which claim is served first when models must be swapped, and for how long.

use super::super::Terms;
use super::script::{MS, check, terms};

// GPU-1
#[test]
fn claims_for_the_same_model_are_served_together_before_a_swap_gpu_1() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 5000", ""),
            (3, "claim 3 llm a 4000", ""),
            (4, "claim 4 llm a 4000", ""),
            (5, "claim 5 llm b 5000", ""),
            (10, "release 1", "#3 L2"),
            (20, "release 2", "#4 L3"),
            (30, "release 3", "llm unload L1"),
            (40, "unloaded llm 1", "#2 L4 load"),
            (50, "loaded 4", ""),
            (51, "claim 6 llm a 4000", ""),
            (60, "release 4", "#5 L5"),
        ],
    );
}

// KER-5, GPU-1
#[test]
fn a_ripe_claim_is_no_longer_overtaken_and_interrupts_nothing_gpu_1_ker_5() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 ocr", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 5000 llm", ""),
            (14_000, "claim 3 llm a 4000 ocr", ""),
            (14_001, "release 1", "#3 L2"),
            (14_002, "claim 4 llm a 4000 ocr", ""),
            (15_001, "tick", ""),
            (15_002, "tick", ""),
            // Promoted to lane Uia, it comes before lane Ocr, too.
            (16_000, "release 2", "llm unload L1"),
            (16_100, "unloaded llm 1", "#2 L3 load"),
        ],
    );
    // A promoted claim does not come before lanes above Uia.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 5000", ""),
            (16_000, "claim 3 llm a 4000 tts", "llm stop L1"),
            (16_100, "release 1", "#3 L2"),
        ],
    );
}

// GPU-1
#[test]
fn an_overdue_claim_stops_what_is_in_its_way_whatever_its_lane_gpu_1() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 reflex", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 5000 llm", ""),
            (29_000, "release 1", "llm unload L1"),
            (29_001, "claim 3 llm a 4000 reflex", ""),
            (29_002, "unloaded llm 1", "#3 L2 load"),
            (29_500, "loaded 2", ""),
            (30_001, "tick", ""),
            (30_002, "tick", "llm stop L2"),
            (32_002, "tick", "llm end"),
            (32_010, "gone llm", "#2 L3 load"),
            // No claim interrupts the model before it is loaded and has worked for the grace period …
            (32_020, "claim 4 llm a 4000 reflex", ""),
            (34_000, "loaded 3", ""),
            (35_999, "tick", ""),
            // … and after that only lanes above Uia.
            (36_000, "tick", "llm stop L3"),
        ],
    );
}

// GPU-1
#[test]
fn models_that_are_all_overdue_take_turns_gpu_1() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            // A backlog of one model, and one claim for the other.
            (2, "claim 2 llm a 4000", ""),
            (3, "claim 3 llm a 4000", ""),
            (4, "claim 4 llm b 4000", ""),
            (5, "claim 5 llm a 4000", ""),
            (6, "claim 6 llm b 4000", ""),
            (14_000, "release 1", "#2 L2"),
            // The older claim for the resident model gives way: its model was served just now.
            (16_000, "release 2", "llm unload L1"),
            (16_100, "unloaded llm 1", "#4 L3 load"),
            (16_500, "loaded 3", ""),
            // In the model's turn, its own claims are served while the others are not overdue.
            (20_000, "release 3", "#6 L4"),
        ],
    );
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm a 4000", ""),
            (3, "claim 3 llm b 4000", ""),
            (4, "claim 4 llm b 4000", ""),
            (5, "claim 5 llm b 4000", ""),
            (16_000, "release 1", "llm unload L1"),
            (16_100, "unloaded llm 1", "#3 L2 load"),
            (16_500, "loaded 2", ""),
            (20_000, "release 2", "#4 L3"),
            // The other model's claim is overdue; the work goes on until the turn is over, half the bound after its grant.
            (30_002, "tick", ""),
            (31_099, "tick", ""),
            (31_100, "tick", "llm stop L3"),
            (31_200, "release 3", "llm unload L2"),
            (31_300, "unloaded llm 2", "#2 L4 load"),
        ],
    );
}

// GPU-1, GPU-2
#[test]
fn small_claims_do_not_eat_the_room_of_an_earlier_large_one_gpu_1_gpu_2() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            // The claim waits for the end of work in the same lane.
            (2, "claim 2 stt w 6000", ""),
            // This model would fit beside the resident model, but not beside the model to be loaded.
            (3, "claim 3 ocr o 3000", ""),
            (4, "release 1", "llm unload L1"),
            (5, "unloaded llm 1", "#2 L2 load"),
            (6, "loaded 2", ""),
            (7, "release 2", "stt unload L2"),
            (8, "unloaded stt 2", "#3 L3 load"),
        ],
    );
    // A claim for a model that fits beside both is granted at once.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 6000", ""),
            (3, "claim 3 ocr o 2000", "#3 L2 load"),
        ],
    );
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 stt w 6000", ""),
            (3, "claim 3 ocr o 2000", "#3 L2 load"),
        ],
    );
    // Nor does a later claim take memory that an earlier one can't get yet, because work of a still earlier one goes on there.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm a 4000", ""),
            (3, "claim 3 stt w 6000", ""),
            (4, "claim 4 ocr o 2000", ""),
        ],
    );
}

// GPU-1
#[test]
fn while_an_overdue_claim_is_to_load_nobody_else_begins_to_gpu_1() {
    check(
        Terms { wait_bound: MS(1000), ..terms() },
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 4000", ""),
            (1002, "tick", "llm stop L1"),
            (1003, "claim 3 stt w 1000 reflex", ""),
            (1010, "release 1", "llm unload L1"),
            (1020, "unloaded llm 1", "#2 L2 load"),
            (1030, "loaded 2", "#3 L3 load"),
        ],
    );
}

// KER-5, GPU-1
#[test]
fn a_ripe_claim_comes_before_a_fresh_one_of_its_lane_though_that_needs_no_swap_gpu_1_ker_5() {
    for (lane, expect) in [("uia", "llm unload L1"), ("tts", "#3 L2")] {
        check(
            terms(),
            &[
                (0, "claim 1 llm a 4000 uia", "#1 L1 load"),
                (1, "loaded 1", ""),
                (2, "claim 2 llm b 5000 uia", ""),
                (15_002, &format!("claim 3 llm a 4000 {lane}"), if lane == "uia" { "" } else { "llm stop L1" }),
                (15_003, "release 1", expect),
            ],
        );
    }
}

// GPU-1
#[test]
fn a_model_that_was_forgotten_counts_as_never_served_gpu_1() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 4000", ""),
            (3, "release 1", "llm unload L1"),
            // No claim wants the first model any more, so its time of service is forgotten.
            (4, "unloaded llm 1", "#2 L2 load"),
            (5, "loaded 2", ""),
            (6, "claim 3 llm a 4000", ""),
            (7, "claim 4 llm c 4000", ""),
            (16_000, "release 2", "llm unload L2"),
            (16_100, "unloaded llm 2", "#3 L3 load"),
        ],
    );
}

// GPU-1, GPU-2
#[test]
fn a_model_that_an_earlier_claim_is_to_work_with_is_not_taken_from_it_gpu_1_gpu_2() {
    // The overdue claim waits for the work on its own model, so nothing stops that work.
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000 llm", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm a 4000 llm", ""),
            (30_002, "tick", ""),
            (30_003, "claim 3 stt w 6000 reflex", ""),
            // With its lease, its work counts in its own lane again.
            (30_004, "release 1", "#2 L2, llm stop L2"),
        ],
    );
}

// GPU-1
#[test]
fn among_ripe_claims_the_model_whose_last_work_is_longest_ago_comes_first_gpu_1() {
    check(
        terms(),
        &[
            // One model works, then the other, then the first one again, then a third.
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 4000", ""),
            (3, "release 1", "llm unload L1"),
            (4, "claim 3 llm a 4000", ""),
            (5, "unloaded llm 1", "#2 L2 load"),
            (6, "loaded 2", ""),
            (7, "claim 4 llm c 4000", ""),
            (8, "claim 5 llm a 5000", ""),
            (9, "claim 6 llm b 5000", ""),
            (10, "release 2", "llm unload L2"),
            (11, "unloaded llm 2", "#3 L3 load"),
            (12, "loaded 3", ""),
            (13, "release 3", "llm unload L3"),
            (14, "unloaded llm 3", "#4 L4 load"),
            (15, "loaded 4", ""),
            // Both have been wanted for the same time; the second one worked before the first one did again.
            (16_000, "release 4", "llm unload L4"),
            (16_100, "unloaded llm 4", "#6 L5 load"),
        ],
    );
}

// GPU-1, GPU-2
#[test]
fn only_an_overdue_claim_begins_its_turn_undisturbed_gpu_1_gpu_2() {
    check(
        terms(),
        &[
            (0, "claim 1 llm a 4000", "#1 L1 load"),
            (1, "loaded 1", ""),
            (2, "claim 2 llm b 5000", ""),
            // The claim is ripe.
            (16_000, "release 1", "llm unload L1"),
            (16_100, "unloaded llm 1", "#2 L2 load"),
            (16_200, "claim 3 llm a 4000 reflex", "llm stop L2"),
        ],
    );
}
