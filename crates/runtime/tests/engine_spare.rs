//! An engine stands by (KER-6, ENG-2), with the engine double.
#![cfg(all(not(loom), unix))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may fail")]

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use luna_messages::Lang;
use luna_messages::engine::{EngineJob, EngineKind, LoadSpec, SpeakJob, SpeechLoad};
use luna_runtime::engine::HostSettings;
use luna_runtime::engine::spare::{Spare, Standby, Wish};
use luna_runtime::{EngineFailure, EngineHost, EngineProgram};
use tokio::time::{Instant, timeout};

const SOON: Duration = Duration::from_secs(20);

fn wish(mode: &str) -> Wish {
    Wish {
        program: EngineProgram {
            kind: EngineKind::Speech,
            path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-double")),
            arguments: vec![mode.into()],
            nice: 0,
        },
        settings: HostSettings::default(),
        spec: LoadSpec::Speech(SpeechLoad { library: None, data: None }),
    }
}

async fn take(spare: &Spare, wish: &Wish) -> EngineHost {
    let (host, loaded) = timeout(SOON, spare.take(wish)).await.expect("an engine in time").expect("an engine");
    assert_eq!(loaded.models[0].name, "voice:en");
    host
}

fn pid(spare: &Spare) -> Option<u32> {
    spare.standing().map(|standing| standing.pid)
}

async fn works(host: &EngineHost) {
    let job = SpeakJob { text: "echo".into(), lang: Lang::En, voice: None };
    let mut run = host.run(EngineJob::Speak(job), Bytes::from_static(b"sound")).unwrap();
    let part = timeout(SOON, run.next()).await.unwrap().unwrap();
    assert_eq!(part.unwrap().1, "sound");
}

async fn until(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < SOON, "it takes too long");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn exists(pid: u32) -> bool {
    PathBuf::from(format!("/proc/{pid}")).exists()
}

// KER-6, ENG-2
#[tokio::test]
async fn the_one_that_stands_by_takes_over_at_once_ker_6_eng_2() {
    for standby in [Standby::Started, Standby::Loaded] {
        let spare = Spare::new(standby);
        assert_eq!((pid(&spare), spare.is_ready()), (None, false), "nothing is started before it is needed");
        let mut host = take(&spare, &wish("")).await;
        for _ in 0..5 {
            works(&host).await;
            until(|| spare.is_ready()).await;
            let stands_by = pid(&spare).expect("a program that stands by");
            assert_ne!(stands_by, host.pid());
            assert_eq!(
                spare.standing().unwrap().loaded,
                standby == Standby::Loaded,
                "only then its memory is taken twice"
            );
            host.kill();
            host = take(&spare, &wish("")).await;
            assert_eq!(host.pid(), stands_by, "{standby:?}");
        }
        works(&host).await;
    }
}

// KER-6
#[tokio::test]
async fn it_can_be_switched_off_and_given_up_ker_6() {
    let spare = Spare::new(Standby::Off);
    let first = take(&spare, &wish("")).await;
    assert_eq!(pid(&spare), None);
    spare.set_standby(Standby::Loaded);
    assert_eq!(pid(&spare), None, "with the next that is taken");
    let second = take(&spare, &wish("")).await;
    until(|| spare.is_ready()).await;
    let stood_by = pid(&spare).unwrap();
    spare.give_up();
    assert_eq!((pid(&spare), spare.is_ready()), (None, false));
    until(|| !exists(stood_by)).await;
    works(&first).await;
    works(&second).await;
    let third = take(&spare, &wish("")).await;
    assert_ne!(third.pid(), stood_by);
    until(|| spare.is_ready()).await;
    let stood_by = pid(&spare).unwrap();
    drop(spare);
    until(|| !exists(stood_by)).await;
    works(&third).await;
}

// KER-6, GPU-2
#[tokio::test]
async fn one_that_could_not_be_taken_leaves_nothing_behind_ker_6_gpu_2() {
    let spare = Spare::new(Standby::Loaded);
    // This double never completes a load.
    assert!(timeout(Duration::from_millis(300), spare.take(&wish("hang-at-load"))).await.is_err());
    assert_eq!((pid(&spare), spare.is_ready()), (None, false));
    works(&take(&spare, &wish("")).await).await;
}

// ENG-2
#[tokio::test]
async fn one_that_ended_or_does_not_fit_is_not_taken_eng_2() {
    let spare = Spare::new(Standby::Loaded);
    drop(take(&spare, &wish("")).await);
    until(|| spare.is_ready()).await;
    let dead = pid(&spare).unwrap();
    assert!(std::process::Command::new("kill").args(["-KILL", &dead.to_string()]).status().unwrap().success());
    let host = take(&spare, &wish("")).await;
    assert_ne!(host.pid(), dead);
    works(&host).await;
    until(|| spare.is_ready()).await;
    let unfit = pid(&spare).unwrap();
    let mut other = wish("");
    other.program.nice = 3;
    let host = take(&spare, &other).await;
    assert_ne!(host.pid(), unfit, "another wish, another program");
    until(|| !exists(unfit)).await;
    works(&host).await;
}

// ENG-2
#[tokio::test]
async fn what_cannot_be_started_is_told_and_not_tried_again_eng_2() {
    let spare = Spare::new(Standby::Loaded);
    for mode in ["die-at-start", "die-at-load"] {
        let failure = timeout(SOON, spare.take(&wish(mode))).await.unwrap().unwrap_err();
        assert!(matches!(failure, EngineFailure::NotStarted { .. } | EngineFailure::Ended { .. }), "{failure:?}");
        assert_eq!(pid(&spare), None);
    }
    works(&take(&spare, &wish("")).await).await;
}
