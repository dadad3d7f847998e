//! Words with a full stop that does not end a sentence.

/// Never the end of a sentence.
const NEVER: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "cf", "viz", "approx", "dept", "est", "gen", "col",
    "lt", "sgt", "capt", "rev", "hon", "gov", "sen", "rep", "pres", "ph.d", "u.s", "u.k", "u.n", "e.u", "mt", "ave",
    "blvd", "tel", "ext", "min", "max", "incl", "excl", "resp",
];

/// The end of a sentence if what follows looks like the beginning of one.
const PERHAPS: &[&str] =
    &["etc", "a.m", "p.m", "inc", "ltd", "co", "corp", "jr", "sr", "et al", "al", "bros", "b.c", "a.d"];

/// Not the end of a sentence if a number follows.
const BEFORE_NUMBER: &[&str] = &[
    "no", "nos", "fig", "figs", "vol", "p", "pp", "art", "sec", "ch", "eq", "jan", "feb", "mar", "apr", "jun", "jul",
    "aug", "sep", "sept", "oct", "nov", "dec", "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat",
    "sun", "ver", "v",
];

/// Whether the full stop after `word` belongs to the word. `next` is the first character after the space that follows it.
pub(super) fn includes_full_stop(word: &str, next: char) -> bool {
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    let begins = next.is_uppercase() || next.is_alphabetic() && !next.is_lowercase();
    NEVER.contains(&lower)
        || PERHAPS.contains(&lower) && !begins
        || BEFORE_NUMBER.contains(&lower) && next.is_numeric()
        || is_initial(word) && next.is_uppercase()
}

/// Whether the word is an initial: "J" in "J. Smith", "A.B" in "A.B. Smith"; not "I".
fn is_initial(word: &str) -> bool {
    word != "I" && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(|c| c.is_ascii_uppercase()))
}
