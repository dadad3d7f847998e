//! Decisions: pure functions and state machines. `now` is an argument; there is no clock, file, randomness, thread or channel here,
//! and nothing knows that actors exist. So all of it is tested without a desktop.
//!
//! Read first: [`focus`] (what happens at each event of focus mode), then [`region`] and [`choose`] (what is picked), then [`speech`].

#![forbid(unsafe_code)]

pub mod focus;

pub mod candidates;
pub mod choose;
pub mod paragraphs;
pub mod reading_order;
pub mod recognition;
pub mod region;
pub mod table;

pub mod hangul;
pub mod language;
pub mod lock;
pub mod phrases;
pub mod speech;

pub mod answer;
pub mod dsl;
pub mod prompt;
pub mod reasoning;
pub mod schema_subset;
pub mod translation;

pub mod gpu;

pub mod understand;

pub mod buffers;
pub mod printable;
pub mod redact;
