//! Which virtual keys of Windows a chord is.

use luna_messages::keyboard::{KeyChord, KeyModifier, NamedKey};
use windows::Win32::UI::Input::KeyboardAndMouse::{
    KEYBD_EVENT_FLAGS, KEYEVENTF_EXTENDEDKEY, VIRTUAL_KEY, VK_APPS, VK_BACK, VK_CAPITAL, VK_CONTROL, VK_DELETE,
    VK_DOWN, VK_END, VK_ESCAPE, VK_F1, VK_HANGUL, VK_HANJA, VK_HOME, VK_INSERT, VK_LEFT, VK_LWIN, VK_MENU, VK_NEXT,
    VK_PRIOR, VK_RETURN, VK_RIGHT, VK_SHIFT, VK_SNAPSHOT, VK_SPACE, VK_TAB, VK_UP, VkKeyScanW,
};

/// The keys that a chord is on this keyboard.
pub(super) struct ChordKeys {
    pub(super) held: Vec<VIRTUAL_KEY>,
    pub(super) key: VIRTUAL_KEY,
}

/// The keys of a chord; `None` if the keyboard's layout has none for it.
pub(super) fn virtual_key(chord: &KeyChord) -> Option<ChordKeys> {
    let mut held: Vec<VIRTUAL_KEY> = chord.modifiers.iter().map(of_modifier).collect();
    let key = match chord.key {
        NamedKey::Enter => VK_RETURN,
        NamedKey::Escape => VK_ESCAPE,
        NamedKey::Tab => VK_TAB,
        NamedKey::Space => VK_SPACE,
        NamedKey::Backspace => VK_BACK,
        NamedKey::Delete => VK_DELETE,
        NamedKey::Insert => VK_INSERT,
        NamedKey::Home => VK_HOME,
        NamedKey::End => VK_END,
        NamedKey::PageUp => VK_PRIOR,
        NamedKey::PageDown => VK_NEXT,
        NamedKey::Up => VK_UP,
        NamedKey::Down => VK_DOWN,
        NamedKey::Left => VK_LEFT,
        NamedKey::Right => VK_RIGHT,
        NamedKey::Menu => VK_APPS,
        NamedKey::PrintScreen => VK_SNAPSHOT,
        NamedKey::CapsLock => VK_CAPITAL,
        NamedKey::Hangul => VK_HANGUL,
        NamedKey::Hanja => VK_HANJA,
        NamedKey::Function(number) => VIRTUAL_KEY(VK_F1.0 + u16::from(number.checked_sub(1)?)),
        NamedKey::Modifier(modifier) => of_modifier(modifier),
        // The keys of letters and digits are the characters themselves, whatever the layout.
        NamedKey::Character(character) if character.is_ascii_alphanumeric() => {
            VIRTUAL_KEY(u16::try_from(u32::from(character.to_ascii_uppercase())).ok()?)
        }
        NamedKey::Character(character) => {
            // SAFETY: takes a number; -1 if no key of the layout produces it.
            let found = unsafe { VkKeyScanW(u16::try_from(u32::from(character)).ok()?) };
            let [key, states] = u16::try_from(found).ok()?.to_le_bytes();
            // As people press it: Ctrl and plus are Ctrl, Shift and the key of the equals sign.
            for (bit, modifier) in [(1, VK_SHIFT), (2, VK_CONTROL), (4, VK_MENU)] {
                if states & bit != 0 && !held.contains(&modifier) {
                    held.push(modifier);
                }
            }
            VIRTUAL_KEY(u16::from(key))
        }
    };
    Some(ChordKeys { held, key })
}

const fn of_modifier(modifier: KeyModifier) -> VIRTUAL_KEY {
    match modifier {
        KeyModifier::Ctrl => VK_CONTROL,
        KeyModifier::Alt => VK_MENU,
        KeyModifier::Shift => VK_SHIFT,
        KeyModifier::Win => VK_LWIN,
    }
}

/// Keys that exist twice, here the ones beside the keypad.
pub(super) fn extended(key: VIRTUAL_KEY) -> KEYBD_EVENT_FLAGS {
    let beside_keypad = [
        VK_DELETE,
        VK_INSERT,
        VK_HOME,
        VK_END,
        VK_PRIOR,
        VK_NEXT,
        VK_UP,
        VK_DOWN,
        VK_LEFT,
        VK_RIGHT,
        VK_LWIN,
        VK_APPS,
        VK_SNAPSHOT,
    ];
    if beside_keypad.contains(&key) { KEYEVENTF_EXTENDEDKEY } else { KEYBD_EVENT_FLAGS(0) }
}
