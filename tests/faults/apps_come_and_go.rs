//! Applications end while Luna has open connections to them.

use crate::desktop::{LunaProcess, Mouse, SampleWindow, take_turns};

fn open_files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).map(Iterator::count).unwrap_or(0)
}

// KER-9
#[test]
fn nothing_of_an_application_that_ended_stays_open_ker_9() {
    let _turn = take_turns();
    let mouse = Mouse::new();
    mouse.move_to((1900, 1060));
    let luna = LunaProcess::start();
    luna.wait_for_capability("text_recognition", "available");
    let mut counts = Vec::new();
    for round in 0..6 {
        let sample = SampleWindow::start("gtk3_sample.py", &format!("Round {round}"));
        mouse.move_to(sample.point("label_en"));
        luna.clear();
        luna.order("on");
        luna.hears("quick brown fox");
        luna.order("off");
        luna.hears("껐어요");
        counts.push(open_files(luna.child.id()));
    }
    // The first round opens the sound device; afterwards each application replaces the previous one.
    assert!(counts[5] <= counts[1] + 2, "open files after each application: {counts:?}");
}
