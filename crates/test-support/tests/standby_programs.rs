//! Standby with real programs: each crash fails over to the standby, and no program is left when the token learns that the memory is free (GPU-3).
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use luna_engine_host::EngineProgram;
use luna_engine_host::PrepareOutcome;
use luna_engine_host::{EngineLease, LoadGate, ManagedEngine, ModelPlan};
use luna_engine_protocol::{LoadSpec, SpeechLoad};
use luna_messages::Lane;
use luna_messages::engine::EngineKind;
use luna_test_support::token_double::{TokenDouble, TokenLog};
use tokio::time::{Instant, sleep};

const SOON: Duration = Duration::from_secs(20);

fn exists(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn signal(pid: u32, name: &str) {
    assert!(std::process::Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

async fn until(what: &str, is: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < SOON, "waited in vain until {what}");
        sleep(Duration::from_millis(1)).await;
    }
}

/// The lease of an engine with its model, once its standby is ready.
async fn lease_with_standby(slot: &Arc<ManagedEngine>, mode: &str) -> EngineLease {
    let program = EngineProgram {
        kind: EngineKind::Speech,
        path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-double")),
        arguments: vec![mode.into()],
        nice: 0,
        memory_limit: None,
    };
    let spec = |_| LoadSpec::Speech(SpeechLoad { library: None, data: None });
    let model =
        ModelPlan { name: "m".into(), file: "m".into(), memory_estimate: 1, standby: true, spec: Arc::new(spec) };
    let grant = slot.request_grant(&model, Lane::Llm).await.unwrap();
    let PrepareOutcome::Ready(process, grant) = slot.prepare(&program, &model, grant).await else {
        panic!("it is not ready");
    };
    until("one stands by", || slot.standby_pid().is_some()).await;
    EngineLease { process, grant }
}

// STT-1, ENG-2
#[tokio::test]
async fn one_follows_another_that_was_killed_stt_1_eng_2() {
    let token = TokenDouble::start();
    let slot = ManagedEngine::leased(EngineKind::Speech, token.inbox.clone(), LoadGate::default());
    let engine_lease = lease_with_standby(&slot, "").await;
    let mut pids = vec![engine_lease.process.pid()];
    // Without work in between, the wait before the next standby doubles.
    for _ in 0..3 {
        until("one stands by", || slot.standby_pid().is_some()).await;
        let (first, second) = (slot.pid().unwrap(), slot.standby_pid().unwrap());
        assert!(exists(first) && exists(second) && !pids.contains(&second), "{first} {second} {pids:?}");
        pids.push(second);
        signal(first, "-KILL");
        until("the other one works", || slot.pid() == Some(second)).await;
    }
    until("one stands by", || slot.standby_pid().is_some()).await;
    pids.extend(slot.standby_pid());
    assert!(!token.heard().iter().any(|heard| matches!(heard, TokenLog::Unloaded(_))), "{:?}", token.heard());
    drop((engine_lease, slot));
    until("all are gone", || !pids.iter().any(|pid| exists(*pid))).await;
}

// GPU-3, ENG-3
#[tokio::test]
async fn none_is_left_when_the_token_hears_that_the_memory_is_free_gpu_3_eng_3() {
    // Also if both programs ignore the order to end, and if only the standby does.
    for (mode, stopped) in [("", false), ("stays", false), ("", true)] {
        for by_unload in [true, false] {
            let token = TokenDouble::start();
            let slot = ManagedEngine::leased(EngineKind::Speech, token.inbox.clone(), LoadGate::default());
            let engine_lease = lease_with_standby(&slot, mode).await;
            let pids = [slot.pid().unwrap(), slot.standby_pid().unwrap()];
            let loaded_by = engine_lease.grant.grant().loaded_by;
            if stopped {
                signal(pids[1], "-STOP");
            }
            let ends = slot.clone();
            let end = tokio::spawn(async move {
                if by_unload {
                    ends.unload(loaded_by).await;
                } else {
                    ends.stop();
                }
            });
            until("the token is told", || {
                let alive = slot.is_alive();
                let told = token.heard().contains(&TokenLog::Unloaded(loaded_by));
                assert!(!told || !pids.iter().any(|pid| exists(*pid)), "{mode:?}: it was told too early");
                assert!(alive || !pids.iter().any(|pid| exists(*pid)), "{mode:?}: they count as gone too early");
                told
            })
            .await;
            end.await.unwrap();
            assert_eq!((slot.pid(), slot.standby_pid(), slot.is_alive()), (None, None, false));
        }
    }
}
