//! The regular expressions that a grammar enforces: from `^` to `$`; plain characters, character sets, groups, `|`, `?`, `*`, `+`, `{n}`,
//! `{n,m}`.
//!
//! The grammar converter silently turns unknown syntax into any text, and writes characters of a set into the answer unescaped, so that a
//! quotation mark among them would end the string: sets may not contain a quotation mark, a backslash, or a character class.

use std::iter::Peekable;
use std::str::Chars;

/// Maximum repetitions.
const MAX_REPETITIONS: u32 = 1000;
/// Maximum nesting of groups.
const MAX_DEPTH: u32 = 16;
/// Characters that stand for themselves after a backslash, outside of sets.
const ESCAPED: &str = "^$.[]()|{}*+?";

/// Checks a pattern.
///
/// # Errors
/// Why the grammar can't enforce the pattern, as the end of a sentence.
pub(super) fn check(pattern: &str) -> Result<(), String> {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let Some(inner) = inner.filter(|inner| !inner.ends_with('\\')) else {
        return Err("it has to begin with ^ and end with $".to_owned());
    };
    let mut rest = inner.chars().peekable();
    sequence(&mut rest, 0)
}

/// Reads up to the end, or to the end of the group.
fn sequence(rest: &mut Peekable<Chars>, depth: u32) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err("its groups are nested too deep".to_owned());
    }
    let mut repeats = false;
    while let Some(character) = rest.next() {
        repeats = match character {
            ')' if depth > 0 => return Ok(()),
            ')' => return Err("a group is not opened".to_owned()),
            '(' => {
                group(rest, depth)?;
                true
            }
            '[' => {
                set(rest)?;
                true
            }
            '|' => false,
            '^' | '$' => return Err("^ and $ stand at its ends only".to_owned()),
            '*' | '+' | '?' | '{' if !repeats => {
                return Err(format!("nothing stands before {character} to be repeated"));
            }
            '*' | '+' | '?' => false,
            '{' => {
                times(rest)?;
                false
            }
            '\\' => match rest.next() {
                Some(next) if ESCAPED.contains(next) => true,
                Some(next) => return Err(format!("\\{next} is not supported; write a set such as [0-9]")),
                None => return Err("it ends with a backslash".to_owned()),
            },
            ']' | '}' => return Err(format!("{character} is not opened")),
            character => {
                plain(character)?;
                true
            }
        };
    }
    if depth > 0 { Err("a group is not closed".to_owned()) } else { Ok(()) }
}

fn group(rest: &mut Peekable<Chars>, depth: u32) -> Result<(), String> {
    if rest.next_if_eq(&'?').is_some() && rest.next() != Some(':') {
        return Err("looking ahead or behind, named groups and flags are not supported".to_owned());
    }
    sequence(rest, depth + 1)
}

fn plain(character: char) -> Result<(), String> {
    if character == '"' || character == '\\' || character.is_control() {
        return Err("quotation marks, backslashes and control characters are not supported".to_owned());
    }
    Ok(())
}

fn set(rest: &mut Peekable<Chars>) -> Result<(), String> {
    if rest.peek() == Some(&'^') {
        return Err("a set of all characters but some is not supported; list those that may be there".to_owned());
    }
    let mut before = None;
    let mut is_empty = true;
    loop {
        let character = match rest.next() {
            Some(']') if is_empty => return Err("a set is empty".to_owned()),
            Some(']') => return Ok(()),
            Some('\\') => return Err("a backslash in a set is not supported".to_owned()),
            Some('-') if before.is_some() && rest.peek().is_some_and(|next| *next != ']') => {
                let (Some(from), Some(to)) = (before.take(), rest.next()) else { continue };
                plain(to)?;
                if to == '[' || from > to || ['"', '\\'].iter().any(|mark| (from..=to).contains(mark)) {
                    return Err(format!("the range {from}-{to} is not supported"));
                }
                continue;
            }
            Some('[') => return Err("[ in a set is not supported".to_owned()),
            Some(character) => character,
            None => return Err("a set is not closed".to_owned()),
        };
        plain(character)?;
        is_empty = false;
        before = Some(character);
    }
}

fn times(rest: &mut Peekable<Chars>) -> Result<(), String> {
    let inner: String = rest.by_ref().take_while(|character| *character != '}').collect();
    let number = |text: &str| text.parse::<u32>().ok().filter(|times| *times <= MAX_REPETITIONS);
    let right = match inner.split_once(',') {
        None => number(&inner).is_some(),
        Some((least, "")) => number(least).is_some(),
        Some((least, most)) => number(least).zip(number(most)).is_some_and(|(least, most)| least <= most),
    };
    if right { Ok(()) } else { Err(format!("{{{inner}}} is not supported; at most {MAX_REPETITIONS} repetitions are")) }
}
