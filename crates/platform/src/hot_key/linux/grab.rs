//! Grabs keys in all states of the lock keys.

use x11rb::protocol::ErrorKind;
use x11rb::protocol::xproto::{ConnectionExt as _, Grab, GrabMode, Keycode, ModMask};

use super::keyboard::Keyboard;
use crate::hot_key::HotKey;
use crate::x11::{Failure, XDisplay};

/// Which key press belongs to which hot key.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct KeyGrabs {
    /// Key, modifiers, position in the list of hot keys.
    presses: Vec<(Keycode, u16, usize)>,
    /// The relevant modifiers; lock keys and mouse buttons are ignored.
    relevant_modifiers: u16,
    /// All grabbed combinations: those of `presses` in all states of the lock keys.
    combinations: Vec<(Keycode, u16)>,
}

impl KeyGrabs {
    /// The index of the hot key for a press with this state of modifiers and buttons.
    pub(super) fn find(&self, keycode: Keycode, state: u16) -> Option<usize> {
        let held = state & self.relevant_modifiers;
        self.presses.iter().find(|(key, modifiers, _)| (*key, *modifiers) == (keycode, held)).map(|(.., index)| *index)
    }

    /// Replaces each index by its position in `indices`.
    pub(super) fn renumber(&mut self, indices: &[usize]) {
        for (.., index) in &mut self.presses {
            if let Some(place) = indices.iter().position(|watched| watched == index) {
                *index = place;
            }
        }
    }
}

/// Grabs all `keys` and returns those that are refused, with the reason. Grabbing a combination again on the same
/// connection is no error.
pub(super) fn grab_all(display: &XDisplay, keys: &[HotKey]) -> Result<(KeyGrabs, Vec<(usize, String)>), Failure> {
    let keyboard = Keyboard::read(display)?;
    let locks = subsets(&keyboard.locks());
    let mut grabbed = KeyGrabs { relevant_modifiers: keyboard.relevant_modifiers(), ..KeyGrabs::default() };
    let mut refused = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        let modifiers = keyboard.modifiers(key);
        let keycodes = keyboard.keycodes(key.key);
        let problem = if keycodes.is_empty() {
            Some(format!("No key of this keyboard gives {key}. Choose another hot key."))
        } else if key.ctrl && key.alt && keycodes.iter().any(|&keycode| keyboard.switches_console(keycode)) {
            Some(format!("The system itself uses {key} to switch consoles. Choose another hot key."))
        } else if keycodes.iter().any(|&keycode| grabbed.find(keycode, modifiers).is_some()) {
            Some(format!("Luna uses {key} for something else already. Choose another hot key."))
        } else {
            let all = keycodes.iter().flat_map(|&keycode| locks.iter().map(move |lock| (keycode, modifiers | lock)));
            let combinations: Vec<(Keycode, u16)> = all.collect();
            let free = grab(display, &combinations)?;
            if free {
                grabbed.presses.extend(keycodes.iter().map(|&keycode| (keycode, modifiers, index)));
                grabbed.combinations.extend(combinations);
            }
            (!free).then(|| format!("Another program holds {key} already. Choose another hot key or change it there."))
        };
        refused.extend(problem.map(|reason| (index, reason)));
    }
    Ok((grabbed, refused))
}

/// Grabs all `combinations`, or none. `false` if another program has grabbed one.
fn grab(display: &XDisplay, combinations: &[(Keycode, u16)]) -> Result<bool, Failure> {
    let connection = &display.connection;
    let mut sent = Vec::new();
    for &(keycode, modifiers) in combinations {
        // Asynchronous: the keyboard is not frozen while the key is held, even if Luna hangs.
        let mode = GrabMode::ASYNC;
        sent.push(connection.grab_key(false, display.root, ModMask::from(modifiers), keycode, mode, mode)?);
    }
    let mut free = true;
    for request in sent {
        match request.check().map_err(Failure::from) {
            Ok(()) => {}
            Err(Failure::Refused(error)) if error.error_kind == ErrorKind::Access => free = false,
            Err(failure) => return Err(failure),
        }
    }
    if !free {
        release(display, combinations)?;
    }
    Ok(free)
}

/// Releases the combinations of `old` that are not in `new`.
pub(super) fn release_stale(display: &XDisplay, old: &KeyGrabs, new: &KeyGrabs) -> Result<(), Failure> {
    let stale = old.combinations.iter().copied().filter(|combination| !new.combinations.contains(combination));
    release(display, &stale.collect::<Vec<_>>())
}

fn release(display: &XDisplay, combinations: &[(Keycode, u16)]) -> Result<(), Failure> {
    for &(keycode, modifiers) in combinations {
        display.connection.ungrab_key(keycode, display.root, ModMask::from(modifiers))?.check()?;
    }
    Ok(())
}

/// Releases all keys that this connection has grabbed, and waits for the server.
pub(super) fn release_all(display: &XDisplay) -> Result<(), Failure> {
    Ok(display.connection.ungrab_key(Keycode::from(Grab::ANY), display.root, ModMask::ANY)?.check()?)
}

/// All unions of subsets of `bits`, including the empty one.
fn subsets(bits: &[u16]) -> Vec<u16> {
    bits.iter().fold(vec![0], |all, bit| {
        let with: Vec<u16> = all.iter().map(|subset| subset | bit).filter(|subset| !all.contains(subset)).collect();
        [all, with].concat()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hot_key::linux::keyboard::{CTRL, SHIFT};

    #[test]
    fn lock_keys_don_t_keep_a_hot_key_from_working() {
        for (bits, expect) in
            [(vec![], vec![0]), (vec![2], vec![0, 2]), (vec![2, 16], vec![0, 2, 16, 18]), (vec![2, 2], vec![0, 2])]
        {
            assert_eq!(subsets(&bits), expect, "{bits:?}");
        }
        let presses = vec![(38, CTRL, 0), (38, CTRL | SHIFT, 1)];
        let grabbed = KeyGrabs { presses, relevant_modifiers: CTRL | SHIFT, combinations: vec![] };
        for (keycode, state, expect) in [
            (38, CTRL, Some(0)),
            (38, CTRL | 2 | 16 | 1 << 8, Some(0)),
            (38, CTRL | SHIFT, Some(1)),
            (38, 0, None),
            (39, CTRL, None),
        ] {
            assert_eq!(grabbed.find(keycode, state), expect, "{keycode} {state}");
        }
    }
}
