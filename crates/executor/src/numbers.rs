//! Numbers as they are said and shown: "30", "-7", "45 %".

/// The number that a text is, and how it is typed; `None` if it is more than that.
#[must_use]
pub fn number_of(value: &str) -> Option<(f64, &str)> {
    let typed = value.trim().trim_end_matches(['%', '％']).trim();
    typed.parse().ok().map(|number| (number, typed))
}
