//! YAML syntax errors in plain sentences: the parser's own messages mean nothing to the person who wrote the file (CFG-2).

use serde_saphyr::Error;

use super::error::ConfigFault;

/// What is wrong and how to mend it, without the parser's terms.
pub fn explain(error: &Error, text: &str) -> ConfigFault {
    let (message, remedy) = by_kind(error, text).unwrap_or_else(|| by_message(&error.to_string(), &at(error, text)));
    ConfigFault::Syntax { message, remedy }
}

/// Errors that the parser distinguishes by variant.
fn by_kind(error: &Error, text: &str) -> Option<(String, String)> {
    const MARK: &str = "Leave the mark out: Luna finds out by itself what a value is.";
    let say = |message: &str, remedy: &str| Some((message.to_owned(), remedy.to_owned()));
    match error {
        Error::WithSnippet { error, .. } => by_kind(error, text),
        Error::AliasError { error, .. } => by_kind(error, text),
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or_default();
            say(&format!("the key \"{key}\" is a duplicate: it stands above already"), "Keep one of the two.")
        }
        Error::UnknownAnchor { .. } => {
            let word = at(error, text);
            let name = word.strip_prefix('*').unwrap_or(&word);
            say(
                &format!("\"*{name}\" stands for what is marked with \"&{name}\", and nothing above is"),
                "Mark it there, or put the text in quotes if it only begins with *.",
            )
        }
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            say("this stands for something that it is itself a part of, so it would never end", "Take the * out.")
        }
        Error::MultipleDocuments { .. } => {
            say("a second document begins before this", "Keep one: take the line --- or ... between them out.")
        }
        Error::NonFiniteFloat { value, .. } => {
            say(&format!("\"{value}\" is no number that can be counted with"), "Write an ordinary number.")
        }
        Error::NullIntoString { .. } | Error::Unexpected { .. } | Error::UnexpectedValueForUnit { .. } => {
            say("a key has to be text", "Write it as in \"rate: 1\", without brackets.")
        }
        Error::InvalidBooleanStrict { .. }
        | Error::InvalidScalar { .. }
        | Error::InvalidBinaryBase64 { .. }
        | Error::BinaryNotUtf8 { .. }
        | Error::BytesNotSupportedMissingBinaryTag { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. }
        | Error::UnsupportedTag { .. } => say("the value does not fit the mark with ! before it", MARK),
        Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            say("what is repeated here with * grows beyond any configuration", "Write out what is meant.")
        }
        Error::Budget { .. } if error.to_string().contains("Depth") => say(TOO_DEEP.0, TOO_DEEP.1),
        Error::Budget { .. } => say("there is more in this file than in any configuration", "Is it the right file?"),
        _ => None,
    }
}

/// Maximum nesting of values; a configuration has six levels. The parser enforces it except for brackets: `{a: {a: …` overflows its stack first.
pub const MAX_NESTING: usize = 24;

/// Line and column, from 1, of the first bracket nested deeper than [`MAX_NESTING`].
pub fn nested_too_deeply(text: &str) -> Option<(u64, u64)> {
    let (mut line, mut column, mut depth, mut quote, mut before) = (1, 0, 0_usize, None, ' ');
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        (line, column) = if c == '\n' { (line + 1, 0) } else { (line, column + 1) };
        match (quote, c) {
            // A comment ends with its line.
            (Some('#'), '\n') => quote = None,
            (Some('"'), '\\') => {
                column += 1;
                chars.next();
            }
            (Some(end), c) if c == end && end != '#' => quote = None,
            (Some(_), _) => {}
            // Within a word, quotes are ordinary characters.
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
            (None, '#') if before.is_whitespace() => quote = Some('#'),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        if depth > MAX_NESTING {
            return Some((line, column));
        }
        before = c;
    }
    None
}

/// The error for a text that is nested too deeply.
pub fn too_deep() -> ConfigFault {
    ConfigFault::Syntax { message: TOO_DEEP.0.to_owned(), remedy: TOO_DEEP.1.to_owned() }
}

const TOO_DEEP: (&str, &str) = ("this is nested deeper than any configuration", "Take the inner levels out.");
const INDENTED: &str = "Begin it exactly below its neighbours, indented with spaces; and put a value that holds special characters in quotes.";

