//! Reading intents (NLU-1, DSL-5): what is to be done with a text, in which language, how many lines from here.

use luna_messages::reading::Intent;
use luna_messages::understanding::ParsedCommand;
use luna_messages::{Fidelity, Lang};

use super::draft::Scene;
use super::fillers::lines;
use super::numbers::Series;
use super::target::target;
use super::template::expand;
use super::trie::Trie;
use super::verbs::{Class, forms};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadingWord {
    Intent(Intent),
    To(Lang),
    Other,
    Mode(Fidelity),
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaking {
    Read,
    Say,
    Lang,
    Work,
}

/// Words and verbs by which a reading is asked for.
#[derive(Debug, Clone, Default)]
pub struct ReadingWords {
    words: Trie<ReadingWord>,
    verbs: Trie<(Speaking, Class)>,
    offsets: Trie<i32>,
    lines: Trie<()>,
    next_lines: Trie<i32>,
}

/// What was asked to be read.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// As a step.
    pub wish: ParsedCommand,
    /// Whether more was said than one of the words of BRG-1.
    pub more: bool,
}

impl ReadingWords {
    /// Reads the lists.
    #[must_use]
    pub fn new() -> Self {
        let mut words = Self::default();
        for (section, line) in lines(include_str!("words/reading.txt")) {
            let word = match section {
                "translate" => ReadingWord::Intent(Intent::Translate),
                "spell" => ReadingWord::Intent(Intent::Spell),
                "numbers" => ReadingWord::Intent(Intent::Numbers),
                "summarize" => ReadingWord::Intent(Intent::Summarize),
                "ko" => ReadingWord::To(Lang::Ko),
                "en" => ReadingWord::To(Lang::En),
                "natural" => ReadingWord::Mode(Fidelity::Natural),
                "faithful" => ReadingWord::Mode(Fidelity::Faithful),
                "other" => ReadingWord::Other,
                "text" | "lang" => ReadingWord::Text,
                verb => {
                    let speaking = match verb {
                        "verb read" => Speaking::Read,
                        "verb say" => Speaking::Say,
                        "verb lang" => Speaking::Lang,
                        _ => Speaking::Work,
                    };
                    if let Some((stem, infinitive)) = line.split_once(' ') {
                        forms(stem, infinitive)
                            .iter()
                            .for_each(|(form, class)| words.verbs.insert(form, (speaking, *class)));
                    }
                    continue;
                }
            };
            expand(line, 1000).iter().for_each(|phrase| words.words.insert(phrase, word));
        }
        for (sign, template) in [
            (
                1,
                "[더] (뒤|뒤에|뒤로|아래|아래로|아래에|밑|밑으로|밑에|다음|다음에|건너|건너서|건너뛰고|건너뛰어서|내려가서|넘어서|지나서|내려서)",
            ),
            (
                1,
                "(down|below|ahead|later|forward|further|further down|after|after this|from here|after that|on|from now|lower)",
            ),
            (-1, "[더] (앞|앞에|앞으로|위|위로|위에|전|전에|이전|올라가서|거슬러|돌아가서|되돌아가서)"),
            (-1, "(up|above|back|before|earlier|previous|ago|backward|backwards|before this|higher|prior)"),
        ] {
            expand(template, 1000).iter().for_each(|phrase| words.offsets.insert(phrase, sign));
        }
        expand("(줄|라인|행|줄만|쭐|line|lines)", 10).iter().for_each(|phrase| words.lines.insert(phrase, ()));
        for (sign, template) in [
            (1, "(다음|아랫|아래|밑|뒷|그 다음) 줄 [을|만|의|부터]"),
            (1, "[the] (next|following) line"),
            (-1, "(이전|윗|위|앞|앞에|위에|바로 윗) 줄 [을|만|의|부터]"),
            (-1, "[the] (previous|preceding) line"),
        ] {
            expand(template, 1000).iter().for_each(|phrase| words.next_lines.insert(phrase, sign));
        }
        words
    }

