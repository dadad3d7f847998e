//! Hostile configurations: each is refused with its place, what is wrong and what would be right, in plain words (CFG-2).

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use luna_config::{LoadOptions, load, load_all_profiles};

use crate::desktop::luna;

/// Terms of libraries, which mean nothing to the person who wrote the file.
const JARGON: [&str; 30] = [
    "invalid type",
    "invalid value",
    "expected a YAML",
    "anchor",
    "alias",
    "scalar",
    "mapping",
    "sequence",
    "untagged",
    "enum",
    "serde",
    "saphyr",
    "deserialize",
    "Option<",
    "u32",
    "u64",
    "i64",
    "f64",
    "variant",
    "struct",
    "missing field",
    "unknown field",
    "from_str",
    "DuplicateKeyPolicy",
    "recursion",
    "breach",
    "EOF",
    "flow",
    "os error 0",
    "DepthExceeded",
];

fn mistakes(content: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.yaml");
    std::fs::write(&path, content).unwrap();
    let prefix = format!("{}:", path.display());
    let options = LoadOptions { file: Some(path), ..LoadOptions::default() };
    // Checks both loaders, because a file accepted by only one of them would be found broken too late.
    let (used, checked) = (load(&options), load_all_profiles(&options));
    assert_eq!(used.is_err(), checked.is_err(), "{:?}", String::from_utf8_lossy(content));
    let lines = used.map(|_| Vec::new()).unwrap_or_else(|error| error.lines());
    lines.into_iter().map(|line| line.strip_prefix(&prefix).map(str::to_owned).unwrap_or(line)).collect()
}

/// Wraps lines in the default profile.
fn in_profile(body: &str) -> String {
    format!("version: 1\nprofiles:\n  default:\n    {body}\n")
}

