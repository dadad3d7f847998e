//! A program that tells what is done to it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};

use super::*;

/// A running program, ended on drop.
pub(super) struct ActedProgram {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl ActedProgram {
    /// Starts it, and waits until its window is active.
    pub(super) fn start(script: &str, title: &str) -> Self {
        // Debian's packages of the bindings work only with Debian's own interpreter.
        let python = if std::path::Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
        let mut child = Command::new(python)
            .arg(fixture(script))
            .arg(title)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} is needed for the sample windows: {error}"));
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let stdin = child.stdin.take().unwrap();
        let program = Self { child, stdin, lines };
        program.until("READY");
        program
    }

    /// What it told until it said `word`.
    fn until(&self, word: &str) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("the program did not say {word}: is python3-gi installed?"));
            if line == word {
                return told;
            }
            told.push(line);
        }
    }

    /// Carries out a command, and returns what was told before it was.
    pub(super) fn tell(&mut self, command: &str) -> Vec<String> {
        writeln!(self.stdin, "{command}").unwrap();
        self.stdin.flush().unwrap();
        self.until("FLUSHED")
    }

    /// All that it has told since the last time, each as "who what and the rest". What it does later than at once, as GTK 3
    /// with a press, it has done by then: it obeys only when it has nothing else to do.
    pub(super) fn told(&mut self) -> Vec<String> {
        self.tell("flush").iter().map(|line| in_words(line)).collect()
    }

    /// The next that it tells.
    pub(super) fn next(&self) -> String {
        in_words(&self.lines.recv_timeout(PATIENCE).expect("the program tells nothing"))
    }
}

/// A line of JSON as its values, in the order of who, what and the rest.
fn in_words(line: &str) -> String {
    let told: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let told = told.as_object().unwrap();
    let word = |key: &str| told[key].as_str().unwrap().to_owned();
    let rest = told.iter().filter(|(key, _)| !["who", "what"].contains(&key.as_str()));
    let rest = rest.map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    [word("who"), word("what")].into_iter().chain(rest).collect::<Vec<_>>().join(" ")
}

impl Drop for ActedProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
