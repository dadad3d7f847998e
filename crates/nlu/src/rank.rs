//! Which candidate is meant (NLU-3, RNK-1, RNK-2).
//!
//! A target is decided only if exactly one candidate fits. What fits better shuts out what fits less: the same label, then the same
//! word in the other language, then the same label but for a slip, then a label that contains the text. Role, number, place and neighbour
//! that were named choose among these.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use luna_messages::dsl::Action;
use luna_messages::understanding::CandidateInput;

use super::draft::Draft;
use super::english_sounds::Sounds;
use super::lexicon::lines;
use super::label_numbers::is_said_as;
use super::loanwords::consonants;
use super::normalised::compact;
use super::one::{One, beside, kin, ones, suits, within};
use super::slips::{Slips, budget, units};

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
    /// Words that mean the same have the same number.
    meanings: BTreeMap<Vec<char>, u32>,
}

/// What controls are usually called: the words of the lexicon of labels.
#[must_use]
pub(super) fn usual_labels() -> super::trie::Trie<()> {
    let mut usual = super::trie::Trie::default();
    for (_, line) in lines(include_str!("words/lexicon.txt")) {
        for word in line.split_whitespace() {
            usual.insert(&compact(word).into_iter().collect::<String>(), ());
        }
    }
    usual
}

/// How well a label fits a text; the least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Same,
    Meaning,
    Slip,
    /// The same name in the other script.
    Sound,
    Contains,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranked {
    /// The only candidate that fits.
    pub target: Option<String>,
    pub text: String,
    /// The best ones, by score.
    pub ranking: Vec<String>,
    /// Whether several fit alike.
    pub several: bool,
}

impl Ranker {
    /// With these weights.
    #[must_use]
    pub fn new(weights: RankingWeightSet) -> Self {
        let mut meanings = BTreeMap::new();
        for (number, (_, line)) in (0..).zip(lines(include_str!("words/lexicon.txt"))) {
            for word in line.split_whitespace() {
                meanings.entry(compact(word)).or_insert(number);
            }
        }
        Self { weights, slips: Slips::default(), english: Sounds::new(), meanings }
    }

    /// Ranks the candidates for a step, and decides where exactly one fits.
    #[must_use]
    pub fn rank(&self, draft: &Draft, offered: &[CandidateInput]) -> Ranked {
        if offered.is_empty() || !needs_target(draft) {
            return Ranked::default();
        }
        let ranked = self.ranked(draft, offered);
        if ranked.target.is_some() {
            return ranked;
        }
        let sounding = self.sounding(draft, offered).map(|draft| self.ranked(&draft, offered));
        sounding.filter(|found| found.target.is_some()).unwrap_or(ranked)
    }

    /// How English words sound.
    pub(super) const fn sounds(&self) -> &Sounds {
        &self.english
    }

    /// The step with the labels that its words sound like, if no label is what was said: "Mail" for "male".
    fn sounding(&self, draft: &Draft, offered: &[CandidateInput]) -> Option<Draft> {
        let mut labels: Option<Vec<(&str, String)>> = None;
        let mut like = |text: &str| {
            let said = self.english.of(text)?;
            let labels = labels.get_or_insert_with(|| {
                let labels = offered.iter().filter_map(|one| one.text.as_deref());
                labels.filter_map(|label| Some((label, self.english.of(label)?))).collect()
            });
            if labels.iter().any(|(label, _)| compact(label) == compact(text)) {
                return None;
            }
            let only = |test: &dyn Fn(&str) -> bool| {
                let mut alike = labels.iter().filter(|(_, sound)| test(sound)).map(|(label, _)| *label);
                let first = alike.next()?;
                alike.all(|label| compact(label) == compact(first)).then(|| first.to_owned())
            };
            // Words inside, "sail page" for "Sale": each with a space before and behind.
            let inside = |long: &str, short: &str| format!(" {long}").contains(&format!(" {short}"));
            let half = |sound: &str| 2 * sound.len() >= said.len();
            only(&|sound| sound == said)
                .or_else(|| only(&|sound| inside(sound, &said) || (inside(&said, sound) && half(sound))))
        };
        let text = draft.wish.target_text.iter().chain(&draft.also).find_map(|text| like(text));
        let anchor = draft.wish.anchor.as_deref().and_then(&mut like);
        if text.is_none() && anchor.is_none() {
            return None;
        }
        let mut sounding = draft.clone();
        if text.is_some() {
            (sounding.wish.target_text, sounding.also) = (text, Vec::new());
        }
        sounding.wish.anchor = anchor.or(sounding.wish.anchor);
        Some(sounding)
    }

