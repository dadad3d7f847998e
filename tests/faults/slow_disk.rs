//! A read from the disk does not return: the configuration file, and a model. A pipe that nobody writes to takes the place of the file.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::desk::{self, Luna, Mouse, Sample, take_turns};

fn make_pipe(path: &std::path::Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success(), "mkfifo {}", path.display());
}

/// Lets who reads the pipe see its end.
fn release(path: &std::path::Path) {
    let path = path.to_owned();
    // Opening waits for the reader; where there is none, the thread ends with the test.
    std::thread::spawn(move || drop(std::fs::OpenOptions::new().write(true).open(path)));
}

// KER-8, KER-10
#[test]
fn a_configuration_file_that_can_not_be_read_holds_up_nobody_ker_8_ker_10() {
    let _turn = take_turns();
    let sample = Sample::start("gtk3_sample.py", "Slow");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let mut luna = Luna::start();
    make_pipe(&luna.home.path().join("config.yaml"));
    // It is looked at every few hundred milliseconds.
    std::thread::sleep(Duration::from_secs(3));
    for _ in 0..5 {
        luna.clear();
        luna.order("on");
        luna.hears("quick brown fox");
        let begin = Instant::now();
        luna.order("stop");
        luna.event("TTS.Stop", |data| data["finished"] == false);
        assert!(begin.elapsed() < Duration::from_secs(2), "stop took {:?}", begin.elapsed());
        luna.order("off");
    }
    assert_eq!(luna.metric("luna_actor_hung_total"), 0.0);
    luna.signal("TERM");
    let ended = || luna.child.try_wait().unwrap();
    let status = desk::wait("her end", Duration::from_secs(6), ended, String::new);
    assert_eq!(status.code(), Some(0));
    release(&luna.home.path().join("config.yaml"));
}
