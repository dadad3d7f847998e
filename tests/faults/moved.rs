//! Which counters changed and by how much: all counters except those of [`ORDINARY`].

use std::collections::BTreeMap;

use crate::world::counts::Counts;
use crate::world::{MS, World};

/// Counters that change with ordinary activity: a name, a label that it must carry (any if empty), and the reason.
///
/// A test must expect every other counter explicitly, including new ones.
const ORDINARY: [(&str, &str, &str); 9] = [
    ("luna_messages_handled_total", "", "every tick and every step of reading is a message"),
    ("luna_messages_dropped_total", "how = coalesced", "a cursor that moved on, or a tick that waits already"),
    ("luna_speech_sentences_total", "", "reading goes on, and the fault itself is told"),
    ("luna_speech_hushes_total", "", "each stop that the test orders"),
    ("luna_outcomes_total", "outcome = success", "reading goes on"),
    ("luna_picks_total", "outcome = success", "reading goes on"),
    ("luna_engine_requests_total", "outcome = done", "reading goes on"),
    (
        "luna_engine_requests_total",
        "outcome = cancelled",
        "a stop, or a newer text, ends what was being spoken or recognised",
    ),
    ("luna_engine_work_total", "end = done", "models go on"),
];

fn is_ordinary(key: &str) -> bool {
    ORDINARY.iter().any(|(name, label, _)| {
        key.strip_prefix("Key(").and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| {
            rest.starts_with([',', ')'])
                && (label.is_empty()
                    || rest.trim_end_matches([']', ')']).split(['[', ',']).any(|one| one.trim() == *label))
        })
    })
}

/// A snapshot of the counters.
pub struct CounterChanges(BTreeMap<String, u64>);

impl CounterChanges {
    pub fn since(counts: &Counts) -> Self {
        Self(counts.all().into_iter().collect())
    }

    /// Asserts that exactly these counters changed by these amounts: `name{label=value,…}` with the labels in output order.
    #[track_caller]
    pub fn expect(&self, counts: &Counts, expect: &[(&str, u64)]) {
        let before = |name: &String| self.0.get(name).copied().unwrap_or(0);
        let moved: BTreeMap<String, u64> = counts
            .all()
            .into_iter()
            .map(|(name, count)| (count - before(&name), name))
            .filter(|(more, name)| *more > 0 && !is_ordinary(name))
            .map(|(more, name)| (name, more))
            .collect();
        let expect: BTreeMap<String, u64> = expect.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        assert_eq!(moved, expect);
    }
}

/// The engine that belongs to this actor's incarnation.
fn engine_of(actor: &str) -> Option<&'static str> {
    match actor {
        "tts" => Some("speech"),
        "ocr" => Some("ocr"),
        _ => None,
    }
}

/// The counters of the engine of a replaced actor: the engine ends with the actor's incarnation, and another is started and loaded.
pub fn with_its_engine(actor: &str, how: &str) -> Vec<(String, u64)> {
    let Some(engine) = engine_of(actor) else { return Vec::new() };
    let keys = [
        format!("Key(luna_engine_ends_total, [engine = {engine}, how = {how}])"),
        format!("Key(luna_engine_starts_total, [engine = {engine}])"),
        format!("Key(luna_engine_loads_total, [engine = {engine}, outcome = done])"),
    ];
    keys.map(|key| (key, 1)).into()
}

/// Waits until the actor's engine, if it has one, is loaded once more.
pub async fn engine_is_back(world: &mut World, actor: &str, moved: &CounterChanges) {
    let Some(engine) = engine_of(actor) else { return };
    let key = format!("Key(luna_engine_loads_total, [engine = {engine}, outcome = done])");
    let before = moved.0.get(&key).copied().unwrap_or(0);
    let loads =
        move |world: &World| world.counts.sum("luna_engine_loads_total", &[("engine", engine), ("outcome", "done")]);
    world.wait("its engine", MS(2000), move |world| loads(world) > before).await;
}

#[test]
fn what_may_move_is_told_from_what_may_not() {
    let check = |key: &str, expect: bool| assert_eq!(is_ordinary(key), expect, "{key}");
    check("Key(luna_messages_handled_total, [actor = tts, lane = reflex])", true);
    check("Key(luna_speech_hushes_total)", true);
    check("Key(luna_messages_dropped_total, [actor = focus, lane = tts, how = coalesced])", true);
    check("Key(luna_messages_dropped_total, [actor = focus, lane = tts, how = refused])", false);
    check("Key(luna_messages_dropped_total, [actor = coalesced, lane = tts, how = refused])", false);
    check("Key(luna_engine_requests_total, [engine = ocr, outcome = lost])", false);
    check("Key(luna_messages_handled_total_of_a_new_kind, [actor = tts])", false);
    check("Key(luna_new_total)", false);
}
