//! The machine of turns.

mod decide;
mod hear;
mod spoken;

use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::engine::{SoundExtent, TranscribedSegment};
use luna_messages::executor::SpokenOrder;
use luna_messages::language_tasks::Meaning;
use luna_messages::listening::{HeardReport, ListeningMode, Questioner, SamplePosition, VoiceEvent};
use luna_messages::reading::ReadingWish;
use luna_messages::tts::SpeechEvent;

use super::borders::ReadingBorders;
use super::calls::UtteranceRules;
use super::own_words::OwnWords;
use super::phrases::SpokenPhrase;
use super::settings::TurnSettings;
use super::voice::{HeardVoice, VoiceState};
use crate::signal::HeardPlace;

/// How long Luna waits for words after its name was called alone.
const ATTENTION: Duration = Duration::from_secs(8);
/// A rejection comes at most this long after the last voiced sound, whatever the recogniser does: Luna may not stay quiet because of a slow machine.
/// 800 ms after the person ended are allowed; the signal takes up to 130 of them to show the end, and ticks are 30 apart.
const LATEST_REJECTION: Duration = Duration::from_millis(640);
/// The same for words that are for Luna: a whole transcript takes longer, and Luna would only be cut a moment later.
const LATEST_ANSWER: Duration = Duration::from_secs(5);
/// How long Luna is quiet for one voice that goes on and does not call it.
const LONGEST_QUIET: Duration = Duration::from_secs(4);
/// Undecided voices that are kept: the newest, and those whose transcripts are still awaited.
const MOST_VOICES: usize = 4;

/// What happens.
#[derive(Debug)]
pub enum TurnEvent {
    /// The signal shows something. `heard`: where the sound ends that was taken so far.
    Voice { event: VoiceEvent, heard: SamplePosition },
    /// The words of a request so far.
    Partial { id: RequestId, text: String },
    /// The transcript of a request; `None` if there is none, because recognition failed.
    Transcribed { id: RequestId, segments: Option<Vec<TranscribedSegment>> },
    /// Luna's own speech goes on.
    Speech(SpeechEvent),
    /// Nobody hears what Luna says: there is no device for it.
    Unheard,
    /// Words that came as text.
    SayTo { text: String },
    /// The key for speaking was pressed, or let go.
    Hold { down: bool },
    /// Whether a question of Luna is open.
    Asking { who: Questioner, asking: bool },
    /// A language model decided what words mean; `None` if it could not. `id`: of [`TurnEffect::Decide`].
    Decided { id: RequestId, utterance: String, meaning: Option<Meaning> },
    /// Time passes.
    Tick(HeardPlace),
    /// The microphone is gone: no voice goes on.
    Lost,
}

/// What is to be done, in this order.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEffect {
    /// Luna becomes quiet at once, and goes on quietly.
    Duck,
    /// Luna goes on.
    Unduck {
        /// From the word at which it became quiet.
        from_word: bool,
    },
    /// What Luna says ends, and can be resumed. `at` is older than what the words lead to, which may be spoken (FOC-6).
    Cut {
        at: RequestId,
    },
    /// A stretch of sound is to be transcribed.
    Transcribe {
        id: RequestId,
        from: SamplePosition,
        to: SamplePosition,
        extent: SoundExtent,
    },
    /// A transcription is no longer needed.
    Cancel {
        id: RequestId,
    },
    /// A reflex command is to be obeyed.
    Reflex(Command),
    /// A wish about reading is to be fulfilled.
    Wish {
        /// Given when it was said, so that a later stop ends what it leads to (FOC-6).
        id: RequestId,
        wish: ReadingWish,
    },
    /// An order is to be carried out, or a question about one is answered.
    Order(SpokenOrder),
    /// A language model is to decide what was meant.
    Decide {
        id: RequestId,
        utterance: String,
        /// What Luna reads; may be empty.
        text: String,
        /// Whether Luna was interrupted.
        barge_in: bool,
    },
    /// A decision is no longer wanted (KER-6).
    CancelDecide {
        id: RequestId,
    },
    Say(SpokenPhrase),
    Publish(BusEvent),
    /// How much is transcribed from now on.
    Mode(ListeningMode),
    /// The answer to [`TurnEvent::SayTo`].
    Report(HeardReport),
}

