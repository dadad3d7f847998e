//! Failures: missing, damaged and wrong files, bad jobs, cancel, memory, a dying program (ENG-1 to ENG-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests")]

#[path = "support/host.rs"]
mod host;

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use host::{LlmHost, collect, job, load, refused, text};
use luna_engine_host::process::EngineFailure;
use luna_engine_protocol::{EngineChunk, EngineJob, LlmLoad, ModelFile, RecogniseJob};
use luna_messages::engine::{EngineErrorKind, GenerateJob, PictureSize};
use luna_test_support::tiny_models::gguf::{RandomLlm, ScriptedLlm, WeightFormat};

/// Loads a changed specification; expects this kind of error containing these words, and a working engine afterwards.
async fn check(llm: &LlmHost, change: impl FnOnce(&mut LlmLoad), kind: EngineErrorKind, words: &[&str]) {
    let good = llm.path("good.gguf");
    if !good.exists() {
        ScriptedLlm::new("네").write(&good).unwrap();
    }
    let mut spec = load(&good);
    change(&mut spec);
    let error = refused(llm.load(spec).await);
    assert_eq!(error.kind, kind, "{error}");
    for word in words {
        assert!(error.message.contains(word), "{word:?} in {error}");
    }
    assert!(error.message.ends_with('.') && error.remedy.ends_with('.'), "{error}");
    assert_eq!(refused(llm.try_generate(job("?")).await).kind, EngineErrorKind::NotLoaded);
    llm.load(load(&good)).await.expect("the right model loads after an error");
}

