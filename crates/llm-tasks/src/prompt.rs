//! Prompts: fixed instructions, then the content of this request, each part within its token budget (PAK-1 to PAK-3).
//!
//! The fixed part comes first and is identical for every request of a task and language, so the engine's cache already has it (PAK-3). Screen
//! text stands between delimiters that it can't contain, and the instructions declare it to be data (PRV-5).

pub mod packing;

mod fence;
mod instructions;
mod kept;
mod requests;

pub use fence::fenced;
pub use instructions::{VERSION, instructions};
pub use kept::KeptSituation;
pub use packing::{PackedSections, PartCaps, Sections};
pub use requests::{RetryNotice, Situation, command, summary, translation};

#[cfg(test)]
mod tests;
