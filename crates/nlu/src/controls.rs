//! What is on the screen goes before what Luna does itself: "change the language to English" sets the list of that name, if there is one, and is no wish to
//! hear something in English (NLU-3).

use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, UtteranceKind};

use super::Understanding;
use super::decide::FoundInterpretation;
use super::normalised::{NormalisedUtterance, compact};
use super::roles::role;

/// Particles behind the name of a language.
const PARTICLES: [&str; 2] = ["으로", "로"];

impl Understanding {
    /// Takes readings for what sets a list of the screen, if the likeliest one names that.
    pub(super) fn prefer_controls(
        &self,
        heard: &NormalisedUtterance,
        found: &mut Vec<FoundInterpretation>,
        offered: &[CandidateInput],
    ) {
        let is_reading = |one: &FoundInterpretation| one.interpretation.kind == UtteranceKind::Reading;
        let Some(first) = found.first().filter(|first| is_reading(first)) else { return };
        let Interpretation { wish, target_id: Some(target), .. } = &first.interpretation else { return };
        let is_list =
            |one: &&CandidateInput| one.id == *target && one.role.as_deref().and_then(role) == Some(Role::ComboBox);
        let Some(list) = offered.iter().find(is_list) else { return };
        let said = wish.target_text.as_deref().and_then(|text| self.ranker.exactly(&compact(text), offered));
        if said.as_ref() != Some(target) {
            return;
        }
        let sets = |one: &FoundInterpretation| {
            let Interpretation { kind, wish, target_id, .. } = &one.interpretation;
            *kind == UtteranceKind::Command
                && wish.action == Some(Action::SetValue)
                && target_id.as_ref() == Some(&list.id)
        };
        if found.iter().any(sets) {
            found.retain(|one| !is_reading(one));
        } else if let Some(step) = self.set_in_words(heard, first, list) {
            let interpretation = Interpretation {
                kind: UtteranceKind::Command,
                wish: step,
                target_id: Some(list.id.clone()),
                ranking: first.interpretation.ranking.clone(),
                ..Interpretation::default()
            };
            let mut setting = first.clone();
            setting.interpretation = interpretation;
            found.retain(|one| !is_reading(one));
            found.insert(0, setting);
        }
    }

    /// "언어를 영어로 바꿔 줘" turns a text into English, or sets a list of that name: in the same words.
    fn set_in_words(
        &self,
        heard: &NormalisedUtterance,
        reading: &FoundInterpretation,
        list: &CandidateInput,
    ) -> Option<ParsedCommand> {
        let named = |name: &str| {
            let is_it = |number: u16| self.network.names.get(usize::from(number)).is_some_and(|known| known == name);
            reading.way.steps.iter().find(|step| is_it(step.name))
        };
        named("turn_into")?;
        let lang = named("lang")?;
        let said = heard.said(lang.from, lang.to);
        let value = PARTICLES.iter().find_map(|particle| said.strip_suffix(particle)).unwrap_or(&said);
        Some(ParsedCommand {
            action: Some(Action::SetValue),
            target_text: list.text.clone(),
            value: Some(value.to_owned()),
            ..ParsedCommand::default()
        })
    }
}
