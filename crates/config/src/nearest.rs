//! The known word nearest to a mistyped one.

use strsim::osa_distance;

/// Longer words, in characters, are not compared: they are no typing mistakes.
const MAX_WORD_CHARS: usize = 64;

/// The candidate with the smallest edit distance, at most a third of the word's length (at least 1). An insertion, a deletion, a substitution and
/// a swap of two neighbours, the commonest typing mistake, each count 1.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > MAX_WORD_CHARS {
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
