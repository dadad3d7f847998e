//! Reflex commands: short commands by voice, hot key or `luna ctl` that take effect at once (BRG-1, FOC-3).
//!
//! The table below describes each command except for its effect on the focus machine, so a new command is a row here and an arm in the machine's
//! match.

use serde::{Deserialize, Serialize};

use crate::reading::Intent;
use crate::{Lang, MessageClass, Overflow};

#[cfg(test)]
mod tests;

/// The properties of a command: a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandSpec {
    /// The name on the bus, in requests, in `control.hot_keys`, in metrics and in logs.
    pub name: &'static str,
    /// The argument of `luna ctl focus`; `None` for commands that only hot keys send.
    pub ctl: Option<CtlWord>,
    /// What happens when the lane is full. A command that mutes speech is never refused (KER-4, TTS-4).
    pub overflow: Overflow,
    /// What the speech actor does without asking Focus; `None` if Focus decides. Focus decides on next and previous, because they move by line while
    /// something is pinned (FOC-4).
    pub speech: Option<SpeechOrder>,
    /// What happens to playing sound before any actor handles the command (BRG-7).
    pub interruption: Option<Interruption>,
    /// How it is said; `None` if the voice vocabulary has no phrases for it.
    pub spoken: Option<SpokenCommand>,
    /// The reading that its phrases request while nothing is being read.
    pub reading_intent: Option<Intent>,
    /// Other names that `voice.synonyms` accepts for it.
    pub aliases: &'static [&'static str],
}

/// An argument of `luna ctl focus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CtlWord {
    pub word: &'static str,
    /// Position among the possible values in the help, from 1; a new word takes the next number.
    pub place: u8,
}

/// What the speech actor does on a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the commands")]
pub enum SpeechOrder {
    Stop,
    Pause,
    Resume,
    PauseToggle,
    Repeat,
    Slower,
    Faster,
}

/// How a command interrupts playing sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// Playing sound is discarded.
    Mute,
    /// Playing sound pauses and can resume.
    Pause,
}

/// How a command is said, for the answer to "what can I say?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpokenCommand {
    /// The states of focus mode in which it does something; empty if it is not told.
    pub told_in: &'static [FocusStateKind],
    /// A short phrase for it, in Korean.
    pub ko: &'static str,
    /// The same in English.
    pub en: &'static str,
}

impl SpokenCommand {
    /// The phrase in a language.
    #[must_use]
    pub const fn phrase(self, lang: Lang) -> &'static str {
        match lang {
            Lang::Ko => self.ko,
            Lang::En => self.en,
        }
    }
}

/// The states of focus mode (FOC-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of FOC-1")]
pub enum FocusStateKind {
    Idle,
    Targeting,
    Reading,
    Pinned,
    WaitCmd,
}

impl FocusStateKind {
    /// In the order of FOC-1.
    pub const ALL: [Self; 5] = [Self::Idle, Self::Targeting, Self::Reading, Self::Pinned, Self::WaitCmd];

    /// The name in FOC-1.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "Idle",
            Self::Targeting => "Targeting",
            Self::Reading => "Reading",
            Self::Pinned => "Pinned",
            Self::WaitCmd => "WaitCmd",
        }
    }
}

const fn ctl(place: u8, word: &'static str) -> Option<CtlWord> {
    Some(CtlWord { word, place })
}

const fn said(told_in: &'static [FocusStateKind], ko: &'static str, en: &'static str) -> Option<SpokenCommand> {
    Some(SpokenCommand { told_in, ko, en })
}

/// What can be told of a text that is read, and of one that is still looked for.
const TEXT: &[FocusStateKind] = &[FocusStateKind::Reading, FocusStateKind::Pinned];
const SOON: &[FocusStateKind] = &[FocusStateKind::Targeting, FocusStateKind::Reading, FocusStateKind::Pinned];
/// Focus mode is on.
const ON: &[FocusStateKind] =
    &[FocusStateKind::Targeting, FocusStateKind::Reading, FocusStateKind::Pinned, FocusStateKind::WaitCmd];

