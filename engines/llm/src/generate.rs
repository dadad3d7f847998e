//! From a prompt to an answer, token by token.

use std::time::Instant;

use llama_cpp_2::token::LlamaToken;
use luna_engine_protocol::EngineChunk;
use luna_engine_protocol::{CancelFlag, Output};
use luna_messages::engine::{EngineError, FinishReason, GenerateJob, GenerationUsage, TextPart};

use crate::grammar::{self, Gbnf};
use crate::json_end::JsonEnd;
use crate::sample::TokenSampler;
use crate::session::LlmSession;
use crate::text::{Characters, Stops};
use crate::thinking::{CLOSE, OPEN, Splitter, ThinkingStage};

/// Tokens after which undecided output counts as the answer, for a model that writes only blanks.
const MAX_UNDECIDED: u32 = 16;
/// Blank tokens allowed between the thought and a constrained answer.
const MAX_BLANKS: u32 = 3;

/// Token ids of the thinking tags, for models that have them in the vocabulary; some of these models don't render them as text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tags {
    /// `<think>`.
    pub open: Option<LlamaToken>,
    /// `</think>`.
    pub close: Option<LlamaToken>,
}

/// State of the session after the prompt, before the answer.
pub struct GenerationStart {
    pub prompt_tokens: u32,
    /// Prompt tokens taken from the cache.
    pub reused_tokens: u32,
    /// The stage in which the prompt ends.
    pub stage: ThinkingStage,
    /// The last tokens of the prompt; empty if the prompt contains pictures, because it can't be rewound then.
    pub tokens: Vec<LlamaToken>,
    pub started: Instant,
}

/// A generation in progress.
pub struct Generation<'a> {
    session: &'a mut LlmSession,
    output: &'a mut Output,
    cancel: &'a CancelFlag,
    job: &'a GenerateJob,
    tags: Tags,
    sampler: TokenSampler,
    characters: Characters,
    splitter: Splitter,
    stops: Stops,
    json: Option<JsonEnd>,
    prompt_end: usize,
    started: Instant,
    /// Undecided tokens so far, and blanks between thought and answer.
    undecided: u32,
    blanks: u32,
    usage: GenerationUsage,
}

/// The outcome of one token.
enum TokenStep {
    Continue,
    End(FinishReason),
    /// Cancelled, or the receiver is gone.
    Cancelled,
}

impl<'a> Generation<'a> {
    /// # Errors
    /// The sampling settings are out of range, or the grammar is unusable.
    pub fn new(
        session: &'a mut LlmSession,
        (output, cancel): (&'a mut Output, &'a CancelFlag),
        job: &'a GenerateJob,
        shape: Option<&Gbnf>,
        tags: Tags,
        start: &GenerationStart,
    ) -> Result<Self, EngineError> {
        let sampler = TokenSampler::new(session.model(), &job.sampling, shape, &start.tokens)?;
        // Without a thinking budget the grammar applies from the first token.
        let constrained_from_start = shape.is_some() && (job.max_thinking_tokens == 0 || start.tokens.is_empty());
        let stage = if constrained_from_start && start.stage == ThinkingStage::Undecided {
            ThinkingStage::Answer
        } else {
            start.stage
        };
        let prompt_end = session.past();
        Ok(Self {
            session,
            output,
            cancel,
            job,
            tags,
            sampler,
            characters: Characters::default(),
            splitter: Splitter::new(stage),
            stops: Stops::new(&job.stop),
            json: shape.is_some_and(|shape| shape.json).then(JsonEnd::default),
            prompt_end,
            started: start.started,
            undecided: 0,
            blanks: 0,
            usage: GenerationUsage {
                prompt_tokens: start.prompt_tokens,
                reused_tokens: start.reused_tokens,
                thinking_tokens: 0,
                answer_tokens: 0,
                thinking_cut: false,
                stop: FinishReason::End,
                first_token_us: 0,
            },
        })
    }

