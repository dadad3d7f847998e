//! Random sequences of orders, answers, stops, lost and late answers, and changes of the screen (EXE-7, DNG-2).

mod scripted;
mod witness;

use luna_messages::RequestId;
use proptest::prelude::*;

use self::scripted::{Happening, element, happening};
use self::witness::OrderWitness;

/// Sequences in one run.
const CASES: u32 = 10_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    // DNG-2, EXE-7, FOC-6, KER-7
    #[test]
    fn nothing_is_done_twice_unconfirmed_or_stopped_and_all_is_reported_once_dng_2_exe_7_foc_6_ker_7(
        kinds in proptest::collection::vec(any::<u16>(), 1..7),
        has_input in prop::bool::weighted(0.8),
        happenings in proptest::collection::vec(happening(), 1..40),
    ) {
        let mut witness = OrderWitness::new(kinds.into_iter().map(element).collect(), has_input);
        happenings.into_iter().for_each(|happening| witness.happens(happening));
        for (order, is_answer) in std::mem::take(&mut witness.on_the_way) {
            witness.give(order, is_answer);
        }
        // Everything comes to an end by itself, whatever answer is still lost.
        for _ in 0..40 {
            while !witness.screen.waiting.is_empty() {
                witness.lose(true);
                if !witness.screen.waiting.is_empty() {
                    witness.perform();
                }
            }
            witness.happens(Happening::Timer);
        }
        let screen = &mut witness.screen;
        prop_assert!(!screen.machine.is_asking());
        let mut reported: Vec<RequestId> = screen.reports.iter().map(|(id, _)| *id).collect();
        reported.sort();
        witness.given.sort();
        prop_assert_eq!(reported, witness.given, "each order and each answer is reported once");
    }
}
