//! Luna's own words that come back through the microphone, recognised by their text (BRG-4, BRG-6).

use std::collections::VecDeque;
use std::time::Duration;

use zeroize::Zeroizing;

/// How long what Luna said may come back: the longest window, and the time to transcribe it.
const ECHO_AGE: Duration = Duration::from_secs(8);
/// Sentences kept.
const KEPT: usize = 6;
/// Share of a sound that Luna's own playback must explain before words of few letters count as its own: a person may say a word that Luna just said.
const OWN_SOUND: f32 = 0.5;
/// Letters from which the text alone tells: nobody repeats so much of a sentence in the same words while it is read.
const MANY_LETTERS: usize = 12;
/// Share of the pairs of letters that must come from Luna's sentences: a recogniser mishears some.
const SHARED: f32 = 0.75;

/// The newest sentences of Luna. In memory only, wiped when they are too old (BUF-2).
#[derive(Debug, Default)]
pub struct OwnWords {
    said: VecDeque<(Duration, Zeroizing<String>)>,
}

impl OwnWords {
    /// Luna begins a sentence.
    pub fn say(&mut self, text: &str, now: Duration) {
        self.forget(now, false);
        self.said.push_back((now, Zeroizing::new(text.to_owned())));
        if self.said.len() > KEPT {
            self.said.pop_front();
        }
    }

    /// Forgets what can no longer come back. The newest sentence stays while Luna `speaks`.
    pub fn forget(&mut self, now: Duration, speaks: bool) {
        let least = usize::from(speaks);
        while self.said.len() > least && self.said.front().is_some_and(|(at, _)| now.saturating_sub(*at) > ECHO_AGE) {
            self.said.pop_front();
        }
    }

    /// The sentence that Luna says or said last.
    pub fn newest(&self) -> &str {
        self.said.back().map_or("", |(_, text)| text)
    }

    /// Whether `heard` is Luna's own voice. `own`: share of its sound that Luna's playback explains.
    pub fn are(&self, heard: &str, own: f32) -> bool {
        let heard = letters(heard);
        if heard.is_empty() || self.said.is_empty() {
            return false;
        }
        let said: Vec<Vec<char>> = self.said.iter().map(|(_, text)| letters(text)).collect();
        if heard.len() < MANY_LETTERS {
            return own >= OWN_SOUND && said.iter().any(|said| contains(said, &heard));
        }
        // The words may reach over the border of two sentences.
        let together: Vec<char> = said.concat();
        let pairs = heard.windows(2).filter(|pair| together.windows(2).any(|other| other == *pair)).count();
        pairs as f32 >= SHARED * (heard.len() - 1) as f32 && (own >= OWN_SOUND || contains_most(&together, &heard))
    }
}

/// The letters and digits of a text, in lower case; blanks and punctuation differ between what is said and what is heard.
fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn contains(said: &[char], heard: &[char]) -> bool {
    said.windows(heard.len()).any(|part| part == heard)
}

/// Whether one stretch of `said` has most letters of `heard` in their order.
fn contains_most(said: &[char], heard: &[char]) -> bool {
    let width = heard.len() + heard.len() / 4;
    let fits = |part: &[char]| {
        let mut left = part;
        let mut found = 0_usize;
        for letter in heard {
            // A letter that was misheard is left out and moves nothing.
            if let Some(at) = left.iter().position(|other| other == letter) {
                left = &left[at + 1..];
                found += 1;
            }
        }
        found as f32 >= SHARED * heard.len() as f32
    };
    if said.len() <= width { fits(said) } else { said.windows(width).any(fits) }
}
