//! The scenes and what is measured in them.

use luna_messages::Lang;
use luna_messages::listening::HeardOutcome;
use luna_nlu::{Understanding, Vocabulary};

use crate::figures::{DelaySamples, ListeningReport};
use crate::luna::LunaVoice;
use crate::people::{Conversation, PlacedUtterance, RecordedUtterance, commands, conversation, recordings};
use crate::scene::{BenchRules, EchoPath, ListeningScene, LoopEvent, RecogniserScript};
use crate::sounds::{RATE, babble, pink, white};

const TEXT: &str = include_str!("text.txt");
/// Level of people at the microphone, in dB; Luna's playback has -20 dB.
pub const PERSON: f32 = -24.0;
pub const DELAYS: [usize; 3] = [20, 80, 200];
pub const LEVELS: [f32; 3] = [0.0, -6.0, -12.0];
pub const ROOMS: [f32; 2] = [0.15, 0.4];
/// Delays, levels and rooms that no threshold was chosen by.
const UNSEEN_DELAYS: [usize; 3] = [40, 120, 160];
const UNSEEN_LEVELS: [f32; 3] = [-1.5, -4.5, -9.0];
const UNSEEN_ROOMS: [f32; 2] = [0.25, 0.55];
/// Time of the recogniser for a window and for an utterance.
const WINDOW_MS: usize = 150;
const WHOLE_MS: usize = 600;

/// A noise by its name.
pub fn noise(name: &str, count: usize) -> Vec<f32> {
    match name {
        "white noise" => white(count, -45.0),
        "pink noise" => pink(count, -45.0),
        "babble" => babble(count, -50.0),
        _ => white(count, -75.0),
    }
}

pub const NOISES: [&str; 4] = ["quiet room", "white noise", "pink noise", "babble"];

pub struct ListeningBench {
    pub recordings: Vec<RecordedUtterance>,
    pub rules: BenchRules,
    pub voices: Vec<LunaVoice>,
}

pub fn ms(samples: usize) -> f64 {
    samples as f64 * 1000.0 / f64::from(RATE)
}

/// What was measured of people in some scenes.
#[derive(Default)]
struct PeopleFigures {
    /// From the first sample above -40 dB of the peak, and from the first 30 ms within 20 dB of the level of the speech.
    onset: DelaySamples,
    speech_onset: DelaySamples,
    missed: usize,
    /// Luna was quiet already when they began.
    quiet: usize,
    /// Times at which Luna became quiet, or noticed a voice, and nobody spoke.
    nobody: usize,
    rejection: DelaySamples,
    /// Luna went on before they ended.
    before_end: usize,
    resumed: usize,
    from_word: usize,
    commands: Vec<String>,
    seconds: f64,
}

impl PeopleFigures {
    fn take(&mut self, done: &[(usize, LoopEvent)], said: &Conversation, idle: bool) {
        self.seconds += ms(said.sound.len()) / 1000.0;
        let begins = if idle { LoopEvent::Onset } else { LoopEvent::Duck };
        let mut explained = Vec::new();
        for (n, person) in said.placed.iter().enumerate() {
            let next = said.placed.get(n + 1).map_or(said.sound.len(), |next| next.from);
            let last = done.iter().rfind(|(at, done)| *at < person.from && is_change(done));
            if !idle && last.is_some_and(|(_, done)| *done == LoopEvent::Duck) {
                self.quiet += 1;
                explained.push(person.from..next);
                continue;
            }
            match done.iter().find(|(at, done)| *done == begins && (person.from..person.to + 1600).contains(at)) {
                Some((at, _)) => {
                    detail(|| {
                        let audible = ms(*at) - ms(person.speech.0);
                        format!("{audible:.0} ms after audible speech began: {}", person.text)
                    });
                    self.onset.0.push(ms(at - person.from));
                    self.speech_onset.0.push(ms(*at) - ms(person.speech.0));
                }
                None => {
                    detail(|| format!("missed: {}", person.text));
                    self.missed += 1;
                }
            }
            explained.push(person.from..person.to + 1600);
            self.rejected(done, person, next);
        }
        for (at, what) in done {
            if *what == begins && !explained.iter().any(|range| range.contains(at)) {
                self.nobody += 1;
            }
            if let LoopEvent::Reflex(_) | LoopEvent::Other(_) = what {
                let spoken = said.placed.iter().rfind(|person| person.from < *at);
                self.commands.push(format!("{what:?}: {:?}", spoken.map(|person| &person.text)));
            }
        }
    }

