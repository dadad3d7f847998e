//! Downloads from a local test server that misbehaves on demand: it disconnects, sends wrong data, redirects.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

#[path = "support/server.rs"]
mod server;

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use luna_model_store::fetch::{FetchOutcome, Fetcher, HttpSettings};
use luna_model_store::{
    Manifest, ModelError, ModelStore, ProgressSink, SilentProgress, SourceError, StoredState, checksum,
};
use server::{ServerAnswer, server};
use tempfile::TempDir;

fn body() -> Vec<u8> {
    let mut body = b"GGUF\x03\0\0\0".to_vec();
    body.extend((0..300_000_u32).map(|index| (index * 7 % 251) as u8));
    body
}

/// A store with one model of one file.
fn store(folder: &Path, sha256: &str, bytes: &str, sources: &[String]) -> ModelStore {
    let sources: String = sources.iter().map(|source| format!("          - {source}\n")).collect();
    let text = format!(
        "version: 1\nsets: {{ default: [m] }}\nmodels:\n  - name: m\n    task: t\n    purpose: p\n    memory_mb: 1\n    licence: MIT\n    files:\n      - path: f.gguf\n        format: gguf\n        {bytes}\n        sha256: {sha256}\n        sources:\n{sources}"
    );
    ModelStore::new(Manifest::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), folder)
}

fn quick() -> HttpSettings {
    let time = Duration::from_secs(5);
    HttpSettings { connect: time, answer: time, silence: time, attempts: 3 }
}

fn fetch(store: &ModelStore, sink: &mut dyn ProgressSink) -> Result<Vec<FetchOutcome>, ModelError> {
    Fetcher::new(store, quick(), |_| None).fetch("m", sink)
}

fn sum(body: &[u8]) -> String {
    checksum::of_reader(body).unwrap().0
}

/// All names in the folder except locks.
fn left(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            if entry.file_name() == ".locks" {
                continue;
            }
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    names
}

#[derive(Default)]
struct Recorder {
    events: Vec<String>,
    furthest: u64,
}

impl ProgressSink for Recorder {
    fn begin(&mut self, name: &str, _source: &str, total: Option<u64>, done: u64) {
        self.events.push(format!("begin {name} {total:?} {done}"));
    }
    fn advance(&mut self, done: u64) {
        assert!(done <= 300_008, "more than there is");
        self.furthest = self.furthest.max(done);
    }
    fn finish(&mut self, name: &str, bytes: u64) {
        self.events.push(format!("finish {name} {bytes}"));
    }
    fn note(&mut self, text: &str) {
        self.events.push(text.to_owned());
    }
}

/// Fetches with these answers; gives the outcome, the requests and the files left in the folder.
fn run(answers: Vec<ServerAnswer>) -> (Result<Vec<FetchOutcome>, ModelError>, Vec<String>, Vec<String>) {
    let body = body();
    let server = server(body.clone(), answers);
    let folder = TempDir::new().unwrap();
    let store = store(
        folder.path(),
        &sum(&body),
        &format!("bytes: {}", body.len()),
        &[format!("url: {}/file", server.address)],
    );
    let result = fetch(&store, &mut SilentProgress);
    if result.is_ok() {
        assert_eq!(fs::read(folder.path().join("m/f.gguf")).unwrap(), body);
        assert_eq!(fetch(&store, &mut SilentProgress).unwrap(), [FetchOutcome::AlreadyPresent]);
    }
    let seen = server.seen.lock().unwrap().clone();
    (result, seen, left(folder.path()))
}

#[test]
fn a_right_answer_is_put_in_place_and_progress_is_told() {
    let body = body();
    let server = server(body.clone(), Vec::new());
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &[format!("url: {}/file", server.address)]);
    let mut recorder = Recorder::default();
    fetch(&store, &mut recorder).unwrap();
    assert_eq!(recorder.events, ["begin m Some(300008) 0", "finish m 300008"]);
    assert_eq!(recorder.furthest, 300_008);
    assert_eq!(left(folder.path()), ["f.gguf", "verified.json"]);
    assert_eq!(store.resolve("m", "").unwrap(), folder.path().join("m/f.gguf"));
}

#[test]
fn a_download_that_breaks_off_goes_on_from_there() {
    let (result, seen, left) = run(vec![ServerAnswer::BreakAfter(100_000), ServerAnswer::BreakAfter(50_000)]);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert!(seen[1].ends_with("from 100000"), "{seen:?}");
    assert!(seen[2].ends_with("from 150000"), "{seen:?}");
    assert_eq!(left, ["f.gguf", "verified.json"]);
}

