//! Random sequences of orders, answers, stops, lost and late answers, and changes of the screen (EXE-7, DNG-2).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use luna_messages::RequestId;
use luna_messages::candidate::Candidate;
use luna_messages::control::Command;
use luna_messages::dsl::Action;
use luna_messages::element::State;
use luna_messages::element_action::{Capacity, ChangedElement, ElementState, ObservedChange};
use luna_messages::executor::{OrderOutcome, OrderSource, SpokenOrder};
use luna_messages::pick::Role;
use luna_messages::understanding::{Interpretation, ParsedCommand, Switch, TargetMatch, UtteranceKind};
use proptest::prelude::*;

use super::screen::{Behaviour, ScriptedScreen, ShownElement, button, check_box, field, shown};
use crate::events::{ExecutorEffect, ExecutorEvent};
use crate::phrases::ExecutorPhrase;
use crate::rules::CommandRules;

/// Sequences in one run.
const CASES: u32 = 10_000;

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
            "멈춰" => {
                let command = Some(Command::Stop);
                return Interpretation { kind: UtteranceKind::Reflex, command, ..Interpretation::default() };
            }
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

/// What the steps of an utterance are about, each of them once.
fn labels(words: &str) -> Vec<&str> {
    words.split(" 그리고 ").filter_map(|step| step.split(' ').next()).collect()
}

