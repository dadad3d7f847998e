//! Cleans an answer that is to be plain text: a translation or a summary.

use super::thought;

/// Phrases that introduce an answer, at the start of its first line; the line ends with a colon, or a colon separates the phrase from the answer.
const PREFACES: [&str; 16] = [
    "here is",
    "here's",
    "here are",
    "sure",
    "certainly",
    "of course",
    "okay",
    "translation",
    "translated text",
    "the translation",
    "summary",
    "the summary",
    "번역",
    "번역문",
    "번역 결과",
    "요약",
];
/// Maximum length of a preface, in characters.
const MAX_PREFACE_CHARS: usize = 80;

/// The text without thoughts, an enclosing fence, a preface, and quotation marks that `source` does not have. Never longer than the answer;
/// empty if the answer is only a thought.
#[must_use]
pub fn plain(answer: &str, source: &str) -> String {
    let text = without_thoughts(answer);
    let mut text = text.trim();
    if !source.trim_start().starts_with("```")
        && let Some(inside) = fenced(text)
    {
        text = inside;
    }
    text = without_preface(text, source);
    for (open, close) in [('"', '"'), ('“', '”'), ('\'', '\''), ('「', '」'), ('`', '`')] {
        let quoted = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        let source_is = source.trim().starts_with(['"', '“', '\'', '「', '`', '‘']);
        if let Some(inside) = quoted
            && !source_is
            && !inside.contains([open, close])
        {
            text = inside.trim();
            break;
        }
    }
    text.to_owned()
}

fn without_thoughts(answer: &str) -> String {
    let mut rest = thought::without_leading(answer);
    let mut text = String::with_capacity(rest.len());
    while let Some(at) = rest.find(['<', '[']) {
        let (before, here) = rest.split_at(at);
        text.push_str(before);
        rest = match thought::MARKS.iter().find(|(open, _)| here.starts_with(open)) {
            // An unclosed thought extends to the end.
            Some((_, close)) => here.find(close).and_then(|end| here.get(end + close.len()..)).unwrap_or_default(),
            None => {
                let (mark, after) = here.split_at(1);
                text.push_str(mark);
                after
            }
        };
    }
    text.push_str(rest);
    text
}

/// The contents of a fence that encloses the whole text.
fn fenced(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("```")?.strip_suffix("```")?;
    let (language, body) = inside.split_once('\n')?;
    (!body.contains("```") && language.chars().all(|c| c.is_alphanumeric() || c == '_')).then(|| body.trim())
}

fn without_preface<'a>(text: &'a str, source: &str) -> &'a str {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let begins = |line: &str, word: &str| line.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    let known = |line: &str| PREFACES.iter().any(|word| begins(line, word));
    let own = source.trim_start();
    let in_source = PREFACES.iter().any(|word| begins(own, word));
    if in_source || !known(first.trim_start()) {
        return text;
    }
    if first.trim_end().ends_with([':', '：']) && first.chars().count() <= MAX_PREFACE_CHARS && !rest.trim().is_empty()
    {
        return rest.trim_start();
    }
    // "Translation: …" on one line.
    match first.split_once([':', '：']) {
        Some((label, _)) if label.chars().count() <= 20 && label.split_whitespace().count() <= 3 => {
            let after = text.get(label.len()..).unwrap_or_default().trim_start_matches([':', '：']).trim_start();
            if after.is_empty() { text } else { after }
        }
        Some(_) | None => text,
    }
}
