//! Runs one seed: some dozens of steps, each followed by checks of the invariants; then all faults are removed, and everything must recover.

use std::time::Duration;

use luna_actor_runtime::supervisor::ChildState;
use luna_messages::Lane;
use luna_messages::capability::Capability;
use luna_messages::control::Command;
use tokio::time::Instant;

use crate::chance::Chance;
use crate::steps;
use crate::world::{MS, PendingReplies, World, audio, in_world};

/// Maximum outage of an actor after an injected fault: the longest handler deadline, the watchdog's period and grace, and the longest restart delay.
const MAX_OUTAGE: Duration = Duration::from_millis(5000 + 100 + 250 + 2000 + 100);
/// Maximum recovery time without faults: an actor that was given up is retried after 30 s, an engine after 15 s; a hanging recognition is
/// abandoned after 20 s and retried once.
const MAX_RECOVERY_WITHOUT_FAULTS: Duration = Duration::from_secs(120);

/// Maximum delay until an existing fault shows: an engine without a greeting is given up after 10 s, without a health answer after 15 s, a
/// hanging recognition after 20 s, a hanging load of recognition after 60 s.
const MAX_FAULT_DELAY: Duration = Duration::from_secs(61);

/// Maximum delay of an answer: a hanging load is given up after 30 s plus a time for its size, and the requests behind it follow then.
const MAX_ANSWER_DELAY: Duration = Duration::from_secs(300 + 120);

/// The outcome of a seed.
#[derive(Default)]
pub struct SimulationOutcome {
    pub hash: u64,
    pub words: Vec<String>,
    pub restarts: u64,
    pub given_up: u64,
    pub hung: u64,
    pub engine_crashes: u64,
    pub stops_checked: u64,
    pub answers: u64,
    pub longest_healing: Duration,
}

impl std::fmt::Debug for SimulationOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} restarts, {} hung, {} given up, {} engine crashes, {} stops checked, {} answers, all well again after {:.1} s at most",
            self.restarts,
            self.hung,
            self.given_up,
            self.engine_crashes,
            self.stops_checked,
            self.answers,
            self.longest_healing.as_secs_f64()
        )
    }
}

impl SimulationOutcome {
    pub fn add(&mut self, other: &Self) {
        self.restarts += other.restarts;
        self.given_up += other.given_up;
        self.hung += other.hung;
        self.engine_crashes += other.engine_crashes;
        self.stops_checked += other.stops_checked;
        self.answers += other.answers;
        self.longest_healing = self.longest_healing.max(other.longest_healing);
    }
}

/// Since when an actor is unreliable.
#[derive(Default)]
struct Outages {
    tts: Option<Instant>,
    reflex: Option<Instant>,
}

impl Outages {
    fn strike(&mut self, actor: Option<&str>) {
        let now = Some(Instant::now());
        match actor {
            Some("tts") => self.tts = now,
            Some("reflex") => self.reflex = now,
            Some(_) | None => {}
        }
    }

    /// Whether the reflex path has been healthy for long enough.
    fn is_over(&mut self, world: &World) -> bool {
        let well = |actor: &str, since: &mut Option<Instant>| {
            if world.chaos.left_for(actor) > 0 || world.state(actor) != ChildState::Running {
                *since = Some(Instant::now());
            }
            // A fault takes effect when the actor next handles something, possibly long after the fault was ordered.
            *since = (*since).max(world.chaos.struck(actor));
            since.is_none_or(|since| since.elapsed() > MAX_OUTAGE)
        };
        let tts = well("tts", &mut self.tts);
        well("reflex", &mut self.reflex) && tts
    }
}

