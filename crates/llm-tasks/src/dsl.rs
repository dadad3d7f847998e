//! What a language model is asked and what may come of its answer (DSL-1 to DSL-5).
//!
//! [`offer`] makes the candidates of a request, [`schema`] the JSON Schemas that are published and those that bind a local model to what was
//! offered, [`read`] takes any answer and lets nothing through that was not offered (DSL-4).

pub mod offer;
pub mod schema;

mod check;
mod fields;
mod rejection;

pub use check::{read, validate};
pub use offer::Offer;
pub use rejection::Rejection;

/// Options of a clarify at most (DSL-2).
pub const MOST_OPTIONS: usize = 3;
/// Characters of an option: it is spoken, and short.
pub const OPTION_CHARS: usize = 60;
/// Characters of an id.
pub const ID_CHARS: usize = 64;
/// Characters of a value that is put into a field.
pub const VALUE_CHARS: usize = 400;
/// Characters of the name of a key or of several keys.
pub const KEY_CHARS: usize = 32;
/// Commands of a plan at most.
pub const MOST_STEPS: usize = 8;
/// Lines that a reading answer may go on or back.
pub const MOST_LINES: i32 = 1000;

#[cfg(test)]
mod tests;
