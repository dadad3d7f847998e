//! CFG-1 to CFG-4: profiles, mistakes with their places, precedence, reload.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use luna::config::check::COMMANDS;
use luna::config::{
    BUILT_IN, Config, ConfigError, ConfigWatcher, LoadOptions, Loaded, Origin, changes, load, load_all_profiles,
    schema, show,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a configuration file of this content.
struct File {
    _folder: TempDir,
    path: PathBuf,
}

fn file(content: impl AsRef<[u8]>) -> File {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.yaml");
    fs::write(&path, content).unwrap();
    File { _folder: folder, path }
}

fn options(path: &Path) -> LoadOptions {
    LoadOptions {
        file: Some(path.to_owned()),
        ..LoadOptions::default()
    }
}

fn loaded(content: &str) -> Loaded {
    let file = file(content);
    load(&options(&file.path)).unwrap_or_else(|error| panic!("{error}\n{content}"))
}

fn with_profile(content: &str, profile: &str) -> Config {
    let file = file(content);
    let options = LoadOptions {
        profile: Some(profile.to_owned()),
        ..options(&file.path)
    };
    load(&options)
        .unwrap_or_else(|error| panic!("{error}\n{content}"))
        .config
}

/// The mistakes of a file, each without the path of the file.
fn mistakes(content: impl AsRef<[u8]>) -> Vec<String> {
    let file = file(content);
    let prefix = format!("{}:", file.path.display());
    let lines = load(&options(&file.path))
        .map(|_| Vec::new())
        .unwrap_or_else(|error| error.lines());
    lines
        .into_iter()
        .map(|line| line.strip_prefix(&prefix).unwrap_or(&line).to_owned())
        .collect()
}

fn at<'a>(value: &'a Value, key: &str) -> &'a Value {
    key.split('.').fold(value, |value, key| &value[key])
}

