//! Several things for one verb: lists of labels ("A, B와 C를 선택해") and ways through menus ("파일 > 저장 눌러") become steps (EXE-5).
//!
//! Each part of a list has to be the label of a candidate, and of a way the first: else the utterance is taken as it stands.

use luna_messages::dsl::Action;
use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, UtteranceInput, UtteranceKind};

use super::Understanding;
use super::danger::DangerWords;
use super::normalised::compact;

/// Marks between the parts of a way through menus.
const ARROWS: [char; 4] = ['>', '›', '→', '⇒'];
/// Parts of a list of things that are pressed one after the other: two may also be a correction.
const PRESSED: usize = 3;
/// Parts of the longest list or way; more is a text.
const MOST: usize = 20;
/// Korean particles that a list may end in.
const PARTICLES: [char; 11] = ['을', '를', '만', '도', '은', '는', '이', '가', '에', '로', '으'];
/// What stands between the parts of a list besides a comma; the first ones right behind a part.
const JOINED: [&str; 4] = ["와 ", "과 ", "랑 ", "이랑 "];
const BETWEEN: [&str; 4] = ["and ", "및 ", "그리고 ", "& "];

/// An utterance with a part for the whole, and the parts.
#[derive(Debug, PartialEq, Eq)]
struct Parted {
    utterance: String,
    parts: Vec<String>,
    /// Whether a comma is among what stands between them.
    pauses: bool,
}

impl Understanding {
    /// What an utterance means whose verb has several things, or a way to one.
    pub(super) fn parted(&self, utterance: &UtteranceInput) -> Option<Interpretation> {
        if utterance.asking || utterance.speaking {
            return None;
        }
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        let said = &utterance.utterance;
        if said.contains(ARROWS) {
            return self.through(&way(said, offered)?, utterance);
        }
        if let Some((way, leads)) = named_menu(said, offered) {
            // In a later clause it belongs to a step that is not the first.
            let is_one = || steps(&self.with(&way, utterance)).is_some_and(|steps| steps.len() == 1);
            return if leads || is_one() { self.through(&way, utterance) } else { None };
        }
        if !said.contains(',') && !JOINED.iter().chain(&BETWEEN).any(|word| said.contains(word)) {
            return None;
        }
        self.each(&list(said, offered)?, utterance)
    }

    fn with(&self, parted: &Parted, utterance: &UtteranceInput) -> Interpretation {
        self.understand(&UtteranceInput { utterance: parted.utterance.clone(), ..utterance.clone() })
    }

    /// One step for each part of a list, in place of the one for its first part.
    fn each(&self, list: &Parted, utterance: &UtteranceInput) -> Option<Interpretation> {
        let mut understood = self.with(list, utterance);
        let first = compact(list.parts.first()?);
        let is_it = |step: &ParsedCommand| step.target_text.as_deref().is_some_and(|text| compact(text) == first);
        let several = |step: &ParsedCommand| match step.action {
            Some(Action::Select | Action::Toggle) => true,
            Some(Action::Invoke) => list.pauses && list.parts.len() >= PRESSED,
            _ => false,
        };
        let steps = steps(&understood)?;
        let at = steps.iter().position(is_it).filter(|at| steps.get(*at).is_some_and(several))?;
        let step = steps.get(at)?.clone();
        let each = list.parts.iter().map(|part| ParsedCommand { target_text: Some(part.clone()), ..step.clone() });
        let mut all = steps;
        all.splice(at..=at, each);
        understood.wish = all.first()?.clone();
        understood.steps = all;
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        understood.dangerous |= list.parts.iter().any(|part| {
            let part = compact(part);
            let called = |one: &&CandidateInput| one.text.as_deref().is_some_and(|text| compact(text) == part);
            offered.iter().filter(called).any(|one| self.shows_danger(one, DangerWords::All))
        });
        Some(understood)
    }

