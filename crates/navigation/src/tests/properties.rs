//! The node of a screen under random changes.

use luna_messages::Rect;
use luna_messages::element::{Role, State, StateSet};
use proptest::prelude::*;

use super::{element, mail};
use crate::hash::{identify, instance_hash};
use crate::screen::ScreenContent;

/// What happens on a screen without leaving it.
#[derive(Debug, Clone)]
enum Change {
    Clock(u8, u8),
    Badge(Option<u16>),
    FieldContent(String),
    Caret,
    Rows(Vec<String>),
    Scrolled(i32),
    SelectedRow(usize),
    Moved(i32, i32),
    Document(String),
    StatusText(String),
    Toggled,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..24u8, 0..60u8).prop_map(|(hour, minute)| Change::Clock(hour, minute)),
        prop::option::of(any::<u16>()).prop_map(Change::Badge),
        ".{0,20}".prop_map(Change::FieldContent),
        Just(Change::Caret),
        prop::collection::vec("[가-힣a-z0-9: ]{0,12}", 0..8).prop_map(Change::Rows),
        (-400..400i32).prop_map(Change::Scrolled),
        (0..8usize).prop_map(Change::SelectedRow),
        (-300..300i32, -300..300i32).prop_map(|(x, y)| Change::Moved(x, y)),
        "[가-힣a-z]{1,10}".prop_map(Change::Document),
        ".{0,20}".prop_map(Change::StatusText),
        Just(Change::Toggled),
    ]
}

/// The box of the list of messages.
fn list(screen: &ScreenContent) -> Rect {
    screen.elements.iter().find(|one| one.role == Role::List).map(|list| list.bbox).unwrap_or_default()
}

fn apply(screen: &mut ScreenContent, change: &Change) {
    let is_in_list = |role: Role, name: &str| role == Role::ListItem || name.starts_with("Archive");
    match change {
        Change::Clock(hour, minute) => {
            let clock = screen.elements.iter_mut().find(|one| one.text.contains(':') && one.role == Role::Text);
            clock.into_iter().for_each(|clock| clock.text = format!("{hour}:{minute:02}"));
            screen
                .elements
                .retain(|one| one.role != Role::Button || !one.name.contains(':') || one.name.starts_with("Archive"));
            screen.elements.push(element(Role::Button, &format!("{hour}:{minute:02}"), Rect::new(600, 10, 50, 20)));
        }
        Change::Badge(count) => {
            let label = count.map_or_else(|| "Inbox".to_owned(), |count| format!("Inbox ({count})"));
            let badge =
                screen.elements.iter_mut().find(|one| one.role == Role::Button && one.name.starts_with("Inbox"));
            badge.into_iter().for_each(|badge| (badge.name, badge.text) = (label.clone(), label.clone()));
            screen.title = format!("{label} - Mailer");
        }
        Change::FieldContent(text) => {
            let fields = screen.elements.iter_mut().filter(|one| one.role == Role::Edit);
            fields.for_each(|field| field.text.clone_from(text));
        }
        Change::Caret => screen.elements.iter_mut().for_each(|one| one.description.push('|')),
        Change::Rows(rows) => {
            screen.elements.retain(|one| !is_in_list(one.role, &one.name));
            let list = list(screen);
            for (row, top) in rows.iter().zip((list.y..).step_by(40)) {
                let button = Rect::new(list.x + 700, top + 5, 80, 30);
                screen.elements.push(element(Role::ListItem, row, Rect::new(list.x, top, 800, 40)));
                screen.elements.push(element(Role::Button, &format!("Archive {row}"), button));
            }
        }
        Change::Scrolled(by) => {
            for one in screen.elements.iter_mut().filter(|one| is_in_list(one.role, &one.name)) {
                one.bbox.y += by;
            }
            // Only what is in view is listed.
            let list = list(screen);
            screen.elements.retain(|one| !is_in_list(one.role, &one.name) || list.contains(one.bbox.center()));
        }
        Change::SelectedRow(at) => {
            let rows = screen.elements.iter_mut().filter(|one| one.role == Role::ListItem);
            for (place, row) in rows.enumerate() {
                row.states = StateSet::default().with_if(State::Selected, place == *at);
            }
        }
        Change::Moved(x, y) => {
            screen.window = screen.window.translated(*x, *y);
            screen.elements.iter_mut().for_each(|one| one.bbox = one.bbox.translated(*x, *y));
        }
        Change::Document(name) => screen.title = format!("{name} - Mailer"),
        Change::StatusText(text) => {
            screen.elements.push(element(Role::StatusBar, text, Rect::new(0, 590, 800, 10)));
        }
        Change::Toggled => screen.elements.iter_mut().for_each(|one| one.states = one.states.with(State::Disabled)),
    }
}