/// The table of the requirements, row by row.
fn requirements() -> Vec<(&'static str, Value)> {
    vec![
        ("windows.stt", json!({"hot_seconds": 3, "full_seconds": 12})),
        ("windows.uia", json!({"snapshots": 3, "ttl_ms": 1500})),
        ("windows.ocr", json!({"topk": 20, "history": 2, "ttl_ms": 2500})),
        ("windows.text", json!({"prev": 2, "next": 2})),
        ("windows.log", json!({"recent": 8})),
        ("focus_mode.follow", json!(true)),
        ("focus_mode.move_threshold_px", json!(24)),
        ("focus_mode.debounce_ms", json!(250)),
        ("focus_mode.roi_px", json!(420)),
        ("focus_mode.prefer_uia", json!(true)),
        (
            "overlay",
            json!({"color": "#FFD84A", "dim_outside": 0.18, "corner_radius": 10, "show_numbers": true}),
        ),
        ("voice.wake_word", json!("루나")),
        ("voice.command_mode", json!("auto")),
        ("voice.synonyms.click", json!(["눌러", "클릭", "선택", "실행"])),
        (
            "voice.synonyms.translate",
            json!(["번역", "한국어로", "영어로", "translate"]),
        ),
        ("voice.synonyms.spell", json!(["철자", "스펠", "하나씩"])),
        ("voice.synonyms.numbers", json!(["숫자만", "수치만", "퍼센트만"])),
        ("voice.synonyms.fast", json!(["빠르게", "속도 올려"])),
        ("voice.synonyms.slow", json!(["느리게", "속도 내려"])),
        ("voice.dangerous", json!(["삭제", "비우", "전송", "구매", "결제"])),
        ("llm_budget.max_tokens", json!(1600)),
        (
            "llm_budget.caps",
            json!({"system": 200, "device_state": 80, "digest": 120, "candidates": 300, "user_utterance": 60}),
        ),
        ("llm_budget.barge_in_shrink", json!(0.5)),
        ("llm_budget.timeout_ms_soft", json!(600)),
        (
            "thinking_budget",
            json!({"nlu_intent": 96, "selection_disambiguation": 256, "translate_faithful": 192, "summarize_short": 256, "macro_plan": 384}),
        ),
        (
            "answer_budget",
            json!({"nlu_intent": 96, "selection_disambiguation": 128, "translate_faithful": 192, "summarize_short": 128, "macro_plan": 192}),
        ),
        (
            "ranking.weights",
            json!({"text": 0.52, "role": 0.18, "near": 0.20, "spatial": 0.10, "disabled_penalty": 0.05}),
        ),
        ("ranking.topk_for_llm", json!(5)),
        ("translation.mode_default", json!("faithful")),
        (
            "translation.preserve_tokens",
            json!(["NUMBER", "DATE", "PERCENT", "UNIT", "URL", "EMAIL", "CODE", "CURRENCY"]),
        ),
        (
            "translation.escalate_if",
            json!(["preserve_failed>=1", "negations>=2", "policy_keywords>=1"]),
        ),
        ("barge_in.enabled", json!(true)),
        ("barge_in.debounce_ms", json!(300)),
        ("barge_in.min_repeat_interval_ms", json!(800)),
        (
            "barge_in.aec",
            json!({"enable": true, "loopback": "wasapi", "safety_gate_ms": 200}),
        ),
        ("executor.uia_first", json!(true)),
        ("executor.coord_fallback", json!(true)),
        ("executor.confirm_on_danger", json!(true)),
        ("executor.confirm_requires_wake", json!(true)),
        (
            "privacy",
            json!({"block_roles": ["Password", "ProtectedText"], "redact": ["EMAIL", "URL"], "store_think": false, "buffer_disk_persist": false, "ttl_purge_ms": 3000}),
        ),
        ("metrics.enable", json!(true)),
        (
            "metrics.counters",
            json!([
                "latency_ms",
                "used_tokens.think",
                "used_tokens.answer",
                "preserve_fail",
                "clarify",
                "ocr_rate",
                "uia_rate"
            ]),
        ),
        ("metrics.sample_rate", json!(1.0)),
        ("company.intentAlignmentMaxRounds", json!(3)),
        ("company.intentAlignmentMode", json!("smart")),
        ("focus_mode.wait_cmd_timeout_ms", json!(8000)),
        ("focus_mode.capture", json!("window")),
        (
            "focus_mode.ocr",
            json!({"w_text": 1.0, "w_size": 0.3, "w_contrast_penalty": 0.2, "epsilon": 1.0}),
        ),
        ("focus_mode.ocr_low_quality", json!(0.6)),
        ("tts.rate", json!(1.0)),
        ("tts.rate_step", json!(0.15)),
        ("tts.rate_min", json!(0.5)),
        ("tts.rate_max", json!(3.0)),
        ("translation.glossary", json!([])),
        ("translation.policy_keywords", json!([])),
        ("translation.summary_max_sentences", json!(3)),
        ("executor.confirm_timeout_ms", json!(8000)),
        (
            "gpu",
            json!({"budget_mb": 8192, "linger_ms": 60000, "grace_ms": 2000, "wait_bound_ms": 30000}),
        ),
        ("jobs.workers", json!(3)),
        ("jobs.iteration_limit", json!(10)),
        ("tools.NavTool.capacity", json!(1)),
        ("tools.MovieTool.capacity", json!(1)),
        ("tools.SongTool.capacity", json!(2)),
        ("tools.WeatherTool.capacity", json!(null)),
        (
            "groups.MonitorBox",
            json!({"capacity": 1, "tools": ["NavTool", "MovieTool"]}),
        ),
        ("tool_box.when_locked", json!("ask")),
        ("http.bind", json!("127.0.0.1")),
        ("tts.buffer_frames", json!(512)),
    ]
}

#[test]
fn every_key_of_the_requirements_is_there_with_its_default_cfg_1() {
    let values = serde_json::to_value(Config::built_in("default").unwrap()).unwrap();
    for (key, expect) in requirements() {
        assert_eq!(*at(&values, key), expect, "{key}");
    }
    for group in ["engines", "models", "mailbox", "providers", "modes", "mcp", "control"] {
        assert!(values[group].is_object(), "{group}");
    }
}

#[test]
fn low_vram_changes_what_the_requirements_say_and_nothing_else_cfg_1() {
    let default = Config::built_in("default").unwrap();
    let low = Config::built_in("low_vram").unwrap();
    let values = serde_json::to_value(&low).unwrap();
    for (key, expect) in [
        ("windows.uia", json!({"snapshots": 2, "ttl_ms": 1200})),
        ("windows.ocr", json!({"topk": 12, "history": 1, "ttl_ms": 2000})),
        ("windows.stt", json!({"hot_seconds": 3, "full_seconds": 12})),
        ("llm_budget.max_tokens", json!(1200)),
        ("llm_budget.barge_in_shrink", json!(0.4)),
        ("llm_budget.caps.system", json!(200)),
        ("gpu.budget_mb", json!(6144)),
    ] {
        assert_eq!(*at(&values, key), expect, "{key}");
    }
    let changes = changes(&default, &low);
    assert_eq!(changes.safe.len() + changes.needs_restart.len(), 8, "{changes:?}");
}

