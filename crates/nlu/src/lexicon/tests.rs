//! Moods, particles and words found by sound (NLU-2, NLU-9).

use super::super::normalised::NormalisedUtterance;
use super::*;

fn all() -> Lexicon {
    Lexicon::new(&FILES)
}

/// The moods of a group's words that take a text as a whole.
fn moods(lexicon: &Lexicon, group: &str, text: &str) -> Vec<Mood> {
    let heard = NormalisedUtterance::new(text);
    let mut found = Vec::new();
    lexicon.at(&heard, 0, false, &mut found);
    let group = lexicon.known(group);
    let mut moods: Vec<Mood> = found
        .iter()
        .filter(|word| Some(word.group) == group && word.end == heard.len())
        .map(|word| word.mood)
        .collect();
    moods.sort_unstable();
    moods.dedup();
    moods
}

// NLU-9
#[test]
fn a_verb_has_its_moods_nlu_9() {
    let lexicon = all();
    for (text, expect) in [
        ("눌러", Mood::Order),
        ("눌러 줘", Mood::Order),
        ("누르세요", Mood::Order),
        ("누르고", Mood::Joint),
        ("누르지 마", Mood::Not),
        ("누르지 말고", Mood::NotBut),
        ("click", Mood::Base),
        ("clicking", Mood::Ing),
        ("clicked", Mood::Done),
    ] {
        assert!(moods(&lexicon, "aim", text).contains(&expect), "{text}");
    }
    assert!(moods(&lexicon, "aim", "눌렀다").is_empty());
    assert!(!moods(&lexicon, "aim", "누르지 마").contains(&Mood::Order));
}

// NLU-9
#[test]
fn particles_agree_with_what_stands_before_nlu_9() {
    let lexicon = Lexicon::new(&["= object agree\n을/를\n= to agree\n으로/로"]);
    for (text, at, found) in [
        ("파일을", 2, true),
        ("파일를", 2, false),
        ("메뉴를", 2, true),
        ("메뉴을", 2, false),
        ("파일로", 2, true),
        ("창으로", 1, true),
        ("창로", 1, false),
        ("ok를", 2, true),
        ("을", 0, false),
    ] {
        let heard = NormalisedUtterance::new(text);
        let mut words = Vec::new();
        lexicon.at(&heard, at, false, &mut words);
        assert_eq!(words.iter().any(|word| word.end == heard.len()), found, "{text}");
    }
}

// NLU-9
#[test]
fn misheard_words_are_found_by_sound_nlu_9() {
    let lexicon = all();
    for (text, group) in [("doon", "toward"), ("clique", "aim"), ("눌로", "aim")] {
        let heard = NormalisedUtterance::new(text);
        let (mut exact, mut by_sound) = (Vec::new(), Vec::new());
        lexicon.at(&heard, 0, false, &mut exact);
        lexicon.near(&heard, 0, false, &mut by_sound);
        lexicon.sounding(&heard, 0, false, &mut by_sound);
        let is_whole = |word: &&Match| word.end == heard.len() && Some(word.group) == lexicon.known(group);
        assert!(!exact.iter().any(|word| is_whole(&word)), "{text}");
        assert!(by_sound.iter().filter(is_whole).all(|word| word.cost > 0), "{text}");
        assert!(by_sound.iter().any(|word| is_whole(&word)), "{text}: {by_sound:?}");
    }
}

// NLU-2
#[test]
fn a_section_says_how_its_words_are_found_nlu_2() {
    let lexicon =
        Lexicon::new(&["# a comment\n= a:one\nalpha [beta]\n= a:two whole\n가나|가나다\n= b each\nred\nblue"]);
    let found = |text: &str| {
        let heard = NormalisedUtterance::new(text);
        let mut words = Vec::new();
        lexicon.at(&heard, 0, false, &mut words);
        words
            .iter()
            .map(|word| (word.end, lexicon.entry(word.entry).map(|entry| entry.sense.clone()).unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(found("alpha beta"), [(5, "one".to_owned()), (9, "one".to_owned())]);
    assert_eq!(found("가나다"), [(3, "two".to_owned())]);
    assert_eq!(found("blue"), [(4, "blue".to_owned())]);
    assert_eq!(lexicon.known("c"), None);
}
