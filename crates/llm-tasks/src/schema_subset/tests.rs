//! Which schemas are accepted, and where and why others are rejected.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::check as check_schema;
use crate::dsl::schema::PublishedSchema;

/// `part`: text that the error message must contain; `None` if the schema must be accepted.
#[track_caller]
fn check(schema: &Value, part: Option<&str>) {
    match (check_schema(schema), part) {
        (Ok(()), None) => {}
        (Err(why), Some(part)) => assert!(why.to_string().contains(part), "{schema} should say {part:?}: {why}"),
        (outcome, part) => panic!("{schema}: {outcome:?}, expected {part:?}"),
    }
}

// DSL-3
#[test]
fn luna_keeps_to_her_own_schemas_dsl_3() {
    for schema in PublishedSchema::ALL.into_iter().filter(|schema| *schema != PublishedSchema::Request) {
        let value: Value = serde_json::from_str(&schema.text()).unwrap();
        check(&value, None);
    }
}

// DSL-3
#[test]
fn what_a_grammar_says_is_kept_dsl_3() {
    for schema in [
        json!(true),
        json!({}),
        json!({"type": "object"}),
        json!({"type": "array", "items": {"type": "string", "minLength": 3}, "minItems": 2, "maxItems": 2}),
        json!({"prefixItems": [{"type": "integer"}, {"enum": ["a", 1, null]}]}),
        json!({"type": ["string", "null"], "maxLength": 10}),
        json!({"type": ["integer", "null"], "minimum": 3, "exclusiveMaximum": 4}),
        json!({"type": "string", "format": "date-time"}),
        json!({"title": "T", "description": "D", "default": 3, "$comment": "c", "type": "boolean"}),
        json!({"properties": {"a": {"$ref": "#/$defs/b"}}, "required": ["a"], "$defs": {"b": {"const": 3}}}),
        json!({"$ref": "#/$defs/list", "$defs": {"list": {"properties": {"next": {"$ref": "#/$defs/list"}}}}}),
        json!({"anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}),
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"oneOf": [{"const": 1}, {"const": 2}, {"type": "string"}]}),
        json!({"oneOf": [
            {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
        ]}),
        json!({"type": "object", "allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"b": {"type": "null"}}},
        ]}),
        json!({"type": "string", "enum": ["a"]}),
    ] {
        check(&schema, None);
    }
}

