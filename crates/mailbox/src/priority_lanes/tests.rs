//! Order, bounds and overflow of the lanes, by tables and properties.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;

use super::*;

/// `(lane, kind, overflow, number)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LaneNote(Lane, &'static str, Overflow, u32);

impl Message for LaneNote {
    fn lane(&self) -> Lane {
        self.0
    }
    fn overflow(&self) -> Overflow {
        self.2
    }
    fn kind(&self) -> &'static str {
        self.1
    }
}

const BOUNDS: [usize; 5] = [3, 3, 3, 3, 3];
const PROMOTE: [Option<Duration>; 5] = [None, None, None, Some(Duration::from_secs(2)), Some(Duration::from_secs(5))];

fn note(lane: Lane, number: u32) -> LaneNote {
    LaneNote(lane, "note", Overflow::Refuse, number)
}

fn offer(lanes: &mut PriorityLanes<LaneNote>, note: LaneNote, at: u64) -> OfferOutcome<LaneNote> {
    lanes.offer(QueuedMessage::new(note, Duration::from_secs(at), false), note.overflow())
}

fn order(lanes: &mut PriorityLanes<LaneNote>, now: u64) -> Vec<u32> {
    std::iter::from_fn(|| lanes.take(Duration::from_secs(now)).0.map(|w| w.message.3)).collect()
}

/// Offers at their times, then takes all at `now`.
fn check(offers: &[(u64, LaneNote)], now: u64, expect: &[u32]) {
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    for &(at, note) in offers {
        let _ = offer(&mut lanes, note, at);
    }
    assert_eq!(order(&mut lanes, now), expect, "{offers:?} at {now}");
    assert_eq!(lanes.depth(), [0; 5]);
}

// KER-3
#[test]
fn strict_priority_and_first_in_first_out_inside_a_lane_ker_3() {
    check(&[], 0, &[]);
    check(
        &[
            (0, note(Lane::Llm, 9)),
            (0, note(Lane::Uia, 5)),
            (0, note(Lane::Ocr, 7)),
            (0, note(Lane::Uia, 6)),
            (0, note(Lane::Reflex, 1)),
            (0, note(Lane::Tts, 3)),
            (0, note(Lane::Reflex, 2)),
        ],
        0,
        &[1, 2, 3, 5, 6, 7, 9],
    );
}

// KER-4
#[test]
fn each_rule_at_the_bound_ker_4() {
    let oldest = |number| LaneNote(Lane::Uia, "cursor", Overflow::DropOldest, number);
    let newest = |kind, number| LaneNote(Lane::Uia, kind, Overflow::Coalesce, number);
    let at = |notes: &[LaneNote]| notes.iter().map(|&n| (0, n)).collect::<Vec<_>>();
    let refuse: Vec<LaneNote> = (1..=5).map(|n| note(Lane::Uia, n)).collect();
    check(&at(&refuse), 0, &[1, 2, 3]);
    check(&at(&(1..=5).map(oldest).collect::<Vec<_>>()), 0, &[3, 4, 5]);
    // The newest message of a kind replaces the waiting message of that kind; other kinds are left alone.
    check(&at(&[newest("a", 1), newest("b", 2), note(Lane::Uia, 3), newest("a", 4)]), 0, &[4, 2, 3]);
    // At the bound, if no message of its kind waits: refused.
    check(&at(&[newest("a", 1), newest("b", 2), newest("c", 3), newest("d", 4), newest("b", 5)]), 0, &[1, 5, 3]);
    // After the first of a kind was dropped as the oldest, the next of that kind is a new message.
    check(&at(&[newest("a", 1), oldest(2), oldest(3), oldest(4), newest("a", 5), oldest(6)]), 0, &[3, 4, 6]);
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    assert!(matches!(offer(&mut lanes, newest("a", 1), 0), OfferOutcome::Accepted));
    assert!(matches!(offer(&mut lanes, newest("a", 2), 0), OfferOutcome::Coalesced(LaneNote(_, _, _, 1))));
    for n in 3..5 {
        assert!(matches!(offer(&mut lanes, oldest(n), 0), OfferOutcome::Accepted));
    }
    assert!(matches!(offer(&mut lanes, note(Lane::Uia, 9), 0), OfferOutcome::Refused(LaneNote(_, _, _, 9))));
    assert!(matches!(offer(&mut lanes, oldest(5), 0), OfferOutcome::DroppedOldest(LaneNote(_, _, _, 2))));
}

