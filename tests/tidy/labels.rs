//! Metric labels: their names are those documented in `metric_names.rs`, their values come from closed lists (MET-2).

use std::collections::BTreeSet;

use crate::house::{SourceFile, assert_none, rust_files};

/// The recording macros that are checked.
const MACROS: [&str; 3] = ["counter!(", "gauge!(", "histogram!("];

/// A recorded metric.
#[derive(Debug, PartialEq)]
struct Record {
    line: usize,
    /// The constant that names it, or a variable.
    metric: String,
    /// Keys and values; a value without a key represents labels written outside the macro.
    labels: Vec<(String, String)>,
}

/// Label names by metric, and the lists of values.
struct LabelWords {
    metrics: Vec<(String, BTreeSet<String>)>,
    /// `module::NAME` and `module::of`.
    values: BTreeSet<String>,
}

fn product() -> impl Iterator<Item = &'static SourceFile> {
    rust_files().filter(|file| file.is_product_code())
}

/// The names in `metric_names.rs` and in the lists beside it.
fn words() -> LabelWords {
    let mut words = LabelWords { metrics: Vec::new(), values: BTreeSet::new() };
    for file in product().filter(|file| file.path.contains("/metric_names")) {
        let (mut module, mut keys) = (String::new(), None);
        for line in file.text.lines() {
            if let Some(comment) = line.strip_prefix("/// ") {
                // "Counter `{actor, lane}`: …"
                let braces = comment.split_once("`{").and_then(|(_, rest)| rest.split_once("}`"));
                keys.get_or_insert_with(|| {
                    braces.map_or_else(BTreeSet::new, |(keys, _)| keys.split(", ").map(str::to_owned).collect())
                });
                continue;
            }
            let named = |prefix: &str| {
                let rest = line.trim_start().strip_prefix(prefix)?;
                rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned)
            };
            match (named("pub mod "), named("pub const fn ").or_else(|| named("pub fn ")), named("pub const ")) {
                (Some(name), ..) => module = name,
                (_, Some(name), _) if line.starts_with(' ') => drop(words.values.insert(format!("{module}::{name}"))),
                (.., Some(name)) if line.starts_with(' ') => drop(words.values.insert(format!("{module}::{name}"))),
                (.., Some(name)) if line.contains("\"luna_") => {
                    words.metrics.push((name, keys.take().unwrap_or_default()))
                }
                _ => {}
            }
            keys = None;
        }
    }
    words
}

/// All metrics that a file records.
fn records(file: &SourceFile) -> Vec<Record> {
    let mut text = String::new();
    let mut lines = Vec::new();
    for (number, code) in file.code() {
        lines.push((text.len(), number));
        text.push_str(code);
        text.push('\n');
    }
    let mut found = Vec::new();
    for name in MACROS {
        for (at, _) in text.match_indices(name) {
            let before = &text[..at];
            if before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let line = lines.iter().rev().find(|(start, _)| *start <= at).map_or(0, |(_, number)| *number);
            let mut arguments = arguments(&text[at + name.len()..]).into_iter();
            let metric = arguments.next().unwrap_or_default();
            let metric = metric.rsplit("::").next().unwrap_or_default().to_owned();
            let labels = arguments.map(|argument| match argument.split_once("=>") {
                Some((key, value)) => (key.trim().trim_matches('"').to_owned(), value.trim().to_owned()),
                None => (String::new(), argument),
            });
            found.push(Record { line, metric, labels: labels.collect() });
        }
    }
    found
}

/// The arguments of a call; `text` begins after its opening bracket.
fn arguments(text: &str) -> Vec<String> {
    let (mut depth, mut quoted) = (0_usize, false);
    let mut found = vec![String::new()];
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted && depth == 0 => break,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(c);
        }
    }
    found.iter().map(|argument| argument.trim().to_owned()).filter(|argument| !argument.is_empty()).collect()
}

/// Whether `value` can only yield values fixed in the program: one of a list, the name of a variant, or a `'static` string.
fn is_bounded(value: &str, words: &LabelWords, declared: impl Fn(&str) -> bool) -> bool {
    let path = value.split('(').next().unwrap_or_default();
    let last_two = path.rsplitn(3, "::").take(2).collect::<Vec<_>>();
    if let [name, module] = last_two[..]
        && words.values.contains(&format!("{module}::{name}"))
    {
        return true;
    }
    let is_place = |text: &str| {
        !text.is_empty()
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_alphanumeric() || "_.:".contains(c))
    };
    match value.strip_suffix(".name()").or_else(|| value.strip_suffix(".code()")) {
        Some(of) => is_place(of),
        None => is_place(value) && value.rsplit('.').next().is_some_and(declared),
    }
}

