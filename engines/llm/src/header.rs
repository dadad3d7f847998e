//! Validates the header of a GGUF file before llama.cpp reads it, because llama.cpp trusts lengths and counts of damaged files (ENG-4).

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

/// Maximum dimensions of a tensor.
const MAX_DIMENSIONS: u32 = 4;
/// Longer strings are skipped; every needed string is short.
const MAX_KEPT_TEXT: u64 = 256;
const DEFAULT_ALIGNMENT: u64 = 32;

/// A defect of a model file. Each message completes the sentence "The model file …".
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum HeaderError {
    #[error("can't be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is of GGUF version {0}, and only 2 and 3 can be read")]
    Version(u32),
    #[error("is truncated: it has {size} bytes and its {what} need {needed}")]
    Truncated { what: &'static str, size: u64, needed: u64 },
    #[error("is damaged: {0}")]
    Damaged(&'static str),
}

/// Metadata of the model; missing numbers are 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GgufHeader {
    /// For example `llama`.
    pub architecture: String,
    /// Transformer blocks.
    pub layers: u64,
    /// Context length of the training, tokens.
    pub context: u64,
    /// Bytes of the 16-bit key-value cache per token.
    pub cache_bytes_per_token: u64,
    /// Tokens in the vocabulary.
    pub vocabulary: u64,
}

/// Reads the header and checks that the file is as long as the header declares.
///
/// # Errors
/// The file can't be read, is truncated or damaged, or has an unsupported GGUF version.
pub fn read(path: &Path) -> Result<GgufHeader, HeaderError> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    GgufReader { file: BufReader::with_capacity(1 << 16, file), size, at: 0 }.header()
}

struct GgufReader<R> {
    file: BufReader<R>,
    size: u64,
    at: u64,
}

/// The metadata values that are needed.
#[derive(Default)]
struct Values {
    numbers: BTreeMap<String, u64>,
    architecture: String,
    tokens: u64,
}

impl Values {
    fn of(&self, key: &str) -> u64 {
        self.numbers.get(&format!("{}.{key}", self.architecture)).copied().unwrap_or(0)
    }
}

impl<R: Read + Seek> GgufReader<R> {
    fn header(mut self) -> Result<GgufHeader, HeaderError> {
        self.skip(4, "header")?;
        let version = self.u32()?;
        if !matches!(version, 2 | 3) {
            return Err(HeaderError::Version(version));
        }
        let (tensors, keys) = (self.u64()?, self.u64()?);
        let mut values = Values::default();
        for _ in 0..keys {
            let key = self.text()?;
            let sort = self.u32()?;
            self.value(&key, sort, &mut values)?;
        }
        self.tensors(tensors, values.numbers.get("general.alignment").copied().unwrap_or(DEFAULT_ALIGNMENT))?;
        if values.architecture.is_empty() {
            return Err(HeaderError::Damaged("it does not say what architecture its model has"));
        }
        let heads = values.of("attention.head_count").max(1);
        let kv_heads = match values.of("attention.head_count_kv") {
            0 => heads,
            number => number,
        };
        let side = values.of("embedding_length") / heads;
        let or = |number: u64| if number == 0 { side } else { number };
        let sides = or(values.of("attention.key_length")).saturating_add(or(values.of("attention.value_length")));
        let layers = values.of("block_count");
        Ok(GgufHeader {
            layers,
            context: values.of("context_length"),
            cache_bytes_per_token: layers.saturating_mul(kv_heads).saturating_mul(sides).saturating_mul(2),
            vocabulary: values.tokens,
            architecture: values.architecture,
        })
    }

    fn value(&mut self, key: &str, sort: u32, values: &mut Values) -> Result<(), HeaderError> {
        let number = match sort {
            0 | 1 | 7 => u64::from(self.bytes::<1>()?[0]),
            2 | 3 => u64::from(u16::from_le_bytes(self.bytes()?)),
            4 | 5 => u64::from(self.u32()?),
            10 | 11 => self.u64()?,
            6 => return self.skip(4, "keys"),
            12 => return self.skip(8, "keys"),
            8 => {
                let text = self.text()?;
                if key == "general.architecture" {
                    values.architecture = text;
                }
                return Ok(());
            }
            9 => return self.array(key, values),
            _ => return Err(HeaderError::Damaged("a key has a value of unknown sort")),
        };
        values.numbers.insert(key.to_owned(), number);
        Ok(())
    }