#[test]
fn profiles_inherit_deeply_and_lists_are_replaced_cfg_1() {
    let text = "version: 1\nx-slow: &slow { tts: { rate: 0.8, rate_step: 0.05 } }\nprofiles:\n  default: &d\n    tts: { rate: 1.5 }\n    windows: { uia: { ttl_ms: 900 } }\n  travel: &t\n    <<: *d\n    windows: { uia: { snapshots: 5 } }\n    voice: { dangerous: [사기] }\n  night:\n    <<: [*slow, *t]\n    tts: { rate_max: 2.0 }\n  plain:\n    tts: { rate_min: 0.6 }\n";
    let default = with_profile(text, "default");
    assert_eq!(
        (
            default.tts.rate,
            default.windows.uia.ttl_ms,
            default.windows.uia.snapshots
        ),
        (1.5, 900, 3)
    );

    let travel = with_profile(text, "travel");
    assert_eq!(
        (travel.tts.rate, travel.windows.uia.ttl_ms, travel.windows.uia.snapshots),
        (1.5, 900, 5)
    );
    assert_eq!(travel.voice.dangerous, ["사기"]);
    assert_eq!(travel.windows.stt.full_seconds, 12);

    // Without << a profile inherits from default; the built-in low_vram sees what the person changed there.
    assert_eq!(with_profile(text, "plain").tts.rate, 1.5);
    let low = with_profile(text, "low_vram");
    assert_eq!(
        (low.tts.rate, low.windows.uia.ttl_ms, low.windows.uia.snapshots),
        (1.5, 1200, 2)
    );

    // A mixed list: what is no profile is merged as it stands.
    let night = with_profile(text, "night");
    assert_eq!(
        (night.tts.rate, night.tts.rate_step, night.tts.rate_max),
        (0.8, 0.05, 2.0)
    );
}

#[test]
fn anchors_and_merge_keys_work_below_profiles_cfg_1() {
    let text = "version: 1\nprofiles:\n  default:\n    thinking_budget: &b { nlu_intent: 10, macro_plan: 20 }\n    answer_budget: { <<: *b, macro_plan: 30 }\n";
    let config = loaded(text).config;
    assert_eq!(
        (config.answer_budget.nlu_intent, config.answer_budget.macro_plan),
        (10, 30)
    );
    assert_eq!(config.answer_budget.summarize_short, 128);
}

#[test]
fn profiles_that_inherit_in_a_circle_end() {
    let text = "version: 1\nprofiles:\n  travel: &t\n    tts: { rate: 2.0 }\n  default:\n    <<: *t\n    tts: { rate_step: 0.2 }\n";
    assert_eq!(with_profile(text, "default").tts.rate, 2.0);
    assert_eq!(with_profile(text, "travel").tts.rate_step, 0.2);
}

