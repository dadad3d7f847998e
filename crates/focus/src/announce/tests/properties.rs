//! Properties of the announcement of any element (ANN-1, PIC-5).

use proptest::prelude::*;

use super::*;

/// Occurs in no other text of the elements.
const SECRET: &str = "zq7";

fn words() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        " ",
        "home",
        "Home",
        "home home",
        "이름",
        "이름:",
        "동의 Agree",
        "☰",
        "🔔",
        "첫째다. 둘째다.",
        "a\nb",
        "40",
        "40 %",
        "\u{FFFC}",
    ])
    .prop_map(str::to_owned)
}

fn elements() -> impl Strategy<Value = Element> {
    let facts = (prop::sample::select(Role::ALL.to_vec()), any::<u32>(), any::<bool>());
    let texts = (words(), words(), words(), words(), words());
    let numbers = (
        prop::option::of((-5.0..200.0_f64, words())),
        prop::option::of((1..9_u32, 1..9_u32)),
        prop::option::of(1..7_u32),
        prop::option::of((0..3_u32, 0..3_u32, words(), words())),
        prop::option::of(0..40_usize),
    );
    (facts, texts, numbers).prop_map(
        |((role, bits, enabled), (text, label, description, placeholder, error), numbers)| {
            let (value, position, level, cell, offset) = numbers;
            let states = State::ALL.into_iter().filter(|state| bits >> *state as u32 & 1 == 1).collect();
            let properties = ElementProperties {
                states,
                value: value.map(|(now, text)| RangeValue { now, min: 0.0, max: 100.0, text }),
                description,
                placeholder,
                error_message: error,
                position: position.map(|(index, more)| Position { index, of: index + more }),
                level,
                cell: cell.map(|(row, column, row_header, column_header)| CellPlace {
                    row,
                    column,
                    row_header,
                    column_header,
                }),
            };
            Element { label, offset, enabled, properties, ..element(role, &text) }
        },
    )
}

fn styles() -> impl Strategy<Value = AnnouncementStyle> {
    let verbosities = prop::sample::select(Verbosity::ALL.to_vec());
    let langs = prop::sample::select(vec![Lang::Ko, Lang::En]);
    (verbosities, langs, any::<bool>()).prop_map(|(verbosity, lang, focused)| AnnouncementStyle {
        verbosity,
        lang,
        focused,
    })
}

proptest! {
    // ANN-1, ANN-4
    #[test]
    fn what_has_a_name_is_never_silent_and_nothing_is_said_twice_ann_1_ann_4(element in elements(), style in styles()) {
        let announcement = announce(&element, None, style);
        let is_named = [&element.text, &element.label].into_iter().any(|text| text.chars().any(char::is_alphanumeric));
        if is_named || element.role.has_content() {
            prop_assert!(!announcement.said().trim().is_empty());
        }
        let plain: Vec<String> = announcement.parts().iter().map(|part| part.to_lowercase()).collect();
        for (i, part) in plain.iter().enumerate() {
            prop_assert!(!part.trim().is_empty() && !plain[..i].contains(part), "{announcement:?}");
        }
    }

    // ANN-1
    #[test]
    fn what_is_said_is_what_is_read_from_the_offset_on_ann_1(element in elements(), style in styles()) {
        let announcement = announce(&element, None, style);
        let (text, offset) = words_of(&announcement.reading(&[]));
        prop_assert_eq!(text.chars().skip(offset).collect::<String>(), announcement.said());
    }

    // PIC-5
    #[test]
    fn the_content_of_a_protected_field_is_never_said_pic_5(element in elements(), style in styles(), by_role in any::<bool>()) {
        let mut element = element;
        element.text = SECRET.to_owned();
        element.properties.value = Some(RangeValue { now: 1.0, min: 0.0, max: 9.0, text: SECRET.to_owned() });
        if by_role {
            element.role = Role::Protected;
        } else {
            element.properties.states = element.properties.states.with(State::Protected);
        }
        let announcement = announce(&element, None, style);
        prop_assert!(!words_of(&announcement.reading(&[])).0.contains(SECRET), "{announcement:?}");
        let before = Element { text: String::new(), ..element.clone() };
        let change = announce_change(&before, &element, style);
        prop_assert_eq!(change.map(|said| said.said()), None);
    }

    // ANN-5
    #[test]
    fn the_same_element_is_never_said_again_ann_5(element in elements(), style in styles()) {
        let again = announce_change(&element, &element, style).map(|said| said.said());
        prop_assert_eq!(again, None);
    }
}