// KER-5
#[test]
fn who_waited_too_long_goes_to_the_end_of_uia_once_ker_5() {
    let late = [(0, note(Lane::Ocr, 7)), (0, note(Lane::Llm, 9)), (0, note(Lane::Ocr, 8)), (0, note(Lane::Uia, 1))];
    check(&late, 2, &[1, 7, 8, 9]);
    check(&late, 3, &[1, 7, 8, 9]);
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    for (at, n) in [(0, note(Lane::Llm, 9)), (4, note(Lane::Ocr, 8)), (0, note(Lane::Uia, 1)), (0, note(Lane::Uia, 2))]
    {
        let _ = offer(&mut lanes, n, at);
    }
    let now = Duration::from_secs(6);
    let (first, from) = lanes.take(now);
    assert_eq!((first.unwrap().message.3, from.0), (1, [0, 0, 0, 0, 1]));
    // A later message of lane Uia goes behind the promoted one; reflexes still go first.
    let _ = offer(&mut lanes, note(Lane::Uia, 3), 6);
    let _ = offer(&mut lanes, note(Lane::Reflex, 0), 6);
    assert_eq!(lanes.depth(), [1, 0, 2, 1, 1]);
    assert_eq!(order(&mut lanes, 6), [0, 2, 9, 3, 8]);
}

// KER-5
#[test]
fn a_promoted_message_counts_against_the_bound_that_it_came_from_ker_5() {
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    for n in 1..=3 {
        let _ = offer(&mut lanes, note(Lane::Llm, n), 0);
        let _ = offer(&mut lanes, note(Lane::Uia, 10 + n), 0);
    }
    assert_eq!(lanes.take(Duration::from_secs(6)).0.unwrap().message.3, 11);
    assert!(matches!(offer(&mut lanes, note(Lane::Llm, 4), 6), OfferOutcome::Refused(_)));
    assert!(matches!(offer(&mut lanes, note(Lane::Uia, 14), 6), OfferOutcome::Accepted));
    let newest = LaneNote(Lane::Llm, "x", Overflow::DropOldest, 5);
    assert!(matches!(offer(&mut lanes, newest, 6), OfferOutcome::DroppedOldest(LaneNote(_, _, _, 1))));
    assert_eq!(order(&mut lanes, 6), [12, 13, 2, 3, 14, 5]);
}

// KER-4
#[test]
fn a_newer_one_of_its_kind_replaces_a_promoted_one_ker_4() {
    let ask = |n| LaneNote(Lane::Ocr, "ask", Overflow::Coalesce, n);
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    let _ = offer(&mut lanes, ask(1), 0);
    let _ = offer(&mut lanes, note(Lane::Uia, 7), 0);
    assert_eq!(lanes.take(Duration::from_secs(3)).0.unwrap().message.3, 7);
    assert!(matches!(offer(&mut lanes, ask(2), 3), OfferOutcome::Coalesced(LaneNote(_, _, _, 1))));
    assert_eq!(order(&mut lanes, 3), [2]);
}

// KER-7
#[test]
fn a_repetition_goes_first_unless_a_newer_one_waits_ker_7() {
    let ask = |n| LaneNote(Lane::Ocr, "ask", Overflow::Coalesce, n);
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    for n in 1..=3 {
        let _ = offer(&mut lanes, note(Lane::Ocr, n), 0);
    }
    assert!(lanes.requeue(QueuedMessage::new(note(Lane::Ocr, 0), Duration::ZERO, false)).is_none());
    assert_eq!(lanes.depth()[3], 4, "it was accepted once, so the bound does not refuse it");
    assert_eq!(order(&mut lanes, 0), [0, 1, 2, 3]);
    let _ = offer(&mut lanes, ask(2), 0);
    assert_eq!(lanes.requeue(QueuedMessage::new(ask(1), Duration::ZERO, false)).unwrap().3, 1);
    assert_eq!(order(&mut lanes, 0), [2]);
    assert!(lanes.requeue(QueuedMessage::new(ask(3), Duration::ZERO, false)).is_none());
    assert!(matches!(offer(&mut lanes, ask(4), 0), OfferOutcome::Coalesced(LaneNote(_, _, _, 3))));
    assert_eq!(order(&mut lanes, 0), [4]);
}

