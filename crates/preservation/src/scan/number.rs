//! A number with everything that belongs to it, as one token of the right class (PRE-2, PRE-3).

use luna_messages::preserve::TokenClass::{self, Number, Unit};
use luna_text::characters::IndexedText;
use luna_text::numerals::{self, Figure, ScaledNumber};

use super::super::ratio::Ratio;
use super::super::token::{CanonicalValue, Weight, narrow};
use super::super::units::{self, Money};
use super::marks::clock_value;
use super::measures::measure;
use super::suffix::{Suffix, SuffixKind};
use super::{NumberPrefix, PreviousNumber, Scanner};

impl Scanner<'_> {
    /// The digits at `i`, which may begin with a decimal point.
    pub(super) fn figure(&self, i: usize) -> Figure {
        numerals::figure(self.t, i)
    }

    /// A number with its digits at `i`.
    pub(super) fn number(&mut self, head: NumberPrefix, i: usize) -> usize {
        let bare = head.money.is_none() && !head.spread;
        if bare
            && !head.negative
            && let Some(end) = self.date(head, i).or_else(|| self.time(head, i)).or_else(|| self.hexadecimal(head, i))
        {
            return end;
        }
        if bare && let Some(end) = self.telephone(head, i) {
            return end;
        }
        let figure = self.figure(i);
        if bare && let Some(end) = self.special(head, i, figure) {
            return end;
        }
        if bare && let Some(end) = self.feet_and_inches(head, figure) {
            return end;
        }
        let money = head.money.is_some() || self.money_follows(figure.end);
        let amount = numerals::scaled(self.t, figure, money);
        self.amount_token(head, i, figure, amount)
    }

    /// The token of an amount, with its percent sign, currency or unit.
    fn amount_token(&mut self, head: NumberPrefix, i: usize, figure: Figure, amount: ScaledNumber) -> usize {
        let value = amount.value.and_then(|value| signed(value, head.negative));
        let mut suffix = self.suffix(self.after_odd(amount.end));
        let old = self.t.at(figure.end);
        // A calendar year is a number; 년 is only its word.
        let year = suffix.is_some_and(|s| s.korean && s.kind == SuffixKind::Unit(units::YEAR))
            && figure.whole == 4
            && amount.plain;
        // "The 1990s" is not seconds.
        let decade = figure.whole == 4 && amount.plain && self.t.at(amount.end) == 's' && !figure.decimals;
        suffix = suffix.filter(|s| !(decade && s.end == amount.end + 1));
        if year || head.money.is_some() {
            suffix = suffix.filter(|s| !year && matches!(s.kind, SuffixKind::Money(..)) && head.money == s.money());
        }
        let mut value = value;
        let mut end = suffix.map_or(amount.end, |suffix| suffix.end);
        let mut kind = suffix.map(|suffix| suffix.kind);
        if let (Some(scale), true) = (head.scale, kind == Some(SuffixKind::Degree) || kind.is_none()) {
            kind = Some(SuffixKind::Unit(scale));
        }
        if let Some(money) = head.money {
            kind = Some(if money == Money::YEN { SuffixKind::Yen } else { SuffixKind::Money(money, 1) });
        }
        if let (Some(time), Some(SuffixKind::Unit(unit))) = (head.per, kind)
            && let Some(rate) = unit.per(time)
        {
            kind = Some(SuffixKind::Unit(rate));
        }
        // 5 below zero
        if matches!(kind, None | Some(SuffixKind::Degree | SuffixKind::Unit(_))) && self.t.starts(end, " below zero") {
            kind = kind.or(Some(SuffixKind::Degree));
            value = value.and_then(Ratio::negative);
            end += " below zero".len();
        }
        // 5 ft 11
        if kind.is_none() && amount.plain && self.after_feet(head.start) {
            kind = Some(SuffixKind::Unit(units::INCH));
            end = if self.t.starts(end, " in") && !self.t.at(end + 3).is_alphanumeric() { end + 3 } else { end };
        }
        if kind.is_none()
            && amount.plain
            && let Some(end) = self.attached_letters(head, i, figure)
        {
            return end;
        }
        let halved = match kind {
            Some(SuffixKind::Unit(unit)) => {
                unit == units::HOUR
                    || self.natural && [units::YEAR, units::MONTH, units::WEEK, units::DAY].contains(&unit)
            }
            _ => false,
        };
        if halved {
            // 두 시간 반: and a half.
            let half = self.t.after_space(end);
            if self.is_half(half) {
                value = value.zip(Ratio::new(1, 2)).and_then(|(a, b)| a.plus(b));
                end = half + 1;
            }
        }
        if kind == Some(SuffixKind::Unit(units::SECOND))
            && self.natural
            && amount.plain
            && let Some((decimals, to)) = self.decimals_after(end)
        {
            value = value.and_then(|value| value.plus(decimals));
            end = to;
        }
        let mut class = kind.map_or(Number, SuffixKind::class);
        let day = kind == Some(SuffixKind::Unit(units::DAY)) && suffix.is_some_and(|s| s.korean);
        if day
            && class == Unit
            && !self.is_duration(end)
            && value.and_then(Ratio::as_whole).is_none_or(|d| (1..=31).contains(&d))
        {
            class = TokenClass::Date;
        }
        self.inherit(head, kind, amount);
        self.share_unit_back(head, kind);
        let mut keys = self.amount_keys(head, i, &figure, amount, value, kind, suffix, (old, end));
        keys.extend(self.shared(head, kind, day, value));
        match (kind, value) {
            (Some(kind), _) => self.unit = Some((kind, end)),
            // A year is no amount.
            (None, Some(value)) if !(figure.whole == 4 && amount.plain) => {
                keys.extend(self.implied((head.start, end), value).into_iter().flatten());
            }
            _ => {}
        }
        // 1달러당 is "per dollar".
        let per = self.natural
            && value == Some(Ratio::ONE)
            && (self.t.at(end) == '당' || kind.is_none() && self.t.starts(end, "인당"));
        self.scan.push(class, (head.start, end), if per { Weight::Weak } else { Weight::Hard }, keys);
        // "In their 20s" and "Boeing 747s" are not seconds.
        let plural = end == figure.end + 1 && self.is_plural(head.start, &figure);
        let short = amount.short.filter(|_| suffix.is_none()).map(|(short, _)| short).or(plural.then_some(figure.end));
        if let (Some(short), Some(token)) = (short, self.scan.tokens.last_mut()) {
            token.short_end = narrow(short);
        }
        self.last = Some(PreviousNumber {
            token: self.scan.tokens.len() - 1,
            end,
            value,
            plain: kind.is_none(),
            bare: amount.scale == 1,
            money: head.money,
            half: head.half,
            month: None,
        });
        end
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are what was just read of one number")]
    fn amount_keys(
        &self,
        head: NumberPrefix,
        i: usize,
        figure: &Figure,
        amount: ScaledNumber,
        value: Option<Ratio>,
        kind: Option<SuffixKind>,
        suffix: Option<Suffix>,
        (after, end): (char, usize),
    ) -> Vec<Option<CanonicalValue>> {
        if !self.natural {
            // Unit words are translated in faithful mode, too; the digits before them must stay.
            let worded = suffix.filter(|s| s.word && amount.plain).and_then(|s| s.kind.unit_word());
            return match worded {
                Some((dimension, size)) => {
                    vec![Some(CanonicalValue::WithUnitWord(
                        dimension,
                        size,
                        self.string(head.start.min(i), figure.end),
                    ))]
                }
                None => Vec::new(),
            };
        }
        let Some(value) = value else {
            let digits: String = self.t.slice(i, amount.end).iter().filter(|c| **c != ',').collect();
            let sign = if head.negative { "-" } else { "" };
            return vec![Some(CanonicalValue::Text(
                format!("{sign}{digits}{:?}", kind.map(SuffixKind::class)).into_boxed_str(),
            ))];
        };
        if head.spread {
            return vec![Some(CanonicalValue::Spread(value))];
        }
        let mut keys: Vec<Option<CanonicalValue>> = match kind {
            Some(kind) => kind.keys(value).into(),
            None => vec![Some(CanonicalValue::Number(value))],
        };
        if let (Some((_, short)), None) = (amount.short, suffix) {
            keys.push(signed(short, head.negative).map(CanonicalValue::Number));
        }
        if amount.letter == 'B' {
            keys.push(
                figure
                    .value
                    .and_then(|n| n.times(Ratio::whole(8)))
                    .map(|n| CanonicalValue::Measure(units::Dimension::BITS, n)),
            );
        }
        let whole = value.as_whole();
        match kind {
            // "The 21st" is a day; 1개 is "a".
            None => {
                if let Some(time) = self.military_time(head.start, figure) {
                    keys.push(Some(CanonicalValue::Time(time)));
                }
                if amount.plain
                    && let Some(time) = self.hour_of_day(head.start, figure)
                {
                    keys.push(Some(CanonicalValue::Time(time)));
                }
                // 30' of rope
                if amount.plain && self.t.at(figure.end) == '\'' {
                    keys.push(measure(units::FOOT, value));
                }
                if figure.decimals && amount.plain {
                    keys.push(Some(CanonicalValue::Text(self.string(head.start, figure.end))));
                    // As a version, 1.10 is not 1.1.
                    if self.is_version(head.start) && self.t.before(figure.end) == '0' {
                        keys.retain(|key| matches!(key, Some(CanonicalValue::Text(_))));
                    }
                }
                let counter = units::counter(self.t, figure.end, |_| true).filter(|_| after != ' ');
                let times = after == '번' && !"째호".contains(self.t.at(end + 1));
                if whole == Some(1) && (times || counter.is_some_and(|counter| counter.single)) {
                    keys.push(Some(CanonicalValue::Single));
                }
                if self.ordinal(figure.end).is_some() {
                    keys.push(
                        whole
                            .filter(|d| (1..=31).contains(d))
                            .map(|d| CanonicalValue::Date(0, 0, u8::try_from(d).unwrap_or(0))),
                    );
                }
                // 4등분: into quarters.
                if after == '등' && self.t.at(figure.end + 1) == '분' {
                    keys.push(Ratio::ONE.over(value).map(CanonicalValue::Number));
                }
                if matches!(after, '살' | '세') {
                    keys.push(
                        value.times(Ratio::whole(12)).map(|n| CanonicalValue::Measure(units::Dimension::MONTHS, n)),
                    );
                }
            }
            Some(SuffixKind::Unit(unit)) if suffix.is_some_and(|s| s.korean) => {
                if unit == units::DAY {
                    keys.push(
                        whole
                            .filter(|d| (1..=31).contains(d))
                            .map(|d| CanonicalValue::Date(0, 0, u8::try_from(d).unwrap_or(0))),
                    );
                    keys.push((whole == Some(1)).then_some(CanonicalValue::Single));
                }
                let counted = matches!(self.t.before(end), '분' | '주' | '년')
                    || matches!(self.t.at(end), '차' | '째')
                    || self.is_copula(end)
                    || unit.counted;
                if counted {
                    keys.push(Some(CanonicalValue::Number(value)));
                }
            }
            // 2h 15m, 1m 30s: minutes.
            Some(SuffixKind::Unit(unit)) if unit == units::METRE && self.is_minute(head.start, end) => {
                keys.push(units::MINUTE.convert(value).map(|n| CanonicalValue::Measure(units::Dimension::TIME, n)));
            }
            Some(SuffixKind::Unit(unit)) if unit == units::SECOND && self.is_plural(head.start, figure) => {
                keys.push(Some(CanonicalValue::Number(value)));
            }
            // 3m people: millions.
            Some(SuffixKind::Unit(unit)) if unit == units::METRE && after == 'm' && self.is_counted(end) => {
                keys.push(value.times(Ratio::whole(1_000_000)).map(CanonicalValue::Number));
            }
            // 0715 hours
            Some(SuffixKind::Unit(unit)) if unit == units::HOUR && figure.whole == 4 => {
                keys.push(clock_value(figure).map(CanonicalValue::Time));
            }
            Some(SuffixKind::Unit(unit)) if unit.counted => keys.push(Some(CanonicalValue::Number(value))),
            // "Team 3 won."
            Some(SuffixKind::Money(Money::WON, _))
                if suffix.is_some_and(|s| s.word && !s.korean) && value.is_below(Ratio::whole(10)) =>
            {
                keys.push(Some(CanonicalValue::Number(value)));
            }
            Some(_) => {}
        }
        keys
    }

    /// Whether the 일 of a number that ends at `end` may be the verb "to be": 0일 수.
    fn is_copula(&self, end: usize) -> bool {
        self.t.before(end) == '일' && [" 수", " 때", " 경우", " 것"].iter().any(|word| self.t.starts(end, word))
    }

    /// Whether a number of days is a duration, judged by the text at `k`.
    fn is_duration(&self, k: usize) -> bool {
        let k = self.t.after_space(k);
        [
            "간", "동안", "이내", "이상", "이하", "전", "후", "뒤", "마다", "째", "짜리", "치", "씩", "차", "만에",
            "당", "분량", "정도", "넘", "가량", "연속",
        ]
        .iter()
        .any(|word| self.t.starts(k, word))
    }

    /// Whether an "m" is beside hours or seconds.
    fn is_minute(&self, start: usize, end: usize) -> bool {
        let before = if self.t.before(start) == ' ' { start - 1 } else { start };
        let seconds = self.t.after_space(end);
        let after = self.t.short_run(seconds, 2, super::super::text::is_digit);
        self.t.before(before) == 'h'
            || after > seconds && self.t.at(after) == 's' && !self.t.at(after + 1).is_alphanumeric()
    }

    /// Whether the previous word announces a version.
    fn is_version(&self, start: usize) -> bool {
        let before: String =
            self.t.slice(start.saturating_sub(8), start).iter().map(char::to_ascii_lowercase).collect();
        let before = before.trim_end();
        before.ends_with("version") || before.ends_with("버전") || before.ends_with(" ver") || before.ends_with("ver.")
    }

    /// Letters directly after digits that are not a unit, such as 3D; but no ordinal, decade or factor (1st, 1990s, 2x).
    fn attached_letters(&mut self, head: NumberPrefix, i: usize, figure: Figure) -> Option<usize> {
        let end = figure.end;
        if !self.t.at(end).is_ascii_alphabetic() || self.ordinal(end).is_some() {
            return None;
        }
        let to = self.t.run(end, |c| c.is_ascii_alphanumeric() || c == '_');
        let decade = to == end + 1 && self.t.at(end) == 's';
        let times = to == end + 1 && matches!(self.t.at(end), 'x' | 'X');
        if decade || times {
            return None;
        }
        if figure.decimals || figure.grouped || head.start != i {
            return None;
        }
        self.mixed(i, to);
        Some(to)
    }
}

impl Suffix {
    const fn money(&self) -> Option<Money> {
        match self.kind {
            SuffixKind::Money(money, _) => Some(money),
            _ => None,
        }
    }
}

/// `value` with its sign applied.
pub(super) fn signed(value: Ratio, negative: bool) -> Option<Ratio> {
    if negative { value.negative() } else { Some(value) }
}
