//! Words: what Luna's components say to each other. Ids, lanes, one file per topic; no I/O, and no behaviour but that of [`Reply`], which is the
//! type of a field of nearly every message.
//!
//! Read in this order: [`lane`] (which message goes first), [`reply`] (how an answer comes back), then the topics. A long answer comes back in
//! pieces, by a bounded channel in the message: its bound is how far the worker is ahead, and dropping the other end cancels the work (KER-6).
//! Each end has one owner.
//! The names that go out on the bus are those of FOC-3; see [`bus`].

#![forbid(unsafe_code)]

// `derive(Message)` names this crate, also inside of it.
extern crate self as luna_messages;

pub mod lane;
pub mod reply;

pub mod fidelity;
pub mod geometry;
pub mod gpu;
pub mod ids;
pub mod language;

pub mod candidate;
pub mod capability;
pub mod control;
pub mod dsl;
pub mod image;
pub mod pick;
pub mod reading;

pub mod focus;
pub mod language_tasks;
pub mod llm;
pub mod metrics;
pub mod ocr;
pub mod preserve;
pub mod stt;
pub mod tts;
pub mod uia;
pub mod understanding;

pub mod work;

pub mod bus;
pub mod engine;

pub use fidelity::Fidelity;
pub use geometry::{Point, Rect};
pub use ids::{ElementId, RequestId};
pub use lane::{Lane, Message, MessageClass, Overflow};
pub use language::Lang;
pub use reply::{NoReply, Reply};
