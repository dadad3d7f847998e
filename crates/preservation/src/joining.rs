//! What stands between two numbers in English, and whether Korean keeps their order with it (PRE-2).

use std::sync::OnceLock;

/// What stands in Korean between a whole and a part of it.
pub(super) const WHOLE: [&str; 6] = ["중", "가운데", "중에", "중에서", "중의", "가운데서"];

/// How English joins two numbers; the surer that the order stays, the higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    /// Otherwise; Korean may turn it round.
    Other,
    /// As a part and its whole, which Korean turns round: "3 of 5", 5개 중 3개.
    Part,
    /// By a sign between equals: "3, 5", "rows 3, columns 5", "3–5".
    Sign,
    /// By a word between equals, which the other language may exchange with all that belongs to them: "3 files and 5 folders".
    Word,
    /// As the ends of a range: "3 to 5".
    Range,
}

/// What a word between two numbers does.
#[derive(Debug, Default)]
struct JoiningWords {
    equals: Vec<&'static str>,
    range: Vec<&'static str>,
    turning: Vec<&'static str>,
    aside: Vec<&'static str>,
    article: Vec<&'static str>,
}

fn joining_words() -> &'static JoiningWords {
    static WORDS: OnceLock<JoiningWords> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words = JoiningWords::default();
        for line in include_str!("joining.tsv").lines() {
            let (kind, list) = line.split_once('\t').unwrap_or(("", ""));
            let list = list.split(' ').collect();
            match kind {
                "equals" => words.equals = list,
                "range" => words.range = list,
                "turning" => words.turning = list,
                "aside" => words.aside = list,
                "article" => words.article = list,
                _ => {}
            }
        }
        words
    })
}

/// Whether an English word joins equals.
pub(super) fn is_equal(word: &str) -> bool {
    joining_words().equals.contains(&word)
}

/// Whether an English word says nothing of what is counted.
pub(super) fn is_article(word: &str) -> bool {
    joining_words().article.contains(&word)
}

/// Whether an English word names nothing, and ends what a number counts.
pub(super) fn is_function_word(word: &str) -> bool {
    let known = joining_words();
    !is_article(word)
        && [&known.equals, &known.range, &known.turning, &known.aside].iter().any(|list| list.contains(&word))
}

/// What joins two numbers with `english` between them, and other numbers in it; `before` and `after` stand around them.
pub(super) fn joint(before: &str, english: &str, after: &str) -> Joint {
    // "From 8th place to 14th".
    let last = before.trim_end().rsplit(' ').next().unwrap_or("");
    if last.eq_ignore_ascii_case("from") && english.split(' ').any(|word| word == "to") {
        return Joint::Range;
    }
    let parts = english.split(|c: char| c.is_ascii_digit()).filter(|part| !matches!(part.trim(), "" | "," | "."));
    let joint = parts.map(one_joint).min().unwrap_or(Joint::Sign);
    // "9 people, 5 of them children".
    if after.trim_start().starts_with("of ") && joint != Joint::Part { Joint::Other } else { joint }
}

fn one_joint(english: &str) -> Joint {
    let trimmed = english.trim().to_lowercase();
    let out_of = trimmed.strip_suffix(" the").unwrap_or(&trimmed).strip_suffix("out of");
    // "3 out of 5", "3 colours out of 16"
    if matches!(&*trimmed, "of" | "of the") || out_of.is_some_and(|noun| noun.split_whitespace().count() <= 1) {
        return Joint::Part;
    }
    let known = joining_words();
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
            if known.equals.contains(&&*word) {
                return Joint::Word;
            }
            if words == 1 && !sign && known.range.contains(&&*word) {
                return Joint::Range;
            }
            if known.turning.contains(&&*word) || sign && known.aside.contains(&&*word) {
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
    fn the_joining_words_are_read_pre_2() {
        let words = joining_words();
        let kinds = [&words.equals, &words.range, &words.turning, &words.aside, &words.article];
        assert!(kinds.iter().all(|kind| kind.len() >= 5 && kind.iter().all(|word| !word.is_empty())), "{words:?}");
        let lines = include_str!("joining.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(lines, kinds.len(), "an unknown kind");
    }

    // PRE-2
    #[test]
    fn what_stands_between_two_numbers_shows_whether_their_order_stays_pre_2() {
        let check = |english: &str, expect: Joint| assert_eq!(joint("Open ", english, " files"), expect, "{english}");
        check(" files and ", Joint::Word);
        check(" and lows of ", Joint::Word);
        check(" to ", Joint::Range);
        check(" colours out of ", Joint::Part);
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
        assert_eq!(joint("", " people, ", " of them"), Joint::Other);
        assert_eq!(joint("It fell from ", " place to ", ""), Joint::Range);
    }
}
