//! Tables of control types, patterns and properties, and elements of real programs.

use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::Value;

use super::UiaValue::{Bool, Int, Number, Text};
use super::*;

fn text(value: &str) -> UiaValue {
    Text(value.to_owned())
}

fn of(control: i32, more: &[(i32, UiaValue)]) -> UiaProperties {
    std::iter::once((id::CONTROL_TYPE, Int(control))).chain(more.iter().cloned()).collect()
}

#[track_caller]
fn role(control: i32, more: &[(i32, UiaValue)], expect: Role) {
    assert_eq!(of(control, more).role(), expect, "{control} {more:?}");
}

#[track_caller]
fn states(control: i32, more: &[(i32, UiaValue)], expect: &[State]) {
    let found: Vec<State> = of(control, more).details().states.iter().collect();
    assert_eq!(found, expect, "{control} {more:?}");
}

// ANN-1, PIC-1
#[test]
fn control_types_have_their_roles_ann_1_pic_1() {
    for (control, expect) in [
        (50000, Role::Button),
        (50001, Role::Table),
        (50002, Role::CheckBox),
        (50003, Role::ComboBox),
        (50004, Role::Edit),
        (50005, Role::Hyperlink),
        (50006, Role::Image),
        (50007, Role::ListItem),
        (50008, Role::List),
        (50009, Role::Group),
        (50010, Role::MenuBar),
        (50011, Role::MenuItem),
        (50012, Role::ProgressBar),
        (50013, Role::RadioButton),
        (50014, Role::ScrollBar),
        (50015, Role::Slider),
        (50016, Role::SpinButton),
        (50017, Role::StatusBar),
        (50018, Role::TabList),
        (50019, Role::Tab),
        (50020, Role::Text),
        (50021, Role::ToolBar),
        (50022, Role::ToolTip),
        (50023, Role::Tree),
        (50024, Role::TreeItem),
        (50025, Role::Other),
        (50026, Role::Group),
        (50027, Role::Other),
        (50028, Role::Table),
        (50029, Role::Cell),
        (50030, Role::Document),
        (50031, Role::Button),
        (50032, Role::Window),
        (50033, Role::Group),
        (50034, Role::Group),
        (50035, Role::ColumnHeader),
        (50036, Role::Table),
        (50037, Role::Group),
        (50038, Role::Separator),
        (50039, Role::Group),
        (50040, Role::ToolBar),
        // A later version's type, and none at all.
        (50041, Role::Other),
        (0, Role::Other),
    ] {
        role(control, &[], expect);
    }
}

// ANN-1
#[test]
fn patterns_and_aria_tell_the_kind_of_a_role_ann_1() {
    role(50000, &[(id::HAS_TOGGLE, Bool(true))], Role::ToggleButton);
    role(50000, &[(id::HAS_TOGGLE, Bool(false))], Role::Button);
    role(50000, &[(id::HAS_TOGGLE, Bool(true)), (id::CLASS_NAME, text("ToggleSwitch"))], Role::Switch);
    role(50000, &[(id::ARIA_ROLE, text("switch"))], Role::Switch);
    role(50011, &[(id::HAS_EXPAND_COLLAPSE, Bool(true)), (id::EXPAND_COLLAPSE_STATE, Int(0))], Role::Menu);
    role(50011, &[(id::HAS_EXPAND_COLLAPSE, Bool(true)), (id::EXPAND_COLLAPSE_STATE, Int(3))], Role::MenuItem);
    role(50020, &[(id::HEADING_LEVEL, Int(80052))], Role::Heading);
    role(50020, &[(id::HEADING_LEVEL, Int(80050))], Role::Text);
    role(50026, &[(id::ARIA_ROLE, text("heading"))], Role::Heading);
    role(50026, &[(id::LANDMARK_TYPE, Int(80002))], Role::Landmark);
    role(50026, &[(id::ARIA_ROLE, text("alertdialog"))], Role::Dialog);
    role(50026, &[(id::ARIA_ROLE, text("alert"))], Role::Alert);
    role(50032, &[(id::IS_DIALOG, Bool(true))], Role::Dialog);
}

