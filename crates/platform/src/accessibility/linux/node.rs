//! An element of an application's tree, and the calls to it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use atspi::Role as Native;
use atspi::zbus::Connection;
use atspi::zbus::zvariant::{DynamicDeserialize, DynamicType, ObjectPath, OwnedObjectPath, OwnedValue};
use futures_util::future::{join, join3};
use luna_messages::pick::{Role, RoleSet};
use luna_messages::{Coordinates, Point, Rect};
use serde::Serialize;

use super::bus::{BusAddress, CALL_DEADLINE};
use super::cached_element::{AutomationIds, CacheSize, CachedElement};
use super::call_error::CallError;
use super::events::ObjectRef;
use super::guard::Guard;
pub(super) use super::interfaces::Interfaces;
use super::placement::ToldRect;
use super::role;
use super::space::{NodeSpace, WindowSpace};
pub(super) use super::states::States;

pub(super) const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const TEXT: &str = "org.a11y.atspi.Text";
/// Deadline of a call whose answer is only a refinement.
const REFINEMENT_DEADLINE: Duration = Duration::from_millis(80);

/// An application on the accessibility bus.
pub(super) struct App {
    /// The shared bus, for elements of other processes.
    pub(super) bus: Connection,
    /// A direct connection, if the toolkit offers one.
    pub(super) direct: Option<Connection>,
    /// The address for direct connections; empty if the toolkit offers none.
    pub(super) address: String,
    /// The application's name on the bus.
    pub(super) name: String,
    /// Whether coordinates are relative to the window and Luna must do hit tests itself, as with GTK 4.
    pub(super) local: bool,
    /// Whether it tells the mask characters of a field that a page masks instead of what was typed, as Gecko does.
    pub(super) masks_text: bool,
    /// Whether only the title and the size of a window tell that it is this application's (SES-4).
    pub(super) by_title: bool,
    /// Number of late answers to requests for a position in a text, since the last answer in time. GTK 4.8 never
    /// answers.
    pub(super) location_failures: AtomicU8,
    /// Number of late answers to requests for places of characters.
    pub(super) place_failures: AtomicU8,
    /// Whether a part of one of its windows was told elsewhere than it is, so that points in it have to be corrected before it is asked for them.
    pub(super) is_displaced: AtomicBool,
    /// How much it tells of its elements in one answer.
    pub(super) cache_size: CacheSize,
    pub(super) automation_ids: AutomationIds,
    /// Which roles must not be read.
    pub(super) guard: Arc<Guard>,
    /// The coordinates of its main windows, for elements of menus, which belong to no window of the tree; `None` before
    /// a window was looked up.
    pub(super) space: Mutex<Option<Option<Arc<WindowSpace>>>>,
}

impl App {
    /// The coordinates of the window that was looked up last; outer `None` if there was none.
    pub(super) fn known_space(&self) -> Option<Option<Arc<WindowSpace>>> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn keep_space(&self, space: Option<Arc<WindowSpace>>) {
        *self.space.lock().unwrap_or_else(PoisonError::into_inner) = Some(space);
    }

    /// Whether to ask for positions in a text: until three answers are late, or with GTK 4 until the first.
    fn locates_text(&self) -> bool {
        self.location_failures.load(Ordering::Relaxed) < if self.local { 1 } else { 3 }
    }

    /// Whether to ask for the places of characters.
    fn reports_places(&self) -> bool {
        self.place_failures.load(Ordering::Relaxed) < 3
    }

    fn record_late_place(&self) {
        let count = self.place_failures.load(Ordering::Relaxed).saturating_add(1);
        self.place_failures.store(count, Ordering::Relaxed);
    }

    fn record_text_location(&self, answered: bool) {
        let count = if answered { 0 } else { self.location_failures.load(Ordering::Relaxed).saturating_add(1) };
        self.location_failures.store(count, Ordering::Relaxed);
    }
}

/// An element, identified by its bus name and object path.
#[derive(Clone)]
pub(super) struct LinuxNode {
    pub(super) app: Arc<App>,
    /// Bus name of the process that owns the element; nearly always the application's.
    name: String,
    path: OwnedObjectPath,
    /// Converts the application's coordinates.
    pub(super) space: NodeSpace,
    /// How far the application's boxes of this element and all in it are from where they are shown, in pixels of the desktop.
    pub(super) shift: Point,
    /// Handle of the window of the display that shows it; `None` if that is unknown, as with Wayland.
    pub(super) window: Option<u64>,
}

