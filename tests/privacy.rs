//! A protected field's text appears nowhere: no output, log, metric, event, status, file, nor Luna's memory (PIC-5, PRV-1 to PRV-3). Uses
//! GTK 4, which returns passwords to every caller.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::time::Duration;

use desktop::{LunaProcess, Mouse, SECRET, SampleWindow, luna, take_turns};

/// Whether `needle` occurs in the writable memory of a process.
fn in_memory(process: u32, needle: &[u8]) -> bool {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let mut memory =
        File::open(format!("/proc/{process}/mem")).expect("tests may read the memory of their own children");
    let mut looked_at = 0;
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (from, to) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let (from, to) = (u64::from_str_radix(from, 16).unwrap(), u64::from_str_radix(to, 16).unwrap());
        let mut bytes = vec![0; usize::try_from(to - from).unwrap()];
        if memory.seek(SeekFrom::Start(from)).is_ok() && memory.read_exact(&mut bytes).is_ok() {
            looked_at += bytes.len();
            if bytes.windows(needle.len()).any(|part| part == needle) {
                return true;
            }
        }
    }
    assert!(looked_at > 1_000_000, "the memory could not be read");
    false
}

fn assert_never_exposed(script: &str, name: &str, neighbour: &str) {
    let sample = SampleWindow::start(script, name);
    let mouse = Mouse::new();
    let luna_runs = LunaProcess::start_with(|command| {
        command.env("LUNA_LOG", "trace");
    });
    luna_runs.wait_for_capability("text_recognition", "available");
    mouse.move_to(sample.point("password"));
    luna_runs.order("on");
    luna_runs.hears("보호된 입력란");
    // Every command that might read it.
    for order in ["bigger", "spell", "numbers", "repeat", "pin", "next", "off"] {
        luna_runs.order(order);
        std::thread::sleep(Duration::from_millis(150));
    }
    // From a neighbour, steps over the field line by line while pinned.
    mouse.move_to(sample.point("entry"));
    luna_runs.order("on");
    luna_runs.hears(neighbour);
    luna_runs.order("pin");
    for order in ["next", "next", "next", "prev", "prev"] {
        luna_runs.order(order);
        std::thread::sleep(Duration::from_millis(400));
    }
    let everything = [
        luna_runs.seen.lock().unwrap().clone(),
        luna_runs.log.lock().unwrap().clone(),
        luna_runs.get("metrics"),
        luna_runs.get("status"),
        luna_runs.get("trace"),
    ]
    .concat();
    assert!(everything.contains(neighbour), "the test hears what is not protected");
    assert!(!everything.contains(SECRET) && !everything.contains("hunter2"), "the password leaked into an output");
    assert!(!in_memory(luna_runs.child.id(), SECRET.as_bytes()), "the password is in Luna's memory");
    for entry in std::fs::read_dir(luna_runs.home.path().join("run")).unwrap().flatten() {
        let content = std::fs::read(entry.path()).unwrap_or_default();
        assert!(
            !String::from_utf8_lossy(&content).contains("hunter2"),
            "the password is in {}",
            entry.path().display()
        );
    }

    // The batch command refuses the field and does not recognise a picture of it either.
    let (x, y) = sample.point("password");
    let output = luna(luna_runs.home.path()).args(["read", "--at", &format!("{x},{y}"), "--json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("보호된") && !said.contains("hunter2"), "{said}");
}

// PIC-5, PRV-2, PRV-3
#[test]
fn a_password_of_gtk_4_is_never_told_pic_5_prv_2_prv_3() {
    let _turn = take_turns();
    assert_never_exposed("gtk4_sample.py", "Secrets 4", "부산항");
}

// PIC-5, PRV-2, PRV-3
#[test]
fn a_password_of_gtk_3_is_never_told_pic_5_prv_2_prv_3() {
    let _turn = take_turns();
    assert_never_exposed("gtk3_sample.py", "Secrets 3", "서울역");
}

// PIC-5, PRV-1, PRV-3
#[test]
fn hidden_fields_that_gtk_4_marks_as_nothing_are_never_told_pic_5_prv_1_prv_3() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk4_fields.py", "Fields 4");
    let mouse = Mouse::new();
    let luna_runs = LunaProcess::start_with(|command| {
        command.env("LUNA_LOG", "trace");
    });
    luna_runs.wait_for_capability("text_recognition", "available");
    for field in ["hidden_placeholder", "hidden_mnemonic", "hidden_token", "hidden_unnamed"] {
        luna_runs.clear();
        mouse.move_to(sample.point(field));
        luna_runs.order("on");
        luna_runs.hears("보호된 입력란");
        luna_runs.order("off");
    }
    mouse.move_to(sample.point("plain"));
    luna_runs.order("on");
    luna_runs.hears("부산항");
    luna_runs.order("pin");
    for order in ["prev", "prev", "next", "next", "next"] {
        luna_runs.order(order);
        std::thread::sleep(Duration::from_millis(400));
    }
    let home = luna_runs.home.path();
    let at = |name: &str, more: &str| {
        let (x, y) = sample.point(name);
        let output = luna(home).args(["read", "--at", &format!("{x},{y}"), more]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), said)
    };
    let (code, candidates) = at("plain", "--candidates");
    assert!(code == Some(0) && candidates.contains("부산항"), "{candidates}");
    let mut everything = candidates;
    for field in ["hidden_other_mark", "hidden_disabled", "hidden_fixed", "hidden_icon", "hidden_combo"] {
        let (code, said) = at(field, "--json");
        assert!(code == Some(1) && said.contains("보호된"), "{field}: {said}");
        everything += &said;
    }
    everything += &luna_runs.seen.lock().unwrap();
    everything += &luna_runs.log.lock().unwrap();
    everything += &luna_runs.get("status");
    assert!(!everything.contains("hunter2"), "the password leaked into an output");
    assert!(!in_memory(luna_runs.child.id(), SECRET.as_bytes()), "the password is in Luna's memory");
}