    /// A step for each part of a way, and what is said of the last.
    fn through(&self, way: &Parted, utterance: &UtteranceInput) -> Option<Interpretation> {
        let mut understood = self.with(way, utterance);
        let mut all = steps(&understood)?;
        let at = all.iter().position(|step| step.target_text.is_some() || step.argument.is_some())?;
        // "파일 > 열기 선택": what is opened there is in the menu.
        let last = all.get_mut(at)?;
        if last.action == Some(Action::Desktop) && last.target_text.is_none() {
            (last.action, last.order, last.target_text) = (Some(Action::Invoke), None, last.argument.take());
        }
        if !matches!(last.action, Some(Action::Invoke | Action::Select | Action::Toggle)) {
            return None;
        }
        let press = |part: &String| ParsedCommand {
            action: Some(Action::Invoke),
            target_text: Some(part.clone()),
            ..ParsedCommand::default()
        };
        all.splice(at..at, way.parts.iter().map(press));
        let first = all.first()?.clone();
        let found = self.resolve(&first, utterance.candidates.as_deref().unwrap_or_default());
        understood.kind = if found.several.is_empty() { UtteranceKind::Command } else { UtteranceKind::Ambiguous };
        understood.dangerous |= found.dangerous;
        (understood.target_id, understood.several, understood.ranking) = (found.target, found.several, found.ranking);
        (understood.wish, understood.steps, understood.command) = (first, all, None);
        Some(understood)
    }
}

/// The steps of an order; of one with a single step that.
fn steps(understood: &Interpretation) -> Option<Vec<ParsedCommand>> {
    let orders = matches!(understood.kind, UtteranceKind::Command | UtteranceKind::Ambiguous);
    let single = || vec![understood.wish.clone()];
    orders.then(|| if understood.steps.is_empty() { single() } else { understood.steps.clone() })
}

/// A text that is searched for labels.
struct Labelled<'a> {
    text: &'a str,
    /// In lower case, letter by letter.
    labels: Vec<Vec<char>>,
}

impl<'a> Labelled<'a> {
    fn new(text: &'a str, offered: &[CandidateInput]) -> Self {
        let labels = offered.iter().filter(|one| !one.only_labels()).filter_map(|one| one.text.as_deref());
        let mut labels: Vec<Vec<char>> = labels.map(|label| label.trim().chars().map(lower).collect()).collect();
        labels.retain(|label| label.first().is_some_and(|c| c.is_alphanumeric()));
        labels.sort_by_key(|label| std::cmp::Reverse(label.len()));
        labels.dedup();
        Self { text, labels }
    }

    /// Where the longest label ends that begins at a byte, quotes around it included: the label's bytes, and the byte behind.
    fn at(&self, from: usize) -> Option<(std::ops::Range<usize>, usize)> {
        let quote = self.text.get(from..)?.chars().next().filter(|c| QUOTES.contains(c));
        let begin = from + quote.map_or(0, char::len_utf8);
        let rest = self.text.get(begin..)?;
        self.labels.iter().find_map(|label| {
            let mut letters = rest.char_indices();
            let same = label.iter().all(|c| letters.next().is_some_and(|(_, letter)| lower(letter) == *c));
            let end = begin + letters.next().map_or(rest.len(), |(at, _)| at);
            let behind = self.text.get(end..)?;
            let (closing, next) = match behind.chars().next() {
                Some(c) if quote.is_some() && QUOTES.contains(&c) => (c.len_utf8(), behind.chars().nth(1)),
                next => (0, next),
            };
            let closed = quote.is_none() || closing > 0;
            let joined = JOINED.iter().any(|word| behind.starts_with(word));
            let ends = next.is_none_or(|c| !c.is_alphanumeric() || PARTICLES.contains(&c)) || joined;
            (same && closed && ends).then_some((begin..end, end + closing))
        })
    }
}

const QUOTES: [char; 6] = ['"', '\'', '“', '”', '‘', '’'];

fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    lower.next().filter(|_| lower.next().is_none()).unwrap_or(c)
}

/// The first list of labels.
fn list(said: &str, offered: &[CandidateInput]) -> Option<Parted> {
    let text = Labelled::new(said, offered);
    let mut begins = true;
    for (from, c) in said.char_indices() {
        if begins && let Some((first, mut end)) = text.at(from) {
            let (mut parts, mut pauses) = (vec![said.get(first.clone())?.to_owned()], false);
            while let Some((pause, next)) = said.get(end..).and_then(between)
                && let Some((part, behind)) = text.at(end + next)
            {
                pauses |= pause;
                parts.push(said.get(part)?.to_owned());
                end = behind;
            }
            if (2..=MOST).contains(&parts.len()) {
                // The first part stands for all; what follows the last, follows it.
                let behind = said.get(end..).unwrap_or_default();
                let quoted = format!("\"{}\"", parts.first()?);
                return Some(Parted { utterance: format!("{}{quoted}{behind}", said.get(..from)?), parts, pauses });
            }
        }
        begins = !c.is_alphanumeric();
    }
    None
}

