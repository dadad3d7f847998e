//! An actor fails during its start, once or repeatedly, by a panic and by an error.

use luna_actor_runtime::supervisor::ChildState;
use luna_messages::capability::Capability;
use luna_test_support::chaos::{InjectedFault, Moment};

use crate::moved::CounterChanges;
use crate::world::{MS, World, in_world};

/// Makes `actor` crash once and fail its next `times` starts.
async fn strike(world: &mut World, actor: &'static str, strike: InjectedFault, times: usize) {
    world.chaos.order(actor, Moment::Start, strike, times);
    world.chaos.order(actor, Moment::Message, InjectedFault::Panic, 1);
    world.wait("the blow", MS(6000), |world| world.chaos.left() < times + 1).await;
}

// KER-7
#[test]
fn within_its_budget_of_restarts_an_actor_comes_back_ker_7() {
    for (blow, cause) in [(InjectedFault::Panic, "panic"), (InjectedFault::Error, "error")] {
        for times in 1..=4 {
            in_world(async |world| {
                world.expect_reading_works().await;
                let moved = CounterChanges::since(&world.counts);
                strike(world, "uia", blow, times as usize).await;
                world.expect_stop_is_obeyed().await;
                // Restart delays of 20, 40, 80, 160, 320 ms.
                world.wait("the actor", MS(20 * (1 << (times + 1)) + 100), World::all_run).await;
                let failures = |cause: &str| format!("Key(luna_actor_failures_total, [actor = uia, cause = {cause}])");
                let (panic, error) = (failures("panic"), failures("error"));
                let mut expect = vec![
                    ("Key(luna_actor_restarts_total, [actor = uia])", 1),
                    ("Key(luna_messages_crashed_total, [actor = uia])", 1),
                    (panic.as_str(), if cause == "panic" { times + 1 } else { 1 }),
                ];
                if cause == "error" {
                    expect.push((error.as_str(), times));
                }
                moved.expect(&world.counts, &expect);
                world.expect_reading_works().await;
            });
        }
    }
}

// KER-7, KER-9
#[test]
fn beyond_it_the_actor_is_declared_degraded_aloud_and_tried_again_ker_7_ker_9() {
    in_world(async |world| {
        world.expect_reading_works().await;
        // Metrics belongs to no group, so nothing else restarts with it.
        strike(world, "metrics", InjectedFault::Error, 7).await;
        world.expect_stop_is_obeyed().await;
        world.wait("it is given up", MS(3000), |world| world.state("metrics") == ChildState::Degraded).await;
        world.hears("A part of me is not working").await;
        assert_eq!(world.counts.sum("luna_actor_given_up_total", &[("actor", "metrics")]), 1);
        world.expect_reading_works().await;
        assert!(world.is_available(Capability::Accessibility));
        world.wait("it runs again", MS(90_000), World::all_run).await;
    });
}
