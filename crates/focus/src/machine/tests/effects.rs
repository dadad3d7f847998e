//! The exact effects of focus mode, in order (FOC-1 to FOC-5), and the state that it keeps.

use std::time::Duration;

use luna_messages::pick::PickRequest;
use luna_messages::reading::{Intent, Style};
use luna_messages::tts::{NoticeTiming, ReadAloud};
use luna_messages::uia::LinesRequest;

use super::*;

const HERE: Point = Point { x: 110, y: 110 };
const FAR: Point = Point { x: 500, y: 500 };
const BBOX: Rect = Rect { x: 100, y: 100, width: 200, height: 20 };

fn at(cursor: Point) -> PickRequest {
    PickRequest { cursor, enlarge: 1.0 }
}

fn lines_at(cursor: Point, window: Option<WindowInfo>) -> LinesRequest {
    LinesRequest { cursor, window, part: None, recognised: false }
}

fn read(id: RequestId, text: &str, offset: usize, style: Style) -> FocusEffect {
    FocusEffect::Read(ReadRequest { id, reading: ReadAloud::Text { text: text.into(), offset }, style, lang: Lang::Ko })
}

fn state(name: &str) -> FocusEffect {
    FocusEffect::Publish(BusEvent::FocusState { state: name.into() })
}

fn highlight(bbox: Option<Rect>, pinned: bool) -> FocusEffect {
    FocusEffect::Publish(BusEvent::Highlight { bbox, pinned })
}

fn intent(intent: Intent) -> FocusEffect {
    FocusEffect::Publish(BusEvent::IntentResult { intent, mode: None, lang_tgt: None })
}

impl FocusPlay {
    #[track_caller]
    fn does_just(self, effects: &[FocusEffect]) -> Self {
        assert_eq!(self.effects, effects);
        self
    }

    pub(super) fn target(&self) -> &ReadingTarget {
        self.focus.current().expect("something is read")
    }

    /// The id and request of the last request for lines.
    #[track_caller]
    fn asked_lines(&self) -> (RequestId, LinesRequest) {
        let asked = self.effects.iter().find_map(|effect| match effect {
            FocusEffect::AskLines { id, request } => Some((*id, request.clone())),
            _ => None,
        });
        asked.unwrap_or_else(|| panic!("{:?}", self.effects))
    }
}

// FOC-1, FOC-3, PIC-1
#[test]
fn a_search_tells_where_it_looks_and_what_it_finds_foc_1_foc_3_pic_1() {
    let play = FocusPlay::new().command(Command::FocusOn);
    let (id, deadline) = (play.pick_id(), play.focus.timers);
    let play = play.does_just(&[
        state("Targeting"),
        FocusEffect::Publish(BusEvent::FocusModeToggle { on: true }),
        FocusEffect::Publish(BusEvent::PickRequest { cursor: HERE }),
        FocusEffect::AskTree { id, request: at(HERE) },
        FocusEffect::StartTimer { generation: deadline, after: Duration::from_secs(5) },
        FocusEffect::WatchPointer(true),
        FocusEffect::WatchKeyboardFocus(true),
    ]);
    let play = play.tree(Ok(TreeAnswer::Found(element("line 1")))).does_just(&[
        state("Reading"),
        FocusEffect::CountPick { method: "uia", outcome: "success" },
        FocusEffect::Publish(BusEvent::PickResult {
            method: PickMethod::Uia,
            bbox: BBOX,
            text: "line 1".into(),
            lang: Lang::En,
            is_table: false,
        }),
        intent(Intent::Read),
        highlight(Some(BBOX), false),
        read(id, "line 1", 0, Style::News),
    ]);
    // Its deadline no longer has an effect.
    play.event(FocusEvent::Timer(deadline)).does_just(&[]).command(Command::FocusOff).does_just(&[
        state("Idle"),
        FocusEffect::Forget,
        FocusEffect::Publish(BusEvent::FocusModeToggle { on: false }),
        highlight(None, false),
        FocusEffect::Say(Phrase::FocusOff, NoticeTiming::Now),
        FocusEffect::WatchPointer(false),
        FocusEffect::WatchKeyboardFocus(false),
    ]);
    // Switching off twice announces nothing.
    FocusPlay::new().command(Command::FocusOff).does_just(&[FocusEffect::Forget]);
}

