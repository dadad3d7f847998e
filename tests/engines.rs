//! Models from the command line, with the real engines and tiny models: the normal use, and every failure.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

#[path = "engines/one_owner.rs"]
mod one_owner;
#[path = "engines/words.rs"]
mod words;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use desktop::{luna, sample};
use luna_test_support::tiny_models::{gguf, whisper};
use serde_json::Value;

const KOREAN: &str = "네, 설정 창을 열고 와이파이를 껐습니다.";

struct EngineRun {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder for models, and the commands that use them.
struct EngineBench {
    folder: tempfile::TempDir,
}

impl EngineBench {
    fn new() -> Self {
        for engine in ["luna-engine-llm", "luna-engine-stt"] {
            let path = luna_engine_host::engine_path(engine);
            assert!(path.is_file(), "{} is not there: build it with `cargo build -p {engine}`", path.display());
        }
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        text(&path)
    }

    /// A language model that answers `answer`.
    fn says(&self, answer: &str) -> String {
        let path = self.path("says.gguf");
        gguf::ScriptedLlm::new(answer).write(&path).unwrap();
        text(&path)
    }

    /// A speech model that recognises `words`.
    fn hears(&self, words: &str, lang: &str) -> String {
        let path = self.path("hears.bin");
        whisper::ScriptedWhisper::new(words).hearing(&[(lang, 1.0)]).write(&path).unwrap();
        text(&path)
    }

    fn run(&self, arguments: &[&str]) -> EngineRun {
        self.run_with(arguments, &[], "")
    }

    fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)], input: &str) -> EngineRun {
        let mut command = luna(self.folder.path());
        // A single thread, because the engines' threads wait by spinning.
        command.args(["--set", "engines.llm.threads=1", "--set", "engines.stt.threads=1"]);
        command.args(arguments).envs(environment.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
        EngineRun { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], environment: &[(&str, &str)], code: i32, parts: &[&str]) {
        let ran = self.run_with(arguments, environment, "");
        assert_eq!(ran.code, Some(code), "{arguments:?}: {} {}", ran.out, ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{arguments:?} should say {part:?}: {}", ran.err);
        }
        assert!(ran.out.is_empty() && !ran.err.contains("panicked"), "{arguments:?}: {} {}", ran.out, ran.err);
        assert!(ran.err.lines().count() <= 12, "one clear error: {}", ran.err);
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

// ENG-1
#[test]
fn a_model_answers_in_korean_eng_1() {
    let bench = EngineBench::new();
    let model = bench.says(KOREAN);
    let ran = bench.run(&["llm", "와이파이 꺼 줘", "--model", &model]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), format!("{KOREAN}\n").as_str()), "{}", ran.err);
    // From standard input, as JSON.
    let ran = bench.run_with(&["llm", "-", "--model", &model, "--json"], &[], "와이파이 꺼 줘\n");
    let answer: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {} {}", ran.out, ran.err));
    assert_eq!((answer["answer"].as_str(), answer["usage"]["stop"].as_str()), (Some(KOREAN), Some("end")), "{answer}");
    assert!(answer["usage"]["answer_tokens"].as_u64().is_some_and(|count| count > 5), "{answer}");
    // By configuration: any GGUF file.
    let ran = bench.run(&["--set", &format!("models.tasks.intent={model}"), "llm", "와이파이 꺼 줘"]);
    assert_eq!(ran.out, format!("{KOREAN}\n"), "{}", ran.err);
}

