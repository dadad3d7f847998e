//! The tags that model families put around their calls.

use super::call::ToolCall;
use super::parse::Parser;
use super::value::LooseValue;

/// What a tag announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagMeaning {
    /// A call follows.
    Call,
    /// Program text follows.
    Program,
    /// The name of a call follows, then its arguments as an object.
    Name,
    /// Nothing relevant.
    Nothing,
}

/// Tags with their meaning. If one tag is a prefix of another, the longer comes first.
const MARKS: [(&str, TagMeaning); 27] = [
    ("<tool_calls>", TagMeaning::Call),
    ("</tool_calls>", TagMeaning::Nothing),
    ("<tool_call>", TagMeaning::Call),
    ("</tool_call>", TagMeaning::Nothing),
    ("<tools>", TagMeaning::Call),
    ("</tools>", TagMeaning::Nothing),
    ("<function_calls>", TagMeaning::Call),
    ("</function_calls>", TagMeaning::Nothing),
    ("<function_call>", TagMeaning::Call),
    ("</function_call>", TagMeaning::Nothing),
    ("<functioncall>", TagMeaning::Call),
    ("</functioncall>", TagMeaning::Nothing),
    ("</function>", TagMeaning::Nothing),
    ("</invoke>", TagMeaning::Nothing),
    ("<start_of_turn>", TagMeaning::Nothing),
    ("<end_of_turn>", TagMeaning::Nothing),
    ("<|python_tag|>", TagMeaning::Program),
    ("<|tool_call|>", TagMeaning::Call),
    ("<|tool_calls_section_begin|>", TagMeaning::Call),
    ("<|tool_call_begin|>", TagMeaning::Name),
    ("<|action_start|>", TagMeaning::Call),
    ("<｜tool▁calls▁begin｜>", TagMeaning::Call),
    ("<｜tool▁sep｜>", TagMeaning::Name),
    ("[TOOL_CALLS]", TagMeaning::Name),
    ("[TOOL_REQUEST]", TagMeaning::Call),
    ("[END_TOOL_REQUEST]", TagMeaning::Nothing),
    ("[ARGS]", TagMeaning::Nothing),
];
/// Maximum length of a tag of the form `<|…|>`, in characters.
const MAX_TAG_CHARS: usize = 40;

/// Consumes a tag, if there is one here.
pub fn mark(parser: &mut Parser<'_>) -> Option<TagMeaning> {
    if let Some((word, mark)) = MARKS.iter().find(|(word, _)| parser.rest().starts_with(word)) {
        parser.eat(word);
        return Some(*mark);
    }
    for (open, close) in [("<|", "|>"), ("<｜", "｜>")] {
        if parser.rest().starts_with(open) {
            let rest = parser.rest();
            let reach = rest.char_indices().nth(MAX_TAG_CHARS).map_or(rest.len(), |(at, _)| at);
            let end = rest.get(..reach)?.find(close)?;
            parser.eat(rest.get(..end + close.len())?);
            return Some(TagMeaning::Nothing);
        }
    }
    None
}

/// The name in an element such as `<function=name>` or `<invoke name="name">`; the parser is left after it.
fn element(parser: &mut Parser<'_>, tag: &str) -> Option<String> {
    let rest = parser.rest();
    let body = rest.strip_prefix('<')?.strip_prefix(tag)?;
    let reach = body.char_indices().nth(120).map_or(body.len(), |(at, _)| at);
    let end = body.get(..reach)?.find('>')?;
    let inside = body.get(..end)?;
    let name = match inside.strip_prefix('=') {
        Some(name) => name,
        None => inside.trim().strip_prefix("name")?.trim_start().strip_prefix('=')?,
    };
    let name = name.trim().trim_matches(['"', '\'']);
    if name.is_empty() {
        return None;
    }
    parser.eat(rest.get(..1 + tag.len() + end + 1)?);
    Some(name.to_owned())
}

/// A call in elements: `<function=name>`, then an object or `<parameter=key>value</parameter>` for each argument. If only the name is present,
/// it is [`OpenCall::Name`].
pub enum OpenCall {
    /// The whole call; the flag tells whether the text ends before the call does.
    Call(ToolCall, bool),
    /// The name; its arguments follow as an object.
    Name(String),
}

/// Consumes a call in elements, if there is one here.
pub fn elements(parser: &mut Parser<'_>) -> Option<OpenCall> {
    let (name, parameter, close) = match element(parser, "function") {
        Some(name) => (name, "parameter", "</function>"),
        None => (element(parser, "invoke")?, "parameter", "</invoke>"),
    };
    let mut arguments = Vec::new();
    loop {
        parser.blanks();
        if parser.eat(close) {
            return Some(OpenCall::Call(ToolCall::new(name, arguments), false));
        }
        if parser.peek() == Some('{') && arguments.is_empty() {
            return Some(OpenCall::Name(name));
        }
        let Some(key) = element(parser, parameter) else {
            // The closing tag is missing or malformed; the arguments so far are kept.
            let ended = parser.peek().is_none();
            return Some(OpenCall::Call(ToolCall::new(name, arguments), ended));
        };
        let rest = parser.rest();
        let Some(end) = rest.find("</parameter>") else {
            // Truncated within the value, which is dropped.
            parser.eat(rest);
            return Some(OpenCall::Call(ToolCall::new(name, arguments), true));
        };
        let written = rest.get(..end).unwrap_or_default();
        arguments.push((key, argument(written)));
        parser.eat(rest.get(..end + "</parameter>".len()).unwrap_or_default());
    }
}

/// A value between tags: JSON, a number, a truth value or null if it is one, else the text.
fn argument(written: &str) -> LooseValue {
    let text = written.strip_prefix('\n').unwrap_or(written);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let trimmed = text.trim();
    if matches!(trimmed.chars().next(), Some('{' | '[')) {
        let mut parser = Parser::new(trimmed, 0);
        if let Ok(Some(value)) = parser.value()
            && parser.rest().is_empty()
            && parser.cut == super::Cut::Nothing
        {
            return value;
        }
    }
    match trimmed {
        "true" | "True" => LooseValue::Bool(true),
        "false" | "False" => LooseValue::Bool(false),
        "null" | "None" => LooseValue::Null,
        _ => match super::parse::number(trimmed) {
            Some(number) => LooseValue::Number(number),
            None => LooseValue::Text(text.to_owned()),
        },
    }
}
