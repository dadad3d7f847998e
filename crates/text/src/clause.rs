//! Splits long sentences further, so that the first sound comes soon and a step back is short (TTS-1).

use unicode_segmentation::UnicodeSegmentation;

/// Minimum commas in a sentence for splitting at commas.
const MIN_COMMAS: usize = 2;
/// Approximate minimum tokens for splitting by length.
const MIN_SPLIT_TOKENS: usize = 38;
/// Minimum tokens of a part between commas; shorter parts are joined, so that a list of single words is not spoken word by word.
const MIN_PART_TOKENS: usize = 4;
/// Characters per token in text without spaces.
const TOKEN_CHARS: usize = 10;

/// Word endings after which a long sentence may be split without a comma.
const KOREAN_CLAUSE_ENDINGS: &[&str] = &["고", "며", "면", "서", "지만", "는데", "니까", "도록", "으로", "에서"];
/// Words before which a long sentence may be split.
const ENGLISH_CONJUNCTIONS: &[&str] =
    &["and", "but", "or", "because", "which", "that", "when", "while", "where", "if", "so", "than"];

/// Splits a sentence with two or more commas at its commas, and parts that are still long at conjunctions or words.
pub(super) fn split(sentence: &str) -> Vec<&str> {
    let parts = at_commas(sentence);
    let commas = parts.len() - 1;
    let joined = if commas >= MIN_COMMAS { join_short(sentence, &parts) } else { vec![sentence] };
    joined.into_iter().flat_map(split_by_length).collect()
}

/// Splits by length only.
pub(super) fn split_by_length(part: &str) -> Vec<&str> {
    let total = tokens(part);
    if total < MIN_SPLIT_TOKENS {
        return vec![part];
    }
    let Some(at) = best_cut(part, total) else {
        return vec![part];
    };
    let (left, right) = part.split_at(at);
    let mut parts = split_by_length(left);
    parts.extend(split_by_length(right));
    parts
}

fn tokens(text: &str) -> usize {
    text.split_whitespace().map(word_tokens).sum()
}

fn word_tokens(word: &str) -> usize {
    word.chars().count().div_ceil(TOKEN_CHARS)
}

const fn is_comma(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | '､')
}

/// Parts that end after a comma. A comma inside a number does not count.
fn at_commas(sentence: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut before = ' ';
    let mut chars = sentence.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let end = i + c.len_utf8();
        let after = chars.peek().map_or(' ', |next| next.1);
        let number = before.is_numeric() && after.is_numeric();
        // Never between a comma and a closing quotation mark or bracket.
        if is_comma(c)
            && !number
            && !matches!(after, '"' | '”' | '’' | '\'' | ')')
            && !sentence[end..].trim().is_empty()
        {
            parts.push(&sentence[begin..end]);
            begin = end;
        }
        before = c;
    }
    parts.push(&sentence[begin..]);
    parts
}

/// Joins short neighbours; at least one cut remains.
fn join_short<'a>(sentence: &'a str, parts: &[&'a str]) -> Vec<&'a str> {
    let mut cuts = Vec::new();
    let (mut at, mut held) = (0, 0);
    for part in parts {
        at += part.len();
        held += tokens(part);
        if held >= MIN_PART_TOKENS && at < sentence.len() && tokens(&sentence[at..]) >= MIN_PART_TOKENS {
            cuts.push(at);
            held = 0;
        }
    }
    if cuts.is_empty() {
        let half = parts.len().div_ceil(2);
        cuts.push(parts[..half].iter().map(|p| p.len()).sum());
    }
    cuts.push(sentence.len());
    let mut begin = 0;
    cuts.into_iter()
        .map(|end| {
            let part = &sentence[begin..end];
            begin = end;
            part
        })
        .collect()
}

/// The best cut near the middle. Preferred are semicolons and colons, then commas, then clause endings and conjunctions, then any space. If no space
/// is near, the middle character.
fn best_cut(part: &str, total: usize) -> Option<usize> {
    let words: Vec<(usize, &str)> = part.split_word_bound_indices_by_space();
    let mut best: Option<(f32, usize)> = None;
    let mut done = 0;
    for pair in words.windows(2) {
        let ((_, word), (next_at, next)) = (pair[0], pair[1]);
        done += word_tokens(word);
        let quality = match word.chars().last() {
            Some(';' | ':' | '—' | '；') => 0.0,
            Some(c) if is_comma(c) => 0.1,
            _ if KOREAN_CLAUSE_ENDINGS.iter().any(|joint| word.ends_with(joint)) => 0.2,
            _ if ENGLISH_CONJUNCTIONS.contains(&next.to_lowercase().as_str()) => 0.2,
            _ => 0.35,
        };
        let off = (done as f32 / total as f32 - 0.5).abs();
        // Each side keeps at least a tenth of the tokens.
        if off < 0.4 && best.is_none_or(|(cost, _)| quality + off < cost) {
            best = Some((quality + off, next_at));
        }
    }
    best.map(|(_, at)| at).or_else(|| {
        let half = part.len() / 2;
        part.grapheme_indices(true).map(|(i, _)| i).find(|&i| i >= half && i > 0)
    })
}

trait Words {
    /// Words with their byte offsets.
    fn split_word_bound_indices_by_space(&self) -> Vec<(usize, &str)>;
}

impl Words for str {
    fn split_word_bound_indices_by_space(&self) -> Vec<(usize, &str)> {
        self.split_whitespace().map(|word| (word.as_ptr() as usize - self.as_ptr() as usize, word)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, expect: &[&str]) {
        assert_eq!(split(sentence).iter().map(|p| p.trim()).collect::<Vec<_>>(), expect);
    }

    // TTS-1
    #[test]
    fn two_commas_cut_a_sentence_one_does_not_tts_1() {
        check("If it rains, we stay.", &["If it rains, we stay."]);
        check(
            "When the rain began to fall, we went back into the house, and nobody said a word.",
            &["When the rain began to fall,", "we went back into the house,", "and nobody said a word."],
        );
        check(
            "비가 오기 시작했을 때, 우리는 집으로 돌아갔고, 아무도 말을 하지 않았다.",
            &["비가 오기 시작했을 때,", "우리는 집으로 돌아갔고, 아무도 말을 하지 않았다."],
        );
        check("사과, 배, 감", &["사과, 배,", "감"]);
        check("It cost 1,234,567 won.", &["It cost 1,234,567 won."]);
    }

    // TTS-1
    #[test]
    fn a_long_sentence_is_cut_at_words_tts_1() {
        let long = (0..50).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        let parts = split(&long);
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|p| tokens(p) < MIN_SPLIT_TOKENS));
        let endless = "가".repeat(1000);
        assert!(split(&endless).iter().all(|p| tokens(p) < MIN_SPLIT_TOKENS));
        let joint = format!("{} and {}", vec!["left"; 22].join(" "), vec!["right"; 20].join(" "));
        assert!(split(&joint)[1].starts_with("and "));
    }
}
