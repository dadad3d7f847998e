//! Any utterance, with any candidates (NLU-2): no panic, the same answer each time, and an answer that the callers can rely on (NLU-3, NLU-6).
//!
//! The first byte says by its lowest bits whether Luna is speaking, whether it asks, whether there is no classifier, and whether what follows is text or
//! words by number: of a text the rest of the line is the utterance, and each further line a candidate, with text, role, neighbour and zone apart by tabs.
//! Random bytes hardly ever make a Korean word; each two of them choose one of the labelled utterances' words, and 255 begins a line.
#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use luna_messages::understanding::{
    Alternative, CandidateInput, InputBox, Interpretation, OneOrMany, ParsedCommand, UtteranceInput, UtteranceKind,
};
use luna_nlu::talk::Classifier;
use luna_nlu::{Understanding, Vocabulary};

const MAX_CANDIDATES: usize = 40;
/// `ranking.topk_for_llm`, as it is by default.
const MAX_RANKED: usize = 5;
const MAX_ALTERNATIVES: usize = 3;

static CAREFUL: LazyLock<Understanding> = LazyLock::new(|| Understanding::new(&Vocabulary::default()));
static LUNA: LazyLock<Understanding> = LazyLock::new(|| {
    let classifier = Classifier::read(include_bytes!("../../models/order-or-talk/order-or-talk.bin"));
    CAREFUL.clone().with_classifier(Some(classifier.expect("the file beside the program is whole")))
});

/// The words of the labelled utterances, each once.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lines = include_str!("../../tests/language/utterances.jsonl").lines();
    let utterances = lines.filter_map(|line| serde_json::from_str::<UtteranceInput>(line).ok());
    let words: BTreeSet<String> =
        utterances.flat_map(|one| one.utterance.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    words.into_iter().collect()
});

/// The words that bytes choose.
fn worded(data: &[u8]) -> String {
    let mut text = String::new();
    for pair in data.chunks(2) {
        let number = pair.iter().fold(0, |number, byte| 256 * number + usize::from(*byte));
        match pair {
            [255, ..] => text.push('\n'),
            _ => text.push_str(WORDS.get(number % WORDS.len()).map_or("", String::as_str)),
        }
        text.push_str(if text.ends_with('\n') { "" } else { " " });
    }
    text
}

fn candidate((at, line): (usize, &str)) -> CandidateInput {
    let mut columns = line.split('\t').map(str::to_owned);
    // Two columns of boxes, some of them the same.
    let row = u32::try_from(at / 2 % 12).unwrap_or_default();
    CandidateInput {
        id: at.to_string(),
        text: columns.next(),
        role: columns.next(),
        near: columns.next().map(OneOrMany::One),
        zone: columns.next(),
        bbox: Some(InputBox::Row([if at % 2 == 0 { 0.0 } else { 300.0 }, 40.0 * f64::from(row), 80.0, 30.0])),
        ..CandidateInput::default()
    }
}

fn is_share(share: f64) -> bool {
    (0.0..=1.0).contains(&share)
}

fn says_what(wish: &ParsedCommand) -> bool {
    wish.action.is_some() || wish.intent.is_some() || wish.order.is_some()
}

/// What an interpretation and an alternative have in common.
fn check_command(kind: UtteranceKind, commanded: bool, wish: &ParsedCommand) {
    assert_eq!(kind == UtteranceKind::Reflex, commanded, "a reflex and nothing else has a command");
    assert_ne!(wish.ordinal, Some(0), "places are counted from one");
    if matches!(kind, UtteranceKind::Reading | UtteranceKind::Reflex) {
        assert_eq!(wish.action, None, "what is read is not acted on");
    }
    assert!(kind != UtteranceKind::Command || says_what(wish), "a command says what to do");
}

fn check(found: &Interpretation, offered: &[CandidateInput]) {
    let is_offered = |id: &String| offered.iter().any(|one| &one.id == id);
    assert!(is_share(found.score) && is_share(found.margin) && found.margin <= found.score);
    assert!(found.target_id.iter().chain(&found.ranking).all(is_offered));
    assert!(found.ranking.len() <= MAX_RANKED);
    assert!(!found.why.is_empty() && !found.why.contains('\n'));
    check_command(found.kind, found.command.is_some(), &found.wish);
    assert!(found.steps.first().is_none_or(|first| found.steps.len() > 1 && first == &found.wish));
    assert!(found.steps.iter().all(says_what), "no step is empty");
    assert!(!found.negated || found.kind == UtteranceKind::None);
    if found.kind == UtteranceKind::None {
        let bare = Interpretation {
            negated: found.negated,
            score: found.score,
            margin: found.margin,
            alternatives: found.alternatives.clone(),
            why: found.why.clone(),
            ..Interpretation::default()
        };
        assert_eq!(found, &bare, "what is no order carries none");
        assert!(found.negated || found.alternatives.is_empty());
    }
    assert!(found.alternatives.len() <= MAX_ALTERNATIVES);
    let mut most = found.score;
    for other in &found.alternatives {
        let Alternative { kind, command, wish, target_id, negated, score } = other;
        assert!(is_share(*score) && *score <= most, "the best comes first");
        assert!(target_id.iter().all(is_offered));
        assert_eq!(*kind == UtteranceKind::None, *negated);
        check_command(*kind, command.is_some(), wish);
        most = *score;
    }
}

fuzz_target!(|data: &[u8]| {
    let (bits, rest) = data.split_first().map_or((0, data), |(bits, rest)| (*bits, rest));
    let text = if bits & 8 == 0 { String::from_utf8_lossy(rest).into_owned() } else { worded(rest) };
    let mut lines = text.split('\n');
    let utterance = lines.next().unwrap_or_default().to_owned();
    let candidates: Vec<CandidateInput> = lines.take(MAX_CANDIDATES).enumerate().map(candidate).collect();
    let offered = candidates.clone();
    let input = UtteranceInput {
        utterance,
        speaking: bits & 1 != 0,
        asking: bits & 2 != 0,
        candidates: Some(candidates).filter(|candidates| !candidates.is_empty()),
    };
    let luna = if bits & 4 == 0 { &LUNA } else { &CAREFUL };
    let found = luna.understand(&input);
    check(&found, &offered);
    assert_eq!(luna.understand(&input), found, "the same is understood each time");
    if input.speaking && !input.asking && input.candidates.is_none() {
        assert_eq!(luna.reflex(&input.utterance, true), found.command, "partial transcripts are understood alike");
    }
});
