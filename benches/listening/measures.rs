//! The measurements, one after another.

use std::path::Path;
use std::time::Duration;

use luna_test_support::tiny_models::whisper::{PublishedWhisper, REAL_SIZE_LABEL};

use crate::commands::{CommandFigures, commands};
use crate::desktop::take_turns;
use crate::figures::{ProcessReport, percentile};
use crate::idle::idle;
use crate::load::GeneratingModel;
use crate::person::SpokenWords;
use crate::plain::PlainWay;
use crate::recorder::hasten_sound_server;
use crate::rejections::rejections;
use crate::scene::{ReadingScene, model};

/// A command, and words that are none.
const COMMAND: &str = "멈춰";
const TALK: &str = "여보 밥 먹었어";
const MODELS: [PublishedWhisper; 2] = [PublishedWhisper::Tiny, PublishedWhisper::Base];

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

fn is_wanted(part: &str) -> bool {
    std::env::var("LUNA_BENCH_PARTS").map_or(true, |parts| parts.split(',').any(|one| one == part))
}

/// Without and with a language model that generates.
fn loads_wanted() -> Vec<bool> {
    match std::env::var("LUNA_BENCH_LOAD").as_deref() {
        Ok("without") => vec![false],
        Ok("with") => vec![true],
        _ => vec![false, true],
    }
}

/// The load of the machine, which other programs may share.
fn machine_load() -> String {
    std::fs::read_to_string("/proc/loadavg").unwrap_or_default().split(' ').next().unwrap_or_default().to_owned()
}

/// What a row says of its circumstances.
fn label(size: PublishedWhisper, load: Option<&GeneratingModel>) -> String {
    let beside = if load.is_some() { "a language model generates" } else { "no load" };
    format!("{size:?} ({REAL_SIZE_LABEL}), {beside}")
}

pub fn all() {
    let _desk = take_turns();
    hasten_sound_server();
    let folder = tempfile::tempdir().unwrap();
    let (mut report, mut loads) = (ProcessReport::default(), vec![machine_load()]);
    let rounds = number("LUNA_BENCH_ROUNDS", 8);
    let command = SpokenWords::new(COMMAND, folder.path());
    println!("\"{COMMAND}\" is audible for {} ms; load of the machine {}", command.length_ms, loads[0]);
    let mut tokens = 0;
    for size in MODELS {
        let model = model(size, COMMAND, folder.path());
        for loaded in loads_wanted() {
            if is_wanted("commands") || is_wanted("partials") {
                let load = loaded.then(GeneratingModel::start);
                measure_commands(&mut report, size, &model, &command, rounds, load.as_ref());
                tokens += load.map_or(0, |load| load.tokens());
                loads.push(machine_load());
            }
        }
    }
    if is_wanted("rejections") {
        let talk = SpokenWords::new(TALK, folder.path());
        println!("\"{TALK}\" is audible for {} ms", talk.length_ms);
        let resumes = number("LUNA_BENCH_RESUMES", 20);
        for (size, rounds) in [(PublishedWhisper::Tiny, resumes), (PublishedWhisper::Base, resumes.min(rounds / 2))] {
            let load = GeneratingModel::start();
            measure_rejections(&mut report, size, &model(size, TALK, folder.path()), &talk, rounds, &load);
            tokens += load.tokens();
            loads.push(machine_load());
        }
    }
    if is_wanted("idle") {
        let time = Duration::from_secs(number("LUNA_BENCH_SECONDS", 20) as u64);
        for size in MODELS {
            measure_idle(&mut report, size, &model(size, TALK, folder.path()), time);
            loads.push(machine_load());
        }
    }
    let note = format!(
        "Real processes through the null sinks of PulseAudio; the person is espeak-ng (\"{COMMAND}\", {} ms), in a quiet room (−60 dB), without an echo of \
         Luna. A word is heard in a window that holds five sixths of it. Language model: {}, {tokens} tokens meanwhile. The plain way: Luna's own voice \
         activity to the end of the utterance, then the whole transcript by the same program and model. Load of the machine (1 min, this bench included) \
         at the beginning and after each part: {}.",
        command.length_ms,
        crate::generation::model().file_name().unwrap_or_default().to_string_lossy(),
        loads.join(", ")
    );
    println!("{note}");
    report.write(&format!("Luna listens, in real processes; Whisper models: {REAL_SIZE_LABEL}"), &note);
}

