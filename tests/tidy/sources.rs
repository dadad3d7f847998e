//! Rules for the source text.

use crate::dependencies::PURE;
use crate::house::{SourceFile, assert_none, files, rust_files};

/// Maximum lines of a Rust file; nine of ten stay below 400.
const MAX_LINES: usize = 450;
/// Data tables that may be longer.
const DATA_TABLES: [&str; 0] = [];

#[test]
fn modules_are_named_files() {
    let wrong = rust_files().filter(|file| file.path.ends_with("/mod.rs"));
    assert_none("foo.rs, never foo/mod.rs", wrong.map(|file| file.path.clone()));
}

#[test]
fn files_stay_short() {
    let lines = |file: &SourceFile| file.text.lines().count();
    let wrong = rust_files().filter(|file| lines(file) > MAX_LINES && !DATA_TABLES.contains(&file.path.as_str()));
    assert_none("at most 450 lines", wrong.map(|file| format!("{}: {}", file.path, lines(file))));
    let long = rust_files().filter(|file| lines(file) > 400).count();
    assert!(long * 10 <= rust_files().count(), "{long} of {} files are longer than 400 lines", rust_files().count());
}

/// Every line of code that contains one of the words.
fn containing<'a>(files: impl Iterator<Item = &'a SourceFile>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            let code = line.split_once("//").map_or(line, |(code, _)| code);
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}: {}", file.place(index + 1), line.trim()));
            }
        }
    }
    found
}

/// Whether tests use or build the file; measurements don't count.
fn is_tested(file: &SourceFile) -> bool {
    let measures = ["benches/", "examples/", "report/"].iter().any(|folder| file.path.starts_with(folder))
        || file.path.contains("/benches/");
    let tells = file.path.ends_with(".md") || file.path.starts_with("tests/samples/");
    !measures && !tells
}

#[test]
fn tests_need_nothing_beside_the_project() {
    let words = [concat!("sha", "red/"), concat!("\"sha", "red\")")];
    let tested = files().iter().filter(|file| is_tested(file));
    assert_none("copied to tests/samples; only measurements read beside the project", containing(tested, &words));
}

#[test]
fn nothing_is_left_for_later_and_no_test_is_skipped() {
    let words = [concat!("to", "do!("), concat!("unimplem", "ented!("), concat!("#[ign", "ore"), concat!("d", "bg!(")];
    assert_none("unfinished code or a skipped test", containing(rust_files(), &words));
}

#[test]
fn doubles_stay_out_of_product_crates() {
    // The crate of the doubles is no dependency of product code either: see RULES in dependencies.rs.
    let words = [concat!("test", "kit")];
    let sources = files().iter().filter(|file| !file.path.ends_with(".md"));
    assert_none("doubles are built for tests only, in crates/test-support", containing(sources, &words));
}

#[test]
fn pure_code_looks_at_no_clock_and_touches_no_file() {
    // Tests read their cases from files, and word lists contain such names.
    let is_pure = |path: &str| PURE.iter().any(|folder| path.starts_with(&format!("{folder}/src/")));
    let pure = rust_files().filter(|file| is_pure(&file.path) && !file.path.contains("/tests"));
    let words = [
        "Instant::now",
        "SystemTime",
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "std::io",
        "HashMap::new",
    ];
    assert_none("in pure code, `now` is an argument and order is fixed", containing(pure, &words));
}

// ENG-1, ENG-2
#[test]
fn engines_have_one_lifecycle_eng_1_eng_2() {
    let once = ["crates/engine-host/src/", "src/doctor/", "src/batch_commands/"];
    let is_managed = |path: &str| !once.iter().any(|folder| path.starts_with(folder));
    let elsewhere = rust_files().filter(|file| file.is_product_code() && is_managed(&file.path));
    let words = ["EngineProcess::start", "EngineProcess::start_with"];
    assert_none(
        "engines are started by ManagedEngine, or for one use by diagnosis and batch commands",
        containing(elsewhere, &words),
    );
}

