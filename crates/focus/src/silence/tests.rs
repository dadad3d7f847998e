//! Taps of Ctrl and what is none (ATT-6).

use proptest::prelude::*;

use super::*;
use CtrlSide::{Left, Right};
use SilenceCause::{AnyKey, CtrlTap};

const TAP: SilenceSettings = SilenceSettings { ctrl_tap: true, any_key: false };
const ANY: SilenceSettings = SilenceSettings { ctrl_tap: true, any_key: true };
const OFF: SilenceSettings = SilenceSettings { ctrl_tap: false, any_key: false };

fn down(at_ms: u32, side: CtrlSide) -> KeyEvent {
    KeyEvent { change: KeyChange::CtrlDown { side, alone: true }, at_ms }
}

fn down_with(at_ms: u32, side: CtrlSide) -> KeyEvent {
    KeyEvent { change: KeyChange::CtrlDown { side, alone: false }, at_ms }
}

fn up(at_ms: u32, side: CtrlSide) -> KeyEvent {
    KeyEvent { change: KeyChange::CtrlUp { side }, at_ms }
}

fn typed(at_ms: u32) -> KeyEvent {
    KeyEvent { change: KeyChange::Typed, at_ms }
}

fn combined(at_ms: u32) -> KeyEvent {
    KeyEvent { change: KeyChange::Combined, at_ms }
}

fn causes(settings: SilenceSettings, events: &[KeyEvent]) -> Vec<SilenceCause> {
    let mut keys = SilenceKeys::default();
    events.iter().filter_map(|event| keys.decide(*event, settings)).collect()
}

// ATT-6
#[test]
fn a_short_tap_of_ctrl_alone_silences_att_6() {
    for (what, events, expect) in [
        ("a tap", vec![down(1000, Left), up(1080, Left)], vec![CtrlTap]),
        ("the right key, too", vec![down(1000, Right), up(1080, Right)], vec![CtrlTap]),
        ("just short enough", vec![down(0, Left), up(249, Left)], vec![CtrlTap]),
        ("held", vec![down(0, Left), up(250, Left)], vec![]),
        ("the clock wraps", vec![down(u32::MAX - 20, Left), up(60, Left)], vec![CtrlTap]),
        ("two taps", vec![down(0, Left), up(50, Left), down(150, Left), up(200, Left)], vec![CtrlTap, CtrlTap]),
        ("Ctrl+C", vec![down(0, Left), typed(30), up(60, Left)], vec![]),
        ("Ctrl+C, C released last", vec![down(0, Left), typed(30), up(60, Left), typed(900)], vec![]),
        ("Ctrl and a click", vec![down(0, Left), combined(30), up(60, Left)], vec![]),
        ("Ctrl+Shift", vec![down(0, Left), combined(30), up(60, Left)], vec![]),
        ("Shift is held already", vec![down_with(0, Left), up(60, Left)], vec![]),
        ("both Ctrl keys", vec![down(0, Left), down_with(20, Right), up(60, Left), up(80, Right)], vec![]),
        ("both at once", vec![down(0, Left), down(0, Right), up(60, Right), up(80, Left)], vec![]),
        ("a tap of one while the other is held", vec![down(0, Left), down_with(900, Right), up(950, Right)], vec![]),
        (
            "a tap after both",
            vec![down(0, Left), down(5, Right), up(60, Left), up(61, Right), down(100, Left), up(150, Left)],
            vec![CtrlTap],
        ),
        ("held and repeating", vec![down(0, Left), down(500, Left), down(530, Left), up(540, Left)], vec![]),
        ("Ctrl and a click, repeating", vec![down(0, Left), combined(30), down(500, Left), up(540, Left)], vec![]),
        ("it was down before Luna looked", vec![up(40, Left)], vec![]),
        (
            "the release was missed",
            vec![down(0, Left), down(5000, Left), up(5050, Left), down(6000, Left), up(6050, Left)],
            vec![CtrlTap],
        ),
    ] {
        assert_eq!(causes(TAP, &events), expect, "{what}");
        assert_eq!(causes(OFF, &events), [], "{what}, turned off");
    }
}

