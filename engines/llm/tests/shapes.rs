//! Answers match the requested grammar, whatever the model would generate without it (DSL-2, DSL-3).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests")]

#[path = "support/host.rs"]
mod host;

use host::{LlmHost, gbnf, job, load, refused, schema};
use luna_messages::engine::{EngineErrorKind, FinishReason, GenerateJob, Grammar};
use luna_test_support::tiny_models::gguf::{RandomLlm, ScriptedLlm};
use serde_json::Value;

const ACTIONS: [&str; 8] = ["invoke", "set_value", "toggle", "select", "scroll", "key", "hotkey", "clarify"];
const IDS: [&str; 3] = ["a1", "b2", "c3"];

/// The schema of a command; the properties are in the order of the answer.
const COMMAND: &str = r#"{
    "type": "object",
    "properties": {
        "action": { "enum": ["invoke", "set_value", "toggle", "select", "scroll", "key", "hotkey", "clarify"] },
        "target": {
            "type": "object",
            "properties": { "id": { "enum": ["a1", "b2", "c3"] } },
            "required": ["id"],
            "additionalProperties": false
        },
        "params": {
            "type": "object",
            "properties": {
                "value": { "type": "string" },
                "direction": { "enum": ["up", "down"] },
                "amount": { "enum": ["small", "page", "end"] },
                "key": { "type": "string", "maxLength": 16 },
                "hotkey": { "type": "string", "maxLength": 32 }
            },
            "additionalProperties": false
        },
        "options": { "type": "array", "items": { "type": "string", "maxLength": 40 }, "maxItems": 3 }
    },
    "required": ["action", "target", "params"],
    "additionalProperties": false
}"#;

