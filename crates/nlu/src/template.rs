//! Templates of phrases: `a [b] (c|d)` is a phrase with b or without, and with c or d. A verb in `<…>` stands for its forms.

/// The phrases of a template, words apart by single spaces; nothing if a bracket is not closed.
///
/// At most `most` phrases: the number grows with each alternative.
#[must_use]
pub fn expand(template: &str, most: usize) -> Vec<String> {
    let chars: Vec<char> = template.chars().collect();
    let mut at = 0;
    let phrases = alternatives(&chars, &mut at, most, 0).unwrap_or_default();
    if at < chars.len() {
        return Vec::new();
    }
    let mut phrases: Vec<String> =
        phrases.into_iter().map(|phrase| phrase.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    phrases.retain(|phrase| !phrase.is_empty());
    phrases.sort_unstable();
    phrases.dedup();
    phrases
}

fn alternatives(chars: &[char], at: &mut usize, most: usize, depth: usize) -> Option<Vec<String>> {
    let mut all = Vec::new();
    let mut row = vec![String::new()];
    while let Some(&c) = chars.get(*at) {
        match c {
            '[' | '(' if depth < 16 => {
                *at += 1;
                let mut inner = alternatives(chars, at, most, depth + 1)?;
                if chars.get(*at) != Some(if c == '[' { &']' } else { &')' }) {
                    return None;
                }
                if c == '[' {
                    inner.push(String::new());
                }
                let mut product = Vec::with_capacity(row.len() * inner.len());
                for left in &row {
                    for right in &inner {
                        product.push(format!("{left}{right}"));
                    }
                }
                product.truncate(most);
                row = product;
            }
            '|' => all.append(&mut std::mem::replace(&mut row, vec![String::new()])),
            ']' | ')' => break,
            '[' | '(' => return None,
            c => row.iter_mut().for_each(|phrase| phrase.push(c)),
        }
        *at += 1;
    }
    all.append(&mut row);
    all.truncate(most);
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    // VOI-2
    #[test]
    fn templates_are_expanded_voi_2() {
        for (template, expect) in [
            ("a", vec!["a"]),
            ("a [b]", vec!["a", "a b"]),
            ("(a|b) c", vec!["a c", "b c"]),
            ("a(b|c)[d]", vec!["ab", "abd", "ac", "acd"]),
            ("a|b", vec!["a", "b"]),
            ("[a [b]] c", vec!["a b c", "a c", "c"]),
            ("(a", vec![]),
            ("a)", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(expand(template, 100), expect, "{template}");
        }
        assert!(expand(&"(a|b)".repeat(30), 64).len() <= 64);
        assert!(expand(&"(".repeat(10_000), 64).is_empty());
    }
}
