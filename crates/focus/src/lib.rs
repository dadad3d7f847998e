//! Focus mode: the state machine, what is picked under the cursor, reading order, tables, announcements, candidates, buffers. Pure.
//!
//! Read in this order: [`machine`] (what happens at each event), then [`region`] and [`choose`] (what is picked).

#![forbid(unsafe_code)]

pub mod machine;

pub mod candidates;
pub mod choose;
pub mod paragraphs;
pub mod reading_order;
pub mod recognition;
pub mod region;
pub mod table;

pub mod buffers;
pub mod phrases;
