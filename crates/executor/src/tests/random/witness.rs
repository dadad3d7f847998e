//! Keeps what the person and the programs did, and judges what the machine does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use luna_messages::element_action::{
    ActionResult, ChangedElement, ElementAction, ElementState, NoEffectProof, ObservedChange,
};
use luna_messages::executor::{OrderOutcome, OrderSource, SpokenOrder};
use luna_messages::{ElementId, RequestId};

use super::scripted::{Happening, ScriptedRules, element, labels};
use crate::events::{ExecutorEffect, ExecutorEvent};
use crate::phrases::ExecutorPhrase;
use crate::target::is_unchanged;
use crate::tests::screen::{Behaviour, ScriptedScreen, ShownElement};

const NOT_DELIVERED: ActionResult = ActionResult::NoEffect(NoEffectProof::NotDelivered);

/// What the person may agree to: an element as it is, or keys for a window and what has the focus there.
#[derive(Debug, Clone)]
enum Agreement {
    Element(Box<ElementState>),
    Keys((Option<u64>, Option<ElementId>)),
}

/// What the person and the programs did, and what must hold of what the machine does.
pub(super) struct OrderWitness {
    pub screen: ScriptedScreen,
    /// All orders and answers.
    pub given: Vec<RequestId>,
    newest: Option<(SpokenOrder, bool)>,
    /// Said and not delivered yet.
    pub on_the_way: Vec<(SpokenOrder, bool)>,
    /// The order that each answer belongs to.
    roots: BTreeMap<RequestId, RequestId>,
    /// What each order may still do.
    allowed: BTreeMap<RequestId, Vec<String>>,
    /// The question about something dangerous that was heard last, with what it was about as it was then.
    question: Option<(RequestId, Agreement)>,
    /// What the person agreed to and was not done yet.
    agreed: Option<Agreement>,
    /// The order that it is left for, because the first means was declined.
    kept_for: Option<RequestId>,
    /// What each order did without effect, with the element directly before.
    declined: BTreeMap<RequestId, ElementState>,
    told_stop: RequestId,
    /// Actions that the machine wanted.
    wanted: BTreeSet<RequestId>,
}

impl OrderWitness {
    pub fn new(elements: Vec<ShownElement>, has_input: bool) -> Self {
        let screen = ScriptedScreen::with_rules(elements, Arc::new(ScriptedRules));
        Self {
            screen: if has_input { screen.with_input() } else { screen },
            given: Vec::new(),
            newest: None,
            on_the_way: Vec::new(),
            roots: BTreeMap::new(),
            allowed: BTreeMap::new(),
            question: None,
            agreed: None,
            kept_for: None,
            declined: BTreeMap::new(),
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
            if let ExecutorEffect::Act { id, order, .. }
            | ExecutorEffect::Click { id, order, .. }
            | ExecutorEffect::TypeInto { id, order, .. }
            | ExecutorEffect::PressKeys { id, order, .. } = effect
                && self.wanted.insert(*id)
            {
                assert!(*order > self.told_stop, "an action is wanted after its stop");
            }
        }
    }

