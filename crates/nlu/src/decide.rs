//! Which of the ways through the grammar is meant, and whether it is sure enough to act on (NLU-6).

use luna_messages::control::Command;
use luna_messages::understanding::{Alternative, Interpretation, ParsedCommand, UtteranceInput, UtteranceKind};

use super::Understanding;
use super::meaning::Reader;
use super::normalised::NormalisedUtterance;
use super::score::score;
use super::search::{Sources, Way, WaySearch};

/// What must be reached to act (NLU-6).
mod threshold {
    /// Unaddressed.
    pub const SURE: f64 = 0.5;
    /// After the wake word, or if a question is open: it is meant for Luna.
    pub const ADDRESSED: f64 = 0.1;
    /// A reflex that only sounds like what is heard, while Luna speaks.
    pub const HEARD: f64 = 0.02;
    /// Nothing is done, and said so.
    pub const NEGATED: f64 = 0.05;
}

/// Exact words up to this price leave nothing to words that only sound alike.
const EXACT: u32 = 48;
/// The price of a phrase with a filler or two around it, and of one that is misheard.
const WHOLE: u32 = 16;
const HEARD: u32 = 80;
/// Cells of an utterance in which words may be found by sound.
const LONGEST_HANGUL: usize = 28;
const LONGEST_LATIN: usize = 56;
/// Cells of an utterance that, while Luna speaks, is looked for by sound whatever the classifier makes of its few letters.
const SHORT: usize = 9;
/// The classifier's odds below which nothing is looked for by sound.
const UNLIKELY: f64 = -2.0;
/// What is told behind an order without a pause makes it less sure.
const ASIDE: u32 = 40;
/// What a phrase that two commands share costs for the one that it is not at the moment.
const NOT_NOW: u32 = 8;
const ALTERNATIVES: usize = 3;
/// The price of a sound of hesitation that is left out.
const SOUND: u32 = 8;
/// By how much another interpretation has to cost more, so that the margin is two thirds of the score.
const LEAD: f64 = 24.0;

/// An interpretation with the price of its way.
#[derive(Debug, Clone)]
pub(super) struct FoundInterpretation {
    pub price: u32,
    pub interpretation: Interpretation,
    /// Cells of the orders, if there is more in the utterance than one.
    parts: Vec<(usize, usize)>,
    /// A configured word was said.
    configured: bool,
    /// The wake word was said.
    called: bool,
    /// Something is told besides.
    talk: bool,
    /// How the grammar reads it.
    pub way: Way,
}

impl Understanding {
    /// `slips`: words may also be found by sound.
    pub(super) fn decide(
        &self,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        slips: bool,
    ) -> Interpretation {
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        let mut found = self.found(heard, utterance, slips);
        let fluent = self.fluent(heard);
        let (mut heard, price) = (heard, found.first().map_or(u32::MAX, |first| first.price));
        if let Some((fluent, sounds)) = &fluent {
            let other = self.found(fluent, utterance, slips);
            if other.first().is_some_and(|first| first.price.saturating_add(sounds * SOUND) < price) {
                (heard, found) = (fluent, other);
            }
        }
        let labelled = self.labelled(heard, offered);
        let Some(first) = found.first() else { return labelled.unwrap_or_default() };
        let mut best = first.interpretation.clone();
        // The label of a candidate and nothing else, unless that is a word of its own for a command with a target.
        // While Luna speaks a reflex is obeyed, whatever a button is called.
        let reflex_said = utterance.speaking && best.kind == UtteranceKind::Reflex && first.price <= WHOLE;
        if let Some(labelled) = labelled.filter(|_| !reflex_said && (first.price > 8 || best.target_id.is_none())) {
            return labelled;
        }
        let odds = self.odds(heard, &first.parts);
        best.score = score(first.price, odds);
        let mut others: Vec<&FoundInterpretation> = Vec::new();
        for other in found.iter().skip(1) {
            let known = |one: &Interpretation| same(one, &other.interpretation);
            if !known(&best) && !others.iter().any(|one| known(&one.interpretation)) {
                others.push(other);
            }
        }
        let lead = others.first().map(|rival| rival.price - first.price);
        best.margin = best.score * lead.map_or(1.0, |lead| 1.0 - (-f64::from(lead) / LEAD).exp());
        // Two deeds are equally likely: it is asked which.
        let torn = others.iter().any(|other| other.price == first.price && is_other_deed(&best, &other.interpretation));
        if torn && best.kind == UtteranceKind::Command {
            best.kind = UtteranceKind::Ambiguous;
        }
        best.alternatives =
            others.iter().take(ALTERNATIVES).map(|other| other.alternative(score(other.price, odds))).collect();
        let answers = utterance.asking && best.kind == UtteranceKind::Answer;
        // A command of BRG-1 and nothing else, while Luna speaks: whatever the classifier makes of its few letters.
        let reflex = utterance.speaking && best.kind == UtteranceKind::Reflex;
        let whole = (reflex || first.configured) && first.price <= WHOLE;
        let heard_so = reflex && first.price <= HEARD;
        let least = match () {
            () if whole => 0.0,
            () if heard_so => threshold::HEARD,
            () if best.negated => threshold::NEGATED,
            () if answers || first.called || best.target_id.is_some() => threshold::ADDRESSED,
            () => threshold::SURE,
        };
        if best.score < least {
            return Interpretation { score: best.score, margin: best.margin, ..Interpretation::default() };
        }
        best
    }