// FOC-3, KER-9
#[test]
fn each_failure_has_its_name_and_is_said_foc_3_ker_9() {
    for (failure, name) in [
        (PickFailure::NoText, "no_text"),
        (PickFailure::Protected, "protected"),
        (PickFailure::NoWindow, "no_window"),
        (PickFailure::WindowGone, "window_gone"),
        (PickFailure::Changed, "changed"),
        (PickFailure::NoAnswer, "no_answer"),
        (PickFailure::Unavailable, "unavailable"),
        (PickFailure::Failed, "failed"),
    ] {
        let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Refused(failure)));
        let generation = play.focus.timers;
        play.does_just(&[
            state("WaitCmd"),
            FocusEffect::CountPick { method: "none", outcome: name },
            FocusEffect::Publish(BusEvent::PickFailed { reason: name.into() }),
            highlight(None, false),
            FocusEffect::Say(Phrase::NothingToRead(failure), NoticeTiming::Now),
            FocusEffect::StartTimer { generation, after: Duration::from_secs(8) },
            FocusEffect::WatchEscape(true),
        ]);
    }
    let blank = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(element(" \n"))));
    blank.is("WaitCmd").says(Phrase::NothingToRead(PickFailure::NoText));
}

// FOC-3, OCR-3
#[test]
fn what_recognition_finds_is_told_as_its_own_foc_3_ocr_3() {
    for (low_quality, extra) in [(false, 0), (true, 1)] {
        let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
        let id = play.pick_id();
        let play = play.event(FocusEvent::Recognised(id, Ok(Ok(recognised("blurred", low_quality)))));
        let play = play.does(&FocusEffect::CountPick { method: "ocr", outcome: "success" });
        assert_eq!(play.effects.len(), 6 + extra, "{:?}", play.effects);
        // Its lines are recognised as well.
        assert!(play.command(Command::Pin).asked_lines().1.recognised);
    }
    assert!(!FocusPlay::pinned().asked_lines().1.recognised, "those of the tree are not");
}

// FOC-2
#[test]
fn the_settings_are_those_of_the_requirements_foc_2() {
    let s = FocusSettings::default();
    assert!(s.follow);
    assert_eq!((s.move_threshold_px, s.debounce), (24, Duration::from_millis(150)));
    assert_eq!((s.wait_command_timeout, s.pick_deadline), (Duration::from_secs(8), Duration::from_secs(5)));
    assert_eq!((s.lines_before, s.lines_after), (2, 2));
    // Every move has to settle. Up to 24 px it is a question; beyond, a search.
    for (x, state) in [(134, "Reading"), (135, "Targeting")] {
        let play = FocusPlay::reading().event(FocusEvent::CursorMoved(Point::new(x, 110)));
        let generation = play.focus.timers;
        play.does_just(&[FocusEffect::StartTimer { generation, after: Duration::from_millis(150) }]).time().is(state);
    }
}

