//! The files of a crate form no dependency cycle: each can be read after the files that it uses. A file and the files of its own folder
//! (`a.rs`, `a/b.rs`) may use each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::house::{assert_none, folder, members, rust_files};
use crate::paths::{Paths, paths};

/// A module by its path in the crate; empty for the crate's root.
type Module = Vec<String>;
/// The files of a crate and the paths they name.
type Files = BTreeMap<Module, Paths>;

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut found = BTreeSet::new();
    for package in members() {
        let folder = folder(package);
        let source = if folder.is_empty() { "src".to_owned() } else { format!("{folder}/src") };
        let files = files_of(&source);
        assert!(!files.is_empty(), "{source} has no files");
        let mut circles = circles(&files, usize::MAX);
        if folder.is_empty() {
            // The top-level modules of the composition root must not form a cycle either.
            circles.extend(self::circles(&files, 1));
        }
        found.extend(circles.into_iter().map(|circle| format!("{source}: {circle}")));
    }
    assert_none("files that use each other in a circle", found);
}

fn files_of(source: &str) -> Files {
    let below = |path: &'static str| path.strip_prefix(source)?.strip_prefix('/')?.strip_suffix(".rs");
    let texts: Vec<_> = rust_files().filter_map(|file| Some((below(&file.path)?, file.text.as_str()))).collect();
    modules(&texts)
}

fn modules(texts: &[(&str, &str)]) -> Files {
    let has_library = texts.iter().any(|(path, _)| *path == "lib");
    let product = texts.iter().filter(|(path, _)| path.split('/').all(|part| part != "tests"));
    let module = |path: &str| match path {
        "lib" => Vec::new(),
        "main" if !has_library => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    };
    product.map(|(path, text)| (module(path), paths(text))).collect()
}

/// The module that `path`, named in `from`, resolves to: through `use` and re-exports to the file that defines it. `None`: in another
/// crate.
fn target(files: &Files, from: &Module, path: &[String], hops: usize) -> Option<Module> {
    if hops > 12 {
        return None;
    }
    let child = |module: &Module, name: &String| [module.as_slice(), std::slice::from_ref(name)].concat();
    let imported = |module: &Module, name: &String, rest: &[String]| {
        let import = files.get(module)?.imported.get(name).filter(|import| *import != path)?;
        target(files, module, &[import, rest].concat(), hops + 1)
    };
    let supers = path.iter().take_while(|part| *part == "super").count();
    let (mut module, mut rest) = match path.first()?.as_str() {
        "crate" => (Vec::new(), &path[1..]),
        "self" => (from.clone(), &path[1..]),
        "super" => (from[..from.len().checked_sub(supers)?].to_vec(), &path[supers..]),
        _ if files.contains_key(&child(from, &path[0])) => (from.clone(), path),
        _ => return imported(from, &path[0], &path[1..]),
    };
    while let [first, after @ ..] = rest {
        let below = child(&module, first);
        if !files.contains_key(&below) {
            return imported(&module, first, after).or(Some(module));
        }
        (module, rest) = (below, after);
    }
    Some(module)
}

/// The cycles among modules, with modules deeper than `depth` counted as their ancestor; each as a list of module names.
fn circles(files: &Files, depth: usize) -> BTreeSet<String> {
    let cut = |module: &Module| module[..module.len().min(depth)].to_vec();
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, paths) in files {
        let targets = paths.all.iter().filter_map(|path| target(files, from, path, 0));
        let (from, targets) = (cut(from), targets.map(|to| cut(&to)));
        let is_family = |to: &Module| to.starts_with(&from) || from.starts_with(to);
        uses.entry(from.clone()).or_default().extend(targets.filter(|to| !is_family(to)));
    }
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        uses.keys().map(|module| (module, reach(&uses, module))).collect();
    let circle_of = |module: &Module| {
        let both =
            reached[module].iter().filter(|other| reached.get(**other).is_some_and(|back| back.contains(module)));
        both.map(|other| other.join("::")).collect::<Vec<_>>().join(" ")
    };
    uses.keys().map(circle_of).filter(|circle| !circle.is_empty()).collect()
}

/// All modules that a module uses, directly or indirectly.
fn reach<'a>(uses: &'a BTreeMap<Module, BTreeSet<Module>>, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        let next = uses.get(module).into_iter().flatten();
        open.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

#[test]
fn circles_are_told_from_families() {
    let check = |texts: &[(&str, &str)], expect: &[&str]| {
        let found = circles(&modules(texts), usize::MAX);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expect, "{texts:?}");
    };
    check(&[("a", "use crate::b::B;"), ("b", "struct B;")], &[]);
    check(&[("a", "use crate::b::B;"), ("b", "fn f() { super::a::g() }")], &["a b"]);
    check(
        &[("a", "use crate::b::B;"), ("b", "use crate::c;"), ("c", "use super::a;"), ("d", "use crate::a;")],
        &["a b c"],
    );
    // A file may name its ancestor and its own submodules.
    check(&[("a", "mod b; use b::B;"), ("a/b", "use super::A;")], &[]);
    // A re-exported item counts in the module that defines it.
    check(&[("lib", "pub use b::B;"), ("a", "use crate::B;"), ("b", "use crate::a;")], &["a b"]);
    check(
        &[("a", "use crate::b; fn f() { b::B::new() }"), ("b", "pub use crate::c::B;"), ("c", "use crate::a;")],
        &["a b c"],
    );
    // Tests may name whatever they check.
    check(
        &[("a", "use crate::b;"), ("b", "#[cfg(test)]\nmod tests { use crate::a; }"), ("b/tests", "use crate::a;")],
        &[],
    );
}
