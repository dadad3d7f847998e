//! Which candidate is meant (NLU-3, NLU-7, RNK-1, RNK-2).
//!
//! A target is decided only if exactly one candidate fits. What fits better shuts out what fits less: the same label, then the same words but for
//! particles and what is not said, then words that mean the same, then a slip, then the same name in the other script, then a label that has all the
//! words and some more ([`fit`]). A label that is the opposite of what was said, or takes it back, is vetoed: it is no target, whatever else there is.
//! Role, number, place and neighbour that were named choose among those that fit alike.

mod choose;
mod clock;
mod features;
mod file_names;
mod fit;
mod items;
mod noun_forms;
mod words;

use std::cell::OnceCell;
use std::cmp::Ordering;

use luna_messages::dsl::Action;
use luna_messages::understanding::CandidateInput;

use self::choose::{choose, fits, fitting};
use self::clock::ClockTime;
pub(super) use self::clock::says_time;
pub(super) use self::features::reach;
use self::features::{CandidateFeatures, NearText, beside, features, role_similarity, suits, within};
use self::fit::{Comparison, Fit};
pub(super) use self::items::is_whole;
use self::noun_forms::noun_forms;
use self::words::WordedText;
pub(super) use self::words::{orders_something, spoken};
use super::draft::Draft;
use super::english_sounds::Sounds;
use super::label_lexicon::{LabelLexicon, WordClass};
use super::slips::Slips;

/// Weights of the features, `ranking.weights` of the configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingWeightSet {
    /// Likeness of the text.
    pub text: f64,
    /// Fitting role.
    pub role: f64,
    /// Labels near it.
    pub near: f64,
    /// Place on the screen.
    pub spatial: f64,
    /// Taken off what is disabled.
    pub disabled_penalty: f64,
    /// How many candidates the ranking keeps.
    pub top: usize,
}

impl Default for RankingWeightSet {
    fn default() -> Self {
        Self { text: 0.52, role: 0.18, near: 0.20, spatial: 0.10, disabled_penalty: 0.05, top: 5 }
    }
}

/// Compares what was said with what there is.
#[derive(Debug, Clone, Default)]
pub struct Ranker {
    weights: RankingWeightSet,
    slips: Slips,
    english: Sounds,
}

/// What a word fits at most that only sounds like the label.
const SOUNDING: f64 = 0.85;
/// Words that a label has besides those that it sounds like.
const MOST_UNSAID: usize = 2;
/// What a label that does not fit is worth at most: less than any that does.
const UNLIKE: f64 = 0.4;

/// Candidates as they are compared: prepared once for all steps and readings of an utterance.
#[derive(Debug)]
pub struct PreparedCandidates<'a> {
    all: Vec<CandidateFeatures<'a>>,
    /// How English labels sound, by their place in `all`: only if nothing fits what was said.
    sounds: OnceCell<Vec<(usize, String)>>,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// The only candidate that fits.
    pub target: Option<String>,
    pub text: String,
    /// The best ones, by score. None that is vetoed.
    pub ranking: Vec<String>,
    /// If there is no target, the ids of all that fit alike, in reading order.
    pub several: Vec<String>,
    /// How well the target's label fits what was said, from 0 to 1; 1 if it was not named by its label.
    pub fit: f64,
    /// How much better it fits than the next one, from 0 to 1; role, number and place that were named tell apart those that fit alike.
    pub margin: f64,
    /// Candidates that are the opposite of what was said, or take it back: never the target (NLU-7).
    pub vetoed: Vec<String>,
}

/// What a step looks for.
struct Sought<'a> {
    draft: &'a Draft,
    texts: Vec<WordedText>,
    /// The texts without a last word that only says what kind of thing it is, and as labels have them: whole labels they may be.
    bare: Vec<WordedText>,
    anchor: Option<WordedText>,
    comparison: Comparison<'a>,
}

impl Ranker {
    /// With these weights.
    #[must_use]
    pub fn new(weights: RankingWeightSet) -> Self {
        Self { weights, slips: Slips::default(), english: Sounds::new() }
    }

