//! Everything that bypasses the mailboxes between actors is listed here, and with its reason in ARCHITECTURE.md.

use std::collections::BTreeSet;

use crate::house::{SourceFile, assert_none, files, folder, members, rust_files};

/// Dependencies of actors other than mailboxes, settings and the machine (`actor.field`), and public items of their crates other than the
/// actor, its dependencies and its settings (`actor::Name`).
const SIDE_DOORS: &[&str] = &[
    "executor.actions",
    "executor.publish",
    "executor.rules",
    "executor.stops",
    "executor::ActionsByTreeOrText",
    "executor::CurrentCommandRules",
    "focus.publish",
    "focus.traces",
    "gpu.holders",
    "gpu.memory",
    "gpu.shared",
    "gpu::GpuShared",
    "gpu::ResidencyLink",
    "language-tasks.has_model",
    "language-tasks.situation",
    "listening.duck",
    "listening.mode",
    "listening.mute",
    "listening.pause",
    "listening.publish",
    "listening.rules",
    "listening.tap",
    "listening.traces",
    "listening.unduck",
    "listening::CurrentRules",
    "llm.access",
    "llm::memory_estimate",
    "metrics.upkeep",
    "ocr.models",
    "ocr.program",
    "ocr::RecognitionEngine",
    "ocr::pick_once",
    "overlay.actions",
    "reflex.end_orders",
    "reflex.mute",
    "reflex.pause",
    "reflex.publish",
    "stt.access",
    "stt.commands",
    "stt::CommandModel",
    "stt::memory_estimate",
    "tools.actions",
    "tools.stops",
    "tts.engine",
    "tts.events",
    "tts.load",
    "tts.mute",
    "tts.tap",
    "tts::Mute",
    "uia::failure",
    "uia::pick_once",
];

/// Calls that bypass a mailbox, as written in product code or test support, and the only files that may contain them.
const CALLS: &[(&str, &[&str])] = &[
    ("mute.now()", &["src/wiring.rs"]),
    ("pause.pause()", &["src/wiring.rs"]),
    ("mute.duck()", &["src/wiring.rs"]),
    ("mute.unduck(", &["src/wiring.rs"]),
    ("ends.stop();", &["src/wiring/models.rs"]),
    ("_engine.stop();", &["src/run/drain.rs"]),
    ("llm.stop();", &["src/batch_commands/models.rs"]),
    ("stt.stop();", &["src/batch_commands/models.rs"]),
    ("hooks::set(", &["crates/test-support/src/harness.rs"]),
    ("launch::set(", &["crates/test-support/src/engines.rs"]),
];

/// Suffixes of the types of an actor's dependencies.
const HANDED: [&str; 2] = ["Parts", "Dependencies"];

fn is_handed(name: &str) -> bool {
    HANDED.iter().any(|end| name.ends_with(end))
}

/// Whether an actor may have a dependency of this type without a reason: a mailbox, the machine, or plain data.
fn is_ordinary(of: &str) -> bool {
    let settings = |of: &str| of.ends_with("Settings") && of.chars().all(char::is_alphanumeric);
    let getter = of.strip_prefix("Arc<dyn Fn() -> ").and_then(|of| of.strip_suffix(" + Send + Sync>"));
    let machine = of.strip_prefix("BlockingService<dyn ").and_then(|of| of.strip_suffix('>'));
    let is_trait = |of: &str| !of.starts_with("Fn") && of.chars().all(char::is_alphanumeric);
    of.starts_with("Inbox<")
        || of == "Capabilities"
        || of == "Arc<dyn Accessibility>"
        || machine.is_some_and(is_trait)
        || getter.is_some_and(settings)
        || settings(of)
}

/// Parses `name: Type` of a field or an argument.
fn typed(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_end_matches(',');
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let (name, of) = line.split_once(": ")?;
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some((name, of))
}

