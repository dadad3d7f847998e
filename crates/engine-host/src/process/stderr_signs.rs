//! What an engine's standard error reveals of a failure, without its text (PRV-2). Native libraries quote their input in error messages, so no line
//! of a child is logged or reported as it is: lines are counted, and a few signs of the cause are recognised. Pure.

use std::fmt;

use luna_engine_protocol::PANICKED;

/// Maximum length of the end of a line that is examined, bytes.
const MAX_LINE_BYTES: usize = 512;
/// Maximum length of an accepted source location or library name, bytes.
const MAX_NAME_BYTES: usize = 200;

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct StderrSigns {
    /// The current line, or its end.
    line: Vec<u8>,
    lines: u64,
    sign: Option<Sign>,
}

/// The cause that a line reveals, without a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sign {
    /// Luna's own code in the engine panicked at this location.
    Panic(String),
    /// An assertion of a library failed.
    Assertion,
    /// An allocation failed.
    Memory,
    /// The system did not find this library at its start.
    Library(String),
}

impl StderrSigns {
    /// Adds output; in pieces of any length.
    pub fn add(&mut self, mut piece: &[u8]) {
        while let Some(end) = piece.iter().position(|byte| *byte == b'\n') {
            self.keep(&piece[..end]);
            self.end_line();
            piece = &piece[end + 1..];
        }
        self.keep(piece);
    }

    /// Ends the output.
    pub fn end(&mut self) {
        if !self.line.is_empty() {
            self.end_line();
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        self.line.extend_from_slice(&piece[piece.len().saturating_sub(MAX_LINE_BYTES)..]);
        let excess = self.line.len().saturating_sub(MAX_LINE_BYTES);
        self.line.drain(..excess);
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.lines += 1;
        // The first panic is the cause of what follows it.
        if !matches!(self.sign, Some(Sign::Panic(_)))
            && let Some(sign) = sign(&String::from_utf8_lossy(&line))
        {
            self.sign = Some(sign);
        }
    }
}

/// The end of a sentence about the program's end; empty if it wrote nothing.
impl fmt::Display for StderrSigns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sign {
            Some(Sign::Panic(place)) => write!(f, "; it panicked at {place}"),
            Some(Sign::Assertion) => f.write_str("; an assertion of its library failed"),
            Some(Sign::Memory) => f.write_str("; it got no memory"),
            Some(Sign::Library(name)) => write!(f, "; the library {name} is missing"),
            None if self.lines == 0 => Ok(()),
            None => write!(
                f,
                "; it left {} on its standard error, not shown because they may quote what was read",
                if self.lines == 1 { "words".to_owned() } else { format!("{} lines", self.lines) }
            ),
        }
    }
}

fn sign(line: &str) -> Option<Sign> {
    if let Some(place) = line.trim_end().strip_prefix(PANICKED) {
        return is_place(place).then(|| Sign::Panic(place.to_owned()));
    }
    if let Some((_, rest)) = line.split_once("error while loading shared libraries: ") {
        let name = rest.split(':').next().unwrap_or_default();
        return is_library(name).then(|| Sign::Library(name.to_owned()));
    }
    let line = line.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    if has(&["out of memory", "bad_alloc", "failed to allocate", "unable to allocate", "memory allocation of"]) {
        Some(Sign::Memory)
    } else if has(&["assert"]) {
        Some(Sign::Assertion)
    } else {
        None
    }
}

/// Whether this is a source location and nothing else: `folder/file.rs:12:3`.
fn is_place(place: &str) -> bool {
    let mut parts = place.rsplitn(3, ':');
    let (column, line, file) = (parts.next(), parts.next(), parts.next());
    let number =
        |part: Option<&str>| part.is_some_and(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    number(column) && number(line) && file.is_some_and(|file| file.ends_with(".rs") && is_name(file))
}

fn is_library(name: &str) -> bool {
    name.starts_with("lib") && name.contains(".so") && is_name(name)
}

fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME_BYTES && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/\\._-+:".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-2
    #[test]
    fn the_words_of_a_child_are_counted_and_never_quoted_prv_2() {
        let check = |pieces: &[&str], expect: &str| {
            let mut words = StderrSigns::default();
            pieces.iter().for_each(|piece| words.add(piece.as_bytes()));
            words.end();
            assert_eq!(words.to_string(), expect, "{pieces:?}");
        };
        check(&[], "");
        check(&["secret"], "; it left words on its standard error, not shown because they may quote what was read");
        check(
            &["secret\nsec", "ret 2\n", "\n"],
            "; it left 3 lines on its standard error, not shown because they may quote what was read",
        );
        check(&["GGML_ASSERT(secret == 3) failed\n"], "; an assertion of its library failed");
        check(&["terminate called: std::bad_alloc, secret\n"], "; it got no memory");
        check(
            &["luna-engine: panicked at engines/llm/src/text.rs:12:3\nsecret assert"],
            "; it panicked at engines/llm/src/text.rs:12:3",
        );
        check(
            &["luna-engine: panicked at the secret:1:2\n"],
            "; it left words on its standard error, not shown because they may quote what was read",
        );
        check(
            &["luna-engine: panicked at secret.rs\n"],
            "; it left words on its standard error, not shown because they may quote what was read",
        );
        check(
            &["x: error while loading shared libraries: libgomp.so.1: cannot open shared object file"],
            "; the library libgomp.so.1 is missing",
        );
        check(
            &["x: error while loading shared libraries: my secret"],
            "; it left words on its standard error, not shown because they may quote what was read",
        );
        // Output without line breaks does not fill the memory.
        let mut words = StderrSigns::default();
        for _ in 0..1000 {
            words.add(&[b'x'; 1000]);
        }
        assert!(words.line.len() <= MAX_LINE_BYTES);
    }
}
