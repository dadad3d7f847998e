//! Compares a file's header with its format: a cheap check before a native library opens the file (ENG-4).

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::manifest::Format;

/// A wrong header; names the expected format.
#[derive(Debug, PartialEq, Eq)]
pub struct WrongHeader(pub &'static str);

/// The name of a format for messages.
#[must_use]
pub fn describe(format: Format) -> &'static str {
    match format {
        Format::Onnx => "an ONNX model",
        Format::Ggml => "a Whisper model (ggml)",
        Format::Gguf => "a language model (GGUF)",
        Format::Elf => "a Linux library",
        Format::Pe => "a Windows library",
        Format::Text => "UTF-8 text",
    }
}

/// Checks the header of a file.
///
/// # Errors
/// The outer error: the file can't be opened or read. The inner error: its header does not belong to this format.
pub fn check_file(path: &Path, format: Format) -> io::Result<Result<(), WrongHeader>> {
    let mut head = Vec::with_capacity(64);
    File::open(path)?.take(64).read_to_end(&mut head)?;
    Ok(check(&head, format))
}

/// Checks a header.
///
/// # Errors
/// The header does not belong to this format.
pub fn check(head: &[u8], format: Format) -> Result<(), WrongHeader> {
    let right = match format {
        // A protocol buffer whose field 1 (IR version) is a small number.
        Format::Onnx => head.len() >= 8 && head[0] == 0x08 && (1..=32).contains(&head[1]),
        Format::Ggml => head.starts_with(b"lmgg"),
        Format::Gguf => head.starts_with(b"GGUF"),
        Format::Elf => head.starts_with(b"\x7fELF"),
        Format::Pe => head.starts_with(b"MZ"),
        Format::Text => match std::str::from_utf8(head) {
            Ok(_) => !head.is_empty() && !head.contains(&0),
            // The end of the header may cut a character.
            Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
        },
    };
    if right { Ok(()) } else { Err(WrongHeader(describe(format))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-4
    #[test]
    fn a_file_of_another_format_is_refused_eng_4() {
        let cases: [(&[u8], Format, bool); 12] = [
            (b"\x08\x08:\xa0\xd2\xa1\x02\n", Format::Onnx, true),
            (b"<!DOCTYPE html><html>", Format::Onnx, false),
            (b"", Format::Onnx, false),
            (b"\x08", Format::Onnx, false),
            (b"lmgg\x00\x00", Format::Ggml, true),
            (b"GGUF\x03\x00", Format::Ggml, false),
            (b"GGUF\x03\x00", Format::Gguf, true),
            (b"\x7fELF\x02", Format::Elf, true),
            (b"MZ\x90", Format::Pe, true),
            (b"version https://git-lfs", Format::Gguf, false),
            ("가나".as_bytes(), Format::Text, true),
            (b"\xff\xfe\x00", Format::Text, false),
        ];
        for (head, format, expect) in cases {
            assert_eq!(check(head, format).is_ok(), expect, "{head:?} as {format:?}");
        }
    }
}
