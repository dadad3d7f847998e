//! The table of reflex commands is consistent.

use std::collections::BTreeSet;

use super::*;

/// Fails at the first duplicate.
#[track_caller]
fn all_different<'a>(words: impl IntoIterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    words.into_iter().for_each(|word| assert!(seen.insert(word), "{word} twice"));
}

#[test]
fn a_name_is_that_of_requests_and_of_nothing_else() {
    for (command, name) in Command::ALL.into_iter().zip(Command::NAMES) {
        assert_eq!(command.name(), name);
        assert_eq!(serde_json::to_value(command).unwrap(), name);
        assert_eq!(serde_json::from_value::<Command>(name.into()).unwrap(), command);
        assert_eq!(Command::by_name(name), Some(command));
    }
    assert_eq!(Command::by_name("Stop"), None);
    // An alias that is the name of another command would hide it.
    all_different(Command::ALL.iter().flat_map(|command| command.spec().aliases).copied().chain(Command::NAMES));
}

#[test]
fn the_words_of_ctl_follow_their_places_without_a_gap() {
    let words = Command::ctl_words();
    all_different(words.iter().map(|(word, _)| *word));
    let places: Vec<u8> = words.iter().filter_map(|(_, command)| Some(command.spec().ctl?.place)).collect();
    assert!(places.iter().copied().eq(1..=places.len() as u8), "{places:?}");
    assert_eq!((words[0], words[12]), (("on", Command::FocusOn), ("spell-jamo", Command::SpellJamo)));
    for (word, command) in words {
        let name = command.name().replace('_', "-");
        assert!(name == word || name.strip_prefix("focus-") == Some(word), "{word} is not {name}");
    }
}

// KER-4, KER-7, TTS-4, BRG-7
#[test]
fn what_mutes_is_never_refused_and_is_obeyed_once_more_ker_4_ker_7_tts_4_brg_7() {
    for command in Command::ALL {
        let mutes = matches!(command, Command::Stop | Command::FocusOff);
        let spec = command.spec();
        assert_eq!(spec.interruption == Some(Interruption::Mute), mutes, "{command:?}");
        assert_eq!(spec.speech == Some(SpeechOrder::Stop), mutes, "{command:?}");
        let expect = if mutes { (Overflow::DropOldest, 1) } else { (Overflow::Refuse, 0) };
        assert_eq!((command.overflow(), command.retries()), expect, "{command:?}");
        let halts = matches!(command, Command::Pause | Command::PauseToggle);
        assert_eq!(spec.interruption == Some(Interruption::Pause), halts, "{command:?}");
    }
}

// NLU-1
#[test]
fn what_reads_in_another_way_can_be_said_when_nothing_is_read_nlu_1() {
    let reading = Command::ALL.into_iter().filter_map(|command| Some((command, command.spec().reading_intent?)));
    let expect = [
        (Command::Translate, Intent::Translate),
        (Command::Spell, Intent::Spell),
        (Command::Numbers, Intent::Numbers),
        (Command::Summarize, Intent::Summarize),
    ];
    assert!(reading.eq(expect));
    let silent = Command::ALL.into_iter().filter(|command| command.spec().spoken.is_none());
    assert!(silent.clone().all(|command| command.spec().reading_intent.is_none() && command.spec().aliases.is_empty()));
    let expect = [
        Command::FocusToggle,
        Command::PauseToggle,
        Command::SpellJamo,
        Command::PinToggle,
        Command::Escape,
        Command::Confirm,
    ];
    assert!(silent.eq(expect), "what has no phrases");
}

// DNG-2
#[test]
fn a_program_can_give_every_command_but_the_persons_yes_dng_2() {
    let by_person: Vec<_> = Command::ALL.into_iter().filter(|command| command.is_by_person_only()).collect();
    assert_eq!(by_person, [Command::Confirm]);
    assert!(by_person.iter().all(|command| command.spec().ctl.is_none() && command.spec().spoken.is_none()));
}
