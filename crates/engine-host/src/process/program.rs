//! Where engine programs are on this machine.

use std::env::consts::EXE_EXTENSION;
use std::path::{Path, PathBuf};

use luna_messages::engine::EngineKind;

/// An engine program and how to start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineProgram {
    /// What it is for; it must greet as [`EngineKind::of_program`] of it.
    pub kind: EngineKind,
    pub path: PathBuf,
    pub arguments: Vec<String>,
    /// Priority: 0 is Luna's own, up to 19 is lower. On Windows anything above 0 is "below normal".
    pub nice: i32,
    /// Memory limit, bytes, above which it is restarted between two requests (ENG-2). `None`: by the size of its models.
    pub memory_limit: Option<u64>,
}

/// Path of the engine program `name` (such as `luna-engine-ocr`): in the folder of `LUNA_ENGINE_DIR`, else beside the running program, else one
/// folder up, where cargo puts programs that tests need. The file may be missing; starting it then fails.
#[must_use]
pub fn engine_path(name: &str) -> PathBuf {
    let folder = std::env::var_os("LUNA_ENGINE_DIR").map(PathBuf::from);
    let own = std::env::current_exe().unwrap_or_default();
    find(name, folder.as_deref(), &own, Path::exists)
}

fn find(name: &str, folder: Option<&Path>, own: &Path, exists: impl Fn(&Path) -> bool) -> PathBuf {
    let file = Path::new(name).with_extension(EXE_EXTENSION);
    if let Some(folder) = folder {
        return folder.join(file);
    }
    let beside = own.parent().unwrap_or(Path::new("")).join(&file);
    let above = own.parent().and_then(Path::parent).unwrap_or(Path::new("")).join(&file);
    if !exists(&beside) && exists(&above) { above } else { beside }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_where_they_are() {
        let own = Path::new("/t/debug/deps/test");
        let check = |folder: Option<&str>, there: &[&str], expect: &str| {
            let found = find("luna-engine-ocr", folder.map(Path::new), own, |path| {
                there.iter().any(|p| Path::new(p).with_extension(EXE_EXTENSION) == path)
            });
            assert_eq!(found, Path::new(expect).with_extension(EXE_EXTENSION), "{folder:?} {there:?}");
        };
        check(Some("/e"), &["/t/debug/luna-engine-ocr"], "/e/luna-engine-ocr");
        check(None, &["/t/debug/deps/luna-engine-ocr", "/t/debug/luna-engine-ocr"], "/t/debug/deps/luna-engine-ocr");
        check(None, &["/t/debug/luna-engine-ocr"], "/t/debug/luna-engine-ocr");
        // If it is nowhere, the error names the path at which a person would put it.
        check(None, &[], "/t/debug/deps/luna-engine-ocr");
    }
}
