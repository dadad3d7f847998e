//! Spoken commands: from the end of the word to the last sample of Luna.

use std::time::Duration;

use crate::clock::{Seconds, now};
use crate::engine::tell;
use crate::person::SpokenWords;
use crate::plain::PlainWay;
use crate::scene::ReadingScene;

/// Of how many rounds one is compared with the plain way.
const PLAIN_EVERY: usize = 6;

/// One command; all in milliseconds.
#[derive(Debug, Default)]
pub struct ObeyedCommand {
    /// From the end of the word: to the last sample of Luna; to the command itself (`BargeIn.Command`).
    pub end_to_silence: f64,
    pub end_to_command: f64,
    /// From the first audible sample of the word to `STT.onset`, and to `BargeIn.Ducked`; `None` if Luna took something before for a voice.
    pub onset: Option<f64>,
    pub duck: Option<f64>,
    /// From the event of the partial transcript that matches, and from the moment when the engine's answer leaves it, to the last sample of Luna. `None`
    /// if Luna was silent already: it waits in silence for a voice that goes on.
    pub partial_to_silence: Option<f64>,
    pub answer_to_silence: Option<f64>,
    /// The window that was obeyed: requested so long after the end of the word, and answered so long after that; from there to the command.
    pub end_to_window: f64,
    pub window_takes: f64,
    pub answer_to_command: f64,
    /// Windows that were transcribed for it.
    pub windows: usize,
    /// What a person would wait who is heard as an utterance: voice activity, then the transcript.
    pub plain: Option<f64>,
    /// By how much the recordings' clocks were unsteady.
    pub unsteady: f64,
}

/// Figures of many commands.
#[derive(Default)]
pub struct CommandFigures {
    pub obeyed: Vec<ObeyedCommand>,
    pub missed: usize,
    /// Rounds without a word: the sound server broke it into pieces.
    pub broken: usize,
}

impl CommandFigures {
    pub fn all(&self, figure: impl Fn(&ObeyedCommand) -> Option<f64>) -> Vec<f64> {
        self.obeyed.iter().filter_map(figure).collect()
    }
}

#[derive(Debug)]
enum CommandRound {
    Obeyed(Box<ObeyedCommand>),
    Missed,
    Broken,
}

/// Has a word said so many times while Luna reads. The first is not counted: it loads the model.
pub fn commands(scene: &ReadingScene, word: &SpokenWords, rounds: usize, plain: Option<&PlainWay>) -> CommandFigures {
    let mut figures = CommandFigures::default();
    scene.read();
    for round in 0..=rounds {
        // An utterance takes seconds.
        let one = command(scene, word, round, plain.filter(|_| round % PLAIN_EVERY == PLAIN_EVERY - 1));
        if std::env::var_os("LUNA_BENCH_DETAILS").is_some() {
            println!("    {round}: {one:?}");
        }
        match one {
            _ if round == 0 => {}
            CommandRound::Obeyed(one) => figures.obeyed.push(*one),
            CommandRound::Missed => figures.missed += 1,
            CommandRound::Broken => figures.broken += 1,
        }
    }
    figures
}

fn command(scene: &ReadingScene, word: &SpokenWords, round: usize, plain: Option<&PlainWay>) -> CommandRound {
    assert!(scene.read_again(), "Luna does not read");
    // At another place of the text each time.
    std::thread::sleep(Duration::from_millis(600 + 37 * (round as u64 % 16)));
    scene.forget();
    scene.events.clear();
    // A piece of the room before the words.
    std::thread::sleep(Duration::from_millis(50));
    let windows_before = scene.notes().len();
    let said = now();
    let mut person = word.say();
    let command = scene.events.wait("BargeIn.Command", Duration::from_secs(8), |data| data["type"] == "stop");
    // The word ends, and so does what it leads to.
    std::thread::sleep(Duration::from_millis(800));
    let _ = person.wait();
    let (microphone, loudspeaker) = (scene.microphone.take(), scene.loudspeaker.take());
    let speech = microphone.speech().filter(|(first, end)| word.are_whole(*first, *end));
    let Some((first, end)) = speech else { return CommandRound::Broken };
    let notes = scene.notes();
    let notes = notes.get(windows_before..).unwrap_or_default();
    tell(notes, end);
    let event = |name: &str| scene.events.find(name, |_| true).map(|(at, _)| at);
    let ms = |from: Seconds, to: Seconds| (to - from) * 1e3;
    let (Some((commanded, _)), Some(partial), Some(last)) =
        (command, event("STT.partial"), loudspeaker.last_sound(said, now()))
    else {
        return CommandRound::Missed;
    };
    // The engine notes an answer after it has passed it on, so the note may be a little later than what follows.
    let obeyed =
        notes.iter().rfind(|note| note.words > 0 && note.asked < commanded && note.answered < commanded + 0.05);
    // What came long before the word is no onset of it.
    let of_word = |name: &str| event(name).filter(|at| first - at < 0.15).map(|at| ms(first, at));
    let sounding = |from: Seconds| (last > from - 0.005).then(|| ms(from, last).max(0.0));
    CommandRound::Obeyed(Box::new(ObeyedCommand {
        end_to_silence: ms(end, last),
        end_to_command: ms(end, commanded),
        onset: of_word("STT.onset"),
        duck: of_word("BargeIn.Ducked"),
        // A partial transcript is told when it is new: an earlier window may have had the same words, too early to be obeyed.
        partial_to_silence: obeyed
            .filter(|note| (partial - note.answered).abs() < 0.05)
            .and_then(|_| sounding(partial)),
        answer_to_silence: obeyed.and_then(|note| sounding(note.answered)),
        end_to_window: obeyed.map_or(f64::NAN, |note| ms(end, note.asked)),
        window_takes: obeyed.map_or(f64::NAN, |note| ms(note.asked, note.answered)),
        answer_to_command: obeyed.map_or(f64::NAN, |note| ms(note.answered, commanded)),
        windows: notes.len(),
        plain: plain.and_then(|plain| plain.wait(&microphone.samples)),
        unsteady: microphone.unsteady_ms.max(loudspeaker.unsteady_ms),
    }))
}