proptest! {
    // SCR-1
    #[test]
    fn what_happens_on_a_screen_does_not_make_a_new_one_scr_1(changes in prop::collection::vec(change(), 0..12)) {
        let mut screen = mail();
        let node = identify(&screen);
        for change in &changes {
            apply(&mut screen, change);
            prop_assert_eq!(&identify(&screen), &node, "{:?}", change);
        }
    }

    // SCR-1
    #[test]
    fn the_order_of_the_elements_does_not_count_scr_1(screen in Just(mail()).prop_flat_map(|screen| {
        Just(screen.elements).prop_shuffle().prop_map(|elements| ScreenContent { elements, ..mail() })
    })) {
        prop_assert_eq!(identify(&screen), identify(&mail()));
    }

    // SCR-1
    #[test]
    fn another_control_makes_another_screen_scr_1(name in "[b-df-hj-np-tv-z]{4,9}", role in prop::sample::select(vec![
        Role::Button, Role::MenuItem, Role::CheckBox, Role::RadioButton, Role::ComboBox, Role::Edit, Role::Protected, Role::Heading,
    ])) {
        let mut screen = mail();
        screen.elements.push(element(role, &name, Rect::new(500, 10, 50, 30)));
        prop_assert_ne!(identify(&screen), identify(&mail()));
    }

    // SCR-1
    #[test]
    fn a_web_page_is_told_by_its_title_and_not_by_how_far_it_is_scrolled_scr_1(
        title in "[a-z]{3,12}", other in "[a-z]{3,12}", by in -900..900i32, count in 0..500u16,
    ) {
        let page = Rect::new(0, 80, 800, 520);
        let browser = |title: &str, by: i32| {
            let mut screen = mail();
            screen.elements.retain(|one| one.bbox.y < 60);
            screen.title = format!("{title} - Browser");
            screen.pages = vec![page];
            let link = |at: i32| element(Role::Hyperlink, &format!("story {at}"), Rect::new(20, 100 * at + by, 300, 20));
            let on_page = (0..20).map(link).filter(|one| page.contains(one.bbox.center()));
            screen.elements.extend(on_page);
            screen
        };
        let node = identify(&browser(&title, 0));
        prop_assert_eq!(&identify(&browser(&title, by)), &node);
        let counted = format!("({count}) {title}");
        prop_assert_eq!(&identify(&browser(&counted, by)), &node);
        if title != other {
            prop_assert_ne!(&identify(&browser(&other, 0)), &node);
        }
    }

    // SCR-2
    #[test]
    fn every_change_is_in_the_instance_hash_scr_2(change in change()) {
        let mut screen = mail();
        apply(&mut screen, &change);
        prop_assert_eq!(instance_hash(&screen) == instance_hash(&mail()), screen.elements == mail().elements && screen.title == mail().title);
    }
}

// SCR-1
#[test]
fn screens_of_one_program_are_told_apart_scr_1() {
    let mut calendar = mail();
    for tab in calendar.elements.iter_mut().filter(|one| one.role == Role::Tab) {
        tab.states = StateSet::default().with_if(State::Selected, tab.name == "Calendar");
    }
    let mut menu = mail();
    menu.elements.push(element(Role::MenuItem, "Print", Rect::new(10, 40, 100, 20)));
    let mut dialog = mail();
    dialog.elements = vec![
        element(Role::Dialog, "Delete the message?", Rect::new(200, 200, 300, 100)),
        element(Role::Button, "Delete", Rect::new(220, 260, 80, 30)),
        element(Role::Button, "Cancel", Rect::new(320, 260, 80, 30)),
    ];
    let mut scrolled = mail();
    scrolled.elements.push(element(Role::ScrollBar, "", Rect::new(780, 60, 20, 500)));
    assert_eq!(identify(&scrolled), identify(&mail()), "a list that needs a scroll bar now is the same list");
    let other = ScreenContent { program_name: "editor".to_owned(), ..mail() };
    let nodes = [mail(), calendar, menu, dialog, other].map(|screen| identify(&screen));
    for (at, one) in nodes.iter().enumerate() {
        assert_eq!(one.state_hash.len(), 64);
        assert!(nodes[at + 1..].iter().all(|other| other != one), "{at}");
    }
}

// SCR-1
#[test]
fn a_pane_of_controls_is_the_same_wherever_it_is_scrolled_scr_1() {
    let settings = |from: i32| {
        let mut screen = mail();
        screen.elements = vec![element(Role::Button, "Back", Rect::new(0, 0, 60, 30))];
        let box_at = |at: i32| {
            element(
                Role::CheckBox,
                &format!("Option {}", (b'a' + at as u8) as char),
                Rect::new(20, 60 + 40 * (at - from), 300, 30),
            )
        };
        screen.elements.extend((from..from + 8).map(box_at));
        screen.elements.push(element(Role::ScrollBar, "", Rect::new(780, 40, 20, 540)));
        identify(&screen)
    };
    assert_eq!(settings(0), settings(5));
}

// SCR-1
#[test]
fn a_node_is_written_with_the_names_of_the_specification_scr_1() {
    let written = serde_json::to_value(identify(&mail())).unwrap();
    assert_eq!(written["programName"], "mailer");
    assert!(written["stateHash"].as_str().is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit())));
}
