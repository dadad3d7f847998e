//! Real threads that really block, in real time.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tokio::time::Instant;

use super::*;

const DEADLINE: Duration = Duration::from_millis(200);

/// Hangs until the sender is dropped.
fn hang_on(waits: &Receiver<()>) {
    while waits.recv().is_ok() {}
}

/// A thread on which a call hangs until the sender is dropped.
async fn hung() -> (BlockingThread, SyncSender<()>) {
    let thread = BlockingThread::new("display", DEADLINE);
    let (go_on, waits) = sync_channel(0);
    let begin = Instant::now();
    let answer = thread.run(move || hang_on(&waits)).await;
    assert_eq!(answer, Err(NoAnswer::Late { what: "display" }));
    assert!(begin.elapsed() >= DEADLINE, "{:?}", begin.elapsed());
    (thread, go_on)
}

fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.map(name).filter(|name| name.trim() == "luna-stacked").count()
}

// KER-11
#[tokio::test]
async fn a_call_that_hangs_is_not_stacked_upon_ker_11() {
    let (thread, go_on) = hung().await;
    let begin = Instant::now();
    for _ in 0..1000 {
        assert_eq!(thread.run(|| 7).await, Err(NoAnswer::Late { what: "display" }));
    }
    assert!(begin.elapsed() < DEADLINE, "a thousand answers took {:?}", begin.elapsed());
    drop(go_on);
    // It works again by itself.
    let until = Instant::now() + Duration::from_secs(20);
    while thread.run(|| 7).await != Ok(7) {
        assert!(Instant::now() < until, "the thread never came back");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

// KER-11
#[tokio::test]
#[cfg(target_os = "linux")]
async fn any_number_of_hung_calls_costs_one_thread_and_no_worker_ker_11() {
    let thread = BlockingThread::new("stacked", DEADLINE);
    let (go_on, waits) = sync_channel(0);
    let waits = Arc::new(Mutex::new(waits));
    let asked: Vec<_> = (0..20)
        .map(|_| {
            let (thread, waits) = (thread.clone(), waits.clone());
            tokio::spawn(async move { thread.run(move || hang_on(&lock(&waits))).await })
        })
        .collect();
    // The one worker of this runtime is free all the time.
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(threads(), 1);
    for asked in asked {
        assert_eq!(asked.await.unwrap(), Err(NoAnswer::Late { what: "stacked" }));
    }
    assert_eq!(threads(), 1);
    drop((go_on, thread));
    let until = Instant::now() + Duration::from_secs(20);
    while threads() > 0 {
        assert!(Instant::now() < until, "the thread outlives what it was for");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

// KER-11
#[tokio::test]
async fn a_panic_is_an_answer_and_hurts_nobody_else_ker_11() {
    let thread = BlockingThread::new("driver", Duration::from_secs(20));
    assert_eq!(thread.run(|| panic!("ordered by a test")).await, Err::<(), _>(NoAnswer::Failed { what: "driver" }));
    assert_eq!(thread.run(|| 1).await, Ok(1));
}

// KER-11
#[tokio::test]
async fn calls_take_turns_and_one_whose_asker_left_is_left_out_ker_11() {
    let thread = BlockingThread::new("disk", Duration::from_secs(20));
    let log: Arc<Mutex<Vec<u32>>> = Arc::default();
    let (go_on, waits) = sync_channel(0);
    let ask = |number: u32| {
        let (thread, log) = (thread.clone(), log.clone());
        async move { thread.run(move || lock(&log).push(number)).await }
    };
    let first = tokio::spawn({
        let thread = thread.clone();
        async move { thread.run(move || hang_on(&waits)).await }
    });
    tokio::task::yield_now().await;
    let mut left = Box::pin(ask(1));
    assert!(futures_util::poll!(left.as_mut()).is_pending());
    let stays = tokio::spawn(ask(2));
    tokio::task::yield_now().await;
    drop(left);
    drop(go_on);
    assert_eq!((first.await.unwrap(), stays.await.unwrap()), (Ok(()), Ok(())));
    assert_eq!(*lock(&log), [2]);
}
