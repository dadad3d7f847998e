//! Invariants over random events (FOC-1, FOC-5, FOC-6, ATT-1).

use luna_messages::reading::ReadingWish;
use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum RandomFocusEvent {
    Command(Command),
    Wish(ReadingWish),
    Pointer(bool),
    Move(i32, i32),
    TreeText(u8),
    TreeNothing,
    TreeProtected,
    TreeLost,
    Ocr(bool),
    Lines(bool),
    Rows,
    KeyboardFocus(u8),
    Focused(bool),
    Timer(u64),
}

fn random() -> impl Strategy<Value = RandomFocusEvent> {
    use Command as C;
    let commands = vec![
        C::FocusOn,
        C::FocusOff,
        C::FocusToggle,
        C::Stop,
        C::Next,
        C::Prev,
        C::Spell,
        C::Numbers,
        C::Bigger,
        C::Pin,
        C::Unpin,
        C::PinToggle,
        C::Escape,
        C::Translate,
        C::Repeat,
        C::ReadRow,
    ];
    prop_oneof![
        4 => prop::sample::select(commands).prop_map(RandomFocusEvent::Command),
        2 => super::wish::random().prop_map(RandomFocusEvent::Wish),
        3 => prop::bool::weighted(0.9).prop_map(RandomFocusEvent::Pointer),
        2 => (0..600_i32, 0..600_i32).prop_map(|(x, y)| RandomFocusEvent::Move(x, y)),
        2 => (0..3_u8).prop_map(RandomFocusEvent::TreeText),
        1 => Just(RandomFocusEvent::TreeNothing),
        1 => Just(RandomFocusEvent::TreeProtected),
        1 => Just(RandomFocusEvent::TreeLost),
        1 => any::<bool>().prop_map(RandomFocusEvent::Ocr),
        1 => any::<bool>().prop_map(RandomFocusEvent::Lines),
        1 => Just(RandomFocusEvent::Rows),
        1 => (0..3_u8).prop_map(RandomFocusEvent::KeyboardFocus),
        1 => any::<bool>().prop_map(RandomFocusEvent::Focused),
        2 => (0..4_u64).prop_map(RandomFocusEvent::Timer),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_focus_mode_stays_consistent(events in prop::collection::vec(random(), 0..80)) {
        let mut focus = Focus::new(FocusSettings::default());
        let mut asked = RequestId(0);
        let mut lines_asked = RequestId(0);
        let (mut rows_asked, mut focus_asked) = (RequestId(0), RequestId(0));
        let mut watching = AttentionSources { pointer: false, focus: false };
        let mut holding = false;
        let mut located = RequestId(0);
        let mut searching = false;
        for event in events {
            let before = focus.state().name();
            let input = match event {
                RandomFocusEvent::Command(command) => FocusEvent::Command(RequestId::next(), command),
                RandomFocusEvent::Wish(wish) => FocusEvent::Wish(RequestId::next(), wish),
                RandomFocusEvent::Pointer(known) => FocusEvent::Pointer(located, known.then_some(Point::new(110, 110))),
                RandomFocusEvent::Move(x, y) => FocusEvent::CursorMoved(Point::new(x, y)),
                RandomFocusEvent::TreeText(which) => FocusEvent::Tree(asked, Ok(TreeAnswer::Found(numbered(which)))),
                RandomFocusEvent::TreeProtected => FocusEvent::Tree(asked, Ok(TreeAnswer::Protected(password()))),
                RandomFocusEvent::TreeNothing => FocusEvent::Tree(asked, Ok(TreeAnswer::NoText(searched(Vec::new())))),
                RandomFocusEvent::TreeLost => FocusEvent::Tree(asked, Err(NoReply::Crashed)),
                RandomFocusEvent::Ocr(found) => FocusEvent::Recognised(asked, Ok(if found { Ok(recognised("line 1", false)) } else { Err(PickFailure::NoText) })),
                RandomFocusEvent::Lines(is_complete) => FocusEvent::Lines(lines_asked, Ok(Ok(WindowLines { is_complete, ..window_lines() }))),
                RandomFocusEvent::Rows => FocusEvent::Rows(rows_asked, Ok(TreeAnswer::Found(numbered(0)))),
                RandomFocusEvent::KeyboardFocus(which) => FocusEvent::KeyboardFocus(RequestId::next(), focus_on(numbered(which))),
                RandomFocusEvent::Focused(known) => FocusEvent::Focused(focus_asked, known.then(|| focus_on(password()))),
                RandomFocusEvent::Timer(back) => FocusEvent::Timer(focus.timers.saturating_sub(back)),
            };
            let effects = focus.step(input);
            for effect in &effects {
                match effect {
                    FocusEffect::AskTree { id, .. } => (asked, searching) = (*id, true),
                    FocusEffect::AskLines { id, .. } => lines_asked = *id,
                    FocusEffect::AskRows { id, .. } => rows_asked = *id,
                    FocusEffect::AskFocused { id } => focus_asked = *id,
                    FocusEffect::WatchPointer(on) => watching.pointer = *on,
                    FocusEffect::WatchKeyboardFocus(on) => watching.focus = *on,
                    FocusEffect::WatchEscape(on) => holding = *on,
                    FocusEffect::AskPointer { id } => located = *id,
                    FocusEffect::EndSearch => searching = false,
                    _ => {}
                }
            }
            let after = focus.state().name();
            // FOC-1, FOC-5: the pointer is watched outside of Idle and while Idle is armed; Esc is watched exactly in WaitCmd.
            let on = after != "Idle" || focus.armed;
            prop_assert_eq!(watching, AttentionSources { pointer: on, focus: on });
            prop_assert!(!focus.armed || after == "Idle");
            // FOC-6: no obsolete search continues.
            prop_assert!(!(searching && after == "Idle" && before == "Targeting"), "the search goes on");
            prop_assert_eq!(holding, after == "WaitCmd");
            // Only the transitions of FOC-1 exist, as the outside sees them.
            let mut seen = before;
            for effect in &effects {
                let FocusEffect::Publish(BusEvent::FocusState { state: next }) = effect else { continue };
                let allowed = matches!(
                    (seen, next.as_str()),
                    ("Idle", "Targeting") | ("Targeting", "Reading" | "WaitCmd") | ("Reading", "Targeting" | "Pinned")
                        | ("Pinned", "Reading") | ("WaitCmd", "Targeting") | (_, "Idle")
                );
                prop_assert!(allowed, "{} → {}", seen, next);
                seen = ["Idle", "Targeting", "Reading", "Pinned", "WaitCmd"].into_iter().find(|name| name == next).unwrap();
            }
            prop_assert_eq!(seen, after);
            // Texts are read only in Reading and Pinned; entering Idle starts no reading.
            if after == "Idle" {
                prop_assert!(reads_in(&effects).is_empty());
            }
        }
    }
}
