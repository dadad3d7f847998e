//! A task beside a handler panics, for example through a defect in a platform library.

use luna_messages::control::Command;
use luna_platform::accessibility::fault::AccessibilityFault;

use crate::moved::CounterChanges;
use crate::world::{MS, in_world};

// KER-7, KER-9
#[test]
fn the_asker_is_told_and_the_actor_goes_on_ker_7_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        world.order(Command::FocusOff);
        world.pass(MS(100)).await;
        let moved = CounterChanges::since(&world.counts);
        world.accessibility.order(AccessibilityFault::Panic);
        world.order(Command::FocusOn);
        world.hears("Reading failed").await;
        world.expect_stop_is_obeyed().await;
        moved.expect(
            &world.counts,
            &[
                ("Key(luna_task_panics_total, [actor = uia])", 1),
                ("Key(luna_outcomes_total, [outcome = failed])", 1),
                ("Key(luna_picks_total, [method = none, outcome = failed])", 1),
            ],
        );
        world.expect_reading_works().await;
    });
}
