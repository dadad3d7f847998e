//! The reflex vocabulary (BRG-1) and what configured synonyms add to it (VOI-2).

use std::collections::BTreeMap;

use luna_messages::control::Command;

use super::grease::lines;
use super::phrases::PhraseBook;

/// Reflex commands by the number that stands for them in the book.
pub const COMMANDS: [Command; 17] = [
    Command::Stop,
    Command::Repeat,
    Command::Pause,
    Command::Resume,
    Command::Next,
    Command::Prev,
    Command::Slower,
    Command::Faster,
    Command::Translate,
    Command::Spell,
    Command::Numbers,
    Command::Summarize,
    Command::Bigger,
    Command::Pin,
    Command::Unpin,
    Command::FocusOn,
    Command::FocusOff,
];

/// The templates of the built-in vocabulary, with the number of their command.
pub fn vocabulary() -> impl Iterator<Item = (u32, &'static str)> {
    lines(include_str!("words/reflex.txt")).filter_map(|(section, line)| Some((number(section)?, line)))
}

/// The number of a command by its name in the configuration: that of `luna ctl`, or what people call it.
#[must_use]
pub fn number(name: &str) -> Option<u32> {
    let name = match name {
        "fast" => "faster",
        "slow" => "slower",
        "previous" | "back" => "prev",
        "continue" => "resume",
        "summarise" | "summary" => "summarize",
        "wait" => "pause",
        "again" => "repeat",
        "number" => "numbers",
        "larger" | "zoom" => "bigger",
        "focus" => "focus_on",
        name => name,
    };
    let place = COMMANDS.iter().position(|command| command.name() == name)?;
    u32::try_from(place).ok()
}

/// The command of a number.
#[must_use]
pub fn command(number: u32) -> Option<Command> {
    COMMANDS.get(usize::try_from(number).ok()?).copied()
}

/// The book of the built-in vocabulary and of configured synonyms, and the names in the configuration that mean nothing here.
#[must_use]
pub fn book(synonyms: &BTreeMap<String, Vec<String>>) -> (PhraseBook, Vec<String>) {
    let mut book = PhraseBook::of_reading();
    for (number, template) in vocabulary() {
        book.add(number, template);
    }
    let mut others = Vec::new();
    for (name, words) in synonyms {
        match number(name) {
            // A configured word is a word, not a template.
            Some(number) => words.iter().for_each(|word| book.add(number, &plain(word))),
            None => others.push(name.clone()),
        }
    }
    (book, others)
}

fn plain(word: &str) -> String {
    word.chars().map(|c| if "[]()|<>".contains(c) { ' ' } else { c }).collect()
}
