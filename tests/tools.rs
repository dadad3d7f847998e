//! Tools, end to end: `luna tools` and an agent by MCP look at a real application freely, and act on it only with the yes of the person (TOOL-1 to TOOL-3,
//! DNG-2, PRV-3, PRV-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/acted_program.rs"]
mod acted_program;
#[path = "support/desktop.rs"]
mod desktop;

#[path = "tools/looking.rs"]
mod looking;
#[path = "tools/mcp.rs"]
mod mcp;
#[path = "tools/permission.rs"]
mod permission;

use std::process::{Child, Command, Stdio};

use acted_program::ActedWindow;
use desktop::{LunaProcess, luna, take_turns};
use serde_json::{Value, json};

/// A running Luna beside the application that is looked at and acted on.
struct ToolScene {
    luna: LunaProcess,
    program: ActedWindow,
}

impl ToolScene {
    fn new(title: &str) -> Self {
        let program = ActedWindow::start(title);
        Self { luna: LunaProcess::start(), program }
    }

    fn command(&self, tool: &str, input: &Value) -> Command {
        let mut command = luna(self.luna.home.path());
        command.args(["tools", "call", tool, &input.to_string()]);
        command
    }

    /// What `luna tools call` prints, with its exit code.
    #[track_caller]
    fn calls(&self, tool: &str, input: &Value) -> (Value, Option<i32>) {
        let output = self.command(tool, input).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        (serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{tool}: {error}")), output.status.code())
    }

    /// The data of a call that succeeds.
    #[track_caller]
    fn data(&self, tool: &str, input: &Value) -> Value {
        let (report, code) = self.calls(tool, input);
        assert_eq!((&report["success"], code), (&Value::from(true), Some(0)), "{tool} {input}: {report:#}");
        report["data"].clone()
    }

    /// A call that waits for the person, until [`WaitingProgram::end`].
    fn asks(&self, tool: &str, input: &Value) -> WaitingProgram {
        let command = self.command(tool, input).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        WaitingProgram(Some(command.unwrap()))
    }
}

struct WaitingProgram(Option<Child>);

impl WaitingProgram {
    /// What came of it, and the exit code.
    fn end(mut self) -> (Value, Option<i32>) {
        let output = self.0.take().unwrap().wait_with_output().unwrap();
        (serde_json::from_slice(&output.stdout).unwrap(), output.status.code())
    }
}

impl Drop for WaitingProgram {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn error(report: &Value) -> &str {
    report["error"]["kind"].as_str().unwrap_or_else(|| panic!("{report:#}"))
}

/// The box of the element with this text, as `read_screen` told it.
#[track_caller]
fn bbox(screen: &Value, text: &str) -> [i64; 4] {
    let elements = screen["elements"].as_array().unwrap();
    let one = elements.iter().find(|one| one["text"].as_str().is_some_and(|shown| shown.contains(text)));
    let place = &one.unwrap_or_else(|| panic!("{text}: {screen:#}"))["bbox"];
    [0, 1, 2, 3].map(|at: usize| place[at].as_i64().unwrap())
}

/// The middle of that, as input of a click.
#[track_caller]
fn middle(screen: &Value, text: &str) -> Value {
    let [x, y, width, height] = bbox(screen, text);
    json!({"x": x + width / 2, "y": y + height / 2})
}
