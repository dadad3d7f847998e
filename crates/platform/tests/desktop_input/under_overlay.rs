//! Under Luna's own marks everything works as without them.

use luna_messages::input::ClickRequest;
use luna_messages::overlay::{OverlayImage, OverlayPicture};
use luna_messages::{Point, Rect};
use luna_platform::accessibility::{Accessibility as _, AtPoint};
use luna_platform::overlay::ScreenOverlay as _;
use luna_platform::overlay::linux::X11Overlay;

use super::click::button;
use super::*;

// OVL-4, EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn a_click_and_a_pick_under_a_badge_are_as_without_it_ovl_4_exe_1() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Badge 번호");
    let (input, person, tree) = (X11Input::new(), SimulatedHands::new(), AtSpi::new());
    let free_of_marks = button(&tree, "Badge").await;
    let found = tree.at_point(free_of_marks.point, Rect::default()).await;
    assert!(matches!(&found, Ok(AtPoint::Element(element)) if element.text.contains("Press")), "{found:?}");

    let (Point { x, y }, overlay) = (free_of_marks.point, X11Overlay::new());
    let place = Rect::new(x - 40, y - 40, 80, 80);
    let pictures = vec![OverlayPicture { place, argb: vec![0xffff_d84a; 80 * 80] }];
    overlay.show(OverlayImage { pictures, followed: vec![place], ..OverlayImage::default() }).unwrap();

    assert_eq!(tree.at_point(free_of_marks.point, Rect::default()).await, found);
    let marked = button(&tree, "Badge").await;
    assert_eq!(marked, free_of_marks);
    person.move_to(Point::new(7, 9));
    program.told();
    assert_eq!(input.click(&ClickRequest::left(marked), &free()), Ok(InputResult::Done));
    assert_eq!(program.told(), ["button pressed 1", "button clicked"]);
}
