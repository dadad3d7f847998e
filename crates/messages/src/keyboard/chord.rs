//! Keys that Luna presses for a person, by name (EXE-4).

mod names;

use std::fmt;
use std::str::FromStr;

/// A key that is held while another one is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum KeyModifier {
    Ctrl,
    Alt,
    Shift,
    /// The Windows or Super key.
    Win,
}

impl KeyModifier {
    /// In the order in which they are named and pressed.
    pub const ALL: [Self; 4] = [Self::Ctrl, Self::Alt, Self::Shift, Self::Win];

    /// As people read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ctrl => "Ctrl",
            Self::Alt => "Alt",
            Self::Shift => "Shift",
            Self::Win => "Win",
        }
    }
}

/// Modifiers that are held at the same time, kept as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KeyModifiers(u8);

impl KeyModifiers {
    /// The set with `modifier` added.
    #[must_use]
    pub const fn with(self, modifier: KeyModifier) -> Self {
        Self(self.0 | 1 << modifier as u8)
    }

    #[must_use]
    pub const fn contains(self, modifier: KeyModifier) -> bool {
        self.0 >> modifier as u8 & 1 == 1
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In the order in which they are named and pressed.
    pub fn iter(self) -> impl Iterator<Item = KeyModifier> {
        KeyModifier::ALL.into_iter().filter(move |modifier| self.contains(*modifier))
    }
}

/// A key that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum NamedKey {
    Enter,
    Escape,
    Tab,
    Space,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    /// The key that opens the context menu.
    Menu,
    PrintScreen,
    CapsLock,
    /// Switches between Korean and Latin letters.
    Hangul,
    /// Converts Korean letters to Chinese ones.
    Hanja,
    /// F1 to F24.
    Function(u8),
    /// A visible ASCII character; a letter is a small one, Shift is among the modifiers.
    Character(char),
    /// A modifier that is pressed alone, such as the Windows key.
    Modifier(KeyModifier),
}

impl fmt::Display for NamedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(number) => write!(f, "F{number}"),
            Self::Character(character) => write!(f, "{}", character.to_ascii_uppercase()),
            Self::Modifier(modifier) => f.write_str(modifier.name()),
            other => f.write_str(names::shown(*other).unwrap_or_default()),
        }
    }
}

/// A key, and the modifiers that are held while it is pressed. Parsed from names in English and Korean: `ctrl+s`, `컨트롤 에스`,
/// `page_up`, `알트+f4`; shown as people read it: `Ctrl+S` (EXE-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyChord {
    pub modifiers: KeyModifiers,
    pub key: NamedKey,
}

impl fmt::Display for KeyChord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in self.modifiers.iter() {
            write!(f, "{}+", modifier.name())?;
        }
        write!(f, "{}", self.key)
    }
}

/// Why a name is no key that Luna can press.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyChordError {
    /// There is no name, or none beside a plus sign.
    #[error("the name of the key is empty; write it like ctrl+s or enter")]
    Empty,
    /// A word names no key.
    #[error("`{given}` names no key; write it like ctrl+s, enter, page up or f5")]
    Unknown { given: String },
    /// Several keys, but only modifiers can be held.
    #[error("{first} and {second} can't be pressed together; before the last key may stand Ctrl, Alt, Shift and Win")]
    Several { first: NamedKey, second: NamedKey },
}

impl FromStr for KeyChord {
    type Err = KeyChordError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut keys = Vec::new();
        for part in parts(text)? {
            names::add_keys(&part, &mut keys)?;
        }
        let is_held = |key: &NamedKey| matches!(key, NamedKey::Modifier(_));
        let mut others = keys.iter().filter(|key| !is_held(key));
        let first = others.next();
        if let (Some(first), Some(second)) = (first, others.next()) {
            return Err(KeyChordError::Several { first: *first, second: *second });
        }
        let key = *first.or(keys.last()).ok_or(KeyChordError::Empty)?;
        let held = keys.iter().filter(|held| **held != key);
        let modifiers = held.fold(KeyModifiers::default(), |set, held| match held {
            NamedKey::Modifier(modifier) => set.with(*modifier),
            _ => set,
        });
        Ok(Self { modifiers, key })
    }
}

/// The names between the plus signs, in small letters; a plus sign that stands where a name should is that key.
fn parts(text: &str) -> Result<Vec<String>, KeyChordError> {
    let text = text.trim().to_lowercase();
    let (text, plus) = match text.strip_suffix('+') {
        Some(before) if before.trim().is_empty() => ("", true),
        Some(before) => (before.trim_end().strip_suffix('+').ok_or(KeyChordError::Empty)?, true),
        None => (text.as_str(), false),
    };
    let mut parts: Vec<String> = Vec::new();
    if !(text.trim().is_empty() && plus) {
        parts.extend(text.split('+').map(|part| part.trim().to_owned()));
    }
    parts.extend(plus.then(|| "+".to_owned()));
    if parts.iter().any(String::is_empty) { Err(KeyChordError::Empty) } else { Ok(parts) }
}

#[cfg(test)]
mod tests;
