//! The keyboard focus beside the pointer: the newest wins (ATT-1, ATT-2).

use luna_messages::capability::Capability;
use luna_messages::element::{CellPlace, State, StateSet};
use luna_messages::tts::SpeechEvent;

use super::*;

impl FocusPlay {
    fn focuses(self, element: Element) -> Self {
        self.event(FocusEvent::KeyboardFocus(RequestId::next(), focus_on(element)))
    }

    fn cursor(self, x: i32, y: i32) -> Self {
        self.event(FocusEvent::CursorMoved(Point::new(x, y)))
    }

    fn reading_id(&self) -> RequestId {
        self.focus.current().map(|target| target.reading).unwrap()
    }

    /// Sentence `idx` of `of` begins to sound.
    fn heard(self, idx: usize, of: usize) -> Self {
        let (id, text) = (self.reading_id(), String::new());
        self.event(FocusEvent::Speech(SpeechEvent::Sentence { id, idx, of, text, lang: Lang::Ko, notice: false }))
    }

    fn finished(self) -> Self {
        let id = self.reading_id();
        self.event(FocusEvent::Speech(SpeechEvent::Finished { id }))
    }
}

fn button(which: u8) -> Element {
    Element { role: Role::Button, ..numbered(which) }
}

fn settings(sources: AttentionSources) -> FocusSettings {
    FocusSettings { sources, ..FocusSettings::default() }
}

const FOCUS_ONLY: AttentionSources = AttentionSources { pointer: false, focus: true };
const POINTER_ONLY: AttentionSources = AttentionSources { pointer: true, focus: false };

// ATT-1, ATT-2
#[test]
fn the_newly_focused_element_is_read_in_every_state_in_which_focus_mode_is_on_att_1_att_2() {
    let on = [
        FocusPlay::reading(),
        FocusPlay::waiting(),
        FocusPlay::waiting().time().is("Idle"),
        FocusPlay::new().command(Command::FocusOn).is("Targeting"),
    ];
    for play in on {
        let play = play.focuses(button(1)).is("Reading").reads("text 1, 버튼");
        // It is what commands are about.
        play.command(Command::Spell).reads("text 1");
    }
    // Off and pinned say nothing.
    for (play, state) in [
        (FocusPlay::new(), "Idle"),
        (FocusPlay::reading().command(Command::FocusOff), "Idle"),
        (FocusPlay::pinned(), "Pinned"),
    ] {
        let play = play.focuses(button(1)).is(state);
        assert!(play.effects.is_empty(), "{:?}", play.effects);
    }
}

// ATT-1, KER-6
#[test]
fn the_newest_source_wins_att_1_ker_6() {
    // A search of the pointer ends.
    let play = FocusPlay::new().command(Command::FocusOn);
    let old = play.pick_id();
    let play = play.focuses(button(1)).does(&FocusEffect::EndSearch).reads("text 1, 버튼");
    let play = play.event(FocusEvent::Tree(old, Ok(TreeAnswer::Found(numbered(2))))).is("Reading");
    assert!(play.effects.is_empty());
    // So does the wait for it to settle.
    let play = FocusPlay::reading().cursor(500, 500);
    let settling = play.focus.timers;
    let play = play.focuses(button(1)).event(FocusEvent::Timer(settling)).is("Reading");
    assert!(play.effects.is_empty());
    // And the question after a small move.
    let play = FocusPlay::reading().cursor(118, 121).time();
    let [FocusEffect::AskTree { id, .. }] = play.effects[..] else { panic!("{:?}", play.effects) };
    let play = play.focuses(button(1)).does(&FocusEffect::EndSearch);
    let play = play.event(FocusEvent::Tree(id, Ok(TreeAnswer::Found(numbered(2))))).is("Reading");
    assert!(play.effects.is_empty());
    // A later move of the pointer is newer still.
    let play = play.cursor(500, 500).time().is("Targeting").tree(Ok(TreeAnswer::Found(numbered(2))));
    play.reads("text 2").focuses(button(1)).reads("text 1, 버튼");
}

