//! What Luna says about what it heard.

use luna_messages::Lang;
use luna_messages::dsl::Action;
use luna_messages::understanding::{Interpretation, ParsedCommand};

/// A sentence of Luna's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpokenPhrase {
    /// The wake word was heard alone.
    Called,
    /// It was said to Luna, but is not understood.
    NotUnderstood,
    /// It was said to Luna, but the recogniser failed.
    NotHeard,
    /// It is understood, but can't be done yet.
    CannotYet(String),
    /// What was meant? The possible answers.
    WhichOne(Vec<String>),
}

impl SpokenPhrase {
    /// The words.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Self::Called, Lang::Ko) => "네.".to_owned(),
            (Self::Called, Lang::En) => "Yes?".to_owned(),
            (Self::NotUnderstood, Lang::Ko) => "못 알아들었어요.".to_owned(),
            (Self::NotUnderstood, Lang::En) => "I did not understand.".to_owned(),
            (Self::NotHeard, Lang::Ko) => "말이 들리지 않았어요. 다시 말해 주세요.".to_owned(),
            (Self::NotHeard, Lang::En) => "I could not hear that. Please say it again.".to_owned(),
            (Self::CannotYet(what), Lang::Ko) => format!("{what}: 알아들었지만 아직 할 수 없어요."),
            (Self::CannotYet(what), Lang::En) => format!("{what}: understood, but I can't do that yet."),
            (Self::WhichOne(options), Lang::Ko) if options.is_empty() => "다시 한번 말해 주세요.".to_owned(),
            (Self::WhichOne(options), Lang::En) if options.is_empty() => "Please say it again.".to_owned(),
            (Self::WhichOne(options), Lang::Ko) => format!("어느 것인가요? {}", options.join(", ")),
            (Self::WhichOne(options), Lang::En) => format!("Which one? {}", options.join(", ")),
        }
    }
}

/// What a command would do, in a few words: every step with its target, so that the person hears whether it was understood.
#[must_use]
pub fn cannot_yet(understood: &Interpretation, lang: Lang) -> SpokenPhrase {
    let steps = if understood.steps.is_empty() { std::slice::from_ref(&understood.wish) } else { &understood.steps };
    let told: Vec<String> = steps.iter().map(|step| described(step, lang)).collect();
    SpokenPhrase::CannotYet(told.join(", "))
}

fn described(step: &ParsedCommand, lang: Lang) -> String {
    let verb = match (step.action, lang) {
        (Some(Action::Invoke), Lang::Ko) => "누르기",
        (Some(Action::Invoke), Lang::En) => "press",
        (Some(Action::SetValue), Lang::Ko) => "입력하기",
        (Some(Action::SetValue), Lang::En) => "type",
        (Some(Action::Toggle), Lang::Ko) => "켜고 끄기",
        (Some(Action::Toggle), Lang::En) => "switch",
        (Some(Action::Select), Lang::Ko) => "고르기",
        (Some(Action::Select), Lang::En) => "select",
        (Some(Action::Scroll), Lang::Ko) => "스크롤하기",
        (Some(Action::Scroll), Lang::En) => "scroll",
        (Some(Action::Key | Action::Hotkey), Lang::Ko) => "키 누르기",
        (Some(Action::Key | Action::Hotkey), Lang::En) => "press the key",
        (Some(Action::Focus), Lang::Ko) => "그리로 가기",
        (Some(Action::Focus), Lang::En) => "go to",
        (Some(Action::Expand), Lang::Ko) => "펼치기",
        (Some(Action::Expand), Lang::En) => "expand",
        (Some(Action::Collapse), Lang::Ko) => "접기",
        (Some(Action::Collapse), Lang::En) => "collapse",
        (Some(Action::Desktop | Action::Clarify) | None, Lang::Ko) => "명령",
        (Some(Action::Desktop | Action::Clarify) | None, Lang::En) => "the order",
    };
    let parts = [&step.order, &step.argument, &step.target_text, &step.anchor, &step.key, &step.hotkey];
    let objects: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    match lang {
        _ if objects.is_empty() => verb.to_owned(),
        Lang::Ko => format!("{} {verb}", objects.join(" ")),
        Lang::En => format!("{verb} {}", objects.join(" ")),
    }
}
