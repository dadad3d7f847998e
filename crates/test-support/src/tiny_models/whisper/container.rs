//! The ggml file: header, mel filters, vocabulary, tensors.

use std::io::{self, Write};

use super::{FillTensor, MatrixFormat, WhisperSizes, half, q5_1};

/// Magic number of a ggml file.
const MAGIC: u32 = 0x6767_6d6c;
/// Number of mel bands.
const MELS: usize = 80;
/// Number of frequencies of a spectrum of 400 samples: 400 / 2 + 1.
const FREQUENCIES: usize = 201;

/// The number format of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberFormat {
    F32 = 0,
    F16 = 1,
    Q5_1 = 7,
}

impl MatrixFormat {
    /// The number in the file's header: for quantised matrices 9, and 1000 times the version of the quantised formats, 2.
    const fn in_header(self) -> usize {
        match self {
            Self::F16 => 1,
            Self::Q5_1 => 2009,
        }
    }

    const fn of_tensor(self) -> NumberFormat {
        match self {
            Self::F16 => NumberFormat::F16,
            Self::Q5_1 => NumberFormat::Q5_1,
        }
    }
}

pub(super) fn write(
    out: &mut impl Write,
    sizes: &WhisperSizes,
    vocabulary: &[Vec<u8>],
    fill: FillTensor<'_>,
) -> io::Result<()> {
    numbers(out, &[MAGIC as usize])?;
    numbers(out, &[sizes.vocabulary(), sizes.audio_ctx, sizes.state, sizes.heads, sizes.audio_layers])?;
    numbers(out, &[sizes.text_ctx, sizes.state, sizes.heads, sizes.text_layers, MELS, sizes.matrices.in_header()])?;
    numbers(out, &[MELS, FREQUENCIES])?;
    for value in filters() {
        out.write_all(&value.to_le_bytes())?;
    }
    // whisper.cpp itself names the tokens that are missing here.
    numbers(out, &[vocabulary.len()])?;
    for token in vocabulary {
        numbers(out, &[token.len()])?;
        out.write_all(token)?;
    }
    Tensors { out, fill, matrix: sizes.matrices.of_tensor() }.write_all_tensors(sizes)
}

fn numbers(out: &mut impl Write, values: &[usize]) -> io::Result<()> {
    values.iter().try_for_each(|value| {
        let value = u32::try_from(*value).map_err(|_| io::Error::other("a number does not fit into 32 bits"))?;
        out.write_all(&value.to_le_bytes())
    })
}

/// Triangular filters, evenly spaced on the mel scale from 0 to 8000 Hz.
fn filters() -> Vec<f32> {
    let mel = |hertz: f32| 2595.0 * (1.0 + hertz / 700.0).log10();
    let hertz = |mel: f32| 700.0 * (10f32.powf(mel / 2595.0) - 1.0);
    let edge = |at: usize| hertz(mel(8000.0) * at as f32 / (MELS + 1) as f32);
    let mut filters = Vec::with_capacity(MELS * FREQUENCIES);
    for band in 0..MELS {
        let (low, middle, high) = (edge(band), edge(band + 1), edge(band + 2));
        filters.extend((0..FREQUENCIES).map(|at| {
            let frequency = 8000.0 * at as f32 / (FREQUENCIES - 1) as f32;
            let height = ((frequency - low) / (middle - low)).min((high - frequency) / (high - middle));
            height.max(0.0) * 2.0 / (high - low)
        }));
    }
    filters
}

struct Tensors<'a, W> {
    out: &'a mut W,
    fill: FillTensor<'a>,
    /// How matrices are stored.
    matrix: NumberFormat,
}

impl<W: Write> Tensors<'_, W> {
    fn write_all_tensors(&mut self, sizes: &WhisperSizes) -> io::Result<()> {
        let width = sizes.state;
        self.write_tensor("encoder.positional_embedding", &[width, sizes.audio_ctx], NumberFormat::F32)?;
        self.write_tensor("encoder.conv1.weight", &[3, MELS, width], NumberFormat::F16)?;
        self.write_tensor("encoder.conv1.bias", &[1, width], NumberFormat::F32)?;
        self.write_tensor("encoder.conv2.weight", &[3, width, width], NumberFormat::F16)?;
        self.write_tensor("encoder.conv2.bias", &[1, width], NumberFormat::F32)?;
        self.norm("encoder.ln_post", width)?;
        for layer in 0..sizes.audio_layers {
            let block = format!("encoder.blocks.{layer}");
            self.block(&block, width)?;
        }
        self.write_tensor("decoder.positional_embedding", &[width, sizes.text_ctx], NumberFormat::F32)?;
        self.write_tensor("decoder.token_embedding.weight", &[width, sizes.vocabulary()], self.matrix)?;
        self.norm("decoder.ln", width)?;
        for layer in 0..sizes.text_layers {
            let block = format!("decoder.blocks.{layer}");
            self.block(&block, width)?;
            self.norm(&format!("{block}.cross_attn_ln"), width)?;
            self.attention(&format!("{block}.cross_attn"), width)?;
        }
        Ok(())
    }

    fn block(&mut self, name: &str, width: usize) -> io::Result<()> {
        self.norm(&format!("{name}.mlp_ln"), width)?;
        self.write_tensor(&format!("{name}.mlp.0.weight"), &[width, 4 * width], self.matrix)?;
        self.write_tensor(&format!("{name}.mlp.0.bias"), &[4 * width], NumberFormat::F32)?;
        self.write_tensor(&format!("{name}.mlp.2.weight"), &[4 * width, width], self.matrix)?;
        self.write_tensor(&format!("{name}.mlp.2.bias"), &[width], NumberFormat::F32)?;
        self.norm(&format!("{name}.attn_ln"), width)?;
        self.attention(&format!("{name}.attn"), width)
    }

    fn attention(&mut self, name: &str, width: usize) -> io::Result<()> {
        for part in ["query", "key", "value", "out"] {
            self.write_tensor(&format!("{name}.{part}.weight"), &[width, width], self.matrix)?;
            if part != "key" {
                self.write_tensor(&format!("{name}.{part}.bias"), &[width], NumberFormat::F32)?;
            }
        }
        Ok(())
    }

    fn norm(&mut self, name: &str, width: usize) -> io::Result<()> {
        self.write_tensor(&format!("{name}.weight"), &[width], NumberFormat::F32)?;
        self.write_tensor(&format!("{name}.bias"), &[width], NumberFormat::F32)
    }

    fn write_tensor(&mut self, name: &str, dimensions: &[usize], store: NumberFormat) -> io::Result<()> {
        let mut values = vec![0f32; dimensions.iter().product()];
        (self.fill)(name, dimensions, &mut values);
        numbers(self.out, &[dimensions.len(), name.len(), store as usize])?;
        numbers(self.out, dimensions)?;
        self.out.write_all(name.as_bytes())?;
        let bytes: Vec<u8> = match store {
            NumberFormat::F32 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            NumberFormat::F16 => values.iter().flat_map(|value| half::from_f32(*value).to_le_bytes()).collect(),
            NumberFormat::Q5_1 => q5_1::encode(&values)?,
        };
        self.out.write_all(&bytes)
    }
}
