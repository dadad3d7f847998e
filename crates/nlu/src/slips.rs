//! How far apart two words are to the ear and to a hurried hand, jamo by jamo (RNK-2).
//!
//! Why not `strsim`, which finds mistyped names of the configuration: all its edits cost one. Here an edit costs what the ear makes of it (ㅐ for ㅔ
//! half of ㄱ for ㅁ, a lost final consonant half of a lost initial), final consonants wander and split (먹어, 머거), and a comparison ends as soon as
//! its limit is passed. `unit_tree` compares a whole tree of phrases by the same prices, a row for each node: no distance of two words does that.

/// The parts of a text: initial consonants, vowels and final consonants of Hangul each with numbers of their own; letters and digits.
pub type Units = Vec<u8>;

const LEADING: &str = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const TRAILING: &str = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";
const VOWELS: &str = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ";
/// The letters of [`LEADING`] and [`TRAILING`] by their numbers: looked up for each pair of units.
const LEADING_LETTERS: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];
const TRAILING_LETTERS: [char; 27] = [
    'ㄱ', 'ㄲ', 'ㄳ', 'ㄴ', 'ㄵ', 'ㄶ', 'ㄷ', 'ㄹ', 'ㄺ', 'ㄻ', 'ㄼ', 'ㄽ', 'ㄾ', 'ㄿ', 'ㅀ', 'ㅁ', 'ㅂ', 'ㅄ', 'ㅅ',
    'ㅆ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ',
];
const FIRST_VOWEL: u8 = 20;
const FIRST_TRAILING: u8 = 50;
const FIRST_LETTER: u8 = 90;
const FIRST_DIGIT: u8 = 120;
const OTHER: u8 = 140;
const COUNT: usize = 160;
/// ㅇ and ㅎ that begin a syllable, and ㅎ that ends one.
const SILENT: u8 = 11;
const BREATH: u8 = 18;
const LAST_BREATH: u8 = FIRST_TRAILING + 26;

/// What it costs to hear something quite different, and what to hear something alike.
const FAR: u8 = 2;
const NEAR: u8 = 1;

/// The price of each confusion. Built once.
#[derive(Debug, Clone)]
pub struct Slips {
    price: Vec<u8>,
}

impl Default for Slips {
    fn default() -> Self {
        let mut slips = Self { price: vec![FAR; COUNT * COUNT] };
        for i in 0..COUNT {
            slips.set(i, i, 0);
        }
        for alike in ["ㄱㄲㅋ", "ㄷㄸㅌ", "ㅂㅃㅍ", "ㅈㅉㅊ", "ㅅㅆ", "ㄴㄹㅇ", "ㅇㅎ"] {
            slips.alike(alike, LEADING, 0);
        }
        for alike in [
            "ㅐㅔㅒㅖ",
            "ㅚㅟ",
            "ㅚㅙㅞㅔㅐ",
            "ㅓㅗ",
            "ㅓㅝ",
            "ㅓㅕ",
            "ㅏㅑ",
            "ㅏㅘ",
            "ㅗㅛ",
            "ㅗㅜ",
            "ㅜㅠ",
            "ㅜㅡ",
            "ㅡㅓ",
            "ㅡㅣ",
            "ㅣㅢㅟ",
            "ㅕㅖ",
            "ㅝㅗ",
            "ㅡㅢ",
            "ㅣㅔ",
        ] {
            slips.alike(alike, VOWELS, usize::from(FIRST_VOWEL));
        }
        for alike in ["ㄱㄲㅋㄳㄺ", "ㄷㅅㅆㅈㅊㅌㅎ", "ㅂㅍㅄㄼ", "ㄴㅇㅁㄵㄶ", "ㄹㅀㄺㄻㄼ", "ㄱㅇ", "ㅂㅁ", "ㄹㄴ"]
        {
            slips.alike(alike, TRAILING, usize::from(FIRST_TRAILING));
        }
        for alike in ["ckq", "sz", "iy", "ea", "mn", "dt", "bp", "vfw", "gj", "ou"] {
            slips.alike(alike, "abcdefghijklmnopqrstuvwxyz", usize::from(FIRST_LETTER));
        }
        slips
    }
}

impl Slips {
    fn set(&mut self, a: usize, b: usize, price: u8) {
        if let Some(cell) = self.price.get_mut(a * COUNT + b) {
            *cell = price;
        }
    }

