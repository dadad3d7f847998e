//! A command before its text decides what the next pick does (FOC-7).

use std::time::Duration;

use luna_messages::language_tasks::{PieceStatus, TranslatedPiece};
use luna_messages::reading::{Intent, ReadingWish, Style};

use super::*;

const THERE: Point = Point { x: 400, y: 400 };

impl FocusPlay {
    /// Rests the pointer elsewhere, on this text.
    fn points_at(self, text: &str) -> Self {
        self.event(FocusEvent::CursorMoved(THERE)).time().is("Targeting").tree(Ok(TreeAnswer::Found(element(text))))
    }

    /// The number of the timer that ends the wait for a text.
    #[track_caller]
    fn wait(&self) -> u64 {
        let timer = |effect: &FocusEffect| match effect {
            FocusEffect::StartTimer { generation, after } if *after == Duration::from_secs(5) => Some(*generation),
            _ => None,
        };
        self.effects.iter().find_map(timer).unwrap_or_else(|| panic!("no wait in {:?}", self.effects))
    }

    fn intents(&self) -> Vec<Intent> {
        let intent = |effect: &FocusEffect| match effect {
            FocusEffect::Publish(BusEvent::IntentResult { intent, .. }) => Some(*intent),
            _ => None,
        };
        self.effects.iter().filter_map(intent).collect()
    }

    #[track_caller]
    fn reads_plainly(self, text: &str) -> Self {
        assert_eq!(self.target().style, Style::News);
        self.reads(text)
    }

    #[track_caller]
    fn spells(self, text: &str) -> Self {
        assert_eq!((self.intents(), self.target().style), (vec![Intent::Spell], Style::Spell));
        self.reads(text)
    }
}

// FOC-7
#[test]
fn what_was_asked_before_decides_what_the_next_pick_does_foc_7() {
    let asked = |command| FocusPlay::waiting().command(command).says(Phrase::NothingIsRead);
    for (command, intent) in [
        (Command::Translate, Intent::Translate),
        (Command::Summarize, Intent::Summarize),
        (Command::Spell, Intent::Spell),
        (Command::SpellJamo, Intent::Spell),
        (Command::Numbers, Intent::Numbers),
    ] {
        let play = asked(command).points_at("There");
        assert_eq!(play.intents(), [intent], "{command:?}");
    }
    let play = asked(Command::Translate).points_at("There").says(Phrase::Translating).is("Reading");
    assert!(play.effects.iter().any(|effect| matches!(effect, FocusEffect::Translate { .. })));
    assert_eq!(reads_in(&play.effects), Vec::<String>::new());
    // Once.
    let play = asked(Command::Spell).points_at("There").spells("There");
    play.event(FocusEvent::CursorMoved(Point::new(600, 600)))
        .time()
        .tree(Ok(TreeAnswer::Found(element("next"))))
        .reads("next");
    // The newest counts, also before focus mode is on, and during a search.
    asked(Command::Translate).command(Command::Spell).points_at("There").spells("There");
    let play = FocusPlay::new().command(Command::Spell).says(Phrase::FocusIsOff).command(Command::FocusOn);
    play.tree(Ok(TreeAnswer::Found(element("first")))).spells("first");
    let play = FocusPlay::new().command(Command::FocusOn).command(Command::Spell);
    assert_eq!(play.effects.len(), 1, "a search answers by itself: {:?}", play.effects);
    play.tree(Ok(TreeAnswer::Found(element("first")))).spells("first");
    // A move of the keyboard focus points, too.
    let play = asked(Command::Spell).event(FocusEvent::KeyboardFocus(RequestId::next(), focus_on(element("field"))));
    play.spells("field");
}

// FOC-7
#[test]
fn what_was_asked_is_forgotten_after_five_seconds_foc_7() {
    let play = FocusPlay::waiting().command(Command::Spell);
    let wait = play.wait();
    play.event(FocusEvent::Timer(wait)).points_at("There").reads_plainly("There");
    // The search began in time.
    let play = FocusPlay::waiting().command(Command::Spell);
    let wait = play.wait();
    let play = play.event(FocusEvent::CursorMoved(THERE)).time().is("Targeting").event(FocusEvent::Timer(wait));
    play.tree(Ok(TreeAnswer::Found(element("late")))).spells("late");
    // That search finds nothing, and the next one is too late.
    let play = FocusPlay::waiting().command(Command::Spell);
    let wait = play.wait();
    let play = play.event(FocusEvent::CursorMoved(THERE)).time().event(FocusEvent::Timer(wait)).nothing_there();
    play.event(FocusEvent::CursorMoved(Point::new(600, 600)))
        .time()
        .tree(Ok(TreeAnswer::Found(element("text"))))
        .reads_plainly("text");
    // The wait of an earlier command ends nothing of a later one.
    let play = FocusPlay::waiting().command(Command::Translate);
    let wait = play.wait();
    play.command(Command::Spell).event(FocusEvent::Timer(wait)).points_at("There").spells("There");
}

// FOC-6, FOC-7
#[test]
fn stop_and_off_end_what_was_asked_foc_6_foc_7() {
    FocusPlay::waiting().command(Command::Spell).command(Command::Stop).points_at("There").reads_plainly("There");
    let play = FocusPlay::waiting().command(Command::Spell).command(Command::FocusOff).command(Command::FocusOn);
    play.tree(Ok(TreeAnswer::Found(element("There")))).reads_plainly("There");
}

// FOC-6, BRG-3
#[test]
fn a_wish_that_a_stop_overtook_is_not_done_foc_6_brg_3() {
    let wish = |id| {
        let wish = ReadingWish {
            utterance: "철자로 읽어 줘".into(),
            intent: Intent::Spell,
            mode: None,
            lang_tgt: None,
            line_offset: None,
        };
        FocusEvent::Wish(id, wish)
    };
    let id = RequestId::next();
    let play = FocusPlay::waiting().command(Command::Stop).event(wish(id));
    assert!(play.effects.is_empty(), "{:?}", play.effects);
    let play = FocusPlay::waiting().command(Command::Stop);
    assert!(!play.event(wish(RequestId::next())).effects.is_empty());
}

// FOC-6, FOC-7
#[test]
fn what_was_asked_after_a_stop_is_not_ended_by_it_foc_6_foc_7() {
    // The focus moved before the stop, and was found after the command.
    let moved = RequestId::next();
    let asked = |command| FocusPlay::waiting().command(Command::Stop).command(command);
    let stopped = RequestId::next();
    let told = |play: FocusPlay| play.event(FocusEvent::KeyboardFocus(moved, focus_on(element("There"))));
    let spelt = told(asked(Command::Spell));
    assert!(spelt.target().reading > stopped, "it would be silenced");
    let play = told(asked(Command::Translate));
    let id = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::Translate { id, .. } => Some(*id),
        _ => None,
    });
    let piece = TranslatedPiece {
        index: 0,
        gap: String::new(),
        source: "There".into(),
        text: "거기".into(),
        status: PieceStatus::Kept,
        tokens: Vec::new(),
        larger: false,
    };
    let play = play.event(FocusEvent::Translated(id.expect("it is translated"), piece));
    let asked = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::ReadOn(part) => Some(part.asked),
        _ => None,
    });
    assert!(asked > Some(stopped), "{:?}", play.effects);
}
