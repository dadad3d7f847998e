//! The engine host with a program that misbehaves on demand (ENG-1, ENG-2, BUF-3).
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use luna_engine_host::process::ProcessTimes;
use luna_engine_host::{EngineFailure, EngineProcess, EngineProgram, RunningJob};
use luna_engine_protocol::{EngineJob, LoadSpec, SpeakJob, SpeechLoad};
use luna_messages::Lang;
use luna_messages::engine::{EngineErrorKind, EngineKind};
use luna_test_support::recorder::{metric, recorder};
use tokio::time::{Instant, timeout};

const MS: fn(u64) -> Duration = Duration::from_millis;
const SOON: Duration = Duration::from_secs(20);

fn program(mode: &str) -> EngineProgram {
    EngineProgram {
        kind: EngineKind::Speech,
        path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-double")),
        arguments: vec![mode.into()],
        nice: 5,
        memory_limit: None,
    }
}

fn settings() -> ProcessTimes {
    ProcessTimes { hello: MS(3000), liveness_period: MS(200), liveness_deadline: MS(800), cancel: MS(300) }
}

async fn start(mode: &str) -> EngineProcess {
    EngineProcess::start_with(&program(mode), settings()).await.unwrap()
}

fn speak(host: &EngineProcess, order: &str) -> RunningJob {
    let job = SpeakJob { text: order.into(), lang: Lang::En, voice: None };
    host.run(EngineJob::Speak(job), Bytes::from_static(b"sound")).unwrap()
}

fn spec() -> LoadSpec {
    LoadSpec::Speech(SpeechLoad { library: None, data: None })
}

/// All parts of a result, and how the job ended.
async fn all(run: &mut RunningJob) -> (Vec<Bytes>, Result<(), EngineFailure>) {
    let mut parts = Vec::new();
    loop {
        match timeout(SOON, run.next()).await.expect("a request is left waiting") {
            Ok(Some((_, payload))) => parts.push(payload),
            Ok(None) => return (parts, Ok(())),
            Err(failure) => return (parts, Err(failure)),
        }
    }
}

/// Whether the process exists, also as a zombie.
fn exists(pid: u32) -> bool {
    PathBuf::from(format!("/proc/{pid}")).exists()
}

async fn gone(pid: u32) {
    let start = Instant::now();
    while exists(pid) {
        assert!(start.elapsed() < SOON, "process {pid} is left over");
        tokio::time::sleep(MS(5)).await;
    }
}

