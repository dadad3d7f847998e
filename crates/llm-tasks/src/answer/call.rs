//! Extracts tool calls from the objects and program text that models write.

use super::parse::{AnswerSyntaxError, Parsed, Parser};
use super::value::LooseValue;
use super::{Cut, DEPTH};

/// Keys under which model families put a call's arguments.
const ARGUMENTS: [&str; 8] =
    ["arguments", "parameters", "args", "input", "params", "kwargs", "tool_input", "action_input"];
/// Keys under which they put its name.
const NAMES: [&str; 7] = ["name", "function", "tool", "tool_name", "function_name", "recipient_name", "action"];

/// A name and its arguments, as a model wrote them; not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub name: String,
    /// Named arguments, in the order written.
    pub arguments: Vec<(String, LooseValue)>,
    /// Positional arguments; only program text has them.
    pub positional: Vec<LooseValue>,
}

impl ToolCall {
    #[must_use]
    pub const fn new(name: String, arguments: Vec<(String, LooseValue)>) -> Self {
        Self { name, arguments, positional: Vec::new() }
    }

    /// The value of an argument; the first if the name occurs twice.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&LooseValue> {
        self.arguments.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

/// The calls in a value; `None` if it is not a call. `expected`: a tag announced a call, so a name alone is enough.
pub fn calls_in_value(value: &LooseValue, expected: bool) -> Option<Vec<ToolCall>> {
    match value {
        LooseValue::List(elements) if !elements.is_empty() => {
            let calls: Option<Vec<Vec<ToolCall>>> =
                elements.iter().map(|element| calls_in_value(element, expected)).collect();
            calls.map(|calls| calls.into_iter().flatten().collect())
        }
        LooseValue::Object(entries) => {
            if let Some(calls) = value.get("tool_calls").or_else(|| value.get("function_calls")) {
                return calls_in_value(calls, true);
            }
            // One more envelope: {"type": "function", "function": {…}}.
            if let Some(inner) =
                ["function", "function_call", "functionCall", "tool_call"].iter().find_map(|key| value.get(key))
                && inner.is_object()
            {
                return calls_in_value(inner, true);
            }
            call_in_object(value, entries, expected).map(|call| vec![call])
        }
        LooseValue::Null | LooseValue::Bool(_) | LooseValue::Number(_) | LooseValue::Text(_) | LooseValue::List(_) => {
            None
        }
    }
}

fn call_in_object(value: &LooseValue, entries: &[(String, LooseValue)], expected: bool) -> Option<ToolCall> {
    let given = ARGUMENTS.iter().find_map(|key| value.get(key).map(|arguments| (*key, arguments)));
    let named = NAMES.iter().find_map(|key| value.get(key)?.as_text().map(|name| (*key, name)));
    let (key, name) = named?;
    // {"action": …, "params": …} is Luna's own DSL; only ReAct's pair is a call.
    if key == "action" && given.is_none_or(|(key, _)| key != "action_input") {
        return None;
    }
    if name.trim().is_empty() {
        return None;
    }
    let arguments = match given {
        Some((_, LooseValue::Object(arguments))) if !is_definition(arguments) => arguments.clone(),
        // Some models write the object as a string within the object.
        Some((_, LooseValue::Text(text))) => match inner(text)? {
            LooseValue::Object(arguments) => arguments,
            _ => return None,
        },
        Some((_, LooseValue::Null)) => Vec::new(),
        Some((_, LooseValue::List(elements))) if elements.is_empty() => Vec::new(),
        Some(_) => return None,
        None if expected && entries.iter().all(|(key, _)| matches!(key.as_str(), "name" | "id" | "type")) => Vec::new(),
        None => return None,
    };
    Some(ToolCall::new(name.trim().to_owned(), arguments))
}

/// Whether the arguments are a tool description that the model repeats, which is not a call.
fn is_definition(arguments: &[(String, LooseValue)]) -> bool {
    let has = |key: &str| arguments.iter().any(|(name, _)| name == key);
    let kind = arguments.iter().find(|(name, _)| name == "type").and_then(|(_, value)| value.as_text());
    has("properties") && matches!(kind, Some("object" | "dict"))
}

/// Parses a string that is exactly one object.
fn inner(text: &str) -> Option<LooseValue> {
    if text.trim().is_empty() {
        return Some(LooseValue::Object(Vec::new()));
    }
    let mut parser = Parser::new(text, 0);
    parser.blanks();
    if parser.peek() != Some('{') {
        return None;
    }
    let value = parser.object().ok().flatten()?;
    parser.blanks();
    (parser.peek().is_none() && parser.cut == Cut::Nothing).then_some(value)
}

/// Parses a call in program text: `name(a=1, b="x")`, also within `print(…)` and after `result = `. The parser is positioned before its name.
pub fn parse_program_call(parser: &mut Parser<'_>) -> Parsed<ToolCall> {
    let code = std::mem::replace(&mut parser.code, true);
    let call = program(parser, 0);
    parser.code = code;
    call
}

fn program(parser: &mut Parser<'_>, within: usize) -> Parsed<ToolCall> {
    let name = parser.name();
    if name.is_empty() || within > DEPTH {
        return Err(AnswerSyntaxError);
    }
    parser.blanks();
    match parser.peek() {
        Some('=') if within == 0 => {
            parser.bump();
            parser.blanks();
            return program(parser, within + 1);
        }
        Some('(') => {}
        _ if name == "await" => return program(parser, within + 1),
        Some(_) | None => return Err(AnswerSyntaxError),
    }
    parser.enter_call()?;
    let call = if name == "print" {
        parser.blanks();
        let inner = program(parser, within + 1)?;
        if inner.is_some() && !parser.call_ends() {
            return Err(AnswerSyntaxError);
        }
        inner
    } else {
        arguments(parser)?.map(|(arguments, positional)| ToolCall { name: plain_name(&name), arguments, positional })
    };
    parser.leave_call();
    Ok(call)
}

type CallArguments = (Vec<(String, LooseValue)>, Vec<LooseValue>);

fn arguments(parser: &mut Parser<'_>) -> Parsed<CallArguments> {
    let (mut named, mut positional) = (Vec::new(), Vec::new());
    loop {
        if parser.call_ends() {
            break;
        }
        let ahead = parser.name_ahead();
        let behind = parser.rest().get(ahead.len()..).unwrap_or_default().trim_start();
        if !ahead.is_empty() && (behind.starts_with('=') && !behind.starts_with("==") || behind.starts_with(':')) {
            parser.eat(ahead);
            parser.blanks();
            parser.bump();
            let Some(value) = parser.value()? else { break };
            named.push((ahead.to_owned(), value));
        } else {
            // `**{…}` is equivalent to its entries.
            parser.eat("**");
            match parser.value()? {
                Some(LooseValue::Object(entries)) => named.extend(entries),
                Some(value) => positional.push(value),
                None => break,
            }
        }
        parser.has_complete_part = true;
    }
    Ok(Some((named, positional)))
}

/// Llama calls its built-in tools as `name.call(…)`.
fn plain_name(name: &str) -> String {
    name.strip_suffix(".call").unwrap_or(name).to_owned()
}
