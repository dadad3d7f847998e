//! Models that give a fixed text.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use super::model::{self, GgufSizes};
use super::vocabulary::GgufVocabulary;
use super::writer::{SeededRandom, Tensor, TensorFill};
use super::{CHATML, WeightFormat};

/// A model that gives a fixed text and ends, whatever the prompt: always under greedy sampling, and almost surely otherwise.
///
/// A table maps each token to the next; attention and hidden layers do nothing. The tokens of the text are distinct pieces of two bytes or more, cut
/// regardless of characters; the tokenizer never produces them from a prompt, so the text begins after any prompt.
#[derive(Debug, Clone)]
pub struct ScriptedLlm {
    /// The answer.
    pub text: String,
    /// The thought before the answer.
    pub thinking: Option<Thinking>,
    /// The chat template; `None`: the file has none.
    pub chat_template: Option<String>,
    /// Whether the model starts its text again instead of ending.
    pub endless: bool,
    /// Declared training context, in tokens.
    pub context: u32,
}

/// The thought of a scripted model. The model continues with its answer after a prompt that ends with an empty line (a closed thought), or after a
/// forced closing tag and empty line.
#[derive(Debug, Clone)]
pub struct Thinking {
    /// The thought, without tags.
    pub text: String,
    /// Whether the model writes `<think>`; otherwise the chat template does.
    pub opens: bool,
    /// Whether the tags are single tokens, as in thinking models, or are split like other text.
    pub tag_tokens: bool,
}

impl ScriptedLlm {
    /// A model with this answer, without thinking, with the template [`CHATML`].
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), thinking: None, chat_template: Some(CHATML.into()), endless: false, context: 4096 }
    }

    /// Writes the file; returns its size in bytes.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn write(&self, path: &Path) -> io::Result<u64> {
        let (vocabulary, table) = self.table();
        let tokens = vocabulary.len();
        // Enough dimensions for random directions to be nearly orthogonal.
        let embedding = if tokens < 1000 { 64 } else { 128 };
        let sizes = GgufSizes { embedding, layers: 1, heads: 2, kv_heads: 1, feed_forward: 32, context: self.context };
        sizes.check(WeightFormat::F32)?;
        let (directions, output) = matrices(&table, tokens, embedding);
        let mut file = model::file("luna-tiny-scripted", sizes, vocabulary, self.chat_template.as_deref());
        for (name, numbers) in [("token_embd.weight", directions), ("output.weight", output)] {
            let (rows, fill) = (Some(tokens), TensorFill::Numbers(numbers));
            file.tensors.push(Tensor { name: name.into(), columns: embedding, rows, weights: WeightFormat::F32, fill });
        }
        file.tensors.extend(model::block(sizes, 0, WeightFormat::F32, |_| TensorFill::Constant(0.0)));
        file.write(path)
    }

    /// The vocabulary, and the table of successors.
    fn table(&self) -> (GgufVocabulary, NextTokenTable) {
        let tag_tokens = self.thinking.as_ref().is_some_and(|thinking| thinking.tag_tokens);
        let mut vocabulary = GgufVocabulary::new(tag_tokens);
        let mut used = HashSet::new();
        let mut pieces = |vocabulary: &mut GgufVocabulary, text: &str| -> Vec<usize> {
            cut(text.as_bytes(), &mut used)
                .iter()
                .map(|piece| if piece.len() == 1 { usize::from(piece[0]) } else { vocabulary.add_piece(piece) })
                .collect()
        };
        // The answer first: otherwise the thought could have used up the pieces of a short answer.
        let answer = pieces(&mut vocabulary, &self.text);
        let mut chain = Vec::new();
        if let Some(thinking) = &self.thinking {
            let thought = format!("\n{}\n", thinking.text);
            match vocabulary.think {
                Some([open, close]) => {
                    chain.extend(thinking.opens.then_some(open));
                    chain.extend(pieces(&mut vocabulary, &thought));
                    chain.push(close);
                }
                None => {
                    let open = if thinking.opens { "<think>" } else { "" };
                    chain.extend(pieces(&mut vocabulary, &format!("{open}{thought}</think>")));
                }
            }
            chain.push(vocabulary.blank_line);
        }
        chain.extend(answer);
        let first = chain.first().copied().unwrap_or(vocabulary.end());
        let last = if self.endless { first } else { vocabulary.end() };
        let follows = chain.iter().copied().zip(chain.iter().copied().skip(1).chain([last])).collect();
        (vocabulary, NextTokenTable { first, follows })
    }
}

/// Pairs of a token and its successor; the successor of all other tokens is `first`.
struct NextTokenTable {
    first: usize,
    follows: Vec<(usize, usize)>,
}

/// The embeddings and the output matrix. All tokens outside the table share one direction, which leads to `first`.
fn matrices(table: &NextTokenTable, tokens: usize, embedding: usize) -> (Vec<f32>, Vec<f32>) {
    let mut random = SeededRandom::new(11);
    let mut direction = || {
        let numbers: Vec<f32> = (0..embedding).map(|_| random.normal()).collect();
        let length = (numbers.iter().map(|n| n * n).sum::<f32>() / embedding as f32).sqrt();
        // A direction of this length is unchanged by the norm before the output.
        numbers.into_iter().map(|n| n / length).collect::<Vec<_>>()
    };
    let common = direction();
    let mut directions = common.repeat(tokens);
    let mut output = vec![0f32; tokens * embedding];
    let mut lead = |from: &[f32], to: usize| {
        output[to * embedding..][..embedding].iter_mut().zip(from).for_each(|(to, from)| *to += from);
    };
    lead(&common, table.first);
    for (token, next) in &table.follows {
        let own = direction();
        directions[token * embedding..][..embedding].copy_from_slice(&own);
        lead(&own, *next);
    }
    (directions, output)
}

/// Cuts a text into unused pieces, as short as possible but of two bytes or more. A text of one byte is one piece.
fn cut(bytes: &[u8], used: &mut HashSet<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let length = (2..=rest.len()).find(|length| !used.contains(&rest[..*length]) && rest[..*length] != *b"\n\n");
        let Some(length) = length else {
            break;
        };
        let (piece, after) = rest.split_at(length);
        used.insert(piece.to_vec());
        pieces.push(piece.to_vec());
        rest = after;
    }
    // The remaining piece is used already: it is joined with the pieces before it until the result is unused.
    let mut tail = rest.to_vec();
    while !tail.is_empty() {
        let Some(mut before) = pieces.pop() else {
            used.insert(tail.clone());
            pieces.push(tail);
            break;
        };
        used.remove(&before);
        before.append(&mut tail);
        if used.insert(before.clone()) {
            pieces.push(before);
        } else {
            tail = before;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let mut used = HashSet::new();
        let pieces = cut(text.as_bytes(), &mut used);
        assert_eq!(pieces.concat(), text.as_bytes());
        let different: HashSet<_> = pieces.iter().collect();
        assert_eq!(different.len(), pieces.len(), "{pieces:?}");
        assert!(text.len() < 2 || pieces.iter().all(|piece| piece.len() >= 2), "{pieces:?}");
    }

    #[test]
    fn texts_fall_into_different_pieces() {
        for text in
            ["", "a", "ab", "aaaaaaaaaaa", "안녕하세요", "abababababab", "하하하하하하하하", "\n\n\n\n", "<think>\n\n"]
        {
            check(text);
        }
        check(&"다시 ".repeat(300));
        let pieces = cut("안녕".as_bytes(), &mut HashSet::new());
        assert!(pieces.iter().any(|piece| std::str::from_utf8(piece).is_err()), "characters lie across borders");
    }
}
