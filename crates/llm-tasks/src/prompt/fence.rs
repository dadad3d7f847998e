//! Delimiters around screen text.

/// `text` between two delimiter lines longer than any run of `=` in it, so that it can't close its own fence (PRV-5).
#[must_use]
pub fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '=').map(str::len).max().unwrap_or(0);
    let mark = "=".repeat(longest.max(3) + 1);
    format!("{mark}\n{text}\n{mark}")
}
