//! Programs by the shortcuts of the start menu.

use std::os::windows::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use windows::Win32::Foundation::CloseHandle;
use windows::Win32::System::Threading::{
    OpenProcess, PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW,
};
use windows::Win32::UI::Shell::ShellExecuteW;
use windows::Win32::UI::WindowsAndMessaging::SW_SHOWNORMAL;
use windows::core::{PCWSTR, PWSTR, w};

use super::{InstalledProgram, Programs, best};
use crate::PlatformError;

/// Below this, the result of `ShellExecuteW` is an error.
const LEAST_SUCCESS: usize = 33;
/// Most shortcuts and folders that are looked at.
const MOST_FILES: usize = 4000;

/// The programs that the start menu lists.
#[derive(Debug, Clone, Copy, Default)]
pub struct StartMenuPrograms;

impl Programs for StartMenuPrograms {
    fn find(&self, name: &str) -> Result<Vec<InstalledProgram>, PlatformError> {
        let roots = ["APPDATA", "ProgramData"].into_iter().filter_map(std::env::var_os);
        let mut folders: Vec<PathBuf> =
            roots.map(|root| PathBuf::from(root).join(r"Microsoft\Windows\Start Menu\Programs")).collect();
        let mut listed = Vec::new();
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for one in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                seen += 1;
                if seen > MOST_FILES {
                    return Ok(best(listed, name));
                }
                let path = one.path();
                if one.file_type().is_ok_and(|of| of.is_dir()) {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("lnk"))
                    && let Some(shown) = path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
                {
                    listed.push((vec![shown.clone()], InstalledProgram { name: shown, entry: path }));
                }
            }
        }
        Ok(best(listed, name))
    }

    fn launch(&self, program: &InstalledProgram) -> Result<(), PlatformError> {
        if !program.entry.exists() {
            return Err(PlatformError::Gone);
        }
        let file: Vec<u16> = program.entry.as_os_str().encode_wide().chain([0]).collect();
        // SAFETY: the texts end with 0 and live until the call returns.
        let result = unsafe {
            ShellExecuteW(None, w!("open"), PCWSTR(file.as_ptr()), PCWSTR::null(), PCWSTR::null(), SW_SHOWNORMAL)
        };
        if result.0.addr() < LEAST_SUCCESS {
            return Err(PlatformError::unavailable(
                "Windows did not start the program.",
                "Start it from the start menu.",
            ));
        }
        Ok(())
    }

    fn name_of(&self, process: u32) -> Option<String> {
        // SAFETY: takes numbers and returns a handle that is closed below.
        let handle = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, false, process) }.ok()?;
        let mut name = [0u16; 1024];
        let mut length = 1024;
        // SAFETY: the buffer has the length that is told, and lives until the call returns.
        let told = unsafe {
            QueryFullProcessImageNameW(handle, PROCESS_NAME_WIN32, PWSTR(name.as_mut_ptr()), &raw mut length)
        };
        // SAFETY: the handle is open, and not used afterwards.
        let _ = unsafe { CloseHandle(handle) };
        told.ok()?;
        let path = String::from_utf16_lossy(name.get(..usize::try_from(length).ok()?)?);
        Path::new(&path).file_stem().map(|stem| stem.to_string_lossy().into_owned())
    }
}