    fn alike(&mut self, group: &str, order: &str, first: usize) {
        let places: Vec<usize> =
            group.chars().filter_map(|c| order.chars().position(|o| o == c)).map(|i| i + first).collect();
        for &a in &places {
            for &b in places.iter().filter(|b| **b != a) {
                self.set(a, b, NEAR);
            }
        }
    }

    /// The price of hearing one unit for another.
    #[must_use]
    pub fn price(&self, a: u8, b: u8) -> u16 {
        u16::from(self.price.get(usize::from(a) * COUNT + usize::from(b)).copied().unwrap_or(FAR))
    }

    /// The price of hearing `a` for `b`, where it is at most `limit`. Steps: at most length times `limit`.
    #[must_use]
    pub fn distance(&self, a: &[u8], b: &[u8], limit: u16) -> Option<u16> {
        let gap = a.len().abs_diff(b.len());
        if gap > usize::from(limit) {
            return None;
        }
        let far = limit + 1;
        let width = b.len() + 1;
        let mut rows = [vec![far; width], vec![far; width], vec![far; width]];
        let [_, _, first] = &mut rows;
        let mut sum = 0;
        for j in 0..width {
            if let Some(cell) = first.get_mut(j) {
                *cell = sum.min(far);
            }
            sum += missing(b, j);
        }
        for (i, &unit) in a.iter().enumerate() {
            rows.rotate_left(1);
            let [older, before, now] = &mut rows;
            let mut best = far;
            let from = i.saturating_sub(usize::from(limit));
            let to = (i + 2 + usize::from(limit)).min(width);
            now.iter_mut().for_each(|cell| *cell = far);
            for j in from..to {
                let get = |row: &[u16], j: usize| row.get(j).copied().unwrap_or(far);
                let mut price = get(before, j) + missing(a, i);
                if let Some(left) = j.checked_sub(1) {
                    let other = b.get(left).copied().unwrap_or(OTHER);
                    price = price.min(get(before, left) + self.price(unit, other));
                    price = price.min(get(now, left) + missing(b, left));
                    // The final consonant that wanders: 먹어 heard as 머거.
                    if i > 0 && wanders(a, i - 1, other) {
                        price = price.min(get(older, left) + 1);
                    }
                    if let Some(second) = left.checked_sub(1) {
                        if wanders(b, second, unit) {
                            price = price.min(get(before, second) + 1);
                        }
                        if i > 0 && (splits(a, i - 1, b, second) || splits(b, second, a, i - 1)) {
                            price = price.min(get(older, second) + 1);
                        }
                        // Two letters in the wrong order.
                        let swapped = i > 0 && a.get(i - 1) == b.get(left) && b.get(second) == Some(&unit);
                        if swapped && unit >= FIRST_LETTER {
                            price = price.min(get(older, second) + 2);
                        }
                    }
                }
                let price = price.min(far);
                best = best.min(price);
                if let Some(cell) = now.get_mut(j) {
                    *cell = price;
                }
            }
            if best >= far && i > 0 && rows.get(1).is_some_and(|row| row.iter().all(|cell| *cell >= far)) {
                return None;
            }
        }
        rows.get(2).and_then(|row| row.last()).copied().filter(|price| *price <= limit)
    }
}

/// The price of a unit that only one of both has: a final consonant is lost or added easily, as is one of a doubled letter.
pub(super) fn missing(units: &[u8], at: usize) -> u16 {
    let unit = units.get(at).copied().unwrap_or(OTHER);
    let doubled = unit >= FIRST_LETTER && at > 0 && units.get(at - 1) == Some(&unit);
    if (FIRST_TRAILING..FIRST_LETTER).contains(&unit) || doubled { u16::from(NEAR) } else { u16::from(FAR) }
}

/// Whether `units` has, at `at`, a final consonant and an initial that together sound like the initial `other`.
pub(super) fn wanders(units: &[u8], at: usize, other: u8) -> bool {
    let (Some(&last), Some(&next)) = (units.get(at), units.get(at + 1)) else { return false };
    if next != SILENT && next != BREATH && last != LAST_BREATH {
        return false;
    }
    let (Some(last), Some(other)) = (trailing(last), leading(other)) else { return false };
    match next {
        SILENT => other == last,
        // A breath makes the consonant beside it strong: 요약해 is said like 요야캐, 넣기 like 너키.
        BREATH => matches!((last, other), ('ㄱ', 'ㅋ') | ('ㄷ' | 'ㅅ', 'ㅌ') | ('ㅂ', 'ㅍ') | ('ㅈ', 'ㅊ')),
        _ => {
            last == 'ㅎ'
                && matches!((leading(next), other), (Some('ㄱ'), 'ㅋ') | (Some('ㄷ'), 'ㅌ') | (Some('ㅈ'), 'ㅊ'))
        }
    }
}

