//! The words of user interfaces, read once from `lexicon/labels.txt`: what they mean, what their opposites are, what is dangerous (NLU-7, NLU-9, DNG-4).
//!
//! Words are found by a hash of their cells, letter by letter, so that all words that begin at a place cost one pass over the letters behind it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use luna_text::hangul;

use super::lexicon::lines;
use super::normalised::{compact, fold};

/// What controls are usually called: the words of acts, things and names.
#[must_use]
pub fn usual_labels() -> super::trie::Trie<()> {
    let other =
        ["kind", "filler", "mark", "scope", "ending", "thing", "leads", "participles", "stop", "unsaid", "danger=stem"];
    let mut usual = super::trie::Trie::default();
    for (section, line) in lines(include_str!("lexicon/labels.txt")) {
        if section.split(' ').any(|flag| other.contains(&flag)) {
            continue;
        }
        for word in line.split(',').map(|word| word.trim().trim_end_matches(['*', '^'])) {
            usual.insert(&compact(word).into_iter().collect::<String>(), ());
        }
    }
    usual
}

/// A concept by its number.
pub type Sense = u16;

/// What kind of word a concept has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordClass {
    /// Something is done.
    Act,
    Noun,
    /// Only says what sort of thing it is.
    Kind,
    /// Says nothing.
    Filler,
    /// Turns the word beside it into its opposite.
    Mark,
    /// As an additional word, it means something else than what was said: "close other tabs".
    Scope,
    /// What a Korean word may end in.
    Ending,
    /// A thing that a dangerous word before it may describe.
    Thing,
    /// An order may follow it.
    Lead,
    /// Makes a participle of a Korean noun.
    Done,
    /// Hides the dangerous words that it holds.
    Stop,
    /// In labels that are sentences, not said by who names them: "I agree to the terms".
    Unsaid,
}

/// Where a dangerous word is dangerous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DangerousWord {
    /// Wherever its letters stand.
    Anywhere,
    /// As a word of its own.
    Word,
    /// In English only where an order begins.
    First,
    /// A form of a Korean verb, whatever follows.
    Stem,
    /// From space to space, but for a particle.
    Whole,
}

/// What is known of a word.
#[derive(Debug, Clone, Copy, Default)]
pub struct KnownWord {
    pub sense: Option<Sense>,
    pub danger: Option<DangerousWord>,
    /// Whether it may describe the thing behind it: "payment history".
    pub describes: bool,
    pub is_ending: bool,
    pub is_thing: bool,
    pub is_lead: bool,
    pub is_done: bool,
    pub is_stop: bool,
    pub is_unsaid: bool,
}

#[derive(Debug, Clone)]
struct Concept {
    name: &'static str,
    class: WordClass,
    /// As an additional word it undoes the rest of a label.
    undoes: bool,
    /// It only says that something is a file, whatever its label is.
    names_files: bool,
    opposites: Vec<Sense>,
    /// What takes it back.
    taken_back: Option<Sense>,
}

/// What is known of words, and what was wrong in the file.
#[derive(Debug, Clone, Default)]
pub struct LabelLexicon {
    concepts: Vec<Concept>,
    words: HashMap<u64, KnownWord, BuildHasherDefault<WordHashKey>>,
    /// Cells of the longest word.
    longest: usize,
    /// Concepts of switching something on.
    switching_on: Vec<Sense>,
    /// What can't be read in the file: empty, or a test fails.
    faults: Vec<String>,
}

/// The words' hashes are their keys as they are.
#[derive(Debug, Clone, Copy, Default)]
struct WordHashKey(u64);

impl Hasher for WordHashKey {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A word's hash, letter by letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordHash(u64);

impl WordHash {
    /// Of no letters.
    pub const START: Self = Self(0xcbf2_9ce4_8422_2325);

    /// Of one letter more.
    #[must_use]
    pub const fn with(self, cell: char) -> Self {
        let mixed = (self.0 ^ cell as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed ^ (mixed >> 29))
    }

