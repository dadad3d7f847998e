//! English orders by how they are put together (NLU-2, NLU-5).

use super::*;

/// What is done: the orders by their targets or names, in the order in which they are done.
fn done(utterance: &str) -> String {
    let found = said(utterance, false);
    let of = |wish: &luna_messages::understanding::ParsedCommand| {
        let texts = [&wish.target_text, &wish.argument, &wish.value, &wish.key, &wish.hotkey, &wish.order];
        texts.into_iter().flatten().next().cloned().unwrap_or_default().to_lowercase()
    };
    match (found.negated, found.steps.as_slice()) {
        (true, _) => "nothing".to_owned(),
        (false, []) => of(&found.wish),
        (false, steps) => steps.iter().map(of).collect::<Vec<_>>().join(" + "),
    }
}

fn check(cases: &[(&str, &str)]) {
    for (utterance, expect) in cases {
        assert_eq!(done(utterance), *expect, "{utterance}: {:?}", said(utterance, false));
    }
}

// NLU-2, EXE-5
#[test]
fn steps_are_done_in_the_order_in_which_they_are_meant_nlu_2_exe_5() {
    check(&[
        ("once you've saved the file, print it please", "file + print"),
        ("after closing the window open Chrome", "window + chrome"),
        ("before closing Excel save it", "save + excel"),
        ("before you close Excel, save it", "save + excel"),
        ("Scroll down. Then click load more.", " + load more"),
        ("copy this, switch to Outlook, paste it", "copy + outlook + paste"),
    ]);
}

// NLU-5
#[test]
fn what_is_forbidden_in_any_form_is_not_done_nlu_5() {
    check(&[
        ("hold off on closing the window", "nothing"),
        ("never ever press the reset button", "nothing"),
        ("do not under any circumstances click the first link", "nothing"),
        ("don't scroll any further", "nothing"),
        ("keep away from the Buy now button, don't touch it", "nothing"),
        ("forget it, don't save", "nothing"),
    ]);
}

// NLU-5
#[test]
fn what_is_corrected_or_set_aside_leaves_the_rest_as_it_was_nlu_5() {
    check(&[
        ("put 15 in the quantity box, no, 50", "quantity"),
        ("switch to Slack, no, I meant Teams", "teams"),
        ("undo that, hmm no, I actually want redo", "redo"),
        ("write Smith, not Smyth, in the surname field", "surname"),
        ("turn off location sharing but leave notifications alone", "location sharing"),
        ("rather than Chrome open Firefox", "firefox"),
    ]);
    let typed = said("type seven, no, eleven in the amount field", false).wish;
    assert_eq!(typed.value.as_deref(), Some("eleven"), "{typed:?}");
}

// NLU-2
#[test]
fn what_is_meant_may_stand_before_the_verb_nlu_2() {
    check(&[
        ("the link called Terms, press that", "terms"),
        ("it's Outlook I want to switch to, not Gmail", "outlook"),
        ("in the message box write see you soon", "message"),
        ("dark mode off", "dark mode"),
        ("enter 90210 as the zip code", "zip code"),
        ("press the Menu button up in the top left", "menu"),
    ]);
    let tab = said("go to the billing tab", false).wish;
    assert_eq!((tab.action, tab.target_text.as_deref()), (Some(Action::Select), Some("billing")), "{tab:?}");
}