#[test]
fn a_part_outlives_the_process_and_is_continued() {
    let body = body();
    let server =
        server(body.clone(), vec![ServerAnswer::BreakAfter(70_000), ServerAnswer::Status(503), ServerAnswer::Right]);
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &[format!("url: {}/file", server.address)]);
    assert!(fetch(&store, &mut SilentProgress).is_err());
    assert_eq!(left(folder.path()), ["f.gguf.part", "f.gguf.part.from"]);
    assert_eq!(store.list()[0].state, StoredState::Partial);
    fetch(&store, &mut SilentProgress).unwrap();
    assert!(server.seen.lock().unwrap()[2].ends_with("from 70000"));
    assert_eq!(left(folder.path()), ["f.gguf", "verified.json"]);
}

#[test]
fn a_server_without_ranges_begins_anew() {
    let (result, seen, left) = run(vec![ServerAnswer::BreakAfter(100_000), ServerAnswer::NoRanges]);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(seen.len(), 2);
    assert_eq!(left, ["f.gguf", "verified.json"]);
}

#[test]
fn a_redirect_is_followed() {
    let (result, seen, _) = run(vec![ServerAnswer::Redirect]);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(seen.len(), 2);
}

// ENG-4, PRV-7
#[test]
fn what_is_wrong_is_thrown_away_eng_4_prv_7() {
    for (answer, expect) in [
        (ServerAnswer::Wrong, "its checksum is"),
        (ServerAnswer::Page, "it has 13 bytes instead of 300008"),
        (ServerAnswer::Status(404), "the server answered 404"),
    ] {
        let (result, seen, left) = run(vec![answer]);
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
        assert!(error.contains("By hand: put the file at") && error.contains("luna models verify m"), "{error}");
        assert_eq!(seen.len(), 1, "no use in asking again");
        assert_eq!(left, Vec::<String>::new());
    }
}

#[test]
fn an_unknown_size_does_not_let_a_page_pass_for_a_model() {
    let server = server(body(), vec![ServerAnswer::Page]);
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), "unknown", "about_bytes: 300000", &[format!("url: {}/file", server.address)]);
    let error = fetch(&store, &mut SilentProgress).unwrap_err().to_string();
    assert!(error.contains("not a language model (GGUF)"), "{error}");
    assert_eq!(left(folder.path()), Vec::<String>::new());
}

#[test]
fn the_next_source_is_tried_and_each_is_told() {
    let body = body();
    let bad = server(body.clone(), vec![ServerAnswer::Status(500)]);
    let wrong = server(body.clone(), vec![ServerAnswer::Wrong]);
    let good = server(body.clone(), Vec::new());
    let folder = TempDir::new().unwrap();
    let sources = ["path: \"${NOWHERE}/f.gguf\"".to_owned(), "path: /nowhere/f.gguf".to_owned()].into_iter();
    let servers = [&bad, &wrong, &good].map(|server| format!("url: {}/file", server.address));
    let sources: Vec<String> = sources.chain(servers).collect();
    let whole = store(folder.path(), &sum(&body), "bytes: 300008", &sources);
    let mut recorder = Recorder::default();
    let fetched = fetch(&whole, &mut recorder).unwrap();
    assert_eq!(fetched, [FetchOutcome::From(format!("{}/file", good.address))]);
    assert!(recorder.events.iter().any(|event| event.contains("answered 500")), "{:?}", recorder.events);

    let other = TempDir::new().unwrap();
    let none = store(other.path(), &sum(&body), "bytes: 300008", &sources[..2]);
    match fetch(&none, &mut SilentProgress) {
        Err(ModelError::NoSource { tried, .. }) => {
            assert!(matches!(tried[0].1, SourceError::Variable { .. }) && matches!(tried[1].1, SourceError::NoFile));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_network_is_one_clear_error() {
    let folder = TempDir::new().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let store = store(folder.path(), "unknown", "about_bytes: 1", &[format!("url: http://{closed}/file")]);
    let error = fetch(&store, &mut SilentProgress).unwrap_err().to_string();
    assert!(error.contains("the network failed") && error.contains("Check the connection"), "{error}");
    assert_eq!(left(folder.path()), Vec::<String>::new());
}

#[path = "downloads/checks.rs"]
mod checks;
#[path = "downloads/manifest.rs"]
mod manifest;
