//! The DSL: requests to a language model and the answers accepted from it (DSL-1 to DSL-5).
//!
//! [`offer`] makes the candidates of a request; [`schema`] holds the published JSON Schemas and those that constrain a local model to the offer;
//! [`read`] parses any answer and accepts nothing that was not offered (DSL-4).

pub mod offer;
pub mod schema;

mod check;
mod fields;
mod rejection;

pub use check::{read, validate};
pub use offer::Offer;
pub use rejection::Rejection;

/// Maximum options of a clarify (DSL-2).
pub const MAX_OPTIONS: usize = 3;
/// Maximum characters of an option; it is spoken, so it is short.
pub const OPTION_CHARS: usize = 60;
/// Maximum characters of an id.
pub const ID_CHARS: usize = 64;
/// Maximum characters of a value that is put into a field.
pub const VALUE_CHARS: usize = 400;
/// Maximum characters of a key name or a combination of keys.
pub const KEY_CHARS: usize = 32;
/// Maximum commands of a plan.
pub const MAX_STEPS: usize = 8;
/// Maximum lines that a reading answer may skip forwards or backwards.
pub const MAX_LINES: i32 = 1000;

#[cfg(test)]
mod tests;