// PIC-5
#[test]
fn a_password_field_is_protected_whatever_else_it_reports_pic_5() {
    let range = [(id::HAS_RANGE_VALUE, Bool(true)), (id::RANGE_VALUE, Number(4.0))];
    for control in 50_000..=50_040 {
        let more: Vec<_> = range.iter().cloned().chain([(id::IS_PASSWORD, Bool(true))]).collect();
        role(control, &more, Role::Protected);
        let details = of(control, &more).details();
        assert!(details.states.contains(State::Protected) && details.value.is_none());
    }
}

// ANN-2
#[test]
fn patterns_and_properties_tell_the_states_ann_2() {
    let toggle = |state| [(id::HAS_TOGGLE, Bool(true)), (id::TOGGLE_STATE, Int(state))];
    states(50002, &toggle(0), &[State::Unchecked]);
    states(50002, &toggle(1), &[State::Checked]);
    states(50002, &toggle(2), &[State::HalfChecked]);
    states(50000, &toggle(1), &[State::Pressed]);
    states(50000, &toggle(0), &[State::Unpressed]);
    // Without the pattern its property says nothing.
    states(50000, &[(id::TOGGLE_STATE, Int(1))], &[]);
    let selection = |is| [(id::HAS_SELECTION_ITEM, Bool(true)), (id::IS_SELECTED, Bool(is))];
    states(50007, &selection(true), &[State::Selected]);
    states(50007, &selection(false), &[State::Unselected]);
    states(50013, &selection(true), &[State::Checked]);
    states(50013, &selection(false), &[State::Unchecked]);
    let expand = |state| [(id::HAS_EXPAND_COLLAPSE, Bool(true)), (id::EXPAND_COLLAPSE_STATE, Int(state))];
    states(50024, &expand(0), &[State::Collapsed]);
    states(50024, &expand(1), &[State::Expanded]);
    states(50024, &expand(2), &[State::Expanded]);
    states(50024, &expand(3), &[]);
    states(50011, &expand(0), &[State::HasPopup]);
    states(50003, &[(id::LEGACY_STATE, Int(0x4000_0000))], &[]);
    states(50000, &[(id::LEGACY_STATE, Int(0x4000_0000))], &[State::HasPopup]);
    states(50031, &[], &[State::HasPopup]);
    states(50000, &[(id::IS_ENABLED, Bool(false))], &[State::Disabled]);
    states(50004, &[(id::IS_REQUIRED, Bool(true)), (id::IS_ENABLED, Bool(true))], &[State::Required]);
    let read_only = [(id::HAS_VALUE, Bool(true)), (id::VALUE_IS_READ_ONLY, Bool(true))];
    states(50004, &read_only, &[State::ReadOnly]);
    // A text can never be changed, so nobody expects to hear so.
    states(50030, &read_only, &[]);
    states(50005, &[(id::LEGACY_STATE, Int(0x80_0000))], &[State::Visited]);
    let aria = [(id::ARIA_PROPERTIES, text("invalid=true;required=true;haspopup=menu;current=page;busy=false"))];
    states(50004, &aria, &[State::Required, State::Invalid, State::HasPopup, State::Current]);
}

// ANN-1, ANN-2
#[test]
fn values_levels_positions_and_descriptions_ann_1_ann_2() {
    let volume = of(
        50015,
        &[
            (id::HAS_RANGE_VALUE, Bool(true)),
            (id::RANGE_VALUE, Number(40.0)),
            (id::RANGE_MINIMUM, Number(0.0)),
            (id::RANGE_MAXIMUM, Number(100.0)),
        ],
    );
    assert_eq!(volume.details().value, Some(RangeValue { now: 40.0, min: 0.0, max: 100.0, text: String::new() }));
    assert_eq!(of(50015, &[(id::RANGE_VALUE, Number(40.0))]).details().value, None);
    for (control, more, level) in [
        (50020, vec![(id::HEADING_LEVEL, Int(80052))], Some(2)),
        (50026, vec![(id::ARIA_ROLE, text("heading")), (id::ARIA_PROPERTIES, text("level=3"))], Some(3)),
        (50024, vec![(id::LEVEL, Int(2))], Some(2)),
        (50000, vec![(id::LEVEL, Int(2))], None),
        (50000, vec![], None),
    ] {
        assert_eq!(of(control, &more).details().level, level, "{more:?}");
    }
    let position = |index, size| of(50007, &[(id::POSITION_IN_SET, Int(index)), (id::SIZE_OF_SET, Int(size))]);
    assert_eq!(position(3, 8).details().position, Some(Position { index: 3, of: 8 }));
    for (index, size) in [(0, 0), (9, 8), (-1, 8), (3, 0)] {
        assert_eq!(position(index, size).details().position, None, "{index} of {size}");
    }
    let aria = of(50007, &[(id::ARIA_PROPERTIES, text("posinset=2;setsize=5"))]);
    assert_eq!(aria.details().position, Some(Position { index: 2, of: 5 }));
    let described = of(50000, &[(id::HELP_TEXT, text("Saves the page")), (id::ITEM_STATUS, text("busy"))]);
    assert_eq!(described.details().description, "Saves the page");
}

