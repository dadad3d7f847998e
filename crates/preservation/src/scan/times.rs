//! Times of day: 14:30, 오후 2시 30분, 2:30 PM, 3 o'clock (PRE-3). Their class is DATE: a point in time, not an amount.

use luna_messages::preserve::TokenClass::Date;
use luna_text::characters::IndexedText;

use super::super::ratio::Ratio;
use super::super::text::{is_digit, is_hangul};
use super::super::token::{CanonicalValue, Weight};
use super::super::units;
use super::measures::measure;
use super::{DayHalf, NumberPrefix, PreviousNumber, Scanner};

/// Words for the parts of a day.
pub(super) const DAY_PARTS: &[(&str, DayHalf)] = &[
    ("오전", DayHalf::Morning),
    ("새벽", DayHalf::Morning),
    ("아침", DayHalf::Morning),
    ("오후", DayHalf::Afternoon),
    ("저녁", DayHalf::Afternoon),
    ("낮", DayHalf::Afternoon),
    ("밤", DayHalf::Night),
    ("morning", DayHalf::Morning),
    ("afternoon", DayHalf::Afternoon),
    ("evening", DayHalf::Afternoon),
    ("tonight", DayHalf::Night),
    ("night", DayHalf::Night),
];

/// Seconds since midnight.
pub(super) fn seconds(hour: i64, minute: i64, second: i64, half: Option<DayHalf>) -> Option<u32> {
    let hour = match half {
        Some(DayHalf::Afternoon) if hour < 12 => hour + 12,
        Some(DayHalf::Night) if (6..12).contains(&hour) => hour + 12,
        Some(DayHalf::Morning | DayHalf::Night) if hour == 12 => 0,
        _ => hour,
    };
    u32::try_from(hour * 3600 + minute * 60 + second).ok()
}