fn signal(pid: u32, name: &str) {
    assert!(std::process::Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

// ENG-1
#[tokio::test]
async fn load_run_health_unload_and_close_eng_1() {
    let host = start("").await;
    assert_eq!(host.version(), "double");
    let loaded = host.load(spec()).await.unwrap();
    assert_eq!((loaded.models[0].name.as_str(), loaded.resident_bytes), ("voice:en", 1000));
    let mut first = speak(&host, "stream 1000");
    let mut second = speak(&host, "echo");
    let (parts, end) = all(&mut first).await;
    assert_eq!((parts.len(), end), (1000, Ok(())));
    assert!(parts.iter().zip(0u64..).all(|(part, n)| part[..] == n.to_be_bytes()), "in order");
    assert_eq!(all(&mut second).await, (vec![Bytes::from_static(b"sound")], Ok(())));
    assert_eq!(second.next().await, Ok(None), "the same again when asked again");
    let refused = all(&mut speak(&host, "refuse")).await.1.unwrap_err();
    let EngineFailure::Refused(error) = &refused else { panic!("{refused:?}") };
    assert_eq!(error.kind, EngineErrorKind::BadInput);
    assert_eq!(refused.to_string(), "It can't be spoken. Say something else.");
    assert_eq!(host.health(SOON).await.unwrap().resident_bytes, 1);
    assert_eq!(host.unload().await.unwrap(), 10);
    let pid = host.pid();
    host.close(SOON).await;
    assert!(!exists(pid));
}

// ENG-1
#[tokio::test]
async fn a_large_payload_passes_and_a_larger_than_allowed_is_refused_here_eng_1() {
    let host = start("").await;
    let job = |text: &str| EngineJob::Speak(SpeakJob { text: text.into(), lang: Lang::En, voice: None });
    let big = Bytes::from(vec![7; 20_000_000]);
    let (parts, end) = all(&mut host.run(job("echo"), big.clone()).unwrap()).await;
    assert_eq!(end, Ok(()));
    assert!(parts == [big]);
    let too_big = Bytes::from(vec![0; luna_engine_protocol::MAX_FRAME]);
    assert!(matches!(host.run(job("echo"), too_big), Err(EngineFailure::Protocol { .. })));
    assert_eq!(all(&mut speak(&host, "echo")).await.1, Ok(()), "the engine goes on");
}

// ENG-1
#[tokio::test]
async fn a_job_is_cancelled_by_word_by_drop_and_before_it_starts_eng_1() {
    let host = start("").await;
    let mut run = speak(&host, "slow 100000");
    let waiting = speak(&host, "slow 100000");
    let mut after = speak(&host, "echo");
    assert!(run.next().await.unwrap().is_some());
    run.cancel();
    drop(waiting);
    assert_eq!(all(&mut run).await.1, Err(EngineFailure::Cancelled));
    assert_eq!(run.next().await, Err(EngineFailure::Cancelled));
    assert_eq!(all(&mut after).await.1, Ok(()), "the dropped one does not hold up the next");
}

// ENG-2
#[tokio::test]
async fn a_cancel_that_is_not_obeyed_is_told_in_time_eng_2() {
    let host = start("").await;
    let mut run = speak(&host, "deaf 200");
    assert!(run.next().await.unwrap().is_some());
    run.cancel();
    let start = Instant::now();
    let end = all(&mut run).await.1.unwrap_err();
    assert!(matches!(end, EngineFailure::TimedOut { .. }), "{end:?}");
    assert!(start.elapsed() < MS(1500), "{:?}", start.elapsed());
    assert!(host.is_alive());
    let mut hung = speak(&host, "hang");
    hung.cancel();
    assert!(matches!(all(&mut hung).await.1, Err(EngineFailure::TimedOut { .. })));
}

// ENG-2
#[tokio::test]
async fn a_job_that_nobody_waits_for_does_not_hold_the_engine_for_ever_eng_2() {
    let host = start("").await;
    let pid = host.pid();
    let mut run = speak(&host, "deaf 60000");
    assert!(run.next().await.unwrap().is_some());
    let mut behind = speak(&host, "say behind");
    // Dropping the job cancels it, but the engine ignores the cancel, and no caller waits for the result.
    drop(run);
    let end = all(&mut behind).await.1;
    assert!(matches!(end, Err(EngineFailure::Ended { .. })), "{end:?}");
    gone(pid).await;
    // A waiting job that is dropped is no reason to end the engine.
    let host = start("").await;
    let mut run = speak(&host, "slow 150");
    drop(speak(&host, "say nothing"));
    assert_eq!(all(&mut run).await.1, Ok(()));
    assert!(host.is_alive());
}

// ENG-2
#[tokio::test]
async fn an_engine_that_ends_ends_only_itself_and_everyone_is_told_eng_2() {
    recorder();
    for (order, reason) in [
        ("abort", "by SIGABRT (6); an assertion of its library failed"),
        ("exit 3", "with code 3"),
        ("half", "with code 0"),
    ] {
        let host = start("").await;
        let pid = host.pid();
        let (mut first, mut second) = (speak(&host, order), speak(&host, "echo"));
        for run in [&mut first, &mut second] {
            let (_, end) = all(run).await;
            assert_eq!(end, Err(EngineFailure::Ended { reason: reason.into() }), "{order}");
        }
        assert!(!host.is_alive());
        assert!(matches!(host.load(spec()).await, Err(EngineFailure::Ended { .. })), "{order}");
        assert!(matches!(host.health(SOON).await, Err(EngineFailure::Ended { .. })), "{order}");
        gone(pid).await;
    }
    assert!(metric("luna_engine_ends_total", &[("engine", "speech"), ("how", "crashed")]) >= 3.0);
    assert!(metric("luna_engine_requests_total", &[("engine", "speech"), ("outcome", "lost")]) >= 6.0);
}

// ENG-2
#[tokio::test]
async fn a_kill_from_outside_is_told_at_each_stage_eng_2() {
    for stage in ["hang-at-load", "run", "hang-at-unload"] {
        let host = start(stage).await;
        let other = host.clone();
        let asked = tokio::spawn(async move {
            match stage {
                "hang-at-load" => other.load(spec()).await.map(drop),
                "run" => all(&mut speak(&other, "hang")).await.1,
                _ => other.unload().await.map(drop),
            }
        });
        tokio::time::sleep(MS(100)).await;
        signal(host.pid(), "-KILL");
        let end = timeout(SOON, asked).await.unwrap().unwrap();
        assert_eq!(end, Err(EngineFailure::Ended { reason: "by SIGKILL (9)".into() }), "{stage}");
        gone(host.pid()).await;
    }
    for stage in ["die-at-load", "die-at-unload"] {
        let host = start(stage).await;
        let end =
            if stage == "die-at-load" { host.load(spec()).await.map(drop) } else { host.unload().await.map(drop) };
        assert_eq!(end, Err(EngineFailure::Ended { reason: "by SIGABRT (6)".into() }), "{stage}");
    }
}

// ENG-2
#[tokio::test]
async fn an_engine_that_hangs_is_found_and_ended_eng_2() {
    let host = start("").await;
    let (mut frozen, mut other) = (speak(&host, "freeze"), speak(&host, "echo"));
    for run in [&mut frozen, &mut other] {
        let end = all(run).await.1;
        // The worker beside the frozen reader may still have answered the second job.
        assert!(matches!(end, Err(EngineFailure::TimedOut { .. }) | Ok(())), "{end:?}");
    }
    assert!(!host.is_alive());
    gone(host.pid()).await;
    let host = start("").await;
    signal(host.pid(), "-STOP");
    let load = timeout(SOON, host.load(spec())).await.unwrap();
    assert!(matches!(load, Err(EngineFailure::TimedOut { what: "a sign of life", .. })), "{load:?}");
    gone(host.pid()).await;
    // An idle engine gets no health checks, so it is not ended; an explicit health check times out.
    let host = start("no-health").await;
    tokio::time::sleep(MS(1500)).await;
    assert!(host.is_alive());
    assert!(matches!(host.health(MS(50)).await, Err(EngineFailure::TimedOut { .. })));
    assert!(host.is_alive());
}

// ENG-2
#[tokio::test]
async fn an_engine_that_talks_nonsense_is_ended_eng_2() {
    for order in ["garbage", "bad-header", "long", "wrong-answer"] {
        let host = start("").await;
        let end = all(&mut speak(&host, order)).await.1;
        if order == "wrong-answer" {
            // An answer to another kind of request.
            assert!(matches!(end, Err(EngineFailure::Protocol { .. })), "{end:?}");
        } else {
            assert!(matches!(end, Err(EngineFailure::Protocol { .. })), "{order}: {end:?}");
        }
        host.ended().await;
        gone(host.pid()).await;
    }
}

// ENG-2
#[tokio::test]
async fn bad_starts_are_told_clearly_eng_2() {
    let check = async |mode: &'static str, part: &str| {
        let settings = ProcessTimes { hello: MS(1000), ..settings() };
        let failure = EngineProcess::start_with(&program(mode), settings).await.unwrap_err();
        assert!(failure.to_string().contains(part), "{mode}: {failure}");
    };
    check("die-at-start", "it ended at once, with code 7; it left words on its standard error, not shown because they may quote what was read").await;
    check("silent", "did not give its greeting within 1s").await;
    check("garbage-first", "a frame is longer than allowed").await;
    check("other-engine", "it is the engine \"ocr\", not \"speech\"").await;
    let theirs = luna_engine_protocol::PROTOCOL;
    let part = format!("it speaks version {}, Luna version {theirs}", theirs + 1);
    check("other-version", &part).await;
    let nowhere = EngineProgram { path: "/nowhere/luna-engine".into(), ..program("") };
    let failure = EngineProcess::start(&nowhere).await.unwrap_err();
    assert!(
        failure.to_string().starts_with("The engine /nowhere/luna-engine could not be started: No such file"),
        "{failure}"
    );
}

// ENG-2
#[tokio::test]
async fn no_process_is_left_over_eng_2() {
    let host = start("stays").await;
    let pid = host.pid();
    let begin = Instant::now();
    host.close(MS(200)).await;
    assert!(!exists(pid) && begin.elapsed() < SOON, "closing ends one that does not end by itself");
    let host = start("stays").await;
    let pid = host.pid();
    let run = speak(&host, "hang");
    drop((host, run));
    gone(pid).await;
    let host = start("").await;
    let pid = host.pid();
    host.kill();
    host.ended().await;
    assert!(!exists(pid));
    assert!(matches!(host.unload().await, Err(EngineFailure::Ended { reason }) if reason == "Luna ended it"));
}

// ENG-2
#[tokio::test]
async fn a_slow_taker_of_results_is_told_and_others_go_on_eng_2() {
    let host = start("").await;
    let mut lazy = speak(&host, "stream 20000");
    assert_eq!(all(&mut speak(&host, "echo")).await.1, Ok(()));
    let (parts, end) = all(&mut lazy).await;
    assert!(matches!(end, Err(EngineFailure::Protocol { .. })), "{end:?}");
    assert!(parts.len() < 20_000);
}

// PRV-2
#[tokio::test]
async fn what_a_dying_engine_says_is_quoted_nowhere_prv_2() {
    let host = start("").await;
    let end = all(&mut speak(&host, "spill 계좌번호 110-234")).await.1.unwrap_err();
    assert!(matches!(&end, EngineFailure::Ended { reason } if reason.contains("SIGABRT")), "{end}");
    assert!(!format!("{end} {end:?}").contains("110"), "{end:?}");
}

// ENG-2
#[tokio::test]
async fn an_engine_that_leaks_is_ended_between_two_requests_eng_2() {
    recorder();
    let outgrew = || metric("luna_engine_ends_total", &[("engine", "speech"), ("how", "outgrew")]);
    let before = outgrew();
    let host = EngineProcess::start_with(&EngineProgram { memory_limit: Some(100 << 20), ..program("") }, settings())
        .await
        .unwrap();
    host.load(spec()).await.unwrap();
    assert_eq!(all(&mut speak(&host, "leak 100")).await.1, Ok(()), "as much as it may");
    // A job that waits already is not lost.
    let (mut leaks, mut waits) = (speak(&host, "leak 101"), speak(&host, "echo"));
    assert_eq!((all(&mut leaks).await.1, all(&mut waits).await.1), (Ok(()), Ok(())));
    assert!(host.is_alive(), "what it held after the last one counts");
    assert_eq!(all(&mut speak(&host, "leak 101")).await.1, Ok(()), "the request itself is done");
    assert!(!host.is_alive(), "and the next one finds it gone");
    host.ended().await;
    let job = SpeakJob { text: "echo".into(), lang: Lang::En, voice: None };
    let refused = host.run(EngineJob::Speak(job), Bytes::new()).map(drop).unwrap_err();
    assert_eq!(refused, EngineFailure::Outgrew { used_mb: 101, limit_mb: 100 });
    assert!((outgrew() - before - 1.0).abs() < 0.5, "counted once");
}

#[tokio::test]
async fn its_complaints_fill_no_memory_and_do_not_block_it() {
    let host = start("").await;
    assert_eq!(all(&mut speak(&host, "noise")).await.1, Ok(()));
    let end = all(&mut speak(&host, "abort")).await.1.unwrap_err().to_string();
    assert!(end.len() < 200 && end.contains("an assertion of its library failed"), "{} {end}", end.len());
}

// BUF-3
#[tokio::test]
#[cfg(target_os = "linux")]
async fn it_runs_at_its_priority_and_leaves_no_core_file_buf_3() {
    let host = start("").await;
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", host.pid())).unwrap();
    let nice: i32 = stat.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap();
    let own = std::fs::read_to_string("/proc/self/stat").unwrap();
    let own: i32 = own.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap();
    assert!(nice == 5 || own > 5, "nice {nice}, own {own}");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", host.pid())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"]);
}