#[test]
fn mistakes_are_told_with_line_column_and_what_would_be_right_cfg_2() {
    let check = |body: &str, place: &str, parts: &[&str]| {
        let found = mistakes(format!("version: 1\nprofiles:\n  default:\n{body}\n"));
        let fits = |line: &String| line.starts_with(place) && parts.iter().all(|part| line.contains(part));
        assert!(
            found.iter().any(fits),
            "{body}\nexpected {place} {parts:?}, found {found:#?}"
        );
    };
    check(
        "    tts: { raet: 1 }",
        "4:12: ",
        &["tts.raet: unknown key", "Did you mean \"rate\"?", "voices"],
    );
    check(
        "    ttts:\n      rate: 1",
        "4:5: ",
        &["ttts: unknown key", "Did you mean \"tts\"?"],
    );
    check(
        "    tts:\n      rate: fast",
        "5:13: ",
        &["tts.rate: expected a number (0.25 to 5)", "\"fast\""],
    );
    check(
        "    tts:\n      rate: 9",
        "5:13: ",
        &["tts.rate: 9 is out of range", "0.25 to 5"],
    );
    check("    tts:\n      rate: .nan", "5:13: ", &["non-finite"]);
    check(
        "    tts:\n      rate:\n        deep: 1",
        "6:9: ",
        &["tts.rate: expected a number", "a map"],
    );
    check(
        "    tts: { buffer_frames: 100 }",
        "4:27: ",
        &["100 is out of range", "128 to 4096"],
    );
    check("    tts: { buffer_frames: 512.5 }", "4:27: ", &["a whole number"]);
    check("    tts: { buffer_frames: null }", "4:27: ", &["found nothing (null)"]);
    check(
        "    tts: { rate: 4 }",
        "4:18: ",
        &["4 is not between tts.rate_min (0.5) and tts.rate_max (3)"],
    );
    check(
        "    barge_in:\n      enabled: yes",
        "5:16: ",
        &["true or false", "Write true."],
    );
    check(
        "    voice: { command_mode: wake-onyl }",
        "4:28: ",
        &["Did you mean \"wake-only\"?", "auto, hold, wake-only"],
    );
    check("    voice: { dangerous: 삭제 }", "4:25: ", &["expected a list"]);
    check("    voice: { wake_word: \" \" }", "4:25: ", &["empty", "null"]);
    check(
        "    voice: { synonyms: { click: [1] } }",
        "4:34: ",
        &["voice.synonyms.click[0]", "in quotes"],
    );
    check(
        "    overlay: { color: red }",
        "4:23: ",
        &["\"red\" is no colour", "#FFD84A"],
    );
    check(
        "    http: { bind: 0.0.0.0 }",
        "4:19: ",
        &["not a loopback address", "127.0.0.1"],
    );
    check(
        "    http: { bind: localhost }",
        "4:19: ",
        &["not a loopback address", "::1"],
    );
    check("    http: { port: 70000 }", "4:19: ", &["0 to 65535"]);
    check(
        "    control: { hot_keys: { stop: ctl+s } }",
        "4:34: ",
        &["no key", "ctrl+alt+l"],
    );
    check(
        "    control: { hot_keys: { stp: escape } }",
        "4:33: ",
        &["Did you mean \"stop\"?"],
    );
    check(
        "    control: { hot_keys: { stop: alt+ctrl+l } }",
        "4:34: ",
        &["the key of focus_toggle already"],
    );
    check(
        "    engines: { ocr: { detection: ppocr-v4-rect } }",
        "4:34: ",
        &["Did you mean \"ppocr-v4-rec\"?"],
    );
    check(
        "    groups: { MonitorBox: { tools: [Nav] } }",
        "4:36: ",
        &["\"Nav\" is not known", "NavTool"],
    );
    check(
        "    modes: { fast: { provider: cloud } }",
        "4:32: ",
        &["Allowed: local"],
    );
    check(
        "    mcp: { servers: [{ name: a }] }",
        "4:22: ",
        &["mcp.servers[0]", "\"command\" is missing"],
    );
    check(
        "    translation: { escalate_if: [negation>=1] }",
        "4:33: ",
        &["no rule", "negations"],
    );
    check(
        "    llm_budget: { caps: { system: 2000 } }",
        "4:25: ",
        &["add up to 2560", "1600"],
    );
    check("    tts: 7", "4:10: ", &["expected a map of keys"]);
    check("    tts:\n      <<: 7", "5:7: ", &["<< takes an alias of a map"]);
    check(
        "    tts: { rate: 1 }\n    tts: { rate: 1 }",
        "5:5: ",
        &["duplicate", "tts"],
    );
    check("    tts: *nobody", "4:10: ", &["Mend the YAML"]);
    check("    tts: { rate: 1", "", &["Mend the YAML"]);
    check("  \ttts: 1", "", &["Mend the YAML"]);
}

#[test]
fn the_frame_of_a_file_is_checked_too_cfg_2() {
    let check = |text: &str, expect: &str| {
        let found = mistakes(text);
        assert!(found.iter().any(|line| line.contains(expect)), "{text}: {found:?}");
    };
    check(
        "profiles: {}\n",
        "1:1: the key \"version\" is missing. Add the line \"version: 1\".",
    );
    check("version: 2\n", "1:10: version: This program knows version 1");
    check(
        "version: 1\nprofile: {}\n",
        "2:1: profile: unknown key. Did you mean \"profiles\"?",
    );
    check(
        "version: 1\nprofiles: [a]\n",
        "2:11: profiles: expected a map of profiles",
    );
    check("just words\n", "1:1: expected the keys version and profiles");
    check("version: 1\n---\nversion: 1\n", "Mend the YAML");
}

