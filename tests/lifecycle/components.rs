//! The components: the requirements' names, the table of `src/tree.rs`, and the running actors (KER-1).

use std::collections::BTreeSet;

use crate::desktop::{self, LunaProcess, take_turns};

/// The names of KER-1 and their actors.
const COMPONENTS: [(&str, &str); 11] = [
    ("Stt", "stt"),
    ("Reflex", "reflex"),
    ("Tts", "tts"),
    ("Uia", "uia"),
    ("Ocr", "ocr"),
    ("Llm", "llm"),
    ("GpuToken", "gpu"),
    ("Focus", "focus"),
    ("Executor", "executor"),
    ("Overlay", "overlay"),
    ("Metrics", "metrics"),
];

/// The names of KER-1 that are not implemented yet. This list may only shrink.
const TO_COME: [&str; 5] = ["ToolBox", "Manager", "Jobs", "Worker", "Navigator"];

/// Actors that KER-1 does not name, and their purpose.
const BESIDES: [(&str, &str); 3] = [
    ("mind", "language tasks: understanding, translating, summarising"),
    ("tools", "what programs and models may call; without quantities and locks, which the tool box brings"),
    ("listening", "the microphone, and what is done about what is said"),
];

/// The names that KER-1 lists.
fn required() -> BTreeSet<String> {
    let page = std::fs::read_to_string(desktop::sample("requirements/ker-1.md")).expect("the requirements");
    let (_, text) = page.split_once("**KER-1**").expect("KER-1 stands there");
    let (_, list) = text.split_once("supervision:").expect("it lists the components");
    let (list, _) = list.split_once('.').expect("the list ends");
    let name = |part: &str| {
        let part = part.split_once('(').map_or(part, |(name, _)| name).trim();
        part.strip_prefix("each ").unwrap_or(part).to_owned()
    };
    list.split(',').map(name).collect()
}

/// The first column of the table in `src/tree.rs`.
fn planned() -> Vec<String> {
    let source = std::fs::read_to_string(desktop::root().join("src/tree.rs")).expect("the tree");
    let rows = source.lines().filter_map(|line| line.strip_prefix("/// | "));
    let names = rows.filter_map(|row| row.split('|').next()).map(|name| name.trim().to_owned());
    names.filter(|name| name != "actor").collect()
}

// KER-1
#[test]
fn every_component_is_there_or_named_as_still_to_come_ker_1() {
    let here: BTreeSet<_> = COMPONENTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let to_come: BTreeSet<_> = TO_COME.iter().map(|name| (*name).to_owned()).collect();
    assert!(here.is_disjoint(&to_come), "what is there is not to come");
    let all: BTreeSet<_> = here.union(&to_come).cloned().collect();
    assert_eq!(all, required(), "the names of KER-1");
    let actors: BTreeSet<_> =
        COMPONENTS.iter().map(|(_, actor)| *actor).chain(BESIDES.map(|(actor, _)| actor)).collect();
    assert_eq!(actors, planned().iter().map(String::as_str).collect(), "src/tree.rs");
}

// KER-1
#[test]
fn what_the_table_names_runs_under_supervision_and_nothing_else_ker_1() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let status: serde_json::Value = serde_json::from_str(&luna.get("status")).unwrap();
    let actors = status["actors"].as_array().unwrap();
    let names: Vec<_> = actors.iter().map(|actor| actor["actor"].as_str().unwrap()).collect();
    // The status lists the actors in start order.
    assert_eq!(names, planned(), "{status}");
    assert!(actors.iter().all(|actor| actor["state"] == "running"), "{status}");
}
