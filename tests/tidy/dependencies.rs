//! The allowed dependencies between crates, checked against cargo's metadata.

use std::collections::{BTreeSet, HashMap, HashSet};

use cargo_metadata::{DependencyKind, Package, PackageId};

use crate::house::{assert_none, folder, members, metadata};

/// A crate, or all crates below a folder that ends in `/`, and the workspace crates that its code may import.
struct Rule {
    folder: &'static str,
    imports: &'static [&'static str],
}

const fn rule(folder: &'static str, imports: &'static [&'static str]) -> Rule {
    Rule { folder, imports }
}

/// Bottom-up: a rule names only crates of rules above it.
const RULES: &[Rule] = &[
    rule("crates/wiping-alloc", &[]),
    // Runs in the compiler only; other crates get the derive with the trait.
    rule("crates/messages-derive", &[]),
    rule("crates/messages", &["crates/messages-derive"]),
    rule("crates/engine-protocol", &["crates/messages"]),
    rule("crates/text", &["crates/messages"]),
    rule("crates/nlu", &["crates/messages", "crates/text"]),
    rule("crates/preservation", &["crates/messages", "crates/text"]),
    rule("crates/speech", &["crates/messages", "crates/text"]),
    // Its tests use the rules of understanding.
    rule("crates/listening", &["crates/messages", "crates/text", "crates/speech", "crates/nlu"]),
    rule("crates/ledger", &["crates/messages"]),
    // May import the rules of understanding; so far it does not.
    rule("crates/executor", &["crates/messages", "crates/nlu"]),
    rule("crates/navigation", &["crates/messages"]),
    rule("crates/tools", &["crates/messages"]),
    rule("crates/focus", &["crates/messages", "crates/text", "crates/nlu"]),
    rule("crates/overlay", &["crates/messages"]),
    rule("crates/llm-tasks", &["crates/messages", "crates/text", "crates/preservation"]),
    rule("crates/mailbox", &["crates/messages"]),
    rule("crates/actor-runtime", &["crates/messages", "crates/mailbox"]),
    rule(
        "crates/engine-host",
        &["crates/messages", "crates/engine-protocol", "crates/mailbox", "crates/actor-runtime"],
    ),
    rule("crates/platform", &["crates/messages"]),
    rule("crates/model-store", &[]),
    rule("crates/config", &["crates/messages", "crates/model-store"]),
    rule(
        "crates/test-support",
        &["crates/messages", "crates/engine-protocol", "crates/mailbox", "crates/actor-runtime", "crates/engine-host"],
    ),
    rule("engines/", &["crates/messages", "crates/llm-tasks", "crates/engine-protocol", "crates/wiping-alloc"]),
    rule(
        "actors/",
        &[
            "crates/messages",
            "crates/engine-protocol",
            "crates/text",
            "crates/speech",
            "crates/listening",
            "crates/ledger",
            "crates/executor",
            "crates/navigation",
            "crates/tools",
            "crates/focus",
            "crates/overlay",
            "crates/llm-tasks",
            "crates/actor-runtime",
            "crates/engine-host",
            "crates/platform",
        ],
    ),
    // The composition root may import everything except the engine programs, test-only crates, `mailbox` and the derive, which come with others.
    rule(
        "",
        &[
            "crates/wiping-alloc",
            "crates/messages",
            "crates/engine-protocol",
            "crates/text",
            "crates/nlu",
            "crates/preservation",
            "crates/speech",
            "crates/listening",
            "crates/ledger",
            "crates/executor",
            "crates/navigation",
            "crates/tools",
            "crates/focus",
            "crates/overlay",
            "crates/llm-tasks",
            "crates/actor-runtime",
            "crates/engine-host",
            "crates/platform",
            "crates/model-store",
            "crates/config",
            "actors/",
        ],
    ),
];

/// Crates without clock, file, network, task or randomness, including all dependencies.
pub const PURE: &[&str] = &[
    "crates/text",
    "crates/nlu",
    "crates/preservation",
    "crates/speech",
    "crates/listening",
    "crates/ledger",
    "crates/executor",
    "crates/navigation",
    "crates/tools",
    "crates/focus",
    "crates/overlay",
    "crates/llm-tasks",
];

/// The rule of a crate, and the rule's index.
fn rule_of(folder: &str) -> (usize, &'static Rule) {
    let fits = |rule: &Rule| folder == rule.folder || (rule.folder.ends_with('/') && folder.starts_with(rule.folder));
    let found = RULES.iter().enumerate().find(|(_, rule)| fits(rule));
    found.unwrap_or_else(|| panic!("{folder}: no rule for this crate; add one to tests/tidy/dependencies.rs"))
}

fn may_import(folder: &str, other: &str, kind: DependencyKind) -> bool {
    let (_, rule) = rule_of(folder);
    let (_, of_other) = rule_of(other);
    let stands = rule.imports.contains(&of_other.folder);
    // Tests and benches of impure crates may use doubles and everything below an actor, but never an actor or an engine.
    let is_pure = |folder: &str| PURE.contains(&folder) || rule_of(folder).1.imports.is_empty();
    let in_tests = kind == DependencyKind::Development && !is_pure(folder) && of_other.folder.starts_with("crates/");
    stands || in_tests
}

/// (crate, crate of the workspace that it imports, kind)
fn imports() -> Vec<(&'static Package, &'static Package, DependencyKind)> {
    let by_name: HashMap<_, _> = members().into_iter().map(|package| (package.name.as_str(), package)).collect();
    let of = |package: &'static Package| {
        let by_name = by_name.clone();
        package.dependencies.iter().filter_map(move |dep| Some((package, *by_name.get(dep.name.as_str())?, dep.kind)))
    };
    members().into_iter().flat_map(of).filter(|(package, other, _)| package.id != other.id).collect()
}

