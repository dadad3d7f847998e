//! A window of GTK 3 that tells what was done to it: `gtk3_actions.py`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::desktop::root;

/// How long the program may take to show something or to tell what was done.
const PATIENCE: Duration = Duration::from_secs(20);

/// The running program.
pub struct ActedWindow {
    child: Child,
    orders: ChildStdin,
    told: Receiver<String>,
}

impl ActedWindow {
    /// Starts it; its window is active and in the accessibility tree.
    pub fn start(title: &str) -> Self {
        Self::start_as("gtk3_actions.py", &[title])
    }

    /// Starts a program of `tests/fixtures` that tells what is done to it in the same way.
    pub fn start_as(script: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new("/usr/bin/python3")
            .arg(root().join("tests/fixtures").join(script))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, told) = channel();
        let out = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let program = Self { orders: child.stdin.take().unwrap(), child, told };
        while program.line() != "READY" {}
        program
    }

    #[track_caller]
    fn line(&self) -> String {
        self.told.recv_timeout(PATIENCE).expect("the program tells nothing; is GTK 3 for python3 installed?")
    }

    /// Gives an order, which is carried out; what was told before is returned, oldest first.
    #[track_caller]
    pub fn order(&mut self, order: &str) -> Vec<Value> {
        writeln!(self.orders, "{order}").unwrap();
        let mut before = Vec::new();
        loop {
            let line = self.line();
            if line == "FLUSHED" {
                return before;
            }
            before.push(serde_json::from_str(&line).unwrap());
        }
    }

    /// What was done to it since it was asked last, as `who what`.
    #[track_caller]
    pub fn done(&mut self) -> Vec<String> {
        let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
        self.order("flush").iter().map(|event| format!("{} {}", word(event, "who"), word(event, "what"))).collect()
    }
}

impl Drop for ActedWindow {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The registry needs a moment to forget the window.
        std::thread::sleep(Duration::from_millis(200));
    }
}
