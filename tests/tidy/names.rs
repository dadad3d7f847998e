//! Each thing has one standard name: no type name twice, and no word that a term of the field replaced.

use std::collections::{BTreeMap, BTreeSet};

use crate::house::{SourceFile, assert_none, rust_files};
use crate::paths::tokens;

/// Understanding will be redesigned as a whole; until then its names are exempt from the lists below.
const NOT_YET: &str = "crates/nlu/src/";

/// Words that may not be whole parts of identifiers (`is_readied`, `HushState`), with their replacements.
const REPLACED: &[(&str, &str)] = &[
    ("comeback", "pending restart"),
    ("deed", "action kind"),
    ("disown", "revoke"),
    ("grease", "filler words and affixes"),
    ("greasy", "filler words and affixes"),
    ("hush", "mute"),
    ("hushed", "muted"),
    ("hushes", "mutes"),
    ("keeper", "mailbox handle"),
    ("mate", "alignment"),
    ("mates", "alignments"),
    ("meant", "validated"),
    ("mind", "language tasks"),
    ("misheard", "recogniser confusion"),
    ("obey", "handle"),
    ("obeys", "handles"),
    ("outlasts", "survives restart"),
    ("overseer", "supervisor"),
    ("plant", "spawn"),
    ("planted", "spawned"),
    ("readied", "prepared"),
    ("rung", "ancestor"),
    ("rungs", "ancestors"),
    ("slips", "fuzzy match"),
    ("stay", "residency"),
    ("ticker", "watchdog timer"),
    ("victim", "eviction candidate"),
    ("victims", "eviction candidates"),
];

/// Names of types that say nothing by themselves, with their replacements.
const EMPTY_TYPES: &[(&str, &str)] = &[
    ("Asked", "Request or Response"),
    ("Beat", "Heartbeat"),
    ("Begun", "a noun"),
    ("Comeback", "PendingRestart"),
    ("Door", "Mailbox"),
    ("Found", "a noun"),
    ("Halt", "StopReason"),
    ("Heard", "NormalisedUtterance"),
    ("Held", "EngineLease"),
    ("Inside", "a noun"),
    ("Kept", "a noun"),
    ("Lost", "a noun"),
    ("Miss", "WorkError"),
    ("Offered", "CandidateInput"),
    ("Rest", "background load"),
    ("Running", "a noun"),
    ("Seen", "a noun"),
    ("Shape", "schema"),
    ("Shell", "actor loop"),
    ("Taken", "Dequeued"),
    ("Told", "Progress"),
    ("Unfinished", "a guard's name"),
    ("Waiting", "a noun"),
    ("Wanted", "a request"),
    ("Wish", "ParsedCommand"),
];

/// Replaced names of files and modules, with their replacements.
const FILES: &[(&str, &str)] = &[
    ("acting", "automation"),
    ("again", "rewrite"),
    ("climb", "ancestor_walk"),
    ("desk", "UI lexicon or desktop"),
    ("door", "mailbox"),
    ("hold", "engine_lease"),
    ("hush", "mute"),
    ("keeper", "mailbox_handle"),
    ("lanes", "priority_lanes"),
    ("loads", "load_gate"),
    ("mind", "language_tasks"),
    ("misheard", "recogniser_confusions"),
    ("obey", "handle_order"),
    ("one", "what it is one of"),
    ("one_shot", "batch_commands"),
    ("overseer", "supervisor"),
    ("pace", "periodic_task"),
    ("room", "memory_estimate"),
    ("seeing", "perception"),
    ("shell", "actor_loop"),
    ("stay", "residency"),
    ("ticker", "watchdog timer"),
    ("victims", "eviction"),
    ("way", "ancestor_path"),
    ("worded", "number_words"),
];

/// Names that one file may use, because the word has its plain meaning there.
const EXCEPTIONS: &[(&str, &str)] = &[
    // An attacker plants links for a victim.
    ("tests/attacks/folders/runtime.rs", "plant"),
    ("tests/attacks/folders/runtime.rs", "planted"),
    ("tests/attacks/folders/runtime.rs", "victim"),
    ("tests/command_line.rs", "victim"),
    // The actor's name for operators, which labels and logs keep.
    ("tests/config_readers.rs", "mind"),
];

