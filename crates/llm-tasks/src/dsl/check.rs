//! Turns an answer into a command, or rejects it (DSL-4, DSL-5).

use luna_messages::Fidelity;
use luna_messages::dsl::{Action, DslAnswer, DslCommand, DslParams, DslTarget, DslTask, ReadingAnswer};
use luna_messages::reading::Intent;

use super::fields::{Fields, has_coordinates, text};
use super::{ID_CHARS, KEY_CHARS, MAX_LINES, MAX_OPTIONS, MAX_STEPS, OPTION_CHARS, Offer, Rejection, VALUE_CHARS};
use crate::answer::{self, AnswerPart, Cut, LooseValue, ParsedAnswer, ToolCall};

/// Names of calls that only wrap the answer.
const WRAPPERS: [&str; 8] = ["answer", "respond", "response", "command", "commands", "plan", "dsl", "result"];

/// Parses the answer of any model and validates it with [`validate`].
///
/// # Errors
/// The answer is missing, truncated or malformed, or a part of it was not offered or does not fit the task.
pub fn read(task: DslTask, said: &str, offer: &Offer) -> Result<DslAnswer, Rejection> {
    match task {
        DslTask::TranslateFaithful | DslTask::SummarizeShort => {
            let text = answer::plain(said, "");
            if text.is_empty() { Err(Rejection::NoAnswer) } else { Ok(DslAnswer::Text(text)) }
        }
        DslTask::NluIntent | DslTask::SelectionDisambiguation | DslTask::MacroPlan => {
            validate(task, &answer::read(said), offer)
        }
    }
}

/// The command, reading mode or plan of the answer, if every part of it was offered and it fits the task. Only complete answers count: a
/// truncated one is requested again, not guessed at.
///
/// # Errors
/// The answer is missing, truncated or malformed, or a part of it was not offered or does not fit the task.
pub fn validate(task: DslTask, said: &ParsedAnswer, offer: &Offer) -> Result<DslAnswer, Rejection> {
    let values = values(said)?;
    if said.cut == Cut::Value {
        return Err(Rejection::CutOff);
    }
    if said.damaged {
        return Err(Rejection::Damaged);
    }
    if values.is_empty() {
        return Err(Rejection::NoAnswer);
    }
    if task == DslTask::MacroPlan {
        if values.len() > MAX_STEPS {
            return Err(Rejection::Steps { count: values.len(), most: MAX_STEPS });
        }
        return values.iter().map(|value| command(value, offer)).collect::<Result<_, _>>().map(DslAnswer::Plan);
    }
    let mut answers = Vec::new();
    for value in &values {
        let answer = parse_answer(task, value, offer)?;
        if !answers.contains(&answer) {
            answers.push(answer);
        }
    }
    let count = answers.len();
    // Equal answers count once.
    answers.pop().filter(|_| count == 1).ok_or(Rejection::Several { count })
}

/// The objects of an answer, with calls rewritten as commands.
fn values(said: &ParsedAnswer) -> Result<Vec<LooseValue>, Rejection> {
    let mut values = Vec::new();
    for part in &said.parts {
        let value = match part {
            AnswerPart::Value(value) => value.clone(),
            AnswerPart::Call(call) => command_from_call(call)?,
        };
        flatten(value, &mut values)?;
    }
    Ok(values)
}

fn flatten(value: LooseValue, values: &mut Vec<LooseValue>) -> Result<(), Rejection> {
    match value {
        LooseValue::List(elements) => elements.into_iter().try_for_each(|element| match element {
            object @ LooseValue::Object(_) => {
                values.push(object);
                Ok(())
            }
            _ => Err(Rejection::Wrong { field: "answer", expected: "an object, or a list of objects" }),
        }),
        LooseValue::Object(mut entries) => {
            // {"commands": […]}: a plan in an envelope.
            match entries.as_mut_slice() {
                [(name, inside @ (LooseValue::List(_) | LooseValue::Object(_)))]
                    if WRAPPERS.contains(&name.to_lowercase().as_str()) =>
                {
                    let inside = std::mem::replace(inside, LooseValue::Null);
                    flatten(inside, values)
                }
                _ => {
                    values.push(LooseValue::Object(entries));
                    Ok(())
                }
            }
        }
        LooseValue::Null | LooseValue::Bool(_) | LooseValue::Number(_) | LooseValue::Text(_) => {
            Err(Rejection::Wrong { field: "answer", expected: "an object, or a list of objects" })
        }
    }
}

