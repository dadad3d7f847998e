//! Recognises the phrases that Whisper invents for silence, noise and music (STT-4). The phrases are data: `hallucinations.txt`. Pure.
//!
//! A segment that is nothing but phrases nobody says to Luna is always invented. One with phrases that a person may say, such as "thank you", is
//! taken for invented only if another sign speaks against speech: see [`SpeechSigns::are_doubtful`].

use std::sync::LazyLock;

/// What speaks for or against speech in a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeechSigns {
    /// Whisper's probability that there is no speech, 0 to 1.
    pub no_speech: f32,
    /// Mean log probability of the words, 0 or below.
    pub log_probability: f32,
    /// Whether the sound is nowhere louder than the noise of a room.
    pub faint: bool,
}

/// Bound of the probability of no speech for a phrase on the list: half of what Whisper's authors require of any text. On silence it is often
/// between the two (0.3 to 0.55), and the phrase itself is a sign.
const DOUBTFUL_NO_SPEECH: f32 = 0.3;
/// Bound of the mean log probability for a phrase on the list: each word has a probability of less than a half. The authors require −1 of any text,
/// together with the other sign.
const DOUBTFUL_LOG: f32 = -0.7;

impl SpeechSigns {
    /// Whether any sign speaks against speech.
    fn are_doubtful(self) -> bool {
        self.faint || self.no_speech > DOUBTFUL_NO_SPEECH || self.log_probability < DOUBTFUL_LOG
    }
}

/// How a text relates to the known phrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PhraseMatch {
    /// Consists of known phrases, among them one that nobody says.
    Never,
    /// Consists of known phrases that a person may say.
    Plausible,
    /// Has other words.
    Other,
}

/// Whether a segment's text is invented.
pub fn is_hallucinated(text: &str, signs: SpeechSigns) -> bool {
    match PHRASES.find(text) {
        PhraseMatch::Never => true,
        PhraseMatch::Plausible => signs.are_doubtful(),
        PhraseMatch::Other => false,
    }
}

/// Whether a text consists of known phrases, among them one that nobody says.
pub fn is_never_said(text: &str) -> bool {
    PHRASES.find(text) == PhraseMatch::Never
}

/// A test checks that the data can be read; without them nothing is dropped.
static PHRASES: LazyLock<PhraseList> =
    LazyLock::new(|| PhraseList::parse(include_str!("hallucinations.txt")).unwrap_or_default());

/// Maximum letters and digits that a `*` stands for: a name, a place, not a sentence.
const LONGEST_WILDCARD: usize = 24;

/// The parts of a phrase between its `*`, normalised.
#[derive(Debug, PartialEq, Eq)]
struct KnownPhrase(Vec<String>);

#[derive(Debug, Default)]
struct PhraseList {
    never: Vec<KnownPhrase>,
    plausible: Vec<KnownPhrase>,
}

/// Why the data can't be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum PhraseError {
    #[error("line {line}: there is no section {name}")]
    UnknownSection { line: usize, name: String },
    #[error("line {line}: a phrase before the first section")]
    NoSection { line: usize },
    #[error("line {line}: a phrase without words")]
    Empty { line: usize },
}

impl PhraseList {
    fn parse(text: &str) -> Result<Self, PhraseError> {
        let mut list = Self::default();
        let mut never = None;
        for (at, line) in text.lines().enumerate() {
            let line_number = at + 1;
            match line.trim() {
                "" => {}
                comment if comment.starts_with('#') => {}
                "[never]" => never = Some(true),
                "[plausible]" => never = Some(false),
                name if name.starts_with('[') => {
                    return Err(PhraseError::UnknownSection { line: line_number, name: name.to_owned() });
                }
                phrase => {
                    let phrase = KnownPhrase(phrase.split('*').map(normalised).collect());
                    if phrase.0.iter().all(String::is_empty) {
                        return Err(PhraseError::Empty { line: line_number });
                    }
                    match never {
                        Some(true) => list.never.push(phrase),
                        Some(false) => list.plausible.push(phrase),
                        None => return Err(PhraseError::NoSection { line: line_number }),
                    }
                }
            }
        }
        Ok(list)
    }

    /// Matches the whole text, or else each of its sentences.
    fn find(&self, text: &str) -> PhraseMatch {
        let whole = self.find_one(&normalised(text));
        if whole != PhraseMatch::Other {
            return whole;
        }
        let sentences = text.split(['.', '!', '?', '。', '！', '？', ',', '\n']).map(normalised);
        let mut found = PhraseMatch::Other;
        for sentence in sentences.filter(|sentence| !sentence.is_empty()) {
            match self.find_one(&sentence) {
                PhraseMatch::Other => return PhraseMatch::Other,
                PhraseMatch::Never => found = PhraseMatch::Never,
                PhraseMatch::Plausible if found == PhraseMatch::Other => found = PhraseMatch::Plausible,
                PhraseMatch::Plausible => {}
            }
        }
        found
    }

    fn find_one(&self, text: &str) -> PhraseMatch {
        if self.never.iter().any(|phrase| phrase.matches(text)) {
            PhraseMatch::Never
        } else if self.plausible.iter().any(|phrase| phrase.matches(text)) {
            PhraseMatch::Plausible
        } else {
            PhraseMatch::Other
        }
    }
}

impl KnownPhrase {
    fn matches(&self, text: &str) -> bool {
        let Self(parts) = self;
        let [first, rest @ ..] = parts.as_slice() else { return false };
        text.strip_prefix(first.as_str()).is_some_and(|text| matches_after(rest, text))
    }
}

