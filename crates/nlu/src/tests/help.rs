//! "What can I say?" is a usual order that Luna itself does (DSL-6, VOI-1), and what it tells can be said.

use luna_messages::understanding::CandidateInput;

use super::*;

const HELP: [&str; 8] = [
    "뭐라고 말할 수 있어?",
    "무슨 말 할 수 있어",
    "명령어 알려 줘",
    "도움말",
    "what can I say?",
    "what can you do",
    "help",
    "루나야, 뭐라고 말할 수 있어?",
];

// DSL-6, VOI-1, BRG-1
#[test]
fn what_can_be_said_is_a_command_of_luna_voi_1_dsl_6_brg_1() {
    for utterance in HELP {
        let idle = said(utterance, false);
        assert_eq!((idle.kind, idle.command), (UtteranceKind::Command, Some(Command::Help)), "{utterance}: {idle:?}");
        assert_eq!(idle.wish.order.as_deref(), Some("what_can_i_say"), "{utterance}");
        let speaking = said(utterance, true);
        assert_eq!((speaking.kind, speaking.command), (UtteranceKind::Reflex, Some(Command::Help)), "{utterance}");
        assert_eq!(luna().reflex(utterance, true), Some(Command::Help), "{utterance}");
    }
}

// NLU-2, NLU-3: what is called "도움말" on the screen can still be pressed.
#[test]
fn a_button_for_help_can_be_pressed_nlu_2_nlu_3() {
    let button = |id: &str, text: &str| CandidateInput {
        id: id.to_owned(),
        role: Some("button".to_owned()),
        text: Some(text.to_owned()),
        ..CandidateInput::default()
    };
    let candidates = [button("a", "도움말"), button("b", "Help"), button("c", "저장")];
    for (utterance, id) in
        [("도움말 눌러", "a"), ("도움말 버튼 눌러 줘", "a"), ("press help", "b"), ("click the help button", "b")]
    {
        for speaking in [false, true] {
            let alone = said(utterance, speaking);
            assert_eq!((alone.kind, alone.command), (UtteranceKind::Command, None), "{utterance}: {alone:?}");
        }
        let found = among(utterance, &candidates);
        assert_eq!((found.command, found.target_id.as_deref()), (None, Some(id)), "{utterance}: {found:?}");
    }
    for (utterance, id) in [("도움말", "a"), ("help", "b")] {
        let found = among(utterance, &candidates);
        assert_eq!((found.command, found.target_id.as_deref()), (None, Some(id)), "{utterance}: {found:?}");
    }
}

// VOI-1: what the answer tells is understood when it is said.
#[test]
fn every_phrase_that_is_told_can_be_said_voi_1() {
    for command in Command::ALL {
        let Some(spoken) = command.spec().spoken else { continue };
        for lang in [Lang::Ko, Lang::En] {
            check_reflex(spoken.phrase(lang), Some(command));
        }
        if command.spec().reading_intent.is_some() || command == Command::Bigger {
            continue;
        }
        for phrase in [spoken.ko, spoken.en] {
            assert_eq!(said(phrase, false).command, Some(command), "{phrase}");
        }
    }
}