/// A call named after an action is that action; a wrapper call stands for its arguments.
fn command_from_call(call: &ToolCall) -> Result<LooseValue, Rejection> {
    let named = |field: &str| call.arguments.iter().any(|(name, _)| name == field);
    if !call.positional.is_empty() {
        return Err(Rejection::Wrong { field: "answer", expected: "an object with named fields" });
    }
    let mut arguments = call.arguments.clone();
    if Action::ALL.iter().any(|action| action.name() == call.name) && !named("action") {
        arguments.insert(0, ("action".to_owned(), LooseValue::Text(call.name.clone())));
    } else if !WRAPPERS.contains(&call.name.to_lowercase().as_str()) && !named("action") && !named("intent") {
        return Err(Rejection::NoAnswer);
    }
    Ok(LooseValue::Object(arguments))
}

fn parse_answer(task: DslTask, value: &LooseValue, offer: &Offer) -> Result<DslAnswer, Rejection> {
    let fields = Fields::of(value, "answer")?;
    match (task, fields.has("action"), fields.has("intent")) {
        (_, true, true) => Err(Rejection::NotWith { field: "intent", action: Action::Clarify }),
        (DslTask::NluIntent, false, true) => reading(fields).map(DslAnswer::Reading),
        (_, false, true) => Err(Rejection::NotForTask { task }),
        (_, _, false) => command(value, offer).map(DslAnswer::Command),
    }
}

fn reading(mut fields: Fields<'_>) -> Result<ReadingAnswer, Rejection> {
    let intent = fields.one_of("intent", "read, translate, spell, numbers or summarize")?;
    let intent: Intent = intent.ok_or(Rejection::Missing { field: "intent" })?;
    let mode = fields.one_of("mode", "faithful or natural")?;
    let mode: Fidelity = mode.ok_or(Rejection::Missing { field: "mode" })?;
    let lang_tgt = fields.one_of("lang_tgt", "ko or en")?;
    let line_offset = match fields.take("line_offset")? {
        None => None,
        Some(value) => {
            let wrong = Rejection::Wrong { field: "line_offset", expected: "a whole number from -1000 to 1000" };
            let lines = value.as_integer().and_then(|lines| i32::try_from(lines).ok());
            Some(lines.filter(|lines| lines.abs() <= MAX_LINES).ok_or(wrong)?)
        }
    };
    fields.end()?;
    Ok(ReadingAnswer { intent, mode, lang_tgt, line_offset })
}

fn command(value: &LooseValue, offer: &Offer) -> Result<DslCommand, Rejection> {
    let mut fields = Fields::of(value, "answer")?;
    let expected = "invoke, set_value, toggle, select, scroll, key, hotkey or clarify";
    let action = fields.one_of("action", expected)?;
    let target = fields.take("target")?.map(|target| self::target(target, offer)).transpose()?;
    let params = fields.take("params")?.map(self::params).transpose()?.unwrap_or_default();
    let options = fields.take("options")?.map(self::options).transpose()?.unwrap_or_default();
    // Forbidden fields are reported before missing ones, so a coordinate is reported as such.
    fields.end()?;
    let action: Action = action.ok_or(Rejection::Missing { field: "action" })?;
    // A usual order is for the rules alone (DSL-6): a model is not offered it.
    if !Action::ALL.contains(&action) {
        return Err(Rejection::Wrong { field: "action", expected });
    }
    let command = DslCommand { action, target, params, options };
    fits(&command)?;
    Ok(command)
}

