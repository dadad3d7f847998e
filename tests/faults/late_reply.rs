//! An answer arrives after its asker gave up.

use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_test_support::engine_double::EngineFault;

use crate::moved::CounterChanges;
use crate::world::{MS, in_world, machine};

// KER-7, FOC-1
#[test]
fn it_changes_nothing_any_more_ker_7_foc_1() {
    in_world(async |world| {
        world.pass(MS(300)).await;
        let moved = CounterChanges::since(&world.counts);
        world.engines.order(EngineKind::Ocr, EngineFault::LateAnswer(MS(6500)));
        world.pointer.move_to(machine::PICTURE);
        world.order(Command::FocusOn);
        let took = world.hears("does not answer").await;
        assert!(took < MS(5500), "{took:?}");
        world.expect_stop_is_obeyed().await;
        world.pass(MS(4000)).await;
        assert!(world.said.iter().all(|text| !text.contains("A line of text")), "{:?}", world.said);
        moved.expect(
            &world.counts,
            &[
                ("Key(luna_outcomes_total, [outcome = failed])", 1),
                ("Key(luna_picks_total, [method = none, outcome = no_answer])", 1),
            ],
        );
        world.expect_reading_works().await;
    });
}
