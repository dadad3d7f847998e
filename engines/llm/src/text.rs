//! Turns token bytes into output text: whole characters, without stop texts.

/// Assembles characters whose bytes span several tokens.
#[derive(Debug, Default)]
pub struct Characters {
    pending: Vec<u8>,
}

impl Characters {
    /// The whole characters so far. Each malformed character becomes one U+FFFD, because a grammar has counted it as one.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let mut text = String::new();
        let mut rest = self.pending.as_slice();
        while let Some(first) = rest.first() {
            let wanted = utf8_length(*first);
            let there = 1 + rest[1..].iter().take(wanted - 1).take_while(|byte| **byte >> 6 == 0b10).count();
            if there < wanted && there == rest.len() {
                break;
            }
            let (sequence, after) = rest.split_at(there);
            text.push_str(std::str::from_utf8(sequence).unwrap_or("\u{fffd}"));
            rest = after;
        }
        let used = self.pending.len() - rest.len();
        self.pending.drain(..used);
        text
    }

    /// U+FFFD if an incomplete character is left, else nothing.
    pub fn finish(&mut self) -> String {
        if std::mem::take(&mut self.pending).is_empty() { String::new() } else { "\u{fffd}".to_owned() }
    }
}

/// Length in bytes of the character that begins with this byte.
const fn utf8_length(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..=0xff => 4,
    }
}

/// Cuts a text before the first stop text, which may arrive in pieces.
#[derive(Debug)]
pub struct Stops {
    texts: Vec<String>,
    held: String,
}

impl Stops {
    /// Empty texts are ignored.
    pub fn new(texts: &[String]) -> Self {
        Self { texts: texts.iter().filter(|text| !text.is_empty()).cloned().collect(), held: String::new() }
    }

    /// The text that may go out, and whether a stop text was found. A possible beginning of a stop text is held back.
    pub fn push(&mut self, text: &str) -> (String, bool) {
        self.held.push_str(text);
        if let Some(at) = self.texts.iter().filter_map(|stop| self.held.find(stop)).min() {
            self.held.truncate(at);
            return (std::mem::take(&mut self.held), true);
        }
        let kept = self.texts.iter().map(|stop| partial_suffix_len(&self.held, stop)).max().unwrap_or(0);
        let kept = self.held.split_off(self.held.len() - kept);
        (std::mem::replace(&mut self.held, kept), false)
    }

    /// Returns the held-back text, which turned out to be no stop text.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Length in bytes of the suffix of `text` that is a proper prefix of `wanted`.
pub fn partial_suffix_len(text: &str, wanted: &str) -> usize {
    wanted.char_indices().map(|(at, _)| at).rev().find(|length| text.ends_with(&wanted[..*length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use proptest::prelude::*;

    use super::*;

    fn check_bytes(parts: &[&[u8]], expect: &[&str], end: &str) {
        let mut characters = Characters::default();
        let got: Vec<String> = parts.iter().map(|part| characters.push(part)).collect();
        assert_eq!(got, expect, "{parts:?}");
        assert_eq!(characters.finish(), end, "{parts:?}");
    }

    // ENG-1
    #[test]
    fn characters_come_whole_eng_1() {
        check_bytes(&[b"ab", b"c"], &["ab", "c"], "");
        check_bytes(&["가".as_bytes()], &["가"], "");
        check_bytes(&[&[0xea], &[0xb0], &[0x80, 0xeb]], &["", "", "가"], "\u{fffd}");
        check_bytes(&[&[0xea, b'a']], &["\u{fffd}a"], "");
        check_bytes(&[&[0xff, 0xfe], b"x"], &["\u{fffd}", "\u{fffd}x"], "");
        // A surrogate half, and a number beyond the last character: one each.
        check_bytes(&[&[0xed, 0xa0], &[0x80]], &["", "\u{fffd}"], "");
        check_bytes(&[&[0xf7, 0xbf, 0xbf, 0xbf, b'a']], &["\u{fffd}a"], "");
        check_bytes(&[&[0x80, b'a']], &["\u{fffd}a"], "");
        check_bytes(&[&[0xf0, 0x9f], &[0x99, 0x82]], &["", "🙂"], "");
    }

    proptest! {
        // ENG-1
        #[test]
        fn any_cut_of_a_text_gives_the_text_eng_1(text in ".{0,40}", cuts in prop::collection::vec(0usize..200, 0..8)) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let mut characters = Characters::default();
            let mut out = String::new();
            for pair in cuts.windows(2) {
                out.push_str(&characters.push(&bytes[pair[0]..pair[1]]));
            }
            prop_assert_eq!(characters.finish(), "");
            prop_assert_eq!(out, text);
        }

        // ENG-1
        #[test]
        fn nothing_of_a_stop_text_goes_out_eng_1(text in "[abc]{0,30}", stop in "[abc]{1,4}", cut in 1usize..5) {
            let mut stops = Stops::new(std::slice::from_ref(&stop));
            let mut out = String::new();
            let mut stopped = false;
            for part in text.as_bytes().chunks(cut) {
                let (more, now) = stops.push(std::str::from_utf8(part).unwrap());
                out.push_str(&more);
                if now {
                    stopped = true;
                    break;
                }
            }
            if !stopped {
                out.push_str(&stops.finish());
            }
            let expect = text.find(&stop).map_or(text.as_str(), |at| &text[..at]);
            prop_assert_eq!(&out, expect);
            prop_assert_eq!(stopped, text.contains(&stop));
        }
    }

    fn check_stops(stops: &[&str], parts: &[&str], expect: &[&str], stopped: bool) {
        let mut filter = Stops::new(&stops.iter().map(|stop| (*stop).to_owned()).collect::<Vec<_>>());
        let mut came = false;
        let got: Vec<String> = parts
            .iter()
            .map(|part| {
                let (out, now) = filter.push(part);
                came |= now;
                out
            })
            .collect();
        assert_eq!((got.as_slice(), came), (expect.map_owned().as_slice(), stopped), "{stops:?} {parts:?}");
    }

    trait Owned {
        fn map_owned(&self) -> Vec<String>;
    }

    impl Owned for [&str] {
        fn map_owned(&self) -> Vec<String> {
            self.iter().map(|part| (*part).to_owned()).collect()
        }
    }

    // ENG-1
    #[test]
    fn stop_texts_across_parts_eng_1() {
        check_stops(&["END"], &["abE", "N", "Dxy"], &["ab", "", ""], true);
        check_stops(&["END"], &["abE", "x"], &["ab", "Ex"], false);
        check_stops(&["끝."], &["말끝", ".더"], &["말", ""], true);
        check_stops(&["", "\n"], &["a\nb"], &["a"], true);
        check_stops(&[], &["a"], &["a"], false);
        check_stops(&["bc", "abd"], &["a", "b", "c"], &["", "", "a"], true);
    }
}
