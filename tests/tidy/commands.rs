//! Commands named outside Rust are those of the table in `luna_messages::control`.

use std::collections::BTreeSet;

use luna_messages::control::Command;

use crate::house::{assert_none, files};

fn text(path: &str) -> &'static str {
    files().iter().find(|file| file.path == path).map(|file| file.text.as_str()).expect("it is a file of the project")
}

/// Commands that the soak test skips: the first two need a language model, which it runs without.
const NOT_SOAKED: [Command; 5] =
    [Command::Translate, Command::Summarize, Command::SpellJamo, Command::Escape, Command::Confirm];

#[test]
fn the_soak_orders_the_commands_of_the_table() {
    let line = text("scripts/soak.py").lines().find_map(|line| line.strip_prefix("COMMANDS = \"")).expect("a list");
    let (words, _) = line.split_once('"').expect("its end");
    let ordered: BTreeSet<&str> = words.split(' ').collect();
    let soaked = Command::ALL.into_iter().filter(|command| !NOT_SOAKED.contains(command)).map(Command::name).collect();
    assert_none(
        "scripts/soak.py and the table differ",
        ordered.symmetric_difference(&soaked).map(|name| (*name).to_owned()),
    );
}

#[test]
fn the_words_of_luna_ctl_focus_in_the_readmes_exist() {
    let known: BTreeSet<&str> = Command::ctl_words().into_iter().map(|(word, _)| word).collect();
    for path in ["README.md", "README.ko.md"] {
        let line = text(path).lines().find_map(|line| line.strip_prefix("luna ctl focus ")).expect("an example");
        let words = line.split([' ', '#']).filter(|word| !word.is_empty());
        let (mut count, mut wrong) = (0, Vec::new());
        for word in words {
            count += 1;
            wrong.extend((!known.contains(word)).then(|| format!("{path}: luna ctl focus {word}")));
        }
        assert!(count > 10, "{path}: only {count} words");
        assert_none("no such command", wrong);
    }
}

#[test]
fn hot_keys_are_configured_for_commands_of_the_table() {
    let (_, after) = text("config/default.yaml").split_once("      hot_keys:\n").expect("there are hot keys");
    let keys = after.lines().take_while(|line| line.starts_with("        "));
    let keys = keys.filter(|line| !line.trim_start().starts_with('#'));
    let names: Vec<&str> = keys.filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name).collect();
    assert!(names.len() > 10, "only {names:?}");
    let wrong = names.into_iter().filter(|name| Command::by_name(name).is_none());
    assert_none("no such command", wrong.map(str::to_owned));
}

#[test]
fn the_readmes_list_the_default_hot_keys() {
    let config = luna_config::Config::built_in("default").expect("it is valid");
    for path in ["README.md", "README.ko.md"] {
        let rows: Vec<&str> = text(path).lines().filter(|line| line.starts_with("| Ctrl")).collect();
        let lists = |key: &str| rows.iter().any(|row| row.split(['|', ',']).any(|part| part.trim() == key));
        let keys = config.control.hot_keys.values().flatten().map(|key| luna_speech::keys::written_key(key));
        assert_none("not in the table of keys", keys.filter(|key| !lists(key)).map(|key| format!("{path}: {key}")));
        assert!(lists("Ctrl"), "{path}: the tap of Ctrl is missing");
    }
}
