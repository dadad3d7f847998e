//! Understanding compared with hassil, the recogniser of Home Assistant: the same Korean sentences as phrases of both, then varied as
//! people and recognisers vary them. Also Luna's time for its own utterances. Goals: at least 98 % right, p99 at most 100 µs.
//!
//! `cargo bench -p luna --bench understand`; writes `target/report/understand.json`. The package goes to `target/understand-peer-venv`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]
#![allow(clippy::disallowed_methods, reason = "time is what is measured")]

#[path = "support/peer.rs"]
mod peer;
#[path = "../examples/report_language/perturb.rs"]
#[allow(dead_code)]
mod perturb;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use luna_messages::understanding::UtteranceInput;
use luna_nlu::{Understanding, Vocabulary};
use peer::{PythonPeer, python};
use perturb::KOREAN;
use serde_json::{Value, json};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The example sentences of the Korean templates with their intents.
fn sentences() -> Vec<(String, String)> {
    let folder = root().join("../shared/data/7-nlu/ha-intents/sentences/ko");
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("Nothing is measured: {} is not there.", folder.display());
        std::process::exit(1);
    };
    for intent in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let label = intent.file_name().unwrap().to_string_lossy().into_owned();
        for file in std::fs::read_dir(&intent).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            let examples = text.lines().filter_map(|line| line.trim_start().strip_prefix("example:"));
            found.extend(examples.map(|example| (label.clone(), example.trim().trim_matches('"').to_owned())));
        }
    }
    found.sort();
    found.dedup();
    // Neither side can resolve a sentence that two intents share.
    let twice: BTreeSet<String> =
        found.windows(2).filter(|pair| pair[0].1 == pair[1].1).map(|pair| pair[0].1.clone()).collect();
    found.retain(|(_, sentence)| !twice.contains(sentence));
    assert!(found.len() > 50, "{} sentences in {}", found.len(), folder.display());
    found
}

struct HassilPeer(PythonPeer);

impl HassilPeer {
    fn start(phrases: &[(String, String)]) -> Self {
        let python = python(&root().join("target/understand-peer-venv"), &[(&["hassil==3.11.0"], &[])]);
        let mut peer = PythonPeer::start(&python, &root().join("benches/understand_hassil.py"), &[]);
        // The words that Home Assistant itself skips in Korean.
        peer.tell(json!({ "phrases": phrases, "skip": ["해주세요", "주세요", "해줘"] }));
        peer.expect_ready();
        Self(peer)
    }

    fn recognise(&mut self, sentences: &[String]) -> (Vec<Option<String>>, f64) {
        let answer = self.0.ask(json!(sentences));
        let labels =
            answer["labels"].as_array().unwrap().iter().map(|label| label.as_str().map(str::to_owned)).collect();
        (labels, answer["seconds"].as_f64().unwrap())
    }
}

struct UnderstandSubject(Understanding);

impl UnderstandSubject {
    /// Each intent is an order of the lexicon, and its sentences are configured for it: such words win over what is built in, as the peer knows no others.
    fn new(phrases: &[(String, String)]) -> Self {
        let mut synonyms: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (label, phrase) in phrases {
            synonyms.entry(label.clone()).or_default().push(phrase.clone());
        }
        let orders: String = synonyms.keys().map(|label| format!("= desktop:{label}\n{label}\n")).collect();
        let vocabulary = Vocabulary { synonyms, ..Vocabulary::default() };
        let understanding = Understanding::with_words(&vocabulary, Box::leak(orders.into_boxed_str()));
        assert!(understanding.unknown_synonyms().is_empty(), "{:?}", understanding.unknown_synonyms());
        Self(understanding.with_classifier(classifier()))
    }

    fn recognise(&self, sentence: &str) -> Option<String> {
        self.0.understand(&UtteranceInput { utterance: sentence.to_owned(), ..UtteranceInput::default() }).wish.order
    }
}

/// What tells orders from talk, as in use.
fn classifier() -> Option<luna_nlu::talk::Classifier> {
    let read = luna::order_or_talk::load();
    Some(read.unwrap_or_else(|error| panic!("{error}")).1)
}

