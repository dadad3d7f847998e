//! Stable ids of elements (PIC-6). Pure.

use std::fmt::Write as _;

use luna_messages::ElementId;
use luna_messages::pick::Role;
use sha2::{Digest as _, Sha256};

/// What identifies an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct IdentityInput<'a> {
    /// Process id.
    pub(super) process: u32,
    /// The window's handle.
    pub(super) window: u64,
    /// The id that the application gives the element.
    pub(super) automation_id: &'a str,
    pub(super) role: Role,
    /// Left empty on Linux for a field whose name repeats its text.
    pub(super) name: &'a str,
    /// Positions among siblings, the element's own first.
    pub(super) path: &'a [i32],
}

/// 128 bits of a SHA-256, in hexadecimal. The same input gives the same id after a restart of Luna and on every
/// machine.
pub(super) fn element_id(identity: IdentityInput<'_>) -> ElementId {
    let mut hash = Sha256::new();
    hash.update(identity.process.to_le_bytes());
    hash.update(identity.window.to_le_bytes());
    for text in [identity.automation_id, &format!("{:?}", identity.role), identity.name] {
        // Prefixed with its length: "ab" "c" and "a" "bc" must differ.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    for index in identity.path {
        hash.update(index.to_le_bytes());
    }
    let mut id = String::with_capacity(32);
    for byte in hash.finalize().iter().take(16) {
        // Writing into a string cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    ElementId(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-6
    #[test]
    fn ids_are_stable_and_tell_everything_apart_pic_6() {
        let base =
            IdentityInput { process: 7, window: 9, automation_id: "ab", role: Role::Button, name: "c", path: &[0, 3] };
        assert_eq!(element_id(base), element_id(base));
        let others = [
            IdentityInput { process: 8, ..base },
            IdentityInput { window: 8, ..base },
            IdentityInput { automation_id: "a", name: "bc", ..base },
            IdentityInput { role: Role::Text, ..base },
            IdentityInput { name: "d", ..base },
            IdentityInput { path: &[0, 4], ..base },
            IdentityInput { path: &[0], ..base },
        ];
        for other in others {
            assert_ne!(element_id(base), element_id(other), "{other:?}");
        }
        assert_eq!(element_id(base).0.len(), 32);
    }
}
