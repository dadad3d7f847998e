//! Checks of a model file before a native library reads it (ENG-4, PRV-7): such libraries trust their input, and abort if it is wrong.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::ModelFile;
use luna_messages::engine::{EngineError, EngineErrorKind};
use sha2::{Digest, Sha256};

use crate::failure;

const FETCH_AGAIN: &str = "Fetch it again with `luna models fetch`, or name another file in the configuration.";

/// What every model file of a format has in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFormat {
    /// Name of the format in messages, such as `GGUF`.
    pub format: &'static str,
    /// The first bytes.
    pub magic: &'static [u8],
    /// Size of the smallest sensible file, bytes.
    pub smallest: u64,
}

/// Checks that the file exists, has the expected size and checksum, and begins as its format requires. Returns its size in bytes.
///
/// # Errors
/// [`EngineErrorKind::Missing`] if it can't be opened or read, [`EngineErrorKind::BadModel`] if it fails a check; both name the file.
pub fn model_file(model: &ModelFile, header: &FileFormat) -> Result<u64, EngineError> {
    let shown = model.path.display();
    let unreadable = |error: io::Error| {
        let remedy = match error.kind() {
            io::ErrorKind::PermissionDenied => "Give yourself the right to read it, for example with chmod u+r.",
            io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof => FETCH_AGAIN,
            _ => "Check the disk that it lies on; then fetch it again with `luna models fetch`.",
        };
        failure(EngineErrorKind::Missing, format!("The model file {shown} can't be read: {error}."), remedy)
    };
    let bad = |what: String| failure(EngineErrorKind::BadModel, format!("The model file {shown} {what}."), FETCH_AGAIN);
    let mut file = File::open(&model.path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if !about.is_file() {
        return Err(bad("is not a file".to_owned()));
    }
    let size = about.len();
    if let Some(expected) = model.bytes
        && size != expected
    {
        let how = if size < expected { "is truncated" } else { "is too long" };
        return Err(bad(format!("{how}: it has {size} bytes and should have {expected}")));
    }
    if size < header.smallest {
        return Err(bad(format!("is truncated: its {size} bytes are too few for a {} model", header.format)));
    }
    let mut start = vec![0; header.magic.len()];
    file.read_exact(&mut start).map_err(unreadable)?;
    if start != header.magic {
        return Err(bad(format!("is no {} file: it begins with {}", header.format, hex(&start))));
    }
    if let Some(expected) = &model.sha256 {
        let found = sha256(&model.path).map_err(unreadable)?;
        if !found.eq_ignore_ascii_case(expected) {
            return Err(bad(format!("is broken: its SHA-256 is {found} and should be {expected}")));
        }
    }
    Ok(size)
}

/// SHA-256 of a file, lower-case hexadecimal.
fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut sum = Sha256::new();
    let mut block = vec![0; 1 << 20];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex(&sum.finalize())),
            count => sum.update(&block[..count]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const HEADER: FileFormat = FileFormat { format: "GGUF", magic: b"GGUF", smallest: 8 };

    /// Checks a file of `content`; expects its size, or the kind of error and a part of its message.
    fn check(
        content: Option<&[u8]>,
        bytes: Option<u64>,
        sum: Option<&str>,
        expect: Result<u64, (EngineErrorKind, &str)>,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        let model = ModelFile { path: path.clone(), bytes, sha256: sum.map(str::to_owned) };
        match (model_file(&model, &HEADER), expect) {
            (Ok(size), Ok(expected)) => assert_eq!(size, expected),
            (Err(error), Err((kind, part))) => {
                assert_eq!(error.kind, kind, "{error}");
                assert!(error.message.contains(part), "{error}");
                assert!(error.message.contains("m.gguf"), "it names the file: {error}");
                assert!(error.remedy.contains("luna models fetch"), "it says what to do: {error}");
            }
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }

    // ENG-4, PRV-7
    #[test]
    fn what_is_wrong_with_a_file_is_said_eng_4_prv_7() {
        use EngineErrorKind::{BadModel, Missing};
        let good = b"GGUF0123";
        let sum = sha256_of(good);
        check(Some(good), None, None, Ok(8));
        check(Some(good), Some(8), Some(&sum), Ok(8));
        check(Some(good), Some(8), Some(&sum.to_uppercase()), Ok(8));
        check(None, None, None, Err((Missing, "can't be read")));
        check(Some(b""), None, None, Err((BadModel, "truncated: its 0 bytes")));
        check(Some(b"GGUF012"), None, None, Err((BadModel, "too few for a GGUF model")));
        check(Some(good), Some(9), None, Err((BadModel, "truncated: it has 8 bytes and should have 9")));
        check(Some(good), Some(7), None, Err((BadModel, "too long")));
        check(Some(b"lmgg0123"), None, None, Err((BadModel, "no GGUF file: it begins with 6c6d6767")));
        check(Some(good), None, Some(&sum.replace(&sum[..1], "x")), Err((BadModel, "its SHA-256 is")));
    }

    // ENG-4
    #[test]
    fn a_folder_is_no_model_eng_4() {
        let folder = tempfile::tempdir().unwrap();
        let error = model_file(&ModelFile::unknown(folder.path().to_owned()), &HEADER).unwrap_err();
        assert!(error.message.contains("is not a file"), "{error}");
    }

    fn sha256_of(content: &[u8]) -> String {
        hex(&Sha256::digest(content))
    }
}
