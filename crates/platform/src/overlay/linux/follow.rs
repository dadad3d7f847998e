//! What happens at the marked places: moves of the windows below, and what they draw there.

use luna_messages::Rect;
use luna_messages::overlay::OverlayChange;
use luna_messages::pick::ShownWindow;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::Event;
use x11rb::protocol::damage::{self, ConnectionExt as _, ReportLevel};
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Window};

use crate::x11::{Failure, XDisplay, stacking};

struct FollowedPlace {
    place: Rect,
    /// The child of the root with this place, and its bounds.
    below: Option<ShownWindow>,
    /// Whether the next drawing at the place is reported.
    armed: bool,
}

/// Follows the marked places.
pub(super) struct PlaceFollower {
    places: Vec<FollowedPlace>,
    /// Report what each window below draws.
    damages: Vec<(damage::Damage, Window)>,
    /// Whether the server tells what windows draw.
    has_damage: bool,
}

impl PlaceFollower {
    pub(super) fn new(display: &XDisplay) -> Result<Self, Failure> {
        let has_damage = display.connection.extension_information(damage::X11_EXTENSION_NAME)?.is_some();
        if has_damage {
            // The server expects it before any other request of the extension.
            display.connection.damage_query_version(1, 1)?.reply()?;
        }
        Ok(Self { places: Vec::new(), damages: Vec::new(), has_damage })
    }

    /// Follows these places in place of those before. Returns the events that came meanwhile.
    pub(super) fn follow(&mut self, display: &XDisplay, places: &[Rect]) -> Result<Vec<Event>, Failure> {
        let is_same = self.places.iter().map(|one| one.place).eq(places.iter().copied());
        if is_same {
            return Ok(Vec::new());
        }
        self.end(display)?;
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let connection = &display.connection;
        let moves = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        connection.change_window_attributes(display.root, &moves)?;
        for &place in places {
            let center = place.center();
            let below = stacking::shown(display, Rect::new(center.x, center.y, 1, 1))?.into_iter().next();
            let window = below.and_then(|below| Window::try_from(below.handle).ok());
            if let Some(window) = window.filter(|window| self.has_damage && !self.watches(*window)) {
                let watch = connection.generate_id()?;
                connection.damage_create(watch, window, ReportLevel::RAW_RECTANGLES)?;
                self.damages.push((watch, window));
            }
            self.places.push(FollowedPlace { place, below, armed: true });
        }
        // A new watch reports the whole window as drawn.
        connection.get_input_focus()?.reply()?;
        let mut events = Vec::new();
        while let Some(event) = connection.poll_for_event()? {
            if !matches!(event, Event::DamageNotify(_)) {
                events.push(event);
            }
        }
        Ok(events)
    }

    /// Follows nothing, and gets no events any more.
    pub(super) fn end(&mut self, display: &XDisplay) -> Result<(), Failure> {
        let connection = &display.connection;
        for (watch, _) in self.damages.drain(..) {
            // It is gone already if its window is.
            connection.damage_destroy(watch)?.ignore_error();
        }
        if !self.places.is_empty() {
            let nothing = ChangeWindowAttributesAux::new().event_mask(EventMask::NO_EVENT);
            connection.change_window_attributes(display.root, &nothing)?;
        }
        self.places.clear();
        connection.flush()?;
        Ok(())
    }

    pub(super) fn rearm(&mut self) {
        self.places.iter_mut().for_each(|one| one.armed = true);
    }

    /// What an event means for the places.
    pub(super) fn changes(&mut self, event: &Event) -> Vec<OverlayChange> {
        match event {
            Event::DamageNotify(drawn) => {
                let part = drawn.area;
                let part = Rect::new(part.x.into(), part.y.into(), part.width.into(), part.height.into());
                self.redrawn(drawn.drawable, part)
            }
            Event::ConfigureNotify(window) => {
                let border = 2 * i32::from(window.border_width);
                let (width, height) = (i32::from(window.width) + border, i32::from(window.height) + border);
                self.configured(window.window, Rect::new(window.x.into(), window.y.into(), width, height))
            }
            Event::UnmapNotify(gone) => self.gone(gone.window),
            Event::DestroyNotify(gone) => self.gone(gone.window),
            _ => Vec::new(),
        }
    }