// ATT-1
#[test]
fn a_pointer_at_rest_does_not_talk_over_the_focus_att_1() {
    let mut play = FocusPlay::reading().cursor(300, 300).focuses(button(1)).reads("text 1, 버튼");
    // It trembles, within the threshold from where it rests, over whatever opened there.
    for (x, y) in [(305, 300), (320, 308), (300, 300)] {
        play = play.cursor(x, y).time();
        assert!(play.effects.is_empty(), "{:?}", play.effects);
    }
    play.cursor(300, 330).time().is("Targeting");
}

// ATT-1, SES-2
#[test]
fn where_the_pointer_is_first_seen_is_no_move_att_1_ses_2() {
    let mut play = FocusPlay::new();
    play.focus.set_settings(FocusSettings::default());
    let play = play.event(FocusEvent::Command(RequestId::next(), Command::FocusOn));
    let [FocusEffect::AskPointer { id }] = play.effects[..] else { panic!("{:?}", play.effects) };
    let play = play.event(FocusEvent::Pointer(id, None));
    let [FocusEffect::AskFocused { id }] = play.effects[..] else { panic!("{:?}", play.effects) };
    let play = play.event(FocusEvent::Focused(id, Some(focus_on(button(1))))).is("Reading").reads("text 1, 버튼");
    let play = play.says(Phrase::Lost(Capability::Pointer));
    let play = play.does(&FocusEffect::WatchKeyboardFocus(true)).cursor(700, 500).time().is("Reading");
    play.cursor(500, 500).time().is("Targeting");
}

// ATT-1, KER-11
#[test]
fn without_a_pointer_focus_mode_starts_with_the_focused_element_att_1_ker_11() {
    let start = || {
        let mut play = FocusPlay::new();
        play.focus.set_settings(settings(FOCUS_ONLY));
        play.event(FocusEvent::Command(RequestId::next(), Command::FocusOn)).is("Idle")
    };
    let asked = |play: &FocusPlay| match play.effects[..] {
        [FocusEffect::AskFocused { id }] => id,
        _ => panic!("{:?}", play.effects),
    };
    let play = start();
    let id = asked(&play);
    let play = play.event(FocusEvent::Focused(id, Some(focus_on(button(1))))).is("Reading").reads("text 1, 버튼");
    let play = play.does(&FocusEffect::Publish(BusEvent::FocusModeToggle { on: true }));
    let play = play.does(&FocusEffect::WatchKeyboardFocus(true));
    assert!(!play.effects.contains(&FocusEffect::WatchPointer(true)));
    // The pointer is no source.
    play.cursor(700, 500).cursor(100, 100).time().is("Reading");
    // Nothing has the focus: it is on all the same.
    let play = start();
    let id = asked(&play);
    let play = play.event(FocusEvent::Focused(id, None)).is("Idle").says(Phrase::FocusOn);
    play.does(&FocusEffect::WatchKeyboardFocus(true)).focuses(button(1)).is("Reading").reads("text 1, 버튼");
    // A late answer does not switch on what was switched off.
    let play = start();
    let id = asked(&play);
    let play = play.command(Command::FocusOff).event(FocusEvent::Focused(id, Some(focus_on(button(1))))).is("Idle");
    assert!(play.effects.is_empty());
}

// ATT-1
#[test]
fn what_is_no_source_is_not_followed_att_1() {
    let mut play = FocusPlay::reading();
    play.focus.set_settings(settings(POINTER_ONLY));
    let play = play.focuses(button(1)).is("Reading").does(&FocusEffect::WatchKeyboardFocus(false));
    assert!(reads_in(&play.effects).is_empty());
}

// ATT-2
#[test]
fn a_dialog_is_said_first_with_title_and_text_att_2() {
    let dialog = Element { role: Role::Dialog, label: String::new(), ..element("저장") };
    let message = Element { id: ElementId("message".into()), ..element("저장하지 않은 변경이 있어요.") };
    let change = FocusChange { entered: vec![dialog, message], element: button(1) };
    let play = FocusPlay::reading().event(FocusEvent::KeyboardFocus(RequestId::next(), change)).is("Reading");
    let said = reads_in(&play.effects).concat();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines, ["저장, 대화상자", "저장하지 않은 변경이 있어요.", "text 1, 버튼"]);
    // The focus is on the same button again, in another dialog.
    let again = FocusChange { entered: vec![element("다른 창")], element: button(1) };
    let play = play.event(FocusEvent::KeyboardFocus(RequestId::next(), again));
    assert!(reads_in(&play.effects).concat().starts_with("다른 창\n"));
}