impl Eq for LinuxNode {}

impl Hash for LinuxNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.path.as_str().hash(state);
    }
}

impl PartialEq for LinuxNode {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.path == other.path
    }
}

impl fmt::Debug for LinuxNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.path)
    }
}

/// What and where an element is. Fetched before anything else; shows no text.
#[derive(Debug, Clone)]
pub(super) struct NodeFacts {
    /// Role in AT-SPI.
    pub(super) native: Native,
    /// In Luna's vocabulary of roles.
    pub(super) role: Role,
    pub(super) states: States,
    /// Box on the desktop; empty if the toolkit reports none.
    pub(super) bbox: Rect,
    /// Number of children, which bounds every request for them.
    pub(super) children: i32,
    /// The sheet that a walk came from, if it is a cell of one: with hundreds of cells in a window, what is the same for all of them is not asked of each.
    pub(super) sheet: Option<Arc<LinuxNode>>,
    /// What its application told of it together with all others, shortly before; `None` if it was asked by itself.
    pub(super) cached: Option<Arc<CachedElement>>,
}

/// States, box and number of children, as answered.
pub(super) type OtherFacts = (States, Result<ToldRect, CallError>, Result<i32, CallError>);

impl LinuxNode {
    /// The root of an application.
    pub(super) fn root(app: Arc<App>) -> Self {
        let path = ObjectPath::from_static_str_unchecked("/org/a11y/atspi/accessible/root").into();
        // Coordinates relative to a window mean nothing for the others.
        let space = if app.local { None } else { app.known_space().flatten() };
        Self {
            name: app.name.clone(),
            path,
            space: NodeSpace::of_window(space),
            app,
            shift: Point::default(),
            window: None,
        }
    }

    /// The element that a reference points to; `None` for the null reference.
    pub(super) fn at(&self, reference: (String, OwnedObjectPath)) -> Option<Self> {
        let (name, path) = reference;
        if name.is_empty() || path.as_str() == "/org/a11y/atspi/null" {
            return None;
        }
        Some(Self { name, path, app: Arc::clone(&self.app), space: self.space.clone(), ..*self })
    }

    /// The element that an event or a listing named; `None` for the null reference.
    pub(super) fn of_object(&self, object: &ObjectRef) -> Option<Self> {
        self.at((object.name.clone(), object.path.clone()))
    }

    /// Its object path, if it belongs to the application's own process.
    pub(super) fn path_in_app(&self) -> Option<&OwnedObjectPath> {
        (self.name == self.app.name).then_some(&self.path)
    }

    /// How events name the element.
    pub(super) fn reference_to(&self) -> ObjectRef {
        ObjectRef { name: self.name.clone(), path: self.path.clone() }
    }

    /// The address for direct connections to the process of the element, if it is known.
    pub(super) fn own_address(&self) -> Option<&str> {
        Some(self.app.address.as_str()).filter(|address| self.name == self.app.name && !address.is_empty())
    }