/// Generates the enum, the list of all commands and their specs from one table, so that no command can lack a row.
macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $variant:ident $name:literal, $ctl:expr, $overflow:ident, $speech:expr, $interruption:expr, $spoken:expr, $intent:expr, [$($alias:literal),*];
    )+) => {
        /// A reflex command. The names are those of `BargeIn.Command` and of `luna ctl focus`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names are the words that the person says")]
        pub enum Command {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        static SPECS: [CommandSpec; Command::ALL.len()] = {
            use FocusStateKind::{Idle, Pinned, Reading, WaitCmd};
            use Interruption::{Mute, Pause as PauseSound};
            use SpeechOrder::{Faster, Pause, PauseToggle, Repeat, Resume, Slower, Stop};
            [$(CommandSpec {
                name: $name,
                ctl: $ctl,
                overflow: Overflow::$overflow,
                speech: $speech,
                interruption: $interruption,
                spoken: $spoken,
                reading_intent: $intent,
                aliases: &[$($alias),*],
            },)+]
        };

        impl Command {
            /// All commands, in the order of the table.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];
            /// The names of all commands, in the same order.
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($name),+];
        }
    };
}

commands! {
//  variant     name            luna ctl focus         when full   speech order       sound at once     told in, said                                        intent if silent         also called
    FocusOn     "focus_on",     ctl(1, "on"),          Refuse,     None,              None,             said(&[Idle], "집중 모드 켜", "focus on"),                None,                    ["focus"];
    FocusOff    "focus_off",    ctl(2, "off"),         DropOldest, Some(Stop),        Some(Mute),       said(ON, "집중 모드 꺼", "focus off"),                    None,                    [];
    /// Turns focus mode off if it is on, else on; for hot keys.
    FocusToggle "focus_toggle", ctl(3, "toggle"),      Refuse,     None,              None,             None,                                                None,                    [];
    Stop        "stop",         ctl(4, "stop"),        DropOldest, Some(Stop),        Some(Mute),       said(SOON, "멈춰", "stop"),                            None,                    [];
    Repeat      "repeat",       ctl(5, "repeat"),      Refuse,     Some(Repeat),      None,             said(TEXT, "다시", "again"),                           None,                    ["again"];
    Pause       "pause",        ctl(6, "pause"),       Refuse,     Some(Pause),       Some(PauseSound), said(TEXT, "잠깐", "pause"),                           None,                    ["wait"];
    Resume      "resume",       ctl(7, "resume"),      Refuse,     Some(Resume),      None,             said(TEXT, "계속", "go on"),                           None,                    ["continue"];
    /// Pauses if Luna speaks, resumes if it is paused; for hot keys. Pausing paused sound changes nothing.
    PauseToggle "pause_toggle", None,                  Refuse,     Some(PauseToggle), Some(PauseSound), None,                                                None,                    [];
    Slower      "slower",       ctl(8, "slower"),      Refuse,     Some(Slower),      None,             said(TEXT, "느리게", "slower"),                         None,                    ["slow"];
    Faster      "faster",       ctl(9, "faster"),      Refuse,     Some(Faster),      None,             said(TEXT, "빠르게", "faster"),                         None,                    ["fast"];
    Next        "next",         ctl(10, "next"),       Refuse,     None,              None,             said(TEXT, "다음", "next"),                            None,                    [];
    Prev        "prev",         ctl(11, "prev"),       Refuse,     None,              None,             said(TEXT, "이전", "previous"),                        None,                    ["previous", "back"];
    Translate   "translate",    ctl(18, "translate"),  Refuse,     None,              None,             said(SOON, "번역", "translate"),                       Some(Intent::Translate), [];
    Spell       "spell",        ctl(12, "spell"),      Refuse,     None,              None,             said(SOON, "철자", "spell"),                           Some(Intent::Spell),     [];
    SpellJamo   "spell_jamo",   ctl(13, "spell-jamo"), Refuse,     None,              None,             None,                                                None,                    [];
    Numbers     "numbers",      ctl(14, "numbers"),    Refuse,     None,              None,             said(SOON, "숫자만", "numbers"),                        Some(Intent::Numbers),   ["number"];
    Summarize   "summarize",    ctl(19, "summarize"),  Refuse,     None,              None,             said(SOON, "요약", "summary"),                         Some(Intent::Summarize), ["summarise", "summary"];
    /// Reads the row around the target (ANN-3).
    ReadRow     "read_row",     ctl(21, "read-row"),   Refuse,     None,              None,             said(TEXT, "행 읽어", "read the row"),                  None,                    ["row"];
    /// Reads the table or list around the target (ANN-3).
    ReadTable   "read_table",   ctl(22, "read-table"), Refuse,     None,              None,             said(TEXT, "표 읽어", "read the table"),                None,                    ["table", "read_list", "list"];
    Bigger      "bigger",       ctl(15, "bigger"),     Refuse,     None,              None,             said(&[Reading, WaitCmd], "더 크게", "bigger"),         None,                    ["larger", "zoom"];
    Pin         "pin",          ctl(16, "pin"),        Refuse,     None,              None,             said(&[Reading], "고정", "pin"),                       None,                    [];
    Unpin       "unpin",        ctl(17, "unpin"),      Refuse,     None,              None,             said(&[Pinned], "고정 해제", "unpin"),                   None,                    [];
    /// Unpins if something is pinned, else pins; for hot keys.
    PinToggle   "pin_toggle",   None,                  Refuse,     None,              None,             None,                                                None,                    [];
    /// Tells what can be said now.
    Help        "help",         ctl(23, "help"),       Refuse,     None,              None,             said(&[], "뭐라고 말할 수 있어", "what can I say"),          None,                    ["commands"];
    /// The Esc key: dismisses a question without an answer.
    Escape      "escape",       ctl(20, "escape"),     Refuse,     None,              None,             None,                                                None,                    [];
    /// The person's key for yes to a question about something dangerous (DNG-2).
    Confirm     "confirm",      None,                  Refuse,     None,              None,             None,                                                None,                    [];
}

