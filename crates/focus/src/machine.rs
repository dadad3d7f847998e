//! Focus mode as a state machine: the reaction to each event (FOC-1, FOC-2, FOC-4).
//!
//! [`Focus::step`] takes an event and returns effects; the Focus actor performs them. Each request carries an id, and only the answer to the newest
//! request is used, so that a late answer can't bring back a target that the person has left.

mod attention;
mod command;
mod demand;
mod effect;
mod help;
mod intended;
mod line_step;
mod lines;
mod nothing;
mod pending;
mod probe;
mod requested_reading;
mod say;
mod state;
mod step;
mod unheard;
mod wish;
mod work;

pub use effect::FocusEffect;
pub use lines::LineWindow;
pub use state::{AttentionSources, Focus, FocusSettings, FocusState, ReadingTarget, TargetSource};
pub use step::{FocusEvent, pick_of};

#[cfg(test)]
mod tests;
