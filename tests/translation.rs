//! Translating, summarising and deciding with the real engine and tiny models: from the command line, and in the running tree.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use async_channel::bounded;
use desktop::{LunaProcess, Mouse, SampleWindow, luna, root, take_turns};
use luna::batch_commands::language_tasks::{Decider, DecisionInput};
use luna::batch_commands::models::ModelActors;
use luna::system::System;
use luna_config::Config;
use luna_llm_tasks::dsl::Offer;
use luna_llm_tasks::dsl::schema::PublishedSchema;
use luna_llm_tasks::prompt::{PartCaps, Situation, command};
use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
use luna_messages::dsl::DslTask;
use luna_messages::engine::{GenerateJob, Sampling};
use luna_messages::language_tasks::{Meaning, ModelDecision};
use luna_messages::llm::{CountTokens, Generate, LlmMessage, LlmTask};
use luna_messages::pick::Role;
use luna_messages::{ElementId, Lang, Rect, RequestId};
use luna_test_support::reply;
use luna_test_support::tiny_models::gguf;
use serde_json::Value;

struct TranslationOutput {
    code: Option<i32>,
    out: String,
    err: String,
}

struct TranslationBench {
    folder: tempfile::TempDir,
}

impl TranslationBench {
    fn new() -> Self {
        let path = luna_engine_host::engine_path("luna-engine-llm");
        assert!(path.is_file(), "{} is not there: build it with `cargo build -p luna-engine-llm`", path.display());
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A language model that always answers `answer`.
    fn says(&self, answer: &str) -> String {
        let path = self.path("says.gguf");
        gguf::ScriptedLlm::new(answer).write(&path).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> TranslationOutput {
        let mut command = luna(self.folder.path());
        // A single thread, because the engine's threads wait by spinning.
        command.args(["--set", "engines.llm.threads=1"]).args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that takes no input may have exited already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
        TranslationOutput { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    fn pieces(&self, arguments: &[&str], input: &str) -> (Option<i32>, Vec<Value>) {
        let ran = self.run(arguments, input.as_bytes());
        let piece =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line} {}", ran.err));
        (ran.code, ran.out.lines().map(piece).collect())
    }
}

// TRN-1, TRN-2, PRE-2
#[test]
fn a_text_is_translated_with_its_layout_trn_1_trn_2_pre_2() {
    let bench = TranslationBench::new();
    let model = bench.says("There are 30% of 12 files.");
    let text = "파일 12개 중 30%를 옮겼다.\n\n- 12개에서 30%는 성공이다. Already English.\n";
    let ran = bench.run(&["translate", "--to", "en", "--model", &model], text.as_bytes());
    let expect = "There are 30% of 12 files.\n\n- There are 30% of 12 files. Already English.\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), expect), "{}", ran.err);
    // From a file, as JSON, with the language detected and the model configured.
    let file = bench.path("text.txt");
    std::fs::write(&file, text).unwrap();
    let set = format!("models.tasks.translate={model}");
    let (code, pieces) = bench.pieces(&["--set", &set, "translate", "--json", file.to_str().unwrap()], "");
    let status: Vec<&str> = pieces.iter().map(|piece| piece["status"].as_str().unwrap()).collect();
    assert_eq!((code, status.join(" ").as_str()), (Some(0), "kept kept unchanged"));
    assert_eq!(pieces[1]["gap"], "\n\n- ");
}

// PRE-4, PRE-7, TRN-3
#[test]
fn altered_tokens_are_repaired_marked_or_compared_by_value_pre_4_pre_7_trn_3() {
    let bench = TranslationBench::new();
    let model = bench.says("There are 37 apples.");
    let (code, pieces) = bench.pieces(&["translate", "--json", "--model", &model], "사과는 31개다.");
    assert_eq!(
        (code, pieces[0]["status"].as_str(), pieces[0]["text"].as_str()),
        (Some(0), Some("repaired"), Some("There are 31 apples."))
    );
    let ran = bench.run(&["translate", "--model", &model], "사과 31개와 배 52개다. 사과는 37개다.".as_bytes());
    let expect = "[원문] 사과 31개와 배 52개다.\n[번역(검증 실패)] There are 37 apples. There are 37 apples.\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), expect), "{}", ran.err);
    assert!(ran.err.contains("검증하지 못했어요"), "{}", ran.err);
    // The value is equal: accepted in natural mode only.
    let model = bench.says("It costs ₩32,000.");
    let status = |mode: &str| {
        bench.pieces(&["translate", "--json", "--mode", mode, "--model", &model], "값은 3만 2천원이다.").1[0]["status"]
            .clone()
    };
    assert_eq!(status("natural"), "kept");
    assert_ne!(status("faithful"), "kept");
}

// TRN-2, KER-6
#[test]
fn sentences_come_as_they_finish_and_nobody_works_for_a_closed_pipe_trn_2_ker_6() {
    let bench = TranslationBench::new();
    let model = bench.says("A sentence.");
    let text = "하나의 문장이다. ".repeat(400);
    let mut command = luna(bench.folder.path());
    command.args(["--set", "engines.llm.threads=1", "translate", "--json", "--model", &model]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(
        first.contains("\"index\":0") && child.try_wait().unwrap().is_none(),
        "the first comes while the rest is translated: {first}"
    );
    drop(lines);
    let start = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "it goes on translating without a reader");
        std::thread::sleep(Duration::from_millis(20));
    }
}

// PRE-5
#[test]
fn a_summary_holds_no_number_of_its_own_pre_5() {
    let bench = TranslationBench::new();
    let model = bench.says("파일 12개를 옮겼다. 9개는 남았다. 끝났다. 더 있다. 또 있다.");
    let ran = bench.run(&["summarize", "--model", &model], "파일 12개를 모두 옮겼고 작업이 끝났다.".as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "파일 12개를 옮겼다. 끝났다.\n"), "{}", ran.err);
    let model = bench.says("9개 남았다.");
    let ran = bench.run(&["summarize", "--json", "--model", &model], "파일을 옮겼다.".as_bytes());
    let summary: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, summary["text"].as_str()), (Some(1), Some("[요약(검증 실패)] 9개 남았다.")), "{}", ran.err);
}

