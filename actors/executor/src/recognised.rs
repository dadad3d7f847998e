//! Acting on programs that the accessibility tree does not know, by the text that is recognised in their windows (EXE-1).
//!
//! A line of text can only be clicked, where it was seen, and only while the picture there is the same as when it was recognised: nothing else tells that it is
//! still there. The click itself is bound to the window, as every click is.

mod parts;

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::inbox::Inbox;
use luna_messages::element::{Element, Role};
use luna_messages::element_action::{
    ActionResult, ActionableElement, Capacity, CapacitySet, CaretState, ElementAction, ElementRefusal, ElementState,
    NoEffectProof, ObservedChange, WindowElements,
};
use luna_messages::input::{ClickPoint, NoClickPoint};
use luna_messages::ocr::{OcrBlock, OcrMessage, ScreenShot};
use luna_messages::pick::{CaptureScope, PickFailure, SearchedRegion, WindowInfo};
use luna_messages::{ElementId, Rect, Reply};
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::{ActBarrier, ChangeScope, ElementActions};
use luna_platform::accessibility::{Accessibility, Watch};
use tokio::sync::oneshot;
use tokio::time::Instant;

use self::parts::LinePart;

/// How often a picture is tried again because windows changed meanwhile.
const TRIES: usize = 3;
/// Lines that are less certain may be read wrong, and are not offered.
const CERTAIN: f32 = 0.6;
/// How soon after a look or a click a window is looked at again because something was not found, or to see what changed. Only then its text is recognised,
/// which takes a second: keys and the usual orders do not wait for it.
const AGAIN: Duration = Duration::from_secs(3);

/// A line of text, and the picture of it.
#[derive(Debug, Clone)]
struct ClickableLine {
    window: WindowInfo,
    element: Element,
    pixels: Vec<u8>,
    /// Whether it is certain that its text is what stands there. Where a part of a line is, is only computed.
    is_certain: bool,
}

/// The actions of the accessibility tree; for windows in which it knows nothing, clicks on recognised lines of text.
pub struct ActionsByTreeOrText {
    tree: Arc<dyn ElementActions>,
    accessibility: Arc<dyn Accessibility>,
    ocr: Inbox<OcrMessage>,
    /// The lines of the newest listing.
    lines: Mutex<BTreeMap<ElementId, ClickableLine>>,
    /// The line that was clicked last: the click itself may change its picture, as buttons show that the pointer is on them.
    clicked: Mutex<Option<ElementId>>,
    /// The window without a tree that was looked at last, and when.
    looked_at: Mutex<Option<(u64, Instant)>>,
}

impl ActionsByTreeOrText {
    /// `accessibility` tells what must not be seen; `ocr` takes pictures and recognises them.
    #[must_use]
    pub fn new(tree: Arc<dyn ElementActions>, accessibility: Arc<dyn Accessibility>, ocr: Inbox<OcrMessage>) -> Self {
        Self {
            tree,
            accessibility,
            ocr,
            lines: Mutex::default(),
            clicked: Mutex::default(),
            looked_at: Mutex::default(),
        }
    }

    /// Notes that this window is looked at; whether it was looked at shortly before.
    fn is_looked_at_again(&self, window: u64) -> bool {
        let mut last = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let before = last.replace((window, now));
        before.is_some_and(|(other, at)| other == window && now.duration_since(at) < AGAIN)
    }

