//! What is said when: the decisions of the Tts actor (TTS-2, TTS-4, FOC-4, BRG-2, BRG-8, BUF-2).
//!
//! [`Player::step`] takes what happened and returns what to do. Each order to play has a number ([`PlayRequest`]): what comes late changes nothing.

use std::collections::VecDeque;

use luna_messages::RequestId;
use luna_messages::tts::{NoticeTiming, SpeechEvent};

use super::script::{Sentence, SpeechScript};

mod commands;
mod parts;

/// Notices that wait for the end of a sentence, at most; the oldest gives way.
const WAITING: usize = 8;

/// Names one order to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlayRequest(pub u64);

/// Names a sentence: its sound can be made ahead and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PieceId {
    /// The reading or notice.
    pub id: RequestId,
    /// Its sentence, from 0.
    pub idx: usize,
}

/// What happened.
#[derive(Debug)]
pub enum PlayerInput {
    /// Read this; replaces what is being read.
    Read(SpeechScript),
    /// A piece of a text that comes piece by piece.
    Part(StreamedPart),
    /// Say this of Luna's own.
    Say(SpeechScript, NoticeTiming),
    /// Stop; the place is kept (BRG-8).
    Stop,
    /// Halt.
    Pause,
    /// Go on, also after a stop.
    Resume,
    /// Pause where something sounds, else resume.
    PauseToggle,
    /// This sentence again.
    Repeat,
    /// The next sentence.
    Next,
    /// The one before; at the first, the first again.
    Previous,
    /// Slower by a step.
    Slower,
    /// Faster by a step.
    Faster,
    /// Other limits; the speed itself changes where the configured one did (CFG-4), else the person's own choice stays.
    Configure(Rates),
    /// Stop and wipe all text.
    Forget,
    /// The first sound of that order went to the device.
    Started(PlayRequest),
    /// All of it was heard.
    Ended(PlayRequest),
    /// The engine crashed on it. It is tried once more.
    Broken(PlayRequest),
    /// It waits for a sound device. Its text is told, so that it can be shown; the place stays until it is heard (KER-9).
    Unheard(PlayRequest),
    /// It can't be spoken: no engine. Its text is told all the same, so that it can be shown (KER-9).
    Unspoken(PlayRequest),
}

/// A piece of a text that comes piece by piece, such as a translation (TRN-2).
#[derive(Debug)]
pub struct StreamedPart {
    /// Its sentences, with the id of the whole reading.
    pub utterance: SpeechScript,
    /// It begins the reading, and replaces what is being read; else it is joined to the reading with its id, if that is still there.
    pub first: bool,
    /// Nothing comes after it.
    pub last: bool,
    /// The person wants to hear no more of it.
    pub stop: bool,
}

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerEffect {
    /// End what sounds, and what is halted; speak this.
    Play {
        /// Number of this order.
        play: PlayRequest,
        /// Name of the sentence.
        piece: PieceId,
        sentence: Sentence,
    },
    /// Make the sound of this sentence ahead: it comes next.
    Prepare {
        /// Name of the sentence.
        piece: PieceId,
        sentence: Sentence,
    },
    /// End what sounds.
    Silence,
    /// Halt what sounds.
    Pause,
    /// Let it go on.
    Continue,
    /// Speak at this speed from now on; 1.0 is the voice's own.
    Tempo(f32),
    /// Wipe all sound that was made.
    Wipe,
    /// Tell the others.
    Tell(SpeechEvent),
}

/// Limits of the speed, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Where it begins.
    pub rate: u32,
    pub step: u32,
    /// Slowest.
    pub min: u32,
    /// Fastest.
    pub max: u32,
}

#[derive(Debug)]
struct PlayerPosition {
    utterance: SpeechScript,
    idx: usize,
    /// Whether further sentences come.
    more: bool,
}

impl PlayerPosition {
    const fn id(&self) -> RequestId {
        self.utterance.id
    }