fn main() {
    // `cargo test --benches` only checks that it starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let phrases = sentences();
    let (ours, mut peer) = (UnderstandSubject::new(&phrases), HassilPeer::start(&phrases));
    let mut rows = Vec::new();
    for (name, vary) in KOREAN {
        let varied: Vec<(String, &str)> = phrases
            .iter()
            .map(|(label, sentence)| (vary(sentence), label.as_str(), sentence))
            .filter(|(text, _, sentence)| name == "as it is" || text != *sentence)
            .map(|(text, label, _)| (text, label))
            .collect();
        if varied.is_empty() {
            continue;
        }
        let texts: Vec<String> = varied.iter().map(|(text, _)| text.clone()).collect();
        let (found, seconds) = peer.recognise(&texts);
        let start = Instant::now();
        let own: Vec<Option<String>> = texts.iter().map(|text| ours.recognise(text)).collect();
        let own_seconds = start.elapsed().as_secs_f64();
        let share = |right: usize| 100.0 * right as f64 / varied.len() as f64;
        let own_right =
            share(own.iter().zip(&varied).filter(|(found, (_, label))| found.as_deref() == Some(*label)).count());
        let peer_right =
            share(found.iter().zip(&varied).filter(|(found, (_, label))| found.as_deref() == Some(*label)).count());
        println!("{name:<34} {} sentences: right {own_right:>5.1} %, peer {peer_right:>5.1} %", varied.len());
        for ((text, label), found) in
            varied.iter().zip(&own).filter(|((_, label), found)| found.as_deref() != Some(*label))
        {
            println!("    {text}: {found:?}, not {label}");
        }
        rows.push(json!({ "name": format!("Korean sentences, {name}"), "unit": "% right", "ours": own_right, "peer": peer_right,
            "goal": "≥ 98", "better": "higher" }));
        if name == "as it is" {
            let speed = |seconds: f64| texts.len() as f64 / seconds;
            println!("{:<34} {:.0} a second, peer {:.0}", "sentences recognised", speed(own_seconds), speed(seconds));
            rows.push(json!({ "name": "sentences recognised", "unit": "1/s", "ours": speed(own_seconds), "peer": speed(seconds), "better": "higher" }));
        }
    }
    rows.extend(own_utterances());
    let report = root().join("target/report");
    std::fs::create_dir_all(&report).unwrap();
    let content = json!({ "title": "Understanding", "goal": "at least 98 % right however a sentence is varied; p99 at most 100 µs", "rows": rows });
    std::fs::write(report.join("understand.json"), serde_json::to_string_pretty(&content).unwrap()).unwrap();
}

/// Time per labelled utterance, including those with candidates and those that are no command.
fn own_utterances() -> Vec<Value> {
    let path = root().join("tests/language/utterances.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let utterances: Vec<UtteranceInput> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let luna = Understanding::new(&Vocabulary::default()).with_classifier(classifier());
    let (mut times, mut best) = (Vec::new(), vec![f64::MAX; utterances.len()]);
    for _ in 0..10 {
        for (utterance, best) in utterances.iter().zip(&mut best) {
            let start = Instant::now();
            std::hint::black_box(luna.understand(utterance));
            let took = start.elapsed().as_secs_f64() * 1e6;
            times.push(took);
            *best = best.min(took);
        }
    }
    let mut slowest: Vec<_> = best.into_iter().zip(&utterances).collect();
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    slowest.iter().take(5).for_each(|(took, utterance)| println!("    {took:.1} µs: {}", utterance.utterance));
    times.sort_by(f64::total_cmp);
    let sum: f64 = times.iter().sum();
    let (p50, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("an utterance: p50 {p50:.1} µs, p99 {p99:.1} µs, {:.0} a second", 1e6 * times.len() as f64 / sum);
    vec![
        json!({ "name": "an utterance, p50", "unit": "µs", "ours": p50 }),
        json!({ "name": "an utterance, p99", "unit": "µs", "ours": p99, "goal": "≤ 100" }),
        json!({ "name": "utterances", "unit": "1/s", "ours": 1e6 * times.len() as f64 / sum, "better": "higher" }),
    ]
}
