//! A window's title, read at the decorations that the window manager draws around it; they are in no application's tree
//! (ANN-4).

use luna_messages::element::{ElementProperties, State, StateSet};
use luna_messages::pick::{Element, Role};
use luna_messages::{Point, Rect};

use super::super::id::{IdentityInput, element_id};
use super::display::TopLevelWindow;

/// The decoration at `point` as an element with the window's title; `None` if the point lies in the window itself, or if
/// the window has no title.
pub(super) fn at(top: &TopLevelWindow, point: Point) -> Option<Element> {
    let bbox = strip(top.boxes.frame, top.boxes.client, point).filter(|_| !top.is_popup)?;
    let title = top.info.title.trim();
    if title.is_empty() {
        return None;
    }
    let identity = IdentityInput {
        process: top.info.process,
        window: top.info.handle,
        automation_id: "",
        role: Role::Window,
        name: title,
        path: &[],
    };
    Some(Element::new(element_id(identity), Role::Window, title, bbox))
}

/// The same place without the title, if the person blocked the titles of windows (PRV-3).
pub(super) fn protected(title: Element) -> Element {
    let states = StateSet::default().with(State::Protected);
    let properties = ElementProperties { states, ..ElementProperties::default() };
    Element { role: Role::Protected, text: String::new(), properties, ..title }
}

/// The part of `frame` around `client` that contains `point`: above or below it across the whole width, or beside it.
fn strip(frame: Rect, client: Rect, point: Point) -> Option<Rect> {
    let parts = [
        Rect::new(frame.x, frame.y, frame.width, client.y - frame.y),
        Rect::new(frame.x, client.bottom(), frame.width, frame.bottom() - client.bottom()),
        Rect::new(frame.x, client.y, client.x - frame.x, client.height),
        Rect::new(client.right(), client.y, frame.right() - client.right(), client.height),
    ];
    parts.into_iter().find(|part| part.contains(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANN-4
    #[test]
    fn decorations_surround_the_window_ann_4() {
        let (frame, client) = (Rect::new(100, 100, 862, 661), Rect::new(101, 120, 860, 640));
        for (x, y, expect) in [
            (300, 110, Some([100, 100, 862, 20])),
            (100, 100, Some([100, 100, 862, 20])),
            (100, 400, Some([100, 120, 1, 640])),
            (961, 400, Some([961, 120, 1, 640])),
            (300, 760, Some([100, 760, 862, 1])),
            (300, 400, None),
            (99, 400, None),
        ] {
            assert_eq!(strip(frame, client, Point::new(x, y)), expect.map(Rect::from), "{x}, {y}");
        }
        assert_eq!(strip(client, client, Point::new(101, 120)), None);
    }
}