    fn lines(&self) -> MutexGuard<'_, BTreeMap<ElementId, ClickableLine>> {
        // The map is replaced as a whole, so it is whole even if its lock is poisoned.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self, id: &ElementId) -> Option<ClickableLine> {
        self.lines().get(id).cloned()
    }

    /// The lines of a window; none if they can't be recognised now.
    async fn recognised(&self, window: &WindowInfo) -> Vec<ClickableLine> {
        let Ok(shot) = self.shot(window).await else { return Vec::new() };
        let whole = window.bounds;
        let recognised = self.ask(window, whole, |searched, reply| OcrMessage::Recognise { searched, reply }).await;
        let blocks = match recognised {
            Ok(result) => result.blocks,
            Err(failure) => {
                tracing::warn!(%failure, "The text of a window without an accessibility tree could not be recognised.");
                return Vec::new();
            }
        };
        let certain = blocks.into_iter().filter(|block| block.confidence >= CERTAIN);
        certain.flat_map(|block| lines_of(window, &shot, &block)).collect()
    }

    async fn shot(&self, window: &WindowInfo) -> Result<ScreenShot, PickFailure> {
        self.ask(window, window.bounds, |searched, reply| OcrMessage::Shot { searched, reply }).await
    }

    /// Asks Ocr about a region of a window that was searched for protected fields directly before (PIC-5).
    async fn ask<T: Send + 'static>(
        &self,
        window: &WindowInfo,
        region: Rect,
        message: impl Fn(SearchedRegion, Reply<Result<T, PickFailure>>) -> OcrMessage,
    ) -> Result<T, PickFailure> {
        for _ in 0..TRIES {
            let search = self.accessibility.search(Some(window), region, CaptureScope::Screen);
            let searched = search.await.map_err(|_| PickFailure::Unavailable)?;
            let (sender, answer) = oneshot::channel();
            let reply = Reply::new(move |answer| {
                let _ = sender.send(answer);
            });
            self.ocr.post(message(searched, reply)).map_err(|_| PickFailure::Unavailable)?;
            match answer.await {
                Ok(Ok(Err(PickFailure::Changed))) => {}
                Ok(Ok(answer)) => return answer,
                Ok(Err(_)) | Err(_) => return Err(PickFailure::Failed),
            }
        }
        Err(PickFailure::Changed)
    }

    /// Recognises a computed part alone, once: it must be what it is taken for, and nothing else.
    async fn confirmed(&self, line: ClickableLine) -> Result<ClickableLine, ElementRefusal> {
        if line.is_certain {
            return Ok(line);
        }
        let read =
            self.ask(&line.window, line.element.bbox, |searched, reply| OcrMessage::Recognise { searched, reply });
        let blocks = read.await.map_err(|_| ElementRefusal::NoAnswer)?.blocks;
        let text: String = blocks.iter().map(|block| block.text.as_str()).collect();
        // Signs alone tell too little.
        let is_it = !letters(&text).is_empty() && letters(&text) == letters(&line.element.text);
        if !is_it {
            return Err(ElementRefusal::Replaced);
        }
        let line = ClickableLine { is_certain: true, ..line };
        self.lines().insert(line.element.id.clone(), line.clone());
        Ok(line)
    }

    /// The line if its picture is the same as when it was recognised, in the same window at the same place.
    async fn current(&self, line: &ClickableLine) -> Result<(), ElementRefusal> {
        let windows = self.tree.active_windows().await.map_err(|_| ElementRefusal::Unavailable)?;
        let Some(now) = windows.iter().find(|window| window.handle == line.window.handle) else {
            return Err(ElementRefusal::Gone);
        };
        if now.bounds != line.window.bounds {
            return Err(ElementRefusal::Replaced);
        }
        let shot = self.shot(now).await.map_err(|_| ElementRefusal::NoAnswer)?;
        let is_same = shot.part(line.element.bbox).is_some_and(|pixels| pixels == line.pixels);
        let is_clicked = || {
            let clicked = self.clicked.lock().unwrap_or_else(PoisonError::into_inner);
            clicked.as_ref() == Some(&line.element.id)
        };
        match is_same {
            true => Ok(()),
            // Whether the click had an effect, the whole window tells.
            false if is_clicked() => Err(ElementRefusal::NoAnswer),
            false => Err(ElementRefusal::Replaced),
        }
    }
}

