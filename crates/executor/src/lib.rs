//! Carrying out orders on the screen (EXE, DNG): which step is next, what is asked, what is confirmed, what must be seen afterwards.
//!
//! [`ExecutorMachine::step`] takes an event and returns effects. Each request has an id, and only the answer to the newest is used. What is done to an
//! element is done once: nothing here ever asks for an action again whose effect is not known, by whatever means (EXE-7).

#![forbid(unsafe_code)]

pub mod consent;
pub mod desktop_orders;
pub mod done_action;
pub mod events;
pub mod expectation;
pub mod machine;
pub mod means;
pub mod numbers;
pub mod options;
pub mod phrases;
pub mod plan;
pub mod rules;
pub mod shown_screen;
pub mod target;
pub mod usual_orders;

pub use consent::Consent;
pub use events::{ExecutorEffect, ExecutorEvent, ExecutorSettings, ScreenCandidates};
pub use expectation::Expectation;
pub use machine::ExecutorMachine;
pub use means::StepMeans;
pub use phrases::ExecutorPhrase;
pub use plan::StepPlan;
pub use rules::CommandRules;
pub use target::BoundTarget;

#[cfg(test)]
mod tests;
