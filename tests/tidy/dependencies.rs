//! Who may know whom, on what cargo says of the dependencies.

use std::collections::{BTreeSet, HashMap, HashSet};

use cargo_metadata::{DependencyKind, Package, PackageId};

use crate::house::{assert_none, folder, members, metadata};

/// The storeys of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Storey {
    /// Runs in the compiler only.
    MessagesDerive,
    Messages,
    Logic,
    Runtime,
    Platform,
    Models,
    EngineProgram,
    TinyModels,
    /// The heap that programs declare; it knows nobody.
    WipingAlloc,
    Actor,
    Engine,
    Root,
}

impl Storey {
    fn of(folder: &str) -> Self {
        match folder {
            "" => Self::Root,
            "crates/messages-derive" => Self::MessagesDerive,
            "crates/messages" => Self::Messages,
            "crates/logic" => Self::Logic,
            "crates/runtime" => Self::Runtime,
            "crates/platform" => Self::Platform,
            "crates/models" => Self::Models,
            "crates/engine-program" => Self::EngineProgram,
            "crates/tiny-models" => Self::TinyModels,
            "crates/wiping-alloc" => Self::WipingAlloc,
            _ if folder.starts_with("actors/") => Self::Actor,
            _ if folder.starts_with("engines/") => Self::Engine,
            _ => panic!("{folder}: the storey of this crate is not known; name it in tests/tidy/dependencies.rs"),
        }
    }

    /// Whom code of this storey may import.
    fn imports(self) -> &'static [Self] {
        match self {
            Self::MessagesDerive | Self::TinyModels | Self::WipingAlloc => &[],
            // Others get the derive with the trait.
            Self::Messages => &[Self::MessagesDerive],
            Self::Logic | Self::Runtime | Self::Platform | Self::Models | Self::EngineProgram => &[Self::Messages],
            Self::Engine => &[Self::Messages, Self::Logic, Self::EngineProgram, Self::WipingAlloc],
            Self::Actor => &[Self::Messages, Self::Logic, Self::Runtime, Self::Platform, Self::Models],
            Self::Root => &[
                Self::Messages,
                Self::Logic,
                Self::Runtime,
                Self::Platform,
                Self::Models,
                Self::WipingAlloc,
                Self::Actor,
            ],
        }
    }

    /// Whom its tests and benches may import besides: doubles and what lies below an actor, never an actor or an engine.
    fn imports_in_tests(self) -> &'static [Self] {
        match self {
            Self::MessagesDerive | Self::Messages | Self::Logic | Self::TinyModels | Self::WipingAlloc => &[],
            Self::Runtime
            | Self::Platform
            | Self::Models
            | Self::EngineProgram
            | Self::Engine
            | Self::Actor
            | Self::Root => &[
                Self::Messages,
                Self::Logic,
                Self::Runtime,
                Self::Platform,
                Self::Models,
                Self::EngineProgram,
                Self::TinyModels,
            ],
        }
    }

    fn may_import(self, other: Self, kind: DependencyKind) -> bool {
        let in_tests = kind == DependencyKind::Development && self.imports_in_tests().contains(&other);
        self.imports().contains(&other) || in_tests
    }
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

/// Everything that a crate depends on, directly or not, by way of the kinds that pass `keep`.
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
fn imports_point_down_and_never_sideways() {
    let wrong = imports()
        .into_iter()
        .filter(|(package, other, kind)| !Storey::of(&folder(package)).may_import(Storey::of(&folder(other)), *kind));
    assert_none(
        "messages <- logic, runtime, platform, models, engine-program <- actors, engines <- the root package",
        wrong.map(|(package, other, kind)| format!("{} imports {} ({kind:?})", package.name, other.name)),
    );
}

// KER-2
#[test]
fn actors_know_each_other_by_messages_only_ker_2() {
    let is_actor = |package: &Package| Storey::of(&folder(package)) == Storey::Actor;
    let wrong = imports().into_iter().filter(|(package, other, _)| is_actor(package) && is_actor(other));
    assert_none("KER-2", wrong.map(|(package, other, _)| format!("{} imports {}", package.name, other.name)));
}

#[test]
fn logic_is_pure_down_to_its_last_dependency() {
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
    let logic = members().into_iter().find(|package| folder(package) == "crates/logic").expect("there is crates/logic");
    let wrong = closure(&logic.id, is_shipped).into_iter().filter(|package| IMPURE.contains(&package.name.as_str()));
    assert_none("logic has no clock, file, network, task or randomness", wrong.map(|package| package.name.to_string()));
}

#[test]
fn two_runtimes_that_carry_ggml_never_meet_in_a_crate() {
    let wrong = members().into_iter().filter(|package| {
        let names: BTreeSet<_> = closure(&package.id, |_| true).into_iter().map(|other| other.name.as_str()).collect();
        names.contains("whisper-rs") && names.contains("llama-cpp-2")
    });
    assert_none("whisper-rs and llama-cpp-2 can't be linked together", wrong.map(|package| package.name.to_string()));
}

/// Whether every way to take the licence is the GPL's.
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
    let wrong = imports().into_iter().filter(|(_, other, _)| Storey::of(&folder(other)) == Storey::Engine);
    assert_none("ENG-2", wrong.map(|(package, other, _)| format!("{} links {}", package.name, other.name)));
}