/// Errors that only the scanner's message distinguishes: a part of that message, what is wrong, how to mend it.
const WORDS: [(&str, &str, &str); 24] = [
    ("unclosed bracket", "the bracket that opens here is never closed", "Close it."),
    ("misplaced bracket", "a bracket is closed that was not opened", "Take it out, or put the text in quotes."),
    ("mismatched bracket", "the bracket that opens here is closed by one of another kind", "Close [ by ] and { by }."),
    ("unclosed quote", "the quoted text that begins here never ends", "Close the quote."),
    ("tabs disallowed", "a tab indents this line", "Indent with spaces."),
    (
        "mapping values are not allowed",
        "a colon stands where no key can be",
        "Put the text in quotes if the colon belongs to it; else begin the line exactly below its neighbours, each key with a colon and a space.",
    ),
    (
        "mapping keys are not allowed",
        "a key begins where none can be",
        "Put the text in quotes, or write \"key: value\" on a line of its own.",
    ),
    (
        "block sequence entries are not allowed",
        "a dash stands where no list can begin",
        "Begin the list on a line of its own.",
    ),
    (
        "expected '-' indicator",
        "this line is no part of the list above",
        "Begin it with a dash, or exactly below the key of the list.",
    ),
    (
        "did not find expected key",
        "this line does not begin where its neighbours do, or something stands behind a value",
        INDENTED,
    ),
    ("simple key expected", "this line has no colon", "Write \"key: value\", or put the text above in quotes."),
    ("unexpected EOF while parsing an implicit flow", "a comma stands here without a value before it", "Take it out."),
    ("YAML major version", "this is written for another version of YAML", "Take the line with %YAML out."),
    ("hexadecimal number", "a backslash in this quoted text means nothing", "Write two for one, or use single quotes."),
    ("surrogate", "a backslash in this quoted text means nothing", "Write the character itself."),
    ("unknown escape", "a backslash in this quoted text means nothing", "Write two for one, or use single quotes."),
    ("BOM", "an invisible mark (U+FEFF) stands here", "Delete it, and save the file as UTF-8."),
    (
        "multiline quoted scalar",
        "the quoted text goes on at the margin",
        "Indent its further lines, or write it on one.",
    ),
    (
        "block scalar",
        "the text behind | or > is not indented evenly",
        "Indent all of its lines alike, and write no number behind | or >.",
    ),
    ("trailing content", "something stands behind the closing quote", "Put all of the text in quotes."),
    ("anchor or alias", "& or * stands here without a name", "Put the text in quotes if it begins so."),
    ("tag", "a mark with ! is not complete", "Leave it out, or put the text in quotes if it begins so."),
    ("recursion limit", TOO_DEEP.0, TOO_DEEP.1),
    ("trailing comma", "a comma stands here without a value behind it", "Take it out."),
];

fn by_message(words: &str, word: &str) -> (String, String) {
    if words.contains("unexpected character") {
        return unexpected_character(word.chars().next());
    }
    let known = WORDS.iter().find(|(part, ..)| words.contains(part));
    let (message, remedy) =
        known.map_or(("this can't be understood as YAML", INDENTED), |(_, what, how)| (*what, *how));
    (message.to_owned(), remedy.to_owned())
}

/// What is wrong and how to mend it if a character can't begin a value, or can't be in the file at all.
fn unexpected_character(found: Option<char>) -> (String, String) {
    match found {
        Some('\0') => (
            "a zero byte stands here, so this is no plain text".to_owned(),
            "Save the file as UTF-8 (not as UTF-16).".to_owned(),
        ),
        Some(c) if c.is_control() => {
            (format!("a control character (U+{:04X}) stands here", u32::from(c)), "Delete it.".to_owned())
        }
        Some(c) => (format!("no value may begin with {c}"), "Put the text in quotes.".to_owned()),
        None => ("something is missing here".to_owned(), INDENTED.to_owned()),
    }
}

/// The word at the position of the error.
fn at(error: &Error, text: &str) -> String {
    let Some(place) = error.location() else { return String::new() };
    let line = usize::try_from(place.line()).ok().and_then(|line| text.lines().nth(line.saturating_sub(1)));
    let rest = line.unwrap_or_default().chars().skip(usize::try_from(place.column()).unwrap_or(1).saturating_sub(1));
    rest.take_while(|c| !c.is_whitespace() && !matches!(c, ',' | ']' | '}')).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // CFG-2
    #[test]
    fn brackets_are_counted_where_they_are_brackets_cfg_2() {
        let deep = "[".repeat(MAX_NESTING + 1);
        let check = |text: String, expect: Option<(u64, u64)>| assert_eq!(nested_too_deeply(&text), expect, "{text}");
        check(format!("a: {deep}"), Some((1, 28)));
        check(format!("a: 1\nb:\n  {}", "{a: ".repeat(80)), Some((3, 99)));
        check(format!("a: {}{}", "[".repeat(MAX_NESTING), "]".repeat(MAX_NESTING)), None);
        check("a: [{}]\n".repeat(100), None);
        check(format!("a: \"{deep} \\\" {deep}\"\nb: '{deep}' # {deep}\n# {deep}"), None);
        check(format!("a: it's\nb: {deep}"), Some((2, 28)));
    }
}
