//! An element of an application's tree, and the calls to it.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use atspi::Role as Native;
use atspi::zbus::Connection;
use atspi::zbus::zvariant::{DynamicDeserialize, DynamicType, ObjectPath, OwnedObjectPath, OwnedValue};
use futures_util::future::{join, join4};
use luna_messages::pick::Role;
use luna_messages::{Point, Rect};
use serde::Serialize;

use super::bus::{BusAddress, CALL_DEADLINE};
use super::call_error::CallError;
use super::events::ObjectRef;
use super::guard::Guard;
use super::reading::NOWHERE;
use super::role;

pub(super) const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const COMPONENT: &str = "org.a11y.atspi.Component";
const TEXT: &str = "org.a11y.atspi.Text";
const TABLE: &str = "org.a11y.atspi.Table";
/// Deadline of a call whose answer is only a refinement.
const REFINEMENT_DEADLINE: Duration = Duration::from_millis(80);

/// An application on the accessibility bus.
pub(super) struct App {
    /// The shared bus, for elements of other processes.
    pub(super) bus: Connection,
    /// A direct connection to the application, if its toolkit offers one.
    pub(super) direct: Option<Connection>,
    /// The application's name on the bus.
    pub(super) name: String,
    /// Whether coordinates are relative to the window and Luna must do hit tests itself, as with GTK 4.
    pub(super) local: bool,
    /// Number of late answers to requests for a position in a text, since the last answer in time. GTK 4.8 never
    /// answers.
    pub(super) location_failures: AtomicU8,
    /// Which roles must not be read.
    pub(super) guard: Arc<Guard>,
}

impl App {
    /// Whether to ask for positions in a text: until three answers are late, or with GTK 4 until the first.
    fn locates_text(&self) -> bool {
        self.location_failures.load(Ordering::Relaxed) < if self.local { 1 } else { 3 }
    }

    fn record_text_location(&self, answered: bool) {
        let count = if answered { 0 } else { self.location_failures.load(Ordering::Relaxed).saturating_add(1) };
        self.location_failures.store(count, Ordering::Relaxed);
    }
}

/// The state bits of AT-SPI that Luna uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct States(u64);

impl States {
    const ACTIVE: u32 = 1;
    const EDITABLE: u32 = 7;
    const ENABLED: u32 = 8;
    const FOCUSED: u32 = 12;
    const MULTI_LINE: u32 = 17;
    const SELECTED: u32 = 23;
    const SENSITIVE: u32 = 24;
    const SHOWING: u32 = 25;
    const VISIBLE: u32 = 30;
    const MANAGES_DESCENDANTS: u32 = 31;

    pub(super) fn from_words(words: &[u32]) -> Self {
        let word = |index: usize| u64::from(words.get(index).copied().unwrap_or(0));
        Self(word(0) | word(1) << 32)
    }

    const fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }

    pub(super) const fn is_editable(self) -> bool {
        self.has(Self::EDITABLE)
    }

    pub(super) const fn is_multi_line(self) -> bool {
        self.has(Self::MULTI_LINE)
    }

    /// Whether it is the active window.
    pub(super) const fn is_active(self) -> bool {
        self.has(Self::ACTIVE)
    }

    pub(super) const fn is_focused(self) -> bool {
        self.has(Self::FOCUSED)
    }

    /// GTK 3 and 4 set "sensitive", other toolkits "enabled", some both.
    pub(super) const fn is_enabled(self) -> bool {
        self.has(Self::ENABLED) || self.has(Self::SENSITIVE)
    }

    pub(super) const fn is_selected(self) -> bool {
        self.has(Self::SELECTED)
    }

    /// Whether the element creates its children on request and finds them without enumerating all, as tables and lists
    /// of any length do.
    pub(super) const fn manages_descendants(self) -> bool {
        self.has(Self::MANAGES_DESCENDANTS)
    }

    /// Whether the element is on the screen, according to the toolkit. GTK 4 never sets "showing".
    pub(super) const fn is_shown(self, local: bool) -> bool {
        self.has(Self::SHOWING) || local && self.has(Self::VISIBLE)
    }
}

/// An element, identified by its bus name and object path.
#[derive(Clone)]
pub(super) struct LinuxNode {
    pub(super) app: Arc<App>,
    /// Bus name of the process that owns the element; nearly always the application's.
    name: String,
    path: OwnedObjectPath,
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

/// What and where an element is. Fetched before anything else; contains no text.
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
}

