//! Decides which recogniser reads a line and whose text counts. Pure.
//!
//! The preferred recogniser reads every line. The others run only if its result is doubtful, so that an English page does not pay for the
//! Korean recogniser and a Chinese page stays Chinese.

use crate::recognise::RecognisedText;
use crate::spaces::is_ideographic;

/// Confidence from which a Latin line is accepted.
const SURE_LATIN: f32 = 0.85;
/// Confidence from which a line with Chinese characters or kana is accepted: Hangul misread as Chinese has less.
const SURE_IDEOGRAPHIC: f32 = 0.93;

/// Whether the preferred recogniser's result needs a second opinion.
pub fn is_doubtful(read: &RecognisedText) -> bool {
    let has_ideographs = read.text.chars().any(is_ideographic);
    read.text.is_empty() || read.confidence < if has_ideographs { SURE_IDEOGRAPHIC } else { SURE_LATIN }
}

/// Whether a Korean recogniser's result is better than the preferred one's.
///
/// Confidences of different programs are not comparable: PP-OCR is sure of scripts that it knows and spreads thin over others, Tesseract is
/// moderate on both. What counts is whether the second result *is* Korean: it contains much Hangul, and Tesseract's confidence is high
/// enough, which it is not for noise or for Chinese.
pub fn is_better(second: &RecognisedText, first: &RecognisedText) -> bool {
    let letters = second.text.chars().filter(|char| char.is_alphanumeric()).count();
    let hangul = second.text.chars().filter(|char| is_hangul(*char)).count();
    if letters == 0 {
        return false;
    }
    let share = hangul as f32 / letters as f32;
    if hangul == 0 {
        // A Latin result: the preferred recogniser is better, unless it gave up.
        return second.confidence > 0.6 && (first.text.is_empty() || first.confidence < 0.4);
    }
    let least = if first.text.chars().any(is_ideographic) { 0.45 } else { 0.35 };
    second.confidence >= least && second.confidence + 0.6 * share > first.confidence
}

/// Hangul syllables and letters.
pub fn is_hangul(char: char) -> bool {
    matches!(char, '가'..='힣' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}')
}