/// The parts of a line as it was recognised; none if it lies outside of its picture, or nobody knows where its words are.
fn lines_of(window: &WindowInfo, shot: &ScreenShot, block: &OcrBlock) -> Vec<ClickableLine> {
    let (Some(pixels), Ok(width)) = (shot.part(block.bbox), usize::try_from(block.bbox.width)) else {
        return Vec::new();
    };
    let parts = parts::parts(&block.text, &pixels, width).unwrap_or_default();
    let line = |(part, is_certain): (LinePart, bool)| {
        let (first, last) = (i32::try_from(part.columns.0).ok()?, i32::try_from(part.columns.1).ok()?);
        let bbox = Rect::new(block.bbox.x + first, block.bbox.y, last - first + 1, block.bbox.height);
        let mut hasher = DefaultHasher::new();
        (window.handle, &part.text, bbox.x, bbox.y, bbox.width, bbox.height).hash(&mut hasher);
        let id = ElementId(format!("recognised-{:016x}", hasher.finish()));
        let pixels = shot.part(bbox)?;
        let mut element = Element::new(id, Role::Text, &part.text, bbox);
        // A word of danger beside it may belong to the same button (DNG-4).
        if part.text != block.text {
            element.properties.description = block.text.clone();
        }
        Some(ClickableLine { window: window.clone(), element, pixels, is_certain })
    };
    // Which words belong to which of several parts is computed, too.
    let is_alone = parts.len() == 1;
    let with_runs = |part: LinePart| {
        let runs = parts::runs_of_words(&part).into_iter().map(|run| (run, false));
        std::iter::once((part, is_alone)).chain(runs).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(with_runs).filter_map(line).collect()
}

/// The letters and digits of a text, small.
fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[async_trait]
impl ElementActions for ActionsByTreeOrText {
    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        self.tree.active_windows().await
    }

    async fn window_elements_to_act_on(&self, window: &WindowInfo) -> Result<WindowElements, PlatformError> {
        let listed = self.tree.window_elements_to_act_on(window).await?;
        if !listed.elements.is_empty() || !listed.is_complete {
            return Ok(listed);
        }
        if !self.is_looked_at_again(window.handle) {
            return Ok(WindowElements { is_complete: false, ..listed });
        }
        let lines = self.recognised(window).await;
        self.is_looked_at_again(window.handle);
        let elements = lines.iter().map(|line| ActionableElement {
            element: line.element.clone(),
            capacities: clickable(),
            protected: false,
        });
        let elements = elements.collect();
        *self.clicked.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.lines() = lines.into_iter().map(|line| (line.element.id.clone(), line)).collect();
        Ok(WindowElements { elements, ..listed })
    }

    async fn inspect(&self, element: &ElementId) -> Result<ElementState, ElementRefusal> {
        let Some(line) = self.line(element) else { return self.tree.inspect(element).await };
        let line = self.confirmed(line).await?;
        self.current(&line).await?;
        Ok(ElementState {
            element: line.element,
            capacities: clickable(),
            focused: false,
            protected: false,
            caret: CaretState::default(),
        })
    }

    async fn act(
        &self,
        element: &ElementId,
        action: ElementAction,
        barrier: &ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        if self.line(element).is_some() {
            return Ok(ActionResult::NoEffect(NoEffectProof::NotOffered));
        }
        self.tree.act(element, action, barrier).await
    }

    async fn click_point(&self, element: &ElementId) -> Result<ClickPoint, NoClickPoint> {
        let Some(line) = self.line(element) else { return self.tree.click_point(element).await };
        let line = self.confirmed(line).await?;
        self.current(&line).await?;
        let (point, window, bounds) = (line.element.bbox.center(), line.window.handle, line.window.bounds);
        self.is_looked_at_again(window);
        *self.clicked.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.element.id);
        Ok(ClickPoint { point, window, bounds, is_confirmed: false })
    }

    async fn watch_changes(
        &self,
        scope: ChangeScope,
        seen: Box<dyn Fn(ObservedChange) + Send>,
    ) -> Result<Watch, PlatformError> {
        let line = if let ChangeScope::Element(id) = &scope { self.line(id) } else { None };
        let scope = line.map_or(scope, |line| ChangeScope::Window(line.window.handle));
        self.tree.watch_changes(scope, seen).await
    }
}

/// A line can be pressed, by a click; what it does is not known.
fn clickable() -> CapacitySet {
    CapacitySet::default().with(Capacity::Press)
}
