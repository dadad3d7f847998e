//! Which window the keys go to.

use luna_messages::input::InputRefusal;
use x11rb::protocol::xproto::{ConnectionExt as _, InputFocus, Window};

use super::link::{InputLink, window_of};
use crate::accessibility::actions::ActBarrier;
use crate::x11::{Failure, unless_gone};

/// How deep windows are nested at most.
const MAX_DEPTH: usize = 24;

impl InputLink {
    /// Why keys may not be sent now; `None` if they may. `own` are the modifiers that Luna holds, as bits.
    pub(super) fn key_obstacle(
        &self,
        window: u64,
        own: u16,
        barrier: &ActBarrier,
    ) -> Result<Option<InputRefusal>, Failure> {
        let path = self.focused_path()?;
        let state = self.state()?;
        if !path.contains(&window_of(window)) {
            let focused = if path.is_empty() { None } else { Some(self.described(&path)?) };
            return Ok(Some(InputRefusal::NotFocused { focused }));
        }
        if self.foreign(&state, own) != 0 {
            return Ok(Some(InputRefusal::Held));
        }
        // Last, as nothing but what is sent comes after it.
        Ok(barrier.is_raised().then_some(InputRefusal::Stopped))
    }

    /// The window that has the keyboard focus and those around it, outermost first; empty if none has it.
    fn focused_path(&self) -> Result<Vec<Window>, Failure> {
        let focus = self.display.connection.get_input_focus()?.reply()?.focus;
        if focus == u32::from(InputFocus::NONE) {
            return Ok(Vec::new());
        }
        // Without a window manager, the window under the pointer gets the keys.
        if focus == u32::from(InputFocus::POINTER_ROOT) || focus == self.display.root {
            return self.path_at(self.state()?.at);
        }
        let mut path = vec![focus];
        while path.len() < MAX_DEPTH {
            let inner = path.last().copied().unwrap_or(focus);
            let tree = self.display.connection.query_tree(inner)?.reply();
            match unless_gone(tree.map_err(Failure::from))?.map(|tree| tree.parent) {
                None | Some(x11rb::NONE) => break,
                Some(parent) if parent == self.display.root => break,
                Some(parent) => path.push(parent),
            }
        }
        path.reverse();
        Ok(path)
    }
}