/// Makes every attempt to open or execute a file hang, as on a disk that hangs, until the returned process ends.
#[cfg(target_os = "linux")]
fn block_opening(file: &std::path::Path) -> std::process::Child {
    use std::io::Read as _;
    let script = "import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
fcntl.fcntl(os.open(sys.argv[1], os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_WRLCK)
print('kept', flush=True)
signal.pause()";
    let mut blocker = std::process::Command::new("python3")
        .args(["-c", script])
        .arg(file)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("python3 is needed");
    let mut kept = [0; 4];
    blocker.stdout.as_mut().unwrap().read_exact(&mut kept).expect("the system takes a lease on a file");
    blocker
}

// KER-11, ENG-2
#[tokio::test]
#[cfg(target_os = "linux")]
async fn a_program_on_a_disk_that_hangs_blocks_no_worker_ker_11_eng_2() {
    let path = std::env::temp_dir().join(format!("luna-engine-double-{}", std::process::id()));
    std::fs::copy(env!("CARGO_BIN_EXE_luna-engine-double"), &path).unwrap();
    let mut blocker = block_opening(&path);
    // A kind that no other test here starts, because starts of the same kind wait for each other.
    let of_kind = |path: &std::path::Path| EngineProgram {
        kind: EngineKind::Stt,
        path: path.to_owned(),
        ..program("wrong-kind")
    };
    let hung = of_kind(&path);
    let begin = Instant::now();
    let starting = tokio::spawn(async move { EngineProcess::start_with(&hung, settings()).await.map(drop) });
    // The only worker of this test is not blocked.
    for _ in 0..20 {
        tokio::time::sleep(MS(10)).await;
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "a worker was blocked for {:?}", begin.elapsed());
    assert!(!starting.is_finished(), "nothing hung");
    let failure = starting.await.unwrap().unwrap_err().to_string();
    assert!(failure.contains("the disk that it lies on does not answer"), "{failure}");
    // The next start fails at once instead of queueing behind the hung one.
    let begin = Instant::now();
    let failure = EngineProcess::start_with(&of_kind(&path), settings()).await.unwrap_err().to_string();
    assert!(failure.contains("does not answer") && begin.elapsed() < MS(500), "{failure} after {:?}", begin.elapsed());
    blocker.kill().unwrap();
    blocker.wait().unwrap();
    // Starts recover without intervention.
    let until = Instant::now() + SOON;
    loop {
        let failure = EngineProcess::start_with(&of_kind(&path), settings()).await.unwrap_err();
        if matches!(failure, EngineFailure::Protocol { .. }) {
            break;
        }
        assert!(Instant::now() < until, "{failure}");
        tokio::time::sleep(MS(20)).await;
    }
    // Programs that started after their caller gave up are ended.
    let left = || {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        all.filter(|one| std::fs::read_link(one.path().join("exe")).is_ok_and(|exe| exe == path)).count()
    };
    while left() > 0 {
        assert!(Instant::now() < until, "{} programs are left over", left());
        tokio::time::sleep(MS(20)).await;
    }
    std::fs::remove_file(path).unwrap();
}
