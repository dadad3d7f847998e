//! What may stand around a command without changing it: the wake word, fillers, politeness, particles, endings.

use super::normalised::NormalisedUtterance;
use super::template::expand;
use super::trie::Trie;
use super::verbs::{Class, forms};

/// A template grows to at most so many phrases.
const MOST: usize = 20_000;

/// What may be done with what a phrase of reading names.
const READ_IT: [(&str, &str); 25] = [
    ("읽", "읽어"),
    ("말하", "말해"),
    ("들려주", "들려줘"),
    ("들리", "들려"),
    ("보이", "보여"),
    ("보여주", "보여줘"),
    ("알려주", "알려줘"),
    ("알리", "알려"),
    ("부르", "불러"),
    ("가", "가"),
    ("넘어가", "넘어가"),
    ("넘기", "넘겨"),
    ("돌아가", "돌아가"),
    ("옮기", "옮겨"),
    ("이동하", "이동해"),
    ("바꾸", "바꿔"),
    ("재생하", "재생해"),
    ("건너뛰", "건너뛰어"),
    ("뽑", "뽑아"),
    ("고르", "골라"),
    ("추리", "추려"),
    ("만들", "만들어"),
    ("알", "알아"),
    ("궁금하", "궁금해"),
    ("듣", "들어"),
];

/// What asks for what a phrase of reading names: "철자가 어떻게 되지".
const ASKED: [&str; 17] = [
    "어떻게되지",
    "어떻게돼",
    "어떻게돼요",
    "어떻게되나요",
    "어떻게됩니까",
    "어떻게되니",
    "어떻게되는지",
    "뭐야",
    "뭐예요",
    "뭐에요",
    "뭔가요",
    "뭐지",
    "뭔지",
    "무엇인가요",
    "무엇입니까",
    "무엇인지",
    "뭔데",
];

/// Words around commands.
#[derive(Debug, Clone, Default)]
pub struct FillerWords {
    any: Trie<()>,
    lead: Trie<()>,
    tail: Trie<()>,
    wake: Trie<()>,
    /// Endings with the class that they follow, and whether they only wish.
    endings: Trie<(Class, bool)>,
    /// 을, 로 and their like, after a noun.
    particles: Trie<()>,
    /// Those that may stand between a noun and 하다.
    objects: Trie<()>,
    /// 하다 and what stands for it.
    do_it: Trie<Class>,
    /// 읽다, 가다, 들려주다: after a phrase of reading.
    read_it: Trie<Class>,
}

/// What is known about the end of one utterance.
#[derive(Debug, Clone, Default)]
pub struct Tail {
    /// Whether everything from a cell on changes nothing.
    greasy: Vec<bool>,
    /// Whether everything from a cell on may follow a noun: order, and order or wish; then the same for a phrase of reading.
    noun: [Vec<bool>; 4],
}

impl FillerWords {
    /// The built-in words, and the wake word.
    #[must_use]
    pub fn new(wake_word: Option<&str>) -> Self {
        let mut grease = Self::default();
        for (section, template) in lines(include_str!("words/grease.txt")) {
            for phrase in expand(template, MOST) {
                match section {
                    "any" => grease.any.insert(&phrase, ()),
                    "lead" => grease.lead.insert(&phrase, ()),
                    _ => grease.tail.insert(&phrase, ()),
                }
            }
        }
        for (section, template) in lines(include_str!("words/endings.txt")) {
            let (class, loose) = match section.split_once(' ') {
                Some((class, _)) => (class, true),
                None => (section, false),
            };
            let class = match class {
                "infinitive" => Class::Infinitive,
                "stem" => Class::Stem,
                "closed" => Class::Closed,
                "future" => Class::Future,
                "formal" => Class::Formal,
                "perfect" => Class::Perfect,
                _ => Class::Noun,
            };
            for phrase in expand(template, MOST) {
                grease.endings.insert(&phrase, (class, loose));
            }
        }
        for particle in [
            "을",
            "를",
            "은",
            "는",
            "이",
            "가",
            "도",
            "만",
            "으로",
            "로",
            "으루",
            "루",
            "에",
            "에서",
            "의",
            "까지",
            "부터",
            "만큼",
            "라도",
            "이라도",
        ] {
            grease.particles.insert(particle, ());
        }
        for particle in ["을", "를", "은", "는", "도", "만", "으로", "로", "으루", "루"] {
            grease.objects.insert(particle, ());
        }
        for (stem, infinitive) in
            [("하", "해"), ("시키", "시켜"), ("드리", "드려"), ("시작하", "시작해"), ("진행하", "진행해")]
        {
            for (form, class) in forms(stem, infinitive) {
                grease.do_it.insert(&form, class);
            }
        }
        grease.do_it.insert("하여", Class::Infinitive);
        for (stem, infinitive) in READ_IT {
            for (form, class) in forms(stem, infinitive) {
                grease.read_it.insert(&form, class);
            }
        }
        for asked in ASKED {
            for particle in ["", "이", "가"] {
                grease.read_it.insert(&format!("{particle}{asked}"), Class::Infinitive);
            }
        }
        let wake: Vec<char> = wake_word.map(super::normalised::compact).unwrap_or_default();
        if !wake.is_empty() {
            let wake: String = wake.into_iter().collect();
            let romanised = if wake == "루나" { "|luna" } else { "" };
            for phrase in expand(
                &format!("[헤이|하이|안녕|오케이|hey|hi|ok|okay|야] ({wake}{romanised})[야|아|씨|님|여|이]"),
                MOST,
            ) {
                grease.wake.insert(&phrase, ());
            }
        }
        grease
    }

