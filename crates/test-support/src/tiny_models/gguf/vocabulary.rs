//! A byte-level vocabulary: a token for each byte, the chat template's special tokens, and the model's own pieces.

use super::writer::GgufValue;

/// Token types of the file format.
#[derive(Clone, Copy)]
enum TokenType {
    Normal = 1,
    Control = 3,
    UserDefined = 4,
}

/// The tokens of a model, by number.
pub(super) struct GgufVocabulary {
    texts: Vec<String>,
    types: Vec<TokenType>,
    begin: usize,
    end: usize,
    /// The token of two line ends, the only one that the tokenizer merges from two tokens.
    pub blank_line: usize,
    /// `<think>` and `</think>`, if they are tokens.
    pub think: Option<[usize; 2]>,
}

/// The character that represents a byte in the file, as in GPT-2: printable bytes are unchanged, others begin at U+0100.
fn character(byte: u8) -> char {
    let printable = |b: u8| matches!(b, 33..=126 | 161..=172 | 174..=255);
    if printable(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|b| !printable(*b)).count() as u32;
    char::from_u32(256 + before).unwrap_or(' ')
}

fn encode_bytes(bytes: &[u8]) -> String {
    bytes.iter().copied().map(character).collect()
}

impl GgufVocabulary {
    /// The token number of a byte is its value.
    pub fn new(think_tokens: bool) -> Self {
        let mut new = Self { texts: Vec::new(), types: Vec::new(), begin: 0, end: 0, blank_line: 0, think: None };
        for byte in 0..=255 {
            new.add(encode_bytes(&[byte]), TokenType::Normal);
        }
        new.blank_line = new.add(encode_bytes(b"\n\n"), TokenType::Normal);
        new.begin = new.add("<|endoftext|>".into(), TokenType::Control);
        new.add("<|im_start|>".into(), TokenType::Control);
        new.end = new.add("<|im_end|>".into(), TokenType::Control);
        if think_tokens {
            new.think = Some(["<think>", "</think>"].map(|tag| new.add(tag.into(), TokenType::UserDefined)));
        }
        new
    }

    fn add(&mut self, text: String, token_type: TokenType) -> usize {
        self.texts.push(text);
        self.types.push(token_type);
        self.texts.len() - 1
    }

    /// Adds a token that the tokenizer never produces from a prompt.
    pub fn add_piece(&mut self, bytes: &[u8]) -> usize {
        self.add(encode_bytes(bytes), TokenType::Normal)
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The end token.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The tokenizer's keys in the file.
    pub fn keys(self) -> Vec<(String, GgufValue)> {
        let blank = format!("{0} {0}", encode_bytes(b"\n"));
        let token = |number: usize| GgufValue::U32(u32::try_from(number).unwrap_or(0));
        let mut keys: Vec<(String, GgufValue)> = vec![
            ("model".into(), GgufValue::Text("gpt2".into())),
            ("pre".into(), GgufValue::Text("gpt-2".into())),
            ("token_type".into(), GgufValue::Numbers(self.types.iter().map(|token_type| *token_type as i32).collect())),
            ("merges".into(), GgufValue::Texts(vec![blank])),
            ("bos_token_id".into(), token(self.begin)),
            ("eos_token_id".into(), token(self.end)),
            ("padding_token_id".into(), token(self.begin)),
            ("add_bos_token".into(), GgufValue::Bool(false)),
            ("tokens".into(), GgufValue::Texts(self.texts)),
        ];
        keys.iter_mut().for_each(|(key, _)| key.insert_str(0, "tokenizer.ggml."));
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character_of_its_own() {
        let mut all: Vec<char> = (0..=255).map(character).collect();
        assert_eq!(all[usize::from(b'\n')], 'Ċ');
        assert_eq!(all[usize::from(b' ')], 'Ġ');
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 256);
    }
}
