//! Words that come as text.

use luna_messages::listening::HeardOutcome;

use super::scene::{TurnScene, outcomes, reflexes};
use crate::turn::{TurnEffect, TurnEvent, TurnSettings};

fn say(event: fn() -> TurnEvent, reading: bool) -> (Option<HeardOutcome>, usize) {
    let mut scene = TurnScene::new(TurnSettings::default(), vec![]);
    if reading {
        scene = scene.reading("긴 글입니다.");
    }
    scene.events = vec![(1000, event)];
    let done = scene.play();
    let report = done.iter().find_map(|(_, effect)| match effect {
        TurnEffect::Report(report) => Some(report.outcome),
        _ => None,
    });
    assert_eq!(report, outcomes(&done).last().map(|(_, outcome)| *outcome));
    (report, reflexes(&done).len())
}

fn text(text: &str) -> TurnEvent {
    TurnEvent::SayTo { text: text.to_owned() }
}

// VOI-1, BRG-1
#[test]
fn words_that_come_as_text_obey_the_same_rules_voi_1_brg_1() {
    assert_eq!(say(|| text("집중 모드 켜"), false), (Some(HeardOutcome::NotAddressed), 0));
    assert_eq!(say(|| text("루나, 집중 모드 켜"), false), (Some(HeardOutcome::Obeyed), 1));
    assert_eq!(say(|| text("멈춰"), true), (Some(HeardOutcome::Obeyed), 1));
    assert_eq!(say(|| text("루나"), false), (Some(HeardOutcome::Called), 0));
    assert_eq!(say(|| text("루나 저장 눌러"), false), (Some(HeardOutcome::Obeyed), 0));
    assert_eq!(say(|| text("  "), true), (Some(HeardOutcome::NoWords), 0));
    assert_eq!(say(|| text("예"), true), (Some(HeardOutcome::NotAddressed), 0));
}
