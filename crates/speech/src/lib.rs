//! How a text becomes speech, and what the player does at each command (TTS-1 to TTS-5).
//!
//! Read in this order: the styles [`spell`] and [`rows`], [`script`] (a request becomes an [`script::Utterance`]), [`player`] (what is
//! said when). [`tempo`] and [`resample`] work on sound. Where a text is cut and how numbers are written out: `luna_text`.

#![forbid(unsafe_code)]

pub mod keys;
pub mod rows;
pub mod spell;

pub mod script;

pub mod player;

pub mod resample;
pub mod tempo;
