//! Programs that are only written down, and fail on request, for tests.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{InstalledProgram, Programs, best};
use crate::PlatformError;

#[derive(Default)]
struct ProgramScript {
    installed: Vec<String>,
    launched: Vec<String>,
    fails: Option<PlatformError>,
}

/// A double of the installed programs. Clones share it.
#[derive(Clone, Default)]
pub struct ScriptedPrograms(Arc<Mutex<ProgramScript>>);

impl ScriptedPrograms {
    fn script(&self) -> MutexGuard<'_, ProgramScript> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These are installed.
    pub fn install(&self, names: &[&str]) {
        self.script().installed = names.iter().map(|name| (*name).to_owned()).collect();
    }

    /// From now on nothing can be started.
    pub fn fail(&self, error: PlatformError) {
        self.script().fails = Some(error);
    }

    /// What was started, in order.
    #[must_use]
    pub fn launched(&self) -> Vec<String> {
        self.script().launched.clone()
    }
}

impl Programs for ScriptedPrograms {
    fn find(&self, name: &str) -> Result<Vec<InstalledProgram>, PlatformError> {
        let installed = self.script().installed.clone();
        let program = |name: String| InstalledProgram { entry: PathBuf::from(&name), name };
        Ok(best(installed.into_iter().map(|name| (vec![name.clone()], program(name))).collect(), name))
    }

    fn launch(&self, program: &InstalledProgram) -> Result<(), PlatformError> {
        let mut script = self.script();
        match script.fails.clone() {
            Some(error) => Err(error),
            None => {
                script.launched.push(program.name.clone());
                Ok(())
            }
        }
    }

    fn name_of(&self, process: u32) -> Option<String> {
        (process != 0).then(|| format!("program{process}"))
    }
}
