//! How a text becomes speech, and what the player does at each command (TTS-1 to TTS-5).
//!
//! Read in this order: [`sentence`] (where a text is cut), [`runs`] (which voice says which part), the styles [`spell`],
//! [`numbers`] and [`rows`], [`script`] (a request becomes an [`script::Utterance`]), [`player`] (what is said when). [`tempo`] and
//! [`resample`] work on sound.

pub mod sentence;

mod abbreviations;
mod clause;

pub mod runs;

pub mod keys;
mod letters;
pub mod numbers;
pub mod rows;
pub mod spell;
mod units;

pub(crate) use units::MONTHS;

pub mod script;

pub mod player;

pub mod resample;
pub mod tempo;

/// The name of a Latin letter in Korean: 에스. None for what is no Latin letter.
#[must_use]
pub fn letter_name(letter: char) -> Option<String> {
    letters::latin_name(letter, luna_messages::Lang::Ko)
}