fn measure_commands(
    report: &mut ProcessReport,
    size: PublishedWhisper,
    model: &Path,
    word: &SpokenWords,
    rounds: usize,
    load: Option<&GeneratingModel>,
) {
    let label = label(size, load);
    if is_wanted("commands") {
        let plain = PlainWay::start(model);
        let scene = ReadingScene::start(model, Some(word.blocks));
        let figures = commands(&scene, word, rounds, Some(&plain));
        drop(scene);
        let is_goal = size == PublishedWhisper::Tiny && load.is_none();
        let peer = figures.all(|one| one.plain);
        let peer = Some(("end of the utterance, then the whole transcript", &peer[..]));
        let goal = if is_goal { (0.95, "≤ 500") } else { (0.0, "") };
        let silence = figures.all(|one| Some(one.end_to_silence));
        report.delay(
            &format!("end of the command word → last sample of Luna: {label}"),
            &silence,
            &[0.5, 0.95],
            goal,
            peer,
        );
        let obeyed = figures.all(|one| Some(one.end_to_command));
        report.delay(
            &format!("end of the command word → command obeyed: {label}"),
            &obeyed,
            &[0.5, 0.95],
            (0.0, ""),
            peer,
        );
        let ducks = figures.all(|one| one.duck);
        report.delay(
            &format!("first audible sample → Luna is quieter: {label}"),
            &ducks,
            &[0.5, 0.95],
            (0.95, "≤ 150"),
            None,
        );
        report.value(&format!("commands missed of {rounds}: {label}"), "", figures.missed as f64, "0");
        tell_way(&figures);
        println!("    rounds without a whole word: {}", figures.broken);
    }
    // Where each window hears the word, the size of the model makes no difference to what follows.
    if is_wanted("partials") && size == PublishedWhisper::Tiny {
        let scene = ReadingScene::start(model, Some(0));
        let figures = commands(&scene, word, rounds, None);
        let partial = figures.all(|one| one.partial_to_silence);
        let goal = (0.99, "≤ 20");
        report.delay(&format!("matching partial → last sample of Luna: {label}"), &partial, &[0.5, 0.99], goal, None);
        let answer = figures.all(|one| one.answer_to_silence);
        let name = format!("the engine's answer → last sample of Luna: {label}");
        report.delay(&name, &answer, &[0.5, 0.99], (0.0, ""), None);
    }
}

/// Where the time goes, in the median.
fn tell_way(figures: &CommandFigures) {
    let median = |values: Vec<f64>| percentile(&values, 0.5);
    println!(
        "    sound to onset {:.0} ms; end of the word to the request of the window that is obeyed {:.0} ms (p95 {:.0}), its transcription {:.0} ms \
         (p95 {:.0}), from the answer to the command {:.1} ms (p95 {:.1}); {:.0} windows; clocks of the recordings unsteady by at most {:.2} ms",
        median(figures.all(|one| one.onset)),
        median(figures.all(|one| Some(one.end_to_window))),
        percentile(&figures.all(|one| Some(one.end_to_window)), 0.95),
        median(figures.all(|one| Some(one.window_takes))),
        percentile(&figures.all(|one| Some(one.window_takes)), 0.95),
        median(figures.all(|one| Some(one.answer_to_command))),
        percentile(&figures.all(|one| Some(one.answer_to_command)), 0.95),
        median(figures.all(|one| Some(one.windows as f64))),
        percentile(&figures.all(|one| Some(one.unsteady)), 1.0),
    );
}

fn measure_rejections(
    report: &mut ProcessReport,
    size: PublishedWhisper,
    model: &Path,
    talk: &SpokenWords,
    rounds: usize,
    load: &GeneratingModel,
) {
    let label = label(size, Some(load));
    let scene = ReadingScene::start(model, Some(talk.blocks));
    let figures = rejections(&scene, talk, rounds);
    let name = format!("end of talk → rejection: {label}");
    report.delay(&name, &figures.rejected, &[0.5, 0.95, 1.0], (1.0, "≤ 800"), None);
    let name = format!("rejection → Luna's voice: {label}");
    report.delay(&name, &figures.resumed, &[0.5, 0.95, 1.0], (1.0, "≤ 300"), None);
    let said = rounds - figures.broken;
    let back = figures.resumed.iter().filter(|ms| **ms <= 300.0).count() as f64;
    report.value(&format!("Luna's voice back within 300 ms: {label}"), &format!("of {said}"), back, &said.to_string());
    println!(
        "    lost {}, not silent before {}, not ducked {}, obeyed {}, without whole words {}",
        figures.lost, figures.never_silent, figures.never_ducked, figures.obeyed, figures.broken
    );
}

fn measure_idle(report: &mut ProcessReport, size: PublishedWhisper, model: &Path, time: Duration) {
    let figures = idle(model, time);
    let seconds = time.as_secs();
    let label = format!("{size:?} ({REAL_SIZE_LABEL}), no load, {seconds} s");
    report.value(&format!("listening in a quiet room, process luna: {label}"), "% of a core", figures.quiet, "≤ 2");
    report.value(&format!("people talk in the room, process luna: {label}"), "% of a core", figures.speech, "≤ 10");
    let name = format!("people talk in the room, the recogniser that looks for the wake word: {label}");
    report.value(&name, "% of a core", figures.speech_engine, "");
    report.value(&format!("memory of luna: {label}"), "MB", figures.luna_mb, "");
    report.value(&format!("memory of speech recognition, standby included: {label}"), "MB", figures.stt_mb, "");
    report.value(&format!("memory of speech synthesis: {label}"), "MB", figures.speech_synthesis_mb, "");
}
