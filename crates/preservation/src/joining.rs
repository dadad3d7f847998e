//! What stands between two numbers in English, and whether Korean keeps their order with it (PRE-2).

/// How English joins two numbers; the surer that the order stays, the higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    /// Otherwise; Korean may turn it round.
    Other,
    /// As a part and its whole, which Korean turns round: "3 of 5", 5개 중 3개.
    Part,
    /// By a sign between equals: "3, 5", "rows 3, columns 5", "3–5".
    Sign,
    /// By a word between equals: "3 files and 5 folders", "3 to 5".
    Word,
}

/// Words that join equals, wherever they stand after the first number.
const EQUALS: &[&str] = &["and", "or", "but", "then", "plus", "versus", "vs"];
/// Words that join equals if they follow the first number directly.
const RANGES: &[&str] = &["to", "through", "until", "x", "by", "minus"];
/// Words after which Korean puts first what follows.
const TURNING: &[&str] = &[
    "of", "in", "on", "at", "for", "from", "with", "after", "before", "since", "under", "over", "than", "when",
    "while", "which", "that", "who", "where", "because", "if", "until", "per", "within", "during", "as", "out", "up",
    "down", "between", "into", "without", "to", "by", "through", "above", "below", "like", "via", "about", "against",
    "instead", "unless", "whose",
];

/// Words after a sign that begin an aside and no further member of a list: "3-0, their 5th defeat".
const ASIDE: &[&str] = &[
    "the",
    "a",
    "an",
    "their",
    "his",
    "her",
    "its",
    "my",
    "our",
    "your",
    "this",
    "these",
    "those",
    "including",
    "making",
];

/// What joins two numbers with `english` between them, and other numbers in it; `after` follows the second one.
pub(super) fn joint(english: &str, after: &str) -> Joint {
    let parts = english.split(|c: char| c.is_ascii_digit()).filter(|part| !matches!(part.trim(), "" | "," | "."));
    let joint = parts.map(one_joint).min().unwrap_or(Joint::Sign);
    // "9 people, 5 of them children".
    if after.trim_start().starts_with("of ") && joint != Joint::Part { Joint::Other } else { joint }
}

fn one_joint(english: &str) -> Joint {
    let trimmed = english.trim().to_lowercase();
    if matches!(&*trimmed, "of" | "out of" | "of the" | "out of the") {
        return Joint::Part;
    }
    let mut sign = false;
    let mut words = 0;
    let mut word = String::new();
    for c in trimmed.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '\'' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words += 1;
            if EQUALS.contains(&&*word) || words == 1 && !sign && RANGES.contains(&&*word) {
                return Joint::Word;
            }
            if TURNING.contains(&&*word) || sign && ASIDE.contains(&&*word) {
                return Joint::Other;
            }
            word.clear();
        }
        sign |= matches!(c, ',' | ';' | ':' | '|' | '\t');
    }
    // "3 files are 5 MB" is neither.
    if words == 0 || sign && words <= 4 { Joint::Sign } else { Joint::Other }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRE-2
    #[test]
    fn what_stands_between_two_numbers_shows_whether_their_order_stays_pre_2() {
        let check = |english: &str, expect: Joint| assert_eq!(joint(english, " files"), expect, "{english}");
        check(" files and ", Joint::Word);
        check(" and lows of ", Joint::Word);
        check(" to ", Joint::Word);
        check(", ", Joint::Sign);
        check("~", Joint::Sign);
        check(", columns ", Joint::Sign);
        check(" of ", Joint::Part);
        check(" files in ", Joint::Other);
        check(" files to ", Joint::Other);
        check(", their ", Joint::Other);
        check(", and the set is ", Joint::Word);
        check(", under the ", Joint::Other);
        check(" people in Seoul and ", Joint::Other);
        check(" floor ", Joint::Other);
        check(" gold medals and 2 silver medals at the ", Joint::Other);
        check(", 41, ", Joint::Sign);
        assert_eq!(joint(" people, ", " of them"), Joint::Other);
    }
}
