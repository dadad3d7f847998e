//! The whole row, table or list around the target, on demand (ANN-3, OCR-4).

use luna_messages::pick::{Element, PickFailure, PickMethod, PickRequest};
use luna_messages::reading::Style;
use luna_messages::tts::{ReadAloud, ReadRequest};
use luna_messages::uia::{RowsExtent, TreeAnswer};
use luna_messages::{NoReply, RequestId};

use super::effect::FocusEffect;
use super::pending::PendingRows;
use super::say::say;
use super::state::Focus;
use crate::phrases::Phrase;

impl Focus {
    /// Reads the row or the whole table around the target. The target stays: it is what later commands mean.
    pub(super) fn read_rows(&mut self, id: RequestId, extent: RowsExtent) -> Vec<FocusEffect> {
        let Some(target) = self.current() else { return self.nothing_is_read() };
        let pick = &target.pick;
        if pick.method == PickMethod::Ocr {
            // The tree does not know what was recognised.
            let reading = reading_of(&pick.rows, pick.has_header, pick.row, extent);
            return vec![self.read_or_miss(id, reading)];
        }
        let Some(cursor) = target.place() else { return vec![say(Phrase::NoTable)] };
        let request = PickRequest { cursor, enlarge: 1.0 };
        self.pending_rows = Some(PendingRows { id, extent });
        vec![FocusEffect::AskRows { id, request, extent }]
    }

    pub(super) fn rows(&mut self, id: RequestId, answer: Result<TreeAnswer, NoReply>) -> Vec<FocusEffect> {
        let Some(PendingRows { extent, .. }) = self.pending_rows.take_if(|pending| pending.id == id) else {
            return Vec::new();
        };
        let effect = match answer {
            Ok(TreeAnswer::Found(Element { rows, has_header, row, .. })) => {
                self.read_or_miss(id, reading_of(&rows, has_header, row, extent))
            }
            Ok(TreeAnswer::NoText(_) | TreeAnswer::Refused(PickFailure::NoText)) => say(Phrase::NoTable),
            Ok(TreeAnswer::Refused(failure)) => say(Phrase::NothingToRead(failure)),
            Ok(TreeAnswer::Protected(_)) => say(Phrase::NothingToRead(PickFailure::Protected)),
            Err(NoReply::Crashed) => say(Phrase::NothingToRead(PickFailure::Failed)),
        };
        vec![effect]
    }

    fn read_or_miss(&self, id: RequestId, reading: Option<ReadAloud>) -> FocusEffect {
        match reading {
            Some(reading) => {
                FocusEffect::Read(ReadRequest { id, reading, style: Style::News, lang: self.settings.lang })
            }
            None => say(Phrase::NoTable),
        }
    }
}

/// How rows are read: a table from its beginning; a row with the name of each column before its cell. `None` if there are none.
fn reading_of(rows: &[Vec<String>], has_header: bool, row: Option<usize>, extent: RowsExtent) -> Option<ReadAloud> {
    if rows.is_empty() {
        return None;
    }
    if extent == RowsExtent::Container {
        return Some(ReadAloud::Rows { rows: rows.to_vec(), has_header, row: 0 });
    }
    let here = rows.get(row.unwrap_or(rows.len() - 1))?;
    let header = has_header.then(|| &rows[0]).filter(|header| *header != here);
    let cells = here.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
    let named = cells.map(|(column, cell)| {
        match header.and_then(|header| header.get(column)).filter(|name| !name.trim().is_empty()) {
            Some(name) => format!("{name} {cell}"),
            None => cell.clone(),
        }
    });
    let text = named.collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(ReadAloud::Text { text, offset: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(has_header: bool, row: Option<usize>, extent: RowsExtent, expect: &str) {
        let rows = [["품목", "가격"], ["사과", "1,200원"], ["", "900원"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        let said = match reading_of(&rows, has_header, row, extent) {
            Some(ReadAloud::Text { text, offset: 0 }) => text,
            Some(ReadAloud::Rows { rows, has_header, row: 0 }) => format!("{} rows, {has_header}", rows.len()),
            other => format!("{other:?}"),
        };
        assert_eq!(said, expect);
    }

    // ANN-3, OCR-4
    #[test]
    fn a_row_is_read_with_the_names_of_its_columns_and_a_table_from_its_beginning_ann_3_ocr_4() {
        check(true, Some(1), RowsExtent::Row, "품목 사과, 가격 1,200원");
        check(true, Some(2), RowsExtent::Row, "가격 900원");
        check(true, Some(0), RowsExtent::Row, "품목, 가격");
        check(false, Some(1), RowsExtent::Row, "사과, 1,200원");
        check(false, None, RowsExtent::Row, "900원");
        check(false, Some(7), RowsExtent::Row, "None");
        check(true, Some(2), RowsExtent::Container, "3 rows, true");
        check(false, None, RowsExtent::Container, "3 rows, false");
        assert_eq!(reading_of(&[], false, None, RowsExtent::Container), None);
        assert_eq!(reading_of(&[vec![" ".to_owned()]], false, None, RowsExtent::Row), None);
    }
}
