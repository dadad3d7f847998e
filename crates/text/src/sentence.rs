//! Splits a text into sentences (TTS-1).

use super::abbreviations::includes_full_stop;
use super::clause;
use crate::language::is_hangul;

/// A piece of a text that is spoken as a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpokenPiece<'a> {
    /// The words, without surrounding whitespace. Never empty.
    pub text: &'a str,
    /// Start in the text, in characters.
    pub start: usize,
}

/// Maximum distance of a closing quotation mark, in characters: a full stop inside a quotation does not end the surrounding sentence.
const MAX_QUOTATION_CHARS: usize = 160;

/// Splits `text` into sentences, and long sentences further at commas and words ([`clause`]).
///
/// The pieces contain all characters of the text but whitespace, in order.
#[must_use]
pub fn split(text: &str) -> Vec<SpokenPiece<'_>> {
    cut(text, clause::split)
}

/// Like [`split`], but sentences stay whole, however long: for translation.
#[must_use]
pub fn split_whole(text: &str) -> Vec<SpokenPiece<'_>> {
    cut(text, |sentence| vec![sentence])
}

/// Like [`split`], but not at commas: for a table row, in which commas separate cells.
#[must_use]
pub fn split_rows(text: &str) -> Vec<SpokenPiece<'_>> {
    cut(text, clause::split_by_length)
}

/// Index of the piece that contains character `offset`: the last that begins at or before it.
#[must_use]
pub fn at(pieces: &[usize], offset: usize) -> usize {
    pieces.iter().rposition(|&start| start <= offset).unwrap_or(0)
}

fn cut(text: &str, further: fn(&str) -> Vec<&str>) -> Vec<SpokenPiece<'_>> {
    let mut pieces = Vec::new();
    // Byte and character offset up to which characters have been counted.
    let (mut counted, mut chars) = (0, 0);
    for sentence in sentences(text) {
        for part in further(sentence) {
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            let begin = part.as_ptr() as usize - text.as_ptr() as usize;
            chars += text.get(counted..begin).map_or(0, |skipped| skipped.chars().count());
            counted = begin;
            pieces.push(SpokenPiece { text: part, start: chars });
        }
    }
    pieces
}

fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']) {
        let chars: Vec<(usize, char)> = line.char_indices().collect();
        let mut begin = 0;
        let mut i = 0;
        // Position of the mark that closes the open quotation.
        let mut quoted_until = 0;
        while i < chars.len() {
            let c = chars[i].1;
            if i >= quoted_until
                && let Some(close) = closing(&chars, i)
            {
                quoted_until = close;
            }
            if !is_terminator(c) {
                i += 1;
                continue;
            }
            let mut end = i + 1;
            while end < chars.len() && (is_terminator(chars[end].1) || is_closer(chars[end].1)) {
                end += 1;
            }
            let inside = end < quoted_until;
            if !inside && ends_sentence(&chars, begin, i, end) {
                let (from, to) = (byte(&chars, begin, line), byte(&chars, end, line));
                found.push(&line[from..to]);
                begin = end;
            }
            i = end;
        }
        found.push(&line[byte(&chars, begin, line)..]);
    }
    found
}

fn byte(chars: &[(usize, char)], i: usize, line: &str) -> usize {
    chars.get(i).map_or(line.len(), |c| c.0)
}

const fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '．' | '｡')
}

const fn is_wide(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡')
}

/// Whether `c` is a mark that may follow a sentence's terminator.
const fn is_closer(c: char) -> bool {
    matches!(c, '”' | '’' | ')' | ']' | '」' | '』' | '》' | '〉' | '】' | '»' | '"' | '\'')
}

/// The position after the mark that closes the quotation opened at `i`; `None` if it is farther than [`MAX_QUOTATION_CHARS`].
fn closing(chars: &[(usize, char)], i: usize) -> Option<usize> {
    let close = match chars[i].1 {
        '“' => '”',
        '「' => '」',
        '『' => '』',
        '"' if i == 0 || !chars[i - 1].1.is_alphanumeric() => '"',
        _ => return None,
    };
    let till = chars.len().min(i + 1 + MAX_QUOTATION_CHARS);
    chars.get(i + 1..till)?.iter().position(|c| c.1 == close).map(|at| i + 1 + at + 1)
}