/// All direct and indirect dependencies of a crate, through the kinds that pass `keep`.
fn closure(of: &PackageId, keep: impl Fn(DependencyKind) -> bool) -> Vec<&'static Package> {
    let resolve = metadata().resolve.as_ref().expect("cargo metadata resolves the dependencies");
    let nodes: HashMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut seen = HashSet::new();
    let mut open = vec![of];
    while let Some(id) = open.pop() {
        for dep in &nodes[id].deps {
            if dep.dep_kinds.iter().any(|kind| keep(kind.kind)) && seen.insert(&dep.pkg) {
                open.push(&dep.pkg);
            }
        }
    }
    metadata().packages.iter().filter(|package| seen.contains(&package.id)).collect()
}

fn is_shipped(kind: DependencyKind) -> bool {
    kind != DependencyKind::Development
}

#[test]
fn rules_name_crates_that_are_there_and_only_lower_ones() {
    let folders: Vec<_> = members().into_iter().map(folder).collect();
    let unused = RULES.iter().filter(|rule| !folders.iter().any(|folder| std::ptr::eq(rule_of(folder).1, *rule)));
    assert_none("no crate stands under this rule", unused.map(|rule| rule.folder.to_owned()));
    let upward = RULES.iter().enumerate().flat_map(|(place, rule)| {
        let lower = move |name: &&&str| RULES[..place].iter().any(|other| other.folder == **name);
        rule.imports.iter().filter(move |name| !lower(name)).map(|name| format!("{} names {name}", rule.folder))
    });
    assert_none("a rule names only crates of rules above it", upward);
}

#[test]
fn imports_point_down_and_never_sideways() {
    let wrong =
        imports().into_iter().filter(|(package, other, kind)| !may_import(&folder(package), &folder(other), *kind));
    assert_none(
        "a crate imports what the table RULES says, and nothing else",
        wrong.map(|(package, other, kind)| format!("{} imports {} ({kind:?})", package.name, other.name)),
    );
}

// KER-2
#[test]
fn actors_know_each_other_by_messages_only_ker_2() {
    let is_actor = |package: &Package| rule_of(&folder(package)).1.folder == "actors/";
    let wrong = imports().into_iter().filter(|(package, other, _)| is_actor(package) && is_actor(other));
    assert_none("KER-2", wrong.map(|(package, other, _)| format!("{} imports {}", package.name, other.name)));
}

