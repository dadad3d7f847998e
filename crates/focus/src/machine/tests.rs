//! FOC-1 as a table, and what the tables of the other files need.
use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::element::ElementProperties;
use luna_messages::focus::FocusChange;
use luna_messages::ocr::OcrPick;
use luna_messages::pick::{Element, Pick, PickFailure, PickMethod, Role, SearchedRegion, WindowInfo};
use luna_messages::tts::ReadRequest;
use luna_messages::uia::{TextLine, TreeAnswer, WindowLines};
use luna_messages::{ElementId, Lang, NoReply, Point, Rect, RequestId};

use super::*;
use crate::announce::tests::words_of;
use crate::phrases::Phrase;

/// A searched region, without a window.
fn searched(hidden: Vec<Rect>) -> SearchedRegion {
    SearchedRegion {
        window: None,
        region: Rect::new(0, 0, 400, 400),
        chosen: Rect::new(0, 0, 400, 400),
        hidden,
        shown: Vec::new(),
        covered: None,
    }
}

fn element(text: &str) -> Element {
    Element::new(ElementId("e".to_owned()), Role::Text, text, Rect::new(100, 100, 200, 20))
}

fn recognised(text: &str, low_quality: bool) -> OcrPick {
    let pick = Pick {
        method: PickMethod::Ocr,
        bbox: Rect::new(100, 100, 200, 20),
        text: text.to_owned(),
        lang: Lang::En,
        is_table: false,
        role: None,
        id: None,
        offset: None,
        rows: Vec::new(),
        has_header: false,
        row: None,
        properties: ElementProperties::default(),
        confidence: 0.9,
        label: String::new(),
    };
    OcrPick { pick, low_quality }
}

/// One of several elements, below one another.
fn numbered(which: u8) -> Element {
    let bbox = Rect::new(100, 100 + 20 * i32::from(which), 200, 20);
    Element { id: ElementId(format!("e{which}")), bbox, ..element(&format!("text {which}")) }
}

fn password() -> Element {
    Element { id: ElementId("secret".into()), role: Role::Protected, label: "비밀번호".into(), ..element("") }
}

fn focus_on(element: Element) -> FocusChange {
    FocusChange { entered: Vec::new(), element }
}

fn lines() -> Vec<TextLine> {
    (0..5).map(|i| TextLine { text: format!("line {i}"), bbox: Rect::new(100, 100 + i * 20, 200, 16) }).collect()
}

fn window() -> WindowInfo {
    WindowInfo { handle: 7, process: 1, title: String::new(), bounds: Rect::new(0, 0, 800, 600) }
}

fn window_lines() -> WindowLines {
    WindowLines { window: window(), lines: lines(), is_complete: true }
}

/// A focus mode with the cursor at (110, 110), and its last effects.
struct FocusPlay {
    focus: Focus,
    effects: Vec<FocusEffect>,
}

impl FocusPlay {
    fn new() -> Self {
        Self { focus: Focus::new(FocusSettings::default()), effects: Vec::new() }
    }

    fn event(mut self, event: FocusEvent) -> Self {
        self.effects = self.focus.step(event);
        self
    }

    /// If the command asks for the pointer, answers (110, 110).
    fn command(self, command: Command) -> Self {
        let play = self.event(FocusEvent::Command(RequestId::next(), command));
        match play.effects[..] {
            [FocusEffect::AskPointer { id }] => play.event(FocusEvent::Pointer(id, Some(Point::new(110, 110)))),
            _ => play,
        }
    }

    /// Answers the newest request to the accessibility tree.
    fn tree(self, answer: Result<TreeAnswer, NoReply>) -> Self {
        let id = self.pick_id();
        self.event(FocusEvent::Tree(id, answer))
    }

    fn pick_id(&self) -> RequestId {
        match self.focus.state {
            FocusState::Targeting { id, .. } => id,
            _ => panic!("no pick is under way in {}", self.focus.state.name()),
        }
    }

    fn nothing_there(self) -> Self {
        let play = self.tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
        let id = play.pick_id();
        play.event(FocusEvent::Recognised(id, Ok(Err(PickFailure::NoText))))
    }

