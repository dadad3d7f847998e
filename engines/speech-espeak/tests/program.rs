//! The real program with the real library: its sound, its latency and its errors (ENG-1, ENG-2, TTS-5).

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use luna_engine_protocol::{
    EngineChunk, EngineJob, FromEngine, LoadSpec, RecogniseJob, SpeakJob, SpeechLoad, ToEngine,
};
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind};
use luna_messages::{Lang, RequestId};

struct EspeakProgram {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    ids: u64,
}

struct Spoken {
    samples: Vec<i16>,
    /// Where words begin, in samples.
    words: Vec<usize>,
    chunks: usize,
    sample_rate: u32,
    first: Duration,
    end: FromEngine,
}

impl EspeakProgram {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_luna-engine-speech-espeak"))
            // As Luna starts it: the library's heap is wiped, too.
            .env("GLIBC_TUNABLES", "glibc.malloc.perturb=170:glibc.malloc.tcache_count=0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine program must start");
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut program = Self { child, input, output, ids: 0 };
        let (hello, _) = program.receive();
        assert!(matches!(hello, FromEngine::Hello { engine: EngineKind::Speech, .. }), "{hello:?}");
        program
    }

    fn loaded() -> Self {
        let mut program = Self::start();
        let answer = program.load(SpeechLoad { library: None, data: None });
        let FromEngine::Loaded { models, notes, .. } = answer else {
            panic!("libespeak-ng1 and espeak-ng-data must be installed for this test: {answer:?}")
        };
        assert_eq!(models.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["voice:ko", "voice:en"]);
        assert!(notes.is_empty(), "{notes:?}");
        program
    }

    fn id(&mut self) -> RequestId {
        self.ids += 1;
        RequestId(self.ids)
    }

    fn send(&mut self, message: &ToEngine) {
        let header = serde_json::to_vec(message).unwrap();
        let length = u32::try_from(4 + header.len()).unwrap();
        self.input.write_all(&length.to_be_bytes()).unwrap();
        self.input.write_all(&u32::try_from(header.len()).unwrap().to_be_bytes()).unwrap();
        self.input.write_all(&header).unwrap();
        self.input.flush().unwrap();
    }

    fn receive(&mut self) -> (FromEngine, Vec<u8>) {
        let mut word = [0; 4];
        self.output.read_exact(&mut word).expect("the engine program must go on");
        let mut frame = vec![0; u32::from_be_bytes(word) as usize];
        self.output.read_exact(&mut frame).unwrap();
        let header = u32::from_be_bytes(frame[..4].try_into().unwrap()) as usize;
        (serde_json::from_slice(&frame[4..4 + header]).unwrap(), frame[4 + header..].to_vec())
    }

    fn load(&mut self, load: SpeechLoad) -> FromEngine {
        let id = self.id();
        self.send(&ToEngine::Load { id, spec: LoadSpec::Speech(load) });
        self.receive().0
    }

    fn speak(&mut self, text: &str, lang: Lang, voice: Option<&str>) -> Spoken {
        let id = self.id();
        let job = EngineJob::Speak(SpeakJob { text: text.into(), lang, voice: voice.map(Into::into) });
        let begin = Instant::now();
        self.send(&ToEngine::Run { id, job });
        self.collect(begin)
    }

    fn collect(&mut self, begin: Instant) -> Spoken {
        let (mut samples, mut begun) = (Vec::new(), Vec::new());
        let (mut chunks, mut rate, mut first) = (0, 0, Duration::ZERO);
        loop {
            let (header, payload) = self.receive();
            match header {
                FromEngine::Chunk { chunk: EngineChunk::Sound { sample_rate, words }, .. } => {
                    if chunks == 0 {
                        first = begin.elapsed();
                    }
                    chunks += 1;
                    rate = sample_rate;
                    assert!(words.iter().all(|word| (*word as usize) < payload.len() / 2), "{words:?} of this chunk");
                    begun.extend(words.iter().map(|word| samples.len() + *word as usize));
                    samples.extend(payload.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])));
                }
                end => return Spoken { samples, words: begun, chunks, sample_rate: rate, first, end },
            }
        }
    }
}

impl Drop for EspeakProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn error(answer: FromEngine) -> EngineError {
    let FromEngine::Failed { error, .. } = answer else { panic!("{answer:?} instead of an error") };
    error
}

fn loudness(samples: &[i16]) -> f64 {
    (samples.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>() / samples.len().max(1) as f64).sqrt()
}