fn checked_files() -> impl Iterator<Item = &'static SourceFile> {
    rust_files().filter(|file| !file.path.starts_with(NOT_YET) && file.path != "tests/tidy/names.rs")
}

/// Parts of an identifier in lower case: `of_GpuShared` gives `of`, `gpu`, `shared`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = '_';
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && before.is_lowercase()) {
            parts.push(String::new());
        }
        if c != '_' {
            parts.last_mut().expect("there is a first part").extend(c.to_lowercase());
        }
        before = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Names of test functions. They are sentences and may contain any word.
fn sentences<'a>(tokens: &[&'a str]) -> BTreeSet<&'a str> {
    let name = |at: usize| tokens.get(at).copied();
    let after = (0..tokens.len())
        .filter(|at| tokens[*at..].starts_with(&["test", "]"]) || tokens[*at..].starts_with(&["test", "("]))
        .filter_map(|at| {
            let function = tokens[at..].iter().position(|token| *token == "fn")?;
            name(at + function + 1)
        });
    after.collect()
}

/// Structs, enums, unions and traits that a file declares outside of functions and macros.
fn declared_types(text: &str) -> BTreeSet<&str> {
    let names = text.lines().filter_map(|line| {
        let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub(super) ")).unwrap_or(line);
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let line = line.strip_prefix("unsafe ").unwrap_or(line);
        let rest = ["struct ", "enum ", "union ", "trait "].iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
    });
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn a_type_name_stands_for_one_thing() {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in rust_files() {
        for name in declared_types(&file.text) {
            files.entry(name).or_default().insert(&file.path);
        }
    }
    // A type may be declared once per platform, behind `cfg`.
    let system =
        |path: &str| ["/linux", "/windows", "/null", "/fault"].iter().find(|part| path.contains(**part)).copied();
    let is_one = |places: &BTreeSet<&str>| {
        let systems: BTreeSet<_> = places.iter().filter_map(|path| system(path)).collect();
        systems.len() == places.len()
    };
    let twice = files.iter().filter(|(_, places)| places.len() > 1 && !is_one(places));
    let told = twice.map(|(name, places)| format!("{name}: {}", places.iter().copied().collect::<Vec<_>>().join(", ")));
    assert_none("one type name, one thing", told);
}

#[test]
fn replaced_words_do_not_come_back_as_names() {
    let mut wrong = BTreeSet::new();
    for file in checked_files() {
        let allowed = |name: &str| EXCEPTIONS.iter().any(|(path, word)| *path == file.path && *word == name);
        let types = declared_types(&file.text);
        let tokens = tokens(&file.text);
        let sentences = sentences(&tokens);
        for name in tokens.into_iter().filter(|name| !sentences.contains(name) && !allowed(name)) {
            let parts = parts(name);
            let word = REPLACED.iter().find(|(word, _)| parts.iter().any(|part| part == word));
            let whole = EMPTY_TYPES.iter().find(|(word, _)| *word == name && types.contains(name));
            if let Some((_, instead)) = word.or(whole) {
                wrong.insert(format!("{}: `{name}`: say {instead}", file.path));
            }
        }
    }
    assert_none("the standard terms", wrong);
}

#[test]
fn replaced_words_do_not_come_back_as_files() {
    let stem =
        |file: &SourceFile| file.path.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).map(str::to_owned);
    let wrong = checked_files().filter_map(|file| {
        let stem = stem(file)?;
        let (_, instead) = FILES.iter().find(|(word, _)| *word == stem)?;
        Some(format!("{}: say {instead}", file.path))
    });
    assert_none("the standard terms", wrong);
}

#[test]
fn names_are_taken_apart() {
    let check = |name: &str, expect: &str| assert_eq!(parts(name).join(" "), expect, "{name}");
    check("is_readied", "is readied");
    check("HushState", "hush state");
    check("GPU_HOLD", "gpu hold");
    check("to", "to");
    check("Vec2D", "vec2d");
    check("", "");
    let check = |text: &str, expect: &str| {
        assert_eq!(declared_types(text).into_iter().collect::<Vec<_>>().join(" "), expect, "{text}");
    };
    check("pub struct A<T>(T);\npub(crate) enum B {\n    C,\n}\nunsafe trait D {}", "A B D");
    check("impl A {\n    type B = C;\n}\nstructure!(D);", "");
}
