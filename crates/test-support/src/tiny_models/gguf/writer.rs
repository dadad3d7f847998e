//! The GGUF file format: a header, keys with values, a list of tensors, their data.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{WeightFormat, half};

const VERSION: u32 = 3;
/// Alignment of each tensor's data, in bytes.
const ALIGNMENT: u64 = 32;
/// Numbers in a block of [`WeightFormat::Q8_0`].
const BLOCK: usize = 32;

/// A value of a key.
pub(super) enum GgufValue {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(String),
    Texts(Vec<String>),
    Numbers(Vec<i32>),
}

/// The content of a tensor.
pub(super) enum TensorFill {
    /// The same number everywhere.
    Constant(f32),
    /// Approximately normal random numbers.
    Random {
        seed: u64,
        deviation: f32,
    },
    Numbers(Vec<f32>),
}

/// A tensor of `rows` × `columns` numbers, row by row.
pub(super) struct Tensor {
    pub name: String,
    pub columns: usize,
    /// `None`: a vector.
    pub rows: Option<usize>,
    pub weights: WeightFormat,
    pub fill: TensorFill,
}

impl Tensor {
    fn numbers(&self) -> usize {
        self.columns * self.rows.unwrap_or(1)
    }

    fn bytes(&self) -> u64 {
        let numbers = self.numbers() as u64;
        match self.weights {
            WeightFormat::F32 => numbers * 4,
            WeightFormat::F16 => numbers * 2,
            WeightFormat::Q8_0 => numbers / BLOCK as u64 * (BLOCK as u64 + 2),
        }
    }
}

/// A whole file.
#[derive(Default)]
pub(super) struct Gguf {
    pub keys: Vec<(String, GgufValue)>,
    pub tensors: Vec<Tensor>,
}

impl Gguf {
    /// Writes the file; returns its size in bytes.
    pub fn write(&self, path: &Path) -> io::Result<u64> {
        let mut out = CountingWriter { inner: BufWriter::with_capacity(1 << 20, File::create(path)?), written: 0 };
        out.write_all(b"GGUF")?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(self.tensors.len() as u64).to_le_bytes())?;
        out.write_all(&(self.keys.len() as u64).to_le_bytes())?;
        for (key, value) in &self.keys {
            text(&mut out, key)?;
            write_value(&mut out, value)?;
        }
        let mut offset = 0u64;
        for tensor in &self.tensors {
            text(&mut out, &tensor.name)?;
            let sides: Vec<u64> =
                [Some(tensor.columns), tensor.rows].into_iter().flatten().map(|side| side as u64).collect();
            out.write_all(&(sides.len() as u32).to_le_bytes())?;
            for side in sides {
                out.write_all(&side.to_le_bytes())?;
            }
            let sort = match tensor.weights {
                WeightFormat::F32 => 0u32,
                WeightFormat::F16 => 1,
                WeightFormat::Q8_0 => 8,
            };
            out.write_all(&sort.to_le_bytes())?;
            out.write_all(&offset.to_le_bytes())?;
            offset = (offset + tensor.bytes()).next_multiple_of(ALIGNMENT);
        }
        pad(&mut out)?;
        for tensor in &self.tensors {
            write_data(&mut out, tensor)?;
            pad(&mut out)?;
        }
        out.inner.flush()?;
        Ok(out.written)
    }
}

