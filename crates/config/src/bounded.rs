//! Bounded reading: memory use has a limit, however much a file, a pipe or a device delivers (KER-4).

use std::io::{self, BufRead, Read};
use std::path::Path;

/// Why input can't be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file can't be opened, for example because it does not exist or this user may not read it.
    #[error("{name} can't be opened: {source}")]
    Closed {
        /// The file, or standard input.
        name: String,
        /// The system's error.
        source: io::Error,
    },
    /// Reading failed.
    #[error("{name} can't be read: {source}")]
    Unreadable {
        /// The file, or standard input.
        name: String,
        /// The system's error.
        source: io::Error,
    },
    /// Larger than the limit.
    #[error("{name} is larger than {} MiB; give it in parts", limit >> 20)]
    TooLarge {
        /// The file, or standard input.
        name: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Not UTF-8.
    #[error("{name} is no text in UTF-8; convert it, for example with iconv -t UTF-8")]
    NotUtf8 {
        /// The file, or standard input.
        name: String,
    },
    /// Only white space.
    #[error("{name} holds no text: it is empty; write what is meant")]
    Empty {
        /// The file, or standard input.
        name: String,
    },
}

/// Reads to the end, at most `limit` bytes.
///
/// # Errors
/// More than `limit` bytes, or an error of the reader.
pub fn bounded(reader: impl Read, name: &str, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| InputError::Unreadable { name: name.to_owned(), source })?;
    if bytes.len() as u64 > limit {
        return Err(InputError::TooLarge { name: name.to_owned(), limit });
    }
    Ok(bytes)
}

/// [`bounded`] for a file or a pipe.
///
/// # Errors
/// As [`bounded`], and a file that can't be opened.
pub fn file(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|source| InputError::Closed { name: name.clone(), source })?;
    bounded(file, &name, limit)
}

/// A line of [`Lines`].
#[derive(Debug, PartialEq, Eq)]
pub enum BoundedLine {
    /// Without the line end.
    Whole(Vec<u8>),
    /// Longer than the limit; skipped.
    TooLong,
}

/// Iterates over lines of at most `limit` bytes, with one line in memory at a time.
pub struct Lines<R> {
    reader: R,
    limit: u64,
}

impl<R: BufRead> Lines<R> {
    pub const fn new(reader: R, limit: u64) -> Self {
        Self { reader, limit }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<BoundedLine>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        // One byte more, for the line end.
        match self.reader.by_ref().take(self.limit.saturating_add(1)).read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 > self.limit {
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
