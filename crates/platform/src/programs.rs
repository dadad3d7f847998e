//! The programs that are installed: finding one by its name, and starting it the platform's own way (TOOL-3).

use std::path::PathBuf;
use std::sync::Arc;

use crate::PlatformError;

/// A program that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledProgram {
    /// As the menus show it, in the language of the session if there is a name in it.
    pub name: String,
    /// What tells how to start it: a desktop file, or a shortcut of the start menu.
    pub entry: PathBuf,
}

/// Finds and starts programs. Calls block for some tens of milliseconds; they are for a thread of their own (KER-11).
pub trait Programs: Send + Sync {
    /// The programs that the name fits best: those that have exactly this name, else those whose name contains it. Case and spaces don't count.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if this system does not tell what is installed.
    fn find(&self, name: &str) -> Result<Vec<InstalledProgram>, PlatformError>;

    /// Starts a program, and does not wait for it.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] with the reason if it can't be started, [`PlatformError::Gone`] if it is not installed any more.
    fn launch(&self, program: &InstalledProgram) -> Result<(), PlatformError>;

    /// The name of a running program's file, such as `gedit`; of a script its own. `None` if it can't be told.
    fn name_of(&self, process: u32) -> Option<String>;
}

/// The programs of this platform.
#[must_use]
pub fn system() -> Arc<dyn Programs> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::DesktopPrograms::of_this_session());
    #[cfg(windows)]
    return Arc::new(windows::StartMenuPrograms);
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoPrograms);
}

/// The names that fit best: those that are equal, else those that contain it.
#[cfg_attr(not(any(target_os = "linux", windows)), allow(dead_code))]
fn best<T>(all: Vec<(Vec<String>, T)>, name: &str) -> Vec<T> {
    let plain =
        |name: &str| -> String { name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect() };
    let wanted = plain(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let (mut equal, mut containing) = (Vec::new(), Vec::new());
    for (names, one) in all {
        let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        if names.contains(&wanted) {
            equal.push(one);
        } else if names.iter().any(|name| name.contains(&wanted)) {
            containing.push(one);
        }
    }
    if equal.is_empty() { containing } else { equal }
}

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
#[cfg(windows)]
pub mod windows;

#[cfg(test)]
mod tests {
    use super::*;

    // TOOL-3
    #[test]
    fn an_equal_name_goes_before_one_that_contains_it_tool_3() {
        let all = || -> Vec<(Vec<String>, usize)> {
            let names = [vec!["Text Editor", "텍스트 편집기"], vec!["Editor"], vec!["Calculator", "계산기"]];
            names.into_iter().map(|of| of.into_iter().map(str::to_owned).collect()).zip(0..).collect()
        };
        for (name, expect) in [
            ("editor", vec![1]),
            ("text editor", vec![0]),
            ("텍스트편집기", vec![0]),
            ("edit", vec![0, 1]),
            ("계산", vec![2]),
            ("browser", vec![]),
            ("  ", vec![]),
        ] {
            assert_eq!(best(all(), name), expect, "{name}");
        }
    }
}