// KER-4
#[test]
fn each_lane_has_its_own_bound_ker_4() {
    let bounds = [1, 2, 3, 4, 5];
    let mut lanes = PriorityLanes::new(bounds, PROMOTE);
    for lane in Lane::ALL {
        let accepted =
            (0..9).filter(|&n| matches!(offer(&mut lanes, note(lane, n), 0), OfferOutcome::Accepted)).count();
        assert_eq!(accepted, bounds[lane.index()], "{lane:?}");
    }
    assert_eq!(lanes.depth(), bounds);
}

// KER-5
#[test]
fn each_starving_lane_is_promoted_from_though_the_other_is_empty_ker_5() {
    for lane in [Lane::Ocr, Lane::Llm] {
        let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
        let _ = offer(&mut lanes, note(lane, 1), 0);
        let _ = offer(&mut lanes, note(Lane::Uia, 2), 0);
        assert_eq!(lanes.take(Duration::from_secs(9)).0.unwrap().message.3, 2);
        let _ = offer(&mut lanes, note(Lane::Uia, 3), 9);
        assert_eq!(order(&mut lanes, 9), [1, 3], "{lane:?}");
    }
}

// KER-4, KER-5
#[test]
fn the_oldest_is_dropped_though_it_is_the_only_promoted_one_ker_4_ker_5() {
    let oldest = |n| LaneNote(Lane::Llm, "x", Overflow::DropOldest, n);
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    for (at, n) in [(0, 1), (6, 2), (6, 3)] {
        let _ = offer(&mut lanes, oldest(n), at);
    }
    for n in [10, 11] {
        let _ = offer(&mut lanes, note(Lane::Uia, n), 0);
    }
    assert_eq!(lanes.take(Duration::from_secs(6)).0.unwrap().message.3, 10);
    assert!(matches!(offer(&mut lanes, oldest(4), 6), OfferOutcome::DroppedOldest(LaneNote(_, _, _, 1))));
    assert_eq!(order(&mut lanes, 6), [11, 2, 3, 4]);
}

// KER-4
#[test]
fn a_newer_one_finds_the_waiting_one_of_its_kind_wherever_it_stands_ker_4() {
    let newest = |kind, n| LaneNote(Lane::Ocr, kind, Overflow::Coalesce, n);
    let older =
        |offered: OfferOutcome<LaneNote>| if let OfferOutcome::Coalesced(note) = offered { Some(note.3) } else { None };
    // After other messages were taken, and again after a message of its own kind was taken.
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    let _ = offer(&mut lanes, newest("a", 1), 0);
    let _ = offer(&mut lanes, newest("b", 2), 0);
    assert_eq!(lanes.take(Duration::ZERO).0.unwrap().message.3, 1);
    assert_eq!(older(offer(&mut lanes, newest("b", 3), 0)), Some(2));
    assert_eq!(older(offer(&mut lanes, newest("a", 4), 0)), None);
    assert_eq!(older(offer(&mut lanes, newest("a", 5), 0)), Some(4));
    assert_eq!(order(&mut lanes, 0), [3, 5]);
    // Behind a requeued message.
    let _ = offer(&mut lanes, newest("a", 1), 0);
    assert!(lanes.requeue(QueuedMessage::new(note(Lane::Ocr, 0), Duration::ZERO, false)).is_none());
    assert_eq!(older(offer(&mut lanes, newest("a", 2), 0)), Some(1));
    assert_eq!(order(&mut lanes, 0), [0, 2]);
    // Promoted, while a message of another kind waits; what does not coalesce is left alone.
    let _ = offer(&mut lanes, newest("a", 1), 0);
    let _ = offer(&mut lanes, newest("b", 2), 3);
    let _ = offer(&mut lanes, note(Lane::Uia, 7), 0);
    assert_eq!(lanes.take(Duration::from_secs(3)).0.unwrap().message.3, 7);
    assert_eq!(older(offer(&mut lanes, newest("a", 3), 3)), Some(1));
    assert_eq!(order(&mut lanes, 3), [3, 2]);
    let _ = offer(&mut lanes, note(Lane::Ocr, 1), 0);
    let _ = offer(&mut lanes, note(Lane::Uia, 7), 0);
    assert_eq!(lanes.take(Duration::from_secs(3)).0.unwrap().message.3, 7);
    assert_eq!(older(offer(&mut lanes, newest("note", 2), 3)), None);
    assert_eq!(order(&mut lanes, 3), [1, 2]);
}