    /// Tells of each piece of grease that begins at `at` and may stand between the words of a command.
    pub fn between(&self, heard: &NormalisedUtterance, at: usize, mut tell: impl FnMut(usize)) {
        self.any.at(&heard.cells, at, |end, ()| tell(end));
        self.particles.at(&heard.cells, at, |end, ()| tell(end));
    }

    /// Tells of each filler that begins at `at`.
    pub fn fillers(&self, heard: &NormalisedUtterance, at: usize, mut tell: impl FnMut(usize)) {
        self.any.at(&heard.cells, at, |end, ()| tell(end));
        self.wake.at(&heard.cells, at, |end, ()| tell(end));
    }

    /// Where the wake word that the utterance begins with ends.
    #[must_use]
    pub fn wake_end(&self, heard: &NormalisedUtterance) -> Option<usize> {
        self.wake.longest(&heard.cells, 0).map(|found| found.0)
    }

    /// Where a command may begin: after nothing, or after fillers and politeness.
    #[must_use]
    pub fn starts(&self, heard: &NormalisedUtterance) -> Vec<usize> {
        let mut starts = vec![0];
        let mut next = 0;
        while let Some(&at) = starts.get(next) {
            let mut add = |end: usize| {
                if !starts.contains(&end) && starts.len() < 64 {
                    starts.push(end);
                }
            };
            for words in [&self.any, &self.lead, &self.wake] {
                words.at(&heard.cells, at, |end, ()| add(end));
            }
            next += 1;
        }
        starts
    }

    /// Looks at the end of an utterance.
    #[must_use]
    pub fn tail(&self, heard: &NormalisedUtterance) -> Tail {
        let n = heard.len();
        let mut tail = Tail { greasy: vec![false; n + 1], noun: std::array::from_fn(|_| vec![false; n + 1]) };
        for at in (0..=n).rev() {
            let mut greasy = at == n;
            if at < n {
                for words in [&self.any, &self.tail, &self.wake] {
                    words.at(&heard.cells, at, |end, ()| greasy |= tail.is_greasy(end));
                }
            }
            set(&mut tail.greasy, at, greasy);
            for (row, (loose, reading)) in
                [(false, false), (true, false), (false, true), (true, true)].into_iter().enumerate()
            {
                let mut fits = greasy;
                if !fits {
                    self.endings.at(&heard.cells, at, |end, (class, wish)| {
                        fits |= *class == Class::Noun && (loose || !wish) && tail.is_greasy(end);
                    });
                    for words in [&self.any, &self.objects] {
                        words.at(&heard.cells, at, |end, ()| fits |= tail.after_noun(end, loose, reading));
                    }
                    self.do_it.at(&heard.cells, at, |end, class| fits |= self.after(heard, &tail, end, *class, loose));
                    if reading {
                        // "번역가" is a translator, "다음으로가" is not.
                        let apart =
                            heard.gap(at) || at.checked_sub(1).is_some_and(|before| heard.is_at(before, &['로']));
                        self.read_it.at(&heard.cells, at, |end, class| {
                            fits |= (apart || end > at + 1) && self.after(heard, &tail, end, *class, loose);
                        });
                    }
                }
                if let Some(noun) = tail.noun.get_mut(row) {
                    set(noun, at, fits);
                }
            }
        }
        tail
    }

    /// Whether all that follows `at` may follow a form of this class. `loose`: wishes count, not only orders.
    #[must_use]
    pub fn after(&self, heard: &NormalisedUtterance, tail: &Tail, at: usize, class: Class, loose: bool) -> bool {
        if matches!(class, Class::Noun | Class::Phrase) {
            return tail.after_noun(at, loose, class == Class::Phrase);
        }
        let mut fits = class == Class::Infinitive && tail.is_greasy(at);
        self.endings.at(&heard.cells, at, |end, (of, wish)| {
            fits |= *of == class && (loose || !wish) && tail.is_greasy(end);
        });
        fits
    }

    /// Where an ending of this class that begins at `at` may end; `at` itself, too, if none is needed.
    #[must_use]
    pub fn endings(&self, heard: &NormalisedUtterance, at: usize, class: Class) -> Vec<usize> {
        let mut ends = Vec::new();
        let noun = matches!(class, Class::Noun | Class::Phrase);
        let class = if noun { Class::Noun } else { class };
        if noun || class == Class::Infinitive {
            ends.push(at);
        }
        self.endings.at(&heard.cells, at, |end, (of, _)| {
            if *of == class {
                ends.push(end);
            }
        });
        if noun {
            let mut forms = Vec::new();
            self.do_it.at(&heard.cells, at, |end, class| forms.push((end, *class)));
            self.read_it.at(&heard.cells, at, |end, class| forms.push((end, *class)));
            for (end, class) in forms {
                ends.extend(self.endings(heard, end, class));
            }
        }
        ends
    }
}

impl Tail {
    /// Whether everything from `at` on changes nothing.
    #[must_use]
    pub fn is_greasy(&self, at: usize) -> bool {
        self.greasy.get(at).copied().unwrap_or_default()
    }

    fn after_noun(&self, at: usize, loose: bool, reading: bool) -> bool {
        self.noun
            .get(usize::from(loose) + 2 * usize::from(reading))
            .and_then(|noun| noun.get(at))
            .copied()
            .unwrap_or_default()
    }
}

fn set(flags: &mut [bool], at: usize, value: bool) {
    if let Some(flag) = flags.get_mut(at) {
        *flag = value;
    }
}

/// The lines of a file of words, each with the name of its section. `#` begins a comment, `= name` a section.
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
