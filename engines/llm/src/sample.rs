//! Samples the next token.

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind, Sampling};

use crate::grammar::{self, Gbnf};

/// Tokens covered by the repeat penalty.
const LOOK_BACK: i32 = 64;

/// Samples tokens with the settings of one job.
pub struct TokenSampler {
    /// `None` means greedy sampling.
    chain: Option<LlamaSampler>,
    has_repeat_penalty: bool,
    shape: Option<LlamaSampler>,
    /// Reused between tokens, because a vocabulary is large.
    candidates: LlamaTokenDataArray,
}

impl TokenSampler {
    /// `before` holds the last tokens of the prompt, which the repeat penalty covers.
    ///
    /// # Errors
    /// The settings are out of range, or the grammar can't be parsed.
    pub fn new(
        model: &LlamaModel,
        sampling: &Sampling,
        shape: Option<&Gbnf>,
        before: &[LlamaToken],
    ) -> Result<Self, EngineError> {
        check(sampling)?;
        let shape = match shape {
            Some(gbnf) => Some(LlamaSampler::grammar(model, &gbnf.text, "root").map_err(|_| {
                let why = crate::log::reason(&crate::log::take());
                let why = why.unwrap_or_else(|| "it is malformed or refers to itself first".to_owned());
                grammar::bad(format!("The grammar can't be used: {why}."))
            })?),
            None => None,
        };
        let has_repeat_penalty = sampling.repeat_penalty != 1.0;
        let mut steps = Vec::new();
        if has_repeat_penalty {
            steps.push(LlamaSampler::penalties(model.n_vocab(), LOOK_BACK, sampling.repeat_penalty, 0.0, 0.0));
        }
        if sampling.temperature > 0.0 {
            if sampling.top_k > 0 {
                steps.push(LlamaSampler::top_k(i32::try_from(sampling.top_k).unwrap_or(i32::MAX)));
            }
            if sampling.top_p < 1.0 {
                steps.push(LlamaSampler::top_p(sampling.top_p, 1));
            }
            if sampling.min_p > 0.0 {
                steps.push(LlamaSampler::min_p(sampling.min_p, 1));
            }
            steps.push(LlamaSampler::temp(sampling.temperature));
            // The largest number would mean "any seed".
            steps.push(LlamaSampler::dist(sampling.seed.min(u32::MAX - 1)));
        } else if has_repeat_penalty {
            steps.push(LlamaSampler::greedy());
        }
        let mut chain = (!steps.is_empty()).then(|| LlamaSampler::chain(steps, true));
        if has_repeat_penalty && let Some(chain) = &mut chain {
            let skipped = before.len().saturating_sub(LOOK_BACK.unsigned_abs() as usize);
            chain.accept_many(&before[skipped..]);
        }
        Ok(Self { chain, has_repeat_penalty, shape, candidates: LlamaTokenDataArray::new(Vec::new(), false) })
    }

    /// Whether a grammar constrains answers.
    pub const fn has_shape(&self) -> bool {
        self.shape.is_some()
    }

    /// The next token, regardless of the grammar.
    pub fn free(&mut self, context: &LlamaContext<'_>) -> LlamaToken {
        let logits = context.get_logits_ith(-1);
        match &mut self.chain {
            None => likeliest(logits.iter().copied()).map_or(LlamaToken(0), |at| LlamaToken(at as i32)),
            Some(chain) => {
                fill(&mut self.candidates, logits);
                choose(chain, &mut self.candidates).unwrap_or(LlamaToken(0))
            }
        }
    }

    /// The next token that fits the grammar; `None` if no token fits.
    ///
    /// Tests the unconstrained choice first, because it usually fits: checking a whole vocabulary against the grammar takes longer than a
    /// small model needs for a token.
    pub fn shaped(&mut self, context: &LlamaContext<'_>) -> Option<LlamaToken> {
        let wanted = self.free(context);
        let Some(shape) = &mut self.shape else {
            return Some(wanted);
        };
        let mut candidate = LlamaTokenDataArray::new(vec![LlamaTokenData::new(wanted, 1.0, 0.0)], false);
        candidate.apply_sampler(shape);
        if candidate.data.first().is_some_and(|data| data.logit().is_finite()) {
            return Some(wanted);
        }
        fill(&mut self.candidates, context.get_logits_ith(-1));
        self.candidates.apply_sampler(shape);
        self.candidates.data.retain(|data| data.logit() > f32::NEG_INFINITY);
        match &mut self.chain {
            None => likeliest(self.candidates.data.iter().map(LlamaTokenData::logit))
                .map(|at| self.candidates.data[at].id()),
            Some(chain) => choose(chain, &mut self.candidates),
        }
    }

