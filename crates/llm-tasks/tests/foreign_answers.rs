//! Calls of a public collection, written in the notations of many models with their usual mistakes, and parsed back (DSL-3).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use luna_llm_tasks::answer::{AnswerPart, AnswerReader, Cut, ParsedAnswer, read};
use serde_json::{Map, Value as Json};

/// A call: name and arguments.
type Call = (String, Map<String, Json>);

/// The correct answers of the collection, several calls each; the first of the allowed values, and without optional arguments.
fn collection() -> Vec<Vec<Call>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/gorilla");
    let mut all = Vec::new();
    for name in ["simple_python", "multiple", "parallel", "parallel_multiple"] {
        let path = folder.join(format!("BFCL_v4_{name}.json"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{} can't be read: {error}", path.display()));
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let entry: Json = serde_json::from_str(line).unwrap();
            let call = |call: &Json| {
                let (name, parameters) = call.as_object().unwrap().iter().next().unwrap();
                let allowed = |values: &Json| values.as_array().unwrap().first().cloned().filter(|value| value != "");
                let arguments = parameters.as_object().unwrap().iter();
                (name.clone(), arguments.filter_map(|(name, values)| Some((name.clone(), allowed(values)?))).collect())
            };
            all.push(entry["ground_truth"].as_array().unwrap().iter().map(call).collect());
        }
    }
    all
}