    fn rejected(&mut self, done: &[(usize, LoopEvent)], person: &PlacedUtterance, next: usize) {
        let changes = || done.iter().filter(|(_, done)| is_change(done));
        // A voice may be noticed a little after it ended, if it was short.
        let last = changes().rfind(|(at, _)| (person.from..person.to + 1600).contains(at));
        let found = match last {
            Some((at, LoopEvent::Duck)) => changes().find(|(other, _)| other > at && *other < next),
            other => other,
        };
        let Some((at, LoopEvent::Unduck { from_word })) = found else { return };
        self.resumed += 1;
        self.from_word += usize::from(*from_word);
        detail(|| format!("{:.0} ms after the end: {}", ms(*at) - ms(person.to), person.text));
        if *at <= person.to {
            self.before_end += 1;
        } else {
            self.rejection.0.push(ms(at - person.to));
        }
    }
}

fn is_change(done: &LoopEvent) -> bool {
    matches!(done, LoopEvent::Duck | LoopEvent::Unduck { .. } | LoopEvent::Stopped)
}

impl ListeningBench {
    pub fn new() -> Self {
        let text: Vec<(Lang, &str)> = TEXT
            .lines()
            .map(|line| line.split_once('\t').expect("a language and a sentence"))
            .map(|(lang, text)| (if lang == "ko" { Lang::Ko } else { Lang::En }, text))
            .collect();
        let voices = [150, 185, 230].iter().map(|speed| LunaVoice::new(&text, *speed)).collect();
        let rules = BenchRules(Understanding::new(&Vocabulary::default()));
        Self { recordings: recordings(), rules, voices }
    }

    pub fn seconds_recorded(&self) -> f64 {
        self.recordings.iter().map(|recording| ms(recording.sound.len()) / 1000.0).sum()
    }

    fn with_people(
        &self,
        said: &Conversation,
        luna: Option<usize>,
        echo: Option<EchoPath>,
        noise_name: &str,
        window_ms: usize,
    ) -> Vec<(usize, LoopEvent)> {
        let scene = ListeningScene {
            luna: luna.map(|n| &self.voices[n % self.voices.len()]),
            echo,
            people: said.sound.clone(),
            noise: noise(noise_name, said.sound.len()),
            words: said.words.clone(),
            script: RecogniserScript::Person,
            window_ms,
            whole_ms: WHOLE_MS,
        };
        scene.play(&self.rules)
    }

    /// Onset, rejection and false commands, with people who say nothing to Luna.
    pub fn people(&self, report: &mut ListeningReport) {
        let said = conversation(&self.recordings, PERSON, 3.0);
        let (mut idle, mut reading) = (PeopleFigures::default(), PeopleFigures::default());
        println!("Recordings of people, {:.0} s a scene", ms(said.sound.len()) / 1000.0);
        for (n, name) in NOISES.into_iter().enumerate() {
            let mut figures = PeopleFigures::default();
            figures.take(&self.with_people(&said, None, None, name, WINDOW_MS), &said, true);
            tell(report, &format!("idle, {name}"), &figures, true);
            idle.commands.extend(figures.commands);
            idle.seconds += figures.seconds;
            let mut figures = PeopleFigures::default();
            figures.take(&self.with_people(&said, Some(n), None, name, WINDOW_MS), &said, false);
            tell(report, &format!("Luna reads by headphones, {name}"), &figures, false);
            if name == "babble" {
                // There speech does not end.
                rejection(report, "babble, recogniser takes 150 ms", &figures);
                figures =
                    PeopleFigures { commands: figures.commands, seconds: figures.seconds, ..PeopleFigures::default() };
            }
            merge(&mut reading, figures);
        }
        for (n, level) in LEVELS.into_iter().enumerate() {
            let mut figures = PeopleFigures::default();
            for (m, delay_ms) in DELAYS.into_iter().enumerate() {
                let echo = EchoPath { delay_ms, level, reverberation: ROOMS[(n + m) % 2] };
                detail(|| format!("{echo:?}, {}", NOISES[m % 3]));
                let done = self.with_people(&said, Some(n + m), Some(echo), NOISES[m % 3], WINDOW_MS);
                figures.take(&done, &said, false);
            }
            tell(report, &format!("Luna reads, echo {level:.0} dB"), &figures, false);
            merge(&mut reading, figures);
        }
        rejection(report, "recogniser takes 150 ms", &reading);
        for window_ms in [300, 1_000] {
            let mut slow = PeopleFigures::default();
            let echo = EchoPath { delay_ms: 80, level: -6.0, reverberation: 0.15 };
            slow.take(&self.with_people(&said, Some(1), Some(echo), NOISES[0], window_ms), &said, false);
            rejection(report, &format!("recogniser takes {window_ms} ms"), &slow);
        }
        for (name, figures) in [("idle", &idle), ("while Luna reads", &reading)] {
            let name = format!("False commands, {name}, {:.0} s of sound with recordings", figures.seconds);
            report.row(&name, "commands", figures.commands.len() as f64, "0");
            figures.commands.iter().for_each(|command| println!("    {command}"));
        }
    }

