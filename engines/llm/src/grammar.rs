//! Turns JSON Schemas into grammars under which every answer ends (DSL-3).

use luna_engine_protocol::failure;
use luna_llm_tasks::schema_subset;
use luna_messages::engine::{EngineError, EngineErrorKind, Grammar};

/// Maximum characters of a string if neither the schema nor the answer limit sets fewer.
const MAX_STRING: u32 = 512;
/// Maximum repetitions of anything else: array elements, additional object keys.
const MAX_REPETITIONS: u32 = 32;

const REMEDY: &str = "Change the grammar or the JSON Schema and try again.";

/// A grammar in llama.cpp's notation; its start rule is `root`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gbnf {
    pub text: String,
    /// Whether the grammar describes JSON.
    pub json: bool,
}

/// White space between JSON tokens. llama.cpp allows new lines and twenty blanks, on which a weak model wastes its tokens.
const SPACE: &str = r#"" "?"#;
/// Numbers that fit a 64-bit float; llama.cpp also allows sixteen digits in the exponent.
const NUMBER: &str = r#""-"? ([0] | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?"#;

/// Converts a grammar for llama.cpp. Every JSON answer is finite: what the schema leaves unbounded gets a bound, and free values nest
/// objects and arrays at most one level deep.
///
/// # Errors
/// The schema is not JSON, or uses what a grammar can't express.
pub fn gbnf(grammar: &Grammar, max_answer_tokens: u32) -> Result<Gbnf, EngineError> {
    match grammar {
        Grammar::Gbnf { text } => Ok(Gbnf { text: text.clone(), json: false }),
        Grammar::JsonSchema { schema } => {
            let value: serde_json::Value =
                serde_json::from_str(schema).map_err(|error| bad(format!("The JSON Schema is no JSON: {error}.")))?;
            if !value.is_object() && !value.is_boolean() {
                return Err(bad("A JSON Schema is an object, and this one is not.".to_owned()));
            }
            // llama.cpp silently ignores schema keywords that it doesn't support.
            schema_subset::check(&value).map_err(|unkept| bad(unkept.to_string()))?;
            // A bare `true` allows any value.
            let schema = if value.is_boolean() { "{}" } else { schema };
            let text = llama_cpp_2::json_schema_to_grammar(schema)
                .map_err(|_| bad("The JSON Schema asks for something that can't be made into a grammar.".to_owned()))?;
            Ok(Gbnf { text: bounded(&text, max_answer_tokens.clamp(16, MAX_STRING)), json: true })
        }
    }
}

/// Characters that stand for themselves inside a JSON string. llama.cpp lets the dot of a pattern match the closing quotation mark.
const PLAIN: &str = r#"[^"\\\x7F\x00-\x1F]"#;
/// Characters of a string. llama.cpp also allows hexadecimal escapes, some of which are not characters.
const CHAR: &str = r#"[^"\\\x7F\x00-\x1F] | [\\] ["\\bfnrt]"#;

pub fn bad(message: String) -> EngineError {
    failure(EngineErrorKind::BadInput, message, REMEDY)
}

/// Bounds every unbounded repetition.
fn bounded(grammar: &str, max_string: u32) -> String {
    let mut out = String::with_capacity(grammar.len() + 64);
    let mut free = false;
    for line in grammar.lines() {
        let (name, rule) = line.split_once(" ::= ").unwrap_or(("", line));
        let flat;
        let rule = if matches!(name, "object" | "array") {
            // These two rules and `value` are mutually recursive, which would allow unlimited nesting.
            free = true;
            flat = rule.replace("value", "flat-value");
            &flat
        } else {
            match name {
                "space" => SPACE,
                "number" => NUMBER,
                "char" => CHAR,
                "dot" => PLAIN,
                _ => rule,
            }
        };
        if !name.is_empty() {
            out.push_str(name);
            out.push_str(" ::= ");
        }
        bound_rule(rule, max_string, &mut out);
        out.push('\n');
    }
    if free {
        out.push_str("flat-value ::= string | number | boolean | null\n");
        for (name, rule) in [("boolean", "(\"true\" | \"false\")"), ("null", "\"null\""), ("number", NUMBER)] {
            // The grammar of arrays alone lacks these rules.
            if !out.lines().any(|line| line.split_once(" ::= ").is_some_and(|(known, _)| known == name)) {
                out.push_str(&format!("{name} ::= {rule}\n"));
            }
        }
    }
    out
}