/// Runs a seed; panics if an invariant is broken.
pub fn seed(seed: u64, words: bool) -> SimulationOutcome {
    in_world(async |world| {
        if words {
            world.trace.keep_words();
        }
        let mut chance = Chance::new(seed);
        let (mut outages, owed, mut stops_checked) = (Outages::default(), PendingReplies::default(), 0);
        let trouble = chance.below(40);
        world.pass(MS(chance.below(400))).await;
        for _ in 0..30 + chance.below(20) {
            match chance.below(100) {
                n if n < trouble => outages.strike(steps::inject_fault(world, &mut chance)),
                n if n < trouble + 8 => steps::remove_some_faults(world, &mut chance),
                n if n < trouble + 18 => steps::send_request(world, &mut chance, &owed),
                n if n < trouble + 20 => steps::storm(world, &mut chance),
                n if n < trouble + 30 => {
                    if outages.is_over(world) {
                        world.expect_stop_is_obeyed().await;
                        stops_checked += 1;
                    } else {
                        world.order(Command::Stop);
                    }
                }
                _ => steps::act_as_person(world, &mut chance),
            }
            expect_bounds(world);
            let pause = match chance.below(20) {
                0 => 1500 + chance.below(4000),
                1..=4 => 0,
                _ => chance.below(300),
            };
            world.pass(MS(pause)).await;
            expect_bounds(world);
        }
        steps::remove_all_faults(world);
        let longest_healing = expect_all_gets_well(world, &owed).await;
        world.expect_stop_is_obeyed().await;
        end(world, &owed).await;
        let counts = &world.counts;
        SimulationOutcome {
            hash: world.trace.hash(),
            words: world.trace.words(),
            restarts: counts.sum("luna_actor_restarts_total", &[]),
            given_up: counts.sum("luna_actor_given_up_total", &[]),
            hung: counts.sum("luna_actor_hung_total", &[]),
            engine_crashes: counts.sum("luna_engine_ends_total", &[("how", "crashed")]),
            stops_checked,
            answers: owed.count().1,
            longest_healing,
        }
    })
}

/// No mailbox exceeds the bounds of its lanes (KER-4).
fn expect_bounds(world: &World) {
    let bounds = luna::settings::inbox_settings(&world.live.get()).bounds;
    for child in world.tree.status() {
        for lane in Lane::ALL {
            let (depth, bound) = (child.depth[lane.index()], bounds[lane.index()]);
            // Promoted messages (KER-5) come on top of lane Uia's own bound.
            let promoted = if lane == Lane::Uia { bounds[3] + bounds[4] } else { 0 };
            // The message on which an actor crashed may be requeued into a full lane (KER-7).
            assert!(depth <= bound + promoted + 1, "{} holds {depth} messages in lane {}", child.actor, lane.name());
        }
    }
}

/// Every actor runs, every request is answered, every working capability is reported as available, and a text is read (KER-7, KER-9).
async fn expect_all_gets_well(world: &mut World, owed: &PendingReplies) -> Duration {
    world.order(Command::FocusOff);
    world.pass(MAX_FAULT_DELAY).await;
    let took = MAX_FAULT_DELAY + world.wait("all actors to run", MAX_RECOVERY_WITHOUT_FAULTS, World::all_run).await;
    let missing = |world: &World, when_used: bool| {
        Capability::ALL.into_iter().any(|capability| {
            // These capabilities are probed only when they are used.
            let used_only = matches!(
                capability,
                Capability::Pointer
                    | Capability::HotKey
                    | Capability::ScreenCapture
                    | Capability::LanguageModel
                    | Capability::SpeechRecognition
                    | Capability::Microphone
                    | Capability::CommandRecognition
                    | Capability::TalkKey
            );
            (when_used || !used_only)
                && !matches!(capability, Capability::HotKey | Capability::ScreenCapture)
                && matches!(
                    world.wiring.capabilities.get(capability),
                    luna_messages::capability::CapabilityState::Unavailable(_)
                )
        })
    };
    let took = took
        + world.wait("all capabilities to be back", MAX_RECOVERY_WITHOUT_FAULTS, |world| !missing(world, false)).await;
    let asked = owed.clone();
    world.order(Command::Stop);
    let took = took + world.wait("all answers", MAX_ANSWER_DELAY, move |_| asked.all_answered()).await;
    world.expect_reading_works().await;
    world.expect_models_work().await;
    assert!(!missing(world, true), "missing: {:?}", world.wiring.capabilities);
    world.order(Command::FocusOff);
    let empty = |world: &World| world.tree.status().iter().all(|child| child.depth == [0; 5]);
    world.wait("all inboxes to be empty", MS(2000), empty).await;
    took
}

/// An orderly end within its budget, with no engine left (KER-10).
async fn end(world: &mut World, owed: &PendingReplies) {
    let budget = MS(2000);
    let (took, report) = world.shut_down(budget).await;
    assert!(took <= budget + MS(20), "the end took {took:?}");
    assert_eq!(report.killed, Vec::<&str>::new(), "killed at the end");
    assert!(owed.all_answered(), "an answer is owed after the end: {:?}", owed.count());
    world.pass(MS(1500)).await;
    assert_eq!(world.engines.overlapping_loads(), 0, "two models were being loaded at a time");
    for kind in steps::ENGINES {
        assert_eq!(world.engines.running(kind), 0, "an engine {} is left", kind.name());
    }
    assert!(world.audio.silent_for() >= audio::BUFFER, "it sounds after the end");
}