    /// What is asked to be read; none if the utterance asks for something else.
    #[must_use]
    pub fn read(&self, scene: &Scene<'_>) -> Option<Asked> {
        let heard = scene.heard;
        let n = heard.len();
        if n > 120 {
            return None;
        }
        let begin = scene.grease.wake_end(heard).filter(|end| *end < n).unwrap_or(0);
        let mut covered = vec![false; n];
        covered.iter_mut().take(begin).for_each(|cell| *cell = true);
        let verb = self.last_verb(scene, begin);
        let body = verb.map_or_else(|| last_greasy(scene, begin), |(at, _)| at);
        covered.iter_mut().skip(body).for_each(|cell| *cell = true);
        let offset = self.offset(scene, begin, body, &mut covered);
        let (mut asked, mut words) = (Asked::default(), 0);
        let mut last_end = 0;
        let mut at = begin;
        while at < n {
            let free = covered.get(at) == Some(&false) || at >= body;
            let found = self.words.longest(&heard.cells, at).filter(|(end, word)| {
                free && (scene.border(at) || at == begin || !scene.heard.has_hangul() || **word != ReadingWord::Text)
                    && (heard.has_hangul() || (scene.border(at) && scene.border(*end)))
                    && (*end >= n || **word != ReadingWord::Text || scene.border(*end))
            });
            let Some((end, word)) = found else {
                at += 1;
                continue;
            };
            match *word {
                ReadingWord::Intent(intent) => {
                    let stronger = |intent| match intent {
                        None | Some(Intent::Read) => 0,
                        Some(Intent::Translate) => 1,
                        Some(_) => 2,
                    };
                    if stronger(Some(intent)) > stronger(asked.wish.intent) {
                        asked.wish.intent = Some(intent);
                    }
                    if heard.part(at, end).starts_with(&['의', '역']) {
                        asked.wish.mode = Some(Fidelity::Natural);
                    }
                    if heard.part(at, end).starts_with(&['직', '역']) {
                        asked.wish.mode = Some(Fidelity::Faithful);
                    }
                    words += 1;
                    last_end = end;
                }
                ReadingWord::To(lang) => {
                    asked.wish.lang_tgt = Some(lang);
                    words += 1;
                    last_end = end;
                }
                ReadingWord::Other => {
                    asked.wish.intent = asked.wish.intent.or(Some(Intent::Translate));
                    words += 1;
                }
                ReadingWord::Mode(mode) => asked.wish.mode = Some(mode),
                ReadingWord::Text => {}
            }
            covered.iter_mut().take(end).skip(at).for_each(|cell| *cell = true);
            at = end;
        }
        if offset.is_some() {
            // What follows the lines: 에 있는 거, 부터.
            for at in begin..body {
                for word in
                    ["에있는거", "있는거", "있는", "에있는", "거", "것", "걸", "꺼", "부터", "에", "를", "을", "의"]
                {
                    let word: Vec<char> = word.chars().collect();
                    let covers = covered.get(at.wrapping_sub(1)) == Some(&true)
                        && heard.is_at(at, &word)
                        && scene.border(at + word.len());
                    if covers {
                        covered.iter_mut().take(at + word.len()).skip(at).for_each(|cell| *cell = true);
                    }
                }
            }
        }
        // "영어 번역": the language is named without 로.
        if asked.wish.intent == Some(Intent::Translate) && asked.wish.lang_tgt.is_none() {
            asked.wish.lang_tgt = named(scene, begin, body, &mut covered);
        }
        let fits = match verb {
            Some((_, Speaking::Read | Speaking::Work)) => true,
            Some((_, Speaking::Say)) => words > 0,
            Some((_, Speaking::Lang)) => asked.wish.lang_tgt.is_some() || asked.wish.intent == Some(Intent::Translate),
            None if heard.has_hangul() => {
                (offset.is_some() && body >= n.saturating_sub(2))
                    || (words > 0
                        && last_end > 0
                        && scene.grease.after(heard, &scene.frame.tail, last_end, Class::Noun, false))
            }
            // "two lines down in English": nothing but reading.
            None if offset.is_some() && rest(scene, &covered, begin, body).is_none() => true,
            None if asked.wish.lang_tgt.is_some() && starts(scene, begin, &TURNING) => {
                rest(scene, &covered, begin, body).is_none_or(|(from, to)| starts_at(scene, from, to, &TURNING))
            }
            None => english(scene, begin) && (words > 0 || offset.is_some() || reads(scene, begin)),
        };
        if !fits {
            return None;
        }
        let lang = asked.wish.lang_tgt.is_some();
        asked.wish.line_offset = offset;
        asked.wish.intent = match asked.wish.intent {
            Some(intent) => Some(intent),
            None if offset.is_some() || !lang => Some(Intent::Read),
            None => Some(Intent::Translate),
        };
        let named = rest(scene, &covered, begin, body).filter(|(from, to)| !starts_at(scene, *from, *to, &TURNING));
        if let Some((from, to)) = named {
            let found = target(scene, from, to, true);
            found.put(&mut asked.wish);
        }
        asked.more = offset.is_some() || asked.wish.target_text.is_some() || asked.wish.ordinal.is_some();
        Some(asked)
    }

    fn last_verb(&self, scene: &Scene<'_>, from: usize) -> Option<(usize, Speaking)> {
        let heard = scene.heard;
        (from..heard.len()).find_map(|at| {
            let mut found = None;
            self.verbs.at(&heard.cells, at, |end, (speaking, class)| {
                let apart = end > at + 1 || at == from || scene.border(at);
                if apart && found.is_none() && scene.grease.after(heard, &scene.frame.tail, end, *class, false) {
                    found = Some((at, *speaking));
                }
            });
            found
        })
    }

