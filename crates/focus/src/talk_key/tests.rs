//! Holding the key to speak, and what is none (VOI-1, ATT-6).

use proptest::prelude::*;

use super::*;
use crate::silence::{SilenceCause, SilenceKeys, SilenceSettings};
use CtrlSide::{Left, Right};
use HoldStep::{Begins, Ends};

const fn down(side: CtrlSide) -> KeyChange {
    KeyChange::CtrlDown { side, alone: true }
}

const fn down_with(side: CtrlSide) -> KeyChange {
    KeyChange::CtrlDown { side, alone: false }
}

const fn up(side: CtrlSide) -> KeyChange {
    KeyChange::CtrlUp { side }
}

fn steps(changes: &[KeyChange]) -> Vec<Option<HoldStep>> {
    let mut keys = HoldKeys::new(Right);
    changes.iter().map(|change| keys.decide(KeyEvent { change: *change, at_ms: 0 })).collect()
}

// VOI-1, ATT-6
#[test]
fn the_right_key_alone_is_held_to_speak_voi_1_att_6() {
    let (typed, combined) = (KeyChange::Typed, KeyChange::Combined);
    for (what, changes, expect) in [
        ("held and let go", vec![down(Right), up(Right)], vec![Some(Begins), Some(Ends)]),
        (
            "repeating",
            vec![down(Right), down(Right), down(Right), up(Right)],
            vec![Some(Begins), None, None, Some(Ends)],
        ),
        ("repeating with itself", vec![down(Right), down_with(Right), up(Right)], vec![Some(Begins), None, Some(Ends)]),
        ("the left key", vec![down(Left), up(Left)], vec![None, None]),
        ("a shortcut", vec![down(Right), typed, up(Right)], vec![Some(Begins), Some(Ends), None]),
        ("a click", vec![down(Right), combined, up(Right)], vec![Some(Begins), Some(Ends), None]),
        ("with Shift", vec![down_with(Right), up(Right)], vec![None, None]),
        (
            "a shortcut, repeating",
            vec![down(Right), typed, down(Right), up(Right)],
            vec![Some(Begins), Some(Ends), None, None],
        ),
        (
            "both Ctrl keys",
            vec![down(Right), down_with(Left), up(Left), up(Right)],
            vec![Some(Begins), Some(Ends), None, None],
        ),
        ("the left key first", vec![down(Left), down_with(Right), up(Left), up(Right)], vec![None; 4]),
        ("typing", vec![typed, combined, typed], vec![None, None, None]),
        (
            "again after a shortcut",
            vec![down(Right), typed, up(Right), down(Right), up(Right)],
            vec![Some(Begins), Some(Ends), None, Some(Begins), Some(Ends)],
        ),
        ("it was down before Luna looked", vec![up(Right), down(Right)], vec![None, Some(Begins)]),
    ] {
        assert_eq!(steps(&changes), expect, "{what}");
    }
}

fn change() -> impl Strategy<Value = KeyChange> {
    let side = prop_oneof![Just(Left), Just(Right)];
    prop_oneof![
        3 => (side.clone(), prop::bool::weighted(0.8)).prop_map(|(side, alone)| KeyChange::CtrlDown { side, alone }),
        3 => side.prop_map(up),
        1 => Just(KeyChange::Typed),
        1 => Just(KeyChange::Combined),
    ]
}

proptest! {
    // VOI-1: what begins ends once, and nothing is held after the key went up or another was pressed.
    #[test]
    fn what_begins_ends_once_voi_1(changes in prop::collection::vec(change(), 0..40)) {
        let mut held = false;
        for (change, step) in changes.iter().zip(steps(&changes)) {
            match step {
                Some(Begins) => {
                    prop_assert!(!held && *change == down(Right));
                    held = true;
                }
                Some(Ends) => {
                    prop_assert!(held);
                    held = false;
                }
                None => {}
            }
            let other = matches!(change, KeyChange::Typed | KeyChange::Combined) || *change == up(Right);
            prop_assert!(!(held && other), "{change:?} leaves it held");
        }
    }

    // ATT-6: a tap of the key is as long as its holding, and shorter than speaking takes to begin.
    #[test]
    fn a_tap_is_no_speaking_att_6(
        changes in prop::collection::vec((change(), 0..400_u32), 0..40)
    ) {
        let (mut hold, mut silence) = (HoldKeys::new(Right), SilenceKeys::default());
        let settings = SilenceSettings { ctrl_tap: true, any_key: false };
        let (mut at_ms, mut began) = (0, None);
        let mut down_sides = Vec::new();
        for (change, later) in changes {
            at_ms += later;
            // No key goes down alone while the other Ctrl key is down.
            let change = match change {
                KeyChange::CtrlDown { side, alone } => {
                    let alone = alone && !down_sides.iter().any(|other| *other != side);
                    down_sides.push(side);
                    KeyChange::CtrlDown { side, alone }
                }
                KeyChange::CtrlUp { side } => {
                    down_sides.retain(|other| *other != side);
                    change
                }
                KeyChange::Typed | KeyChange::Combined => change,
            };
            let event = KeyEvent { change, at_ms };
            let tap = silence.decide(event, settings) == Some(SilenceCause::CtrlTap) && change == up(Right);
            let step = hold.decide(event);
            if step == Some(Begins) {
                began = Some(at_ms);
            }
            if tap {
                prop_assert_eq!(step, Some(Ends));
                prop_assert!(began.is_some_and(|began| at_ms - began < HOLD_AFTER_MS));
            }
        }
    }
}
