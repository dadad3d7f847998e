//! The batch commands with valid and invalid input: one clear error, the right exit code, nothing left behind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::path::Path;

use desktop::{SampleWindow, luna, sample, take_turns};
use luna_messages::candidate::{Candidate, Zone};
use luna_messages::pick::Role;
use luna_platform::hot_key::{self, HotKey};
use serde_json::Value;

struct CommandOutput {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> CommandOutput {
    run_with(arguments, &[])
}

fn run_with(arguments: &[&str], environment: &[(&str, &str)]) -> CommandOutput {
    let home = tempfile::tempdir().unwrap();
    let output = luna(home.path()).args(arguments).envs(environment.iter().copied()).output().unwrap();
    CommandOutput {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[track_caller]
fn fails(arguments: &[&str], environment: &[(&str, &str)], code: i32, parts: &[&str]) {
    let ran = run_with(arguments, environment);
    assert_eq!(ran.code, Some(code), "{arguments:?}: {} {}", ran.out, ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "{arguments:?} should say {part:?}: {}", ran.err);
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert!(ran.err.lines().count() <= 12, "one clear error: {}", ran.err);
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

// OCR-1, OCR-2
#[test]
fn a_picture_is_read_as_json_ocr_1_ocr_2() {
    let _turn = take_turns();
    let page = sample("ocrs/why-rust.png");
    let ran = run(&["read", "--image", text(&page), "--at", "200,120", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let blocks = json["blocks"].as_array().unwrap();
    let all: Vec<&str> = blocks.iter().map(|block| block["text"].as_str().unwrap()).collect();
    assert!(all.concat().contains("Rust"), "{all:?}");
    for (order, block) in blocks.iter().enumerate() {
        assert_eq!(block["order"].as_u64(), Some(order as u64));
        assert_eq!(block["bbox"].as_array().map(Vec::len), Some(4));
        assert!(block["confidence"].as_f64().is_some_and(|c| (0.0..=1.0).contains(&c)));
    }
    assert_eq!((json["lang"].as_str(), json["is_table"].as_bool()), (Some("en"), Some(false)));
    assert!(json["picked"]["text"].as_str().is_some_and(|text| !text.is_empty()));
}

// PIC-1
#[test]
fn the_screen_is_read_once_pic_1() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Once");
    let (x, y) = sample.point("label_ko");
    let ran = run(&["read", "--at", &format!("{x},{y}"), "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(json["picked"]["text"].as_str().unwrap().contains("다람쥐"), "{json}");
    assert_eq!((json["lang"].as_str(), json["picked"]["method"].as_str()), (Some("ko"), Some("uia")));
    // ANN-1: what is said is told beside the text.
    let picked = &json["picked"];
    assert_eq!(picked["role"], "text", "{json}");
    assert!(picked["said"].as_str().unwrap().contains("다람쥐") && picked["states"].is_array(), "{json}");
    for key in ["label", "value", "position", "level", "description", "placeholder"] {
        assert!(picked.get(key).is_some(), "{key}: {json}");
    }
}

// PIC-9
#[test]
fn the_candidates_of_a_window_are_listed_pic_9() {
    let _turn = take_turns();
    // The window's left column lies in the screen's left third, its right one in the middle.
    let sample = SampleWindow::start("gtk3_sample.py", "Candidates");
    let (x, y) = sample.point("label_ko");
    let at = format!("{x},{y}");
    let ran = run(&["read", "--at", &at, "--candidates", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.out.contains(desktop::SECRET) && !ran.out.contains('●'), "PIC-5: {}", ran.out);
    let found: Vec<Candidate> = serde_json::from_str(&ran.out).unwrap();
    let find = |text: &str| found.iter().find(|one| one.text == text).unwrap_or_else(|| panic!("{text}: {found:#?}"));
    let entry = find("Seoul station 서울역");
    assert_eq!((entry.role, entry.enabled, entry.zone), (Role::Edit, true, Zone::Left), "{entry:?}");
    assert_eq!(entry.near[0], "Destination 목적지", "{entry:?}");
    assert!(entry.details.said.ends_with("Seoul station 서울역"), "ANN-1: {entry:?}");
    assert!(entry.near.contains(&"Open the manual 설명서".to_owned()), "what stands above it: {entry:?}");
    let price = find("2,500원");
    assert_eq!((price.role, price.zone), (Role::Cell, Zone::Top), "{price:?}");
    assert_eq!(price.near[0], "배 Pear", "{price:?}");
    assert!(!find("Not now 지금은 안 됨").enabled);
    // The human-readable form, and a place without a window.
    let ran = run(&["read", "--at", &at, "--candidates"]);
    assert!(ran.out.contains("left\tEdit\tSeoul station 서울역\t(near: Destination 목적지"), "{}", ran.out);
    drop(sample);
    fails(&["read", "--at", "1900,1000", "--candidates"], &[], 1, &["창이 없"]);
    fails(&["read", "--image", "x.png", "--at", &at, "--candidates"], &[], 2, &["--candidates"]);
}

// TTS-5
#[test]
fn speech_goes_into_a_file_tts_5() {
    let _turn = take_turns();
    let folder = tempfile::tempdir().unwrap();
    let wav = folder.path().join("say.wav");
    let ran = run(&["say", "안녕하세요. Hello there.", "--wav", text(&wav), "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let reader = hound::WavReader::open(&wav).unwrap();
    let seconds = f64::from(reader.duration()) / f64::from(reader.spec().sample_rate);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert!((report["seconds"].as_f64().unwrap() - seconds).abs() < 0.01);
    assert!((1.0..6.0).contains(&seconds), "{seconds}");
    let loud =
        reader.into_samples::<i16>().filter(|sample| sample.as_ref().is_ok_and(|s| s.unsigned_abs() > 1000)).count();
    assert!(loud > 5000, "{loud}");
    // Twice the tempo halves the duration.
    let fast = folder.path().join("fast.wav");
    run(&["--set", "tts.rate=2.0", "say", "안녕하세요. Hello there.", "--wav", text(&fast)]);
    let reader = hound::WavReader::open(&fast).unwrap();
    let ratio = seconds / (f64::from(reader.duration()) / f64::from(reader.spec().sample_rate));
    assert!((1.7..2.3).contains(&ratio), "{ratio}");
    // Aloud, to the end.
    assert_eq!(run(&["say", "하나."]).code, Some(0));
}

#[test]
fn bad_pictures_get_one_clear_error() {
    let _turn = take_turns();
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    fails(&["read", "--image", "/nowhere/x.png", "--json"], &[], 1, &["/nowhere/x.png", "can't be opened"]);
    fails(&["read", "--image", &put("text.png", b"this is no picture"), "--json"], &[], 1, &["no picture"]);
    fails(&["read", "--image", &put("empty.png", b""), "--json"], &[], 1, &["empty.png"]);
    let page = std::fs::read(sample("ocrs/why-rust.png")).unwrap();
    fails(&["read", "--image", &put("cut.png", &page[..page.len() / 2]), "--json"], &[], 1, &["cut.png"]);
    fails(&["read", "--image", &put("zero.bmp", &bitmap(0, 0)), "--json"], &[], 1, &["zero.bmp"]);
    fails(&["read", "--image", &put("huge.bmp", &bitmap(60_000, 60_000)), "--json"], &[], 1, &["too large", "60000"]);
    // 20,000 pixels of width are unusual but readable.
    let wide = folder.path().join("wide.png");
    image::RgbImage::from_pixel(20_000, 40, image::Rgb([255; 3])).save(&wide).unwrap();
    let ran = run(&["read", "--image", text(&wide), "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// The header of a bitmap that claims these sides.
fn bitmap(width: i32, height: i32) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    bytes.extend(54_u32.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(54_u32.to_le_bytes());
    bytes.extend(40_u32.to_le_bytes());
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend([1, 0, 24, 0]);
    bytes.extend([0; 24]);
    bytes
}

// CFG-2
#[test]
fn bad_words_get_exit_code_2_and_a_remedy_cfg_2() {
    let _turn = take_turns();
    fails(&["read"], &[], 2, &["--at"]);
    fails(&["read", "--at", "here"], &[], 2, &["X,Y"]);
    fails(&["ctl", "focus", "sideways"], &[], 2, &["possible values"]);
    fails(&["say", ""], &[], 1, &["empty"]);
    fails(&["--set", "tts.rat=1.2", "say", "x"], &[], 2, &["tts.rat", "rate"]);
    fails(&["--set", "tts.rate=fast", "say", "x"], &[], 2, &["tts.rate"]);
    fails(&["--set", "tts.rate=9", "say", "x"], &[], 2, &["tts.rate"]);
    fails(&["--profile", "nobody", "say", "x"], &[], 2, &["nobody", "low_vram"]);
    fails(&["ctl", "focus", "on"], &[], 1, &["isn't running", "luna run"]);
}

// KER-9, ENG-4
#[test]
fn missing_things_get_one_clear_error_ker_9_eng_4() {
    let _turn = take_turns();
    let folder = tempfile::tempdir().unwrap();
    let page = sample("ocrs/why-rust.png");
    let read = ["read", "--image", text(&page), "--json"];
    fails(&read, &[("LUNA_MODELS", text(folder.path()))], 1, &["is not there", "luna models fetch"]);
    fails(&["read", "--at", "100,100", "--json"], &[("DISPLAY", ":99123")], 1, &["화면을 읽을 수 없어요"]);
    fails(&["say", "하나"], &[("PULSE_SERVER", "unix:/nowhere"), ("ALSA_CONFIG_PATH", "/nowhere")], 1, &["sound"]);
    fails(&["say", "x", "--wav", "/nowhere/x.wav"], &[], 1, &["/nowhere/x.wav"]);
    fails(&["say", "x", "--wav", "/tmp/never.wav"], &[("LUNA_ENGINE_DIR", "/nowhere")], 1, &["/nowhere"]);

    // A truncated model is reported, not loaded.
    let broken = folder.path().join("models");
    copy(&desktop::models(), &broken);
    let model = largest_onnx(&broken);
    let bytes = std::fs::read(&model).unwrap();
    std::fs::write(&model, &bytes[..bytes.len() / 2]).unwrap();
    fails(&read, &[("LUNA_MODELS", text(&broken))], 1, &[model.file_name().unwrap().to_str().unwrap()]);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The largest configured recogniser or detector file.
fn largest_onnx(folder: &Path) -> std::path::PathBuf {
    let config = luna_config::Config::built_in("default").unwrap();
    let model = folder.join(&config.engines.ocr.recognition);
    let files = std::fs::read_dir(&model).unwrap_or_else(|_| panic!("{} is not fetched", model.display()));
    files.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "onnx")).unwrap()
}

// KER-9
#[test]
fn doctor_tells_what_works_and_what_to_do_ker_9() {
    let _turn = take_turns();
    let ran = run(&["doctor", "--json"]);
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let state = |name: &str| findings.iter().find(|f| f["name"] == name).map(|f| f["state"].clone());
    for name in [
        "session",
        "accessibility",
        "keyboard_focus",
        "screen_capture",
        "pointer",
        "overlay",
        "hot_key",
        "audio_output",
        "speech_synthesis",
        "text_recognition",
        "korean_text_recognition",
        "models",
        "understanding",
    ] {
        assert_eq!(state(name), Some("works".into()), "{name}: {}", ran.out);
    }
    assert_eq!(ran.code, Some(0));
    let session = findings.iter().find(|f| f["name"] == "session").unwrap();
    assert!(session["detail"].as_str().unwrap().starts_with("X11 with Openbox"), "{session}");
    // On a machine that lacks everything, doctor still reports every check, each with a remedy.
    let nothing = [
        ("DISPLAY", ""),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere"),
        ("PULSE_SERVER", "unix:/nowhere"),
        ("ALSA_CONFIG_PATH", "/nowhere"),
        ("LUNA_MODELS", "/nowhere"),
        ("LUNA_ENGINE_DIR", "/nowhere"),
        ("LUNA_ORDER_OR_TALK", "/nowhere/order-or-talk.bin"),
    ];
    let ran = run_with(&["doctor", "--json"], &nothing);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    // Without the model that tells orders from talk the grammar works alone (NLU-8).
    let understanding = findings.iter().find(|f| f["name"] == "understanding").unwrap();
    assert_eq!(understanding["state"], "limited", "{understanding}");
    assert!(understanding["detail"].as_str().unwrap().contains("/nowhere/order-or-talk.bin"), "{understanding}");
    assert!(understanding["korean"]["remedy"].as_str().unwrap().contains("LUNA_ORDER_OR_TALK"), "{understanding}");
    let missing: Vec<&Value> = findings.iter().filter(|f| f["state"] == "missing").collect();
    assert!(missing.len() >= 6, "{}", ran.out);
    assert!(missing.iter().all(|f| f["remedy"].as_str().is_some_and(|r| r.len() > 10)), "{missing:?}");
    // The human-readable form, in both languages.
    assert!(run(&["doctor"]).out.contains("글자 인식"));
    assert!(run_with(&["doctor"], &[("LUNA__LANGUAGE", "en")]).out.contains("Text recognition"));
}

// SES-1
#[test]
fn doctor_says_what_wayland_allows_by_having_tried_it_ses_1() {
    let _turn = take_turns();
    // All that a Wayland session shows to a program that speaks no Wayland: a socket that somebody serves.
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("wayland-7");
    let compositor = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let session = [
        ("DISPLAY", ""),
        ("WAYLAND_DISPLAY", socket.to_str().unwrap()),
        // The engines are not what is tried here.
        ("LUNA_MODELS", "/nowhere"),
        ("LUNA_ENGINE_DIR", "/nowhere"),
    ];
    let ran = run_with(&["doctor", "--json"], &session);
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let finding = |name: &str| findings.iter().find(|f| f["name"] == name).unwrap_or_else(|| panic!("{}", ran.out));
    let session = finding("session");
    assert_eq!(session["state"], "limited", "{session}");
    // The compositor is named by its program, which is this test.
    let name = std::fs::read_to_string("/proc/self/comm").unwrap();
    for text in [&session["detail"], &session["korean"]["detail"]] {
        assert!(text.as_str().is_some_and(|text| text.contains("Wayland") && text.contains(name.trim())), "{session}");
    }
    for (name, state) in [
        ("accessibility", "works"),
        ("keyboard_focus", "works"),
        ("reading", "missing"),
        ("screen_capture", "missing"),
        ("pointer", "missing"),
        ("overlay", "limited"),
        ("hot_key", "limited"),
    ] {
        assert_eq!(finding(name)["state"], state, "{}", finding(name));
    }
    drop(compositor);
}

#[test]
fn every_command_has_help() {
    for command in [
        &[][..],
        &["run"],
        &["ctl"],
        &["ctl", "focus"],
        &["ctl", "events"],
        &["tools"],
        &["tools", "call"],
        &["mcp"],
        &["keys"],
        &["read"],
        &["say"],
        &["llm"],
        &["transcribe"],
        &["doctor"],
        &["config"],
        &["models"],
    ] {
        let ran = run(&[command, &["--help"]].concat());
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("Usage:"), "{command:?}");
    }
}

// SES-6
#[test]
fn keys_tells_which_can_be_had_and_proposes_others_for_the_rest_ses_6() {
    let _turn = take_turns();
    let list =
        |ran: &CommandOutput| -> Value { serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err)) };
    let find = |report: &Value, command: &str| {
        report["hot_keys"].as_array().unwrap().iter().find(|key| key["command"] == command).unwrap().clone()
    };
    let ran = run(&["keys", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report = list(&ran);
    assert_eq!((&report["running"], &report["silence"]["ctrl_tap"]), (&Value::from(false), &Value::from(true)));
    let keys = report["hot_keys"].as_array().unwrap();
    assert!(keys.len() > 10 && keys.iter().all(|key| key["held"] == true), "{report}");
    assert_eq!((&keys[0]["command"], &keys[0]["purpose"]), (&"focus_toggle".into(), &"집중 모드 켜기, 끄기".into()));
    for (language, part) in
        [("ko", "Ctrl+Alt+Super+E: 멈춤. 쓸 수 있습니다."), ("en", "Ctrl+Alt+Super+E: stop. can be used.")]
    {
        let ran = run_with(&["keys"], &[("LUNA__LANGUAGE", language)]);
        assert!(ran.code == Some(0) && ran.out.contains(part), "{}", ran.out);
    }

    // Another program has a key, and the same key with Super, too; with Shift it types a character on some keyboards.
    let taken: Vec<HotKey> = ["ctrl+alt+l", "ctrl+alt+super+l"].map(|key| key.parse().unwrap()).into();
    let (held, refused) = hot_key::system().watch(&taken, Box::new(|_| {})).unwrap();
    assert_eq!(refused, []);
    let change = ["--set", "control.hot_keys.stop=ctrl+alt+l"];
    let ran = run(&[&["keys", "--json"][..], &change].concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.trim_end().ends_with("Luna can't have 1 of 13 keys: Ctrl+Alt+L"), "{}", ran.err);
    let stop = find(&list(&ran), "stop");
    assert_eq!((&stop["held"], &stop["proposal"]), (&Value::from(false), &Value::from("ctrl+alt+super+x")));
    assert!(stop["used_by"].as_array().unwrap().contains(&"Xfce".into()), "{stop}");
    let ran = run_with(&[&["keys"][..], &change].concat(), &[("LUNA__LANGUAGE", "en")]);
    assert!(ran.out.contains("Free: Ctrl+Alt+Super+X (set control.hot_keys.stop: ctrl+alt+super+x)"), "{}", ran.out);
    drop(held);

    // Without a display the list still tells the keys, and that nothing tells whether they are free.
    let ran = run_with(&["keys", "--json"], &[("DISPLAY", ""), ("LUNA__LANGUAGE", "en")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report = list(&ran);
    let untried = report["hot_keys"].as_array().unwrap();
    assert!(report["untried"].as_str().unwrap().contains("display"), "{report}");
    assert_eq!(untried.len(), keys.len());
    for (key, tried) in untried.iter().zip(keys) {
        assert_eq!((&key["command"], &key["key"], &key["held"]), (&tried["command"], &tried["key"], &Value::Null));
        assert_eq!(key["reason"], report["untried"]);
    }
    assert_eq!(report["silence"]["reason"], report["untried"]);
    let lines = [
        ("en", "Ctrl+Alt+Super+E: stop. whether another program has it can't be told."),
        ("ko", "Ctrl+Alt+Super+E: 멈춤. 다른 프로그램이 가졌는지 알 수 없습니다."),
    ];
    for (language, part) in lines {
        let ran = run_with(&["keys"], &[("DISPLAY", ""), ("LUNA__LANGUAGE", language)]);
        assert!(ran.code == Some(0) && ran.out.contains(part), "{} {}", ran.out, ran.err);
    }
    fails(&["keys", "--all"], &[], 2, &["--all"]);
    fails(&["keys", "--set", "control.hot_keys.stop=ctrl"], &[], 2, &["no key"]);
}
