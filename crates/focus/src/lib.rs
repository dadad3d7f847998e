//! Focus mode: the state machine, picking under the cursor, reading order, tables, announcements, candidates, buffers. Pure.
//!
//! Read in this order: [`machine`] (the reaction to each event), then [`region`] and [`choose`] (picking), then
//! [`announce`] (what is said of an element).

#![forbid(unsafe_code)]

pub mod announce;
pub mod machine;

pub mod candidates;
pub mod choose;
pub mod paragraphs;
pub mod reading_order;
pub mod recognition;
pub mod region;
pub mod table;

pub mod buffers;
pub mod help;
pub mod phrases;
pub mod silence;
pub mod talk_key;
