//! Spells a text character by character (TTS-3).

use luna_messages::Lang;
use unicode_segmentation::UnicodeSegmentation;

use luna_text::hangul::jamo;
use luna_text::language::is_hangul;
use luna_text::letters::{jamo_name, latin_name, mark_name};
use luna_text::numerals::digit_word;
use luna_text::runs::VoiceRun;

/// Maximum characters of a group, so that a step forward or back is small.
const MAX_GROUP: usize = 12;

/// A group of characters that is spoken at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpelledGroup {
    /// The character names, per voice.
    pub runs: Vec<VoiceRun>,
    /// Start of the group in the text, in characters.
    pub start: usize,
}

/// The characters of `text` by name: Hangul syllables as they are, with `by_jamo` followed by their jamo; Latin letters by name, with capitals
/// announced; digits, punctuation and spaces by name. Names are in `lang`. A group ends with a word or after twelve characters.
#[must_use]
pub fn spell(text: &str, by_jamo: bool, lang: Lang) -> Vec<SpelledGroup> {
    let mut groups = Vec::new();
    let mut group: Vec<VoiceRun> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for cluster in text.trim_end().graphemes(true) {
        group.push(name(cluster, by_jamo, lang));
        at += cluster.chars().count();
        if cluster.chars().all(char::is_whitespace) || group.len() >= MAX_GROUP {
            groups.push(SpelledGroup { runs: join(std::mem::take(&mut group)), start });
            start = at;
        }
    }
    if !group.is_empty() {
        groups.push(SpelledGroup { runs: join(group), start });
    }
    groups
}

fn name(cluster: &str, by_jamo: bool, lang: Lang) -> VoiceRun {
    let mut chars = cluster.chars();
    let (Some(c), rest) = (chars.next(), chars.as_str()) else {
        return VoiceRun::new(lang, "");
    };
    if cluster == "\r\n" {
        return VoiceRun::new(lang, mark_name('\n', lang).unwrap_or_default());
    }
    if !rest.is_empty() {
        // A letter with combining marks, or an emoji of several parts: left to the voice.
        return VoiceRun::new(if is_hangul(c) { Lang::Ko } else { lang }, cluster);
    }
    if let Some((initial, vowel, last)) = jamo(c) {
        let names: Vec<&str> = [Some(initial), Some(vowel), last].into_iter().flatten().filter_map(jamo_name).collect();
        return VoiceRun::new(Lang::Ko, if by_jamo { format!("{c}: {}", names.join(", ")) } else { c.to_string() });
    }
    if let Some(name) = jamo_name(c) {
        return VoiceRun::new(Lang::Ko, name);
    }
    if let Some(name) = latin_name(c, lang) {
        return VoiceRun::new(
            lang,
            match (c.is_ascii_uppercase(), lang) {
                (false, _) => name,
                (true, Lang::Ko) => format!("대문자 {name}"),
                (true, Lang::En) => format!("capital {name}"),
            },
        );
    }
    let known =
        c.to_digit(10).or_else(|| wide_digit(c)).and_then(|d| digit_word(d, lang)).or_else(|| mark_name(c, lang));
    VoiceRun::new(lang, known.map_or_else(|| c.to_string(), str::to_owned))
}

fn wide_digit(c: char) -> Option<u32> {
    (c as u32).checked_sub('０' as u32).filter(|d| *d < 10)
}

/// Joins adjacent names of one voice, separated by commas for a short pause after each.
fn join(names: Vec<VoiceRun>) -> Vec<VoiceRun> {
    let mut runs: Vec<VoiceRun> = Vec::new();
    for name in names {
        match runs.last_mut() {
            Some(last) if last.lang == name.lang => {
                last.text.push_str(", ");
                last.text.push_str(&name.text);
            }
            _ => runs.push(name),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, by_jamo: bool, lang: Lang, expect: &[&str]) {
        let spoken: Vec<String> = spell(text, by_jamo, lang)
            .iter()
            .map(|g| g.runs.iter().map(|r| format!("{}[{}]", r.lang.code(), r.text)).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(spoken, expect, "{text}");
    }

    // TTS-3
    #[test]
    fn characters_are_said_by_name_tts_3() {
        use Lang::{En, Ko};
        check("강남", false, Ko, &["ko[강, 남]"]);
        check("강", true, Ko, &["ko[강: 기역, 아, 이응]"]);
        check("값", true, Ko, &["ko[값: 기역, 아, 비읍 시옷]"]);
        check("꽃", true, Ko, &["ko[꽃: 쌍기역, 오, 치읓]"]);
        check("힣", true, Ko, &["ko[힣: 히읗, 이, 히읗]"]);
        check("ㅋㅋ", false, Ko, &["ko[키읔, 키읔]"]);
        check("aB", false, En, &["en[A, capital B]"]);
        check("aB", false, Ko, &["ko[에이, 대문자 비]"]);
        check("a 1", false, En, &["en[A, space]", "en[one]"]);
        check("10%", false, Ko, &["ko[일, 영, 퍼센트]"]);
        check("x@y.z", false, En, &["en[X, at, Y, period, Z]"]);
        check("A가", false, En, &["en[capital A] ko[가]"]);
        check("７", false, Ko, &["ko[칠]"]);
        check("", false, Ko, &[]);
        check("abcdefghijklmn", false, En, &["en[A, B, C, D, E, F, G, H, I, J, K, L]", "en[M, N]"]);
    }

    // TTS-3
    #[test]
    fn groups_know_where_they_begin_tts_3() {
        let starts: Vec<usize> = spell("가나 다라", false, Lang::Ko).iter().map(|g| g.start).collect();
        assert_eq!(starts, [0, 3]);
    }

    // TTS-3
    #[test]
    fn every_syllable_has_named_jamo_tts_3() {
        for c in '가'..='힣' {
            let parts = jamo(c).map(|(initial, vowel, last)| [Some(initial), Some(vowel), last]);
            let named = |part: &Option<char>| part.is_none_or(|j| jamo_name(j).is_some());
            assert!(parts.is_some_and(|parts| parts.iter().all(named)), "{c}");
        }
    }
}
