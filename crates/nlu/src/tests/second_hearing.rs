//! English that recognisers write otherwise than it was said, and wishes.

use super::*;

// RNK-2, BRG-1
#[test]
fn a_reflex_is_known_by_its_sound_rnk_2() {
    for (utterance, expect) in [
        ("paws", Some(Command::Pause)),
        ("résumé", Some(Command::Resume)),
        ("Red that again", Some(Command::Repeat)),
        ("turn on focused mode", Some(Command::FocusOn)),
        ("slow dawn", Some(Command::Slower)),
        ("go too the next sentence", Some(Command::Next)),
        ("be quite", Some(Command::Stop)),
        ("the bear has big paws", None),
        ("I stopped at the store", None),
        ("he sent his résumé", None),
        ("focused", None),
        ("she red it again yesterday", None),
    ] {
        assert_eq!(said(utterance, true).command, expect, "{utterance}");
    }
    assert_eq!(luna().reflex("paws", true), Some(Command::Pause));
    assert_eq!(luna().reflex("paws", false), None, "not before the end of the utterance");
}

// NLU-2, BRG-1
#[test]
fn wishes_are_reflexes_and_readings_too_nlu_2() {
    for (utterance, expect) in [
        ("would you mind repeating that", Command::Repeat),
        ("I'd like it slower, please", Command::Slower),
        ("I want this window pinned", Command::Pin),
        ("how about skipping this one", Command::Next),
        ("I'd appreciate it if you would stop", Command::Stop),
    ] {
        check_reflex(utterance, Some(expect));
    }
    for (utterance, intent, lang) in [
        ("I want this translated into Korean", Intent::Translate, Some(Lang::Ko)),
        ("this page needs to be summarized", Intent::Summarize, None),
        ("translate this too Korean", Intent::Translate, Some(Lang::Ko)),
        ("red this to me", Intent::Read, None),
        ("can I have a summary of this page", Intent::Summarize, None),
    ] {
        let wish = said(utterance, false).wish;
        assert_eq!((wish.intent, wish.lang_tgt), (Some(intent), lang), "{utterance}");
    }
}

// NLU-2, EXE-4
#[test]
fn commands_are_known_by_their_sound_nlu_2() {
    for (utterance, expect) in [
        ("control sea", "ctrl+c"),
        ("Alt f for.", "alt+f4"),
        ("do an alt tab", "alt+tab"),
        ("press control and eggs", "ctrl+x"),
        ("알트 에프 사", "alt+f4"),
        ("컨트롤이랑 에이를 눌러 줘", "ctrl+a"),
    ] {
        assert_eq!(said(utterance, false).wish.hotkey.as_deref(), Some(expect), "{utterance}");
    }
    for (utterance, expect) in [
        ("hit the inter key", "enter"),
        ("press F twelve", "f12"),
        ("F 십이 좀 눌러 줄래요", "f12"),
        ("press down arrow", "down"),
    ] {
        assert_eq!(said(utterance, false).wish.key.as_deref(), Some(expect), "{utterance}");
    }
    let ordinal = |utterance: &str| said(utterance, false).wish.ordinal;
    assert_eq!(ordinal("click the forth link"), Some(4));
    assert_eq!(ordinal("click the twenty first result"), Some(21));
    let scroll = said("scroll too the bottom", false).wish;
    assert_eq!((scroll.direction, scroll.amount), (Some(ScrollDirection::Down), Some(ScrollAmount::End)));
    let beside = said("click the button write of Cancel", false).wish;
    assert_eq!((beside.relation, beside.anchor.as_deref()), (Some(Relation::Right), Some("Cancel")));
    // What is typed stays as it was said.
    for (utterance, expect) in [
        ("type see you for two", "see you for two"),
        ("right 'bye for now' in the search box", "bye for now"),
        ("type 'to be' into the note", "to be"),
    ] {
        assert_eq!(said(utterance, false).wish.value.as_deref(), Some(expect), "{utterance}");
    }
}

// RNK-2, NLU-3, DNG-1
#[test]
fn labels_are_known_by_their_sound_rnk_2() {
    let offered = [
        button("a", "Mail", 0, 0),
        button("b", "Sign in", 0, 40),
        button("c", "Buy now", 0, 80),
        button("d", "Close", 0, 120),
    ];
    for (utterance, expect) in [
        ("open male", "a"),
        ("click on sine in", "b"),
        ("click bye now", "c"),
        ("press the clothes button", "d"),
        ("sine in", "b"),
    ] {
        assert_eq!(among(utterance, &offered).target_id.as_deref(), Some(expect), "{utterance}");
    }
    assert!(among("click bye now", &offered).dangerous);
    assert_eq!(among("open meal", &offered).target_id, None);
    // What is written as it was said goes first.
    let both = [button("a", "Mail", 0, 0), button("b", "Male", 0, 40)];
    assert_eq!(among("click male", &both).target_id.as_deref(), Some("b"));
    let numbered = [
        button("a", "Red", 0, 0),
        button("b", "Green", 0, 40),
        button("c", "Blue", 0, 80),
        button("d", "White", 0, 120),
    ];
    for (utterance, expect) in [
        ("number to", "b"),
        ("Number for.", "d"),
        ("number won", "a"),
        ("the forth one", "d"),
        ("let's go with number one", "a"),
        ("번호 2번", "b"),
    ] {
        let understood = among(utterance, &numbered);
        assert_eq!(
            (understood.kind, understood.target_id.as_deref()),
            (UtteranceKind::Answer, Some(expect)),
            "{utterance}"
        );
    }
}

// NLU-2
#[test]
fn ordinary_sentences_stay_so_at_the_second_hearing_nlu_2() {
    for utterance in [
        "right now I am tired",
        "clothes make the man",
        "by the way it rained",
        "past the station on the right",
        "the mail came at ate",
        "I want my car repaired",
        "would you mind the noise",
        "when I",
        "all you",
        "closed on Sundays",
    ] {
        assert_eq!(said(utterance, false).kind, UtteranceKind::None, "{utterance}");
    }
}
