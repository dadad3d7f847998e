//! Whether a token that the other text does not have is a failure (PRE-2, PRE-8).

use super::alignment::{AlignedText, is_amount};
use super::labels::is_counted_strictly;
use super::ratio::Ratio;
use super::token::{CanonicalValue, Token, Weight};

/// Whether token `at` must have a counterpart. Of what is spelled out only some must: "two" may be 양쪽, but an hour or a dose may not vanish.
pub(super) fn is_failure(side: &AlignedText<'_>, at: usize) -> bool {
    let Some(token) = side.scan.tokens.get(at) else { return false };
    match token.weight {
        Weight::Hard => true,
        Weight::Strong => is_name_with_digits(side.text_of(token)) || is_spelled_quantity(side, at, token),
        Weight::Weak => false,
    }
}

/// HTML5, base64, F5: letters with digits are written alike in both languages. H1 and H2 are halves of a year.
fn is_name_with_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().all(u8::is_ascii_alphanumeric)
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && !matches!(text, "H1" | "H2")
}

/// Three hours, November, half past nine, three times, two tablets.
fn is_spelled_quantity(side: &AlignedText<'_>, at: usize, token: &Token) -> bool {
    if !is_amount(token.class) {
        return false;
    }
    let keys = side.scan.keys_of(token);
    let quantity = |key: &CanonicalValue| {
        matches!(key, CanonicalValue::Measure(..) | CanonicalValue::Time(_) | CanonicalValue::Date(..))
    };
    // One is a word more than a number.
    let several = |key: &CanonicalValue| matches!(key, CanonicalValue::Number(n) if Ratio::ONE.is_below(*n));
    keys.iter().any(quantity) || keys.iter().any(several) && is_counted_strictly(side, at)
}
