//! Texts, character by character, by spare keys that produce them: the layout does not matter.

use luna_messages::input::{InputInterruption, InputRefusal, InputResult};
use x11rb::protocol::xproto::{Keycode, Keysym};

use super::keys::PressedKeys;
use super::link::InputLink;
use super::settle::{KeyReceipt, Settling};
use super::spare::SpareKeys;
use super::{SentCount, symbols};
use crate::accessibility::actions::ActBarrier;
use crate::hot_key::linux::keyboard::CAPS_LOCK;
use crate::x11::Failure;

/// So many characters are sent ahead of an application at most: what it has not taken yet, no stop can take back.
const AHEAD: usize = 16;
const XK_CAPS_LOCK: Keysym = 0xffe5;

pub(super) fn type_all(
    link: &InputLink,
    characters: &[char],
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    let settling = Settling::of(link, window)?;
    let state = match link.wait_until_free(barrier)? {
        Ok(state) => state,
        Err(refusal) => return Ok(InputResult::NotDone(refusal)),
    };
    if let Some(refusal) = link.key_obstacle(window, 0, barrier)? {
        return Ok(InputResult::NotDone(refusal));
    }
    if link.are_keys_taken(window)? {
        return Ok(InputResult::NotDone(InputRefusal::Grabbed));
    }
    let has_input_method = settling.has_input_method();
    let symbols: Vec<Keysym> = characters.iter().map(|one| symbols::of_character(*one, has_input_method)).collect();
    let mut spare = SpareKeys::new(link);
    let _caps = CapsLockOff::if_on(link, state.has(CAPS_LOCK))?;
    for (place, &symbol) in symbols.iter().enumerate() {
        let must_wait = settling.is_certain() && place > 0 && place % AHEAD == 0;
        let key = key_of(link, &spare, symbol);
        let waits = must_wait || key.is_none() && spare.is_in_use();
        if waits && settling.wait_for_keys()? == KeyReceipt::No {
            return Ok(InputResult::Partly { sent: count.sent, why: InputInterruption::NoAnswer });
        }
        let key = match key {
            Some(key) => key,
            None => {
                spare.produce(&next_symbols(link, &symbols[place..], spare.count()))?;
                // An application that is busy would read the first keys by the map of before.
                if settling.is_certain() && settling.wait()? == KeyReceipt::No && count.sent > 0 {
                    return Ok(InputResult::Partly { sent: count.sent, why: InputInterruption::NoAnswer });
                }
                match spare.key(symbol) {
                    Some(key) => key,
                    None => return Ok(count.refused(InputRefusal::NoSuchKey)),
                }
            }
        };
        if let Some(refusal) = type_one(link, key, window, barrier, count)? {
            // The keys that were pressed still need their meaning.
            if count.sent > 0 {
                settling.wait_for_keys()?;
            }
            return Ok(count.refused(refusal));
        }
        settling.pause();
    }
    Ok(match settling.wait_for_keys()? {
        KeyReceipt::Certainly | KeyReceipt::Likely => InputResult::Done,
        KeyReceipt::No => InputResult::Partly { sent: count.sent, why: InputInterruption::NoAnswer },
    })
}

/// Presses one key while nobody else can change anything on the display, unless something is in the way.
fn type_one(
    link: &InputLink,
    key: Keycode,
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<Option<InputRefusal>, Failure> {
    let _grab = link.grab_server()?;
    if let Some(refusal) = link.key_obstacle(window, 0, barrier)? {
        return Ok(Some(refusal));
    }
    count.is_begun = true;
    let mut pressed = PressedKeys::new(link);
    pressed.press(key)?;
    pressed.release_last()?;
    link.sync()?;
    count.sent += 1;
    Ok(None)
}

/// The key that produces a symbol now: what is on every keyboard keeps its key, as some programs know it by that alone.
fn key_of(link: &InputLink, spare: &SpareKeys<'_>, symbol: Keysym) -> Option<Keycode> {
    usual_key(link, symbol).or_else(|| spare.key(symbol))
}

fn usual_key(link: &InputLink, symbol: Keysym) -> Option<Keycode> {
    let usual = ['\n', '\t', ' '].map(|one| symbols::of_character(one, false));
    if usual.contains(&symbol) { link.keyboard.keycode(symbol, 0) } else { None }
}

/// The next symbols that need a spare key, each once.
fn next_symbols(link: &InputLink, symbols: &[Keysym], count: usize) -> Vec<Keysym> {
    let mut next = Vec::new();
    for &symbol in symbols.iter().filter(|symbol| usual_key(link, **symbol).is_none()) {
        if !next.contains(&symbol) {
            if next.len() == count {
                break;
            }
            next.push(symbol);
        }
    }
    next
}

/// Caps Lock is off until this is dropped, also by a panic.
struct CapsLockOff<'a> {
    link: &'a InputLink,
    key: Option<Keycode>,
}

impl<'a> CapsLockOff<'a> {
    fn if_on(link: &'a InputLink, is_on: bool) -> Result<Self, Failure> {
        let key = link.keyboard.keycode(XK_CAPS_LOCK, 0).filter(|_| is_on);
        let off = Self { link, key };
        off.tap()?;
        Ok(off)
    }

    fn tap(&self) -> Result<(), Failure> {
        let Some(key) = self.key else { return Ok(()) };
        let mut pressed = PressedKeys::new(self.link);
        pressed.press(key)?;
        pressed.release_last()?;
        self.link.sync()
    }
}

impl Drop for CapsLockOff<'_> {
    fn drop(&mut self) {
        if self.tap().is_err() {
            tracing::warn!("The display is gone while Caps Lock was off.");
        }
    }
}