// MET-2
#[test]
fn metric_names_stand_in_one_file_met_2() {
    let elsewhere = rust_files().filter(|file| file.is_product_code() && !file.path.ends_with("/metric_names.rs"));
    let words =
        ["counter!(\"", "gauge!(\"", "histogram!(\"", "describe_counter!", "describe_gauge!", "describe_histogram!"];
    let wrong = elsewhere.flat_map(|file| {
        let lines = file.code().filter(|(_, code)| words.iter().any(|word| code.contains(word)));
        lines.map(|(number, code)| format!("{}: {}", file.place(number), code.trim())).collect::<Vec<_>>()
    });
    assert_none("metric names are constants of metric_names.rs", wrong);
}

// MET-3
#[test]
fn a_recorder_is_installed_in_one_place_that_thins_histograms_met_3() {
    let elsewhere =
        rust_files().filter(|file| file.is_product_code() && file.path != "crates/actor-runtime/src/sampling.rs");
    let words = ["set_global_recorder", "set_boxed_recorder", "set_local_recorder", "install_recorder"];
    assert_none("recorders are installed by luna_actor_runtime::sampling::install", containing(elsewhere, &words));
}

// MET-2
#[test]
fn metrics_follow_the_conventions_of_prometheus_met_2() {
    let names =
        files().iter().find(|file| file.path.ends_with("/metric_names.rs")).expect("there is a metric_names.rs");
    let of_line = |line: &'static str| {
        let (_, name) = line.strip_prefix("pub const ")?.split_once("&str = \"")?;
        let (name, _) = name.split_once('"')?;
        name.starts_with("luna_").then_some((line, name))
    };
    let metrics: Vec<_> = names.text.lines().collect();
    let mut wrong = Vec::new();
    for (index, line) in metrics.iter().enumerate() {
        let Some((_, name)) = of_line(line) else { continue };
        let described = metrics[..index]
            .iter()
            .rev()
            .take_while(|line| line.starts_with("///"))
            .map(|line| line.trim_start_matches('/'));
        let comment: String = described.collect::<Vec<_>>().into_iter().rev().collect();
        let right = match comment.trim_start().split([' ', ',', ':']).next() {
            Some("Counter") => name.ends_with("_total"),
            Some("Histogram") => name.ends_with("_seconds") || name.ends_with("_bytes") || name.ends_with("_ratio"),
            Some("Gauge") => !name.ends_with("_total"),
            _ => false,
        };
        if !right {
            wrong.push(format!("{}: {name}: its kind and unit don't show in comment and name", names.place(index + 1)));
        }
    }
    assert_none("Counter: _total; Histogram: a base unit; Gauge: neither", wrong);
}

#[test]
fn no_path_of_one_machine_and_no_host_of_a_package_registry() {
    let hosts = [
        concat!("crates", ".io"),
        concat!("pypi", ".org"),
        concat!("python", "hosted.org"),
        concat!("npm", "js.org"),
        concat!("npm", "js.com"),
        concat!("deb.", "debian.org"),
    ];
    let paths = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/tm", "p/w/")];
    let mut wrong = Vec::new();
    // The lock file names the registry that its format prescribes.
    for file in files().iter().filter(|file| file.path != "Cargo.lock") {
        for (index, line) in file.text.lines().enumerate() {
            let host = hosts.iter().find(|host| line.contains(**host));
            let path = paths.iter().find(|path| line.match_indices(**path).any(|(at, _)| begins_a_path(&line[..at])));
            wrong.extend(host.or(path).map(|found| format!("{}: {found}", file.place(index + 1))));
        }
    }
    assert_none("the project works on any machine", wrong);
}

/// Whether an absolute path can begin after `before`.
fn begins_a_path(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || "._-})$*~/".contains(c))
}

#[test]
fn absolute_paths_are_told_from_others() {
    let check = |before: &str, expect: bool| assert_eq!(begins_a_path(before), expect, "{before}");
    check("cd ", true);
    check("\"", true);
    check("", true);
    check("accessible", false);
    check("$ROOT", false);
    check("..", false);
}