/// What stands between two parts: whether there is a comma, and its bytes.
fn between(rest: &str) -> Option<(bool, usize)> {
    let mut left = rest;
    let joined = JOINED.iter().find_map(|word| left.strip_prefix(word));
    left = joined.unwrap_or(left);
    let spaced = left.trim_start();
    let paused = spaced.strip_prefix(',').map(str::trim_start);
    let (pause, mut found) = (paused.is_some(), joined.is_some() || paused.is_some());
    left = paused.unwrap_or(spaced);
    if let Some(behind) = BETWEEN.iter().find_map(|word| left.strip_prefix(word)) {
        (left, found) = (behind.trim_start(), true);
    }
    found.then_some((pause, rest.len() - left.len()))
}

/// A way through menus: what is said without it but for its last part.
fn way(said: &str, offered: &[CandidateInput]) -> Option<Parted> {
    let mut segments: Vec<&str> = said.split(ARROWS).map(str::trim).collect();
    if !(2..=MOST).contains(&segments.len()) || segments.iter().any(|part| part.is_empty()) {
        return None;
    }
    let last = segments.pop()?;
    let opening = segments.first().copied()?;
    // The first part is a label that closes what stands before the arrow, or its last word.
    let text = Labelled::new(opening, offered);
    let begins = |at: usize| opening.get(..at).is_some_and(|before| !before.ends_with(char::is_alphanumeric));
    let labelled = opening
        .char_indices()
        .filter(|(at, _)| begins(*at))
        .find(|(at, _)| text.at(*at).is_some_and(|(_, end)| end == opening.len()));
    let from = labelled.map(|(at, _)| at).or_else(|| opening.rfind(' ').map(|at| at + 1)).unwrap_or(0);
    let first = opening.get(from..)?.trim_matches(QUOTES);
    let parts = std::iter::once(first).chain(segments.into_iter().skip(1).map(|part| part.trim_matches(QUOTES)));
    Some(Parted {
        utterance: format!("{}{}", opening.get(..from)?, last),
        parts: parts.map(str::to_owned).collect(),
        pauses: false,
    })
}

