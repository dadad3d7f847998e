//! Which of the ways through the grammar is meant, and whether it is sure enough to act on (NLU-6).

use luna_messages::control::Command;
use luna_messages::understanding::{Alternative, Interpretation, ParsedCommand, UtteranceInput, UtteranceKind};

use super::Understanding;
use super::draft::Draft;
use super::meaning::{Clause, Reader};
use super::normalised::NormalisedUtterance;
use super::search::{Sources, Way, WaySearch};

/// What must be reached to act (NLU-6).
mod threshold {
    /// Unaddressed.
    pub const SURE: f64 = 0.5;
    /// Words that the lexicon has, and no name.
    pub const KNOWN: f64 = 0.25;
    /// After the wake word, or if a question is open: it is meant for Luna.
    pub const ADDRESSED: f64 = 0.1;
    /// A reflex that only sounds like what is heard, while Luna speaks.
    pub const HEARD: f64 = 0.025;
    /// After the wake word, what only tells the time and the like.
    pub const TELLS: f64 = 0.005;
    /// Nothing is done, and said so.
    pub const NEGATED: f64 = 0.003;
}

/// Exact words up to this price leave nothing to words that only sound alike.
const EXACT: u32 = 48;
/// The price of a phrase with a filler or two around it, and of one that is misheard.
const WHOLE: u32 = 16;
const HEARD: u32 = 80;
/// The most that words cost that are all known, with a filler or two.
const KNOWN: u32 = 24;
/// Cells of an utterance in which words may be found by sound.
const LONGEST_HANGUL: usize = 28;
const LONGEST_LATIN: usize = 56;
/// Cells of an utterance that, while Luna speaks, is looked for by sound whatever the classifier makes of its few letters.
const SHORT: usize = 9;
/// The classifier's odds below which nothing is looked for by sound.
const UNLIKELY: f64 = -2.0;
/// What is told behind an order without a pause makes it less sure.
const ASIDE: u32 = 40;
/// "I want the blue button" answers, if something was asked.
const SHOWN: u32 = 30;
/// "There's an Edit link, click it": what stands before names what is meant, so it's less likely that it is only told besides.
const NOWHERE: u32 = 48;
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
    pub parts: Vec<(usize, usize)>,
    /// A configured word was said.
    configured: bool,
    /// The wake word was said.
    called: bool,
    /// Something is told besides.
    talk: bool,
    /// Some word is only one by its sound.
    pub by_sound: bool,
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
        let fluent = self.fluent(heard);
        let (heard, found) = match &fluent {
            None => (heard, self.found(heard, utterance, slips)),
            Some((fluent, sounds, pauses)) => {
                let without = self.found(fluent, utterance, slips);
                // What is clear without the sounds of hesitation needs no other search; nor do names go on behind a pause.
                if without.first().is_some_and(|first| *pauses || first.price < EXACT) {
                    (fluent, without)
                } else {
                    // A sound that belongs to a name is said as it is written.
                    let with = self.found(heard, utterance, slips && without.is_empty());
                    let price = with.first().map_or(u32::MAX, |first| first.price);
                    let fewer = |first: &FoundInterpretation| first.price.saturating_add(sounds * SOUND) < price;
                    if without.first().is_some_and(fewer) { (fluent, without) } else { (heard, with) }
                }
            }
        };
        let labelled = self.labelled(heard, offered);
        let mentioned = || Some(()).filter(|()| utterance.asking).and_then(|()| self.mentioned(heard, offered));
        let Some(first) = found.first() else { return labelled.or_else(mentioned).unwrap_or_default() };
        let mut best = first.interpretation.clone();
        // The label of a candidate and nothing else, unless that is a word of its own for a command with a target.
        // While Luna speaks a reflex is obeyed, whatever a button is called.
        let reflex_said = utterance.speaking && best.kind == UtteranceKind::Reflex && first.price <= WHOLE;
        let is_other = |labelled: &Interpretation| {
            first.price > 8
                || best.target_id.is_none()
                || best.wish.verb.is_none() && best.target_id == labelled.target_id
        };
        if let Some(labelled) = labelled.filter(|labelled| !reflex_said && is_other(labelled)) {
            return labelled;
        }
        let odds = self.odds_of(heard, first);
        best.score = self.score(heard, first, odds);
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
        let mut least = best.score;
        best.alternatives = others
            .iter()
            .take(ALTERNATIVES)
            .map(|other| {
                // The likelier first, whatever else speaks for them.
                least = self.score(heard, other, odds).min(least);
                other.alternative(least)
            })
            .collect();
        let answers = utterance.asking && best.kind == UtteranceKind::Answer;
        // A command of BRG-1 and nothing else, while Luna speaks: whatever the classifier makes of its few letters.
        let reflex = utterance.speaking && best.kind == UtteranceKind::Reflex;
        let whole = (reflex || answers || first.configured) && first.price <= WHOLE;
        let heard_so = reflex && first.price <= HEARD && !first.talk;
        let least = match () {
            () if whole => 0.0,
            () if heard_so => threshold::HEARD,
            () if best.negated => threshold::NEGATED,
            () if first.called && only_tells(&best) => threshold::TELLS,
            () if best.kind == UtteranceKind::Answer || first.called || best.target_id.is_some() => {
                threshold::ADDRESSED
            }
            // What has that name is there, though more than once: it is asked which.
            () if !best.several.is_empty() && best.wish.target_text.is_some() => threshold::ADDRESSED,
            () if first.price <= KNOWN && self.is_known(first) => threshold::KNOWN,
            () if only_tells(&best) && self.is_reasoned(first) => threshold::KNOWN,
            () => threshold::SURE,
        };
        if best.score < least || (best.kind == UtteranceKind::None && !best.negated) {
            if let Some(answer) = mentioned() {
                return answer;
            }
            return Interpretation { score: best.score, margin: best.margin, ..Interpretation::default() };
        }
        best
    }

    /// The utterance without the sounds of someone who looks for words, "음", "um", wherever they stand; how many they were, and whether there is a pause
    /// behind each.
    fn fluent(&self, heard: &NormalisedUtterance) -> Option<(NormalisedUtterance, u32, bool)> {
        let sound = self.lexicon.known("sound")?;
        let is_sound =
            |from, to| self.lexicon.entries_of(heard.part(from, to)).iter().any(|entry| entry.group == sound);
        let quoted = |from| heard.quotes.iter().any(|quote| quote.from <= from && from < quote.to);
        let words = heard.words(0, heard.len());
        let sounds: Vec<_> = words.iter().filter(|(from, to)| is_sound(*from, *to) && !quoted(*from)).collect();
        if sounds.is_empty() || sounds.len() == words.len() {
            return None;
        }
        let spans: Vec<(usize, usize)> = sounds.iter().map(|(from, to)| (*from, *to)).collect();
        let pauses = spans.iter().all(|(_, to)| *to < heard.len() && heard.commas.contains(to));
        let count = u32::try_from(spans.len()).unwrap_or(u32::MAX);
        Some((NormalisedUtterance::new(&heard.without(&spans)), count, pauses))
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
            found.sort_by_key(|found| found.price);
            let unknown = found.first().map(|first| self.unknown_cells(first)).filter(|cells| !cells.is_empty());
            let by_sound = self.meant(&with, search.slipped(unknown.as_deref()), utterance).into_iter();
            let by_sound = by_sound.filter(|found| !found.talk);
            found.extend(by_sound.map(|found| FoundInterpretation { by_sound: true, ..found }));
        }
        found.sort_by_key(|found| found.price);
        found
    }

    /// The cells of what a reading takes for free text, each with the word before it: only there may words be misheard.
    fn unknown_cells(&self, found: &FoundInterpretation) -> Vec<(usize, usize)> {
        let mut cells = Vec::new();
        let mut before = 0;
        for step in &found.way.steps {
            if self.is_free_text(step) {
                cells.push((before, step.to));
            }
            before = step.from;
        }
        cells
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
            let shown = utterance.asking && meaning.clauses.iter().any(|clause| clause.goes);
            let nowhere = meaning.talk && meaning.clauses.iter().any(Clause::points_nowhere);
            let more = [(other, NOT_NOW), (meaning.aside, ASIDE), (nowhere, NOWHERE), (shown, SHOWN)];
            let price = way.cost + more.iter().filter(|(is, _)| *is).map(|(_, price)| price).sum::<u32>();
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
                by_sound: false,
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

/// Whether it does nothing but tell the time and the like.
fn only_tells(one: &Interpretation) -> bool {
    let order = one.wish.order.as_deref().filter(|_| one.steps.is_empty());
    matches!(order, Some("time" | "battery" | "where_am_i"))
}

/// Whether two interpretations do different things, not the same with another name for the target.
fn is_other_deed(a: &Interpretation, b: &Interpretation) -> bool {
    let deed = |one: &Interpretation| (one.kind, one.command, one.wish.action, one.wish.order.clone(), one.steps.len());
    deed(a) != deed(b)
}

fn same(a: &Interpretation, b: &Interpretation) -> bool {
    // What a later screen may call it besides makes no other wish.
    let more = |step: &ParsedCommand| step.verb.is_some() || step.unsure || !step.also.is_empty();
    let alike = |one: &ParsedCommand, other: &ParsedCommand| {
        one == other || ((more(one) || more(other)) && Draft::of(one).wish == Draft::of(other).wish)
    };
    a.kind == b.kind
        && a.command == b.command
        && a.target_id == b.target_id
        && a.steps.len() == b.steps.len()
        && alike(&a.wish, &b.wish)
        && a.steps.iter().zip(&b.steps).all(|(one, other)| alike(one, other))
}
