//! Decomposes and composes Hangul syllables, for typing, spelling, particles and tolerant comparison.

/// Leading consonants in Unicode order, as compatibility jamo.
const LEADING: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];
/// Code point of the first vowel, ㅏ; ㅏ to ㅣ are consecutive.
const VOWELS: u32 = 0x314F;
const VOWEL_COUNT: u32 = 21;
/// Trailing consonants in Unicode order, without "none".
const TRAILING: [char; 27] = [
    'ㄱ', 'ㄲ', 'ㄳ', 'ㄴ', 'ㄵ', 'ㄶ', 'ㄷ', 'ㄹ', 'ㄺ', 'ㄻ', 'ㄼ', 'ㄽ', 'ㄾ', 'ㄿ', 'ㅀ', 'ㅁ', 'ㅂ', 'ㅄ', 'ㅅ',
    'ㅆ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ',
];
const FIRST: u32 = 0xAC00;
const SYLLABLES: u32 = 11_172;

/// The parts of a syllable as compatibility jamo: initial consonant, vowel, final consonant if any. `None` for anything but a complete syllable.
#[must_use]
pub fn jamo(syllable: char) -> Option<(char, char, Option<char>)> {
    let index = index(syllable)?;
    let initial = *LEADING.get((index / 588) as usize)?;
    let vowel = char::from_u32(VOWELS + index % 588 / 28)?;
    let last = (index % 28).checked_sub(1).and_then(|last| TRAILING.get(last as usize)).copied();
    Some((initial, vowel, last))
}

/// The syllable of an initial consonant, a vowel and a final consonant, all as compatibility jamo. `None` if the combination is invalid.
#[must_use]
pub fn compose(initial: char, vowel: char, last: Option<char>) -> Option<char> {
    let initial = u32::try_from(LEADING.iter().position(|c| *c == initial)?).ok()?;
    let vowel = (vowel as u32).checked_sub(VOWELS).filter(|v| *v < VOWEL_COUNT)?;
    let last = match last {
        None => 0,
        Some(last) => u32::try_from(TRAILING.iter().position(|c| *c == last)?).ok()? + 1,
    };
    char::from_u32(FIRST + initial * 588 + vowel * 28 + last)
}

/// `text` with decomposed syllables (conjoining jamo, as some file systems write names) put together, and where each character begins in `text`.
#[must_use]
pub fn compose_jamo(text: &[char]) -> (Vec<char>, Vec<usize>) {
    const LEADS: u32 = 0x1100;
    const MEDIALS: u32 = 0x1161;
    const TAILS: u32 = 0x11A7;
    let part = |c: Option<&char>, first: u32, count: u32| {
        c.and_then(|c| (*c as u32).checked_sub(first)).filter(|index| *index < count)
    };
    let (mut composed, mut places) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut i = 0;
    while let Some(c) = text.get(i) {
        places.push(i);
        let pair = part(Some(c), LEADS, 19).zip(part(text.get(i + 1), MEDIALS, VOWEL_COUNT));
        let (syllable, length) = match pair {
            Some((lead, medial)) => {
                let tail = part(text.get(i + 2), TAILS, 28).filter(|tail| *tail > 0);
                let code = FIRST + lead * 588 + medial * 28 + tail.unwrap_or(0);
                (char::from_u32(code).unwrap_or(*c), 2 + usize::from(tail.is_some()))
            }
            None => (*c, 1),
        };
        composed.push(syllable);
        i += length;
    }
    (composed, places)
}

/// The final consonant of a syllable. `None` if it has none, and for anything but a syllable.
#[must_use]
pub fn final_consonant(syllable: char) -> Option<char> {
    let last = (index(syllable)? % 28).checked_sub(1)?;
    TRAILING.get(last as usize).copied()
}

/// Whether a syllable ends in a consonant, which decides between 을 and 를. False for anything but a syllable.
#[must_use]
pub const fn has_final(syllable: char) -> bool {
    match index(syllable) {
        Some(index) => !index.is_multiple_of(28),
        None => false,
    }
}

/// The syllable without its final consonant; any other character unchanged.
#[must_use]
pub fn open(syllable: char) -> char {
    match index(syllable) {
        Some(index) => char::from_u32(syllable as u32 - index % 28).unwrap_or(syllable),
        None => syllable,
    }
}

const fn index(syllable: char) -> Option<u32> {
    match (syllable as u32).checked_sub(FIRST) {
        Some(index) if index < SYLLABLES => Some(index),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // TTS-3
    #[test]
    fn syllables_are_taken_apart_tts_3() {
        for (syllable, expect) in [
            ('가', ('ㄱ', 'ㅏ', None)),
            ('힣', ('ㅎ', 'ㅣ', Some('ㅎ'))),
            ('값', ('ㄱ', 'ㅏ', Some('ㅄ'))),
            ('뭐', ('ㅁ', 'ㅝ', None)),
        ] {
            assert_eq!(jamo(syllable), Some(expect), "{syllable}");
        }
        for other in ['a', 'ㄱ', '1', '東', '\u{D7A4}'] {
            assert_eq!((jamo(other), final_consonant(other), has_final(other)), (None, None, false), "{other}");
            assert_eq!(open(other), other);
        }
    }

    // PRE-3
    #[test]
    fn decomposed_syllables_are_put_together_pre_3() {
        let text: Vec<char> = "3\u{1100}\u{1161}\u{11A8} \u{1112}\u{1175}\u{1100}x".chars().collect();
        let (composed, places) = compose_jamo(&text);
        assert_eq!(composed.iter().collect::<String>(), "3각 히\u{1100}x");
        assert_eq!(places, [0, 1, 4, 5, 7, 8]);
    }

    // TTS-3
    #[test]
    fn every_syllable_comes_together_again_tts_3() {
        for syllable in '가'..='힣' {
            let (initial, vowel, last) = jamo(syllable).unwrap();
            assert_eq!(compose(initial, vowel, last), Some(syllable));
            assert_eq!((final_consonant(syllable), has_final(syllable)), (last, last.is_some()));
            assert_eq!(compose(initial, vowel, None), Some(open(syllable)));
        }
        assert_eq!(compose('ㅏ', 'ㅏ', None), None);
        assert_eq!(compose('ㄱ', 'ㄴ', None), None);
        assert_eq!(compose('ㄱ', 'ㅏ', Some('ㄸ')), None);
    }
}