/// Counts the occurrences of `needle` in the writable memory of a process.
#[cfg(target_os = "linux")]
fn found_in_memory(pid: u32, needle: &[u8]) -> usize {
    use std::os::unix::fs::FileExt;
    let memory = std::fs::File::open(format!("/proc/{pid}/mem")).expect("the memory of a child can be read");
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let ranges = maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with("rw")));
    let mut found = 0;
    for line in ranges {
        let (from, to) = line.split(' ').next().and_then(|range| range.split_once('-')).unwrap();
        let (from, to) = (u64::from_str_radix(from, 16).unwrap(), u64::from_str_radix(to, 16).unwrap());
        let mut bytes = vec![0; usize::try_from(to - from).unwrap()];
        if memory.read_exact_at(&mut bytes, from).is_ok() {
            found += bytes.windows(needle.len()).filter(|window| *window == needle).count();
        }
    }
    found
}

// BUF-2
#[test]
#[cfg(target_os = "linux")]
fn what_was_spoken_is_gone_from_the_memory_of_the_engine_buf_2() {
    let mut program = EspeakProgram::loaded();
    let texts = [
        (Lang::En, "The verification code is quetzalcoatl forty two."),
        (Lang::Ko, "인증 번호는 알록달록무지개이고, \"따옴표\"도 있어요."),
    ];
    for (lang, text) in texts {
        assert!(matches!(program.speak(text, lang, None).end, FromEngine::Done { .. }));
    }
    // Well below an idle `privacy.ttl_purge_ms`, plus a margin for a busy machine.
    let left = || -> usize {
        let words = ["quetzalcoatl", "verification", "알록달록무지개", "따옴표"];
        words.iter().map(|word| found_in_memory(program.child.id(), word.as_bytes())).sum()
    };
    let begin = Instant::now();
    while left() > 0 && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(left(), 0, "parts of what was spoken are still there after {:?}", begin.elapsed());
}

// TTS-5, ENG-1
#[test]
fn both_languages_are_spoken_in_chunks_without_silence_before_tts_5_eng_1() {
    let mut program = EspeakProgram::loaded();
    for (lang, text) in
        [(Lang::Ko, "안녕하세요, 저는 데스크톱 도우미입니다."), (Lang::En, "Hello, I am your desktop assistant.")]
    {
        program.speak("a", lang, None);
        let spoken = program.speak(text, lang, None);
        assert!(matches!(spoken.end, FromEngine::Done { .. }), "{:?}", spoken.end);
        let rate = spoken.sample_rate as usize;
        assert!(spoken.samples.len() > rate && spoken.samples.len() < 6 * rate, "{} samples", spoken.samples.len());
        assert!(spoken.chunks > 10, "{} chunks", spoken.chunks);
        assert!(loudness(&spoken.samples) > 500.0);
        let quiet = spoken.samples.iter().take_while(|s| s.unsigned_abs() < 160).count();
        assert!(quiet * 1000 <= 6 * rate, "{quiet} silent samples come first");
        assert!(spoken.first < Duration::from_millis(200), "first sound after {:?}", spoken.first);
    }
}

// BRG-1
#[test]
fn words_are_told_with_the_sound_brg_1() {
    let mut program = EspeakProgram::loaded();
    // A comma makes a pause, in which the next word must not begin early.
    for (lang, text) in [(Lang::En, "alpha bravo, charlie delta"), (Lang::Ko, "안녕하세요 여러분, 오늘은 회의입니다")]
    {
        for _ in 0..2 {
            let spoken = program.speak(text, lang, None);
            let words = &spoken.words;
            assert_eq!(words.len(), 4, "{words:?} of {text}");
            assert!(words.is_sorted() && words[0] < 100, "{words:?}");
            // Each word has sound of its own: louder than the quietest 50 ms between them.
            let ends = words.iter().skip(1).copied().chain([spoken.samples.len()]);
            for (begin, end) in words.iter().copied().zip(ends) {
                assert!(end - begin > spoken.sample_rate as usize / 10, "{words:?}");
                assert!(loudness(&spoken.samples[begin..end]) > 500.0, "{words:?} of {text}");
            }
            // The longest silence lies before the third word and ends where it begins.
            let quiet = |from: usize| spoken.samples[from..].iter().take_while(|s| s.unsigned_abs() < 160).count();
            let longest = (words[1]..words[3]).max_by_key(|from| quiet(*from)).unwrap();
            let sounds = longest + quiet(longest);
            assert!(
                words[2].abs_diff(sounds) * 1000 < 60 * spoken.sample_rate as usize,
                "{words:?} of {text}, sound from {sounds}"
            );
        }
    }
}

