//! The manifests: versions once, lints for all crates, `unsafe` only in its places.

use crate::house::{SourceFile, assert_none, files, folder, members, root};

fn manifests() -> impl Iterator<Item = &'static SourceFile> {
    // The fuzz targets need their own build flags and so are a separate workspace.
    files().iter().filter(|file| file.path.ends_with("/Cargo.toml") && !file.path.starts_with("fuzz/"))
}

/// The lines of the sections whose names match `section`.
fn lines_of(file: &SourceFile, section: impl Fn(&str) -> bool) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if let Some(name) = line.strip_prefix('[') {
            inside = section(name.trim_end_matches(']'));
        } else if inside && !line.trim().is_empty() && !line.starts_with('#') {
            lines.push((index + 1, line));
        }
    }
    lines
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let inherits =
        |file: &SourceFile| lines_of(file, |name| name == "lints").iter().any(|(_, line)| *line == "workspace = true");
    let all = files().iter().filter(|file| file.path == "Cargo.toml").chain(manifests());
    assert_none("[lints] workspace = true", all.filter(|file| !inherits(file)).map(|file| file.path.clone()));
}

#[test]
fn versions_stand_once_for_all_crates() {
    let is_dependencies = |name: &str| name.ends_with("dependencies");
    let wrong = manifests().flat_map(|file| {
        let lines = lines_of(file, is_dependencies).into_iter();
        let wrong = lines.filter(|(_, line)| {
            line.contains('=') && !line.contains("workspace = true") && !line.contains("path = \".\"")
        });
        wrong.map(|(number, line)| format!("{}: {line}", file.place(number)))
    });
    assert_none("versions belong into [workspace.dependencies]", wrong);
}

#[test]
fn every_crate_takes_version_and_edition_of_the_workspace() {
    let keys = [
        "version.workspace = true",
        "edition.workspace = true",
        "rust-version.workspace = true",
        "publish.workspace = true",
    ];
    let wrong = manifests().flat_map(|file| {
        let missing = keys.iter().filter(|key| !file.text.contains(**key));
        missing.map(|key| format!("{}: {key}", file.path))
    });
    assert_none("the package's keys come from the workspace", wrong);
}

#[test]
fn unsafe_code_lives_in_platform_and_engines_only() {
    // An allocator can't be written without `unsafe`.
    let may =
        |folder: &str| matches!(folder, "crates/platform" | "crates/wiping-alloc") || folder.starts_with("engines/");
    let crates = members().into_iter().filter(|package| !may(&folder(package)));
    let is_code = |target: &&cargo_metadata::Target| target.is_lib() || target.is_bin() || target.is_proc_macro();
    let targets = crates.flat_map(|package| package.targets.iter()).filter(is_code);
    let wrong = targets.filter(|target| {
        let text = std::fs::read_to_string(&target.src_path).expect("a target's source can be read");
        !text.contains("#![forbid(unsafe_code)]")
    });
    let name = |path: &str| path.trim_start_matches(&root().to_string_lossy().into_owned()).to_owned();
    assert_none("#![forbid(unsafe_code)] is missing", wrong.map(|target| name(target.src_path.as_str())));
}

#[test]
fn what_must_stand_at_the_top_stands_there() {
    let needed = [
        "Cargo.toml",
        "src",
        "actors",
        "config",
        "models",
        "tests",
        "benches",
        "ARCHITECTURE.md",
        "README.md",
        "README.ko.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "engines/speech-espeak/LICENSE",
        "config/default.yaml",
        "models/manifest.yaml",
        ".ci/run",
    ];
    assert_none("missing", needed.iter().filter(|name| !root().join(name).exists()).map(|name| (*name).to_owned()));
}
