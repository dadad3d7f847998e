//! Thinking is separated from the answer and stays within its budget (REA-1, REA-3, REA-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests")]

#[path = "support/host.rs"]
mod host;

use host::{LlmHost, gbnf, job, schema};
use luna_messages::engine::{FinishReason, GenerateJob};
use luna_test_support::tiny_models::gguf::{
    CHATML, CHATML_OPENED_THINKING, CHATML_SWITCHED_THINKING, ScriptedLlm, Thinking,
};

const THOUGHT: &str = "음, 무엇을 열까? a < b 그리고 <b>.";
const ANSWER: &str = "설정을 열었어요.";

async fn thinker(answer: &str, template: &str, tag_tokens: bool) -> LlmHost {
    let opens = template != CHATML_OPENED_THINKING;
    let model = ScriptedLlm {
        thinking: Some(Thinking { text: THOUGHT.to_owned(), opens, tag_tokens }),
        chat_template: Some(template.to_owned()),
        ..ScriptedLlm::new(answer)
    };
    LlmHost::with(|path| model.write(path)).await
}

fn think(tokens: u32) -> GenerateJob {
    GenerateJob { max_thinking_tokens: tokens, ..job("설정 열어줘") }
}

// REA-4
#[tokio::test]
async fn thought_and_answer_come_apart_rea_4() {
    for template in [CHATML, CHATML_SWITCHED_THINKING, CHATML_OPENED_THINKING] {
        for tag_tokens in [true, false] {
            let llm = thinker(ANSWER, template, tag_tokens).await;
            let said = llm.generate(think(500)).await;
            assert_eq!((said.thought.trim(), said.answer.as_str()), (THOUGHT, ANSWER), "{template} {tag_tokens}");
            assert_eq!((said.usage.stop, said.usage.thinking_cut), (FinishReason::End, false));
            assert!(said.usage.thinking_tokens > 5 && said.usage.answer_tokens > 5, "{said:?}");
        }
    }
}

// REA-1, REA-3
#[tokio::test]
async fn a_thought_is_cut_at_its_budget_and_the_answer_follows_rea_1_rea_3() {
    for template in [CHATML, CHATML_OPENED_THINKING] {
        for tag_tokens in [true, false] {
            let llm = thinker(ANSWER, template, tag_tokens).await;
            let said = llm.generate(think(8)).await;
            assert_eq!(said.answer, ANSWER, "{template} {tag_tokens}: {said:?}");
            assert!(said.usage.thinking_cut && said.usage.thinking_tokens == 8, "{said:?}");
            assert!(THOUGHT.starts_with(said.thought.trim().trim_end_matches('\u{fffd}')), "{said:?}");
        }
    }
}

// REA-1
#[tokio::test]
async fn a_model_that_is_asked_not_to_think_does_not_rea_1() {
    for template in [CHATML_SWITCHED_THINKING, CHATML_OPENED_THINKING] {
        let llm = thinker(ANSWER, template, true).await;
        let said = llm.generate(think(0)).await;
        assert_eq!((said.thought.trim(), said.answer.as_str()), ("", ANSWER), "{template}");
        assert_eq!((said.usage.thinking_tokens, said.usage.thinking_cut), (0, false), "{template}");
    }
    // A model that thinks anyway is cut off.
    let llm = thinker(ANSWER, CHATML, false).await;
    let said = llm.generate(think(0)).await;
    assert_eq!(said.answer, ANSWER);
    assert!(said.usage.thinking_cut && said.thought.len() < THOUGHT.len() / 2, "{said:?}");
}

// REA-1, DSL-3
#[tokio::test]
async fn the_shape_holds_for_the_answer_only_rea_1_dsl_3() {
    let answer = r#"{"id":"b2"}"#;
    let grammar = schema(r#"{"type":"object","properties":{"id":{"type":"string","maxLength":4}},"required":["id"]}"#);
    for template in [CHATML, CHATML_OPENED_THINKING] {
        for (tag_tokens, budget) in [(true, 500), (false, 500), (true, 6), (false, 6)] {
            let llm = thinker(answer, template, tag_tokens).await;
            let said = llm.generate(GenerateJob { grammar: grammar.clone(), ..think(budget) }).await;
            assert_eq!(said.answer, answer, "{template} {tag_tokens} {budget}: {said:?}");
            assert_eq!(said.usage.thinking_cut, budget == 6);
            assert!(!said.thought.trim().is_empty());
        }
    }
}

// REA-1, DSL-3
#[tokio::test]
async fn a_model_that_does_not_think_answers_in_shape_at_once_rea_1_dsl_3() {
    // The text begins like a thought but is none.
    for text in ["<the answer>", "  <thin air", "네"] {
        let llm = LlmHost::with(|path| ScriptedLlm::new(text).write(path)).await;
        let said = llm.generate(GenerateJob { grammar: gbnf("root ::= \"ok\" [a-c]"), ..think(100) }).await;
        assert!(said.answer.starts_with("ok") && said.answer.len() == 3, "{text}: {said:?}");
        assert_eq!((said.thought.as_str(), said.usage.thinking_tokens), ("", 0), "{text}");
        assert_eq!(llm.generate(think(100)).await.answer, text, "without a shape nothing is lost");
    }
}

// REA-3
#[tokio::test]
async fn a_thought_that_never_ends_is_followed_by_an_answer_rea_3() {
    // The thought ends without the closing tag, like that of a model that stops at its own end token.
    let model = ScriptedLlm {
        thinking: None,
        chat_template: Some(CHATML_OPENED_THINKING.to_owned()),
        ..ScriptedLlm::new("생각만 한다")
    };
    let llm = LlmHost::with(|path| model.write(path)).await;
    let said = llm.generate(think(500)).await;
    assert_eq!(said.thought, "생각만 한다");
    assert_eq!(said.answer, "생각만 한다", "after the tag it begins anew");
}
