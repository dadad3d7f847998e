//! Which key produces which symbol and which bit is which modifier, which differs between layouts.

use luna_messages::keyboard::CtrlSide;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, Keycode, Keysym};

use crate::hot_key::{HotKey, HotKeyCode};
use crate::x11::{Failure, XDisplay};

const XK_SCROLL_LOCK: Keysym = 0xff14;
const XK_NUM_LOCK: Keysym = 0xff7f;
const XK_CONTROL_R: Keysym = 0xffe4;
const XK_META_L: Keysym = 0xffe7;
const XK_META_R: Keysym = 0xffe8;
const XK_ALT_L: Keysym = 0xffe9;
const XK_ALT_R: Keysym = 0xffea;
const XK_SUPER_L: Keysym = 0xffeb;
const XK_SUPER_R: Keysym = 0xffec;

/// `XF86Switch_VT_1` to `XF86Switch_VT_12`.
const XK_SWITCH_CONSOLE: std::ops::RangeInclusive<Keysym> = 0x1008_fe01..=0x1008_fe0c;

/// The modifier bits with a fixed meaning in the protocol.
pub(crate) const SHIFT: u16 = 1;
pub(crate) const CAPS_LOCK: u16 = 1 << 1;
pub(crate) const CTRL: u16 = 1 << 2;

/// The keyboard's tables of symbols and modifiers.
pub(crate) struct Keyboard {
    first: Keycode,
    /// Symbols per key.
    columns: usize,
    /// `columns` symbols for each key, starting with `first`.
    symbols: Vec<Keysym>,
    /// Keys of the eight modifiers, the same number for each.
    modifier_keys: Vec<Keycode>,
}

impl Keyboard {
    /// Reads the current tables.
    pub(crate) fn read(display: &XDisplay) -> Result<Self, Failure> {
        let connection = &display.connection;
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = connection.get_keyboard_mapping(first, last.saturating_sub(first).saturating_add(1))?;
        let modifiers = connection.get_modifier_mapping()?;
        let mapping = mapping.reply()?;
        Ok(Self {
            first,
            columns: usize::from(mapping.keysyms_per_keycode).max(1),
            symbols: mapping.keysyms,
            modifier_keys: modifiers.reply()?.keycodes,
        })
    }

    /// The keys that produce `key` without Shift; if there are none, those that produce it at all (digits on a French
    /// keyboard, Latin letters in the second group of a Cyrillic keyboard).
    pub(super) fn keycodes(&self, key: HotKeyCode) -> Vec<Keycode> {
        let symbol = symbol(key);
        let plain = self.keycodes_where(|symbols| symbols.first() == Some(&symbol));
        if plain.is_empty() { self.keycodes_where(|symbols| symbols.contains(&symbol)) } else { plain }
    }

    /// The key that produces `symbol` in the first group of the layout, without Shift if `column` is 0, with Shift if it is 1.
    pub(crate) fn keycode(&self, symbol: Keysym, column: usize) -> Option<Keycode> {
        self.keycodes_where(|symbols| symbols.get(column) == Some(&symbol)).first().copied()
    }

    /// The keys that produce nothing, so that nobody misses them. Never key 8, which some programs take for none.
    pub(crate) fn spare_keys(&self) -> Vec<Keycode> {
        let modifiers = self.modifier_keys();
        let is_spare = |keycode: &Keycode| *keycode > 8 && modifiers.iter().all(|(other, _)| other != keycode);
        self.keycodes_where(|symbols| symbols.iter().all(|symbol| *symbol == 0)).into_iter().filter(is_spare).collect()
    }

    fn keycodes_where(&self, fits: impl Fn(&[Keysym]) -> bool) -> Vec<Keycode> {
        let keys = (self.first..=Keycode::MAX).zip(self.symbols.chunks_exact(self.columns));
        keys.filter(|(_, symbols)| fits(symbols)).map(|(keycode, _)| keycode).collect()
    }

    /// The modifier bit of Alt: usually the first of the five bits without a fixed meaning.
    pub(super) fn alt(&self) -> u16 {
        self.modifier(&[XK_ALT_L, XK_ALT_R]).or_else(|| self.modifier(&[XK_META_L, XK_META_R])).unwrap_or(1 << 3)
    }

