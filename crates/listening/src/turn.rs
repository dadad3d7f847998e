//! Turns: what is done about a voice and its words (STT-1, STT-2, STT-4, BRG, VOI-1).
//!
//! [`TurnMachine`] takes what the signal shows ([`VoiceEvent`](luna_messages::listening::VoiceEvent)), what the recogniser heard and what Luna itself
//! says, and returns effects: to be quiet, to transcribe, to obey, to go on. It never waits, and it never obeys Luna's own voice.

mod borders;
mod calls;
mod machine;
mod own_words;
mod phrases;
mod positions;
mod settings;
mod verdict;
mod voice;
mod windows;

pub use calls::{NoRules, UtteranceRules};
pub use machine::{TurnEffect, TurnEvent, TurnMachine};
pub use phrases::SpokenPhrase;
pub use settings::{Addressing, TurnSettings};

#[cfg(test)]
mod tests;
