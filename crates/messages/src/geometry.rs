//! Points and boxes on the screen, always in physical pixels of the whole desktop (PIC-7), and coordinates of other spaces, which are of another
//! type until they are converted (SES-3).

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

/// The space of an application's own coordinates: logical pixels, or pixels relative to its window, as its toolkit likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogicalPixels {}

/// The space of one window's picture: physical pixels, relative to the window's top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowPixels {}

/// A point or box in the space `S`. What converts between `S` and the desktop takes and returns this type, so that values of different spaces can't
/// be mixed up (SES-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coordinates<S, T> {
    value: T,
    space: PhantomData<S>,
}

impl<S, T: Copy> Coordinates<S, T> {
    /// Declares that `value` is in the space `S`.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self { value, space: PhantomData }
    }

    /// The numbers, for a request to whom the space belongs, or for a conversion.
    #[must_use]
    pub const fn raw(self) -> T {
        self.value
    }
}

impl<S> Coordinates<S, Rect> {
    /// Whether the box contains no pixel.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.value.is_empty()
    }
}

impl Coordinates<WindowPixels, Rect> {
    /// The part of a window at `window` that lies at `place`; both on the desktop.
    #[must_use]
    pub fn of_window(place: Rect, window: Rect) -> Self {
        Self::new(place.intersection(window).translated(window.x.saturating_neg(), window.y.saturating_neg()))
    }

    /// The place on the desktop of this part of a window at `window`.
    #[must_use]
    pub const fn on_desktop(self, window: Rect) -> Rect {
        self.value.translated(window.x, window.y)
    }
}

/// A point in physical pixels; the origin is the top left corner of the desktop. May be negative with several monitors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Point {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels down.
    pub y: i32,
}

impl Point {
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Euclidean distance to `other`, in pixels.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        f64::hypot(f64::from(self.x) - f64::from(other.x), f64::from(self.y) - f64::from(other.y))
    }
}

/// A box in physical pixels. Serialised as `[x, y, width, height]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "[i32; 4]", into = "[i32; 4]")]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width; 0 or less means empty.
    pub width: i32,
    /// Height; 0 or less means empty.
    pub height: i32,
}

impl Rect {
    #[must_use]
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// Whether it contains no pixel.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width <= 0 || self.height <= 0
    }

    /// First column to the right of it.
    #[must_use]
    pub const fn right(self) -> i32 {
        self.x.saturating_add(self.width)
    }

    /// First row below it.
    #[must_use]
    pub const fn bottom(self) -> i32 {
        self.y.saturating_add(self.height)
    }

    #[must_use]
    pub const fn center(self) -> Point {
        Point::new(self.x.saturating_add(self.width / 2), self.y.saturating_add(self.height / 2))
    }

    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.x >= self.x && point.y >= self.y && point.x < self.right() && point.y < self.bottom()
    }

    /// The overlap of both; empty if they don't meet.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (right, bottom) = (self.right().min(other.right()), self.bottom().min(other.bottom()));
        Self::new(x, y, (right - x).max(0), (bottom - y).max(0))
    }

    /// The smallest box around both. An empty box adds nothing.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
    }

    /// Euclidean distance from `point` to the nearest pixel of the box; 0 inside.
    #[must_use]
    pub fn distance_to(self, point: Point) -> f64 {
        let dx = (self.x - point.x).max(point.x - (self.right() - 1)).max(0);
        let dy = (self.y - point.y).max(point.y - (self.bottom() - 1)).max(0);
        f64::hypot(f64::from(dx), f64::from(dy))
    }

    /// The box moved by `dx`, `dy`.
    #[must_use]
    pub const fn translated(self, dx: i32, dy: i32) -> Self {
        Self::new(self.x.saturating_add(dx), self.y.saturating_add(dy), self.width, self.height)
    }
}

impl From<[i32; 4]> for Rect {
    fn from([x, y, width, height]: [i32; 4]) -> Self {
        Self { x, y, width, height }
    }
}

impl From<Rect> for [i32; 4] {
    fn from(rect: Rect) -> Self {
        [rect.x, rect.y, rect.width, rect.height]
    }
}
