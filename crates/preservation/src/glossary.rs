//! Product names that must not be translated (PRE-1).

use std::collections::BTreeMap;

use luna_text::characters::IndexedText;

use super::text::{Text, is_hangul};

/// The glossary's names, indexed by first letter.
#[derive(Debug, Clone, Default)]
pub struct Glossary {
    /// By lower-case first letter; longer names first.
    names: BTreeMap<char, Vec<Vec<char>>>,
}

/// First syllables of Korean particles and endings.
const PARTICLES: &str = "은는이가을를의에로으와과도만부까서한께보처라며나랑든야아여입인였예고니다들";

impl Glossary {
    /// Creates a glossary; empty names are ignored.
    #[must_use]
    pub fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let mut glossary = Self::default();
        for name in names {
            let name: Vec<char> = name.as_ref().trim().chars().collect();
            if let Some(first) = name.first() {
                glossary.names.entry(first.to_ascii_lowercase()).or_default().push(name);
            }
        }
        for same in glossary.names.values_mut() {
            same.sort_by_key(|name| std::cmp::Reverse(name.len()));
        }
        glossary
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The longest name at `i`: its end, and whether its case matches.
    pub(super) fn at(&self, text: &Text, i: usize) -> Option<(usize, bool)> {
        let names = self.names.get(&text.at(i).to_ascii_lowercase())?;
        names.iter().find_map(|name| {
            let alike = name.iter().enumerate().all(|(k, c)| text.at(i + k).eq_ignore_ascii_case(c));
            let end = i + name.len();
            if !alike || !ends(text, end) {
                return None;
            }
            let exact = name.iter().enumerate().all(|(k, c)| text.at(i + k) == *c);
            Some((end, exact))
        })
    }
}

/// Whether a name may end before `end`: the word must not continue there, but a particle may follow.
fn ends(text: &Text, end: usize) -> bool {
    let (last, next) = (text.before(end), text.at(end));
    if is_hangul(last) && is_hangul(next) {
        return PARTICLES.contains(next);
    }
    !(last.is_ascii_alphanumeric() && (next.is_ascii_alphanumeric() || next == '_'))
}
