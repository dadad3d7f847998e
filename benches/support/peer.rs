//! A peer written in Python, with its packages in its own virtual environment; it answers line by line.

#![allow(dead_code, reason = "each bench uses its part")]

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// One call of `pip install`, with variables of its environment.
pub type PipInstall<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);

fn run(program: &Path, arguments: &[&str], variables: &[(&str, &str)]) {
    let status = Command::new(program).args(arguments).envs(variables.iter().copied()).status();
    assert!(status.is_ok_and(|status| status.success()), "{} {arguments:?} failed", program.display());
}

/// The interpreter of the virtual environment `folder`, made with its packages if it is not complete.
pub fn python(folder: &Path, installs: &[PipInstall<'_>]) -> PathBuf {
    let complete = folder.join("complete");
    if !complete.exists() {
        run(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()], &[]);
        for (packages, variables) in installs {
            run(&folder.join("bin/pip"), &[&["install", "-q"], *packages].concat(), variables);
        }
        std::fs::write(complete, "").unwrap();
    }
    folder.join("bin/python")
}

/// A running program that answers each line with one line. Ends when it is dropped.
pub struct PythonPeer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl PythonPeer {
    pub fn start(python: &Path, script: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(python);
        command.arg(script).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the peer starts");
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from }
    }

    /// Panics unless the next line is `ready`, which shows that the packages are usable.
    pub fn expect_ready(&mut self) {
        assert_eq!(self.line().trim(), "ready", "the peer is not usable; remove its folder below target and try again");
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line
    }

    pub fn tell(&mut self, question: impl Display) {
        writeln!(self.to, "{question}").unwrap();
    }

    pub fn ask(&mut self, question: impl Display) -> serde_json::Value {
        self.tell(question);
        serde_json::from_str(&self.line()).expect("an answer of the peer")
    }
}

impl Drop for PythonPeer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
