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

impl Draft {
    /// The draft of a step that was told with all that a later screen needs.
    #[must_use]
    pub fn of(step: &ParsedCommand) -> Self {
        let mut wish = step.clone();
        let (verb, also, unsure) = (wish.verb.take(), std::mem::take(&mut wish.also), std::mem::take(&mut wish.unsure));
        Self { wish, also, verb, unsure }
    }

    /// The step with all that a later screen needs (EXE-5).
    #[must_use]
    pub fn step(&self) -> ParsedCommand {
        let Self { wish, also, verb, unsure } = self.clone();
        ParsedCommand { verb, also, unsure, ..wish }
    }
}