    fn array(&mut self, key: &str, values: &mut Values) -> Result<(), HeaderError> {
        let (sort, count) = (self.u32()?, self.u64()?);
        let width = match sort {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            10..=12 => 8,
            8 => {
                if key == "tokenizer.ggml.tokens" {
                    values.tokens = count;
                    return self.tokens(count);
                }
                for _ in 0..count {
                    let length = self.u64()?;
                    self.skip(length, "keys")?;
                }
                return Ok(());
            }
            _ => return Err(HeaderError::Damaged("a list has elements of unknown sort")),
        };
        // Some models have a head count per layer; the largest is used.
        if sort == 4 || sort == 5 {
            let mut most = 0;
            self.need(count.saturating_mul(width), "keys")?;
            for _ in 0..count {
                most = most.max(u64::from(self.u32()?));
            }
            values.numbers.insert(key.to_owned(), most);
            return Ok(());
        }
        self.skip(count.saturating_mul(width), "keys")
    }

    /// Rejects duplicate tokens, on which llama.cpp aborts.
    fn tokens(&mut self, count: u64) -> Result<(), HeaderError> {
        let mut known = HashSet::new();
        for _ in 0..count {
            let text = self.text()?;
            // llama.cpp names empty tokens itself.
            if !text.is_empty() && !known.insert(text) {
                return Err(HeaderError::Damaged("two tokens of its vocabulary are the same"));
            }
        }
        Ok(())
    }

    fn tensors(&mut self, count: u64, alignment: u64) -> Result<(), HeaderError> {
        if alignment == 0 || alignment > 1 << 20 {
            return Err(HeaderError::Damaged("its alignment makes no sense"));
        }
        let mut end = 0u64;
        for _ in 0..count {
            self.text()?;
            let dimensions = self.u32()?;
            if dimensions > MAX_DIMENSIONS {
                return Err(HeaderError::Damaged("a tensor has too many dimensions"));
            }
            let mut numbers = 1u64;
            for _ in 0..dimensions {
                numbers = numbers
                    .checked_mul(self.u64()?)
                    .ok_or(HeaderError::Damaged("a tensor is larger than any machine"))?;
            }
            let (per_block, bytes) = block(self.u32()?);
            let offset = self.u64()?;
            end = end.max(offset.saturating_add((numbers / per_block).saturating_mul(bytes)));
        }
        let needed = self.at.next_multiple_of(alignment).saturating_add(end);
        if needed > self.size {
            return Err(HeaderError::Truncated { what: "tensors", size: self.size, needed });
        }
        Ok(())
    }

    fn need(&self, bytes: u64, what: &'static str) -> Result<(), HeaderError> {
        let needed = self.at.saturating_add(bytes);
        if needed > self.size { Err(HeaderError::Truncated { what, size: self.size, needed }) } else { Ok(()) }
    }

    fn skip(&mut self, bytes: u64, what: &'static str) -> Result<(), HeaderError> {
        self.need(bytes, what)?;
        self.file.seek_relative(i64::try_from(bytes).unwrap_or(i64::MAX))?;
        self.at += bytes;
        Ok(())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], HeaderError> {
        self.need(N as u64, "header")?;
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, HeaderError> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, HeaderError> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// Reads a string; one longer than [`MAX_KEPT_TEXT`] is skipped and returned empty.
    fn text(&mut self) -> Result<String, HeaderError> {
        let length = self.u64()?;
        if length > MAX_KEPT_TEXT {
            self.skip(length, "keys")?;
            return Ok(String::new());
        }
        self.need(length, "keys")?;
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        self.file.read_exact(&mut bytes)?;
        self.at += length;
        // Maps invalid bytes to one character each, so that different strings stay different.
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect()))
    }
}

/// Elements and bytes of one block of a tensor type. An unknown type counts as zero bytes: llama.cpp knows or refuses it.
fn block(sort: u32) -> (u64, u64) {
    match sort {
        0 | 26 => (1, 4),
        1 | 25 | 30 => (1, 2),
        24 => (1, 1),
        27 | 28 => (1, 8),
        2 | 20 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        9 => (32, 36),
        39 => (32, 17),
        10 => (256, 84),
        11 | 21 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        15 => (256, 292),
        16 | 35 => (256, 66),
        17 => (256, 74),
        18 => (256, 98),
        19 => (256, 50),
        22 => (256, 82),
        23 => (256, 136),
        29 => (256, 56),
        34 => (256, 54),
        _ => (1, 0),
    }
}

#[cfg(test)]
#[path = "header/tests.rs"]
mod tests;
