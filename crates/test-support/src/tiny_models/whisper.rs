//! Whisper models in the ggml format, small enough for a test to write, which the real whisper.cpp loads and runs.
//!
//! [`ScriptedWhisper`] transcribes every sound as a chosen text; [`RandomWhisper`] has random weights. Both are complete models: header, mel filters,
//! vocabulary, every tensor. With [`WhisperSizes::of`] they have the sizes and the number format of a real model, so that the compute is real;
//! a figure from such a model is labelled [`REAL_SIZE_LABEL`].

mod codes;
mod container;
mod half;
mod q5_1;
mod random;
mod script;

use std::io;
use std::path::Path;

pub use random::RandomWhisper;
pub use script::{ScriptedWhisper, TokenBytes};

/// Why a model was not written.
#[derive(Debug, thiserror::Error)]
pub enum WhisperError {
    /// The file could not be written.
    #[error("The model could not be written: {0}.")]
    File(#[from] io::Error),
    /// The text has too many tokens.
    #[error("The text has {pieces} tokens; a scripted model holds at most {most}.")]
    TooLong {
        pieces: usize,
        /// The maximum.
        most: usize,
    },
    /// Whisper has no such language, or this writer does not know it.
    #[error("The language \"{0}\" is not known here.")]
    UnknownLanguage(String),
}

/// What is written beside each figure that was measured with a scripted model of a real size.
pub const REAL_SIZE_LABEL: &str = "scripted words, real size";

/// A published model whose sizes a written model can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishedWhisper {
    /// 384 columns, 4 layers each; 32 MB.
    Tiny,
    /// 512 columns, 6 layers each; 60 MB.
    Base,
    /// 768 columns, 12 layers each; 190 MB.
    Small,
}

/// How the matrices are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatrixFormat {
    /// 16-bit floats.
    #[default]
    F16,
    /// Blocks of 32 numbers of 5 bits with a scale and a minimum, as in `ggml-tiny-q5_1.bin`. For widths that are a multiple of 32.
    Q5_1,
}

/// Sizes of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WhisperSizes {
    /// Width of encoder and decoder, a multiple of `heads`.
    pub state: usize,
    /// Attention heads; Whisper's have 64 columns each.
    pub heads: usize,
    /// Layers of the encoder.
    pub audio_layers: usize,
    /// Layers of the decoder. Not 2: whisper.cpp would treat it as a distilled model, which has no timestamps.
    pub text_layers: usize,
    /// Positions of the encoder: 1500 for Whisper's window of 30 s.
    pub audio_ctx: usize,
    /// Positions of the decoder.
    pub text_ctx: usize,
    /// Whether it has language tokens (51,865 tokens), or English only (51,864).
    pub multilingual: bool,
    pub matrices: MatrixFormat,
}

impl Default for WhisperSizes {
    /// One layer each, with 64 columns; 7 MB.
    fn default() -> Self {
        Self {
            state: 64,
            heads: 1,
            audio_layers: 1,
            text_layers: 1,
            audio_ctx: 1500,
            text_ctx: 448,
            multilingual: true,
            matrices: MatrixFormat::F16,
        }
    }
}

impl WhisperSizes {
    /// The sizes of a published multilingual model, stored as the file of it that Luna fetches: quantised to 5 bits.
    #[must_use]
    pub const fn of(model: PublishedWhisper) -> Self {
        let (state, heads, layers) = match model {
            PublishedWhisper::Tiny => (384, 6, 4),
            PublishedWhisper::Base => (512, 8, 6),
            PublishedWhisper::Small => (768, 12, 12),
        };
        Self {
            state,
            heads,
            audio_layers: layers,
            text_layers: layers,
            audio_ctx: 1500,
            text_ctx: 448,
            multilingual: true,
            matrices: MatrixFormat::Q5_1,
        }
    }

    /// Tokens of the vocabulary.
    #[must_use]
    pub const fn vocabulary(&self) -> usize {
        if self.multilingual { 51_865 } else { 51_864 }
    }

    const fn special(&self) -> SpecialTokens {
        let eot = if self.multilingual { 50_257 } else { 50_256 };
        // 99 language tokens precede the other special tokens, even in an English model.
        let rest = eot + 101;
        SpecialTokens {
            eot,
            sot: eot + 1,
            transcribe: rest + 1,
            no_speech: rest + 4,
            no_timestamps: rest + 5,
            timestamps: rest + 6,
        }
    }
}

/// Numbers of the tokens that are no text; they follow the vocabulary.
#[derive(Debug, Clone, Copy)]
struct SpecialTokens {
    eot: usize,
    sot: usize,
    transcribe: usize,
    no_speech: usize,
    no_timestamps: usize,
    /// The first timestamp, 0.00 s; each further one is 20 ms later.
    timestamps: usize,
}

impl SpecialTokens {
    /// The token of a language.
    fn language(self, code: &str) -> Result<usize, WhisperError> {
        // In Whisper's order; the tests need only the first ones.
        const ORDER: [&str; 10] = ["en", "zh", "de", "es", "ru", "ko", "fr", "ja", "pt", "tr"];
        let at = ORDER.iter().position(|known| *known == code);
        at.map(|at| self.sot + 1 + at).ok_or_else(|| WhisperError::UnknownLanguage(code.to_owned()))
    }
}

/// Fills a tensor's values, which are zero before, given its name and dimensions.
type FillTensor<'a> = &'a mut dyn FnMut(&str, &[usize], &mut [f32]);

/// Writes a model whose tensors are filled by `fill(name, dimensions, values)`. The first dimension is contiguous in memory. Returns the size of the
/// file in bytes.
fn write(path: &Path, sizes: &WhisperSizes, vocabulary: &[Vec<u8>], fill: FillTensor<'_>) -> Result<u64, WhisperError> {
    let mut file = io::BufWriter::with_capacity(1 << 20, std::fs::File::create(path)?);
    container::write(&mut file, sizes, vocabulary, fill)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(file.metadata()?.len())
}
