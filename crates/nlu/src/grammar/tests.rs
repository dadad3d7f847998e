//! The notation, what it compiles to, and what is wrong with rules (NLU-5).

use super::*;

fn lexicon() -> Lexicon {
    let file = "= act:save\nsave\n= act:close\nclose\n= role:button\nbutton\n= go\ngo";
    Lexicon::new(&[file])
}

fn compiled(rules: &str) -> Result<Network, Vec<String>> {
    compile(rules, &mut lexicon())
}

/// Whether a network takes a row of words, each by its group and mood.
fn takes(network: &Network, lexicon: &Lexicon, words: &[(&str, Mood)]) -> bool {
    fn from(network: &Network, lexicon: &Lexicon, state: u16, words: &[(&str, Mood)]) -> bool {
        if network.hops(state).iter().any(|hop| from(network, lexicon, hop.to, words)) {
            return true;
        }
        let Some(((group, mood), rest)) = words.split_first() else { return network.end(state).is_some() };
        let label = lexicon.known(group).and_then(|group| network.label(group, *mood));
        label.is_some_and(|label| network.arcs(state, label).iter().any(|arc| from(network, lexicon, arc.to, rest)))
    }
    from(network, lexicon, network.start, words)
}

// NLU-5
#[test]
fn the_notation_says_what_it_says_nlu_5() {
    const ACT: (&str, Mood) = ("act", Mood::Base);
    const ROLE: (&str, Mood) = ("role", Mood::Bare);
    const GO: (&str, Mood) = ("go", Mood::Base);
    for (rules, yes, no) in [
        ("utterance = act role", vec![vec![ACT, ROLE]], vec![vec![ACT], vec![ROLE, ACT], vec![]]),
        ("utterance = act | role", vec![vec![ACT], vec![ROLE]], vec![vec![ACT, ROLE]]),
        ("utterance = act [ role ]", vec![vec![ACT], vec![ACT, ROLE]], vec![vec![ACT, ROLE, ROLE]]),
        ("utterance = ( act | go ) role*", vec![vec![GO], vec![ACT, ROLE, ROLE]], vec![vec![ROLE], vec![ACT, GO]]),
        ("utterance = two two\ntwo = act\n  | role", vec![vec![ACT, ROLE], vec![ROLE, ROLE]], vec![vec![ACT]]),
        (
            "# said\nutterance = act -> rest | go\nrest = role -> rest | ~4",
            vec![vec![GO], vec![ACT, ROLE, ROLE]],
            vec![vec![GO, ROLE]],
        ),
        ("utterance = act.ing", vec![vec![("act", Mood::Ing)]], vec![vec![ACT]]),
    ] {
        let lexicon = lexicon();
        let network = compiled(rules).expect(rules);
        yes.iter().for_each(|words| assert!(takes(&network, &lexicon, words), "{rules}: {words:?}"));
        no.iter().for_each(|words| assert!(!takes(&network, &lexicon, words), "{rules}: {words:?}"));
    }
}

// NLU-5
#[test]
fn the_mood_of_a_word_says_where_it_goes_on_nlu_5() {
    let rules = "utterance = act>\nafter_bare = role\nafter_order = go\nafter_joint = ~1\nafter_not = ~1\nafter_notbut = ~1\nafter_reason = ~1";
    let (network, lexicon) = (compiled(rules).expect(rules), lexicon());
    let ends = |mood: Mood, next: &'static str| takes(&network, &lexicon, &[("act", mood), (next, Mood::Base)]);
    assert!(ends(Mood::Order, "go") && ends(Mood::Wish, "go") && ends(Mood::Bare, "role"));
    assert!(!ends(Mood::Order, "role") && !ends(Mood::Bare, "go") && !ends(Mood::Ing, "go"));
}

// NLU-5
#[test]
fn a_price_is_paid_and_the_cheaper_way_counts_nlu_5() {
    let network = compiled("utterance = ~12 x=act ~5 | ~3 x=act").expect("rules");
    let act = lexicon().known("act").and_then(|act| network.label(act, Mood::Base)).expect("a label");
    let prices: Vec<(u32, Option<u32>)> =
        network.arcs(network.start, act).iter().map(|arc| (arc.cost, network.end(arc.to))).collect();
    assert!(prices.contains(&(3, Some(0))), "{prices:?}");
    assert_eq!(network.names, ["x"]);
}

// NLU-5
#[test]
fn states_that_lead_on_alike_are_one_nlu_5() {
    let once = compiled("utterance = act role").expect("rules");
    let twice = compiled("utterance = act role | act other\nother = role").expect("rules");
    assert_eq!(once.states(), twice.states());
}

// NLU-5, NLU-6
#[test]
fn states_that_are_reached_alike_are_one_and_take_the_same_nlu_5_nlu_6() {
    let apart = "utterance = one | two\none = role* act go\ntwo = role* act ~5 role";
    let together = "utterance = role* act ( go | ~5 role )";
    let (network, factored, lexicon) = (compiled(apart).expect(apart), compiled(together).expect(together), lexicon());
    assert_eq!(network.states(), factored.states());
    let words = [("act", Mood::Base), ("go", Mood::Base), ("role", Mood::Bare)];
    let mut rows: Vec<Vec<(&str, Mood)>> = vec![Vec::new()];
    for _ in 0..4 {
        let longer = rows.iter().flat_map(|row| words.map(|word| row.iter().copied().chain([word]).collect()));
        rows.extend(longer.collect::<Vec<_>>());
    }
    let taken = rows.iter().filter(|row| takes(&network, &lexicon, row)).count();
    assert!(taken > 3 && taken < rows.len() / 4, "{taken} of {}", rows.len());
    for row in &rows {
        assert_eq!(takes(&network, &lexicon, row), takes(&factored, &lexicon, row), "{row:?}");
    }
}

// NLU-5
#[test]
fn what_is_wrong_with_rules_is_told_nlu_5() {
    for (rules, expect) in [
        ("utterance = act nothing", "there is neither a rule nor a group nothing"),
        ("utterance = act.order x=nowhere", "there is neither a rule nor a group nowhere"),
        ("utterance = act -> nowhere", "there is no rule nowhere"),
        ("utterance = nothing>", "there is no group nothing"),
        ("utterance = ( act", "a bracket ( is not closed"),
        ("utterance = [ act )", "a bracket [ is not closed"),
        ("utterance = act )", "the rule utterance has a closing bracket too many"),
        ("other = act", "there is no rule utterance"),
    ] {
        let wrong = compiled(rules).expect_err(rules);
        assert!(wrong.iter().any(|line| line == expect), "{rules}: {wrong:?}");
    }
}
