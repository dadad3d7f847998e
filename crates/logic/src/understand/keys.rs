//! Keys and keys together by name (EXE-4): 엔터, 컨트롤 에스, ctrl+shift+t.

use super::draft::Scene;

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
const AFTER: [&str; 8] = ["를", "을", "좀", "한번", "도", "로", "으로", "together"];

fn eat(scene: &Scene<'_>, at: usize, to: usize, words: &[&str]) -> Option<usize> {
    words
        .iter()
        .filter(|word| scene.heard.word_end(at, word).is_some())
        .map(|word| at + word.chars().count())
        .filter(|end| *end <= to)
        .max()
}

/// The keys that a range names, where it names nothing else.
#[must_use]
pub fn keys(scene: &Scene<'_>, from: usize, to: usize) -> Option<Named> {
    let mut at = from;
    let mut held: Vec<&'static str> = Vec::new();
    let mut key: Option<String> = None;
    let mut sure = false;
    if let Some(end) = eat(scene, at, to, &["the"]) {
        at = end;
    }
    while at < to {
        let word = scene.desk.keys.longest(&scene.heard.cells, at).filter(|(end, _)| *end <= to && key.is_none());
        if let Some((end, found)) = word {
            if found.modifier {
                held.push(found.name);
            } else {
                key = Some(found.name.to_owned());
                sure |= found.sure;
            }
            at = end;
        } else if let Some((end, letter)) =
            scene.desk.letters.longest(&scene.heard.cells, at).filter(|(end, _)| *end <= to && key.is_none())
        {
            key = Some(letter.to_string());
            at = end;
        } else if let Some(end) = eat(scene, at, to, &KEY) {
            sure = true;
            at = end;
        } else if let Some(end) = eat(scene, at, to, &BETWEEN).filter(|_| key.is_none() && !held.is_empty()) {
            at = end;
        } else if let Some(end) = eat(scene, at, to, &AFTER).filter(|_| key.is_some()) {
            at = end;
        } else {
            let mut next = at;
            scene.grease.fillers(scene.heard, at, |end| next = next.max(end.min(to)));
            if next == at {
                return None;
            }
            at = next;
        }
        // "컨트롤키 누르고": the word key after a held one is not the end.
        sure |= !held.is_empty() && key.is_some();
    }
    held.sort_by_key(|name| ORDER.iter().position(|known| known == name));
    held.dedup();
    match (held.is_empty(), key) {
        (true, Some(key)) => Some(Named { name: key, together: false, sure }),
        (false, Some(key)) => Some(Named { name: format!("{}+{key}", held.join("+")), together: true, sure: true }),
        // "알트 키 눌러": a modifier alone.
        (false, None) if held.len() == 1 && sure => Some(Named { name: held.concat(), together: false, sure }),
        _ => None,
    }
}
