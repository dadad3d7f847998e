//! Text processing: Hangul, scripts, sentences, letters, numbers and units. Pure.
//!
//! Used by speech, understanding and preservation; it deliberately does not know their purposes.

#![forbid(unsafe_code)]

pub mod hangul;
pub mod language;
pub mod runs;

pub mod sentence;

mod abbreviations;
mod clause;

pub mod characters;
pub mod numerals;
pub mod ratio;

pub mod letters;
pub mod loanwords;
pub mod numbers;
pub mod units;

pub mod printable;
pub mod redact;