/// Whether the terminator at `at`, with closing marks up to `end`, ends the sentence that began at `begin`.
fn ends_sentence(chars: &[(usize, char)], begin: usize, at: usize, end: usize) -> bool {
    let Some(&(_, after)) = chars.get(end) else {
        return true;
    };
    let terminator = chars[at].1;
    let before = if at > 0 { chars[at - 1].1 } else { ' ' };
    if !after.is_whitespace() {
        // Full-width marks include their space; and the space between Korean sentences is often omitted.
        return is_wide(terminator) && !is_closing_follow(chars, at, end)
            || end == at + 1 && is_hangul(before) && is_hangul(after);
    }
    let Some(&(_, next)) = chars[end..].iter().find(|c| !c.1.is_whitespace()) else {
        return true;
    };
    let marks = &chars[at..end];
    if marks[0].1 == '…' || marks.len() >= 2 && marks[0].1 == '.' && marks[1].1 == '.' {
        return false;
    }
    // The sentence continues: "Stop!" and left; approx. five.
    if next.is_lowercase() {
        return false;
    }
    if terminator != '.' || end > at + 1 {
        return true;
    }
    let word = word_before(chars, begin, at);
    !(includes_full_stop(&word, next) || is_list_number(chars, begin, at) || is_date_part(chars, begin, at, end, next))
}

/// Whether a closing quotation mark follows the full-width mark, so that the sentence continues: 「네。」라고.
fn is_closing_follow(chars: &[(usize, char)], at: usize, end: usize) -> bool {
    end > at + 1 && chars[end - 1].1 != '！' && !is_terminator(chars[end - 1].1)
}

fn word_before(chars: &[(usize, char)], begin: usize, at: usize) -> String {
    let from = chars[begin..at]
        .iter()
        .rposition(|c| !(c.1.is_alphanumeric() || c.1 == '.'))
        .map_or(begin, |space| begin + space + 1);
    chars[from..at].iter().map(|c| c.1).collect()
}

/// Whether the sentence so far is only an item number, such as "1.", "1.2." or "가.".
fn is_list_number(chars: &[(usize, char)], begin: usize, at: usize) -> bool {
    let word: Vec<char> = chars[begin..at].iter().map(|c| c.1).filter(|c| !c.is_whitespace()).collect();
    match word.as_slice() {
        [one] => {
            one.is_numeric()
                || one.is_ascii_alphabetic() && *one != 'I'
                || "가나다라마바사아자차카타파하".contains(*one)
        }
        [first, rest @ ..] => {
            rest.len() <= 2 && first.is_numeric() && rest.iter().all(|c| c.is_numeric())
                || word.len() <= 4 && word.iter().all(|c| "ivxIVX".contains(*c))
                || word
                    .split(|c| *c == '.')
                    .all(|part| (1..=3).contains(&part.len()) && part.iter().all(|c| c.is_numeric()))
        }
        [] => true,
    }
}