/// The variables and fields of a file that hold text: `'static` ones, and others.
fn texts(file: &SourceFile) -> [BTreeSet<&str>; 2] {
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for (_, code) in file.code() {
        for (at, _) in code.match_indices(": ") {
            let (before, kind) = (&code[..at], &code[at + 2..]);
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            if kind.starts_with("&'static str") {
                found[0].insert(name);
            } else if ["&str", "String", "Cow<", "impl "].iter().any(|other| kind.starts_with(other)) {
                found[1].insert(name);
            }
        }
    }
    found
}

// MET-2
#[test]
fn labels_take_their_values_from_closed_lists_met_2() {
    let words = words();
    let constant: BTreeSet<&str> = product().flat_map(|file| texts(file)[0].clone()).collect();
    let mut wrong = Vec::new();
    for file in product() {
        let [_, others] = texts(file);
        for record in records(file) {
            let place = file.place(record.line);
            let keys: BTreeSet<String> = record.labels.iter().map(|(key, _)| key.clone()).collect();
            let is_constant = record.metric.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let mut candidates = words.metrics.iter().filter(|(name, _)| !is_constant || *name == record.metric);
            if !candidates.any(|(_, candidates)| *candidates == keys) {
                wrong.push(format!("{place}: {} is told with other labels than {keys:?}", record.metric));
            }
            for (key, value) in &record.labels {
                if !is_bounded(value, &words, |name| constant.contains(name) && !others.contains(name)) {
                    wrong.push(format!("{place}: {key} => {value}"));
                }
            }
        }
    }
    assert_none(
        "labels as told in metric_names.rs; values of a list beside it, the name() of a variant, or a &'static str that was handed in",
        wrong,
    );
}

// MET-2
#[test]
fn every_metric_and_every_list_of_values_is_found_met_2() {
    let words = words();
    let recorded: BTreeSet<String> =
        product().flat_map(|file| records(file).into_iter().map(|record| record.metric)).collect();
    assert!(words.metrics.len() > 40 && words.values.len() > 30, "{:?}", words.values);
    // Two metrics are recorded through a variable.
    let silent = words.metrics.iter().filter(|(name, _)| !recorded.contains(name) && !name.starts_with("ENGINE_"));
    assert_none("a metric that is never recorded", silent.map(|(name, _)| name.clone()));
}

// MET-2
#[test]
fn names_of_variants_are_constants_met_2() {
    let crate_of = |file: &'static SourceFile| file.path.split_once("/src/").map(|(folder, _)| folder);
    let recording: BTreeSet<_> = product().filter(|file| !records(file).is_empty()).filter_map(crate_of).collect();
    let named =
        |file: &&'static SourceFile| crate_of(file).is_some_and(|of| of == "crates/messages" || recording.contains(of));
    let mut wrong = Vec::new();
    for file in product().filter(named) {
        for (number, code) in file.code() {
            let names = ["fn name(", "fn code("].iter().any(|name| code.contains(name));
            if names && !code.contains("-> &'static str") {
                wrong.push(format!("{}: {}", file.place(number), code.trim()));
            }
        }
    }
    assert_none("name() and code() give what stands in the program", wrong);
}

#[test]
fn values_are_told_apart() {
    let values = ["how::REFUSED", "work_end::of"].map(str::to_owned).into_iter().collect();
    let words = LabelWords { metrics: Vec::new(), values };
    let check = |value: &str, expect: bool| {
        assert_eq!(is_bounded(value, &words, |name| name == "actor"), expect, "{value}");
    };
    check("how::REFUSED", true);
    check("metric_names::how::REFUSED", true);
    check("work_end::of(&why)", true);
    check("how::NEW", false);
    check("lane.name()", true);
    check("self.kind.name()", true);
    check("format!(\"{}\", lane).name()", false);
    check("actor", true);
    check("self.0.actor", true);
    check("window", false);
    check("\"refused\"", false);
    check("text.clone()", false);
    check("text.to_string()", false);
    check("String::from(actor)", false);
    let file = SourceFile {
        path: "a/src/lib.rs".to_owned(),
        text: "metrics::counter!(\n    PICKS, \"how\" => of(a, b),\n    \"lane\" => lane.name()\n).increment(1);\ngauge!(X, &labels);"
            .to_owned(),
    };
    let label = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        records(&file),
        [
            Record {
                line: 1,
                metric: "PICKS".to_owned(),
                labels: vec![label("how", "of(a, b)"), label("lane", "lane.name()")],
            },
            Record { line: 5, metric: "X".to_owned(), labels: vec![label("", "&labels")] },
        ]
    );
}
