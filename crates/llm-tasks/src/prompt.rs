//! What a language model is told: fixed instructions, then what this request is about, each part within its budget of tokens (PAK-1 to PAK-3).
//!
//! The fixed part comes first and is the same for every request of a task and language, so that the engine has evaluated it already (PAK-3).
//! Text of the screen stands between marks that it can't contain, and the instructions say that it is data (PRV-5).

pub mod packing;

mod fence;
mod instructions;
mod requests;

pub use fence::fenced;
pub use instructions::{VERSION, instructions};
pub use packing::{Packed, PartCaps, Sections};
pub use requests::{RetryNotice, Situation, command, summary, translation};

#[cfg(test)]
mod tests;
