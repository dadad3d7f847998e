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

/// Tokens after which what could still become a thought is taken for the answer: a model that writes only blanks.
const MAX_UNDECIDED: u32 = 16;
/// Blank tokens that a model may put between its thought and a shaped answer.
const MAX_BLANKS: u32 = 3;

/// Tokens of the tags, if a model has them as tokens; some hide them otherwise.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tags {
    /// `<think>`.
    pub open: Option<LlamaToken>,
    /// `</think>`.
    pub close: Option<LlamaToken>,
}

/// What was read before the answer begins.
pub struct GenerationStart {
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Those that were there from before.
    pub reused_tokens: u32,
    /// Where the prompt leaves the model.
    pub stage: ThinkingStage,
    /// The last tokens of the prompt; none if pictures are among them, and it can't be gone back to.
    pub tokens: Vec<LlamaToken>,
    /// When the job began.
    pub begun: Instant,
}

/// A generation under way.
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
    begun: Instant,
    /// Tokens so far of what could become a thought, and blanks between thought and answer.
    undecided: u32,
    blanks: u32,
    usage: GenerationUsage,
}

/// What a token led to.
enum TokenStep {
    Go,
    End(FinishReason),
    /// Cancelled, or nobody listens any more.
    Gone,
}

impl<'a> Generation<'a> {
    /// # Errors
    /// Sampling wishes or a grammar that can't be used.
    pub fn new(
        session: &'a mut LlmSession,
        (output, cancel): (&'a mut Output, &'a CancelFlag),
        job: &'a GenerateJob,
        shape: Option<&Gbnf>,
        tags: Tags,
        start: &GenerationStart,
    ) -> Result<Self, EngineError> {
        let sampler = TokenSampler::new(session.model(), &job.sampling, shape, &start.tokens)?;
        // If nothing may be thought, the shape holds from the first token.
        let at_once = shape.is_some() && (job.max_thinking_tokens == 0 || start.tokens.is_empty());
        let stage =
            if at_once && start.stage == ThinkingStage::Undecided { ThinkingStage::Answer } else { start.stage };
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
            begun: start.begun,
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

    /// Generates until something ends it. Nothing more is said once it is cancelled.
    ///
    /// # Errors
    /// llama.cpp failed, or the model's vocabulary can't write what the shape asks for.
    pub fn run(mut self) -> Result<(), EngineError> {
        let stop = loop {
            match self.step()? {
                TokenStep::Go => {}
                TokenStep::End(stop) => break stop,
                TokenStep::Gone => return Ok(()),
            }
        };
        self.usage.stop = self.say_rest(stop);
        self.output.chunk(EngineChunk::Usage(self.usage), &[]);
        Ok(())
    }

    fn step(&mut self) -> Result<TokenStep, EngineError> {
        if self.cancel.is_set() {
            return Ok(TokenStep::Gone);
        }
        let stage = self.splitter.stage();
        if stage == ThinkingStage::Thinking && self.usage.thinking_tokens >= self.job.max_thinking_tokens {
            // A template may have opened the thought of a model that was asked not to think: nothing is cut then.
            self.usage.thinking_cut = self.usage.thinking_tokens > 0;
            return self.close_thought();
        }
        let Some((token, shaped)) = self.choose(stage) else {
            return Err(grammar::bad("The model has no token that the grammar allows here.".to_owned()));
        };
        if self.usage.first_token_us == 0 {
            self.usage.first_token_us = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX).max(1);
        }
        if self.session.model().vocab().is_eog(token) {
            return match stage {
                // An answer has to come, and it has to have its shape.
                ThinkingStage::Thinking => self.close_thought(),
                ThinkingStage::Undecided | ThinkingStage::Between if self.sampler.has_shape() => self.begin_answer(),
                ThinkingStage::Undecided | ThinkingStage::Between | ThinkingStage::Answer => {
                    Ok(TokenStep::End(FinishReason::End))
                }
            };
        }
        // Asked only now, because the model may have been done just at its limit.
        if stage != ThinkingStage::Thinking && self.usage.answer_tokens >= self.job.max_answer_tokens {
            return Ok(TokenStep::End(FinishReason::AnswerLimit));
        }
        self.take(stage, token, shaped)
    }

    /// The next token, and whether it is a part of the shape.
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

    /// The token becomes a part of the text.
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
            // What was the beginning of the tag.
            self.usage.thinking_tokens += std::mem::take(&mut self.usage.answer_tokens);
        }
        match self.say(parts) {
            TokenStep::Go => {}
            other => return Ok(other),
        }
        if self.session.remaining() == 0 {
            return Ok(TokenStep::End(FinishReason::ContextFull));
        }
        self.session.append(&[token])?;
        Ok(TokenStep::Go)
    }

    /// There is no thought: what was written freely is taken back, and the answer begins in its shape.
    fn begin_answer(&mut self) -> Result<TokenStep, EngineError> {
        self.characters = Characters::default();
        self.splitter.answer();
        if self.usage.thinking_tokens > 0 {
            return Ok(TokenStep::Go);
        }
        self.usage.answer_tokens = 0;
        let back = self.session.past() == self.prompt_end || self.session.rewind(self.prompt_end, self.cancel)?;
        Ok(if back { TokenStep::Go } else { TokenStep::Gone })
    }

    /// Puts the end of the thought into the model's mouth.
    fn close_thought(&mut self) -> Result<TokenStep, EngineError> {
        let rest = self.characters.finish();
        let mut parts = self.splitter.push(&rest);
        parts.extend(self.splitter.close());
        match self.say(parts) {
            TokenStep::Go => {}
            other => return Ok(other),
        }
        let closing = self.session.model().vocab().tokenize(format!("\n{CLOSE}\n\n").as_bytes(), false, true);
        if closing.len() > self.session.remaining() {
            return Ok(TokenStep::End(FinishReason::ContextFull));
        }
        self.session.append(&closing)?;
        // The blanks are written already.
        self.blanks = MAX_BLANKS;
        Ok(TokenStep::Go)
    }

    /// Sends what is certain.
    fn say(&mut self, parts: Vec<(TextPart, String)>) -> TokenStep {
        for (part, text) in parts {
            match part {
                TextPart::Thinking => {
                    if !self.emit(part, text) {
                        return TokenStep::Gone;
                    }
                }
                TextPart::Answer => {
                    let (text, stopped) = self.stops.push(&text);
                    let complete = self.json.as_mut().is_some_and(|json| json.push(&text));
                    if !self.emit(part, text) {
                        return TokenStep::Gone;
                    }
                    if stopped || complete {
                        return TokenStep::End(if stopped { FinishReason::StopText } else { FinishReason::End });
                    }
                }
            }
        }
        TokenStep::Go
    }

    /// Sends what was held back because it could have become something else.
    fn say_rest(&mut self, stop: FinishReason) -> FinishReason {
        if stop == FinishReason::StopText {
            return stop;
        }
        let rest = self.characters.finish();
        let mut parts = self.splitter.push(&rest);
        parts.extend(self.splitter.finish());
        let stop = match self.say(parts) {
            TokenStep::End(FinishReason::StopText) => FinishReason::StopText,
            TokenStep::Go | TokenStep::Gone | TokenStep::End(_) => stop,
        };
        if stop != FinishReason::StopText {
            let held = self.stops.finish();
            self.emit(TextPart::Answer, held);
        }
        stop
    }

    /// `false`: nobody listens any more.
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
