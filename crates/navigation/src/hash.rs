//! The hashes of a screen (SCR-1, SCR-2).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::screen::{ScreenContent, ScreenNode};
use crate::traits::stable_traits;

/// Which screen of which program it is (SCR-1).
#[must_use]
pub fn identify(screen: &ScreenContent) -> ScreenNode {
    let mut hash = Sha256::new();
    for one in stable_traits(screen) {
        add(&mut hash, &one);
    }
    ScreenNode { program_name: screen.program_name.clone(), state_hash: hex(hash) }
}

/// Over all that was read, the volatile included: it tells whether anything changed (SCR-2).
#[must_use]
pub fn instance_hash(screen: &ScreenContent) -> String {
    let mut hash = Sha256::new();
    add(&mut hash, &screen.program_name);
    add(&mut hash, &screen.title);
    for element in &screen.elements {
        add(&mut hash, element.role.name());
        for text in [&element.name, &element.text, &element.description, &element.automation_id] {
            add(&mut hash, text);
        }
        for state in element.states.iter() {
            hash.update([1 + state as u8]);
        }
        let place = element.bbox;
        for number in [place.x, place.y, place.width, place.height] {
            hash.update(number.to_le_bytes());
        }
    }
    hex(hash)
}

/// With its length, so that no two lists of texts are the same bytes.
fn add(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}

fn hex(hash: Sha256) -> String {
    let mut written = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a string can't fail.
        let _ = write!(written, "{byte:02x}");
    }
    written
}
