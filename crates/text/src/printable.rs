//! Makes foreign text safe for a terminal: it can't move the cursor, colour, retitle or reorder (PRV-5).

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every character that a terminal interprets in escaped form, such as `\u001b`. Line ends and tabs stay.
///
/// In JSON such an escape means the same character, so whole lines of JSON may be passed.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\r' || is_terminal_control(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // A lone carriage return would overwrite its line.
        if is_terminal_control(c) || (c == '\r' && rest.peek() != Some(&'\n')) {
            // Writing to a string can't fail; all escaped characters have at most four hexadecimal digits.
            let _ = write!(shown, "\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Whether `c` is a C0 or C1 control character other than line ends and tab, or a bidirectional override or isolate.
fn is_terminal_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // PRV-5
    #[test]
    fn what_a_terminal_obeys_is_shown_instead_prv_5() {
        for (text, expect) in [
            ("30,000원\t가\n나\r\n", "30,000원\t가\n나\r\n"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}", "\\u001b[2J\\u001b]0;title\\u0007"),
            ("\u{9b}31m \u{9d}", "\\u009b31m \\u009d"),
            ("safe\rrm -rf", "safe\\u000drm -rf"),
            ("\r", "\\u000d"),
            ("a\u{8}b\u{7f}\u{0}", "a\\u0008b\\u007f\\u0000"),
            ("price \u{202e}000,03\u{202c} \u{2066}x\u{2069}", "price \\u202e000,03\\u202c \\u2066x\\u2069"),
            // Joiners in emoji and marks of a single character's direction stay.
            ("👩\u{200d}💻 \u{200f}", "👩\u{200d}💻 \u{200f}"),
        ] {
            assert_eq!(printable(text), expect, "{text:?}");
        }
    }

    proptest! {
        // PRV-5
        #[test]
        fn nothing_that_is_obeyed_is_left_and_nothing_else_is_changed_prv_5(
            text in "([a-z가-힣\\r\\n\\t\"\\\\]|[\\u{0}-\\u{1f}]|[\\u{7f}-\\u{9f}]|[\\u{2028}-\\u{202f}]|[\\u{2060}-\\u{206f}]|\\PC){0,60}",
        ) {
            let shown = printable(&text);
            prop_assert!(!shown.chars().any(is_terminal_control));
            prop_assert!(!shown.replace("\r\n", "").contains('\r'));
            let kept = |text: &str| text.chars().filter(|c| !is_terminal_control(*c) && *c != '\r').count();
            prop_assert_eq!(kept(&shown) - 6 * escapes(&text), kept(&text));
            prop_assert_eq!(printable(&shown), shown.as_ref(), "once is enough");
        }

        // PRV-5
        #[test]
        fn json_means_the_same_afterwards_prv_5(text in "\\PC{0,20}[\\u{0}-\\u{ff}\\u{202e}\\u{2066}]{0,20}") {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&printable(&json)).unwrap(), text);
        }
    }

    fn escapes(text: &str) -> usize {
        let ends = text.matches("\r\n").count();
        text.chars().filter(|c| is_terminal_control(*c) || *c == '\r').count() - ends
    }
}
