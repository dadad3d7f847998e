//! What Luna shows on the screen (OVL): a box round what is read, badges at the options of a question, a chip with the mode. Nothing is animated,
//! so that reduced motion needs no setting.
//!
//! Read in this order: [`scene`] (what is shown), [`machine`] (when), [`layout`] (where), [`draw`] and [`image`] (as pictures), [`font`] and [`digits`]
//! (letters and numbers).
//!
//! **Absent on purpose:** displays, windows, files, clocks. `now` and the bytes of a font are arguments.

#![forbid(unsafe_code)]

pub mod scene;

pub mod machine;

pub mod layout;

mod digits;
mod draw;
pub mod font;
pub mod image;