// ATT-6
#[test]
fn any_other_key_silences_if_so_configured_att_6() {
    let text = [typed(0), typed(90), combined(200), down(300, Left), typed(330), up(360, Left), combined(500)];
    assert_eq!(causes(ANY, &text), [AnyKey, AnyKey, AnyKey]);
    assert_eq!(causes(TAP, &text), []);
    let only_any = SilenceSettings { ctrl_tap: false, any_key: true };
    assert_eq!(causes(only_any, &[down(0, Left), up(50, Left), typed(60)]), [AnyKey]);
    assert!(only_any.needs_keys() && TAP.needs_keys() && !OFF.needs_keys());
}

/// By the definition: a Ctrl key goes down alone, nothing but its own repetition follows, and it goes up within the limit.
fn taps_by_definition(events: &[KeyEvent]) -> usize {
    let is_tap = |end: usize, side: CtrlSide| {
        let before = &events[..end];
        let repeats = |event: &&KeyEvent| matches!(event.change, KeyChange::CtrlDown { side: of, .. } if of == side);
        let run = before.iter().rev().take_while(repeats).count();
        let Some(first) = before.get(end - run) else { return false };
        // A release of this key that was missed makes its next press a repetition.
        let touches = |event: &&KeyEvent| match event.change {
            KeyChange::CtrlDown { side: of, .. } | KeyChange::CtrlUp { side: of } => of == side,
            KeyChange::Typed | KeyChange::Combined => false,
        };
        let earlier = before[..end - run].iter().rev().find(touches);
        let fresh = earlier.is_none_or(|event| matches!(event.change, KeyChange::CtrlUp { .. }));
        run > 0
            && fresh
            && first.change == (KeyChange::CtrlDown { side, alone: true })
            && events[end].at_ms - first.at_ms < TAP_LIMIT_MS
    };
    let ends = events.iter().enumerate().filter(|(end, event)| match event.change {
        KeyChange::CtrlUp { side } => is_tap(*end, side),
        _ => false,
    });
    ends.count()
}

fn any_events() -> impl Strategy<Value = Vec<KeyEvent>> {
    let side = prop_oneof![Just(Left), Just(Right)];
    let change = prop_oneof![
        (side.clone(), proptest::bool::weighted(0.8)).prop_map(|(side, alone)| KeyChange::CtrlDown { side, alone }),
        side.prop_map(|side| KeyChange::CtrlUp { side }),
        Just(KeyChange::Typed),
        Just(KeyChange::Combined),
    ];
    proptest::collection::vec((change, 0_u32..200), 0..24).prop_map(|events| {
        let (mut at_ms, mut held) = (0, [false; 2]);
        let timed = events.into_iter().map(|(mut change, after)| {
            at_ms += after;
            match &mut change {
                KeyChange::CtrlDown { side, alone } => {
                    *alone &= !held[1 - *side as usize];
                    held[*side as usize] = true;
                }
                KeyChange::CtrlUp { side } => held[*side as usize] = false,
                KeyChange::Typed | KeyChange::Combined => {}
            }
            KeyEvent { change, at_ms }
        });
        timed.collect()
    })
}

proptest! {
    // ATT-6
    #[test]
    fn exactly_the_taps_of_the_definition_silence_att_6(events in any_events()) {
        prop_assert_eq!(causes(TAP, &events).len(), taps_by_definition(&events));
        prop_assert_eq!(causes(OFF, &events), []);
        let count = events.iter().filter(|event| event.change == KeyChange::Typed).count();
        let by_key = causes(ANY, &events).into_iter().filter(|cause| *cause == AnyKey).count();
        prop_assert_eq!(by_key, count);
    }

    // ATT-6: whatever came before, a clean tap works within one more press and release.
    #[test]
    fn nothing_that_was_missed_disables_the_tap_for_good_att_6(mut events in any_events()) {
        let end = events.last().map_or(0, |event| event.at_ms);
        let before = causes(TAP, &events).len();
        let clean = [up(end + 1000, Left), up(end + 1001, Right), down(end + 2000, Left), up(end + 2050, Left)];
        events.extend(clean);
        prop_assert!(causes(TAP, &events).len() > before);
    }
}