// ENG-4, KER-9
#[test]
fn bad_input_gets_one_clear_error_eng_4_ker_9() {
    let bench = TranslationBench::new();
    let broken = bench.path("broken.gguf");
    std::fs::write(&broken, b"GGUF but no more").unwrap();
    let broken = broken.to_str().unwrap();
    let good = bench.says("Good.");
    for (arguments, input, code, part) in [
        (&["translate", "/nowhere/x.txt"][..], &b""[..], 1, "/nowhere/x.txt can't be opened"),
        (&["translate"], b"\xff\xfe\x00bad", 1, "UTF-8"),
        (&["translate"], b" \n\t", 1, "holds no text"),
        (&["translate", "--to", "fr"], b"x", 2, "en (English) and ko (Korean)"),
        (&["translate", "--mode", "free"], b"x", 2, "faithful and natural"),
        (&["translate", "--model", "no-such-model"], b"x", 2, "no-such-model"),
        (&["translate", "--model", "/nowhere/x.gguf"], "하나다.".as_bytes(), 1, "/nowhere/x.gguf is not there"),
        (&["translate", "--model", broken], "하나다.".as_bytes(), 1, "broken.gguf"),
        (&["summarize", "--model", broken], "하나다.".as_bytes(), 1, "broken.gguf"),
        (&["--set", "models.tasks.translate=null", "translate"], "하나다.".as_bytes(), 1, "models.tasks.translate"),
        (&["schema", "dsl-nothing"], b"", 2, "dsl-nothing"),
    ] {
        let ran = bench.run(arguments, input);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {} {}", ran.out, ran.err);
        assert!(
            ran.err.contains(part) && ran.out.is_empty() && !ran.err.contains("panicked"),
            "{arguments:?}: {}",
            ran.err
        );
    }
    // Text that needs no model works without one.
    let ran = bench.run(&["translate", "--to", "en", "--model", broken], b"Already English.");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Already English.\n"), "{}", ran.err);
    assert_eq!(bench.run(&["translate", "--model", &good], "하나다.".as_bytes()).out, "Good.\n");
}

// DSL-3
#[test]
fn the_schemas_are_published_dsl_3() {
    let bench = TranslationBench::new();
    let names = bench.run(&["schema"], b"").out;
    assert_eq!(names.lines().collect::<Vec<_>>(), PublishedSchema::ALL.map(PublishedSchema::name));
    for published in PublishedSchema::ALL {
        let path = root().join("config/dsl").join(format!("{}.json", published.name()));
        let committed = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(committed == published.text(), "{} is old: luna schema --write config/dsl", path.display());
        assert_eq!(bench.run(&["schema", published.name()], b"").out, committed);
    }
}

