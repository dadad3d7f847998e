//! The answers of the real program with real llama.cpp (ENG-1, PAK-2, PAK-3).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests")]

#[path = "support/host.rs"]
mod host;

use std::collections::HashSet;

use host::{LlmHost, chat, collect, job, load, sample, text};
use luna_messages::engine::{ChatRole, FinishReason, Sampling};
use luna_test_support::tiny_models::gguf::{RandomLlm, ScriptedLlm};

const KOREAN: &str = "안녕하세요, 루나예요. 설정을 열었어요 🙂. 볼륨은 30%입니다.";

// ENG-1
#[tokio::test]
async fn korean_text_comes_in_whole_characters_eng_1() {
    let llm = LlmHost::with(|path| ScriptedLlm::new(KOREAN).write(path)).await;
    let said = llm.generate(job("설정 열어줘")).await;
    assert_eq!(said.answer, KOREAN);
    assert!(said.parts.len() > 10, "it streams: {:?}", said.parts);
    assert_eq!(said.usage.stop, FinishReason::End);
    assert!(said.usage.answer_tokens as usize > said.parts.len(), "some tokens hold no whole character");
    assert_eq!((said.thought.as_str(), said.usage.thinking_tokens, said.usage.thinking_cut), ("", 0, false));
    assert!(said.usage.first_token_us > 0);
    assert_eq!(llm.generate(text("아무 말")).await.answer, KOREAN, "also without a template");
}

// PAK-3
#[tokio::test]
async fn the_models_own_template_is_used_pak_3() {
    let count = async |template: Option<&str>, question: &str| {
        let mut model = ScriptedLlm::new("네");
        model.chat_template = template.map(str::to_owned);
        let llm = LlmHost::start().await;
        model.write(&llm.path("m.gguf")).unwrap();
        let loaded = llm.load(load(&llm.path("m.gguf"))).await.unwrap();
        assert_eq!(
            loaded.notes.iter().any(|note| note.topic == "template"),
            !template.is_some_and(|t| t.contains("for m in"))
        );
        llm.generate(job(question)).await.usage.prompt_tokens
    };
    // In these models each byte and each mark is one token.
    assert_eq!(count(Some("{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"), "Hi").await, 8);
    let chatml = "<.user\nHi<.\n<.assistant\n".len() as u32 - 3;
    assert_eq!(count(None, "Hi").await, chatml);
    assert_eq!(count(Some("{% broken"), "Hi").await, chatml);
    // Marks inside a message are plain text.
    assert_eq!(count(None, "a<|im_end|>b").await, chatml - 2 + 12);
}

// ENG-1
#[tokio::test]
async fn nothing_of_a_stop_text_is_said_eng_1() {
    let llm = LlmHost::with(|path| ScriptedLlm::new("첫째 줄\n둘째 줄ENDE나머지").write(path)).await;
    let check = async |stop: &[&str], expect: &str, reason: FinishReason| {
        let mut job = job("?");
        job.stop = stop.iter().map(|stop| (*stop).to_owned()).collect();
        let said = llm.generate(job).await;
        assert_eq!((said.answer.as_str(), said.usage.stop), (expect, reason), "{stop:?}");
    };
    check(&["END"], "첫째 줄\n둘째 줄", FinishReason::StopText).await;
    check(&["줄E", "\n"], "첫째 줄", FinishReason::StopText).await;
    check(&["둘째 줄ENDE나"], "첫째 줄\n", FinishReason::StopText).await;
    check(&["나머지다"], "첫째 줄\n둘째 줄ENDE나머지", FinishReason::End).await;
}

// ENG-1
#[tokio::test]
async fn limits_end_an_answer_and_say_so_eng_1() {
    let endless =
        |path: &std::path::Path| ScriptedLlm { endless: true, ..ScriptedLlm::new("끝이 없는 이야기 ") }.write(path);
    let llm = LlmHost::with(endless).await;
    let mut short = job("?");
    short.max_answer_tokens = 7;
    let said = llm.generate(short.clone()).await;
    assert_eq!((said.usage.stop, said.usage.answer_tokens), (FinishReason::AnswerLimit, 7));
    short.max_answer_tokens = 0;
    let said = llm.generate(short).await;
    assert_eq!((said.usage.stop, said.answer.as_str()), (FinishReason::AnswerLimit, ""));
    let mut small = load(&llm.path("model.gguf"));
    small.context_tokens = 64;
    llm.load(small).await.unwrap();
    let said = llm.generate(job("?")).await;
    assert_eq!(said.usage.stop, FinishReason::ContextFull);
    // The last token is not evaluated.
    assert_eq!(said.usage.prompt_tokens + said.usage.answer_tokens, 65);
}

// ENG-1
#[tokio::test]
async fn an_answer_of_just_the_limit_is_complete_eng_1() {
    let llm = LlmHost::with(|path| ScriptedLlm::new("네, 알겠어요.").write(path)).await;
    let mut exact = job("?");
    exact.max_answer_tokens = llm.generate(job("?")).await.usage.answer_tokens;
    assert_eq!(llm.generate(exact).await.usage.stop, FinishReason::End);
}

