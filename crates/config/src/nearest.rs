//! The known word that looks most like a mistyped one.

use strsim::osa_distance;

/// Nobody mistypes a word that is longer, in characters.
const LONGEST: usize = 64;

/// The candidate with the smallest edit distance, if it is near enough to be meant: at most a third of the word, at least 1. Inserting, removing
/// and replacing a character count one each, and so does exchanging two neighbours, the commonest slip of a hand.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expect: Option<&str>) {
        let known = ["rate", "rate_step", "rate_min", "voices", "buffer_frames", "루나"];
        assert_eq!(nearest(word, known), expect, "{word}");
    }

    // CFG-2
    #[test]
    fn mistyped_words_find_their_neighbour_cfg_2() {
        check("raet", Some("rate"));
        check("Rate", Some("rate"));
        check("voice", Some("voices"));
        check("buffer_frame", Some("buffer_frames"));
        check("루냐", Some("루나"));
        check("zzz", None);
        check("", None);
        check(&"x".repeat(10_000), None);
    }
}