    /// Generates until a stop condition holds. Sends nothing more after a cancel.
    ///
    /// # Errors
    /// llama.cpp failed, or the model's vocabulary can't write what the grammar requires.
    pub fn run(mut self) -> Result<(), EngineError> {
        let stop = loop {
            match self.step()? {
                TokenStep::Continue => {}
                TokenStep::End(stop) => break stop,
                TokenStep::Cancelled => return Ok(()),
            }
        };
        self.usage.stop = self.send_rest(stop);
        self.output.chunk(EngineChunk::Usage(self.usage), &[]);
        Ok(())
    }

    fn step(&mut self) -> Result<TokenStep, EngineError> {
        if self.cancel.is_set() {
            return Ok(TokenStep::Cancelled);
        }
        let stage = self.splitter.stage();
        if stage == ThinkingStage::Thinking && self.usage.thinking_tokens >= self.job.max_thinking_tokens {
            // The template may have opened a thought although thinking is off: that is no cut.
            self.usage.thinking_cut = self.usage.thinking_tokens > 0;
            return self.close_thought();
        }
        let Some((token, shaped)) = self.choose(stage) else {
            return Err(grammar::bad("The model has no token that the grammar allows here.".to_owned()));
        };
        if self.usage.first_token_us == 0 {
            self.usage.first_token_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX).max(1);
        }
        if self.session.model().vocab().is_eog(token) {
            return match stage {
                // An answer must follow, and it must match the grammar.
                ThinkingStage::Thinking => self.close_thought(),
                ThinkingStage::Undecided | ThinkingStage::Between if self.sampler.has_shape() => self.begin_answer(),
                ThinkingStage::Undecided | ThinkingStage::Between | ThinkingStage::Answer => {
                    Ok(TokenStep::End(FinishReason::End))
                }
            };
        }
        // Checked only now: the model may have finished exactly at its limit.
        if stage != ThinkingStage::Thinking && self.usage.answer_tokens >= self.job.max_answer_tokens {
            return Ok(TokenStep::End(FinishReason::AnswerLimit));
        }
        self.take(stage, token, shaped)
    }

    /// The next token, and whether the grammar constrained it.
    fn choose(&mut self, stage: ThinkingStage) -> Option<(LlamaToken, bool)> {
        let context = self.session.context();
        match stage {
            ThinkingStage::Undecided | ThinkingStage::Thinking => Some((self.sampler.free(context), false)),
            ThinkingStage::Between if self.blanks < MAX_BLANKS => {
                let token = self.sampler.free(context);
                if self.piece(token).iter().all(u8::is_ascii_whitespace) && !self.session.model().vocab().is_eog(token)
                {
                    self.blanks += 1;
                    return Some((token, false));
                }
                self.sampler.shaped(self.session.context()).map(|token| (token, true))
            }
            ThinkingStage::Between | ThinkingStage::Answer => self.sampler.shaped(context).map(|token| (token, true)),
        }
    }

    /// Appends a token to the text and sends what is settled.
    fn take(&mut self, stage: ThinkingStage, token: LlamaToken, shaped: bool) -> Result<TokenStep, EngineError> {
        let text = self.characters.push(&self.piece(token));
        let parts = self.splitter.push(&text);
        let now = self.splitter.stage();
        if stage == ThinkingStage::Undecided {
            self.undecided += 1;
            let no_thought =
                now == ThinkingStage::Answer || (now == ThinkingStage::Undecided && self.undecided >= MAX_UNDECIDED);
            if no_thought && self.sampler.has_shape() {
                return self.begin_answer();
            }
        }
        self.sampler.accept(token, shaped)?;
        if stage == ThinkingStage::Thinking || now == ThinkingStage::Thinking {
            self.usage.thinking_tokens += 1;
        } else {
            self.usage.answer_tokens += 1;
        }
        if stage == ThinkingStage::Undecided && now != ThinkingStage::Undecided && now != ThinkingStage::Answer {
            // These tokens were the beginning of the tag.
            self.usage.thinking_tokens += std::mem::take(&mut self.usage.answer_tokens);
        }
        match self.send_parts(parts) {
            TokenStep::Continue => {}
            other => return Ok(other),
        }
        if self.session.remaining() == 0 {
            return Ok(TokenStep::End(FinishReason::ContextFull));
        }
        self.session.append(&[token])?;
        Ok(TokenStep::Continue)
    }

    /// Starts the answer under the grammar; rewinds to the prompt first if the model wrote no thought.
    fn begin_answer(&mut self) -> Result<TokenStep, EngineError> {
        self.characters = Characters::default();
        self.splitter.answer();
        if self.usage.thinking_tokens > 0 {
            return Ok(TokenStep::Continue);
        }
        self.usage.answer_tokens = 0;
        let back = self.session.past() == self.prompt_end || self.session.rewind(self.prompt_end, self.cancel)?;
        Ok(if back { TokenStep::Continue } else { TokenStep::Cancelled })
    }

    /// Forces the closing tag of the thought.
    fn close_thought(&mut self) -> Result<TokenStep, EngineError> {
        let rest = self.characters.finish();
        let mut parts = self.splitter.push(&rest);
        parts.extend(self.splitter.close());
        match self.send_parts(parts) {
            TokenStep::Continue => {}
            other => return Ok(other),
        }
        let closing = self.session.model().vocab().tokenize(format!("\n{CLOSE}\n\n").as_bytes(), false, true);
        if closing.len() > self.session.remaining() {
            return Ok(TokenStep::End(FinishReason::ContextFull));
        }
        self.session.append(&closing)?;
        // The closing tag already ends with blanks.
        self.blanks = MAX_BLANKS;
        Ok(TokenStep::Continue)
    }

    /// Sends the settled parts.
    fn send_parts(&mut self, parts: Vec<(TextPart, String)>) -> TokenStep {
        for (part, text) in parts {
            match part {
                TextPart::Thinking => {
                    if !self.emit(part, text) {
                        return TokenStep::Cancelled;
                    }
                }
                TextPart::Answer => {
                    let (text, stopped) = self.stops.push(&text);
                    let complete = self.json.as_mut().is_some_and(|json| json.push(&text));
                    if !self.emit(part, text) {
                        return TokenStep::Cancelled;
                    }
                    if stopped || complete {
                        return TokenStep::End(if stopped { FinishReason::StopText } else { FinishReason::End });
                    }
                }
            }
        }
        TokenStep::Continue
    }

    /// Sends the text that was held back as a possible tag or stop text.
    fn send_rest(&mut self, stop: FinishReason) -> FinishReason {
        if stop == FinishReason::StopText {
            return stop;
        }
        let rest = self.characters.finish();
        let mut parts = self.splitter.push(&rest);
        parts.extend(self.splitter.finish());
        let stop = match self.send_parts(parts) {
            TokenStep::End(FinishReason::StopText) => FinishReason::StopText,
            TokenStep::Continue | TokenStep::Cancelled | TokenStep::End(_) => stop,
        };
        if stop != FinishReason::StopText {
            let held = self.stops.finish();
            self.emit(TextPart::Answer, held);
        }
        stop
    }

    /// Returns `false` if the receiver is gone.
    fn emit(&mut self, part: TextPart, text: String) -> bool {
        text.is_empty() || self.output.chunk(EngineChunk::Text { part, text }, &[])
    }

    fn piece(&self, token: LlamaToken) -> Vec<u8> {
        if Some(token) == self.tags.open {
            OPEN.as_bytes().to_vec()
        } else if Some(token) == self.tags.close {
            CLOSE.as_bytes().to_vec()
        } else {
            self.session.model().vocab().token_to_piece(token, false, None)
        }
    }
}
