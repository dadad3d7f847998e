//! The lexicon (NLU-9): every word that understanding knows, with its group, its sense, and how it is inflected; one file format, read once.
//!
//! A file holds sections. `= group:sense flag…` begins one; each line below is a template of phrases (see `template`). A Korean verb in `<…>` stands
//! for its forms; what may follow a form says whether it orders, wishes, joins or forbids (the sections `ending`). So "눌러", "누르지 마" and
//! "누르고" are one entry with three moods, and no command lists its own endings.

mod matching;
mod spoken_forms;

use std::collections::BTreeMap;

use super::inflection::{Class, english_forms, forms};
use super::normalised::compact;
use super::slips::{Slips, budget, units};
use super::template::expand;
use super::trie::Trie;
use super::unit_tree::UnitTree;

use self::spoken_forms::{agreeing, compared, contracted, looks_infinitive, softened};

pub use self::matching::Match;

/// A template grows to at most so many phrases.
const MOST: usize = 20_000;
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
pub struct LexiconEntry {
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
    /// Takes no ending.
    fixed: bool,
    /// From the configuration: it means this whatever the classifier makes of it.
    pub own: bool,
}

/// What must stand before a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Preceding {
    Any,
    /// A final consonant: 을.
    Closed,
    /// None: 를.
    Open,
    /// None, or ㄹ: 로.
    OpenOrL,
}

#[derive(Debug, Clone, Copy)]
struct LexiconWord {
    entry: u16,
    class: Class,
    after: Preceding,
}

/// All words.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    groups: BTreeMap<String, u16>,
    entries: Vec<LexiconEntry>,
    /// The numbers of the entries, by group and sense.
    by_sense: BTreeMap<u16, BTreeMap<String, u16>>,
    words: Trie<LexiconWord>,
    endings: Trie<(Class, Mood)>,
    /// Between the words of a phrase.
    inner: Trie<()>,
    /// Between a noun and 하다.
    objects: Trie<()>,
    /// 하다 and what stands for it.
    does: Trie<Class>,
    /// 읽다, 가다: after a phrase of reading.
    reads: Trie<Class>,
    /// 주다, 놓다, 보다: after an infinitive, with endings of their own.
    helps: Trie<Class>,
    /// -시-: after a stem, with endings of its own.
    honors: Trie<Class>,
    stems: BTreeMap<&'static str, &'static str>,
    near: UnitTree,
    slips: Slips,
    not_slips: Trie<()>,
    /// By what recognisers write: what is meant.
    misheard: Trie<Vec<char>>,
}

