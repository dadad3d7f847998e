//! Models that transcribe every sound as a chosen text.
//!
//! **How.** Attention does nothing, so the next token depends only on the newest one. The embedding of each token of the script is a code, a vector
//! nearly orthogonal to the others ([`super::codes`]). Each row of the first layer's feed-forward network detects one code and outputs the sum of its
//! possible successors' codes, weighted by their likelihoods. The final product with the embeddings turns this into logits. Positions have no
//! effect, so hints, earlier text and the absence of timestamps change nothing. A piece that occurs twice in the text has two tokens.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use super::codes::codes;
use super::{WhisperError, WhisperSizes, write};

/// The bytes of a token; not necessarily whole characters.
pub type TokenBytes = Vec<u8>;

/// A model that transcribes every sound as its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedWhisper {
    /// The text, token by token.
    pub pieces: Vec<TokenBytes>,
    /// The detected languages, each with a weight of 0 to 1; the highest is the likeliest, equal ones are equally likely.
    pub languages: Vec<(String, f32)>,
    /// The end of the text in transcripts with timestamps, in seconds from 0 to 30.
    pub seconds: f32,
    /// Confidence in its words: 1 is certain; at 0.15 each has a probability of about a fifth.
    pub certainty: f32,
    /// Whether it reports that the sound has no speech. It gives its text nevertheless.
    pub nobody_speaks: bool,
    /// Whether it starts again after the last piece, endlessly, as Whisper sometimes does.
    pub repeats: bool,
    /// `state` must be at least 64; the number of tokens is at most 4 × `state` − 5.
    pub sizes: WhisperSizes,
}

impl ScriptedWhisper {
    /// A model for a text, with one token per word.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            pieces: text.split_whitespace().map(|word| format!(" {word}").into_bytes()).collect(),
            languages: vec![("en".to_owned(), 1.0)],
            seconds: 2.0,
            certainty: 1.0,
            nobody_speaks: false,
            repeats: false,
            sizes: WhisperSizes::default(),
        }
    }

    /// Cuts the text into tokens of `bytes` bytes (at least 1), also within characters.
    #[must_use]
    pub fn in_tokens_of(mut self, bytes: usize) -> Self {
        let all = self.pieces.concat();
        self.pieces = all.chunks(bytes.max(1)).map(<[u8]>::to_vec).collect();
        self
    }

    /// Sets the detected languages with their weights.
    #[must_use]
    pub fn hearing(mut self, languages: &[(&str, f32)]) -> Self {
        self.languages = languages.iter().map(|(code, weight)| ((*code).to_owned(), *weight)).collect();
        self
    }

    /// Writes the model; returns its size in bytes.
    ///
    /// # Errors
    /// The text is too long for the sizes, a language is unknown, or the file can't be written.
    pub fn write(&self, path: &Path) -> Result<u64, WhisperError> {
        let sizes = &self.sizes;
        let rules = self.rules()?;
        let tokens: Vec<usize> = rules.codes.keys().copied().collect();
        let all = codes(sizes.state, tokens.len());
        let code = |token: &usize| rules.codes.get(token).map(|at| &all[*at]);
        let width = sizes.state;
        let certainty = self.certainty();
        write(path, sizes, &self.vocabulary(), &mut |name, _, values| match name {
            "decoder.token_embedding.weight" => {
                for token in &tokens {
                    if let Some(code) = code(token) {
                        // The layer norm removes this factor from the input embedding; it only scales the token's logit.
                        let size = if rules.is_piece(*token) { certainty } else { 1.0 };
                        let row = &mut values[token * width..][..width];
                        row.iter_mut().zip(code).for_each(|(value, code)| *value = size * code);
                    }
                }
            }
            "decoder.blocks.0.mlp.0.weight" => {
                for (row, (from, _)) in rules.follows.iter().enumerate() {
                    if let Some(code) = code(from) {
                        let row = &mut values[row * width..][..width];
                        row.iter_mut().zip(code).for_each(|(value, code)| *value = DETECTOR_GAIN * code / width as f32);
                    }
                }
            }
            "decoder.blocks.0.mlp.0.bias" => values.fill(-0.75 * DETECTOR_GAIN),
            "decoder.blocks.0.mlp.2.weight" => {
                for (column, (_, next)) in rules.follows.iter().enumerate() {
                    for (code, weight) in next.iter().filter_map(|(token, weight)| Some((code(token)?, weight))) {
                        for (at, code) in code.iter().enumerate() {
                            values[at * 4 * width + column] += weight * code;
                        }
                    }
                }
            }
            _ if name.ends_with("ln.weight") || name.ends_with("ln_post.weight") => values.fill(1.0),
            _ => {}
        })
    }

    fn vocabulary(&self) -> Vec<TokenBytes> {
        (0..=255u8).map(|byte| vec![byte]).chain(self.pieces.iter().cloned()).collect()
    }

    fn rules(&self) -> Result<Rules, WhisperError> {
        let special = self.sizes.special();
        let first = FIRST_PIECE;
        let after_last = first + self.pieces.len();
        let close = special.timestamps + (self.seconds.clamp(0.02, 30.0) * 50.0).round() as usize;
        let begin = if self.pieces.is_empty() { special.eot } else { first };
        let mut rules = Rules::default();
        let languages: Result<Vec<(usize, f32)>, WhisperError> =
            self.languages.iter().map(|(code, weight)| Ok((special.language(code)?, *weight))).collect();
        let opening = vec![(special.timestamps, 1.0), (begin, 0.6)];
        // Whisper predicts "no speech" together with the language.
        let mut first_of_all = if self.sizes.multilingual { languages? } else { opening.clone() };
        if self.nobody_speaks {
            first_of_all.push((special.no_speech, 3.0));
        }
        rules.follow(special.sot, first_of_all);
        rules.follow(special.transcribe, opening);
        rules.follow(special.no_timestamps, vec![(begin, 1.0)]);
        // If decoding rules forbid the successor, the text ends.
        let or_end = (special.eot, 0.6 * self.certainty());
        rules.follow(special.timestamps, vec![(begin, 1.0), or_end]);
        for token in first..after_last {
            let next = match token + 1 {
                next if next < after_last => next,
                _ if self.repeats => first,
                _ => close,
            };
            rules.follow(token, vec![(next, 1.0), or_end]);
        }
        rules.follow(close, vec![(special.eot, 1.0)]);
        let most = (4 * self.sizes.state).saturating_sub(rules.follows.len() - self.pieces.len());
        if self.pieces.len() > most {
            return Err(WhisperError::TooLong { pieces: self.pieces.len(), most });
        }
        rules.pieces = first..after_last;
        Ok(rules)
    }

    fn certainty(&self) -> f32 {
        self.certainty.clamp(0.05, 1.0)
    }
}

