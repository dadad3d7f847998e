//! What Luna learns of the keyboard beside its own hot keys: only what silence needs (ATT-6). Keys that Luna itself presses for a person are in
//! [`chord`] (EXE-4).
//!
//! **Invariant:** which other key was pressed is not part of a [`KeyEvent`], so that nothing that a person types can be kept or logged (PRV-2).

pub mod chord;

pub use chord::{KeyChord, KeyChordError, KeyModifier, KeyModifiers, NamedKey};

/// A change of the keyboard or of the pointer's buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyEvent {
    pub change: KeyChange,
    /// The system's own time of the change, in milliseconds; wraps. Unlike the time at which Luna handles it, it does not depend on a busy processor.
    pub at_ms: u32,
}

/// A kind of change; keys other than Ctrl are nameless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChange {
    /// A Ctrl key went down, or repeats because it is held.
    CtrlDown {
        side: CtrlSide,
        /// Whether no other key and no button of the pointer is held.
        alone: bool,
    },
    CtrlUp {
        side: CtrlSide,
    },
    /// A key went down that is neither a modifier nor one of Luna's hot keys.
    Typed,
    /// Anything else that shows that a held Ctrl is meant for it: a modifier, a hot key of Luna, a button of the pointer.
    Combined,
}

/// One of the two Ctrl keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CtrlSide {
    Left,
    Right,
}