// PRV-3, CFG-5
#[test]
fn roles_that_the_person_blocks_are_not_read_prv_3_cfg_5() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk4_sample.py", "Blocked 4");
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str, more: &str| {
        let (x, y) = sample.point(name);
        let output = luna(home.path()).args(["read", "--at", &format!("{x},{y}"), more]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), said)
    };
    let block = |roles: &str| {
        let config = format!("version: 1\nprofiles:\n  default:\n    privacy: {{ block_roles: {roles} }}\n");
        std::fs::write(home.path().join("config.yaml"), config).unwrap();
    };
    block("[Password]");
    let (_, said) = at("button", "--json");
    assert!(said.contains("저장하기"), "{said}");
    block("[Button, CheckBox]");
    let (code, said) = at("button", "--json");
    assert!(code == Some(1) && said.contains("보호된"), "{said}");
    let (_, candidates) = at("label_ko", "--candidates");
    assert!(candidates.contains("고유조건") && !candidates.contains("저장하기") && !candidates.contains("기억하기"));
    block("[Buton]");
    let (code, said) = at("label_ko", "--json");
    assert!(code != Some(0) && said.contains("Buton") && said.contains("Button"), "{said}");
}

// SES-5, PIC-5
#[test]
fn with_the_whole_screen_a_password_beside_the_pointer_is_not_recognised_ses_5_pic_5() {
    let _turn = take_turns();
    let sample = SampleWindow::start_variant("gtk4_fields.py", "Dialog 4", 300, 300, "shown");
    let home = tempfile::tempdir().unwrap();
    // On the empty desktop just left of the window: the region of the picture covers part of the dialog.
    let (_, y, _, height) = sample.place("shown");
    let output = luna(home.path())
        .env("LUNA__FOCUS_MODE__CAPTURE", "screen")
        .args(["read", "--at", &format!("285,{}", y + height / 2), "--json"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    // The label of the field is read, so recognition covered this part; not even the beginning of the field's text is read.
    assert!(output.status.code() == Some(0) && said.contains("Password"), "{said}");
    assert!(!said.contains("Password h") && !said.contains("hunter"), "{said}");
}

#[test]
fn the_search_of_the_memory_finds_what_is_there() {
    // Proves that the check above can fail: this process contains the word.
    let held = String::from("needle-in-the-heap-7c1").repeat(3);
    assert!(in_memory(std::process::id(), held.as_bytes()));
}
