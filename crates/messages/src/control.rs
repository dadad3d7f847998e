//! Short commands that are obeyed at once, from voice, hot key or `luna ctl` (BRG-1, FOC-3).
//!
//! The table below says all of each command but what it does to the focus machine, so a new one is a row here and an arm in the machine's match.

use serde::{Deserialize, Serialize};

use crate::reading::Intent;
use crate::{MessageClass, Overflow};

#[cfg(test)]
mod tests;

/// All that is known of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandSpec {
    /// The name on the bus and in requests, as a hot key in the configuration, in metrics and in logs.
    pub name: &'static str,
    /// How `luna ctl focus` says it. What has none is for hot keys.
    pub ctl: Option<CtlWord>,
    /// What happens to it when the lane is full: what silences is never refused (KER-4, TTS-4).
    pub overflow: Overflow,
    /// What speech does by itself. Next and previous are not among it: they mean lines while pinned (FOC-4), which only Focus knows.
    pub speech: Option<SpeechOrder>,
    /// What happens to sound before anybody is told (BRG-7).
    pub interruption: Option<Interruption>,
    /// Whether it has phrases in the vocabulary of the voice.
    pub is_spoken: bool,
    /// What its phrases ask for if nothing is being read that could be interrupted.
    pub reading_intent: Option<Intent>,
    /// What else people call it, as a key of `voice.synonyms`.
    pub aliases: &'static [&'static str],
}

/// A word of `luna ctl focus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CtlWord {
    pub word: &'static str,
    /// Its place among the possible values in the help, from 1; a new word takes the next number.
    pub place: u8,
}

/// What speech does by itself on a command.
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

/// How a command interrupts what sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// What sounds is thrown away.
    Mute,
    /// What sounds is held back and can go on.
    Halt,
}

const fn ctl(place: u8, word: &'static str) -> Option<CtlWord> {
    Some(CtlWord { word, place })
}

/// Makes the enum, the list of all commands and their specs of one table, so that none can lack a row.
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
            use Interruption::{Halt, Mute};
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
            /// Their names, in the same order.
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($name),+];
        }
    };
}

commands! {
//  variant     name            luna ctl focus       when full   speech obeys       sound at once spoken intent if silent          also called
    FocusOn     "focus_on",     ctl(1, "on"),          Refuse,     None,              None,       true,  None,                    ["focus"];
    FocusOff    "focus_off",    ctl(2, "off"),         DropOldest, Some(Stop),        Some(Mute), true,  None,                    [];
    /// Off if it is on, else on: what a hot key sends.
    FocusToggle "focus_toggle", ctl(3, "toggle"),      Refuse,     None,              None,       false, None,                    [];
    Stop        "stop",         ctl(4, "stop"),        DropOldest, Some(Stop),        Some(Mute), true,  None,                    [];
    Repeat      "repeat",       ctl(5, "repeat"),      Refuse,     Some(Repeat),      None,       true,  None,                    ["again"];
    Pause       "pause",        ctl(6, "pause"),       Refuse,     Some(Pause),       Some(Halt), true,  None,                    ["wait"];
    Resume      "resume",       ctl(7, "resume"),      Refuse,     Some(Resume),      None,       true,  None,                    ["continue"];
    /// Pause if it speaks, resume if it is paused: what a hot key sends. Halting what is halted changes nothing.
    PauseToggle "pause_toggle", None,                  Refuse,     Some(PauseToggle), Some(Halt), false, None,                    [];
    Slower      "slower",       ctl(8, "slower"),      Refuse,     Some(Slower),      None,       true,  None,                    ["slow"];
    Faster      "faster",       ctl(9, "faster"),      Refuse,     Some(Faster),      None,       true,  None,                    ["fast"];
    Next        "next",         ctl(10, "next"),       Refuse,     None,              None,       true,  None,                    [];
    Prev        "prev",         ctl(11, "prev"),       Refuse,     None,              None,       true,  None,                    ["previous", "back"];
    Translate   "translate",    ctl(18, "translate"),  Refuse,     None,              None,       true,  Some(Intent::Translate), [];
    Spell       "spell",        ctl(12, "spell"),      Refuse,     None,              None,       true,  Some(Intent::Spell),     [];
    SpellJamo   "spell_jamo",   ctl(13, "spell-jamo"), Refuse,     None,              None,       false, None,                    [];
    Numbers     "numbers",      ctl(14, "numbers"),    Refuse,     None,              None,       true,  Some(Intent::Numbers),   ["number"];
    Summarize   "summarize",    ctl(19, "summarize"),  Refuse,     None,              None,       true,  Some(Intent::Summarize), ["summarise", "summary"];
    Bigger      "bigger",       ctl(15, "bigger"),     Refuse,     None,              None,       true,  None,                    ["larger", "zoom"];
    Pin         "pin",          ctl(16, "pin"),        Refuse,     None,              None,       true,  None,                    [];
    Unpin       "unpin",        ctl(17, "unpin"),      Refuse,     None,              None,       true,  None,                    [];
    /// Unpin if something is pinned, else pin: what a hot key sends.
    PinToggle   "pin_toggle",   None,                  Refuse,     None,              None,       false, None,                    [];
    /// The Esc key: leaves a question open.
    Escape      "escape",       ctl(20, "escape"),     Refuse,     None,              None,       false, None,                    [];
}

impl Command {
    /// All that is known of it.
    #[must_use]
    pub const fn spec(self) -> &'static CommandSpec {
        // The enum and the specs are made of the same rows.
        &SPECS[self as usize]
    }

    /// Constant name, for metrics and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// The command of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.name() == name)
    }

    /// The words of `luna ctl focus` with their commands, in the order of its help.
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

    /// What silences, and so is never refused, is obeyed once more: speech is not to go on because somebody stumbled over "stop". Doing it twice is
    /// doing it once.
    fn retries(&self) -> u32 {
        u32::from(self.spec().overflow == Overflow::DropOldest)
    }
}

/// What became of a command that somebody waits for (KER-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOutcome {
    /// It reached everybody who obeys it.
    Taken,
    /// Somebody who had to obey it has no room for more, so it is not obeyed.
    Refused,
}
