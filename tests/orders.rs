//! Orders, end to end: `luna ctl do`, words as text, voice and keys lead to exactly one action in a real application, which itself tells what it got
//! (EXE, DNG).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/acted_program.rs"]
mod acted_program;
#[path = "support/desktop.rs"]
mod desktop;

#[path = "orders/badges.rs"]
mod badges;
#[path = "orders/danger.rs"]
mod danger;
#[path = "orders/plain.rs"]
mod plain;
#[path = "orders/recognised.rs"]
mod recognised;

use acted_program::ActedWindow;
use desktop::{LunaProcess, take_turns};
use serde_json::Value;

/// A running Luna beside the application that is acted on.
struct OrderScene {
    luna: LunaProcess,
    program: ActedWindow,
}

impl OrderScene {
    fn new(title: &str, sets: &[&str]) -> Self {
        let program = ActedWindow::start(title);
        let luna = LunaProcess::start_with(|command| {
            for set in sets {
                command.args(["--set", set]);
            }
        });
        Self { luna, program }
    }

    /// What `luna ctl do` or `luna ctl answer` prints, with its exit code.
    #[track_caller]
    fn ctl(&self, what: &str, words: &str) -> (Value, Option<i32>) {
        let output = self.luna.ctl(&[what, words, "--json"]);
        let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            let log = self.luna.log.lock().unwrap();
            panic!("{words}: {error}: {} {log}", String::from_utf8_lossy(&output.stderr))
        });
        (report, output.status.code())
    }

    /// Carries out an order and expects this outcome; returns the report.
    #[track_caller]
    fn does(&self, words: &str, outcome: &str) -> Value {
        let (report, code) = self.ctl("do", words);
        assert_eq!(report["outcome"], outcome, "{words}: {report:#}\n{}", self.luna.log.lock().unwrap());
        let expect = match outcome {
            "success" | "clarify" | "confirm" => 0,
            "failed" => 1,
            _ => 3,
        };
        assert_eq!(code, Some(expect), "{words}: {report:#}");
        report
    }

    /// Waits until a sentence with these words was spoken to its end: a question counts as asked then.
    #[track_caller]
    fn heard(&self, part: &str) {
        self.luna.hears(part);
        self.luna.event("TTS.Stop", |data| data["finished"] == true);
    }

    /// Answers the open question and expects this outcome.
    #[track_caller]
    fn answers(&self, words: &str, outcome: &str) -> Value {
        let (report, _) = self.ctl("answer", words);
        assert_eq!(report["outcome"], outcome, "{words}: {report:#}");
        report
    }
}
