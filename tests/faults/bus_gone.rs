//! The accessibility bus disappears and returns.

use luna_messages::capability::{Capability, Unavailable};
use luna_messages::control::Command;
use luna_platform::PlatformError;
use luna_platform::accessibility::fault::AccessibilityFault;

use crate::moved::CounterChanges;
use crate::world::{MS, in_world};

// KER-9
#[test]
fn its_loss_is_said_once_and_its_return_is_noticed_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let moved = CounterChanges::since(&world.counts);
        let why = Unavailable { reason: "The bus is gone.".into(), remedy: "Start it.".into() };
        world.accessibility.always(AccessibilityFault::Error(PlatformError::Unavailable(why)));
        for _ in 0..3 {
            world.order(Command::FocusOff);
            world.pass(MS(100)).await;
            world.order(Command::FocusOn);
            world.pass(MS(1500)).await;
        }
        assert!(!world.is_available(Capability::Accessibility));
        world.expect_stop_is_obeyed().await;
        world.accessibility.always(AccessibilityFault::None);
        world.wait("the bus", MS(5000), |world| world.is_available(Capability::Accessibility)).await;
        // Each of the three attempts failed and was reported.
        moved.expect(
            &world.counts,
            &[
                ("Key(luna_outcomes_total, [outcome = failed])", 3),
                ("Key(luna_picks_total, [method = none, outcome = unavailable])", 3),
            ],
        );
        world.expect_reading_works().await;
    });
}

// ATT-2, KER-9
#[test]
fn a_lost_watch_of_the_focus_begins_anew_att_2_ker_9() {
    in_world(async |world| {
        world.order(Command::FocusOn);
        world.wait("the watch", MS(1000), |world| world.focus.watcher_count() == 1).await;
        let why = Unavailable { reason: "The bus is gone.".into(), remedy: "Start it.".into() };
        let error = PlatformError::Unavailable(why);
        world.accessibility.always(AccessibilityFault::Error(error.clone()));
        world.focus.lose(&error);
        world.pass(MS(100)).await;
        assert!(!world.is_available(Capability::Accessibility));
        world.accessibility.always(AccessibilityFault::None);
        world.wait("the watch", MS(5000), |world| world.focus.watcher_count() == 1).await;
        world.wait("the bus", MS(5000), |world| world.is_available(Capability::Accessibility)).await;
        world.order(Command::FocusOff);
        world.wait("the end of the watch", MS(1000), |world| world.focus.watcher_count() == 0).await;
        world.expect_reading_works().await;
    });
}
