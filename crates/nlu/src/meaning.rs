//! What a way through the grammar means (NLU-2, NLU-5): its steps, read from left to right, put together clauses; the operators of negation,
//! repair and contrast take back what stands before them.

mod clause;
mod orders;
mod senses;
mod texts;
mod words;

use luna_messages::control::Command;

use super::grammar::Network;
use super::lexicon::{Lexicon, Mood};
use super::normalised::NormalisedUtterance;
use super::numbers::numbers;
use super::search::{Way, WayStep};

pub use self::clause::Clause;
pub use self::orders::CLEAR;

/// What one clause asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Reflex(Command),
    Reading,
    Order,
    Answer,
}

/// All that a way says.
#[derive(Debug, Clone, Default)]
pub struct WayMeaning {
    pub clauses: Vec<Clause>,
    /// Whether it was taken back as a whole: "아니다 됐어".
    pub withdrawn: bool,
    /// Whether it can't be meant: a key is not clicked.
    pub impossible: bool,
    /// Whether something is told behind an order without a pause.
    pub aside: bool,
    /// Whether something is told besides.
    pub talk: bool,
    /// Whether what is told before the order ends in a form that may be one of a name.
    pub weak: bool,
    /// Whether the wake word was said.
    pub called: bool,
    /// Whether a configured word was said.
    pub configured: bool,
}

/// Reads ways.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    pub network: &'a Network,
    pub lexicon: &'a Lexicon,
    pub heard: &'a NormalisedUtterance,
}

/// Names of the grammar that say nothing of what is meant: they are not judged as a part of an order.
const AROUND: [&str; 15] = [
    "wake", "filler", "lead", "tail", "COMMA", "and", "just", "why", "aside", "story", "repair", "contrast", "not",
    "later", "weak_end",
];