fn target(value: &LooseValue, offer: &Offer) -> Result<DslTarget, Rejection> {
    // Some models write the id itself instead of the object that holds it.
    let id = match value.as_text() {
        Some(_) => text(value, "target.id", ID_CHARS)?,
        None => {
            let mut fields = Fields::of(value, "target")?;
            let id = fields.text("id", ID_CHARS)?;
            fields.end()?;
            id.ok_or(Rejection::Missing { field: "target.id" })?
        }
    };
    if !offer.has(id) {
        return Err(Rejection::NotOffered { id: Rejection::short(id) });
    }
    Ok(DslTarget { id: id.to_owned() })
}

fn params(value: &LooseValue) -> Result<DslParams, Rejection> {
    let mut fields = Fields::of(value, "params")?;
    let value = match fields.take("value")? {
        // A field takes text, also if it is all digits.
        Some(LooseValue::Number(digits)) => Some(digits.clone()),
        Some(LooseValue::Text(value)) if value.is_empty() => Some(String::new()),
        Some(value) => Some(text(value, "params.value", VALUE_CHARS)?.to_owned()),
        None => None,
    };
    let direction = fields.one_of("direction", "up or down")?;
    let amount = fields.one_of("amount", "small, page or end")?;
    let key = fields.text("key", KEY_CHARS)?.map(|key| keys(key, "params.key")).transpose()?;
    let hotkey = fields.text("hotkey", KEY_CHARS)?.map(|keys_| keys(keys_, "params.hotkey")).transpose()?;
    fields.end()?;
    Ok(DslParams { value, direction, amount, key, hotkey })
}

/// Validates key names: words joined by `+`. A single character is a key of its own.
fn keys(named: &str, field: &'static str) -> Result<String, Rejection> {
    let named = named.trim();
    let wrong = Rejection::Wrong { field, expected: "names of keys joined by +, such as ctrl+s" };
    let name = |part: &str| {
        let part = part.trim();
        part.chars().count() == 1
            || !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
    };
    let sound = named == "+" || named.ends_with("++") || named.split('+').all(name);
    if sound && !named.contains(|c: char| c.is_control()) { Ok(named.to_owned()) } else { Err(wrong) }
}

fn options(value: &LooseValue) -> Result<Vec<String>, Rejection> {
    let elements = value.as_list().ok_or(Rejection::Wrong { field: "options", expected: "a list of texts" })?;
    if elements.len() > MAX_OPTIONS {
        return Err(Rejection::Options { count: elements.len() });
    }
    let option = |element: &LooseValue| {
        let option = text(element, "options", OPTION_CHARS)?;
        if has_coordinates(option) {
            return Err(Rejection::Coordinate { field: "options".to_owned() });
        }
        Ok(option.trim().to_owned())
    };
    elements.iter().map(option).collect()
}

/// Checks that the command has every field that its action needs and no field that only other actions use.
fn fits(command: &DslCommand) -> Result<(), Rejection> {
    let DslCommand { action, target, params, options } = command;
    let action = *action;
    let given = [
        ("params.value", params.value.is_some(), matches!(action, Action::SetValue | Action::Select)),
        ("params.direction", params.direction.is_some(), action == Action::Scroll),
        ("params.amount", params.amount.is_some(), action == Action::Scroll),
        ("params.key", params.key.is_some(), action == Action::Key),
        ("params.hotkey", params.hotkey.is_some(), action == Action::Hotkey),
        ("options", !options.is_empty(), action == Action::Clarify),
        ("target", target.is_some(), !matches!(action, Action::Key | Action::Hotkey)),
    ];
    if let Some((field, ..)) = given.iter().find(|(_, is_given, may)| *is_given && !may) {
        return Err(Rejection::NotWith { field, action });
    }
    let needed = match action {
        Action::Invoke | Action::Toggle | Action::Select => ("target", target.is_some()),
        Action::SetValue if target.is_none() => ("target", false),
        Action::SetValue => ("params.value", params.value.is_some()),
        Action::Scroll => ("params.direction", params.direction.is_some()),
        Action::Key => ("params.key", params.key.is_some()),
        Action::Hotkey => ("params.hotkey", params.hotkey.is_some()),
        Action::Clarify | Action::Desktop | Action::Focus | Action::Expand | Action::Collapse => ("options", true),
    };
    if needed.1 { Ok(()) } else { Err(Rejection::Missing { field: needed.0 }) }
}
