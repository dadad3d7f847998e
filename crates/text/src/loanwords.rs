//! What a word of one script sounds like in the other (RNK-2, PRE-2): "유튜브" is YouTube, "넷플릭스" Netflix. Names and loanwords are told apart
//! by their consonants; vowels are written too differently.

use crate::hangul::jamo;
use crate::language::is_hangul;

/// Fewer consonants say too little.
const FEWEST: usize = 2;

/// The consonants of words, as classes of sounds that Korean does not tell apart in foreign words; empty if there are too few.
fn consonants(word: &[char]) -> Vec<u8> {
    let mut sounds = Vec::new();
    for run in word.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        if run.iter().all(char::is_ascii) {
            english(run, &mut sounds);
        } else {
            run.iter().for_each(|c| korean(*c, &mut sounds));
        }
    }
    sounds.dedup();
    if sounds.len() < FEWEST { Vec::new() } else { sounds }
}

/// Whether a word of one script sounds like one of the other; Latin letters in lower case, without spaces. Two consonants alone say too little:
/// their first vowels must agree, too.
#[must_use]
pub fn sound_alike(one: &[char], other: &[char]) -> bool {
    let hangul = |word: &[char]| word.iter().filter(|c| is_hangul(**c)).count();
    let sounds = consonants(one);
    if sounds.is_empty() || hangul(one) == hangul(other) || sounds != consonants(other) {
        return false;
    }
    let (korean, english) = if hangul(one) > hangul(other) { (one, other) } else { (other, one) };
    sounds.len() > FEWEST || vowels_agree(korean, english)
}

