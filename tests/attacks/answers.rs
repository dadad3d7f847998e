//! JSON Schemas that can't be enforced, and answers that break off (DSL-3): rejected before generation, or reported as incomplete.

use std::path::Path;
use std::process::{Command, Output};

use luna_test_support::tiny_models::gguf;
use serde_json::{Value, json};

use crate::desktop;

fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    (status.code(), text(stdout), text(stderr))
}

fn llm(folder: &Path, model: &Path, schema: &Value, more: &[&str]) -> (Option<i32>, String, String) {
    let file = folder.join("schema.json");
    std::fs::write(&file, schema.to_string()).unwrap();
    let mut command = desktop::luna(folder);
    command.args(["--set", "engines.llm.threads=1", "llm", "x", "--model"]).arg(model).arg("--schema").arg(file);
    run(command.args(more))
}

/// The schema, and a part of the required error. The model is never looked up.
fn hostile() -> Vec<(Value, &'static str)> {
    let text = |pattern: &str| json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}});
    vec![
        (text("^(?=.*[0-9])[a-z0-9]+$"), "#/properties/a"),
        (text("^(?!admin)[a-z]+$"), "looking ahead"),
        (text("^(?<=a)b$"), "looking ahead"),
        (text("^\\p{L}+$"), "\\p is not supported"),
        (text("^\\d{3}$"), "\\d is not supported"),
        (text("^(a)\\1$"), "\\1 is not supported"),
        (text("[a-z]+"), "begin with ^"),
        (text("^[^x]+$"), "all characters but some"),
        (text("^a{1000000}$"), "at most 1000"),
        (json!({"type": "number", "minimum": 18}), "supported for integers"),
        (json!({"type": "number", "multipleOf": 0.5}), "multipleOf"),
        (json!({"type": "integer", "minimum": 5, "maximum": 4}), "no integer lies between"),
        (json!({"type": "integer", "multipleOf": 7}), "multipleOf"),
        (json!({"type": "string", "minLength": 9, "maxLength": 3}), "exclude one another"),
        (json!({"type": "string", "format": "email"}), "email"),
        (json!({"type": "array", "uniqueItems": true}), "uniqueItems"),
        (json!({"type": "array", "contains": {"const": 3}}), "contains"),
        (json!({"type": "array", "minItems": 4, "maxItems": 2}), "exclude one another"),
        (json!({"type": "object", "minProperties": 2}), "minProperties"),
        (json!({"type": "object", "patternProperties": {"^a": {}}}), "patternProperties"),
        (json!({"type": "object", "properties": {}, "required": ["gone"]}), "gone"),
        (json!({"allOf": [{"type": "string"}, {"type": "integer"}]}), "allOf"),
        (json!({"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]}), "allOf"),
        (json!({"allOf": [{"type": "integer", "minimum": 5}, {"type": "integer", "maximum": 3}]}), "allOf"),
        (json!({"not": {"type": "string"}}), "not"),
        (json!({"if": {"type": "string"}, "then": {"const": "a"}}), "is not supported"),
        (json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}), "oneOf"),
        (json!({"type": "string", "enum": [1, 2]}), "not of the type"),
        (json!({"type": "object", "anyOf": [{"type": "string"}]}), "anyOf"),
        (json!({"$ref": "#/$defs/none"}), "not in this schema"),
        (json!({"$ref": "https://example.org/schema.json"}), "not in this schema"),
        (json!({"type": "banana"}), "banana"),
        (json!(false), "allows nothing"),
        (json!([1, 2]), "has to be an object"),
        (json!(3), "has to be an object"),
    ]
}

// DSL-3
#[test]
fn a_schema_that_cannot_be_kept_is_refused_before_anything_is_generated_dsl_3() {
    let folder = tempfile::tempdir().unwrap();
    for (schema, part) in hostile() {
        let (code, out, err) = llm(folder.path(), Path::new("/nowhere/m.gguf"), &schema, &[]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{schema}: {err}");
        assert!(
            err.contains(part)
                && err.contains("schema.json")
                && desktop::without_default_notice(&err).lines().count() == 1,
            "{schema}: {err}"
        );
    }
}

// DSL-3
#[test]
fn what_is_not_refused_is_kept_whatever_the_model_would_rather_say_dsl_3() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("random.gguf");
    let fits = |schema: &Value, answer: &Value| match schema["type"].as_str() {
        Some("integer") => answer.as_i64().is_some_and(|number| (18..=99).contains(&number)),
        Some("string") => answer.is_string(),
        _ => answer["a"].as_str().is_some_and(|text| text.len() <= 8),
    };
    let schemas = [
        json!({"type": "integer", "minimum": 18, "maximum": 99}),
        // The dot of a pattern must not match the closing quotation mark.
        json!({"type": "string", "pattern": "^a.{3,8}z$"}),
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^[a-z]{2,8}$"}}, "required": ["a"]}),
    ];
    for (seed, schema) in (0..).zip(&schemas) {
        gguf::RandomLlm::small(seed).write(&model).unwrap();
        let (code, out, err) = llm(folder.path(), &model, schema, &["--max-tokens", "200"]);
        assert_eq!(code, Some(0), "{schema}: {out} {err}");
        let answer: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
        assert!(fits(schema, &answer), "{schema}: {answer}");
    }
}

// DSL-3
#[test]
fn an_answer_that_breaks_off_is_no_answer_in_its_shape_dsl_3() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("random.gguf");
    gguf::RandomLlm::small(1).write(&model).unwrap();
    let schema = json!({"type": "array", "items": {"type": "string", "minLength": 40}, "minItems": 20});
    let (code, out, err) = llm(folder.path(), &model, &schema, &["--max-tokens", "12"]);
    assert_eq!(code, Some(1), "{out} {err}");
    assert!(out.starts_with('['), "what came is shown all the same: {out}");
    assert!(err.contains("cut off at its limit of 12 tokens") && err.contains("--max-tokens"), "{err}");
    let (code, out, _) = llm(folder.path(), &model, &schema, &["--max-tokens", "12", "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["finished"]), (Some(1), &json!(false)), "{answer}");
    assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains("12 tokens")), "{answer}");
}