#[test]
fn all_mistakes_are_found_in_all_profiles_cfg_2() {
    let text = "version: 1\nprofiles:\n  default: &d\n    tts: { raet: 1, rate: 9 }\n  other:\n    <<: *d\n    tts: { rate_max: 99 }\n  third:\n    tts: { rate: 4 }\n";
    assert_eq!(mistakes(text).len(), 3, "{:#?}", mistakes(text));
    let file = file("version: 1\nprofiles:\n  third:\n    tts: { rate: 4 }\n");
    assert!(load(&options(&file.path)).is_ok(), "the profile in use is fine");
    let error = load_all_profiles(&options(&file.path)).unwrap_err().to_string();
    assert!(error.contains("4:18: tts.rate: 4 is not between"), "{error}");
}

#[test]
fn odd_files_are_told_or_taken() {
    for text in [
        "",
        "\n\n",
        "# only a comment\n",
        "---\n",
        "\u{feff}version: 1\n",
        "version: 1\nprofiles:\n",
        "version: 1\nprofiles:\n  default:\n",
    ] {
        assert_eq!(loaded(text).config, Config::built_in("default").unwrap(), "{text:?}");
    }
    let found = mistakes(b"version: 1\n# \xff\n");
    assert_eq!(found, ["2:3: this is not UTF-8 text. Save the file as UTF-8."]);

    let huge = format!("version: 1\n{}", "# long\n".repeat(200_000));
    let error = mistakes(huge);
    assert!(
        error[0].contains("has 1400011 bytes; a configuration has at most 1048576"),
        "{error:?}"
    );

    let folder = TempDir::new().unwrap();
    let error = load(&options(folder.path())).unwrap_err();
    assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");

    let deep = format!("version: 1\nx-a: {}{}\n", "[".repeat(5000), "]".repeat(5000));
    assert!(!mistakes(deep).is_empty());
}

#[test]
fn an_alias_bomb_is_stopped() {
    let mut bomb = String::from("version: 1\nx-0: &a0 [l, o, l, l, o, l, l, o, l]\n");
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(9);
        bomb.push_str(&format!("x-{level}: &a{level} [{}]\n", below.trim_end_matches(", ")));
    }
    let begin = std::time::Instant::now();
    let found = mistakes(bomb);
    assert!(found[0].contains("Mend the YAML"), "{found:?}");
    assert!(begin.elapsed().as_secs() < 5);
}

#[test]
fn a_missing_file_means_the_built_in_defaults_cfg_2() {
    let folder = TempDir::new().unwrap();
    let loaded = load(&options(&folder.path().join("none.yaml"))).unwrap();
    assert!(!loaded.file_found);
    assert_eq!(loaded.config, Config::built_in("default").unwrap());
    assert!(
        loaded.warnings[0].contains("is not there"),
        "a file that was named is told"
    );
}

#[cfg(not(windows))]
#[test]
fn the_usual_places_of_the_file() {
    let folder = TempDir::new().unwrap();
    let home = folder.path().display().to_string();
    let place = |env: &[(&str, &str)]| {
        let env = env
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        luna::config::user_file(&LoadOptions {
            env,
            ..LoadOptions::default()
        })
        .map(|(path, _)| path)
    };
    assert_eq!(place(&[]), None);
    assert_eq!(
        place(&[("HOME", &home)]),
        Some(folder.path().join(".config/luna/config.yaml"))
    );
    assert_eq!(
        place(&[("HOME", &home), ("XDG_CONFIG_HOME", "/x")]),
        Some("/x/luna/config.yaml".into())
    );
    assert_eq!(
        place(&[("HOME", &home), ("LUNA_CONFIG", "/y.yaml")]),
        Some("/y.yaml".into())
    );
}

