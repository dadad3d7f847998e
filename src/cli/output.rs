//! Output of subcommands: no control sequences that a terminal would execute (PRV-5), and no success if the results can't be written.
//!
//! A closed pipe (`luna … | head`) is no error: the reader has enough. Any other failure to write results, a full disk above all, ends the command
//! with exit code 1 and the reason on standard error.

use std::io::{self, ErrorKind, Write};

use luna_text::printable::printable;
use serde::Serialize;

/// Why results could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The disk behind standard output is full.
    #[error("the results can't be written, the disk is full; make room, or send them elsewhere")]
    Full,
    /// Anything else.
    #[error("the results can't be written to standard output: {0}; send them elsewhere")]
    Unwritable(io::Error),
    /// A result that can't be serialised as JSON: a defect of Luna.
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

/// `false` once the reader has closed the pipe.
pub type Printed = Result<bool, OutputError>;

/// Prints a line.
///
/// # Errors
/// If the line can't be written although the pipe is open.
pub fn line(text: &str) -> Printed {
    write_out(&mut io::stdout().lock(), &format!("{}\n", printable(text)))
}

/// Prints a piece of text immediately, without ending the line.
///
/// # Errors
/// As for [`line`].
pub fn piece(text: &str) -> Printed {
    write_out(&mut io::stdout().lock(), &printable(text))
}

/// Prints a value as indented JSON.
///
/// # Errors
/// As for [`line`], and if the value can't be serialised.
pub fn json(value: &impl Serialize) -> Printed {
    line(&serde_json::to_string_pretty(value).map_err(OutputError::Json)?)
}

/// Prints a value as JSON on one line.
///
/// # Errors
/// As for [`line`], and if the value can't be serialised.
pub fn json_line(value: &impl Serialize) -> Printed {
    line(&serde_json::to_string(value).map_err(OutputError::Json)?)
}

fn write_out(out: &mut impl Write, text: &str) -> Printed {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Prints help or the version to standard output, or what is wrong with the arguments to standard error, in colour on a terminal.
///
/// # Errors
/// If the text can't be written although the pipe is open.
pub fn help(shown: &clap::Error) -> Printed {
    let printed = shown.print().and_then(|()| io::stdout().lock().flush());
    match printed {
        Err(error) if !shown.use_stderr() && error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(true),
    }
}

/// Prints an error with its causes.
pub fn error(error: &anyhow::Error) {
    let mut sentence = String::new();
    for cause in error.chain().filter(|cause| !cause.is::<super::Usage>()) {
        let cause = cause.to_string();
        // Skips a cause that the sentence already contains.
        if !sentence.contains(&cause) {
            if !sentence.is_empty() {
                sentence.push_str(": ");
            }
            sentence.push_str(&cause);
        }
    }
    remark(&format!("luna: {sentence}"));
}

/// Prints a remark to standard error. A remark that can't be written is dropped: no other channel is left.
pub fn remark(text: &str) {
    remark_piece(&format!("{text}\n"));
}

/// Prints a piece of a remark, without ending the line.
pub fn remark_piece(text: &str) {
    write_stderr(&printable(text));
}

/// Replaces the current line on the terminal with `text`.
pub fn redraw(text: &str) {
    write_stderr(&format!("\r\u{1b}[K{}", printable(text)));
}

fn write_stderr(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that only returns an error.
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
        assert!(matches!(write_out(&mut Vec::new(), "x"), Ok(true)));
        assert!(matches!(write_out(&mut Broken(ErrorKind::BrokenPipe), "x"), Ok(false)));
        assert!(matches!(write_out(&mut Broken(ErrorKind::StorageFull), "x"), Err(OutputError::Full)));
        assert!(matches!(write_out(&mut Broken(ErrorKind::PermissionDenied), "x"), Err(OutputError::Unwritable(_))));
    }
}
