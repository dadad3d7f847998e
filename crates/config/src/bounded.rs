//! Reading with a bound: whatever a file, a pipe or a device gives, no more is ever held than is taken (KER-4).

use std::io::{self, BufRead, Read};
use std::path::Path;

/// Why something can't be taken in.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It is not there, or not for this person to read.
    #[error("{name} can't be opened: {source}")]
    Closed {
        /// The file, or standard input.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// Reading failed.
    #[error("{name} can't be read: {source}")]
    Unreadable {
        /// The file, or standard input.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// More than is taken.
    #[error("{name} is larger than {} MiB; give it in parts", most >> 20)]
    TooLarge {
        /// The file, or standard input.
        name: String,
        /// Bytes that are taken at most.
        most: u64,
    },
    /// Not UTF-8.
    #[error("{name} is no text in UTF-8; convert it, for example with iconv -t UTF-8")]
    NotUtf8 {
        /// The file, or standard input.
        name: String,
    },
    /// Nothing but white space.
    #[error("{name} holds no text: it is empty; write what is meant")]
    Empty {
        /// The file, or standard input.
        name: String,
    },
}

/// All that a reader gives, if that is at most `most` bytes; no more than that is ever held.
///
/// # Errors
/// More, or what reading gives.
pub fn bounded(reader: impl Read, name: &str, most: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = reader.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| InputError::Unreadable { name: name.to_owned(), source })?;
    if bytes.len() as u64 > most {
        return Err(InputError::TooLarge { name: name.to_owned(), most });
    }
    Ok(bytes)
}

/// [`bounded`] for a file; a pipe will do.
///
/// # Errors
/// As there, and a file that can't be opened.
pub fn file(path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|source| InputError::Closed { name: name.clone(), source })?;
    bounded(file, &name, most)
}

/// One line of many.
#[derive(Debug, PartialEq, Eq)]
pub enum BoundedLine {
    /// Its bytes, without the line end.
    Whole(Vec<u8>),
    /// It is longer than is taken; all of it was passed over.
    TooLong,
}

/// Reads lines of at most `most` bytes, and never holds more than one.
pub struct Lines<R> {
    reader: R,
    most: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a reader.
    pub const fn new(reader: R, most: u64) -> Self {
        Self { reader, most }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<BoundedLine>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        // The line end may come on top.
        match self.reader.by_ref().take(self.most.saturating_add(1)).read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 > self.most {
            return Some(self.reader.skip_until(b'\n').map(|_| BoundedLine::TooLong));
        }
        Some(Ok(BoundedLine::Whole(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-4
    #[test]
    fn what_never_ends_is_held_up_to_its_bound_only_ker_4() {
        let endless = || io::repeat(b'a');
        assert!(matches!(bounded(endless(), "x", 1000), Err(InputError::TooLarge { .. })));
        assert_eq!(bounded(&b"abc"[..], "x", 3).ok(), Some(b"abc".to_vec()));
        let first = Lines::new(io::BufReader::new(endless().take(100_000_000)), 1000).next();
        assert!(matches!(first, Some(Ok(BoundedLine::TooLong))));
    }

    // KER-4
    #[test]
    fn a_line_that_is_too_long_costs_itself_only_ker_4() {
        let check = |text: &[u8], expect: &[Option<&[u8]>]| {
            let lines: Vec<BoundedLine> = Lines::new(text, 3).map_while(Result::ok).collect();
            let expect: Vec<BoundedLine> = expect
                .iter()
                .map(|line| line.map_or(BoundedLine::TooLong, |line| BoundedLine::Whole(line.to_vec())))
                .collect();
            assert_eq!(lines, expect, "{text:?}");
        };
        check(b"", &[]);
        check(b"abc\n", &[Some(b"abc")]);
        check(b"abc", &[Some(b"abc")]);
        check(b"abcd\nx", &[None, Some(b"x")]);
        check(b"abcd", &[None]);
        check(b"\n\nabcdefgh\nabc\n", &[Some(b""), Some(b""), None, Some(b"abc")]);
    }
}
