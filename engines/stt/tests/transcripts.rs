//! Transcription: languages, partial results, windows, long sounds, silence (STT-1, STT-4, ENG-1). Runs the real whisper.cpp with models
//! that transcribe a chosen text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, reason = "tests may fail")]

#[path = "support/host.rs"]
mod host;

use bytes::Bytes;
use host::{begin, end, job, load, quieter, recording, refused, scripted, start, tone, transcribe};
use luna_messages::Lang::{En, Ko};
use luna_messages::engine::EngineErrorKind;
use luna_messages::engine::SoundExtent::{Utterance, Window};
use luna_test_support::tiny_models::whisper::{PublishedWhisper, ScriptedWhisper, WhisperSizes};

// STT-1, ENG-1
#[tokio::test]
async fn english_is_written_down_stt_1_eng_1() {
    let (host, _folder) = scripted(ScriptedWhisper::new("turn on the living room light")).await;
    let heard = transcribe(&host, job(Some(En), Utterance), recording("whisper.cpp/jfk.wav")).await;
    assert_eq!(heard.text(), "turn on the living room light");
    let segment = &heard.segments[0];
    assert_eq!((heard.segments.len(), segment.lang), (1, En));
    assert_eq!((segment.start_ms, segment.end_ms), (0, 2000), "the model says that the text ends after 2 s");
    assert!(segment.confidence > 0.9 && segment.no_speech < 0.1, "{segment:?}");
    assert!(heard.partials.is_empty(), "nobody asked for them");
    let again = transcribe(&host, job(Some(En), Utterance), recording("whisper.cpp/jfk.wav")).await;
    assert_eq!(heard, again, "the same sound, the same words");
}

// STT-1, ENG-1
#[tokio::test]
async fn korean_is_written_down_also_where_tokens_cut_characters_stt_1_eng_1() {
    let text = "거실 불 켜줘 그리고 창문을 닫아";
    for bytes in [1, 2, 4, 5, 64] {
        let (host, _folder) = scripted(ScriptedWhisper::new(text).in_tokens_of(bytes)).await;
        let mut job = job(Some(Ko), Utterance);
        job.partials = true;
        let heard = transcribe(&host, job, tone(3.0)).await;
        assert_eq!(heard.text(), text, "{bytes} bytes a token");
        assert_eq!(heard.segments[0].lang, Ko);
        for partial in &heard.partials {
            assert!(text.starts_with(partial.as_str()), "{partial:?} at {bytes} bytes a token");
        }
    }
}

// STT-1
#[tokio::test]
async fn partial_results_grow_to_the_whole_and_are_not_too_many_stt_1() {
    let words: Vec<String> = (0..150).map(|n| format!("w{n}")).collect();
    let text = words.join(" ");
    let (host, _folder) = scripted(ScriptedWhisper::new(&text)).await;
    for extent in [Utterance, Window] {
        let mut job = job(Some(En), extent);
        job.partials = true;
        let start = std::time::Instant::now();
        let heard = transcribe(&host, job, tone(9.0)).await;
        let most = start.elapsed().as_millis() / 40 + 1;
        assert_eq!(heard.text(), text);
        assert!(
            heard.partials.len() > 1 && (heard.partials.len() as u128) <= most,
            "{} of {most}",
            heard.partials.len()
        );
        for pair in heard.partials.windows(2) {
            assert!(pair[1].starts_with(&pair[0]) && pair[1] != pair[0], "{pair:?}");
        }
        assert!(text.starts_with(heard.partials.last().unwrap()));
    }
}

// STT-1
#[tokio::test]
async fn the_language_is_found_among_korean_and_english_only_stt_1() {
    for (languages, expect) in [
        (&[("ko", 1.0)][..], Ko),
        (&[("en", 1.0)], En),
        // Other languages are likelier, but Luna supports only these two.
        (&[("ja", 1.0), ("zh", 0.9), ("ko", 0.8), ("en", 0.3)], Ko),
        (&[("de", 1.0), ("en", 0.8), ("ko", 0.3)], En),
    ] {
        let (host, _folder) = scripted(ScriptedWhisper::new("hm").hearing(languages)).await;
        for extent in [Utterance, Window] {
            let heard = transcribe(&host, job(None, extent), tone(2.0)).await;
            assert_eq!(
                heard.segments.iter().map(|segment| segment.lang).collect::<Vec<_>>(),
                [expect],
                "{languages:?}"
            );
        }
        let told = transcribe(&host, job(Some(Ko), Utterance), tone(2.0)).await;
        assert_eq!(told.segments[0].lang, Ko, "what is told is not asked");
    }
}

