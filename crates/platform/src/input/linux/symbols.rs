//! Which symbols of X11 characters and named keys are. Pure.

use luna_messages::keyboard::{KeyModifier, NamedKey};
use x11rb::protocol::xproto::Keysym;

/// The start of the symbols that are numbers of Unicode.
const UNICODE: Keysym = 0x0100_0000;
const TAB: Keysym = 0xff09;
const ENTER: Keysym = 0xff0d;

/// The symbol of a character of a text. An input method takes the usual symbols of ASCII for keys and makes Korean or Japanese
/// letters of them, but not those that are numbers of Unicode, which some old programs don't know below 256.
pub(in crate::input) fn of_character(character: char, has_input_method: bool) -> Keysym {
    let code = Keysym::from(character);
    match character {
        '\n' => ENTER,
        '\t' => TAB,
        ' ' => code,
        '!'..='~' if has_input_method => UNICODE | code,
        '\u{21}'..='\u{7e}' | '\u{a0}'..='\u{ff}' => code,
        _ => UNICODE | code,
    }
}

/// The symbol of a named key. Of a modifier, the left one.
pub(in crate::input) const fn of_key(key: NamedKey) -> Keysym {
    match key {
        NamedKey::Enter => ENTER,
        NamedKey::Escape => 0xff1b,
        NamedKey::Tab => TAB,
        NamedKey::Space => 0x20,
        NamedKey::Backspace => 0xff08,
        NamedKey::Delete => 0xffff,
        NamedKey::Insert => 0xff63,
        NamedKey::Home => 0xff50,
        NamedKey::Left => 0xff51,
        NamedKey::Up => 0xff52,
        NamedKey::Right => 0xff53,
        NamedKey::Down => 0xff54,
        NamedKey::PageUp => 0xff55,
        NamedKey::PageDown => 0xff56,
        NamedKey::End => 0xff57,
        NamedKey::Menu => 0xff67,
        NamedKey::PrintScreen => 0xff61,
        NamedKey::CapsLock => 0xffe5,
        NamedKey::Hangul => 0xff31,
        NamedKey::Hanja => 0xff34,
        NamedKey::Function(number) => 0xffbd + number as Keysym,
        // ASCII characters are their own symbols.
        NamedKey::Character(character) => character as Keysym,
        NamedKey::Modifier(modifier) => of_modifier(modifier)[0],
    }
}

/// The symbols of the keys that are this modifier, the usual one first.
pub(in crate::input) const fn of_modifier(modifier: KeyModifier) -> [Keysym; 2] {
    match modifier {
        KeyModifier::Ctrl => [0xffe3, 0xffe4],
        KeyModifier::Alt => [0xffe9, 0xffe7],
        KeyModifier::Shift => [0xffe1, 0xffe2],
        KeyModifier::Win => [0xffeb, 0xffec],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // EXE-4
    #[test]
    fn characters_and_keys_have_their_symbols_exe_4() {
        for (character, plain, with_input_method) in [
            ('a', 0x61, 0x0100_0061),
            ('~', 0x7e, 0x0100_007e),
            ('é', 0xe9, 0xe9),
            ('가', 0x0100_ac00, 0x0100_ac00),
            ('😀', 0x0101_f600, 0x0101_f600),
            (' ', 0x20, 0x20),
            ('\n', 0xff0d, 0xff0d),
        ] {
            let found = [false, true].map(|has_input_method| of_character(character, has_input_method));
            assert_eq!(found, [plain, with_input_method], "{character:?}");
        }
        assert_eq!(of_key(NamedKey::Function(1)), 0xffbe);
        assert_eq!(of_key(NamedKey::Character('s')), 0x73);
        assert_eq!(of_key(NamedKey::Modifier(KeyModifier::Win)), 0xffeb);
    }
}
