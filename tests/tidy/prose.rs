//! Comments, messages and documents use plain words.

use std::collections::BTreeSet;

use crate::house::{SourceFile, assert_none, files, rust_files};

/// Files with text of other authors, and files that list the forbidden words.
const NOT_OURS: [&str; 6] =
    ["Cargo.lock", "tests/samples/", "tests/language/", "tests/tidy/", "crates/llm-tasks/src/prompt/text/", "LICENSE"];

/// Files whose example utterances contain such words.
const UTTERANCES: [&str; 1] = ["crates/nlu/"];

/// Words that prose must not contain, in lower case, with their replacements.
const REPLACED: &[(&str, &str)] = &[
    ("overseer", "supervisor"),
    ("keeper", "mailbox handle"),
    ("hush", "mute"),
    ("hushes", "mutes"),
    ("hushed", "muted"),
    ("disown", "revoke"),
    ("disowns", "revokes"),
    ("comeback", "restart"),
    ("readied", "prepared"),
    ("outlasts", "survives"),
    ("one_shot", "batch command"),
    ("whosoever", "any caller"),
];

fn texts() -> impl Iterator<Item = &'static SourceFile> {
    let kinds = [".rs", ".md", ".py", ".sh", ".yaml", ".toml"];
    let is_ours = |path: &str| !NOT_OURS.iter().chain(&UTTERANCES).any(|folder| path.starts_with(folder));
    files().iter().filter(move |file| kinds.iter().any(|kind| file.path.ends_with(kind)) && is_ours(&file.path))
}

/// The words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The comment of a line of Rust; the whole line of another file.
fn said<'a>(file: &SourceFile, line: &'a str) -> &'a str {
    if !file.path.ends_with(".rs") {
        return line;
    }
    let at = if line.trim_start().starts_with("//") { line.find("//") } else { line.find(" // ") };
    at.map_or("", |at| &line[at..])
}

fn told(rule: &str, finds: impl Fn(&SourceFile, &str) -> Option<String>) {
    let mut wrong = Vec::new();
    for file in texts() {
        for (index, line) in file.text.lines().enumerate() {
            wrong.extend(finds(file, line).map(|found| format!("{}: {found}", file.place(index + 1))));
        }
    }
    assert_none(rule, wrong);
}

#[test]
fn luna_is_it() {
    let person = ["she", "her", "hers", "herself"];
    told("Luna is \"it\"", |_, line| {
        let word = words(line).find(|word| person.contains(&word.to_lowercase().as_str()))?;
        Some(word.to_owned())
    });
}

/// The first phrase in which "where" certainly introduces a condition and no place.
fn condition(line: &str) -> Option<&'static str> {
    let line = line.to_lowercase();
    [
        "also where ",
        "even where ",
        "true where ",
        "false where ",
        "`none` where ",
        "error where ",
        "where there is ",
        "where there are ",
        "where none ",
        "where nobody ",
        "where nothing ",
        "where no ",
        "where one is ",
        "except where ",
        "unless where ",
    ]
    .into_iter()
    .find(|words| line.contains(words))
}

#[test]
fn conditions_are_told_with_if() {
    told("\"if\" for conditions, \"where\" for places", |file, line| condition(said(file, line)).map(str::to_owned));
}

#[test]
fn replaced_words_do_not_come_back_in_prose() {
    told("the standard terms", |file, line| {
        let said = said(file, line).to_lowercase();
        // The shell command `disown` is allowed.
        let said = said.trim_start().strip_prefix("disown").unwrap_or(&said);
        let (word, instead) = REPLACED.iter().find(|(word, _)| words(said).any(|said| said == *word))?;
        Some(format!("{word}: say {instead}"))
    });
}

/// Words of a doc line that add nothing to a name.
const FILLING: [&str; 24] = [
    "a", "an", "the", "of", "its", "it", "is", "in", "to", "this", "that", "one", "what", "which", "for", "and", "are",
    "with", "all", "on", "as", "at", "by", "from",
];

/// A word without its English ending.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let end =
        ["ings", "ing", "ed", "es", "s", "e"].iter().find(|end| word.len() >= end.len() + 3 && word.ends_with(**end));
    end.map_or(word.clone(), |end| word[..word.len() - end.len()].to_owned())
}

