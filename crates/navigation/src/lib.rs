//! The model of the current screen (SCR): which screen of which program it is, and what is on it.
//!
//! A [`ScreenNode`] identifies a screen by what stays the same on it. A clock, a caret, a scroll position, a counter, what a field holds and the rows of a
//! list are no part of that; they are in the instance hash, which tells whether anything changed at all.
//!
//! **Invariant:** nothing here can be written to disk but a [`ScreenNode`], whose hash gives no text away (PRV-8).

#![forbid(unsafe_code)]

pub mod hash;
pub mod label;
pub mod screen;
pub mod shadow;
pub mod traits;

pub use screen::{ScreenContent, ScreenElement, ScreenNode};
pub use shadow::ShadowModel;

#[cfg(test)]
mod tests;
