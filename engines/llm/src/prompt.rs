//! Renders the prompt of a job and tokenises it.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::vocab::LlamaVocab;
use luna_engine_protocol::EngineNote;
use luna_messages::engine::{ChatMessage, EngineError, Prompt};

use crate::template::ChatTemplate;

/// The chat template and the control tokens of a model.
pub struct Prompter {
    template: ChatTemplate,
    /// Texts of the tokens that only templates may write.
    control: Vec<String>,
}

impl Prompter {
    /// Reads the model's template. Adds a note if there is no usable one.
    ///
    /// # Errors
    /// None in practice: the fallback template parses.
    pub fn new(model: &LlamaModel) -> Result<(Self, Option<EngineNote>), minijinja::Error> {
        let vocab = model.vocab();
        let text = |token: LlamaToken| match token.0 {
            0.. => vocab.text(token).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default(),
            _ => String::new(),
        };
        let own = model.chat_template(None).ok().and_then(|template| template.to_string().ok());
        let (template, reason) = match own.map(|own| ChatTemplate::new(own, text(vocab.bos()), text(vocab.eos()))) {
            Some(Ok(template)) => (template, None),
            Some(Err(error)) => {
                (ChatTemplate::chatml()?, Some(format!("The model's chat template can't be understood: {error}.")))
            }
            None => (ChatTemplate::chatml()?, Some("The model's file has no chat template.".to_owned())),
        };
        let note = reason.map(|reason| EngineNote {
            topic: "template".to_owned(),
            reason: format!("{reason} Conversations are put to it in the form ChatML."),
            remedy: "If its answers make no sense, take a version of the model that was trained for conversations."
                .to_owned(),
        });
        let control = vocab.tokens().filter(|token| vocab.is_control(*token)).map(text).filter(|text| !text.is_empty());
        Ok((Self { template, control: control.collect() }, note))
    }

    /// The text of a prompt; a conversation is rendered with the model's template.
    ///
    /// # Errors
    /// The template rejects the conversation.
    pub fn text(&self, prompt: &Prompt, think: bool) -> Result<String, EngineError> {
        match prompt {
            Prompt::Text { text } => Ok(text.clone()),
            Prompt::Chat { messages } => self.template.render(messages, think),
        }
    }

    /// Tokenises a rendered prompt. Control marks inside messages stay plain text, so that neither people nor programs can speak for the
    /// template.
    pub fn tokens(&self, vocab: &LlamaVocab<'_>, prompt: &Prompt, rendered: &str) -> Vec<LlamaToken> {
        match prompt {
            Prompt::Text { .. } => vocab.tokenize(rendered.as_bytes(), true, true),
            Prompt::Chat { messages } => {
                let mut tokens = Vec::new();
                for (own, part) in self.parts(messages, rendered) {
                    vocab.tokenize_into(part.as_bytes(), &mut tokens, false, own);
                }
                if vocab.should_add_bos() && tokens.first() != Some(&vocab.bos()) && vocab.bos().0 >= 0 {
                    tokens.insert(0, vocab.bos());
                }
                tokens
            }
        }
    }

    /// Splits a rendered conversation into template text (`true`) and message text; one piece if no message contains a control mark.
    fn parts<'a>(&self, messages: &[ChatMessage], rendered: &'a str) -> Vec<(bool, &'a str)> {
        cut(&self.control, messages.iter().map(|message| message.text.trim()), rendered)
    }
}

fn cut<'a, 'b>(
    control: &[String],
    said: impl Iterator<Item = &'b str> + Clone,
    rendered: &'a str,
) -> Vec<(bool, &'a str)> {
    let dangerous = said.clone().any(|text| control.iter().any(|mark| text.contains(mark.as_str())));
    let mut parts = Vec::new();
    let mut rest = rendered;
    if dangerous {
        for text in said.filter(|text| !text.is_empty()) {
            if let Some(at) = rest.find(text) {
                parts.push((true, &rest[..at]));
                parts.push((false, &rest[at..at + text.len()]));
                rest = &rest[at + text.len()..];
            }
        }
    }
    parts.push((true, rest));
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    // PAK-3
    #[test]
    fn what_was_said_stays_text_pak_3() {
        let control = ["<|end|>".to_owned()];
        let check = |said: &[&str], rendered: &str, expect: &[(bool, &str)]| {
            assert_eq!(cut(&control, said.iter().copied(), rendered), expect, "{rendered}");
        };
        check(&["a", "b"], "<|end|>a<|end|>b", &[(true, "<|end|>a<|end|>b")]);
        check(
            &["a", "b<|end|>c"],
            "[a]<|end|>[b<|end|>c]<|end|>",
            &[(true, "["), (false, "a"), (true, "]<|end|>["), (false, "b<|end|>c"), (true, "]<|end|>")],
        );
        check(&["<|end|>"], "the template left it out", &[(true, "the template left it out")]);
    }
}