fn check_command(answer: &str) {
    let value: Value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    assert!(ACTIONS.contains(&text(&value["action"]).as_str()), "{answer}");
    assert!(IDS.contains(&text(&value["target"]["id"]).as_str()), "{answer}");
    let params = value["params"].as_object().unwrap_or_else(|| panic!("{answer}"));
    for (key, most) in [("value", 512), ("key", 16), ("hotkey", 32)] {
        assert!(params.get(key).is_none_or(|value| text(value).chars().count() <= most), "{answer}");
    }
    assert!(params.get("direction").is_none_or(|value| ["up", "down"].contains(&text(value).as_str())), "{answer}");
    assert!(
        value.get("options").is_none_or(|options| options.as_array().is_some_and(|all| all.len() <= 3)),
        "{answer}"
    );
    let known = ["action", "target", "params", "options"];
    assert!(value.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{answer}");
}

fn shaped(grammar: Option<Grammar>, tokens: u32) -> GenerateJob {
    GenerateJob { grammar, max_answer_tokens: tokens, ..job("메모장 열어줘") }
}

// DSL-2, DSL-3
#[tokio::test]
async fn a_command_comes_out_of_random_weights_dsl_2_dsl_3() {
    for model in 0..3 {
        let llm = LlmHost::with(|path| RandomLlm { context: 8192, ..RandomLlm::small(model) }.write(path)).await;
        let mut large = load(&llm.path("model.gguf"));
        large.context_tokens = 8192;
        llm.load(large).await.unwrap();
        for seed in 0..12 {
            let mut job = shaped(schema(COMMAND), 6000);
            job.sampling.temperature = [0.0, 0.8, 2.0][seed as usize % 3];
            job.sampling.seed = seed;
            let said = llm.generate(job).await;
            assert_eq!(said.usage.stop, FinishReason::End, "{said:?}");
            check_command(&said.answer);
        }
    }
}

// DSL-3
#[tokio::test]
async fn a_model_that_wants_to_chat_answers_in_shape_dsl_3() {
    let llm = LlmHost::with(|path| ScriptedLlm::new("네, 메모장을 열게요!").write(path)).await;
    check_command(&llm.generate(shaped(schema(COMMAND), 3000)).await.answer);
    let said = llm.generate(shaped(gbnf(r#"root ::= "예" | "아니요""#), 100)).await;
    assert!(["예", "아니요"].contains(&said.answer.as_str()), "{said:?}");
    assert_eq!(said.usage.stop, FinishReason::End);
}

// DSL-3
#[tokio::test]
async fn a_right_answer_is_not_changed_dsl_3() {
    let right = r#"{"action":"invoke","target":{"id":"b2"},"params":{"value":"한글 \"따옴\" 값"}}"#;
    let llm = LlmHost::with(|path| ScriptedLlm::new(right).write(path)).await;
    let said = llm.generate(shaped(schema(COMMAND), 200)).await;
    assert_eq!((said.answer.as_str(), said.usage.stop), (right, FinishReason::End));
    // Generation stops at the end of the object.
    let llm = LlmHost::with(|path| ScriptedLlm::new(r#"{"a":1}          그리고"#).write(path)).await;
    let said = llm
        .generate(shaped(schema(r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#), 200))
        .await;
    assert_eq!(serde_json::from_str::<Value>(&said.answer).unwrap(), serde_json::json!({ "a": 1 }));
    assert_eq!(said.usage.stop, FinishReason::End);
}

// DSL-3
#[tokio::test]
async fn free_schemas_end_too_dsl_3() {
    let llm = LlmHost::with(|path| RandomLlm { context: 32_768, ..RandomLlm::small(4) }.write(path)).await;
    let mut large = load(&llm.path("model.gguf"));
    large.context_tokens = 32_768;
    llm.load(large).await.unwrap();
    for (at, source) in [
        r#"{"type":"string"}"#,
        r#"{"type":"array","items":{"type":"number"}}"#,
        r#"{"type":"object"}"#,
        "{}",
        r#"{"type":"array"}"#,
        r#"{"type":"array","items":{"type":"string","maxLength":5},"minItems":2,"maxItems":4}"#,
        r#"{"type":"integer","minimum":3,"maximum":12}"#,
        r#"{"type":"string","pattern":"^a+b*$"}"#,
    ]
    .into_iter()
    .enumerate()
    {
        for seed in 0..3 {
            // The answer limit bounds strings; a lower one would be too low for the text around them.
            let mut job = shaped(schema(source), 30_000);
            (job.sampling.temperature, job.sampling.seed) = (1.0, at as u32 * 10 + seed);
            let said = llm.generate(job).await;
            assert_eq!(said.usage.stop, FinishReason::End, "{source}: {said:?}");
            assert!(serde_json::from_str::<Value>(&said.answer).is_ok(), "{source}: {}", said.answer);
        }
    }
}

// DSL-3, REA-3
#[tokio::test]
async fn an_answer_that_was_cut_says_so_rea_3() {
    let llm = LlmHost::with(|path| RandomLlm::small(1).write(path)).await;
    assert_eq!(llm.generate(shaped(schema(COMMAND), 5)).await.usage.stop, FinishReason::AnswerLimit);
}

// ENG-4, DSL-3
#[tokio::test]
async fn bad_grammars_are_refused_and_the_next_job_works_eng_4() {
    let llm = LlmHost::with(|path| ScriptedLlm::new("네").write(path)).await;
    for grammar in [
        schema("{"),
        schema(r#"{"type":"banana"}"#),
        gbnf("root ::= ("),
        gbnf("start ::= \"a\""),
        gbnf("root ::= nobody"),
        gbnf("root ::= root \"a\" | \"b\""),
        gbnf(""),
        gbnf("root ::= \"a\0b\""),
    ] {
        let error = refused(llm.try_generate(shaped(grammar.clone(), 50)).await);
        assert_eq!(error.kind, EngineErrorKind::BadInput, "{grammar:?}: {error}");
        assert!(error.message.ends_with('.') && error.remedy.ends_with('.'), "{error}");
    }
    assert_eq!(llm.generate(job("?")).await.answer, "네");
}
