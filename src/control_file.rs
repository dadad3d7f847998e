//! The control file, by which `luna ctl` finds the running Luna: port and token, in the person's own runtime folder (PRV-4).

use std::io::Read as _;
use std::path::{Path, PathBuf};

use luna_platform::private_folder::{self, FileIdentity, PrivateFolderError};
use serde::{Deserialize, Serialize};

/// Content of the file. A reader can control Luna, so only the owner may read it.
#[derive(Clone, Serialize, Deserialize)]
pub struct ControlFile {
    /// Address on which Luna listens, such as `127.0.0.1:7870`.
    pub address: String,
    /// Token required by every request that acts or shows content.
    pub token: String,
    /// The process that wrote the file.
    pub process: u32,
}

impl std::fmt::Debug for ControlFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("address", &self.address)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// The folder for files that last as long as the person's session: `LUNA_RUNTIME_DIR`, else `$XDG_RUNTIME_DIR/luna`, else `luna-USER` in the
/// temporary folder.
#[must_use]
pub fn runtime_directory() -> PathBuf {
    if let Some(own) = std::env::var_os("LUNA_RUNTIME_DIR").filter(|value| !value.is_empty()) {
        return PathBuf::from(own);
    }
    if let Some(runtime) = std::env::var_os("XDG_RUNTIME_DIR").filter(|value| !value.is_empty()) {
        return PathBuf::from(runtime).join("luna");
    }
    let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    std::env::temp_dir().join(format!("luna-{}", user.as_deref().unwrap_or("user")))
}

/// Name of the control file in the runtime folder.
pub const NAME: &str = "control.json";

/// Maximum bytes read; Luna writes some 150.
const MAX_BYTES: u64 = 4096;

/// Path of the control file.
#[must_use]
pub fn path() -> PathBuf {
    runtime_directory().join(NAME)
}

/// Creates a token that can't be guessed: 32 random bytes in hexadecimal.
///
/// # Errors
/// If the system provides no randomness.
pub fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Removes the file on drop, unless another Luna has replaced it.
#[derive(Debug)]
pub struct WrittenControlFile {
    path: PathBuf,
    identity: FileIdentity,
}

impl Drop for WrittenControlFile {
    fn drop(&mut self) {
        private_folder::remove_own(&self.path, self.identity);
    }
}

/// Writes the file, readable by its owner only, in one step.
///
/// # Errors
/// If the folder or the file can't be written, or the folder belongs to another user: the token must not be put there.
pub fn write(path: &Path, control: &ControlFile) -> Result<WrittenControlFile, PrivateFolderError> {
    if let Some(folder) = path.parent() {
        private_folder::create(folder)?;
    }
    // Serialising strings and a number can't fail.
    let content = serde_json::to_vec(control).unwrap_or_default();
    Ok(WrittenControlFile { path: path.to_owned(), identity: private_folder::write(path, &content)? })
}

/// Why the file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no file.
    #[error("Luna isn't running: there is no control file at {}. Start it with `luna run`", .0.display())]
    NotRunning(PathBuf),
    /// The file or its folder belongs to another user, or can't be read.
    #[error(transparent)]
    Folder(#[from] PrivateFolderError),
    /// The content is not a control file.
    #[error("{} is no control file of Luna; remove it and start Luna again", .0.display())]
    Broken(PathBuf),
}

/// Reads the file. A file that another user could have written is rejected.
///
/// # Errors
/// [`ReadError::NotRunning`] if there is no file, another error if it can't be trusted or parsed.
pub fn read(path: &Path) -> Result<ControlFile, ReadError> {
    let missing = |error: PrivateFolderError| {
        if error.is_not_found() { ReadError::NotRunning(path.to_owned()) } else { ReadError::Folder(error) }
    };
    if let Some(folder) = path.parent() {
        private_folder::check(folder).map_err(missing)?;
    }
    let mut content = Vec::new();
    let file = private_folder::open(path).map_err(missing)?;
    let read = file.take(MAX_BYTES).read_to_end(&mut content).ok();
    read.and_then(|_| serde_json::from_slice(&content).ok()).ok_or_else(|| ReadError::Broken(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn only_the_owner_can_read_the_token_and_it_goes_with_luna_prv_4() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("luna").join("control.json");
        let control = ControlFile { address: "127.0.0.1:1".into(), token: new_token().unwrap(), process: 7 };
        let written = write(&path, &control).unwrap();
        assert_eq!(read(&path).unwrap().token, control.token);
        assert_eq!(control.token.len(), 64);
        assert_ne!(new_token().unwrap(), control.token);
        assert!(!format!("{control:?}").contains(&control.token), "the token is never logged");
        #[cfg(unix)]
        {
            use std::fs;
            use std::os::unix::fs::PermissionsExt as _;

            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
        }
        drop(written);
        assert!(matches!(read(&path), Err(ReadError::NotRunning(_))));
    }

    // PRV-4, KER-10
    #[test]
    fn the_file_of_a_luna_that_came_later_stays_prv_4_ker_10() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let control = |process| ControlFile { address: "127.0.0.1:1".into(), token: new_token().unwrap(), process };
        let first = write(&path, &control(1)).unwrap();
        let second = write(&path, &control(2)).unwrap();
        drop(first);
        assert_eq!(read(&path).unwrap().process, 2);
        drop(second);
        assert!(!path.exists());
    }

    // PRV-4
    #[test]
    fn what_is_no_control_file_is_not_believed_prv_4() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        for content in ["", "{}", "[]", "{\"address\":\"127.0.0.1:1\"}", &"x".repeat(1 << 20)] {
            std::fs::write(&path, content).unwrap();
            assert!(matches!(read(&path), Err(ReadError::Broken(_))), "{:.20}", content);
        }
    }
}
