//! How well an element that represents a window fits a window of the display (SES-4). Pure.

use atspi::Role as Native;
use luna_messages::pick::WindowInfo;

use super::placement::ToldRect;

/// In what a frame matches a window.
pub(super) struct WindowFit {
    is_titled: bool,
    /// One title contains the other.
    is_alike: bool,
    has_same_size: bool,
    has_same_place: bool,
    /// The size is the same to the pixel.
    is_exact: bool,
}

impl WindowFit {
    /// Frames of some toolkits include the window manager's decorations, and are told in pixels of another scale.
    pub(super) fn of(name: &str, told: ToldRect, window: &WindowInfo, local: bool) -> Self {
        let (told, bounds) = (told.raw(), window.bounds);
        let near = |one: i32, other: i32, scale: f64| (f64::from(one) * scale - f64::from(other)).abs() <= 60.0 * scale;
        // Smaller steps are borders.
        let scale = (f64::from(bounds.width) / f64::from(told.width.max(1)) * 20.0).round() / 20.0;
        let fits = |scale: f64| near(told.width, bounds.width, scale) && near(told.height, bounds.height, scale);
        let scale = if fits(1.0) || !(0.5..=8.0).contains(&scale) { 1.0 } else { scale };
        let is_titled = !name.is_empty() && name == window.title;
        let has_titles = !name.is_empty() && !window.title.is_empty();
        Self {
            is_titled,
            is_alike: !is_titled && has_titles && (name.contains(&window.title) || window.title.contains(name)),
            has_same_size: fits(scale),
            has_same_place: !local && near(told.x, bounds.x, scale) && near(told.y, bounds.y, scale),
            is_exact: told.width == bounds.width && told.height == bounds.height,
        }
    }

    /// Whether the frame is that of the window if nothing but the title tells so.
    pub(super) const fn is_same_by_title(&self) -> bool {
        self.is_titled && self.has_same_size
    }

    /// How well it matches; 0 means not at all.
    pub(super) fn points(&self, native: Native) -> u32 {
        let points = 8 * u32::from(self.is_titled)
            + 4 * u32::from(self.is_alike)
            + 6 * u32::from(self.has_same_place && self.has_same_size)
            + 3 * u32::from(self.has_same_size)
            + u32::from(self.is_exact);
        let is_window =
            matches!(native, Native::Frame | Native::Window | Native::Dialog | Native::Alert | Native::FileChooser);
        if points >= 3 { points + u32::from(is_window) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use luna_messages::{Coordinates, Rect};

    use super::*;

    #[test]
    fn frames_are_told_apart_by_title_place_and_size() {
        let (decorated, elsewhere, gtk4) = ([60, 60, 862, 661], [900, 60, 862, 661], [0, 0, 860, 640]);
        let window = WindowInfo { handle: 1, process: 1, title: "Note".into(), bounds: Rect::new(61, 80, 860, 640) };
        let fit = |name, told| {
            WindowFit::of(name, Coordinates::new(Rect::from(told)), &window, told == gtk4).points(Native::Frame)
        };
        assert!(fit("Note", decorated) > fit("Note", elsewhere));
        assert!(fit("Note", elsewhere) > fit("Other", elsewhere));
        assert!(fit("Other", decorated) > fit("Other", elsewhere));
        assert!(fit("Note", gtk4) > fit("Other", gtk4));
        assert_eq!(fit("Other", [900, 900, 10, 10]), 0);
        // The same window in logical pixels (SES-3).
        let (half, half_elsewhere) = ([30, 30, 431, 331], [700, 30, 431, 331]);
        assert!(fit("Other", half) > fit("Other", half_elsewhere));
        assert!(fit("Note", half) > fit("Note", half_elsewhere));
    }

    // SES-4
    #[test]
    fn by_its_title_a_window_is_known_only_with_its_size_ses_4() {
        let title = "user@host: ~";
        let window = WindowInfo { handle: 1, process: 1, title: title.into(), bounds: Rect::new(61, 80, 500, 300) };
        for (name, told, expect) in [
            (title, [0, 0, 500, 300], true),
            (title, [55, 60, 520, 350], true),
            (title, [61, 80, 860, 300], false),
            (title, [61, 80, 500, 640], false),
            ("user@host: /", [61, 80, 500, 300], false),
        ] {
            let fit = WindowFit::of(name, Coordinates::new(Rect::from(told)), &window, false);
            assert_eq!(fit.is_same_by_title(), expect, "{name} {told:?}");
        }
        // A maximised window at a scale factor of 1.25 (SES-3).
        let window = WindowInfo { bounds: Rect::new(0, 0, 3840, 2160), ..window };
        let told = Coordinates::new(Rect::new(0, 0, 3072, 1728));
        assert!(WindowFit::of(title, told, &window, false).is_same_by_title());
    }
}
