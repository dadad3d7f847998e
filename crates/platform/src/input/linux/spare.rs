//! Spare keys that produce other symbols for a while: so any character can be typed, whatever the layout.
//!
//! The map is set by one request of the extension XKB. With the core protocol it is one for each key, and for each of them
//! every program reads the keyboard anew: openbox spent a second on a sentence.

use x11rb::protocol::xkb::{ConnectionExt as _, ID, KeySymMap, MapPart, SetMapAux, SetMapFlags, VMod};
use x11rb::protocol::xproto::{Keycode, Keysym};

use super::link::{InputLink, sync};
use crate::x11::{Failure, XDisplay};

/// The type of a key whose symbol depends on no modifier, which every keyboard has.
const ONE_LEVEL: u8 = 0;

/// The spare keys. They produce nothing again when this is dropped, also by a panic.
pub(super) struct SpareKeys<'a> {
    link: &'a InputLink,
    /// Each with what it produces now.
    keys: Vec<(Keycode, Option<Keysym>)>,
}

impl<'a> SpareKeys<'a> {
    pub(super) fn new(link: &'a InputLink) -> Self {
        let keys = link.keyboard.spare_keys().into_iter().map(|key| (key, None)).collect();
        Self { link, keys }
    }

    /// The key that produces this symbol now.
    pub(super) fn key(&self, symbol: Keysym) -> Option<Keycode> {
        self.keys.iter().find(|(_, produced)| *produced == Some(symbol)).map(|(key, _)| *key)
    }

    /// Number of spare keys.
    pub(super) const fn count(&self) -> usize {
        self.keys.len()
    }

    /// Whether any key produces something.
    pub(super) fn is_in_use(&self) -> bool {
        self.keys.iter().any(|(_, produced)| produced.is_some())
    }

    /// Has keys produce these symbols, as many as there are keys. What they produced before is lost: the application must
    /// have taken the keys that were pressed before.
    pub(super) fn produce(&mut self, symbols: &[Keysym]) -> Result<(), Failure> {
        for ((_, produced), symbol) in self.keys.iter_mut().zip(symbols) {
            *produced = Some(*symbol);
        }
        let keys = &self.keys;
        change(&self.link.display, keys, |key, _| keys.iter().find(|(other, _)| *other == key)?.1.map(one_symbol))
    }

    /// Has the keys produce nothing again, but for those that somebody else gave another meaning meanwhile.
    fn restore(&self, display: &XDisplay) -> Result<(), Failure> {
        change(display, &self.keys, |key, now| {
            let produced = self.keys.iter().find(|(other, _)| *other == key)?.1?;
            (now.syms == [produced]).then(nothing)
        })
    }
}

fn one_symbol(symbol: Keysym) -> KeySymMap {
    KeySymMap { kt_index: [ONE_LEVEL; 4], group_info: 1, width: 1, syms: vec![symbol] }
}

const fn nothing() -> KeySymMap {
    KeySymMap { kt_index: [ONE_LEVEL; 4], group_info: 0, width: 0, syms: Vec::new() }
}

/// Changes what keys produce; those for which `to` tells nothing stay exactly as they are.
fn change(
    display: &XDisplay,
    keys: &[(Keycode, Option<Keysym>)],
    to: impl Fn(Keycode, &KeySymMap) -> Option<KeySymMap>,
) -> Result<(), Failure> {
    let (Some((first, _)), Some((last, _))) = (keys.first(), keys.last()) else { return Ok(()) };
    let (count, device, no_mods) = (last - first + 1, u16::from(ID::USE_CORE_KBD), VMod::default());
    let connection = &display.connection;
    connection.xkb_use_extension(1, 0)?.reply()?;
    let (full, partial) = (MapPart::default(), MapPart::KEY_SYMS);
    let map =
        connection.xkb_get_map(device, full, partial, 0, 0, *first, count, 0, 0, 0, 0, no_mods, 0, 0, 0, 0, 0, 0)?;
    let map = map.reply()?;
    let mut syms = map.map.syms_rtrn.unwrap_or_default();
    for (key, now) in (*first..=*last).zip(&mut syms) {
        if let Some(new) = to(key, now) {
            *now = new;
        }
    }
    let total = syms.iter().map(|one| one.syms.len()).sum::<usize>();
    let (least, most) = (map.min_key_code, map.max_key_code);
    let total = u16::try_from(total).unwrap_or(u16::MAX);
    let values = SetMapAux::new().syms(syms);
    let flags = SetMapFlags::default();
    connection
        .xkb_set_map(
            device, flags, least, most, 0, 0, *first, count, total, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            no_mods, &values,
        )?
        .check()?;
    sync(display)
}

impl Drop for SpareKeys<'_> {
    fn drop(&mut self) {
        if self.is_in_use() && self.restore(&self.link.display).is_err() {
            let again = XDisplay::open().map(|display| self.restore(&display));
            if !matches!(again, Ok(Ok(()))) {
                tracing::warn!("The display is gone while spare keys were in use.");
            }
        }
    }
}