    fn reading() -> Self {
        Self::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(element("line 1"))))
    }

    fn pinned() -> Self {
        Self::reading().command(Command::Pin)
    }

    fn waiting() -> Self {
        Self::new().command(Command::FocusOn).nothing_there()
    }

    /// The newest timer elapses.
    fn time(self) -> Self {
        let newest = self.focus.timers;
        self.event(FocusEvent::Timer(newest))
    }

    fn lines_come(self) -> Self {
        let id = self.effects.iter().find_map(|e| match e {
            FocusEffect::AskLines { id, .. } => Some(*id),
            _ => None,
        });
        self.event(FocusEvent::Lines(id.expect("lines were asked for"), Ok(Ok(window_lines()))))
    }

    #[track_caller]
    fn is(self, state: &str) -> Self {
        assert_eq!(self.focus.state.name(), state);
        self
    }

    #[track_caller]
    fn says(self, phrase: Phrase) -> Self {
        assert!(
            self.effects.iter().any(|e| matches!(e, FocusEffect::Say(said, _) if *said == phrase)),
            "{:?}",
            self.effects
        );
        self
    }

    #[track_caller]
    fn reads(self, text: &str) -> Self {
        let read = reads_in(&self.effects);
        assert_eq!(read, [text], "{:?}", self.effects);
        self
    }

    #[track_caller]
    fn does(self, effect: &FocusEffect) -> Self {
        assert!(self.effects.contains(effect), "{effect:?} not in {:?}", self.effects);
        self
    }
}

fn reads_in(effects: &[FocusEffect]) -> Vec<String> {
    effects
        .iter()
        .filter_map(|e| if let FocusEffect::Read(request) = e { Some(words_of(&request.reading).0) } else { None })
        .collect()
}

// FOC-1
#[test]
fn every_row_of_foc_1() {
    FocusPlay::new().is("Idle").command(Command::FocusOn).is("Targeting").does(&FocusEffect::WatchPointer(true));
    FocusPlay::reading().is("Reading").reads("line 1");
    FocusPlay::waiting()
        .is("WaitCmd")
        .says(Phrase::NothingToRead(PickFailure::NoText))
        .does(&FocusEffect::WatchEscape(true));
    for command in [Command::Stop, Command::Repeat, Command::Slower, Command::Spell, Command::Numbers, Command::Next] {
        FocusPlay::reading().command(command).is("Reading");
        FocusPlay::pinned().command(command).is("Pinned");
    }
    FocusPlay::reading().event(FocusEvent::CursorMoved(Point::new(300, 300))).is("Reading").time().is("Targeting");
    FocusPlay::reading().command(Command::Pin).is("Pinned");
    FocusPlay::pinned().lines_come().command(Command::Next).is("Pinned").reads("line 2");
    FocusPlay::pinned().lines_come().command(Command::Prev).is("Pinned").reads("line 0");
    FocusPlay::pinned().command(Command::Unpin).is("Reading");
    FocusPlay::waiting().command(Command::Bigger).is("Targeting");
    FocusPlay::waiting().time().is("Idle").says(Phrase::WaitTimedOut).does(&FocusEffect::WatchEscape(false));
    FocusPlay::waiting().command(Command::Escape).is("Idle");
    for play in
        [FocusPlay::new().command(Command::FocusOn), FocusPlay::reading(), FocusPlay::pinned(), FocusPlay::waiting()]
    {
        play.command(Command::FocusOff)
            .is("Idle")
            .does(&FocusEffect::Forget)
            .does(&FocusEffect::Publish(BusEvent::Highlight { bbox: None, pinned: false }))
            .does(&FocusEffect::WatchPointer(false));
    }
}

// FOC-2
#[test]
fn follow_picks_again_only_after_settling_beyond_the_threshold_foc_2() {
    // 24 px are not a move: the search for something else does not leave the state.
    FocusPlay::reading().event(FocusEvent::CursorMoved(Point::new(134, 110))).time().is("Reading");
    // Each further move restarts the timer: an old timer is ignored.
    let play = FocusPlay::reading().event(FocusEvent::CursorMoved(Point::new(200, 110)));
    let old = play.focus.timers;
    let play =
        play.event(FocusEvent::CursorMoved(Point::new(220, 110))).event(FocusEvent::Timer(old)).is("Reading").time();
    let FocusState::Targeting { request, .. } = play.focus.state else { panic!() };
    assert_eq!(request.cursor, Point::new(220, 110));
    // Back in time: nothing happens.
    let play = FocusPlay::reading().event(FocusEvent::CursorMoved(Point::new(200, 110)));
    play.event(FocusEvent::CursorMoved(Point::new(112, 110))).time().is("Reading");
    // Not while pinned, and not if follow is off.
    FocusPlay::pinned().event(FocusEvent::CursorMoved(Point::new(500, 500))).time().is("Pinned");
    let mut off = FocusPlay::reading();
    off.focus.set_settings(FocusSettings { follow: false, ..FocusSettings::default() });
    off.event(FocusEvent::CursorMoved(Point::new(500, 500))).time().is("Reading");
}

