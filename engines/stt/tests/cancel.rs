//! A cancel takes at most 100 ms, if necessary by ending the program (KER-6, ENG-1, ENG-2).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests may fail")]

#[path = "support/host.rs"]
mod host;

use std::time::{Duration, Instant};

use host::{begin, end, job, loaded, scripted, tone, transcribe};
use luna_engine_host::{EngineFailure, EngineProcess};
use luna_messages::Lang::En;
use luna_messages::engine::SoundExtent::{Utterance, Window};
use luna_test_support::tiny_models::whisper::{RandomWhisper, ScriptedWhisper};

/// Ten times the required bound, because other tests run at the same time. The measured time is printed.
const BOUND: Duration = Duration::from_secs(1);

/// A model whose encoder takes at least a second for 30 s of sound.
async fn slow() -> (EngineProcess, tempfile::TempDir) {
    loaded(|path| {
        let mut model = RandomWhisper::default();
        (model.sizes.state, model.sizes.heads, model.sizes.audio_layers) = (256, 4, 12);
        model.write(path).expect("the model is written");
    })
    .await
}

// KER-6, ENG-2
#[tokio::test]
async fn a_cancel_in_the_middle_of_the_encoder_ends_the_program_ker_6_eng_2() {
    let (host, _folder) = slow().await;
    let mut run = begin(&host, job(Some(En), Utterance), tone(29.0));
    let mut behind = begin(&host, job(Some(En), Window), tone(1.0));
    tokio::time::sleep(Duration::from_millis(150)).await;
    let start = Instant::now();
    run.cancel();
    let (heard, result) = end(&mut run).await;
    let took = start.elapsed();
    println!("from the cancel in the encoder to the end of the job: {took:?}");
    assert!(took < BOUND, "{took:?}");
    assert!(heard.segments.is_empty());
    let Err(EngineFailure::Ended { reason }) = result else { panic!("{result:?}") };
    // The exit code of a program whose cancelled job does not stop.
    assert!(reason.contains("with code 75"), "{reason}");
    assert!(matches!(end(&mut behind).await.1, Err(EngineFailure::Ended { .. })), "nothing is left waiting");
    assert!(!host.is_alive());
}

// KER-6
#[tokio::test]
async fn a_cancel_between_tokens_stops_the_job_and_the_program_stays_ker_6() {
    let mut model = ScriptedWhisper::new("words without an end");
    model.repeats = true;
    let (host, _folder) = scripted(model).await;
    let mut job_with_partials = job(Some(En), Utterance);
    job_with_partials.partials = true;
    let mut run = begin(&host, job_with_partials, tone(3.0));
    let first = tokio::time::timeout(host::STEP_TIMEOUT, run.next()).await.unwrap().unwrap();
    assert!(first.is_some(), "a partial result");
    let start = Instant::now();
    run.cancel();
    let (_, result) = end(&mut run).await;
    let took = start.elapsed();
    println!("from the cancel between tokens to the end of the job: {took:?}");
    assert_eq!(result, Err(EngineFailure::Cancelled));
    assert!(took < BOUND, "{took:?}");
    assert_eq!(transcribe(&host, job(Some(En), Window), tone(1.0)).await.text(), "words without an end");
}

// KER-6, ENG-1
#[tokio::test]
async fn a_job_that_is_cancelled_before_it_begins_costs_nothing_ker_6_eng_1() {
    let (host, _folder) = scripted(ScriptedWhisper::new("the first")).await;
    let mut first = begin(&host, job(Some(En), Utterance), tone(29.0));
    let mut waiting = begin(&host, job(Some(En), Utterance), tone(29.0));
    waiting.cancel();
    let dropped = begin(&host, job(Some(En), Utterance), tone(29.0));
    drop(dropped);
    let (heard, result) = end(&mut first).await;
    assert_eq!((heard.text().as_str(), result), ("the first", Ok(())));
    assert_eq!(end(&mut waiting).await.1, Err(EngineFailure::Cancelled));
    assert_eq!(transcribe(&host, job(Some(En), Window), tone(1.0)).await.text(), "the first");
}
