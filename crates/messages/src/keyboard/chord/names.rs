//! What keys are called, in English and Korean (EXE-4). How people pronounce and mishear these names, understanding knows.

use super::{KeyChordError, KeyModifier, NamedKey};

/// Each key with its name as people read it, and the other names that are accepted: in small letters, without spaces.
const NAMES: [(NamedKey, &str, &[&str]); 20] = [
    (NamedKey::Enter, "Enter", &["return", "엔터", "리턴"]),
    (NamedKey::Escape, "Esc", &["escape", "이스케이프", "에스케이프", "이에스씨"]),
    (NamedKey::Tab, "Tab", &["탭"]),
    (NamedKey::Space, "Space", &["spacebar", "스페이스", "스페이스바", "띄어쓰기"]),
    (NamedKey::Backspace, "Backspace", &["백스페이스"]),
    (NamedKey::Delete, "Delete", &["del", "딜리트", "델리트", "삭제"]),
    (NamedKey::Insert, "Insert", &["ins", "인서트"]),
    (NamedKey::Home, "Home", &["홈"]),
    (NamedKey::End, "End", &["엔드"]),
    (NamedKey::PageUp, "Page Up", &["pgup", "페이지업"]),
    (NamedKey::PageDown, "Page Down", &["pgdn", "pgdown", "페이지다운"]),
    (NamedKey::Up, "Up", &["arrowup", "uparrow", "위", "위로", "위쪽", "업"]),
    (NamedKey::Down, "Down", &["arrowdown", "downarrow", "아래", "아래로", "아래쪽", "다운"]),
    (NamedKey::Left, "Left", &["arrowleft", "leftarrow", "왼쪽", "왼쪽으로", "레프트"]),
    (NamedKey::Right, "Right", &["arrowright", "rightarrow", "오른쪽", "오른쪽으로", "라이트"]),
    (NamedKey::Menu, "Menu", &["contextmenu", "apps", "메뉴", "컨텍스트메뉴"]),
    (NamedKey::PrintScreen, "Print Screen", &["prtsc", "prtscn", "프린트스크린"]),
    (NamedKey::CapsLock, "Caps Lock", &["캡스락"]),
    (NamedKey::Hangul, "Hangul", &["한영", "한영전환"]),
    (NamedKey::Hanja, "Hanja", &["한자"]),
];

const MODIFIERS: [(KeyModifier, &[&str]); 4] = [
    (KeyModifier::Ctrl, &["ctrl", "control", "컨트롤", "콘트롤"]),
    (KeyModifier::Alt, &["alt", "option", "알트"]),
    (KeyModifier::Shift, &["shift", "시프트", "쉬프트"]),
    (KeyModifier::Win, &["win", "windows", "super", "meta", "command", "cmd", "윈도우", "윈도", "윈"]),
];

/// Letters and signs that have a name. Where two letters sound alike, it is the first one that the name means.
const CHARACTERS: [(char, &[&str]); 43] = [
    ('a', &["에이"]),
    ('b', &["비"]),
    ('c', &["씨", "시"]),
    ('d', &["디"]),
    ('e', &["이"]),
    ('f', &["에프"]),
    ('g', &["지"]),
    ('h', &["에이치"]),
    ('i', &["아이"]),
    ('j', &["제이"]),
    ('k', &["케이"]),
    ('l', &["엘"]),
    ('m', &["엠"]),
    ('n', &["엔"]),
    ('o', &["오"]),
    ('p', &["피"]),
    ('q', &["큐"]),
    ('r', &["아르", "알"]),
    ('s', &["에스"]),
    ('t', &["티"]),
    ('u', &["유"]),
    ('v', &["브이"]),
    ('w', &["더블유"]),
    ('x', &["엑스"]),
    ('y', &["와이"]),
    ('z', &["제트"]),
    ('+', &["plus", "플러스", "더하기"]),
    ('-', &["minus", "hyphen", "마이너스", "빼기", "하이픈"]),
    ('=', &["equal", "equals", "등호"]),
    (',', &["comma", "쉼표"]),
    ('.', &["period", "dot", "마침표"]),
    ('/', &["slash", "슬래시"]),
    ('\\', &["backslash", "백슬래시", "역슬래시"]),
    (';', &["semicolon", "세미콜론"]),
    (':', &["colon", "콜론"]),
    ('\'', &["apostrophe", "작은따옴표"]),
    ('"', &["quote", "큰따옴표"]),
    ('`', &["backtick", "grave", "백틱"]),
    ('_', &["underscore", "밑줄"]),
    ('?', &["questionmark", "물음표"]),
    ('!', &["exclamationmark", "느낌표"]),
    ('*', &["asterisk", "별표"]),
    ('#', &["hash", "우물정"]),
];

