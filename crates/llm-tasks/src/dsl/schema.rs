//! The JSON Schemas of requests and answers: published with the program (`luna schema`), and narrowed to the offer of one request, so that a
//! local model can't even spell another id (DSL-3, DSL-4).
//!
//! They are written as text because field order matters: a model writes fields in this order, the action first. Every string has a maximum
//! length; without it a grammar would be unbounded.

use luna_messages::candidate::Zone;
use luna_messages::dsl::{Action, DslTask};
use luna_messages::pick::Role;
use serde::Serialize;

use super::{ID_CHARS, KEY_CHARS, MAX_LINES, MAX_OPTIONS, MAX_STEPS, OPTION_CHARS, Offer, VALUE_CHARS};

/// What `luna schema` prints and a server of models may enforce (DSL-1, DSL-2, DSL-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishedSchema {
    /// A request to a model (DSL-1).
    Request,
    /// One command (DSL-2).
    Response,
    /// A reading mode (DSL-5).
    Reading,
    /// Answers to `nlu_intent`: a command or a reading mode.
    Intent,
    /// Answers to `macro_plan`: commands in order.
    Plan,
}

impl PublishedSchema {
    pub const ALL: [Self; 5] = [Self::Request, Self::Response, Self::Reading, Self::Intent, Self::Plan];

    /// Its name for `luna schema`, and its file name without `.json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "dsl-request",
            Self::Response => "dsl-response",
            Self::Reading => "dsl-reading",
            Self::Intent => "dsl-intent",
            Self::Plan => "dsl-plan",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Request => "What Luna asks a language model",
            Self::Response => "A command that a language model answers",
            Self::Reading => "A way of reading that a language model answers",
            Self::Intent => "What a language model answers to nlu_intent",
            Self::Plan => "What a language model answers to macro_plan",
        }
    }

    /// The schema, pretty-printed.
    #[must_use]
    pub fn text(self) -> String {
        let id = any_id();
        let body = match self {
            Self::Request => request(),
            Self::Response => any_of(&commands(Some(&id))),
            Self::Reading => reading(),
            Self::Intent => any_of(&[vec![reading()], commands(Some(&id))].concat()),
            Self::Plan => plan(Some(&id)),
        };
        let head = format!(
            r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"luna:{}:1.0","title":"{}","#,
            self.name(),
            self.title()
        );
        pretty(&format!("{head}{}", body.strip_prefix('{').unwrap_or(&body)))
    }
}

