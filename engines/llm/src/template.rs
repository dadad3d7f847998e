//! Renders a conversation with the model's own chat template, a Jinja program in the model file.

use luna_engine_protocol::failure;
use luna_messages::engine::{ChatMessage, ChatRole, EngineError, EngineErrorKind};
use minijinja::value::Value;
use minijinja::{Environment, ErrorKind, context};

/// The fallback for a missing or unparsable template: the format that most instruct models know.
const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + \
'<|im_end|>\\n' }}{% endfor %}{{ '<|im_start|>assistant\\n' }}";

/// Maximum steps of a template; a real one takes some thousands for a long conversation.
const FUEL: u64 = 2_000_000;
const NAME: &str = "chat";

/// A parsed chat template.
pub struct ChatTemplate {
    environment: Environment<'static>,
    begin: String,
    end: String,
}

impl ChatTemplate {
    /// `begin` and `end` are the texts of the begin and end tokens, which templates may write.
    ///
    /// # Errors
    /// The template uses unsupported syntax.
    pub fn new(source: String, begin: String, end: String) -> Result<Self, minijinja::Error> {
        let mut environment = Environment::new();
        // Matches the Python library for which templates are written.
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_fuel(Some(FUEL));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |reason: String| -> Result<Value, minijinja::Error> {
            Err(minijinja::Error::new(ErrorKind::InvalidOperation, reason))
        });
        // The built-in filter escapes for HTML.
        environment.add_filter("tojson", |value: Value| {
            serde_json::to_string(&value)
                .map_err(|error| minijinja::Error::new(ErrorKind::InvalidOperation, error.to_string()))
        });
        environment.add_template_owned(NAME, source)?;
        Ok(Self { environment, begin, end })
    }

    /// The fallback template.
    ///
    /// # Errors
    /// None in practice: it parses.
    pub fn chatml() -> Result<Self, minijinja::Error> {
        Self::new(CHATML.to_owned(), String::new(), String::new())
    }

    /// Renders the prompt up to the beginning of the answer. `think` goes to templates that can switch thinking off.
    ///
    /// If a template rejects the conversation, because it has no system role or requires alternating roles, it is rendered again with the
    /// instructions before the first question and consecutive messages of one role joined.
    ///
    /// # Errors
    /// [`EngineErrorKind::BadInput`] with the template's own message.
    pub fn render(&self, messages: &[ChatMessage], think: bool) -> Result<String, EngineError> {
        self.render_once(messages, think).or_else(|_| self.render_once(&joined(messages), think)).map_err(|error| {
            failure(
                EngineErrorKind::BadInput,
                format!(
                    "The model's chat template refuses the conversation: {}.",
                    error.to_string().trim_end_matches('.')
                ),
                "Begin the conversation with instructions or a question, and let questions and answers alternate.",
            )
        })
    }

    fn render_once(&self, messages: &[ChatMessage], think: bool) -> Result<String, minijinja::Error> {
        let messages: Vec<Value> = messages
            .iter()
            .map(|message| context! { role => role(message.role), content => message.text.as_str() })
            .collect();
        self.environment.get_template(NAME)?.render(context! {
            messages,
            add_generation_prompt => true,
            // Templates use either name.
            enable_thinking => think,
            thinking => think,
            bos_token => self.begin,
            eos_token => self.end,
        })
    }
}

const fn role(role: ChatRole) -> &'static str {
    match role {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
    }
}

/// The conversation without a system role and without two consecutive messages of one role.
fn joined(messages: &[ChatMessage]) -> Vec<ChatMessage> {
    let mut out: Vec<ChatMessage> = Vec::new();
    for message in messages {
        let role = if message.role == ChatRole::System { ChatRole::User } else { message.role };
        match out.last_mut() {
            Some(last) if last.role == role => {
                last.text.push_str("\n\n");
                last.text.push_str(&message.text);
            }
            Some(_) | None => out.push(ChatMessage { role, text: message.text.clone() }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    const MERGES: &str = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}\
                          [{{ m.role }}]{{ m.content | trim }}{% endfor %}";

    fn template(source: &str) -> ChatTemplate {
        ChatTemplate::new(source.to_owned(), "<s>".to_owned(), "</s>".to_owned()).unwrap()
    }

    fn conversation() -> Vec<ChatMessage> {
        [(ChatRole::System, "너는 루나."), (ChatRole::User, "열어줘")]
            .map(|(role, text)| ChatMessage { role, text: text.to_owned() })
            .to_vec()
    }

    fn check(source: &str, think: bool, expect: &str) {
        assert_eq!(template(source).render(&conversation(), think).unwrap(), expect, "{source}");
    }

    // PAK-3
    #[test]
    fn templates_of_many_manners_are_understood_pak_3() {
        check(
            "{{ bos_token }}{% for m in messages %}{{ m['content'].strip() }}|{% endfor %}{{ eos_token }}",
            true,
            "<s>너는 루나.|열어줘|</s>",
        );
        check(
            "{%- set ns = namespace(last=0) %}\n{%- for m in messages %}\n{%- set ns.last = loop.index0 %}\n{%- endfor %}\n{{- ns.last }}",
            true,
            "1",
        );
        check(
            "{% if enable_thinking is defined and enable_thinking is false %}off{% else %}on{% endif %}",
            false,
            "off",
        );
        check("{% if enable_thinking is defined and enable_thinking is false %}off{% else %}on{% endif %}", true, "on");
        check(
            "{{ messages[::-1][0].content }}{% if messages[0].content.startswith('너') %}!{% endif %}",
            true,
            "열어줘!",
        );
        check("{{ [messages[0].role, '<\"가>'] | tojson }}", true, r#"["system","<\"가>"]"#);
        check(
            "{% macro part(m) %}<{{ m.role }}>{% endmacro %}{% for m in messages %}{{ part(m) }}{% endfor %}",
            true,
            "<system><user>",
        );
        check(MERGES, true, "[user]너는 루나.\n\n열어줘");
    }

    // PAK-3
    #[test]
    fn a_model_without_a_template_gets_chatml_pak_3() {
        let prompt = ChatTemplate::chatml().unwrap().render(&conversation(), true).unwrap();
        let expect =
            "<|im_start|>system\n너는 루나.<|im_end|>\n<|im_start|>user\n열어줘<|im_end|>\n<|im_start|>assistant\n";
        assert_eq!(prompt, expect);
    }

    // ENG-4
    #[test]
    fn templates_that_make_no_sense_end_in_an_error_eng_4() {
        assert!(ChatTemplate::new("{% for %}".to_owned(), String::new(), String::new()).is_err());
        let endless = template("{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}");
        for refused in [endless, template("{{ raise_exception('나는 싫다') }}"), template("{{ nothing.at.all }}")] {
            let error = refused.render(&conversation(), true).unwrap_err();
            assert_eq!(error.kind, EngineErrorKind::BadInput);
            assert!(error.message.contains("chat template refuses"), "{error}");
        }
    }
}
