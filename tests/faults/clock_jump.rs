//! The clock jumps, as after the sleep of a virtual machine.

use luna_messages::control::Command;

use crate::moved::CounterChanges;
use crate::world::{MS, World, in_world};

// KER-8, KER-10
#[test]
fn an_hour_that_nobody_lived_through_restarts_nobody_ker_8_ker_10() {
    for hours in [1, 1000] {
        in_world(async |world| {
            world.expect_reading_works().await;
            let moved = CounterChanges::since(&world.counts);
            tokio::time::advance(MS(hours * 3_600_000)).await;
            world.expect_stop_is_obeyed().await;
            world.pass(MS(500)).await;
            assert!(world.all_run());
            moved.expect(&world.counts, &[]);
            world.expect_reading_works().await;
            let (took, report) = world.shut_down(MS(2000)).await;
            assert!(took < MS(2000) && report.killed.is_empty(), "{took:?} {report:?}");
        });
    }
}

// KER-8
#[test]
fn a_jump_while_handlers_work_and_an_engine_starts_is_survived_ker_8() {
    in_world(async |world| {
        world.order(Command::FocusOn);
        tokio::time::advance(MS(3_600_000)).await;
        world.pass(MS(2000)).await;
        world.wait("all to run", MS(40_000), World::all_run).await;
        world.pass(MS(20_000)).await;
        world.expect_reading_works().await;
        world.expect_stop_is_obeyed().await;
    });
}