/// Whether the full stop belongs to a date such as "2026. 11. 21. 회의".
fn is_date_part(chars: &[(usize, char)], begin: usize, at: usize, end: usize, next: char) -> bool {
    let digits =
        |from: usize, to: usize| to > from && to - from <= 4 && chars[from..to].iter().all(|c| c.1.is_numeric());
    let from = chars[begin..at].iter().rposition(|c| !c.1.is_numeric()).map_or(begin, |i| begin + i + 1);
    if !digits(from, at) {
        return false;
    }
    let number_follows = {
        let start = end + chars[end..].iter().take_while(|c| c.1.is_whitespace()).count();
        let stop = start + chars[start..].iter().take_while(|c| c.1.is_numeric()).count();
        digits(start, stop) && stop - start <= 2 && chars.get(stop).is_some_and(|c| c.1 == '.')
    };
    let number_before = {
        let trimmed = from - chars[begin..from].iter().rev().take_while(|c| c.1.is_whitespace()).count();
        trimmed < from && trimmed >= begin + 2 && chars[trimmed - 1].1 == '.' && chars[trimmed - 2].1.is_numeric()
    };
    number_follows || number_before && at - from <= 2 && !next.is_uppercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let pieces = split(text);
        assert_eq!(pieces.iter().map(|p| p.text).collect::<Vec<_>>(), expect, "{text}");
        for piece in pieces {
            let at: String = text.chars().skip(piece.start).take(piece.text.chars().count()).collect();
            assert_eq!(at, piece.text);
        }
    }

    // TTS-1
    #[test]
    fn plain_sentences_are_cut_tts_1() {
        check("", &[]);
        check(" \n\t ", &[]);
        check("Hello", &["Hello"]);
        check("Hello there. How are you? Fine!", &["Hello there.", "How are you?", "Fine!"]);
        check("안녕하세요. 반갑습니다! 잘 지내세요?", &["안녕하세요.", "반갑습니다!", "잘 지내세요?"]);
        check("집에 갔다.그리고 잤다.", &["집에 갔다.", "그리고 잤다."]);
        check("これ。それ！", &["これ。", "それ！"]);
        check("Title\nFirst line\n\nNext paragraph.", &["Title", "First line", "Next paragraph."]);
        check("What?! No way!!! Yes.", &["What?!", "No way!!!", "Yes."]);
        check(
            "파일을 저장했습니다. Save completed. 확인을 누르세요.",
            &["파일을 저장했습니다.", "Save completed.", "확인을 누르세요."],
        );
    }

    // TTS-1
    #[test]
    fn stops_inside_words_and_numbers_do_not_cut_tts_1() {
        for whole in [
            "Pi is 3.14 or so.",
            "버전 2.0.1을 설치합니다.",
            "See https://example.com/a.b?c=d.e for more.",
            "Write to kim.min@example.co.kr today.",
            "Open the file report.final.txt now.",
            "Dr. Kim and Mr. Lee met Prof. Park.",
            "Bring fruit, e.g. apples.",
            "We met at 5 p.m. on Monday.",
            "See No. 5 and Fig. 3 there.",
            "J. R. R. Tolkien wrote it.",
            "It costs approx. five dollars.",
            "Well... maybe.",
            "그게… 그러니까 말이야.",
            "2026. 11. 21. 회의",
            "He said \"Stop!\" and left.",
            "“안녕. 잘 지내?”라고 말했다.",
            "\"네. 알겠습니다.\"라고 답했다.",
            "1. First of all",
            "1.2. What is this spec?",
            "3.10.4. Names of files",
            "가. 목적",
            "Apple Inc. and others",
        ] {
            check(whole, &[whole]);
        }
    }

    // TTS-1
    #[test]
    fn real_ends_after_odd_words_cut_tts_1() {
        check("No. I will not.", &["No.", "I will not."]);
        check("It was I. He left.", &["It was I.", "He left."]);
        check("It closes at 5 p.m. Then we go.", &["It closes at 5 p.m.", "Then we go."]);
        check("It was 1999. Then it ended.", &["It was 1999.", "Then it ended."]);
        check("He said \"Go.\" Then he left.", &["He said \"Go.\"", "Then he left."]);
        check("(끝났다.) 다음.", &["(끝났다.)", "다음."]);
        check("네. 그렇습니다.", &["네.", "그렇습니다."]);
    }

    // TTS-1
    #[test]
    fn reading_begins_with_the_sentence_at_the_offset_tts_1() {
        let starts: Vec<usize> = split("첫째다. 둘째다. 셋째다.").iter().map(|p| p.start).collect();
        assert_eq!(starts, [0, 5, 10]);
        for (offset, expect) in [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (500, 2)] {
            assert_eq!(at(&starts, offset), expect, "{offset}");
        }
        assert_eq!(at(&[], 3), 0);
    }

    fn solid(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        // TTS-1
        #[test]
        fn no_character_is_lost_or_moved_tts_1(text in "([가-힣]{1,4}|[a-zA-Z]{1,6}|[0-9]{1,3}|[.,!?…\"'()“”;:]|[ \n]|e\\.g\\.|。|\\PC){0,120}") {
            for pieces in [split(&text), split_rows(&text)] {
                let joined: String = pieces.iter().map(|p| p.text).collect();
                prop_assert_eq!(solid(&joined), solid(&text));
                for p in &pieces {
                    prop_assert!(!p.text.is_empty());
                    let at: String = text.chars().skip(p.start).take(p.text.chars().count()).collect();
                    prop_assert_eq!(&at, p.text);
                }
                prop_assert!(pieces.windows(2).all(|w| w[0].start < w[1].start));
            }
        }
    }
}
