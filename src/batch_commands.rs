//! Batch commands, which do one thing without a running Luna: `luna read`, `luna say`, `luna llm`, `luna transcribe` and the checks of `luna doctor`,
//! with the actors and engines of the running one.

pub mod candidates;
pub mod pick;
pub mod picture;
pub mod sound;

pub mod generate;
pub mod language_tasks;
pub mod models;
pub mod transcribe;
