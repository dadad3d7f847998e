//! The lexicon (NLU-9): every word that understanding knows, with its group, its sense, and how it is inflected; one file format, read once.
//!
//! A file holds sections. `= group:sense flag…` begins one; each line below is a template of phrases (see `template`). A Korean verb in `<…>` stands
//! for its forms; what may follow a form says whether it orders, wishes, joins or forbids (the sections `ending`). So "눌러", "누르지 마" and
//! "누르고" are one entry with three moods, and no command lists its own endings.

use std::collections::BTreeMap;

use luna_text::hangul::{final_consonant, has_final, jamo};

use super::inflection::{Class, english_forms, forms};
use super::normalised::{NormalisedUtterance, compact, fold};
use super::slips::{Slips, budget, units};
use super::template::expand;
use super::trie::Trie;
use super::unit_tree::UnitTree;

/// A template grows to at most so many phrases.
const MOST: usize = 20_000;
/// Words of a phrase that may stand for others that sound the same.
const MISHEARD: u32 = 2;
/// Cells of a phrase that is compared by sound.
const LONGEST_SLIP: usize = 16;

/// What the form of a word says about what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mood {
    /// The word alone: "저장", and any word that is not inflected.
    Bare,
    /// 눌러 줘, press.
    Order,
    /// 누를까, 눌러야 해.
    Wish,
    /// 누르고: more follows.
    Joint,
    /// 누르지 마.
    Not,
    /// 누르지 말고: what follows is meant.
    NotBut,
    /// 눌렀으니까: why, or when, what follows is wanted.
    Reason,
    /// pressing
    Ing,
    /// pressed
    Done,
    /// An English word as it is in the dictionary.
    Base,
}

impl Mood {
    /// How many there are room for in a label of the grammar.
    pub const COUNT: u16 = 16;

    /// By the name that the files use.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bare" => Self::Bare,
            "order" => Self::Order,
            "wish" => Self::Wish,
            "joint" => Self::Joint,
            "not" => Self::Not,
            "notbut" => Self::NotBut,
            "reason" => Self::Reason,
            "ing" => Self::Ing,
            "done" => Self::Done,
            "base" => Self::Base,
            _ => return None,
        })
    }
}

/// A section of the lexicon, as its words are used.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    pub group: u16,
    /// What it means: the name behind the colon.
    pub sense: String,
    /// Attached to the word before, as Korean particles are.
    glue: bool,
    /// 읽어 줘, 가 줘 may follow a noun.
    phrase: bool,
    /// English words have their -ing form and their participle.
    inflect: bool,
    /// Not found by sound.
    exact: bool,
    /// Never a part of a longer word.
    whole: bool,
}

/// What must stand before a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Any,
    /// A final consonant: 을.
    Closed,
    /// None: 를.
    Open,
    /// None, or ㄹ: 로.
    OpenOrL,
}

#[derive(Debug, Clone, Copy)]
struct Word {
    entry: u16,
    class: Class,
    after: After,
}

/// A word that begins at some place of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The cell after it.
    pub end: usize,
    pub group: u16,
    pub entry: u16,
    pub mood: Mood,
    /// What it costs to take the cells for this word, beyond saying it well.
    pub cost: u32,
}

/// All words.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    groups: BTreeMap<String, u16>,
    entries: Vec<Entry>,
    words: Trie<Word>,
    endings: Trie<(Class, Mood)>,
    /// Between the words of a phrase.
    inner: Trie<()>,
    /// Between a noun and 하다.
    objects: Trie<()>,
    /// 하다 and what stands for it.
    does: Trie<Class>,
    /// 읽다, 가다: after a phrase of reading.
    reads: Trie<Class>,
    stems: BTreeMap<&'static str, &'static str>,
    near: UnitTree,
    slips: Slips,
    not_slips: Trie<()>,
    /// By what recognisers write: what is meant.
    misheard: Trie<Vec<char>>,
}

