//! Keys and hotkeys (EXE-4).

use luna_messages::input::{InputInterruption, InputRefusal, InputResult};
use luna_messages::keyboard::{KeyChord, KeyModifier, NamedKey};
use x11rb::protocol::xproto::Keycode;

use super::keys::PressedKeys;
use super::link::InputLink;
use super::settle::{KeyReceipt, Settling};
use super::spare::SpareKeys;
use super::{SentCount, symbols};
use crate::accessibility::actions::ActBarrier;
use crate::x11::Failure;

/// The keys that a chord is on this keyboard.
struct ChordKeys {
    held: Vec<Keycode>,
    /// `None` if a spare key has to produce it.
    key: Option<Keycode>,
}

pub(super) fn press(
    link: &InputLink,
    chord: &KeyChord,
    times: u8,
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<InputResult, Failure> {
    let settling = Settling::of(link, window)?;
    let state = match link.wait_until_free(barrier)? {
        Ok(state) => state,
        Err(refusal) => return Ok(InputResult::NotDone(refusal)),
    };
    let Some(ChordKeys { held, key }) = keys(link, chord, state.is_other_group()) else {
        return Ok(InputResult::NotDone(InputRefusal::NoSuchKey));
    };
    if let Some(refusal) = link.key_obstacle(window, 0, barrier)? {
        return Ok(InputResult::NotDone(refusal));
    }
    if link.are_keys_taken(window)? {
        return Ok(InputResult::NotDone(InputRefusal::Grabbed));
    }
    let mut spare = SpareKeys::new(link);
    let key = match key {
        Some(key) => key,
        None => {
            let symbol = symbols::of_key(chord.key);
            spare.produce(&[symbol])?;
            match spare.key(symbol) {
                Some(key) => key,
                None => return Ok(InputResult::NotDone(InputRefusal::NoSuchKey)),
            }
        }
    };
    let refusal = press_times(link, &held, key, times, window, barrier, count)?;
    let taken = if count.sent > 0 && spare.is_in_use() { settling.wait_for_keys()? } else { KeyReceipt::Certainly };
    Ok(match (refusal, taken) {
        (Some(refusal), _) => count.refused(refusal),
        (None, KeyReceipt::No) => InputResult::Partly { sent: count.sent, why: InputInterruption::NoAnswer },
        (None, KeyReceipt::Certainly | KeyReceipt::Likely) => InputResult::Done,
    })
}

fn press_times(
    link: &InputLink,
    held: &[Keycode],
    key: Keycode,
    times: u8,
    window: u64,
    barrier: &ActBarrier,
    count: &mut SentCount,
) -> Result<Option<InputRefusal>, Failure> {
    let mut pressed = PressedKeys::new(link);
    let bits = link.keyboard.modifier_keys().into_iter().filter(|(key, _)| held.contains(key));
    let own = bits.fold(0, |all, (_, bit)| all | bit);
    for turn in 0..times {
        let _grab = link.grab_server()?;
        if let Some(refusal) = link.key_obstacle(window, if turn == 0 { 0 } else { own }, barrier)? {
            return Ok(Some(refusal));
        }
        count.is_begun = true;
        if turn == 0 {
            held.iter().try_for_each(|&key| pressed.press(key))?;
        }
        pressed.press(key)?;
        pressed.release_last()?;
        link.sync()?;
        count.sent += 1;
    }
    Ok(None)
}

/// The keys of a chord; `None` if the keyboard has none of a modifier.
fn keys(link: &InputLink, chord: &KeyChord, is_other_group: bool) -> Option<ChordKeys> {
    let keyboard = &link.keyboard;
    let modifier_key = |modifier: KeyModifier| {
        symbols::of_modifier(modifier).into_iter().find_map(|symbol| keyboard.keycode(symbol, 0))
    };
    let mut held = chord.modifiers.iter().map(modifier_key).collect::<Option<Vec<_>>>()?;
    let symbol = symbols::of_key(chord.key);
    let key = match chord.key {
        NamedKey::Modifier(modifier) => Some(modifier_key(modifier)?),
        // The keys of letters produce others.
        NamedKey::Character(_) if is_other_group => None,
        _ => keyboard.keycode(symbol, 0),
    };
    if key.is_none()
        && !is_other_group
        && let Some(shifted) = keyboard.keycode(symbol, 1)
    {
        // As people press it: Ctrl and plus are Ctrl, Shift and the key of the equals sign.
        let shift = modifier_key(KeyModifier::Shift)?;
        if !held.contains(&shift) {
            held.push(shift);
        }
        return Some(ChordKeys { held, key: Some(shifted) });
    }
    Some(ChordKeys { held, key })
}