#[test]
fn flags_win_over_the_environment_and_that_over_files_cfg_3() {
    let file = file(
        "version: 1\nprofiles:\n  default:\n    tts:\n      rate: 1.1\n      rate_step: 0.2\n      rate_max: 2.5\n",
    );
    let mut options = options(&file.path);
    options.env.insert("LUNA__TTS__RATE".into(), "1.2".into());
    options.env.insert("LUNA__TTS__RATE_STEP".into(), "0.3".into());
    options.env.insert("LUNA__OVERLAY__COLOR".into(), "#00FF00".into());
    options.env.insert("LUNA__VOICE__DANGEROUS".into(), "[a, 나]".into());
    options
        .env
        .insert("LUNA__COMPANY__INTENTALIGNMENTMODE".into(), "strict".into());
    options
        .env
        .insert("LUNA__CONTROL__HOT_KEYS__STOP".into(), "null".into());
    options.env.insert("LUNA_PROFILE".into(), "low_vram".into());
    options.sets = vec![
        "tts.rate=1.3".into(),
        "tts.rate=1.4".into(),
        "voice.wake_word=null".into(),
    ];
    let loaded = load(&options).unwrap();
    let config = &loaded.config;
    assert_eq!(
        (config.tts.rate, config.tts.rate_step, config.tts.rate_max),
        (1.4, 0.3, 2.5)
    );
    assert_eq!(
        (config.overlay.color.as_str(), config.voice.wake_word.as_deref()),
        ("#00FF00", None)
    );
    assert_eq!(config.voice.dangerous, ["a", "나"]);
    assert_eq!(config.control.hot_keys["stop"], None);
    assert_eq!(config.gpu.budget_mb, 6144);

    let from = |key: &str| loaded.provenance[key].to_string();
    assert_eq!(from("tts.rate"), "flag --set tts.rate=1.4");
    assert_eq!(from("tts.rate_step"), "env LUNA__TTS__RATE_STEP");
    assert_eq!(
        from("tts.rate_max"),
        format!("{}:7:17, profile default", file.path.display())
    );
    assert_eq!(from("tts.rate_min"), "default");
    assert_eq!(from("gpu.budget_mb"), "default, profile low_vram");
    assert_eq!(
        loaded.provenance["gpu.grace_ms"],
        Origin::Default {
            profile: "default".into()
        }
    );

    // --profile wins over LUNA_PROFILE.
    options.profile = Some("default".into());
    assert_eq!(load(&options).unwrap().config.gpu.budget_mb, 8192);
}

#[test]
fn mistakes_in_variables_and_flags_name_them_cfg_3() {
    let check = |sets: &[&str], env: &[(&str, &str)], expect: &str| {
        let env = env
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let options = LoadOptions {
            sets: sets.iter().map(|set| (*set).to_owned()).collect(),
            env,
            ..LoadOptions::default()
        };
        let error = load(&options).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    };
    check(&["tts.rate"], &[], "flag --set tts.rate: expected KEY=VALUE");
    check(
        &["tts.raet=1"],
        &[],
        "flag --set tts.raet=1: tts.raet: unknown key. Did you mean \"rate\"?",
    );
    check(&["tts.rate=99"], &[], "99 is out of range; allowed: 0.25 to 5");
    check(&["tts.rate=[1"], &[], "flag --set tts.rate=[1: tts.rate: ");
    check(&["=1"], &[], "unknown key");
    check(
        &[],
        &[("LUNA__TTS__RATE", "fast")],
        "env LUNA__TTS__RATE: tts.rate: expected a number",
    );
    check(
        &[],
        &[("LUNA__TTTS__RATE", "1")],
        "env LUNA__TTTS__RATE: ttts: unknown key. Did you mean \"tts\"?",
    );
    check(
        &[],
        &[("LUNA_PROFILE", "low_vran")],
        "env LUNA_PROFILE: profile: \"low_vran\" is not known here. Did you mean \"low_vram\"?",
    );
}

#[test]
fn what_was_on_the_screen_is_never_kept_on_disk_prv_8() {
    let sets = vec!["privacy.buffer_disk_persist=true".to_owned()];
    let release = LoadOptions {
        sets: sets.clone(),
        release: true,
        ..LoadOptions::default()
    };
    let error = load(&release).unwrap_err().to_string();
    assert!(
        error.contains("never lasts on disk") && error.contains("Write false"),
        "{error}"
    );
    let debug = load(&LoadOptions {
        sets,
        ..LoadOptions::default()
    })
    .unwrap();
    assert!(
        debug.warnings[0].contains("buffer_disk_persist"),
        "a debug build may, and says so"
    );
}

#[test]
fn rounds_are_brought_into_one_to_five_aln_8() {
    for (typed, meant) in [("0", 1), ("1", 1), ("5", 5), ("9", 5)] {
        let sets = vec![format!("company.intentAlignmentMaxRounds={typed}")];
        let loaded = load(&LoadOptions {
            sets,
            ..LoadOptions::default()
        })
        .unwrap();
        assert_eq!(loaded.config.company.intent_alignment_max_rounds, meant);
        assert_eq!(loaded.warnings.is_empty(), typed.parse() == Ok(meant));
    }
}

