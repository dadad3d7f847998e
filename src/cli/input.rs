//! Input of subcommands: texts, lines and files, all bounded; and parsers of flag values.

use std::io;
use std::path::Path;

use luna_messages::{Fidelity, Lang};
use luna_text::language::by_script;

use luna_config::bounded::{InputError, bounded, file};

/// Maximum bytes of a text: a thick book.
pub const LONGEST_TEXT: u64 = 16 << 20;

/// Maximum bytes of a line of JSON; a sentence with all candidates of a full screen takes a thousandth.
pub const LONGEST_LINE: u64 = 4 << 20;

/// Name of standard input in messages.
pub const STANDARD_INPUT: &str = "standard input";

/// Reads a text from a file, or from standard input if there is no path or it is `-`.
///
/// # Errors
/// If the file can't be read, is not UTF-8, too large, or empty; the error says what to do.
pub fn text(path: Option<&Path>) -> Result<String, InputError> {
    let path = path.filter(|path| path.as_os_str() != "-");
    let text = match path {
        Some(path) => optional_text(path)?,
        None => decoded(bounded(io::stdin().lock(), STANDARD_INPUT, LONGEST_TEXT)?, STANDARD_INPUT)?,
    };
    if text.trim().is_empty() {
        let name = path.map_or_else(|| STANDARD_INPUT.to_owned(), |path| path.display().to_string());
        return Err(InputError::Empty { name });
    }
    Ok(text)
}

/// Reads a text from a file that may be empty.
///
/// # Errors
/// If the file can't be read, is not UTF-8, or is too large.
pub fn optional_text(path: &Path) -> Result<String, InputError> {
    decoded(file(path, LONGEST_TEXT)?, &path.display().to_string())
}

/// The text of an argument, or of standard input if it is `-`.
///
/// # Errors
/// As for [`text`]; `name` is the argument's name in messages.
pub fn argument(text: String, name: &str) -> Result<String, InputError> {
    if text == "-" {
        return self::text(None);
    }
    if text.trim().is_empty() {
        return Err(InputError::Empty { name: name.to_owned() });
    }
    Ok(text)
}

fn decoded(bytes: Vec<u8>, name: &str) -> Result<String, InputError> {
    let text = String::from_utf8(bytes).map_err(|_| InputError::NotUtf8 { name: name.to_owned() })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The target language of a translation: English for Korean, Korean for anything else (NLU-1).
#[must_use]
pub fn other_language(text: &str) -> Lang {
    match by_script(text, Lang::En) {
        Lang::Ko => Lang::En,
        Lang::En => Lang::Ko,
    }
}

/// Parses `ko` or `en`.
///
/// # Errors
/// If the text is anything else; the error is a sentence.
pub fn language(text: &str) -> Result<Lang, String> {
    match text.to_lowercase().as_str() {
        "ko" | "korean" | "한국어" => Ok(Lang::Ko),
        "en" | "english" | "영어" => Ok(Lang::En),
        _ => Err("Luna translates into en (English) and ko (Korean)".to_owned()),
    }
}

/// Parses `faithful` or `natural`.
///
/// # Errors
/// If the text is anything else; the error is a sentence.
pub fn mode(text: &str) -> Result<Fidelity, String> {
    let found = Fidelity::ALL.into_iter().find(|mode| mode.name() == text);
    found.ok_or_else(|| "there are faithful and natural".to_owned())
}
