//! Random sequences of orders, answers, stops and changes of the screen (EXE-7, DNG-2).

use std::sync::Arc;

use luna_messages::candidate::Candidate;
use luna_messages::dsl::Action;
use luna_messages::executor::{OrderSource, SpokenOrder};
use luna_messages::understanding::{Interpretation, ParsedCommand, Switch, TargetMatch, UtteranceKind};
use luna_messages::{ElementId, RequestId};
use proptest::prelude::*;

use super::screen::{Behaviour, ScriptedScreen, ShownElement, button, check_box, field};
use crate::events::{ExecutorEffect, ExecutorEvent};
use crate::rules::CommandRules;

/// Knows the few utterances of this test; the real rules would take hours for as many.
struct ScriptedRules;

fn step(words: &str) -> ParsedCommand {
    let mut words = words.split(' ');
    let target = words.next().map(str::to_owned);
    let action = match words.next() {
        Some("꺼" | "켜") => Action::Toggle,
        Some("입력해") => Action::SetValue,
        _ => Action::Invoke,
    };
    let state = (action == Action::Toggle).then_some(Switch::Off);
    let value = (action == Action::SetValue).then(|| "가".to_owned());
    ParsedCommand { action: Some(action), target_text: target, state, value, ..ParsedCommand::default() }
}

impl CommandRules for ScriptedRules {
    fn understand(&self, utterance: &str, asking: bool, candidates: &[Candidate]) -> Interpretation {
        let answer = |value: Option<&str>, target: Option<&Candidate>| Interpretation {
            kind: UtteranceKind::Answer,
            wish: ParsedCommand { value: value.map(str::to_owned), ..ParsedCommand::default() },
            target_id: target.map(|target| target.id.0.clone()),
            ..Interpretation::default()
        };
        match utterance {
            "예" if asking => return answer(Some("yes"), None),
            "아니요" if asking => return answer(Some("no"), None),
            "첫 번째" if asking => return answer(None, candidates.first()),
            "2번" if asking => return answer(None, candidates.get(1)),
            "예" | "아니요" | "첫 번째" | "2번" => return Interpretation::default(),
            _ => {}
        }
        let steps: Vec<ParsedCommand> = utterance.split(" 그리고 ").map(step).collect();
        let matched = self.resolve(&steps[0], candidates);
        let kind = if matched.several.is_empty() { UtteranceKind::Command } else { UtteranceKind::Ambiguous };
        Interpretation {
            kind,
            wish: steps[0].clone(),
            steps: if steps.len() > 1 { steps } else { Vec::new() },
            dangerous: matched.dangerous,
            target_id: matched.target,
            several: matched.several,
            ..Interpretation::default()
        }
    }

    fn resolve(&self, step: &ParsedCommand, candidates: &[Candidate]) -> TargetMatch {
        let fits = candidates.iter().filter(|one| Some(&one.text) == step.target_text.as_ref());
        let mut several: Vec<String> = fits.map(|one| one.id.0.clone()).collect();
        let target = if several.len() == 1 { several.pop() } else { None };
        let dangerous = step.target_text.as_deref().is_some_and(|text| self.is_dangerous(text));
        TargetMatch { target, several, ranking: Vec::new(), dangerous }
    }

    fn is_dangerous(&self, text: &str) -> bool {
        text.contains("삭제")
    }

    fn is_yes(&self, utterance: &str) -> bool {
        utterance == "예"
    }
}

