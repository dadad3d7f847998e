//! The answer to "뭐라고 말할 수 있어?", "what can I say?": the commands that do something now, from the table of commands (VOI-1).

use std::sync::Arc;

use luna_messages::Lang;
use luna_messages::control::{Command, FocusStateKind};
use luna_messages::keyboard::CtrlSide;

/// What has to come before words that are meant for Luna (VOI-1, `voice.command_mode`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum VoiceCall {
    /// Nothing: Luna always listens.
    #[default]
    Nothing,
    /// The wake word, unless Luna speaks or waits for an answer.
    WhenSilent(Arc<str>),
    /// The wake word, always.
    Always(Arc<str>),
    /// This key is held down meanwhile.
    Hold(CtrlSide),
}

/// What can be said in a state of focus mode, as one or two sentences. `can`: whether a command does something with the text that is read.
#[must_use]
pub fn what_can_be_said(state: FocusStateKind, call: &VoiceCall, lang: Lang, can: impl Fn(Command) -> bool) -> String {
    let told = |command: &Command| {
        let spoken = command.spec().spoken?;
        (spoken.told_in.contains(&state) && can(*command)).then(|| spoken.phrase(lang))
    };
    // What ends everything is said last, where it is not in the way.
    let (last, first): (Vec<Command>, Vec<Command>) =
        Command::ALL.into_iter().partition(|command| *command == Command::FocusOff);
    let phrases: Vec<&str> = first.iter().chain(&last).filter_map(told).collect();
    let phrases = phrases.join(", ");
    let commands = match (state, lang) {
        (FocusStateKind::Idle, Lang::Ko) => format!("집중 모드가 꺼져 있어요. 할 수 있는 말: {phrases}."),
        (FocusStateKind::Idle, Lang::En) => format!("Focus mode is off. You can say: {phrases}."),
        (FocusStateKind::Targeting, Lang::Ko) => format!("글을 찾고 있어요. 할 수 있는 말: {phrases}."),
        (FocusStateKind::Targeting, Lang::En) => format!("I am looking for text. You can say: {phrases}."),
        (FocusStateKind::Reading, Lang::Ko) => format!("할 수 있는 말: {phrases}."),
        (FocusStateKind::Reading, Lang::En) => format!("You can say: {phrases}."),
        (FocusStateKind::Pinned, Lang::Ko) => format!("글이 고정돼 있어요. 할 수 있는 말: {phrases}."),
        (FocusStateKind::Pinned, Lang::En) => format!("The text is pinned. You can say: {phrases}."),
        (FocusStateKind::WaitCmd, Lang::Ko) => format!("읽을 글이 없어요. 할 수 있는 말: {phrases}."),
        (FocusStateKind::WaitCmd, Lang::En) => format!("There is nothing to read. You can say: {phrases}."),
    };
    match how_to_call(call, lang) {
        Some(how) => format!("{commands} {how}"),
        None => commands,
    }
}

fn how_to_call(call: &VoiceCall, lang: Lang) -> Option<String> {
    Some(match (call, lang) {
        (VoiceCall::Nothing, Lang::Ko | Lang::En) => return None,
        (VoiceCall::WhenSilent(word), Lang::Ko) => {
            format!("제가 조용할 때는 먼저 {word} 하고 불러 주세요.")
        }
        (VoiceCall::WhenSilent(word), Lang::En) => format!("While I am silent, say {word} first."),
        (VoiceCall::Always(word), Lang::Ko) => format!("먼저 {word} 하고 불러 주세요."),
        (VoiceCall::Always(word), Lang::En) => format!("Say {word} first."),
        (VoiceCall::Hold(CtrlSide::Right), Lang::Ko) => "오른쪽 컨트롤 키를 누른 채 말해 주세요.".to_owned(),
        (VoiceCall::Hold(CtrlSide::Right), Lang::En) => "Hold the right Ctrl key while you speak.".to_owned(),
        (VoiceCall::Hold(CtrlSide::Left), Lang::Ko) => "왼쪽 컨트롤 키를 누른 채 말해 주세요.".to_owned(),
        (VoiceCall::Hold(CtrlSide::Left), Lang::En) => "Hold the left Ctrl key while you speak.".to_owned(),
    })
}

#[cfg(test)]
mod tests;
