//! The reflex vocabulary (BRG-1) and what configured synonyms add to it (VOI-2).

use std::collections::BTreeMap;

use luna_messages::control::Command;

use super::fillers::lines;
use super::phrases::PhraseBook;

/// The templates of the built-in vocabulary, with the number of their command.
pub fn vocabulary() -> impl Iterator<Item = (u32, &'static str)> {
    lines(include_str!("words/reflex.txt")).filter_map(|(section, line)| Some((number(section)?, line)))
}

/// The number of a command that can be said, by its name in the configuration: that of `luna ctl`, or what people call it.
#[must_use]
pub fn number(name: &str) -> Option<u32> {
    let is_called = |command: &Command| command.name() == name || command.spec().aliases.contains(&name);
    let command = Command::ALL.into_iter().filter(|command| command.spec().is_spoken).find(is_called)?;
    Some(command as u32)
}

/// The command of a number.
#[must_use]
pub fn command(number: u32) -> Option<Command> {
    Command::ALL.get(usize::try_from(number).ok()?).copied()
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    // BRG-1
    #[test]
    fn every_command_that_can_be_said_has_phrases_and_nothing_else_has_brg_1() {
        let sections: BTreeSet<&str> = lines(include_str!("words/reflex.txt")).map(|(section, _)| section).collect();
        let spoken = Command::ALL.into_iter().filter(|command| command.spec().is_spoken);
        assert_eq!(sections, spoken.map(Command::name).collect());
    }

    // VOI-2
    #[test]
    fn a_synonym_is_given_to_a_name_or_to_what_people_call_it_voi_2() {
        let check = |name: &str, expect| assert_eq!(number(name).and_then(command), expect, "{name}");
        check("prev", Some(Command::Prev));
        check("back", Some(Command::Prev));
        check("focus", Some(Command::FocusOn));
        check("summarise", Some(Command::Summarize));
        check("spell_jamo", None);
        check("click", None);
        check("", None);
    }
}