/// Whether the first vowel that is written in Korean may be the first of the English word.
fn vowels_agree(korean: &[char], english: &[char]) -> bool {
    let Some(at) = english.iter().position(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')) else { return true };
    let spelt: &str = match (english.get(at), english.get(at + 1)) {
        (Some('o'), Some('o' | 'u')) => "ㅜㅗㅏㅓ",
        (Some('a'), Some('u' | 'w' | 'l' | 'r')) => "ㅗㅏㅓ",
        (Some('a'), _) => "ㅏㅐㅔㅓ",
        (Some('e'), Some('e' | 'a')) => "ㅣㅔㅐㅓ",
        (Some('e'), _) => "ㅔㅐㅣㅓ",
        (Some('i' | 'y'), _) => "ㅣㅏㅓㅑㅕㅛㅠ",
        (Some('o'), _) => "ㅗㅏㅓㅜ",
        _ => "ㅜㅓㅏㅠㅗㅟㅣ",
    };
    // A vowel that only carries a consonant is not spelt: 스, 크, 프.
    let said = korean.iter().filter_map(|c| jamo(*c)).map(|(_, vowel, _)| vowel).find(|vowel| *vowel != 'ㅡ');
    said.is_none_or(|vowel| spelt.contains(vowel) || (vowel == 'ㅔ' && spelt.contains('ㅐ')))
}

fn korean(c: char, sounds: &mut Vec<u8>) {
    let Some((initial, _, last)) = jamo(c) else { return };
    sounds.extend(match initial {
        'ㄱ' | 'ㄲ' | 'ㅋ' => Some(b'k'),
        'ㄴ' => Some(b'n'),
        'ㄷ' | 'ㄸ' | 'ㅌ' => Some(b't'),
        'ㄹ' => Some(b'l'),
        'ㅁ' => Some(b'm'),
        'ㅂ' | 'ㅃ' | 'ㅍ' => Some(b'p'),
        'ㅅ' | 'ㅆ' => Some(b's'),
        'ㅈ' | 'ㅉ' | 'ㅊ' => Some(b'j'),
        'ㅎ' => Some(b'h'),
        _ => None,
    });
    sounds.extend(last.and_then(|last| match last {
        'ㄱ' | 'ㄲ' | 'ㅋ' => Some(b'k'),
        'ㄴ' => Some(b'n'),
        'ㄷ' | 'ㅅ' | 'ㅆ' | 'ㅈ' | 'ㅊ' | 'ㅌ' => Some(b't'),
        'ㄹ' => Some(b'l'),
        'ㅁ' => Some(b'm'),
        'ㅂ' | 'ㅍ' => Some(b'p'),
        'ㅇ' => Some(b'g'),
        _ => None,
    }));
}

fn english(word: &[char], sounds: &mut Vec<u8>) {
    let at = |i: usize| word.get(i).copied().unwrap_or(' ');
    let is_at = |i: usize, text: &str| text.chars().enumerate().all(|(n, c)| at(i + n) == c);
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let mut i = 0;
    while i < word.len() {
        let before = i.checked_sub(1).map_or(' ', at);
        let (sound, length): (&[u8], usize) = match at(i) {
            't' if is_at(i, "tion") => (b"sn", 4),
            's' if is_at(i, "sion") => (b"sn", 4),
            't' if is_at(i, "tch") => (b"j", 3),
            'c' if is_at(i, "chr") => (b"k", 2),
            'c' if is_at(i, "ch") => (b"j", 2),
            's' if is_at(i, "sh") => (b"s", 2),
            'p' if is_at(i, "ph") => (b"p", 2),
            't' if is_at(i, "th") => (b"s", 2),
            'g' if is_at(i, "gh") => (b"", 2),
            'w' if is_at(i, "wr") => (b"l", 2),
            'k' if i == 0 && is_at(i, "kn") => (b"n", 2),
            'n' if is_at(i, "ng") && !is_vowel(at(i + 2)) => (b"g", 2),
            'n' if is_at(i, "nk") => (b"gk", 2),
            'd' if is_at(i, "dg") => (b"j", 2),
            // Written in English, not said in Korean: 서버, 카드.
            'r' if is_vowel(before) && !is_vowel(at(i + 1)) => (b"", 1),
            'r' if is_at(i, "re") && i + 2 == word.len() => (b"", 2),
            'c' if matches!(at(i + 1), 'e' | 'i' | 'y') => (b"s", 1),
            'g' if matches!(at(i + 1), 'e' | 'i' | 'y') && i > 0 => (b"j", 1),
            'c' | 'k' | 'q' | 'g' => (b"k", 1),
            'x' => (b"ks", 1),
            'n' => (b"n", 1),
            't' | 'd' => (b"t", 1),
            'l' | 'r' => (b"l", 1),
            'm' => (b"m", 1),
            'b' | 'p' | 'f' | 'v' => (b"p", 1),
            's' => (b"s", 1),
            'z' | 'j' => (b"j", 1),
            'h' if is_vowel(at(i + 1)) => (b"h", 1),
            digit if digit.is_ascii_digit() => {
                sounds.extend(u8::try_from(digit));
                (b"", 1)
            }
            _ => (b"", 1),
        };
        sounds.extend(sound);
        i += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compact(text: &str) -> Vec<char> {
        text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect()
    }

    fn check(korean: &str, english: &str, alike: bool) {
        let (a, b) = (compact(korean), compact(english));
        assert_eq!(sound_alike(&a, &b), alike, "{korean} {english}");
        assert_eq!(sound_alike(&b, &a), alike, "{english} {korean}");
    }

    // RNK-2
    #[test]
    fn loanwords_sound_alike_in_both_scripts_rnk_2() {
        for (korean, english) in [
            ("유튜브", "YouTube"),
            ("넷플릭스", "Netflix"),
            ("크롬", "Chrome"),
            ("구글", "Google"),
            ("프로필", "profile"),
            ("다운로드", "download"),
            ("액션", "action"),
            ("디스코드", "Discord"),
            ("프린터", "printer"),
            ("텔레그램", "Telegram"),
            ("카메라", "camera"),
            ("슬랙", "slack"),
            ("필터", "filter"),
            ("템플릿", "template"),
            ("윈도우 11", "window 11"),
            ("구글 드라이브", "Google 드라이브"),
        ] {
            check(korean, english, true);
        }
        for (korean, english) in [
            ("보기", "back"),
            ("책", "chick"),
            ("유튜브", "Twitter"),
            ("크롬", "Google"),
            ("저장", "save"),
            ("예", "yes"),
            ("윈도우 10", "window 11"),
        ] {
            check(korean, english, false);
        }
    }
}
