//! Mistakes and their error messages (CFG-2).

use super::*;

// CFG-2
#[test]
fn mistakes_are_told_with_line_column_and_what_would_be_right_cfg_2() {
    let check = |body: &str, place: &str, parts: &[&str]| {
        let found = mistakes(format!("version: 1\nprofiles:\n  default:\n{body}\n"));
        let fits = |line: &String| line.starts_with(place) && parts.iter().all(|part| line.contains(part));
        assert!(found.iter().any(fits), "{body}\nexpected {place} {parts:?}, found {found:#?}");
    };
    check("    tts: { raet: 1 }", "4:12: ", &["tts.raet: unknown key", "Did you mean \"rate\"?", "voices"]);
    check("    ttts:\n      rate: 1", "4:5: ", &["ttts: unknown key", "Did you mean \"tts\"?"]);
    check("    tts:\n      rate: fast", "5:13: ", &["tts.rate: expected a number (0.25 to 5)", "\"fast\""]);
    check("    tts:\n      rate: 9", "5:13: ", &["tts.rate: 9 is out of range", "0.25 to 5"]);
    check("    tts:\n      rate: .nan", "5:13: ", &["no number that can be counted with", "ordinary number"]);
    check("    tts:\n      rate:\n        deep: 1", "6:9: ", &["tts.rate: expected a number", "a map"]);
    check("    tts: { buffer_frames: 100 }", "4:27: ", &["100 is out of range", "128 to 4096"]);
    check("    tts: { buffer_frames: 512.5 }", "4:27: ", &["a whole number"]);
    check("    tts: { buffer_frames: null }", "4:27: ", &["found nothing (null)"]);
    check("    tts: { rate: 4 }", "4:18: ", &["4 is not between tts.rate_min (0.5) and tts.rate_max (3)"]);
    check("    barge_in:\n      enabled: yes", "5:16: ", &["true or false", "Write true."]);
    check(
        "    voice: { command_mode: wake-onyl }",
        "4:28: ",
        &["Did you mean \"wake-only\"?", "auto, hold, wake-only"],
    );
    check("    voice: { dangerous: 삭제 }", "4:25: ", &["expected a list"]);
    check("    voice: { wake_word: \" \" }", "4:25: ", &["empty", "null"]);
    check("    voice: { synonyms: { click: [1] } }", "4:34: ", &["voice.synonyms.click[0]", "in quotes"]);
    check("    overlay: { color: red }", "4:23: ", &["\"red\" is no colour", "#FFD84A"]);
    check("    privacy: { block_roles: [Buton] }", "4:30: ", &["Did you mean \"Button\"?", "Password"]);
    check("    http: { bind: 0.0.0.0 }", "4:19: ", &["not a loopback address", "127.0.0.1"]);
    check("    http: { bind: localhost }", "4:19: ", &["not a loopback address", "::1"]);
    check("    http: { port: 70000 }", "4:19: ", &["0 to 65535"]);
    check("    control: { hot_keys: { stop: ctl+s } }", "4:34: ", &["no key", "ctrl+alt+super+l"]);
    check("    control: { hot_keys: { stp: escape } }", "4:33: ", &["Did you mean \"stop\"?"]);
    check("    control: { hot_keys: { stop: win+alt+ctrl+o } }", "4:34: ", &["the key of focus_toggle already"]);
    check("    engines: { ocr: { detection: ppocr-v4-rect } }", "4:34: ", &["Did you mean \"ppocr-v4-rec\"?"]);
    check("    groups: { MonitorBox: { tools: [Nav] } }", "4:36: ", &["\"Nav\" is not known", "NavTool"]);
    check("    modes: { fast: { provider: cloud } }", "4:32: ", &["Allowed: local"]);
    check("    mcp: { servers: [{ name: a }] }", "4:22: ", &["mcp.servers[0]", "\"command\" is missing"]);
    check("    translation: { escalate_if: [negation>=1] }", "4:33: ", &["no rule", "negations"]);
    check("    llm_budget: { caps: { system: 2000 } }", "4:25: ", &["add up to 2560", "1600"]);
    check("    tts: 7", "4:10: ", &["expected a map of keys"]);
    check("    tts:\n      <<: 7", "5:7: ", &["<< takes what is marked with & above"]);
    check("    tts: { rate: 1 }\n    tts: { rate: 1 }", "5:5: ", &["duplicate", "tts"]);
    check("    tts: *nobody", "4:10: ", &["\"*nobody\" stands for what is marked with \"&nobody\"", "quotes"]);
    check("    tts: { rate: 1", "4:10: ", &["never closed. Close it."]);
    check("  \ttts: 1", "4:", &["a tab indents this line. Indent with spaces."]);
}

// CFG-2
#[test]
fn the_frame_of_a_file_is_checked_too_cfg_2() {
    let check = |text: &str, expect: &str| {
        let found = mistakes(text);
        assert!(found.iter().any(|line| line.contains(expect)), "{text}: {found:?}");
    };
    check("profiles: {}\n", "1:1: the key \"version\" is missing. Add the line \"version: 1\".");
    check("version: 2\n", "1:10: version: This program knows version 1");
    check("version: 1\nprofile: {}\n", "2:1: profile: unknown key. Did you mean \"profiles\"?");
    check("version: 1\nprofiles: [a]\n", "2:11: profiles: expected a map of profiles");
    check("just words\n", "1:1: expected the keys version and profiles");
    check("version: 1\n---\nversion: 1\n", "a second document begins before this. Keep one");
}

// CFG-2
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
    assert!(error[0].contains("has more than the 1048576 bytes"), "{error:?}");

    let folder = TempDir::new().unwrap();
    let error = load(&options(folder.path())).unwrap_err();
    assert!(matches!(error, ConfigError::NoFile { .. }), "{error}");

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
    #[expect(clippy::disallowed_methods, reason = "the parser is no task")]
    let begin = std::time::Instant::now();
    let found = mistakes(bomb);
    assert!(found[0].contains("grows beyond any configuration"), "{found:?}");
    assert!(begin.elapsed().as_secs() < 5);
}
