//! Fits prompt entries into the token budget (PAK-1).

use luna_messages::engine::{ChatMessage, ChatRole, Prompt};

/// Token caps per part (`llm_budget.caps`), and in total (`llm_budget.max_tokens`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartCaps {
    /// Fixed instructions.
    pub system: u32,
    pub device_state: u32,
    /// Recent events.
    pub digest: u32,
    /// Elements that the utterance may refer to.
    pub candidates: u32,
    /// The person's utterance.
    pub user_utterance: u32,
    /// The whole prompt; what is left over goes to the target text.
    pub max_tokens: u32,
}

impl Default for PartCaps {
    /// The defaults of PAK-1.
    fn default() -> Self {
        Self { system: 200, device_state: 80, digest: 120, candidates: 300, user_utterance: 60, max_tokens: 1600 }
    }
}

/// Tokens that the chat template adds around two messages, plus the delimiters and field names around the parts. Today's templates add 8 to 20.
pub const FRAME: u32 = 48;

/// The parts of a prompt; each entry is kept whole or dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sections {
    /// Fixed instructions, most important first.
    pub system: Vec<String>,
    /// State of the devices, most important first.
    pub device_state: Vec<String>,
    /// Recent events, the newest last; at most two lines are used.
    pub digest: Vec<String>,
    /// The request without candidates and utterance: the tokens that the other counts do not cover.
    pub frame: String,
    /// Candidates, each as JSON, most likely first.
    pub candidates: Vec<String>,
    /// The person's utterance, one word per entry.
    pub utterance: Vec<String>,
    /// The text that the request is about, one sentence per entry.
    pub target: Vec<String>,
}

/// The entries that are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackedSections {
    /// Fixed instructions.
    pub system: Vec<String>,
    pub device_state: Vec<String>,
    /// Recent events.
    pub digest: Vec<String>,
    /// Number of candidates; the model can't choose one that it was not shown.
    pub candidates: usize,
    /// The person's utterance, perhaps without words from its middle.
    pub utterance: String,
    /// Number of entries of the target text.
    pub target: usize,
    /// Tokens of the whole prompt, [`FRAME`] and estimates for missing counts included; at most `max_tokens`.
    pub tokens: u32,
}

impl Sections {
    /// All texts that [`Self::pack`] needs token counts of, in its order (PAK-2).
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let parts = [&self.system, &self.device_state, &self.digest, &self.candidates, &self.utterance, &self.target];
        let frame = std::iter::once(&self.frame);
        frame.chain(parts.into_iter().flatten()).cloned().collect()
    }

    /// Keeps what fits. `counts` are the tokens of [`Self::texts`]; a missing count is taken as one token per byte, which no tokenizer exceeds.
    #[must_use]
    pub fn pack(&self, counts: &[u32], caps: &PartCaps) -> PackedSections {
        let texts = self.texts();
        let bytes = |text: &String| u32::try_from(text.len()).unwrap_or(u32::MAX);
        // One more for the separator between entries.
        let mut costs = texts
            .iter()
            .enumerate()
            .map(|(i, text)| counts.get(i).copied().unwrap_or_else(|| bytes(text)).saturating_add(1));
        let mut of = |part: &[String]| costs.by_ref().take(part.len()).collect::<Vec<u32>>();
        let frame = of(std::slice::from_ref(&self.frame)).first().copied().unwrap_or(0);
        let (system, device_state, digest) = (of(&self.system), of(&self.device_state), of(&self.digest));
        let (candidates, utterance, target) = (of(&self.candidates), of(&self.utterance), of(&self.target));

        let mut left = caps.max_tokens.saturating_sub(FRAME).saturating_sub(frame);
        let mut take = |costs: &[u32], cap: u32| {
            let (count, used) = fitting(costs, cap.min(left));
            left -= used;
            count
        };
        // The most important parts choose first, in case the total is smaller than the sum of the caps.
        let system_count = take(&system, caps.system);
        let words = ends(&utterance, caps.user_utterance.min(caps.max_tokens));
        let kept: Vec<u32> = words.iter().filter_map(|word| utterance.get(*word).copied()).collect();
        let spoken = take(&kept, caps.user_utterance);
        let candidate_count = take(&candidates, caps.candidates);
        let device_count = take(&device_state, caps.device_state);
        let newest: Vec<u32> = digest.iter().rev().take(2).copied().collect();
        let digest_count = take(&newest, caps.digest);
        let target_count = take(&target, u32::MAX);
        let begin = |entries: &[String], count: usize| entries.iter().take(count).cloned().collect::<Vec<_>>();
        let said: Vec<&str> =
            words.iter().take(spoken).filter_map(|word| self.utterance.get(*word)).map(String::as_str).collect();
        PackedSections {
            system: begin(&self.system, system_count),
            device_state: begin(&self.device_state, device_count),
            digest: self.digest.iter().skip(self.digest.len() - digest_count).cloned().collect(),
            candidates: candidate_count,
            utterance: said.join(" "),
            target: target_count,
            tokens: caps.max_tokens - left,
        }
    }
}

/// How many of the first entries fit, and their cost.
fn fitting(costs: &[u32], cap: u32) -> (usize, u32) {
    let mut used = 0_u32;
    for (count, cost) in costs.iter().enumerate() {
        match used.checked_add(*cost).filter(|sum| *sum <= cap) {
            Some(sum) => used = sum,
            None => return (count, used),
        }
    }
    (costs.len(), used)
}

/// Which words of an utterance are kept: as many as fit, from both ends, because the verb comes last in Korean and first in English. In order.
fn ends(costs: &[u32], cap: u32) -> Vec<usize> {
    let (mut kept, mut left) = (Vec::new(), cap);
    let (mut front, mut back) = (0, costs.len());
    while front < back {
        let from_back = kept.len() % 2 == 0;
        let at = if from_back { back - 1 } else { front };
        match costs.get(at).and_then(|cost| left.checked_sub(*cost)) {
            Some(rest) => left = rest,
            None => break,
        }
        kept.push(at);
        if from_back { back -= 1 } else { front += 1 }
    }
    kept.sort_unstable();
    kept
}

/// A prompt of fixed instructions and the request.
#[must_use]
pub fn chat(system: &[String], user: String) -> Prompt {
    let mut messages = Vec::new();
    if !system.is_empty() {
        messages.push(ChatMessage { role: ChatRole::System, text: system.join("\n") });
    }
    messages.push(ChatMessage { role: ChatRole::User, text: user });
    Prompt::Chat { messages }
}
