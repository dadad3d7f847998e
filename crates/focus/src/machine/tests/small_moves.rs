//! Moves within the threshold: another element or line is read at once, the same one is not (FOC-2, ANN-5).

use luna_messages::element::{State, StateSet};
use luna_messages::pick::PickRequest;

use super::*;

const NEAR: Point = Point { x: 118, y: 121 };

impl FocusPlay {
    fn rests(self, at: Point) -> Self {
        self.event(FocusEvent::CursorMoved(at)).time()
    }

    /// The question after a small move.
    #[track_caller]
    fn question(&self) -> RequestId {
        match &self.effects[..] {
            [FocusEffect::AskTree { id, .. }] => *id,
            other => panic!("{other:?}"),
        }
    }

    /// The pointer rests at `at`, and the tree answers.
    #[track_caller]
    pub(super) fn rests_on(self, at: Point, answer: TreeAnswer) -> Self {
        let play = self.rests(at);
        let id = play.question();
        play.event(FocusEvent::Tree(id, Ok(answer)))
    }

    #[track_caller]
    pub(super) fn stays_silent(self) -> Self {
        assert!(self.effects.is_empty(), "{:?}", self.effects);
        self
    }
}

fn found(element: Element) -> TreeAnswer {
    TreeAnswer::Found(element)
}

fn reading_of(element: Element) -> FocusPlay {
    FocusPlay::new().command(Command::FocusOn).tree(Ok(found(element)))
}

fn ocr(text: &str, y: i32) -> OcrPick {
    let mut found = recognised(text, false);
    found.pick.bbox = Rect::new(100, y, 200, 16);
    found
}

fn reading_recognised(text: &str) -> FocusPlay {
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
    let id = play.pick_id();
    play.event(FocusEvent::Recognised(id, Ok(Ok(ocr(text, 102)))))
}

// FOC-2
#[test]
fn another_element_within_the_threshold_is_a_new_target_foc_2() {
    let play = reading_of(numbered(0)).rests_on(NEAR, found(numbered(1))).is("Reading").reads("text 1");
    // The outside sees a search as any other.
    let names: Vec<_> = play
        .effects
        .iter()
        .filter_map(|effect| match effect {
            FocusEffect::Publish(BusEvent::FocusState { state }) => Some(state.as_str()),
            FocusEffect::Publish(BusEvent::PickRequest { cursor }) if *cursor == NEAR => Some("request"),
            FocusEffect::Publish(BusEvent::PickResult { .. }) => Some("result"),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["Targeting", "request", "Reading", "result"]);
    // From there on moves count.
    play.rests(Point::new(118, 146)).is("Targeting");
    // After an empty place, too.
    FocusPlay::waiting().rests_on(NEAR, found(numbered(1))).is("Reading").reads("text 1");
}

// FOC-2, ANN-5
#[test]
fn the_same_element_is_not_read_again_when_the_pointer_trembles_foc_2_ann_5() {
    reading_of(numbered(0)).rests_on(NEAR, found(numbered(0))).stays_silent().is("Reading");
    // A redrawn window moves it, which is no news.
    let moved = Element { bbox: Rect::new(101, 102, 200, 20), ..numbered(0) };
    reading_of(numbered(0)).rests_on(NEAR, found(moved)).stays_silent();
    // A hand that slips off the text has not left it.
    for answer in [
        TreeAnswer::NoText(searched(Vec::new())),
        TreeAnswer::Refused(PickFailure::NoWindow),
        TreeAnswer::Refused(PickFailure::NoAnswer),
    ] {
        reading_of(numbered(0)).rests_on(Point::new(118, 112), answer).stays_silent().is("Reading");
    }
    let play = reading_of(numbered(0)).rests(NEAR);
    let id = play.question();
    play.event(FocusEvent::Tree(id, Err(NoReply::Crashed))).stays_silent().is("Reading");
}

// ANN-5
#[test]
fn what_changed_on_the_same_element_is_said_ann_5() {
    let with = |state: State| {
        let mut element = Element { role: Role::CheckBox, ..numbered(0) };
        element.properties.states = StateSet::default().with(state);
        element
    };
    let play = reading_of(with(State::Unchecked)).rests_on(NEAR, found(with(State::Checked))).reads("선택됨");
    // It is known now.
    play.rests_on(Point::new(116, 116), found(with(State::Checked))).stays_silent();
}

// FOC-2
#[test]
fn another_sentence_of_the_same_text_is_a_new_target_foc_2() {
    let at = |offset| Element { offset: Some(offset), ..element("First line here.\nSecond line here.") };
    reading_of(at(2)).rests_on(NEAR, found(at(9))).stays_silent();
    let play = reading_of(at(2)).rests_on(NEAR, found(at(20)));
    let offset = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::Read(request) => Some(words_of(&request.reading).1),
        _ => None,
    });
    assert_eq!(offset, Some(17));
}

