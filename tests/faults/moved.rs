//! Which counters of trouble moved.

use std::collections::BTreeMap;

use crate::world::counts::Counts;

/// The counters that stand still while all is well.
const TROUBLE: [&str; 9] = [
    "luna_actor_failures_total",
    "luna_actor_restarts_total",
    "luna_actor_hung_total",
    "luna_actor_given_up_total",
    "luna_messages_crashed_total",
    "luna_messages_retried_total",
    "luna_messages_dropped_total",
    "luna_task_panics_total",
    "luna_engine_ends_total",
];

/// The counters as they were.
pub struct Moved(BTreeMap<String, u64>);

fn trouble(counts: &Counts) -> BTreeMap<String, u64> {
    let is_trouble = |name: &str| TROUBLE.iter().any(|trouble| name.contains(trouble));
    counts.all().into_iter().filter(|(name, _)| is_trouble(name)).collect()
}

impl Moved {
    pub fn since(counts: &Counts) -> Self {
        Self(trouble(counts))
    }

    /// Expects exactly these to have moved, each by that much: `name{label=value,…}` with the labels in the order in which they are given out.
    #[track_caller]
    pub fn expect(&self, counts: &Counts, expect: &[(&str, u64)]) {
        let mut moved: BTreeMap<String, u64> = trouble(counts);
        moved.iter_mut().for_each(|(name, count)| *count -= self.0.get(name).copied().unwrap_or(0));
        // A cursor that moved on, or a tick that waits already, is coalesced without harm.
        moved.retain(|name, count| *count > 0 && !name.contains("coalesced"));
        let expect: BTreeMap<String, u64> = expect.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        assert_eq!(moved, expect);
    }
}

/// The engine that ends with an incarnation of that actor, because it belongs to it.
pub fn engine_of(actor: &str) -> Option<(String, u64)> {
    let engine = match actor {
        "tts" => "speech",
        "ocr" => "ocr",
        _ => return None,
    };
    Some((format!("Key(luna_engine_ends_total, [engine = {engine}, how = killed])"), 1))
}