fn candidate(text: &str) -> Candidate {
    Candidate {
        id: ElementId(format!("element of {text}")),
        role: Role::Button,
        text: text.to_owned(),
        bbox: Rect::new(1, 2, 3, 4),
        automation_id: String::new(),
        enabled: true,
        near: Vec::new(),
        zone: Zone::Top,
        details: CandidateDetails::default(),
    }
}

/// The decisions of several models in turn, each written by `write`.
async fn decisions(task: DslTask, seeds: u64, write: impl Fn(u64, &std::path::Path)) -> Vec<ModelDecision> {
    let bench = TranslationBench::new();
    let mut decisions = Vec::new();
    for seed in 1..=seeds {
        let path = bench.path(&format!("{seed}.gguf"));
        write(seed, &path);
        let mut config = Config::built_in("default").unwrap();
        config.models.tasks.intent = Some(path.to_str().unwrap().to_owned());
        config.engines.llm.threads = 1;
        let decider = Decider::start(&config, &System::of_this_machine(), |_| {});
        let candidates = ["저장", "다른 이름으로 저장", "닫기"].map(candidate).to_vec();
        let question =
            DecisionInput { task, utterance: "저장".into(), candidates, text: String::new(), barge_in: false };
        decisions.push(decider.decide(question).await.unwrap());
        decider.end().await;
    }
    decisions
}

// DSL-3, DSL-4, NLU-4
#[tokio::test(flavor = "multi_thread")]
async fn a_model_with_random_weights_can_only_choose_what_is_offered_dsl_3_dsl_4_nlu_4() {
    let offered = ["저장", "다른 이름으로 저장", "닫기"].map(|text| ElementId(format!("element of {text}")));
    let mut by_the_model = 0;
    for decision in decisions(DslTask::SelectionDisambiguation, 6, |seed, path| {
        gguf::RandomLlm::small(seed).write(path).unwrap();
    })
    .await
    {
        assert!(
            decision.without_model.is_none() && decision.generations >= 1 && decision.answer_tokens > 0,
            "{decision:?}"
        );
        match &decision.meaning {
            Meaning::Command(chosen) => {
                by_the_model += 1;
                assert_eq!(chosen.command.target.is_some(), chosen.element.is_some());
                assert!(chosen.element.as_ref().is_none_or(|element| offered.contains(element)), "{decision:?}");
            }
            Meaning::Clarify { options, element, fallback } => {
                by_the_model += usize::from(!fallback);
                assert!(
                    options.len() <= 3 && element.as_ref().is_none_or(|element| offered.contains(element)),
                    "{decision:?}"
                );
            }
            Meaning::Reading(_) | Meaning::Plan(_) => panic!("{decision:?}"),
        }
    }
    // A random model may exceed its budget, but not always.
    assert!(by_the_model >= 1, "no answer of a model came through");
}

// REA-3, DSL-4
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_thinks_too_long_still_answers_in_the_schema_rea_3_dsl_4() {
    let thought = "Which of the buttons is meant? ".repeat(30);
    let write = |_: u64, path: &std::path::Path| {
        let thinking = gguf::Thinking { text: thought.clone(), opens: true, tag_tokens: true };
        let template = Some(gguf::CHATML_SWITCHED_THINKING.to_owned());
        let scripted = gguf::ScriptedLlm::new(r#"{"action":"invoke","target":{"id":"c2"}}"#);
        gguf::ScriptedLlm { thinking: Some(thinking), chat_template: template, ..scripted }.write(path).unwrap();
    };
    let decisions = decisions(DslTask::SelectionDisambiguation, 1, write).await;
    let Meaning::Command(chosen) = &decisions[0].meaning else { panic!("{decisions:?}") };
    assert_eq!(chosen.element, Some(ElementId("element of 다른 이름으로 저장".into())));
    assert!(decisions[0].thinking_tokens > 0, "REA-4: {decisions:?}");
}

// KER-9, REA-3
#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_the_person_is_asked_ker_9_rea_3() {
    let decisions = decisions(DslTask::NluIntent, 1, |_, _| {}).await;
    assert!(
        matches!(&decisions[0].meaning, Meaning::Clarify { options, fallback: true, .. } if options.len() == 3),
        "{decisions:?}"
    );
    assert!(decisions[0].without_model.as_ref().is_some_and(|why| why.contains("is not there")), "{decisions:?}");
}