// DSL-3: schemas that the grammar silently ignored
#[test]
fn what_a_grammar_cannot_say_is_refused_with_its_place_dsl_3() {
    let age = |schema: Value| json!({"type": "object", "properties": {"age": schema}});
    for (schema, part) in [
        (json!(false), "at #: it allows nothing"),
        (age(json!({"type": "number", "minimum": 3})), "#/properties/age: \"minimum\" is supported for integers"),
        (age(json!({"minimum": 3})), "supported for integers"),
        (age(json!({"type": "integer", "minimum": 5, "maximum": 4})), "no integer lies between"),
        (age(json!({"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 5})), "no integer lies between"),
        (age(json!({"type": "integer", "minimum": 1, "exclusiveMinimum": 5})), "is ignored"),
        (age(json!({"type": "integer", "multipleOf": 5})), "\"multipleOf\" is not supported"),
        (age(json!({"type": "integer", "minimum": 1e300})), "too large"),
        (age(json!({"type": "string", "minLength": 5, "maxLength": 4})), "exclude one another"),
        (age(json!({"type": "string", "minLength": -1})), "no whole number"),
        (age(json!({"type": "string", "maxLength": 1_000_000})), "more than the 2000"),
        (age(json!({"type": "string", "format": "email"})), "format \"email\" is not supported"),
        (age(json!({"type": "string", "pattern": "^a$", "maxLength": 4})), "is ignored"),
        (age(json!({"type": "string", "contentEncoding": "base64"})), "\"contentEncoding\" is not supported"),
        (age(json!({"type": "array", "uniqueItems": true})), "\"uniqueItems\""),
        (age(json!({"type": "array", "contains": {}})), "\"contains\""),
        (age(json!({"type": "array", "minItems": 3, "maxItems": 2})), "exclude one another"),
        (age(json!({"type": "array", "prefixItems": [{}, {}], "maxItems": 1})), "breaks its own bounds"),
        (age(json!({"type": "array", "items": true})), "has to be an object here"),
        (age(json!({"type": "object", "patternProperties": {}})), "\"patternProperties\""),
        (age(json!({"type": "object", "minProperties": 1})), "\"minProperties\""),
        (age(json!({"type": "object", "propertyNames": {}})), "\"propertyNames\""),
        (age(json!({"not": {"type": "string"}})), "\"not\" is not supported"),
        (age(json!({"if": {}, "then": {}})), "is not supported"),
        (age(json!({"dependentRequired": {}})), "is not supported"),
        (age(json!({"type": "banana"})), "\"banana\" is no type"),
        (age(json!({"type": []})), "neither the name of a type"),
        (age(json!({"enum": []})), "no list of values"),
        (age(json!({"type": "string", "enum": ["a", 3]})), "the value 3 is not of the type string"),
        (age(json!({"const": "a", "maxLength": 3})), "\"maxLength\" beside \"const\""),
        (json!({"type": "object", "properties": {"a": {}}, "required": ["b"]}), "names \"b\""),
        (json!({"type": "object", "required": ["b"]}), "names \"b\""),
        (json!({"type": "object", "anyOf": [{"type": "string"}]}), "\"type\" beside \"anyOf\""),
        (json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}), "may fit the same answer"),
        (json!({"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string"}]}), "may fit the same answer"),
        (json!({"oneOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]}), "may fit the same answer"),
        (json!({"oneOf": [{"type": "string"}, {"const": "a"}]}), "may fit the same answer"),
        (json!({"allOf": [{"type": "string"}, {"type": "integer"}]}), "have to be objects"),
        (json!({"allOf": [{"enum": [1]}, {"enum": [2]}]}), "have to be objects"),
        (json!({"type": "string", "allOf": [{"maxLength": 3}]}), "for objects only"),
        (
            json!({"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"type": "null"}}}]}),
            "two parts of \"allOf\" describe \"a\"",
        ),
        (
            json!({"allOf": [{"properties": {"a": {}}, "additionalProperties": false}, {"properties": {"b": {}}}]}),
            "\"additionalProperties\" beside",
        ),
        (json!({"allOf": [{"properties": {"a": {}}, "required": ["c"]}]}), "names \"c\""),
        (json!({"$ref": "#/nowhere"}), "which is not in this schema"),
        (json!({"$ref": "https://example.org/a.json"}), "which is not in this schema"),
        (json!({"$ref": "#/$defs/a", "maxLength": 3, "$defs": {"a": {"type": "string"}}}), "beside \"$ref\""),
        (json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"multipleOf": 3}}}), "at #/$defs/a"),
    ] {
        check(&schema, Some(part));
    }
}

// DSL-3
#[test]
fn schemas_deep_in_one_another_are_refused_dsl_3() {
    let deep = (0..80).fold(json!({"type": "string"}), |inner, _| json!({"type": "array", "items": inner}));
    check(&deep, Some("too deep"));
}

// DSL-3
#[test]
fn patterns_are_kept_or_refused_dsl_3() {
    let pattern = |pattern: &str| json!({"type": "string", "pattern": pattern});
    for kept in
        ["^abc$", "^[a-z]{2,4}-[0-9]+$", r"^\(?010\)?[0-9]{8}$", "^(red|green|파랑)$", "^(?:a|b)*c?$", "^a.c$", "^$"]
    {
        check(&pattern(kept), None);
    }
    for (refused, part) in [
        ("abc", "begin with ^"),
        ("^abc", "begin with ^"),
        (r"^abc\$", "begin with ^"),
        ("^(?=a)b$", "looking ahead"),
        ("^(?!a)b$", "looking ahead"),
        ("^(?<=a)b$", "looking ahead"),
        ("^(?i)b$", "looking ahead"),
        (r"^\p{L}+$", "\\p is not supported"),
        (r"^\d+$", "\\d is not supported"),
        (r"^(a)\1$", "\\1 is not supported"),
        (r"^\bword$", "\\b is not supported"),
        ("^[^a]+$", "all characters but some"),
        ("^[ -~]+$", "the range  -~"),
        ("^[a\"]+$", "quotation marks"),
        ("^say \"x\"$", "quotation marks"),
        (r"^[\w]+$", "backslash in a set"),
        ("^[]$", "a set is empty"),
        ("^[a$", "a set is not closed"),
        ("^(a$", "a group is not closed"),
        ("^a)$", "a group is not opened"),
        ("^*a$", "nothing stands before *"),
        ("^a+?$", "nothing stands before ?"),
        ("^a{2000}$", "at most 1000"),
        ("^a{3,2}$", "not supported"),
        ("^a{,2}$", "not supported"),
        ("^a^b$", "at its ends only"),
    ] {
        check(&pattern(refused), Some(part));
    }
}
