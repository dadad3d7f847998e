//! Marks round text of the screen.

/// `text` between two lines of marks that do not stand in it, so that nothing in it can end it (PRV-5).
#[must_use]
pub fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '=').map(str::len).max().unwrap_or(0);
    let mark = "=".repeat(longest.max(3) + 1);
    format!("{mark}\n{text}\n{mark}")
}
