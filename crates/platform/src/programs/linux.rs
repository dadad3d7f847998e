//! Programs by their desktop files, as the menus of the desktops know them.

mod entry;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::entry::DesktopEntry;
use super::{InstalledProgram, Programs, best};
use crate::PlatformError;

/// Most bytes of a desktop file; the largest have some tens of thousands, for all their languages.
const LARGEST: u64 = 256 * 1024;
/// Most files that are looked at, and folders below `applications`.
const MOST_FILES: usize = 4000;
const MOST_FOLDERS: usize = 200;
/// Programs that run other programs: what runs is their first argument.
const INTERPRETERS: [&str; 8] = ["python", "perl", "ruby", "node", "gjs", "bash", "sh", "java"];

/// The programs in the folders of the session.
#[derive(Debug, Clone)]
pub struct DesktopPrograms {
    /// Folders of desktop files, those that count more first.
    folders: Vec<PathBuf>,
    /// Such as `ko`.
    lang: String,
    /// Where programs without a path are looked for.
    path: Option<OsString>,
}

impl DesktopPrograms {
    /// The folders that the environment names.
    #[must_use]
    pub fn of_this_session() -> Self {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let own = named("XDG_DATA_HOME").map(PathBuf::from);
        let own = own.or_else(|| named("HOME").map(|home| PathBuf::from(home).join(".local/share")));
        let shared = named("XDG_DATA_DIRS").unwrap_or_else(|| OsString::from("/usr/local/share:/usr/share"));
        let roots = own.into_iter().chain(std::env::split_paths(&shared));
        let lang = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| std::env::var(name).ok());
        let lang = lang.unwrap_or_default().split(['_', '.']).next().unwrap_or_default().to_owned();
        Self::new(roots.map(|root| root.join("applications")).collect(), lang, named("PATH"))
    }

    /// The desktop files below `folders`, with the names in `lang`.
    #[must_use]
    pub const fn new(folders: Vec<PathBuf>, lang: String, path: Option<OsString>) -> Self {
        Self { folders, lang, path }
    }

    /// All that the menus show. A file in an earlier folder hides one of the same name in a later one.
    fn entries(&self) -> Vec<(PathBuf, DesktopEntry)> {
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        for folder in &self.folders {
            for file in desktop_files(folder) {
                let id = file.strip_prefix(folder).unwrap_or(&file).to_path_buf();
                if seen.len() < MOST_FILES && seen.insert(id) {
                    found.extend(read(&file).filter(DesktopEntry::is_shown).map(|entry| (file, entry)));
                }
            }
        }
        found
    }

    /// Whether there is a program file with this name.
    fn program_file(&self, name: &str) -> Option<PathBuf> {
        let is_program = |path: &PathBuf| {
            use std::os::unix::fs::PermissionsExt as _;
            path.metadata().is_ok_and(|of| of.is_file() && of.permissions().mode() & 0o111 != 0)
        };
        if name.contains('/') {
            return Some(PathBuf::from(name)).filter(is_program);
        }
        std::env::split_paths(self.path.as_ref()?).map(|folder| folder.join(name)).find(is_program)
    }
}

impl Programs for DesktopPrograms {
    fn find(&self, name: &str) -> Result<Vec<InstalledProgram>, PlatformError> {
        let listed = self.entries().into_iter().map(|(file, entry)| {
            let mut names: Vec<String> = entry.names().map(str::to_owned).collect();
            names.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            (names, InstalledProgram { name: entry.name_in(&self.lang).to_owned(), entry: file })
        });
        Ok(best(listed.collect(), name))
    }

    fn launch(&self, program: &InstalledProgram) -> Result<(), PlatformError> {
        let entry = read(&program.entry).ok_or(PlatformError::Gone)?;
        let refused = |why: &str| Err(PlatformError::unavailable(why, "Start it from the menu of the desktop."));
        let Some(mut words) = entry.command(&program.name, &program.entry) else {
            return refused("The desktop file of this program does not tell how to start it.");
        };
        let Some(file) = self.program_file(&words[0]) else {
            return refused("The file of this program is missing.");
        };
        words[0] = file.to_string_lossy().into_owned();
        if entry.in_terminal {
            words.splice(0..0, ["x-terminal-emulator".to_owned(), "-e".to_owned()]);
        }
        // It forks, so that the program is nobody's child and outlives Luna.
        let mut command = Command::new("setsid");
        command.arg("--fork").args(&words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(folder) = entry.folder.filter(|folder| Path::new(folder).is_dir()) {
            command.current_dir(folder);
        }
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => refused("The program could not be started."),
            Err(_) => refused("The program setsid, which starts others, is missing; it is part of util-linux."),
        }
    }

