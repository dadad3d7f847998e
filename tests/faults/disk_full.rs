//! Nothing can be written: the file size limit is zero, which fails writes like a full disk.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::desktop::{self, Mouse, SampleWindow, take_turns, wait};

/// A `luna` command that can write no file.
fn luna_without_disk(home: &std::path::Path, arguments: &[&str]) -> Command {
    let plain = desktop::luna(home);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]).arg(plain.get_program()).args(arguments);
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(Stdio::null());
    command
}

// KER-9, BUF-3
#[test]
fn luna_reads_on_without_a_place_for_her_control_file_ker_9_buf_3() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Full");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let home = tempfile::tempdir().unwrap();
    let mut child = luna_without_disk(home.path(), &["run", "--json", "--focus"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Luna speaks: an engine runs and the device receives sound.
    let sounds = || {
        let inputs = Command::new("pactl").args(["list", "short", "sink-inputs"]).output().ok()?;
        (!inputs.stdout.is_empty()).then_some(())
    };
    wait("sound", Duration::from_secs(15), sounds, String::new);
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    desktop::kill(child.id(), "TERM");
    let ended = || child.try_wait().unwrap();
    let status = wait("its end", Duration::from_secs(6), ended, String::new);
    assert_eq!(status.code(), Some(0));
    let mut log = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut log).unwrap();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut log).unwrap();
    assert!(log.contains("endpoint could not be opened"), "{log}");
    // The remedy is that of a full disk, not that of a port in use.
    assert!(log.contains("no room left on the disk") && !log.contains("http.port"), "{log}");
    let left: Vec<_> =
        std::fs::read_dir(home.path().join("run")).map(|all| all.flatten().collect()).unwrap_or_default();
    assert!(left.iter().all(|entry| entry.metadata().is_ok_and(|meta| meta.len() == 0)), "{left:?}");
}

// ENG-4, PRV-7
#[test]
fn a_download_that_finds_no_room_says_so_and_leaves_no_model_eng_4_prv_7() {
    let home = tempfile::tempdir().unwrap();
    let models = home.path().join("models");
    let output =
        luna_without_disk(home.path(), &["models", "fetch", "test"]).env("LUNA_MODELS", &models).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code().is_some(), "it ended by a signal");
    assert!(text.contains(&*models.to_string_lossy()) || text.contains("File too large"), "{text}");
}