impl Scanner<'_> {
    /// A time with its digits at `i`.
    pub(super) fn time(&mut self, head: NumberPrefix, i: usize) -> Option<usize> {
        let end = self.t.short_run(i, 3, is_digit);
        if end - i > 2 {
            return None;
        }
        let hour = self.t.small(i, end).filter(|hour| *hour <= 24)?;
        match self.t.at(end) {
            ':' => self.clock(head, end, hour),
            '시' => self.korean_hour(head, end, hour),
            _ => {
                // 7.15 am
                if self.t.at(end) == '.' && self.am_or_pm(end + 3).is_some() {
                    return self.clock(head, end, hour);
                }
                // 12 noon
                let word = self.t.letters(self.t.after_space(end)).lower();
                if hour == 12 && self.natural && matches!(word.as_str(), "noon" | "midnight") {
                    let half = if word.as_str() == "noon" { DayHalf::Afternoon } else { DayHalf::Morning };
                    let end = self.t.letters(self.t.after_space(end)).end;
                    let keys = self.hour_keys(head, i, hour, Some(half));
                    return Some(self.push_time(head, end, keys, Some(half), None));
                }
                let (clock, digits_end) = (self.o_clock(end), end);
                let (end, half) = match self.half_after(clock.unwrap_or(end)) {
                    Some((end, half)) => (end, Some(half)),
                    None => (clock?, None),
                };
                let mut keys = self.hour_keys(head, i, hour, half.or(head.half));
                // "Take 2 in the morning": 2 tablets.
                let number = self.natural && half.is_some() && clock.is_none() && self.am_or_pm(digits_end).is_none();
                keys.push(number.then(|| CanonicalValue::Number(Ratio::whole(hour))));
                Some(self.push_time(head, end, keys, half.or(head.half), None))
            }
        }
    }

    fn hour_keys(&self, head: NumberPrefix, i: usize, hour: i64, half: Option<DayHalf>) -> Vec<Option<CanonicalValue>> {
        if self.natural {
            return vec![seconds(hour, 0, 0, half).map(CanonicalValue::Time)];
        }
        // The words 시 and o'clock are translated in faithful mode, too.
        let plain = half.is_none() && head.start == i;
        vec![plain.then(|| CanonicalValue::Text(format!("{hour} o'clock").into_boxed_str()))]
    }

    fn push_time(
        &mut self,
        head: NumberPrefix,
        end: usize,
        keys: Vec<Option<CanonicalValue>>,
        half: Option<DayHalf>,
        bare: Option<i64>,
    ) -> usize {
        if self.natural {
            self.share_half(head.start, half);
        }
        self.scan.push(Date, (head.start, end), Weight::Hard, keys);
        self.last = Some(PreviousNumber {
            token: self.scan.tokens.len() - 1,
            end,
            value: bare.map(Ratio::whole),
            plain: false,
            bare: false,
            money: None,
            half,
            month: None,
        });
        end
    }

    /// In `2-4 PM` the first number is a time, too.
    fn share_half(&mut self, start: usize, half: Option<DayHalf>) {
        let Some(last) =
            self.last.filter(|last| half.is_some() && last.half.is_none() && self.is_range(last.end, start))
        else {
            return;
        };
        let hour = last.value.and_then(Ratio::as_whole).filter(|hour| (1..=12).contains(hour));
        if let Some(time) = hour.and_then(|hour| seconds(hour, 0, 0, half)) {
            self.scan.add_value(last.token, CanonicalValue::Time(time));
        }
    }

    /// The half of the day inherited from the previous time of a range: 오후 2시~4시.
    fn shared_half(&self, head: NumberPrefix) -> Option<DayHalf> {
        self.last.filter(|last| self.is_range(last.end, head.start)).and_then(|last| last.half)
    }

    /// The half of the day of a time that ends at `end` and has none of its own: that of its range, or one named nearby.
    fn implied_half(&self, head: NumberPrefix, end: usize, half: Option<DayHalf>) -> Option<DayHalf> {
        if half.is_some() || !self.natural {
            return None;
        }
        self.shared_half(head).or_else(|| self.near_half(head.start, end))
    }

    /// `14:30`, `2:30:15 PM`.
    fn clock(&mut self, head: NumberPrefix, colon: usize, hour: i64) -> Option<usize> {
        let minute_end = self.t.short_run(colon + 1, 3, is_digit);
        let minute = self.t.small(colon + 1, minute_end).filter(|m| minute_end - colon == 3 && *m < 60)?;
        let (mut end, mut second) = (minute_end, 0);
        if self.t.at(end) == ':' {
            let second_end = self.t.short_run(end + 1, 3, is_digit);
            second = self.t.small(end + 1, second_end).filter(|s| second_end - end == 3 && *s < 60)?;
            end = second_end;
        }
        if let Some(end) = self.timed(head, (hour, minute, second), colon, end) {
            return Some(end);
        }
        let mut half = head.half;
        if let Some((after, said)) = self.half_after(end) {
            (end, half) = (after, Some(said));
        }
        if !self.natural {
            // PM and 오후 are words of the language; the digits must stay.
            let said = half.or_else(|| self.near_half(head.start, end));
            let time = said.and_then(|half| seconds(hour, minute, second, Some(half)));
            let word =
                time.map(|time| CanonicalValue::Text(format!("{hour}:{minute}:{second} {time}").into_boxed_str()));
            return Some(self.push_time(head, end, vec![word], half, None));
        }
        let shared = self.implied_half(head, end, half);
        let keys = vec![
            seconds(hour, minute, second, half).map(CanonicalValue::Time),
            shared.and_then(|half| seconds(hour, minute, second, Some(half))).map(CanonicalValue::Time),
        ];
        Some(self.push_time(head, end, keys, half, None))
    }

    /// `1:52.34`, the time of a race: with decimals the last part is seconds.
    fn timed(&mut self, head: NumberPrefix, parts: (i64, i64, i64), colon: usize, end: usize) -> Option<usize> {
        if self.t.at(end) != '.' || !is_digit(self.t.at(end + 1)) {
            return None;
        }
        let (decimals, to) = self.decimals_after(end + 1)?;
        let whole = if end == colon + 3 { 60 * parts.0 + parts.1 } else { 3600 * parts.0 + 60 * parts.1 + parts.2 };
        let value = Ratio::whole(whole).plus(decimals).and_then(|value| measure(units::SECOND, value));
        self.scan.push(Date, (head.start, to), Weight::Hard, [value]);
        Some(to)
    }

    /// `2시`, `2시 30분`, `2시 반`; the hour's digits end at `k`.
    fn korean_hour(&mut self, head: NumberPrefix, k: usize, hour: i64) -> Option<usize> {
        let next = self.t.at(k + 1);
        if "간리즌스험작도각청장민대".contains(next) && next != '\0' {
            return None;
        }
        let (minute, second, end) = self.minutes(k + 1);
        let half = head.half;
        let shared = self.implied_half(head, end, half);
        let whole = minute == 0 && end == k + 1;
        if whole && !self.natural {
            let keys = self.hour_keys(head, head.start, hour, half);
            return Some(self.push_time(head, end, keys, half, None));
        }
        let keys = vec![
            seconds(hour, minute, second, half).map(CanonicalValue::Time),
            shared.and_then(|half| seconds(hour, minute, second, Some(half))).map(CanonicalValue::Time),
            // 6시 10분 전
            (minute > 0 && self.t.starts(end, " 전"))
                .then(|| seconds(hour, -minute, 0, half).map(CanonicalValue::Time))
                .flatten(),
            // "at 3"
            (whole && half.is_none()).then(|| CanonicalValue::Number(Ratio::whole(hour))),
        ];
        Some(self.push_time(head, end, if self.natural { keys } else { Vec::new() }, half, None))
    }

    /// The minutes and seconds after 시, which ends at `k`, and their end.
    pub(super) fn minutes(&self, k: usize) -> (i64, i64, usize) {
        let from = self.t.after_space(k);
        if self.is_half(from) {
            return (30, 0, from + 1);
        }
        let end = self.t.short_run(from, 3, is_digit);
        let minute = self.t.small(from, end).filter(|m| end - from <= 2 && *m < 60);
        let (Some(minute), '분') = (minute, self.t.at(end)) else { return (0, 0, k) };
        let from = self.t.after_space(end + 1);
        let second_end = self.t.short_run(from, 3, is_digit);
        match self.t.small(from, second_end) {
            Some(second) if second_end - from <= 2 && second < 60 && self.t.at(second_end) == '초' => {
                (minute, second, second_end + 1)
            }
            _ => (minute, 0, end + 1),
        }
    }

    /// Whether 반 ("half") is at `k`, and not the beginning of another word.
    pub(super) fn is_half(&self, k: usize) -> bool {
        let next = self.t.at(k + 1);
        self.t.at(k) == '반' && (!is_hangul(next) || "이입에은을으까쯤부만도짜동가면나의정째후뒤".contains(next))
    }

    /// The half of the day after a time that ends at `j`, with its end: PM; in the morning.
    pub(super) fn half_after(&self, j: usize) -> Option<(usize, DayHalf)> {
        self.am_or_pm(j).or_else(|| if self.natural { self.day_part_after(j) } else { None })
    }

    /// AM or PM after a time that ends at `j`, with its end.
    fn am_or_pm(&self, j: usize) -> Option<(usize, DayHalf)> {
        let k = self.t.after_space(j);
        let half = match self.t.at(k) {
            'a' | 'A' => DayHalf::Morning,
            'p' | 'P' => DayHalf::Afternoon,
            _ => return None,
        };
        let end = match (self.t.at(k + 1), self.t.at(k + 2)) {
            ('m' | 'M', _) => k + 2,
            ('.', 'm' | 'M') if self.t.at(k + 3) == '.' => k + 4,
            _ => return None,
        };
        (!self.t.at(end).is_ascii_alphanumeric()).then_some((end, half))
    }

    pub(super) fn o_clock(&self, j: usize) -> Option<usize> {
        let k = self.t.after_space(j);
        (self.t.starts(k, "o'clock") || self.t.starts(k, "o’clock")).then_some(k + 7)
    }
}
