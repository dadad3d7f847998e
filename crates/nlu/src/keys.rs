//! Keys and keys together by name (EXE-4): 엔터, 컨트롤 에스, ctrl+shift+t.

use luna_messages::dsl::Action;
use luna_messages::understanding::ParsedCommand;

use super::desk::Key;
use super::draft::{Draft, Scene};

/// What was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// A key, or several joined by `+`: ctrl, alt, shift, win, then the key.
    pub name: String,
    /// Whether it is several.
    pub together: bool,
    /// Whether it can only be a key: it says so, or has a name that nothing else has.
    pub sure: bool,
}

const ORDER: [&str; 4] = ["ctrl", "alt", "shift", "win"];
/// Between keys.
const BETWEEN: [&str; 26] = [
    "+",
    "플러스",
    "더하기",
    "하고",
    "이랑",
    "랑",
    "와",
    "과",
    "누르고",
    "누른채로",
    "누른채",
    "누른상태에서",
    "plus",
    "and",
    "동시에",
    "같이",
    "함께",
    "키와",
    "키랑",
    "키하고",
    "the",
    "그리고",
    "에다가",
    "에",
    "잡고",
    "dash",
];
/// After a key, saying that it is one.
const KEY: [&str; 5] = ["키", "key", "keys", "자판", "글쇠"];
const AFTER: [&str; 13] =
    ["를", "을", "좀", "한번", "도", "로", "으로", "같이", "함께", "동시에", "한꺼번에", "together", "atonce"];

fn eat(scene: &Scene<'_>, at: usize, to: usize, words: &[&str]) -> Option<usize> {
    words
        .iter()
        .filter(|word| scene.heard.word_end(at, word).is_some())
        .map(|word| at + word.chars().count())
        .filter(|end| *end <= to)
        .max()
}

/// What a part of a range is.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Key(Key),
    Letter(char),
    /// The word "key".
    Word,
    /// Something between keys, or that changes nothing.
    Nothing,
}

/// What was read up to a cell.
#[derive(Debug, Clone, Default)]
struct Read {
    held: Vec<&'static str>,
    key: Option<String>,
    sure: bool,
}

/// The keys that a range names, if it names nothing else.
#[must_use]
pub fn keys(scene: &Scene<'_>, from: usize, to: usize) -> Option<Named> {
    /// Cells of the longest range: a chord takes some thirty.
    const LONGEST: usize = 60;
    if to.checked_sub(from)? > LONGEST {
        return None;
    }
    let from = eat(scene, from, to, &["the"]).filter(|end| *end < to).unwrap_or(from);
    // Per cell the ways that lead nowhere, by whether a key, a held one, and the word "key" were said: each is tried once.
    let mut tried = vec![0_u8; to - from];
    read(scene, from, from, to, &Read::default(), &mut tried)
}

fn read(scene: &Scene<'_>, from: usize, at: usize, to: usize, known: &Read, tried: &mut [u8]) -> Option<Named> {
    if at == to {
        return known.named();
    }
    let state =
        usize::from(known.key.is_some()) + 2 * usize::from(!known.held.is_empty()) + 4 * usize::from(known.sure);
    let seen = tried.get_mut(at - from)?;
    if *seen & (1 << state) != 0 {
        return None;
    }
    *seen |= 1 << state;
    for (end, piece) in pieces(scene, at, to, known) {
        let mut next = known.clone();
        match piece {
            Piece::Key(key) if key.modifier => next.held.push(key.name),
            Piece::Key(key) => {
                next.key = Some(key.name.to_owned());
                next.sure |= key.sure;
            }
            Piece::Letter(letter) => next.key = Some(letter.to_string()),
            Piece::Word => next.sure = true,
            Piece::Nothing => {}
        }
        // "컨트롤키 누르고": the word key after a held one is not the end.
        next.sure |= !next.held.is_empty() && next.key.is_some();
        if let Some(named) = read(scene, from, end, to, &next, tried) {
            return Some(named);
        }
    }
    None
}