    fn ranked(&self, draft: &Draft, offered: &[CandidateInput]) -> Ranked {
        let all = ones(offered);
        let wish = &draft.wish;
        let texts: Vec<Vec<char>> = wish
            .target_text
            .iter()
            .chain(&draft.also)
            .map(|text| compact(text))
            .filter(|text| !text.is_empty())
            .collect();
        let texts = with_kinds_left_out(texts);
        let anchor = wish.anchor.as_deref().map(compact).filter(|anchor| !anchor.is_empty());
        let anchors: Vec<&One<'_>> =
            anchor.as_ref().map_or_else(Vec::new, |anchor| self.fitting(std::slice::from_ref(anchor), &all).1);
        let mut scored: Vec<(f64, &One<'_>)> =
            all.iter().map(|one| (self.score(draft, &texts, anchor.as_deref(), &anchors, one), one)).collect();
        scored.sort_by(|a, b| {
            b.0.partial_cmp(&a.0)
                .unwrap_or(Ordering::Equal)
                .then(a.1.recognised.cmp(&b.1.recognised))
                .then(a.1.order.cmp(&b.1.order))
        });
        let ranking = scored.iter().take(self.weights.top).map(|(_, one)| one.id.to_owned()).collect();
        let (target, several) = self.choose(draft, &texts, &anchors, anchor.as_deref(), &all);
        Ranked {
            several,
            text: target.map(|one| one.label.iter().collect()).unwrap_or_default(),
            target: target.map(|one| one.id.to_owned()),
            ranking,
        }
    }

    /// The only candidate whose label is the whole text.
    #[must_use]
    pub fn exactly(&self, text: &[char], offered: &[CandidateInput]) -> Option<String> {
        let all = ones(offered);
        let (fit, found) = self.fitting(&[text.to_vec()], &all);
        match (fit, found.as_slice()) {
            (Some(Fit::Same | Fit::Meaning | Fit::Slip | Fit::Sound), [one]) => Some(one.id.to_owned()),
            _ => None,
        }
    }

    /// The candidates that fit best, and how well.
    fn fitting<'a, 'b>(&self, texts: &[Vec<char>], all: &'a [One<'b>]) -> (Option<Fit>, Vec<&'a One<'b>>) {
        let mut best: Option<Fit> = None;
        let mut found = Vec::new();
        for text in texts {
            let said = units(text);
            for one in all {
                let Some(fit) = self.fit(text, &said, one) else { continue };
                if best.is_none_or(|best| fit < best) {
                    best = Some(fit);
                    found.clear();
                }
                if best == Some(fit) && !found.iter().any(|known: &&One<'_>| known.order == one.order) {
                    found.push(one);
                }
            }
            // What was said itself goes before what it may be called besides.
            if best.is_some_and(|best| best < Fit::Contains) {
                break;
            }
        }
        (best, found)
    }

    fn fit(&self, text: &[char], said: &[u8], one: &One<'_>) -> Option<Fit> {
        if one.label.is_empty() || text.is_empty() {
            return None;
        }
        if one.label == text {
            return Some(Fit::Same);
        }
        let meaning = |text: &[char]| self.meanings.get(text).copied();
        if meaning(text).is_some_and(|number| meaning(&one.label) == Some(number)) {
            return Some(Fit::Meaning);
        }
        if is_said_as(&one.label, text) {
            return Some(Fit::Meaning);
        }
        let latin = text.iter().all(char::is_ascii);
        let most = budget(said.len().min(one.units.len()), latin).min(3);
        if most > 0 && !digits_differ(text, &one.label) && self.slips.distance(said, &one.units, most).is_some() {
            return Some(Fit::Slip);
        }
        let heard = consonants(text);
        let hangul = |text: &[char]| text.iter().filter(|c| luna_text::language::is_hangul(**c)).count();
        if !heard.is_empty() && hangul(text) != hangul(&one.label) && heard == consonants(&one.label) {
            return Some(Fit::Sound);
        }
        let inside = text.len() > 1 && one.label.windows(text.len()).any(|part| part == text);
        let around = one.label.len() > 1
            && text.windows(one.label.len()).any(|part| part == one.label)
            && 2 * one.label.len() >= text.len();
        (inside || around).then_some(Fit::Contains)
    }

