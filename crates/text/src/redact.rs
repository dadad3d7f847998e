//! Redacts e-mail addresses and URLs before a line is logged (PRV-2).

/// Which classes are redacted, `privacy.redact`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Redaction {
    /// Whether e-mail addresses become `[EMAIL]`.
    pub emails: bool,
    /// Whether URLs become `[URL]`.
    pub urls: bool,
}

impl Redaction {
    pub const ALL: Self = Self { emails: true, urls: true };
}

/// `text` with every e-mail address replaced by `[EMAIL]` and every URL by `[URL]`. Linear in the input.
#[must_use]
pub fn redact(text: &str) -> String {
    redact_some(text, Redaction::ALL)
}

/// [`redact`] limited to the classes in `redaction`.
#[must_use]
pub fn redact_some(text: &str, redaction: Redaction) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars() {
        if ends_word(c) {
            flush(&mut word, &mut out, redaction);
            out.push(c);
        } else {
            word.push(c);
        }
    }
    flush(&mut word, &mut out, redaction);
    out
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '`')
}

fn flush(word: &mut String, out: &mut String, redaction: Redaction) {
    // A trailing full stop or colon belongs to the sentence.
    let core = word.trim_end_matches(['.', ':', '!', '?']);
    let tail = &word[core.len()..];
    // In `key=value` only the value counts; but a URL may contain `=` itself.
    let start = match core.find("://") {
        Some(at) => at - core[..at].chars().rev().take_while(|c| c.is_ascii_alphanumeric()).count(),
        None => core.find('=').map_or(0, |at| at + 1),
    };
    let (key, value) = core.split_at(start);
    if redaction.urls && is_url(value) {
        out.push_str(key);
        out.push_str("[URL]");
    } else if redaction.emails && is_email(value) {
        out.push_str(key);
        out.push_str("[EMAIL]");
    } else {
        out.push_str(core);
    }
    out.push_str(tail);
    word.clear();
}

fn is_url(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.find("://").is_some_and(|at| at > 0 && lower[..at].chars().all(|c| c.is_ascii_alphanumeric() || c == '+'))
        || lower.starts_with("www.") && lower.len() > 6
        || lower.starts_with("mailto:")
}

fn is_email(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@') else { return false };
    !name.is_empty() && host.contains('.') && !host.starts_with('.') && !host.contains('@')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // PRV-2
    #[test]
    fn addresses_become_tokens_prv_2() {
        for (text, expect) in [
            ("mail kim@example.kr.", "mail [EMAIL]."),
            ("open https://a.kr/x?q=1에서", "open [URL]"),
            ("see (www.example.com), please", "see ([URL]), please"),
            ("to=\"lee+x@mail.example.com\"", "to=\"[EMAIL]\""),
            ("url=https://a.kr", "url=[URL]"),
            ("an @ alone and a@b", "an @ alone and a@b"),
            ("plain 한국어 text", "plain 한국어 text"),
        ] {
            assert_eq!(redact(text), expect);
        }
    }

    // PRV-2
    #[test]
    fn only_the_configured_classes_become_tokens_prv_2() {
        let text = "kim@example.kr at https://a.kr/x";
        for (emails, urls, expect) in [
            (true, true, "[EMAIL] at [URL]"),
            (true, false, "[EMAIL] at https://a.kr/x"),
            (false, true, "kim@example.kr at [URL]"),
            (false, false, text),
        ] {
            assert_eq!(redact_some(text, Redaction { emails, urls }), expect);
        }
    }

    proptest! {
        #[test]
        fn nothing_with_an_address_stays(before in "[a-z가-힣 ]{0,10}", name in "[a-z]{1,8}", host in "[a-z]{1,8}\\.(kr|com)") {
            let address = format!("{name}@{host}");
            let line = format!("{before} {address} and http://{host}/{name}");
            prop_assert!(!redact(&line).contains(&host));
        }
    }
}
