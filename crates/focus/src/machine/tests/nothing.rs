//! Nothing can be read (FOC-1, FOC-5).

use super::*;

const PLACES: [Point; 3] = [Point { x: 400, y: 400 }, Point { x: 500, y: 400 }, Point { x: 600, y: 400 }];

impl FocusPlay {
    /// A settled move to a place of which the tree says this.
    fn moves_to(self, at: Point, answer: TreeAnswer) -> Self {
        self.event(FocusEvent::CursorMoved(at)).time().is("Targeting").tree(Ok(answer))
    }
}

const fn nothing(failure: PickFailure) -> TreeAnswer {
    TreeAnswer::Refused(failure)
}

// FOC-1, FOC-5, KER-9
#[test]
fn that_nothing_is_there_is_said_at_every_new_target_foc_1_foc_5_ker_9() {
    for failure in [PickFailure::NoText, PickFailure::NoWindow, PickFailure::NoAnswer, PickFailure::Unavailable] {
        let mut play = FocusPlay::waiting();
        for at in PLACES {
            play = play.moves_to(at, nothing(failure)).is("WaitCmd").says(Phrase::NothingToRead(failure));
        }
        // A tremble of the hand is no new target.
        let near = Point { x: PLACES[2].x + 3, ..PLACES[2] };
        play.rests_on(near, nothing(failure)).is("WaitCmd").stays_silent();
        // It stays armed after the wait.
        let play = FocusPlay::waiting()
            .command(Command::Bigger)
            .tree(Ok(nothing(failure)))
            .says(Phrase::NothingToRead(failure));
        let play = play.time().is("Idle").says(Phrase::WaitTimedOut);
        play.moves_to(PLACES[1], TreeAnswer::Found(numbered(1))).reads("text 1");
    }
}

// FOC-1, FOC-5
#[test]
fn esc_dismisses_the_question_foc_1_foc_5() {
    FocusPlay::waiting().command(Command::Escape).is("Idle").says(Phrase::FocusOff);
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