    fn is_last(&self) -> bool {
        self.idx + 1 >= self.utterance.sentences.len()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlayerContent {
    Reading,
    Notice,
}

/// What sounds now, or is halted.
#[derive(Debug, Clone, Copy)]
struct Now {
    play: PlayRequest,
    what: PlayerContent,
    /// Whether its text was told; a second try is not told again.
    told: bool,
    /// Whether this is the second try.
    again: bool,
}

/// The state of speaking.
#[derive(Debug)]
pub struct Player {
    rates: Rates,
    rate: u32,
    /// Number of the last order.
    plays: u64,
    /// The text that is read, kept after its end and after a stop so that repeat, previous and resume find it.
    reading: Option<PlayerPosition>,
    /// Whether the reading was begun and its end not told yet; also while a notice is said in between.
    open: bool,
    /// Whether it was read to its end: then there is nothing to resume.
    finished: bool,
    /// Whether all that is there was said, and the next sentence is said as soon as it comes.
    awaiting: bool,
    /// The notice that is said, kept after its end where it answered the person, so that it can be repeated.
    notice: Option<PlayerPosition>,
    /// Whether that notice is an answer to the person.
    answer: bool,
    /// Notices that wait for the end of the sentence.
    waiting: VecDeque<SpeechScript>,
    now: Option<Now>,
    paused: bool,
    /// What came of the order while it was halted; it counts when the person resumes.
    outcome: Option<PlayerInput>,
}

impl Player {
    /// A player that is silent.
    #[must_use]
    pub const fn new(rates: Rates) -> Self {
        Self {
            rates,
            rate: rates.rate,
            plays: 0,
            reading: None,
            open: false,
            finished: false,
            awaiting: false,
            notice: None,
            answer: false,
            waiting: VecDeque::new(),
            now: None,
            paused: false,
            outcome: None,
        }
    }

    /// Whether nothing sounds, is halted or waits.
    #[must_use]
    pub const fn is_silent(&self) -> bool {
        self.now.is_none() && !self.awaiting
    }

    /// Whether something is being spoken and not halted.
    #[must_use]
    pub const fn is_speaking(&self) -> bool {
        self.now.is_some() && !self.paused
    }

    /// The speed; 1.0 is the voice's own.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.rate as f32 / 1000.0
    }

    /// Takes what happened; returns what to do, in order.
    pub fn step(&mut self, input: PlayerInput) -> Vec<PlayerEffect> {
        let mut effects = Vec::new();
        let to = &mut effects;
        let sounded = self.now.is_some();
        let stop = matches!(input, PlayerInput::Stop | PlayerInput::Forget);
        let report = input.is_report();
        match input {
            PlayerInput::Read(utterance) => self.read(utterance, false, to),
            PlayerInput::Part(part) => self.part(part, to),
            PlayerInput::Say(utterance, timing) => self.say(utterance, timing, to),
            PlayerInput::Stop => self.stop(to),
            PlayerInput::Pause => self.pause(to),
            PlayerInput::Resume => self.resume(to),
            PlayerInput::PauseToggle if self.is_speaking() => self.pause(to),
            PlayerInput::PauseToggle => self.resume(to),
            PlayerInput::Repeat => self.repeat(to),
            PlayerInput::Next => self.next(to),
            PlayerInput::Previous => self.previous(to),
            PlayerInput::Slower => self.set_rate(self.rate.saturating_sub(self.rates.step), to),
            PlayerInput::Faster => self.set_rate(self.rate + self.rates.step, to),
            PlayerInput::Configure(rates) => self.configure(rates, to),
            PlayerInput::Forget => self.forget(to),
            PlayerInput::Started(play) | PlayerInput::Unheard(play) if self.is_now(play) => self.tell_sentence(to),
            PlayerInput::Started(_) | PlayerInput::Unheard(_) => {}
            PlayerInput::Ended(play) | PlayerInput::Broken(play) | PlayerInput::Unspoken(play)
                if !self.is_now(play) => {}
            PlayerInput::Ended(_) | PlayerInput::Broken(_) | PlayerInput::Unspoken(_) if self.paused => {
                self.outcome = Some(input)
            }
            PlayerInput::Ended(_) => self.advance(to),
            PlayerInput::Broken(_) => self.try_again(to),
            PlayerInput::Unspoken(_) => {
                self.tell_sentence(to);
                self.advance(to);
            }
        }
        // A command that leaves nothing to be said ends what sounds, first of all (TTS-4). A stop does so in any case: of a sentence whose engine
        // failed in the middle the device may still have a piece.
        if stop || (!report && sounded && self.now.is_none()) {
            effects.insert(0, PlayerEffect::Silence);
        }
        effects
    }

    fn is_now(&self, play: PlayRequest) -> bool {
        self.now.is_some_and(|now| now.play == play)
    }

    /// Ends what is being said without a new order; tells who was cut off. Places are kept.
    fn cut(&mut self, to: &mut Vec<PlayerEffect>) {
        let now = self.now.take();
        self.paused = false;
        self.outcome = None;
        self.awaiting = false;
        if now.is_some_and(|now| now.what == PlayerContent::Notice)
            && let Some(notice) = &self.notice
        {
            to.push(PlayerEffect::Tell(SpeechEvent::Stopped { id: notice.id(), idx: notice.idx }));
        }
        if std::mem::take(&mut self.open)
            && let Some(reading) = &self.reading
        {
            to.push(PlayerEffect::Tell(SpeechEvent::Stopped { id: reading.id(), idx: reading.idx }));
        }
    }

    /// Tells that what was halted goes on.
    fn unhalt(&mut self, to: &mut Vec<PlayerEffect>) {
        if std::mem::take(&mut self.paused)
            && let Some(id) = self.now_id()
        {
            to.push(PlayerEffect::Tell(SpeechEvent::Resumed { id }));
        }
    }

    /// Ends a notice that the person steps over, if one is said.
    fn skip_notice(&mut self, to: &mut Vec<PlayerEffect>) -> bool {
        if self.now.is_none_or(|now| now.what != PlayerContent::Notice) {
            return false;
        }
        self.now = None;
        self.paused = false;
        self.outcome = None;
        if let Some(notice) = self.notice.take() {
            to.push(PlayerEffect::Tell(SpeechEvent::Stopped { id: notice.id(), idx: notice.idx }));
        }
        true
    }

    /// The sentence was said; what comes after it?
    fn advance(&mut self, to: &mut Vec<PlayerEffect>) {
        let Some(now) = self.now.take() else { return };
        let place = match now.what {
            PlayerContent::Reading => &mut self.reading,
            PlayerContent::Notice => &mut self.notice,
        };
        match (place, now.what) {
            (Some(place), what) if !place.is_last() => {
                place.idx += 1;
                if what == PlayerContent::Notice {
                    return self.order(PlayerContent::Notice, to);
                }
            }
            (Some(place), PlayerContent::Notice) => {
                to.push(PlayerEffect::Tell(SpeechEvent::Finished { id: place.id() }));
                if !self.answer {
                    self.notice = None;
                }
            }
            // What comes next is not there yet.
            (Some(place), PlayerContent::Reading) if place.more => self.awaiting = true,
            (Some(_), PlayerContent::Reading) => self.finish_reading(to),
            (None, _) => {}
        }
        self.go_on(to, true);
    }

    fn finish_reading(&mut self, to: &mut Vec<PlayerEffect>) {
        self.open = false;
        self.finished = true;
        self.awaiting = false;
        if let Some(reading) = &self.reading {
            to.push(PlayerEffect::Tell(SpeechEvent::Finished { id: reading.id() }));
        }
    }

    /// A notice that waits, else the reading, else silence.
    fn go_on(&mut self, to: &mut Vec<PlayerEffect>, notices: bool) {
        if (notices || !self.open)
            && let Some(notice) = self.waiting.pop_front()
        {
            self.say_notice(PlayerPosition { utterance: notice, idx: 0, more: false }, false, to);
            return;
        }
        if self.open && !self.awaiting {
            self.order(PlayerContent::Reading, to);
        }
    }

    fn try_again(&mut self, to: &mut Vec<PlayerEffect>) {
        match self.now {
            Some(now) if !now.again => {
                self.order(now.what, to);
                self.now = self.now.map(|next| Now { told: now.told, again: true, ..next });
            }
            Some(_) | None => {
                self.tell_sentence(to);
                self.advance(to);
            }
        }
    }

    fn speak_reading(&mut self, to: &mut Vec<PlayerEffect>) {
        let Some(reading) = self.reading.as_ref().filter(|reading| !reading.utterance.sentences.is_empty()) else {
            return;
        };
        let id = reading.id();
        if !self.open || self.paused {
            to.push(PlayerEffect::Tell(SpeechEvent::Resumed { id }));
        }
        self.open = true;
        self.finished = false;
        self.awaiting = false;
        self.notice = None;
        self.order(PlayerContent::Reading, to);
    }

    fn say_notice(&mut self, place: PlayerPosition, answer: bool, to: &mut Vec<PlayerEffect>) {
        self.notice = Some(place);
        self.answer = answer;
        self.order(PlayerContent::Notice, to);
    }

    /// Orders the sentence at its place, and the making of the one that comes after it.
    fn order(&mut self, what: PlayerContent, to: &mut Vec<PlayerEffect>) {
        self.paused = false;
        self.outcome = None;
        self.plays += 1;
        let play = PlayRequest(self.plays);
        self.now = Some(Now { play, what, told: false, again: false });
        let place = match what {
            PlayerContent::Reading => &self.reading,
            PlayerContent::Notice => &self.notice,
        };
        let Some((piece, sentence)) = place.as_ref().and_then(|place| piece_at(place, place.idx)) else {
            return;
        };
        to.push(PlayerEffect::Play { play, piece, sentence });
        let ahead = match (place, what) {
            (Some(place), _) if !place.is_last() => piece_at(place, place.idx + 1),
            (_, PlayerContent::Notice) if self.open => {
                self.reading.as_ref().and_then(|reading| piece_at(reading, reading.idx))
            }
            _ => None,
        };
        if let Some((piece, sentence)) = ahead {
            to.push(PlayerEffect::Prepare { piece, sentence });
        }
    }

    fn now_id(&self) -> Option<RequestId> {
        self.now_place().map(PlayerPosition::id)
    }

    fn now_place(&self) -> Option<&PlayerPosition> {
        match self.now?.what {
            PlayerContent::Reading => self.reading.as_ref(),
            PlayerContent::Notice => self.notice.as_ref(),
        }
    }
}

fn piece_at(place: &PlayerPosition, idx: usize) -> Option<(PieceId, Sentence)> {
    let sentence = place.utterance.sentences.get(idx)?;
    Some((PieceId { id: place.id(), idx }, sentence.clone()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests;
