//! The bound on waiting, and that every claim ends, in worlds of all kinds.

use luna_messages::Lane;
use luna_messages::engine::EngineKind;
use proptest::prelude::*;

use super::super::Terms;
use super::behaviour::{HolderBehaviour, LedgerClient, POLITE, ROUGH};
use super::script::{MB, terms};
use super::world::LedgerWorld;

/// A client that claims without end: `model` of that engine, in these lanes, with this pause between two claims.
fn client(holder: EngineKind, model: &'static str, mb: u64, lanes: &[Lane], pause: (u64, u64)) -> LedgerClient {
    LedgerClient {
        holder,
        model,
        bytes: mb * MB,
        lanes: lanes.to_vec(),
        pause,
        waits: false,
        from: 0,
        until: 250_000,
        withdraws: 0,
    }
}

/// Longest wait of the only claimant of a model, however the others behave, in ms: see the documentation of the crate.
fn bound(terms: &Terms, behaviour: &HolderBehaviour) -> u64 {
    let grace = u64::try_from(terms.grace.as_millis()).unwrap();
    let wait = u64::try_from(terms.wait_bound.as_millis()).unwrap();
    // Each step ends when the holder complies, or when the engine is ended after the grace period.
    let step = |obeyed: u64, ignores: u64| if ignores > 0 { grace + behaviour.kill } else { obeyed };
    let stop = step(behaviour.boundary, behaviour.ignores_stop.max(behaviour.work_hangs));
    // A stop during a load leads to an unload, too; another model's load may have to end after that.
    let unload = step(behaviour.unload, behaviour.ignores_unload);
    // An unreported death is noticed by a check.
    let unseen = if behaviour.dies_silently > 0 { 1000 } else { 0 };
    wait + stop + unload + stop + unload + unseen
}

