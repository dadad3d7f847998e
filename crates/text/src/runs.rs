//! Splits a sentence into runs, one per voice (TTS-5).

use luna_messages::Lang;

use crate::language::{by_script, is_hangul};

/// Words for one voice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceRun {
    pub lang: Lang,
    pub text: String,
}

impl VoiceRun {
    pub fn new(lang: Lang, text: impl Into<String>) -> Self {
        Self { lang, text: text.into() }
    }
}

/// Kind of a run of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunKind {
    Hangul,
    Latin,
    Number,
    /// Punctuation, spaces, and letters of other scripts: assigned to a neighbour.
    Other,
}

/// Maximum letters of a unit after a number.
const UNIT_LETTERS: usize = 4;

/// Splits a sentence into runs that together contain every character. Punctuation and spaces join the preceding run; numbers and units are
/// Korean in a Korean sentence; a single Latin letter in a Korean sentence ("A형") is left to the Korean voice.
#[must_use]
pub fn split(sentence: &str, fallback: Lang) -> Vec<VoiceRun> {
    let main = by_script(sentence, fallback);
    let stretches = stretches(sentence);
    let mut runs: Vec<VoiceRun> = Vec::new();
    // Characters before the first run with a voice.
    let mut pending = String::new();
    for (i, &(kind, text)) in stretches.iter().enumerate() {
        let before = i.checked_sub(1).map(|b| stretches[b].0);
        let lang = match kind {
            RunKind::Hangul => Some(Lang::Ko),
            RunKind::Latin if main == Lang::Ko && joins_korean(text, before) => Some(Lang::Ko),
            RunKind::Latin => Some(Lang::En),
            // "3,200원" in an English sentence is still spoken in Korean.
            RunKind::Number
                if main == Lang::Ko || stretches.get(i + 1).is_some_and(|next| next.0 == RunKind::Hangul) =>
            {
                Some(Lang::Ko)
            }
            RunKind::Number => Some(Lang::En),
            RunKind::Other => None,
        };
        match (lang, runs.last_mut()) {
            (None, None) => pending.push_str(text),
            (None, Some(last)) => last.text.push_str(text),
            (Some(lang), Some(last)) if last.lang == lang => last.text.push_str(text),
            (Some(lang), _) => {
                let mut whole = std::mem::take(&mut pending);
                whole.push_str(text);
                runs.push(VoiceRun { lang, text: whole });
            }
        }
    }
    if !pending.is_empty() {
        runs.push(VoiceRun { lang: main, text: pending });
    }
    runs
}

fn joins_korean(text: &str, before: Option<RunKind>) -> bool {
    let letters = text.chars().count();
    letters == 1 || before == Some(RunKind::Number) && letters <= UNIT_LETTERS
}

/// Groups adjacent characters of one kind. Punctuation between digits belongs to the number.
fn stretches(sentence: &str) -> Vec<(RunKind, &str)> {
    let chars: Vec<(usize, char)> = sentence.char_indices().collect();
    let mut found: Vec<(RunKind, usize)> = Vec::new();
    for (i, &(at, c)) in chars.iter().enumerate() {
        let kind = if is_hangul(c) {
            RunKind::Hangul
        } else if c.is_numeric() {
            RunKind::Number
        } else if is_latin(c) {
            RunKind::Latin
        } else if matches!(c, '\'' | '’' | '-' | '.' | ',' | ':' | '/' | '@' | '_')
            && let Some((last @ (RunKind::Latin | RunKind::Number), _)) = found.last()
            && chars.get(i + 1).is_some_and(|next| is_latin(next.1) || next.1.is_numeric())
        {
            // Inside "don't", "Wi-Fi", "3.14", "a@b.c".
            *last
        } else {
            RunKind::Other
        };
        if found.last().is_none_or(|last| last.0 != kind) {
            found.push((kind, at));
        }
    }
    let ends = found.iter().skip(1).map(|f| f.1).chain([sentence.len()]);
    found.iter().zip(ends).map(|(&(kind, from), to)| (kind, &sentence[from..to])).collect()
}

/// Whether `c` is a Latin letter, possibly accented or full-width.
fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
        || c.is_alphabetic() && matches!(c, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | '\u{FF21}'..='\u{FF5A}')
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(sentence: &str, expect: &[(Lang, &str)]) {
        let runs = split(sentence, Lang::Ko);
        assert_eq!(runs.iter().map(|r| (r.lang, r.text.as_str())).collect::<Vec<_>>(), expect, "{sentence}");
    }

    // TTS-5
    #[test]
    fn each_script_has_its_voice_tts_5() {
        use Lang::{En, Ko};
        check("안녕하세요.", &[(Ko, "안녕하세요.")]);
        check("Hello there.", &[(En, "Hello there.")]);
        check("이 문서는 PowerPoint로 만들었다.", &[(Ko, "이 문서는 "), (En, "PowerPoint"), (Ko, "로 만들었다.")]);
        check("Press the 확인 button.", &[(En, "Press the "), (Ko, "확인 "), (En, "button.")]);
        check("모두 3,200원이고 12.5% 늘었다.", &[(Ko, "모두 3,200원이고 12.5% 늘었다.")]);
        check("거리는 5km입니다.", &[(Ko, "거리는 5km입니다.")]);
        check("I paid 3,200원 today.", &[(En, "I paid "), (Ko, "3,200원 "), (En, "today.")]);
        check("혈액형은 A형이다.", &[(Ko, "혈액형은 A형이다.")]);
        check("\"안녕\" means hello to everyone here.", &[(Ko, "\"안녕\" "), (En, "means hello to everyone here.")]);
        check("Windows 11 업데이트를 설치합니다.", &[(En, "Windows "), (Ko, "11 업데이트를 설치합니다.")]);
        check("3.14", &[(Ko, "3.14")]);
        check("---", &[(Ko, "---")]);
        check("I don't use Wi-Fi.", &[(En, "I don't use Wi-Fi.")]);
        check("", &[]);
    }

    proptest! {
        // TTS-5
        #[test]
        fn runs_hold_every_character_tts_5(text in "([가-힣]|[a-zA-Z]|[0-9]|[.,!?'@ -]|\\PC){0,60}") {
            let runs = split(&text, Lang::En);
            prop_assert_eq!(runs.iter().map(|r| r.text.as_str()).collect::<String>(), text);
            prop_assert!(runs.windows(2).all(|w| w[0].lang != w[1].lang));
        }
    }
}
