//! Turns recognised lines into the text to read (OCR-2, OCR-3, OCR-4, PIC-4, PIC-8).

use luna_messages::element::ElementProperties;
use luna_messages::engine::RecognisedLine;
use luna_messages::ocr::{OcrBlock, OcrPick, OcrResult};
use luna_messages::pick::{Pick, PickMethod};
use luna_messages::uia::TextLine;
use luna_messages::{Lang, Point, Rect};

use crate::choose::{ChoiceReach, ChoiceWeights, LEAST_CONFIDENCE, LineCandidate, choose};
use crate::paragraphs::{self, PlacedText};
use crate::{reading_order, table};
use luna_text::language;

/// Puts the lines of a picture into reading order; its top left corner is at `origin` on the desktop. `low_quality`: threshold of the mean
/// confidence, weighted by letters; 0 to 1.
#[must_use]
pub fn assemble(lines: &[RecognisedLine], origin: Point, low_quality: f32) -> OcrResult {
    let lines: Vec<&RecognisedLine> = lines.iter().filter(|line| !line.text.trim().is_empty()).collect();
    // Quality is judged by all lines; doubtful lines themselves are not read (PIC-4).
    let low_quality = !lines.is_empty() && mean_confidence(&lines) < low_quality;
    let lines: Vec<&RecognisedLine> = lines.into_iter().filter(|line| line.confidence > LEAST_CONFIDENCE).collect();
    let boxes: Vec<Rect> = lines.iter().map(|line| line.bbox).collect();
    let rows = reading_order::rows(&boxes);
    let blocks: Vec<OcrBlock> = rows
        .concat()
        .into_iter()
        .enumerate()
        .map(|(order, i)| OcrBlock {
            text: lines[i].text.trim().to_owned(),
            bbox: lines[i].bbox.translated(origin.x, origin.y),
            confidence: lines[i].confidence,
            contrast: lines[i].contrast,
            order,
        })
        .collect();
    let cells: Vec<Vec<(Rect, &str)>> =
        rows.iter().map(|row| row.iter().map(|&i| (lines[i].bbox, lines[i].text.trim())).collect()).collect();
    let (rows, has_header) = table::find(&cells).map_or((Vec::new(), false), |t| (t.rows, t.has_header));
    let all: String = blocks.iter().map(|block| block.text.as_str()).collect();
    OcrResult { lang: language::by_script(&all, Lang::En), blocks, rows, has_header, low_quality }
}

/// Mean confidence, each line weighted by its letters, so that a doubtful page number does not outweigh a page.
fn mean_confidence(lines: &[&RecognisedLine]) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "lines have at most some thousand letters")]
    let weight = |line: &RecognisedLine| line.text.chars().count() as f32;
    let total: f32 = lines.iter().map(|line| weight(line)).sum();
    lines.iter().map(|line| line.confidence * weight(line)).sum::<f32>() / total.max(1.0)
}

/// The text that the person points at: the best line (PIC-4), with its paragraph if it is prose, or the table that it belongs to.
#[must_use]
pub fn pick(result: &OcrResult, cursor: Point, weights: ChoiceWeights, reach: ChoiceReach) -> Option<OcrPick> {
    let chosen = choose(&candidates(&result.blocks), cursor, weights, reach)?;
    let texts: Vec<PlacedText<'_>> = result.blocks.iter().map(|block| (block.bbox, block.text.as_str())).collect();
    let table = table_around(&texts, chosen);
    let members = match &table {
        Some((members, _, _)) => members.clone(),
        None => paragraphs::around(&texts, chosen),
    };
    let mut text = String::new();
    let mut offset = None;
    for &member in &members {
        if !text.is_empty() {
            text.push(' ');
        }
        if member == chosen {
            offset = Some(text.chars().count());
        }
        text.push_str(&result.blocks[member].text);
    }
    let bbox = members.iter().fold(Rect::default(), |all, &member| all.union(result.blocks[member].bbox));
    let (rows, has_header, row) = match table {
        Some((_, table, row)) => (table.rows, table.has_header, Some(row)),
        None => (Vec::new(), false, None),
    };
    let pick = Pick {
        method: PickMethod::Ocr,
        bbox,
        lang: language::by_script(&text, Lang::En),
        text,
        is_table: !rows.is_empty(),
        role: None,
        id: None,
        offset,
        rows,
        has_header,
        row,
        confidence: result.blocks[chosen].confidence,
        label: String::new(),
        properties: ElementProperties::default(),
    };
    Some(OcrPick { pick, low_quality: result.low_quality })
}