// STT-1
#[tokio::test]
async fn the_language_may_change_from_sound_to_sound_stt_1() {
    // An utterance of 31 s is longer than what the encoder takes at a time.
    let sounds = [(Window, 1.5, "루나, 문"), (Utterance, 1.5, "루나, 문 열어"), (Window, 0.8, "")];
    let long = [(None, (Utterance, 31.0, "")), (None, (Window, 1.5, ""))];
    // The first guess is Korean, each further one the language before.
    let short = [None, Some(Ko), None, Some(En), None].map(|told| sounds.map(|sound| (told, sound)));
    for (hears, lang) in [("ko", Ko), ("en", En)] {
        let (host, _folder) = scripted(ScriptedWhisper::new("open the door").hearing(&[(hears, 1.0)])).await;
        for (told, (extent, seconds, hint)) in short.into_iter().flatten().chain(long) {
            let mut job = job(told, extent);
            hint.clone_into(&mut job.hint);
            job.partials = true;
            let heard = transcribe(&host, job, tone(seconds)).await;
            assert!(!heard.segments.is_empty());
            for segment in &heard.segments {
                let expect = (told.unwrap_or(lang), "open the door");
                assert_eq!((segment.lang, segment.text.as_str()), expect, "{hears} {told:?} {extent:?} {hint}");
                assert!(segment.confidence > 0.9 && segment.no_speech < 0.1, "{segment:?}");
            }
        }
    }
}

// STT-1, STT-2
#[tokio::test]
async fn a_model_of_a_real_size_transcribes_a_window_stt_1_stt_2() {
    let mut model = ScriptedWhisper::new("잠깐 멈춰").in_tokens_of(3).hearing(&[("ko", 1.0)]);
    model.sizes = WhisperSizes::of(PublishedWhisper::Tiny);
    let (host, _folder) = scripted(model).await;
    for lang in [None, Some(Ko)] {
        let heard = transcribe(&host, job(lang, Window), tone(0.8)).await;
        assert_eq!((heard.text().as_str(), heard.segments[0].lang), ("잠깐 멈춰", Ko));
    }
}

// STT-1
#[tokio::test]
async fn windows_are_one_segment_without_timestamps_stt_1() {
    let (host, _folder) = scripted(ScriptedWhisper::new("open the second window")).await;
    for seconds in [0.5, 3.0, 10.0, 29.9] {
        let heard = transcribe(&host, job(Some(En), Window), tone(seconds)).await;
        assert_eq!(heard.segments.len(), 1);
        let segment = &heard.segments[0];
        assert_eq!(segment.text, "open the second window");
        assert_eq!((segment.start_ms, segment.end_ms), (0, (seconds * 1000.0) as u64), "the whole window");
    }
}

// STT-1
#[tokio::test]
async fn an_utterance_may_be_longer_than_whisper_hears_at_a_time_stt_1() {
    let mut model = ScriptedWhisper::new("one part after the other");
    model.seconds = 29.0;
    let (host, _folder) = scripted(model).await;
    let mut job = job(Some(En), Utterance);
    job.partials = true;
    let heard = transcribe(&host, job, tone(75.0)).await;
    assert_eq!(heard.segments.len(), 3, "{:?}", heard.segments);
    for pair in heard.segments.windows(2) {
        assert!(pair[1].start_ms >= pair[0].end_ms && pair[1].start_ms >= 20_000, "{pair:?}");
    }
    assert!(heard.segments[2].end_ms <= 75_000);
    let last = heard.partials.last().unwrap();
    assert!(last.starts_with("one part after the other one part"), "earlier parts stay: {last}");
}

// STT-4
#[tokio::test]
async fn silence_noises_and_music_give_no_words_stt_4() {
    // This model transcribes its text whatever the sound is.
    let (host, _folder) = scripted(ScriptedWhisper::new("thanks for watching")).await;
    for sound in [Bytes::from(vec![0; 64_000]), Bytes::from([5, 0].repeat(40_000)), tone(0.05)] {
        for extent in [Utterance, Window] {
            let mut job = job(None, extent);
            job.partials = true;
            assert_eq!(transcribe(&host, job, sound.clone()).await, host::TranscriptionLog::default());
        }
    }
    for text in ["[BLANK_AUDIO]", "(음악)", "♪ ♪ ♪", "*applause*", "..."] {
        let (host, _folder) = scripted(ScriptedWhisper::new(text)).await;
        for extent in [Utterance, Window] {
            let mut job = job(Some(Ko), extent);
            job.partials = true;
            assert_eq!(transcribe(&host, job, tone(2.0)).await, host::TranscriptionLog::default(), "{text}");
        }
    }
    // A model without any text.
    let (host, _folder) = scripted(ScriptedWhisper::new("")).await;
    for extent in [Utterance, Window] {
        assert_eq!(transcribe(&host, job(Some(En), extent), tone(2.0)).await.text(), "");
    }
}