/// The text under the default profile, the position of the mistake, and a part of the message.
const TYPED: [(&str, &str, &str); 65] = [
    // Invalid YAML.
    ("tts: { rate: 1", "4:10: ", "never closed. Close it."),
    ("tts: [1, 2", "4:10: ", "never closed. Close it."),
    ("tts: { rate: 1 ]", "4:10: ", "closed by one of another kind"),
    ("tts: ]", "4:10: ", "closed that was not opened"),
    ("overlay: { color: \"#FFD84A }", "4:23: ", "the quoted text that begins here never ends. Close the quote."),
    ("overlay: { color: 'x }", "4:23: ", "never ends"),
    ("overlay: { color: \"a\" b }", "4:", "behind the closing quote. Put all of the text in quotes."),
    ("overlay:\n      color: \"\\q\"", "5:14: ", "backslash"),
    ("overlay:\n      color: \"\\xzz\"", "5:14: ", "backslash"),
    ("overlay:\n      color: \"\\ud800\"", "5:14: ", "backslash"),
    ("overlay:\n      color: @x", "5:14: ", "no value may begin with @. Put the text in quotes."),
    ("overlay:\n      color: `x", "5:14: ", "no value may begin with `"),
    ("overlay:\n      color: %x", "5:14: ", "no value may begin with %"),
    ("overlay:\n      color: a: b", "5:15: ", "a colon stands where no key can be"),
    ("overlay:\n      color: - a", "5:14: ", "a dash stands where no list can begin"),
    ("overlay:\n      color: ? a", "5:14: ", "a key begins where none can be"),
    ("overlay:\n      color: |9\n       x", "6:", "indented evenly"),
    ("overlay:\n      color: &", "5:14: ", "& or * stands here without a name"),
    ("tts:\n\trate: 1", "5:", "a tab indents this line. Indent with spaces."),
    ("tts:\n      rate: 1\n     rate_min: 1", "6:6: ", "does not begin where its neighbours do"),
    ("tts:\n      rate: 1\n       rate_min: 1", "6:", "a colon stands where no key can be"),
    ("tts:\n      - rate: 1\n      rate: 1", "6:7: ", "no part of the list above"),
    ("tts:\n      rate: 1\n      rate_min\n      rate_max: 2", "6:7: ", "this line has no colon"),
    ("overlay:\n      color: \"x\n  y\"", "6:3: ", "goes on at the margin"),
    ("tts: { rate: 1,, rate_min: 1 }", "4:20: ", "a comma stands here without a value"),
    ("tts: { rate: 1 } x", "4:", "something stands behind a value"),
    // Anchors and aliases.
    ("tts: *nobody", "4:10: ", "\"*nobody\" stands for what is marked with \"&nobody\", and nothing above is"),
    ("<<: *default", "4:9: ", "\"&default\", and nothing above is"),
    ("tts: &t { rate: *t }", "", "it is itself a part of"),
    ("<<: &d { tts: { <<: *d } }", "", "it is itself a part of"),
    ("tts:\n      <<: 7", "5:7: ", "<< takes"),
    ("tts:\n      <<: [1, 2]", "5:7: ", "<< takes"),
    (
        "tts: { rate: 1 }\n    tts: { rate: 2 }",
        "5:5: ",
        "the key \"tts\" is a duplicate: it stands above already. Keep one of the two.",
    ),
    ("tts: { rate: 1, rate: 1 }", "4:21: ", "duplicate"),
    ("? [a]\n    : 1", "4:", "a key has to be text"),
    ("~: 1", "4:5: ", "a key has to be text"),
    // Tags.
    ("tts: { rate: !!int x }", "4:", "the value does not fit the mark with !"),
    ("tts: { rate: !!binary zzz }", "4:", "the mark with !"),
    ("tts: !!map [1]", "4:", "the mark with !"),
    ("tts: { rate: !<x 1 }", "4:", "a mark with ! is not complete"),
    ("tts: { rate: !!python/object/apply:os.system [id] }", "4:", "tts.rate: expected a number"),
    ("overlay: { color: !include /etc/passwd }", "4:", "\"/etc/passwd\" is no colour"),
    // Values.
    ("tts: { rate: .nan }", "4:18: ", "no number that can be counted with. Write an ordinary number."),
    ("tts: { rate: -.inf }", "4:18: ", "no number that can be counted with"),
    ("tts: { rate: 1e999 }", "4:18: ", "no number that can be counted with"),
    ("tts: { rate: 1e300 }", "4:18: ", "out of range; allowed: 0.25 to 5"),
    ("tts: { rate: fast }", "4:18: ", "expected a number (0.25 to 5), found the text \"fast\""),
    ("tts: { rate: \"1\" }", "4:18: ", "found the text \"1\""),
    ("tts: { rate: 0x1g }", "4:18: ", "found the text"),
    ("tts: { rate: [1] }", "4:18: ", "found a list"),
    ("tts: { rate: null }", "4:18: ", "found nothing (null)"),
    ("tts: null", "4:10: ", "expected a map of keys"),
    ("gpu: { budget_mb: 4294967296000000000000 }", "4:23: ", "a whole number (0 to 1048576)"),
    ("gpu: { budget_mb: 99999999999999999999999999999999999999999999999999 }", "4:23: ", "a whole number"),
    ("gpu: { budget_mb: -1 }", "4:23: ", "out of range"),
    ("gpu: { budget_mb: 18446744073709551616 }", "4:23: ", "a whole number (0 to 1048576)"),
    ("windows: { log: { recent: 4294967296 } }", "4:31: ", "out of range"),
    ("http: { port: 65536 }", "4:19: ", "0 to 65535"),
    ("http: { bind: ::ffff:0.0.0.0 }", "4:", ""),
    ("barge_in: { enabled: Yes }", "4:26: ", "Write true."),
    ("privacy: { redact: EMAIL }", "4:24: ", "expected a list"),
    ("metrics: { counters: [latency] }", "4:27: ", ""),
    ("voice: { synonyms: { stop: [[]] } }", "4:", "voice.synonyms.stop[0]"),
    ("tools: { \"\": {} }", "4:", "is missing"),
    ("nonsense: true", "4:5: ", "unknown key"),
];

