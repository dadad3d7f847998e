//! Texts that subcommands work on, and what their flags may say.

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use luna_logic::language::by_script;
use luna_messages::Lang;

use crate::config::thinking::TranslationMode;

/// Bytes of a text at most: a thick book.
const MOST: u64 = 16 << 20;

/// A text out of a file, or of standard input where there is none or it is `-`.
///
/// # Errors
/// A file that can't be read, is no UTF-8, too large, or empty; each says what to do.
pub fn text(file: Option<&Path>) -> anyhow::Result<String> {
    let file = file.filter(|path| path.as_os_str() != "-");
    let name = file.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let mut bytes = Vec::new();
    let read = match file {
        Some(path) => std::fs::File::open(path)
            .with_context(|| format!("{name} can't be opened"))?
            .take(MOST + 1)
            .read_to_end(&mut bytes),
        None => std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
    };
    read.with_context(|| format!("{name} can't be read"))?;
    anyhow::ensure!(bytes.len() as u64 <= MOST, "{name} is larger than {} MiB; give it in parts", MOST >> 20);
    let text = String::from_utf8(bytes)
        .map_err(|_| anyhow::anyhow!("{name} is no text in UTF-8; convert it, for example with iconv -t UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    anyhow::ensure!(!text.trim().is_empty(), "{name} holds no text");
    Ok(text)
}

/// Korean goes into English, anything else into Korean (NLU-1).
#[must_use]
pub fn other_language(text: &str) -> Lang {
    match by_script(text, Lang::En) {
        Lang::Ko => Lang::En,
        Lang::En => Lang::Ko,
    }
}

/// `ko` or `en`.
///
/// # Errors
/// Anything else, as a sentence.
pub fn language(text: &str) -> Result<Lang, String> {
    match text.to_lowercase().as_str() {
        "ko" | "korean" | "한국어" => Ok(Lang::Ko),
        "en" | "english" | "영어" => Ok(Lang::En),
        _ => Err("Luna translates into en (English) and ko (Korean)".to_owned()),
    }
}

/// `faithful` or `natural`.
///
/// # Errors
/// Anything else, as a sentence.
pub fn mode(text: &str) -> Result<TranslationMode, String> {
    match text {
        "faithful" => Ok(TranslationMode::Faithful),
        "natural" => Ok(TranslationMode::Natural),
        _ => Err("there are faithful and natural".to_owned()),
    }
}
