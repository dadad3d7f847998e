//! Orders on a program that the accessibility tree does not know, by the text in its window.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::*;
use desktop::wait;

/// `xmessage`, whose buttons stand so close that recognition reads them as one line. It ends with the number of the button that was pressed.
struct MessageWindow(Child);

impl MessageWindow {
    fn start(title: &str, buttons: &str) -> Self {
        let child = Command::new("xmessage")
            .args(["-buttons", buttons, "-title", title, "Do you want to keep the changes?"])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.expect("xmessage is needed: the Debian package x11-utils"))
    }

    fn is_open(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    #[track_caller]
    fn pressed(&mut self) -> i32 {
        let child = &mut self.0;
        let ended = || child.try_wait().unwrap().and_then(|status| status.code());
        wait("a button to be pressed", Duration::from_secs(10), ended, String::new)
    }
}

impl Drop for MessageWindow {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

// EXE-1, EXE-2, DNG-1
#[test]
fn a_program_without_a_tree_is_clicked_where_its_words_are_exe_1_exe_2_dng_1() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    luna.wait_for_capability("text_recognition", "available");
    let does = |words: &str| -> Value {
        let output = luna.ctl(&["do", words, "--json"]);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{words}: {output:?}"))
    };
    for (words, expect) in [("Later 눌러", 12), ("click Okay", 10)] {
        let mut window = MessageWindow::start("Asking", "Okay:10,Cancel:11,Later:12");
        // Its window comes and is read within some looks; nothing is pressed before.
        let done = || Some(does(words)).filter(|report| report["outcome"] == "success");
        let report = wait("the words to be found", Duration::from_secs(20), done, String::new);
        assert_eq!(report["steps"][0]["by"], "pointer", "{report:#}");
        assert_eq!(window.pressed(), expect, "{report:#}");
    }
    let mut window = MessageWindow::start("Asking again", "Keep:20,Delete:21");
    let asked = || Some(does("click Delete")).filter(|report| report["outcome"] == "confirm");
    let report = wait("the question", Duration::from_secs(20), asked, String::new);
    assert!(report["said"].as_str().unwrap().contains("Delete: 누를까요"), "{report:#}");
    assert!(!does("click Print")["outcome"].as_str().unwrap().contains("success"));
    assert!(window.is_open(), "nothing was pressed");
}