#[derive(Debug, Clone)]
enum Happening {
    Order(&'static str),
    Answer(&'static str, OrderSource),
    Key(bool),
    Stop,
    /// Some of what waits is performed.
    Perform(u8),
    Timer,
    Rename(u8),
    Remove(u8),
    Show(u8),
}

fn happening() -> impl Strategy<Value = Happening> {
    let orders = ["저장 눌러", "삭제 눌러", "알림 꺼", "이름 입력해", "저장 눌러 그리고 삭제 눌러", "확인"];
    let answers = ["예", "2번", "아니요", "첫 번째"];
    let source = prop_oneof![Just(OrderSource::Voice), Just(OrderSource::Program)];
    prop_oneof![
        4 => proptest::sample::select(orders.to_vec()).prop_map(Happening::Order),
        3 => (proptest::sample::select(answers.to_vec()), source).prop_map(|(words, by)| Happening::Answer(words, by)),
        1 => any::<bool>().prop_map(Happening::Key),
        1 => Just(Happening::Stop),
        8 => (1_u8..6).prop_map(Happening::Perform),
        2 => Just(Happening::Timer),
        1 => any::<u8>().prop_map(Happening::Rename),
        1 => any::<u8>().prop_map(Happening::Remove),
        1 => any::<u8>().prop_map(Happening::Show),
    ]
}

fn element(kind: u8) -> ShownElement {
    let behaviour = match kind / 8 % 4 {
        0 => Behaviour::Late,
        1 => Behaviour::Ignores,
        2 => Behaviour::Declines,
        _ => Behaviour::Works,
    };
    let element = match kind % 6 {
        0 => button("저장"),
        1 => button("삭제"),
        2 => check_box("알림", kind & 1 == 0),
        3 => field("이름"),
        _ => button("확인"),
    };
    ShownElement { behaviour, ..element }
}

fn spoken(words: &str, source: OrderSource) -> SpokenOrder {
    SpokenOrder {
        id: RequestId::next(),
        utterance: words.to_owned(),
        source,
        called: source == OrderSource::Voice,
        overlaps_playback: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    // DNG-2, EXE-7, KER-7
    #[test]
    fn nothing_is_done_twice_or_unconfirmed_and_everything_is_reported_once_dng_2_exe_7(
        kinds in proptest::collection::vec(any::<u8>(), 1..7),
        happenings in proptest::collection::vec(happening(), 1..40),
    ) {
        let mut screen = ScriptedScreen::with_rules(kinds.into_iter().map(element).collect(), Arc::new(ScriptedRules));
        let mut asked = Vec::new();
        // Whether the person said yes since the last question about something dangerous, and to which label.
        let mut confirmed: Option<String> = None;
        let mut question: Option<String> = None;
        let mut requests: Vec<RequestId> = Vec::new();
        for happening in happenings {
            match happening {
                Happening::Order(words) => {
                    let order = spoken(words, OrderSource::Voice);
                    asked.push(order.id);
                    screen.take(ExecutorEvent::Order(order));
                }
                Happening::Answer(words, source) => {
                    // What begins before the question was heard is no answer to it; the machine relies on being told so.
                    let overlaps_playback = !is_heard(&screen);
                    let answer = SpokenOrder { overlaps_playback, ..spoken(words, source) };
                    asked.push(answer.id);
                    if words == "예" && source == OrderSource::Voice && is_heard(&screen) {
                        confirmed = question.clone();
                    }
                    screen.take(ExecutorEvent::Answer(answer));
                }
                Happening::Key(given) => {
                    // The key is the person's only while the question is open.
                    if !is_heard(&screen) {
                        continue;
                    }
                    if given {
                        confirmed = question.clone();
                    }
                    screen.take(ExecutorEvent::Key { given });
                }
                Happening::Stop => {
                    screen.take(ExecutorEvent::Stop { at: RequestId::next() });
                    screen.waiting.retain(|effect| !matches!(effect, ExecutorEffect::Act { .. }));
                }
                Happening::Perform(count) => for _ in 0..count {
                    match screen.waiting.front() {
                        Some(ExecutorEffect::Act { id, element, .. }) => {
                            prop_assert!(!requests.contains(id), "done twice");
                            requests.push(*id);
                            let label = label(&screen, element);
                            if label.as_deref() == Some("삭제") {
                                prop_assert_eq!(confirmed.take(), label, "not confirmed");
                            }
                        }
                        Some(ExecutorEffect::OpenQuestion { badges, phrase, .. }) => {
                            let is_danger = matches!(phrase, crate::phrases::ExecutorPhrase::Confirm { .. });
                            question = if is_danger { badges.first().and_then(|id| label(&screen, id)) } else { None };
                        }
                        _ => {}
                    }
                    screen.perform_next();
                },
                Happening::Timer => if let Some((generation, at)) = screen.timer.take() {
                    screen.now = screen.now.max(at);
                    screen.take(ExecutorEvent::Timer { generation });
                },
                Happening::Rename(at) => {
                    let count = screen.elements.len();
                    if count > 0 {
                        screen.elements[usize::from(at) % count].state.element.text = "확인".to_owned();
                    }
                }
                Happening::Remove(at) => {
                    let count = screen.elements.len();
                    if count > 0 {
                        screen.elements.remove(usize::from(at) % count);
                    }
                }
                Happening::Show(kind) => screen.show(element(kind)),
            }
        }
        // Everything comes to an end by itself.
        for _ in 0..30 {
            screen.settle();
            screen.pass();
        }
        prop_assert!(!screen.machine.is_asking());
        let mut reported: Vec<RequestId> = screen.reports.iter().map(|(id, _)| *id).collect();
        reported.sort();
        asked.sort();
        prop_assert_eq!(reported, asked, "each order and each answer is reported once");
    }
}

/// Whether a question is open and was spoken.
fn is_heard(screen: &ScriptedScreen) -> bool {
    let is_question = |effect: &ExecutorEffect| matches!(effect, ExecutorEffect::OpenQuestion { .. });
    screen.machine.is_asking() && !screen.waiting.iter().any(is_question)
}

fn label(screen: &ScriptedScreen, element: &ElementId) -> Option<String> {
    let found = screen.elements.iter().find(|one| one.state.element.id == *element)?;
    Some(found.state.element.text.clone())
}