fn write(llm: &LlmHost, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = llm.path(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn small() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    RandomLlm::small(1).write(&path).unwrap();
    std::fs::read(path).unwrap()
}

// ENG-4
#[tokio::test]
async fn files_that_are_not_what_they_should_be_are_named_eng_4() {
    use EngineErrorKind::{BadModel, Missing};
    let llm = LlmHost::start().await;
    check(&llm, |spec| spec.model.path = "/nowhere/it.gguf".into(), Missing, &["/nowhere/it.gguf"]).await;
    check(&llm, |spec| spec.model.path = std::env::temp_dir(), BadModel, &["not a file"]).await;
    check(&llm, |spec| spec.model.bytes = Some(1), BadModel, &["good.gguf", "should have 1"]).await;
    check(&llm, |spec| spec.model.sha256 = Some("00".repeat(32)), BadModel, &["good.gguf", "SHA-256"]).await;
    let whole = small();
    for length in [0, 3, 31, 100, 5000, whole.len() / 2, whole.len() - 40] {
        let path = write(&llm, "cut.gguf", &whole[..length]);
        check(&llm, |spec| spec.model.path = path, BadModel, &["cut.gguf", "truncated"]).await;
    }
    let page = write(&llm, "page.gguf", "<html>not found</html>".repeat(10).as_bytes());
    check(&llm, |spec| spec.model.path = page, BadModel, &["page.gguf", "no GGUF file"]).await;
    let mut old = whole.clone();
    old[4] = 1;
    let old = write(&llm, "old.gguf", &old);
    check(&llm, |spec| spec.model.path = old, BadModel, &["old.gguf", "version 1"]).await;
}

// ENG-4
#[tokio::test]
async fn what_only_llama_cpp_notices_is_told_in_its_words_eng_4() {
    let llm = LlmHost::start().await;
    let swap = |from: &str, to: &str| {
        let mut bytes = small();
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).expect("it is in the file");
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    let missing = write(&llm, "missing.gguf", &swap("blk.1.ffn_up.weight", "blk.1.ffn_xx.weight"));
    check(&llm, |spec| spec.model.path = missing, EngineErrorKind::BadModel, &["missing.gguf", "blk.1.ffn_up.weight"])
        .await;
    let other = write(&llm, "other.gguf", &swap("llama", "lhama"));
    check(&llm, |spec| spec.model.path = other, EngineErrorKind::BadModel, &["other.gguf", "lhama"]).await;
}

// ENG-4
#[tokio::test]
async fn a_model_that_does_not_fit_is_refused_before_it_is_loaded_eng_4() {
    let llm = LlmHost::start().await;
    // The cache for this context would take hundreds of gigabytes.
    let large = RandomLlm { context: 1 << 30, ..RandomLlm::small(1) };
    large.write(&llm.path("large.gguf")).unwrap();
    let path = llm.path("large.gguf");
    check(
        &llm,
        |spec| {
            spec.model.path = path;
            spec.context_tokens = u32::MAX;
        },
        EngineErrorKind::OutOfMemory,
        &["\"tiny\"", "MB are free"],
    )
    .await;
}

// ENG-4
#[cfg(not(feature = "vision"))]
#[tokio::test]
async fn a_projector_is_refused_where_pictures_cannot_be_seen_eng_4() {
    let llm = LlmHost::start().await;
    let projector = write(&llm, "eyes.gguf", &small());
    check(
        &llm,
        |spec| spec.projector = Some(ModelFile::unknown(projector)),
        EngineErrorKind::Unsupported,
        &["eyes.gguf", "no pictures"],
    )
    .await;
}

// ENG-4, GPU-5
#[cfg(not(any(feature = "cuda", feature = "vulkan")))]
#[tokio::test]
async fn a_build_without_a_card_says_so_gpu_5() {
    let llm = LlmHost::start().await;
    ScriptedLlm::new("네").write(&llm.path("m.gguf")).unwrap();
    let loaded = llm.load(LlmLoad { gpu_layers: 99, ..load(&llm.path("m.gguf")) }).await.unwrap();
    assert!(loaded.notes.iter().any(|note| note.topic == "gpu" && note.remedy.contains("cuda")), "{loaded:?}");
    assert_eq!(llm.generate(job("?")).await.answer, "네");
}

// ENG-2, ENG-4
#[tokio::test]
async fn damaged_files_never_hang_and_a_crash_is_an_error_eng_2_eng_4() {
    let whole = small();
    // Keys and tensor descriptions are before this offset; the weights behind it may have any value.
    let header = whole.len() - 2 * 260 * 64 * 4;
    let (mut seed, mut loaded, mut refusals, mut ended) = (7u64, 0, 0, 0);
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut llm = LlmHost::start().await;
    for round in 0..150 {
        let mut bytes = whole.clone();
        for _ in 0..=random(6) {
            // In every other round the damage hits the sizes at the beginning, which llama.cpp trusts most.
            let place = random(if round % 2 == 0 { 900 } else { header.min(12_000) });
            bytes[place.max(4)] = random(256) as u8;
        }
        let path = write(&llm, "damaged.gguf", &bytes);
        let answer = match llm.load(LlmLoad { context_tokens: 128, ..load(&path) }).await {
            Ok(_) => llm.try_generate(GenerateJob { max_answer_tokens: 3, ..text("ab") }).await.map(|_| ()),
            Err(error) => Err(error),
        };
        match answer {
            Ok(()) => loaded += 1,
            Err(EngineFailure::Refused(error)) => {
                refusals += 1;
                assert!(error.message.ends_with('.') && error.remedy.ends_with('.'), "{error}");
            }
            Err(EngineFailure::Ended { reason }) => {
                ended += 1;
                println!("ended: {reason}");
                llm = LlmHost::start().await;
            }
            Err(other) => panic!("round {round}: {other:?}"),
        }
    }
    println!("{loaded} loaded all the same, {refusals} were refused, {ended} ended the program");
    assert!(refusals > 30, "{loaded} loaded, {refusals} refused, {ended} ended");
    assert!(ended <= 15, "{ended} of 150 damaged files ended the program");
}

// ENG-1
#[tokio::test]
async fn bad_jobs_are_refused_and_the_next_one_works_eng_1() {
    let llm = LlmHost::start().await;
    assert_eq!(refused(llm.try_generate(job("?")).await).kind, EngineErrorKind::NotLoaded);
    let path = llm.path("m.gguf");
    ScriptedLlm::new("네").write(&path).unwrap();
    llm.load(LlmLoad { context_tokens: 100, ..load(&path) }).await.unwrap();
    let long = "가".repeat(100);
    for (bad, kind, words) in [
        (job(&long), EngineErrorKind::BadInput, &["319 tokens", "room for 100"][..]),
        (text(""), EngineErrorKind::BadInput, &["empty"]),
        (
            GenerateJob { pictures: vec![PictureSize { width: 1, height: 1 }], ..job("?") },
            EngineErrorKind::Unsupported,
            &["no pictures"],
        ),
        (
            {
                let mut hot = job("?");
                hot.sampling.temperature = -1.0;
                hot
            },
            EngineErrorKind::BadInput,
            &["temperature"],
        ),
    ] {
        let error = refused(llm.try_generate(bad).await);
        assert_eq!(error.kind, kind, "{error}");
        assert!(words.iter().all(|word| error.message.contains(word)), "{error}");
    }
    let other = EngineJob::Recognise(RecogniseJob { width: 1, height: 1, magnify: 1.0, around: None });
    let run = llm.host.run(other, Bytes::from_static(&[0; 3])).unwrap();
    assert_eq!(refused(collect(run).await).kind, EngineErrorKind::Unsupported);
    let run = llm.host.run(EngineJob::Generate(job("?")), Bytes::from_static(&[0; 3])).unwrap();
    assert_eq!(refused(collect(run).await).kind, EngineErrorKind::BadInput);
    assert_eq!(llm.generate(job("?")).await.answer, "네");
}

/// A model so large that a prompt of thousands of tokens takes seconds.
async fn slow() -> LlmHost {
    let model = RandomLlm {
        embedding: 512,
        layers: 6,
        heads: 8,
        kv_heads: 8,
        feed_forward: 1024,
        context: 8192,
        weights: WeightFormat::Q8_0,
        ..RandomLlm::small(2)
    };
    let llm = LlmHost::with(|path| model.write(path)).await;
    llm.load(LlmLoad { context_tokens: 8192, ..load(&llm.path("model.gguf")) }).await.unwrap();
    llm
}

// ENG-1, KER-6
#[tokio::test]
async fn a_cancel_takes_effect_while_a_prompt_is_read_eng_1_ker_6() {
    let llm = slow().await;
    let mut run = llm.run(text(&"긴 글을 읽는다. ".repeat(300)));
    tokio::time::sleep(Duration::from_millis(150)).await;
    let asked = Instant::now();
    run.cancel();
    assert_eq!(run.next().await, Err(EngineFailure::Cancelled));
    let took = asked.elapsed();
    println!("cancelled while reading after {took:?}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    // The tokens evaluated before the cancel are reused.
    let said = llm.generate(GenerateJob { max_answer_tokens: 1, ..text(&"긴 글을 읽는다. ".repeat(40)) }).await;
    assert!(said.usage.reused_tokens > 0, "{said:?}");
}

// ENG-1, KER-6
#[tokio::test]
async fn a_cancel_takes_effect_within_a_token_eng_1_ker_6() {
    let llm = slow().await;
    let mut run =
        llm.run(GenerateJob { max_answer_tokens: 7000, grammar: host::gbnf("root ::= [a-z]{2000}"), ..text("a") });
    let first = run.next().await.unwrap();
    assert!(matches!(first, Some((EngineChunk::Text { .. }, _))), "{first:?}");
    let asked = Instant::now();
    run.cancel();
    let end = loop {
        match run.next().await {
            Ok(Some(_)) => {}
            end => break end,
        }
    };
    let took = asked.elapsed();
    println!("cancelled while generating after {took:?}");
    assert_eq!(end, Err(EngineFailure::Cancelled));
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(llm.generate(GenerateJob { max_answer_tokens: 2, ..text("b") }).await.usage.prompt_tokens, 1);
}

// ENG-3
#[tokio::test]
async fn unloading_gives_memory_back_ten_times_in_a_row_eng_3() {
    let llm = LlmHost::start().await;
    let model =
        RandomLlm { embedding: 512, layers: 8, heads: 8, kv_heads: 8, feed_forward: 1024, ..RandomLlm::small(3) };
    let bytes = model.write(&llm.path("m.gguf")).unwrap();
    assert!(bytes > 40 << 20);
    let mut after = Vec::new();
    for _ in 0..11 {
        let loaded = llm.load(load(&llm.path("m.gguf"))).await.unwrap();
        llm.generate(GenerateJob { max_answer_tokens: 3, ..text("abc") }).await;
        let busy = llm.host.health(host::JOB_TIMEOUT).await.unwrap().resident_bytes;
        let unloaded = llm.host.unload().await.unwrap();
        assert!(
            busy > bytes && unloaded + bytes / 2 < busy,
            "{busy} → {unloaded}, {} when loaded",
            loaded.resident_bytes
        );
        after.push(unloaded);
    }
    println!("resident after unloading: {after:?}");
    assert!(after[1..].iter().all(|bytes| bytes.abs_diff(after[1]) < 2 << 20), "{after:?}");
}

// ENG-2
#[tokio::test]
async fn the_program_ends_with_its_host_also_while_it_works_eng_2() {
    let llm = slow().await;
    let run = llm.run(GenerateJob { max_answer_tokens: 7000, ..text("a") });
    let process = llm.host.pid();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let LlmHost { host, folder } = llm;
    let begun = Instant::now();
    host.close(Duration::from_secs(20)).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(!Path::new(&format!("/proc/{process}")).exists(), "the process is gone");
    assert!(collect(run).await.is_err());
    drop(folder);
}