    /// Of these letters.
    #[must_use]
    pub fn of(cells: &[char]) -> Self {
        cells.iter().fold(Self::START, |hash, cell| hash.with(*cell))
    }

    /// The number itself.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl LabelLexicon {
    /// The built-in one.
    #[must_use]
    pub fn shared() -> &'static Self {
        static LEXICON: LazyLock<LabelLexicon> =
            LazyLock::new(|| LabelLexicon::read(include_str!("lexicon/labels.txt")));
        &LEXICON
    }

    fn read(file: &'static str) -> Self {
        let mut lexicon = Self::default();
        let mut heads: Vec<(&str, Vec<&str>)> = Vec::new();
        for (head, line) in lines(file) {
            match heads.last_mut().filter(|last| last.0 == head) {
                Some(last) => last.1.push(line),
                None => heads.push((head, vec![line])),
            }
        }
        let mut opposites: Vec<(&str, &str)> = Vec::new();
        let mut takes_back: Vec<(&str, &str)> = Vec::new();
        for (head, texts) in &heads {
            let mut parts = head.split(' ');
            let name = parts.next().unwrap_or_default();
            let mut concept = Concept {
                name,
                class: WordClass::Noun,
                undoes: false,
                names_files: false,
                opposites: Vec::new(),
                taken_back: None,
            };
            let mut danger = None;
            for part in parts {
                match part.split_once('=').unwrap_or((part, "")) {
                    ("act", _) => concept.class = WordClass::Act,
                    ("name", _) => {}
                    ("kind", _) => concept.class = WordClass::Kind,
                    ("filler", _) => concept.class = WordClass::Filler,
                    ("mark", _) => (concept.class, concept.undoes) = (WordClass::Mark, true),
                    ("scope", _) => (concept.class, concept.undoes) = (WordClass::Scope, true),
                    ("ending", _) => concept.class = WordClass::Ending,
                    ("thing", _) => concept.class = WordClass::Thing,
                    ("leads", _) => concept.class = WordClass::Lead,
                    ("participles", _) => concept.class = WordClass::Done,
                    ("stop", _) => concept.class = WordClass::Stop,
                    ("unsaid", _) => concept.class = WordClass::Unsaid,
                    ("undoes", _) => concept.undoes = true,
                    ("names_files", _) => concept.names_files = true,
                    ("takes_back", other) => {
                        concept.undoes = true;
                        opposites.push((name, other));
                        takes_back.push((name, other));
                    }
                    ("opposite", other) => opposites.push((name, other)),
                    ("danger", "") => danger = Some(DangerousWord::Anywhere),
                    ("danger", "word") => danger = Some(DangerousWord::Word),
                    ("danger", "first") => danger = Some(DangerousWord::First),
                    ("danger", "stem") => danger = Some(DangerousWord::Stem),
                    _ => lexicon.faults.push(format!("{name}: {part} is unknown")),
                }
            }
            let Ok(sense) = Sense::try_from(lexicon.concepts.len()) else { continue };
            if lexicon.concepts.iter().any(|known| known.name == name) {
                lexicon.faults.push(format!("{name} is there twice"));
            }
            let class = concept.class;
            lexicon.concepts.push(concept);
            for word in texts.iter().flat_map(|line| line.split(',')) {
                lexicon.add(word.trim(), sense, class, danger);
            }
        }
        let switching_on = ["turn-on", "enable", "activate"].iter().filter_map(|name| lexicon.numbered(name)).collect();
        lexicon.switching_on = switching_on;
        for (one, other) in takes_back {
            let sense = lexicon.numbered(one);
            if let Some(concept) = lexicon.concepts.iter_mut().find(|concept| concept.name == other) {
                concept.taken_back = sense;
            }
        }
        for (one, other) in opposites {
            match (lexicon.numbered(one), lexicon.numbered(other)) {
                (Some(one), Some(other)) => {
                    for (from, to) in [(one, other), (other, one)] {
                        let known = lexicon.concepts.get_mut(usize::from(from));
                        if let Some(concept) = known.filter(|concept| !concept.opposites.contains(&to)) {
                            concept.opposites.push(to);
                        }
                    }
                }
                _ => lexicon.faults.push(format!("{one}: its opposite {other} is not there")),
            }
        }
        lexicon
    }

