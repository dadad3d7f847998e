//! The serving loop beside a scripted engine, over real pipes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{PipeReader, PipeWriter, pipe};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{EngineChunk, LoadSpec, SpeakJob, SpeechLoad};
use luna_messages::Lang;
use luna_messages::engine::EngineKind;

use super::*;
use crate::LoadReport;

/// An engine that does what the text of a job says.
struct Puppet;

impl Engine for Puppet {
    const KIND: EngineKind = EngineKind::Speech;

    fn load(&mut self, spec: LoadSpec) -> Result<LoadReport, EngineError> {
        match spec {
            LoadSpec::Speech(SpeechLoad { library: Some(library), .. }) if library.as_os_str() == "panic" => {
                panic!("no such library")
            }
            LoadSpec::Speech(_) => Ok(LoadReport::default()),
            LoadSpec::Ocr(_) | LoadSpec::Llm(_) | LoadSpec::Stt(_) => {
                Err(failure(EngineErrorKind::Unsupported, "This engine speaks.", "Load a voice."))
            }
        }
    }

    fn run(&mut self, job: EngineJob, _: Vec<u8>, output: &mut Output, cancel: &CancelFlag) -> Result<(), EngineError> {
        let EngineJob::Speak(job) = job else { panic!("only sentences are sent here") };
        match job.text.as_str() {
            "wait" => {
                while !cancel.is_set() {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            }
            "panic" => panic!("on order"),
            "fail" => Err(failure(EngineErrorKind::BadInput, "That can't be said.", "Say something else.")),
            _ => {
                output.chunk(EngineChunk::Sound { sample_rate: 8000, words: Vec::new() }, job.text.as_bytes());
                Ok(())
            }
        }
    }

    fn unload(&mut self) {}
}

struct ServeDesk {
    to: Option<PipeWriter>,
    from: PipeReader,
    program: JoinHandle<ExitCode>,
    ended: Receiver<i32>,
}

fn desk() -> ServeDesk {
    let (child_in, to) = pipe().unwrap();
    let (from, child_out) = pipe().unwrap();
    let (sender, ended) = channel();
    let program = thread::spawn(move || {
        serve_on(Puppet, child_in, child_out, move |code| {
            let _ = sender.send(code);
        })
    });
    let mut desk = ServeDesk { to: Some(to), from, program, ended };
    assert!(desk.next().starts_with("hello"));
    desk
}

impl ServeDesk {
    fn say(&mut self, message: &ToEngine) {
        frame::write(self.to.as_mut().unwrap(), message, &[]).unwrap();
    }

    fn speak(&mut self, id: u64, text: &str) {
        let job = SpeakJob { text: text.to_owned(), lang: Lang::En, voice: None };
        self.say(&ToEngine::Run { id: RequestId(id), job: EngineJob::Speak(job) });
    }

    /// A short form of the next answer.
    fn next(&mut self) -> String {
        let (answer, payload) = frame::read::<FromEngine>(&mut self.from).unwrap().expect("an answer");
        match answer {
            FromEngine::Hello { engine, protocol, .. } => format!("hello {} {protocol}", engine.name()),
            FromEngine::Loaded { id, .. } => format!("loaded {id}"),
            FromEngine::Chunk { id, .. } => {
                format!("chunk {id} {}", String::from_utf8(payload).unwrap())
            }
            FromEngine::Done { id, .. } => format!("done {id}"),
            FromEngine::Cancelled { id } => format!("cancelled {id}"),
            FromEngine::Failed { id, error } => {
                format!("failed {id} {:?} {}", error.kind, error.message)
            }
            FromEngine::Unloaded { id, .. } => format!("unloaded {id}"),
            FromEngine::Healthy { id, running, .. } => format!("healthy {id} {running:?}"),
        }
    }

    fn expect(&mut self, answers: &[&str]) {
        for answer in answers {
            assert_eq!(self.next(), *answer);
        }
    }
}

fn load(id: u64, library: Option<&str>) -> ToEngine {
    ToEngine::Load {
        id: RequestId(id),
        spec: LoadSpec::Speech(SpeechLoad { library: library.map(PathBuf::from), data: None }),
    }
}

// ENG-1
#[test]
fn requests_are_answered_in_order_eng_1() {
    let mut desk = desk();
    desk.say(&load(1, None));
    desk.speak(2, "hello");
    desk.speak(3, "fail");
    desk.say(&ToEngine::Unload { id: RequestId(4) });
    desk.expect(&["loaded 1", "chunk 2 hello", "done 2", "failed 3 BadInput That can't be said.", "unloaded 4"]);
}

// ENG-1
#[test]
fn health_is_answered_and_cancel_works_while_a_job_runs_eng_1() {
    let mut desk = desk();
    desk.speak(1, "wait");
    desk.speak(2, "never said");
    // The job may not have started when the first health check arrives: repeat until it has.
    loop {
        desk.say(&ToEngine::Health { id: RequestId(9) });
        if desk.next() == "healthy 9 Some(RequestId(1))" {
            break;
        }
    }
    desk.say(&ToEngine::Cancel { id: RequestId(2) });
    desk.say(&ToEngine::Cancel { id: RequestId(77) });
    desk.say(&ToEngine::Cancel { id: RequestId(1) });
    desk.expect(&["cancelled 1", "cancelled 2"]);
    desk.speak(3, "after");
    desk.expect(&["chunk 3 after", "done 3"]);
}

// ENG-1
#[test]
fn a_panic_costs_one_request_eng_1() {
    let mut desk = desk();
    desk.speak(1, "panic");
    desk.expect(&["failed 1 Internal The engine failed inside."]);
    desk.say(&load(2, Some("panic")));
    desk.expect(&["failed 2 Internal The engine failed inside."]);
    desk.speak(3, "still here");
    desk.expect(&["chunk 3 still here", "done 3"]);
}

// ENG-1
#[test]
fn the_end_of_input_is_told_at_once_also_during_work_eng_1() {
    let mut desk = desk();
    desk.speak(1, "wait");
    drop(desk.to.take());
    assert_eq!(desk.ended.recv_timeout(Duration::from_secs(5)), Ok(0));
    assert!(!desk.program.is_finished(), "the job still waits for its cancel");
}

#[test]
fn a_broken_protocol_ends_the_program() {
    let mut desk = desk();
    desk.to.as_mut().unwrap().write_all(&[0xff; 16]).unwrap();
    assert_eq!(desk.ended.recv_timeout(Duration::from_secs(5)), Ok(2));
    assert_eq!(desk.program.join().unwrap(), ExitCode::SUCCESS);
}
