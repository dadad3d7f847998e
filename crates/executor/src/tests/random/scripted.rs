//! Utterances, elements and happenings of the random sequences.

use luna_messages::candidate::Candidate;
use luna_messages::control::Command;
use luna_messages::dsl::Action;
use luna_messages::element::State;
use luna_messages::element_action::{Capacity, CapacitySet, NoEffectProof};
use luna_messages::executor::OrderSource;
use luna_messages::pick::Role;
use luna_messages::understanding::{Interpretation, ParsedCommand, Switch, TargetMatch, UtteranceKind};
use proptest::prelude::*;

use crate::rules::CommandRules;
use crate::tests::screen::{Behaviour, InputBehaviour, ShownElement, button, check_box, field, shown};

/// Keys that are said by a word of their own; the second one is dangerous.
const KEYS: [(&str, &str); 2] = [("엔터", "enter"), ("지우개", "delete")];

/// Knows the few utterances of this test; the real rules would take hours for as many.
pub(super) struct ScriptedRules;

pub(super) fn step(words: &str) -> ParsedCommand {
    if let Some(key) = KEYS.iter().find(|(said, _)| *said == words).map(|(_, key)| (*key).to_owned()) {
        return ParsedCommand { action: Some(Action::Key), key: Some(key), ..ParsedCommand::default() };
    }
    let mut words = words.split(' ');
    let target = words.next().map(str::to_owned);
    let action = match words.next() {
        Some("꺼" | "켜") => Action::Toggle,
        Some("입력해") => Action::SetValue,
        Some("이동") => Action::Focus,
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
        let said = [&step.target_text, &step.key].into_iter().flatten();
        let dangerous = said.into_iter().any(|text| self.is_dangerous(text));
        TargetMatch { target, several, ranking: Vec::new(), dangerous }
    }

    fn is_dangerous(&self, text: &str) -> bool {
        text.contains("삭제") || text == "delete"
    }

    fn is_yes(&self, utterance: &str) -> bool {
        utterance == "예"
    }
}

/// What the steps of an utterance are about, each of them once.
pub(super) fn labels(words: &str) -> Vec<&str> {
    let key = |said: &str| KEYS.iter().find(|(word, _)| *word == said).map(|(_, key)| *key);
    words.split(" 그리고 ").filter_map(|step| key(step).or_else(|| step.split(' ').next())).collect()
}

#[derive(Debug, Clone)]
pub(super) enum Happening {
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
    /// Another window is active, another element has the focus, or keys have another effect.
    Activate(u8),
    Rename(u8),
    Switch(u8),
    Remove(u8),
    Show(u16),
}

pub(super) fn happening() -> impl Strategy<Value = Happening> {
    let orders = [
        "저장 눌러",
        "삭제 눌러",
        "알림 꺼",
        "이름 입력해",
        "삭제 입력해",
        "삭제 이동",
        "저장 눌러 그리고 삭제 눌러",
        "삭제 눌러 그리고 저장 눌러",
        "확인",
        "멈춰",
        "엔터",
        "지우개",
        "지우개",
        "지우개 그리고 엔터",
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
        2 => any::<u8>().prop_map(Happening::Activate),
        1 => any::<u8>().prop_map(Happening::Rename),
        1 => any::<u8>().prop_map(Happening::Switch),
        1 => any::<u8>().prop_map(Happening::Remove),
        1 => any::<u16>().prop_map(Happening::Show),
    ]
}

pub(super) fn element(kind: u16) -> ShownElement {
    let behaviour = match kind / 8 % 6 {
        0 => Behaviour::Late,
        1 => Behaviour::Ignores,
        2 => Behaviour::Declines,
        3 => Behaviour::Silent,
        4 => Behaviour::DeclinesAt(Capacity::Select),
        _ => Behaviour::Works,
    };
    let item = |label| shown(label, Role::ListItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    let input = match kind / 48 % 8 {
        0 => InputBehaviour::LATE,
        1 => InputBehaviour::IGNORES,
        2 => InputBehaviour::SILENT,
        3 => InputBehaviour::refuses(NoEffectProof::Covered),
        4 => InputBehaviour::refuses(NoEffectProof::NotDelivered),
        _ => InputBehaviour::WORKS,
    };
    let mut element = match kind % 8 {
        0 => button("저장"),
        1 => button("삭제"),
        2 => check_box("알림", kind & 16 == 0),
        3 => field("이름"),
        4 => item("삭제"),
        5 => item("저장"),
        6 => field("삭제"),
        _ => button("확인"),
    };
    // What the tree offers no means for, or no way to set a text.
    match kind / 384 % 4 {
        0 => element.state.capacities = CapacitySet::default(),
        1 => element.state.capacities = CapacitySet::default().with(Capacity::Focus),
        _ => {}
    }
    ShownElement { behaviour, input, ..element }
}