// KER-7
#[test]
fn what_replaces_a_repetition_was_tried_by_nobody_ker_7() {
    let ask = |n| LaneNote(Lane::Ocr, "ask", Overflow::Coalesce, n);
    let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
    assert!(lanes.requeue(QueuedMessage { attempt: 2, ..QueuedMessage::new(ask(1), Duration::ZERO, false) }).is_none());
    assert!(matches!(offer(&mut lanes, ask(2), 0), OfferOutcome::Coalesced(LaneNote(_, _, _, 1))));
    let taken = lanes.take(Duration::ZERO).0.unwrap();
    assert_eq!((taken.message.3, taken.attempt), (2, 0));
}

#[derive(Debug, Clone)]
enum LaneStep {
    Offer(LaneNote),
    Take,
    Later(u64),
}

fn steps() -> impl Strategy<Value = Vec<LaneStep>> {
    let lane = prop::sample::select(Lane::ALL.to_vec());
    let overflow = prop::sample::select(vec![Overflow::Refuse, Overflow::DropOldest, Overflow::Coalesce]);
    let step = prop_oneof![
        4 => (lane, overflow).prop_map(|(lane, overflow)| {
            let kind = match overflow {
                Overflow::Refuse => "r",
                Overflow::DropOldest => "d",
                Overflow::Coalesce => "c",
            };
            LaneStep::Offer(LaneNote(lane, kind, overflow, 0))
        }),
        2 => Just(LaneStep::Take),
        1 => (0u64..4).prop_map(LaneStep::Later),
    ];
    prop::collection::vec(step, 0..120)
}

proptest! {
    /// KER-4: nothing vanishes (each message is taken, handed back or still there) and no lane exceeds its bound.
    /// KER-3 and KER-5: nothing overtakes within a lane, and a lower lane is served only while no higher one waits, promoted ones excepted.
    #[test]
    fn conservation_bounds_and_order_ker_3_4_5(steps in steps()) {
        let mut lanes = PriorityLanes::new(BOUNDS, PROMOTE);
        let (mut now, mut number, mut out) = (0u64, 0u32, Vec::new());
        let mut last_taken = [None::<u32>; 5];
        for step in steps {
            match step {
                LaneStep::Offer(mut note) => {
                    number += 1;
                    note.3 = number;
                    match offer(&mut lanes, note, now) {
                        OfferOutcome::Accepted => {}
                        OfferOutcome::DroppedOldest(n) | OfferOutcome::Coalesced(n) | OfferOutcome::Refused(n) => out.push(n.3),
                    }
                }
                LaneStep::Later(seconds) => now += seconds,
                LaneStep::Take => {
                    let before = lanes.depth();
                    if let (Some(taken), _) = lanes.take(Duration::from_secs(now)) {
                        out.push(taken.message.3);
                        let lane = taken.lane.index();
                        prop_assert_eq!(before[0] > 0, lane == 0, "a reflex never waits");
                        if before[1] > 0 { prop_assert!(lane <= 1); }
                        let age = now - taken.since.as_secs();
                        if lane > TARGET && PROMOTE[lane].is_none_or(|after| Duration::from_secs(age) <= after) {
                            prop_assert_eq!(before[2], 0);
                            prop_assert!(lane == 3 || before[3] == 0);
                        }
                        if taken.kind != "c" {
                            prop_assert!(last_taken[lane].is_none_or(|last| last < taken.message.3));
                            last_taken[lane] = Some(taken.message.3);
                        }
                    } else {
                        prop_assert_eq!(before, [0; 5]);
                    }
                }
            }
            let depth = lanes.depth();
            prop_assert!(depth.iter().zip(BOUNDS).all(|(d, bound)| *d <= bound));
        }
        out.extend(lanes.clear().into_iter().map(|w| w.message.3));
        out.sort_unstable();
        prop_assert_eq!(out, (1..=number).collect::<Vec<_>>());
    }
}