impl LinuxNode {
    /// The root of an application.
    pub(super) fn root(app: Arc<App>) -> Self {
        let path = ObjectPath::from_static_str_unchecked("/org/a11y/atspi/accessible/root").into();
        Self { name: app.name.clone(), path, app }
    }

    /// The element that a reference points to; `None` for the null reference.
    pub(super) fn at(&self, reference: (String, OwnedObjectPath)) -> Option<Self> {
        let (name, path) = reference;
        if name.is_empty() || path.as_str() == "/org/a11y/atspi/null" {
            return None;
        }
        Some(Self { app: Arc::clone(&self.app), name, path })
    }

    /// How events name the element.
    pub(super) fn reference_to(&self) -> ObjectRef {
        ObjectRef { name: self.name.clone(), path: self.path.clone() }
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

    fn coordinates(&self) -> u32 {
        u32::from(self.app.local)
    }

    /// Role in AT-SPI.
    pub(super) async fn native(&self) -> Result<Native, CallError> {
        let number: u32 = self.call(ACCESSIBLE, "GetRole", &()).await?;
        Ok(Native::try_from(number).unwrap_or(Native::Unknown))
    }

    pub(super) async fn states(&self) -> Result<States, CallError> {
        let words: Vec<u32> = self.call(ACCESSIBLE, "GetState", &()).await?;
        Ok(States::from_words(&words))
    }

    /// The box as reported by the toolkit; empty if the element is not on the screen.
    async fn raw_extents(&self) -> Result<Rect, CallError> {
        let (x, y, width, height): (i32, i32, i32, i32) =
            self.call(COMPONENT, "GetExtents", &(self.coordinates(),)).await?;
        // GTK 3 reports i32::MIN for an element that isn't mapped.
        if x < -30_000 || y < -30_000 { Ok(Rect::default()) } else { Ok(Rect::new(x, y, width, height)) }
    }

    /// The box on the desktop; `origin`: what the toolkit's coordinates are relative to.
    pub(super) async fn extents(&self, origin: Point) -> Result<Rect, CallError> {
        let raw = self.raw_extents().await?;
        Ok(if raw.is_empty() { Rect::default() } else { raw.translated(origin.x, origin.y) })
    }

    /// Role, states, box and number of children, fetched concurrently. If the application refuses the box or the
    /// number, it is empty or 0; any other failure fails the whole request.
    pub(super) async fn facts(&self, origin: Point) -> Result<NodeFacts, CallError> {
        let requests = join4(self.native(), self.states(), self.extents(origin), self.child_count());
        let (native, states, bbox, children) = requests.await;
        let (native, states) = (native?, states?);
        let bbox = match bbox {
            Ok(bbox) => bbox,
            Err(CallError::Refused) => Rect::default(),
            Err(error) => return Err(error),
        };
        let children = match children {
            Ok(children) => children.max(0),
            Err(CallError::Refused) => 0,
            Err(error) => return Err(error),
        };
        let role = self.app.guard.role(role::luna_role(native, states.is_editable()));
        Ok(NodeFacts { native, role, states, bbox, children })
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

    /// The element under a point of the desktop, by the toolkit's hit test.
    pub(super) async fn at_point(&self, point: Point) -> Result<Option<Self>, CallError> {
        self.reference(COMPONENT, "GetAccessibleAtPoint", &(point.x, point.y, 0_u32)).await
    }

    /// The name. Never requested from a protected element.
    pub(super) async fn name(&self) -> Result<String, CallError> {
        let name: String = self.property(ACCESSIBLE, "Name").await?;
        Ok(if self.app.local && role::is_class_name(&name) { String::new() } else { name })
    }

    /// The id that the application gives the element; empty if there is none.
    pub(super) async fn automation_id(&self) -> String {
        let (id, attribute) = join(self.property::<String>(ACCESSIBLE, "AccessibleId"), self.attribute("id")).await;
        id.ok().filter(|id| !id.is_empty()).or(attribute).unwrap_or_default()
    }

    /// The value of the toolkit's attribute `key`.
    pub(super) async fn attribute(&self, key: &str) -> Option<String> {
        let attributes: HashMap<String, String> = self.call(ACCESSIBLE, "GetAttributes", &()).await.ok()?;
        attributes.into_iter().find_map(|(name, value)| (name == key).then_some(value))
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
    pub(super) async fn offset_at(&self, point: Point, origin: Point) -> Option<usize> {
        if point == NOWHERE || !self.app.locates_text() {
            return None;
        }
        let arguments = (point.x - origin.x, point.y - origin.y, self.coordinates());
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

    /// The position of the caret in the text, in characters. Never requested from a protected element.
    pub(super) async fn caret(&self) -> Option<usize> {
        let offset: i32 = self.property(TEXT, "CaretOffset").await.ok()?;
        usize::try_from(offset).ok()
    }

    /// The first selected child.
    pub(super) async fn selected_child(&self) -> Option<Self> {
        self.reference("org.a11y.atspi.Selection", "GetSelectedChild", &(0_i32,)).await.ok().flatten()
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
    pub(super) async fn range_extents(&self, start: i32, end: i32, origin: Point) -> Option<Rect> {
        if !self.app.locates_text() {
            return None;
        }
        let arguments = (start, end, self.coordinates());
        match self
            .target()
            .call::<_, (i32, i32, i32, i32)>(TEXT, "GetRangeExtents", &arguments, REFINEMENT_DEADLINE)
            .await
        {
            Ok((x, y, width, height)) if width > 0 && height > 0 && x > -30_000 => {
                Some(Rect::new(x, y, width, height).translated(origin.x, origin.y))
            }
            Err(CallError::Late) => {
                self.app.record_text_location(false);
                None
            }
            _ => None,
        }
    }

    /// The numeric value of a slider or similar. Never requested from a protected element.
    pub(super) async fn value(&self) -> Result<f64, CallError> {
        self.property("org.a11y.atspi.Value", "CurrentValue").await
    }

    /// Number of rows and columns of a table.
    pub(super) async fn table_size(&self) -> Result<(i32, i32), CallError> {
        let (rows, columns) = join(self.property(TABLE, "NRows"), self.property(TABLE, "NColumns")).await;
        Ok((rows?, columns?))
    }

    /// A cell of a table.
    pub(super) async fn cell(&self, row: i32, column: i32) -> Option<Self> {
        self.reference(TABLE, "GetAccessibleAt", &(row, column)).await.ok().flatten()
    }

    /// Row and column of a cell.
    pub(super) async fn cell_place(&self) -> Option<(i32, i32)> {
        let value: OwnedValue = self.property("org.a11y.atspi.TableCell", "Position").await.ok()?;
        <(i32, i32)>::try_from(value).ok().filter(|&(row, column)| row >= 0 && column >= 0)
    }

    /// The header of a table's column.
    pub(super) async fn column_header(&self, column: i32) -> Option<Self> {
        self.reference(TABLE, "GetColumnHeader", &(column,)).await.ok().flatten()
    }

    /// Row and column of the table's child with this index.
    pub(super) async fn place_of_index(&self, index: i32) -> Option<(i32, i32)> {
        let body = (index,);
        let requests = join(self.call(TABLE, "GetRowAtIndex", &body), self.call(TABLE, "GetColumnAtIndex", &body));
        let (row, column): (Result<i32, _>, Result<i32, _>) = requests.await;
        Some((row.ok()?, column.ok()?)).filter(|&(row, column)| row >= 0 && column >= 0)
    }
}

/// The interfaces of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Interfaces(Vec<String>);

impl Interfaces {
    /// Whether the element has the interface with this short name.
    pub(super) fn has(&self, short: &str) -> bool {
        self.0.iter().any(|name| name.rsplit('.').next() == Some(short))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_from_their_bits() {
        let shown = States::from_words(&[1 << 25 | 1 << 8, 0]);
        assert!(shown.is_shown(false) && shown.is_enabled() && !shown.is_editable());
        let gtk4 = States::from_words(&[1 << 30 | 1 << 7]);
        assert!(!gtk4.is_shown(false) && gtk4.is_shown(true) && gtk4.is_editable() && !gtk4.is_enabled());
        assert_eq!(States::from_words(&[]), States::default());
    }

    #[test]
    fn interfaces_go_by_their_short_names() {
        let interfaces = Interfaces(vec!["org.a11y.atspi.Text".into(), "org.a11y.atspi.TableCell".into()]);
        assert!(interfaces.has("Text") && interfaces.has("TableCell") && !interfaces.has("Table"));
    }
}