    /// An hour of Luna reading words that are commands; the recogniser hears all of its echo.
    pub fn self_interruption(&self, report: &mut ListeningReport) {
        let (mut reflexes, mut ducks, mut quiet, mut seconds) = (0, 0, 0, 0.0);
        let count = 200 * RATE as usize;
        let mut n = 0;
        for level in LEVELS {
            let before = (reflexes, ducks);
            for delay_ms in DELAYS {
                for reverberation in ROOMS {
                    let name = NOISES[n % 3];
                    let scene = ListeningScene {
                        luna: Some(&self.voices[n % self.voices.len()]),
                        echo: Some(EchoPath { delay_ms, level, reverberation }),
                        people: vec![0.0; count],
                        noise: noise(name, count),
                        words: Vec::new(),
                        script: RecogniserScript::Luna,
                        window_ms: WINDOW_MS,
                        whole_ms: WHOLE_MS,
                    };
                    let done = scene.play(&self.rules);
                    n += 1;
                    seconds += ms(count) / 1000.0;
                    for (at, what) in &done {
                        match what {
                            LoopEvent::Reflex(_) | LoopEvent::Other(_) => {
                                reflexes += 1;
                                println!(
                                    "    {level} dB, {delay_ms} ms, {reverberation} s, {name}: {what:?} at {} ms",
                                    ms(*at)
                                );
                            }
                            LoopEvent::Duck => {
                                detail(|| {
                                    format!(
                                        "quiet at {:.0} ms: {level} dB, {delay_ms} ms, {reverberation} s, {name}",
                                        ms(*at)
                                    )
                                });
                                ducks += 1;
                            }
                            LoopEvent::Outcome(HeardOutcome::OwnVoice) => quiet += 1,
                            _ => {}
                        }
                    }
                }
            }
            println!("  echo {level:.0} dB: {} commands, {} ducks", reflexes - before.0, ducks - before.1);
        }
        let name = |what: &str| format!("{what} by Luna's own voice in {:.0} s of reading (synthetic)", seconds);
        report.row(&name("Commands obeyed"), "commands", f64::from(reflexes), "0");
        report.row(&name("Times quiet"), "times", f64::from(ducks), "");
        println!("    {quiet} voices were known as Luna's own at their end");
    }

    /// Commands of people over Luna's voice.
    pub fn double_talk(&self, report: &mut ListeningReport) {
        self.commands_over_luna(report, "", &["f3", "m3"], LEVELS, DELAYS, ROOMS);
        // By other voices, in other rooms.
        let (levels, delays, rooms) = (UNSEEN_LEVELS, UNSEEN_DELAYS, UNSEEN_ROOMS);
        self.commands_over_luna(report, "other voices and rooms, ", &["f5", "m7"], levels, delays, rooms);
    }

