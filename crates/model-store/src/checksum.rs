//! SHA-256 of files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The SHA-256 of a reader's bytes in lower-case hexadecimal digits, and their number.
///
/// # Errors
/// Any error of the reader.
pub fn of_reader(mut reader: impl Read) -> io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut total = 0;
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(&buffer[..count]);
        total += count as u64;
    }
    let digits = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((digits, total))
}

/// The SHA-256 of a file and its size.
///
/// # Errors
/// The file can't be opened or read.
pub fn of_file(path: &Path) -> io::Result<(String, u64)> {
    of_reader(File::open(path)?)
}
