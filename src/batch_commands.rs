//! Batch commands: what is done once, without a Luna that keeps running. `luna read`, `luna say`, `luna llm`, `luna transcribe` and the checks
//! of `luna doctor`, with the same actors' logic and engines as in the running one.

pub mod candidates;
pub mod pick;
pub mod picture;
pub mod sound;

pub mod generate;
pub mod language_tasks;
pub mod models;
pub mod transcribe;