/// A way through one menu that is named: "편집 메뉴에서 바꾸기 눌러", "click Replace in the Edit menu"; and whether the utterance begins with it.
fn named_menu(said: &str, offered: &[CandidateInput]) -> Option<(Parted, bool)> {
    const BEHIND: [&str; 4] = ["메뉴에서 ", "메뉴에 있는 ", "메뉴 안의 ", "메뉴의 "];
    const BEFORE: [&str; 6] = ["from the", "in the", "on the", "under the", "from", "in"];
    if !said.contains("메뉴") && !said.to_lowercase().contains("menu") {
        return None;
    }
    let is_menu = |one: &&CandidateInput| {
        let named = [&one.role, &one.kind].into_iter().flatten().map(|role| compact(role));
        named.into_iter().any(|role| matches!(role.iter().collect::<String>().as_str(), "menu" | "menuitem"))
    };
    let menus: Vec<CandidateInput> = offered.iter().filter(is_menu).cloned().collect();
    let text = Labelled::new(said, &menus);
    let begins = |at: usize| said.get(..at).is_some_and(|before| !before.ends_with(char::is_alphanumeric));
    said.char_indices().filter(|(at, _)| begins(*at)).find_map(|(from, _)| {
        let (label, end) = text.at(from)?;
        let (before, behind) = (said.get(..from)?, said.get(end..)?.trim_start());
        let parts = vec![said.get(label)?.to_owned()];
        if let Some(rest) = BEHIND.iter().find_map(|word| behind.strip_prefix(word)) {
            let leads = before.trim().is_empty();
            return Some((Parted { utterance: format!("{before}{rest}"), parts, pauses: false }, leads));
        }
        let rest = behind.strip_prefix("menu").filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
        let small = before.trim_end().to_lowercase();
        let word = BEFORE
            .iter()
            .find(|word| small.strip_suffix(**word).is_some_and(|before| !before.ends_with(char::is_alphanumeric)))?;
        let before = before.trim_end().get(..before.trim_end().len() - word.len())?;
        let rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        let leads = before.trim().is_empty();
        Some((Parted { utterance: format!("{before}{rest}").trim().to_owned(), parts, pauses: false }, leads))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn offered(labels: &[&str]) -> Vec<CandidateInput> {
        let one = |label: &&str| CandidateInput { text: Some((*label).to_owned()), ..CandidateInput::default() };
        labels.iter().map(one).collect()
    }

    // EXE-5
    #[test]
    fn a_list_is_one_whose_parts_are_all_labels_exe_5() {
        let labels = offered(&["4XuTN", "cl", "ONb9", "사과", "배", "사과 주스", "Bread and butter", "Tea"]);
        let check = |said: &str, expect: Option<(&str, &[&str])>| {
            let found = list(said, &labels);
            let found = found.as_ref().map(|found| (found.utterance.as_str(), found.parts.clone()));
            assert_eq!(
                found,
                expect.map(|(rest, parts)| (rest, parts.iter().map(|part| (*part).to_owned()).collect())),
                "{said}"
            );
        };
        check(
            "Select 4XuTN, cl, ONb9 and click Submit.",
            Some(("Select \"4XuTN\" and click Submit.", &["4XuTN", "cl", "ONb9"])),
        );
        check("select cl and ONb9", Some(("select \"cl\"", &["cl", "ONb9"])));
        check("select cl, and \"ONb9\"", Some(("select \"cl\"", &["cl", "ONb9"])));
        check("select cl, clx", None);
        check("select Bread and butter", None);
        check("select bread and butter and tea", Some(("select \"bread and butter\"", &["bread and butter", "tea"])));
        check("사과, 배를 선택해", Some(("\"사과\"를 선택해", &["사과", "배"])));
        check("사과와 배 선택해", Some(("\"사과\" 선택해", &["사과", "배"])));
        check("사과 주스와 배를 선택해", Some(("\"사과 주스\"를 선택해", &["사과 주스", "배"])));
        check("사과 선택하고 배 선택해", None);
        check("", None);
    }

    // EXE-5
    #[test]
    fn a_named_menu_is_the_way_to_its_entries_exe_5() {
        let one = |label: &str, role: &str| CandidateInput {
            text: Some(label.to_owned()),
            role: Some(role.to_owned()),
            ..CandidateInput::default()
        };
        let offered =
            [one("Edit", "Menu"), one("편집", "menu_item"), one("Tools", "menu item"), one("Search", "button")];
        let check = |said: &str, expect: Option<(&str, &str)>| {
            let found = named_menu(said, &offered).map(|(found, _)| (found.utterance, found.parts.concat()));
            assert_eq!(found, expect.map(|(rest, menu)| (rest.to_owned(), menu.to_owned())), "{said}");
        };
        check("편집 메뉴에서 바꾸기 눌러 줘", Some(("바꾸기 눌러 줘", "편집")));
        check("Tools 메뉴에 있는 Options 눌러", Some(("Options 눌러", "Tools")));
        check("click Replace in the Edit menu", Some(("click Replace", "Edit")));
        check("in the edit menu, click Replace", Some(("click Replace", "edit")));
        check("From the Tools menu choose Options", Some(("choose Options", "Tools")));
        check("편집 메뉴 열어", None);
        check("open the Edit menu", None);
        check("click Find in the Search menu", None);
        check("메뉴에서 바꾸기 눌러", None);
    }

    // EXE-5
    #[test]
    fn a_way_leads_through_labels_exe_5() {
        let labels = offered(&["File", "Save as", "파일", "다른 이름"]);
        let check = |said: &str, rest: &str, parts: &[&str]| {
            let found = way(said, &labels).unwrap();
            assert_eq!(
                (found.utterance.as_str(), found.parts),
                (rest, parts.iter().map(|part| (*part).to_owned()).collect()),
                "{said}"
            );
        };
        check("Select File>Export>PDF", "Select PDF", &["File", "Export"]);
        check("Select Save as > PDF", "Select PDF", &["Save as"]);
        check("파일 > 저장 눌러", "저장 눌러", &["파일"]);
        check("다른 이름 → 파일 눌러", "파일 눌러", &["다른 이름"]);
        check("click \"Foo\" > \"Bar\"", "click \"Bar\"", &["Foo"]);
        for said in ["", ">", "a >", "> b", "a > > b"] {
            assert_eq!(way(said, &labels), None, "{said}");
        }
    }
}