// CFG-2
#[test]
fn each_mistake_is_told_with_its_place_and_what_would_be_right_cfg_2() {
    let mut wrong = Vec::new();
    for (body, place, part) in TYPED {
        let found = mistakes(in_profile(body).as_bytes());
        let fits = found.first().is_some_and(|line| line.starts_with(place) && line.contains(part));
        if !fits || found.len() > 3 {
            wrong.push(format!("{body:?}\n  expected {place}{part}\n  found {found:#?}"));
        }
        wrong.extend(found.iter().filter_map(|line| unclear(line)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns what is unclear in the message itself.
fn unclear(line: &str) -> Option<String> {
    let jargon = JARGON.iter().find(|word| line.contains(*word));
    let place = line.split_once(": ").is_some_and(|(place, _)| {
        place.split(':').count() == 2 && place.split(':').all(|number| number.parse::<u32>().is_ok_and(|n| n > 0))
    });
    // The message names a valid value or a remedy.
    let helps = ["expected ", "allowed: ", "Known here: "].iter().any(|word| line.contains(word));
    let helps = helps || line.matches(['.', '?']).count() > 1;
    let whole = line.ends_with(['.', '?']) && helps && !line.contains('\n') && line.len() < 2000;
    (jargon.is_some() || !place || !whole).then(|| format!("unclear ({jargon:?}): {line}"))
}

/// Hostile files as a whole: name, content, and a part of the required message.
fn files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let utf16 = |little: bool| -> Vec<u8> {
        "\u{feff}version: 1\n"
            .encode_utf16()
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    };
    let bomb = (1..12).fold(String::from("version: 1\nx-0: &a0 [l, o, l, l, o, l]\n"), |text, level| {
        text + &format!("x-{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", "))
    });
    let merges = (1..40).fold(String::from("version: 1\nx-0: &a0 { k: 1 }\n"), |text, level| {
        text + &format!("x-{level}: &a{level}\n  <<: [*a{0}, *a{0}]\n", level - 1)
    });
    let deep_maps: String = (0..1000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    vec![
        ("UTF-16, little end first", utf16(true), "not UTF-8 text. Save the file as UTF-8."),
        ("UTF-16, big end first", utf16(false), "not UTF-8 text"),
        ("UTF-16 without its mark", utf16(true)[2..].to_vec(), "zero byte"),
        ("EUC-KR", b"version: 1\n# \xb7\xe7\xb3\xaa\n".to_vec(), "not UTF-8 text"),
        ("zero bytes", vec![0; 4096], "zero byte"),
        ("random bytes", (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect(), ""),
        ("a program", std::fs::read("/bin/true").unwrap(), "UTF-8"),
        ("a second mark of order", text("version: 1\nx-a: \u{feff}b\n"), "invisible mark"),
        (
            "control characters",
            text("version: 1\nx-a: \u{1b}[2J\n"),
            "a control character (U+001B) stands here. Delete it.",
        ),
        ("two documents", text("version: 1\n---\nversion: 1\n"), "a second document begins before this"),
        ("a document and its end", text("version: 1\n...\nprofiles:\n"), "a second document"),
        ("another YAML", text("%YAML 3.0\n---\nversion: 1\n"), "another version of YAML"),
        ("a list", text("- version: 1\n"), "expected the keys version and profiles"),
        ("words", text("version 1\n"), "expected the keys version and profiles"),
        ("no space behind the colon", text("version:1\nprofiles:\n"), "a colon stands where no key can be"),
        ("JSON cut short", text("{\"version\": 1, \"profiles\": {"), "never closed"),
        ("a bomb", text(&bomb), "grows beyond any configuration. Write out what is meant."),
        ("a bomb of <<", text(&merges), ""),
        ("brackets", text(&format!("version: 1\nx-a: {}\n", "[".repeat(100_000))), ""),
        (
            "closed brackets",
            text(&format!("version: 1\nx-a: {0}{1}\n", "[".repeat(5000), "]".repeat(5000))),
            "nested deeper than any configuration",
        ),
        (
            "braces",
            text(&format!("version: 1\nx-a: {0}1{1}\n", "{a: ".repeat(5000), "}".repeat(5000))),
            "nested deeper",
        ),
        ("dashes", text(&format!("version: 1\nx-a:\n  {}\n", "- ".repeat(5000))), "nested deeper"),
        ("steps", text(&deep_maps), "nested deeper"),
        ("quotes", text(&format!("version: 1\nx-a: {}\n", "'".repeat(100_001))), ""),
        ("questions", text(&format!("version: 1\n{}\n", "? ".repeat(5000))), ""),
        ("a large file", text(&format!("version: 1\n{}", "# long\n".repeat(200_000))), "more than the 1048576 bytes"),
        ("a profile in itself", text("version: 1\nprofiles:\n  a: &a\n    <<: *a\n"), "it is itself a part of"),
        ("no version", text("profiles:\n  default: {}\n"), "the key \"version\" is missing"),
        ("another version", text("version: 2\n"), "This program knows version 1"),
        ("a version in words", text("version: one\n"), "This program knows version 1"),
        ("profiles as words", text("version: 1\nprofiles: default\n"), "expected a map of profiles"),
        ("a profile as words", text("version: 1\nprofiles: { default: fast }\n"), "expected a map of keys"),
    ]
}

// CFG-2, KER-4
#[test]
fn each_hostile_file_is_refused_in_plain_words_and_soon_cfg_2_ker_4() {
    let mut wrong = Vec::new();
    for (name, content, part) in files() {
        let begin = Instant::now();
        let found = mistakes(&content);
        // A file that expands without bound would take for ever; a busy machine is merely slow.
        assert!(begin.elapsed() < Duration::from_secs(30), "{name}: {:?}", begin.elapsed());
        // `<<` may be accepted if the result stays small.
        if name == "a bomb of <<" && found.is_empty() {
            continue;
        }
        if !found.first().is_some_and(|line| line.contains(part)) || found.len() > 3 {
            wrong.push(format!("{name}: expected {part:?}, found {found:#?}"));
        }
        wrong.extend(found.iter().filter_map(|line| unclear(line)).map(|line| format!("{name}: {line}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(home: &Path, file: &str) -> (Option<i32>, String) {
    let output = luna(home).args(["config", "check", file]).env_remove("LUNA__LANGUAGE").output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code(), text)
}

// CFG-2, CFG-4
#[test]
fn what_is_no_file_is_refused_and_never_waited_for_cfg_2_cfg_4() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).display().to_string();
    assert!(Command::new("mkfifo").arg(path("fifo")).status().unwrap().success());
    assert!(Command::new("mkfifo").arg(path("open")).status().unwrap().success());
    // A pipe that a silent writer keeps open.
    let _writer = OpenOptions::new().read(true).write(true).custom_flags(0o4000).open(path("open")).unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path("link")).unwrap();
    std::os::unix::fs::symlink(path("loop"), path("loop")).unwrap();
    for (file, part) in [
        (path("fifo"), "is a pipe or a device, and a configuration is a file"),
        (path("open"), "is a pipe or a device"),
        (path("folder"), "is a folder, and a configuration is a file"),
        ("/dev/zero".to_owned(), "is a pipe or a device"),
        ("/dev/urandom".to_owned(), "is a pipe or a device"),
        (path("link"), "is a pipe or a device"),
        (path("loop"), "can't be read"),
        (path("missing"), "there is no such file"),
        (path("folder/below/a/missing/one"), "there is no such file"),
    ] {
        let (code, text) = check(home.path(), &file);
        assert!(code == Some(2) && text.contains(part), "{file}: {code:?} {text}");
    }
    // The usual way to name an empty file.
    assert_eq!(check(home.path(), "/dev/null").0, Some(0));
}

// CFG-2, CFG-3
#[test]
fn variables_and_flags_are_told_in_plain_words_too_cfg_2_cfg_3() {
    let home = tempfile::tempdir().unwrap();
    for (value, part) in [
        ("[", "never closed"),
        ("*x", "\"*x\" stands for"),
        ("{a: 1", "never closed"),
        ("99999999999999999999999999999999999", "out of range"),
        ("\u{7}", "control character"),
        ("fast", "expected a number"),
    ] {
        for arguments in [&["--set", &format!("tts.rate={value}"), "config", "show"][..], &["config", "show"]] {
            let mut command = luna(home.path());
            if arguments.len() == 2 {
                command.env("LUNA__TTS__RATE", value);
            }
            let output = command.args(arguments).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let clear = text.contains(part) && !JARGON.iter().any(|word| text.contains(word));
            assert!(output.status.code() == Some(2) && clear, "{value:?} {arguments:?}: {text}");
        }
    }
}