    /// The modifier bit of the Super or Windows key.
    pub(super) fn meta(&self) -> u16 {
        self.modifier(&[XK_SUPER_L, XK_SUPER_R]).unwrap_or(1 << 6)
    }

    /// The modifier bits of a hot key.
    pub(super) fn modifiers(&self, key: &HotKey) -> u16 {
        let bits = [(key.shift, SHIFT), (key.ctrl, CTRL), (key.alt, self.alt()), (key.meta, self.meta())];
        bits.into_iter().filter(|(held, _)| *held).fold(0, |all, (_, bit)| all | bit)
    }

    /// The modifier bits that a hot key may have.
    pub(super) fn relevant_modifiers(&self) -> u16 {
        SHIFT | CTRL | self.alt() | self.meta()
    }

    /// All modifier keys, each with its bit.
    pub(crate) fn modifier_keys(&self) -> Vec<(Keycode, u16)> {
        let by_modifier = self.modifier_keys.chunks_exact((self.modifier_keys.len() / 8).max(1)).zip(0..8);
        let keys = by_modifier.flat_map(|(keycodes, bit)| keycodes.iter().map(move |keycode| (*keycode, 1 << bit)));
        // 0 fills the table up.
        keys.filter(|(keycode, _)| *keycode != 0).collect()
    }

    /// The Ctrl keys. One that is not the right one counts as the left one, such as Caps Lock as Ctrl.
    pub(super) fn ctrl_keys(&self) -> Vec<(Keycode, CtrlSide)> {
        let is_right = |keycode| self.produces_any(keycode, &[XK_CONTROL_R]);
        let side = |keycode| if is_right(keycode) { CtrlSide::Right } else { CtrlSide::Left };
        let keys = self.modifier_keys().into_iter().filter(|(_, bit)| *bit == CTRL);
        keys.map(|(keycode, _)| (keycode, side(keycode))).collect()
    }

    /// The modifier bits of lock keys, which must not keep a hot key from working.
    pub(crate) fn locks(&self) -> Vec<u16> {
        let found = [XK_NUM_LOCK, XK_SCROLL_LOCK].into_iter().filter_map(|symbol| self.modifier(&[symbol]));
        std::iter::once(CAPS_LOCK).chain(found).collect()
    }

    fn modifier(&self, symbols: &[Keysym]) -> Option<u16> {
        let per_modifier = self.modifier_keys.len() / 8;
        if per_modifier == 0 {
            return None;
        }
        let has_one = |keycodes: &[Keycode]| keycodes.iter().any(|&keycode| self.produces_any(keycode, symbols));
        // The first three are Shift, Lock and Control, whatever keys they have.
        let found = self.modifier_keys.chunks_exact(per_modifier).skip(3).position(has_one)?;
        Some(1 << (found + 3))
    }

    fn produces_any(&self, keycode: Keycode, symbols: &[Keysym]) -> bool {
        self.row(keycode).iter().any(|symbol| symbols.contains(symbol))
    }

    /// Whether the server itself uses the key with Control and Alt to switch consoles. A grab of such a key succeeds,
    /// but no press ever arrives.
    pub(super) fn switches_console(&self, keycode: Keycode) -> bool {
        self.row(keycode).iter().any(|symbol| XK_SWITCH_CONSOLE.contains(symbol))
    }

    /// The symbols of a key.
    fn row(&self, keycode: Keycode) -> &[Keysym] {
        let row = keycode.checked_sub(self.first).map(usize::from);
        row.and_then(|row| self.symbols.chunks_exact(self.columns).nth(row)).unwrap_or_default()
    }
}

