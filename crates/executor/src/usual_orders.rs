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

/// The same in a terminal, which passes most keys on to what runs in it: there Ctrl+C ends a program, Ctrl+Z stops it and Ctrl+S holds its output. Only orders
/// whose keys the terminals of Linux and Windows agree on.
const TERMINAL_KEYS: [(&str, &[&str], &str); 11] = [
    ("copy", &[""], "ctrl+shift+c"),
    ("paste", &[""], "ctrl+shift+v"),
    ("select_all", &[""], "ctrl+shift+a"),
    ("find", &[""], "ctrl+shift+f"),
    ("new", &["window", "창"], "ctrl+shift+n"),
    ("new", &["tab", "탭"], "ctrl+shift+t"),
    ("close", &["tab", "탭"], "ctrl+shift+w"),
    ("close", &["window", "program", "창", "프로그램"], "alt+f4"),
    ("zoom", &["in"], "ctrl++"),
    ("zoom", &["out"], "ctrl+-"),
    ("zoom", &["reset"], "ctrl+0"),
];

/// Whether a step closes the window as a whole.
#[must_use]
pub fn closes_window(step: &ParsedCommand) -> bool {
    let is_window = |argument: &str| matches!(argument, "window" | "program" | "창" | "프로그램");
    step.order.as_deref() == Some("close") && step.argument.as_deref().is_some_and(is_window)
}

/// The keys that do a step, if it is one that keys do. `in_terminal`: whether a terminal has the focus.
#[must_use]
pub fn keys_of(step: &ParsedCommand, in_terminal: bool) -> Option<KeyChord> {
    let usual: &[_] = if in_terminal { &TERMINAL_KEYS } else { &KEYS };
    match step.action {
        Some(Action::Key) => step.key.as_deref()?.parse().ok(),
        Some(Action::Hotkey) => step.hotkey.as_deref()?.parse().ok(),
        Some(Action::Desktop) => {
            let (order, argument) = (step.order.as_deref()?, step.argument.as_deref().unwrap_or_default());
            let does = |(name, arguments, _): &&(&str, &[&str], &str)| *name == order && arguments.contains(&argument);
            usual.iter().find(does)?.2.parse().ok()
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
        for table in [&KEYS[..], &TERMINAL_KEYS[..]] {
            for (order, arguments, keys) in table {
                assert!(keys.parse::<KeyChord>().is_ok(), "{keys}");
                for argument in *arguments {
                    let same = |(other, with, _): &&(&str, &[&str], &str)| other == order && with.contains(argument);
                    assert_eq!(table.iter().filter(same).count(), 1, "{order} {argument}");
                }
            }
        }
    }

    // DSL-6, EXE-4
    #[test]
    fn in_a_terminal_usual_orders_press_nothing_that_ends_what_runs_there_dsl_6_exe_4() {
        let check = |order: &str, elsewhere: &str, in_terminal: Option<&str>| {
            let order = Some(order.to_owned());
            let step = ParsedCommand { action: Some(Action::Desktop), order, ..ParsedCommand::default() };
            assert_eq!(keys_of(&step, false), elsewhere.parse().ok(), "{step:?}");
            assert_eq!(keys_of(&step, true), in_terminal.and_then(|keys| keys.parse().ok()), "{step:?}");
        };
        check("copy", "ctrl+c", Some("ctrl+shift+c"));
        check("paste", "ctrl+v", Some("ctrl+shift+v"));
        check("select_all", "ctrl+a", Some("ctrl+shift+a"));
        check("undo", "ctrl+z", None);
        check("save", "ctrl+s", None);
        // Keys that were named are pressed as they were named.
        let hotkey = Some("ctrl+c".to_owned());
        let named = ParsedCommand { action: Some(Action::Hotkey), hotkey, ..ParsedCommand::default() };
        assert_eq!(keys_of(&named, true), "ctrl+c".parse().ok());
    }
}
