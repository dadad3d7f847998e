//! From words to what is done and seen to be done, on a real GTK 3 window and with a whole running Luna; the candidates of a window of 1,000 elements; and
//! the tools for programs, beside the times of the design that Luna comes after (EXE-2, PIC-9, TOOL-4). A plain Python client (pyatspi) does the same to the
//! same window in the same run. Writes `target/report/automation.json` and `target/report/automation_tools.json`.
//!
//! Run on a desktop: `make report`, or `scripts/desktop-session.sh cargo bench -p luna --bench automation`. What only seemed to be done ends the bench: the window
//! itself tells what it got. `LUNA_BENCH_ROUNDS` sets how often each order is given in each language, and each tool called (30).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]
#![allow(clippy::disallowed_methods, reason = "a bench measures the real clock")]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/support/acted_program.rs"]
mod acted_program;
#[path = "../tests/support/desktop.rs"]
mod desktop;
#[path = "support/peer.rs"]
mod peer;

#[path = "automation/candidates.rs"]
mod candidates;
#[path = "automation/orders.rs"]
mod orders;
#[path = "automation/scene.rs"]
mod scene;
#[path = "automation/times.rs"]
mod times;
#[path = "automation/tools.rs"]
mod tools;

use std::path::PathBuf;

use serde_json::{Value, json};

use scene::ActingScene;

fn rounds() -> usize {
    std::env::var("LUNA_BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(30)
}

fn write(file: &str, page: &Value) {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| desktop::root().join("target"), PathBuf::from);
    let folder = target.join("report");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(file), serde_json::to_vec_pretty(page).unwrap()).unwrap();
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let _turn = desktop::take_turns();
    let mut scene = ActingScene::start();
    let mut rows = orders::measure(&mut scene, rounds());
    let tool_rows = tools::measure(&mut scene, rounds());
    drop(scene);
    let (candidate_rows, incomplete) = candidates::measure(rounds());
    rows.extend(candidate_rows);
    write(
        "automation.json",
        &json!({
            "title": "Acting", "rows": rows,
            "goal": "an order done and verified: p95 within 150 ms by the tree, within 400 ms by the pointer; candidates of 1,000 elements within 100 ms",
            "note": "Ours: from the words by the way of `luna ctl do` (without the start of that program) until the report that it was done and verified. \
                     The peer is a script of pyatspi: it finds the element by its exact name, does its action and waits for the event of the change; it \
                     understands nothing, looks for no danger, and checks nothing before or after. The window itself told each time that it was done.",
        }),
    );
    write(
        "automation_tools.json",
        &json!({
            "title": "Tools", "rows": tool_rows,
            "goal": "at least three times as fast as the reference times of the design that Luna comes after (TOOL-4)",
            "note": "By the way of `luna tools call` (without the start of that program). The ratio is to the lower end of the reference. What acts waits for \
                     the person's yes: the time from the question to the yes is left out, all before and after it is counted.",
        }),
    );
    assert_eq!(incomplete, 0, "the application told not all of its 1,000 elements in time");
}
