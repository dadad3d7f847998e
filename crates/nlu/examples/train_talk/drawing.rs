//! Draws sentences from rules: a grammar of alternatives with weights, slots filled from the data, Korean particles in the form that fits.

use std::collections::BTreeMap;
use std::path::Path;

use luna_text::hangul::final_consonant;

use super::Failure;
use super::corpora::text;
use super::random::RandomSequence;

/// Deepest nesting of rules.
const DEEPEST: usize = 12;

/// The rules of a file, and what fills their slots.
pub struct Drawing {
    /// The alternatives of each rule, repeated by their weight.
    rules: BTreeMap<String, Vec<String>>,
    slots: BTreeMap<&'static str, Vec<String>>,
}

impl Drawing {
    /// Reads rules: `name = a | 3* b`, see `orders-ko.txt`. One space on each side of an alternative is no part of it.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let mut rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text(path)?.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let (name, alternatives) =
                line.split_once(" =").ok_or_else(|| format!("{}: no rule: {line}", path.display()))?;
            let rule = rules.entry(name.to_owned()).or_default();
            for alternative in alternatives.split('|') {
                let alternative = alternative.strip_prefix(' ').unwrap_or(alternative);
                let alternative = alternative.strip_suffix(' ').unwrap_or(alternative);
                let (times, alternative) = match alternative.split_once('*') {
                    Some((times, rest)) => (times.parse()?, rest.strip_prefix(' ').unwrap_or(rest)),
                    None => (1, alternative),
                };
                rule.extend(std::iter::repeat_n(alternative.to_owned(), times));
            }
        }
        Ok(Self { rules, slots: BTreeMap::new() })
    }

    pub fn set_slot(&mut self, name: &'static str, texts: Vec<String>) {
        self.slots.insert(name, texts);
    }

    /// A sentence, and the same without what fills its slots.
    pub fn draw(&self, random: &mut RandomSequence) -> Result<(String, String), Failure> {
        let (mut sentence, mut skeleton) = (String::new(), String::new());
        self.expand("<root>", 0, random, &mut sentence, &mut skeleton)?;
        let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok((one_line(with_particles(&sentence)), one_line(skeleton)))
    }

    fn expand(
        &self,
        rule: &str,
        depth: usize,
        random: &mut RandomSequence,
        sentence: &mut String,
        skeleton: &mut String,
    ) -> Result<(), Failure> {
        if depth > DEEPEST {
            return Err(format!("the rules are nested too deeply: {rule}").into());
        }
        let mut rest = rule;
        while let Some(at) = rest.find(['<', '{']) {
            let (before, opened) = rest.split_at(at);
            sentence.push_str(before);
            skeleton.push_str(before);
            let is_rule = opened.starts_with('<');
            let (name, behind) = opened
                .get(1..)
                .and_then(|opened| opened.split_once(if is_rule { '>' } else { '}' }))
                .ok_or_else(|| format!("no end: {opened}"))?;
            if is_rule {
                let alternatives = self.rules.get(name).ok_or_else(|| format!("no rule {name}"))?;
                let chosen = random.choose(alternatives).ok_or_else(|| format!("an empty rule {name}"))?;
                self.expand(chosen, depth + 1, random, sentence, skeleton)?;
            } else {
                let texts = self.slots.get(name).ok_or_else(|| format!("no slot {name}"))?;
                sentence.push_str(random.choose(texts).map_or("", String::as_str));
                skeleton.push('{');
            }
            rest = behind;
        }
        sentence.push_str(rest);
        skeleton.push_str(rest);
        Ok(())
    }
}

/// Replaces `~을`, `~이`, `~은`, `~으로` by the form that follows the character before.
fn with_particles(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '~' {
            out.push(c);
            continue;
        }
        let last = out.chars().next_back().unwrap_or(' ');
        let (closed, to) = (final_consonant(last).is_some(), final_consonant(last) == Some('ㄹ'));
        match chars.next() {
            Some('을') => out.push(if closed { '을' } else { '를' }),
            Some('이') => out.push(if closed { '이' } else { '가' }),
            Some('은') => out.push(if closed { '은' } else { '는' }),
            Some('으') if closed && !to => out.push('으'),
            Some('으') => {}
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
