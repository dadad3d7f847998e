//! Partial results: their content and rate (STT-1). Pure; the time is an argument.

use std::time::{Duration, Instant};

/// Minimum interval between partial results: people don't perceive less, and the pipe stays free.
const PERIOD: Duration = Duration::from_millis(40);

/// The partial results of one job.
#[derive(Debug, Default)]
pub struct Partials {
    /// The last sent text and its time.
    last_sent: Option<(Instant, String)>,
}

impl Partials {
    /// Whether the interval has passed.
    pub fn is_due(&self, now: Instant) -> bool {
        self.last_sent.as_ref().is_none_or(|(at, _)| now.duration_since(*at) >= PERIOD)
    }

    /// Returns the text if it is to be sent: not empty and different from the last one.
    pub fn next_to_send(&mut self, text: String, now: Instant) -> Option<String> {
        let same = self.last_sent.as_ref().is_some_and(|(_, last)| *last == text);
        if text.is_empty() || same {
            return None;
        }
        self.last_sent = Some((now, text.clone()));
        Some(text)
    }
}

/// Decodes a byte prefix, without an incomplete last character.
pub fn complete(bytes: &[u8]) -> String {
    // Only the last three bytes can be the beginning of a character.
    let cut = (1..=bytes.len().min(3)).find(|back| {
        let tail = &bytes[bytes.len() - back..];
        tail[0] >= 0xc0 && std::str::from_utf8(tail).is_err_and(|error| error.error_len().is_none())
    });
    String::from_utf8_lossy(&bytes[..bytes.len() - cut.unwrap_or(0)]).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // STT-1
    #[test]
    fn characters_are_told_whole_stt_1() {
        let text = "a가 🙂".as_bytes();
        let decoded: Vec<String> = (0..=text.len()).map(|end| complete(&text[..end])).collect();
        assert_eq!(decoded, ["", "a", "a", "a", "a가", "a가 ", "a가 ", "a가 ", "a가 ", "a가 🙂"]);
        assert_eq!(complete(&[0xff, b'x']), "\u{fffd}x");
        assert_eq!(complete(&[b'x', 0xff]), "x\u{fffd}");
    }

    // STT-1
    #[test]
    fn partial_results_come_when_something_is_new_and_not_too_often_stt_1() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut partials = Partials::default();
        assert!(partials.is_due(at(0)));
        assert_eq!(partials.next_to_send(String::new(), at(0)), None);
        assert_eq!(partials.next_to_send("a".into(), at(0)), Some("a".into()));
        assert!(!partials.is_due(at(39)));
        assert!(partials.is_due(at(40)));
        assert_eq!(partials.next_to_send("a".into(), at(40)), None);
        assert_eq!(partials.next_to_send("ab".into(), at(41)), Some("ab".into()));
        assert!(!partials.is_due(at(80)));
    }

    proptest! {
        // STT-1
        #[test]
        fn a_text_that_is_cut_is_its_own_beginning_stt_1(text in "[a-z가-힣🙂 ]{0,20}", cut in 0usize..80) {
            let bytes = &text.as_bytes()[..cut.min(text.len())];
            let decoded = complete(bytes);
            prop_assert!(text.starts_with(&decoded));
            prop_assert!(bytes.len() - decoded.len() < 4);
        }
    }
}