impl Command {
    /// Its row of the table.
    #[must_use]
    pub const fn spec(self) -> &'static CommandSpec {
        // In range: the enum and the specs have the same rows.
        &SPECS[self as usize]
    }

    /// Constant name, for requests, metrics and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// The command with this name; `None` if there is none.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.name() == name)
    }

    /// The usual order (DSL-6) by whose words it is said, instead of reflex phrases of its own.
    #[must_use]
    pub const fn usual_order(self) -> Option<&'static str> {
        if matches!(self, Self::Help) { Some("what_can_i_say") } else { None }
    }

    /// The command that a usual order is; `None` if the desktop does it.
    #[must_use]
    pub fn of_order(order: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.usual_order() == Some(order))
    }

    /// Whether only a key of this keyboard may give it, so that no program can (DNG-2).
    #[must_use]
    pub const fn is_by_person_only(self) -> bool {
        matches!(self, Self::Confirm)
    }

    /// The arguments of `luna ctl focus` with their commands, in the order of its help.
    #[must_use]
    pub fn ctl_words() -> Vec<(&'static str, Self)> {
        let mut words: Vec<_> =
            Self::ALL.into_iter().filter_map(|command| Some((command.spec().ctl?, command))).collect();
        words.sort_unstable_by_key(|(ctl, _)| ctl.place);
        words.into_iter().map(|(ctl, command)| (ctl.word, command)).collect()
    }
}

impl MessageClass for Command {
    fn kind(&self) -> &'static str {
        self.name()
    }

    fn overflow(&self) -> Overflow {
        self.spec().overflow
    }

    /// A command that mutes speech is handled once more if the actor crashes on it: a crash over "stop" must not let speech continue. Handling it
    /// twice is harmless.
    fn retries(&self) -> u32 {
        u32::from(self.spec().overflow == Overflow::DropOldest)
    }
}

/// The answer to [`ReflexMessage::Ask`](crate::focus::ReflexMessage::Ask) (KER-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOutcome {
    /// Every actor that handles the command accepted it.
    Accepted,
    /// At least one of these actors did not accept the command, because its mailbox is full or closed. What the others do, and the muting or pausing
    /// of playing sound, takes effect nevertheless.
    Refused,
}