/// Whether the parts follow in `text`, each after a wildcard, up to its end.
fn matches_after(parts: &[String], text: &str) -> bool {
    let [next, rest @ ..] = parts else { return text.is_empty() };
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places
        .take(LONGEST_WILDCARD + 1)
        .any(|at| text[at..].strip_prefix(next.as_str()).is_some_and(|text| matches_after(rest, text)))
}

/// Letters and digits in lower case.
fn normalised(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CLEAR: SpeechSigns = SpeechSigns { no_speech: 0.02, log_probability: -0.2, faint: false };

    fn check(text: &str, signs: SpeechSigns, expect: bool) {
        assert_eq!(is_hallucinated(text, signs), expect, "{text:?} {signs:?}");
    }

    // STT-4
    #[test]
    fn what_nobody_says_is_dropped_however_sure_the_model_is_stt_4() {
        for text in [
            "Thanks for watching!",
            "Thank you for watching.",
            "Thanks for watching, and I'll see you next time.",
            "Subtitles by the Amara.org community",
            "Please subscribe. Thank you.",
            "시청해주셔서 감사합니다.",
            "시청해 주셔서 감사합니다!",
            "오늘도 시청해주셔서 감사합니다",
            "구독과 좋아요 부탁드립니다. 시청해주셔서 감사합니다.",
            "구독과 좋아요 꼭 눌러주세요",
            "MBC 뉴스 이덕영입니다.",
            "워싱턴에서 MBC 뉴스 김수영입니다.",
            "자막 제공 배달의민족",
            "감사합니다. MBC 뉴스 이덕영입니다.",
            "ご視聴ありがとうございました",
        ] {
            check(text, CLEAR, true);
        }
    }

    // STT-4
    #[test]
    fn what_a_person_may_say_is_dropped_only_if_a_sign_speaks_against_speech_stt_4() {
        for text in ["감사합니다.", "Thank you.", "you", "Thank you. Thank you.", "고맙습니다", "네", "Bye."]
        {
            check(text, CLEAR, false);
            check(text, SpeechSigns { no_speech: 0.3, log_probability: -0.7, faint: false }, false);
            check(text, SpeechSigns { no_speech: 0.4, ..CLEAR }, true);
            check(text, SpeechSigns { log_probability: -0.8, ..CLEAR }, true);
            check(text, SpeechSigns { faint: true, ..CLEAR }, true);
        }
    }

    // STT-4
    #[test]
    fn speech_stays_even_if_it_is_faint_and_doubtful_stt_4() {
        let doubtful = SpeechSigns { no_speech: 0.9, log_probability: -3.0, faint: true };
        for text in [
            "멈춰",
            "stop",
            "다음",
            "다음 영상",
            "다음 뉴스 읽어줘",
            "감사합니다라고 써 줘",
            "시청 시간을 알려줘",
            "자막을 켜 줘",
            "루나, MBC 뉴스 틀어줘",
            "subscribe to the list",
            "translate this",
            "translate it by tomorrow",
            "thank you, next",
            "Thanks for watching the kids, read on",
            "YouTube",
            "Subtitles by a very long story about the way in which all of this came to be",
            "",
        ] {
            check(text, doubtful, false);
        }
    }

    // STT-4
    #[test]
    fn no_reflex_word_is_on_the_list_stt_4() {
        for text in [
            "멈춰",
            "다시",
            "다음",
            "이전",
            "느리게",
            "빠르게",
            "계속",
            "잠깐",
            "번역",
            "철자",
            "숫자",
            "요약",
            "더 크게",
            "고정",
            "고정 해제",
            "stop",
            "repeat",
            "next",
            "previous",
            "slower",
            "faster",
            "resume",
            "pause",
            "translate",
            "spell",
            "numbers",
            "summarize",
            "bigger",
            "pin",
            "unpin",
            "루나",
            "yes",
            "no",
            "응",
            "아니",
        ] {
            assert_eq!(PHRASES.find(text), PhraseMatch::Other, "{text}");
        }
    }

    #[test]
    fn the_data_are_read_and_mistakes_in_them_found() {
        let list =
            PhraseList::parse(include_str!("hallucinations.txt")).map(|list| (list.never.len(), list.plausible.len()));
        assert!(list.is_ok_and(|(never, plausible)| never > 50 && plausible > 15));
        let error = |text: &str| PhraseList::parse(text).map(drop).unwrap_err();
        assert_eq!(error("a"), PhraseError::NoSection { line: 1 });
        assert_eq!(error("# x\n[often]\na"), PhraseError::UnknownSection { line: 2, name: "[often]".into() });
        assert_eq!(error("[never]\n * . "), PhraseError::Empty { line: 2 });
    }

    proptest! {
        // STT-4
        #[test]
        fn punctuation_case_and_spaces_do_not_count_stt_4(space in "[ .!,]{0,3}", upper: bool) {
            let phrase = ["구독과", "좋아요", "부탁드립니다"].join(if space.contains(' ') { " " } else { "" });
            prop_assert!(is_never_said(&[phrase.as_str(), &space].concat()));
            let english = if upper { "THANK YOU FOR WATCHING" } else { "thank you for watching" };
            prop_assert!(is_never_said(&[&space, english, &space].concat()));
        }

        #[test]
        fn any_text_can_be_compared(text in ".{0,60}") {
            prop_assert!(!is_never_said(&text) || text.chars().any(char::is_alphanumeric));
        }
    }
}
