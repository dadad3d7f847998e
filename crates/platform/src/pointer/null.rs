//! No pointer.

use luna_messages::Point;

use super::{Pointer, Watch};
use crate::PlatformError;

/// A pointer that is not available; every query is refused with the reason (KER-9).
#[derive(Debug, Default, Clone, Copy)]
pub struct NoPointer;

impl NoPointer {
    fn error() -> PlatformError {
        PlatformError::unavailable(
            "This system has no way for Luna to follow the pointer.",
            "Use Luna on Windows, or on Linux with an X display.",
        )
    }
}

impl Pointer for NoPointer {
    fn position(&self) -> Result<Point, PlatformError> {
        Err(Self::error())
    }

    fn watch(
        &self,
        _moved: Box<dyn Fn(Point) + Send>,
        _lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        Err(Self::error())
    }
}
