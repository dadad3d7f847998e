//! Zones and nearby labels as tables, and properties of any window (PIC-9).

use std::collections::BTreeMap;

use luna_messages::element::{Position, RangeValue};
use luna_messages::reading::Verbosity;
use luna_messages::{ElementId, Lang};
use proptest::prelude::*;

use super::*;

const SCREEN: Rect = Rect::new(0, 0, 900, 600);
const STYLE: AnnouncementStyle = AnnouncementStyle { verbosity: Verbosity::Normal, lang: Lang::En, focused: false };

fn element(role: Role, text: &str, bbox: [i32; 4]) -> Element {
    Element::new(ElementId(format!("{role:?} {text} {bbox:?}")), role, text, Rect::from(bbox))
}

// PIC-9
#[test]
fn zones_are_thirds_by_the_centre_pic_9() {
    #[track_caller]
    fn check(bbox: [i32; 4], within: [i32; 4], expect: Zone) {
        assert_eq!(zone(Rect::from(bbox), Rect::from(within)), expect, "{bbox:?} in {within:?}");
    }
    let screen = SCREEN.into();
    let columns = [(0, 0), (400, 1), (880, 2)];
    let rows = [(0, 0), (290, 1), (580, 2)];
    let zones = [
        [Zone::TopLeft, Zone::Top, Zone::TopRight],
        [Zone::Left, Zone::Center, Zone::Right],
        [Zone::BottomLeft, Zone::Bottom, Zone::BottomRight],
    ];
    for (y, row) in rows {
        for (x, column) in columns {
            check([x, y, 20, 20], screen, zones[row][column]);
        }
    }
    // Exactly at a third: the later zone.
    check([299, 0, 2, 2], screen, Zone::Top);
    check([298, 0, 2, 2], screen, Zone::TopLeft);
    // On a second monitor, left of the first.
    check([-100, 10, 20, 20], [-1000, 0, 1000, 600], Zone::TopRight);
    // Outside, and on an empty screen.
    check([-50, 2000, 10, 10], screen, Zone::BottomLeft);
    check([5, 5, 10, 10], [0, 0, 0, 0], Zone::Center);
    check([i32::MAX, i32::MIN, 10, 10], [i32::MIN, i32::MAX, i32::MAX, i32::MAX], Zone::TopRight);
}

#[track_caller]
fn check_near(elements: &[(Role, &str, [i32; 4])], of: &str, expect: &[&str]) {
    let elements: Vec<Element> = elements.iter().map(|&(role, text, bbox)| element(role, text, bbox)).collect();
    let found = candidates(&elements, SCREEN, STYLE);
    let one = found.iter().find(|one| one.text == of).unwrap_or_else(|| panic!("{of} is not in {found:?}"));
    assert_eq!(one.near, expect, "{of}");
}

// PIC-9
#[test]
fn labels_stand_left_above_or_right_pic_9() {
    use Role::{Button, Cell, CheckBox, Edit, Heading, Hyperlink, ListItem, Text};
    // A form: labels left of their fields.
    let form = [
        (Text, "From", [100, 100, 60, 20]),
        (Edit, "Seoul", [180, 96, 200, 28]),
        (Text, "To", [100, 140, 60, 20]),
        (Edit, "Busan", [180, 136, 200, 28]),
    ];
    check_near(&form, "Seoul", &["From"]);
    check_near(&form, "Busan", &["To"]);
    // Labels above their fields.
    let stacked = [
        (Text, "From", [100, 100, 60, 20]),
        (Edit, "Seoul", [100, 124, 200, 28]),
        (Text, "To", [100, 170, 60, 20]),
        (Edit, "Busan", [100, 194, 200, 28]),
    ];
    check_near(&stacked, "Seoul", &["From", "To"]);
    check_near(&stacked, "Busan", &["To"]);
    // Left before above, above before right, plain texts before buttons.
    let around = [
        (Button, "Search", [310, 120, 60, 24]),
        (Text, "km", [390, 120, 20, 24]),
        (Heading, "Trip", [200, 90, 100, 24]),
        (Text, "Length", [120, 120, 70, 24]),
        (Edit, "42", [200, 120, 100, 24]),
    ];
    check_near(&around, "42", &["Length", "Trip", "Search"]);
    // A cell: the one before it, and the header.
    let table = [
        (Cell, "Item", [0, 0, 100, 24]),
        (Cell, "Price", [100, 0, 100, 24]),
        (Cell, "Pear", [0, 24, 100, 24]),
        (Cell, "2,500", [100, 24, 100, 24]),
    ];
    check_near(&table, "2,500", &["Pear", "Price"]);
    // A surrounding element is a label; a contained one is not.
    let list = [(ListItem, "Report.pdf Delete", [0, 0, 300, 30]), (Button, "Delete", [240, 2, 58, 26])];
    check_near(&list, "Delete", &["Report.pdf Delete"]);
    check_near(&list, "Report.pdf Delete", &[]);
    let link = [(Text, "in Seoul today", [0, 0, 300, 30]), (Hyperlink, "Seoul", [30, 2, 58, 26])];
    check_near(&link, "in Seoul today", &[]);
    // Not labels: distant elements, very long texts, values typed into other fields, the element's own text.
    let long = "word ".repeat(30);
    let far = [
        (CheckBox, "Sound", [300, 300, 80, 20]),
        (Text, "Footer", [300, 500, 80, 20]),
        (Text, "Elsewhere", [20, 300, 60, 20]),
        (Text, long.as_str(), [200, 300, 90, 20]),
        (Edit, "typed", [384, 300, 80, 20]),
        (Text, " Sound ", [320, 278, 50, 20]),
    ];
    check_near(&far, "Sound", &[]);
}

