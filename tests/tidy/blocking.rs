//! No worker of the runtime waits for anything outside Luna (KER-11).

use crate::house::{SourceFile, assert_none, rust_files};

/// Blocking calls and types, as they would appear in code on the workers. Actors access the machine through `BlockingService<dyn …>`, whose calls
/// run on a separate thread and have a deadline.
const BLOCKS: [&str; 15] = [
    "Arc<dyn AudioOutput>",
    "Arc<dyn Pointer>",
    "Arc<dyn Capture>",
    "Arc<dyn HotKeys>",
    "Arc<dyn Card>",
    "std::fs",
    " fs::",
    "File::open",
    "std::process::Command",
    "std::net::Tcp",
    "thread::sleep",
    "block_on(",
    "spawn_blocking(",
    ".blocking_lock(",
    ".join().",
];

/// Code that runs on its own thread: models are located there, which reads the time stamps of their files.
const ELSEWHERE: [&str; 1] = ["crates/engine-host/src/availability.rs"];

fn runs_on_workers(file: &SourceFile) -> bool {
    let path = file.path.as_str();
    let folders = ["actors/", "crates/actor-runtime/src/", "crates/engine-host/src/", "src/http"];
    let own = folders.iter().any(|folder| path.starts_with(folder)) && !path.ends_with("/tests.rs");
    file.is_product_code() && own && !ELSEWHERE.contains(&path)
}

// KER-11
#[test]
fn workers_ask_what_blocks_on_threads_of_its_own_only_ker_11() {
    let wrong = rust_files().filter(|file| runs_on_workers(file)).flat_map(|file| {
        let lines = file.code().filter(|(_, code)| BLOCKS.iter().any(|word| code.contains(word)));
        lines.map(|(number, code)| format!("{}: {}", file.place(number), code.trim())).collect::<Vec<_>>()
    });
    assert_none("what blocks is asked by `luna_actor_runtime::blocking`", wrong);
}