/// Prices of what is said less well; a word costs nothing.
mod price {
    /// A word of several syllables that begins inside another, in an utterance with spaces.
    pub const GLUED: u32 = 60;
    /// The same of one syllable.
    pub const GLUED_SHORT: u32 = 160;
    /// In an utterance without spaces.
    pub const UNSPACED: u32 = 6;
    pub const UNSPACED_SHORT: u32 = 40;
    /// A particle or an ending that the word goes on behind.
    pub const CUT: u32 = 90;
    /// A space inside a word.
    pub const TORN: u32 = 12;
    /// A Latin word that is a part of another one.
    pub const PART: u32 = 260;
    pub const BARE: u32 = 0;
    pub const WISH: u32 = 12;
    /// A word for another one that sounds the same.
    pub const MISHEARD: u32 = 30;
    /// A filler between the words of a phrase.
    pub const INNER: u32 = 6;
    /// Any slip at all, so that what is said exactly wins.
    pub const HEARD_OTHERWISE: u32 = 14;
    /// A unit of slip.
    pub const SLIP: u32 = 38;
}

/// The files, each with its text.
pub const FILES: [&str; 11] = [
    include_str!("lexicon/commands.txt"),
    include_str!("lexicon/reflexes.txt"),
    include_str!("lexicon/verbs.txt"),
    include_str!("lexicon/reading.txt"),
    include_str!("lexicon/things.txt"),
    include_str!("lexicon/keys.txt"),
    include_str!("lexicon/talk.txt"),
    include_str!("lexicon/answers.txt"),
    include_str!("lexicon/korean.txt"),
    include_str!("lexicon/scrolling.txt"),
    include_str!("lexicon/homophones.txt"),
];

