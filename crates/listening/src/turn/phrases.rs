//! What Luna says about what it heard.

use luna_messages::Lang;

/// A sentence of Luna's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpokenPhrase {
    /// The wake word was heard alone.
    Called,
    /// It was said to Luna, but is not understood.
    NotUnderstood,
    /// It was said to Luna, but the recogniser failed.
    NotHeard,
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
            (Self::WhichOne(options), Lang::Ko) if options.is_empty() => "다시 한번 말해 주세요.".to_owned(),
            (Self::WhichOne(options), Lang::En) if options.is_empty() => "Please say it again.".to_owned(),
            (Self::WhichOne(options), Lang::Ko) => format!("어느 것인가요? {}", options.join(", ")),
            (Self::WhichOne(options), Lang::En) => format!("Which one? {}", options.join(", ")),
        }
    }
}
