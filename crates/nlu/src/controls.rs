//! What is on the screen goes before what Luna does itself (NLU-3): "change the subtitle language to English" sets the list of that name and is no wish to
//! hear something in English, nor is the language of something ever a text to translate; an entry called "Save as" goes before the keys for that.

use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::understanding::{CandidateInput, ParsedCommand};

use super::Understanding;
use super::draft::Draft;
use super::meaning::{Asked, Clause};
use super::normalised::compact;
use super::roles::role;

/// Words for a language, at the end of what something is called.
const LANGUAGE: [&str; 2] = ["언어", "language"];
/// Particles behind what is set.
const PARTICLES: [&str; 4] = ["을", "를", "은", "는"];
/// The order whose keys not every program knows, and what an entry for it is called in the words of labels.
const SAVE_AS: (&str, &str) = ("save_as", "save as");

impl Understanding {
    /// The clause as an order to set what it names, if that is a list on the screen, or the language of something.
    pub(super) fn as_setting(&self, clause: &Clause, offered: &[CandidateInput]) -> Option<Clause> {
        let wish = &clause.draft.wish;
        let reads = clause.asked == Some(Asked::Reading) && clause.sets && wish.intent.is_none();
        let (said, value) = (wish.target_text.as_ref()?, clause.language.as_ref()?);
        if !reads || wish.line_offset.is_some() || wish.mode.is_some() {
            return None;
        }
        let bare = PARTICLES.iter().find_map(|particle| said.strip_suffix(particle)).unwrap_or(said);
        let setting = ParsedCommand {
            action: Some(Action::SetValue),
            target_text: Some(bare.to_owned()),
            value: Some(value.clone()),
            ..ParsedCommand::default()
        };
        let draft = Draft { wish: setting, ..Draft::default() };
        let target = self.ranker.rank(&draft, offered).target;
        let shown = target.and_then(|id| offered.iter().find(|one| one.id == id));
        let is_list = shown.is_some_and(|one| one.role.as_deref().and_then(role) == Some(Role::ComboBox));
        let named = bare.to_lowercase();
        let of_something = LANGUAGE.iter().any(|word| named.strip_suffix(word).is_some_and(|of| !of.trim().is_empty()));
        (is_list || of_something).then(|| {
            let mut setting = clause.clone();
            (setting.asked, setting.draft) = (Some(Asked::Order), draft);
            setting
        })
    }

    /// The clause as an order to choose what is called like a usual order, if the keys for that do nothing in many programs.
    pub(super) fn as_entry(&self, clause: &Clause, offered: &[CandidateInput]) -> Option<Clause> {
        let wish = &clause.draft.wish;
        let (order, label) = SAVE_AS;
        if wish.action != Some(Action::Desktop) || wish.order.as_deref() != Some(order) || wish.argument.is_some() {
            return None;
        }
        let target = self.ranker.exactly(&compact(label), offered)?;
        let shown = offered.iter().find(|one| one.id == target)?;
        let mut entry = clause.clone();
        let wish =
            ParsedCommand { action: Some(Action::Invoke), target_text: shown.text.clone(), ..ParsedCommand::default() };
        entry.draft = Draft { wish, ..Draft::default() };
        Some(entry)
    }
}