#[test]
fn safe_changes_and_those_that_need_a_restart_cfg_4() {
    let old = Config::built_in("default").unwrap();
    let mut new = old.clone();
    assert!(changes(&old, &new).is_empty());
    new.tts.rate = 2.0;
    new.tts.buffer_frames = 256;
    new.http.port = 1;
    new.voice.dangerous.push("x".into());
    new.tools.remove("SongTool");
    let changes = changes(&old, &new);
    assert_eq!(changes.safe, ["tts.rate", "voice.dangerous"]);
    assert_eq!(
        changes.needs_restart,
        ["http.port", "tools.SongTool", "tts.buffer_frames"]
    );
}

#[test]
fn the_watcher_sees_changes_and_tells_broken_edits_cfg_4() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.yaml");
    let mut watcher = ConfigWatcher::new(options(&path));
    assert!(watcher.look().is_none());
    fs::write(&path, "version: 1\nprofiles: { default: { tts: { rate: 2.0 } } }\n").unwrap();
    assert_eq!(watcher.look().unwrap().unwrap().config.tts.rate, 2.0);
    assert!(watcher.look().is_none());
    fs::write(&path, "version: 1\nprofiles: { default: { tts: { rate: quick } } }\n").unwrap();
    let error = watcher.look().unwrap().unwrap_err().to_string();
    assert!(
        error.contains("config.yaml:2:37: tts.rate: expected a number"),
        "{error}"
    );
    assert!(watcher.look().is_none(), "a broken edit is told once");
    fs::remove_file(&path).unwrap();
    assert_eq!(watcher.look().unwrap().unwrap().config.tts.rate, 1.0);
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/schema.json");
    let committed: Value = serde_json::from_slice(&fs::read(&path).expect("config/schema.json is there")).unwrap();
    assert!(
        committed == schema::schema(),
        "config/schema.json is old: luna config schema > config/schema.json"
    );
}

#[test]
fn every_key_of_the_built_in_file_has_its_type_and_every_command_its_name() {
    for name in COMMANDS {
        let command: luna_messages::control::Command = serde_json::from_value(json!(name)).unwrap();
        assert_eq!(command.name(), name);
    }
    let keys = load(&LoadOptions::default()).unwrap().provenance;
    assert!(keys.len() > 120, "{}", keys.len());
    let lines = BUILT_IN.lines().filter(|line| line.contains('\t')).count();
    assert_eq!(lines, 0, "no tabs");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// What `luna config show` prints, loaded again, is the same configuration.
    #[test]
    fn shown_and_loaded_again_is_the_same(
        rate in 0.5f64..3.0,
        wake in proptest::option::of("[^\u{0}-\u{1f}\u{7f}-\u{9f}\u{2028}\u{2029}\u{feff}]{1,12}"),
        words in proptest::collection::vec("\\PC{1,8}", 0..4),
        tool in "[a-zA-Z#: -]{1,8}",
        port in any::<u16>(),
        low in any::<bool>(),
    ) {
        prop_assume!(wake.as_ref().is_none_or(|word| !word.trim().is_empty()));
        let mut config = Config::built_in(if low { "low_vram" } else { "default" }).unwrap();
        config.tts.rate = rate;
        config.voice.wake_word = wake;
        config.voice.dangerous = words;
        let like = config.tools["SongTool"].clone();
        config.tools.insert(tool, like);
        config.http.port = port;
        let shown = Loaded { config, ..load(&LoadOptions::default()).unwrap() };
        let text = show::yaml(&shown);
        let file = file(&text);
        let again = load(&options(&file.path));
        prop_assert!(again.is_ok(), "{}\n{}", again.unwrap_err(), text);
        prop_assert_eq!(again.unwrap().config, shown.config);
    }

    /// No text makes the reader panic, and every mistake has a place.
    #[test]
    fn any_text_is_taken_or_told(text in "\\PC{0,40}(\n[ ]{0,6}[a-z<*&:{}\\[\\]\"', -]{0,20}){0,8}") {
        for line in mistakes(&text) {
            let place: Vec<_> = line.splitn(3, ':').collect();
            prop_assert!(place.len() == 3 && place[0].parse::<u64>().is_ok(), "{}", line);
        }
    }
}