// STT-4
#[tokio::test]
async fn doubtful_words_where_nobody_speaks_are_dropped_stt_4() {
    for (nobody_speaks, certainty, expect) in
        [(false, 1.0, "maybe words"), (true, 0.16, ""), (true, 1.0, "maybe words"), (false, 0.16, "maybe words")]
    {
        let mut model = ScriptedWhisper::new("maybe words");
        (model.nobody_speaks, model.certainty) = (nobody_speaks, certainty);
        let (host, _folder) = scripted(model).await;
        for extent in [Utterance, Window] {
            let heard = transcribe(&host, job(Some(En), extent), tone(2.0)).await;
            assert_eq!(heard.text(), expect, "nobody speaks: {nobody_speaks}, certainty {certainty}, {extent:?}");
            for segment in heard.segments {
                assert_eq!(segment.no_speech > 0.9, nobody_speaks, "{segment:?}");
            }
        }
    }
}

// STT-4
#[tokio::test]
async fn phrases_that_whisper_invents_are_dropped_and_thanks_stay_stt_4() {
    // The text, whether the model reports no speech, how sure it is, how loud the sound is, of 1; whether it stays.
    let clear = (false, 1.0, 1.0);
    for (text, (nobody_speaks, certainty, loudness), stays) in [
        ("시청해주셔서 감사합니다.", clear, false),
        ("Thank you for watching!", clear, false),
        ("MBC 뉴스 이덕영입니다.", clear, false),
        ("감사합니다.", clear, true),
        ("Thank you.", clear, true),
        ("Thank you.", (true, 1.0, 1.0), false),
        ("Thank you.", (false, 0.16, 1.0), false),
        ("Thank you.", (false, 1.0, 0.01), false),
        ("멈춰", (true, 1.0, 0.01), true),
    ] {
        let mut model = ScriptedWhisper::new(text);
        (model.nobody_speaks, model.certainty) = (nobody_speaks, certainty);
        let (host, _folder) = scripted(model).await;
        for (extent, lang) in [(Utterance, Some(Ko)), (Window, Some(Ko)), (Window, None)] {
            let mut job = job(lang, extent);
            job.partials = true;
            let heard = transcribe(&host, job, quieter(&tone(2.0), loudness)).await;
            assert_eq!(heard.text(), if stays { text } else { "" }, "{text} {extent:?} {certainty} {loudness}");
            assert!(
                !heard.partials.iter().any(|partial| partial == "시청해주셔서 감사합니다."),
                "{:?}",
                heard.partials
            );
        }
    }
}

// STT-4
#[tokio::test]
async fn words_without_end_are_told_once_stt_4() {
    let mut model = ScriptedWhisper::new("and so on");
    model.repeats = true;
    let (host, _folder) = scripted(model).await;
    for extent in [Utterance, Window] {
        let mut job = job(Some(En), extent);
        job.partials = true;
        let heard = transcribe(&host, job, tone(4.0)).await;
        assert_eq!(heard.text(), "and so on", "{extent:?}");
        assert!(heard.segments[0].confidence < 0.5, "hardly to be believed: {:?}", heard.segments);
        assert!(heard.partials.iter().all(|partial| partial.split(' ').count() < 20), "{:?}", heard.partials);
    }
}

// STT-1
#[tokio::test]
async fn an_unsure_model_says_so_stt_1() {
    let confidence = async |certainty: f32| {
        let mut model = ScriptedWhisper::new("open the door");
        model.certainty = certainty;
        let (host, _folder) = scripted(model).await;
        transcribe(&host, job(Some(En), Window), tone(2.0)).await.segments[0].confidence
    };
    let (unsure, sure) = (confidence(0.16).await, confidence(1.0).await);
    assert!(unsure < 0.7 && sure > 0.95, "{unsure} {sure}");
}

// STT-1
#[tokio::test]
async fn a_hint_does_no_harm_whatever_it_is_stt_1() {
    let (host, _folder) = scripted(ScriptedWhisper::new("save the file")).await;
    for hint in ["루나, 저장, Chromium", "\0\u{1}\n", "🙂🙂", &"긴 힌트 ".repeat(3000), " "] {
        for extent in [Utterance, Window] {
            let mut job = job(Some(En), extent);
            hint.clone_into(&mut job.hint);
            assert_eq!(transcribe(&host, job, tone(2.0)).await.text(), "save the file", "{:.20}", hint);
        }
    }
}

// ENG-1
#[tokio::test]
async fn a_model_that_knows_english_only_says_so_eng_1() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("english.bin");
    let mut model = ScriptedWhisper::new("English only");
    model.sizes.multilingual = false;
    model.write(&path).unwrap();
    let host = start().await;
    let loaded = load(&host, &path).await.unwrap();
    assert_eq!(loaded.notes.iter().map(|note| note.topic.as_str()).collect::<Vec<_>>(), ["korean"]);
    for extent in [Utterance, Window] {
        for lang in [None, Some(En)] {
            let heard = transcribe(&host, job(lang, extent), tone(2.0)).await;
            assert_eq!((heard.text().as_str(), heard.segments[0].lang), ("English only", En));
        }
        let (_, result) = end(&mut begin(&host, job(Some(Ko), extent), tone(2.0))).await;
        assert_eq!(refused(result).kind, EngineErrorKind::Unsupported);
    }
}
