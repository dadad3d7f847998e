//! What the classifier reaches on sentences that it was not trained on: recall of orders and false orders per 1,000, by threshold, source and language.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use luna_messages::understanding::{UtteranceInput, UtteranceKind};
use luna_nlu::talk::Classifier;
use luna_nlu::{Understanding, Vocabulary};

use super::Failure;
use super::corpora::text;
use super::samples::{Part, Sample};
use super::variants::without_spaces;

const THRESHOLDS: [f32; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// Wrong sentences that are shown.
const SHOWN: usize = 60;

/// Number of sentences by source and part.
pub fn counts(out: &mut String, samples: &[Sample]) -> std::fmt::Result {
    let mut counts: BTreeMap<(bool, &str), [usize; 3]> = BTreeMap::new();
    for sample in samples {
        counts.entry((sample.is_order, sample.source)).or_default()[sample.part as usize] += 1;
    }
    writeln!(out, "## Sentences\n\n| source | label | train | tune | test |\n|---|---|---:|---:|---:|")?;
    for ((is_order, source), [train, tune, test]) in counts {
        writeln!(out, "| {source} | {} | {train} | {tune} | {test} |", if is_order { "order" } else { "talk" })?;
    }
    Ok(())
}

/// Probabilities by row of a table.
type Rows = BTreeMap<String, Vec<f32>>;

/// The tables of the test part.
pub fn tables(out: &mut String, classifier: &Classifier, samples: &[Sample]) -> std::fmt::Result {
    let test: Vec<&Sample> = samples.iter().filter(|sample| sample.part == Part::Test).collect();
    for (is_order, title, scale) in
        [(true, "Recall of orders, %", 100.0), (false, "False orders per 1,000 sentences of talk", 1000.0)]
    {
        writeln!(out, "\n## {title}, by threshold (test part)\n")?;
        heading(out)?;
        let mut rows = Rows::new();
        for sample in test.iter().filter(|sample| sample.is_order == is_order) {
            let order = classifier.order(&sample.text);
            for row in rows_of(sample) {
                rows.entry(row).or_default().push(order);
            }
            let without = rows.entry(format!("all {}, spaces removed", language(sample))).or_default();
            without.push(classifier.order(&without_spaces(&sample.text)));
        }
        for (row, orders) in &rows {
            table_row(out, row, orders, scale)?;
        }
    }
    whole_test_suite(out, classifier, samples)?;
    calibration(out, classifier, &test)?;
    behind_the_grammar(out, classifier, &test)
}

fn language(sample: &Sample) -> &'static str {
    if sample.is_korean() { "Korean" } else { "English" }
}

/// The rows that a sentence counts in.
fn rows_of(sample: &Sample) -> Vec<String> {
    let lang = language(sample);
    let mut rows = vec![format!("all {lang}"), format!("{}, {lang}", sample.source)];
    if !sample.is_order && sample.is_real() {
        rows.push(format!("all real {lang}"));
        if has_command_word(&sample.text) {
            rows.push(format!("hard: real, with a word of commands, {lang}"));
        }
        if is_imperative(&sample.text) {
            rows.push(format!("hard: real, ends or begins as an order, {lang}"));
        }
    }
    if sample.is_order && sample.text.chars().count() > 35 {
        rows.push(format!("hard: long, mostly with a story, {lang}"));
    }
    rows
}

fn heading(out: &mut String) -> std::fmt::Result {
    let heads: Vec<String> = THRESHOLDS.iter().map(|threshold| format!("{threshold}")).collect();
    writeln!(out, "| | n | {} |\n|---|---:{}|", heads.join(" | "), "|---:".repeat(THRESHOLDS.len()))
}

fn table_row(out: &mut String, row: &str, orders: &[f32], scale: f64) -> std::fmt::Result {
    let share = |threshold: f32| {
        let above = orders.iter().filter(|order| **order >= threshold).count();
        format!("{:.1}", scale * above as f64 / orders.len().max(1) as f64)
    };
    writeln!(out, "| {row} | {} | {} |", orders.len(), THRESHOLDS.map(share).join(" | "))
}

/// Parts of words, and English words, that a grammar of commands would parse.
const KOREAN_COMMANDS: &[&str] = &[
    "눌러",
    "누르",
    "읽",
    "열어",
    "열었",
    "닫",
    "복사",
    "저장",
    "써",
    "보내",
    "켜",
    "꺼",
    "번역",
    "멈춰",
    "멈췄",
    "그만",
    "다시",
    "선택",
    "취소",
    "답장",
    "들려",
    "소리",
    "확대",
    "천천히",
];
const ENGLISH_COMMANDS: &[&str] = &[
    "press",
    "click",
    "type",
    "write",
    "read",
    "open",
    "close",
    "copy",
    "save",
    "stop",
    "start",
    "turn",
    "send",
    "delete",
    "repeat",
    "translate",
    "spell",
    "find",
    "search",
    "play",
    "move",
    "select",
    "choose",
    "check",
    "cancel",
    "print",
    "show",
    "speak",
    "say",
    "next",
    "back",
    "tell",
];

