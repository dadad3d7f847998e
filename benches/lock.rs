//! The preserve lock compared with the checks of translate-toolkit's pofilter: speed on real strings, correctness on our labelled pairs;
//! and alone on ten megabytes of input on which a naive scanner backtracks (PRE-6). Goal: a hundred times as fast.
//!
//! `cargo bench -p luna --bench lock`. Writes `target/report/lock.json`. The peer's package goes to `target/lock-peer-venv`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]
#![allow(clippy::disallowed_methods, reason = "a bench measures the real clock")]

#[path = "support/peer.rs"]
mod peer;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use luna_messages::Fidelity;
use luna_preservation::{Glossary, check};
use peer::python;
use serde_json::{Value, json};

const PACKAGE: &str = "translate-toolkit==3.20.0";
/// Size of each side of the adversarial input, bytes.
const SIDE: usize = 5_000_000;
const NASTY: &[&str] = &[
    "1",
    "1 ",
    "1.",
    "1,",
    "-1",
    "1-",
    "1-1-1-1.5 ",
    "(",
    "http://",
    "http://a",
    "http://a(",
    "@",
    "a@",
    "a@b.",
    "a.",
    "a_",
    "aB",
    "`",
    "``` `",
    "만",
    "3만",
    "십",
    "한 ",
    "two ",
    "one hundred ",
    "<a ",
    "{",
    "{a",
    "%",
    "$",
    "/",
    "/a",
    "\\",
    "1:",
    "1/",
    "2026-",
    "0x",
    "1x",
    "+",
    "Ctrl+",
    "시",
    "오후 ",
    "1시간 ",
    "|",
    "|-\n",
    "\t",
    "가",
    "https://a.kr/가",
    "::a",
    "v1.",
    "KRW ",
    "Nov ",
    "1e",
    "3×10",
    "a/b.c/",
    "&",
    "~",
    "１",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

struct LockBenchPair {
    source: String,
    target: String,
    /// The expected result, and its mode.
    label: Option<(bool, Fidelity)>,
}

/// The strings of a resource file, by name.
fn strings(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let between = |text: &str, from: &str, to: &str| {
        let start = text.find(from)? + from.len();
        let end = text[start..].find(to)? + start;
        Some(text[start..end].to_owned())
    };
    let plain = |text: String| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
        text.replace("&#xD;", "").replace("&#xA;", "\n").replace("&amp;", "&")
    };
    let data = text.split("<data name=\"").skip(1);
    data.filter_map(|part| Some((part.split('"').next()?.to_owned(), plain(between(part, "<value>", "</value>")?))))
        .collect()
}

fn real_strings() -> Vec<LockBenchPair> {
    let base = root().join("tests/samples/windows-terminal");
    let mut pairs = Vec::new();
    for file in ["TerminalApp|ContextMenu", "TerminalApp|Resources", "TerminalSettingsEditor|Resources"] {
        let (folder, name) = file.split_once('|').unwrap();
        let of = |lang: &str| strings(&base.join(folder).join(lang).join(format!("{name}.resw")));
        let (english, mut korean) = (of("en-US"), of("ko-KR"));
        for (name, source) in english {
            if let Some(target) = korean.remove(&name) {
                pairs.push(LockBenchPair { source, target, label: None });
            }
        }
    }
    assert!(pairs.len() > 900, "{} pairs of real strings", pairs.len());
    pairs
}

fn labelled() -> Vec<LockBenchPair> {
    let text = std::fs::read_to_string(root().join("tests/language/pairs.jsonl")).expect("tests/language/pairs.jsonl");
    let pair = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let mode = if value["mode"] == "natural" { Fidelity::Natural } else { Fidelity::Faithful };
        let text = |name: &str| value[name].as_str().unwrap().to_owned();
        LockBenchPair {
            source: text("source"),
            target: text("target"),
            label: value["expect"]["ok"].as_bool().map(|ok| (ok, mode)),
        }
    };
    text.lines().map(pair).collect()
}

/// Seconds that the peer took for `rounds` rounds, and for each pair whether it found no error.
fn pofilter(pairs: &[LockBenchPair], rounds: usize, all_checks: bool) -> (f64, Vec<bool>) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for pair in pairs {
        writeln!(file, "{}", json!({ "source": pair.source, "target": pair.target })).unwrap();
    }
    let mut command = Command::new(python(&root().join("target/lock-peer-venv"), &[(&[PACKAGE], &[])]));
    command.arg(root().join("benches/lock_pofilter.py")).arg(file.path()).arg(rounds.to_string());
    if all_checks {
        command.arg("all");
    }
    let output = command.output().expect("the peer starts");
    assert!(output.status.success(), "the peer: {}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ok = answer["ok"].as_array().unwrap().iter().map(|ok| ok.as_bool().unwrap()).collect();
    (answer["seconds"].as_f64().unwrap(), ok)
}

