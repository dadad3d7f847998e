//! What can be said now, told from the table of commands (VOI-1).

use luna_messages::control::FocusStateKind;

use super::*;
use crate::help::VoiceCall;

impl FocusPlay {
    fn told(self) -> String {
        let play = self.command(Command::Help);
        let [FocusEffect::SayText(text)] = &play.effects[..] else { panic!("{:?}", play.effects) };
        text.clone()
    }
}

fn play_in(state: FocusStateKind) -> FocusPlay {
    let play = match state {
        FocusStateKind::Idle => FocusPlay::new(),
        FocusStateKind::Targeting => FocusPlay::new().command(Command::FocusOn),
        FocusStateKind::Reading => FocusPlay::reading(),
        FocusStateKind::Pinned => FocusPlay::pinned(),
        FocusStateKind::WaitCmd => FocusPlay::waiting(),
    };
    assert_eq!(play.focus.state.kind(), state);
    play
}

/// Whether a command does more than to tell that it can do nothing.
fn does_something(state: FocusStateKind, command: Command) -> bool {
    let play = play_in(state).command(command);
    let refused = |effect: &FocusEffect| {
        matches!(effect, FocusEffect::Say(Phrase::NothingIsRead | Phrase::FocusIsOff | Phrase::NothingToRead(_), _))
    };
    // Speech obeys these without Focus.
    let speaks = command.spec().speech.is_some() && state != FocusStateKind::Idle;
    speaks || !(play.effects.is_empty() || play.effects.iter().any(refused))
}

// VOI-1, FOC-1: whatever is told does something, and what a state has of its own is told.
#[test]
fn only_what_does_something_is_told_voi_1_foc_1() {
    for state in FocusStateKind::ALL {
        let text = play_in(state).told();
        let mut told = 0;
        for command in Command::ALL {
            let Some(spoken) = command.spec().spoken else { continue };
            if !spoken.told_in.contains(&state) {
                continue;
            }
            told += 1;
            assert!(text.contains(spoken.ko), "{command:?} in {text}");
            assert!(does_something(state, command), "{command:?} in {state:?}");
        }
        assert!(told > 0, "{state:?}");
    }
    // What the others do in no other state is not told there.
    for (command, states) in [
        (Command::FocusOn, "Idle"),
        (Command::Pin, "Reading"),
        (Command::Unpin, "Pinned"),
        (Command::Bigger, "Reading WaitCmd"),
    ] {
        let phrase = command.spec().spoken.unwrap().ko;
        for state in FocusStateKind::ALL {
            let is_told = play_in(state).told().split([',', ':', '.']).any(|part| part.trim() == phrase);
            assert_eq!(is_told, states.contains(state.name()), "{command:?} in {state:?}");
        }
    }
}

// VOI-1
#[test]
fn what_this_text_has_not_is_not_told_voi_1() {
    let read = |text: OcrPick| {
        let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
        let id = play.pick_id();
        play.event(FocusEvent::Recognised(id, Ok(Ok(text))))
    };
    assert!(!read(recognised("no table", false)).told().contains("표 읽어"));
    let mut table = recognised("a b", false);
    table.pick.rows = vec![vec!["a".into()], vec!["b".into()]];
    assert!(read(table).told().contains("표 읽어"));
    // Nobody tells where the focused element is.
    let nowhere = Element { bbox: Rect::new(0, 0, 0, 0), ..element("field") };
    let play = FocusPlay::waiting().event(FocusEvent::KeyboardFocus(RequestId::next(), focus_on(nowhere)));
    let told = play.command(Command::Pin).told();
    assert!(!told.contains("다음") && !told.contains("표 읽어") && told.contains("철자"), "{told}");
    // Focus mode waits for a move of the pointer: there is nothing to enlarge.
    let told = FocusPlay::waiting().time().is("Idle").told();
    assert!(told.contains("집중 모드 꺼") && !told.contains("더 크게"), "{told}");
}

// VOI-1
#[test]
fn how_to_call_comes_from_the_settings_voi_1() {
    let mut play = FocusPlay::reading();
    play.focus.set_settings(FocusSettings { call: VoiceCall::Always("루나".into()), ..FocusSettings::default() });
    assert!(play.told().ends_with("먼저 루나 하고 불러 주세요."));
}