impl Reader<'_> {
    #[must_use]
    pub fn meaning(&self, way: &Way) -> WayMeaning {
        let mut meaning = WayMeaning::default();
        let mut now = Clause::default();
        for step in &way.steps {
            let name = self.network.names.get(usize::from(step.name)).map_or("", String::as_str);
            meaning.configured |= self.lexicon.entry(step.entry).is_some_and(|entry| entry.own);
            if !AROUND.contains(&name) {
                now.said(step.from, step.to);
            }
            // "못 읽어": what denies a Korean verb stands right before it.
            let named = matches!(name, "about" | "target" | "value" | "argument" | "anchor");
            meaning.impossible |= named && now.asked.is_none() && now.negated && self.is_denied(step.from);
            // "전화를 했지 뭐예요" tells, it asks nothing.
            meaning.impossible |=
                name == "asks" && step.from > 0 && self.heard.part(step.from - 1, step.from) == ['지'];
            // "경로 눌러" is no 경 with a particle, "회의 옆" no 회; "오로 맞춰" is a number with one.
            let counted = || way.steps.iter().any(|before| before.to == step.from && self.is_named(before, "number"));
            meaning.impossible |=
                matches!(name, "to" | "of") && step.to == step.from + 1 && self.is_short(step.from) && !counted();
            // "Seventy percent" is a number, and no wish to hear numbers.
            meaning.impossible |= name == "intent" && self.is_counted(step.from);
            // Places are counted from one.
            meaning.impossible |= matches!(name, "PLACE" | "choice" | "plain_choice") && step.value == 0;
            match name {
                "wake" => meaning.called = true,
                "withdraw" => {
                    // "wait, no" answers, it takes no order back.
                    let halts = self.lexicon.entry(step.entry).map(|entry| entry.group) == self.lexicon.known("halt");
                    let last = now.asked.or_else(|| meaning.clauses.last().and_then(|clause| clause.asked));
                    meaning.impossible |= halts && matches!(last, Some(Asked::Reflex(_)));
                    meaning.withdrawn = true;
                    meaning.clauses.clear();
                    now = Clause::default();
                }
                // "철자는 안 불러 줘도 돼": what stands before the verb belongs to it.
                "not" if now.asked == Some(Asked::Reading) && self.is_hangul(step.from) => now.negated = true,
                "not" => {
                    now.close(&mut meaning);
                    now.negated = true;
                }
                // What is quoted is to be written, or named: it is no story before the order.
                "why" | "story" if self.is_quoted(step) => meaning.impossible = true,
                "why" | "aside" => {
                    let until = |before: &WayStep| before.to == step.from && self.lexicon.is_until(before.entry);
                    let reasoned = way.steps.iter().any(|before| self.is_named(before, "because") && until(before));
                    self.told(step, (name == "aside", reasoned), &mut now, &mut meaning);
                }
                "just" => now.close(&mut meaning),
                // "close the window by clicking X": how it is done is what is done.
                "means" => now = Clause { negated: now.negated, joined: now.joined, ..Clause::default() },
                "later" => now.later = true,
                "weak_end" => {
                    let before = way.steps.iter().find(|before| before.to == step.from && before.from < step.from);
                    meaning.impossible |= !before.is_some_and(|before| self.tells_alone(before, step.to));
                    meaning.weak = true;
                }
                // "아니다 제목에 계약서라고 써": what orders is no story.
                "story" => {
                    meaning.impossible |= meaning.withdrawn && self.ends_in_order(step);
                    now.storied = true;
                }
                "and" => {
                    // "click Next page"
                    let next = self.heard.part(step.from, step.to) == ['n', 'e', 'x', 't'];
                    meaning.impossible |= next && now.points_nowhere() && now.asked == Some(Asked::Order);
                    now.close(&mut meaning);
                    now.joined = true;
                }
                // What was taken back is still to be said anew.
                "COMMA" if now.fresh && !self.names_thing(&now) => {}
                "COMMA" => {
                    let joined = now.joined;
                    now.close(&mut meaning);
                    now.joined |= joined && now.asked.is_none();
                }
                "repair" => now.repair(&mut meaning),
                "contrast" => now.contrast(),
                _ => self.word(step, name, &mut now, &mut meaning),
            }
            now.mood(step.mood, &mut meaning);
        }
        now.close(&mut meaning);
        meaning
    }

    /// Something is told besides: at most once, but for what says until when, and behind an order only if that asks in so many words.
    fn told(&self, step: &WayStep, (aside, reasoned): (bool, bool), now: &mut Clause, meaning: &mut WayMeaning) {
        let asks = matches!(now.asked, Some(Asked::Order | Asked::Reading)) && self.is_request(step.from);
        // "Next, we will look at the chart" is no order.
        let last = now.asked.or_else(|| meaning.clauses.last().and_then(|clause| clause.asked));
        let moves =
            matches!(last, Some(Asked::Reflex(Command::Next | Command::Prev | Command::Resume | Command::Bigger)));
        let denies = now.negated && now.asked.is_none();
        // "write I am sorry I am late": behind a text without a field it is a part of the text.
        let dictates = now.writes_without_field();
        // "김민주라고, 아니 김민수라고 써 줘", "수치만 뽑아서 읽어 줘" tell nothing.
        let said = !aside && self.heard.part(step.to.saturating_sub(2), step.to) == ['라', '고'];
        let joint = !aside && self.names_reading(step);
        let more = meaning.talk && !reasoned;
        meaning.impossible |= said || joint || more || moves || denies || dictates || (aside && !asks);
        meaning.aside |= aside;
        meaning.talk = true;
        now.close(meaning);
    }

    fn is_hangul(&self, at: usize) -> bool {
        self.heard.cells.get(at).is_some_and(|c| luna_text::language::is_hangul(*c))
    }

    /// Whether a number ends at a cell.
    fn is_counted(&self, at: usize) -> bool {
        const FEW: usize = 3;
        let words = self.heard.words(0, at);
        words.iter().rev().take(FEW).any(|(from, _)| numbers(self.heard, *from).iter().any(|number| number.end == at))
    }

    fn is_named(&self, step: &WayStep, name: &str) -> bool {
        self.network.names.get(usize::from(step.name)).is_some_and(|known| known == name)
    }

    /// Whether a single cell of a word stands before a cell.
    fn is_short(&self, at: usize) -> bool {
        at > 0 && !self.heard.gap(at) && (at == 1 || self.heard.gap(at - 1)) && self.is_hangul(at - 1)
    }

    /// Whether the word before a cell is 안 or 못.
    fn is_denied(&self, at: usize) -> bool {
        let before = at.checked_sub(1).filter(|before| self.heard.gap(*before) && self.heard.gap(at));
        before.is_some_and(|before| matches!(self.heard.cells.get(before), Some('안' | '못')))
    }

    /// Whether what stands before a cell asks in so many words: 줘, 주세요, not only 찾아.
    fn is_request(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.heard.cells.get(before));
        before.is_some_and(|c| {
            ['줘', '요', '라', '레', '까', '유', '오', '소', '쇼', '조', '놔', '봐', '둬', '슈', '잉'].contains(c)
        })
    }
}

impl Clause {
    /// What the form of a word says about the clause: a finished one gives way to the next.
    fn mood(&mut self, mood: Mood, meaning: &mut WayMeaning) {
        match mood {
            Mood::Joint => {
                self.close(meaning);
                self.joined = true;
            }
            Mood::Reason if self.asked.is_some() => *self = Self::default(),
            Mood::Not | Mood::NotBut if self.asked.is_some() => {
                self.negated = true;
                let about_loudness = self.loudness.is_some() || self.draft.wish.order.as_deref() == Some("mute");
                let wish = self.draft.wish.clone();
                self.close(meaning);
                // "소리 키우지 말고 줄여 줘", "알림은 끄지 말고 켜 줘"
                self.loudness = about_loudness.then(String::new);
                self.before = Some(wish).filter(|_| mood == Mood::NotBut);
            }
            _ => {}
        }
    }
}