// ENG-1
#[test]
fn a_cancel_takes_effect_within_a_callback_and_the_next_job_works_eng_1() {
    let mut program = EspeakProgram::loaded();
    let long = "This is a very long sentence that goes on and on. ".repeat(400);
    let id = program.id();
    program.send(&ToEngine::Run { id, job: EngineJob::Speak(SpeakJob { text: long, lang: Lang::En, voice: None }) });
    let (first, _) = program.receive();
    assert!(matches!(first, FromEngine::Chunk { .. }));
    let asked = Instant::now();
    program.send(&ToEngine::Cancel { id });
    let spoken = program.collect(asked);
    assert!(matches!(spoken.end, FromEngine::Cancelled { .. }), "{:?}", spoken.end);
    assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
    assert!(matches!(program.speak("Good.", Lang::En, None).end, FromEngine::Done { .. }));
}

// ENG-1
#[test]
fn voices_go_by_name_and_an_unknown_one_is_refused_clearly_eng_1() {
    let mut program = EspeakProgram::loaded();
    assert!(matches!(program.speak("Hello", Lang::En, Some("en-GB-x-rp")).end, FromEngine::Done { .. }));
    for name in ["no-such-voice", "", "../../../../etc/passwd", "a\u{0}b"] {
        let error = error(program.speak("Hello", Lang::En, Some(name)).end);
        assert_eq!(error.kind, EngineErrorKind::BadInput, "{error}");
        assert!(error.message.contains("no voice"), "{error}");
    }
    assert!(matches!(program.speak("Hello", Lang::En, None).end, FromEngine::Done { .. }));
}

// ENG-2
#[test]
fn odd_texts_end_well_eng_2() {
    let mut program = EspeakProgram::loaded();
    for text in ["", " ", "...", "\u{0}", "🙂", "[[x]]<speak>&amp;", "\u{202e}abc", "가\u{0}나", &"아".repeat(20_000)]
    {
        let end = program.speak(text, Lang::Ko, None).end;
        assert!(matches!(end, FromEngine::Done { .. }), "{end:?}");
    }
}

// ENG-2
#[test]
fn what_is_missing_is_named_with_its_remedy_eng_2() {
    let mut program = EspeakProgram::start();
    let before = error(program.speak("Hello", Lang::En, None).end);
    assert_eq!(before.kind, EngineErrorKind::NotLoaded);
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("libbroken.so");
    std::fs::write(&broken, "no library").unwrap();
    let nowhere = PathBuf::from("/nowhere/libespeak-ng.so");
    for (library, data, kind) in [
        (Some(nowhere), None, EngineErrorKind::Missing),
        (Some(broken), None, EngineErrorKind::BadModel),
        (None, Some(folder.path().to_path_buf()), EngineErrorKind::Missing),
        (None, Some("/nowhere".into()), EngineErrorKind::Missing),
    ] {
        let named = library.clone().or_else(|| data.clone()).unwrap();
        let error = error(program.load(SpeechLoad { library, data }));
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(named.to_str().unwrap()), "{error}");
        assert!(error.remedy.contains("libespeak-ng1 and espeak-ng-data"), "{error}");
    }
    assert!(matches!(program.load(SpeechLoad { library: None, data: None }), FromEngine::Loaded { .. }));
    assert!(matches!(program.speak("Hello", Lang::En, None).end, FromEngine::Done { .. }));
}

// ENG-1
#[test]
fn it_loads_again_unloads_and_refuses_the_work_of_others_eng_1() {
    let mut program = EspeakProgram::loaded();
    assert!(matches!(program.load(SpeechLoad { library: None, data: None }), FromEngine::Loaded { .. }));
    assert!(matches!(program.speak("다시", Lang::Ko, None).end, FromEngine::Done { .. }));
    let id = program.id();
    program.send(&ToEngine::Run {
        id,
        job: EngineJob::Recognise(RecogniseJob { width: 0, height: 0, magnify: 1.0, around: None }),
    });
    assert_eq!(error(program.receive().0).kind, EngineErrorKind::Unsupported);
    let id = program.id();
    program.send(&ToEngine::Unload { id });
    assert!(matches!(program.receive().0, FromEngine::Unloaded { .. }));
    assert_eq!(error(program.speak("다시", Lang::Ko, None).end).kind, EngineErrorKind::NotLoaded);
}
