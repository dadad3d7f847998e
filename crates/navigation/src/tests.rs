//! Which changes make a new screen, and which do not (SCR-1, SCR-2).

mod labels;
mod properties;
mod shadow;

use luna_messages::Rect;
use luna_messages::element::{Role, State, StateSet};

use crate::screen::{ScreenContent, ScreenElement};

pub(super) fn element(role: Role, name: &str, bbox: Rect) -> ScreenElement {
    let text = if role.has_content() { "" } else { name };
    ScreenElement {
        role,
        text: text.to_owned(),
        description: String::new(),
        bbox,
        confidence: 1.0,
        name: name.to_owned(),
        automation_id: String::new(),
        states: StateSet::default(),
    }
}

/// The main window of a mail program.
pub(super) fn mail() -> ScreenContent {
    let button = |name: &str, x: i32| element(Role::Button, name, Rect::new(x, 10, 60, 30));
    let mut elements = vec![
        button("New mail", 10),
        button("Inbox (3)", 80),
        button("Reply", 150),
        element(Role::Edit, "Search", Rect::new(300, 10, 200, 30)),
        element(Role::Text, "12:04", Rect::new(720, 10, 60, 20)),
        element(Role::List, "Messages", Rect::new(0, 60, 800, 500)),
    ];
    let rows = ["Kim: lunch?", "Lee: report 12", "Park: see you"];
    for (at, row) in rows.iter().enumerate() {
        let top = 60 + 40 * i32::try_from(at).unwrap_or(0);
        elements.push(element(Role::ListItem, row, Rect::new(0, top, 800, 40)));
        elements.push(element(Role::Button, &format!("Archive {row}"), Rect::new(700, top + 5, 80, 30)));
    }
    let mut tab = element(Role::Tab, "Mail", Rect::new(0, 570, 100, 30));
    tab.states = StateSet::default().with(State::Selected);
    elements.push(tab);
    elements.push(element(Role::Tab, "Calendar", Rect::new(100, 570, 100, 30)));
    ScreenContent {
        program_name: "mailer".to_owned(),
        title: "Inbox (3) - Mailer".to_owned(),
        window: Rect::new(0, 0, 800, 600),
        pages: Vec::new(),
        elements,
        is_complete: true,
    }
}
