//! Separates a model's thinking from its answer (REA-4).

use luna_messages::engine::TextPart;

use crate::text::partial_suffix_len;

/// The opening tag of a thought.
pub const OPEN: &str = "<think>";
/// The closing tag.
pub const CLOSE: &str = "</think>";

/// The part of the output that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingStage {
    /// Nothing yet, or a possible opening tag.
    Undecided,
    Thinking,
    /// After a thought, before the answer.
    Between,
    Answer,
}

/// Splits streamed text into thought and answer, without the tags.
#[derive(Debug)]
pub struct Splitter {
    stage: ThinkingStage,
    held: String,
}

impl Splitter {
    pub fn new(stage: ThinkingStage) -> Self {
        Self { stage, held: String::new() }
    }

    pub const fn stage(&self) -> ThinkingStage {
        self.stage
    }

    /// The settled parts. Only a tag at the very beginning opens a thought, so an answer may mention the tags.
    pub fn push(&mut self, text: &str) -> Vec<(TextPart, String)> {
        let mut parts = Vec::new();
        self.held.push_str(text);
        loop {
            let before = self.stage;
            self.step(&mut parts);
            if self.stage == before {
                break;
            }
        }
        parts.retain(|(_, text)| !text.is_empty());
        parts
    }

    fn step(&mut self, parts: &mut Vec<(TextPart, String)>) {
        match self.stage {
            ThinkingStage::Undecided => {
                let begin = self.held.trim_start();
                if let Some(rest) = begin.strip_prefix(OPEN) {
                    self.held = rest.to_owned();
                    self.stage = ThinkingStage::Thinking;
                } else if !OPEN.starts_with(begin) {
                    self.stage = ThinkingStage::Answer;
                }
            }
            ThinkingStage::Thinking => {
                if let Some(at) = self.held.find(CLOSE) {
                    let rest = self.held.split_off(at);
                    parts.push((TextPart::Thinking, std::mem::replace(&mut self.held, rest[CLOSE.len()..].to_owned())));
                    self.stage = ThinkingStage::Between;
                } else {
                    let kept = self.held.split_off(self.held.len() - partial_suffix_len(&self.held, CLOSE));
                    parts.push((TextPart::Thinking, std::mem::replace(&mut self.held, kept)));
                }
            }
            ThinkingStage::Between => {
                self.held = self.held.trim_start().to_owned();
                if !self.held.is_empty() {
                    self.stage = ThinkingStage::Answer;
                }
            }
            ThinkingStage::Answer => parts.push((TextPart::Answer, std::mem::take(&mut self.held))),
        }
    }

    /// Ends the thought after the closing tag was forced.
    pub fn close(&mut self) -> Vec<(TextPart, String)> {
        self.stage = ThinkingStage::Between;
        vec![(TextPart::Thinking, std::mem::take(&mut self.held))]
    }

    /// Discards the possible thought and begins the answer.
    pub fn answer(&mut self) {
        self.held.clear();
        self.stage = ThinkingStage::Answer;
    }

    /// The remaining text.
    pub fn finish(&mut self) -> Option<(TextPart, String)> {
        let rest = std::mem::take(&mut self.held);
        let part = if self.stage == ThinkingStage::Thinking { TextPart::Thinking } else { TextPart::Answer };
        (!rest.is_empty()).then_some((part, rest))
    }
}

/// The stage in which a prompt ends: a template may have opened a thought.
pub fn stage_after(prompt: &str) -> ThinkingStage {
    if prompt.trim_end().ends_with(OPEN) { ThinkingStage::Thinking } else { ThinkingStage::Undecided }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(stage: ThinkingStage, parts: &[&str]) -> (String, String, ThinkingStage) {
        let mut splitter = Splitter::new(stage);
        let (mut thought, mut answer) = (String::new(), String::new());
        let mut take = |(part, text): (TextPart, String)| match part {
            TextPart::Thinking => thought.push_str(&text),
            TextPart::Answer => answer.push_str(&text),
        };
        parts.iter().flat_map(|part| splitter.push(part)).for_each(&mut take);
        splitter.finish().into_iter().for_each(&mut take);
        (thought, answer, splitter.stage())
    }

    fn check(stage: ThinkingStage, parts: &[&str], thought: &str, answer: &str, end: ThinkingStage) {
        assert_eq!(split(stage, parts), (thought.to_owned(), answer.to_owned(), end), "{parts:?}");
    }

    // REA-4
    #[test]
    fn thinking_is_kept_apart_rea_4() {
        use ThinkingStage::{Answer, Between, Thinking, Undecided};
        check(Undecided, &["hello"], "", "hello", Answer);
        check(Undecided, &[" hello"], "", " hello", Answer);
        check(Undecided, &["<think>", "\nhm", "</think>", "\n\n", "yes"], "\nhm", "yes", Answer);
        check(Undecided, &["\n<th", "ink>생", "각</th", "ink>\n답"], "생각", "답", Answer);
        check(Undecided, &["<th", "e end"], "", "<the end", Answer);
        check(Undecided, &["<th"], "", "<th", Undecided);
        check(Undecided, &["a <think>b</think>"], "", "a <think>b</think>", Answer);
        check(Undecided, &["<think>a</thin", "g>b</think>c"], "a</thing>b", "c", Answer);
        check(Undecided, &["<think>a</thin"], "a</thin", "", Thinking);
        check(Thinking, &["hm</think>  "], "hm", "", Between);
        check(Thinking, &["hm</think>x</think>"], "hm", "x</think>", Answer);
    }

    proptest! {
        // REA-4
        #[test]
        fn the_cut_into_tokens_changes_nothing_rea_4(text in "(<think>)?[ab<\n]{0,12}(</think>)?[ab<\n]{0,8}", cut in 1usize..6) {
            let whole = split(ThinkingStage::Undecided, &[&text]);
            let parts: Vec<&str> =
                text.as_bytes().chunks(cut).map(|part| std::str::from_utf8(part).unwrap_or_default()).collect();
            prop_assert_eq!(split(ThinkingStage::Undecided, &parts), whole);
        }
    }

    #[test]
    fn templates_that_open_a_thought_are_noticed_rea_4() {
        for (prompt, expect) in [
            ("<|im_start|>assistant\n", ThinkingStage::Undecided),
            ("<|im_start|>assistant\n<think>\n", ThinkingStage::Thinking),
            ("assistant\n<think>\n\n</think>\n\n", ThinkingStage::Undecided),
        ] {
            assert_eq!(stage_after(prompt), expect, "{prompt:?}");
        }
    }
}
