//! What is counted or told of the items of a list (NLU-3, EXE-3): "the third station in the list", "the one from the council", "김 과장님 메일".
//!
//! A noun for what a list holds, 메일 or station, is no role and stands in few labels. It counts the items only if the window has one list, so that
//! nothing has to be guessed; and a name means an item only if all its words stand in that one's label.

use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::understanding::{CandidateInput, Relation};

use super::features::{CandidateFeatures, beside};
use super::fit::Fit;
use super::words::WordedText;
use super::{Ranked, Ranker, fits};
use crate::draft::Draft;
use crate::label_lexicon::{LabelLexicon, WordClass};
use crate::roles::role;

/// How well an item fits that is counted, or of whose label some words were said.
const FIT: f64 = 0.7;
/// Pixels by which the items of one row or column differ.
const ALIGNED: f64 = 4.0;
/// What is said of a person behind the name.
const HONORIFICS: [char; 2] = ['님', '씨'];
/// Pictures are counted by their labels, if none of them is told to be one.
const PICTURE: &str = "사진";
/// Words for all that the window shows.
const WHOLE: [&str; 6] = ["page", "screen", "window", "화면", "페이지", "창"];

/// Whether a place is all that the window shows, so that it says nothing.
#[must_use]
pub fn is_whole(place: &str) -> bool {
    WHOLE.contains(&place.to_lowercase().as_str())
}

impl Ranker {
    /// The item of the window's only list that an ordinal with a noun counts, unless the noun names something else.
    #[must_use]
    pub fn counted(&self, draft: &Draft, offered: &[CandidateInput]) -> Option<Ranked> {
        let wish = &draft.wish;
        let n = wish.ordinal.filter(|_| acts_on_item(draft) && wish.zone.is_none())?;
        let in_list = match (wish.relation, wish.anchor.as_deref()) {
            (None, _) => true,
            (Some(Relation::Inside), Some(place)) => is_whole(place) || role(place) == Some(Role::List),
            _ => false,
        };
        let noun = match (wish.role, wish.target_text.as_deref()) {
            (None, Some(text)) if role(text).is_none() => text,
            (Some(Role::Image), None) => PICTURE,
            _ => return None,
        };
        let lexicon = LabelLexicon::shared();
        let noun = WordedText::said(lexicon, noun);
        if !in_list || noun.chunks(0, noun.cells.len()) > 1 || noun.cells.iter().any(char::is_ascii_digit) {
            return None;
        }
        let prepared = self.prepare(offered);
        let all = &prepared.all;
        if wish.role == Some(Role::Image) && all.iter().any(|one| one.role == wish.role && !one.only_labels()) {
            return None;
        }
        let mut items = only_list(all)?;
        let table = fits(&self.comparison(), std::iter::once(&noun), all);
        let fit_of = |at: usize| table.first().and_then(|row| row.get(at)).copied().flatten();
        let others = || all.iter().enumerate().filter(|(_, one)| !one.only_labels() && !is_item(one));
        // A field for a message is no message.
        let is_field = |one: &CandidateFeatures<'_>| matches!(one.role, Some(Role::Edit | Role::Document));
        let named = others().any(|(at, one)| !is_field(one) && fit_of(at).is_some_and(|fit| fit < Fit::Part));
        // Buttons that do something with it are not counted, nor is one of its kind; two may be.
        let of_kind = |one: &CandidateFeatures<'_>| one.label.words.last().map(|last| last.key);
        let kind = noun.words.last().map(|last| last.key);
        let alike =
            others().filter(|(at, one)| fit_of(*at).is_some() && !is_field(one) && of_kind(one) == kind).count();
        if named || alike > 1 {
            return None;
        }
        // "the second photo": of those that are called photos, if some are.
        let called: Vec<_> = items.iter().copied().filter(|one| has_all(&one.label, &noun)).collect();
        match called.as_slice() {
            [] if wish.role == Some(Role::Image) && wish.action != Some(Action::Select) => return None,
            [] => {}
            _ => items = called,
        }
        items.sort_by_key(|one| one.order);
        let index =
            if n > 0 { usize::try_from(n - 1).ok() } else { items.len().checked_sub(usize::try_from(-n).ok()?) };
        let one = index.and_then(|index| items.get(index))?;
        Some(one_item(one))
    }

