//! Whether an answer says yes and nothing else, word for word (DNG-2).
//!
//! What an answer most likely means is not enough to do something dangerous: the grammar also takes inflected and misheard words, and leaves out what
//! stands beside an answer ("yes, stop", "진행하지 마"). Here every word has to be one of the lexicon, as it is written there.

use super::Understanding;
use super::normalised::NormalisedUtterance;

/// What may stand beside a yes: the wake word, and sounds of hesitation.
const BESIDE: [&str; 2] = ["wake", "sound"];
/// Marks of a question: whoever asks back has not agreed.
const QUESTION: [char; 2] = ['?', '？'];
/// More letters than any such answer has.
const LONGEST: usize = 60;

impl Understanding {
    /// Whether an utterance says yes, with or without the wake word, and nothing besides (DNG-2).
    #[must_use]
    pub fn is_plain_yes(&self, utterance: &str) -> bool {
        let heard = NormalisedUtterance::new(utterance);
        let len = heard.len();
        if heard.is_empty() || len > LONGEST || utterance.contains(QUESTION) || !heard.quotes.is_empty() {
            return false;
        }
        let group = |name: &str| self.lexicon.known(name);
        let (answers, beside) = (group("answer"), BESIDE.map(group));
        // What is reached by such words: without a yes yet, and with one.
        let mut reached = vec![(false, false); len + 1];
        reached[0].0 = true;
        for from in 0..len {
            let (without, with) = reached[from];
            if !without && !with {
                continue;
            }
            for (to, reached) in reached.iter_mut().enumerate().skip(from + 1) {
                for entry in self.lexicon.entries_of(heard.part(from, to)) {
                    if Some(entry.group) == answers && entry.sense == "yes" {
                        reached.1 = true;
                    } else if beside.contains(&Some(entry.group)) && heard.gap(from) && heard.gap(to) {
                        reached.0 |= without;
                        reached.1 |= with;
                    }
                }
            }
        }
        reached[len].1
    }
}