// FOC-1, FOC-2
#[test]
fn what_was_settling_when_the_state_was_left_is_forgotten_foc_1_foc_2() {
    let moving = || FocusPlay::reading().event(FocusEvent::CursorMoved(FAR));
    moving().command(Command::FocusOff).time().is("Idle").does_just(&[]);
    moving().command(Command::Pin).time().is("Pinned").does_just(&[]);
    // Also if it has been unpinned by then.
    let play = moving();
    let settling = play.focus.timers;
    let play = play.command(Command::Pin).command(Command::Unpin).event(FocusEvent::Timer(settling));
    play.is("Reading").does_just(&[]);
    // Switching on again counts moves from the pointer's current position.
    let play = moving().command(Command::FocusOff).command(Command::FocusOn);
    let play = play.tree(Ok(TreeAnswer::Found(element("line 1")))).is("Reading");
    assert!(!play.effects.iter().any(|effect| matches!(effect, FocusEffect::StartTimer { .. })), "{:?}", play.effects);
    // A move before a search at the old position counts as soon as something is found there.
    let play = FocusPlay::waiting().event(FocusEvent::CursorMoved(FAR)).command(Command::Bigger);
    let play = play.tree(Ok(TreeAnswer::Found(element("line 1")))).is("Reading").time().is("Targeting");
    assert!(matches!(play.focus.state, FocusState::Targeting { request, .. } if request.cursor == FAR));
    // A search replaces the settling move.
    let old = FocusPlay::waiting().event(FocusEvent::CursorMoved(FAR));
    let settling = old.focus.timers;
    let play_again = old.command(Command::Bigger).event(FocusEvent::Timer(settling)).is("Targeting").does_just(&[]);
    assert_ne!(play.pick_id(), play_again.pick_id());
}

// FOC-4
#[test]
fn pinning_shows_and_says_it_and_asks_for_the_lines_foc_4() {
    let play = FocusPlay::reading().command(Command::Pin);
    let (id, ..) = play.asked_lines();
    let play = play.does_just(&[
        state("Pinned"),
        highlight(Some(BBOX), true),
        FocusEffect::AskLines { id, request: lines_at(HERE, None) },
        FocusEffect::Say(Phrase::Pinned, NoticeTiming::AfterSentence),
    ]);
    let play = play.command(Command::Pin).is("Pinned").does_just(&[]).command(Command::Unpin).does_just(&[
        state("Reading"),
        highlight(Some(BBOX), false),
        FocusEffect::Say(Phrase::Unpinned, NoticeTiming::AfterSentence),
    ]);
    let play = play.command(Command::Unpin).is("Reading").does_just(&[]);
    play.command(Command::PinToggle).is("Pinned").command(Command::PinToggle).is("Reading");
    // If there is nothing to pin, the state is unchanged.
    for play in [FocusPlay::waiting(), FocusPlay::new().command(Command::FocusOn)] {
        let name = play.focus.state().name().to_owned();
        play.command(Command::Pin).is(&name).says(Phrase::NothingIsRead);
    }
}

// FOC-4
#[test]
fn only_the_step_that_is_wanted_now_is_taken_foc_4() {
    // Lines without a pending step are kept and not read.
    let play = FocusPlay::pinned().lines_come().does_just(&[]);
    // A known neighbour is read immediately; its own neighbours are requested, at its position and not under the cursor.
    let play = play.command(Command::Next);
    let (id, request) = play.asked_lines();
    let line = Rect::new(100, 140, 200, 16);
    assert_eq!(request, lines_at(line.center(), Some(window())), "of the same window");
    let play = play.does_just(&[
        highlight(Some(line), true),
        read(id, "line 2", 0, Style::News),
        FocusEffect::AskLines { id, request },
    ]);
    play.lines_come().does_just(&[]);
    // Pinning again drops an earlier step.
    let play = FocusPlay::pinned().command(Command::Next);
    let (old, ..) = play.asked_lines();
    let play = play.command(Command::Unpin).command(Command::Pin).event(FocusEvent::Lines(old, Ok(Ok(window_lines()))));
    play.is("Pinned").does_just(&[]);
}

