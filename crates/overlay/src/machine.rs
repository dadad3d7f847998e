//! When what is shown: `(state, event, now) → effects`. A mark is followed if its window moves, and checked if something is drawn at its place; what can't
//! be confirmed there is no longer marked, because a mark at a wrong place is worse than none.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use luna_messages::overlay::{HighlightedText, OverlayChange};
use luna_messages::pick::PickMethod;
use luna_messages::reading::Intent;
use luna_messages::{ElementId, Point, Rect};

use crate::scene::{OverlayScene, SceneChip, SceneTarget};

/// Pause between something drawn at a mark and the query for what is there now: a list that scrolls draws every 16 ms.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Each query that finds nothing new doubles the pause, up to this: a film in a marked place causes one query in two seconds.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Tells two texts apart, see [`HighlightedText`].
#[must_use]
pub fn text_hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Tells two pictures apart.
#[must_use]
pub fn pixel_hash(rgb: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    rgb.hash(&mut hasher);
    hasher.finish()
}

/// Settings of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverlaySettings {
    /// `overlay.enabled`.
    pub enabled: bool,
    /// Whether the options of a question get badges (`overlay.show_numbers`).
    pub show_numbers: bool,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverlayEvent {
    FocusMode {
        on: bool,
    },
    Mode(Intent),
    Picked(HighlightedText),
    Highlight {
        bbox: Option<Rect>,
        pinned: bool,
    },
    /// The options of the open question; none: no question is open.
    Question {
        options: Vec<ElementId>,
    },
    Listening {
        on: bool,
    },
    Changed(OverlayChange),
    /// Answers [`OverlayEffect::Locate`].
    Located {
        query: u64,
        boxes: Vec<Option<Rect>>,
    },
    /// Answers [`OverlayEffect::Check`].
    Checked {
        query: u64,
        found: Option<HighlightedText>,
    },
    /// Answers [`OverlayEffect::Compare`].
    Compared {
        query: u64,
        pixels: Option<u64>,
    },
    Timer {
        generation: u64,
    },
    /// Settings, monitors or the display may have changed.
    Redraw,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverlayEffect {
    /// In place of what is shown. Never an empty scene.
    Show(OverlayScene),
    Hide,
    /// Has changes at the marks reported again, because of each mark the platform reports the first, and then asks where these elements are.
    /// [`OverlayEvent::Located`] with as many boxes follows.
    Locate {
        query: u64,
        elements: Vec<ElementId>,
    },
    /// Has changes reported again, too, and then asks what lies at this point. [`OverlayEvent::Checked`] follows.
    Check {
        query: u64,
        at: Point,
    },
    /// Has changes reported again, too, and then asks what this part of the screen looks like. [`OverlayEvent::Compared`] follows.
    Compare {
        query: u64,
        part: Rect,
    },
    /// A newer timer replaces an older one.
    StartTimer {
        generation: u64,
        after: Duration,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MarkedTarget {
    bbox: Rect,
    pinned: bool,
    /// `None` if nothing is known of the text but its box.
    text: Option<HighlightedText>,
    /// What recognised text looked like: nothing else tells whether it is still there.
    pixels: Option<u64>,
}

impl MarkedTarget {
    fn is_recognised(&self) -> bool {
        self.text.is_some_and(|text| text.method == PickMethod::Ocr)
    }
}

/// Decides what is shown.
#[derive(Debug)]
pub struct OverlayMachine {
    settings: OverlaySettings,
    focus_mode: bool,
    mode: Intent,
    listening: bool,
    /// The newest text that was found; it becomes the target if it is highlighted.
    picked: Option<HighlightedText>,
    target: Option<MarkedTarget>,
    options: Vec<ElementId>,
    /// Where the options are, in the same order; empty until that is known.
    boxes: Vec<Option<Rect>>,
    /// What is on the screen.
    shown: OverlayScene,
    /// The newest query; answers to older ones are ignored.
    query: u64,
    /// The running timer.
    timer: Option<u64>,
    generation: u64,
    /// The time of the last query because something was drawn, and the pause after it.
    last_check: Option<Duration>,
    pause: Duration,
}

impl OverlayMachine {
    /// Nothing is shown.
    #[must_use]
    pub fn new(settings: OverlaySettings) -> Self {
        Self {
            settings,
            focus_mode: false,
            mode: Intent::Read,
            listening: false,
            picked: None,
            target: None,
            options: Vec::new(),
            boxes: Vec::new(),
            shown: OverlayScene::default(),
            query: 0,
            timer: None,
            generation: 0,
            last_check: None,
            pause: FIRST_PAUSE,
        }
    }

    pub const fn set_settings(&mut self, settings: OverlaySettings) {
        self.settings = settings;
    }

    /// Takes an event at `now`, counted from any fixed moment.
    pub fn step(&mut self, event: OverlayEvent, now: Duration) -> Vec<OverlayEffect> {
        let mut effects = Vec::new();
        let mut redraw = false;
        match event {
            OverlayEvent::FocusMode { on } => self.focus_mode = on,
            OverlayEvent::Mode(mode) => self.mode = mode,
            OverlayEvent::Listening { on } => self.listening = on,
            OverlayEvent::Picked(text) => self.picked = Some(text),
            OverlayEvent::Highlight { bbox, pinned } => effects.extend(self.highlight(bbox, pinned)),
            OverlayEvent::Question { options } => {
                self.boxes.clear();
                self.options = options;
                self.pause = FIRST_PAUSE;
                effects.extend(self.locate());
            }
            OverlayEvent::Located { query, boxes } => self.located(query, boxes),
            OverlayEvent::Checked { query, found } => self.checked(query, found),
            OverlayEvent::Compared { query, pixels } => self.compared(query, pixels),
            OverlayEvent::Changed(change) => effects.extend(self.changed(change, now)),
            OverlayEvent::Timer { generation } => {
                if self.timer.take_if(|timer| *timer == generation).is_some() {
                    effects.extend(self.check(now));
                }
            }
            OverlayEvent::Redraw => redraw = true,
        }
        let scene = self.scene();
        if scene != self.shown || redraw {
            match (scene.is_empty(), self.shown.is_empty()) {
                (true, true) => {}
                (true, false) => effects.push(OverlayEffect::Hide),
                (false, _) => effects.push(OverlayEffect::Show(scene.clone())),
            }
            self.shown = scene;
        }
        effects
    }

    fn highlight(&mut self, bbox: Option<Rect>, pinned: bool) -> Option<OverlayEffect> {
        let known = self.target;
        self.target = bbox.filter(|bbox| !bbox.is_empty()).map(|bbox| {
            let text = self.picked.filter(|text| text.bbox == bbox);
            let known = known.filter(|target| target.bbox == bbox);
            let pixels = known.and_then(|target| target.pixels);
            MarkedTarget { bbox, pinned, text: text.or(known.and_then(|target| target.text)), pixels }
        });
        if self.target.map(|target| target.bbox) == known.map(|target| target.bbox) {
            return None;
        }
        // While Luna asks, the queries are about the options.
        if !self.options.is_empty() {
            return None;
        }
        (self.pause, self.timer) = (FIRST_PAUSE, None);
        self.query += 1;
        let target = self.target.filter(|target| target.is_recognised())?;
        Some(OverlayEffect::Compare { query: self.query, part: target.bbox })
    }

    fn locate(&mut self) -> Option<OverlayEffect> {
        if self.options.is_empty() {
            return None;
        }
        self.query += 1;
        Some(OverlayEffect::Locate { query: self.query, elements: self.options.clone() })
    }

    fn located(&mut self, query: u64, boxes: Vec<Option<Rect>>) {
        if query == self.query && boxes.len() == self.options.len() {
            self.note_outcome(self.boxes == boxes);
            self.boxes = boxes;
        }
    }

    fn checked(&mut self, query: u64, found: Option<HighlightedText>) {
        let Some(target) = self.target.filter(|_| query == self.query) else { return };
        let same_text = |found: &HighlightedText| {
            target.text.is_some_and(|text| text.text_hash == found.text_hash && text.method == found.method)
        };
        let is_part = |found: &HighlightedText| {
            target.text.is_some_and(|text| text.is_table) && found.bbox.intersection(target.bbox) == found.bbox
        };
        self.target = match found {
            Some(found) if found.bbox == target.bbox || is_part(&found) => Some(target),
            Some(found) if same_text(&found) => Some(MarkedTarget { bbox: found.bbox, text: Some(found), ..target }),
            Some(_) | None => None,
        };
        self.note_outcome(self.target == Some(target));
    }

    fn compared(&mut self, query: u64, pixels: Option<u64>) {
        let Some(target) = self.target.as_mut().filter(|_| query == self.query) else { return };
        match target.pixels {
            None => target.pixels = pixels,
            Some(before) if Some(before) == pixels => self.note_outcome(true),
            Some(_) => self.target = None,
        }
    }

    const fn note_outcome(&mut self, is_unchanged: bool) {
        let doubled = self.pause.saturating_mul(2);
        let longest = doubled.as_nanos() > LONGEST_PAUSE.as_nanos();
        self.pause = match (is_unchanged, longest) {
            (false, _) => FIRST_PAUSE,
            (true, false) => doubled,
            (true, true) => LONGEST_PAUSE,
        };
    }

    fn changed(&mut self, change: OverlayChange, now: Duration) -> Option<OverlayEffect> {
        match change {
            OverlayChange::Moved { from, to } => {
                if !self.is_marked(from) {
                    // A move before this one was lost, or the mark is a newer one: what is there tells.
                    return self.schedule_check(now);
                }
                if let Some(target) = self.target.as_mut().filter(|target| target.bbox == from) {
                    target.bbox = to;
                    target.text = target.text.map(|text| HighlightedText { bbox: to, ..text });
                }
                self.boxes.iter_mut().flatten().filter(|bbox| **bbox == from).for_each(|bbox| *bbox = to);
                None
            }
            OverlayChange::Vanished { at } => {
                self.target.take_if(|target| target.bbox == at);
                self.boxes.iter_mut().filter(|bbox| **bbox == Some(at)).for_each(|bbox| *bbox = None);
                None
            }
            OverlayChange::Redrawn { at } => {
                if self.is_marked(at) {
                    self.schedule_check(now)
                } else {
                    None
                }
            }
        }
    }

    fn is_marked(&self, place: Rect) -> bool {
        self.target.is_some_and(|target| target.bbox == place) || self.boxes.contains(&Some(place))
    }

    fn schedule_check(&mut self, now: Duration) -> Option<OverlayEffect> {
        let is_marking = self.target.is_some() || !self.options.is_empty();
        if !is_marking || self.timer.is_some() {
            return None;
        }
        self.generation += 1;
        self.timer = Some(self.generation);
        let due = self.last_check.unwrap_or_default() + self.pause;
        let after = due.saturating_sub(now).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        Some(OverlayEffect::StartTimer { generation: self.generation, after })
    }

    /// Asks where the marked things are now.
    fn check(&mut self, now: Duration) -> Option<OverlayEffect> {
        self.last_check = Some(now);
        match (self.options.is_empty(), self.target) {
            (false, _) => self.locate(),
            (true, Some(target)) if target.is_recognised() => {
                self.query += 1;
                Some(OverlayEffect::Compare { query: self.query, part: target.bbox })
            }
            (true, Some(target)) => {
                self.query += 1;
                Some(OverlayEffect::Check { query: self.query, at: target.bbox.center() })
            }
            (true, None) => None,
        }
    }

    fn scene(&self) -> OverlayScene {
        if !self.settings.enabled {
            return OverlayScene::default();
        }
        let is_asking = !self.options.is_empty();
        let chip = SceneChip { mode: self.focus_mode.then_some(self.mode), listening: self.listening };
        let (mut target, mut badges) = (None, Vec::new());
        if !is_asking {
            target = self.target.map(|target| SceneTarget { bbox: target.bbox, pinned: target.pinned });
        } else if let [bbox] = self.boxes[..] {
            // A confirmation: there is no number to say.
            target = bbox.map(|bbox| SceneTarget { bbox, pinned: false });
        } else if self.settings.show_numbers {
            let numbered = (1..).zip(&self.boxes);
            badges = numbered.filter_map(|(number, bbox)| Some((number, (*bbox)?))).collect();
        }
        OverlayScene { target, badges, chip: (self.focus_mode || is_asking).then_some(chip) }
    }
}

#[cfg(test)]
mod tests;
