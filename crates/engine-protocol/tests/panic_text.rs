//! The message of a panic in a separate engine program is never output (PRV-2). This test starts itself as that program, so it has no harness.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::{Command, ExitCode, Stdio};

use luna_engine_protocol::{CancelFlag, Engine, LoadReport, Output, frame, serve};
use luna_engine_protocol::{EngineJob, FromEngine, LoadSpec, PANICKED, SpeakJob, ToEngine};
use luna_messages::engine::{EngineError, EngineKind};
use luna_messages::{Lang, RequestId};

/// Its panic message quotes the text to be spoken, as slicing a text does.
struct Quoting;

impl Engine for Quoting {
    const KIND: EngineKind = EngineKind::Speech;

    fn load(&mut self, _: LoadSpec) -> Result<LoadReport, EngineError> {
        Ok(LoadReport::default())
    }

    fn run(&mut self, job: EngineJob, _: Vec<u8>, _: &mut Output, _: &CancelFlag) -> Result<(), EngineError> {
        panic!("can't say {job:?}")
    }

    fn unload(&mut self) {}
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "engine") {
        return serve(Quoting);
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    let child = child.arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let job = SpeakJob { text: "계좌번호 110-234".into(), lang: Lang::Ko, voice: None };
    let mut input = child.stdin.take().unwrap();
    frame::write(&mut input, &ToEngine::Run { id: RequestId(1), job: EngineJob::Speak(job) }, &[]).unwrap();
    let mut output = child.stdout.take().unwrap();
    let error = loop {
        match frame::read::<FromEngine>(&mut output).unwrap().expect("an answer") {
            (FromEngine::Failed { error, .. }, _) => break error,
            (FromEngine::Hello { .. }, _) => {}
            (other, _) => panic!("{other:?}"),
        }
    };
    drop(input);
    let said = child.wait_with_output().unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.starts_with(PANICKED) && said.contains("panic_text.rs:"), "its place is told: {said}");
    assert!(error.message.contains("panic_text.rs:"), "{error}");
    for words in [said, error.to_string()] {
        assert!(!words.contains("110") && !words.contains("계좌"), "it is quoted: {words}");
    }
    ExitCode::SUCCESS
}