// PIC-9
#[test]
fn a_field_is_told_by_its_own_label_first_pic_9() {
    let mut field = element(Role::Edit, "Seoul", [180, 100, 200, 28]);
    field.label = "Destination\n목적지".to_owned();
    let elements = [element(Role::Text, "Where to?", [100, 100, 70, 28]), field.clone()];
    assert_eq!(candidates(&elements, SCREEN, STYLE)[1].near, ["Destination 목적지", "Where to?"]);
    field.text = field.label.clone();
    assert!(candidates(&[field], SCREEN, STYLE)[0].near.is_empty());
}

// PIC-9, PIC-5
#[test]
fn what_can_neither_be_read_nor_told_is_no_candidate_pic_9_pic_5() {
    let nameless = element(Role::Edit, "", [180, 100, 200, 28]);
    let elements = [
        element(Role::Protected, "hunter2", [0, 40, 50, 20]),
        element(Role::Group, "group", [0, 70, 50, 20]),
        element(Role::Button, "hidden", [0, 70, 0, 20]),
        element(Role::Button, "on another screen", [1200, 70, 50, 20]),
        element(Role::Button, " ", [600, 400, 50, 20]),
        nameless.clone(),
        nameless,
        element(Role::Text, "Name", [100, 100, 70, 28]),
        element(Role::Button, "first", [500, 10, 50, 20]),
    ];
    let found = candidates(&elements, SCREEN, STYLE);
    let told: Vec<_> = found.iter().map(|one| (one.text.as_str(), one.near.clone(), one.zone)).collect();
    assert_eq!(
        told,
        [("first", vec![], Zone::Top), ("Name", vec![], Zone::TopLeft), ("", vec!["Name".to_owned()], Zone::TopLeft)]
    );
}

// PIC-9, ANN-1
#[test]
fn a_candidate_comes_with_what_is_said_of_it_pic_9_ann_1() {
    let mut slider = element(Role::Slider, "", [180, 100, 200, 28]);
    slider.label = "Volume".to_owned();
    slider.enabled = false;
    let value = RangeValue { now: 40.0, min: 0.0, max: 100.0, text: String::new() };
    slider.properties.value = Some(value.clone());
    slider.properties.position = Some(Position { index: 1, of: 2 });
    let found = &candidates(&[slider], SCREEN, STYLE)[0].details;
    assert_eq!(found.said, "Volume, slider, unavailable, 40 percent");
    assert_eq!(found.states.iter().collect::<Vec<_>>(), [State::Disabled]);
    assert_eq!((&found.value, found.position), (&Some(value), Some(Position { index: 1, of: 2 })));
}

