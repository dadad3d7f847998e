//! What subcommands print. A closed pipe (`luna … | head`) ends the output, not in a panic.

use std::io::{self, Write};

use serde::Serialize;

/// Prints a line. Returns false once nobody reads any more.
pub fn line(text: &str) -> bool {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).is_ok()
}

/// Prints a piece of a text at once, without ending the line. Returns false once nobody reads any more.
pub fn piece(text: &str) -> bool {
    let mut out = io::stdout().lock();
    write!(out, "{text}").and_then(|()| out.flush()).is_ok()
}

/// Prints a piece of a remark beside the output proper, without ending the line.
pub fn remark_piece(text: &str) {
    let mut out = io::stderr().lock();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

/// Prints a value as JSON, readable.
pub fn json(value: &impl Serialize) -> bool {
    serde_json::to_string_pretty(value).is_ok_and(|text| line(&text))
}

/// Prints what went wrong, with its causes.
pub fn error(error: &anyhow::Error) {
    let mut sentence = String::new();
    for cause in error.chain().filter(|cause| !cause.is::<super::Usage>()) {
        let cause = cause.to_string();
        // A cause that the sentence before already tells is not told twice.
        if !sentence.contains(&cause) {
            if !sentence.is_empty() {
                sentence.push_str(": ");
            }
            sentence.push_str(&cause);
        }
    }
    let _ = writeln!(io::stderr().lock(), "luna: {sentence}");
}

/// Prints a remark beside the output proper.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