    fn watches(&self, window: Window) -> bool {
        self.damages.iter().any(|(_, watched)| *watched == window)
    }

    fn redrawn(&mut self, window: Window, part: Rect) -> Vec<OverlayChange> {
        let below = self.places.iter_mut().filter(|one| is_in(one.below, window) && one.armed);
        let drawn = below.filter(|one| {
            let origin = one.below.map(|below| below.bounds).unwrap_or_default();
            !part.translated(origin.x, origin.y).intersection(one.place).is_empty()
        });
        drawn.map(FollowedPlace::report).collect()
    }

    /// A window is shown at these bounds, or may lie above others now.
    pub(super) fn configured(&mut self, window: Window, bounds: Rect) -> Vec<OverlayChange> {
        let mut changes = Vec::new();
        for one in &mut self.places {
            match &mut one.below {
                Some(below) if is_in(Some(*below), window) => {
                    let (dx, dy) = (bounds.x - below.bounds.x, bounds.y - below.bounds.y);
                    let is_resized = (bounds.width, bounds.height) != (below.bounds.width, below.bounds.height);
                    below.bounds = bounds;
                    if (dx, dy) != (0, 0) {
                        let (from, to) = (one.place, one.place.translated(dx, dy));
                        one.place = to;
                        changes.push(OverlayChange::Moved { from, to });
                    }
                    if is_resized && one.armed {
                        changes.push(one.report());
                    }
                }
                // Another window came to the place, or was raised over it.
                _ if !bounds.intersection(one.place).is_empty() && one.armed => changes.push(one.report()),
                _ => {}
            }
        }
        changes
    }

    fn gone(&mut self, window: Window) -> Vec<OverlayChange> {
        let gone = self.places.iter().filter(|one| is_in(one.below, window));
        gone.map(|one| OverlayChange::Vanished { at: one.place }).collect()
    }
}

impl FollowedPlace {
    const fn report(&mut self) -> OverlayChange {
        self.armed = false;
        OverlayChange::Redrawn { at: self.place }
    }
}

fn is_in(below: Option<ShownWindow>, window: Window) -> bool {
    below.is_some_and(|below| below.handle == u64::from(window))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(places: &[(Rect, u64)]) -> PlaceFollower {
        let bounds = Rect::new(100, 100, 400, 300);
        let place = |&(place, handle): &(Rect, u64)| FollowedPlace {
            place,
            below: Some(ShownWindow { handle, bounds }),
            armed: true,
        };
        PlaceFollower { places: places.iter().map(place).collect(), damages: Vec::new(), has_damage: true }
    }

    const WORD: Rect = Rect::new(150, 150, 60, 20);

    // OVL-1
    #[test]
    fn a_place_moves_with_its_window_ovl_1() {
        let mut follower = follower(&[(WORD, 7), (WORD.translated(0, 50), 8)]);
        let moved = follower.configured(7, Rect::new(110, 95, 400, 300));
        let to = WORD.translated(10, -5);
        // The other window is under it now, too.
        assert_eq!(moved[0], OverlayChange::Moved { from: WORD, to });
        // The next move counts from there.
        follower.rearm();
        let moved = follower.configured(7, Rect::new(100, 100, 400, 300));
        assert_eq!(moved[0], OverlayChange::Moved { from: to, to: WORD });
        assert_eq!(follower.gone(8), [OverlayChange::Vanished { at: WORD.translated(0, 50) }]);
    }

    // OVL-1
    #[test]
    fn the_first_drawing_at_a_place_is_reported_until_it_is_armed_again_ovl_1() {
        let mut follower = follower(&[(WORD, 7)]);
        let inside = Rect::new(55, 55, 5, 5);
        assert_eq!(follower.redrawn(7, Rect::new(0, 0, 20, 20)), []);
        assert_eq!(follower.redrawn(9, inside), []);
        let report = [OverlayChange::Redrawn { at: WORD }];
        assert_eq!(follower.redrawn(7, inside), report);
        assert_eq!(follower.redrawn(7, inside), []);
        follower.rearm();
        assert_eq!(follower.redrawn(7, inside), report);
        follower.rearm();
        assert_eq!(follower.configured(9, Rect::new(0, 0, 90, 90)), []);
        assert_eq!(follower.configured(9, Rect::new(0, 0, 190, 190)), report);
    }
}