    /// The element as the receiver of calls over the bus.
    pub(super) fn target_on_bus(&self) -> BusAddress<'_> {
        BusAddress { connection: &self.app.bus, name: &self.name, path: &self.path }
    }

    pub(super) fn target(&self) -> BusAddress<'_> {
        let connection = match &self.app.direct {
            Some(direct) if self.name == self.app.name => direct,
            _ => &self.app.bus,
        };
        BusAddress { connection, name: &self.name, path: &self.path }
    }

    pub(super) async fn call<B, R>(&self, interface: &str, method: &str, body: &B) -> Result<R, CallError>
    where
        B: Serialize + DynamicType + Sync,
        R: for<'d> DynamicDeserialize<'d>,
    {
        self.target().call(interface, method, body, CALL_DEADLINE).await
    }

    pub(super) async fn property<R: TryFrom<OwnedValue>>(
        &self,
        interface: &str,
        property: &str,
    ) -> Result<R, CallError> {
        self.target().property(interface, property, CALL_DEADLINE).await
    }

    pub(super) async fn reference(
        &self,
        interface: &str,
        method: &str,
        body: &(impl Serialize + DynamicType + Sync),
    ) -> Result<Option<Self>, CallError> {
        let reference = self.call(interface, method, body).await?;
        Ok(self.at(reference))
    }

    /// Whether coordinates are those of the screen or of the window, in numbers of AT-SPI.
    pub(super) fn coordinates(&self) -> u32 {
        u32::from(self.app.local)
    }

    /// Role in AT-SPI.
    pub(super) async fn native(&self) -> Result<Native, CallError> {
        let number: u32 = self.call(ACCESSIBLE, "GetRole", &()).await?;
        Ok(Native::try_from(number).unwrap_or(Native::Unknown))
    }

    /// The name; empty if the person blocked elements of this role. Without blocked roles, it costs no further request.
    pub(super) async fn readable_name(&self) -> String {
        let blocked = self.app.guard.blocked();
        if blocked == RoleSet::default() {
            return self.name().await.unwrap_or_default();
        }
        let (name, native, states) = join3(self.name(), self.native(), self.states()).await;
        match (native, states) {
            (Ok(native), Ok(states)) if !blocked.contains(role::luna_role(native, states.is_editable())) => {
                name.unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    pub(super) async fn states(&self) -> Result<States, CallError> {
        let words: Vec<u32> = self.call(ACCESSIBLE, "GetState", &()).await?;
        Ok(States::from_words(&words))
    }

    /// A point of the desktop, where the application has what is shown there.
    pub(super) fn unshifted(&self, point: Point) -> Point {
        Point::new(point.x - self.shift.x, point.y - self.shift.y)
    }

    /// A box as told, where it is shown.
    pub(super) fn shifted(&self, place: Rect) -> Rect {
        if place.is_empty() { place } else { place.translated(self.shift.x, self.shift.y) }
    }

    /// Role, states, box and number of children, fetched concurrently. If the application refuses the box or the
    /// number, it is empty or 0; any other failure fails the whole request.
    pub(super) async fn facts(&self) -> Result<NodeFacts, CallError> {
        let (native, rest) = join(self.native(), self.other_facts()).await;
        self.assembled(native?, rest?)
    }

    /// The facts of an element that may contain others; `None` if its role tells that it does not, which spares the
    /// other requests.
    pub(super) async fn container_facts(&self) -> Result<Option<NodeFacts>, CallError> {
        let native = self.native().await?;
        if role::is_leaf(native) {
            return Ok(None);
        }
        self.assembled(native, self.other_facts().await?).map(Some)
    }

    async fn other_facts(&self) -> Result<OtherFacts, CallError> {
        let (states, told, children) = join3(self.states(), self.told_extents(), self.child_count()).await;
        Ok((states?, told, children))
    }

    pub(super) fn assembled(
        &self,
        native: Native,
        (states, told, children): OtherFacts,
    ) -> Result<NodeFacts, CallError> {
        let bbox = match told {
            Ok(told) => {
                self.space.note(native, told);
                self.shifted(self.space.on_desktop(told))
            }
            Err(CallError::Refused) => Rect::default(),
            Err(error) => return Err(error),
        };
        let bbox = if bbox.is_empty() { Rect::default() } else { bbox };
        let children = match children {
            Ok(children) => children.max(0),
            Err(CallError::Refused) => 0,
            Err(error) => return Err(error),
        };
        let role = self.app.guard.role(role::luna_role(native, states.is_editable()));
        Ok(NodeFacts { native, role, states, bbox, children, sheet: None, cached: None })
    }

    pub(super) async fn parent(&self) -> Result<Option<Self>, CallError> {
        let value: OwnedValue = self.property(ACCESSIBLE, "Parent").await?;
        let reference = <(String, OwnedObjectPath)>::try_from(value).map_err(|_| CallError::Refused)?;
        Ok(self.at(reference))
    }

    /// The interfaces of the element.
    pub(super) async fn interfaces(&self) -> Result<Interfaces, CallError> {
        let names: Vec<String> = self.call(ACCESSIBLE, "GetInterfaces", &()).await?;
        Ok(Interfaces(names))
    }

    /// The name. Of a protected field, requested only to tell which field it is.
    pub(super) async fn name(&self) -> Result<String, CallError> {
        let name: String = self.property(ACCESSIBLE, "Name").await?;
        Ok(if self.app.local && role::is_class_name(&name) { String::new() } else { name })
    }

    /// The name of the toolkit. Only for an application's root.
    pub(super) async fn toolkit(&self) -> Result<String, CallError> {
        self.property("org.a11y.atspi.Application", "ToolkitName").await
    }

    /// The address for a direct connection to the application.
    pub(super) async fn direct_address(&self) -> Result<String, CallError> {
        self.call("org.a11y.atspi.Application", "GetApplicationBusAddress", &()).await
    }

    /// The number of characters in the text. Never requested from a protected element.
    pub(super) async fn character_count(&self) -> Result<i32, CallError> {
        self.property(TEXT, "CharacterCount").await
    }

    /// Characters `start` to `end` of the text. Never requested from a protected element.
    pub(super) async fn text(&self, start: i32, end: i32) -> Result<String, CallError> {
        if let Some(shown) = self.shown(start, end).await? {
            return Ok(shown);
        }
        self.call(TEXT, "GetText", &(start, end)).await
    }

    /// The offset of the character at a point of the desktop.
    pub(super) async fn offset_at(&self, point: Point) -> Option<usize> {
        if !self.app.locates_text() {
            return None;
        }
        let told = self.space.point(self.unshifted(point)).raw();
        let arguments = (told.x, told.y, self.coordinates());
        match self.target().call::<_, i32>(TEXT, "GetOffsetAtPoint", &arguments, REFINEMENT_DEADLINE).await {
            Ok(offset) => {
                self.app.record_text_location(true);
                usize::try_from(offset).ok()
            }
            Err(CallError::Late) => {
                self.app.record_text_location(false);
                None
            }
            Err(CallError::Lost | CallError::Refused) => None,
        }
    }

    /// The element embedded at a character of the text.
    pub(super) async fn linked_at(&self, offset: i32) -> Option<Self> {
        const HYPERTEXT: &str = "org.a11y.atspi.Hypertext";
        let link: i32 = self.call(HYPERTEXT, "GetLinkIndex", &(offset,)).await.ok().filter(|&link| link >= 0)?;
        let link = self.reference(HYPERTEXT, "GetLink", &(link,)).await.ok().flatten()?;
        link.reference("org.a11y.atspi.Hyperlink", "GetObject", &(0_i32,)).await.ok().flatten()
    }

    /// The visual line that contains a character: its text, start and end.
    pub(super) async fn line_at(&self, offset: i32) -> Option<(String, i32, i32)> {
        const LINE: u32 = 3;
        self.target().call(TEXT, "GetStringAtOffset", &(offset, LINE), REFINEMENT_DEADLINE).await.ok()
    }

    /// The box of a range of characters on the desktop.
    pub(super) async fn range_extents(&self, start: i32, end: i32) -> Option<Rect> {
        // GTK 4 has no boxes of ranges.
        if self.app.local {
            let ends = join(self.character_extents(start), self.character_extents(end - 1));
            let (first, last) = ends.await;
            return Some(first?.union(last?));
        }
        self.text_extents("GetRangeExtents", &(start, end, self.coordinates())).await
    }

    /// The box of a character on the desktop.
    pub(super) async fn character_extents(&self, offset: i32) -> Option<Rect> {
        self.text_extents("GetCharacterExtents", &(offset, self.coordinates())).await
    }

    async fn text_extents(&self, method: &str, body: &(impl Serialize + DynamicType + Sync)) -> Option<Rect> {
        if !self.app.reports_places() {
            return None;
        }
        match self.target().call::<_, (i32, i32, i32, i32)>(TEXT, method, body, REFINEMENT_DEADLINE).await {
            Ok((x, y, width, height)) if width > 0 && height > 0 && x > -30_000 => {
                let told = Coordinates::new(Rect::new(x, y, width, height));
                Some(self.shifted(self.space.characters_on_desktop(told)))
            }
            Err(CallError::Late) => {
                self.app.record_late_place();
                None
            }
            _ => None,
        }
    }
}
