//! Engine output stays private, and the system kills an engine before Luna if memory runs out.

use std::os::unix::fs::symlink;
use std::time::Duration;

use luna_focus::phrases::Phrase;
use luna_messages::Lang;

use crate::desktop::{self, LunaProcess};

// PRV-2
#[test]
fn what_an_engine_says_while_it_dies_reaches_neither_log_nor_status_prv_2() {
    let double = luna_engine_host::engine_path("luna-engine-double");
    assert!(double.is_file(), "{} is not there: build it with `cargo build --workspace`", double.display());
    let folder = tempfile::tempdir().unwrap();
    symlink(double, folder.path().join("luna-engine-speech-espeak")).unwrap();
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA_ENGINE_DIR", folder.path()).env("LUNA_DOUBLE_SPILLS", "1").env("LUNA_LOG", "info");
    });
    let spoken = Phrase::Ready.text(Lang::Ko);
    let died = || (luna.metric("luna_engine_ends_total{engine=\"speech\",how=\"crashed\"}") > 0.0).then_some(());
    desktop::wait("the engine to die", Duration::from_secs(20), died, || luna.log.lock().unwrap().clone());
    let (log, status) = (luna.log.lock().unwrap().clone(), luna.get("status"));
    assert!(log.contains("WARN") && log.contains("SIGABRT"), "its end is told: {log}");
    for word in spoken.split(' ').chain(["could not say", "src/x.rs"]) {
        assert!(!log.contains(word) && !status.contains(word), "{word:?} leaked:\n{log}\n{status}");
    }
}

// ENG-2
#[test]
#[cfg(target_os = "linux")]
fn the_system_ends_an_engine_before_luna_where_memory_runs_out_eng_2() {
    let luna = LunaProcess::start();
    let speech = || luna.engines("luna-engine-speech-espeak").first().copied();
    let speech = desktop::wait("the speech engine", Duration::from_secs(20), speech, || luna.get("status"));
    let score = |pid: u32| -> i32 {
        std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).unwrap().trim().parse().unwrap()
    };
    let raised = || (score(speech) >= 500).then_some(());
    desktop::wait("the engine to say so", Duration::from_secs(10), raised, || score(speech).to_string());
    assert!(score(luna.child.id()) < 500);
}