fn has_command_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    let solid = without_spaces(&lower);
    KOREAN_COMMANDS.iter().any(|word| solid.contains(word))
        || lower.split(|c: char| !c.is_alphanumeric()).any(|word| ENGLISH_COMMANDS.contains(&word))
}

const KOREAN_ENDS: &[&str] = &["줘", "주세요", "세요", "줄래", "해라", "십시오", "봐", "해줘요", "하자"];
const ENGLISH_BEGINS: &[&str] = &[
    "can you",
    "could you",
    "please",
    "would you",
    "i want",
    "i need",
    "tell me",
    "show me",
    "let",
    "go ",
    "i'd like",
];

/// Whether a grammar of commands might parse it.
pub fn is_hard(text: &str) -> bool {
    has_command_word(text) || is_imperative(text)
}

/// Whether it has an ending of Korean orders, or begins like an English one.
fn is_imperative(text: &str) -> bool {
    let lower = text.to_lowercase();
    let solid = without_spaces(&lower);
    let solid = solid.trim_end_matches(['.', '!', '?', '~']);
    KOREAN_ENDS.iter().any(|end| solid.ends_with(end)) || ENGLISH_BEGINS.iter().any(|begin| lower.starts_with(begin))
}

/// The utterances that understanding is tested with, including those trained on: none may be lost.
fn whole_test_suite(out: &mut String, classifier: &Classifier, samples: &[Sample]) -> std::fmt::Result {
    writeln!(out, "\n## Labelled utterances of the test suite (all parts): % with at least the probability\n")?;
    heading(out)?;
    let mut rows = Rows::new();
    for sample in samples.iter().filter(|sample| sample.source == "utterances") {
        let label = if sample.is_order { "orders" } else { "talk" };
        rows.entry(format!("{label} {}", language(sample))).or_default().push(classifier.order(&sample.text));
    }
    for (row, orders) in &rows {
        table_row(out, row, orders, 100.0)?;
    }
    Ok(())
}

/// Of the sentences with a probability of about p, how many are orders; both labels equally heavy.
fn calibration(out: &mut String, classifier: &Classifier, test: &[&Sample]) -> std::fmt::Result {
    let mut bins = [[0.0_f64; 2]; 10];
    let orders = test.iter().filter(|sample| sample.is_order).count().max(1) as f64;
    let talk = (test.len() as f64 - orders).max(1.0);
    for sample in test {
        let bin = ((classifier.order(&sample.text) * 10.0) as usize).min(9);
        bins[bin][usize::from(sample.is_order)] += if sample.is_order { 1.0 / orders } else { 1.0 / talk };
    }
    writeln!(out, "\n## Calibration (test part)\n\n| probability | orders, % |\n|---|---:|")?;
    for (at, [talk, orders]) in bins.iter().enumerate() {
        let share = 100.0 * orders / (orders + talk).max(1e-12);
        writeln!(out, "| {:.1}–{:.1} | {share:.1} |", at as f64 / 10.0, (at + 1) as f64 / 10.0)?;
    }
    Ok(())
}

/// What the grammar takes for something that acts, and how much of it the classifier lets pass: the use in Luna.
fn behind_the_grammar(out: &mut String, classifier: &Classifier, test: &[&Sample]) -> std::fmt::Result {
    let grammar = Understanding::new(&Vocabulary::default());
    let mut rows: BTreeMap<String, (usize, Vec<f32>)> = BTreeMap::new();
    for sample in test.iter().filter(|sample| sample.is_real()) {
        let label = if sample.is_order { "orders" } else { "talk" };
        let row = rows.entry(format!("{label} {}", language(sample))).or_default();
        row.0 += 1;
        let utterance = UtteranceInput { utterance: sample.text.clone(), ..UtteranceInput::default() };
        if grammar.understand(&utterance).kind != UtteranceKind::None {
            row.1.push(classifier.order(&sample.text));
        }
    }
    writeln!(
        out,
        "\n## Behind the grammar: of 1,000 real sentences (test part, nothing being read), those that it parses and that have at least the probability\n"
    )?;
    let heads: Vec<String> = THRESHOLDS.iter().map(|threshold| format!("{threshold}")).collect();
    writeln!(out, "| | n | parsed | {} |\n|---|---:|---:{}|", heads.join(" | "), "|---:".repeat(THRESHOLDS.len()))?;
    for (row, (all, parsed)) in &rows {
        let share = |count: usize| format!("{:.1}", 1000.0 * count as f64 / *all as f64);
        let above = THRESHOLDS.map(|t| share(parsed.iter().filter(|order| **order >= t).count()));
        writeln!(out, "| {row} | {all} | {} | {} |", share(parsed.len()), above.join(" | "))?;
    }
    Ok(())
}

