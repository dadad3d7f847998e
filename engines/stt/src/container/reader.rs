//! Reads a file of known length and reports where it is truncated.

use std::fs::File;
use std::io::{BufReader, Read};

use super::Flaw;

/// A model file under validation.
pub(super) struct ContainerReader {
    file: BufReader<File>,
    /// Remaining bytes.
    left: u64,
}

impl ContainerReader {
    pub fn new(file: File, length: u64) -> Self {
        Self { file: BufReader::with_capacity(1 << 16, file), left: length }
    }

    pub fn into_inner(self) -> File {
        self.file.into_inner()
    }

    pub fn is_at_end(&self) -> bool {
        self.left == 0
    }

    /// The next `count` bytes; the caller bounds `count`.
    ///
    /// # Errors
    /// The file is truncated or can't be read.
    pub fn bytes(&mut self, count: usize, place: &str) -> Result<Vec<u8>, Flaw> {
        self.take(count as u64, place)?;
        let mut bytes = vec![0; count];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The next little-endian number.
    ///
    /// # Errors
    /// The file is truncated or can't be read.
    pub fn u32(&mut self, place: &str) -> Result<u32, Flaw> {
        self.take(4, place)?;
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Skips bytes.
    ///
    /// # Errors
    /// The file is truncated or can't be read.
    pub fn skip(&mut self, count: u64, place: &str) -> Result<(), Flaw> {
        self.take(count, place)?;
        let count = i64::try_from(count).map_err(|_| Flaw::Truncated { place: place.to_owned() })?;
        self.file.seek_relative(count)?;
        Ok(())
    }

    fn take(&mut self, count: u64, place: &str) -> Result<(), Flaw> {
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Flaw::Truncated { place: place.to_owned() }),
        }
    }
}