fn candidates(blocks: &[OcrBlock]) -> Vec<LineCandidate<'_>> {
    blocks.iter().map(candidate).collect()
}

fn candidate(block: &OcrBlock) -> LineCandidate<'_> {
    LineCandidate { text: &block.text, bbox: block.bbox, confidence: block.confidence, contrast: block.contrast }
}

/// The table that line `chosen` belongs to: its lines in reading order, the table, and the row of the line.
fn table_around(lines: &[PlacedText<'_>], chosen: usize) -> Option<(Vec<usize>, table::TextTable, usize)> {
    let boxes: Vec<Rect> = lines.iter().map(|line| line.0).collect();
    let rows = reading_order::rows(&boxes);
    let cells: Vec<Vec<PlacedText<'_>>> =
        rows.iter().map(|row| row.iter().map(|&line| lines[line]).collect()).collect();
    let table = table::find(&cells)?;
    let row = rows.iter().position(|row| row.contains(&chosen))?.checked_sub(table.first)?;
    (row < table.rows.len()).then(|| (rows[table.first..table.first + table.rows.len()].concat(), table, row))
}

/// Whether the lines that were recognised so far decide what [`pick`] picks, so that the rest need not be recognised. Lines without text are boxes
/// of lines to come; without any, nothing is known of the rest. Boxes are relative to `origin`.
#[must_use]
pub fn is_settled(
    lines: &[RecognisedLine],
    origin: Point,
    cursor: Point,
    weights: ChoiceWeights,
    reach: ChoiceReach,
) -> bool {
    let (to_come, read): (Vec<&RecognisedLine>, Vec<&RecognisedLine>) =
        lines.iter().partition(|line| line.text.is_empty());
    if to_come.is_empty() {
        return false;
    }
    let pending: Vec<Rect> = to_come
        .iter()
        .filter(|line| !read.iter().any(|read| read.bbox.contains(line.bbox.center())))
        .map(|line| line.bbox.translated(origin.x, origin.y))
        .collect();
    let is_pointed_at = |bbox: &Rect| reach.holds(*bbox, cursor, weights);
    let result = assemble(&read.into_iter().cloned().collect::<Vec<_>>(), origin, 0.0);
    let Some(chosen) = choose(&candidates(&result.blocks), cursor, weights, reach) else {
        return !pending.iter().any(is_pointed_at);
    };
    let own = result.blocks[chosen].bbox;
    if pending.iter().any(|bbox| is_pointed_at(bbox) && bbox.distance_to(cursor) <= own.distance_to(cursor)) {
        return false;
    }
    // What is still to come may make a table of it: each box counts as a word.
    let words = result.blocks.iter().map(|block| (block.bbox, block.text.as_str()));
    let all: Vec<PlacedText<'_>> = words.chain(pending.iter().map(|bbox| (*bbox, "word"))).collect();
    if table_around(&all, chosen).is_some_and(|(members, _, _)| members.iter().any(|&line| line >= result.blocks.len()))
    {
        return false;
    }
    let members = paragraphs::around(&all[..result.blocks.len()], chosen);
    let ends = members.first().zip(members.last());
    !ends.is_some_and(|(&first, &last)| {
        pending.iter().any(|bbox| paragraphs::follows(*bbox, all[first].0) || paragraphs::follows(all[last].0, *bbox))
    })
}

/// The lines for stepping while pinned (FOC-4).
#[must_use]
pub fn text_lines(result: &OcrResult) -> Vec<TextLine> {
    result.blocks.iter().map(|block| TextLine { text: block.text.clone(), bbox: block.bbox }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, bbox: [i32; 4], confidence: f32) -> RecognisedLine {
        RecognisedLine {
            text: text.to_owned(),
            bbox: Rect::from(bbox),
            confidence,
            contrast: 1.0,
            recogniser: "test".to_owned(),
        }
    }

    fn pick_at(lines: &[RecognisedLine], x: i32, y: i32) -> Option<OcrPick> {
        let result = assemble(lines, Point::default(), 0.6);
        pick(&result, Point::new(x, y), ChoiceWeights::default(), ChoiceReach::Near)
    }

    // OCR-2
    #[test]
    fn blocks_stand_in_reading_order_on_the_desktop_ocr_2() {
        let lines =
            [line("right", [200, 0, 50, 20], 0.9), line(" left ", [0, 2, 50, 20], 0.9), line("", [0, 50, 9, 9], 0.9)];
        let result = assemble(&lines, Point::new(1000, 500), 0.6);
        let texts: Vec<_> = result.blocks.iter().map(|b| (b.text.as_str(), b.bbox.x, b.order)).collect();
        assert_eq!(texts, [("left", 1000, 0), ("right", 1200, 1)]);
    }

    // OCR-3
    #[test]
    fn low_quality_is_noticed_by_letters_ocr_3() {
        let page = line("a long line that is read well", [0, 0, 300, 20], 0.95);
        assert!(!assemble(&[page.clone(), line("7", [0, 40, 9, 20], 0.1)], Point::default(), 0.6).low_quality);
        assert!(assemble(&[line("blurred words", [0, 0, 99, 20], 0.5)], Point::default(), 0.6).low_quality);
        assert!(assemble(&[line("an icon", [0, 0, 99, 20], 0.5)], Point::default(), 0.6).blocks.is_empty(), "PIC-4");
        assert!(!assemble(&[], Point::default(), 0.6).low_quality);
    }

    // PIC-4
    #[test]
    fn the_paragraph_is_read_from_the_line_that_is_pointed_at_pic_4() {
        let lines = [
            line("Heading", [0, 0, 200, 40], 0.99),
            line("this is the first line", [0, 60, 200, 20], 0.99),
            line("and this the second", [0, 84, 200, 20], 0.99),
        ];
        let found = pick_at(&lines, 50, 90).unwrap();
        assert_eq!(found.pick.text, "this is the first line and this the second");
        assert_eq!(found.pick.offset, Some(23));
        assert_eq!(found.pick.bbox, Rect::new(0, 60, 200, 44));
    }

    // PIC-4, OCR-5
    #[test]
    fn recognition_ends_once_the_pick_is_decided_pic_4_ocr_5() {
        let check = |lines: &[RecognisedLine], y: i32, expect: bool| {
            let weights = ChoiceWeights::default();
            let found = is_settled(lines, Point::default(), Point::new(50, y), weights, ChoiceReach::Near);
            assert_eq!(found, expect, "{lines:?}");
        };
        let found = |row: i32| line("", [0, 26 * row, 100, 20], 0.0);
        let read = |row: i32, text: &str| line(text, [0, 26 * row, 100, 20], 0.9);
        // Nothing is known of the rest.
        check(&[], 10, false);
        check(&[read(0, "Open")], 10, false);
        // No text here, whatever the lines are.
        check(&[found(0), found(1)], 200, true);
        // The pointed line, then its neighbours, which may belong to its paragraph; then no more.
        let boxes = [found(0), found(1), found(2), found(3), found(4)];
        let with = |more: &[RecognisedLine]| [&boxes[..], more].concat();
        check(&with(&[]), 62, false);
        check(&with(&[read(2, "Save")]), 62, false);
        check(&with(&[read(2, "Save"), read(1, "Open"), read(3, "Close")]), 62, true);
        check(&with(&[read(2, "Save"), read(1, "Open")]), 62, false);
        // Boxes of a table.
        let table: Vec<RecognisedLine> = (0..8).map(|at| line("", [at % 2 * 200, at / 2 * 30, 90, 20], 0.0)).collect();
        let one = line("cell", [0, 0, 90, 20], 0.9);
        check(&[&table[..], &[one]].concat(), 10, false);
    }

    // PIC-8, OCR-4
    #[test]
    fn a_table_is_picked_with_its_rows_pic_8_ocr_4() {
        let mut lines = Vec::new();
        for (row, cells) in [["이름", "값"], ["사과", "120"], ["배", "300"], ["감", "80"]].iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                lines.push(line(text, [column as i32 * 150, row as i32 * 30, 60, 20], 0.9));
            }
        }
        let found = pick_at(&lines, 20, 40).unwrap();
        assert!(found.pick.is_table && found.pick.has_header);
        assert_eq!(found.pick.rows[1], ["사과", "120"]);
        assert_eq!(found.pick.row, Some(1));
        assert_eq!(found.pick.lang, Lang::Ko);
    }
}
