//! What Korean texts hold that the grammar took for a name, a value, or something told besides.

use super::Reader;
use crate::lexicon::{Match, Mood};
use crate::rank::says_time;
use crate::search::WayStep;

/// How a correction inside a Korean value begins.
const DENYING: [&str; 5] = ["아니", "아냐", "그게아니", "아참", "아차"];

impl Reader<'_> {
    /// Of a short value that is corrected while it is said, what is meant: "박지훈 아니 박지운". Any more, and any other word of correction, may be
    /// what is to be written: "정말 미안 엄마", "커피 대신 차".
    pub(super) fn corrected(&self, step: &WayStep) -> WayStep {
        const FEW: usize = 2;
        let words = self.heard.words(step.from, step.to);
        let repair = self.lexicon.known("repair");
        let mut found = Vec::new();
        for (at, (from, _)) in words.iter().enumerate().skip(1).take(FEW) {
            found.clear();
            self.lexicon.at(self.heard, *from, false, &mut found);
            let denies = DENYING.iter().any(|word| self.heard.word_end(*from, word).is_some());
            let whole = |word: &&Match| Some(word.group) == repair && word.cost == 0 && self.heard.gap(word.end);
            let operator = found.iter().filter(|word| denies && whole(word));
            let Some(mut end) = operator.map(|word| word.end).max() else { continue };
            // "아니지 아니지": said once more.
            while let Some(next) = self.repair_end(end) {
                end = next;
            }
            let behind = words.iter().skip(at).filter(|(from, _)| *from >= end).count();
            if self.heard.gap(end) && (1..=FEW).contains(&behind) && !self.is_quoted(step) {
                return WayStep { from: end, ..*step };
            }
        }
        *step
    }

    /// Where a word of correction ends that begins at a cell, if it denies.
    fn repair_end(&self, at: usize) -> Option<usize> {
        let denies = at < self.heard.len() && DENYING.iter().any(|word| self.heard.word_end(at, word).is_some());
        let repair = self.lexicon.known("repair").filter(|_| denies)?;
        let mut found = Vec::new();
        self.lexicon.at(self.heard, at, false, &mut found);
        found.iter().filter(|word| word.group == repair && word.cost == 0).map(|word| word.end).max()
    }

    /// Whether a word is a sound of someone who looks for words: 음, um.
    fn is_sound(&self, (from, to): (usize, usize)) -> bool {
        let sound = self.lexicon.known("sound");
        self.lexicon.entries_of(self.heard.part(from, to)).iter().any(|entry| Some(entry.group) == sound)
    }

    /// Whether what seems to be a value is only such sounds, and what is meant follows a pause: "put, um, Lunch". At the end it is what is to be written.
    pub(super) fn only_hesitates(&self, step: &WayStep) -> bool {
        let goes_on = step.to < self.heard.len() && self.heard.commas.contains(&step.to);
        goes_on
            && !self.is_quoted(step)
            && self.heard.words(step.from, step.to).into_iter().all(|word| self.is_sound(word))
    }

    /// A value without such sounds before its first pause or behind its last one.
    pub(super) fn without_hesitation(&self, step: &WayStep) -> WayStep {
        let words = self.heard.words(step.from, step.to);
        if self.is_quoted(step) || words.iter().all(|word| self.is_sound(*word)) {
            return *step;
        }
        let sounds = |word: &&(usize, usize)| self.is_sound(**word);
        let first = words.iter().take_while(sounds).last().map(|word| word.1);
        let last = words.iter().rev().take_while(sounds).last().map(|word| word.0);
        let pauses = |at: &usize| self.heard.commas.contains(at);
        WayStep { from: first.filter(pauses).unwrap_or(step.from), to: last.filter(pauses).unwrap_or(step.to), ..*step }
    }

    pub(super) fn is_quoted(&self, step: &WayStep) -> bool {
        self.heard.quotes.iter().any(|quote| quote.from < step.to && step.from < quote.to)
    }

    /// Whether it ends in the word that denies what follows: the label is "저장 안 함", not "저장 안".
    pub(super) fn is_cut(&self, step: &WayStep) -> bool {
        let last = self.heard.words(step.from, step.to).last().copied();
        last.is_some_and(|(from, to)| matches!(self.heard.part(from, to), ['안' | '못']))
    }

    /// Whether the word before it makes it a time of day, "nine" of "nine forty-two": that is one name.
    pub(super) fn is_cut_time(&self, step: &WayStep) -> bool {
        let before = self.heard.words(0, step.from).last().map(|word| word.0);
        let times =
            |from| says_time(&self.heard.said(from, step.to)) && !says_time(&self.heard.said(step.from, step.to));
        before.is_some_and(times)
    }

    /// Whether it is what denies the verb before it: "누르지 마라" names no 마라.
    pub(super) fn is_denial(&self, step: &WayStep) -> bool {
        let before = step.from.checked_sub(1).and_then(|before| self.heard.cells.get(before));
        before == Some(&'지') && matches!(self.heard.cells.get(step.from), Some('마' | '말' | '않'))
    }

    /// Of a Korean name that is said twice, one: "확인 어 확인 버튼".
    pub(super) fn said_once(&self, step: &WayStep) -> WayStep {
        let words = self.heard.words(step.from, step.to);
        match words.as_slice() {
            [first, second] if self.heard.part(first.0, first.1) == self.heard.part(second.0, second.1) => {
                WayStep { from: second.0, ..*step }
            }
            _ => *step,
        }
    }

    /// Whether a Korean text that is to be written holds words that order, or name a field: "견적서라고 써 줘 아니다 계약서", "이사를 해서 주소 칸에".
    pub(super) fn holds_order(&self, step: &WayStep) -> bool {
        if self.is_quoted(step) || !self.heard.has_hangul() {
            return false;
        }
        let (types, role) = (self.lexicon.known("type"), self.lexicon.known("role"));
        let mut found = Vec::new();
        self.heard.words(step.from, step.to).iter().skip(1).any(|(from, to)| {
            found.clear();
            self.lexicon.at(self.heard, *from, false, &mut found);
            found.iter().filter(|word| word.cost == 0 && word.end < step.to).any(|word| {
                let is_field = Some(word.group) == role
                    && self.lexicon.entry(word.entry).is_some_and(|entry| entry.sense == "edit")
                    && word.end + 1 == *to
                    && self.heard.part(word.end, *to) == ['에'];
                is_field || Some(word.group) == types && word.mood == Mood::Order && self.repairs(word.end)
            })
        })
    }

    /// Whether a word of correction begins at a cell.
    fn repairs(&self, at: usize) -> bool {
        let repair = self.lexicon.known("repair");
        let mut found = Vec::new();
        self.lexicon.at(self.heard, at, false, &mut found);
        self.heard.gap(at) && found.iter().any(|word| Some(word.group) == repair && word.cost == 0)
    }

    /// Whether what seems told before a Korean order says what of a text is wanted.
    pub(super) fn names_reading(&self, told: &WayStep) -> bool {
        let intent = self.lexicon.known("intent");
        let words = self.words_in(told);
        self.is_hangul(told.to.saturating_sub(1))
            && words.iter().any(|word| Some(word.group) == intent && word.cost == 0 && self.heard.gap(word.end))
    }

    /// Whether what is told before an order without a pause is more than a word, and neither orders nor takes anything back.
    pub(super) fn tells_alone(&self, told: &WayStep, end: usize) -> bool {
        const ORDERS: [&str; 8] = ["aim", "type", "desktop", "change", "read", "louder", "repair", "contrast"];
        let groups: Vec<u16> = ORDERS.iter().filter_map(|name| self.lexicon.known(name)).collect();
        let words = self.heard.words(told.from, end);
        // "거기다 붙여 넣어", "칸에다"
        let particle = matches!(self.heard.part(end.saturating_sub(2), end), ['기' | '에' | '마', '다']);
        let mut found = Vec::new();
        words.iter().for_each(|(from, _)| self.lexicon.at(self.heard, *from, false, &mut found));
        let orders = |word: &Match| {
            let takes = matches!(word.mood, Mood::Order | Mood::Joint | Mood::Not | Mood::NotBut | Mood::Bare);
            word.cost == 0 && takes && groups.contains(&word.group) && word.end <= end && self.heard.gap(word.end)
        };
        words.len() > 1 && !particle && !found.iter().any(orders)
    }

    /// Whether the last words of a text order something.
    pub(super) fn ends_in_order(&self, step: &WayStep) -> bool {
        const LAST: usize = 3;
        let orders: Vec<u16> =
            ["aim", "type", "desktop", "change", "read"].iter().filter_map(|name| self.lexicon.known(name)).collect();
        let words = self.heard.words(step.from, step.to);
        let mut found = Vec::new();
        for (from, _) in words.iter().skip(1).rev().take(LAST) {
            self.lexicon.at(self.heard, *from, false, &mut found);
        }
        found.iter().any(|word| {
            word.end == step.to && word.cost == 0 && word.mood == Mood::Order && orders.contains(&word.group)
        })
    }

    /// Whether a word for a side means the very end of it: "맨 아래", "leftmost".
    pub(super) fn is_outermost(&self, step: &WayStep) -> bool {
        let said = self.heard.said(step.from, step.to).to_lowercase();
        ["맨", "제일", "가장", "최"].iter().any(|most| said.starts_with(most)) || said.ends_with("most")
    }

    /// Whether it says that something is among the items of a list: "목록에서".
    pub(super) fn names_list(&self, step: &WayStep) -> bool {
        let said = self.heard.said(step.from, step.to);
        ["목록", "리스트"].iter().any(|list| said.starts_with(list))
    }

    /// The language that a phrase of reading asks for, as it was said: "한국어" of "영어에서 한국어로".
    pub(super) fn language(&self, step: &WayStep) -> String {
        let said = self.bare(step);
        said.rsplit(' ').next().map_or_else(|| said.clone(), str::to_owned)
    }

    /// Whether an English verb that also asks for a translation is the one by which something is set: "change the subtitle language to Korean".
    pub(super) fn is_setting_verb(&self, step: &WayStep) -> bool {
        ["change", "set", "switch", "turn"].iter().any(|verb| self.heard.word_end(step.from, verb).is_some())
    }

    /// Whether a particle is the ending of an adjective: of 않은, and of a stem of one letter.
    pub(super) fn is_adjective(&self, step: &WayStep) -> bool {
        let short = step.from > 0 && (step.from == 1 || self.heard.gap(step.from - 1)) && !self.heard.gap(step.from);
        let denies = step.from > 0 && self.heard.part(step.from - 1, step.from) == ['않'];
        self.heard.part(step.from, step.to) == ['은'] && (short || denies)
    }
}
