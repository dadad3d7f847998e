//! What the elements of the toolkits tell of themselves, as was seen of GTK 3.24, GTK 4.8, Qt 5 and Chromium, and what can be done to them.

use super::*;

/// E: expandable, S: selectable, W: editable, F: focusable; V: value, T: editable text, C: component, L: in a selection.
fn facts(role: Role, native: Native, flags: &str, actions: &[&str]) -> ActionFacts {
    let has = |flag: char| flags.contains(flag);
    ActionFacts {
        role,
        native,
        states: States::enabled_with(has('E'), has('S'), has('W'), has('F')),
        has_value: has('V'),
        has_editable_text: has('T'),
        has_component: has('C'),
        is_in_selection: has('L'),
        actions: actions.iter().map(|action| (*action).to_owned()).collect(),
    }
}

// EXE-1
#[test]
fn each_toolkits_elements_can_do_what_they_offer_exe_1() {
    use ActionMeans::{Action, EditableText, Focus, Selection, Value};
    use Capacity as C;
    type Case<'a> = (&'a str, Role, Native, &'a str, &'a [&'a str], &'a [(Capacity, ActionMeans)]);
    let cases: &[Case<'_>] = &[
        ("GTK 3", Role::Button, Native::Button, "FC", &["click"], &[(C::Press, Action(0)), (C::Focus, Focus)]),
        (
            "GTK 3 switch",
            Role::ToggleButton,
            Native::ToggleButton,
            "C",
            &["toggle"],
            &[(C::Press, Action(0)), (C::Toggle, Action(0))],
        ),
        ("GTK 3", Role::CheckBox, Native::CheckBox, "C", &["click"], &[(C::Press, Action(0)), (C::Toggle, Action(0))]),
        (
            "GTK 3",
            Role::RadioButton,
            Native::RadioButton,
            "C",
            &["click"],
            &[(C::Press, Action(0)), (C::Select, Action(0))],
        ),
        (
            "GTK 3 expander",
            Role::ToggleButton,
            Native::ToggleButton,
            "EC",
            &["activate"],
            &[(C::Press, Action(0)), (C::Expand, Action(0))],
        ),
        ("GTK 3", Role::ComboBox, Native::ComboBox, "C", &["press"], &[(C::Press, Action(0)), (C::Expand, Action(0))]),
        (
            "GTK 3",
            Role::SpinButton,
            Native::SpinButton,
            "VTWFC",
            &["activate"],
            &[(C::SetNumber, Value), (C::Focus, Focus)],
        ),
        ("GTK 3", Role::Edit, Native::Text, "TWFC", &["activate"], &[(C::SetText, EditableText), (C::Focus, Focus)]),
        ("GTK 3 fixed", Role::Text, Native::Text, "TFC", &["activate"], &[(C::Focus, Focus)]),
        (
            "GTK 3",
            Role::Protected,
            Native::PasswordText,
            "TWFC",
            &["activate"],
            &[(C::SetText, EditableText), (C::Focus, Focus)],
        ),
        ("GTK 3", Role::Tab, Native::PageTab, "SLC", &[], &[(C::Press, Selection), (C::Select, Selection)]),
        ("GTK 3", Role::MenuItem, Native::MenuItem, "SLC", &["click"], &[(C::Press, Action(0))]),
        (
            "GTK 3",
            Role::Cell,
            Native::TableCell,
            "SC",
            &["expand or contract", "edit", "activate"],
            &[(C::Press, Action(2))],
        ),
        (
            "GTK 3",
            Role::TreeItem,
            Native::TreeItem,
            "ESC",
            &["expand or contract", "edit", "activate"],
            &[(C::Press, Action(2)), (C::Expand, Action(0))],
        ),
        ("GTK 4 check", Role::CheckBox, Native::CheckBox, "FC", &[], &[(C::Focus, Focus)]),
        ("GTK 4", Role::Hyperlink, Native::Link, "C", &["click"], &[(C::Press, Action(0))]),
        ("GTK 4", Role::Text, Native::Label, "C", &["clipboard.copy", "link.open", "menu.popup"], &[]),
        ("GTK 4", Role::ListItem, Native::ListItem, "SLC", &[], &[(C::Select, Selection)]),
        ("Qt", Role::CheckBox, Native::CheckBox, "C", &["toggle"], &[(C::Press, Action(0)), (C::Toggle, Action(0))]),
        (
            "Qt combo",
            Role::ComboBox,
            Native::ComboBox,
            "C",
            &["showmenu", "press"],
            &[(C::Press, Action(1)), (C::Expand, Action(1))],
        ),
        ("Qt menu", Role::MenuItem, Native::MenuItem, "C", &["showmenu"], &[(C::Press, Action(0))]),
        (
            "Qt spin",
            Role::SpinButton,
            Native::SpinButton,
            "VTWC",
            &["setfocus", "increase", "decrease"],
            &[(C::SetNumber, Value)],
        ),
        ("Qt insensitive", Role::Button, Native::Button, "C", &[], &[]),
        ("Chromium", Role::Button, Native::Button, "C", &["press", "showcontextmenu"], &[(C::Press, Action(0))]),
        (
            "Chromium without a handler",
            Role::Button,
            Native::Button,
            "C",
            &["dodefault", "showcontextmenu"],
            &[(C::Press, Action(0))],
        ),
        ("Chromium", Role::Hyperlink, Native::Link, "C", &["jump", "showcontextmenu"], &[(C::Press, Action(0))]),
        (
            "Chromium",
            Role::CheckBox,
            Native::CheckBox,
            "C",
            &["check", "showcontextmenu"],
            &[(C::Press, Action(0)), (C::Toggle, Action(0))],
        ),
        ("Chromium", Role::Edit, Native::Entry, "WFC", &["activate", "showcontextmenu"], &[(C::Focus, Focus)]),
        (
            "Chromium",
            Role::Slider,
            Native::Slider,
            "VC",
            &["dodefault", "showcontextmenu", "decrement"],
            &[(C::SetNumber, Value)],
        ),
        (
            "Chromium span",
            Role::Text,
            Native::Static,
            "C",
            &["clickancestor", "showcontextmenu"],
            &[(C::Press, Action(0))],
        ),
        ("Chromium span", Role::Text, Native::Section, "C", &["click", "showcontextmenu"], &[(C::Press, Action(0))]),
        ("Chromium text", Role::Text, Native::Static, "C", &["dodefault", "showcontextmenu"], &[]),
        ("Chromium written text", Role::Text, Native::Static, "WC", &["clickancestor"], &[]),
        (
            "Chromium option",
            Role::ListItem,
            Native::ListItem,
            "SLC",
            &["select", "showcontextmenu"],
            &[(C::Press, Action(0)), (C::Select, Action(0))],
        ),
        (
            "Chromium",
            Role::MenuItem,
            Native::MenuItem,
            "SLC",
            &["select"],
            &[(C::Press, Action(0)), (C::Select, Action(0))],
        ),
        ("Chromium", Role::Tab, Native::PageTab, "SLC", &["click"], &[(C::Press, Action(0)), (C::Select, Action(0))]),
        ("Chromium point of a list", Role::ListItem, Native::ListItem, "C", &["dodefault"], &[]),
        (
            "Chromium menu button",
            Role::Button,
            Native::Button,
            "EC",
            &["press"],
            &[(C::Press, Action(0)), (C::Expand, Action(0))],
        ),
        ("a context menu is no press", Role::Button, Native::Button, "C", &["showcontextmenu"], &[]),
    ];
    for (what, role, native, flags, actions, expect) in cases {
        let facts = facts(*role, *native, flags, actions);
        let means: Vec<(Capacity, ActionMeans)> =
            Capacity::ALL.into_iter().filter_map(|capacity| Some((capacity, facts.means(capacity)?))).collect();
        assert_eq!(means, *expect, "{what}: {role:?} {flags} {actions:?}");
        let by_tree: CapacitySet = expect.iter().map(|(capacity, _)| *capacity).collect();
        let has_keys = facts.capacities().contains(C::Insert);
        assert_eq!(facts.capacities(), by_tree.with_if(C::Insert, has_keys), "{what}");
    }
}

// EXE-1, EXE-4
#[test]
fn keys_write_in_what_is_editable_and_can_have_the_focus_exe_1_exe_4() {
    let check = |role: Role, native: Native, flags: &str, expect: bool| {
        let capacities = facts(role, native, flags, &[]).capacities();
        assert_eq!(capacities.contains(Capacity::Insert), expect, "{role:?} {flags}");
    };
    check(Role::Edit, Native::Entry, "WFC", true);
    check(Role::Text, Native::Paragraph, "WFC", true);
    check(Role::Protected, Native::PasswordText, "TWFC", true);
    check(Role::Terminal, Native::Terminal, "FC", true);
    check(Role::Terminal, Native::Terminal, "C", false);
    check(Role::Edit, Native::Entry, "WC", false);
    check(Role::Text, Native::Text, "TFC", false);
    check(Role::SpinButton, Native::SpinButton, "VTWFC", false);
    check(Role::Button, Native::Button, "FC", false);
}
