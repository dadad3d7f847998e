//! What a command was understood as, before it is compared with what is on the screen.

use luna_messages::understanding::ParsedCommand;

/// One step, with what else its target may be called.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// The step.
    pub wish: ParsedCommand,
    /// Other texts of the target: 닫기 for "창 닫아".
    pub also: Vec<String>,
    /// What a button for the verb is called.
    pub verb: Option<String>,
    /// Whether the rules can't say what is to be done.
    pub unsure: bool,
}
