//! Hot keys as users write them: `ctrl+alt+l`, `escape`, `f5`.

use std::fmt;
use std::str::FromStr;

use super::{HotKey, HotKeyCode};

/// Why a name isn't a hot key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HotKeyParseError {
    /// The name, or a part between two plus signs, is empty.
    #[error("a part of the hot key is empty; write it like ctrl+alt+l, with one + between the parts")]
    Empty,
    /// The last part is not a key.
    #[error(
        "`{given}` is no key that can be a hot key; use a letter a to z, a digit, f1 to f24, escape, space, enter, up, down, left, \
         right, page_up, page_down, home or end"
    )]
    UnknownKey { given: String },
    /// A part before the last is not a modifier.
    #[error(
        "`{given}` is no modifier; before the last + may stand ctrl, alt, shift and super (also called win or meta)"
    )]
    UnknownModifier { given: String },
    /// A modifier occurs twice.
    #[error("`{given}` is there twice; name each modifier once")]
    Twice { given: String },
    /// There are only modifiers.
    #[error("`{given}` is a modifier; after it must come a key, as in {given}+l")]
    NoKey { given: String },
}

/// The canonical names, and accepted alternatives.
const NAMED: [(HotKeyCode, &str, &[&str]); 11] = [
    (HotKeyCode::Escape, "escape", &["esc"]),
    (HotKeyCode::Space, "space", &["spacebar"]),
    (HotKeyCode::Enter, "enter", &["return"]),
    (HotKeyCode::Up, "up", &["arrow_up"]),
    (HotKeyCode::Down, "down", &["arrow_down"]),
    (HotKeyCode::Left, "left", &["arrow_left"]),
    (HotKeyCode::Right, "right", &["arrow_right"]),
    (HotKeyCode::PageUp, "page_up", &["pageup", "page-up", "pgup"]),
    (HotKeyCode::PageDown, "page_down", &["pagedown", "page-down", "pgdn", "pgdown"]),
    (HotKeyCode::Home, "home", &[]),
    (HotKeyCode::End, "end", &[]),
];

#[derive(Debug, Clone, Copy)]
enum Modifier {
    Ctrl,
    Alt,
    Shift,
    Meta,
}

fn modifier(name: &str) -> Option<Modifier> {
    Some(match name {
        "ctrl" | "control" => Modifier::Ctrl,
        "alt" => Modifier::Alt,
        "shift" => Modifier::Shift,
        "super" | "win" | "windows" | "meta" => Modifier::Meta,
        _ => return None,
    })
}

fn key(name: &str) -> Option<HotKeyCode> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return character.is_ascii_alphanumeric().then_some(HotKeyCode::Character(character));
    }
    if let Some(number) = name.strip_prefix('f') {
        // Only digits: `parse` would accept a plus sign, and a leading zero is a mistake.
        let well_formed = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
        if let Some(number) = number.parse::<u8>().ok().filter(|number| well_formed && (1..=24).contains(number)) {
            return Some(HotKeyCode::Function(number));
        }
    }
    NAMED.iter().find(|(_, written, others)| *written == name || others.contains(&name)).map(|(key, ..)| *key)
}

impl FromStr for HotKey {
    type Err = HotKeyParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<String> = text.split('+').map(|part| part.trim().to_ascii_lowercase()).collect();
        if parts.iter().any(String::is_empty) {
            return Err(HotKeyParseError::Empty);
        }
        let Some((last, before)) = parts.split_last() else {
            return Err(HotKeyParseError::Empty);
        };
        let mut hot_key = Self { ctrl: false, alt: false, shift: false, meta: false, key: HotKeyCode::Escape };
        for given in before {
            let held = match modifier(given) {
                Some(Modifier::Ctrl) => &mut hot_key.ctrl,
                Some(Modifier::Alt) => &mut hot_key.alt,
                Some(Modifier::Shift) => &mut hot_key.shift,
                Some(Modifier::Meta) => &mut hot_key.meta,
                None => {
                    return Err(HotKeyParseError::UnknownModifier { given: given.clone() });
                }
            };
            if std::mem::replace(held, true) {
                return Err(HotKeyParseError::Twice { given: given.clone() });
            }
        }
        hot_key.key = match key(last) {
            Some(key) => key,
            None if modifier(last).is_some() => {
                return Err(HotKeyParseError::NoKey { given: last.clone() });
            }
            None => {
                return Err(HotKeyParseError::UnknownKey { given: last.clone() });
            }
        };
        Ok(hot_key)
    }
}