/// The pieces follow the tokens of single bytes.
const FIRST_PIECE: usize = 256;
/// Gain of the code detectors: a row outputs a quarter of it for its own code, and zero for others.
const DETECTOR_GAIN: f32 = 40.0;

/// The possible successors of each token.
#[derive(Debug, Default)]
struct Rules {
    follows: Vec<(usize, Vec<(usize, f32)>)>,
    /// Code index by token.
    codes: HashMap<usize, usize>,
    /// Tokens of the text.
    pieces: Range<usize>,
}

impl Rules {
    fn follow(&mut self, token: usize, next: Vec<(usize, f32)>) {
        for token in std::iter::once(token).chain(next.iter().map(|(token, _)| *token)) {
            let number = self.codes.len();
            self.codes.entry(token).or_insert(number);
        }
        self.follows.push((token, next));
    }

    fn is_piece(&self, token: usize) -> bool {
        self.pieces.contains(&token)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may fail")]
mod tests {
    use super::*;

    fn check(model: &ScriptedWhisper, expect: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.bin");
        let answer = match model.write(&path) {
            Ok(bytes) => {
                assert_eq!(bytes, path.metadata().unwrap().len());
                "written".to_owned()
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(answer, expect);
    }

    #[test]
    fn what_can_be_written_is_and_the_rest_is_refused() {
        check(&ScriptedWhisper::new(""), "written");
        check(&ScriptedWhisper::new("안녕하세요 여러분").in_tokens_of(1), "written");
        check(&ScriptedWhisper::new(&"a ".repeat(251)), "written");
        check(&ScriptedWhisper::new(&"a ".repeat(252)), "The text has 252 tokens; a scripted model holds at most 251.");
        check(&ScriptedWhisper::new("a").hearing(&[("tlh", 1.0)]), "The language \"tlh\" is not known here.");
        let mut english = ScriptedWhisper::new("only English");
        english.sizes.multilingual = false;
        check(&english, "written");
    }

    #[test]
    fn pieces_cut_characters() {
        let pieces = ScriptedWhisper::new("가 나").in_tokens_of(2).pieces;
        assert_eq!(pieces.concat(), " 가 나".as_bytes());
        assert!(pieces.iter().any(|piece| std::str::from_utf8(piece).is_err()));
    }
}
