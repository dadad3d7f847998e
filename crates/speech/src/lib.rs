//! From text to speech, and the player's reaction to each command (TTS-1 to TTS-5).
//!
//! Read in this order: the styles [`spell`] and [`rows`], [`script`] (builds a [`script::SpeechScript`] from a request), [`player`] (what is
//! spoken when). [`tempo`] and [`resample`] process sound, [`dip`] finds words in it. Sentence splitting and numbers: `luna_text`.

#![forbid(unsafe_code)]

pub mod keys;
pub mod rows;
pub mod spell;

pub mod script;

pub mod player;

pub mod dip;
pub mod resample;
pub mod tempo;