#[derive(Debug, Clone)]
enum Happening {
    Order(&'static str, OrderSource),
    Answer(&'static str, OrderSource),
    /// It is said now and delivered later.
    Say(&'static str),
    /// The newest order or answer is delivered once more.
    Twice,
    Key(bool),
    /// The platform knows of it at once, the machine at once, later or never.
    Stop(bool),
    /// The machine is told of the stop.
    TellStop,
    /// Some of what waits is performed.
    Perform(u8),
    /// What waits is lost on its way, or done without an answer.
    Lose(bool),
    /// The answer of what waits comes later.
    Postpone,
    /// An answer that comes late comes now.
    Deliver(u8),
    Timer,
    Noise(u8),
    Rename(u8),
    Switch(u8),
    Remove(u8),
    Show(u8),
}

fn happening() -> impl Strategy<Value = Happening> {
    let orders = [
        "저장 눌러",
        "삭제 눌러",
        "알림 꺼",
        "이름 입력해",
        "저장 눌러 그리고 삭제 눌러",
        "삭제 눌러 그리고 저장 눌러",
        "확인",
        "멈춰",
    ];
    let answers = ["예", "예", "2번", "아니요", "첫 번째", "멈춰"];
    let source = || prop_oneof![3 => Just(OrderSource::Voice), 1 => Just(OrderSource::Program)];
    prop_oneof![
        5 => (proptest::sample::select(orders.to_vec()), source()).prop_map(|(words, by)| Happening::Order(words, by)),
        4 => (proptest::sample::select(answers.to_vec()), source()).prop_map(|(words, by)| Happening::Answer(words, by)),
        3 => proptest::sample::select(vec!["저장 눌러", "삭제 눌러", "예", "2번"]).prop_map(Happening::Say),
        1 => Just(Happening::Twice),
        2 => any::<bool>().prop_map(Happening::Key),
        2 => any::<bool>().prop_map(Happening::Stop),
        1 => Just(Happening::TellStop),
        10 => (1_u8..6).prop_map(Happening::Perform),
        1 => any::<bool>().prop_map(Happening::Lose),
        1 => Just(Happening::Postpone),
        3 => any::<u8>().prop_map(Happening::Deliver),
        2 => Just(Happening::Timer),
        1 => any::<u8>().prop_map(Happening::Noise),
        1 => any::<u8>().prop_map(Happening::Rename),
        1 => any::<u8>().prop_map(Happening::Switch),
        1 => any::<u8>().prop_map(Happening::Remove),
        1 => any::<u8>().prop_map(Happening::Show),
    ]
}

fn element(kind: u8) -> ShownElement {
    let behaviour = match kind / 8 % 6 {
        0 => Behaviour::Late,
        1 => Behaviour::Ignores,
        2 => Behaviour::Declines,
        3 => Behaviour::Silent,
        4 => Behaviour::DeclinesAt(Capacity::Select),
        _ => Behaviour::Works,
    };
    let item = |label| shown(label, Role::ListItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    let element = match kind % 8 {
        0 => button("저장"),
        1 => button("삭제"),
        2 => check_box("알림", kind & 16 == 0),
        3 => field("이름"),
        4 => item("삭제"),
        5 => item("저장"),
        _ => button("확인"),
    };
    ShownElement { behaviour, ..element }
}

/// What the person and the programs did, and what must hold of what the machine does.
struct Witness {
    screen: ScriptedScreen,
    /// All orders and answers.
    given: Vec<RequestId>,
    newest: Option<(SpokenOrder, bool)>,
    /// Said and not delivered yet.
    on_the_way: Vec<(SpokenOrder, bool)>,
    /// The order that each answer belongs to.
    roots: BTreeMap<RequestId, RequestId>,
    /// What each order may still do.
    allowed: BTreeMap<RequestId, Vec<String>>,
    /// The question about something dangerous that was heard last, with what it was about as it was then.
    question: Option<(RequestId, ElementState)>,
    /// What the person agreed to and was not done yet.
    agreed: Option<ElementState>,
    told_stop: RequestId,
    /// Actions that the machine wanted.
    wanted: BTreeSet<RequestId>,
}

impl Witness {
    fn new(elements: Vec<ShownElement>) -> Self {
        Self {
            screen: ScriptedScreen::with_rules(elements, Arc::new(ScriptedRules)),
            given: Vec::new(),
            newest: None,
            on_the_way: Vec::new(),
            roots: BTreeMap::new(),
            allowed: BTreeMap::new(),
            question: None,
            agreed: None,
            told_stop: RequestId(0),
            wanted: BTreeSet::new(),
        }
    }

    fn take(&mut self, event: ExecutorEvent) {
        self.screen.take(event);
        self.look();
    }

    /// Looks at what the machine wants to do that it did not want before.
    fn look(&mut self) {
        for effect in &self.screen.waiting {
            if let ExecutorEffect::Act { id, order, .. } = effect
                && self.wanted.insert(*id)
            {
                assert!(*order > self.told_stop, "an action is wanted after its stop");
            }
        }
    }

    fn give(&mut self, order: SpokenOrder, is_answer: bool) {
        self.given.push(order.id);
        self.newest = Some((order.clone(), is_answer));
        // The order that asks is the one whose newest report says so.
        let waiting = self.screen.waiting.iter().filter_map(|effect| match effect {
            ExecutorEffect::Report { id, report } => Some((*id, report.outcome)),
            _ => None,
        });
        let reported = self.screen.reports.iter().map(|(id, report)| (*id, report.outcome));
        let asks = |outcome| matches!(outcome, OrderOutcome::Clarify | OrderOutcome::Confirm);
        let asker = waiting.rev().chain(reported.rev()).find(|(_, outcome)| asks(*outcome));
        if let Some((asker, _)) = asker.filter(|_| is_answer && self.screen.machine.is_asking()) {
            let root = self.roots.get(&asker).copied().unwrap_or(asker);
            self.roots.insert(order.id, root);
        }
        if !is_answer {
            self.allowed.insert(order.id, labels(&order.utterance).into_iter().map(str::to_owned).collect());
        }
        let agrees = order.utterance == "예" && order.source == OrderSource::Voice;
        let is_newer = self.question.as_ref().is_some_and(|(question, _)| order.id > *question);
        self.agree(agrees && order.called && is_newer);
        self.take(if is_answer { ExecutorEvent::Answer(order) } else { ExecutorEvent::Order(order) });
    }

    /// The person agrees to what was asked and heard.
    fn agree(&mut self, agrees: bool) {
        if agrees
            && self.screen.machine.is_asking()
            && let Some((_, about)) = self.question.take()
        {
            self.agreed = Some(about);
        }
    }

    /// What the person has heard when the first thing that waits is performed.
    fn hear(&mut self) {
        let Some(ExecutorEffect::OpenQuestion { id, badges, phrase }) = self.screen.waiting.front() else { return };
        let is_danger = matches!(phrase, ExecutorPhrase::Confirm { .. });
        let about = badges.first().and_then(|element| self.screen.known.get(element)).cloned();
        self.question = about.filter(|_| is_danger).map(|about| (*id, about));
    }

    /// Performs the first thing that waits, and judges what it did.
    fn perform(&mut self) {
        self.hear();
        let acts = self.screen.acts.len();
        let act = match self.screen.waiting.front() {
            Some(ExecutorEffect::Act { order, element, action, .. }) => {
                Some((*order, self.screen.known.get(element).cloned(), action.clone()))
            }
            _ => None,
        };
        self.screen.perform_next();
        self.look();
        let Some((order, known, action)) = act.filter(|_| self.screen.acts.len() > acts) else { return };
        let known = known.expect("nothing is done to what was not looked at");
        let name = if known.element.label.is_empty() { &known.element.text } else { &known.element.label };
        assert!(order > self.screen.stopped, "done after its stop");
        if name == "삭제" {
            let agreed = self.agreed.take();
            let same = agreed.is_some_and(|agreed| agreed.element == known.element);
            assert!(same, "not confirmed as it is: {known:?}");
        }
        let declined = matches!(
            self.screen.elements.iter().find(|one| one.state.element.id == known.element.id).map(|one| one.behaviour),
            Some(Behaviour::Declines)
        ) || self.screen.elements.iter().any(|one| {
            one.state.element.id == known.element.id && one.behaviour == Behaviour::DeclinesAt(action.capacity())
        });
        let root = self.roots.get(&order).copied().unwrap_or(order);
        let allowed = self.allowed.entry(root).or_default();
        let at = allowed.iter().position(|label| label == name);
        let at = at.unwrap_or_else(|| panic!("{name} is not what {root} wants, or is done twice: {allowed:?}"));
        // What certainly had no effect may be tried by another means.
        if !declined {
            allowed.remove(at);
        }
    }

    fn happens(&mut self, happening: Happening) {
        let count = self.screen.elements.len();
        let nth = |at: u8| (count > 0).then(|| usize::from(at) % count);
        match happening {
            Happening::Order(words, source) => self.give(spoken(words, source), false),
            Happening::Answer(words, source) => self.give(spoken(words, source), true),
            Happening::Say(words) => {
                self.on_the_way.push((spoken(words, OrderSource::Voice), ["예", "2번"].contains(&words)));
            }
            Happening::Twice => {
                if let Some((order, is_answer)) = self.newest.clone() {
                    self.take(if is_answer { ExecutorEvent::Answer(order) } else { ExecutorEvent::Order(order) });
                }
            }
            Happening::Key(given) => {
                self.agree(given);
                self.take(ExecutorEvent::Key { given });
            }
            Happening::Stop(is_told) => {
                let stop = self.screen.stop();
                if is_told {
                    self.told_stop = self.screen.stopped;
                    self.take(stop);
                }
            }
            Happening::TellStop => {
                self.told_stop = self.screen.stopped;
                self.take(ExecutorEvent::Stop { at: self.screen.stopped });
            }
            Happening::Perform(count) => (0..count).for_each(|_| self.perform()),
            Happening::Lose(is_done) => self.lose(is_done),
            Happening::Postpone => {
                self.screen.postpones = true;
                self.perform();
                self.screen.postpones = false;
            }
            Happening::Deliver(at) => {
                let late = self.screen.postponed.len();
                if at & 1 == 0 && !self.on_the_way.is_empty() {
                    let (order, is_answer) = self.on_the_way.remove(usize::from(at) % self.on_the_way.len());
                    self.give(order, is_answer);
                } else if late > 0 {
                    let event = self.screen.postponed.remove(usize::from(at) % late);
                    self.take(event);
                }
            }
            Happening::Timer => {
                if let Some((generation, at)) = self.screen.timer.take() {
                    self.screen.now = self.screen.now.max(at);
                    self.take(ExecutorEvent::Timer { generation });
                }
            }
            Happening::Noise(kind) => {
                let other = ChangedElement::Other;
                let change = match kind % 4 {
                    0 => ObservedChange::Focus,
                    1 => ObservedChange::Children,
                    _ => ObservedChange::Content { of: other },
                };
                self.take(ExecutorEvent::Observed { id: self.screen.act_id, change });
            }
            Happening::Rename(at) => {
                let names = ["확인", "삭제", "저장"];
                if let Some(at_) = nth(at) {
                    self.screen.elements[at_].state.element.text = names[usize::from(at) % 3].to_owned();
                }
            }
            Happening::Switch(at) => {
                if let Some(at) = nth(at) {
                    let enabled = &mut self.screen.elements[at].state.element.enabled;
                    *enabled = !*enabled;
                }
            }
            Happening::Remove(at) => drop(nth(at).map(|at| self.screen.elements.remove(at))),
            Happening::Show(kind) => self.screen.show(element(kind)),
        }
    }

    /// A request is lost, before it was done or behind it. What is for the person arrives.
    fn lose(&mut self, is_done: bool) {
        let asks = matches!(
            self.screen.waiting.front(),
            Some(ExecutorEffect::AskCandidates { .. } | ExecutorEffect::Inspect { .. } | ExecutorEffect::Act { .. })
        );
        if asks && is_done {
            let late = self.screen.postponed.len();
            self.screen.postpones = true;
            self.perform();
            self.screen.postpones = false;
            self.screen.postponed.truncate(late);
        } else if asks {
            self.screen.waiting.pop_front();
        }
    }
}

fn spoken(words: &str, source: OrderSource) -> SpokenOrder {
    SpokenOrder { called: source == OrderSource::Voice, ..ScriptedScreen::spoken(words, source) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    // DNG-2, EXE-7, FOC-6, KER-7
    #[test]
    fn nothing_is_done_twice_unconfirmed_or_stopped_and_all_is_reported_once_dng_2_exe_7_foc_6_ker_7(
        kinds in proptest::collection::vec(any::<u8>(), 1..7),
        happenings in proptest::collection::vec(happening(), 1..40),
    ) {
        let mut witness = Witness::new(kinds.into_iter().map(element).collect());
        happenings.into_iter().for_each(|happening| witness.happens(happening));
        for (order, is_answer) in std::mem::take(&mut witness.on_the_way) {
            witness.give(order, is_answer);
        }
        // Everything comes to an end by itself, whatever answer is still lost.
        for _ in 0..40 {
            while !witness.screen.waiting.is_empty() {
                witness.lose(true);
                if !witness.screen.waiting.is_empty() {
                    witness.perform();
                }
            }
            witness.happens(Happening::Timer);
        }
        let screen = &mut witness.screen;
        prop_assert!(!screen.machine.is_asking());
        let mut reported: Vec<RequestId> = screen.reports.iter().map(|(id, _)| *id).collect();
        reported.sort();
        witness.given.sort();
        prop_assert_eq!(reported, witness.given, "each order and each answer is reported once");
    }
}
