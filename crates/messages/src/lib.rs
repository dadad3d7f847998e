//! The messages between Luna's components: ids, lanes, and one file per topic. No I/O, and no behaviour except that of [`Reply`], a field of nearly
//! every message.
//!
//! Read in this order: [`lane`] (priorities), [`reply`] (how an answer returns), then the topics. A long answer returns in pieces through a bounded
//! channel in the message: the bound limits how far the worker gets ahead, and dropping the receiver cancels the work (KER-6). Each end of
//! the channel has one owner.
//!
//! Event names on the bus are those of FOC-3; see [`bus`].

#![forbid(unsafe_code)]

// `derive(Message)` generates paths that begin with this name, also inside this crate.
extern crate self as luna_messages;

pub mod lane;
pub mod listening;
pub mod reply;

pub mod fidelity;
pub mod geometry;
pub mod gpu;
pub mod ids;
pub mod language;

pub mod candidate;
pub mod capability;
pub mod control;
pub mod desktop_order;
pub mod dsl;
pub mod element;
pub mod element_action;
pub mod image;
pub mod input;
pub mod keyboard;
pub mod pick;
pub mod reading;
pub mod role;

pub mod executor;
pub mod focus;
pub mod language_tasks;
pub mod llm;
pub mod metrics;
pub mod ocr;
pub mod overlay;
pub mod preserve;
pub mod stt;
pub mod tools;
pub mod tts;
pub mod uia;
pub mod understanding;

pub mod work;

pub mod bus;
pub mod engine;

pub use fidelity::Fidelity;
pub use geometry::{Coordinates, Point, Rect};
pub use ids::{ElementId, RequestId};
pub use lane::{Lane, Message, MessageClass, Overflow};
pub use language::Lang;
pub use reply::{NoReply, Reply};
