//! Labelled pairs of a text and its translation with the expected verdict of the preservation check.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use luna_messages::Fidelity;
use luna_messages::preserve::{TokenClass, TokenStatus};
use luna_preservation::{Glossary, check};
use serde::Deserialize;

#[derive(Deserialize)]
struct LockTestPair {
    source: String,
    target: String,
    mode: Fidelity,
    expect: Expected,
}

#[derive(Deserialize)]
struct Expected {
    ok: bool,
    #[serde(default)]
    tokens: Vec<ExpectedToken>,
}

#[derive(Deserialize)]
struct ExpectedToken {
    class: TokenClass,
    text: String,
    status: TokenStatus,
}

fn pairs() -> Vec<LockTestPair> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/language/pairs.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

// PRE-1, PRE-2, PRE-3, TRN-3
#[test]
fn our_labelled_pairs_come_out_right_pre_1_pre_2_pre_3_trn_3() {
    let pairs = pairs();
    assert!(pairs.len() >= 500, "{} pairs", pairs.len());
    let korean = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
    let from_korean = pairs.iter().filter(|pair| korean(&pair.source)).count();
    assert!((35..=65).contains(&(100 * from_korean / pairs.len())), "balanced: {from_korean} of {}", pairs.len());
    let mut wrong = Vec::new();
    for pair in &pairs {
        let report = check(&pair.source, &pair.target, pair.mode, &Glossary::default());
        let told = |token: &&ExpectedToken| {
            !report.tokens.iter().any(|t| t.class == token.class && t.text == token.text && t.status == token.status)
        };
        if report.ok != pair.expect.ok || pair.expect.tokens.iter().any(|token| told(&token)) {
            wrong.push(format!("{:?} {} / {}: {:?}", pair.mode, pair.source, pair.target, report.tokens));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}