    fn numbered(&self, name: &str) -> Option<Sense> {
        self.concepts.iter().position(|known| known.name == name).and_then(|at| Sense::try_from(at).ok())
    }

    fn add(&mut self, word: &str, sense: Sense, class: WordClass, danger: Option<DangerousWord>) {
        let (word, describes) = word.strip_suffix('*').map_or((word, false), |word| (word, true));
        let (word, danger) = word.strip_suffix('^').map_or((word, danger), |word| (word, Some(DangerousWord::Whole)));
        let cells = compact(word);
        if cells.is_empty() {
            self.faults.push(format!("an empty word, {sense}"));
            return;
        }
        if danger == Some(DangerousWord::Stem) {
            for form in stem_forms(&cells) {
                self.entry(&form).danger = danger;
            }
            return;
        }
        let latin = cells.iter().all(char::is_ascii);
        let entry = self.entry(&cells);
        let twice = match class {
            WordClass::Ending => std::mem::replace(&mut entry.is_ending, true),
            WordClass::Thing => std::mem::replace(&mut entry.is_thing, true),
            WordClass::Lead => std::mem::replace(&mut entry.is_lead, true),
            WordClass::Done => std::mem::replace(&mut entry.is_done, true),
            WordClass::Stop => std::mem::replace(&mut entry.is_stop, true),
            WordClass::Unsaid => std::mem::replace(&mut entry.is_unsaid, true),
            _ => entry.sense.replace(sense).is_some(),
        };
        if danger.is_some() {
            (entry.danger, entry.describes) = (danger, describes || !latin);
        }
        if twice {
            self.faults.push(format!("{word} is there twice"));
        }
        // "deleting", "sends"
        if latin && !word.contains(' ') && danger.is_some() {
            let stem = word.strip_suffix('e').unwrap_or(word);
            for form in [format!("{word}s"), format!("{stem}ing")] {
                let entry = self.entry(&compact(&form));
                if entry.danger.is_none() {
                    (entry.danger, entry.describes) = (danger, describes);
                }
            }
        }
    }

    fn entry(&mut self, cells: &[char]) -> &mut KnownWord {
        self.longest = self.longest.max(cells.len());
        self.words.entry(WordHash::of(cells).number()).or_default()
    }

    /// What is known of the word with this hash.
    #[must_use]
    pub fn word(&self, hash: WordHash) -> Option<&KnownWord> {
        self.words.get(&hash.number())
    }

    /// The concept of exactly this word.
    #[must_use]
    pub fn sense(&self, cells: &[char]) -> Option<Sense> {
        if cells.len() > self.longest { None } else { self.word(WordHash::of(cells))?.sense }
    }

    /// Cells of the longest word.
    #[must_use]
    pub const fn longest(&self) -> usize {
        self.longest
    }

    /// The class of a concept.
    #[must_use]
    pub fn class(&self, sense: Sense) -> WordClass {
        self.concepts.get(usize::from(sense)).map_or(WordClass::Noun, |concept| concept.class)
    }

    /// Whether a concept, as an additional word, undoes the rest of a label.
    #[must_use]
    pub fn undoes(&self, sense: Sense) -> bool {
        self.concepts.get(usize::from(sense)).is_some_and(|concept| concept.undoes)
    }

    /// Whether a concept says of a thing that it is a file.
    #[must_use]
    pub fn names_files(&self, sense: Sense) -> bool {
        self.concepts.get(usize::from(sense)).is_some_and(|concept| concept.names_files)
    }

    /// The concept that takes another back.
    #[must_use]
    pub fn taken_back(&self, sense: Sense) -> Option<Sense> {
        self.concepts.get(usize::from(sense))?.taken_back
    }

