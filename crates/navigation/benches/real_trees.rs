//! The nodes of real accessibility trees (SCR-1): of Windows programs, and of Firefox, which lie beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

use std::path::PathBuf;

use luna_messages::Rect;
use luna_messages::element::{Role, State, StateSet};
use luna_navigation::hash::{identify, instance_hash};
use luna_navigation::traits::stable_traits;
use luna_navigation::{ScreenContent, ScreenElement};
use serde_json::Value;

/// Of those with JSON that ends; two are cut off as they were published.
const TREES: [&str; 8] = [
    "A11yElementTest.hier",
    "A11yPatternTest.hier",
    "MonsterButton.snapshot",
    "MonsterEdit.snapshot",
    "MonsterListView.snapshot",
    "MonsterMenu.snapshot",
    "MonsterDataGrid.snapshot",
    "Taskbar.snapshot",
];

fn read(path: &str) -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/10-ui-trees").join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

const fn role_of(control_type: u64) -> Role {
    match control_type {
        50000 => Role::Button,
        50002 => Role::CheckBox,
        50003 => Role::ComboBox,
        50004 => Role::Edit,
        50005 => Role::Hyperlink,
        50006 => Role::Image,
        50007 => Role::ListItem,
        50008 => Role::List,
        50009 => Role::Menu,
        50010 => Role::MenuBar,
        50011 => Role::MenuItem,
        50012 => Role::ProgressBar,
        50013 => Role::RadioButton,
        50014 => Role::ScrollBar,
        50015 => Role::Slider,
        50018 => Role::TabList,
        50019 => Role::Tab,
        50020 => Role::Text,
        50021 => Role::ToolBar,
        50023 => Role::Tree,
        50024 => Role::TreeItem,
        50028 | 50036 => Role::Table,
        50029 => Role::Row,
        50030 => Role::Document,
        50032 => Role::Window,
        50035 => Role::ColumnHeader,
        _ => Role::Group,
    }
}

fn add(node: &Value, into: &mut Vec<ScreenElement>) {
    let property = |id: &str| node["Properties"][id]["Value"].as_str().unwrap_or_default().to_owned();
    let place: Vec<i32> = node["BoundingRectangle"]
        .as_str()
        .unwrap_or_default()
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .collect();
    let bbox = match place[..] {
        [x, y, width, height] => Rect::new(x, y, width, height),
        _ => Rect::default(),
    };
    let name = node["Name"].as_str().unwrap_or_default().to_owned();
    let role = role_of(node["ControlTypeId"].as_u64().unwrap_or_default());
    let text = if role.has_content() { property("30045") } else { name.clone() };
    let description = property("30013");
    let automation_id = property("30011");
    into.push(ScreenElement {
        role,
        text,
        description,
        bbox,
        confidence: 1.0,
        name,
        automation_id,
        states: StateSet::default(),
    });
    for child in node["Children"].as_array().into_iter().flatten() {
        add(child, into);
    }
}

fn windows(name: &str) -> Option<ScreenContent> {
    let text = read(&format!("uia-axe-windows/{name}"));
    let tree: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let mut elements = Vec::new();
    add(&tree, &mut elements);
    let window = elements.first()?.bbox;
    Some(ScreenContent {
        program_name: "tree".to_owned(),
        window,
        elements,
        is_complete: true,
        ..ScreenContent::default()
    })
}

/// The visible elements of Firefox, in the cache of its accessibility tree; without boxes, which that cache does not hold.
fn firefox() -> ScreenContent {
    let items: Value = serde_json::from_str(&read("atspi-odilia/zbus_docs_cache_items.json")).unwrap();
    let element = |item: &Value| {
        let role = match item["role"].as_str().unwrap_or_default() {
            "PushButton" | "Button" => Role::Button,
            "ToggleButton" => Role::ToggleButton,
            "MenuItem" => Role::MenuItem,
            "Menu" => Role::Menu,
            "PageTab" => Role::Tab,
            "Entry" => Role::Edit,
            "Link" => Role::Hyperlink,
            "Heading" => Role::Heading,
            "ListItem" => Role::ListItem,
            "List" => Role::List,
            "Text" | "Static" | "Paragraph" => Role::Text,
            "ToolBar" => Role::ToolBar,
            _ => Role::Group,
        };
        let name = item["name"].as_str().unwrap_or_default().to_owned();
        ScreenElement {
            role,
            text: name.clone(),
            description: String::new(),
            bbox: Rect::new(0, 0, 10, 10),
            confidence: 1.0,
            name,
            automation_id: String::new(),
            states: StateSet::default(),
        }
    };
    let elements: Vec<ScreenElement> = items.as_array().unwrap().iter().map(element).collect();
    ScreenContent { program_name: "Firefox".to_owned(), elements, is_complete: true, ..ScreenContent::default() }
}

/// What changes on a real screen while a person stays on it.
fn meanwhile(screen: &ScreenContent) -> Vec<(&'static str, ScreenContent)> {
    let changed = |change: &dyn Fn(&mut ScreenElement)| {
        let mut other = screen.clone();
        other.elements.iter_mut().for_each(change);
        other
    };
    let mut reversed = screen.clone();
    reversed.elements.reverse();
    let mut rows = screen.clone();
    rows.elements.retain(|one| !matches!(one.role, Role::Text));
    vec![
        ("the window was moved", changed(&|one| one.bbox = one.bbox.translated(40, -30))),
        (
            "fields were written to",
            changed(&|one| {
                if one.role.has_content() {
                    one.text = "written".to_owned();
                }
            }),
        ),
        (
            "counters appeared",
            changed(&|one| {
                if one.role == Role::Button && !one.name.is_empty() {
                    one.name.push_str(" (17)");
                }
            }),
        ),
        (
            "rows were scrolled",
            changed(&|one| {
                if matches!(one.role, Role::ListItem | Role::Row | Role::TreeItem) {
                    one.text.push_str(" other");
                    one.name.clone_from(&one.text);
                }
            }),
        ),
        ("elements were disabled", changed(&|one| one.states = one.states.with(State::Disabled))),
        ("the tree was listed in another order", reversed),
        ("texts vanished", rows),
    ]
}

/// Prints how many changes kept the node, how many were noticed by the instance hash, and how many screens are told apart.
fn main() {
    let mut screens: Vec<(&str, ScreenContent)> =
        TREES.iter().filter_map(|name| Some((*name, windows(name)?))).collect();
    screens.push(("Firefox", firefox()));
    let (mut same, mut all, mut noticed) = (0, 0, 0);
    for (name, screen) in &screens {
        let node = identify(screen);
        println!("{name}: {} elements, {} stable traits", screen.elements.len(), stable_traits(screen).len());
        for (what, later) in meanwhile(screen) {
            all += 1;
            noticed += usize::from(instance_hash(&later) != instance_hash(screen));
            if identify(&later) == node {
                same += 1;
            } else {
                println!("  another node: {what}");
            }
        }
    }
    let nodes: Vec<_> = screens.iter().map(|(_, screen)| identify(screen)).collect();
    let pairs: Vec<bool> =
        nodes.iter().enumerate().flat_map(|(at, one)| nodes[at + 1..].iter().map(move |other| one != other)).collect();
    let apart = pairs.iter().filter(|apart| **apart).count();
    println!(
        "{} screens: {same} of {all} changes kept the node, {noticed} changed the instance; {apart} of {} pairs told apart",
        screens.len(),
        pairs.len()
    );
}