/// A voice that is not listened to yet.
#[derive(Debug, Clone, Copy)]
struct UnheldVoice {
    from: SamplePosition,
    began: Duration,
    own: f32,
}

/// Decides what is done about voices and words.
#[derive(Debug)]
pub struct TurnMachine {
    settings: TurnSettings,
    own: OwnWords,
    borders: ReadingBorders,
    /// The newest last.
    voices: Vec<HeardVoice>,
    /// Whether Luna is quiet because of a voice.
    ducked: bool,
    /// Until when words without the wake word are said to Luna.
    attention: Duration,
    /// Whether Luna asked what was meant, and nobody called it since.
    asked_again: bool,
    held: bool,
    /// A voice that began before the key for speaking counts as held: people speak as soon as they press it.
    unheld: Option<UnheldVoice>,
    /// A voice that seems to be Luna's own; people may join in.
    suspected: Option<UnheldVoice>,
    /// Whether focus mode waits for a command.
    awaits_command: bool,
    /// Whether a question about an order is open.
    asks_about_order: bool,
    /// The request whose decision by a model still counts.
    asked: Option<RequestId>,
    /// Where the newest voice ended for which Luna did not wait: if another one follows without a pause, it is the same.
    talk_ended: SamplePosition,
    /// How often in a row a voice was Luna's own.
    echoes: u32,
    /// The time of the event.
    now: Duration,
    /// The last command and when it was obeyed (BRG-5).
    obeyed: Option<(Command, Duration)>,
    mode: ListeningMode,
}

impl TurnMachine {
    /// Nobody speaks.
    #[must_use]
    pub fn new(settings: TurnSettings) -> Self {
        Self {
            settings,
            own: OwnWords::default(),
            borders: ReadingBorders::default(),
            voices: Vec::new(),
            ducked: false,
            attention: Duration::ZERO,
            asked_again: false,
            held: false,
            unheld: None,
            suspected: None,
            awaits_command: false,
            asks_about_order: false,
            asked: None,
            talk_ended: 0,
            echoes: 0,
            now: Duration::ZERO,
            obeyed: None,
            mode: ListeningMode::Full,
        }
    }

    /// Applies changed settings (CFG-4).
    pub fn configure(&mut self, settings: TurnSettings) {
        self.settings = settings;
    }

    /// Whether Luna speaks, as far as it knows.
    #[must_use]
    pub const fn speaks(&self) -> bool {
        self.borders.speaks()
    }

    /// Whether [`TurnEvent::Tick`] is needed: a voice is undecided, or seems to be Luna's own.
    #[must_use]
    pub fn needs_ticks(&self) -> bool {
        !self.voices.is_empty() || self.suspected.is_some()
    }

    /// Handles an event at `now`, a time since any beginning. The effects must be performed in order.
    #[must_use]
    pub fn step(&mut self, event: TurnEvent, now: Duration, rules: &dyn UtteranceRules) -> Vec<TurnEffect> {
        let mut effects = Vec::new();
        self.now = now;
        match event {
            TurnEvent::Voice { event: VoiceEvent::Onset { from, own }, heard } => {
                self.onset(from, own, heard, now, &mut effects);
            }
            TurnEvent::Voice { event: VoiceEvent::End { to, own, .. }, heard } => {
                self.end(to, own, heard, now, rules, &mut effects);
            }
            TurnEvent::Partial { id, text } => self.partial(id, text, &mut effects),
            TurnEvent::Transcribed { id, segments } => self.transcribed(id, segments, now, rules, &mut effects),
            TurnEvent::Speech(event) => self.speech(&event, now, &mut effects),
            TurnEvent::Unheard => {
                self.borders.silence();
                self.follow_mode(&mut effects);
            }
            TurnEvent::SayTo { text } => self.say_to(&text, now, rules, &mut effects),
            TurnEvent::Hold { down } => self.hold(down, &mut effects),
            TurnEvent::Asking { who: Questioner::Focus, asking } => self.awaits_command = asking,
            TurnEvent::Asking { who: Questioner::Executor, asking } => self.asks_about_order = asking,
            TurnEvent::Decided { id, utterance, meaning } => self.decided(id, utterance, meaning, &mut effects),
            TurnEvent::Tick(place) => self.tick(place, now, &mut effects),
            TurnEvent::Lost => self.lost(&mut effects),
        }
        self.voices.retain(HeardVoice::is_undecided);
        effects
    }