    fn choose<'a, 'b>(
        &self,
        draft: &Draft,
        texts: &[Vec<char>],
        anchors: &[&One<'_>],
        anchor: Option<&[char]>,
        all: &'a [One<'b>],
    ) -> (Option<&'a One<'b>>, bool) {
        let wish = &draft.wish;
        let role_only = wish.role.is_some()
            && texts
                .first()
                .is_some_and(|text| super::roles::role(&text.iter().collect::<String>()).is_some() || only_role(text));
        let (mut fit, mut found) = self.fitting(texts, all);
        if found.is_empty() || (role_only && fit != Some(Fit::Same)) {
            if !(texts.is_empty() || role_only) {
                return (None, false);
            }
            (fit, found) = (None, all.iter().collect());
        }
        let narrow = |found: &mut Vec<&'a One<'b>>, test: &dyn Fn(&One<'_>) -> bool, must: bool| {
            let kept: Vec<&One<'_>> = found.iter().copied().filter(|one| test(one)).collect();
            if must || !kept.is_empty() {
                *found = kept;
            }
        };
        if let Some(role) = wish.role {
            narrow(&mut found, &|one| kin(role, one.role) >= 0.5, fit.is_none());
        }
        if let Some(zone) = wish.zone {
            narrow(&mut found, &|one| one.zone.is_some_and(|place| within(zone, place) > 0.0), true);
            let best = found.iter().filter_map(|one| one.zone).map(|place| within(zone, place)).fold(0.0, f64::max);
            narrow(&mut found, &|one| one.zone.is_some_and(|place| within(zone, place) >= best), false);
        }
        if let (Some(relation), Some(anchor)) = (wish.relation, anchor) {
            narrow(&mut found, &|one| !anchors.iter().any(|other| other.order == one.order), true);
            let mut by_distance: Vec<(f64, &One<'_>)> = found
                .iter()
                .filter_map(|one| {
                    Some((anchors.iter().filter_map(|other| beside(relation, one, other)).reduce(f64::min)?, *one))
                })
                .collect();
            by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
            found = match (by_distance.as_slice(), wish.ordinal) {
                ([], _) => found
                    .iter()
                    .copied()
                    .filter(|one| one.bbox.is_none() && one.near.iter().any(|near| near == anchor))
                    .collect(),
                ([first, second, ..], None) if second.0 - first.0 < 1.0 => {
                    by_distance.iter().map(|one| one.1).collect()
                }
                ([first, ..], None) => all.iter().filter(|one| one.order == first.1.order).collect(),
                (_, Some(_)) => by_distance
                    .iter()
                    .map(|one| one.1)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .filter_map(|kept| all.iter().find(|one| one.order == kept.order))
                    .collect(),
            };
        }
        if let Some(n) = wish.ordinal {
            found.sort_by_key(|one| one.order);
            let index = if n > 0 {
                usize::try_from(n - 1).ok()
            } else {
                usize::try_from(-n).ok().and_then(|n| found.len().checked_sub(n))
            };
            return (index.and_then(|index| found.get(index)).copied(), false);
        }
        if fit.is_none() && wish.zone.is_none() && wish.relation.is_none() && wish.role.is_none() {
            return (None, false);
        }
        match found.as_slice() {
            [one] => (Some(one), false),
            rest => (None, rest.len() > 1),
        }
    }

    fn score(
        &self,
        draft: &Draft,
        texts: &[Vec<char>],
        anchor: Option<&[char]>,
        anchors: &[&One<'_>],
        one: &One<'_>,
    ) -> f64 {
        let wish = &draft.wish;
        let text = texts.iter().map(|text| self.likeness(text, one)).fold(0.0, f64::max);
        let role = match (wish.role, wish.action) {
            (Some(role), _) => kin(role, one.role),
            (None, Some(action)) => suits(action, one.role),
            (None, None) => 0.5,
        };
        let near = match anchor {
            Some(anchor) => {
                let labelled = one.near.iter().map(|near| self.alike(anchor, near)).fold(0.0, f64::max);
                let placed = wish.relation.is_some_and(|relation| {
                    anchors.iter().any(|other| other.order != one.order && beside(relation, one, other).is_some())
                });
                if placed { f64::max(labelled, 1.0) } else { labelled * 0.8 }
            }
            None => {
                texts.iter().flat_map(|text| one.near.iter().map(|near| self.alike(text, near))).fold(0.0, f64::max)
            }
        };
        let spatial = match (wish.zone, one.zone) {
            (Some(zone), Some(place)) => within(zone, place),
            _ => 0.0,
        };
        let weights = self.weights;
        weights.text * text + weights.role * role + weights.near * near + weights.spatial * spatial
            - if one.enabled { 0.0 } else { weights.disabled_penalty }
    }

    fn likeness(&self, text: &[char], one: &One<'_>) -> f64 {
        let said = units(text);
        let alike = self.slips.likeness(&said, &one.units);
        match self.fit(text, &said, one) {
            Some(Fit::Same) => 1.0,
            Some(Fit::Meaning) => 0.95,
            Some(Fit::Slip) => alike.clamp(0.85, 0.94),
            Some(Fit::Sound) => 0.85,
            Some(Fit::Contains) => {
                let (short, long) = (text.len().min(one.label.len()), text.len().max(one.label.len()));
                let share = f64::from(u32::try_from(short).unwrap_or(1)) / f64::from(u32::try_from(long).unwrap_or(1));
                alike.max(0.5 + 0.3 * share)
            }
            None => 0.8 * alike,
        }
    }

    fn alike(&self, a: &[char], b: &[char]) -> f64 {
        if a == b { 1.0 } else { 0.8 * self.slips.likeness(&units(a), &units(b)) }
    }
}

fn needs_target(draft: &Draft) -> bool {
    match draft.wish.action {
        Some(Action::Scroll | Action::Key | Action::Hotkey | Action::Clarify) => false,
        Some(_) => true,
        None => draft.wish.target_text.is_some() || draft.wish.ordinal.is_some(),
    }
}

/// The texts, and those without a last word that only says what kind of thing it is: "메일 폴더" may be called 메일.
fn with_kinds_left_out(mut texts: Vec<Vec<char>>) -> Vec<Vec<char>> {
    const KINDS: [&str; 22] = [
        "folder",
        "app",
        "application",
        "program",
        "page",
        "section",
        "screen",
        "website",
        "site",
        "window",
        "panel",
        "폴더",
        "앱",
        "어플",
        "어플리케이션",
        "프로그램",
        "페이지",
        "화면",
        "사이트",
        "창",
        "항목",
        "메뉴",
    ];
    let bare = |text: &Vec<char>| {
        let rest = KINDS.iter().filter_map(|kind| text.strip_suffix(kind.chars().collect::<Vec<_>>().as_slice()));
        rest.filter(|rest| rest.len() > 1).map(<[char]>::to_vec).min_by_key(Vec::len)
    };
    let more: Vec<Vec<char>> = texts.iter().filter_map(bare).collect();
    texts.extend(more);
    texts
}

fn only_role(text: &[char]) -> bool {
    const WORDS: [&str; 12] =
        ["버튼", "단추", "링크", "메뉴", "탭", "체크박스", "항목", "칸", "입력란", "입력창", "필드", "아이콘"];
    WORDS.iter().any(|word| compact(word) == text)
}

/// "3번" is no slip of "2번".
fn digits_differ(a: &[char], b: &[char]) -> bool {
    let digits = |text: &[char]| text.iter().copied().filter(char::is_ascii_digit).collect::<Vec<_>>();
    digits(a) != digits(b)
}
