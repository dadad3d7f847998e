//! UI Automation as Luna uses it: elements with the few facts that every query needs, fetched in one call each.

use luna_messages::pick::Role;
use luna_messages::{Point, Rect};
use uiautomation::core::UICacheRequest;
use uiautomation::types::{ControlType, Point as UiaPoint, Rect as UiaRect, TreeScope, UIProperty};
use uiautomation::{UIAutomation, UIElement, UITreeWalker};
use windows::Win32::System::Com::{CLSCTX_INPROC_SERVER, COINIT_MULTITHREADED, CoCreateInstance, CoInitializeEx};
use windows::Win32::UI::Accessibility::{
    CUIAutomation8, IUIAutomation, IUIAutomation2, UIA_E_ELEMENTNOTAVAILABLE, UIA_E_TIMEOUT,
};
use windows::core::Interface as _;

use super::super::ancestor_walk::AncestorStep;
use super::budget::Budget;
use super::cached_properties;
use super::role::{is_boundary, unless_blocked};
use crate::PlatformError;
use crate::win32::{become_dpi_aware, failed};

/// Timeout of one call in milliseconds; shorter than that of a whole query, so that the query can still be answered.
const CALL_LIMIT: u32 = 600;

/// Maximum length of an ancestor path; only a broken tree is deeper.
const MAX_DEPTH: usize = 64;

/// Maximum position among siblings in an element's id (PIC-6).
pub(super) const MAX_SIBLINGS: i32 = 256;

/// The connection to UI Automation. It belongs to the thread that created it.
pub(super) struct WindowsTree {
    pub(super) automation: UIAutomation,
    walker: UITreeWalker,
    /// The properties fetched with each element. Name and value are not among them, because these are text, which is
    /// requested later (PIC-5).
    facts: UICacheRequest,
}

impl WindowsTree {
    /// Connects this thread.
    pub(super) fn connect() -> Result<Self, PlatformError> {
        become_dpi_aware();
        let automation = automation().map_err(|error| {
            failed(
                "UI Automation, by which Luna reads other programs, can't be reached",
                &error,
                "Restart Windows; if it stays so, repair it with `sfc /scannow`.",
            )
        })?;
        Self::with(automation).map_err(|error| from_uia(&error))
    }

    fn with(automation: UIAutomation) -> Result<Self, uiautomation::Error> {
        let facts = facts(&automation)?;
        let walker = automation.get_control_view_walker()?;
        Ok(Self { automation, walker, facts })
    }

    /// The element of the desktop.
    pub(super) fn root(&self) -> Result<UIElement, PlatformError> {
        self.automation.get_root_element().map_err(|error| from_uia(&error))
    }

    /// The properties to fetch with each element of a search.
    pub(super) fn facts(&self) -> &UICacheRequest {
        &self.facts
    }

    /// The innermost element at `point`.
    pub(super) fn at(&self, point: Point) -> Result<Option<WindowsNode>, PlatformError> {
        found(self.automation.element_from_point_build_cache(UiaPoint::new(point.x, point.y), &self.facts))?
            .map(WindowsNode::new)
            .transpose()
    }

    /// The element of a window.
    pub(super) fn window(&self, handle: u64) -> Result<UIElement, PlatformError> {
        let handle = isize::try_from(handle).map_err(|_| PlatformError::Gone)?;
        self.automation.element_from_handle(handle.into()).map_err(|error| from_uia(&error))
    }

    /// The element of a window with all its descendants in the control view, in one call. Texts are not fetched
    /// (PIC-5).
    pub(super) fn with_descendants(&self, window: &UIElement) -> Result<UIElement, PlatformError> {
        let ask = || {
            let request = facts(&self.automation)?;
            request.set_tree_scope(TreeScope::Subtree)?;
            request.set_tree_filter(self.automation.get_control_view_condition()?)?;
            window.build_updated_cache(&request)
        };
        ask().map_err(|error| from_uia(&error))
    }

    /// `node` and its ancestors up to its window.
    pub(super) fn ancestors(&self, node: WindowsNode, budget: &Budget) -> Result<Vec<WindowsNode>, PlatformError> {
        let mut ancestry = vec![node];
        while ancestry.len() < MAX_DEPTH
            && let Some(last) = ancestry.last()
            && last.control != ControlType::Window
        {
            budget.check()?;
            match found(self.walker.get_parent_build_cache(&last.element, &self.facts))? {
                Some(parent) => ancestry.push(WindowsNode::new(parent)?),
                None => break,
            }
        }
        Ok(ancestry)
    }

    /// The positions of the elements of `ancestry` among their siblings, the first element's own first.
    pub(super) fn path(&self, ancestry: &[WindowsNode], budget: &Budget) -> Result<Vec<i32>, PlatformError> {
        ancestry
            .iter()
            .filter(|node| node.control != ControlType::Window)
            .map(|node| self.place(node, budget))
            .collect()
    }

    fn place(&self, node: &WindowsNode, budget: &Budget) -> Result<i32, PlatformError> {
        let (mut place, mut at) = (0, node.element.clone());
        while place < MAX_SIBLINGS {
            budget.check()?;
            match found(self.walker.get_previous_sibling(&at))? {
                Some(sibling) => at = sibling,
                None => break,
            }
            place += 1;
        }
        Ok(place)
    }
}

