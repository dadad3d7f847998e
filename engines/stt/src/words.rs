//! Removes what Whisper hallucinates (STT-4): names of noises, music, endless repetitions. Pure.

/// Longest repeated phrase, words.
const LONGEST_PERIOD: usize = 16;
/// Repetitions that are implausible in speech; phrases of up to two words are genuinely repeated more often ("no, no, no").
const REPEATS: usize = 4;
const REPEATS_OF_FEW: usize = 6;
/// Implausible repetition inside a word: minimum repetitions and minimum total characters.
const REPEATS_IN_WORD: usize = 6;
const LENGTH_IN_WORD: usize = 24;

/// Removes hallucinated text; returns the rest, empty if nothing is left, and the share kept, 0 to 1.
pub fn clean(text: &str) -> (String, f32) {
    let text: String = text.chars().map(|c| if c.is_control() || c == '\u{fffd}' { ' ' } else { c }).collect();
    let spoken = without_notes(&text);
    if !spoken.chars().any(char::is_alphanumeric) {
        return (String::new(), 0.0);
    }
    let words: Vec<String> = spoken.split_whitespace().map(collapse_characters).collect();
    let kept = collapse(&words, LONGEST_PERIOD, |period| if period <= 2 { REPEATS_OF_FEW } else { REPEATS });
    let kept = kept.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
    let count = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count() as f32;
    let share = count(&kept) / count(&spoken).max(1.0);
    (kept, share.min(1.0))
}

/// Removes names of noises: every `[…]`, which Whisper writes for nothing else, and `(…)`, `*…*` and `♪…♪` if there is no other text.
fn without_notes(text: &str) -> String {
    let text = cut(text, '[', ']');
    let mut rest = text.clone();
    for (open, close) in [('(', ')'), ('*', '*'), ('♪', '♪'), ('（', '）')] {
        rest = cut(&rest, open, close);
    }
    if rest.chars().any(char::is_alphanumeric) { text } else { rest }
}

/// Removes everything between two characters, and an unclosed opening one with all that follows.
fn cut(text: &str, open: char, close: char) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        if inside {
            inside = c != close;
        } else if c == open {
            inside = true;
            // Keeps the words on both sides apart.
            kept.push(' ');
        } else {
            kept.push(c);
        }
    }
    kept
}

/// Reduces a word of endless repetitions to one period; numbers are unchanged.
fn collapse_characters(word: &str) -> String {
    let characters: Vec<char> = word.chars().collect();
    if characters.len() < LENGTH_IN_WORD || characters.iter().any(char::is_ascii_digit) {
        return word.to_owned();
    }
    let needed = |period: usize| REPEATS_IN_WORD.max(LENGTH_IN_WORD.div_ceil(period));
    collapse(&characters, LONGEST_PERIOD, needed).into_iter().collect()
}

/// Reduces a phrase repeated at least `needed(period)` times in a row to one occurrence.
fn collapse<T: PartialEq>(items: &[T], longest: usize, needed: impl Fn(usize) -> usize) -> Vec<&T> {
    let mut kept = Vec::with_capacity(items.len());
    let mut at = 0;
    while at < items.len() {
        let turns = |period: usize| {
            let same = items[at..].iter().zip(&items[at + period..]).take_while(|(a, b)| a == b).count();
            same / period + 1
        };
        let found = (1..=longest.min((items.len() - at) / 2)).find(|&period| turns(period) >= needed(period));
        match found {
            Some(period) => {
                kept.extend(&items[at..at + period]);
                at += period * turns(period);
                // A partial last repetition belongs to the repetition.
                let broken = items[at..].iter().zip(&items[at - period..]).take_while(|(a, b)| a == b).count();
                if at + broken == items.len() {
                    at += broken;
                }
            }
            None => {
                kept.push(&items[at]);
                at += 1;
            }
        }
    }
    kept
}

/// Whether a text is hallucinated: Whisper reports no speech and its words have a low mean log probability. Both bounds are those of
/// Whisper's authors.
pub fn is_no_speech(no_speech: f32, log_probability: f32) -> bool {
    no_speech > 0.6 && log_probability < -1.0
}

/// Stops endless repetitions of one segment.
#[derive(Debug, Default)]
pub struct RepetitionFilter {
    last: String,
    times: usize,
}

/// Maximum number of equal consecutive segments.
const EQUAL_SEGMENTS: usize = 3;

impl RepetitionFilter {
    /// Whether the segment exceeds the maximum.
    pub fn is_too_many(&mut self, text: &str) -> bool {
        if self.last == text {
            self.times += 1;
        } else {
            text.clone_into(&mut self.last);
            self.times = 1;
        }
        self.times > EQUAL_SEGMENTS
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(clean(text).0, expect, "{text:?}");
    }

    // STT-4
    #[test]
    fn speech_stays_as_it_is_stt_4() {
        for text in [
            "Turn on the living room light.",
            "거실 불 켜줘.",
            "아니 아니 아니, 그거 말고",
            "no no no no no",
            "call (02) 1234 5678",
            "전화번호는 0000000000000000000000000000",
            "f(x) is 3 * 4 * 5",
            "하하하하하하",
        ] {
            check(text, text);
            assert_eq!(clean(text).1, 1.0, "{text}");
        }
        check("  two   spaces \n and a line ", "two spaces and a line");
    }

    // STT-4
    #[test]
    fn names_of_noises_and_music_are_nothing_stt_4() {
        for text in [
            "",
            " ",
            "...",
            "[BLANK_AUDIO]",
            "(음악)",
            " [Music] ",
            "*sigh*",
            "♪ la la la ♪",
            "♪♪♪",
            "(박수) ...",
            "[음악",
            "♪ 노래",
            "\u{fffd}",
        ] {
            check(text, "");
        }
        check("[Music] hello", "hello");
        check("안녕[웃음]하세요", "안녕 하세요");
        check("say (quietly) hello", "say (quietly) hello");
    }

    // STT-4
    #[test]
    fn endless_repetitions_are_told_once_stt_4() {
        check("thank you thank you thank you thank you thank you thank you", "thank you");
        check("I think that I think that I think that I think that I", "I think that");
        check("start a b c a b c a b c a b c end", "start a b c end");
        check("감사합니다. 감사합니다. 감사합니다. 감사합니다. 감사합니다. 감사합니다. 감사합니다.", "감사합니다.");
        check(&"가".repeat(40), "가");
        check(&format!("좋아요 {}", "네네요".repeat(30)), "좋아요 네네요");
        let (_, share) = clean(&"noise ".repeat(10));
        assert!((share - 0.1).abs() < 0.01, "{share}");
    }

    // STT-4
    #[test]
    fn equal_segments_are_told_three_times_at_most_stt_4() {
        let mut again = RepetitionFilter::default();
        let told = ["a", "a", "a", "a", "b", "a", "a"].map(|text| !again.is_too_many(text));
        assert_eq!(told, [true, true, true, false, true, true, true]);
    }

    proptest! {
        // STT-4
        #[test]
        fn cleaning_invents_nothing_and_is_stable_stt_4(text in "[ab가나 .()\\[\\]♪*]{0,120}") {
            let (cleaned, share) = clean(&text);
            prop_assert!((0.0..=1.0).contains(&share));
            prop_assert!(cleaned.chars().filter(|c| !c.is_whitespace()).all(|c| text.contains(c)));
            prop_assert!(cleaned.chars().count() <= text.chars().count());
        }
    }
}