/// The elements that an inspection tool saved of real programs, each with its control type in words.
fn of_real_programs() -> Vec<(String, UiaProperties)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/samples/axe-windows/elements.json");
    let elements: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let read = |element: &Value| {
        let properties: HashMap<String, Value> = serde_json::from_value(element["properties"].clone()).unwrap();
        let value = |value: &Value| match value {
            Value::Bool(is) => Bool(*is),
            Value::Number(number) if number.is_i64() => Int(i32::try_from(number.as_i64().unwrap()).unwrap()),
            Value::Number(number) => Number(number.as_f64().unwrap()),
            other => text(other.as_str().unwrap()),
        };
        let known = properties.iter().map(|(id, of)| (id.parse().unwrap(), value(of))).collect();
        (element["control"].as_str().unwrap().to_owned(), known)
    };
    elements.iter().map(read).collect()
}

// ANN-1, ANN-2
#[test]
fn elements_of_real_programs_say_what_they_are_ann_1_ann_2() {
    let elements = of_real_programs();
    assert_eq!(elements.len(), 59);
    for (control, properties) in &elements {
        let expect: &[Role] = match control.as_str() {
            "edit" => &[Role::Edit],
            "button" => &[Role::Button],
            "text" => &[Role::Text],
            "scroll bar" => &[Role::ScrollBar],
            "menu item" => &[Role::MenuItem, Role::Menu],
            "list item" | "item" => &[Role::ListItem],
            "list" | "list view" => &[Role::List],
            "header item" => &[Role::ColumnHeader],
            "datagrid" | "data grid" => &[Role::Table],
            "tool bar" => &[Role::ToolBar],
            "pane" | "header" | "menu" => &[Role::Group],
            "thumb" => &[Role::Other],
            other => panic!("{other}"),
        };
        let role = properties.role();
        assert!(expect.contains(&role), "{control}: {role:?}");
        // None of these elements is invalid or required, whatever the properties' defaults suggest.
        let details = properties.details();
        assert!(!details.states.contains(State::Invalid) && !details.states.contains(State::Required), "{control}");
        assert_eq!((details.position, details.level), (None, None), "{control}");
    }
    let unselected = |(_, of): &&(String, UiaProperties)| of.details().states.contains(State::Unselected);
    assert_eq!(elements.iter().filter(unselected).count(), 3);
}

proptest! {
    // ANN-2
    #[test]
    fn no_element_is_in_both_states_of_a_pair_ann_2(
        control in 49_999..50_042_i32, toggle in proptest::option::of(0..4_i32), selected in proptest::option::of(any::<bool>()),
        expand in proptest::option::of(0..5_i32), legacy in any::<i32>(), aria in "[a-z=;]{0,30}",
    ) {
        let mut more = vec![(id::LEGACY_STATE, Int(legacy)), (id::ARIA_PROPERTIES, Text(aria))];
        more.extend(toggle.into_iter().flat_map(|state| [(id::HAS_TOGGLE, Bool(true)), (id::TOGGLE_STATE, Int(state))]));
        more.extend(selected.into_iter().flat_map(|is| [(id::HAS_SELECTION_ITEM, Bool(true)), (id::IS_SELECTED, Bool(is))]));
        more.extend(expand.into_iter().flat_map(|state| [(id::HAS_EXPAND_COLLAPSE, Bool(true)), (id::EXPAND_COLLAPSE_STATE, Int(state))]));
        let states = of(control, &more).details().states;
        for pair in [
            [State::Checked, State::Unchecked],
            [State::Checked, State::HalfChecked],
            [State::Pressed, State::Unpressed],
            [State::Selected, State::Unselected],
            [State::Expanded, State::Collapsed],
        ] {
            prop_assert!(!pair.into_iter().all(|state| states.contains(state)), "{pair:?}");
        }
    }
}
