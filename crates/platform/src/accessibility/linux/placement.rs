//! Where an application says that its window is, against where the X server shows it: the one conversion between an
//! application's coordinates and the desktop's (SES-3, PIC-7). Pure.
//!
//! On a screen with a scale factor, GTK 3 and Qt tell logical pixels of the desktop, GTK 4 logical pixels of the window,
//! and others physical pixels. What an application does is told by the sizes, not by its toolkit's name.

use luna_messages::geometry::LogicalPixels;
use luna_messages::{Coordinates, Point, Rect};

/// Scales nearer to 1 than this are none: the difference is a border or a shadow.
const SMALLEST_CHANGE: f64 = 0.1;
/// Scales are tried in these steps first; an exact ratio counts only if none of them fits.
const STEPS: f64 = 20.0;
/// The range of scales, from a zoomed-out remote screen to the largest factor that desktops offer.
const RANGE: std::ops::RangeInclusive<f64> = 0.5..=8.0;
/// Maximum width, in logical pixels, of both borders together that an application draws around a window without saying
/// so, as GTK 4 does without a compositing manager.
const MAX_BORDERS: f64 = 64.0;

/// A box in the coordinates that an application tells.
pub(super) type ToldRect = Coordinates<LogicalPixels, Rect>;
/// A point in the coordinates that an application takes.
pub(super) type ToldPoint = Coordinates<LogicalPixels, Point>;

/// A window's boxes on the desktop, by the X server: an application may mean any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WindowBoxes {
    /// What is seen of the application: without decorations and without a shadow that it draws itself.
    pub(super) visible: Rect,
    /// The application's X window, with such a shadow.
    pub(super) client: Rect,
    /// The X window with the window manager's decorations.
    pub(super) frame: Rect,
}

impl WindowBoxes {
    const fn all(self) -> [Rect; 3] {
        [self.client, self.visible, self.frame]
    }
}

/// Converts between the coordinates of a window's application and those of the desktop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    /// A place in the application's coordinates.
    told: Point,
    /// The same place on the desktop.
    shown: Point,
    /// Physical pixels per pixel of the application.
    scale: f64,
}

impl Default for Placement {
    fn default() -> Self {
        Self::moved(Point::default())
    }
}

impl Placement {
    /// Coordinates of the desktop's pixels that are relative to `origin`.
    pub(super) const fn moved(origin: Point) -> Self {
        Self { told: Point::new(0, 0), shown: origin, scale: 1.0 }
    }

    /// Compares the window as `told` with its `boxes`. `is_local`: the application's coordinates are relative to the
    /// window.
    pub(super) fn of(told: ToldRect, boxes: WindowBoxes, is_local: bool) -> Self {
        let told = told.raw();
        let fitting = boxes.all().into_iter().filter_map(|shown| Some((fit(told, shown, is_local)?, shown)));
        let (scale, shown) = match fitting.min_by(|(one, _), (other, _)| one.misfit.total_cmp(&other.misfit)) {
            Some((fit, shown)) => (fit.scale, Point::new(shown.x, shown.y)),
            None if is_local => {
                within_borders(told, boxes.client).unwrap_or((1.0, Point::new(boxes.visible.x, boxes.visible.y)))
            }
            // Nothing is known about the scale of a window whose size is wrong.
            None => return Self::default(),
        };
        if is_local {
            Self { told: Point::new(told.x, told.y), shown, scale }
        } else if scale == 1.0 {
            // Without a scale the pixels are those of the desktop, also while the window moves.
            Self::default()
        } else {
            Self { told: Point::new(told.x, told.y), shown, scale }
        }
    }

    /// Whether the application's pixels are not those of the screen.
    pub(super) fn is_scaled(self) -> bool {
        self.scale != 1.0
    }

    /// A box of the application on the desktop; empty if it is empty.
    pub(super) fn rect(self, told: ToldRect) -> Rect {
        let told = told.raw();
        if told.is_empty() {
            return Rect::default();
        }
        let x = |x: i32| moved(self.shown.x, f64::from(x.saturating_sub(self.told.x)) * self.scale);
        let y = |y: i32| moved(self.shown.y, f64::from(y.saturating_sub(self.told.y)) * self.scale);
        let (left, top) = (x(told.x), y(told.y));
        // The edges are converted, not the size: boxes that touch each other touch on the screen as well.
        Rect::new(left, top, x(told.right()).saturating_sub(left), y(told.bottom()).saturating_sub(top))
    }

    /// The application's pixel that shows at a point of the desktop.
    pub(super) fn point(self, point: Point) -> ToldPoint {
        // The middle of the pixel of the screen: its corner may belong to the element before.
        let pixel = |point: i32, shown: i32, told: i32| {
            moved(told, ((f64::from(point.saturating_sub(shown)) + 0.5) / self.scale).floor())
        };
        let (x, y) = (pixel(point.x, self.shown.x, self.told.x), pixel(point.y, self.shown.y, self.told.y));
        Coordinates::new(Point::new(x, y))
    }
}

/// `distance` from `start`, to the nearest pixel.
fn moved(start: i32, distance: f64) -> i32 {
    start.saturating_add(distance.round() as i32)
}

/// A scale at which two sizes agree.
struct SizeMatch {
    scale: f64,
    /// The remaining difference in pixels.
    misfit: f64,
}

/// The scale at which `told` is as large as `shown`; `None` if no scale makes both its width and its height right.
/// `is_local`: a ratio between the steps is rather a border, because toolkits that tell window-relative coordinates have
/// whole scales only.
fn fit(told: Rect, shown: Rect, is_local: bool) -> Option<SizeMatch> {
    if told.is_empty() || shown.is_empty() {
        return None;
    }
    let size = |rect: Rect| (f64::from(rect.width), f64::from(rect.height));
    let ((width, height), (shown_width, shown_height)) = (size(told), size(shown));
    let ratio = (shown_width + shown_height) / (width + height);
    let stepped = (ratio * STEPS).round() / STEPS;
    let scales = [Some(1.0), Some(stepped), Some(ratio).filter(|_| !is_local)];
    scales.into_iter().flatten().find_map(|scale| {
        let misfit = (shown_width - width * scale).abs().max((shown_height - height * scale).abs());
        // Applications round both edges to whole pixels of their own.
        let is_exact = misfit <= if scale == 1.0 { 1.0 } else { 1.0 + scale };
        let is_plausible = scale == 1.0 || RANGE.contains(&scale) && (scale - 1.0).abs() >= SMALLEST_CHANGE;
        (is_exact && is_plausible).then_some(SizeMatch { scale, misfit })
    })
}

/// Scale and corner of a window whose application draws borders of equal width around what it tells. Only whole scales:
/// no toolkit that does so has others.
fn within_borders(told: Rect, client: Rect) -> Option<(f64, Point)> {
    let borders = |scale: i32| {
        let (across, down) = (client.width - scale * told.width, client.height - scale * told.height);
        let limit = MAX_BORDERS * f64::from(scale);
        let fits = [across, down].into_iter().all(|border| border >= 0 && f64::from(border) <= limit);
        (fits && !told.is_empty()).then_some((across, down))
    };
    let best = (1..=4).filter_map(|scale| Some((scale, borders(scale)?)));
    // Borders of equal width on all sides leave the same rest across and down.
    let (scale, (across, down)) = best.min_by_key(|(_, (across, down))| across.abs_diff(*down))?;
    Some((f64::from(scale), Point::new(client.x + across / 2, client.y + down / 2)))
}

#[cfg(test)]
mod tests;
