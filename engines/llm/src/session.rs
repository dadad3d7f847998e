//! A loaded model with the cache of the tokens that it evaluated last (PAK-3).

use std::num::NonZeroU32;
use std::ptr::NonNull;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2::{LLAMA_FLASH_ATTN_TYPE_AUTO, LLAMA_FLASH_ATTN_TYPE_DISABLED};
use luna_engine_protocol::{CancelFlag, failure};
use luna_messages::engine::{EngineError, EngineErrorKind};

/// The only sequence id in use.
const SEQUENCE: i32 = 0;
/// Bounds of a batch on the processor, and the batch on a card, tokens.
const MAX_BATCH: usize = 64;
const MIN_BATCH: usize = 8;
const CARD_BATCH: usize = 256;
/// Parameters times tokens that a common processor evaluates in a few tenths of a second.
const BATCH_WORK: u64 = 48_000_000_000;

/// Tokens per batch. A cancel waits for one batch, because llama.cpp's safe interface has no way to abort inside it. The size depends only
/// on constants of the model, so that the same job yields the same answer.
pub fn batch_size(parameters: u64, on_card: bool) -> usize {
    if on_card {
        return CARD_BATCH;
    }
    usize::try_from(BATCH_WORK / parameters.max(1)).unwrap_or(MAX_BATCH).clamp(MIN_BATCH, MAX_BATCH)
}

/// A model at a fixed address, so that a context can point to it while both are moved.
struct PinnedModel(NonNull<LlamaModel>);

impl PinnedModel {
    fn new(model: LlamaModel) -> Self {
        Self(NonNull::from(Box::leak(Box::new(model))))
    }

    const fn get(&self) -> &LlamaModel {
        // SAFETY: the pointer refers to a box that lives as long as `self`, and nothing borrows it mutably.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for PinnedModel {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a box in `new`, and only this place frees it.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// A model, its context, and the tokens in the context.
pub struct LlmSession {
    // Before `model`: fields drop in this order, and the context points to the model.
    context: LlamaContext<'static>,
    batch: LlamaBatch<'static>,
    /// Tokens per batch.
    batch_tokens: usize,
    /// The known tokens in the context; positions of pictures have none.
    seen: Vec<LlamaToken>,
    /// Positions in the context; more than `seen` after a picture.
    past: usize,
    limit: usize,
    model: PinnedModel,
}

impl LlmSession {
    /// Creates a context of `limit` tokens. `on_card`: whether keys and values may be on the graphics card.
    ///
    /// # Errors
    /// Memory is too short for the context.
    pub fn new(
        backend: &LlamaBackend,
        model: LlamaModel,
        limit: u32,
        threads: usize,
        on_card: bool,
    ) -> Result<Self, EngineError> {
        let threads = i32::try_from(threads.max(1)).unwrap_or(1);
        let batch_tokens = batch_size(model.n_params(), on_card);
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(limit))
            .with_n_batch(batch_tokens as u32)
            .with_n_ubatch(batch_tokens as u32)
            .with_n_threads(threads)
            .with_n_threads_batch(threads)
            .with_offload_kqv(on_card)
            .with_op_offload(on_card);
        // Flash attention slows a processor down: 34 instead of 62 tokens a second for 100 million parameters after a prompt of 600 tokens.
        let attention = if on_card { LLAMA_FLASH_ATTN_TYPE_AUTO } else { LLAMA_FLASH_ATTN_TYPE_DISABLED };
        let params = params.with_flash_attention_policy(attention);
        let model = PinnedModel::new(model);
        // SAFETY: the context that borrows the model is dropped before it (see the order of fields), and the model never moves.
        let borrowed: &'static LlamaModel = unsafe { model.0.as_ref() };
        let context = borrowed.new_context(backend, params).map_err(|error| {
            let errors = crate::log::take();
            let why = crate::log::reason(&errors).unwrap_or_else(|| error.to_string());
            failure(
                EngineErrorKind::OutOfMemory,
                format!("There is not enough memory for a context of {limit} tokens: {why}."),
                "Set a smaller context in the configuration, or take a smaller model.",
            )
        })?;
        let batch = LlamaBatch::new(batch_tokens, 1);
        Ok(Self { context, batch, batch_tokens, seen: Vec::new(), past: 0, limit: limit as usize, model })
    }

    pub const fn model(&self) -> &LlamaModel {
        self.model.get()
    }

    /// The context, from which a sampler reads the last logits.
    pub const fn context(&self) -> &LlamaContext<'static> {
        &self.context
    }