    /// Whether a concept switches something on.
    #[must_use]
    pub fn switches_on(&self, sense: Sense) -> bool {
        self.switching_on.contains(&sense)
    }

    /// Whether a concept has an opposite.
    #[must_use]
    pub fn has_opposite(&self, sense: Sense) -> bool {
        self.concepts.get(usize::from(sense)).is_some_and(|concept| !concept.opposites.is_empty())
    }

    /// Whether two concepts are opposites.
    #[must_use]
    pub fn are_opposite(&self, one: Sense, other: Sense) -> bool {
        self.concepts.get(usize::from(one)).is_some_and(|concept| concept.opposites.contains(&other))
    }
}

/// The forms of a Korean verb that act: the stem and whatever follows, 보낼, 보냅, 보냄, and the infinitive, 비워. Not its participle 보낸 and its past 보냈.
#[must_use]
pub fn stem_forms(stem: &[char]) -> Vec<Vec<char>> {
    let mut forms = vec![stem.to_vec()];
    let Some((last, before)) = stem.split_last() else { return forms };
    let Some((initial, vowel, None)) = hangul::jamo(*last) else { return forms };
    let contracted = match vowel {
        'ㅜ' => Some('ㅝ'),
        'ㅗ' => Some('ㅘ'),
        'ㅣ' => Some('ㅕ'),
        _ => None,
    };
    let with = |vowel: char, last: Option<char>| hangul::compose(initial, vowel, last).map(fold);
    let more = [
        with(vowel, Some('ㄹ')),
        with(vowel, Some('ㅂ')),
        with(vowel, Some('ㅁ')),
        contracted.and_then(|vowel| with(vowel, None)),
    ];
    forms.extend(more.into_iter().flatten().map(|last| [before, &[last]].concat()));
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sense(word: &str) -> Option<Sense> {
        LabelLexicon::shared().sense(&compact(word))
    }

    // NLU-9
    #[test]
    fn the_lexicon_is_read_without_a_fault_nlu_9() {
        let lexicon = LabelLexicon::shared();
        assert_eq!(lexicon.faults, Vec::<String>::new());
        let faulty = LabelLexicon::read("= save act sharp\n저장, 저장\n= keep opposite=lose\n, 두기\n= save\nsave\n");
        assert_eq!(faulty.faults.len(), 5, "{:?}", faulty.faults);
    }

    // NLU-7, NLU-9
    #[test]
    fn words_have_their_concepts_and_opposites_nlu_9() {
        let lexicon = LabelLexicon::shared();
        assert_eq!(sense("저장"), sense("save"));
        assert_eq!(sense("실행 취소"), sense("undo"));
        assert_ne!(sense("실행"), sense("실행 취소"));
        assert_eq!(sense("저장소"), None);
        for (one, other) in
            [("구독", "unsubscribe"), ("로그인", "log out"), ("다음", "이전"), ("켜기", "끄기"), ("확대", "축소")]
        {
            let (one, other) = (sense(one).unwrap_or(Sense::MAX), sense(other).unwrap_or(Sense::MAX));
            assert!(lexicon.are_opposite(one, other) && lexicon.are_opposite(other, one), "{one} {other}");
        }
        for (word, expect) in [("취소", true), ("안 함", true), ("Unsubscribe", true), ("저장", false), ("다음", false)]
        {
            assert_eq!(sense(word).is_some_and(|sense| lexicon.undoes(sense)), expect, "{word}");
        }
    }

    // DNG-4
    #[test]
    fn verbs_have_the_forms_that_act_dng_4() {
        let forms =
            |stem: &str| stem_forms(&compact(stem)).iter().map(|form| form.iter().collect()).collect::<Vec<String>>();
        assert_eq!(forms("비우"), ["비우", "비울", "비웁", "비움", "비워"]);
        assert_eq!(forms("넣"), ["넣"]);
    }
}
