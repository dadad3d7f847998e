//! The actor with a language model that the test answers for: what the rules leave open (NLU-4).

use luna_messages::dsl::{Action, DslCommand};
use luna_messages::executor::{ExecutorMessage, OrderOutcome, OrderSource};
use luna_messages::language_tasks::{ChosenCommand, LanguageTaskMessage, Meaning, ModelDecision};
use luna_messages::work::WorkFailure;
use luna_messages::{ElementId, RequestId};

use crate::harness::{ExecutorHarness, PATIENCE, button};

fn takes(element: &str) -> ModelDecision {
    let command = ChosenCommand { command: DslCommand::new(Action::Invoke), element: Some(ElementId(element.into())) };
    let meaning = Meaning::Command(command);
    ModelDecision { meaning, thinking_tokens: 0, answer_tokens: 1, generations: 1, without_model: None }
}

fn two_settings() -> ExecutorHarness {
    ExecutorHarness::with_model(vec![button("a", "네트워크 설정"), button("bb", "소리 설정")])
}

// NLU-4
#[tokio::test(flavor = "multi_thread")]
async fn the_model_is_asked_with_the_candidates_and_its_choice_is_done_nlu_4() {
    let luna = two_settings();
    let (_, report) = luna.order("루나, 설정 눌러", OrderSource::Voice);
    let LanguageTaskMessage::Decide(request) = luna.model_request().await else { panic!("it is asked to decide") };
    let offered: Vec<&str> = request.candidates.iter().map(|candidate| candidate.id.0.as_str()).collect();
    assert_eq!((request.utterance.as_str(), offered), ("루나, 설정 눌러", vec!["a", "bb"]));
    request.reply.answer(Ok(takes("bb")));
    let report = tokio::time::timeout(PATIENCE, report).await.unwrap().unwrap().unwrap();
    assert_eq!(luna.done(), ["bb"], "{report:?}");
}

// NLU-4, EXE-3
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_or_is_not_there_leaves_the_question_nlu_4_exe_3() {
    for is_lost in [true, false] {
        let luna = two_settings();
        let (_, report) = luna.order("루나, 설정 눌러", OrderSource::Voice);
        let LanguageTaskMessage::Decide(request) = luna.model_request().await else { panic!("it is asked to decide") };
        if is_lost {
            drop(request);
        } else {
            request.reply.answer(Err(WorkFailure::Cancelled));
        }
        let report = tokio::time::timeout(PATIENCE, report).await.unwrap().unwrap().unwrap();
        assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Clarify, 0), "{report:?}");
    }
}

// KER-6, FOC-6
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_cancels_what_the_model_was_asked_ker_6_foc_6() {
    let luna = two_settings();
    let (_, report) = luna.order("루나, 설정 눌러", OrderSource::Voice);
    let LanguageTaskMessage::Decide(request) = luna.model_request().await else { panic!("it is asked to decide") };
    luna.inbox.post(ExecutorMessage::Stop { at: RequestId::next() }).unwrap();
    let ended = luna.model_request().await;
    assert!(matches!(ended, LanguageTaskMessage::Cancel { id } if id == request.id), "{ended:?}");
    request.reply.answer(Ok(takes("bb")));
    let report = tokio::time::timeout(PATIENCE, report).await.unwrap().unwrap().unwrap();
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Refused, 0));
}
