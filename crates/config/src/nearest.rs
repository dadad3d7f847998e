//! The known word that looks most like a mistyped one.

/// Nobody mistypes a word that is longer, in characters.
const LONGEST: usize = 64;

/// The candidate with the smallest edit distance, where it is near enough to be meant: at most a third of the word, at least 1.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edits from one word to the other: insert, remove, replace, and exchange of neighbours count one each.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut best = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[to.len()]
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