/// The files, each with its text.
pub const FILES: [&str; 12] = [
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
    include_str!("lexicon/english.txt"),
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
        self.known(group).and_then(|group| self.by_sense.get(&group)).is_some_and(|senses| senses.contains_key(sense))
    }

    /// The entries of exactly this word.
    #[must_use]
    pub fn entries_of(&self, cells: &[char]) -> Vec<&LexiconEntry> {
        let node = cells.iter().try_fold(Trie::<LexiconWord>::ROOT, |node, c| self.words.step(node, *c));
        let words = node.into_iter().flat_map(|node| self.words.values(node));
        words.filter_map(|word| self.entry(word.entry)).collect()
    }

    /// Whether an entry tells why by saying until when: "before they". What follows is told, though it may begin like an order.
    #[must_use]
    pub fn is_until(&self, number: u16) -> bool {
        let because = self.known("because");
        self.entry(number).is_some_and(|entry| Some(entry.group) == because && entry.sense == "until")
    }

    /// The name of a group.
    #[must_use]
    pub fn name_of(&self, group: u16) -> Option<&str> {
        self.groups.iter().find(|(_, number)| **number == group).map(|(name, _)| name.as_str())
    }

    /// Takes a word away from these groups; what it means besides stays.
    pub fn forget(&mut self, cells: &[char], groups: &[&str]) {
        let Some(node) = cells.iter().try_fold(Trie::<LexiconWord>::ROOT, |node, c| self.words.step(node, *c)) else {
            return;
        };
        let groups: Vec<u16> = groups.iter().filter_map(|group| self.known(group)).collect();
        let is_kept = |word: &LexiconWord| self.entry(word.entry).is_none_or(|entry| !groups.contains(&entry.group));
        let kept: Vec<LexiconWord> = self.words.values(node).filter(|word| is_kept(word)).copied().collect();
        self.words.clear(cells);
        kept.into_iter().for_each(|word| self.words.insert_cells(cells.iter().copied(), word));
    }

    /// Whether a text is a word of every day that only sounds like a command.
    #[must_use]
    pub fn is_ordinary(&self, cells: &[char]) -> bool {
        self.not_slips.get(cells).is_some()
    }

    /// An entry by its number.
    #[must_use]
    pub fn entry(&self, number: u16) -> Option<&LexiconEntry> {
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
                for phrase in expand(line, MOST) {
                    softened(&phrase, class, |phrase| self.endings.insert(phrase, (class, mood)));
                }
            }
            ("inner", _) => expand(line, MOST).iter().for_each(|phrase| self.inner.insert(phrase, ())),
            ("between", _) => expand(line, MOST).iter().for_each(|phrase| self.objects.insert(phrase, ())),
            ("does", _) => self.verb(line, |lexicon| &mut lexicon.does),
            ("reads", _) => self.verb(line, |lexicon| &mut lexicon.reads),
            ("helps", _) => self.verb(line, |lexicon| &mut lexicon.helps),
            ("honors", _) => self.verb(line, |lexicon| &mut lexicon.honors),
            ("asked", _) => expand(line, MOST).iter().for_each(|phrase| self.reads.insert(phrase, Class::Infinitive)),
            ("never", _) => line.split(' ').for_each(|word| self.not_slips.insert(word, ())),
            ("heard", _) => self.hear(line),
            ("alike", _) => {}
            (group, sense) => {
                let sense = if flag("each") { line } else { sense };
                let entry = self.entry_of(group, sense, &flag);
                for line in if flag("agree") { agreeing(line) } else { vec![(line.to_owned(), Preceding::Any)] } {
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

    fn verb(&mut self, line: &str, verbs: impl Fn(&mut Self) -> &mut Trie<Class>) {
        for phrase in expand(line, MOST) {
            let mut forms = Vec::new();
            self.inflected(&phrase, |form, class| forms.push((form.to_owned(), class)));
            forms.iter().for_each(|(form, class)| verbs(self).insert(form, *class));
        }
    }

    fn entry_of(&mut self, group: &str, sense: &str, flag: &impl Fn(&str) -> bool) -> u16 {
        let group = self.group(group);
        let of_group = self.by_sense.entry(group).or_default();
        if let Some(entry) = of_group.get(sense).filter(|_| !flag("whole") && !flag("own")) {
            return *entry;
        }
        let number = u16::try_from(self.entries.len()).unwrap_or(u16::MAX);
        of_group.insert(sense.to_owned(), number);
        self.entries.push(LexiconEntry {
            group,
            sense: sense.to_owned(),
            glue: flag("glue") || flag("agree"),
            phrase: flag("phrase"),
            inflect: flag("inflect"),
            exact: flag("exact"),
            whole: flag("whole"),
            fixed: flag("fixed"),
            own: flag("own"),
        });
        number
    }

    /// Tells of a phrase whose last word may be a verb in `<…>`, in all its forms.
    fn inflected(&self, phrase: &str, mut tell: impl FnMut(&str, Class)) {
        let Some((head, verb)) = phrase.split_once('<') else { return tell(phrase, Class::Noun) };
        let stem = verb.trim_start_matches('<').trim_end_matches('>');
        let infinitive = self.stems.get(stem).map(|known| (*known).to_owned());
        let Some(infinitive) = infinitive.or_else(|| Some(format!("{}해", stem.strip_suffix('하')?))) else { return };
        let mut whole = String::with_capacity(phrase.len() + 8);
        for (form, class) in forms(stem, &infinitive) {
            whole.clear();
            whole.push_str(head);
            whole.push_str(&form);
            tell(&whole, class);
        }
    }

    fn phrases(&mut self, entry: u16, template: &str, after: Preceding) {
        let (inflect, verbal) = self.entry(entry).map_or((false, false), |entry| (entry.inflect, entry.phrase));
        let mut forms: Vec<(String, Class)> = Vec::new();
        let phrases = expand(template, MOST);
        let contracted: Vec<String> = phrases.iter().filter_map(|phrase| contracted(phrase)).collect();
        for phrase in phrases.into_iter().chain(contracted) {
            let latin = phrase.chars().all(|c| !luna_text::language::is_hangul(c));
            if latin && inflect {
                forms.extend(english_forms(&phrase));
            } else if latin {
                forms.push((phrase, Class::English));
            } else if phrase.contains('<') {
                self.inflected(&phrase, |form, class| forms.push((form.to_owned(), class)));
            } else {
                forms.push((phrase, Class::Noun));
            }
            for (form, class) in forms.drain(..) {
                self.word(&form, LexiconWord { entry, class, after });
                if verbal && class == Class::Noun && looks_infinitive(&form) {
                    self.word(&form, LexiconWord { entry, class: Class::Infinitive, after });
                }
            }
        }
    }

    fn word(&mut self, phrase: &str, word: LexiconWord) {
        let spaced = compared(phrase);
        let cells: Vec<char> = spaced.iter().copied().filter(|c| *c != ' ').collect();
        let known = self.words.get(&cells).is_some_and(|known| known.entry == word.entry && known.class == word.class);
        if known {
            return;
        }
        self.words.insert_cells(spaced.into_iter(), word);
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

#[cfg(test)]
mod tests;
