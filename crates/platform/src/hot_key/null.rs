//! No global hot keys.

use super::{HotKey, HotKeys, Watch};
use crate::PlatformError;

/// Hot keys that are not available; watching is refused with the reason (KER-9).
#[derive(Debug, Default, Clone, Copy)]
pub struct NoHotKeys;

impl HotKeys for NoHotKeys {
    fn watch(
        &self,
        _keys: &[HotKey],
        _pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        Err(PlatformError::unavailable(
            "This system has no global hot keys that Luna could use.",
            "Use `luna ctl` instead, or bind it to a key in the settings of the desktop.",
        ))
    }
}