fn lanes() -> impl Strategy<Value = Vec<Lane>> {
    prop::collection::vec(prop::sample::select(Lane::ALL.to_vec()), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    // GPU-1, GPU-2
    /// The wait is bounded however many claims of whatever lanes come for another model of the same engine, and however its holder behaves.
    #[test]
    fn nobody_waits_longer_than_the_bound_under_an_endless_stream_gpu_1_gpu_2(
        seed: u64, lane in prop::sample::select(Lane::ALL.to_vec()), stream in lanes(), pause in 20u64..6000, second in 20u64..60_000,
        rough: bool, wait_bound in 2000u64..40_000, lone_pause in 70_000u64..120_000,
    ) {
        let terms = Terms { wait_bound: std::time::Duration::from_millis(wait_bound), ..terms() };
        let behaviour = if rough { ROUGH } else { POLITE };
        let lone = LedgerClient { from: 10_000, ..client(EngineKind::Llm, "b", 5000, &[lane], (lone_pause, lone_pause)) };
        let clients = vec![
            lone,
            client(EngineKind::Llm, "a", 4000, &stream, (1, pause)),
            client(EngineKind::Llm, "a", 4000, &stream, (1, second)),
        ];
        let mut world = LedgerWorld::new(terms, behaviour, clients, seed);
        world.run(260_000);
        let longest = world.longest_wait(0);
        prop_assert!(longest.is_some_and(|longest| longest <= bound(&terms, &behaviour)), "{longest:?} ms, bound {}", bound(&terms, &behaviour));
    }

    // GPU-1, GPU-2
    /// The same if the other model belongs to another engine and only the memory is short.
    #[test]
    fn nobody_waits_longer_than_the_bound_for_memory_of_another_engine_gpu_1_gpu_2(
        seed: u64, lane in prop::sample::select(Lane::ALL.to_vec()), stream in lanes(), pause in 20u64..6000, rough: bool,
    ) {
        let terms = terms();
        let behaviour = if rough { ROUGH } else { POLITE };
        let lone = LedgerClient { from: 10_000, ..client(EngineKind::Llm, "b", 5000, &[lane], (90_000, 90_000)) };
        let clients = vec![lone, client(EngineKind::Stt, "w", 4000, &stream, (1, pause))];
        let mut world = LedgerWorld::new(terms, behaviour, clients, seed);
        world.run(260_000);
        let longest = world.longest_wait(0);
        prop_assert!(longest.is_some_and(|longest| longest <= bound(&terms, &behaviour)), "{longest:?} ms, bound {}", bound(&terms, &behaviour));
    }

    // GPU-1
    /// Several models that are all wanted all the time take turns: each waits at most for one turn of every other model.
    #[test]
    fn models_that_compete_take_turns_gpu_1(
        seed: u64, rough: bool, mix in prop::collection::vec(prop::sample::select(vec![Lane::Uia, Lane::Ocr, Lane::Llm]), 4),
    ) {
        let terms = terms();
        let behaviour = if rough { ROUGH } else { POLITE };
        let one = |holder, model, mb, lane| LedgerClient { waits: true, ..client(holder, model, mb, &[lane], (1, 50)) };
        let clients = vec![
            one(EngineKind::Llm, "a", 4500, mix[0]),
            one(EngineKind::Llm, "b", 5000, mix[1]),
            one(EngineKind::Stt, "w", 4000, mix[2]),
            one(EngineKind::Ocr, "o", 3900, mix[3]),
        ];
        let mut world = LedgerWorld::new(terms, behaviour, clients, seed);
        world.run(260_000);
        // A turn is half the bound, plus the time to end it and to load the next.
        let swap = bound(&terms, &behaviour) - 30_000 + behaviour.load.1;
        for index in 0..4 {
            let longest = world.longest_wait(index);
            let most = bound(&terms, &behaviour) + 3 * (15_000 + swap);
            prop_assert!(longest.is_some_and(|longest| longest <= most), "client {index}: {longest:?} ms, at most {most}");
        }
    }

    // GPU-1, GPU-2, GPU-3, GPU-4
    /// In any case no claim is lost, every claim ends, and finally all memory is free. The world checks the rest at each step.
    #[test]
    fn every_claim_ends_and_all_memory_comes_back_gpu_1_gpu_3_gpu_4(
        seed: u64, rough: bool, card in prop::option::of(3000u64..9000), full: bool, count in 2usize..7,
    ) {
        let terms = Terms { card: card.map(|mb| mb * MB), listening_full: full, ..terms() };
        let models = [
            (EngineKind::Llm, "a", 4000), (EngineKind::Llm, "b", 6000), (EngineKind::Llm, "c", 1000), (EngineKind::Stt, "w", 1500),
            (EngineKind::Stt, "v", 3500), (EngineKind::Ocr, "o", 500), (EngineKind::Llm, "a", 5000),
        ];
        let clients = models[..=count.min(6)].iter().enumerate().map(|(index, (holder, model, mb))| LedgerClient {
            until: 120_000,
            withdraws: 100,
            waits: index % 2 == 0,
            ..client(*holder, model, *mb, &Lane::ALL, (200, 20_000))
        });
        let mut world = LedgerWorld::new(terms, if rough { ROUGH } else { POLITE }, clients.collect(), seed);
        world.run(10_000_000);
        world.assert_at_rest();
    }
}

// GPU-1
/// The costs and gains of the bound as a table: one claim in fifty seconds for a model, an endless stream for another one.
#[test]
fn a_table_of_streams_gpu_1() {
    println!("stream: lane, claim every | lone claim: waited at most | stream: served, loads in 250 s");
    for lane in Lane::ALL {
        for pause in [50, 1000, 6000, 20_000] {
            let lone =
                LedgerClient { from: 5000, ..client(EngineKind::Llm, "b", 5000, &[Lane::Llm], (50_000, 50_000)) };
            let clients = vec![lone, client(EngineKind::Llm, "a", 4000, &[lane], (pause, pause))];
            let mut world = LedgerWorld::new(terms(), POLITE, clients, 7);
            world.run(400_000);
            let longest = world.longest_wait(0).expect("the lone claims are served");
            println!(
                "{:>6}, {pause:>5} ms | {longest:>5} ms | {:>3}, {:>2} loads",
                lane.name(),
                world.granted_count(1),
                world.loads
            );
            assert!(longest <= bound(&terms(), &POLITE), "{lane:?} every {pause} ms: {longest} ms");
            // Nor does the single claimant starve the stream.
            assert!(world.granted_count(1) >= 10, "{}", world.granted_count(1));
        }
    }
}
