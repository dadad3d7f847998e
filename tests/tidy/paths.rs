//! The paths that a Rust file names, in `use` and in code, without a parser: tokens suffice. Ignores comments, strings and tests.

use std::collections::{BTreeMap, BTreeSet};

/// The paths in a file.
#[derive(Debug, Default)]
pub struct Paths {
    pub all: BTreeSet<Vec<String>>,
    /// Imports by their local name.
    pub imported: BTreeMap<String, Vec<String>>,
}

pub fn paths(text: &str) -> Paths {
    let tokens = without_tests(&tokens(text));
    let (mut found, mut at) = (Paths::default(), 0);
    while let Some(&token) = tokens.get(at) {
        if token == "use" {
            at = tree(&tokens, at + 1, &[], &mut found);
        } else if is_name(token) && tokens.get(at + 1) == Some(&"::") {
            let mut path = vec![token.to_owned()];
            while tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(|next| is_name(next)) {
                path.push(tokens[at + 2].to_owned());
                at += 2;
            }
            found.all.insert(path);
        }
        at += 1;
    }
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Parses the `use` tree at `at`; returns the position of the token that ends it.
fn tree(tokens: &[&str], mut at: usize, above: &[String], found: &mut Paths) -> usize {
    let (mut path, mut alias) = (above.to_vec(), None);
    while let Some(&token) = tokens.get(at) {
        match token {
            "," | "}" | ";" => break,
            "{" => {
                while tokens.get(at).is_some_and(|sign| ["{", ","].contains(sign)) {
                    at = tree(tokens, at + 1, &path, found);
                }
                return at + 1;
            }
            "as" => alias = tokens.get(at + 1).map(|name| (*name).to_owned()),
            "self" if !path.is_empty() => {}
            _ if is_name(token) && alias.is_none() => path.push(token.to_owned()),
            _ => {}
        }
        at += 1;
    }
    if let Some(name) = alias.or_else(|| path.last().cloned()) {
        found.imported.insert(name, path.clone());
        found.all.insert(path);
    }
    at
}

/// Names, numbers, `::` and single punctuation characters.
pub fn tokens(text: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let is_raw = ["r", "br"].contains(&&rest[..word]) && rest[word..].trim_start_matches('#').starts_with('"');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if is_raw {
            let hashes = rest[word..].find('"').unwrap_or(0);
            let end = format!("\"{}", "#".repeat(hashes));
            let text = word + hashes + 1;
            rest[text..].find(&end).map_or(rest.len(), |at| text + at + end.len())
        } else if first == '"' {
            string(rest)
        } else if first == '\'' {
            character(rest)
        } else {
            let length = if rest.starts_with("::") { 2 } else { word.max(first.len_utf8()) };
            if !first.is_whitespace() {
                found.push(&rest[..length]);
            }
            length
        };
        rest = &rest[length..];
    }
    found
}

/// Length of the string literal that begins here.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        is_end
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// Length of the character literal that begins here; 1 for a lifetime.
fn character(text: &str) -> usize {
    let inside = &text[1..];
    if inside.starts_with('\\') {
        return inside[2..].find('\'').map_or(text.len(), |end| end + 4);
    }
    let length = inside.chars().next().map_or(0, char::len_utf8);
    if inside[length..].starts_with('\'') { length + 2 } else { 1 }
}

/// Removes the items of `#[cfg(test)]` and `#[cfg(all(test, …))]`.
fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_test = |cfg: &[&str]| tokens[at..].starts_with(cfg);
        if is_test(&["#", "[", "cfg", "(", "test"]) || is_test(&["#", "[", "cfg", "(", "all", "(", "test"]) {
            let ends = |sign: &&str| ["{", ";"].contains(sign);
            at = tokens[at..].iter().position(ends).map_or(tokens.len(), |end| at + end);
            let mut depth = 0;
            while let Some(&token) = tokens.get(at) {
                depth += i32::from(token == "{") - i32::from(token == "}");
                at += 1;
                if depth == 0 {
                    break;
                }
            }
        } else {
            found.push(tokens[at]);
            at += 1;
        }
    }
    found
}

#[test]
fn paths_are_found_in_uses_and_in_code() {
    let check = |text: &str, expect: &str| {
        let Paths { all, imported } = paths(text);
        let joined = all.into_iter().map(|path| {
            let name = imported.iter().find(|(_, imported)| **imported == path).map(|(name, _)| format!("={name}"));
            path.join(".") + &name.unwrap_or_default()
        });
        assert_eq!(joined.collect::<Vec<_>>().join(" "), expect, "{text}");
    };
    check("use a::b;", "a.b=b");
    check(
        "pub use super::a::{self, b as c, d::{E, F}, g::*};",
        "super.a=a super.a.b=c super.a.d.E=E super.a.d.F=F super.a.g=g",
    );
    check("fn f<'a>(x: &'a str) { crate::a::b(x, 'c', '\\'', '\\u{1}'); }", "crate.a.b");
    check("// a::b\nlet x = \"c::d \\\" e::f\"; /* g::h */ r#\"i::\"j\"#; b\"k::l\"", "");
    check("#[cfg(test)]\nmod tests { use a::b; }\n#[cfg(all(test, unix))]\nmod more;\nc::d()", "c.d");
}