/// The numbers of the function keys as they are said in Korean, from 1 on.
const NUMBERS: [&str; 24] = [
    "일",
    "이",
    "삼",
    "사",
    "오",
    "육",
    "칠",
    "팔",
    "구",
    "십",
    "십일",
    "십이",
    "십삼",
    "십사",
    "십오",
    "십육",
    "십칠",
    "십팔",
    "십구",
    "이십",
    "이십일",
    "이십이",
    "이십삼",
    "이십사",
];

/// The most words of a name, as in "에프 이십 사".
const MAX_WORDS: usize = 3;

/// The name of a key of the table as people read it.
pub(super) fn shown(key: NamedKey) -> Option<&'static str> {
    NAMES.iter().find(|(other, ..)| *other == key).map(|(_, name, _)| *name)
}

/// Adds the keys that a text without plus signs names, one after the other: "컨트롤 쉬프트 티", "page up".
pub(super) fn add_keys(text: &str, keys: &mut Vec<NamedKey>) -> Result<(), KeyChordError> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    // "Enter key"
    if words.len() > 1 && matches!(words.last(), Some(&("key" | "키"))) {
        words.pop();
    }
    let mut left = words.as_slice();
    while let Some(first) = left.first() {
        let mut longest = (1..=left.len().min(MAX_WORDS)).rev();
        let (found, count) = longest
            .find_map(|count| Some((named(&left[..count].concat())?, count)))
            .ok_or_else(|| KeyChordError::Unknown { given: (*first).to_owned() })?;
        keys.extend(found);
        left = &left[count..];
    }
    Ok(())
}

/// The keys of this name, in small letters and without spaces: one, or several modifiers that are written without anything
/// between them.
fn named(name: &str) -> Option<Vec<NamedKey>> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next())
        && character.is_ascii_graphic()
    {
        return Some(vec![NamedKey::Character(character)]);
    }
    let bare: String = name.chars().filter(|character| !matches!(character, '_' | '-')).collect();
    let one = exact(&bare).or_else(|| arrow(&bare)).or_else(|| exact(bare.strip_suffix('키')?));
    one.map(|key| vec![key]).or_else(|| together(&bare))
}

fn exact(name: &str) -> Option<NamedKey> {
    let is_read = |read: &str| read.chars().filter(|c| *c != ' ').map(|c| c.to_ascii_lowercase()).eq(name.chars());
    let key = NAMES.iter().find(|(_, read, names)| is_read(read) || names.contains(&name)).map(|(key, ..)| *key);
    let modifier = || MODIFIERS.iter().find(|(_, names)| names.contains(&name)).map(|(modifier, _)| *modifier);
    let character = || CHARACTERS.iter().find(|(_, names)| names.contains(&name)).map(|(character, _)| *character);
    let key = key.or_else(|| modifier().map(NamedKey::Modifier));
    key.or_else(|| character().map(NamedKey::Character)).or_else(|| function(name))
}

/// `f5`, `f오`, `에프5`, `에프오`.
fn function(name: &str) -> Option<NamedKey> {
    let number = name.strip_prefix('f').or_else(|| name.strip_prefix("에프"))?;
    // `parse` would accept a plus sign, and a leading zero is a mistake.
    let written = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    let said = || u8::try_from(NUMBERS.iter().position(|said| *said == number)? + 1).ok();
    let number = if written { number.parse().ok() } else { said() };
    number.filter(|number| (1..=24).contains(number)).map(NamedKey::Function)
}

/// "위화살표", "방향키위": only a direction is an arrow.
fn arrow(name: &str) -> Option<NamedKey> {
    let mut arrows = ["방향키", "화살표", "애로우"].into_iter();
    let rest = arrows.find_map(|arrow| name.strip_prefix(arrow).or_else(|| name.strip_suffix(arrow)))?;
    exact(rest).filter(|key| matches!(key, NamedKey::Up | NamedKey::Down | NamedKey::Left | NamedKey::Right))
}

/// "ctrlalt", as understanding writes modifiers that are pressed without another key.
fn together(name: &str) -> Option<Vec<NamedKey>> {
    let (mut rest, mut held) = (name, Vec::new());
    while !rest.is_empty() {
        let next = |(modifier, names): &(KeyModifier, &[&str])| Some((*modifier, rest.strip_prefix(names.first()?)?));
        let (modifier, after) = MODIFIERS.iter().find_map(next)?;
        held.push(NamedKey::Modifier(modifier));
        rest = after;
    }
    Some(held).filter(|held| !held.is_empty())
}