/// The dependencies of an actor besides mailboxes: fields of its dependencies type, else arguments of its `new`.
fn handed(text: &str) -> Vec<String> {
    let held = |line: &str| {
        let name = line.strip_prefix("pub struct ").and_then(|rest| rest.strip_suffix(" {"));
        name.is_some_and(is_handed)
    };
    let fields: Vec<&str> = if text.lines().any(held) {
        text.lines().skip_while(|line| !held(line)).skip(1).take_while(|line| *line != "}").collect()
    } else {
        let arguments = text.split_once("pub fn new(").and_then(|(_, rest)| rest.split_once(") ->"));
        arguments.map(|(arguments, _)| arguments.split(", ").collect()).unwrap_or_default()
    };
    let named = fields.into_iter().filter(|line| !line.trim_start().starts_with("//")).filter_map(typed);
    named.filter(|(_, of)| !is_ordinary(of) && !is_handed(of)).map(|(name, _)| name.to_owned()).collect()
}

/// The public items of an actor's crate other than the actor, its dependencies, its settings and the lookup of models.
fn shown(text: &str) -> Vec<String> {
    let is_sign = |c: char| !(c.is_alphanumeric() || c == '_');
    let names = |line: &str| -> Vec<String> {
        let Some(rest) = line.strip_prefix("pub ") else { return Vec::new() };
        if let Some(path) = rest.strip_prefix("use ") {
            let parts = path.trim_end_matches(is_sign).split([',', '{']).filter(|part| !part.ends_with("::"));
            return parts.map(|part| part.rsplit(is_sign).next().unwrap_or_default().to_owned()).collect();
        }
        let item = rest.trim_start_matches("const ").trim_start_matches("async ");
        let kinds = ["struct ", "enum ", "trait ", "type ", "fn ", "mod "];
        let name = kinds.iter().find_map(|kind| item.strip_prefix(kind)).and_then(|rest| rest.split(is_sign).next());
        name.map(str::to_owned).into_iter().collect()
    };
    let usual = |name: &str| {
        is_handed(name) || ["Actor", "Settings"].iter().any(|end| name.ends_with(end)) || name.starts_with("Find")
    };
    text.lines().flat_map(names).filter(|name| !usual(name)).collect()
}

fn library(folder: &str) -> Option<&'static SourceFile> {
    let path = format!("{folder}/src/lib.rs");
    files().iter().find(|file| file.path == path)
}

/// The code before the tests.
fn product(file: &SourceFile) -> String {
    file.text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// All side doors in the code of the actors' crates.
fn found() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in members().into_iter().map(folder) {
        let Some(actor) = folder.strip_prefix("actors/") else { continue };
        let text = product(library(&folder).expect("an actor is a library"));
        found.extend(handed(&text).into_iter().map(|name| format!("{actor}.{name}")));
        found.extend(shown(&text).into_iter().map(|name| format!("{actor}::{name}")));
    }
    found
}

fn listed() -> BTreeSet<String> {
    SIDE_DOORS.iter().map(|name| (*name).to_owned()).collect()
}

// KER-2
#[test]
fn whatever_goes_round_the_mailbox_is_listed_ker_2() {
    let (found, listed) = (found(), listed());
    assert_none("no message, and not in SIDE_DOORS", found.difference(&listed).cloned());
    assert_none("in SIDE_DOORS, and no longer there", listed.difference(&found).cloned());
}

// KER-2
#[test]
fn what_acts_past_a_mailbox_is_called_from_few_places_ker_2() {
    let may_call = |file: &&SourceFile| file.is_product_code() || file.path.starts_with("crates/test-support/src/");
    let calls = |file: &SourceFile, call: &str| file.code().any(|(_, code)| code.contains(call));
    let mut wrong = Vec::new();
    for (call, places) in CALLS {
        let found: BTreeSet<_> =
            rust_files().filter(may_call).filter(|file| calls(file, call)).map(|file| file.path.as_str()).collect();
        let places: BTreeSet<_> = places.iter().copied().collect();
        wrong.extend(found.symmetric_difference(&places).map(|path| format!("{call} in {path}")));
    }
    assert_none("called where CALLS does not say so, or not where it does", wrong);
}