/// Sentences that were written for this measurement and are never trained on: label, kind and sentence, separated by tabs. Returns the wrong ones.
pub fn held_out(out: &mut String, classifier: &Classifier, path: &Path) -> Result<String, Failure> {
    let text = text(path)?;
    let mut rows: BTreeMap<String, Vec<f32>> = BTreeMap::new();
    let mut wrong = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut fields = line.split('\t');
        let (Some(label), Some(kind), Some(sentence)) = (fields.next(), fields.next(), fields.next()) else {
            return Err(format!("{}: no sentence: {line}", path.display()).into());
        };
        let (is_order, order) = (label == "order", classifier.order(sentence));
        rows.entry(format!("{label}: {kind}")).or_default().push(order);
        if is_order != (order >= 0.5) {
            writeln!(wrong, "- {order:.2} {label}: {sentence}")?;
        }
    }
    writeln!(out, "\n## Held-out sentences: % with at least the probability\n")?;
    heading(out)?;
    for (row, orders) in &rows {
        table_row(out, row, orders, 100.0)?;
    }
    Ok(wrong)
}

/// The utterances of the test suite on the wrong side of 0.3, whatever their part.
fn lost_utterances(classifier: &Classifier, samples: &[Sample]) -> String {
    let lost = samples.iter().filter(|s| s.source == "utterances" && s.is_order != (classifier.order(&s.text) >= 0.3));
    lost.map(|s| format!("{:.2} {} [{:?}]", classifier.order(&s.text), s.text, s.part)).collect::<Vec<_>>().join("; ")
}

/// The worst sentences of the test part, for people who improve the training.
pub fn worst(classifier: &Classifier, samples: &[Sample]) -> Result<String, Failure> {
    let mut out = String::new();
    for is_order in [false, true] {
        let wanted = |sample: &&Sample| {
            sample.part == Part::Test && sample.is_order == is_order && !sample.source.starts_with("joined")
        };
        let mut rows: Vec<(f32, &Sample)> =
            samples.iter().filter(wanted).map(|sample| (classifier.order(&sample.text), sample)).collect();
        rows.sort_by(|a, b| if is_order { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        writeln!(out, "\n## Worst: {}\n", if is_order { "orders taken for talk" } else { "talk taken for orders" })?;
        for (order, sample) in rows.iter().take(SHOWN) {
            writeln!(out, "- {order:.2} [{}] {}", sample.source, sample.text)?;
        }
    }
    writeln!(
        out,
        "\n## Utterances of the test suite on the wrong side of 0.3\n\n{}",
        lost_utterances(classifier, samples)
    )?;
    Ok(out)
}

/// Figures of the tuning part, by which sizes and rates are chosen: log loss with both labels equally heavy; recall and false orders of real sentences.
pub fn tuning(classifier: &Classifier, samples: &[Sample]) -> String {
    let mut loss = [(0.0_f64, 0_usize); 2];
    let mut real = [Vec::new(), Vec::new()];
    for sample in samples.iter().filter(|sample| sample.part == Part::Tune) {
        let order = f64::from(classifier.order(&sample.text));
        let (sum, count) = &mut loss[usize::from(sample.is_order)];
        *sum -= (if sample.is_order { order } else { 1.0 - order }).max(1e-9).ln();
        *count += 1;
        if sample.is_real() && (sample.is_order || is_hard(&sample.text)) {
            real[usize::from(sample.is_order)].push(order);
        }
    }
    let mean: f64 = loss.iter().map(|(sum, count)| sum / (*count).max(1) as f64 / 2.0).sum();
    let share =
        |orders: &[f64], t: f64| orders.iter().filter(|order| **order >= t).count() as f64 / orders.len().max(1) as f64;
    let at = |t: f64| format!("{:.1} % {:.1} ‰", 100.0 * share(&real[1], t), 1000.0 * share(&real[0], t));
    format!(
        "tuning: log loss {mean:.4}; real orders and hard real talk at 0.3: {}, at 0.5: {}, at 0.7: {}",
        at(0.3),
        at(0.5),
        at(0.7)
    )
}

/// Time per sentence of about 40 characters in microseconds: least, median and 99th percentile of blocks. A mean would tell the load of the machine instead.
#[allow(clippy::disallowed_methods, reason = "a measurement of time")]
pub fn time(classifier: &Classifier) -> String {
    const BLOCKS: usize = 2_000;
    const BLOCK: u32 = 20;
    let sentences = [
        "화면 오른쪽 아래에 있는 저장 버튼을 한 번만 천천히 눌러 주시면 정말 고맙겠습니다",
        "could you press the save button please ok",
    ];
    let mut blocks = Vec::with_capacity(BLOCKS);
    for _ in 0..BLOCKS {
        let begin = std::time::Instant::now();
        for at in 0..BLOCK {
            std::hint::black_box(classifier.order(std::hint::black_box(sentences[at as usize % 2])));
        }
        blocks.push(begin.elapsed().as_secs_f64() * 1e6 / f64::from(BLOCK));
    }
    blocks.sort_by(f64::total_cmp);
    let at = |share: usize| blocks.get(BLOCKS * share / 100).copied().unwrap_or(f64::NAN);
    format!("least {:.1}, median {:.1}, 99 % {:.1} µs for a sentence of 40 characters", at(0), at(50), at(99))
}