struct CountingWriter<W> {
    inner: W,
    written: u64,
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn pad(out: &mut CountingWriter<impl Write>) -> io::Result<()> {
    let missing = out.written.next_multiple_of(ALIGNMENT) - out.written;
    out.write_all(&[0; ALIGNMENT as usize][..missing as usize])
}

fn text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

fn write_value(out: &mut impl Write, value: &GgufValue) -> io::Result<()> {
    const ARRAY: u32 = 9;
    let sort = |out: &mut dyn Write, sort: u32| out.write_all(&sort.to_le_bytes());
    match value {
        GgufValue::U32(number) => {
            sort(out, 4)?;
            out.write_all(&number.to_le_bytes())
        }
        GgufValue::F32(number) => {
            sort(out, 6)?;
            out.write_all(&number.to_le_bytes())
        }
        GgufValue::Bool(yes) => {
            sort(out, 7)?;
            out.write_all(&[u8::from(*yes)])
        }
        GgufValue::Text(words) => {
            sort(out, 8)?;
            text(out, words)
        }
        GgufValue::Texts(texts) => {
            sort(out, ARRAY)?;
            sort(out, 8)?;
            out.write_all(&(texts.len() as u64).to_le_bytes())?;
            texts.iter().try_for_each(|words| text(out, words))
        }
        GgufValue::Numbers(numbers) => {
            sort(out, ARRAY)?;
            sort(out, 5)?;
            out.write_all(&(numbers.len() as u64).to_le_bytes())?;
            numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
        }
    }
}

fn write_data(out: &mut impl Write, tensor: &Tensor) -> io::Result<()> {
    let mut block = [0f32; BLOCK];
    let mut random = SeededRandom::new(match tensor.fill {
        TensorFill::Random { seed, .. } => seed,
        TensorFill::Constant(_) | TensorFill::Numbers(_) => 0,
    });
    let mut at = 0;
    while at < tensor.numbers() {
        let count = BLOCK.min(tensor.numbers() - at);
        let numbers = &mut block[..count];
        match &tensor.fill {
            TensorFill::Constant(number) => numbers.fill(*number),
            TensorFill::Random { deviation, .. } => numbers.iter_mut().for_each(|n| *n = random.normal() * deviation),
            TensorFill::Numbers(all) => numbers.copy_from_slice(&all[at..at + count]),
        }
        write_block(out, numbers, tensor.weights)?;
        at += count;
    }
    Ok(())
}

fn write_block(out: &mut impl Write, numbers: &[f32], weights: WeightFormat) -> io::Result<()> {
    let mut bytes = [0u8; BLOCK * 4];
    let used = match weights {
        WeightFormat::F32 => {
            bytes.chunks_exact_mut(4).zip(numbers).for_each(|(to, n)| to.copy_from_slice(&n.to_le_bytes()));
            numbers.len() * 4
        }
        WeightFormat::F16 => {
            bytes
                .chunks_exact_mut(2)
                .zip(numbers)
                .for_each(|(to, n)| to.copy_from_slice(&half::bits(*n).to_le_bytes()));
            numbers.len() * 2
        }
        WeightFormat::Q8_0 => {
            let scale = numbers.iter().fold(0f32, |most, n| most.max(n.abs())) / 127.0;
            bytes[..2].copy_from_slice(&half::bits(scale).to_le_bytes());
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            bytes[2..].iter_mut().zip(numbers).for_each(|(to, n)| *to = (n * inverse).round() as i8 as u8);
            numbers.len() + 2
        }
    };
    out.write_all(&bytes[..used])
}

/// A small random number generator (xorshift64*): the same seed gives the same file on every machine.
pub(super) struct SeededRandom(u64);

impl SeededRandom {
    pub const fn new(seed: u64) -> Self {
        // The state of an xorshift generator must not be zero.
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Approximately normal with mean 0 and deviation 1: the sum of four uniform numbers.
    pub fn normal(&mut self) -> f32 {
        let bits = self.next();
        let sum: u32 = (0..4).map(|part| (bits >> (16 * part)) as u32 & 0xffff).sum();
        // The sum of four uniform numbers below 65536 has the deviation 65536 / √3.
        (sum as f32 - 131_070.0) * (1.732_050_8 / 65_536.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_about_normal_and_the_same_each_time() {
        let draw = |seed| {
            let mut random = SeededRandom::new(seed);
            (0..20_000).map(|_| random.normal()).collect::<Vec<_>>()
        };
        let numbers = draw(3);
        assert_eq!(numbers, draw(3));
        assert_ne!(numbers, draw(4));
        let mean = numbers.iter().sum::<f32>() / 20_000.0;
        let deviation = (numbers.iter().map(|n| n * n).sum::<f32>() / 20_000.0).sqrt();
        assert!(mean.abs() < 0.03 && (deviation - 1.0).abs() < 0.03, "{mean} {deviation}");
    }

    #[test]
    fn sizes_and_places_are_as_announced() {
        let tensor = |weights| Tensor {
            name: "t".into(),
            columns: 64,
            rows: Some(3),
            weights,
            fill: TensorFill::Random { seed: 1, deviation: 1.0 },
        };
        for weights in [WeightFormat::F32, WeightFormat::F16, WeightFormat::Q8_0] {
            let mut data = Vec::new();
            write_data(&mut data, &tensor(weights)).unwrap();
            assert_eq!(data.len() as u64, tensor(weights).bytes(), "{weights:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gguf");
        let keys = vec![("k".to_owned(), GgufValue::Text("v".into()))];
        let bytes = Gguf { keys, tensors: vec![tensor(WeightFormat::Q8_0)] }.write(&path).unwrap();
        assert_eq!(bytes, std::fs::metadata(&path).unwrap().len());
        assert_eq!(bytes % ALIGNMENT, 0);
    }
}
