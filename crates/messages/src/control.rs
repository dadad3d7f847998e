//! Reflex commands: short commands by voice, hot key or `luna ctl` that take effect at once (BRG-1, FOC-3).
//!
//! The table below describes each command except for its effect on the focus machine, so a new command is a row here and an arm in the machine's
//! match.

use serde::{Deserialize, Serialize};

use crate::reading::Intent;
use crate::{MessageClass, Overflow};

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
    /// Whether the voice vocabulary has phrases for it.
    pub is_spoken: bool,
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

const fn ctl(place: u8, word: &'static str) -> Option<CtlWord> {
    Some(CtlWord { word, place })
}

/// Generates the enum, the list of all commands and their specs from one table, so that no command can lack a row.
macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $variant:ident $name:literal, $ctl:expr, $overflow:ident, $speech:expr, $interruption:expr, $is_spoken:literal, $intent:expr, [$($alias:literal),*];
    )+) => {
        /// A reflex command. The names are those of `BargeIn.Command` and of `luna ctl focus`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names are the words that the person says")]
        pub enum Command {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        static SPECS: [CommandSpec; Command::ALL.len()] = {
            use Interruption::{Mute, Pause as PauseSound};
            use SpeechOrder::{Faster, Pause, PauseToggle, Repeat, Resume, Slower, Stop};
            [$(CommandSpec {
                name: $name,
                ctl: $ctl,
                overflow: Overflow::$overflow,
                speech: $speech,
                interruption: $interruption,
                is_spoken: $is_spoken,
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
//  variant     name            luna ctl focus       when full   speech order       sound at once      spoken intent if silent          also called
    FocusOn     "focus_on",     ctl(1, "on"),          Refuse,     None,              None,             true,  None,                    ["focus"];
    FocusOff    "focus_off",    ctl(2, "off"),         DropOldest, Some(Stop),        Some(Mute),       true,  None,                    [];
    /// Turns focus mode off if it is on, else on; for hot keys.
    FocusToggle "focus_toggle", ctl(3, "toggle"),      Refuse,     None,              None,             false, None,                    [];
    Stop        "stop",         ctl(4, "stop"),        DropOldest, Some(Stop),        Some(Mute),       true,  None,                    [];
    Repeat      "repeat",       ctl(5, "repeat"),      Refuse,     Some(Repeat),      None,             true,  None,                    ["again"];
    Pause       "pause",        ctl(6, "pause"),       Refuse,     Some(Pause),       Some(PauseSound), true,  None,                    ["wait"];
    Resume      "resume",       ctl(7, "resume"),      Refuse,     Some(Resume),      None,             true,  None,                    ["continue"];
    /// Pauses if Luna speaks, resumes if it is paused; for hot keys. Pausing paused sound changes nothing.
    PauseToggle "pause_toggle", None,                  Refuse,     Some(PauseToggle), Some(PauseSound), false, None,                    [];
    Slower      "slower",       ctl(8, "slower"),      Refuse,     Some(Slower),      None,             true,  None,                    ["slow"];
    Faster      "faster",       ctl(9, "faster"),      Refuse,     Some(Faster),      None,             true,  None,                    ["fast"];
    Next        "next",         ctl(10, "next"),       Refuse,     None,              None,             true,  None,                    [];
    Prev        "prev",         ctl(11, "prev"),       Refuse,     None,              None,             true,  None,                    ["previous", "back"];
    Translate   "translate",    ctl(18, "translate"),  Refuse,     None,              None,             true,  Some(Intent::Translate), [];
    Spell       "spell",        ctl(12, "spell"),      Refuse,     None,              None,             true,  Some(Intent::Spell),     [];
    SpellJamo   "spell_jamo",   ctl(13, "spell-jamo"), Refuse,     None,              None,             false, None,                    [];
    Numbers     "numbers",      ctl(14, "numbers"),    Refuse,     None,              None,             true,  Some(Intent::Numbers),   ["number"];
    Summarize   "summarize",    ctl(19, "summarize"),  Refuse,     None,              None,             true,  Some(Intent::Summarize), ["summarise", "summary"];
    /// Reads the row around the target (ANN-3).
    ReadRow     "read_row",     ctl(21, "read-row"),   Refuse,     None,              None,             true,  None,                    ["row"];
    /// Reads the table or list around the target (ANN-3).
    ReadTable   "read_table",   ctl(22, "read-table"), Refuse,     None,              None,             true,  None,                    ["table", "read_list", "list"];
    Bigger      "bigger",       ctl(15, "bigger"),     Refuse,     None,              None,             true,  None,                    ["larger", "zoom"];
    Pin         "pin",          ctl(16, "pin"),        Refuse,     None,              None,             true,  None,                    [];
    Unpin       "unpin",        ctl(17, "unpin"),      Refuse,     None,              None,             true,  None,                    [];
    /// Unpins if something is pinned, else pins; for hot keys.
    PinToggle   "pin_toggle",   None,                  Refuse,     None,              None,             false, None,                    [];
    /// The Esc key: dismisses a question without an answer.
    Escape      "escape",       ctl(20, "escape"),     Refuse,     None,              None,             false, None,                    [];
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