/// The properties fetched with each element.
fn facts(automation: &UIAutomation) -> Result<UICacheRequest, uiautomation::Error> {
    let facts = automation.create_cache_request()?;
    for property in
        [UIProperty::BoundingRectangle, UIProperty::AutomationId, UIProperty::IsEnabled, UIProperty::IsOffscreen]
    {
        facts.add_property(property)?;
    }
    cached_properties::add_of_role(&facts)?;
    Ok(facts)
}

/// A client whose calls time out. Windows versions before 8 lack such a client, so only the deadline of the whole query
/// applies there.
fn automation() -> Result<UIAutomation, windows::core::Error> {
    // SAFETY: this thread is used for nothing else and uses COM nowhere else; COM is not uninitialised before the
    // thread ends.
    unsafe { CoInitializeEx(None, COINIT_MULTITHREADED) }.ok()?;
    // SAFETY: COM was initialised on this thread just before.
    let created: Result<IUIAutomation, _> = unsafe { CoCreateInstance(&CUIAutomation8, None, CLSCTX_INPROC_SERVER) };
    let Ok(automation) = created else {
        return UIAutomation::new_direct().map_err(Into::into);
    };
    if let Ok(limits) = automation.cast::<IUIAutomation2>() {
        // SAFETY: method calls on a live object with numbers as arguments.
        unsafe {
            limits.SetConnectionTimeout(CALL_LIMIT)?;
            limits.SetTransactionTimeout(CALL_LIMIT)?;
        }
    }
    Ok(UIAutomation::from(automation))
}

/// An element with its facts.
pub(super) struct WindowsNode {
    pub(super) element: UIElement,
    pub(super) control: ControlType,
    pub(super) role: Role,
    pub(super) bounds: Rect,
    pub(super) automation_id: String,
    pub(super) enabled: bool,
}

impl WindowsNode {
    /// From an element that was fetched with [`WindowsTree::facts`].
    ///
    /// # Errors
    /// If the element does not report whether it is protected (it must not be read then, PIC-5), or does not report its
    /// box.
    pub(super) fn new(element: UIElement) -> Result<Self, PlatformError> {
        let protected = element.is_cached_password().map_err(|error| from_uia(&error))?;
        let control = element.get_cached_control_type().unwrap_or(ControlType::Custom);
        let role = cached_properties::of_role(&element).role();
        let bounds = element.get_cached_bounding_rectangle().map_err(|error| from_uia(&error))?;
        Ok(Self {
            control,
            role: if protected { Role::Protected } else { unless_blocked(role) },
            bounds: rect(bounds),
            automation_id: element.get_cached_automation_id().unwrap_or_default(),
            enabled: element.is_cached_enabled().unwrap_or(true),
            element,
        })
    }

    pub(super) fn is_protected(&self) -> bool {
        self.role == Role::Protected
    }

    /// The input of the ancestor walk.
    pub(super) fn step(&self, point: Point) -> AncestorStep {
        AncestorStep {
            role: self.role,
            boundary: is_boundary(self.control),
            block: false,
            contains_point: self.bounds.contains(point),
        }
    }

    /// The name; empty for a protected element.
    pub(super) fn name(&self) -> Result<String, PlatformError> {
        if self.is_protected() {
            return Ok(String::new());
        }
        self.element.get_name().map_err(|error| from_uia(&error))
    }
}

/// A box of UI Automation, which is already in physical pixels of the desktop (PIC-7).
pub(super) fn rect(rect: UiaRect) -> Rect {
    let (x, y) = (rect.get_left(), rect.get_top());
    Rect::new(x, y, rect.get_right().saturating_sub(x), rect.get_bottom().saturating_sub(y))
}

/// `None` if there is no such element, which the library reports as an error without a code.
pub(super) fn found<T>(result: Result<T, uiautomation::Error>) -> Result<Option<T>, PlatformError> {
    match result {
        Ok(element) => Ok(Some(element)),
        Err(error) if error.code() == 0 => Ok(None),
        Err(error) => Err(from_uia(&error)),
    }
}

/// Maps an error of UI Automation.
pub(super) fn from_uia(error: &uiautomation::Error) -> PlatformError {
    // The program ended or closed the connection during the call: RPC_S_SERVER_UNAVAILABLE, RPC_E_DISCONNECTED,
    // RPC_E_SERVERFAULT.
    const GONE: [u32; 3] = [0x8007_06ba, 0x8001_0108, 0x8001_0105];
    let code = error.code().cast_unsigned();
    if code == UIA_E_ELEMENTNOTAVAILABLE || GONE.contains(&code) {
        return PlatformError::Gone;
    }
    if code != UIA_E_TIMEOUT {
        // Programs fail in many ways that make no difference to the user. The code contains no text of the program.
        tracing::debug!(
            code = format_args!("0x{code:08X}"),
            "A program answered a question of the accessibility tree with an error."
        );
    }
    PlatformError::NoAnswer
}
