//! Rows on demand (ANN-3, OCR-4).

use luna_messages::pick::PickRequest;
use luna_messages::uia::RowsExtent;

use super::*;

impl FocusPlay {
    #[track_caller]
    fn asked_rows(&self) -> (RequestId, PickRequest, RowsExtent) {
        match &self.effects[..] {
            [FocusEffect::AskRows { id, request, extent }] => (*id, *request, *extent),
            other => panic!("{other:?}"),
        }
    }
}

fn table() -> Element {
    let rows = [["품목", "가격"], ["사과", "1,200원"]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
    Element { role: Role::Table, rows, has_header: true, row: Some(1), ..element("") }
}

// ANN-3, OCR-4
#[test]
fn the_row_and_the_table_are_read_on_demand_and_the_target_stays_ann_3_ocr_4() {
    for (command, extent, reads) in [
        (Command::ReadRow, RowsExtent::Row, "품목 사과, 가격 1,200원"),
        (Command::ReadTable, RowsExtent::Container, "품목|가격/사과|1,200원"),
    ] {
        for play in [FocusPlay::reading(), FocusPlay::pinned()] {
            let state = play.focus.state().name();
            let play = play.command(command);
            let (id, request, asked) = play.asked_rows();
            assert_eq!((request, asked), (PickRequest { cursor: Point::new(110, 110), enlarge: 1.0 }, extent));
            let play = play.event(FocusEvent::Rows(id, Ok(TreeAnswer::Found(table())))).is(state).reads(reads);
            // The answer counts once.
            let play = play.event(FocusEvent::Rows(id, Ok(TreeAnswer::Found(table()))));
            assert!(play.effects.is_empty());
            play.command(Command::Spell).reads("line 1");
        }
    }
}

// ANN-3, FOC-6, KER-7
#[test]
fn rows_that_are_missing_are_said_and_those_that_are_late_are_not_ann_3_foc_6_ker_7() {
    for (answer, phrase) in [
        (Ok(TreeAnswer::Refused(PickFailure::NoText)), Phrase::NoTable),
        (Ok(TreeAnswer::Refused(PickFailure::NoAnswer)), Phrase::NothingToRead(PickFailure::NoAnswer)),
        (Ok(TreeAnswer::Protected(password())), Phrase::NothingToRead(PickFailure::Protected)),
        (Ok(TreeAnswer::Found(Element { rows: Vec::new(), ..table() })), Phrase::NoTable),
        (Err(NoReply::Crashed), Phrase::NothingToRead(PickFailure::Failed)),
    ] {
        let play = FocusPlay::reading().command(Command::ReadRow);
        let (id, ..) = play.asked_rows();
        play.event(FocusEvent::Rows(id, answer)).says(phrase).is("Reading");
    }
    let play = FocusPlay::reading().command(Command::ReadTable);
    let (id, ..) = play.asked_rows();
    let play = play.command(Command::Stop).event(FocusEvent::Rows(id, Ok(TreeAnswer::Found(table()))));
    assert!(play.effects.is_empty(), "{:?}", play.effects);
    FocusPlay::new().command(Command::ReadRow).says(Phrase::FocusIsOff);
    FocusPlay::waiting().command(Command::ReadTable).says(Phrase::NothingIsRead);
}

// OCR-4
#[test]
fn what_was_recognised_needs_no_tree_ocr_4() {
    let mut found = recognised("품목 가격 사과 1,200원", false);
    (found.pick.rows, found.pick.has_header, found.pick.row) = (table().rows, true, Some(1));
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
    let id = play.pick_id();
    let play = play.event(FocusEvent::Recognised(id, Ok(Ok(found)))).command(Command::ReadRow);
    play.reads("품목 사과, 가격 1,200원").command(Command::ReadTable).reads("품목|가격/사과|1,200원");
}

// FOC-4, BUF-1
#[test]
fn an_incomplete_list_of_lines_is_no_border_foc_4_buf_1() {
    let answer = |text: &[&str], is_complete| {
        let lines = (0..)
            .zip(text)
            .map(|(i, text)| TextLine { text: (*text).to_owned(), bbox: Rect::new(100, 100 + i * 20, 200, 16) });
        Ok(Ok(WindowLines { window: window(), lines: lines.collect(), is_complete }))
    };
    let asked = |play: &FocusPlay| match &play.effects[..] {
        [FocusEffect::AskLines { id, request }] => (*id, request.clone()),
        other => panic!("{other:?}"),
    };
    for (command, part, phrase) in [
        (Command::Next, Rect::new(0, 100, 800, 500), Phrase::LastLine),
        (Command::Prev, Rect::new(0, 0, 800, 120), Phrase::FirstLine),
    ] {
        let play = FocusPlay::pinned().command(command);
        let (id, _) = asked(&play);
        let play = play.event(FocusEvent::Lines(id, answer(&["line 1"], false)));
        let (again, request) = asked(&play);
        assert_eq!((request.part, request.window), (Some(part), Some(window())));
        // Beyond there is a line, or really nothing.
        play.event(FocusEvent::Lines(again, answer(&["line 1"], false))).says(phrase).is("Pinned");
    }
    let play = FocusPlay::pinned().command(Command::Next);
    let (id, _) = asked(&play);
    let play = play.event(FocusEvent::Lines(id, answer(&["line 1"], false)));
    let (again, _) = asked(&play);
    play.event(FocusEvent::Lines(again, answer(&["line 1", "line 2"], false))).reads("line 2");
}
