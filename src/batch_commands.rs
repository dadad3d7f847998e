//! The work of the batch commands, such as `luna read`, `luna say`, `luna llm` and `luna translate`: each does one job without a running Luna, with
//! the same actors and engines.

pub mod candidates;
pub mod pick;
pub mod picture;
pub mod sound;

pub mod generate;
pub mod language_tasks;
pub mod listen;
pub mod models;
pub mod transcribe;