// EXE-1, PIC-5
#[test]
fn what_can_be_acted_on_is_called_by_its_label_and_never_by_its_content_exe_1_pic_5() {
    let one = |role, text: &str, label: &str, y, can: &[Capacity]| {
        let mut element = element(role, text, [200, y, 80, 20]);
        element.label = label.to_owned();
        let protected = role == Role::Protected;
        ActionableElement { element, capacities: can.iter().copied().collect(), protected }
    };
    let elements = [
        one(Role::Edit, "홍길동", "이름", 0, &[Capacity::SetText]),
        one(Role::Protected, "", "비밀번호", 40, &[Capacity::SetText, Capacity::Focus]),
        // A picture that is a button, and a button that nothing names.
        one(Role::Image, "", "", 80, &[Capacity::Press]),
        one(Role::Image, "", "", 120, &[]),
        one(Role::Text, "도움말", "", 400, &[]),
    ];
    let found = candidates_to_act_on(&elements, SCREEN, STYLE);
    let told: Vec<_> = found.iter().map(|one| (one.role, one.text.as_str(), one.details.protected)).collect();
    let expect = [
        (Role::Edit, "이름", false),
        (Role::Protected, "비밀번호", true),
        (Role::Image, "", false),
        (Role::Text, "도움말", false),
    ];
    assert_eq!(told, expect, "{found:?}");
    assert_eq!(found[0].near[0], "이름");
    assert!(found.iter().all(|one| !one.near.iter().any(|near| near.contains("홍길동"))), "{found:?}");
    assert_eq!(found[0].details.capacities, elements[0].capacities);
}

// PIC-9
#[test]
fn the_worst_window_is_answered_in_time_pic_9() {
    let many: Vec<Element> =
        (0..3000).map(|i: i32| element(Role::Text, &format!("text {i}"), [i % 40 * 20, i / 40 * 8, 40, 16])).collect();
    assert!(candidates(&many, SCREEN, STYLE).len() <= MAX_ELEMENTS);
}

fn role() -> impl Strategy<Value = Role> {
    prop::sample::select(vec![
        Role::Text,
        Role::Edit,
        Role::Button,
        Role::Cell,
        Role::CheckBox,
        Role::Protected,
        Role::Group,
    ])
}

fn elements() -> impl Strategy<Value = Vec<Element>> {
    let one = (0..12_u8, role(), "[ab ]{0,3}", "[ab ]{0,3}", prop::array::uniform4(-50..950_i32));
    let build = |(id, role, text, label, [x, y, width, height]): (u8, Role, String, String, [i32; 4])| Element {
        id: ElementId(id.to_string()),
        label,
        ..element(role, &text, [x, y, width / 5, height / 10])
    };
    prop::collection::vec(one.prop_map(build), 0..40)
}

proptest! {
    // PIC-9
    #[test]
    fn each_id_occurs_once_and_near_never_holds_the_own_text_pic_9(elements in elements()) {
        let found = candidates(&elements, SCREEN, STYLE);
        prop_assert_eq!(&found, &candidates(&elements, SCREEN, STYLE));
        let mut ids = BTreeMap::new();
        for one in &found {
            *ids.entry(&one.id).or_insert(0) += 1;
            prop_assert!(one.near.len() <= MAX_NEAR);
            prop_assert!(one.near.iter().all(|label| *label != one_line(&one.text) && !label.is_empty()));
            prop_assert!(!one.text.is_empty() || !one.near.is_empty());
            prop_assert!(one.role.is_readable() && SCREEN.contains(one.bbox.center()));
            let known = elements.iter().any(|element| element.id == one.id && element.text.trim() == one.text);
            prop_assert!(known);
        }
        prop_assert!(ids.values().all(|&count| count == 1));
    }

    // PIC-9
    #[test]
    fn every_box_has_a_zone_pic_9(bbox in any::<[i32; 4]>(), within in any::<[i32; 4]>()) {
        prop_assert!(!zone(Rect::from(bbox), Rect::from(within)).name().is_empty());
    }
}

// PIC-9, EXE-1
#[test]
fn a_number_that_can_be_changed_is_called_by_its_label_pic_9_exe_1() {
    let called = |label: &str, can: &[Capacity]| {
        let mut number = element(Role::SpinButton, "2", [180, 100, 100, 28]);
        number.label = label.to_owned();
        let title = element(Role::Text, "Columns:", [100, 100, 70, 28]);
        let offers = |element: &Element, can: &[Capacity]| ActionableElement {
            element: element.clone(),
            capacities: can.iter().copied().collect(),
            protected: false,
        };
        let found = candidates_to_act_on(&[offers(&title, &[]), offers(&number, can)], SCREEN, STYLE);
        (found[1].text.clone(), found[1].near.clone())
    };
    let can = [Capacity::SetNumber, Capacity::Focus];
    assert_eq!(called("Columns", &can), ("Columns".to_owned(), vec!["Columns".to_owned(), "Columns:".to_owned()]));
    // What can't be changed, and what has no label, is told by its number.
    assert_eq!(called("Columns", &[]).0, "2");
    assert_eq!(called("", &can).0, "2");
}