    /// Lines from here: "두 줄 뒤", "two lines down".
    fn offset(&self, scene: &Scene<'_>, from: usize, to: usize, covered: &mut [bool]) -> Option<i32> {
        let heard = scene.heard;
        let n = heard.len();
        for at in (from..to).filter(|at| scene.border(*at)) {
            for (end, count, series) in scene.numbers.numbers(heard, at) {
                if series == Series::EnglishOrdinal {
                    continue;
                }
                let Some((end, ())) = self.lines.longest(&heard.cells, end) else { continue };
                if let Some((end, sign)) = self.offsets.longest(&heard.cells, end).filter(|(end, _)| *end <= n) {
                    covered.iter_mut().take(end).skip(at).for_each(|cell| *cell = true);
                    return Some(sign * count);
                }
                // "다음 두 줄"
                for (words, sign) in [
                    (["다음", "아래", "밑", "next", "thenext", "skip"], 1),
                    (["이전", "앞", "위", "previous", "theprevious", "theprior"], -1),
                ] {
                    for word in words {
                        let word: Vec<char> = word.chars().collect();
                        if let Some(start) =
                            at.checked_sub(word.len()).filter(|start| *start >= from && heard.is_at(*start, &word))
                        {
                            covered.iter_mut().take(end).skip(start).for_each(|cell| *cell = true);
                            return Some(sign * count);
                        }
                    }
                }
            }
            if let Some((end, sign)) = self.next_lines.longest(&heard.cells, at) {
                covered.iter_mut().take(end).skip(at).for_each(|cell| *cell = true);
                return Some(*sign);
            }
        }
        None
    }
}

/// Where what changes nothing begins at the end.
fn last_greasy(scene: &Scene<'_>, from: usize) -> usize {
    (from..scene.heard.len())
        .find(|at| scene.frame.tail.is_greasy(*at) && scene.border(*at))
        .unwrap_or(scene.heard.len())
}

/// A language that is named without a particle: "영어 번역".
fn named(scene: &Scene<'_>, from: usize, to: usize, covered: &mut [bool]) -> Option<Lang> {
    for (word, lang) in [
        ("영어", Lang::En),
        ("영문", Lang::En),
        ("한국어", Lang::Ko),
        ("한글", Lang::Ko),
        ("한국말", Lang::Ko),
        ("우리말", Lang::Ko),
    ] {
        let word: Vec<char> = word.chars().collect();
        let found = (from..to).find(|at| {
            let after = scene.heard.cells.get(at + word.len());
            scene.heard.is_at(*at, &word)
                && covered.get(*at) == Some(&false)
                && !matches!(after, Some('를' | '을' | '에' | '권'))
        });
        if let Some(at) = found {
            covered.iter_mut().take(at + word.len()).skip(at).for_each(|cell| *cell = true);
            return Some(lang);
        }
    }
    None
}

/// The longest part that no word of reading explains.
fn rest(scene: &Scene<'_>, covered: &[bool], from: usize, to: usize) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut start = from;
    for at in from..=to {
        if at == to || covered.get(at) == Some(&true) {
            if at > start && best.is_none_or(|(a, b)| at - start > b - a) {
                best = Some((start, at));
            }
            start = at + 1;
        }
    }
    let (a, b) = best?;
    // A lone particle is no target.
    let all_grease = {
        let mut all = false;
        scene.grease.between(scene.heard, a, |end| all |= end == b);
        all
    };
    (!all_grease && scene.heard.part(a, b).iter().any(|c| c.is_alphanumeric())).then_some((a, b))
}

const ASKING: [&str; 22] = [
    "howdoyousay",
    "howwouldyousay",
    "whats",
    "howdoyouspell",
    "howisitspelled",
    "howdoi",
    "translate",
    "spell",
    "summarize",
    "summarise",
    "sumup",
    "read",
    "giveme",
    "tellme",
    "showme",
    "whatis",
    "whatare",
    "justthe",
    "onlythe",
    "say",
    "skip",
    "go",
];

/// What is done to a text that shall be in another language.
const TURNING: [&str; 6] = ["put", "turn", "change", "convert", "make", "switch"];

/// Whether an English utterance asks for something.
fn english(scene: &Scene<'_>, from: usize) -> bool {
    starts(scene, from, &ASKING)
}

fn reads(scene: &Scene<'_>, from: usize) -> bool {
    starts(scene, from, &["read", "translate", "spell", "summarize", "summarise", "sumup", "howdoyouspell"])
}

/// Whether a range is one of these words.
fn starts_at(scene: &Scene<'_>, from: usize, to: usize, words: &[&str]) -> bool {
    words.iter().any(|word| scene.heard.word_end(from, word) == Some(to))
}

fn starts(scene: &Scene<'_>, from: usize, words: &[&str]) -> bool {
    scene.frame.starts.iter().chain([&from]).any(|start| {
        words.iter().any(|word| scene.heard.word_end(*start, word).is_some() && scene.border(start + word.len()))
    })
}