    /// Forgets what Luna said if it can't come back any more (BUF-2, PRV-1). To be called now and then.
    pub fn forget(&mut self, now: Duration) {
        self.own.forget(now, self.borders.speaks());
    }

    /// Follows Luna's own speech.
    fn speech(&mut self, event: &SpeechEvent, now: Duration, effects: &mut Vec<TurnEffect>) {
        if let SpeechEvent::Sentence { text, .. } = event {
            self.own.say(text, now);
        }
        self.borders.hear(event, now);
        self.follow_mode(effects);
    }

    fn follow_mode(&mut self, effects: &mut Vec<TurnEffect>) {
        let mode = if self.borders.speaks() { ListeningMode::CommandOnly } else { ListeningMode::Full };
        if mode != self.mode {
            self.mode = mode;
            effects.extend([TurnEffect::Mode(mode), TurnEffect::Publish(BusEvent::SttMode { mode })]);
        }
    }

    fn lost(&mut self, effects: &mut Vec<TurnEffect>) {
        // What is being transcribed as a whole was said before, so it still counts.
        for voice in self.voices.iter_mut().filter(|voice| voice.state == VoiceState::Open) {
            voice.state = VoiceState::Decided;
            effects.extend(voice.window.take().map(|window| TurnEffect::Cancel { id: window.id }));
        }
        (self.unheld, self.suspected) = (None, None);
        // Positions may begin anew.
        (self.talk_ended, self.echoes) = (0, 0);
        self.go_on(false, effects);
    }

    /// Luna becomes quiet, unless it is.
    fn duck(&mut self, effects: &mut Vec<TurnEffect>) {
        if !self.ducked {
            self.ducked = true;
            effects.extend([TurnEffect::Duck, TurnEffect::Publish(BusEvent::Ducked {})]);
        }
    }

    /// Ends the quiet, if Luna is quiet and no other voice needs it.
    fn go_on(&mut self, from_word: bool, effects: &mut Vec<TurnEffect>) {
        let needed = self.voices.iter().any(|voice| voice.keeps_quiet && voice.is_undecided());
        if self.ducked && !needed {
            self.ducked = false;
            effects.extend([TurnEffect::Unduck { from_word }, TurnEffect::Publish(BusEvent::DuckEnded { from_word })]);
        }
    }

    /// The same after something was obeyed: what is heard next is that, not what was said before.
    fn end_quiet(&mut self, effects: &mut Vec<TurnEffect>) {
        let needed = self.voices.iter().any(|voice| voice.keeps_quiet && voice.is_undecided());
        if self.ducked && !needed {
            self.ducked = false;
            effects.push(TurnEffect::Unduck { from_word: false });
        }
    }

    /// Luna asked to say it again: the answer needs no name, if the name was said before. Otherwise a television would be asked for ever.
    fn await_answer(&mut self, called: bool) {
        self.attention = if called { self.now + ATTENTION } else { Duration::ZERO };
        self.asked_again &= !called;
    }

    /// The same about what a model could not decide: once, until the name is said again.
    fn await_choice(&mut self) {
        let asked_before = std::mem::replace(&mut self.asked_again, true);
        self.await_answer(!asked_before);
        self.asked_again = true;
    }

    /// How much is transcribed now.
    #[must_use]
    pub const fn mode(&self) -> ListeningMode {
        self.mode
    }
}