// ENG-1
#[test]
fn an_answer_ends_at_its_limit_eng_1() {
    let bench = EngineBench::new();
    let model = bench.path("endless.gguf");
    gguf::ScriptedLlm { endless: true, ..gguf::ScriptedLlm::new("one two three four five ") }.write(&model).unwrap();
    let ran = bench.run(&["llm", "count", "--model", &text(&model), "--max-tokens", "6", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["usage"]["answer_tokens"], 6, "{answer}");
    assert_eq!(answer["usage"]["stop"], "answer_limit", "{answer}");
}

// REA-4
#[test]
fn thinking_is_shown_only_where_it_is_wanted_rea_4() {
    let bench = EngineBench::new();
    let model = bench.path("thinks.gguf");
    let thinking = gguf::Thinking { text: "Which window is meant?".into(), opens: true, tag_tokens: true };
    let template = Some(gguf::CHATML_SWITCHED_THINKING.to_owned());
    let scripted = gguf::ScriptedLlm::new("The left one.");
    gguf::ScriptedLlm { thinking: Some(thinking), chat_template: template, ..scripted }.write(&model).unwrap();
    let model = text(&model);
    let ran = bench.run(&["llm", "Which?", "--model", &model, "--think"]);
    assert_eq!(ran.out.trim(), "The left one.", "{}", ran.err);
    assert!(ran.err.contains("Which window is meant?"), "{}", ran.err);
    for arguments in [&["llm", "Which?", "--model", &model][..], &["llm", "Which?", "--model", &model, "--json"]] {
        let ran = bench.run(arguments);
        assert!(ran.out.contains("The left one."), "{} {}", ran.out, ran.err);
        assert!(!ran.out.contains("meant") && !ran.err.contains("meant"), "{} {}", ran.out, ran.err);
    }
}

// DSL-2, DSL-3
#[test]
fn even_random_weights_answer_in_the_shape_of_a_command_dsl_2_dsl_3() {
    let bench = EngineBench::new();
    let actions = ["invoke", "set_value", "toggle", "select", "scroll", "key", "hotkey", "clarify"];
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "action": { "enum": actions },
            "target": { "type": "object", "properties": { "id": { "enum": ["e1", "e2"] } }, "required": ["id"], "additionalProperties": false },
            "options": { "type": "array", "maxItems": 3, "items": { "type": "string", "maxLength": 20 } }
        },
        "required": ["action", "target", "options"],
        "additionalProperties": false
    });
    let schema = bench.put("command.json", schema.to_string().as_bytes());
    for seed in 0..3 {
        let model = bench.path("random.gguf");
        gguf::RandomLlm::small(seed).write(&model).unwrap();
        let arguments = ["llm", "눌러", "--model", &text(&model), "--schema", &schema, "--max-tokens", "400"];
        let ran = bench.run(&arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
        assert!(answer["action"].as_str().is_some_and(|action| actions.contains(&action)), "{answer}");
        assert!(matches!(answer["target"]["id"].as_str(), Some("e1" | "e2")), "{answer}");
        let options = answer["options"].as_array().unwrap();
        assert!(
            options.len() <= 3 && options.iter().all(|it| it.as_str().is_some_and(|it| it.chars().count() <= 20)),
            "{answer}"
        );
    }
}

// ENG-4, GPU-2, KER-9
#[test]
fn a_language_model_that_cannot_be_used_gets_one_clear_error_eng_4_gpu_2_ker_9() {
    let bench = EngineBench::new();
    let model = bench.says(KOREAN);
    let whole = std::fs::read(&model).unwrap();
    let cut = bench.put("cut.gguf", &whole[..whole.len() / 2]);
    let page = bench.put("page.gguf", b"<!DOCTYPE html><html>not a model, but the page of an error</html>");
    let empty = bench.put("empty.gguf", b"");
    let llm = |model: &str| ["llm", "x", "--model", model].map(str::to_owned);
    let check = |model: &str, code, parts: &[&str]| {
        let arguments = llm(model);
        bench.fails(&arguments.each_ref().map(String::as_str), &[], code, parts);
    };
    check("/nowhere/x.gguf", 1, &["/nowhere/x.gguf", "is not there"]);
    check(&cut, 1, &["cut.gguf"]);
    check(&page, 1, &["page.gguf", "GGUF"]);
    check(&empty, 1, &["empty.gguf"]);
    check("no-such-model", 2, &["no-such-model", "qwen3-4b-instruct-2507"]);
    bench.fails(
        &["llm", "x", "--model", "qwen3-4b-instruct-2507"],
        &[("LUNA_MODELS", "/nowhere")],
        1,
        &["luna models fetch"],
    );
    bench.fails(&["llm", "x", "--model", &model], &[("LUNA_ENGINE_DIR", "/nowhere")], 1, &["/nowhere/luna-engine-llm"]);
    bench.fails(&["--set", "gpu.budget_mb=8", "llm", "x", "--model", &model], &[], 1, &["gpu.budget_mb", "8 MB"]);
    bench.fails(&["--set", "models.tasks.intent=x.gguf", "llm", "x"], &[], 2, &["models.tasks.intent", "whole path"]);
    bench.fails(&["--set", "models.tasks.intent=/m/x.bin", "llm", "x"], &[], 2, &["models.tasks.intent", "gguf"]);
    bench.fails(&["--set", "models.tasks.intent=null", "llm", "x"], &[], 1, &["models.tasks.intent"]);
}