#[test]
fn the_page_gives_a_reason_for_each_side_door() {
    let page = files().iter().find(|file| file.path == "ARCHITECTURE.md").expect("there is an ARCHITECTURE.md");
    let section = page.text.split("## What bypasses the mailbox\n").nth(1).expect("it has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let mut documented = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        if cells.len() != 3 || cells.iter().any(|cell| cell.is_empty()) {
            wrong.push(format!("{row}: names, what bypasses the mailbox, why"));
        }
        for name in cells[0].split('`').skip(1).step_by(2) {
            if !documented.insert(name.to_owned()) {
                wrong.push(format!("{name} stands there twice"));
            }
        }
    }
    let listed = listed();
    wrong.extend(listed.difference(&documented).map(|name| format!("{name} has no row")));
    wrong.extend(documented.difference(&listed).map(|name| format!("{name} is not in SIDE_DOORS")));
    assert_none("the table of ARCHITECTURE.md and SIDE_DOORS name the same", wrong);
}

/// Names of channel ends in this text.
fn ends(text: &str) -> BTreeSet<&str> {
    let is_end = |of: &str| ["Sender<", "Receiver<", "async_channel::"].iter().any(|start| of.starts_with(start));
    let fields = text.lines().filter_map(typed).filter(|(_, of)| is_end(of)).map(|(name, _)| name);
    let bound = text.lines().filter_map(|line| {
        let (names, _) = line.trim().strip_prefix("let (")?.split_once(") = bounded(")?;
        Some(names.split(", "))
    });
    fields.chain(bound.flatten()).collect()
}

// KER-6
#[test]
fn each_end_of_a_stream_has_one_owner_ker_6() {
    let product: Vec<_> = rust_files().filter(|file| file.is_product_code()).collect();
    let names: BTreeSet<_> =
        product.iter().filter(|file| file.text.contains("async_channel")).flat_map(|file| ends(&file.text)).collect();
    assert!(names.contains("pieces"), "the ends are found: {names:?}");
    let wrong = product.iter().flat_map(|file| {
        let cloned = |code: &str| {
            names.iter().any(|name| {
                let call = format!("{name}.clone()");
                let starts = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                code.match_indices(&call).any(|(at, _)| starts(at))
            })
        };
        file.code()
            .filter(move |(_, code)| cloned(code))
            .map(|(line, code)| format!("{}: {}", file.place(line), code.trim()))
    });
    assert_none("a second asker keeps the work alive, a second worker the answer", wrong);
}

#[test]
fn side_doors_are_found_in_text() {
    let check = |text: &str, expect: &str| {
        let found: Vec<_> =
            handed(text).into_iter().chain(shown(text).into_iter().map(|name| format!("::{name}"))).collect();
        assert_eq!(found.join(" "), expect, "{text}");
    };
    let ordinary = "    /// Why.\n    pub a: Inbox<M>,\n    pub b: BlockingService<dyn Pointer>,\n    pub c: Arc<dyn Fn() -> XSettings + Send + Sync>,\n";
    check(&format!("pub struct XDependencies {{\n{ordinary}}}\n"), "");
    check(
        &format!("pub struct XParts {{\n{ordinary}    d: Arc<Queue<W>>,\n}}\npub struct XActor {{\n    e: u8,\n}}\n"),
        "d",
    );
    check("pub struct XParts {\n    pub f: BlockingService<dyn Fn(T) -> bool + Send + Sync>,\n}\n", "f");
    check("    pub fn new(g: Arc<dyn Fn()>, h: XSettings) -> Self {\n", "g");
    check(
        "pub use crate::a::{Mute, z::Y};\npub use x::W;\npub mod b;\nmod c;\npub async fn d(\npub const fn e(\npub type FindModel = u8;",
        "::Mute ::Y ::W ::b ::d ::e",
    );
}