    fn commands_over_luna(
        &self,
        report: &mut ListeningReport,
        what: &str,
        speakers: &[&str],
        levels: [f32; 3],
        delays: [usize; 3],
        reverberations: [f32; 2],
    ) {
        let said = conversation(&commands(speakers), PERSON, 5.5);
        let mut rooms: Vec<(String, Vec<EchoPath>)> = vec![(format!("{what}no echo"), Vec::new())];
        for (n, level) in levels.into_iter().enumerate() {
            let path = |(m, delay_ms): (usize, &usize)| EchoPath {
                delay_ms: *delay_ms,
                level,
                reverberation: reverberations[(n + m) % 2],
            };
            rooms.push((format!("{what}echo {level} dB"), delays.iter().enumerate().map(path).collect()));
        }
        for (name, paths) in rooms {
            let (mut missed, mut wrong, mut total, mut delays) = (Vec::new(), 0, 0, DelaySamples::default());
            let mut ducks = DelaySamples::default();
            let paths: Vec<Option<EchoPath>> =
                if paths.is_empty() { vec![None] } else { paths.into_iter().map(Some).collect() };
            for (n, echo) in paths.into_iter().enumerate() {
                let scene = ListeningScene {
                    luna: Some(&self.voices[n % self.voices.len()]),
                    echo,
                    people: said.sound.clone(),
                    noise: noise(NOISES[n % 3], said.sound.len()),
                    words: said.words.clone(),
                    script: RecogniserScript::PersonIfLeft,
                    window_ms: WINDOW_MS,
                    whole_ms: WHOLE_MS,
                };
                let done = scene.play(&self.rules);
                for (n, person) in said.placed.iter().enumerate() {
                    let next = said.placed.get(n + 1).map_or(said.sound.len(), |next| next.from);
                    let obeyed = done.iter().find_map(|(at, what)| match what {
                        LoopEvent::Reflex(command) if (person.from..next).contains(at) => Some((*at, *command)),
                        _ => None,
                    });
                    total += 1;
                    let duck = |(at, what): &&(usize, LoopEvent)| {
                        *what == LoopEvent::Duck && (person.speech.0..next).contains(at)
                    };
                    ducks.0.extend(done.iter().find(duck).map(|(at, _)| ms(at - person.speech.0)));
                    match obeyed {
                        Some((at, command)) if Some(command) == person.command => {
                            delays.0.push(ms(at) - ms(person.to));
                        }
                        Some(_) => wrong += 1,
                        None => {
                            let seen: Vec<&LoopEvent> = done
                                .iter()
                                .filter(|(at, _)| (person.from..next).contains(at))
                                .map(|(_, done)| done)
                                .collect();
                            missed.push(format!("{} {echo:?}: {seen:?}", person.text));
                        }
                    }
                }
            }
            let share = 100.0 * missed.len() as f64 / f64::from(total);
            report.row(&format!("Missed commands in double talk, {name} ({total} synthetic commands)"), "%", share, "");
            report.row(
                &format!("Onset to quiet, commands, {name}, from audible speech, p50"),
                "ms",
                ducks.percentile(0.5),
                "",
            );
            report.row(
                &format!("Onset to quiet, commands, {name}, from audible speech, p95"),
                "ms",
                ducks.percentile(0.95),
                "150",
            );
            println!("    {wrong} wrong; end of the word to the reflex: {}", delays.told());
            missed.iter().for_each(|missed| detail(|| format!("missed {missed}")));
        }
    }
}

/// Tells more than the figures, if asked.
fn detail(told: impl Fn() -> String) {
    if std::env::var_os("LUNA_BENCH_DETAILS").is_some() {
        println!("      {}", told());
    }
}

fn merge(into: &mut PeopleFigures, from: PeopleFigures) {
    into.rejection.0.extend(from.rejection.0);
    into.before_end += from.before_end;
    into.resumed += from.resumed;
    into.from_word += from.from_word;
    into.commands.extend(from.commands);
    into.seconds += from.seconds;
}

fn tell(report: &mut ListeningReport, name: &str, figures: &PeopleFigures, idle: bool) {
    let what = if idle { "Onset to its event" } else { "Onset to quiet" };
    report.row(&format!("{what}, {name}, p50"), "ms", figures.onset.percentile(0.5), "");
    report.row(&format!("{what}, {name}, p95"), "ms", figures.onset.percentile(0.95), "150");
    let audible = &figures.speech_onset;
    report.row(&format!("{what}, {name}, from audible speech, p50"), "ms", audible.percentile(0.5), "");
    report.row(&format!("{what}, {name}, from audible speech, p95"), "ms", audible.percentile(0.95), "150");
    report.row(&format!("{what}, {name}, from audible speech, later than 150 ms"), "%", audible.above(150.0), "");
    println!(
        "    {}; {} missed, {} while quiet already, {} without a person",
        figures.onset.told(),
        figures.missed,
        figures.quiet,
        figures.nobody
    );
}

fn rejection(report: &mut ListeningReport, name: &str, figures: &PeopleFigures) {
    let delays = &figures.rejection;
    let in_time = delays.0.iter().filter(|delay| **delay <= 800.0).count();
    let share = 100.0 * (in_time + figures.before_end) as f64 / figures.resumed.max(1) as f64;
    report.row(&format!("End of speech to going on, {name}, p50"), "ms", delays.percentile(0.5), "");
    report.row(&format!("End of speech to going on, {name}, p95"), "ms", delays.percentile(0.95), "");
    report.row(&format!("End of speech to going on, {name}, most"), "ms", delays.percentile(1.0), "800");
    report.row(&format!("Rejections within 800 ms, {name}"), "%", share, "100");
    println!(
        "    {} resumes, {} from the word, {} before the speech ended",
        figures.resumed, figures.from_word, figures.before_end
    );
}