fn leading(unit: u8) -> Option<char> {
    LEADING_LETTERS.get(usize::from(unit)).copied()
}

fn trailing(unit: u8) -> Option<char> {
    unit.checked_sub(FIRST_TRAILING).and_then(|unit| TRAILING_LETTERS.get(usize::from(unit))).copied()
}

/// Whether `units` has, at `at`, a double final consonant and a silent initial that together sound like the two consonants of `other` at `place`:
/// 읽어 is said like 일거.
pub(super) fn splits(units: &[u8], at: usize, other: &[u8], place: usize) -> bool {
    let pair = |units: &[u8], at: usize| Some((*units.get(at)?, *units.get(at + 1)?));
    let (Some((double, SILENT)), Some((last, initial))) = (pair(units, at), pair(other, place)) else { return false };
    matches!(
        (trailing(double), trailing(last), leading(initial)),
        (Some('ㄳ'), Some('ㄱ'), Some('ㅅ' | 'ㅆ'))
            | (Some('ㄵ'), Some('ㄴ'), Some('ㅈ'))
            | (Some('ㄺ'), Some('ㄹ'), Some('ㄱ'))
            | (Some('ㄻ'), Some('ㄹ'), Some('ㅁ'))
            | (Some('ㄼ'), Some('ㄹ'), Some('ㅂ'))
            | (Some('ㄾ'), Some('ㄹ'), Some('ㅌ'))
            | (Some('ㅄ'), Some('ㅂ'), Some('ㅅ' | 'ㅆ'))
    )
}

/// A text as units.
#[must_use]
pub fn units(cells: &[char]) -> Units {
    let mut units = Units::with_capacity(3 * cells.len());
    for &c in cells {
        // The numbers of the parts of a syllable are those of Unicode's order, which is that of the lists above.
        let syllable = u32::from(c).checked_sub(u32::from('가')).filter(|_| c <= '힣');
        if let Some(syllable) = syllable {
            let part = |number: u32| u8::try_from(number).unwrap_or(OTHER);
            units.push(part(syllable / 588));
            units.push(part(syllable % 588 / 28) + FIRST_VOWEL);
            units.extend(part(syllable % 28).checked_sub(1).map(|last| last + FIRST_TRAILING));
        } else if c.is_ascii_lowercase() {
            units.push(FIRST_LETTER + (c as u8 - b'a'));
        } else if let Some(digit) = c.to_digit(10) {
            units.push(FIRST_DIGIT + u8::try_from(digit).unwrap_or_default());
        } else {
            units.push(OTHER + u8::try_from(c as u32 % 20).unwrap_or_default());
        }
    }
    units
}

/// How much may be misheard in a word of so many units.
#[must_use]
pub const fn budget(units: usize, latin: bool) -> u16 {
    match (units, latin) {
        (0..=3, _) => 0,
        (4, _) => 1,
        (5..=9, _) => 2,
        (10..=15, _) => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expect: Option<u16>) {
        let slips = Slips::default();
        let [a, b] = [a, b].map(|text| units(&text.chars().collect::<Vec<_>>()));
        assert_eq!(slips.distance(&a, &b, 4), expect);
        assert_eq!(slips.distance(&b, &a, 4), expect, "the other way round");
    }

    // RNK-2
    #[test]
    fn slips_of_the_ear_are_near_rnk_2() {
        check("멈춰", "멈춰", Some(0));
        check("멈처", "멈춰", Some(1));
        check("번녁", "번역", Some(1));
        check("버녁", "번역", Some(1));
        check("일거", "읽어", Some(1));
        check("업서", "없어", Some(1));
        check("요야캐", "요약해", Some(1));
        check("최소", "취소", Some(1));
        check("철짜", "철자", Some(1));
        check("요략", "요약", Some(1));
        check("다음꺼", "다음거", Some(1));
        check("다음주", "다음줄", Some(1));
        check("stopp", "stop", Some(1));
        check("spel", "spell", Some(1));
        check("tset", "test", Some(2));
        check("가나다라마", "바", None);
    }
}
