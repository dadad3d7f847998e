//! The decisions of the Tts actor: what is spoken when (TTS-2, TTS-4, FOC-4, BRG-2, BRG-8, BUF-2).
//!
//! [`Player::step`] takes an input and returns effects. Each play order has a number ([`PlayRequest`]), so a late report changes nothing.

use std::collections::VecDeque;

use luna_messages::RequestId;
use luna_messages::tts::{NoticeTiming, SpeechEvent};

use super::script::{Sentence, SpeechScript};

mod commands;
mod interruption;
mod parts;

use interruption::SuspendedSpeech;

/// Maximum notices that wait for the end of a sentence; the oldest is dropped.
const MAX_WAITING_NOTICES: usize = 8;

/// Number of a play order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlayRequest(pub u64);

/// Identifies a sentence, so that its sound can be prepared and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PieceId {
    /// The reading or notice.
    pub id: RequestId,
    /// Index of the sentence, from 0.
    pub idx: usize,
}

/// Input of [`Player::step`].
#[derive(Debug)]
pub enum PlayerInput {
    /// Read this; it replaces the current reading.
    Read(SpeechScript),
    /// A piece of a text that arrives piecewise.
    Part(StreamedPart),
    /// Speak a notice of Luna's own.
    Say(SpeechScript, NoticeTiming),
    /// Stop; the position is kept (BRG-8).
    Stop,
    Pause,
    /// Resume, also after a stop.
    Resume,
    /// Pause if something is playing, else resume.
    PauseToggle,
    /// Repeat this sentence.
    Repeat,
    Next,
    /// The previous sentence; at the first, the first again.
    Previous,
    /// One step slower.
    Slower,
    /// One step faster.
    Faster,
    /// New limits; the rate itself changes if its configured value did (CFG-4), else the person's choice stays.
    Configure(Rates),
    /// Stop and wipe all text.
    Forget,
    /// The first sound of this order reached the device.
    Started(PlayRequest),
    /// The whole order was heard.
    Ended(PlayRequest),
    /// The engine crashed or hung on this order, which is retried once.
    Broken(PlayRequest),
    /// The order waits for a sound device. Its text is published, so that it can be shown; the position stays until it is heard (KER-9).
    Unheard(PlayRequest),
    /// The order can't be spoken, because there is no engine or the engine can't speak it. Its text is published all the same, so that it can be
    /// shown (KER-9).
    Unspoken(PlayRequest),
}

/// A piece of a text that arrives piecewise, such as a translation (TRN-2).
#[derive(Debug)]
pub struct StreamedPart {
    /// Its sentences, with the id of the whole reading.
    pub utterance: SpeechScript,
    /// Begins the reading and replaces the current one; otherwise the piece is appended to the reading with its id, if that is still current.
    pub first: bool,
    /// The last piece.
    pub last: bool,
    /// The person stopped this text.
    pub stop: bool,
}

/// Output of [`Player::step`].
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerEffect {
    /// End what is playing or paused; speak this.
    Play {
        /// Number of the order, which its reports carry.
        play: PlayRequest,
        /// The sentence's id.
        piece: PieceId,
        sentence: Sentence,
    },
    /// Synthesise this sentence ahead of time: it is next.
    Prepare {
        /// The sentence's id.
        piece: PieceId,
        sentence: Sentence,
    },
    /// End what is playing.
    Silence,
    /// Pause what is playing.
    Pause,
    /// Continue what is paused.
    Continue,
    /// Speak at this rate from now on; 1.0 is the voice's own.
    Tempo(f32),
    /// Wipe all synthesised sound.
    Wipe,
    Publish(SpeechEvent),
}

/// Speaking rate and its limits, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Configured rate, which the person can change.
    pub rate: u32,
    pub step: u32,
    /// Slowest rate.
    pub min: u32,
    /// Fastest rate.
    pub max: u32,
}

