//! Validates a Whisper model file before whisper.cpp reads it: everything but the values of the weights (ENG-4).
//!
//! whisper.cpp trusts the file: it allocates absurd sizes, aborts on a vocabulary without a space, and silently loads a file without
//! weights or truncated inside its last ones. So the header is checked against the plausible range of Whisper models, and every tensor
//! against the header, to the last byte.

mod reader;
mod tensors;

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use luna_engine_protocol::ModelFile;
use luna_engine_protocol::check::{self, FileFormat};
use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind};

use reader::ContainerReader;

/// The ggml magic number and the size of a bare header.
const GGML: FileFormat = FileFormat { format: "ggml", magic: &0x6767_6d6c_u32.to_le_bytes(), smallest: 4 * 12 };
/// Frequencies of the mel filters.
const FREQUENCIES: u32 = 201;
/// Maximum length of a token, bytes.
const LONGEST_TOKEN: u32 = 1024;

/// Hyperparameters in the header of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Number of tokens.
    pub vocabulary: u32,
    /// Encoder positions, 20 ms each.
    pub audio_ctx: u32,
    /// Encoder width.
    pub audio_state: u32,
    /// Encoder attention heads.
    pub audio_heads: u32,
    /// Encoder layers.
    pub audio_layers: u32,
    /// Decoder positions.
    pub text_ctx: u32,
    /// Decoder width.
    pub text_state: u32,
    /// Decoder attention heads.
    pub text_heads: u32,
    /// Decoder layers.
    pub text_layers: u32,
    pub mels: u32,
    /// Storage type of the matrices plus 1000 times the format version.
    pub stored: u32,
}

impl Sizes {
    /// Whether the model knows languages other than English.
    pub fn multilingual(&self) -> bool {
        self.vocabulary >= 51_865
    }
}

/// A defect of a model file.
#[derive(Debug, thiserror::Error)]
enum Flaw {
    #[error("can't be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is truncated: it ends inside {place}")]
    Truncated { place: String },
    #[error("is no Whisper model that Luna knows: its {what} is {found}")]
    Size { what: &'static str, found: u32 },
    #[error("is stored in a way that is not known (type {found})")]
    Stored { found: u32 },
    #[error("has a broken vocabulary: {what}")]
    Vocabulary { what: &'static str },
    #[error("holds no weights; it is made for tests of a loader")]
    NoWeights,
    #[error("is broken: the tensor {name} {what}")]
    Tensor { name: String, what: &'static str },
    #[error("is incomplete: it has {found} of {expected} tensors")]
    Incomplete { found: usize, expected: usize },
}

/// Checks a file; returns it rewound, with its length and its hyperparameters.
///
/// # Errors
/// The file is missing, differs from its known checksum or size, or is not a complete Whisper model.
pub fn open(model: &ModelFile) -> Result<(File, u64, Sizes), EngineError> {
    let length = check::model_file(model, &GGML)?;
    let read = || -> Result<(File, Sizes), Flaw> {
        let mut reader = ContainerReader::new(File::open(&model.path)?, length);
        let sizes = examine(&mut reader)?;
        let mut file = reader.into_inner();
        file.seek(SeekFrom::Start(0))?;
        Ok((file, sizes))
    };
    let (file, sizes) = read().map_err(|flaw| {
        let kind =
            if matches!(flaw, Flaw::Unreadable(_)) { EngineErrorKind::Missing } else { EngineErrorKind::BadModel };
        failure(
            kind,
            format!("The model file {} {flaw}.", model.path.display()),
            "Fetch it again with `luna models fetch`, or name another file in the configuration.",
        )
    })?;
    Ok((file, length, sizes))
}

fn examine(reader: &mut ContainerReader) -> Result<Sizes, Flaw> {
    reader.skip(4, "its header")?;
    let sizes = header(reader)?;
    let numbers = [reader.u32("its mel filters")?, reader.u32("its mel filters")?];
    if numbers != [sizes.mels, FREQUENCIES] {
        return Err(Flaw::Size { what: "number of mel filters", found: numbers[0] });
    }
    reader.skip(u64::from(sizes.mels) * u64::from(FREQUENCIES) * 4, "its mel filters")?;
    vocabulary(reader, &sizes)?;
    tensors::examine(reader, &sizes)?;
    Ok(sizes)
}

fn header(reader: &mut ContainerReader) -> Result<Sizes, Flaw> {
    let mut next = || reader.u32("its header");
    let sizes = Sizes {
        vocabulary: next()?,
        audio_ctx: next()?,
        audio_state: next()?,
        audio_heads: next()?,
        audio_layers: next()?,
        text_ctx: next()?,
        text_state: next()?,
        text_heads: next()?,
        text_layers: next()?,
        mels: next()?,
        stored: next()?,
    };
    let within = |what, found: u32, least: u32, most: u32| {
        if (least..=most).contains(&found) { Ok(()) } else { Err(Flaw::Size { what, found }) }
    };
    // Far above every existing model; the largest has 1280 columns, 32 layers and 51,866 tokens.
    within("number of tokens", sizes.vocabulary, 51_864, 60_000)?;
    within("number of audio positions", sizes.audio_ctx, 1, 3000)?;
    within("number of text positions", sizes.text_ctx, 64, 2048)?;
    within("number of mel bands", sizes.mels, 80, 128)?;
    for (state, heads, layers) in [
        (sizes.audio_state, sizes.audio_heads, sizes.audio_layers),
        (sizes.text_state, sizes.text_heads, sizes.text_layers),
    ] {
        within("width", state, 32, 4096)?;
        within("number of layers", layers, 1, 96)?;
        within("number of heads", heads, 1, 128)?;
        if state % heads != 0 {
            return Err(Flaw::Size { what: "number of heads", found: heads });
        }
    }
    if sizes.audio_state != sizes.text_state {
        return Err(Flaw::Size { what: "width of the decoder", found: sizes.text_state });
    }
    if tensors::TensorEncoding::of_file(sizes.stored).is_none() {
        return Err(Flaw::Stored { found: sizes.stored });
    }
    Ok(sizes)
}

fn vocabulary(reader: &mut ContainerReader, sizes: &Sizes) -> Result<(), Flaw> {
    const PLACE: &str = "its vocabulary";
    let count = reader.u32(PLACE)?;
    if count > sizes.vocabulary {
        return Err(Flaw::Vocabulary { what: "it has more texts than tokens" });
    }
    let mut space = false;
    for _ in 0..count {
        let length = reader.u32(PLACE)?;
        if length > LONGEST_TOKEN {
            return Err(Flaw::Vocabulary { what: "a token is too long" });
        }
        space |= reader.bytes(length as usize, PLACE)? == b" ";
    }
    // whisper.cpp looks up the space without checking that it exists.
    if space { Ok(()) } else { Err(Flaw::Vocabulary { what: "it has no space" }) }
}

#[cfg(test)]
mod tests;