// FOC-1
#[test]
fn a_command_outside_of_its_state_changes_nothing_foc_1() {
    FocusPlay::reading().command(Command::Escape).is("Reading").does_just(&[]);
    FocusPlay::reading().command(Command::FocusOn).is("Reading").does_just(&[]);
    FocusPlay::reading().command(Command::FocusToggle).is("Idle");
    FocusPlay::pinned().command(Command::Bigger).is("Pinned").does_just(&[]);
    FocusPlay::new().command(Command::Bigger).says(Phrase::FocusIsOff);
    let id = RequestId::next();
    let commands = |command| FocusPlay::reading().event(FocusEvent::Command(id, command));
    commands(Command::Next).does_just(&[FocusEffect::NextSentence { id }]);
    commands(Command::Prev).does_just(&[FocusEffect::PreviousSentence { id }]);
    FocusPlay::waiting().command(Command::Next).says(Phrase::NothingIsRead);
}

// FOC-4, BUF-1
#[test]
fn a_line_that_is_stepped_to_is_all_that_is_read_then_foc_4_buf_1() {
    // From the middle of a table, spelt before, to a line of running text in the other language.
    let rows = vec![vec!["이름".to_owned(), "값".into()], vec!["사과".into(), "1".into()]];
    let table = Element { rows, has_header: true, row: Some(1), offset: Some(3), ..element("이름 값 사과 1") };
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(table)));
    let play = play.command(Command::Spell).command(Command::Pin).lines_come().command(Command::Next);
    let target = play.target();
    let (id, ..) = play.asked_lines();
    assert_eq!((target.pick.text.as_str(), target.pick.lang), ("line 1", Lang::En));
    assert_eq!((target.pick.bbox, target.pick.offset), (Rect::new(100, 120, 200, 16), None));
    assert_eq!((target.pick.is_table, target.pick.rows.len()), (false, 0));
    assert_eq!((target.style, target.reading), (Style::News, id));
    assert_eq!(target.lines, None, "its own neighbours are not known yet");
    let play = play.does(&read(id, "line 1", 0, Style::News));
    // Its neighbours are known if the lines arrived with the step.
    let play = play.command(Command::FocusOff).command(Command::FocusOn);
    let play = play.tree(Ok(TreeAnswer::Found(element("line 1")))).command(Command::Pin).command(Command::Next);
    let play = play.lines_come().reads("line 2").command(Command::Next).reads("line 3");
    // Once the step is taken, its lines cause no further step.
    let (id, ..) = play.asked_lines();
    let play = play.event(FocusEvent::Lines(id, Ok(Ok(window_lines())))).does_just(&[]);
    play.event(FocusEvent::Lines(id, Ok(Ok(window_lines())))).does_just(&[]);
}

// FOC-4, KER-7
#[test]
fn lines_that_do_not_come_are_told_to_whoever_waits_for_them_foc_4_ker_7() {
    let answers = [
        (|| Ok(Err(PickFailure::WindowGone)), PickFailure::WindowGone),
        (|| Err(NoReply::Crashed), PickFailure::Failed),
    ] as [(fn() -> Result<Result<WindowLines, PickFailure>, NoReply>, PickFailure); 2];
    for (answer, failure) in answers {
        let play = FocusPlay::pinned();
        let (early, ..) = play.asked_lines();
        play.event(FocusEvent::Lines(early, answer())).does_just(&[]);
        let play = FocusPlay::pinned().command(Command::Next);
        let (wanted, ..) = play.asked_lines();
        let play = play.event(FocusEvent::Lines(wanted, answer())).is("Pinned");
        play.does_just(&[FocusEffect::Say(Phrase::NothingToRead(failure), NoticeTiming::Now)]);
    }
    // The edge of the window is announced once.
    let play = FocusPlay::pinned().command(Command::Prev).lines_come().reads("line 0").command(Command::Prev);
    let (id, ..) = play.asked_lines();
    let play = play.lines_come().does_just(&[FocusEffect::Say(Phrase::FirstLine, NoticeTiming::Now)]);
    play.event(FocusEvent::Lines(id, Ok(Ok(window_lines())))).does_just(&[]);
}

