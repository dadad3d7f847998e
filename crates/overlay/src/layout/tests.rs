//! Places on two monitors of different scale, and in narrow spots.

use proptest::prelude::*;

use super::*;

const LEFT: SceneMonitor = SceneMonitor { bounds: Rect::new(0, 0, 1920, 1080), scale: 1.0, density: 1 };
/// To the right, of twice the density, and higher up.
const RIGHT: SceneMonitor = SceneMonitor { bounds: Rect::new(1920, -360, 3840, 2160), scale: 2.0, density: 1 };

fn desktop_box() -> impl Strategy<Value = Rect> {
    (-200..5900, -500..2000, 0..900, 0..300).prop_map(|(x, y, width, height)| Rect::new(x, y, width, height))
}

proptest! {
    // OVL-2, PIC-7
    #[test]
    fn badges_are_on_a_monitor_and_never_on_each_other_ovl_2_pic_7(
        boxes in prop::collection::vec(desktop_box(), 1..12),
        single in prop::bool::ANY,
    ) {
        let monitors = if single { vec![LEFT] } else { vec![LEFT, RIGHT] };
        let chip = chip_place(LEFT, 200.0, &boxes);
        let places = badge_places(&boxes, &monitors, &[chip]);
        prop_assert_eq!(places.len(), boxes.len());
        for (index, (place, bbox)) in places.iter().zip(&boxes).enumerate() {
            let place = place.expect("there is room for twelve");
            let monitor = monitor_of(&monitors, *bbox).unwrap();
            prop_assert_eq!(place.intersection(monitor.bounds), place);
            prop_assert_eq!(place.width, physical(BADGE, monitor.scale));
            prop_assert!(place.intersection(chip).is_empty());
            for other in places[..index].iter().flatten() {
                prop_assert!(place.intersection(*other).is_empty(), "{place:?} {other:?}");
            }
        }
    }

    // OVL-1, PIC-7
    #[test]
    fn the_box_surrounds_what_is_seen_of_the_target_ovl_1_pic_7(bbox in desktop_box(), radius in 0..100_u32) {
        let monitors = [LEFT, RIGHT];
        let seen = monitors.iter().map(|monitor| monitor.bounds.intersection(bbox)).fold(Rect::default(), Rect::union);
        let round = box_round(bbox, &monitors, radius, false);
        // Of a sliver at the edge of a monitor no box would be seen.
        prop_assert!(round.is_some() || seen.width < 16 || seen.height < 16);
        prop_assert!(round.is_none() || !seen.is_empty());
        if let Some(round) = round {
            prop_assert_eq!(seen.intersection(round.outer), seen);
            prop_assert!(round.radius * 2 <= round.outer.width.min(round.outer.height));
        }
    }

    // OVL-3
    #[test]
    fn the_chip_is_at_an_edge_of_its_monitor_ovl_3(marked in prop::collection::vec(desktop_box(), 0..6), width in 1.0..4000.0) {
        for monitor in [LEFT, RIGHT] {
            let place = chip_place(monitor, width, &marked);
            prop_assert_eq!(place.intersection(monitor.bounds), place);
        }
    }
}

// OVL-1, PIC-7
#[test]
fn sizes_follow_the_scale_of_the_monitor_ovl_1_pic_7() {
    let monitors = [LEFT, RIGHT];
    let (small, large) = (Rect::new(400, 400, 100, 30), Rect::new(3000, 400, 100, 30));
    let round = |bbox| box_round(bbox, &monitors, 10, false).unwrap();
    assert_eq!(round(small), BoxPlace { outer: Rect::new(393, 393, 114, 44), line: 4, radius: 10, density: 1 });
    assert_eq!(round(large), BoxPlace { outer: Rect::new(2986, 386, 128, 58), line: 8, radius: 20, density: 1 });
    let thick = box_round(small, &monitors, 10, true).unwrap();
    assert_eq!(thick.line, 7);
    // A window that fills the monitor: the line stays on it.
    assert_eq!(round(LEFT.bounds).outer, LEFT.bounds);
    assert_eq!(box_round(Rect::new(-500, 0, 400, 30), &monitors, 10, false), None);
    assert_eq!(box_round(small, &[], 10, false), None);
}

// OVL-2
#[test]
fn a_badge_stands_beside_its_option_and_hides_no_other_ovl_2() {
    // A list at the left edge of the screen: there is room to the right only.
    let rows: Vec<Rect> = (0..4).map(|row| Rect::new(0, 200 + 26 * row, 300, 24)).collect();
    let places: Vec<Rect> = badge_places(&rows, &[LEFT], &[]).into_iter().flatten().collect();
    assert_eq!(places.len(), 4);
    for place in &places {
        assert!(rows.iter().all(|row| row.intersection(*place).is_empty()), "{place:?}");
    }
    let inside = badge_places(&[Rect::new(500, 500, 80, 30)], &[LEFT], &[]);
    assert_eq!(inside, [Some(Rect::new(500 - 4 - 30, 500, 30, 30))]);
    assert_eq!(badge_places(&[Rect::new(5, 5, 5, 5)], &[], &[]), [None]);
    let tiny = SceneMonitor { bounds: Rect::new(0, 0, 20, 20), scale: 1.0, density: 1 };
    assert_eq!(badge_places(&[Rect::new(5, 5, 5, 5)], &[tiny], &[]), [None]);
}

// OVL-3
#[test]
fn the_chip_makes_room_for_what_is_read_at_the_top_ovl_3() {
    let middle = Rect::new(860, 12, 200, 36);
    assert_eq!(chip_place(LEFT, 200.0, &[]), middle);
    let beside = chip_place(LEFT, 200.0, &[Rect::new(900, 0, 100, 30)]);
    assert_eq!(beside, Rect::new(1920 - 12 - 200, 12, 200, 36));
    let below = chip_place(LEFT, 200.0, &[Rect::new(0, 0, 1920, 40)]);
    assert_eq!(below.bottom(), 1080 - 12);
    assert_eq!(chip_place(LEFT, 200.0, &[LEFT.bounds]), middle);
}