/// What may begin at a cell, the longest first.
fn pieces(scene: &Scene<'_>, at: usize, to: usize, known: &Read) -> Vec<(usize, Piece)> {
    let heard = scene.heard;
    let cells = heard.cells.get(..to).unwrap_or_default();
    let mut found: Vec<(usize, Piece)> = Vec::new();
    if known.key.is_none() {
        scene.desk.keys.at(cells, at, |end, key| found.push((end, Piece::Key(*key))));
        // "windows" is no "window" and "s".
        let longest = found.iter().map(|piece| piece.0).max().unwrap_or(at);
        let latin = heard.cells.get(at).is_some_and(char::is_ascii_alphabetic);
        found.retain(|(end, _)| *end == longest || !latin || heard.gap(*end));
        // "ender" is no end key.
        found.retain(|(end, piece)| {
            let held = matches!(piece, Piece::Key(key) if key.modifier);
            let goes_on = heard.cells.get(*end).is_some_and(char::is_ascii_alphabetic) && !heard.gap(*end);
            held || !latin || !goes_on || eat(scene, *end, to, &KEY).is_some()
        });
        scene.desk.letters.at(cells, at, |end, letter| {
            if end >= longest || !latin || heard.gap(end) {
                found.push((end, Piece::Letter(*letter)));
            }
        });
    }
    found.extend(eat(scene, at, to, &KEY).map(|end| (end, Piece::Word)));
    if known.key.is_none() && !known.held.is_empty() {
        found.extend(eat(scene, at, to, &BETWEEN).map(|end| (end, Piece::Nothing)));
    }
    if known.key.is_some() {
        found.extend(eat(scene, at, to, &AFTER).map(|end| (end, Piece::Nothing)));
    }
    scene.grease.fillers(heard, at, |end| {
        if end <= to && end > at {
            found.push((end, Piece::Nothing));
        }
    });
    found.sort_by_key(|piece| std::cmp::Reverse(piece.0));
    found
}

impl Read {
    fn named(&self) -> Option<Named> {
        let mut held = self.held.clone();
        held.sort_by_key(|name| ORDER.iter().position(|known| known == name));
        held.dedup();
        let sure = self.sure;
        match (held.is_empty(), self.key.clone()) {
            (true, Some(key)) => Some(Named { name: key, together: false, sure }),
            (false, Some(key)) => Some(Named { name: format!("{}+{key}", held.join("+")), together: true, sure: true }),
            // "알트 키 눌러": a modifier alone.
            (false, None) if held.len() == 1 && sure => Some(Named { name: held.concat(), together: false, sure }),
            _ => None,
        }
    }
}

/// Keys together that are the whole utterance, politeness aside: "알트 에프 사", "do an alt tab".
#[must_use]
pub fn together(scene: &Scene<'_>) -> Option<Draft> {
    /// Letters of a chord and the politeness around it.
    const LETTERS: usize = 50;
    /// What may stand before it in English.
    const DO: [&str; 12] = [
        "doa",
        "doan",
        "dothe",
        "do",
        "pressa",
        "givemea",
        "givemean",
        "performa",
        "performan",
        "usethe",
        "use",
        "hita",
    ];
    let heard = scene.heard;
    if heard.len() > LETTERS {
        return None;
    }
    let ends: Vec<usize> =
        (1..=heard.len()).filter(|end| scene.frame.tail.is_greasy(*end) && scene.border(*end)).collect();
    for start in scene.frame.starts.iter().copied().filter(|start| scene.border(*start)) {
        let done = DO.iter().filter_map(|word| heard.word_end(start, word)).filter(|end| scene.border(*end)).max();
        for from in [Some(start), done].into_iter().flatten() {
            // Only a key that is held can begin keys together.
            let held = scene.desk.keys.longest(&heard.cells, from).is_some_and(|(_, key)| key.modifier)
                || eat(scene, from, heard.len(), &["the"]).is_some();
            if !held {
                continue;
            }
            let named = ends.iter().filter(|end| **end > from).find_map(|end| keys(scene, from, *end));
            if let Some(named) = named.filter(|named| named.together) {
                let wish = ParsedCommand {
                    action: Some(Action::Hotkey),
                    hotkey: Some(named.name),
                    ..ParsedCommand::default()
                };
                return Some(Draft { wish, ..Draft::default() });
            }
        }
    }
    None
}

/// The command to press it.
pub(super) fn pressed(named: Named) -> Draft {
    let mut wish = ParsedCommand::default();
    if named.together {
        (wish.action, wish.hotkey) = (Some(Action::Hotkey), Some(named.name));
    } else {
        (wish.action, wish.key) = (Some(Action::Key), Some(named.name));
    }
    Draft { wish, ..Draft::default() }
}