    /// Takes the candidates apart.
    #[must_use]
    pub fn prepare<'a>(&self, offered: &'a [CandidateInput]) -> PreparedCandidates<'a> {
        PreparedCandidates { all: features(LabelLexicon::shared(), offered), sounds: OnceCell::new() }
    }

    /// Ranks the candidates for a step, and decides if exactly one fits.
    #[must_use]
    pub fn rank(&self, draft: &Draft, offered: &[CandidateInput]) -> Ranked {
        if offered.is_empty() || !needs_target(draft) {
            return Ranked::default();
        }
        self.rank_among(draft, &self.prepare(offered))
    }

    #[must_use]
    pub fn rank_among(&self, draft: &Draft, offered: &PreparedCandidates<'_>) -> Ranked {
        if offered.all.is_empty() || !needs_target(draft) {
            return Ranked::default();
        }
        let sought = self.sought(draft);
        let ranked = self.ranked(&sought, &offered.all);
        if ranked.target.is_some() {
            return ranked;
        }
        let sounding = self.sounding(&sought, offered).map(|draft| self.ranked(&self.sought(&draft), &offered.all));
        match sounding.filter(|found| found.target.is_some()) {
            // A word that only sounds like the label fits less than the label itself.
            Some(found) => Ranked { fit: found.fit.min(SOUNDING), vetoed: ranked.vetoed, ..found },
            None => ranked,
        }
    }

    fn comparison(&self) -> Comparison<'_> {
        Comparison { lexicon: LabelLexicon::shared(), slips: &self.slips, state: None }
    }

    fn sought<'a>(&'a self, draft: &'a Draft) -> Sought<'a> {
        let lexicon = LabelLexicon::shared();
        let wish = &draft.wish;
        let worded = |text: &String| Some(WordedText::said(lexicon, text)).filter(|text| !text.cells.is_empty());
        let texts: Vec<WordedText> = wish.target_text.iter().chain(&draft.also).filter_map(worded).collect();
        let described = wish.target_text.iter().flat_map(|text| noun_forms(text));
        let described = described.filter_map(|text| worded(&text));
        let bare = texts.iter().filter_map(|text| without_kind(lexicon, text)).chain(described).collect();
        let comparison = Comparison { state: wish.state, ..self.comparison() };
        Sought { draft, texts, bare, anchor: wish.anchor.as_ref().and_then(worded), comparison }
    }

    /// The step with the labels that its words sound like, if no label is what was said: "Mail" for "male". A word that the lexicon has was heard
    /// right, and must be there as it is; an opposite never stands for its partner.
    fn sounding(&self, sought: &Sought<'_>, offered: &PreparedCandidates<'_>) -> Option<Draft> {
        let wish = &sought.draft.wish;
        let like = |written: &str, text: &WordedText, is_anchor: bool| {
            if text.telling().all(|word| word.sense.is_some()) {
                return None;
            }
            let said = self.english.of(written)?;
            let labels = offered.sounds.get_or_init(|| {
                let english = offered.all.iter().enumerate().filter(|(_, one)| !one.label.has_hangul());
                english.filter_map(|(at, one)| Some((at, self.english.of(&one.label.cells_apart())?))).collect()
            });
            let labels = || {
                let all = labels.iter().filter_map(|(at, sound)| Some((offered.all.get(*at)?, sound)));
                all.filter(|(one, _)| is_anchor || !one.only_labels())
            };
            let may_be = |label: &WordedText| {
                let kept =
                    |word: &words::Word| word.sense.is_none() || word.class == WordClass::Kind || label.has(word.key);
                text.telling().all(kept) && !sought.comparison.opposed(text, label)
            };
            let only = |test: &dyn Fn(&str) -> bool| {
                let mut alike = labels().filter(|(one, sound)| test(sound) && may_be(&one.label)).map(|(one, _)| one);
                let first = alike.next()?;
                alike.all(|one| one.label.cells == first.label.cells).then(|| first.label.cells_apart())
            };
            let bare = without_kind(LabelLexicon::shared(), text).and_then(|bare| self.english.of(&bare.cells_apart()));
            let words = |sound: &str| sound.split(' ').count();
            // "male" for "Mail merge": each word with a space before and behind.
            let inside = |sound: &str| {
                format!(" {sound}").contains(&format!(" {said}")) && words(sound) <= words(&said) + MOST_UNSAID
            };
            only(&|sound| sound == said)
                .or_else(|| only(&|sound| bare.as_deref() == Some(sound)))
                .or_else(|| only(&inside))
        };
        let named = wish.target_text.iter().chain(&sought.draft.also);
        let text = named.zip(&sought.texts).find_map(|(written, text)| like(written, text, false));
        let anchor =
            wish.anchor.as_deref().zip(sought.anchor.as_ref()).and_then(|(written, text)| like(written, text, true));
        if text.is_none() && anchor.is_none() {
            return None;
        }
        let mut sounding = sought.draft.clone();
        if text.is_some() {
            (sounding.wish.target_text, sounding.also) = (text, Vec::new());
        }
        sounding.wish.anchor = anchor.or(sounding.wish.anchor);
        Some(sounding)
    }

    fn ranked(&self, sought: &Sought<'_>, all: &[CandidateFeatures<'_>]) -> Ranked {
        let anchors = sought.anchor.as_ref().map_or_else(Vec::new, |anchor| {
            fitting(&fits(&self.comparison(), std::slice::from_ref(anchor), all), 1, all, |_| true).found
        });
        let mut table = fits(&sought.comparison, sought.texts.iter().chain(&sought.bare), all);
        let said = sought.texts.first();
        // "the nine forty-two" is 09:42.
        let clock = sought.draft.wish.target_text.as_deref().and_then(ClockTime::said);
        if let (Some(clock), Some(row)) = (clock, table.first_mut()) {
            let at_that = |one: &CandidateFeatures<'_>| one.clock.is_some_and(|time| time.is_said_as(clock));
            row.iter_mut().zip(all).filter(|(_, one)| at_that(one)).for_each(|(fit, _)| {
                *fit = Some(fit.map_or(Fit::Meaning, |fit| fit.min(Fit::Meaning)));
            });
        }
        let vetoed = |one: &CandidateFeatures<'_>| {
            said.is_some_and(|said| !one.is_written(&said.cells) && sought.comparison.opposed(said, &one.label))
        };
        let allowed: Vec<(f64, f64, &CandidateFeatures<'_>)> = all
            .iter()
            .enumerate()
            .filter(|(_, one)| !one.only_labels() && !vetoed(one))
            .map(|(at, one)| {
                let likeness = likeness(sought, &table, at, one);
                (self.score(sought, &anchors, likeness, one), likeness, one)
            })
            .collect();
        let mut scored: Vec<&(f64, f64, &CandidateFeatures<'_>)> = allowed.iter().collect();
        scored.sort_by(|a, b| {
            b.0.partial_cmp(&a.0)
                .unwrap_or(Ordering::Equal)
                .then(a.2.recognised.cmp(&b.2.recognised))
                .then(a.2.order.cmp(&b.2.order))
        });
        let ranking = scored.iter().take(self.weights.top).map(|(.., one)| one.id.to_owned()).collect();
        let choice = choose(sought, &table, &anchors, all);
        let target = choice.one;
        let likeness_of = |order: usize| {
            allowed.iter().find(|(.., one)| one.order == order).map_or(0.0, |(_, likeness, _)| *likeness)
        };
        let fit = target.map_or(0.0, |one| if choice.named { likeness_of(one.order) } else { 1.0 });
        let next = allowed.iter().filter(|(.., one)| choice.named && !choice.alike.contains(&one.order));
        let margin =
            target.map_or(0.0, |_| (fit - next.map(|(_, likeness, _)| *likeness).fold(0.0, f64::max)).max(0.0));
        Ranked {
            several: choice.several.iter().map(|one| one.id.to_owned()).collect(),
            text: target.map(|one| one.label.cells.iter().collect()).unwrap_or_default(),
            target: target.map(|one| one.id.to_owned()),
            ranking,
            fit,
            margin,
            vetoed: all.iter().filter(|one| vetoed(one)).map(|one| one.id.to_owned()).collect(),
        }
    }

    /// The only candidate that can be meant whose label is the whole text.
    #[must_use]
    pub fn exactly(&self, text: &[char], offered: &[CandidateInput]) -> Option<String> {
        if offered.is_empty() || text.is_empty() { None } else { self.exactly_among(text, &self.prepare(offered)) }
    }

    /// The only one of prepared candidates whose label is the whole text.
    #[must_use]
    pub fn exactly_among(&self, text: &[char], offered: &PreparedCandidates<'_>) -> Option<String> {
        let text = WordedText::unspaced(LabelLexicon::shared(), text);
        let table = fits(&self.comparison(), std::slice::from_ref(&text), &offered.all);
        let found = fitting(&table, 1, &offered.all, |one| !one.only_labels());
        match (found.fit, found.found.as_slice()) {
            (Some(fit), [one]) if fit != Fit::Part => Some(one.id.to_owned()),
            _ => None,
        }
    }

    fn score(
        &self,
        sought: &Sought<'_>,
        anchors: &[&CandidateFeatures<'_>],
        text: f64,
        one: &CandidateFeatures<'_>,
    ) -> f64 {
        let wish = &sought.draft.wish;
        let role = match (wish.role, wish.action) {
            (Some(role), _) => role_similarity(role, one.role),
            (None, Some(action)) => suits(action, one.role) * f64::from(one.is_able(action)) / 2.0,
            (None, None) => 0.5,
        };
        let labelled = |text: &WordedText| one.near.iter().map(|near| alike(text, near)).fold(0.0, f64::max);
        let near = match &sought.anchor {
            Some(anchor) => {
                let placed = wish.relation.is_some_and(|relation| {
                    anchors.iter().any(|other| other.order != one.order && beside(relation, one, other).is_some())
                });
                if placed { 1.0 } else { labelled(anchor) * 0.8 }
            }
            None => sought.texts.iter().map(labelled).fold(0.0, f64::max),
        };
        let spatial = match (wish.zone, one.zone) {
            (Some(zone), Some(place)) => within(zone, place),
            _ => 0.0,
        };
        let weights = self.weights;
        weights.text * text + weights.role * role + weights.near * near + weights.spatial * spatial
            - if one.enabled { 0.0 } else { weights.disabled_penalty }
    }
}

/// How well a label fits the texts that name it: what fits in no way is still more or less alike.
fn likeness(sought: &Sought<'_>, table: &[Vec<Option<Fit>>], at: usize, one: &CandidateFeatures<'_>) -> f64 {
    let texts = sought.texts.iter().chain(&sought.bare);
    let of = |(text, fits): (&WordedText, &Vec<Option<Fit>>)| match fits.get(at).copied().flatten() {
        Some(fit) => fit.score(text, &one.label),
        None => UNLIKE * text.pairs.likeness(one.label.pairs),
    };
    texts.zip(table).map(of).fold(0.0, f64::max)
}

fn alike(text: &WordedText, near: &NearText) -> f64 {
    if text.cells == near.cells { 1.0 } else { 0.8 * text.pairs.likeness(near.pairs) }
}

fn needs_target(draft: &Draft) -> bool {
    match draft.wish.action {
        Some(Action::Scroll | Action::Key | Action::Hotkey | Action::Clarify) => false,
        Some(_) => true,
        None => draft.wish.target_text.is_some() || draft.wish.ordinal.is_some(),
    }
}

/// A text without a last word that only says what kind of thing it is: "메일 폴더" may be called 메일.
fn without_kind(lexicon: &LabelLexicon, text: &WordedText) -> Option<WordedText> {
    const LONGEST_KIND: usize = 11;
    let n = text.cells.len();
    let is_kind = |at: usize| {
        let rest = text.cells.get(at..).and_then(|rest| lexicon.sense(rest));
        rest.is_some_and(|sense| lexicon.class(sense) == WordClass::Kind)
    };
    let at = (n.saturating_sub(LONGEST_KIND).max(2)..n).find(|at| is_kind(*at))?;
    let bare = text.up_to(lexicon, at);
    // "Close tab" is no "Close"; "Downloads folder" is Downloads.
    let orders =
        bare.words.first().is_some_and(|word| word.class == WordClass::Act && word.latin && word.to == word.stem);
    let names = bare.words.iter().any(|word| word.class != WordClass::Kind);
    (names && !orders).then_some(bare)
}

#[cfg(test)]
mod tests;
