//! Words that are not for Luna: when they are rejected, and when its voice is back.

use std::time::Duration;

use crate::clock::now;
use crate::engine::tell;
use crate::person::SpokenWords;
use crate::scene::ReadingScene;

/// Figures in milliseconds.
#[derive(Default)]
pub struct RejectionFigures {
    /// From the end of what was said to the rejection (`BargeIn.Resumed`).
    pub rejected: Vec<f64>,
    /// From there to the first sample of Luna, which was silent.
    pub resumed: Vec<f64>,
    /// Luna became quiet, but its voice did not come back.
    pub lost: usize,
    /// Luna was not silent yet when it went on, or did not become quiet at all.
    pub never_silent: usize,
    pub never_ducked: usize,
    /// Rounds without the words: the sound server broke them into pieces.
    pub broken: usize,
    /// Something was obeyed.
    pub obeyed: usize,
}

/// Has words said so many times while Luna reads.
pub fn rejections(scene: &ReadingScene, words: &SpokenWords, rounds: usize) -> RejectionFigures {
    let mut figures = RejectionFigures::default();
    scene.read();
    for round in 0..=rounds {
        let before = (figures.rejected.len(), figures.resumed.len());
        rejection(scene, words, round, &mut figures);
        if round == 0 {
            // It loads the model.
            figures = RejectionFigures::default();
        } else if std::env::var_os("LUNA_BENCH_DETAILS").is_some() {
            println!("    {round}: {:?} {:?}", &figures.rejected[before.0..], &figures.resumed[before.1..]);
        }
    }
    figures
}

fn rejection(scene: &ReadingScene, words: &SpokenWords, round: usize, figures: &mut RejectionFigures) {
    assert!(scene.read_again(), "Luna does not read");
    std::thread::sleep(Duration::from_millis(600 + 37 * (round as u64 % 16)));
    scene.forget();
    scene.events.clear();
    // A piece of the room before the words.
    std::thread::sleep(Duration::from_millis(50));
    let windows_before = scene.notes().len();
    let mut person = words.say();
    let ducked = scene.events.wait("BargeIn.Ducked", Duration::from_secs(4), |_| true);
    let resumed = ducked.as_ref().and_then(|_| scene.events.wait("BargeIn.Resumed", Duration::from_secs(10), |_| true));
    let _ = person.wait();
    std::thread::sleep(Duration::from_millis(700));
    let (microphone, loudspeaker) = (scene.microphone.take(), scene.loudspeaker.take());
    let Some((_, end)) = microphone.speech().filter(|(first, end)| words.are_whole(*first, *end)) else {
        figures.broken += 1;
        return;
    };
    figures.obeyed += usize::from(scene.events.find("BargeIn.Command", |_| true).is_some());
    if ducked.is_none() {
        scene.events.tell(end);
        figures.never_ducked += 1;
        return;
    }
    let Some((at, _)) = resumed else {
        figures.lost += 1;
        return;
    };
    figures.rejected.push((at - end) * 1e3);
    tell(scene.notes().get(windows_before..).unwrap_or_default(), end);
    scene.events.tell(end);
    // Sound may come a little before its event.
    if loudspeaker.last_sound(at - 0.1, at - 0.02).is_some() {
        figures.never_silent += 1;
    }
    match loudspeaker.first_sound(at - 0.02, now()) {
        Some(sound) => figures.resumed.push(((sound - at) * 1e3).max(0.0)),
        None => figures.lost += 1,
    }
}
