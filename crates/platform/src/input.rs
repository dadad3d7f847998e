//! Pointer and keys, by which Luna acts where the accessibility tree can't (EXE-1, EXE-4, EXE-7).
//!
//! **Invariant:** input only goes to the window that was meant, as it is at that moment, or nowhere; what is pressed is
//! released again; nothing is sent twice. What is typed is never logged (PRV-2).

use std::sync::Arc;

use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, ClickRequest, InputResult};
use luna_messages::keyboard::KeyChord;

use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;

/// Clicks and types. The calls block, at most 2 s plus what typing takes (about 5 ms for each character of an application
/// that answers quickly, 60 ms with an input method); they are for a thread of their own (KER-11). One at a time is carried out.
pub trait Input: Send + Sync {
    /// Clicks, if exactly the window of `request` is what the pointer would meet at the point, where the window was when
    /// the point was determined, and the person holds no button and no modifier for 100 ms. Afterwards the pointer is
    /// where it was before, unless the person moved it meanwhile.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if there is no way to click; then nothing was sent.
    fn click(&self, request: &ClickRequest, barrier: &ActBarrier) -> Result<InputResult, PlatformError>;

    /// Brings the pointer to a point and leaves it there, under the conditions of [`Input::click`].
    ///
    /// # Errors
    /// As [`Input::click`].
    fn hover(&self, at: &ClickPoint, barrier: &ActBarrier) -> Result<InputResult, PlatformError>;

    /// Turns the wheel at a point by so many notches, down if positive, under the conditions of [`Input::click`].
    ///
    /// # Errors
    /// As [`Input::click`].
    fn scroll(&self, at: &ClickPoint, notches: i16, barrier: &ActBarrier) -> Result<InputResult, PlatformError>;

    /// Presses and releases the keys of `chord` this many times, if `window` has the keyboard focus and the person holds no
    /// button and no modifier for 100 ms (EXE-4). The modifiers are held meanwhile. The barrier and the focus are checked
    /// before each press.
    ///
    /// # Errors
    /// As [`Input::click`].
    fn press(
        &self,
        chord: &KeyChord,
        times: u8,
        window: u64,
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError>;

    /// Types a text, if `window` has the keyboard focus, whatever the keyboard's layout and the state of an input method.
    /// A line end is the Enter key, a tab the Tab key. The barrier, the focus and what the person holds are checked before
    /// each character.
    ///
    /// # Errors
    /// As [`Input::click`].
    fn type_text(&self, text: &EnteredText, window: u64, barrier: &ActBarrier) -> Result<InputResult, PlatformError>;
}

/// The input of this platform. Asks the display which kind of session it is, which takes some milliseconds.
#[must_use]
pub fn system() -> Arc<dyn Input> {
    #[cfg(target_os = "linux")]
    return match crate::session::DesktopSession::detect() {
        // XTest reaches only the programs in Xwayland there, and moves a pointer that the person does not see.
        crate::session::DesktopSession::Wayland { .. } => Arc::new(portal::PortalInput::new()),
        _ => Arc::new(linux::X11Input::new()),
    };
    #[cfg(windows)]
    return Arc::new(windows::WindowsInput::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoInput::Platform);
}

/// The characters of a text as they are typed: line ends are one each.
///
/// # Errors
/// The place of a control character that no key produces.
pub(crate) fn typed_characters(text: &EnteredText) -> Result<Vec<char>, usize> {
    let text = text.0.replace("\r\n", "\n").replace('\r', "\n");
    let is_typeable = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    match text.chars().position(|character| !is_typeable(character)) {
        Some(place) => Err(place),
        None => Ok(text.chars().collect()),
    }
}

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
#[cfg(target_os = "linux")]
pub mod portal;
#[cfg(windows)]
pub mod windows;

#[cfg(test)]
mod tests {
    use super::*;

    // EXE-1
    #[test]
    fn line_ends_are_one_character_and_other_controls_none_exe_1() {
        for (text, expect) in [
            ("가\r\n나\r다\n", Ok("가\n나\n다\n")),
            ("a\tb", Ok("a\tb")),
            ("😀", Ok("😀")),
            ("", Ok("")),
            ("가a\u{1b}", Err(2)),
            ("\0", Err(0)),
        ] {
            let typed = typed_characters(&EnteredText(text.to_owned()));
            assert_eq!(typed.map(String::from_iter), expect.map(str::to_owned), "{text:?}");
        }
    }
}