// BRG-2
#[test]
fn the_same_text_is_read_anew_in_each_style_brg_2() {
    for (command, style, told) in [
        (Command::Spell, Style::Spell, Intent::Spell),
        (Command::SpellJamo, Style::SpellJamo, Intent::Spell),
        (Command::Numbers, Style::Numbers, Intent::Numbers),
    ] {
        let before = RequestId::next();
        let play = FocusPlay::reading().command(command).is("Reading");
        let (id, remembered) = (play.target().reading, play.target().style);
        assert!(id > before);
        assert_eq!(remembered, style);
        play.does_just(&[intent(told), read(id, "line 1", 0, style)]);
    }
}

// PIC-2
#[test]
fn what_is_read_can_be_looked_at_larger_pic_2() {
    let play = FocusPlay::reading().command(Command::Bigger).is("Targeting");
    let id = play.pick_id();
    play.does(&FocusEffect::AskTree { id, request: PickRequest { cursor: HERE, enlarge: 1.5 } });
}

// OCR-4, PIC-8
#[test]
fn an_element_is_a_table_from_its_second_row_on_ocr_4_pic_8() {
    let row = |text: &str| vec![text.to_owned()];
    for (rows, table) in [(vec![], false), (vec![row("가")], false), (vec![row("가"), row("나")], true)] {
        let of = Element { rows, offset: Some(1), row: Some(0), has_header: true, ..element("가 나") };
        let pick = pick_of(of.clone());
        assert_eq!((pick.is_table, pick.lang, pick.method), (table, Lang::Ko, PickMethod::Uia));
        assert_eq!((pick.text, pick.bbox, pick.rows), (of.text, of.bbox, of.rows));
        assert_eq!((pick.offset, pick.row, pick.has_header), (Some(1), Some(0), true));
        assert_eq!((pick.id, pick.role), (Some(of.id), Some(of.role)));
    }
    // A text without words of its own is read if it has rows.
    let rows = vec![row("가"), row("나")];
    let play = FocusPlay::new().command(Command::FocusOn);
    let play = play
        .tree(Ok(TreeAnswer::Found(Element { role: Role::List, rows: rows.clone(), ..element(" ") })))
        .is("Reading");
    let id = play.target().reading;
    let reading = ReadAloud::Rows { rows, has_header: false, row: 0 };
    play.does(&FocusEffect::Read(ReadRequest { id, reading, style: Style::News, lang: Lang::Ko }));
}

// FOC-5, FOC-6, KER-6
#[test]
fn the_end_of_a_wait_and_of_a_search_is_told_foc_5_foc_6_ker_6() {
    FocusPlay::waiting().time().does_just(&[
        state("Idle"),
        FocusEffect::Forget,
        highlight(None, false),
        FocusEffect::Say(Phrase::WaitTimedOut, NoticeTiming::Now),
        FocusEffect::WatchEscape(false),
    ]);
    let searching = || FocusPlay::new().command(Command::FocusOn);
    searching().command(Command::Stop).does_just(&[state("Idle"), FocusEffect::EndSearch]);
    let mut alone = searching();
    alone.focus.set_settings(FocusSettings { follow: false, ..FocusSettings::default() });
    alone.command(Command::Stop).does_just(&[
        state("Idle"),
        FocusEffect::EndSearch,
        FocusEffect::Publish(BusEvent::FocusModeToggle { on: false }),
        FocusEffect::WatchPointer(false),
        FocusEffect::WatchKeyboardFocus(false),
    ]);
    let play = searching().event(FocusEvent::CursorMoved(FAR)).time();
    let (id, generation) = (play.pick_id(), play.focus.timers);
    play.does_just(&[
        FocusEffect::EndSearch,
        FocusEffect::Publish(BusEvent::PickRequest { cursor: FAR }),
        FocusEffect::AskTree { id, request: at(FAR) },
        FocusEffect::StartTimer { generation, after: Duration::from_secs(5) },
    ]);
}
