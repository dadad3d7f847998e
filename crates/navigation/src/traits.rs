//! What of a screen stays the same (SCR-1).

use std::collections::BTreeSet;

use luna_messages::Rect;
use luna_messages::element::{Role, State};

use crate::label::stable_label;
use crate::screen::{ScreenContent, ScreenElement};

/// Between the words of a title: the last part is the program's, the first what it shows.
const TITLE_SEPARATORS: [&str; 3] = [" - ", " — ", " – "];
/// A scroll bar below this height scrolls a line or two, as in a field.
const SHORT_BAR: i32 = 60;

/// What an element of a role tells about which screen it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Evidence {
    /// Its role and what names it.
    Name,
    /// The same, but only of the one that is selected: the others are the same on each page.
    NameIfSelected,
    /// Nothing: it is content, or comes and goes.
    Nothing,
}

const fn evidence(role: Role) -> Evidence {
    match role {
        Role::Button
        | Role::ToggleButton
        | Role::MenuItem
        | Role::Menu
        | Role::MenuBar
        | Role::ToolBar
        | Role::CheckBox
        | Role::Switch
        | Role::RadioButton
        | Role::ComboBox
        | Role::Edit
        | Role::DateField
        | Role::Terminal
        | Role::Protected
        | Role::Slider
        | Role::SpinButton
        | Role::Hyperlink
        | Role::Heading
        | Role::ColumnHeader
        | Role::Table
        | Role::List
        | Role::Tree
        | Role::Dialog => Evidence::Name,
        Role::Tab => Evidence::NameIfSelected,
        Role::Text
        | Role::Document
        | Role::ListItem
        | Role::TreeItem
        | Role::Cell
        | Role::Row
        | Role::RowHeader
        | Role::Image
        | Role::Window
        | Role::Group
        | Role::Other
        | Role::ProgressBar
        | Role::Alert
        | Role::StatusBar
        | Role::ToolTip
        | Role::Separator
        | Role::ScrollBar
        | Role::TabList
        | Role::Landmark
        | Role::Form => Evidence::Nothing,
    }
}

/// The stable traits of a screen, without order and number: that a row more has the same button changes nothing.
#[must_use]
pub fn stable_traits(screen: &ScreenContent) -> BTreeSet<String> {
    let moving = moving_parts(screen);
    let of_window = screen.elements.iter().filter(|element| !is_in(&moving, element));
    let mut traits: BTreeSet<String> = of_window.filter_map(trait_of).collect();
    traits.extend(title(screen).map(|title| format!("title|{title}")));
    traits
}

fn trait_of(element: &ScreenElement) -> Option<String> {
    let is_evidence = match evidence(element.role) {
        Evidence::Name => true,
        Evidence::NameIfSelected => element.states.contains(State::Selected),
        Evidence::Nothing => false,
    };
    let name = stable_label(&element.name).filter(|_| is_evidence)?;
    // An id with digits in it is often made anew.
    let id = &element.automation_id;
    let id = if id.chars().any(char::is_numeric) { "" } else { id.as_str() };
    Some(format!("{}|{name}|{id}", element.role.name()))
}

/// Boxes of what is scrolled or content: web pages, items of lists, rows of tables, and panes beside a scroll bar.
fn moving_parts(screen: &ScreenContent) -> Vec<Rect> {
    let is_item =
        |role: Role| matches!(role, Role::ListItem | Role::TreeItem | Role::Cell | Role::Row | Role::RowHeader);
    let items = screen.elements.iter().filter(|element| is_item(element.role)).map(|element| element.bbox);
    let bars = screen.elements.iter().filter(|element| element.role == Role::ScrollBar);
    let panes = bars.filter_map(|bar| scrolled_pane(screen, bar.bbox));
    screen.pages.iter().copied().chain(items).chain(panes).filter(|part| !part.is_empty()).collect()
}

/// What an upright scroll bar scrolls: the list, table or text that it belongs to, which is content as it is, else all that lies left of it.
fn scrolled_pane(screen: &ScreenContent, bar: Rect) -> Option<Rect> {
    if bar.height < SHORT_BAR || bar.width >= bar.height {
        return None;
    }
    let is_content = |role: Role| {
        matches!(role, Role::List | Role::Table | Role::Tree | Role::Document | Role::Edit | Role::Terminal)
    };
    let near = Rect::new(bar.x - bar.width, bar.y, 2 * bar.width, bar.height);
    let owner = screen.elements.iter().find(|one| is_content(one.role) && !one.bbox.intersection(near).is_empty());
    match owner {
        Some(owner) => Some(owner.bbox),
        None => Some(Rect::new(screen.window.x, bar.y, bar.x - screen.window.x, bar.height)),
    }
}

fn is_in(parts: &[Rect], element: &ScreenElement) -> bool {
    let is_whole = |part: &&Rect| **part != element.bbox || element.role == Role::Hyperlink;
    parts.iter().filter(is_whole).any(|part| part.contains(element.bbox.center()) && !contains(element.bbox, *part))
}

fn contains(outer: Rect, inner: Rect) -> bool {
    outer.intersection(inner) == inner && outer != inner
}

/// What the title tells: of a browser the page, of another program its own name; a document's name is content.
fn title(screen: &ScreenContent) -> Option<String> {
    let cut = TITLE_SEPARATORS.iter().filter_map(|mark| screen.title.rfind(mark).map(|at| (at, mark.len()))).max();
    let (document, program) = match cut {
        Some((at, length)) => (&screen.title[..at], &screen.title[at + length..]),
        None => (screen.title.as_str(), ""),
    };
    let told = if screen.pages.is_empty() { program } else { document };
    stable_label(told).filter(|title| !title.is_empty())
}
