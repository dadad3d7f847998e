//! What the configuration adds to the lexicon (VOI-2): `voice.synonyms`, by the name of a command. A configured word wins over what is built in.

use std::collections::BTreeMap;

use luna_messages::control::Command;

use super::lexicon::Lexicon;
use super::normalised::compact;

/// The names for pressing.
const PRESSING: [&str; 3] = ["click", "invoke", "press"];
const ANSWERING: [&str; 3] = ["yes", "no", "cancel"];

/// Adds configured words; the names that mean nothing here.
pub fn add(lexicon: &mut Lexicon, synonyms: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut unknown = Vec::new();
    for (name, words) in synonyms {
        match section(lexicon, name) {
            Some(section) => words.iter().for_each(|word| add_word(lexicon, &section, word)),
            None => unknown.push(name.clone()),
        }
    }
    unknown
}

/// Groups of commands that are said whole: a configured word wins over these.
const COMMANDS: [&str; 8] = ["reflex", "answer", "desktop", "zoom", "volume", "mute", "hold_pause", "hold_stop"];

fn add_word(lexicon: &mut Lexicon, section: &str, word: &str) {
    let cells = compact(word);
    let group = section.split_once(':').map_or(section, |(group, _)| group);
    let known: Vec<&str> = lexicon.entries_of(&cells).iter().filter_map(|entry| lexicon.name_of(entry.group)).collect();
    // A verb that takes a target stays what it is.
    if group == "aim" && known.contains(&group) {
        return;
    }
    if known.iter().any(|of| COMMANDS.contains(of)) {
        lexicon.forget(&cells, &COMMANDS);
    }
    // One syllable would be found inside other words.
    let whole = if cells.len() == 1 { " whole" } else { "" };
    lexicon.add(&format!("{section} own{whole}"), &plain(word));
}

/// The section of the lexicon that a name stands for: a reflex by the name of `luna ctl` or what people call it, pressing, an answer, a usual order.
fn section(lexicon: &Lexicon, name: &str) -> Option<String> {
    let is_called = |command: &Command| command.name() == name || command.spec().aliases.contains(&name);
    let command = Command::ALL.into_iter().filter(|command| command.spec().spoken.is_some()).find(is_called);
    if let Some(command) = command {
        return Some(format!("reflex:{} phrase", command.name()));
    }
    if PRESSING.contains(&name) {
        return Some("aim:press inflect".to_owned());
    }
    if ANSWERING.contains(&name) {
        return Some(format!("answer:{name}"));
    }
    lexicon.has("desktop", name).then(|| format!("desktop:{name} inflect"))
}

/// A configured word is a word, not a template.
fn plain(word: &str) -> String {
    word.chars().map(|c| if "[]()|<>/".contains(c) { ' ' } else { c }).collect()
}