    /// The items whose labels have all the words that a name or its place gives: one is the target, of several it is asked.
    #[must_use]
    pub fn mentioned_items(&self, draft: &Draft, offered: &[CandidateInput]) -> Option<Ranked> {
        let wish = &draft.wish;
        let counted = wish.ordinal.is_some() || wish.zone.is_some();
        if !acts_on_item(draft) || counted || !matches!(wish.role, None | Some(Role::ListItem)) {
            return None;
        }
        let lexicon = LabelLexicon::shared();
        let prepared = self.prepare(offered);
        let all = &prepared.all;
        // A button that is called so is meant itself; one that has the word besides is not.
        let names_no_other = |text: &str| {
            let word = WordedText::said(lexicon, text);
            let table = fits(&self.comparison(), std::iter::once(&word), all);
            let named = table.iter().flatten().any(|fit| fit.is_some_and(|fit| fit < Fit::Part));
            !named && word.words.iter().all(|word| word.class != WordClass::Act)
        };
        let name = match (wish.relation, wish.anchor.as_deref(), wish.target_text.as_deref()) {
            (Some(Relation::Inside), Some(of), None) => of,
            (Some(Relation::Inside), Some(of), Some(noun)) if !noun.contains(' ') && names_no_other(noun) => of,
            // "김 과장님 메일": the last word says what kind of thing it is.
            (None, None, Some(text)) => text.rsplit_once(' ').filter(|(_, noun)| names_no_other(noun))?.0,
            _ => return None,
        };
        let is_honorific = |word: &&str| word.strip_suffix(HONORIFICS).is_some_and(str::is_empty);
        let words = name.split_whitespace().filter(|word| !is_honorific(word)).map(|word| {
            let stem = word.strip_suffix(HONORIFICS).filter(|stem| stem.chars().nth(1).is_some());
            stem.unwrap_or(word)
        });
        let name = WordedText::said(lexicon, &words.collect::<Vec<_>>().join(" "));
        let meant = |one: &&CandidateFeatures<'_>| is_item(one) && is_written_in(&one.label, &name);
        let mut found: Vec<&CandidateFeatures<'_>> = all.iter().filter(meant).collect();
        found.sort_by_key(|one| one.order);
        match found.as_slice() {
            [] => None,
            [one] => Some(one_item(one)),
            several => {
                let ids: Vec<String> = several.iter().map(|one| one.id.to_owned()).collect();
                Some(Ranked { ranking: ids.clone(), several: ids, ..Ranked::default() })
            }
        }
    }
}

/// Whether a step is done to an item itself. What is called like a button, "delete the second message", is not.
fn acts_on_item(draft: &Draft) -> bool {
    use Action::{Collapse, Expand, Invoke, Select, Toggle};
    let acts = matches!(draft.wish.action, Some(Invoke | Select | Toggle | Expand | Collapse));
    acts && draft.verb.is_none()
}

fn is_item(one: &CandidateFeatures<'_>) -> bool {
    one.role == Some(Role::ListItem) && !one.only_labels()
}

fn one_item(one: &CandidateFeatures<'_>) -> Ranked {
    let id = one.id.to_owned();
    Ranked {
        text: one.label.cells.iter().collect(),
        ranking: vec![id.clone()],
        target: Some(id),
        fit: FIT,
        margin: FIT,
        ..Ranked::default()
    }
}

/// Whether a label has each word of a text that says something.
fn has_all(label: &WordedText, text: &WordedText) -> bool {
    !text.words.is_empty() && text.telling().all(|word| label.has(word.key))
}

/// Whether a label has each word of a name, as it is spelt: what means the same names nobody.
fn is_written_in(label: &WordedText, name: &WordedText) -> bool {
    let stands = |stem: &[char]| label.words.iter().any(|other| label.stem(other) == stem);
    !name.words.is_empty() && name.telling().all(|word| stands(name.stem(word)))
}

/// The items of the only list: nothing else stands between them but what lies in them, and they are in one column or one row.
fn only_list<'b, 'a>(all: &'b [CandidateFeatures<'a>]) -> Option<Vec<&'b CandidateFeatures<'a>>> {
    let items: Vec<&CandidateFeatures<'a>> = all.iter().filter(|one| is_item(one)).collect();
    let first = items.iter().map(|one| one.order).min()?;
    let last = items.iter().map(|one| one.order).max()?;
    let lies_in = |one: &CandidateFeatures<'_>| {
        items.iter().any(|item| item.order != one.order && beside(Relation::Inside, one, item).is_some())
    };
    let parted = all.iter().any(|one| (first..last).contains(&one.order) && !is_item(one) && !lies_in(one));
    let aligned = |axis: usize| {
        let places: Option<Vec<f64>> = items.iter().map(|one| one.bbox?.get(axis).copied()).collect();
        places.is_none_or(|places| {
            let least = places.iter().copied().fold(f64::INFINITY, f64::min);
            places.iter().all(|place| place - least <= ALIGNED)
        })
    };
    (items.len() > 1 && !parted && (aligned(0) || aligned(1))).then_some(items)
}
