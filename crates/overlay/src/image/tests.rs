//! What a scene looks like, pixel by pixel.

use luna_messages::Lang;
use luna_messages::overlay::OverlayPicture;
use luna_messages::reading::Intent;

use super::*;
use crate::scene::{SceneChip, SceneTarget};

const MONITOR: SceneMonitor = SceneMonitor { bounds: Rect::new(0, 0, 800, 600), scale: 1.0, density: 1 };
const WORD: Rect = Rect::new(300, 300, 200, 60);
const YELLOW: u32 = 0xffff_d84a;

fn look() -> OverlayLook {
    OverlayLook { color: [0xff, 0xd8, 0x4a], darkness: 0.18, corner_radius: 10, high_contrast: false, lang: Lang::En }
}

fn marked(bbox: Rect, pinned: bool) -> OverlayScene {
    OverlayScene { target: Some(SceneTarget { bbox, pinned }), ..OverlayScene::default() }
}

/// The pixel that is shown at a place; 0 if no picture is there.
fn pixel(image: &OverlayImage, x: i32, y: i32) -> u32 {
    let at = luna_messages::Point::new(x, y);
    image.pictures.iter().rev().find(|one| one.place.contains(at)).map_or(0, |one| {
        let index = (y - one.place.y) * one.place.width + x - one.place.x;
        one.argb[usize::try_from(index).unwrap()]
    })
}

// OVL-1
#[test]
fn the_box_has_its_colour_round_corners_and_a_dark_rest_ovl_1() {
    let image = image(&marked(WORD, false), &[MONITOR], &look(), None);
    // The line lies 3 to 7 pixels outside of the word.
    for (x, y) in [(400, 295), (400, 364), (295, 330), (504, 330)] {
        assert_eq!(pixel(&image, x, y), YELLOW, "{x} {y}");
    }
    assert_eq!(image.darkness, 46);
    // The corner is round: darkened as the rest is.
    assert_eq!(pixel(&image, 293, 293), 46 << 24);
    for dimmed in &image.dimmed {
        assert!(dimmed.intersection(Rect::new(293, 293, 214, 74)).is_empty(), "{dimmed:?}");
    }
    let area: i32 = image.dimmed.iter().map(|one| one.width * one.height).sum();
    assert_eq!(area, 800 * 600 - 214 * 74);
    // Nothing lies on what is read.
    assert!(image.pictures.iter().all(|one| one.place.intersection(Rect::new(303, 303, 194, 54)).is_empty()));
    assert_eq!(image.followed, [WORD]);
}

// OVL-1
#[test]
fn what_is_pinned_looks_different_and_so_does_high_contrast_ovl_1() {
    let shown = |pinned, high_contrast| {
        image(&marked(WORD, pinned), &[MONITOR], &OverlayLook { high_contrast, ..look() }, None)
    };
    let plain = shown(false, false);
    assert_ne!(plain, shown(true, false));
    // A dark line in the middle, between two light ones.
    assert_ne!(pixel(&shown(true, false), 400, 295), YELLOW);
    let contrast = shown(false, true);
    assert_ne!(contrast, shown(true, true));
    let column: Vec<u32> = (290..300).map(|y| pixel(&contrast, 400, y)).collect();
    assert!(column.contains(&0xff00_0000) && column.contains(&YELLOW), "{column:x?}");
}

// OVL-1
#[test]
fn a_box_smaller_than_its_corners_is_drawn_in_one_ovl_1() {
    let image = image(&marked(Rect::new(400, 300, 1, 1), false), &[MONITOR], &look(), None);
    assert_eq!(image.pictures.len(), 1);
    assert_eq!(pixel(&image, 400, 295), YELLOW);
}

// OVL-2
#[test]
fn every_badge_is_dark_with_a_light_number_and_edge_ovl_2() {
    let badges = (1..10).map(|number| (number, Rect::new(100, 50 * i32::try_from(number).unwrap(), 80, 20))).collect();
    let scene = OverlayScene { badges, ..OverlayScene::default() };
    let image = image(&scene, &[MONITOR], &look(), None);
    assert_eq!((image.pictures.len(), image.dimmed.len()), (9, 0));
    for (index, one) in image.pictures.iter().enumerate() {
        let count = |color: u32| one.argb.iter().filter(|pixel| **pixel == color).count();
        assert!(count(0xff14_161a) > 150 && count(YELLOW) > 20, "badge {}", index + 1);
        assert!(image.pictures[..index].iter().all(|other| other.argb != one.argb), "badge {}", index + 1);
        // The corners show what lies below.
        assert_eq!(one.argb[0], 0);
    }
}

// OVL-3
#[test]
fn without_a_font_only_the_chip_is_missing_ovl_3() {
    let chip = Some(SceneChip { mode: Some(Intent::Read), listening: true });
    let image = image(&OverlayScene { chip, ..marked(WORD, false) }, &[MONITOR], &look(), None);
    assert_eq!(image.pictures.len(), 4);
}

// PIC-7
#[test]
fn what_two_monitors_show_is_darkened_once_pic_7() {
    let mirrored = SceneMonitor { bounds: Rect::new(400, 0, 800, 600), scale: 2.0, density: 1 };
    let image = image(&marked(WORD, false), &[MONITOR, mirrored], &look(), None);
    for (index, one) in image.dimmed.iter().enumerate() {
        assert!(image.dimmed[..index].iter().all(|other| other.intersection(*one).is_empty()));
    }
}

// PIC-7
#[test]
fn a_dense_monitor_gets_as_many_more_pixels_at_the_same_place_pic_7() {
    let dense = SceneMonitor { density: 2, ..MONITOR };
    let badges = vec![(1, Rect::new(100, 50, 80, 20)), (2, Rect::new(100, 150, 80, 20))];
    for scene in [marked(WORD, true), OverlayScene { badges, ..OverlayScene::default() }] {
        let [coarse, fine] = [MONITOR, dense].map(|monitor| image(&scene, &[monitor], &look(), None));
        let count = |one: &OverlayPicture| one.argb.iter().filter(|pixel| **pixel == YELLOW).count();
        assert_eq!(coarse.dimmed, fine.dimmed);
        for (coarse, fine) in coarse.pictures.iter().zip(&fine.pictures) {
            assert_eq!((fine.place, fine.density(), coarse.density()), (coarse.place, 2, 1));
            assert_eq!(fine.argb.len(), 4 * coarse.argb.len());
            let (few, many) = (count(coarse), count(fine));
            assert!(many > 3 * few && few > 0, "{few} and {many} pixels of the line");
        }
    }
    // A box on both is as fine as the finer one.
    let beside = SceneMonitor { bounds: Rect::new(800, 0, 800, 600), ..dense };
    let image = image(&marked(Rect::new(700, 300, 150, 60), false), &[MONITOR, beside], &look(), None);
    assert!(image.pictures.iter().all(|one| one.density() == 2));
}