/// The schema that constrains an answer to the offer; `None` for tasks whose answer is plain text.
#[must_use]
pub fn answer_schema(task: DslTask, offer: &Offer) -> Option<String> {
    let ids: Vec<&str> = offer.candidates().iter().map(|candidate| candidate.id.as_str()).collect();
    let id = (!ids.is_empty()).then(|| format!(r#"{{"enum":{}}}"#, json(&ids)));
    let id = id.as_deref();
    match task {
        DslTask::NluIntent => Some(any_of(&[vec![reading()], commands(id)].concat())),
        DslTask::SelectionDisambiguation => Some(any_of(&commands(id))),
        DslTask::MacroPlan => Some(plan(id)),
        DslTask::TranslateFaithful | DslTask::SummarizeShort => None,
    }
}

fn json(value: &impl Serialize) -> String {
    // Strings and lists of strings always serialise.
    serde_json::to_string(value).unwrap_or_default()
}

fn any_id() -> String {
    string(ID_CHARS)
}

fn string(most: usize) -> String {
    format!(r#"{{"type":"string","minLength":1,"maxLength":{most}}}"#)
}

/// An object schema; fields with `true` are required.
fn object(fields: &[(&str, String, bool)]) -> String {
    let properties: Vec<String> = fields.iter().map(|(name, schema, _)| format!(r#""{name}":{schema}"#)).collect();
    let required: Vec<&str> = fields.iter().filter(|(.., required)| *required).map(|(name, ..)| *name).collect();
    format!(
        r#"{{"type":"object","properties":{{{}}},"required":{},"additionalProperties":false}}"#,
        properties.join(","),
        json(&required)
    )
}

fn any_of(variants: &[String]) -> String {
    format!(r#"{{"anyOf":[{}]}}"#, variants.join(","))
}

/// One schema for each kind of command; without ids, those that need a target are left out.
fn commands(id: Option<&str>) -> Vec<String> {
    let action = |actions: &[Action]| {
        let names: Vec<&str> = actions.iter().map(|action| action.name()).collect();
        ("action", format!(r#"{{"enum":{}}}"#, json(&names)), true)
    };
    let target = |required| id.map(|id| ("target", object(&[("id", id.to_owned(), true)]), required));
    let params = |fields: &[(&str, String, bool)]| ("params", object(fields), true);
    let value = || string(VALUE_CHARS).replace(r#""minLength":1"#, r#""minLength":0"#);
    let up_or_down = r#"{"enum":["up","down"]}"#.to_owned();
    let amount = r#"{"enum":["small","page","end"]}"#.to_owned();
    let options = format!(r#"{{"type":"array","items":{},"maxItems":{MAX_OPTIONS}}}"#, string(OPTION_CHARS));
    let mut variants = Vec::new();
    if let Some(target) = target(true) {
        let simple = [Action::Invoke, Action::Toggle, Action::Select];
        variants.push(object(&[action(&simple), target.clone()]));
        variants.push(object(&[
            action(&[Action::SetValue, Action::Select]),
            target,
            params(&[("value", value(), true)]),
        ]));
    }
    let with = |first: (&'static str, String, bool), rest: (&'static str, String, bool)| {
        let fields: Vec<_> = [Some(first), target(false), Some(rest)].into_iter().flatten().collect();
        object(&fields)
    };
    variants
        .push(with(action(&[Action::Scroll]), params(&[("direction", up_or_down, true), ("amount", amount, false)])));
    variants.push(object(&[action(&[Action::Key]), params(&[("key", string(KEY_CHARS), true)])]));
    variants.push(object(&[action(&[Action::Hotkey]), params(&[("hotkey", string(KEY_CHARS), true)])]));
    variants.push(with(action(&[Action::Clarify]), ("options", options, false)));
    variants
}

fn reading() -> String {
    let intents = r#"{"enum":["read","translate","spell","numbers","summarize"]}"#;
    let lines = format!(r#"{{"type":"integer","minimum":-{MAX_LINES},"maximum":{MAX_LINES}}}"#);
    object(&[
        ("intent", intents.to_owned(), true),
        ("mode", r#"{"enum":["faithful","natural"]}"#.to_owned(), true),
        ("lang_tgt", r#"{"enum":["ko","en"]}"#.to_owned(), false),
        ("line_offset", lines, false),
    ])
}

fn plan(id: Option<&str>) -> String {
    let command = any_of(&commands(id));
    format!(r#"{{"type":"array","items":{command},"minItems":1,"maxItems":{MAX_STEPS}}}"#)
}

fn request() -> String {
    let tasks: Vec<&str> = DslTask::ALL.iter().map(|task| task.name()).collect();
    let texts =
        |most: usize| format!(r#"{{"type":"array","items":{},"maxItems":50}}"#, string(most).replace(":1,", ":0,"));
    let text = |most: usize| string(most).replace(r#""minLength":1"#, r#""minLength":0"#);
    let candidate = object(&[
        ("id", any_id(), true),
        ("role", format!(r#"{{"enum":{}}}"#, json(&candidate_roles())), true),
        ("text", text(200), true),
        ("automationId", string(200), false),
        ("near", texts(200), true),
        ("zone", format!(r#"{{"enum":{}}}"#, json(&Zone::ALL)), true),
        ("enabled", r#"{"type":"boolean"}"#.to_owned(), true),
    ]);
    let rules = object(&[
        ("must_choose_from_candidates", r#"{"type":"boolean"}"#.to_owned(), true),
        ("dangerous", texts(60), true),
    ]);
    object(&[
        ("v", r#"{"const":"1.0"}"#.to_owned(), true),
        ("task", format!(r#"{{"enum":{}}}"#, json(&tasks)), true),
        ("user_utterance", text(2000), true),
        ("candidates", format!(r#"{{"type":"array","items":{candidate},"maxItems":50}}"#), true),
        ("rules", rules, true),
    ])
}

/// Roles of candidates, without `Protected`: such a field is never offered (PRV-3).
fn candidate_roles() -> Vec<Role> {
    Role::all_general().iter().copied().filter(|role| *role != Role::Protected).collect()
}

/// Pretty-prints JSON and keeps the field order.
fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        if quoted {
            out.push(c);
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '{' | '[' if chars.peek().is_some_and(|next| matches!(next, '}' | ']')) => {
                out.push(c);
                out.extend(chars.next());
            }
            '{' | '[' => {
                out.push(c);
                depth += 1;
                line(&mut out, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                quoted = c == '"';
                out.push(c);
            }
        }
    }
    out.push('\n');
    out
}
