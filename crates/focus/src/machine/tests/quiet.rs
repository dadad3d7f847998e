//! An empty area is reported once (FOC-5).

use super::*;

const PLACES: [Point; 3] = [Point { x: 400, y: 400 }, Point { x: 500, y: 400 }, Point { x: 600, y: 400 }];

impl FocusPlay {
    /// A settled move to a place of which the tree says this.
    fn moves_to(self, at: Point, answer: TreeAnswer) -> Self {
        self.event(FocusEvent::CursorMoved(at)).time().is("Targeting").tree(Ok(answer))
    }

    fn notices(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, FocusEffect::Say(..) | FocusEffect::SayOf { .. })).count()
    }
}

const fn nothing(failure: PickFailure) -> TreeAnswer {
    TreeAnswer::Refused(failure)
}

// FOC-1, FOC-5
#[test]
fn an_empty_area_is_reported_once_until_something_is_found_foc_1_foc_5() {
    let mut play = FocusPlay::waiting();
    assert_eq!(play.notices(), 1);
    for at in PLACES {
        play = play.moves_to(at, nothing(PickFailure::NoWindow)).is("WaitCmd");
        assert_eq!(play.notices(), 0, "{:?}", play.effects);
    }
    // The silent wait ends silently, and stays armed.
    let play = play.time().is("Idle");
    assert_eq!(play.notices(), 0);
    // Still nothing; then a text; then nothing, which is news again.
    let play = play.moves_to(PLACES[0], nothing(PickFailure::NoText));
    assert_eq!(play.notices(), 0);
    let play = play.moves_to(PLACES[1], TreeAnswer::Found(numbered(1))).reads("text 1");
    play.moves_to(PLACES[2], nothing(PickFailure::NoText)).says(Phrase::NothingToRead(PickFailure::NoText));
}

// FOC-5, KER-9
#[test]
fn what_is_wrong_and_what_was_asked_for_is_said_each_time_foc_5_ker_9() {
    for failure in [PickFailure::NoAnswer, PickFailure::Unavailable, PickFailure::Protected] {
        let play = FocusPlay::waiting().moves_to(PLACES[0], nothing(failure)).says(Phrase::NothingToRead(failure));
        play.moves_to(PLACES[1], nothing(failure)).says(Phrase::NothingToRead(failure));
    }
    // A wider search and switching on anew are questions that want an answer.
    let silent = || FocusPlay::waiting().moves_to(PLACES[0], nothing(PickFailure::NoText));
    assert_eq!(silent().command(Command::Bigger).tree(Ok(nothing(PickFailure::NoText))).notices(), 1);
    let play = silent().command(Command::FocusOff).command(Command::FocusOn);
    assert_eq!(play.tree(Ok(nothing(PickFailure::NoText))).notices(), 1);
}

// FOC-1, FOC-5
#[test]
fn esc_dismisses_a_question_and_otherwise_belongs_to_the_application_foc_1_foc_5() {
    FocusPlay::waiting().command(Command::Escape).is("Idle").says(Phrase::FocusOff);
    let play = FocusPlay::waiting().moves_to(PLACES[0], nothing(PickFailure::NoText)).command(Command::Escape);
    assert_eq!(play.notices(), 0);
    play.is("Idle").moves_to(PLACES[1], TreeAnswer::Found(numbered(1))).reads("text 1");
}

// PIC-5
#[test]
fn which_field_is_protected_is_said_pic_5() {
    let phrase = Phrase::NothingToRead(PickFailure::Protected);
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Protected(password()))).is("WaitCmd");
    let play = play.does(&FocusEffect::SayOf { name: "비밀번호".into(), phrase });
    play.does(&FocusEffect::Publish(BusEvent::PickFailed { reason: "protected".into() }));
    let nameless = Element { label: " ".into(), ..password() };
    FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Protected(nameless))).says(phrase);
}
