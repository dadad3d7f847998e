//! No programs: for platforms where Luna can't start any (KER-9).

use super::{InstalledProgram, Programs};
use crate::PlatformError;

/// Nothing is known of programs.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPrograms;

fn missing<T>() -> Result<T, PlatformError> {
    Err(PlatformError::unavailable(
        "This system does not tell which programs are installed.",
        "Start the program yourself; Luna does so on Linux and Windows.",
    ))
}

impl Programs for NoPrograms {
    fn find(&self, _name: &str) -> Result<Vec<InstalledProgram>, PlatformError> {
        missing()
    }

    fn launch(&self, _program: &InstalledProgram) -> Result<(), PlatformError> {
        missing()
    }

    fn name_of(&self, _process: u32) -> Option<String> {
        None
    }
}