// PIC-2
#[test]
fn bigger_multiplies_by_one_and_a_half_until_the_next_target_pic_2() {
    let play = FocusPlay::waiting().command(Command::Bigger).nothing_there().command(Command::Bigger);
    let FocusState::Targeting { request, .. } = play.focus.state else { panic!() };
    assert!((request.enlarge - 2.25).abs() < 1e-6);
    let id = play.pick_id();
    let play = play.event(FocusEvent::Tree(id, Ok(TreeAnswer::Found(element("x")))));
    let play = play.event(FocusEvent::CursorMoved(Point::new(400, 400))).time();
    let FocusState::Targeting { request, .. } = play.focus.state else { panic!() };
    assert!((request.enlarge - 1.0).abs() < 1e-6);
}

// PIC-1, PIC-5
#[test]
fn recognition_is_asked_only_where_the_tree_has_no_text_and_nothing_is_protected_pic_1_pic_5() {
    let play = FocusPlay::new().command(Command::FocusOn);
    let protected = vec![Rect::new(1, 2, 3, 4)];
    let play = play.tree(Ok(TreeAnswer::NoText(searched(protected.clone()))));
    assert!(
        matches!(&play.effects[..], [FocusEffect::AskRecognition { searched: s, .. }] if *s == searched(protected.clone()))
    );
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Refused(PickFailure::Protected)));
    assert!(!play.effects.iter().any(|e| matches!(e, FocusEffect::AskRecognition { .. })));
    play.says(Phrase::NothingToRead(PickFailure::Protected));
}

// OCR-3
#[test]
fn low_quality_is_said_and_a_retry_offered_ocr_3() {
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
    let id = play.pick_id();
    play.event(FocusEvent::Recognised(id, Ok(Ok(recognised("blurred", true)))))
        .reads("blurred")
        .says(Phrase::LowQuality);
}

// OCR-4, BRG-2
#[test]
fn a_table_is_read_row_by_row_and_spelt_as_text_ocr_4_brg_2() {
    let mut table = Element { role: Role::Table, ..element("사과") };
    table.rows = vec![vec!["이름".into(), "값".into()], vec!["사과".into(), "1".into()]];
    table.has_header = true;
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(table))).reads("이름|값/사과|1");
    play.command(Command::Spell).reads("사과");
}

#[test]
fn a_late_answer_changes_nothing() {
    let play = FocusPlay::new().command(Command::FocusOn);
    let old = play.pick_id();
    let play = play.event(FocusEvent::CursorMoved(Point::new(500, 500))).time().is("Targeting");
    assert_ne!(play.pick_id(), old);
    let play = play.event(FocusEvent::Tree(old, Ok(TreeAnswer::Found(element("old"))))).is("Targeting");
    assert!(play.effects.is_empty());
    let play = FocusPlay::new().command(Command::FocusOn);
    let id = play.pick_id();
    let play =
        play.command(Command::FocusOff).event(FocusEvent::Tree(id, Ok(TreeAnswer::Found(element("old"))))).is("Idle");
    assert!(play.effects.is_empty());
}

// KER-7
#[test]
fn a_lost_answer_is_said_ker_7() {
    FocusPlay::new()
        .command(Command::FocusOn)
        .tree(Err(NoReply::Crashed))
        .says(Phrase::NothingToRead(PickFailure::Failed));
    // And if there is no answer at all, the deadline triggers it.
    FocusPlay::new().command(Command::FocusOn).time().is("WaitCmd").says(Phrase::NothingToRead(PickFailure::NoAnswer));
}

// FOC-4
#[test]
fn the_border_of_the_window_is_said_foc_4() {
    let mut play = FocusPlay::pinned().lines_come();
    for text in ["line 2", "line 3", "line 4"] {
        play = play.command(Command::Next).reads(text).lines_come();
    }
    play.command(Command::Next).lines_come().says(Phrase::LastLine);
}

#[test]
fn commands_without_a_target_are_answered() {
    FocusPlay::new().command(Command::Pin).says(Phrase::FocusIsOff);
    FocusPlay::new().command(Command::Next).says(Phrase::FocusIsOff);
    FocusPlay::waiting().command(Command::Spell).says(Phrase::NothingIsRead);
    FocusPlay::new().command(Command::Translate).says(Phrase::FocusIsOff);
    FocusPlay::waiting().command(Command::Summarize).says(Phrase::NothingIsRead);
}

mod attention;
mod demand;
mod effects;
mod help;
mod intended;
mod nothing;
mod random;
mod searching;
mod small_moves;
mod wish;
mod work;

// BRG-2
#[test]
fn spelling_begins_with_the_sentence_that_is_pointed_at_brg_2() {
    let mut pointed = element("First one here. Second one here.");
    pointed.offset = Some(24);
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(pointed))).command(Command::Spell);
    let offset = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::Read(request) => Some(words_of(&request.reading).1),
        _ => None,
    });
    assert_eq!(offset, Some(16));
}
