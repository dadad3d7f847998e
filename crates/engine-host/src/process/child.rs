//! A running engine program, and the host's ends of its three streams.

use std::io;
use std::process::ExitStatus;

use tokio::process::Child;

use super::launch::{EngineEnd, Input, Output, Substitute};

/// A program that was started.
pub(super) struct SpawnedProgram {
    pub process: Process,
    pub stdin: Input,
    pub stdout: Output,
    pub stderr: Output,
}

/// The running program. It ends when dropped.
#[derive(Debug)]
pub(super) enum Process {
    Program(Box<Child>),
    Substitute(Box<dyn Substitute>),
}

impl Process {
    /// Process id; 0 if there is none.
    pub fn id(&self) -> u32 {
        match self {
            Self::Program(child) => child.id().unwrap_or_default(),
            Self::Substitute(_) => 0,
        }
    }

    /// Waits for its end and describes it, as the end of a sentence. Cancel-safe.
    pub async fn wait(&mut self) -> io::Result<String> {
        match self {
            Self::Program(child) => child.wait().await.map(describe),
            Self::Substitute(substitute) => Ok(match substitute.wait().await {
                EngineEnd::Code(code) => describe_code(code),
                EngineEnd::Signal(signal) => describe_signal(signal),
            }),
        }
    }

    /// Ends it and waits until it is gone.
    pub async fn kill(&mut self) -> io::Result<()> {
        match self {
            Self::Program(child) => child.kill().await,
            Self::Substitute(substitute) => {
                substitute.kill().await;
                Ok(())
            }
        }
    }
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return describe_signal(signal);
    }
    status.code().map_or_else(|| "in an unknown way".into(), describe_code)
}

fn describe_code(code: i32) -> String {
    format!("with code {code}")
}

fn describe_signal(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        _ => "a signal",
    };
    format!("by {name} ({signal})")
}
