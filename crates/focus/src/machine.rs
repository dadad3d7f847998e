//! Focus mode as a state machine: what happens at each event (FOC-1, FOC-2, FOC-4).
//!
//! [`Focus::step`] takes an event and gives effects; the Focus actor performs them. Requests carry an id, and an answer to any but the
//! newest is ignored, so that late answers can't bring back what the person left.

mod command;
mod effect;
mod line_step;
mod lines;
mod say;
mod state;
mod step;
mod work;

pub use effect::FocusEffect;
pub use lines::LineWindow;
pub use state::{Focus, FocusSettings, FocusState, ReadingTarget};
pub use step::{FocusEvent, pick_of};

#[cfg(test)]
mod tests;