impl fmt::Display for HotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.ctrl, "ctrl+"), (self.alt, "alt+"), (self.shift, "shift+"), (self.meta, "super+")] {
            if held {
                f.write_str(name)?;
            }
        }
        match self.key {
            HotKeyCode::Character(character) => write!(f, "{}", character.to_ascii_lowercase()),
            HotKeyCode::Function(number) => write!(f, "f{number}"),
            named => f.write_str(NAMED.iter().find(|(key, ..)| *key == named).map_or("", |(_, written, _)| written)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expect: Result<&str, HotKeyParseError>) {
        assert_eq!(text.parse::<HotKey>().map(|key| key.to_string()), expect.map(str::to_owned), "{text:?}");
    }

    #[test]
    fn names_are_understood() {
        for (text, expect) in [
            ("ctrl+alt+l", "ctrl+alt+l"),
            ("Alt + CONTROL + L", "ctrl+alt+l"),
            ("escape", "escape"),
            ("Esc", "escape"),
            ("f5", "f5"),
            ("F24", "f24"),
            ("f", "f"),
            ("7", "7"),
            ("ctrl+shift+page_up", "ctrl+shift+page_up"),
            ("shift+PgDn", "shift+page_down"),
            ("win+space", "super+space"),
            ("meta+a", "super+a"),
            ("super+return", "super+enter"),
            ("ctrl+alt+shift+win+left", "ctrl+alt+shift+super+left"),
        ] {
            check(text, Ok(expect));
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let given = String::from;
        for (text, expect) in [
            ("", HotKeyParseError::Empty),
            ("ctrl+", HotKeyParseError::Empty),
            ("ctrl++l", HotKeyParseError::Empty),
            ("hyper+l", HotKeyParseError::UnknownModifier { given: given("hyper") }),
            ("a+b", HotKeyParseError::UnknownModifier { given: given("a") }),
            ("ctrl+control+l", HotKeyParseError::Twice { given: given("control") }),
            ("ctrl+alt", HotKeyParseError::NoKey { given: given("alt") }),
            ("f0", HotKeyParseError::UnknownKey { given: given("f0") }),
            ("f25", HotKeyParseError::UnknownKey { given: given("f25") }),
            ("f05", HotKeyParseError::UnknownKey { given: given("f05") }),
            ("ctrl+가", HotKeyParseError::UnknownKey { given: given("가") }),
            ("ctrl alt l", HotKeyParseError::UnknownKey { given: given("ctrl alt l") }),
        ] {
            check(text, Err(expect));
        }
    }

    #[test]
    fn errors_list_what_would_be_right() {
        let message = |text: &str| text.parse::<HotKey>().unwrap_err().to_string();
        assert!(message("ctrl+delete").contains("page_up"), "{}", message("ctrl+delete"));
        assert!(message("fn+l").contains("ctrl, alt, shift and super"), "{}", message("fn+l"));
    }

    fn any_key() -> impl Strategy<Value = HotKeyCode> {
        let named: Vec<HotKeyCode> = NAMED.iter().map(|(key, ..)| *key).collect();
        prop_oneof![
            proptest::char::range('a', 'z').prop_map(HotKeyCode::Character),
            proptest::char::range('0', '9').prop_map(HotKeyCode::Character),
            (1_u8..=24).prop_map(HotKeyCode::Function),
            proptest::sample::select(named),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(ctrl: bool, alt: bool, shift: bool, meta: bool, key in any_key()) {
            let hot_key = HotKey { ctrl, alt, shift, meta, key };
            prop_assert_eq!(hot_key.to_string().parse::<HotKey>(), Ok(hot_key.clone()));
            prop_assert_eq!(hot_key.to_string().to_uppercase().parse::<HotKey>(), Ok(hot_key));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,24}") {
            let _ = text.parse::<HotKey>();
        }
    }
}