    fn name_of(&self, process: u32) -> Option<String> {
        let folder = PathBuf::from(format!("/proc/{process}"));
        let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned()).filter(|name| !name.is_empty());
        let file = std::fs::read_link(folder.join("exe")).ok();
        let name = file.as_deref().and_then(|file| Some(file.file_name()?.to_string_lossy().into_owned()));
        let is_interpreter = |name: &String| {
            INTERPRETERS.iter().any(|one| name.trim_end_matches(|c: char| c.is_numeric() || c == '.') == *one)
        };
        if !name.as_ref().is_none_or(is_interpreter) {
            return name;
        }
        let mut line = Vec::new();
        std::fs::File::open(folder.join("cmdline")).ok()?.take(4096).read_to_end(&mut line).ok()?;
        let words: Vec<String> =
            line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let script = words.iter().skip(1).find(|word| !word.is_empty() && !word.starts_with('-'));
        script.and_then(|script| stem(Path::new(script))).or(name)
    }
}

/// The desktop files below a folder, in the order of their names.
fn desktop_files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_path_buf()], Vec::new());
    let mut visited = 0;
    while let Some(folder) = folders.pop() {
        visited += 1;
        if visited > MOST_FOLDERS {
            break;
        }
        for one in std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FILES) {
            let path = one.path();
            if one.file_type().is_ok_and(|of| of.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "desktop") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(file: &Path) -> Option<DesktopEntry> {
    let mut text = Vec::new();
    std::fs::File::open(file).ok()?.take(LARGEST).read_to_end(&mut text).ok()?;
    DesktopEntry::parse(&String::from_utf8_lossy(&text))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // TOOL-3
    #[test]
    fn programs_are_found_by_names_and_files_tool_3() {
        let folder = std::env::temp_dir().join(format!("luna-desktop-files-{}", std::process::id()));
        let (own, system) = (folder.join("own"), folder.join("system"));
        std::fs::create_dir_all(system.join("vendor")).unwrap();
        std::fs::create_dir_all(&own).unwrap();
        let write = |file: PathBuf, text: &str| {
            std::fs::write(file, format!("[Desktop Entry]\nType=Application\n{text}")).unwrap()
        };
        write(system.join("org.calc.desktop"), "Name=Calculator\nName[ko]=계산기\nExec=calc\n");
        write(system.join("vendor/edit.desktop"), "Name=Editor\nExec=edit %F\n");
        write(system.join("hidden.desktop"), "Name=Hidden\nExec=x\nNoDisplay=true\n");
        write(system.join("gone.desktop"), "Name=Gone\nExec=x\n");
        write(own.join("gone.desktop"), "Name=Gone\nExec=x\nHidden=true\n");
        let marker = folder.join("started");
        let touch = format!("Name=Touch\nExec=touch \"{}\"\n", marker.display());
        write(system.join("touch.desktop"), &touch);
        let programs = DesktopPrograms::new(vec![own, system], "ko".to_owned(), Some(OsString::from("/usr/bin:/bin")));
        let names = |name: &str| -> Vec<String> {
            programs.find(name).unwrap().into_iter().map(|program| program.name).collect()
        };
        assert_eq!(names("calculator"), ["계산기"]);
        assert_eq!(names("계산기"), ["계산기"]);
        assert_eq!(names("org.calc"), ["계산기"]);
        assert_eq!(names("edit"), ["Editor"]);
        assert!(names("hidden").is_empty() && names("gone").is_empty());
        let calc = programs.find("calculator").unwrap().remove(0);
        assert!(matches!(programs.launch(&calc), Err(PlatformError::Unavailable(_))), "its file is missing");
        programs.launch(&programs.find("touch").unwrap()[0]).unwrap();
        for _ in 0..200 {
            if marker.exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(marker.exists(), "the program ran");
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(programs.launch(&calc), Err(PlatformError::Gone));
    }

    // SCR-1
    #[test]
    fn a_running_program_has_the_name_of_its_file_scr_1() {
        let programs = DesktopPrograms::of_this_session();
        let own = std::env::current_exe().unwrap();
        let name = own.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(programs.name_of(std::process::id()), Some(name));
        assert_eq!(programs.name_of(0), None);
    }
}
