//! Opens files without waiting for a writer at the other end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for reading without blocking: a FIFO without a writer opens at once, and reading from it does not block.
///
/// # Errors
/// The file can't be opened.
pub fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default());
    }
    options.open(path)
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Read as _;

    use super::*;

    // CFG-4
    #[test]
    fn a_fifo_that_nobody_writes_to_is_open_at_once_cfg_4() {
        let folder = std::env::temp_dir().join(format!("luna-stream-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let fifo = folder.join("fifo");
        drop(std::fs::remove_file(&fifo));
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let mut nothing = Vec::new();
        open_at_once(&fifo).unwrap().read_to_end(&mut nothing).unwrap();
        assert!(nothing.is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