#[derive(Debug)]
struct PlayerPosition {
    utterance: SpeechScript,
    idx: usize,
    /// Whether further sentences will arrive.
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

/// The sentence that is playing or paused.
#[derive(Debug, Clone, Copy)]
struct CurrentSentence {
    play: PlayRequest,
    content: PlayerContent,
    /// Whether its text was published; a retry does not publish it again.
    published: bool,
    /// Whether this is the retry.
    retry: bool,
    /// Whether a notice replaced its sound during a pause; on resume it is played again from its beginning.
    replaced: bool,
}

/// The state machine of speech.
#[derive(Debug)]
pub struct Player {
    rates: Rates,
    rate: u32,
    /// Number of the last play order.
    plays: u64,
    /// The current text, kept after its end and after a stop for repeat, previous and resume.
    reading: Option<PlayerPosition>,
    /// Whether the reading has begun and its end was not published yet; also during a notice in between.
    open: bool,
    /// Whether the text was read to its end: then there is nothing to resume.
    finished: bool,
    /// Whether all available sentences were spoken; the next one is spoken as soon as it arrives.
    awaiting: bool,
    /// The current notice, kept after its end if it answered the person, so that it can be repeated.
    notice: Option<PlayerPosition>,
    /// Whether that notice answers the person.
    answer: bool,
    /// Notices that wait for the end of the sentence.
    waiting: VecDeque<SpeechScript>,
    now: Option<CurrentSentence>,
    paused: bool,
    /// The report that came while the order was paused; it takes effect on resume.
    outcome: Option<PlayerInput>,
    /// What is paused beneath the notice that sounds, last paused last: in a pause Luna still answers.
    suspended: Vec<SuspendedSpeech>,
}

impl Player {
    /// A silent player.
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
            suspended: Vec::new(),
        }
    }

    /// Whether nothing is playing, paused or awaited.
    #[must_use]
    pub const fn is_silent(&self) -> bool {
        self.now.is_none() && !self.awaiting
    }

    /// Whether something is playing and not paused.
    #[must_use]
    pub const fn is_speaking(&self) -> bool {
        self.now.is_some() && !self.paused
    }

    /// The rate; 1.0 is the voice's own.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.rate as f32 / 1000.0
    }

    /// Handles an input; the effects must be performed in order.
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
            PlayerInput::Started(play) | PlayerInput::Unheard(play) if self.is_now(play) => self.publish_sentence(to),
            PlayerInput::Started(_) | PlayerInput::Unheard(_) => {}
            PlayerInput::Ended(play) | PlayerInput::Broken(play) | PlayerInput::Unspoken(play)
                if !self.is_now(play) => {}
            PlayerInput::Ended(_) | PlayerInput::Broken(_) | PlayerInput::Unspoken(_) if self.paused => {
                self.outcome = Some(input)
            }
            PlayerInput::Ended(_) => self.advance(to),
            PlayerInput::Broken(_) => self.try_again(to),
            PlayerInput::Unspoken(_) => {
                self.publish_sentence(to);
                self.advance(to);
            }
        }
        // A command that leaves nothing to speak silences the device first (TTS-4). A stop always does: the device may still have a piece of a
        // sentence that failed in the middle.
        if stop || (!report && sounded && self.now.is_none()) {
            effects.insert(0, PlayerEffect::Silence);
        }
        effects
    }

    fn is_now(&self, play: PlayRequest) -> bool {
        self.now.is_some_and(|now| now.play == play && !now.replaced)
    }

    /// Continues after a sentence was spoken.
    fn advance(&mut self, to: &mut Vec<PlayerEffect>) {
        let Some(now) = self.now.take() else { return };
        let place = match now.content {
            PlayerContent::Reading => &mut self.reading,
            PlayerContent::Notice => &mut self.notice,
        };
        match (place, now.content) {
            (Some(place), content) if !place.is_last() => {
                place.idx += 1;
                if content == PlayerContent::Notice {
                    return self.order(PlayerContent::Notice, to);
                }
            }
            (Some(place), PlayerContent::Notice) => {
                to.push(PlayerEffect::Publish(SpeechEvent::Finished { id: place.id() }));
                if !self.answer {
                    self.notice = None;
                }
            }
            // The next sentence has not arrived yet.
            (Some(place), PlayerContent::Reading) if place.more => self.awaiting = true,
            (Some(_), PlayerContent::Reading) => self.finish_reading(to),
            (None, _) => {}
        }
        self.continue_speech(to, true);
    }

    fn finish_reading(&mut self, to: &mut Vec<PlayerEffect>) {
        self.open = false;
        self.finished = true;
        self.awaiting = false;
        if let Some(reading) = &self.reading {
            to.push(PlayerEffect::Publish(SpeechEvent::Finished { id: reading.id() }));
        }
    }

    /// Speaks a waiting notice, else returns to what was paused, else continues the reading, else falls silent.
    fn continue_speech(&mut self, to: &mut Vec<PlayerEffect>, notices: bool) {
        if (notices || !self.open)
            && let Some(notice) = self.waiting.pop_front()
        {
            self.say_notice(PlayerPosition { utterance: notice, idx: 0, more: false }, false, to);
            return;
        }
        if self.return_to_pause(to) {
            if self.paused
                && let Some(id) = self.now_id()
            {
                // Whoever took the notice for the end of the pause learns that it goes on.
                to.push(PlayerEffect::Publish(SpeechEvent::Paused { id }));
            }
            return;
        }
        if self.open && !self.awaiting {
            self.order(PlayerContent::Reading, to);
        }
    }

    fn try_again(&mut self, to: &mut Vec<PlayerEffect>) {
        match self.now {
            Some(now) if !now.retry => {
                self.order(now.content, to);
                self.now = self.now.map(|next| CurrentSentence { published: now.published, retry: true, ..next });
            }
            Some(_) | None => {
                self.publish_sentence(to);
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
            to.push(PlayerEffect::Publish(SpeechEvent::Resumed { id }));
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

    /// Plays the current sentence of the reading or notice, and prepares the next one.
    fn order(&mut self, content: PlayerContent, to: &mut Vec<PlayerEffect>) {
        self.paused = false;
        self.outcome = None;
        self.plays += 1;
        let play = PlayRequest(self.plays);
        self.now = Some(CurrentSentence { play, content, published: false, retry: false, replaced: false });
        let place = match content {
            PlayerContent::Reading => &self.reading,
            PlayerContent::Notice => &self.notice,
        };
        let Some((piece, sentence)) = place.as_ref().and_then(|place| piece_at(place, place.idx)) else {
            return;
        };
        to.push(PlayerEffect::Play { play, piece, sentence });
        let ahead = match (place, content) {
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
        match self.now?.content {
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
