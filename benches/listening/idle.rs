//! What listening costs while nobody speaks to Luna: processor time of the process `luna`, and memory of it and its engines.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::desktop::children_of;
use crate::person::play;
use crate::scene::ReadingScene;

/// Clock ticks per second in `/proc/PID/stat`, constant on Linux.
const TICKS: f64 = 100.0;

/// Percent of one core, and megabytes.
pub struct IdleFigures {
    pub quiet: f64,
    /// With speech in the room: of `luna`, and of the engine that looks for the wake word.
    pub speech: f64,
    pub speech_engine: f64,
    /// Proportional set size, when the recogniser is loaded: of `luna`, and of its engines of speech recognition and synthesis.
    pub luna_mb: f64,
    pub stt_mb: f64,
    pub speech_synthesis_mb: f64,
}

fn processor_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(") ").map(|(_, rest)| rest.split(' ').collect()).unwrap_or_default();
    // `utime` and `stime`.
    [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<f64>().ok()).sum::<f64>() / TICKS
}

fn megabytes(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn all(processes: &[u32], of: impl Fn(u32) -> f64) -> f64 {
    processes.iter().map(|process| of(*process)).sum()
}

/// Recordings of people that are not for Luna.
fn recordings() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let names =
        ["librivox/sense_and_sensibility_01_austen_64kb-0870.wav", "lhotse/LJ002-0020.wav", "whisper.cpp/jfk.wav"];
    names.map(|name| folder.join(name)).into()
}

/// Luna, which listens and reads nothing.
pub fn idle(model: &Path, time: Duration) -> IdleFigures {
    let scene = ReadingScene::start(model, None);
    // Who records a source in small pieces makes the sound server wake all who listen to it as often.
    drop((scene.loudspeaker, scene.microphone));
    let luna = scene.luna.child.id();
    let spent = |during: &mut dyn FnMut()| {
        let engines = scene.luna.engines("luna-engine-stt");
        let (before, before_engines, begin) =
            (processor_seconds(luna), all(&engines, processor_seconds), Instant::now());
        during();
        let took = begin.elapsed().as_secs_f64() / 100.0;
        ((processor_seconds(luna) - before) / took, (all(&engines, processor_seconds) - before_engines) / took)
    };
    // What begins with Luna is over.
    std::thread::sleep(Duration::from_secs(8));
    let (quiet, _) = spent(&mut || std::thread::sleep(time));
    // The first voice loads the model.
    let _ = play(&recordings()[0]).wait();
    let (speech, speech_engine) = spent(&mut || {
        let begin = Instant::now();
        for recording in recordings().iter().cycle() {
            let mut person = play(recording);
            while begin.elapsed() < time && matches!(person.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(100));
            }
            let _ = person.kill();
            let _ = person.wait();
            if begin.elapsed() >= time {
                return;
            }
        }
    });
    let of = |name: &str| {
        let engines: Vec<u32> =
            children_of(luna).into_iter().filter(|(_, command)| command.contains(name)).map(|(pid, _)| pid).collect();
        all(&engines, megabytes)
    };
    let (stt_mb, speech_synthesis_mb) = (of("luna-engine-stt"), of("luna-engine-speech"));
    IdleFigures { quiet, speech, speech_engine, luna_mb: megabytes(luna), stt_mb, speech_synthesis_mb }
}
