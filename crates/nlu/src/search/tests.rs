//! Ways through small grammars (NLU-6).

use std::collections::BTreeSet;

use super::super::grammar;
use super::*;

const WORDS: &str = "= act:save flag\nsave|저장\n= act:close\nclose\n= object glue\n을|를\n= please\nplease\n= role:button\nbutton|버튼";

struct SearchedGrammar {
    lexicon: Lexicon,
    network: Network,
    labels: BTreeSet<Vec<char>>,
}

impl SearchedGrammar {
    fn new(rules: &str) -> Self {
        let mut lexicon = Lexicon::new(&[WORDS]);
        let network = grammar::compile(rules, &mut lexicon).expect(rules);
        Self { lexicon, network, labels: BTreeSet::new() }
    }

    /// The cheapest way, exactly or by sound: its price, and each of its steps by name and text.
    fn way(&self, text: &str, slips: bool) -> Option<(u32, String)> {
        let heard = NormalisedUtterance::new(text);
        let (numbers, usual) = (Numbers::default(), Trie::default());
        let Self { lexicon, network, labels } = self;
        let mut search = WaySearch::new(Sources {
            network,
            lexicon,
            numbers: &numbers,
            heard: &heard,
            labels,
            usual: &usual,
            open: false,
        });
        let exact = search.exact();
        let ways = if slips { search.slipped(None) } else { exact };
        let steps = |way: &Way| {
            let name = |step: &WayStep| network.names.get(usize::from(step.name)).cloned().unwrap_or_default();
            way.steps
                .iter()
                .map(|step| format!("{}:{}", name(step), heard.said(step.from, step.to)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        ways.first().map(|way| (way.cost, steps(way)))
    }

    fn steps(&self, text: &str) -> String {
        self.way(text, false).map(|way| way.1).unwrap_or_default()
    }
}

// NLU-6
#[test]
fn text_is_one_step_and_words_are_cheaper_nlu_6() {
    let world = SearchedGrammar::new("utterance = act target=TEXT [ role ] [ please ] | act");
    for (text, expect) in [
        ("save", "act:save"),
        ("save the big file", "act:save target:the big file"),
        ("save my file please", "act:save target:my file please:please"),
        ("close ok button", "act:close target:ok role:button"),
        ("close button", "act:close target:button"),
        ("file", ""),
        ("", ""),
    ] {
        assert_eq!(world.steps(text), expect, "{text}");
    }
    let price = |text: &str| world.way(text, false).map(|way| way.0).unwrap_or(u32::MAX);
    assert!(price("save") < price("save it") && price("save it") < price("save it now"));
}

// NLU-6
#[test]
fn a_label_of_the_screen_costs_next_to_nothing_nlu_6() {
    let mut world = SearchedGrammar::new("utterance = act target=TEXT");
    let before = world.way("save all of this", false).expect("a way").0;
    world.labels.insert("allofthis".chars().collect());
    let (after, steps) = world.way("save all of this", false).expect("a way");
    assert_eq!(steps, "act:save target:all of this");
    assert!(after + 2 * price::WORD < before, "{after} {before}");
}

// NLU-6
#[test]
fn what_is_quoted_is_a_text_nlu_6() {
    let world = SearchedGrammar::new("utterance = act target=TEXT [ please ] | act value=QUOTE");
    assert_eq!(world.steps("save \"close please\""), "act:save value:close please");
    assert_eq!(world.steps("save close please"), "act:save target:close please:please");
}

// NLU-6
#[test]
fn what_sounds_alike_is_found_only_the_second_time_nlu_6() {
    let world = SearchedGrammar::new("utterance = act object act");
    assert_eq!(world.way("저장을 클로즈", false), None);
    let world = SearchedGrammar::new("utterance = role act");
    assert_eq!(world.way("button closs", false), None);
    let (cost, steps) = world.way("button closs", true).expect("a way");
    assert_eq!(steps, "role:button act:closs");
    assert!(cost > world.way("button close", false).expect("a way").0);
    // Nothing more to be found.
    assert_eq!(world.way("button close", true), None);
}

// NLU-6
#[test]
fn a_way_far_dearer_than_the_best_one_is_given_up_nlu_6() {
    for (price, found) in [(BEAM - 50, true), (BEAM + 50, false)] {
        // To the same cell, the first row leads for nothing; only the second goes on.
        let world = SearchedGrammar::new(&format!("utterance = act role role | ~{price} act please"));
        assert_eq!(world.way("save please", false).is_some(), found, "{price}");
    }
}

// NLU-6
#[test]
fn the_same_space_serves_one_search_after_the_other_nlu_6() {
    let world = SearchedGrammar::new("utterance = act target=TEXT [ role ] [ please ] | act");
    let texts = ["save", "close the very long name of a window please", "save ok button", "x"];
    let first: Vec<_> = texts.iter().map(|text| world.way(text, false)).collect();
    let again: Vec<_> = texts.iter().map(|text| world.way(text, false)).collect();
    assert_eq!(first, again);
    assert_eq!(world.way(&"save it ".repeat(40), false), None, "too long to be a command");
}