/// The keysym of `key`.
fn symbol(key: HotKeyCode) -> Keysym {
    match key {
        // Latin characters are their own keysyms.
        HotKeyCode::Character(character) => character.to_ascii_lowercase().into(),
        HotKeyCode::Function(number) => 0xffbd + Keysym::from(number),
        HotKeyCode::Escape => 0xff1b,
        HotKeyCode::Space => 0x20,
        HotKeyCode::Enter => 0xff0d,
        HotKeyCode::Home => 0xff50,
        HotKeyCode::Left => 0xff51,
        HotKeyCode::Up => 0xff52,
        HotKeyCode::Right => 0xff53,
        HotKeyCode::Down => 0xff54,
        HotKeyCode::PageUp => 0xff55,
        HotKeyCode::PageDown => 0xff56,
        HotKeyCode::End => 0xff57,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys 8 to 13: a with A, Cyrillic with Latin b, ampersand with 1, Alt, Super, Num Lock.
    fn keyboard() -> Keyboard {
        let rows = [
            [0x61, 0x41, 0],
            [0x6c2, 0x6e2, 0x62],
            [0x26, 0x31, 0],
            [XK_ALT_L, 0, 0],
            [XK_SUPER_L, 0, 0],
            [XK_NUM_LOCK, 0, 0],
        ];
        let mut modifier_keys = vec![0; 16];
        (modifier_keys[8], modifier_keys[6], modifier_keys[15]) = (12, 11, 13);
        Keyboard { first: 8, columns: 3, symbols: rows.concat(), modifier_keys }
    }

    #[test]
    fn keys_are_found_on_foreign_layouts() {
        for (key, expect) in [
            (HotKeyCode::Character('a'), vec![8]),
            (HotKeyCode::Character('A'), vec![8]),
            (HotKeyCode::Character('b'), vec![9]),
            (HotKeyCode::Character('1'), vec![10]),
            (HotKeyCode::Character('z'), vec![]),
            (HotKeyCode::Function(24), vec![]),
        ] {
            assert_eq!(keyboard().keycodes(key), expect, "{key:?}");
        }
    }

    #[test]
    fn keys_that_produce_nothing_are_spare() {
        let symbols = [[0, 0], [0x31, 0x21], [0, 0], [0, 0xffe1], [0, 0]].concat();
        let mut modifier_keys = vec![0; 8];
        modifier_keys[4] = 12;
        let keyboard = Keyboard { first: 8, columns: 2, symbols, modifier_keys };
        assert_eq!(keyboard.spare_keys(), [10]);
        assert_eq!(
            (keyboard.keycode(0x31, 0), keyboard.keycode(0x21, 1), keyboard.keycode(0x21, 0)),
            (Some(9), Some(9), None)
        );
    }

    #[test]
    fn keys_that_switch_consoles_are_known() {
        let symbols = vec![0xffc6, 0x1008_fe09, 0x61, 0x41];
        let keyboard = Keyboard { first: 8, columns: 2, symbols, modifier_keys: vec![] };
        assert_eq!([7, 8, 9, 10].map(|keycode| keyboard.switches_console(keycode)), [false, true, false, false]);
    }

    #[test]
    fn modifiers_are_found_by_their_keys() {
        let keyboard = keyboard();
        assert_eq!((keyboard.alt(), keyboard.meta()), (1 << 3, 1 << 4));
        assert_eq!(keyboard.locks(), [CAPS_LOCK, 1 << 7]);
        let empty = Keyboard { first: 8, columns: 1, symbols: vec![], modifier_keys: vec![] };
        assert_eq!((empty.alt(), empty.meta(), empty.locks()), (1 << 3, 1 << 6, vec![CAPS_LOCK]));
        assert_eq!(keyboard.modifier_keys(), [(11, 1 << 3), (12, 1 << 4), (13, 1 << 7)]);
        assert_eq!(keyboard.modifiers(&"alt+super+a".parse().unwrap()), 1 << 3 | 1 << 4);
        assert!(empty.modifier_keys().is_empty() && empty.ctrl_keys().is_empty());
        let ctrl = Keyboard {
            first: 8,
            columns: 1,
            symbols: vec![0xffe3, XK_CONTROL_R],
            modifier_keys: vec![0, 0, 0, 0, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        assert_eq!(ctrl.ctrl_keys(), [(8, CtrlSide::Left), (9, CtrlSide::Right)]);
    }
}