/// Whether a one-line doc only repeats the declaration below it.
fn repeats(doc: &str, declaration: &str) -> bool {
    let doc = doc.trim();
    let tells = |c: char| c.is_ascii_digit() || "`[]%:".contains(c) || !c.is_ascii();
    if doc.contains(tells) || words(doc).count() > 4 {
        return false;
    }
    let mut names = BTreeSet::new();
    for word in words(declaration) {
        let mut part = String::new();
        for c in word.chars() {
            if (c.is_uppercase() || c == '_') && !part.is_empty() {
                names.insert(stem(&std::mem::take(&mut part)));
            }
            if c != '_' {
                part.push(c);
            }
        }
        names.insert(stem(&part));
    }
    words(doc).filter(|word| !FILLING.contains(&word.to_lowercase().as_str())).all(|word| names.contains(&stem(word)))
}

#[test]
fn docs_tell_more_than_the_name() {
    let mut wrong = Vec::new();
    // Docs of command-line arguments are help texts; those of configuration types are schema descriptions.
    let shown = |path: &str| path.starts_with("src/cli") || path.starts_with("crates/config/src/");
    for file in rust_files().filter(|file| !shown(&file.path)) {
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(doc) = line.strip_prefix("/// ") else { continue };
            let is_doc = |line: Option<&&str>| line.is_some_and(|line| line.starts_with("///"));
            if is_doc(lines.get(index + 1)) || (index > 0 && is_doc(lines.get(index - 1))) {
                continue;
            }
            let below = lines[index + 1..].iter().find(|line| !line.starts_with("#["));
            if below.is_some_and(|below| repeats(doc, below)) {
                wrong.push(format!("{}: {doc}", file.place(index + 1)));
            }
        }
    }
    assert_none("a doc line tells a reason, unit, range or error; else it is left out", wrong);
}

#[test]
fn files_and_public_types_say_what_they_are_for() {
    let mut wrong = Vec::new();
    for file in rust_files() {
        let lines: Vec<&str> = file.text.lines().collect();
        if !lines.iter().find(|line| !line.starts_with("#!")).is_some_and(|line| line.starts_with("//!")) {
            wrong.push(format!("{}: does not begin with `//!`", file.path));
        }
        if !file.is_product_code() {
            continue;
        }
        for (index, line) in lines.iter().enumerate() {
            let is_type = ["pub struct ", "pub enum ", "pub trait "].iter().any(|kind| line.starts_with(kind));
            if is_type && !is_described(&lines[..index]) {
                wrong.push(format!("{}: {}", file.place(index + 1), line.trim_end_matches(" {")));
            }
        }
    }
    assert_none("what a file or a public type is for", wrong);
}

/// Whether a declaration has a doc above its attributes.
fn is_described(above: &[&str]) -> bool {
    let is_attribute = |line: &str| !line.starts_with("///") && !line.trim().is_empty() && line != "}";
    let doc = above.iter().rev().find(|line| !is_attribute(line));
    doc.is_some_and(|line| line.starts_with("///"))
}

#[test]
fn conditions_docs_and_descriptions_are_told_from_others() {
    assert_eq!(condition("/// False where nobody waits."), Some("false where "));
    assert_eq!(condition("/// Where it lies, from where it comes."), None);
    let check = |doc: &str, declaration: &str, expect: bool| {
        assert_eq!(repeats(doc, declaration), expect, "{doc}: {declaration}")
    };
    check("The lane.", "pub lane: Lane,", true);
    check("A new inbox.", "pub fn new(inbox: Inbox) -> Self {", true);
    check("Which settings.", "pub settings: SpeechSettings,", true);
    check("In milliseconds.", "pub lane: u32,", false);
    check("FOC-3", "pub foc: u32,", false);
    check("The lane that the message takes.", "pub lane: Lane,", false);
    let check =
        |above: &str, expect: bool| assert_eq!(is_described(&above.lines().collect::<Vec<_>>()), expect, "{above}");
    check("/// What.\n#[derive(\n    Debug,\n)]", true);
    check("/// What.", true);
    check("/// Other.\nstruct B;\n\n#[derive(Debug)]", false);
    check("}", false);
}
