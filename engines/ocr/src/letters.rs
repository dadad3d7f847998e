//! A small model of letters: how usual a word looks, in bits a letter. It tells words from nonsense, which no recogniser does: one that was not
//! trained with a script answers with confidence, too. `scripts/letters.py` makes its tables and describes them.

use crate::script;

static TABLES: &[u8; SYLLABLES + AFTER_CODA + TRIPLES] = include_bytes!("../data/letters.bin");

const SYLLABLES: usize = 11_172;
/// Onsets and vowels of a syllable.
const HEADS: usize = 19 * 21;
const CODAS: usize = 28;
/// In place of a coda at the beginning of a word.
const BEGINNING: usize = 28;
const AFTER_CODA: usize = (CODAS + 1) * HEADS;
const LATIN: usize = 27;
const TRIPLES: usize = LATIN * LATIN * LATIN;

/// Mean cost of the letters of a Korean word below which nothing is unusual, in bits. In 38,000 words of Korean sentences that the tables were
/// not made from, the mean is 8.3, and 99 % are below this; random syllables cost 28.
const USUAL_KOREAN: f32 = 14.0;
/// Mean cost that no Korean word of these sentences reaches.
const ABSURD_KOREAN: f32 = 22.0;
/// The same for Latin letters: the mean of words of English sentences is 2.9, and 95 % are below 4.3; abbreviations and names of files have 5 to 8.
const USUAL_LATIN: f32 = 5.5;
/// Mean cost of keys struck at random.
const ABSURD_LATIN: f32 = 8.5;
/// Least plausibility of Latin letters: a line of nothing else is of low quality (OCR-3), but still read (PIC-4).
const LEAST_LATIN: f32 = 0.59;
/// Words with fewer Latin letters say nothing: half of them are abbreviations.
const FEWEST_LATIN: usize = 4;

/// How plausible a word is by its letters: 1 for words that occur, 0 for Hangul that is none. Latin letters, of which there are names and
/// abbreviations without end, keep [`LEAST_LATIN`]. Digits and marks count neither way.
pub fn plausibility(word: &str) -> f32 {
    let (hangul, latin) = (korean_costs(word), latin_costs(word));
    let fall = |costs: &[f32], usual: f32, absurd: f32| {
        let mean = costs.iter().sum::<f32>() / costs.len().max(1) as f32;
        ((absurd - mean) / (absurd - usual)).clamp(0.0, 1.0)
    };
    let (of_hangul, of_latin) = (hangul.len() as f32, latin.len() as f32);
    if hangul.is_empty() && latin.len() < FEWEST_LATIN {
        return 1.0;
    }
    let korean = fall(&hangul, USUAL_KOREAN, ABSURD_KOREAN);
    let english = if latin.len() < FEWEST_LATIN {
        1.0
    } else {
        LEAST_LATIN + (1.0 - LEAST_LATIN) * fall(&latin, USUAL_LATIN, ABSURD_LATIN)
    };
    (korean * of_hangul + english * of_latin) / (of_hangul + of_latin)
}

/// Cost of each Hangul syllable.
fn korean_costs(word: &str) -> Vec<f32> {
    let mut before = BEGINNING;
    let mut costs = Vec::new();
    for char in word.chars() {
        before = match script::syllable(char) {
            Some(syllable) => {
                let pair = TABLES[SYLLABLES + before * HEADS + syllable / CODAS];
                costs.push((f32::from(TABLES[syllable]) + f32::from(pair) - 128.0) / 8.0);
                syllable % CODAS
            }
            None => BEGINNING,
        };
    }
    costs
}

/// Cost of each Latin letter; accents and digits interrupt a word.
fn latin_costs(word: &str) -> Vec<f32> {
    let letters =
        |char: char| char.is_ascii_alphabetic().then(|| usize::from(char.to_ascii_lowercase() as u8 - b'a') + 1);
    let (mut first, mut second) = (0, 0);
    let mut costs = Vec::new();
    for char in word.chars() {
        let Some(third) = letters(char) else {
            (first, second) = (0, 0);
            continue;
        };
        costs.push(f32::from(TABLES[SYLLABLES + AFTER_CODA + (first * LATIN + second) * LATIN + third]) / 8.0);
        (first, second) = (second, third);
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;

    // OCR-3
    #[test]
    fn words_are_told_from_nonsense_ocr_3() {
        let check = |words: &[&str], least: f32, most: f32| {
            for word in words {
                let found = plausibility(word);
                assert!((least..=most).contains(&found), "{word}: {found}");
            }
        };
        check(
            &["안녕하세요", "설정", "두껍다", "운동장", "저장하기", "settings", "reading", "Firefox", "README"],
            0.95,
            1.0,
        );
        // Digits, marks and short words say nothing.
        check(&["30,000", "—", "SIC", "A4", "v1.2"], 1.0, 1.0);
        check(&["뷁쉛퉱", "궋뜍뽥"], 0.0, 0.2);
        check(&["BSSuURHH", "rrrrrrrs", "xqzvkj"], 0.55, 0.75);
        // A particle belongs to the word before it.
        check(&["Firefox를", "PDF파일"], 0.95, 1.0);
    }
}
