//! When a sentence goes to the larger model (TRN-4).

use luna_preservation::negations;

/// Thresholds for the larger model; `None` disables a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Escalation {
    /// Failed preservation checks of this sentence.
    pub preserve_failed: Option<u32>,
    pub negations: Option<u32>,
    pub policy_keywords: Option<u32>,
    pub keywords: Vec<String>,
}

impl Escalation {
    /// Parses the configured conditions, `name>=count` each. Malformed ones are ignored; the configuration was validated before.
    #[must_use]
    pub fn new(conditions: &[String], keywords: &[String]) -> Self {
        let mut escalation = Self { keywords: keywords.to_vec(), ..Self::default() };
        for condition in conditions {
            let Some((name, count)) = condition.split_once(">=") else { continue };
            let Ok(count) = count.trim().parse() else { continue };
            match name.trim() {
                "preserve_failed" => escalation.preserve_failed = Some(count),
                "negations" => escalation.negations = Some(count),
                "policy_keywords" => escalation.policy_keywords = Some(count),
                _ => {}
            }
        }
        escalation
    }

    /// Whether a sentence with this many failed checks goes to the larger model.
    #[must_use]
    pub fn is_due(&self, sentence: &str, failed: u32) -> bool {
        let reached = |limit: Option<u32>, count: &dyn Fn() -> u32| limit.is_some_and(|limit| count() >= limit);
        reached(self.preserve_failed, &|| failed)
            || reached(self.negations, &|| u32::try_from(negations(sentence)).unwrap_or(u32::MAX))
            || reached(self.policy_keywords, &|| self.keywords(sentence))
    }

    fn keywords(&self, sentence: &str) -> u32 {
        let lower = sentence.to_lowercase();
        let found = self
            .keywords
            .iter()
            .filter(|word| !word.is_empty())
            .map(|word| lower.matches(&word.to_lowercase()).count());
        u32::try_from(found.sum::<usize>()).unwrap_or(u32::MAX)
    }
}