    pub fn give(&mut self, order: SpokenOrder, is_answer: bool) {
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
            (self.agreed, self.kept_for) = (Some(about), None);
        }
    }

    /// What the person has heard when the first thing that waits is performed.
    fn hear(&mut self) {
        let Some(ExecutorEffect::OpenQuestion { id, badges, phrase }) = self.screen.waiting.front() else { return };
        let is_danger = matches!(phrase, ExecutorPhrase::Confirm { .. });
        let about = match badges.first() {
            Some(element) => self.screen.known.get(element).cloned().map(|known| Agreement::Element(Box::new(known))),
            None => Some(Agreement::Keys(self.screen.listed.clone())),
        };
        self.question = about.filter(|_| is_danger).map(|about| (*id, about));
    }

    /// Performs the first thing that waits, and judges what it did.
    pub fn perform(&mut self) {
        self.hear();
        let (acts, keys) = (self.screen.acts.len() + self.screen.inputs.len(), self.screen.keys.len());
        let key_order = match self.screen.waiting.front() {
            Some(ExecutorEffect::PressKeys { order, .. }) => Some(*order),
            _ => None,
        };
        let act = match self.screen.waiting.front() {
            Some(ExecutorEffect::Act { order, element, action, .. }) => Some((*order, element, Some(action.clone()))),
            Some(ExecutorEffect::Click { order, element, .. } | ExecutorEffect::TypeInto { order, element, .. }) => {
                Some((*order, element, None))
            }
            _ => None,
        };
        let act = act.map(|(order, element, action)| (order, self.screen.known.get(element).cloned(), action));
        self.screen.perform_next();
        self.look();
        if let Some(order) = key_order.filter(|_| self.screen.keys.len() > keys) {
            self.judge_keys(order);
        }
        let is_done = self.screen.acts.len() + self.screen.inputs.len() > acts;
        if let Some((order, known, action)) = act.filter(|_| is_done) {
            self.judge_act(order, &known.expect("nothing is done to what was not looked at"), action.as_ref());
        }
    }

    /// Judges what was done to an element: by the tree, or without an action by pointer or keys.
    fn judge_act(&mut self, order: RequestId, known: &ElementState, action: Option<&ElementAction>) {
        let name = if known.element.label.is_empty() { &known.element.text } else { &known.element.label };
        assert!(order > self.screen.stopped, "done after its stop");
        let root = self.roots.get(&order).copied().unwrap_or(order);
        // To move the focus by the tree is no danger.
        if name == "삭제" && action != Some(&ElementAction::Focus) {
            let same = matches!(&self.agreed, Some(Agreement::Element(agreed)) if agreed.element == known.element);
            let is_for_this = self.kept_for.is_none_or(|kept| kept == root);
            assert!(same && is_for_this, "not confirmed as it is: {known:?}");
        }
        let before = self.declined.remove(&root);
        assert!(
            before.is_none_or(|before| is_unchanged(&before, known)),
            "tried although something changed: {known:?}"
        );
        let behaviour =
            self.screen.elements.iter().find(|one| one.state.element.id == known.element.id).map(|one| one.behaviour);
        let is_declined = action.is_some_and(|action| {
            behaviour == Some(Behaviour::Declines) || behaviour == Some(Behaviour::DeclinesAt(action.capacity()))
        });
        if is_declined {
            // What certainly had no effect may be tried by another means.
            self.kept_for = Some(root);
            self.declined.insert(root, known.clone());
        } else {
            self.agreed = None;
        }
        self.is_wanted(order, name, !is_declined);
    }

    /// Judges keys that were pressed.
    fn judge_keys(&mut self, order: RequestId) {
        let key = self.screen.keys.last().map(|key| key.to_lowercase()).unwrap_or_default();
        assert!(order > self.screen.stopped, "pressed after its stop");
        if key == "delete" {
            let same = matches!(self.agreed.take(), Some(Agreement::Keys(agreed)) if agreed == self.screen.listed);
            assert!(same, "keys that were not confirmed here: {:?}", self.screen.listed);
        }
        self.is_wanted(order, &key, true);
    }

    /// The order wants this, and it was not done yet.
    fn is_wanted(&mut self, order: RequestId, name: &str, is_done: bool) {
        let root = self.roots.get(&order).copied().unwrap_or(order);
        let allowed = self.allowed.entry(root).or_default();
        let at = allowed.iter().position(|label| label == name);
        let at = at.unwrap_or_else(|| panic!("{name} is not what {root} wants, or is done twice: {allowed:?}"));
        if is_done {
            allowed.remove(at);
        }
    }

    pub fn happens(&mut self, happening: Happening) {
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
            Happening::Activate(kind) => {
                self.screen.window = [Some(1), Some(1), Some(2), None][usize::from(kind) % 4];
                let results = [ActionResult::Accepted, ActionResult::Unknown, NOT_DELIVERED];
                self.screen.keys_result = results[usize::from(kind) % 3];
                let focused = nth(kind);
                for (at, one) in self.screen.elements.iter_mut().enumerate() {
                    one.state.focused = Some(at) == focused;
                }
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
    pub fn lose(&mut self, is_done: bool) {
        let asks = matches!(
            self.screen.waiting.front(),
            Some(
                ExecutorEffect::AskCandidates { .. }
                    | ExecutorEffect::Inspect { .. }
                    | ExecutorEffect::Act { .. }
                    | ExecutorEffect::Click { .. }
                    | ExecutorEffect::TypeInto { .. }
                    | ExecutorEffect::PressKeys { .. }
            )
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