fn ours(pairs: &[LockBenchPair], rounds: usize, mode: Fidelity) -> f64 {
    let glossary = Glossary::default();
    let start = Instant::now();
    for _ in 0..rounds {
        for pair in pairs {
            std::hint::black_box(check(&pair.source, &pair.target, mode, &glossary));
        }
    }
    start.elapsed().as_secs_f64()
}

fn bytes(pairs: &[LockBenchPair]) -> f64 {
    pairs.iter().map(|pair| pair.source.len() + pair.target.len()).sum::<usize>() as f64 / 1e6
}

/// Seconds for a text of `side` bytes against itself, the best of three: a machine that does other things too looks like growth.
fn adversarial(piece: &str, side: usize, mode: Fidelity) -> f64 {
    let text = piece.repeat(side / piece.len());
    let run = |_| {
        let start = Instant::now();
        let report = check(&text, &text, mode, &Glossary::default());
        let seconds = start.elapsed().as_secs_f64();
        assert!(report.ok, "{piece:?}");
        seconds
    };
    (0..3).map(run).fold(f64::INFINITY, f64::min)
}

fn main() {
    // `cargo test --benches` only checks that it starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut rows = Vec::new();
    let mut note = |row: Value| {
        println!("{row}");
        rows.push(row);
    };
    let real = real_strings();
    let size = bytes(&real);
    // The best of seven runs of each contestant, in turn.
    let mut best = [f64::INFINITY; 4];
    ours(&real, 5, Fidelity::Natural);
    for _ in 0..7 {
        let turns = [
            ours(&real, 50, Fidelity::Faithful) / 50.0,
            ours(&real, 50, Fidelity::Natural) / 50.0,
            pofilter(&real, 5, false).0 / 5.0,
            pofilter(&real, 2, true).0 / 2.0,
        ];
        best.iter_mut().zip(turns).for_each(|(best, turn)| *best = best.min(turn));
    }
    let rate = |seconds: f64| size / seconds;
    for (mode, seconds) in [("faithful", best[0]), ("natural", best[1])] {
        note(
            json!({ "name": format!("real strings, {mode} mode, beside pofilter as it comes"), "unit": "MB/s", "ours": rate(seconds),
            "peers": { "pofilter": rate(best[3]) }, "goal": "≥ 100 ×" }),
        );
        note(
            json!({ "name": format!("real strings, {mode} mode, beside only those checks of pofilter that look for the same"), "unit": "MB/s",
            "ours": rate(seconds), "peers": { "pofilter, ten checks": rate(best[2]) } }),
        );
    }
    let pairs = labelled();
    let glossary = Glossary::default();
    let found: Vec<bool> =
        pairs.iter().map(|pair| check(&pair.source, &pair.target, pair.label.unwrap().1, &glossary).ok).collect();
    let accuracy = |found: &[bool]| {
        let right = pairs.iter().zip(found).filter(|(pair, found)| pair.label.unwrap().0 == **found).count();
        100.0 * right as f64 / pairs.len() as f64
    };
    note(
        json!({ "name": format!("right on our {} labelled pairs", pairs.len()), "unit": "%", "ours": accuracy(&found),
        "peers": { "pofilter, ten checks": accuracy(&pofilter(&pairs, 1, false).1) }, "goal": "≥ 98" }),
    );
    let alarms = real.iter().filter(|pair| !check(&pair.source, &pair.target, Fidelity::Natural, &glossary).ok).count();
    note(
        json!({ "name": format!("real translations that are called changed, of {}", real.len()), "unit": "", "ours": alarms }),
    );
    let (mut slowest, mut steepest) = ((f64::INFINITY, ""), (0.0, ""));
    for piece in NASTY {
        for mode in [Fidelity::Faithful, Fidelity::Natural] {
            let (quarter, whole) = (adversarial(piece, SIDE / 4, mode), adversarial(piece, SIDE, mode));
            let rate = 2.0 * SIDE as f64 / 1e6 / whole;
            if rate < slowest.0 {
                slowest = (rate, piece);
            }
            // Short times are too noisy to show growth.
            if quarter > 0.05 && whole / quarter > steepest.0 {
                steepest = (whole / quarter, piece);
            }
        }
    }
    note(
        json!({ "name": format!("10 MB of adversarial input, slowest of {} kinds: {:?}", NASTY.len(), slowest.1), "unit": "MB/s", "ours": slowest.0 }),
    );
    note(
        json!({ "name": format!("four times the adversarial input takes how many times as long, at worst: {:?}", steepest.1), "unit": "×",
        "ours": steepest.0, "goal": "about 4: linear" }),
    );
    let folder = root().join("target/report");
    std::fs::create_dir_all(&folder).unwrap();
    let page = json!({ "title": "Preserve lock", "rows": rows, "note":
        "pofilter has no modes and no Korean numerals; on pairs of both modes it is asked the one question that it answers." });
    std::fs::write(folder.join("lock.json"), serde_json::to_vec_pretty(&page).unwrap()).unwrap();
}