impl Lexicon {
    /// Reads the files.
    #[must_use]
    pub fn new(files: &[&'static str]) -> Self {
        let mut lexicon = Self::default();
        for (section, line) in files.iter().flat_map(|file| lines(file)).filter(|(section, _)| *section == "stems") {
            let _ = section;
            if let Some((stem, infinitive)) = line.split_once(' ') {
                lexicon.stems.insert(stem, infinitive);
            }
        }
        for (section, line) in files.iter().flat_map(|file| lines(file)) {
            lexicon.add(section, line);
        }
        lexicon
    }

    /// The number of a group; it is new if no word has it yet.
    pub fn group(&mut self, name: &str) -> u16 {
        if let Some(group) = self.groups.get(name) {
            return *group;
        }
        let group = u16::try_from(self.groups.len()).unwrap_or(u16::MAX);
        self.groups.insert(name.to_owned(), group);
        group
    }

    /// The number of a group that some word has.
    #[must_use]
    pub fn known(&self, name: &str) -> Option<u16> {
        self.groups.get(name).copied()
    }

    /// Whether a group has a sense.
    #[must_use]
    pub fn has(&self, group: &str, sense: &str) -> bool {
        let group = self.known(group);
        self.entries.iter().any(|entry| Some(entry.group) == group && entry.sense == sense)
    }

    /// Takes a word away, whatever it means.
    pub fn forget(&mut self, cells: &[char]) {
        self.words.clear(cells);
    }

    /// How many groups there are.
    #[must_use]
    pub fn groups(&self) -> u16 {
        u16::try_from(self.groups.len()).unwrap_or(u16::MAX)
    }

    /// An entry by its number.
    #[must_use]
    pub fn entry(&self, number: u16) -> Option<&Entry> {
        self.entries.get(usize::from(number))
    }

    /// Adds the phrases of a template to a section.
    pub fn add(&mut self, section: &str, line: &str) {
        let mut parts = section.split(' ');
        let name = parts.next().unwrap_or_default();
        let flags: Vec<&str> = parts.collect();
        let flag = |name: &str| flags.contains(&name);
        match name.split_once(':').unwrap_or((name, "")) {
            ("stems", _) => {}
            ("ending", class) => {
                let Some(class) = Class::named(class) else { return };
                let mood = flags.first().and_then(|mood| Mood::named(mood)).unwrap_or(Mood::Order);
                expand(line, MOST).iter().for_each(|phrase| self.endings.insert(phrase, (class, mood)));
            }
            ("inner", _) => expand(line, MOST).iter().for_each(|phrase| self.inner.insert(phrase, ())),
            ("between", _) => expand(line, MOST).iter().for_each(|phrase| self.objects.insert(phrase, ())),
            ("does", _) => self.verb(line, false),
            ("reads", _) => self.verb(line, true),
            ("asked", _) => expand(line, MOST).iter().for_each(|phrase| self.reads.insert(phrase, Class::Infinitive)),
            ("never", _) => line.split(' ').for_each(|word| self.not_slips.insert(word, ())),
            ("heard", _) => self.hear(line),
            ("alike", _) => {}
            (group, sense) => {
                let sense = if flag("each") { line } else { sense };
                let entry = self.entry_of(group, sense, &flag);
                for line in if flag("agree") { agreeing(line) } else { vec![(line.to_owned(), After::Any)] } {
                    self.phrases(entry, &line.0, line.1);
                }
            }
        }
    }

    /// What is written for a word that sounds like it.
    fn hear(&mut self, line: &str) {
        let Some((meant, written)) = line.split_once(" < ") else { return };
        let meant = compact(meant);
        for phrase in written.split('|') {
            let words: Vec<String> =
                phrase.split_whitespace().map(|word| compact(word).into_iter().collect()).collect();
            self.misheard.insert(&words.join(" "), meant.clone());
        }
    }

    /// What may have been meant by what is written from a cell on: where it ends, and the letters that were meant.
    pub fn misheard(&self, heard: &NormalisedUtterance, at: usize, mut tell: impl FnMut(usize, &[char])) {
        if heard.gap(at) {
            self.misheard.at(&heard.cells, at, |end, meant| {
                if heard.gap(end) {
                    tell(end, meant);
                }
            });
        }
    }

    fn verb(&mut self, line: &str, reads: bool) {
        for phrase in expand(line, MOST) {
            for (form, class) in self.inflected(&phrase) {
                if reads { self.reads.insert(&form, class) } else { self.does.insert(&form, class) }
            }
        }
    }

    fn entry_of(&mut self, group: &str, sense: &str, flag: &impl Fn(&str) -> bool) -> u16 {
        let group = self.group(group);
        let known = self.entries.iter().position(|entry| entry.group == group && entry.sense == sense);
        let at = known.unwrap_or_else(|| {
            self.entries.push(Entry {
                group,
                sense: sense.to_owned(),
                glue: flag("glue") || flag("agree"),
                phrase: flag("phrase"),
                inflect: flag("inflect"),
                exact: flag("exact"),
                whole: flag("whole"),
            });
            self.entries.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// A phrase whose last word may be a verb in `<…>`, in all its forms.
    fn inflected(&self, phrase: &str) -> Vec<(String, Class)> {
        let Some(at) = phrase.find('<') else { return vec![(phrase.to_owned(), Class::Noun)] };
        let (head, verb) = phrase.split_at(at);
        let stem = verb.trim_start_matches('<').trim_end_matches('>');
        let infinitive = self.stems.get(stem).copied();
        let infinitive = infinitive.map(str::to_owned).or_else(|| {
            let noun = stem.strip_suffix('하')?;
            Some(format!("{noun}해"))
        });
        let Some(infinitive) = infinitive else { return Vec::new() };
        forms(stem, &infinitive).into_iter().map(|(form, class)| (format!("{head}{form}"), class)).collect()
    }

    fn phrases(&mut self, entry: u16, template: &str, after: After) {
        let inflect = self.entry(entry).is_some_and(|entry| entry.inflect);
        for phrase in expand(template, MOST) {
            let latin = phrase.chars().all(|c| !luna_text::language::is_hangul(c));
            let forms = if latin && inflect {
                english_forms(&phrase)
            } else if latin {
                vec![(phrase, Class::English)]
            } else {
                self.inflected(&phrase)
            };
            for (form, class) in forms {
                let also = class == Class::Noun && looks_infinitive(&form);
                self.word(&form, Word { entry, class, after });
                if also && self.entry(entry).is_some_and(|entry| entry.phrase) {
                    self.word(&form, Word { entry, class: Class::Infinitive, after });
                }
            }
        }
    }

    fn word(&mut self, phrase: &str, word: Word) {
        let plain = phrase
            .chars()
            .all(|c| c == ' ' || c.is_ascii_lowercase() || c.is_ascii_digit() || ('가'..='힣').contains(&c));
        let words: Vec<String> = if plain {
            phrase.split_whitespace().map(|word| word.chars().map(fold).collect()).collect()
        } else {
            phrase.split_whitespace().map(|word| compact(word).into_iter().collect()).collect()
        };
        let cells: Vec<char> = words.concat().chars().collect();
        let known = self.words.get(&cells).is_some_and(|known| known.entry == word.entry && known.class == word.class);
        if known {
            return;
        }
        self.words.insert(&words.join(" "), word);
        let latin = cells.iter().all(char::is_ascii);
        let exact = self.entry(word.entry).is_none_or(|entry| entry.exact || entry.glue);
        let kept = matches!(word.class, Class::Noun | Class::Infinitive | Class::English);
        if exact || !kept || cells.len() > LONGEST_SLIP * if latin { 2 } else { 1 } {
            return;
        }
        let units = units(&cells);
        if budget(units.len(), latin) > 0 {
            self.near.insert(&units, (u32::from(word.entry), word.class));
        }
    }

    /// The words that begin at `at`. `unspaced`: the utterance has no spaces, so none is expected.
    pub fn at(&self, heard: &NormalisedUtterance, at: usize, unspaced: bool, tell: &mut Vec<Match>) {
        self.walk(heard, at, (Trie::<Word>::ROOT, at, 0), None, unspaced, tell);
    }

    /// The words that begin at `at` if some of what is written was meant for what sounds the same.
    pub fn sounding(&self, heard: &NormalisedUtterance, at: usize, unspaced: bool, tell: &mut Vec<Match>) {
        self.walk(heard, at, (Trie::<Word>::ROOT, at, 0), Some(MISHEARD), unspaced, tell);
    }

    /// Goes on from a node and a cell; `left`: how many words may still be other ones that sound the same.
    fn walk(
        &self,
        heard: &NormalisedUtterance,
        at: usize,
        (node, from, paid): (u32, usize, u32),
        left: Option<u32>,
        unspaced: bool,
        tell: &mut Vec<Match>,
    ) {
        let mut node = node;
        let mut torn = paid;
        if let Some(left) = left.filter(|left| *left > 0) {
            for begin in from..=heard.len() {
                if begin > from {
                    let Some(next) = heard.cells.get(begin - 1).and_then(|c| self.words.step(node, *c)) else { break };
                    node = next;
                    // What was meant goes on as it is written.
                    for word in self.words.values(node).iter().filter(|_| paid > 0) {
                        self.told(heard, at, begin, word, paid, unspaced, tell);
                    }
                }
                self.misheard(heard, begin, |end, meant| {
                    let reached = meant.iter().try_fold(node, |node, c| self.words.step(node, *c));
                    if let Some(reached) = reached {
                        let paid = paid + price::MISHEARD;
                        for word in self.words.values(reached) {
                            self.told(heard, at, end, word, paid, unspaced, tell);
                        }
                        self.walk(heard, at, (reached, end, paid), Some(left - 1), unspaced, tell);
                    }
                });
            }
            return;
        }
        if left.is_some() && from >= heard.len() {
            return;
        }
        for end in from + 1..=heard.len() {
            let Some(next) = heard.cells.get(end - 1).and_then(|c| self.words.step(node, *c)) else { return };
            if end > from + 1 && heard.gap(end - 1) && !self.words.border(node) {
                torn += price::TORN;
            }
            node = next;
            for word in self.words.values(node) {
                self.told(heard, at, end, word, torn, unspaced, tell);
            }
            // "고정 좀 풀어 줘": between the words of a phrase.
            if self.words.border(node) && left.is_none() {
                self.inner.at(&heard.cells, end, |after, ()| {
                    if heard.gap(after)
                        && after < heard.len()
                        && !self.words.values(node).is_empty() | heard.gap(end) | true
                    {
                        self.walk(heard, at, (node, after, torn + price::INNER), None, unspaced, tell);
                    }
                });
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one place of one word")]
    fn told(
        &self,
        heard: &NormalisedUtterance,
        at: usize,
        end: usize,
        word: &Word,
        extra: u32,
        unspaced: bool,
        tell: &mut Vec<Match>,
    ) {
        let Some(entry) = self.entry(word.entry) else { return };
        if begins(heard, at, end, entry.glue, word.after, unspaced).is_none() {
            return;
        }
        let mut push = |end: usize, mood: Mood, more: u32| {
            let Some(begin) = begins(heard, at, end, entry.glue, word.after, unspaced) else { return };
            if entry.whole && !heard.gap(end) {
                return;
            }
            let cost = begin + extra;
            let cut = ends(heard, end, word.class, entry.glue, unspaced);
            tell.push(Match { end, group: entry.group, entry: word.entry, mood, cost: cost + more + cut });
        };
        match word.class {
            Class::English => {
                push(end, Mood::Base, 0);
                // "open 해줘"
                if heard.cells.get(end).is_some_and(|c| luna_text::language::is_hangul(*c)) {
                    self.does.at(&heard.cells, end, |end, class| self.ended(heard, end, *class, false, &mut push));
                }
            }
            Class::Ing => push(end, Mood::Ing, 0),
            Class::Participle => push(end, Mood::Done, 0),
            class => self.ended(heard, end, class, entry.phrase, &mut push),
        }
    }

    /// Where a noun, with what follows it, may end.
    pub fn noun_ends(&self, heard: &NormalisedUtterance, at: usize, push: &mut impl FnMut(usize, Mood, u32)) {
        self.ended(heard, at, Class::Noun, false, push);
    }

    /// Tells where a form of this class, with what follows it, may end, and what it says then.
    fn ended(
        &self,
        heard: &NormalisedUtterance,
        at: usize,
        class: Class,
        phrase: bool,
        push: &mut impl FnMut(usize, Mood, u32),
    ) {
        match class {
            Class::Infinitive => push(at, Mood::Order, 0),
            Class::Noun => push(at, Mood::Bare, price::BARE),
            _ => {}
        }
        self.endings.at(&heard.cells, at, |end, (of, mood)| {
            if *of == class {
                push(end, *mood, if *mood == Mood::Wish { price::WISH } else { 0 });
            }
        });
        if class != Class::Noun {
            return;
        }
        let mut begins = vec![at];
        self.objects.at(&heard.cells, at, |end, ()| begins.push(end));
        for begin in begins {
            self.does.at(&heard.cells, begin, |end, class| self.ended(heard, end, *class, false, push));
            if phrase {
                self.reads.at(&heard.cells, begin, |end, class| {
                    // "번역가" is a translator, "다음으로가" is not.
                    if heard.gap(begin) || begin > at || end > begin + 1 {
                        self.ended(heard, end, *class, false, push);
                    }
                });
            }
        }
    }

    /// The words that what begins at `at` sounds like.
    pub fn near(&self, heard: &NormalisedUtterance, at: usize, unspaced: bool, tell: &mut Vec<Match>) {
        if !heard.gap(at) && !unspaced {
            return;
        }
        let latin = heard.cells.get(at).is_some_and(char::is_ascii);
        let longest = LONGEST_SLIP * if latin { 2 } else { 1 };
        let mut said = Vec::new();
        // Where a word may end, in cells and in units.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for end in at + 1..=(at + longest).min(heard.len()) {
            said.extend(units(heard.part(end - 1, end)));
            let whole = !latin || heard.gap(end);
            if whole && self.not_slips.get(heard.part(at, end)).is_none() {
                places.push((end, said.len()));
            }
        }
        let Some(&(_, most)) = places.last() else { return };
        said.truncate(most);
        let limit = budget(said.len() + 1, latin).min(2);
        self.near.search(&self.slips, &said, limit, |row, length, (entry, class)| {
            let most = budget(length, latin).min(limit);
            for &(end, units) in &places {
                let Some(&price) = row.get(units).filter(|price| **price > 0 && **price <= most) else { continue };
                let word = Word { entry: u16::try_from(*entry).unwrap_or(u16::MAX), class: *class, after: After::Any };
                self.told(
                    heard,
                    at,
                    end,
                    &word,
                    u32::from(price) * price::SLIP + price::HEARD_OTHERWISE,
                    unspaced,
                    tell,
                );
            }
        });
    }
}

/// What it costs that a word begins here; none if it can't.
fn begins(heard: &NormalisedUtterance, at: usize, end: usize, glue: bool, after: After, unspaced: bool) -> Option<u32> {
    let before = at.checked_sub(1).and_then(|before| heard.cells.get(before)).copied();
    let agrees = match (after, before) {
        (After::Any, _) => true,
        (_, None) => false,
        (_, Some(c)) if !luna_text::language::is_hangul(c) => true,
        (After::Closed, Some(c)) => has_final(c),
        (After::Open, Some(c)) => !has_final(c),
        (After::OpenOrL, Some(c)) => !has_final(c) || final_consonant(c) == Some('ㄹ'),
    };
    if !agrees {
        return None;
    }
    if heard.gap(at) || (glue && before.is_some()) {
        return Some(0);
    }
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let first = heard.cells.get(at).copied();
    if latin(before) && latin(first) {
        return Some(if unspaced { price::UNSPACED_SHORT } else { price::PART });
    }
    if latin(before) != latin(first) {
        return Some(0);
    }
    let short = end == at + 1;
    Some(match (unspaced, short) {
        (true, false) => price::UNSPACED,
        (true, true) => price::UNSPACED_SHORT,
        (false, false) => price::GLUED,
        (false, true) => price::GLUED_SHORT,
    })
}

/// What it costs that a word ends here.
fn ends(heard: &NormalisedUtterance, end: usize, class: Class, glue: bool, unspaced: bool) -> u32 {
    if heard.gap(end) {
        return 0;
    }
    let latin = |at: usize| heard.cells.get(at).is_some_and(char::is_ascii_alphabetic);
    let (last, next) = (end.checked_sub(1).is_some_and(latin), latin(end));
    match (last, next) {
        (true, true) if unspaced => price::UNSPACED_SHORT,
        (true, true) => price::PART,
        _ if glue && !unspaced => price::CUT,
        _ if !matches!(class, Class::Noun | Class::English) && !unspaced => price::GLUED,
        _ => 0,
    }
}

/// `을/를` as two words with what must stand before each.
fn agreeing(line: &str) -> Vec<(String, After)> {
    match line.split_once('/') {
        Some((closed, open)) => {
            let after = if open.ends_with('로') || open.starts_with('로') { After::OpenOrL } else { After::Open };
            vec![(closed.to_owned(), After::Closed), (open.to_owned(), after)]
        }
        None => vec![(line.to_owned(), After::Any)],
    }
}

/// Whether a phrase may end in an infinitive: 켜, 읽어, 내려, 가.
fn looks_infinitive(phrase: &str) -> bool {
    let last = phrase.chars().next_back();
    last.filter(|c| !has_final(*c))
        .and_then(jamo)
        .is_some_and(|(_, vowel, _)| matches!(vowel, 'ㅏ' | 'ㅓ' | 'ㅐ' | 'ㅔ' | 'ㅕ' | 'ㅝ' | 'ㅘ' | 'ㅙ'))
}

/// The lines of a file, each with the header of its section. `#` begins a comment, `= name` a section.
pub fn lines(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        match line.strip_prefix("= ") {
            Some(name) => {
                section = name;
                None
            }
            None => Some((section, line)),
        }
    })
}