// FOC-2
#[test]
fn one_rest_asks_at_most_once_and_a_known_line_not_at_all_foc_2() {
    // Trembling starts the wait anew, and the same place is not asked for twice.
    let play = reading_of(numbered(0)).event(FocusEvent::CursorMoved(NEAR));
    let early = play.focus.timers;
    let play = play.event(FocusEvent::CursorMoved(Point::new(119, 121))).event(FocusEvent::Timer(early)).stays_silent();
    let play = play.time();
    let id = play.question();
    let play = play.event(FocusEvent::Tree(id, Ok(found(numbered(0)))));
    play.event(FocusEvent::CursorMoved(Point::new(119, 121))).stays_silent();
    // The line that was recognised is known; the one below is not.
    reading_recognised("one").event(FocusEvent::CursorMoved(Point::new(120, 112))).stays_silent();
    let play = reading_recognised("one").rests_on(NEAR, TreeAnswer::NoText(searched(Vec::new())));
    let [FocusEffect::AskRecognition { id, request, .. }] = play.effects[..] else { panic!("{:?}", play.effects) };
    assert_eq!(request, PickRequest { cursor: NEAR, enlarge: 1.0 });
    let play = play.event(FocusEvent::Recognised(id, Ok(Ok(ocr("two", 120))))).is("Reading").reads("two");
    play.event(FocusEvent::Recognised(id, Ok(Ok(ocr("two", 120))))).stays_silent();
}

// FOC-2, ANN-5
#[test]
fn recognition_near_what_is_read_says_only_the_line_under_the_pointer_foc_2_ann_5() {
    for (text, y) in [("one", 120), ("two", 140), ("two", 104)] {
        let play = reading_recognised("one").rests_on(NEAR, TreeAnswer::NoText(searched(Vec::new())));
        let [FocusEffect::AskRecognition { id, .. }] = play.effects[..] else { panic!("{:?}", play.effects) };
        play.event(FocusEvent::Recognised(id, Ok(Ok(ocr(text, y))))).stays_silent().is("Reading");
    }
    // Recognition is slow, so half a line is not asked for again.
    let play = FocusPlay::waiting().rests_on(NEAR, TreeAnswer::NoText(searched(Vec::new())));
    let [FocusEffect::AskRecognition { id, .. }] = play.effects[..] else { panic!("{:?}", play.effects) };
    let play = play.event(FocusEvent::Recognised(id, Ok(Err(PickFailure::NoText)))).stays_silent().is("WaitCmd");
    let play = play.rests_on(Point::new(119, 122), TreeAnswer::NoText(searched(Vec::new()))).stays_silent();
    play.rests_on(Point::new(119, 130), TreeAnswer::Refused(PickFailure::NoText)).stays_silent().is("WaitCmd");
}

// PIC-5, FOC-2
#[test]
fn a_protected_field_near_by_is_said_pic_5_foc_2() {
    let play = reading_of(numbered(0)).rests_on(NEAR, TreeAnswer::Protected(password())).is("WaitCmd");
    let phrase = Phrase::NothingToRead(PickFailure::Protected);
    play.does(&FocusEffect::SayOf { name: "비밀번호".into(), phrase });
}

// FOC-6, KER-6
#[test]
fn a_command_ends_the_question_foc_6_ker_6() {
    for command in [Command::Stop, Command::Pin, Command::Spell, Command::FocusOff] {
        let play = reading_of(numbered(0)).rests(NEAR);
        let id = play.question();
        let play = play.command(command).does(&FocusEffect::EndSearch);
        let state = play.focus.state().name();
        play.event(FocusEvent::Tree(id, Ok(found(numbered(1))))).stays_silent().is(state);
    }
    // Silence lasts: trembling after a stop reads nothing.
    reading_of(numbered(0)).command(Command::Stop).event(FocusEvent::CursorMoved(NEAR)).stays_silent();
    // A real move asks anew, and the old question is over.
    let play = reading_of(numbered(0)).rests(NEAR);
    let id = play.question();
    let play = play.event(FocusEvent::CursorMoved(Point::new(400, 400))).time().is("Targeting");
    play.does(&FocusEffect::EndSearch)
        .event(FocusEvent::Tree(id, Ok(found(numbered(1)))))
        .is("Targeting")
        .stays_silent();
}

// KER-6
#[test]
fn a_question_does_not_end_a_translation_and_something_new_does_ker_6() {
    let play = reading_of(numbered(0)).command(Command::Translate).rests(NEAR);
    let id = play.question();
    let same = play.event(FocusEvent::Tree(id, Ok(found(numbered(0))))).stays_silent();
    same.rests_on(Point::new(118, 122), found(numbered(1))).does(&FocusEffect::EndWork).reads("text 1");
}
