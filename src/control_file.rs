//! How `luna ctl` finds the running Luna: a file in the person's own runtime folder with port and token (PRV-4).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What the file holds. Whoever can read it may drive Luna, so only its owner can.
#[derive(Clone, Serialize, Deserialize)]
pub struct Control {
    /// Where Luna listens, such as `127.0.0.1:7870`.
    pub address: String,
    /// What every request that acts or shows content carries.
    pub token: String,
    /// The process that wrote the file.
    pub process: u32,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("address", &self.address)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// The folder for what lives only while the person is logged in: `LUNA_RUNTIME_DIR`, `$XDG_RUNTIME_DIR/luna`, else one in the
/// temporary folder that carries the user's name.
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

/// The control file.
#[must_use]
pub fn path() -> PathBuf {
    runtime_directory().join("control.json")
}

/// A token that nobody can guess: 32 random bytes in hexadecimal.
///
/// # Errors
/// Where the system has no randomness to give.
pub fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Removes the file when Luna ends.
#[derive(Debug)]
pub struct Written(PathBuf);

impl Drop for Written {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}

/// Writes the file, readable by its owner only, in one step.
///
/// # Errors
/// Where the folder or the file can't be written, or the folder belongs to somebody else.
pub fn write(path: &Path, control: &Control) -> io::Result<Written> {
    if let Some(folder) = path.parent() {
        create_private(folder)?;
    }
    let draft = path.with_extension(format!("{}.part", control.process));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&draft)?;
    file.write_all(&serde_json::to_vec(control).map_err(io::Error::other)?)?;
    file.sync_all()?;
    fs::rename(&draft, path)?;
    Ok(Written(path.to_owned()))
}

fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Fails where the folder belongs to somebody else: then the token must not be put there.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Reads the file.
///
/// # Errors
/// `NotFound` where Luna isn't running, anything else where the file can't be read.
pub fn read(path: &Path) -> io::Result<Control> {
    serde_json::from_slice(&fs::read(path)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn only_the_owner_can_read_the_token_and_it_goes_with_luna_prv_4() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("luna").join("control.json");
        let control = Control { address: "127.0.0.1:1".into(), token: new_token().unwrap(), process: 7 };
        let written = write(&path, &control).unwrap();
        assert_eq!(read(&path).unwrap().token, control.token);
        assert_eq!(control.token.len(), 64);
        assert_ne!(new_token().unwrap(), control.token);
        assert!(!format!("{control:?}").contains(&control.token), "the token is never logged");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
        }
        drop(written);
        assert!(!path.exists());
    }
}
