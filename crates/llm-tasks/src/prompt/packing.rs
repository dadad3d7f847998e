//! Which entries of a prompt there is room for (PAK-1).

use luna_messages::engine::{ChatMessage, ChatRole, Prompt};

/// Tokens by part (`llm_budget.caps`), and in all (`llm_budget.max_tokens`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartCaps {
    /// Fixed instructions.
    pub system: u32,
    pub device_state: u32,
    /// What happened lately.
    pub digest: u32,
    /// Elements that may be meant.
    pub candidates: u32,
    /// What the person said.
    pub user_utterance: u32,
    /// All of the prompt; what is left goes to the target text.
    pub max_tokens: u32,
}

impl Default for PartCaps {
    /// Those of PAK-1.
    fn default() -> Self {
        Self { system: 200, device_state: 80, digest: 120, candidates: 300, user_utterance: 60, max_tokens: 1600 }
    }
}

/// Tokens that the chat template writes round two messages, and the marks and names of fields round the parts. The templates of today's models
/// write 8 to 20.
pub const FRAME: u32 = 48;

/// The parts of a prompt, each in entries that are whole or not there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sections {
    /// Fixed instructions, the indispensable ones first.
    pub system: Vec<String>,
    /// State of the devices, the most important first.
    pub device_state: Vec<String>,
    /// What happened lately, the newest last; two lines at most are used.
    pub digest: Vec<String>,
    /// The task, the utterance and all of the request but candidates: what the counts of the others do not cover.
    pub frame: String,
    /// Candidates, each as JSON, the likeliest first.
    pub candidates: Vec<String>,
    /// What the person said, word by word.
    pub utterance: Vec<String>,
    /// The text that this is about, in sentences.
    pub target: Vec<String>,
}

/// Which entries are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Packed {
    /// Fixed instructions.
    pub system: Vec<String>,
    pub device_state: Vec<String>,
    /// What happened lately.
    pub digest: Vec<String>,
    /// How many candidates; what was not shown can't be chosen.
    pub candidates: usize,
    /// What the person said, perhaps without words of its middle.
    pub utterance: String,
    /// How many entries of the target text.
    pub target: usize,
    /// Tokens in all, as far as they were counted.
    pub tokens: u32,
}

impl Sections {
    /// All texts whose tokens [`Self::pack`] needs to know, in its order (PAK-2).
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let parts = [&self.system, &self.device_state, &self.digest, &self.candidates, &self.utterance, &self.target];
        let frame = std::iter::once(&self.frame);
        frame.chain(parts.into_iter().flatten()).cloned().collect()
    }

    /// Keeps what fits. `counts` are the tokens of [`Self::texts`]; one that is missing counts a token a byte, which no tokenizer exceeds.
    #[must_use]
    pub fn pack(&self, counts: &[u32], caps: &PartCaps) -> Packed {
        let texts = self.texts();
        let bytes = |text: &String| u32::try_from(text.len()).unwrap_or(u32::MAX);
        // One more for what joins an entry to the next.
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
        // What the answer depends on most has the first choice, should the whole be smaller than the sum of the caps.
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
        Packed {
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

/// How many of the first entries fit, and what they cost.
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

/// Which words are kept of an utterance: as many as fit, from both ends, because in Korean the verb comes last and in English first. In order.
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

/// A prompt of fixed instructions and what is asked.
#[must_use]
pub fn chat(system: &[String], user: String) -> Prompt {
    let mut messages = Vec::new();
    if !system.is_empty() {
        messages.push(ChatMessage { role: ChatRole::System, text: system.join("\n") });
    }
    messages.push(ChatMessage { role: ChatRole::User, text: user });
    Prompt::Chat { messages }
}
