//! Which keys do a usual order of the desktop (DSL-6, EXE-4).
//!
//! Only orders whose keys the programs of Linux and Windows agree on, and only with what they are said to be done to: what is not listed is not guessed. Keys
//! that do something else in many programs, such as those for a new folder, are left out.

use luna_messages::dsl::Action;
use luna_messages::keyboard::KeyChord;
use luna_messages::understanding::ParsedCommand;

/// Redoing is the one order in which the platforms differ.
const REDO: &str = if cfg!(windows) { "ctrl+y" } else { "ctrl+shift+z" };

/// The name of the order in the lexicon, what it is done to (nothing said first), and its keys.
const KEYS: [(&str, &[&str], &str); 20] = [
    ("copy", &[""], "ctrl+c"),
    ("cut", &[""], "ctrl+x"),
    ("paste", &[""], "ctrl+v"),
    ("undo", &[""], "ctrl+z"),
    ("redo", &[""], REDO),
    ("select_all", &[""], "ctrl+a"),
    ("save", &["", "file", "document", "파일", "문서"], "ctrl+s"),
    ("save_as", &[""], "ctrl+shift+s"),
    ("find", &[""], "ctrl+f"),
    ("print", &["", "page", "file", "document", "페이지", "파일", "문서"], "ctrl+p"),
    ("new", &["", "file", "document", "window", "파일", "문서", "창"], "ctrl+n"),
    ("new", &["tab", "탭"], "ctrl+t"),
    // What is open in the window goes first, not the window with all that it holds.
    ("close", &["", "tab", "document", "file", "탭", "문서", "파일"], "ctrl+w"),
    ("close", &["window", "program", "창", "프로그램"], "alt+f4"),
    ("back", &[""], "alt+left"),
    ("forward", &[""], "alt+right"),
    ("reload", &["", "page", "페이지"], "f5"),
    ("zoom", &["in"], "ctrl++"),
    ("zoom", &["out"], "ctrl+-"),
    ("zoom", &["reset"], "ctrl+0"),
];

/// The keys that do a step, if it is one that keys do.
#[must_use]
pub fn keys_of(step: &ParsedCommand) -> Option<KeyChord> {
    match step.action {
        Some(Action::Key) => step.key.as_deref()?.parse().ok(),
        Some(Action::Hotkey) => step.hotkey.as_deref()?.parse().ok(),
        Some(Action::Desktop) => {
            let (order, argument) = (step.order.as_deref()?, step.argument.as_deref().unwrap_or_default());
            let does = |(name, arguments, _): &&(&str, &[&str], &str)| *name == order && arguments.contains(&argument);
            KEYS.iter().find(does)?.2.parse().ok()
        }
        Some(
            Action::Invoke
            | Action::SetValue
            | Action::Toggle
            | Action::Select
            | Action::Scroll
            | Action::Focus
            | Action::Expand
            | Action::Collapse
            | Action::Clarify,
        )
        | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DSL-6, EXE-4
    #[test]
    fn each_order_has_keys_that_can_be_pressed_dsl_6_exe_4() {
        for (order, arguments, keys) in KEYS {
            assert!(keys.parse::<KeyChord>().is_ok(), "{keys}");
            for argument in arguments {
                let same = |(other, with, _): &&(&str, &[&str], &str)| *other == order && with.contains(argument);
                assert_eq!(KEYS.iter().filter(same).count(), 1, "{order} {argument}");
            }
        }
    }
}