// ATT-2
#[test]
fn a_dialog_is_said_although_the_focus_moves_on_in_it_att_2() {
    let opens = || {
        let change = FocusChange { entered: vec![element("저장")], element: button(1) };
        FocusPlay::reading().event(FocusEvent::KeyboardFocus(RequestId::next(), change))
    };
    let lines = |play: &FocusPlay| reads_in(&play.effects).concat().lines().map(str::to_owned).collect::<Vec<_>>();
    // Nothing was heard yet, however often the focus moves.
    let play = opens().focuses(button(2)).focuses(button(3));
    assert_eq!(lines(&play), ["저장", "text 3, 버튼"]);
    // Nor does a change of the element that changes nothing that is said.
    assert_eq!(lines(&opens().focuses(button(1)).focuses(button(2))), ["저장", "text 2, 버튼"]);
    // Its beginning was heard: once more, and then no more.
    let play = opens().heard(0, 2).focuses(button(2));
    assert_eq!(lines(&play), ["저장", "text 2, 버튼"]);
    let play = play.heard(0, 2).focuses(button(3));
    assert_eq!(lines(&play), ["text 3, 버튼"]);
    // It was heard, or the person stopped it.
    assert_eq!(lines(&opens().heard(0, 2).heard(1, 2).focuses(button(2))), ["text 2, 버튼"]);
    let play = opens();
    let id = play.reading_id();
    let play = play.event(FocusEvent::Speech(SpeechEvent::Stopped { id, idx: 0 })).focuses(button(2));
    assert_eq!(lines(&play), ["text 2, 버튼"]);
    // Another window, or another target in between.
    let other = FocusChange { entered: vec![element("다른 창")], element: button(2) };
    assert_eq!(lines(&opens().event(FocusEvent::KeyboardFocus(RequestId::next(), other))), ["다른 창", "text 2, 버튼"]);
    let play = opens().cursor(500, 500).time().tree(Ok(TreeAnswer::Found(numbered(4)))).focuses(button(2));
    assert_eq!(lines(&play), ["text 2, 버튼"]);
}

// PIC-5, ATT-2
#[test]
fn a_protected_field_with_the_focus_is_named_and_starts_no_wait_pic_5_att_2() {
    let play = FocusPlay::reading().focuses(password()).is("Reading").reads("비밀번호, 보호된 입력란");
    assert!(!play.effects.iter().any(|effect| matches!(effect, FocusEffect::WatchEscape(_))));
}

// ANN-5
#[test]
fn of_the_element_that_has_the_focus_already_only_changes_are_said_ann_5() {
    let with = |state: State| {
        let mut element = Element { role: Role::CheckBox, ..numbered(1) };
        element.properties.states = StateSet::default().with(state);
        element
    };
    let play = FocusPlay::reading().focuses(with(State::Unchecked)).reads("text 1, 확인란, 선택 안 됨");
    let play = play.focuses(with(State::Unchecked));
    assert!(play.effects.is_empty(), "{:?}", play.effects);
    let play = play.heard(0, 1).finished().focuses(with(State::Checked)).reads("선택됨");
    // Typing moves the caret in a text; what is said of that is not the focus's business.
    let at = |offset| Element { role: Role::Edit, offset: Some(offset), ..element("One here.\nTwo here.") };
    let play = play.focuses(at(0)).focuses(at(12));
    assert!(play.effects.is_empty(), "{:?}", play.effects);
    // What was read by the pointer is not read again when it is clicked.
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(button(1)))).focuses(button(1));
    assert!(play.effects.is_empty(), "{:?}", play.effects);
}

