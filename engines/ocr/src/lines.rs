//! Which recogniser reads a line, and whose text is believed: pure decisions.
//!
//! The preferred recogniser reads every line. The others are asked only if its answer looks wrong, so that an English page
//! does not pay for the Korean recogniser, and a Chinese page stays Chinese.

use crate::recognise::RecognisedText;
use crate::spaces::is_ideographic;

/// From this confidence on a Latin line is believed.
const SURE_LATIN: f32 = 0.85;
/// From this confidence on a line with Chinese characters or kana is believed: Hangul read as Chinese comes with less.
const SURE_IDEOGRAPHIC: f32 = 0.93;

/// Whether the preferred recogniser's answer calls for a second opinion. `hangul` tells whether the other one adds Hangul.
pub fn is_doubtful(read: &RecognisedText) -> bool {
    let has_ideographs = read.text.chars().any(is_ideographic);
    read.text.is_empty() || read.confidence < if has_ideographs { SURE_IDEOGRAPHIC } else { SURE_LATIN }
}

/// Whether a Korean recogniser's answer is better than the preferred one's.
///
/// Confidences of different programs can't be compared as such: PP-OCR is sure of what it knows and spreads thin over what it
/// doesn't, Tesseract is moderate on both. What counts is whether the second answer *is* Korean: letters of Hangul make up much
/// of it, and Tesseract does not believe so of noise or of Chinese, which it reads with low confidence.
pub fn is_better(second: &RecognisedText, first: &RecognisedText) -> bool {
    let letters = second.text.chars().filter(|char| char.is_alphanumeric()).count();
    let hangul = second.text.chars().filter(|char| is_hangul(*char)).count();
    if letters == 0 {
        return false;
    }
    let share = hangul as f32 / letters as f32;
    if hangul == 0 {
        // Latin text again: the preferred recogniser is the better one, unless it gave up.
        return second.confidence > 0.6 && (first.text.is_empty() || first.confidence < 0.4);
    }
    let least = if first.text.chars().any(is_ideographic) { 0.45 } else { 0.35 };
    second.confidence >= least && second.confidence + 0.6 * share > first.confidence
}

/// Syllables and letters of Hangul.
pub fn is_hangul(char: char) -> bool {
    matches!(char, '가'..='힣' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}')
}