    /// The context, for filling it directly; call [`LlmSession::filled`] afterwards.
    #[cfg(feature = "vision")]
    pub const fn context_mut(&mut self) -> &mut LlamaContext<'static> {
        &mut self.context
    }

    /// Records that the context holds this many positions, not all of them tokens.
    #[cfg(feature = "vision")]
    pub fn filled(&mut self, positions: usize) {
        self.seen.clear();
        self.past = positions;
    }

    /// Capacity of the context, tokens.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Tokens per batch.
    #[cfg(feature = "vision")]
    pub const fn batch_tokens(&self) -> usize {
        self.batch_tokens
    }

    /// Free positions.
    pub const fn remaining(&self) -> usize {
        self.limit.saturating_sub(self.past)
    }

    /// Positions in use.
    pub const fn past(&self) -> usize {
        self.past
    }

    /// Makes the context hold exactly these tokens. Evaluates only those not cached, and at least the last, so that its logits exist.
    /// Returns the number of cached tokens; `None` if it was cancelled.
    ///
    /// # Errors
    /// llama.cpp failed; the context is then empty.
    pub fn prefill(&mut self, tokens: &[LlamaToken], cancel: &CancelFlag) -> Result<Option<usize>, EngineError> {
        if self.past != self.seen.len() {
            self.forget();
        }
        let same = self.seen.iter().zip(tokens).take_while(|(seen, wanted)| seen == wanted).count();
        let reused = self.keep(same.min(tokens.len().saturating_sub(1)));
        let mut parts = tokens[reused..].chunks(self.batch_tokens).peekable();
        while let Some(part) = parts.next() {
            if cancel.is_set() {
                return Ok(None);
            }
            self.evaluate(part, parts.peek().is_none())?;
        }
        Ok(Some(reused))
    }

    /// Appends tokens; afterwards the logits of the last one are available.
    ///
    /// # Errors
    /// llama.cpp failed; the context is then empty.
    pub fn append(&mut self, tokens: &[LlamaToken]) -> Result<(), EngineError> {
        let mut parts = tokens.chunks(self.batch_tokens).peekable();
        while let Some(part) = parts.next() {
            self.evaluate(part, parts.peek().is_none())?;
        }
        Ok(())
    }

    /// Restores the state with the first `length` tokens and the logits of the last of them. Returns `false` if it was cancelled.
    ///
    /// # Errors
    /// llama.cpp failed; the context is then empty.
    pub fn rewind(&mut self, length: usize, cancel: &CancelFlag) -> Result<bool, EngineError> {
        let tokens = self.seen[..length.min(self.seen.len())].to_vec();
        Ok(self.prefill(&tokens, cancel)?.is_some())
    }

    /// Clears the context.
    pub fn forget(&mut self) {
        self.context.clear_kv_cache();
        self.seen.clear();
        self.past = 0;
    }

    /// Keeps the first `length` tokens, or none if the model's memory can't be truncated. Returns the number kept.
    fn keep(&mut self, length: usize) -> usize {
        if length < self.seen.len() {
            let from = u32::try_from(length).ok();
            match self.context.clear_kv_cache_seq(Some(SEQUENCE as u32), from, None) {
                Ok(true) if length > 0 => {
                    self.seen.truncate(length);
                    self.past = length;
                }
                Ok(_) | Err(_) => self.forget(),
            }
        }
        self.seen.len()
    }

    fn evaluate(&mut self, tokens: &[LlamaToken], last: bool) -> Result<(), EngineError> {
        self.batch.clear();
        let known = self.past == self.seen.len();
        let done = (0..).zip(tokens).try_for_each(|(at, token)| {
            let position = i32::try_from(self.past + at).unwrap_or(i32::MAX);
            let wanted = last && at + 1 == tokens.len();
            self.batch.add(*token, position, &[SEQUENCE], wanted).map_err(|error| error.to_string())
        });
        let done = done.and_then(|()| self.context.decode(&mut self.batch).map_err(|error| error.to_string()));
        if let Err(error) = done {
            self.forget();
            let errors = crate::log::take();
            let why = crate::log::reason(&errors).unwrap_or(error);
            let (kind, remedy) = if crate::log::is_memory(&errors) {
                (EngineErrorKind::OutOfMemory, "Close other programs, or choose a smaller model.")
            } else {
                (EngineErrorKind::Internal, "Try again; if it happens each time, unload the model and load it again.")
            };
            return Err(failure(kind, format!("The model could not go on: {why}."), remedy));
        }
        self.past += tokens.len();
        if known {
            self.seen.extend_from_slice(tokens);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-6
    #[test]
    fn large_models_read_in_small_portions_ker_6() {
        for (parameters, on_card, expect) in [
            (0, false, 64),
            (260_000, false, 64),
            (1_500_000_000, false, 32),
            (3_000_000_000, false, 16),
            (70_000_000_000, false, 8),
            (7_000_000_000, true, 256),
        ] {
            assert_eq!(batch_size(parameters, on_card), expect, "{parameters} {on_card}");
        }
    }
}
