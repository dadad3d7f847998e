//! The forms in which a line of a file is said: particles by what stands before them, endings softened, spaces where words part.

use luna_text::hangul::{has_final, jamo};

use super::super::inflection::Class;
use super::super::normalised::{compact, fold};
use super::Preceding;

/// The letters of a phrase as they are compared, words apart by single spaces.
pub fn compared(phrase: &str) -> Vec<char> {
    let plain = |c: char| c == ' ' || c.is_ascii_lowercase() || c.is_ascii_digit() || ('가'..='힣').contains(&c);
    if phrase.chars().all(plain) {
        return phrase.chars().map(fold).collect();
    }
    let mut letters = Vec::new();
    for word in phrase.split_whitespace().map(compact) {
        if !letters.is_empty() {
            letters.push(' ');
        }
        letters.extend(word);
    }
    letters
}

/// `을/를` as two words with what must stand before each.
pub fn agreeing(line: &str) -> Vec<(String, Preceding)> {
    match line.split_once('/') {
        Some((closed, open)) => {
            let after =
                if open.ends_with('로') || open.starts_with('로') { Preceding::OpenOrL } else { Preceding::Open };
            vec![(closed.to_owned(), Preceding::Closed), (open.to_owned(), after)]
        }
        None => vec![(line.to_owned(), Preceding::Any)],
    }
}

/// An ending as it is, and softened as people speak: "줘 봐" and "줘 좀 봐", "주세요" and "주세요요".
pub fn softened(ending: &str, class: Class, mut tell: impl FnMut(&str)) {
    const SOFT: &str = "좀 ";
    tell(ending);
    if ending.ends_with('요') {
        tell(&format!("{ending}요"));
    }
    if ending.contains('좀') {
        return;
    }
    if class == Class::Infinitive && ending.starts_with(['주', '줘', '줄', '줬', '줌', '봐', '보', '볼']) {
        tell(&format!("{SOFT}{ending}"));
    }
    for (at, _) in ending.match_indices(' ') {
        if let (Some(before), Some(after)) = (ending.get(..=at), ending.get(at + 1..)) {
            tell(&format!("{before}{SOFT}{after}"));
        }
    }
}

/// An English phrase as it is said with "you'd" for "you would", and "battery's left" for "battery is left"; none if it has no such words. Contractions that
/// are written like other words, "we're", are none of these.
pub fn contracted(phrase: &str) -> Option<String> {
    const WHO: [&str; 8] = ["i", "you", "he", "she", "it", "we", "they", "that"];
    let (before, after, end) = match (phrase.split_once(" would "), phrase.split_once(" is ")) {
        (Some((before, after)), _) => (before, after, 'd'),
        (None, Some((before, after))) => (before, after, 's'),
        (None, None) => return None,
    };
    let who = before.rsplit(' ').next().unwrap_or(before);
    let is_said = if end == 'd' { WHO.contains(&who) } else { !who.ends_with(['s', 'h', 'x']) };
    is_said.then(|| format!("{before}{end} {after}"))
}

/// Whether a phrase may end in an infinitive: 켜, 읽어, 내려, 가.
pub fn looks_infinitive(phrase: &str) -> bool {
    let last = phrase.chars().next_back();
    last.filter(|c| !has_final(*c))
        .and_then(jamo)
        .is_some_and(|(_, vowel, _)| matches!(vowel, 'ㅏ' | 'ㅓ' | 'ㅐ' | 'ㅔ' | 'ㅕ' | 'ㅝ' | 'ㅘ' | 'ㅙ'))
}
