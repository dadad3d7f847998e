//! Fits the weights by which an interpretation is accepted (`score.rs`): a logistic regression on the evidence of sentences that the grammar reads, each
//! judged by a classifier that was not trained on it.

use std::fmt::Write as _;

use luna_messages::understanding::UtteranceInput;
use luna_nlu::{EVIDENCE, Understanding, Vocabulary};

use super::learning;
use super::random::hash;
use super::samples::{Part, Sample};

/// Classifiers that are trained for it, each without a part of the sentences.
const FOLDS: u64 = 4;
/// Keeps weights small.
const RIDGE: f64 = 2.0;
const ROUNDS: usize = 30;
/// Sentences that are shown.
const SHOWN: usize = 120;
/// Of all sentences of chat, the share that may act.
const FALSE_ORDERS: f64 = 0.0024;

/// Talk that is nearly an order to Luna, or one to a service or a person.
const ASIDE: [&str; 6] =
    ["3i4k command to people", "3i4k by intonation", "3i4k mail", "snips", "in3 task", "in3 question"];

/// A sentence that the grammar reads.
struct JudgedSentence {
    evidence: [f64; EVIDENCE],
    is_order: bool,
    weight: f64,
    /// A line of chat, by which the threshold is chosen.
    is_chat: bool,
    text: String,
    source: &'static str,
}

/// The weights, as text of the program, and what they reach.
pub fn fit(samples: &[Sample]) -> Option<(String, String)> {
    let (rows, chat) = rows(samples)?;
    let mut weights = descend(&rows);
    let sum = |row: &JudgedSentence, weights: &[f64; EVIDENCE]| -> f64 {
        row.evidence.iter().zip(weights).map(|(value, weight)| value * weight).sum()
    };
    let mut accepted: Vec<f64> = rows.iter().filter(|row| row.is_chat).map(|row| sum(row, &weights)).collect();
    accepted.sort_by(|a, b| b.total_cmp(a));
    let at = (chat as f64 * FALSE_ORDERS) as usize;
    let limit = accepted.get(at).copied().unwrap_or(0.0);
    if let Some(bias) = weights.first_mut() {
        *bias -= limit;
    }
    let mut judged: Vec<(f64, &JudgedSentence)> = rows.iter().map(|row| (sum(row, &weights), row)).collect();
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (score, row) in judged.iter().filter(|(_, row)| !row.is_order).take(SHOWN) {
        println!("talk {score:.2} [{}] {}", row.source, row.text);
    }
    for (score, row) in judged
        .iter()
        .rev()
        .filter(|(score, row)| row.is_order && *score < 0.0 && !row.source.starts_with("drawn"))
        .take(4 * SHOWN)
    {
        println!("order {score:.2} odds {:.2} [{}] {}", row.evidence[1], row.source, row.text);
    }
    let share = |is_order: bool| {
        let all = rows.iter().filter(|row| row.is_order == is_order);
        let (all, over) = all.fold((0, 0), |(all, over), row| (all + 1, over + usize::from(sum(row, &weights) > 0.0)));
        (over, all)
    };
    let (orders, talk) = (share(true), share(false));
    let mut report = String::new();
    writeln!(
        report,
        "acceptance: {} of {} orders that are read, {} of {} sentences of talk that are read; {chat} lines of chat, of which {at} pass",
        orders.0, orders.1, talk.0, talk.1
    )
    .ok()?;
    let text = weights.iter().map(|weight| format!("{weight:.3}")).collect::<Vec<_>>().join(", ");
    Some((format!("[{text}]\n"), report))
}

/// The rows, and the number of all lines of chat.
fn rows(samples: &[Sample]) -> Option<(Vec<JudgedSentence>, usize)> {
    let mut rows = Vec::new();
    let mut chat = 0;
    for fold in 0..FOLDS {
        let of_fold = |sample: &&Sample| hash(&sample.text) / 16 % FOLDS == fold;
        let others: Vec<&Sample> =
            samples.iter().filter(|sample| !of_fold(sample) && sample.part != Part::Tune).collect();
        let tuning: Vec<&Sample> =
            samples.iter().filter(|sample| !of_fold(sample) && sample.part == Part::Tune).collect();
        let classifier = learning::train(&others, &tuning)?;
        let luna = Understanding::new(&Vocabulary::default()).with_classifier(Some(classifier));
        for sample in samples.iter().filter(of_fold).filter(|sample| !sample.source.starts_with("joined")) {
            let is_chat = matches!(sample.source, "talk ko" | "talk en");
            chat += usize::from(is_chat);
            // Drawn orders are as many as all others, and simpler.
            let drawn = sample.source.starts_with("drawn");
            if drawn && !(hash(&sample.text) / 64).is_multiple_of(12) {
                continue;
            }
            let given = UtteranceInput { utterance: sample.text.clone(), ..UtteranceInput::default() };
            if let Some(evidence) = luna.evidence(&given) {
                let weight = if drawn || ASIDE.contains(&sample.source) { 0.3 } else { 1.0 };
                rows.push(JudgedSentence {
                    evidence,
                    is_order: sample.is_order,
                    weight,
                    is_chat,
                    text: sample.text.clone(),
                    source: sample.source,
                });
            }
        }
    }
    Some((rows, chat))
}

/// Newton's iteration.
fn descend(rows: &[JudgedSentence]) -> [f64; EVIDENCE] {
    let mut weights = [0.0; EVIDENCE];
    for _ in 0..ROUNDS {
        let mut gradient = [0.0; EVIDENCE];
        let mut curve = [[0.0; EVIDENCE]; EVIDENCE];
        for row in rows {
            let sum: f64 = row.evidence.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            let p = 1.0 / (1.0 + (-sum).exp());
            let error = row.weight * (p - f64::from(u8::from(row.is_order)));
            let bend = row.weight * p * (1.0 - p);
            for (at, value) in row.evidence.iter().enumerate() {
                gradient[at] += error * value;
                for (other, second) in row.evidence.iter().enumerate() {
                    curve[at][other] += bend * value * second;
                }
            }
        }
        for at in 0..EVIDENCE {
            gradient[at] += RIDGE * weights[at];
            curve[at][at] += RIDGE;
        }
        let step = solved(curve, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
    }
    weights
}

/// The solution of a positive definite system, by elimination.
#[allow(clippy::needless_range_loop, reason = "rows and columns of one matrix")]
fn solved(mut matrix: [[f64; EVIDENCE]; EVIDENCE], mut right: [f64; EVIDENCE]) -> [f64; EVIDENCE] {
    for at in 0..EVIDENCE {
        for below in at + 1..EVIDENCE {
            let factor = matrix[below][at] / matrix[at][at];
            for column in at..EVIDENCE {
                matrix[below][column] -= factor * matrix[at][column];
            }
            right[below] -= factor * right[at];
        }
    }
    for at in (0..EVIDENCE).rev() {
        for column in at + 1..EVIDENCE {
            right[at] -= matrix[at][column] * right[column];
        }
        right[at] /= matrix[at][at];
    }
    right
}