// PAK-3
#[tokio::test]
async fn a_second_call_evaluates_only_what_is_new_pak_3() {
    let llm = LlmHost::with(|path| RandomLlm::small(5).write(path)).await;
    let rules = "너는 루나라는 데스크톱 도우미다. 고른 것만 말한다. ".repeat(10);
    let ask = |question: &str| {
        let mut job = chat(&[(ChatRole::System, &rules), (ChatRole::User, question)]);
        job.max_answer_tokens = 8;
        job
    };
    let first = llm.generate(ask("메모장 열어줘")).await;
    assert_eq!(first.usage.reused_tokens, 0);
    let second = llm.generate(ask("소리 줄여줘")).await;
    let new = second.usage.prompt_tokens - second.usage.reused_tokens;
    assert!(second.usage.prompt_tokens > 600 && new < 50, "{:?}", second.usage);
    let again = llm.generate(ask("소리 줄여줘")).await;
    assert_eq!(again.usage.reused_tokens, again.usage.prompt_tokens - 1, "the last is needed for the next");
    // Reuse does not change the answer.
    llm.load(load(&llm.path("model.gguf"))).await.unwrap();
    let fresh = llm.generate(ask("소리 줄여줘")).await;
    assert_eq!(fresh.usage.reused_tokens, 0);
    assert_eq!((&fresh.answer, &second.answer), (&again.answer, &again.answer));
}

// PAK-2
#[tokio::test]
async fn tokens_are_counted_with_the_models_tokenizer_pak_2() {
    let llm = LlmHost::with(|path| ScriptedLlm::new("네").write(path)).await;
    assert_eq!(llm.count(&["", "Hi", "안녕", "a\n\n"]).await, [0, 2, 6, 2]);
    assert_eq!(llm.count(&[]).await, [0; 0]);
    assert_eq!(llm.count(&["<|im_end|>"]).await, [10], "a mark in a text is text");
}

// ENG-1
#[tokio::test]
async fn sampling_follows_its_wishes_eng_1() {
    let llm = LlmHost::with(|path| RandomLlm::small(9).write(path)).await;
    let ask = async |change: fn(&mut Sampling)| {
        let mut job = text("abc");
        job.max_answer_tokens = 24;
        change(&mut job.sampling);
        llm.generate(job).await.answer
    };
    let likeliest = ask(|_| {}).await;
    let warm = ask(|s| (s.temperature, s.seed) = (1.5, 7)).await;
    assert_eq!(warm, ask(|s| (s.temperature, s.seed) = (1.5, 7)).await, "the same seed");
    assert_ne!(warm, ask(|s| (s.temperature, s.seed) = (1.5, 8)).await, "another seed");
    assert_ne!(warm, likeliest);
    assert_eq!(ask(|s| (s.temperature, s.top_k) = (1.5, 1)).await, likeliest, "top-k 1");
    assert_eq!(ask(|s| (s.temperature, s.top_p) = (1.5, 0.0)).await, likeliest, "top-p 0");
    assert_eq!(ask(|s| (s.temperature, s.min_p) = (1.5, 1.0)).await, likeliest, "min-p 1");
    let highest = ask(|s| (s.temperature, s.seed) = (1.5, u32::MAX)).await;
    assert_eq!(highest, ask(|s| (s.temperature, s.seed) = (1.5, u32::MAX)).await, "the largest seed is one too");
}

// ENG-1
#[tokio::test]
async fn a_repeat_penalty_keeps_from_repeating_eng_1() {
    let llm = LlmHost::start().await;
    llm.load(load(&sample("llama2.c/stories260K.gguf"))).await.unwrap();
    let words = async |penalty: f32| {
        let mut job = text("One day, a boy");
        job.max_answer_tokens = 60;
        job.sampling.repeat_penalty = penalty;
        let answer = llm.generate(job).await.answer;
        let all: Vec<String> = answer.split_whitespace().map(str::to_owned).collect();
        let different: HashSet<&String> = all.iter().collect();
        (different.len() as f64 / all.len() as f64, answer)
    };
    let (plain, penalised) = (words(1.0).await, words(3.0).await);
    assert!(penalised.0 > plain.0, "{plain:?} {penalised:?}");
}

// ENG-1
#[tokio::test]
async fn a_trained_model_tells_a_story_eng_1() {
    let llm = LlmHost::start().await;
    let loaded = llm.load(load(&sample("llama2.c/stories260K.gguf"))).await.unwrap();
    assert_eq!(loaded.models[0].bytes, 1_185_376);
    let mut story = text("Once upon a time");
    story.max_answer_tokens = 60;
    let said = llm.generate(story).await;
    assert!(said.answer.contains("there was a"), "{said:?}");
}

// ENG-1
#[tokio::test]
async fn jobs_are_done_one_after_another_eng_1() {
    let llm = LlmHost::with(|path| ScriptedLlm::new(KOREAN).write(path)).await;
    let runs: Vec<_> = (0..5).map(|_| llm.run(job("?"))).collect();
    for run in runs {
        assert_eq!(collect(run).await.unwrap().answer, KOREAN);
    }
}
