//! What an element offers to be done to it (EXE-1).

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::element_action::{Capacity, CapacitySet};
use luna_messages::pick::Role;

use super::super::cached_element::CachedElement;
use super::super::node::{Interfaces, LinuxNode, NodeFacts};
use super::means::{ActionFacts, ActionMeans};

pub(super) const ACTION: &str = "org.a11y.atspi.Action";
const TEXT: &str = "org.a11y.atspi.Text";
/// Maximum number of actions whose names are asked for. What presses is always among the first.
const MAX_ACTIONS: i32 = 6;

/// The action of whatever lies in something that can be pressed, which may be the whole page.
const ANCESTOR: &str = "clickancestor";
/// Parts of something that is pressed by pressing one of them: a picture and its text.
const MOST_PARTS: i32 = 2;

/// What an element offers; nothing if it was not asked.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct ElementOffer(Option<ActionFacts>);

impl ElementOffer {
    /// Asks the element, whose facts and interfaces are known and which is told as `role`.
    pub(in super::super) async fn of(node: &LinuxNode, facts: &NodeFacts, role: Role, interfaces: &Interfaces) -> Self {
        let general = role.general();
        // The actions of texts of GTK 4 are the entries of their context menus, and those of fields press nothing.
        let has_actions = interfaces.has("Action")
            && !(node.app.local && general == Role::Text)
            && !matches!(general, Role::Edit | Role::Protected | Role::Slider);
        let cached = facts.cached.as_deref();
        let actions = async {
            match cached.and_then(CachedElement::plain_action).filter(|_| has_actions) {
                // Before it is acted on, it is asked.
                Some(action) => vec![action.to_owned()],
                None if has_actions => node.action_names().await,
                None => Vec::new(),
            }
        };
        let is_one = facts.states.is_selectable() || general == Role::Tab;
        // A sheet selects its cells; before one is acted on, it is asked.
        let is_in_selection = async {
            let is_known_so = facts.sheet.is_some() || cached.is_some_and(|cached| cached.is_in_selection);
            is_one && (is_known_so || cached.is_none() && node.is_in_selection().await)
        };
        let (mut actions, is_in_selection) = join(actions, is_in_selection).await;
        if actions.iter().any(|action| action == ANCESTOR) && !node.is_most_of_what_is_pressed().await {
            actions.retain(|action| action != ANCESTOR);
        }
        Self(Some(ActionFacts {
            role,
            native: facts.native,
            states: facts.states,
            has_value: interfaces.has("Value"),
            has_editable_text: interfaces.has("EditableText"),
            has_component: interfaces.has("Component"),
            is_in_selection,
            actions,
        }))
    }

    /// What can be done to the element, whether or not it is disabled now.
    pub(in super::super) fn capacities(&self) -> CapacitySet {
        self.0.as_ref().map(ActionFacts::capacities).unwrap_or_default()
    }

    /// Whether it is a terminal, in which a selection is not replaced by what is typed.
    pub(super) fn is_terminal(&self) -> bool {
        self.0.as_ref().is_some_and(|facts| facts.native == Native::Terminal)
    }

    /// Whether it may hold several lines.
    pub(super) fn is_multi_line(&self) -> bool {
        self.0.as_ref().is_some_and(|facts| facts.states.is_multi_line())
    }

    /// By which means; `None` if it can't be done, also because the element is disabled: some toolkits accept then what
    /// they don't do.
    pub(super) fn means(&self, capacity: Capacity) -> Option<ActionMeans> {
        self.0.as_ref().filter(|facts| facts.states.is_usable())?.means(capacity)
    }
}

impl LinuxNode {
    /// The names of the actions, in small letters. `GetActions` would translate them.
    async fn action_names(&self) -> Vec<String> {
        let count: i32 = self.property(ACTION, "NActions").await.unwrap_or(0);
        let names = (0..count.clamp(0, MAX_ACTIONS)).map(|index| async move {
            let name: String = self.call(ACTION, "GetName", &(index,)).await.unwrap_or_default();
            name.trim().to_lowercase()
        });
        join_all(names).await
    }

    /// Whether the element around it can be pressed and has hardly any other part: to press a part of a whole page means nothing.
    async fn is_most_of_what_is_pressed(&self) -> bool {
        let Ok(Some(around)) = self.parent().await else { return false };
        let (count, actions) = join(around.child_count(), around.action_names()).await;
        if !count.is_ok_and(|count| count <= MOST_PARTS) || !actions.iter().any(|action| action == "click") {
            return false;
        }
        // A page whose parts are still on their way may have hardly any, too.
        let Ok(Some(outside)) = around.parent().await else { return false };
        outside.native().await.is_ok_and(|native| native != Native::DocumentWeb)
    }

    /// Whether a part of its text is selected; `None` if it does not tell.
    pub(super) async fn has_selection(&self) -> Option<bool> {
        let count: i32 = self.call(TEXT, "GetNSelections", &()).await.ok()?;
        if count <= 0 {
            return Some(false);
        }
        let (start, end): (i32, i32) = self.call(TEXT, "GetSelection", &(0_i32,)).await.ok()?;
        Some(start != end)
    }

    /// Whether the element around it says which of its children are selected.
    async fn is_in_selection(&self) -> bool {
        let Ok(Some(around)) = self.parent().await else { return false };
        around.interfaces().await.is_ok_and(|interfaces| interfaces.has("Selection"))
    }
}
