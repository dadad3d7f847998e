//! How sure an interpretation is (NLU-6, NLU-8): the price of its way through the grammar, weighed against the classifier's odds that it is an order.

use super::Understanding;
use super::normalised::NormalisedUtterance;

/// How sure a way of this price is, from 0 to 1, if the classifier's odds that it is an order are these. The more of an utterance is free text, the surer
/// the classifier has to be.
#[must_use]
pub fn score(cost: u32, odds: f64) -> f64 {
    let cost = f64::from(cost);
    let needed = NEEDED.windows(2).find_map(|pair| {
        let [(from, low), (to, high)] = *pair else { return None };
        (cost <= to).then(|| low + (high - low) * (cost - from) / (to - from))
    });
    let sure = odds - needed.unwrap_or(MOST_NEEDED + (cost - 300.0) / 60.0);
    1.0 / (1.0 + (-1.2 * sure).exp())
}

/// By price: the classifier's odds at which one in a thousand sentences of plain talk passes. Fitted on such sentences.
const NEEDED: [(f64, f64); 7] =
    [(0.0, -3.0), (12.0, -2.0), (30.0, -1.4), (60.0, -1.0), (100.0, -0.5), (200.0, 0.5), (300.0, MOST_NEEDED)];
const MOST_NEEDED: f64 = 2.0;

impl Understanding {
    /// The logarithm of the odds that it is an order, by the classifier.
    pub(super) fn odds(&self, heard: &NormalisedUtterance, parts: &[(usize, usize)]) -> f64 {
        let Some(classifier) = &self.classifier else { return WITHOUT_CLASSIFIER };
        let odds =
            |text: &str| classifier.log_odds(text).map_or(WITHOUT_CLASSIFIER, |odds| f64::from(odds).clamp(-6.0, 6.0));
        let whole = odds(&heard.said(0, heard.len()));
        // Several orders, or one with a story: each by itself, and so much the surer.
        let each = parts.iter().map(|(from, to)| odds(&heard.said(*from, *to))).reduce(f64::min);
        each.map_or(whole, |each| whole.max(each - IN_PARTS))
    }
}

/// The odds if there is no classifier: the grammar alone has to be surer.
const WITHOUT_CLASSIFIER: f64 = -1.1;
/// How much less the odds of an order count that is only a part of what is said.
const IN_PARTS: f64 = 1.5;
