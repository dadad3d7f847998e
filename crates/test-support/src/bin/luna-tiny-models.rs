//! Writes a tiny model from the command line, to try the engines without a download.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use luna_test_support::tiny_models::{gguf, whisper};

/// Writes tiny language and speech models that the real engines load. They understand nothing.
#[derive(Debug, Parser)]
#[command(name = "luna-tiny-models", version)]
struct TinyModelArguments {
    #[command(subcommand)]
    model: TinyModelKind,
}

#[derive(Debug, Subcommand)]
enum TinyModelKind {
    /// A language model that answers every prompt with the same text, for `luna llm --model FILE`.
    Llm {
        /// The file to write, such as answer.gguf.
        file: PathBuf,
        /// The answer.
        #[arg(long, default_value = "안녕하세요. 저는 작은 모형이에요.")]
        text: String,
        /// Random weights instead, with about 100 million parameters, for measurements.
        #[arg(long, conflicts_with = "text")]
        hundred_million: bool,
    },
    /// A speech model that transcribes every sound as the same text, for `luna transcribe --model FILE`.
    Stt {
        /// The file to write, such as heard.bin.
        file: PathBuf,
        /// The transcript.
        #[arg(long, default_value = "루나, 화면을 읽어 줘")]
        text: String,
        /// The sizes and number format of a published model, for measurements: the compute is real, the words are scripted.
        #[arg(long)]
        size: Option<PublishedSize>,
        /// Cuts the text into tokens of so many bytes; default: one token per word. Whisper cuts Korean into tokens of about 3 bytes.
        #[arg(long, value_name = "BYTES")]
        token_bytes: Option<usize>,
    },
}

/// A published Whisper model.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum PublishedSize {
    Tiny,
    Base,
    Small,
}

impl From<PublishedSize> for whisper::PublishedWhisper {
    fn from(size: PublishedSize) -> Self {
        match size {
            PublishedSize::Tiny => Self::Tiny,
            PublishedSize::Base => Self::Base,
            PublishedSize::Small => Self::Small,
        }
    }
}

fn main() -> anyhow::Result<()> {
    match TinyModelArguments::parse().model {
        TinyModelKind::Llm { file, hundred_million: true, .. } => {
            gguf::RandomLlm::hundred_million(1).write(&file)?;
        }
        TinyModelKind::Llm { file, text, .. } => {
            gguf::ScriptedLlm::new(&text).write(&file)?;
        }
        TinyModelKind::Stt { file, text, size, token_bytes } => {
            let mut model = whisper::ScriptedWhisper::new(&text);
            if let Some(bytes) = token_bytes {
                model = model.in_tokens_of(bytes);
            }
            if let Some(size) = size {
                model.sizes = whisper::WhisperSizes::of(size.into());
            }
            model.write(&file)?;
        }
    }
    Ok(())
}
