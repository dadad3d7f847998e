//! What subcommands print: nothing that a terminal obeys (PRV-5), and never a success that nobody can read.
//!
//! A closed pipe (`luna … | head`) is no error: whoever reads has enough. Everything else that keeps results from being written, a full disk
//! above all, ends the command with exit code 1 and the reason on standard error.

use std::io::{self, ErrorKind, Write};

use luna_text::printable::printable;
use serde::Serialize;

/// Results that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The disk that standard output leads to is full.
    #[error("the results can't be written, the disk is full; make room, or send them elsewhere")]
    Full,
    /// Anything else.
    #[error("the results can't be written to standard output: {0}; send them elsewhere")]
    Unwritable(io::Error),
    /// A result that has no form in JSON: a mistake in Luna.
    #[error("the result can't be written as JSON: {0}; please report this")]
    Json(serde_json::Error),
}

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Unwritable(error),
        }
    }
}

/// `false` once nobody reads any more.
pub type Printed = Result<bool, OutputError>;

/// Prints a line.
///
/// # Errors
/// It could not be written, though somebody may be reading.
pub fn line(text: &str) -> Printed {
    put(&mut io::stdout().lock(), &format!("{}\n", printable(text)))
}

/// Prints a piece of a text at once, without ending the line.
///
/// # Errors
/// As for [`line`].
pub fn piece(text: &str) -> Printed {
    put(&mut io::stdout().lock(), &printable(text))
}

/// Prints a value as JSON, readable.
///
/// # Errors
/// As for [`line`].
pub fn json(value: &impl Serialize) -> Printed {
    line(&serde_json::to_string_pretty(value).map_err(OutputError::Json)?)
}

/// Prints a value as JSON on one line.
///
/// # Errors
/// As for [`line`].
pub fn json_line(value: &impl Serialize) -> Printed {
    line(&serde_json::to_string(value).map_err(OutputError::Json)?)
}

fn put(out: &mut impl Write, text: &str) -> Printed {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Prints help or the version to standard output, or what is wrong with the arguments to standard error, in colour on a terminal.
///
/// # Errors
/// What was asked for could not be written, though somebody may be reading.
pub fn help(shown: &clap::Error) -> Printed {
    let printed = shown.print().and_then(|()| io::stdout().lock().flush());
    match printed {
        Err(error) if !shown.use_stderr() && error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(true),
    }
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
    remark(&format!("luna: {sentence}"));
}

/// Prints a remark beside the output proper. One that can't be written is dropped: there is nobody left to tell.
pub fn remark(text: &str) {
    remark_piece(&format!("{text}\n"));
}

/// Prints a piece of a remark, without ending the line.
pub fn remark_piece(text: &str) {
    beside(&printable(text));
}

/// Begins the line on the terminal anew with `text`.
pub fn redraw(text: &str) {
    beside(&format!("\r\u{1b}[K{}", printable(text)));
}

fn beside(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device of which nothing comes but an error.
    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    // KER-9
    #[test]
    fn a_closed_pipe_ends_the_output_and_a_full_disk_is_an_error_ker_9() {
        assert!(matches!(put(&mut Vec::new(), "x"), Ok(true)));
        assert!(matches!(put(&mut Broken(ErrorKind::BrokenPipe), "x"), Ok(false)));
        assert!(matches!(put(&mut Broken(ErrorKind::StorageFull), "x"), Err(OutputError::Full)));
        assert!(matches!(put(&mut Broken(ErrorKind::PermissionDenied), "x"), Err(OutputError::Unwritable(_))));
    }
}