    /// Records the token; `shaped` also advances the grammar.
    ///
    /// # Errors
    /// The grammar can't continue, which cannot happen for a token that it accepted.
    pub fn accept(&mut self, token: LlamaToken, shaped: bool) -> Result<(), EngineError> {
        if self.has_repeat_penalty
            && let Some(chain) = &mut self.chain
        {
            chain.accept(token);
        }
        if shaped && let Some(shape) = &mut self.shape {
            shape.try_accept(token).map_err(|error| {
                failure(
                    EngineErrorKind::Internal,
                    format!("The grammar could not continue: {error}."),
                    "Try again; if it happens each time, report it with the grammar.",
                )
            })?;
        }
        Ok(())
    }
}

fn fill(candidates: &mut LlamaTokenDataArray, logits: &[f32]) {
    candidates.data.clear();
    candidates.data.extend((0..).zip(logits).map(|(id, logit)| LlamaTokenData::new(LlamaToken(id), *logit, 0.0)));
    candidates.selected = None;
    candidates.sorted = false;
}

fn choose(chain: &mut LlamaSampler, candidates: &mut LlamaTokenDataArray) -> Option<LlamaToken> {
    if candidates.data.is_empty() {
        return None;
    }
    candidates.apply_sampler(chain);
    candidates.selected_token()
}

/// The index of the largest number; NaN never counts.
fn likeliest(logits: impl Iterator<Item = f32>) -> Option<usize> {
    let mut best = None;
    let mut most = f32::NEG_INFINITY;
    for (at, logit) in logits.enumerate() {
        if logit > most {
            most = logit;
            best = Some(at);
        }
    }
    best
}

fn check(sampling: &Sampling) -> Result<(), EngineError> {
    let share = 0.0..=1.0;
    let wrong = [
        ("temperature", sampling.temperature.is_finite() && sampling.temperature >= 0.0, "0 or more"),
        ("top_p", share.contains(&sampling.top_p), "between 0 and 1"),
        ("min_p", share.contains(&sampling.min_p), "between 0 and 1"),
        ("repeat_penalty", sampling.repeat_penalty.is_finite() && sampling.repeat_penalty > 0.0, "above 0"),
    ]
    .into_iter()
    .find(|(_, right, _)| !right);
    wrong.map_or(Ok(()), |(name, _, range)| {
        Err(failure(
            EngineErrorKind::BadInput,
            format!("The sampling setting \"{name}\" is out of its range."),
            format!("Give a number {range}."),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_is_found_among_odd_numbers() {
        for (logits, expect) in [
            (&[1.0, 3.0, 2.0][..], Some(1)),
            (&[f32::NAN, -1.0], Some(1)),
            (&[f32::NEG_INFINITY, f32::NAN], None),
            (&[], None),
        ] {
            assert_eq!(likeliest(logits.iter().copied()), expect, "{logits:?}");
        }
    }

    // ENG-4
    #[test]
    fn wishes_out_of_range_are_named_eng_4() {
        let refused = |change: fn(&mut Sampling)| {
            let mut sampling = Sampling::default();
            change(&mut sampling);
            check(&sampling).err().map(|error| error.message)
        };
        assert_eq!(refused(|_| {}), None);
        for (change, word) in [
            ((|w: &mut Sampling| w.temperature = f32::NAN) as fn(&mut Sampling), "temperature"),
            (|w| w.temperature = -1.0, "temperature"),
            (|w| w.top_p = 1.5, "top_p"),
            (|w| w.min_p = -0.1, "min_p"),
            (|w| w.repeat_penalty = 0.0, "repeat_penalty"),
        ] {
            assert!(refused(change).is_some_and(|message| message.contains(word)), "{word}");
        }
    }
}
