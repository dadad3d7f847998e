//! REA-1 to REA-4 as a table, and termination on every path.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use luna_messages::dsl::DslTask;
use proptest::prelude::*;

use super::*;
use crate::dsl::Offer;

const SOFT: Duration = Duration::from_millis(600);

fn budget(thinking: u32, answer: u32) -> StageBudget {
    StageBudget { thinking, answer }
}

fn ended(thinking_cut: bool, answer_cut: bool) -> GenerationEnd {
    GenerationEnd { thinking_cut, answer_cut, used: budget(10, 5) }
}

fn begin(task: DslTask, shrink: Option<f64>) -> (Reasoning, Vec<ReasoningEffect<u8>>) {
    Reasoning::begin(Budgets::default().for_task(task), shrink, SOFT)
}

const fn generate(thinking: u32, answer: u32, retry: bool) -> ReasoningEffect<u8> {
    ReasoningEffect::Generate { budget: StageBudget { thinking, answer }, retry }
}

// REA-1, REA-2
#[test]
fn each_task_has_its_budgets_and_an_interruption_shrinks_them_rea_1_rea_2() {
    for (task, whole, shrunk, more) in [
        (DslTask::NluIntent, (96, 96), (48, 48), (72, 72)),
        (DslTask::SelectionDisambiguation, (256, 128), (128, 64), (192, 96)),
        (DslTask::TranslateFaithful, (192, 192), (96, 96), (144, 144)),
        (DslTask::SummarizeShort, (256, 128), (128, 64), (192, 96)),
        (DslTask::MacroPlan, (384, 192), (192, 96), (288, 144)),
    ] {
        assert_eq!(begin(task, None).1, [ReasoningEffect::StartTimer(SOFT), generate(whole.0, whole.1, false)]);
        let (mut reasoning, effects) = begin(task, Some(0.5));
        assert_eq!(effects, [ReasoningEffect::StartTimer(SOFT), generate(shrunk.0, shrunk.1, false)]);
        assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, false), None)), [generate(more.0, more.1, true)]);
    }
    assert_eq!(budget(256, 128).shrunk(0.4), budget(102, 51), "rounded down");
    assert_eq!(budget(10, 10).shrunk(0.1), budget(1, 1));
    assert_eq!(budget(0, 1).shrunk(0.1), budget(0, 1), "an answer needs a token");
    assert_eq!(budget(97, 3).enlarged(), budget(145, 4), "rounded down");
}

// REA-3
#[test]
fn without_a_valid_answer_it_is_tried_once_more_then_asked_rea_3() {
    let (mut reasoning, _) = begin(DslTask::NluIntent, None);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, false), None)), [generate(144, 144, true)]);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, false), None)), [ReasoningEffect::<u8>::Clarify]);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, false), Some(1))), [], "it is over");
    // Truncated by its budget, though the text can be parsed.
    let (mut reasoning, _) = begin(DslTask::NluIntent, None);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, true), Some(1))), [generate(144, 144, true)]);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, true), Some(2))), [ReasoningEffect::Use(2)]);
    // Thinking was cut, but the answer is valid.
    let (mut reasoning, _) = begin(DslTask::NluIntent, None);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(true, false), Some(3))), [ReasoningEffect::Use(3)]);
    // No model.
    let (mut reasoning, _) = begin(DslTask::NluIntent, None);
    assert_eq!(reasoning.step(ReasoningEvent::Failed), [ReasoningEffect::<u8>::Clarify]);
}

// REA-3
#[test]
fn budgets_grow_once_when_time_goes_by_and_late_answers_count_rea_3() {
    let (mut reasoning, _) = begin(DslTask::MacroPlan, None);
    assert_eq!(reasoning.step(ReasoningEvent::<u8>::SoftTimeout), []);
    assert_eq!(reasoning.step(ReasoningEvent::<u8>::SoftTimeout), [], "once");
    assert_eq!(
        reasoning.step(ReasoningEvent::Ended(ended(false, false), Some(7))),
        [ReasoningEffect::Use(7)],
        "it came late"
    );
    // The generation needed more than its first budget: it continues with half as much again, which is not the retry.
    let (mut reasoning, _) = begin(DslTask::MacroPlan, None);
    reasoning.step(ReasoningEvent::<u8>::SoftTimeout);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, true), None)), [generate(576, 288, false)]);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, true), None)), [generate(864, 432, true)]);
    reasoning.step(ReasoningEvent::<u8>::SoftTimeout);
    assert_eq!(reasoning.step(ReasoningEvent::Ended(ended(false, true), None)), [ReasoningEffect::<u8>::Clarify]);
    assert_eq!(reasoning.used(), budget(30, 15), "REA-4");
}

proptest! {
    // REA-3, REA-4
    #[test]
    fn it_always_ends_in_an_answer_or_a_question_after_three_generations_rea_3_rea_4(
        events in prop::collection::vec((0_u8..6, any::<bool>(), any::<bool>()), 1..30),
    ) {
        let (mut reasoning, _) = begin(DslTask::NluIntent, None);
        let (mut generations, mut ends, mut last) = (1, 0, budget(96, 96));
        for (kind, thinking_cut, answer_cut) in events {
            let event = match kind {
                0 => ReasoningEvent::SoftTimeout,
                1 => ReasoningEvent::Ended(ended(thinking_cut, answer_cut), Some(kind)),
                _ => ReasoningEvent::Ended(ended(thinking_cut, answer_cut), None),
            };
            for effect in reasoning.step(event) {
                match effect {
                    ReasoningEffect::Generate { budget, .. } => {
                        prop_assert!(ends == 0 && last.is_below(budget), "each has more than the one before");
                        (generations, last) = (generations + 1, budget);
                    }
                    ReasoningEffect::Use(_) | ReasoningEffect::Clarify => ends += 1,
                    ReasoningEffect::StartTimer(_) => prop_assert!(false),
                }
            }
        }
        prop_assert!(generations <= 3 && ends <= 1);
        prop_assert!(last.answer <= 96 * 9 / 4 && last.thinking <= 96 * 9 / 4);
    }
}

// REA-3
#[test]
fn the_question_names_the_likeliest_candidates_rea_3() {
    use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
    use luna_messages::pick::Role;
    use luna_messages::{ElementId, Rect};
    let candidate = |text: &str, near: &[&str]| Candidate {
        id: ElementId(text.into()),
        role: Role::Button,
        text: text.into(),
        bbox: Rect::new(0, 0, 1, 1),
        automation_id: String::new(),
        enabled: true,
        near: near.iter().map(|near| (*near).to_owned()).collect(),
        zone: Zone::Top,
        details: CandidateDetails::default(),
    };
    let offer = Offer::new(&[
        candidate("열기", &[]),
        candidate("", &["이름"]),
        candidate("열기", &[]),
        candidate("닫기", &[]),
        candidate("끝", &[]),
    ]);
    let question = clarify(&offer);
    assert_eq!((question.options.join(","), question.target), ("열기,이름,닫기".to_owned(), None));
    assert_eq!(clarify(&Offer::new(&[candidate("열기", &[])])).target.map(|target| target.id), Some("c1".to_owned()));
    assert!(clarify(&Offer::default()).options.is_empty());
}
