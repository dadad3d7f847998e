//! What the configuration adds (VOI-2).

use super::*;

// VOI-2
#[test]
fn configured_words_count_in_any_language_voi_2() {
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let synonyms = BTreeMap::from([
        ("stop".to_owned(), words(&["주목", "arrête", "止まれ"])),
        ("fast".to_owned(), words(&["후다닥"])),
        ("click".to_owned(), words(&["꾹"])),
        ("yes".to_owned(), words(&["오냐"])),
        ("fly".to_owned(), words(&["날아"])),
    ]);
    let luna = Understanding::new(&Vocabulary { synonyms, ..Vocabulary::default() });
    for (utterance, expect) in [
        ("주목해 줘", Command::Stop),
        ("음 arrête", Command::Stop),
        ("止まれ", Command::Stop),
        ("후다닥", Command::Faster),
    ] {
        assert_eq!(luna.reflex(utterance, false), Some(expect), "{utterance}");
    }
    let pressed = luna
        .understand(&UtteranceInput { utterance: "저장 버튼 꾹 해줘".to_owned(), ..UtteranceInput::default() });
    assert_eq!((pressed.wish.action, pressed.wish.target_text.as_deref()), (Some(Action::Invoke), Some("저장")));
    let yes = luna.understand(&UtteranceInput { utterance: "오냐".to_owned(), ..UtteranceInput::default() });
    assert_eq!(yes.wish.value.as_deref(), Some("yes"));
    assert_eq!(luna.unknown_synonyms(), ["fly"]);
}

fn with(words: &[(&str, &[&str])]) -> Understanding {
    let synonyms = words
        .iter()
        .map(|(name, words)| ((*name).to_owned(), words.iter().map(|word| (*word).to_owned()).collect()))
        .collect();
    Understanding::new(&Vocabulary { synonyms, ..Vocabulary::default() })
}

fn understood(luna: &Understanding, utterance: &str, speaking: bool) -> Interpretation {
    luna.understand(&UtteranceInput { utterance: utterance.to_owned(), speaking, ..UtteranceInput::default() })
}

// VOI-2
#[test]
fn a_configured_word_wins_over_what_is_built_in_voi_2() {
    assert_eq!(understood(luna(), "백", true).command, Some(Command::Prev));
    let own = with(&[("stop", &["백"]), ("copy", &["베껴", "새로고침"]), ("next", &["zoom in"])]);
    assert!(own.unknown_synonyms().is_empty(), "{:?}", own.unknown_synonyms());
    for speaking in [false, true] {
        assert_eq!(understood(&own, "백", speaking).command, Some(Command::Stop));
        assert_eq!(understood(&own, "zoom in", speaking).command, Some(Command::Next));
        for utterance in ["베껴", "베껴 줘", "새로고침", "새로고침해 줘"] {
            let found = understood(&own, utterance, speaking);
            assert_eq!(
                (found.wish.action, found.wish.order.as_deref()),
                (Some(Action::Desktop), Some("copy")),
                "{utterance}: {found:?}"
            );
        }
    }
    // What is not configured stays as it was.
    for utterance in ["멈춰", "이전", "다음", "천천히"] {
        assert_eq!(
            understood(&own, utterance, true).command,
            understood(luna(), utterance, true).command,
            "{utterance}"
        );
    }
}

// VOI-2, NLU-1
#[test]
fn a_configured_word_keeps_what_else_it_means_voi_2() {
    let own = with(&[("translate", &["번역", "한국어로", "영어로", "translate"]), ("click", &["실행"])]);
    for (utterance, lang) in [
        ("영어로 자연스럽게 옮겨줘", Some(luna_messages::Lang::En)),
        ("translate this naturally into Korean", Some(luna_messages::Lang::Ko)),
        ("번역해 줘", None),
    ] {
        let found = understood(&own, utterance, false);
        assert_eq!((found.wish.intent, found.wish.lang_tgt), (Some(Intent::Translate), lang), "{utterance}: {found:?}");
    }
    let undone = understood(&own, "루나, 다시 실행 말고 실행 취소해 줘", false);
    assert_eq!(undone.wish.order.as_deref(), Some("undo"), "{undone:?}");
}

// VOI-2
#[test]
fn a_synonym_is_given_to_a_name_or_to_what_people_call_it_voi_2() {
    for (name, expect) in [
        ("prev", Command::Prev),
        ("back", Command::Prev),
        ("focus", Command::FocusOn),
        ("summarise", Command::Summarize),
    ] {
        assert_eq!(understood(&with(&[(name, &["꾸꾸"])]), "꾸꾸", true).command, Some(expect), "{name}");
    }
    for name in ["spell_jamo", "fly", "", "desktop", "copy inflect", "COPY"] {
        let own = with(&[(name, &["꾸꾸"])]);
        assert_eq!(own.unknown_synonyms(), [name]);
        assert_eq!(understood(&own, "꾸꾸", true).kind, UtteranceKind::None, "{name}");
    }
    for order in ["copy", "paste", "undo", "save", "find", "print", "close", "minimise", "reload", "time", "battery"] {
        let own = with(&[(order, &["꾸꾸"])]);
        assert!(own.unknown_synonyms().is_empty(), "{order}");
        assert_eq!(understood(&own, "꾸꾸", false).wish.order.as_deref(), Some(order));
    }
}

// VOI-2
#[test]
fn a_configured_word_is_a_word_and_no_template_voi_2() {
    for word in ["[", "(a|", "<열>", "a|b", "= stop", "()", "", " ", "#", "가/나"] {
        let own = with(&[("stop", &[word]), ("copy", &[word])]);
        assert_eq!(understood(&own, "멈춰", true).command, Some(Command::Stop), "{word:?}");
        assert_eq!(understood(&own, "열어", true).command, None, "{word:?}");
    }
}

// VOI-2
#[test]
fn the_wake_word_is_the_configured_one_voi_2() {
    let own = Understanding::new(&Vocabulary { wake_word: Some("별이".to_owned()), ..Vocabulary::default() });
    for utterance in ["별이야 멈춰", "별이, 멈춰", "헤이 별이 멈춰"] {
        assert_eq!(understood(&own, utterance, true).command, Some(Command::Stop), "{utterance}");
    }
    let none = Understanding::new(&Vocabulary { wake_word: None, ..Vocabulary::default() });
    assert_eq!(understood(&none, "멈춰", true).command, Some(Command::Stop));
}