/// A value as Python writes it.
fn python(value: &Json) -> String {
    match value {
        Json::Null => "None".into(),
        Json::Bool(true) => "True".into(),
        Json::Bool(false) => "False".into(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
        Json::Array(elements) => format!("[{}]", elements.iter().map(python).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => {
            let field =
                |(name, value): (&String, &Json)| format!("{}: {}", python(&Json::from(name.as_str())), python(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}

/// JSON as people type it: bare names, extra commas, comments.
fn sloppy(value: &Json) -> String {
    match value {
        Json::Array(elements) => {
            format!("[{},]", elements.iter().map(sloppy).collect::<Vec<_>>().join(", ")).replace("[,]", "[]")
        }
        Json::Object(fields) => {
            let bare = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
            let field = |(name, value): (&String, &Json)| {
                let name = if bare(name) { name.clone() } else { format!("\"{name}\"") };
                format!("\n  {name}: {}, // {name}", sloppy(value))
            };
            format!("{{{}\n}}", fields.iter().map(field).collect::<String>())
        }
        other => other.to_string(),
    }
}

fn program(call: &Call) -> String {
    let argument = |(name, value): (&String, &Json)| format!("{name}={}", python(value));
    format!("{}({})", call.0, call.1.iter().map(argument).collect::<Vec<_>>().join(", "))
}

fn object(call: &Call, arguments: &str) -> Json {
    serde_json::json!({ "name": call.0, arguments: call.1 })
}

fn each(calls: &[Call], write: impl Fn(&Call) -> String, between: &str) -> String {
    calls.iter().map(write).collect::<Vec<_>>().join(between)
}

/// The notations by name. `None`: these calls can't be written in it.
fn forms(calls: &[Call]) -> Vec<(&'static str, Option<String>)> {
    let json =
        |arguments: &'static str| Json::from(calls.iter().map(|call| object(call, arguments)).collect::<Vec<_>>());
    let is_name = |name: &String| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name.starts_with(|c: char| !c.is_ascii_digit())
    };
    let can_be_program = calls.iter().all(|(_, arguments)| arguments.keys().all(is_name));
    let as_program = |text: String| can_be_program.then_some(text);
    let elements = |call: &Call| {
        let parameter = |(name, value): (&String, &Json)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("<parameter={name}>\n{value}\n</parameter>\n")
        };
        format!(
            "<tool_call>\n<function={}>\n{}</function>\n</tool_call>",
            call.0,
            call.1.iter().map(parameter).collect::<String>()
        )
    };
    let in_text = |call: &Call| {
        serde_json::json!({ "name": call.0, "arguments": Json::from(call.1.clone()).to_string() }).to_string()
    };
    // Between tags, a string that looks like a number, or has marks at its ends, reads back as another value.
    let plain_texts = calls.iter().flat_map(|(_, arguments)| arguments.values()).all(|value| {
        value.as_str().is_none_or(|text| {
            text.trim() == text
                && serde_json::from_str::<Json>(text).is_err()
                && !matches!(text, "True" | "False" | "None" | "")
                && !text.starts_with(['.', '+', '0'])
        })
    });
    vec![
        ("json", Some(json("arguments").to_string())),
        ("json, indented", Some(serde_json::to_string_pretty(&json("parameters")).unwrap())),
        ("hermes", Some(each(calls, |call| format!("<tool_call>\n{}\n</tool_call>", object(call, "arguments")), "\n"))),
        (
            "hermes, python",
            Some(each(calls, |call| format!("<tool_call>{}</tool_call>", python(&object(call, "arguments"))), "\n")),
        ),
        (
            "hermes, arguments in a text",
            Some(each(calls, |call| format!("<tool_call>{}</tool_call>", in_text(call)), "\n")),
        ),
        ("qwen coder", plain_texts.then(|| each(calls, elements, "\n"))),
        (
            "llama",
            Some(format!(
                "<|python_tag|>{}<|eom_id|>",
                each(calls, |call| object(call, "parameters").to_string(), "; ")
            )),
        ),
        ("llama, plain", Some(each(calls, |call| object(call, "parameters").to_string(), "\n"))),
        ("mistral", Some(format!("[TOOL_CALLS]{}", json("arguments")))),
        (
            "mistral, new",
            Some(each(calls, |(name, arguments)| format!("[TOOL_CALLS]{name}{}", Json::from(arguments.clone())), "")),
        ),
        (
            "mistral, newest",
            Some(each(
                calls,
                |(name, arguments)| format!("[TOOL_CALLS]{name}[ARGS]{}", Json::from(arguments.clone())),
                "",
            )),
        ),
        ("python", as_program(format!("[{}]", each(calls, program, ", ")))),
        (
            "python, a line each",
            as_program(each(calls, program, "\n")).filter(|_| calls.iter().all(|(_, arguments)| !arguments.is_empty())),
        ),
        (
            "gemma",
            as_program(format!("```tool_code\n{}\n```", each(calls, |call| format!("print({})", program(call)), "\n"))),
        ),
        (
            "fence and words",
            Some(format!("Sure, here are the calls:\n\n```json\n{}\n```\n\nAnything else?", json("arguments"))),
        ),
        (
            "thoughts",
            Some(format!("<think>maybe {{\"name\": \"no\", \"arguments\": {{}}}}?</think>\n{}", json("arguments"))),
        ),
        ("thoughts opened by the prompt", Some(format!("I call {{something}}.\n</think>\n\n{}", json("arguments")))),
        ("single quotes", Some(python(&json("arguments")))),
        ("bare names, commas and remarks", Some(sloppy(&json("arguments")))),
        ("closing brackets missing", Some(json("arguments").to_string().trim_end_matches([']', '}']).to_owned())),
        ("brackets too many", Some(format!("{}}}}}]", json("arguments")))),
        ("full width colons", Some(json("arguments").to_string().replace("\":", "\"："))),
    ]
}

fn calls(answer: &ParsedAnswer) -> Vec<Call> {
    let call = |part: &AnswerPart| match part {
        AnswerPart::Call(call) => {
            let arguments = call
                .arguments
                .iter()
                .map(|(name, value)| (name.clone(), serde_json::from_str(&value.to_string()).unwrap()));
            (call.name.clone(), arguments.collect())
        }
        AnswerPart::Value(value) => (format!("no call: {value}"), Map::new()),
    };
    answer.parts.iter().map(call).collect()
}

fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => same_fields(a, b),
        _ => a == b,
    }
}

fn same_fields(a: &Map<String, Json>, b: &Map<String, Json>) -> bool {
    a.len() == b.len() && a.iter().all(|(name, value)| b.get(name).is_some_and(|other| same(value, other)))
}

fn same_calls(a: &[Call], b: &[Call]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && same_fields(&a.1, &b.1))
}

// DSL-3
#[test]
fn the_calls_of_the_collection_are_read_in_every_form_dsl_3() {
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut worst = Vec::new();
    for expected in collection() {
        for (form, text) in forms(&expected) {
            let Some(text) = text else { continue };
            let answer = read(&text);
            let right = same_calls(&calls(&answer), &expected);
            let (good, all) = table.entry(form).or_default();
            (*good, *all) = (*good + usize::from(right), *all + 1);
            if !right {
                worst.push(format!("{form}: {text}\n  read {:?}", calls(&answer)));
            }
        }
    }
    for (form, (good, all)) in &table {
        println!("{form}: {good} of {all}");
    }
    let (good, all) = table.values().fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    println!("in all {good} of {all}");
    assert!(all > 15_000, "only {all} answers were tried");
    let shown = worst.iter().take(8).cloned().collect::<Vec<_>>().join("\n");
    assert_eq!(good, all, "{} were read wrong:\n{shown}", worst.len());
}

/// Whether everything in `read` is in `expected`, which may have more; strings and numbers are whole.
fn is_part(read: &Json, expected: &Json) -> bool {
    match (read, expected) {
        (Json::Array(read), Json::Array(expected)) => {
            read.len() <= expected.len() && read.iter().zip(expected).all(|(a, b)| is_part(a, b))
        }
        (Json::Object(read), Json::Object(expected)) => {
            read.iter().all(|(name, value)| expected.get(name).is_some_and(|other| is_part(value, other)))
        }
        _ => same(read, expected),
    }
}

// DSL-3
#[test]
fn of_an_answer_that_is_cut_off_nothing_is_invented_dsl_3() {
    let mut tried = 0;
    for expected in collection().into_iter().step_by(5) {
        for (form, text) in forms(&expected) {
            // The text between tags, or after a name, does not reveal its own end; only the tag does.
            let Some(text) =
                text.filter(|_| !matches!(form, "closing brackets missing" | "thoughts opened by the prompt"))
            else {
                continue;
            };
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            for end in ends.iter().step_by(7) {
                let cut = text.get(..*end).unwrap();
                let answer = read(cut);
                tried += 1;
                for (read, expected) in calls(&answer).iter().zip(&expected) {
                    let named = read.0 == expected.0 || read.0.starts_with("no call");
                    assert!(named, "{form}: {cut}\n  read {read:?}");
                    for (name, value) in &read.1 {
                        let right = expected.1.get(name).is_some_and(|other| is_part(value, other));
                        assert!(right, "{form}: {cut}\n  read {name} = {value}");
                    }
                }
                if answer.cut == Cut::Nothing {
                    // Then every value was read to its end.
                    assert!(calls(&answer).len() <= expected.len(), "{form}: {cut}");
                }
                // The result is the same however it is split.
                let mut reader = AnswerReader::new();
                let chars: Vec<char> = cut.chars().collect();
                chars.chunks(3).for_each(|piece| reader.push(&piece.iter().collect::<String>()));
                assert_eq!(reader.finish(), answer, "{form}: {cut}");
            }
        }
    }
    println!("{tried} beginnings of answers");
}