#[test]
fn a_wrong_request_for_text_gets_one_clear_error() {
    let bench = EngineBench::new();
    let model = bench.says(KOREAN);
    let with = |more: &[&str], code, parts: &[&str]| {
        bench.fails(&[&["llm", "x", "--model", &model], more].concat(), &[], code, parts);
    };
    bench.fails(&["llm"], &[], 2, &["PROMPT"]);
    bench.fails(&["llm", " ", "--model", &model], &[], 1, &["the prompt holds no text", "write what is meant"]);
    bench.fails(&["llm", "-", "--model", &model], &[], 1, &["standard input holds no text", "write what is meant"]);
    with(&["--schema", "/nowhere/s.json"], 1, &["/nowhere/s.json"]);
    with(&["--schema", &bench.put("s.json", b"{ not json")], 1, &["s.json", "no JSON"]);
    with(&["--schema", &bench.put("t.json", br#"{"type": "no-such-type"}"#)], 1, &["JSON Schema"]);
    with(&["--max-tokens", "0"], 2, &["max-tokens"]);
    let long = "word ".repeat(20_000);
    bench.fails(&["llm", &long, "--model", &model], &[], 1, &["4096"]);
}

// STT-1, STT-3
#[test]
fn a_sound_file_is_written_down_stt_1_stt_3() {
    let bench = EngineBench::new();
    let words = "루나 설정 열어 줘";
    let model = bench.hears(words, "ko");
    let file = text(&sample("whisper.cpp/jfk.wav"));
    let ran = bench.run(&["transcribe", &file, "--model", &model]);
    assert_eq!((ran.code, ran.out.trim()), (Some(0), words), "{}", ran.err);
    let ran = bench.run(&["transcribe", &file, "--model", &model, "--json"]);
    let answer: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {} {}", ran.out, ran.err));
    assert_eq!(
        (answer["text"].as_str(), answer["segments"][0]["lang"].as_str()),
        (Some(words), Some("ko")),
        "{answer}"
    );
    assert!(answer["millis"].as_u64().is_some_and(|millis| (10_900..11_100).contains(&millis)), "{answer}");
    let confidence = answer["segments"][0]["confidence"].as_f64();
    assert!(confidence.is_some_and(|confidence| (0.0..=1.0).contains(&confidence)), "{answer}");
    // The language option overrides the detected language.
    let ran = bench.run(&["transcribe", &file, "--model", &model, "--json", "--lang", "en"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["segments"][0]["lang"].as_str(), Some("en"), "{answer}");
}

// STT-4
#[test]
fn where_nobody_speaks_nothing_is_written_stt_4() {
    let bench = EngineBench::new();
    let model = bench.hears("Thank you for watching", "en");
    let file = bench.path("silence.wav");
    wav(&file, 44_100, 2, &vec![0; 88_200]);
    let ran = bench.run(&["transcribe", &text(&file), "--model", &model]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(ran.err.contains("말소리가 없어요"), "{}", ran.err);
}

// ENG-4
#[test]
fn sound_and_models_that_cannot_be_used_get_one_clear_error_eng_4() {
    let bench = EngineBench::new();
    let model = bench.hears("x", "ko");
    let good = text(&sample("whisper.cpp/jfk.wav"));
    let sound = |file: &str, parts: &[&str]| bench.fails(&["transcribe", file, "--model", &model], &[], 1, parts);
    sound("/nowhere/x.wav", &["/nowhere/x.wav", "can't be opened"]);
    sound(&bench.put("text.wav", b"this is no sound at all, only text"), &["text.wav", "no sound file"]);
    sound(&bench.put("nothing.wav", b""), &["nothing.wav"]);
    let file = bench.path("empty.wav");
    wav(&file, 16_000, 1, &[]);
    sound(&text(&file), &["empty.wav", "is empty"]);
    let file = bench.path("long.wav");
    wav(&file, 8_000, 1, &vec![0; 8_000 * 660]);
    sound(&text(&file), &["long.wav", "600 s"]);
    let whole = std::fs::read(&model).unwrap();
    let cut = bench.put("cut.bin", &whole[..whole.len() / 3]);
    let with =
        |model: &str, code, parts: &[&str]| bench.fails(&["transcribe", &good, "--model", model], &[], code, parts);
    with("/nowhere/x.bin", 1, &["/nowhere/x.bin", "is not there"]);
    with(&cut, 1, &["cut.bin"]);
    with(&bench.put("page.bin", b"<!DOCTYPE html><html></html> and so on and so on"), 1, &["page.bin"]);
    with("whisper-huge", 2, &["whisper-huge", "whisper-base"]);
    bench.fails(
        &["transcribe", &good, "--model", "whisper-base"],
        &[("LUNA_MODELS", "/nowhere")],
        1,
        &["luna models fetch whisper-base"],
    );
    bench.fails(&["transcribe", &good, "--model", &model], &[("LUNA_ENGINE_DIR", "/nowhere")], 1, &["luna-engine-stt"]);
    bench.fails(&["transcribe", &good, "--lang", "fr"], &[], 2, &["possible values"]);
}

fn wav(path: &Path, rate: u32, channels: u16, samples: &[i16]) {
    let spec =
        hound::WavSpec { channels, sample_rate: rate, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(path, spec).unwrap();
    samples.iter().for_each(|sample| writer.write_sample(*sample).unwrap());
    writer.finalize().unwrap();
}

// KER-9, GPU-5
#[test]
fn doctor_shows_engines_models_card_and_budget_ker_9_gpu_5() {
    let bench = EngineBench::new();
    let (llm, stt) = (bench.says(KOREAN), bench.hears("x", "ko"));
    let finding = |ran: &EngineRun, name: &str| {
        let all: Vec<Value> =
            serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {} {}", ran.out, ran.err));
        all.into_iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name}: {}", ran.out))
    };
    let sets = ["models.tasks.intent", "models.tasks.translate"].map(|key| format!("{key}={llm}"));
    let stt = format!("models.tasks.stt={stt}");
    let ran = bench.run(&["--set", &sets[0], "--set", &sets[1], "--set", &stt, "doctor", "--json"]);
    for name in ["language_model_engine", "language_model", "speech_recognition_engine", "speech_recognition", "memory"]
    {
        assert_eq!(finding(&ran, name)["state"], "works", "{}", ran.out);
    }
    let says = |name: &str, part: &str| {
        let finding = finding(&ran, name);
        assert!(finding["detail"].as_str().unwrap().contains(part), "{part}: {finding}");
    };
    says("language_model_engine", "luna-engine-llm, version ");
    says("language_model", "says.gguf");
    says("speech_recognition", "hears.bin");
    says("memory", " MB ");
    // Nothing is installed: reported with a remedy, and reading still works.
    let nothing = [("LUNA_MODELS", "/nowhere"), ("LUNA_ENGINE_DIR", "/nowhere")];
    let ran = bench.run_with(&["doctor", "--json"], &nothing, "");
    for name in ["language_model_engine", "language_model", "speech_recognition_engine", "speech_recognition"] {
        let finding = finding(&ran, name);
        assert_eq!(finding["state"], "limited", "{finding}");
        assert!(finding["remedy"].as_str().is_some_and(|remedy| remedy.len() > 10), "{finding}");
    }
}