#[test]
fn pure_crates_are_pure_down_to_their_last_dependency() {
    const IMPURE: [&str; 20] = [
        "tokio",
        "ractor",
        "async-std",
        "smol",
        "mio",
        "rand",
        "rand_core",
        "getrandom",
        "fastrand",
        "chrono",
        "time",
        "jiff",
        "tempfile",
        "ureq",
        "reqwest",
        "hyper",
        "rusqlite",
        "metrics",
        "tracing",
        "rustix",
    ];
    let pure: Vec<_> = members().into_iter().filter(|package| PURE.contains(&folder(package).as_str())).collect();
    assert_eq!(pure.len(), PURE.len(), "each pure crate is there");
    // The echo canceller tells its settings through `tracing`; without a subscriber that does nothing. `schemars` describes types of the others if another
    // crate of the workspace (rmcp) asks it to; nothing of them is called.
    const UNUSED: [(&str, &str); 4] = [
        ("luna-listening", "tracing"),
        ("luna-tools", "chrono"),
        ("luna-tools", "getrandom"),
        ("luna-tools", "rand_core"),
    ];
    let wrong = pure.into_iter().flat_map(|package| {
        let shipped = closure(&package.id, is_shipped).into_iter();
        let is_impure = |name: &str| IMPURE.contains(&name) && !UNUSED.contains(&(package.name.as_str(), name));
        let impure = shipped.filter(move |other| is_impure(other.name.as_str()));
        impure.map(|other| format!("{} depends on {}", package.name, other.name))
    });
    assert_none("pure code has no clock, file, network, task or randomness", wrong);
}

#[test]
fn two_runtimes_that_carry_ggml_never_meet_in_a_crate() {
    let wrong = members().into_iter().filter(|package| {
        let names: BTreeSet<_> = closure(&package.id, |_| true).into_iter().map(|other| other.name.as_str()).collect();
        names.contains("whisper-rs") && names.contains("llama-cpp-2")
    });
    assert_none("whisper-rs and llama-cpp-2 can't be linked together", wrong.map(|package| package.name.to_string()));
}

/// Whether every option of the licence expression is a GPL.
fn binds_to_gpl(licence: &str) -> bool {
    let is_gpl = |licence: &str| licence.contains("GPL") && !licence.contains("LGPL");
    licence.split(" AND ").any(|part| part.split(" OR ").all(is_gpl))
}

#[test]
fn licences_are_told_apart() {
    let check = |licence: &str, expect: bool| assert_eq!(binds_to_gpl(licence), expect, "{licence}");
    check("MIT OR Apache-2.0", false);
    check("GPL-3.0-or-later", true);
    check("MIT AND GPL-2.0-only", true);
    check("MIT OR GPL-2.0-only", false);
    check("MIT OR Apache-2.0 OR LGPL-2.1-or-later", false);
    check("AGPL-3.0", true);
}

#[test]
fn only_the_espeak_engine_is_under_the_gpl() {
    const ENGINE: &str = "luna-engine-speech-espeak";
    let is_gpl = |package: &Package| package.license.as_deref().is_some_and(binds_to_gpl);
    let engine =
        members().into_iter().find(|package| package.name.as_str() == ENGINE).expect("there is an espeak engine");
    assert_eq!(engine.license.as_deref(), Some("GPL-3.0-or-later"));
    let others = members().into_iter().filter(|package| package.name.as_str() != ENGINE);
    let wrong = others.flat_map(|package| {
        let bound = closure(&package.id, is_shipped).into_iter().chain([package]).filter(|other| is_gpl(other));
        bound.map(move |other| format!("{} takes {} along", package.name, other.name))
    });
    assert_none("a program that links espeak-ng is under the GPL, and nothing else is", wrong);
}

#[test]
fn engines_are_programs_and_nobody_links_them() {
    let wrong = imports().into_iter().filter(|(_, other, _)| rule_of(&folder(other)).1.folder == "engines/");
    assert_none("ENG-2", wrong.map(|(package, other, _)| format!("{} links {}", package.name, other.name)));
}