    /// The utterance without the sounds of someone who looks for words, "음", "um", wherever they stand; and how many they were.
    fn fluent(&self, heard: &NormalisedUtterance) -> Option<(NormalisedUtterance, u32)> {
        let sound = self.lexicon.known("sound")?;
        let is_sound =
            |from, to| self.lexicon.entries_of(heard.part(from, to)).iter().any(|entry| entry.group == sound);
        let quoted = |from| heard.quotes.iter().any(|quote| quote.from <= from && from < quote.to);
        let words = heard.words(0, heard.len());
        let sounds: Vec<_> = words.iter().filter(|(from, to)| is_sound(*from, *to) && !quoted(*from)).collect();
        if sounds.is_empty() || sounds.len() == words.len() {
            return None;
        }
        let parts: Vec<(usize, usize, &str)> = sounds.iter().map(|(from, to)| (*from, *to, "")).collect();
        Some((NormalisedUtterance::new(&heard.replaced(&parts)), u32::try_from(sounds.len()).unwrap_or(u32::MAX)))
    }

    /// What it may mean, the likeliest first: as it stands, and if that is not clear also by sound.
    pub(super) fn found(
        &self,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        slips: bool,
    ) -> Vec<FoundInterpretation> {
        let labels = Self::labels(utterance);
        let open = utterance.asking || utterance.candidates.as_ref().is_some_and(|offered| !offered.is_empty());
        let with = Sources {
            network: &self.network,
            lexicon: &self.lexicon,
            numbers: &self.numbers,
            heard,
            labels: &labels,
            usual: &self.usual,
            open,
        };
        let mut search = WaySearch::new(with);
        let mut found = self.meant(&with, search.exact(), utterance);
        let longest = if heard.has_hangul() { LONGEST_HANGUL } else { LONGEST_LATIN };
        let clear = found.iter().any(|found| found.price < EXACT);
        if slips
            && !clear
            && heard.len() <= longest
            && !self.lexicon.is_ordinary(&heard.cells)
            && ((utterance.speaking && heard.len() <= SHORT) || self.odds(heard, &[]) >= UNLIKELY)
        {
            // A story is taken as it stands only.
            found.extend(self.meant(&with, search.slipped(), utterance).into_iter().filter(|found| !found.talk));
        }
        found.sort_by_key(|found| found.price);
        found
    }

    fn meant(&self, with: &Sources<'_>, ways: Vec<Way>, utterance: &UtteranceInput) -> Vec<FoundInterpretation> {
        let reader = Reader { network: with.network, lexicon: with.lexicon, heard: with.heard };
        let mut found = Vec::new();
        for way in ways {
            let meaning = reader.meaning(&way);
            if meaning.impossible {
                continue;
            }
            let interpretation = self.interpreted(&meaning, with.heard, utterance);
            if interpretation.kind == UtteranceKind::None && !interpretation.negated {
                continue;
            }
            let wish = &interpretation.wish;
            let enlarges = |step: &ParsedCommand| step.order.as_deref() == Some(Command::Bigger.name());
            let bigger = interpretation.command == Some(Command::Bigger) || interpretation.steps.iter().any(enlarges);
            let zooms = wish.order.as_deref() == Some("zoom") && wish.argument.as_deref() == Some("in");
            // "확대해" is the reflex while Luna speaks, else the order to zoom.
            let other = if utterance.speaking { zooms } else { bigger };
            let price = way.cost + if other { NOT_NOW } else { 0 } + if meaning.aside { ASIDE } else { 0 };
            let whole = !meaning.called
                && !meaning.talk
                && meaning.clauses.len() == 1
                && meaning.clauses.iter().all(|clause| clause.rejected.is_empty());
            let meant = meaning.clauses.iter().filter(|clause| !clause.negated).filter_map(|clause| clause.span);
            let parts = if whole { Vec::new() } else { meant.collect() };
            found.push(FoundInterpretation {
                price,
                interpretation,
                parts,
                called: meaning.called,
                configured: meaning.configured,
                talk: meaning.talk,
                way,
            });
        }
        found
    }
}

impl FoundInterpretation {
    fn alternative(&self, score: f64) -> Alternative {
        let one = &self.interpretation;
        Alternative {
            kind: one.kind,
            command: one.command,
            wish: one.wish.clone(),
            target_id: one.target_id.clone(),
            negated: one.negated,
            score,
        }
    }
}

/// Whether two interpretations do different things, not the same with another name for the target.
fn is_other_deed(a: &Interpretation, b: &Interpretation) -> bool {
    let deed = |one: &Interpretation| (one.kind, one.command, one.wish.action, one.wish.order.clone(), one.steps.len());
    deed(a) != deed(b)
}

fn same(a: &Interpretation, b: &Interpretation) -> bool {
    a.kind == b.kind && a.command == b.command && a.wish == b.wish && a.steps == b.steps && a.target_id == b.target_id
}