// ANN-5, ATT-2
#[test]
fn a_change_does_not_cut_off_what_has_the_focus_ann_5_att_2() {
    let with = |state: State| {
        let mut element = Element { role: Role::ComboBox, label: "주소".into(), ..numbered(1) };
        element.properties.states = StateSet::default().with(state);
        element
    };
    let (closed, open) = (|| with(State::Collapsed), || with(State::Expanded));
    let in_window = || FocusChange { entered: vec![element("창 제목")], element: closed() };
    let entering = || FocusPlay::reading().event(FocusEvent::KeyboardFocus(RequestId::next(), in_window()));
    let lines = |play: &FocusPlay| {
        let said = reads_in(&play.effects).concat();
        said.lines().map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The list opens before anything was heard, or while the title of the window is read: all of it is said.
    for play in [entering(), entering().heard(0, 2)] {
        let play = play.focuses(open());
        assert_eq!(lines(&play), ["창 제목", "주소"]);
        assert!(reads_in(&play.effects).concat().contains("펼쳐짐"));
        // Once: then the element is enough, and then its change.
        let play = play.heard(0, 2).focuses(closed());
        assert_eq!(lines(&play), ["주소"]);
        let play = play.heard(0, 1).focuses(open());
        assert_eq!(lines(&play), ["펼쳐짐"]);
    }
    // A sentence that begins twice, as after a pause, was not heard to its end.
    assert_eq!(lines(&entering().heard(0, 2).heard(0, 2).focuses(open())), ["창 제목", "주소"]);
    // Something else is read since.
    assert_eq!(lines(&entering().command(Command::Spell).focuses(open())), ["펼쳐짐"]);
    // The title was heard, the element was not.
    let play = entering().heard(0, 2).heard(1, 2).focuses(open());
    assert_eq!(lines(&play), ["주소"]);
    // Everything was heard, or the person stopped it.
    let play = entering().heard(0, 2).heard(1, 2).finished().focuses(open());
    assert_eq!(lines(&play), ["펼쳐짐"]);
    let play = entering().heard(0, 2);
    let id = play.reading_id();
    let play = play.event(FocusEvent::Speech(SpeechEvent::Stopped { id, idx: 0 })).focuses(open());
    assert_eq!(lines(&play), ["펼쳐짐"]);
}

// ATT-2, FOC-1
#[test]
fn what_has_no_name_is_said_as_such_and_focus_mode_stays_on_att_2_foc_1() {
    let nameless = || Element { text: String::new(), role: Role::Other, ..numbered(1) };
    let play = FocusPlay::reading().focuses(nameless()).says(Phrase::Nameless).is("Idle");
    // What was read before is news again.
    play.focuses(button(2)).is("Reading").reads("text 2, 버튼");
    let cell = |which| {
        let mut cell = Element { role: Role::Cell, ..numbered(which) };
        cell.properties.cell =
            Some(CellPlace { column_header: "값".into(), row_header: String::new(), row: 1, column: 1 });
        cell
    };
    let said = |play: &FocusPlay| reads_in(&play.effects).concat();
    let play = FocusPlay::reading().focuses(cell(1));
    assert!(said(&play).starts_with("값"), "{}", said(&play));
    let play = play.focuses(cell(2));
    assert!(!said(&play).starts_with("값"), "{}", said(&play));
    let play = play.focuses(nameless()).focuses(cell(3));
    assert!(said(&play).starts_with("값"), "{}", said(&play));
    let mut play = FocusPlay::new();
    play.focus.set_settings(settings(FOCUS_ONLY));
    let play = play.event(FocusEvent::Command(RequestId::next(), Command::FocusOn));
    let [FocusEffect::AskFocused { id }] = play.effects[..] else { panic!("{:?}", play.effects) };
    let play = play.event(FocusEvent::Focused(id, Some(focus_on(nameless())))).says(Phrase::Nameless);
    play.does(&FocusEffect::WatchKeyboardFocus(true)).focuses(button(1)).is("Reading");
}

// ATT-2, FOC-4, PIC-2
#[test]
fn around_an_element_without_a_place_nothing_is_asked_for_att_2_foc_4_pic_2() {
    let nowhere = || Element { bbox: Rect::default(), ..button(1) };
    let reading = || FocusPlay::reading().focuses(nowhere()).is("Reading");
    reading().command(Command::ReadRow).says(Phrase::NoTable);
    reading().command(Command::Bigger).says(Phrase::NothingToRead(PickFailure::NoWindow));
    let play = reading().command(Command::Pin).is("Pinned");
    assert!(!play.effects.iter().any(|effect| matches!(effect, FocusEffect::AskLines { .. })), "{:?}", play.effects);
    play.does(&FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: true }))
        .command(Command::Next)
        .says(Phrase::NothingToRead(PickFailure::NoWindow));
}