/// Copies a rule. Outside literals and character sets, `*`, `+` and `{n,}` become `{0,N}`, `{1,N}` and `{n,n+N}`.
fn bound_rule(rule: &str, max_string: u32, out: &mut String) {
    let mut rest = rule.chars().peekable();
    // The closing character of the literal or set being copied.
    let mut inside: Option<char> = None;
    while let Some(character) = rest.next() {
        if let Some(end) = inside {
            out.push(character);
            if character == '\\' {
                out.extend(rest.next());
            } else if character == end {
                inside = None;
            }
            continue;
        }
        let most = |out: &str| if out.trim_end().ends_with("char") { max_string } else { MAX_REPETITIONS };
        match character {
            '"' => inside = Some('"'),
            '[' => inside = Some(']'),
            '*' => {
                let most = most(out);
                out.push_str(&format!("{{0,{most}}}"));
                continue;
            }
            '+' => {
                let most = most(out);
                out.push_str(&format!("{{1,{most}}}"));
                continue;
            }
            '{' => {
                let most = most(out);
                let inner: String = std::iter::from_fn(|| rest.next_if(|c| *c != '}')).collect();
                rest.next();
                match inner.trim().strip_suffix(',').map(|least| least.trim().parse::<u32>()) {
                    Some(Ok(least)) => out.push_str(&format!("{{{least},{}}}", least.saturating_add(most))),
                    Some(Err(_)) | None => out.push_str(&format!("{{{inner}}}")),
                }
                continue;
            }
            _ => {}
        }
        out.push(character);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    // DSL-3
    #[test]
    fn repetitions_get_an_end_dsl_3() {
        for (rule, expect) in [
            (r#"root ::= "a*" [*+] char*"#, r#"root ::= "a*" [*+] char{0,100}"#),
            (r#"root ::= "\"*" (x)* y+ z{3,} w{2,4} v{5}"#, r#"root ::= "\"*" (x){0,32} y{1,32} z{3,35} w{2,4} v{5}"#),
            (r"root ::= [^\]*]* char{2,}", r"root ::= [^\]*]{0,32} char{2,102}"),
        ] {
            assert_eq!(bounded(rule, 100).trim_end(), expect);
        }
    }

    // DSL-3
    #[test]
    fn schemas_become_grammars_without_endless_rules_dsl_3() {
        for schema in [
            "{}",
            "true",
            r#"{"type":"object"}"#,
            r#"{"type":"array"}"#,
            r#"{"type":"string"}"#,
            r#"{"type":"array","items":{"type":"string","minLength":3},"minItems":2}"#,
            r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^a+b*$"}},"additionalProperties":true}"#,
        ] {
            let grammar = gbnf(&Grammar::JsonSchema { schema: schema.to_owned() }, 96).unwrap();
            assert!(grammar.json);
            let mut outside = String::new();
            bound_rule(&grammar.text, 7, &mut outside);
            assert_eq!(outside, grammar.text, "{schema}: nothing is left to be bounded");
        }
    }

    // ENG-4, DSL-3
    #[test]
    fn bad_schemas_are_refused_clearly_eng_4_dsl_3() {
        for (schema, word) in [
            ("{", "no JSON"),
            ("3", "is an object"),
            (r##"{"$ref":"#/nowhere"}"##, "can't be kept to at #"),
            (r#"{"type":"banana"}"#, "can't be kept to at #"),
        ] {
            let error = gbnf(&Grammar::JsonSchema { schema: schema.to_owned() }, 96).unwrap_err();
            assert_eq!(error.kind, EngineErrorKind::BadInput);
            assert!(error.message.contains(word), "{schema}: {error}");
        }
    }
}