// PAK-1, PAK-2, PAK-3
#[tokio::test(flavor = "multi_thread")]
async fn prompts_fit_by_the_models_own_count_and_begin_alike_pak_1_pak_2_pak_3() {
    let bench = TranslationBench::new();
    let model = bench.says("Good.");
    let mut config = Config::built_in("default").unwrap();
    config.models.tasks.intent = Some(model);
    config.engines.llm.threads = 1;
    let models = ModelActors::start(&config, &System::of_this_machine());
    let caps = PartCaps { system: 400, max_tokens: 900, ..PartCaps::default() };
    let mut reused = Vec::new();
    for (utterance, text) in
        [("저장 눌러 줘", "A page. ".repeat(90)), ("두 줄 뒤 영어로 읽어 줘", "Another one. ".repeat(90))]
    {
        let mut offer = Offer::new(&["저장", "다른 이름으로 저장", "닫기", "열기"].map(candidate));
        let situation =
            Situation { device_state: vec!["volume: 40 %".into()], digest: vec!["opened a menu".into()], text };
        let dangerous = ["삭제".to_owned()];
        let sections = command::sections(DslTask::NluIntent, Lang::En, utterance, &offer, &dangerous, &situation);
        let (reply, counted) = reply();
        let request = CountTokens { id: RequestId::next(), task: LlmTask::Intent, texts: sections.texts(), reply };
        models.wiring.llm.post(LlmMessage::CountTokens(request)).unwrap();
        let counts = counted.await.unwrap().unwrap().unwrap();
        let packed = sections.pack(&counts, &caps);
        assert!(
            packed.target > 0 && packed.target < sections.target.len(),
            "what is left goes to the text: {packed:?}"
        );
        let prompt = command::prompt(DslTask::NluIntent, &sections, &packed, &mut offer, &dangerous);
        let (pieces, reader) = bounded(16);
        let (reply, done) = luna_test_support::reply();
        let job = GenerateJob {
            prompt,
            max_answer_tokens: 8,
            max_thinking_tokens: 0,
            sampling: Sampling::default(),
            stop: Vec::new(),
            grammar: None,
            pictures: Vec::new(),
        };
        let (id, pictures) = (RequestId::next(), Vec::new());
        let request = Generate {
            id,
            task: LlmTask::Intent,
            job: Box::new(job),
            pictures,
            include_thinking: false,
            pieces,
            reply,
        };
        models.wiring.llm.post(LlmMessage::Generate(request)).unwrap();
        while reader.recv().await.is_ok() {}
        let usage = done.await.unwrap().unwrap().unwrap();
        assert!(usage.prompt_tokens <= caps.max_tokens, "{usage:?} {packed:?}");
        assert!(usage.prompt_tokens > caps.max_tokens * 3 / 4, "the room is used: {usage:?}");
        reused.push(usage.reused_tokens);
    }
    assert!(reused[1] >= 200, "the fixed part was evaluated before: {reused:?}");
    models.end().await;
}

// BRG-2, TRN-2, KER-6
#[test]
fn what_is_under_the_pointer_is_translated_aloud_and_stop_ends_it_brg_2_trn_2_ker_6() {
    let _turn = take_turns();
    let bench = TranslationBench::new();
    let model = bench.says("빠른 여우가 뛰어넘습니다.");
    let sample = SampleWindow::start("gtk3_sample.py", "Translate");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA__MODELS__TASKS__TRANSLATE", &model).env("LUNA__ENGINES__LLM__THREADS", "1");
    });
    luna.order("on");
    luna.hears("quick brown fox");
    luna.order("translate");
    assert_eq!(luna.hears("빠른 여우가 뛰어넘습니다")["lang"], "ko");
    assert!(luna.metric("luna_translation_sentences_total{status=\"kept\"}") >= 1.0, "{}", luna.get("metrics"));
    luna.order("summarize");
    luna.hears("빠른 여우");
    luna.order("translate");
    luna.order("stop");
    luna.order("spell");
    luna.event("Focus.Intent.result", |data| data["intent"] == "spell");
}
