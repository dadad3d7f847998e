//! The documents name existing commands and existing requirement ids, the same in both languages.

use std::collections::BTreeSet;

use crate::house::{SourceFile, assert_none, files, root, rust_files};

fn paper(path: &str) -> &'static SourceFile {
    files().iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} is missing"))
}

/// Words after `make ` at the start of a line of code or of a code span.
fn make_targets(text: &str) -> BTreeSet<String> {
    let after = text.split("make ").skip(1).zip(text.split("make "));
    let in_code = after
        .filter(|(_, before)| before.is_empty() || before.ends_with(['`', '\n', '=']) || before.ends_with("step "));
    let word = |(after, _): (&str, &str)| after.chars().take_while(|c| c.is_ascii_lowercase()).collect::<String>();
    in_code.map(word).filter(|word| !word.is_empty()).collect()
}

#[test]
fn targets_are_found_in_text() {
    let found = make_targets("make run\n`make test` and they make sense; step make lint");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["lint", "run", "test"]);
}

#[test]
fn the_commands_of_the_papers_exist() {
    let makefile = paper("Makefile");
    let has = |target: &str| makefile.text.lines().any(|line| line.starts_with(&format!("{target}:")));
    let mut wrong = Vec::new();
    for path in ["README.md", "README.ko.md", "CONTRIBUTING.md", "ARCHITECTURE.md", ".ci/run"] {
        let unknown = make_targets(&paper(path).text).into_iter().filter(|target| !has(target));
        wrong.extend(unknown.map(|target| format!("{path}: make {target}")));
    }
    assert_none("no such target in the Makefile", wrong);
}

#[test]
fn the_checks_call_the_tests() {
    assert!(make_targets(&paper(".ci/run").text).contains("test"), ".ci/run does not call `make test`");
}

#[test]
fn scripts_that_the_papers_name_exist() {
    let mut wrong = Vec::new();
    for path in ["README.md", "README.ko.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "Makefile", ".ci/run"] {
        for rest in paper(path).text.split("scripts/").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
            let name = name.trim_end_matches('.');
            if !name.is_empty() && !root().join("scripts").join(name).exists() {
                wrong.push(format!("{path}: scripts/{name}"));
            }
        }
    }
    assert_none("no such script", wrong);
}

/// Lines inside fenced code that are commands of the project.
fn commands(text: &str) -> BTreeSet<&str> {
    let fenced = text.split("```").skip(1).step_by(2);
    let command = |line: &'_ str| line.starts_with("make ") || line.starts_with("luna ");
    let without_comment = |line| str::trim(str::split(line, '#').next().unwrap_or_default());
    fenced.flat_map(str::lines).filter(|line| command(line)).map(without_comment).collect()
}

#[test]
fn both_readmes_name_the_same_commands() {
    let (english, korean) = (commands(&paper("README.md").text), commands(&paper("README.ko.md").text));
    assert!(english.contains("make run") && english.contains("make test"), "README.md: the two commands are missing");
    assert_none(
        "README.md and README.ko.md differ",
        english.symmetric_difference(&korean).map(|line| (*line).to_owned()),
    );
}

/// Words like `FOC-3`.
fn ids(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words = text.split(|c: char| !is_part(c));
    let is_id = |word: &&str| {
        word.split_once('-').is_some_and(|(letters, digits)| {
            (2..=4).contains(&letters.len())
                && letters.chars().all(|c| c.is_ascii_uppercase())
                && !digits.is_empty()
                && digits.chars().all(|c| c.is_ascii_digit())
        })
    };
    words.filter(is_id).collect()
}

#[test]
fn ids_are_found_in_text() {
    assert_eq!(ids("a PIC-5, (KER-10) not SHA256, x-1, FOC-, pic-5, A-1"), ["PIC-5", "KER-10"]);
}

/// The ids of a list with lines such as `FOC 1-7`. It holds ranges, so that whoever searches the tests for ids finds only those that a test names.
fn ids_of_ranges(list: &str) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for line in list.lines() {
        let range = line.split_once(' ').and_then(|(family, numbers)| {
            let (first, last) = numbers.split_once('-')?;
            Some((family, first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))
        });
        let (family, first, last) = range.unwrap_or_else(|| panic!("not a family and a range: {line}"));
        known.extend((first..=last).map(|number| format!("{family}-{number}")));
    }
    known
}

#[test]
fn ranges_of_ids_are_expanded() {
    let known = ids_of_ranges("XY 1-2\nXY 9-10\nXYZ 1-1");
    assert_eq!(known.into_iter().collect::<Vec<_>>(), ["XY-1", "XY-10", "XY-2", "XY-9", "XYZ-1"]);
}

#[test]
fn requirement_ids_that_are_named_exist() {
    let list = paper("tests/samples/requirements/ids.txt");
    let known = ids_of_ranges(&list.text);
    assert!(known.len() > 100, "only {} requirements in {}", known.len(), list.path);
    let families: BTreeSet<&str> = known.iter().filter_map(|id| id.split('-').next()).collect();
    let of_a_family = |id: &&str| id.split('-').next().is_some_and(|family| families.contains(family));
    let wrong = rust_files().flat_map(|file| {
        let unknown = ids(&file.text).into_iter().filter(of_a_family).filter(|id| !known.contains(*id));
        unknown.map(|id| format!("{}: {id}", file.path))
    });
    assert_none("no such requirement", wrong);
}
