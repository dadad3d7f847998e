//! Korean words: those before a number (오후, 영하), and spelled-out numbers (세 개, 삼만 원).

use luna_messages::preserve::TokenClass::{self, Currency, Date, Number, Percent, Unit};
use luna_text::characters::IndexedText;
use luna_text::numerals::{self, NumeralKind, Spacing};

use super::super::ratio::Ratio;
use super::super::text::{is_digit, is_hangul};
use super::super::token::{CanonicalValue, Weight};
use super::super::units::{self, KoreanUnit};
use super::times::{DAY_PARTS, seconds};
use super::{DayHalf, LeadingWord, Scanner};

/// Particles that may follow a number.
const PARTICLES: &str = "은는이가을를에의로도만과와";

/// Words for a number of days.
const DAYS: [(&str, i64); 11] = [
    ("하루", 1),
    ("이틀", 2),
    ("사흘", 3),
    ("나흘", 4),
    ("닷새", 5),
    ("엿새", 6),
    ("이레", 7),
    ("여드레", 8),
    ("아흐레", 9),
    ("열흘", 10),
    ("보름", 15),
];

impl Scanner<'_> {
    /// A run of Hangul at `i`.
    pub(super) fn hangul(&mut self, i: usize) -> usize {
        if let Some(end) = self.glossary_name(i) {
            return end;
        }
        if let Some(end) = self.leading(i) {
            return end;
        }
        // A spelled-out number begins a word.
        if !is_hangul(self.t.before(i)) && !self.t.before(i).is_ascii_alphanumeric() {
            let found = match self.t.at(i) {
                '반' if self.natural => self.half_a(i),
                c if numerals::may_begin(c) => {
                    let native = if self.natural { self.native(i, None) } else { None };
                    native.or_else(|| self.sino(i))
                }
                _ => None,
            };
            if let Some(end) = found {
                return end;
            }
        }
        let end = self.t.run(i, is_hangul);
        // 자정, 정오, 절반. Glossary names do not match inside a word.
        if self.natural && end - i <= 6 && begins_word(self.t.at(i)) {
            for (word, key) in [("정오", CanonicalValue::Time(12 * 3600)), ("자정", CanonicalValue::Time(0))] {
                if self.t.starts(i, word) {
                    self.scan.push(Date, (i, i + 2), Weight::Strong, [Some(key)]);
                    return i + 2;
                }
            }
            if self.t.starts(i, "절반") {
                let keys =
                    [Ratio::new(1, 2).map(CanonicalValue::Number), Some(CanonicalValue::Percent(Ratio::whole(50)))];
                self.scan.push(Number, (i, i + 2), Weight::Weak, keys);
            }
            for (word, days) in DAYS {
                if self.t.starts(i, word) {
                    let end = i + word.chars().count();
                    let measure = units::DAY.convert(Ratio::whole(days));
                    let measure = measure.map(|n| CanonicalValue::Measure(units::Dimension::TIME, n));
                    // 나흘째: the fourth day.
                    let count = (self.t.at(end) == '째').then(|| CanonicalValue::Number(Ratio::whole(days)));
                    self.scan.push(Unit, (i, end), Weight::Weak, [measure, count]);
                    return end;
                }
            }
            if self.t.starts(i, "첫") {
                let keys = [Some(CanonicalValue::Number(Ratio::ONE)), Some(CanonicalValue::Single)];
                self.scan.push(Number, (i, i + 1), Weight::Strong, keys);
            }
        }
        end
    }

    /// Words that belong to the number after them.
    fn leading(&mut self, i: usize) -> Option<usize> {
        const OTHERS: &[&str] = &["영하", "마이너스", "섭씨", "화씨", "시속", "분속", "초속", "시간당", "분당", "초당"];
        // A quick filter, because every word is tested.
        if !begins_leading(self.t.at(i)) {
            return None;
        }
        let part = DAY_PARTS.iter().find(|(word, _)| self.t.starts(i, word)).map(|(word, half)| (word, Some(*half)));
        let other = || OTHERS.iter().find(|word| self.t.starts(i, word)).map(|word| (word, None));
        let (word, half) = part.or_else(other)?;
        let end = i + word.chars().count();
        let number = self.t.after_space(end);
        let before = self.lead.filter(|lead| lead.number == i);
        let signed = self.t.at(number) == '-' && is_digit(self.t.at(number + 1));
        if !(signed || self.number_begins(number)) {
            if half.is_some() && self.natural && number > end {
                return self.native(number, Some((i, half)));
            }
            // 섭씨 영하 5도
            let more = ["영하", "마이너스"].iter().any(|word| self.t.starts(number, word));
            if !more {
                return None;
            }
        } else if half.is_some() && self.t.at(i) != '오' {
            // 아침 7시, but not 저녁 3번.
            let hour = self.t.digits(number);
            if !matches!(self.t.at(hour), '시' | ':') {
                return None;
            }
        }
        let scale = match *word {
            "섭씨" => Some(units::CELSIUS),
            "화씨" => Some(units::FAHRENHEIT),
            _ => before.and_then(|lead| lead.scale),
        };
        self.lead = Some(LeadingWord {
            start: before.map_or(i, |lead| lead.start),
            number,
            half,
            negative: matches!(*word, "영하" | "마이너스"),
            scale,
            per: match *word {
                "시속" | "시간당" => Some(units::HOUR),
                "분속" | "분당" => Some(units::MINUTE),
                "초속" | "초당" => Some(units::SECOND),
                _ => None,
            },
        });
        Some(number)
    }

    /// A native Korean number at `i`, with or without 오전 or 오후 before it: `세 개`, `열두 시`, `두 시간 반`.
    fn native(&mut self, i: usize, day: Option<(usize, Option<DayHalf>)>) -> Option<usize> {
        // 첫 is read with its word.
        let numeral = numerals::native(self.t, i).filter(|_| self.t.at(i) != '첫')?;
        let (end, value) = (numeral.end, numeral.whole()?);
        // "Two or three".
        if let Some(upto) = numeral.upto {
            for n in [value, upto] {
                self.scan.push(Number, (i, end), Weight::Weak, [Some(CanonicalValue::Number(Ratio::whole(n)))]);
            }
            return Some(end);
        }
        let bound = numeral.kind == NumeralKind::NativeBound;
        let at = self.t.after_space(end);
        let counter = units::counter(self.t, at, |counter| counter.native).map(|counter| counter.word);
        let start = day.map_or(i, |(start, _)| start);
        let Some(counter) = counter else {
            let free = !bound && value != 10 && day.is_none();
            let next = self.t.at(end);
            let ended = !is_hangul(next) || PARTICLES.contains(next);
            if !free || !ended {
                return None;
            }
            let weight = if value == 1 { Weight::Weak } else { Weight::Strong };
            let single = (value == 1).then_some(CanonicalValue::Single);
            self.scan.push(Number, (i, end), weight, [Some(CanonicalValue::Number(Ratio::whole(value))), single]);
            return Some(end);
        };
        // 한시적, 두손: a one-syllable counter must end its word or take a particle.
        let after = at + counter.chars().count();
        let next = self.t.at(after);
        let short = counter.chars().count() == 1;
        if short && is_hangul(next) && !"은는이가을를에의로도만과와씩째당입인짜정전후뒤간동반마까부밖".contains(next)
        {
            return None;
        }
        if day.is_some() && counter != "시" {
            return None;
        }
        Some(self.push_native(start, end, after, value, counter, day.and_then(|(_, half)| half)))
    }

    fn push_native(
        &mut self,
        start: usize,
        number_end: usize,
        end: usize,
        value: i64,
        counter: &str,
        half: Option<DayHalf>,
    ) -> usize {
        let n = Ratio::whole(value);
        let usual = if value == 1 { Weight::Weak } else { Weight::Strong };
        let unit = match counter {
            "시간" => Some(units::HOUR),
            "주" => Some(units::WEEK),
            "달" => Some(units::MONTH),
            "해" => Some(units::YEAR),
            _ => None,
        };
        if counter == "시" {
            let (minute, second, end) = self.minutes(end);
            let bare = (half.is_none() && minute == 0).then_some(CanonicalValue::Number(n));
            self.scan.push(
                Date,
                (start, end),
                Weight::Strong,
                [seconds(value, minute, second, half).map(CanonicalValue::Time), bare],
            );
            return end;
        }
        if let Some(unit) = unit {
            let (n, end) = self.and_half(n, end);
            let key = unit.convert(n).map(|n| CanonicalValue::Measure(unit.dimension, n));
            self.scan.push(Unit, (start, end), usual, [key, None]);
            return end;
        }
        let age = (counter == "살")
            .then(|| n.times(Ratio::whole(12)).map(|n| CanonicalValue::Measure(units::Dimension::MONTHS, n)))
            .flatten();
        let (halved, after) = self.and_half(n, end);
        if after > end {
            self.scan.push(Number, (start, after), Weight::Strong, [Some(CanonicalValue::Number(halved))]);
            return after;
        }
        let single = (value == 1).then_some(CanonicalValue::Single);
        self.scan.push(Number, (start, number_end), usual, [Some(CanonicalValue::Number(n)), age, single]);
        end
    }

    /// Adds the half that may follow a count ending at `end`: `두 시간 반`.
    fn and_half(&self, n: Ratio, end: usize) -> (Ratio, usize) {
        let rest = self.t.after_space(end);
        let more = Ratio::new(1, 2).and_then(|half| n.plus(half)).filter(|_| self.is_half(rest));
        more.map_or((n, end), |more| (more, rest + 1))
    }

    /// "Half of" at `i`: `반 알`, `반 시간`.
    fn half_a(&mut self, i: usize) -> Option<usize> {
        let at = self.t.after_space(i + 1);
        let counter = units::counter(self.t, at, |counter| counter.half)?.word;
        let after = at + counter.chars().count();
        let next = self.t.at(after);
        // "반 정도", "반 개월" are other words.
        if is_hangul(next) && !"은는이가을를에의로도만과와씩짜간동".contains(next) {
            return None;
        }
        let half = Ratio::new(1, 2)?;
        let unit = match units::korean(self.t, at) {
            Some((end, KoreanUnit::Unit(unit))) if end == after => Some(unit),
            _ => None,
        };
        let measure = unit.and_then(|unit| Some(CanonicalValue::Measure(unit.dimension, unit.convert(half)?)));
        self.scan.push(Number, (i, after), Weight::Strong, [Some(CanonicalValue::Number(half)), measure]);
        Some(after)
    }

    /// A Sino-Korean number at `i`: `삼만 이천 원`, `십오 분`. If it is an amount of money or a percentage, it must be kept like digits.
    fn sino(&mut self, i: usize) -> Option<usize> {
        let numeral = numerals::sino(self.t, i, Spacing::Kept)?;
        let (end, scaled, numerals) = (numeral.end, numeral.scaled, numeral.parts);
        // 영원, 영업: a zero is written as a digit.
        let value = numeral.value.filter(|value| *value != Ratio::ZERO)?;
        let Some(suffix) = self.suffix(self.after_odd(end)) else {
            return self.sino_count(i, end, value, scaled && numerals > 1);
        };
        let class = suffix.kind.class();
        let apart = self.t.at(end) == ' ';
        // 만원 also means "full"; 이 주 and 일 년 are words as often as numbers.
        let full = numerals == 1 && !apart;
        let weight = match class {
            Currency | Percent if scaled && !full => Weight::Hard,
            _ if !self.natural => return None,
            _ if scaled && numerals > 1 => Weight::Strong,
            _ => Weight::Weak,
        };
        let keys = if self.natural { suffix.kind.keys(value) } else { [None, None] };
        let class = if class == TokenClass::Date { Unit } else { class };
        self.scan.push(class, (i, suffix.end), weight, keys);
        Some(suffix.end)
    }

    /// A Sino-Korean number that is a word of its own: 오백만.
    fn sino_alone(&mut self, i: usize, end: usize, value: Ratio, sure: bool) -> Option<usize> {
        let ended = !is_hangul(self.t.at(end)) || PARTICLES.contains(self.t.at(end));
        // 이천 and 사천 are towns.
        if !self.natural || !sure || !ended || end < i + 3 {
            return None;
        }
        self.scan.push(Number, (i, end), Weight::Strong, [Some(CanonicalValue::Number(value))]);
        Some(end)
    }

    /// `k`, or the position after 여 ("and some") there: 10여 일.
    pub(super) fn after_odd(&self, k: usize) -> usize {
        let next = self.t.at(k + 1);
        let goes_on = || self.suffix(k + 1).is_some() || units::counter(self.t, k + 1, |_| true).is_some();
        if self.t.at(k) == '여' && (next == ' ' || goes_on()) { k + 1 } else { k }
    }

    /// A Sino-Korean number before a counter: 백만 명, 삼 번.
    fn sino_count(&mut self, i: usize, end: usize, value: Ratio, sure: bool) -> Option<usize> {
        let at = self.t.after_space(self.after_odd(end));
        let Some(counter) = units::counter(self.t, at, |counter| self.natural && counter.sino) else {
            return self.sino_alone(i, end, value, sure);
        };
        let counter = counter.word;
        let next = self.t.at(at + counter.chars().count());
        if is_hangul(next) && !"은는이가을를에의로도만과와씩째당입인짜정간".contains(next) {
            return None;
        }
        let weight = if sure { Weight::Strong } else { Weight::Weak };
        self.scan.push(Number, (i, end), weight, [Some(CanonicalValue::Number(value))]);
        Some(end)
    }
}

/// Whether a word of [`Scanner::leading`] may begin with `c`.
const fn begins_leading(c: char) -> bool {
    matches!(c, '오' | '새' | '아' | '저' | '낮' | '밤' | '영' | '마' | '섭' | '화' | '시' | '분' | '초')
}

/// Whether a word for a time, a part or some days may begin with `c`.
const fn begins_word(c: char) -> bool {
    matches!(c, '정' | '자' | '절' | '첫' | '하' | '이' | '사' | '나' | '닷' | '엿' | '여' | '아' | '열' | '보')
}
