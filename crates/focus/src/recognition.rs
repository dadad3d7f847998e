//! Turns recognised lines into the text to read (OCR-2, OCR-3, OCR-4, PIC-4, PIC-8).

use luna_messages::element::ElementProperties;
use luna_messages::engine::RecognisedLine;
use luna_messages::ocr::{OcrBlock, OcrPick, OcrResult};
use luna_messages::pick::{Pick, PickMethod};
use luna_messages::uia::TextLine;
use luna_messages::{Lang, Point, Rect};

use crate::choose::{ChoiceWeights, LEAST_CONFIDENCE, LineCandidate, choose};
use crate::{paragraphs, reading_order, table};
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

/// The text that the person points at: the best line (PIC-4) with its paragraph, or the table that it belongs to.
#[must_use]
pub fn pick(result: &OcrResult, cursor: Point, weights: ChoiceWeights) -> Option<OcrPick> {
    let candidates: Vec<LineCandidate<'_>> = result
        .blocks
        .iter()
        .map(|block| LineCandidate { text: &block.text, bbox: block.bbox, confidence: block.confidence })
        .collect();
    let chosen = choose(&candidates, cursor, weights)?;
    let is_table = !result.rows.is_empty();
    let members = if is_table { 0..result.blocks.len() } else { paragraph(result, chosen) };
    let mut text = String::new();
    let mut offset = None;
    for block in &result.blocks[members.clone()] {
        if !text.is_empty() {
            text.push(' ');
        }
        if block.order == chosen {
            offset = Some(text.chars().count());
        }
        text.push_str(&block.text);
    }
    let bbox = result.blocks[members].iter().fold(Rect::default(), |all, block| all.union(block.bbox));
    let pick = Pick {
        method: PickMethod::Ocr,
        bbox,
        lang: language::by_script(&text, Lang::En),
        text,
        is_table,
        role: None,
        id: None,
        offset,
        rows: result.rows.clone(),
        has_header: result.has_header,
        row: if is_table { row_of(result, chosen) } else { None },
        confidence: result.blocks[chosen].confidence,
        label: String::new(),
        properties: ElementProperties::default(),
    };
    Some(OcrPick { pick, low_quality: result.low_quality })
}

/// The table row that contains line `chosen`.
fn row_of(result: &OcrResult, chosen: usize) -> Option<usize> {
    let boxes: Vec<Rect> = result.blocks.iter().map(|block| block.bbox).collect();
    let row = reading_order::rows(&boxes).iter().position(|row| row.contains(&chosen))?;
    // A row without the line's text is not the line's row, so the row is then unknown.
    let text = result.blocks[chosen].text.trim();
    result.rows.get(row)?.iter().any(|cell| cell.contains(text)).then_some(row)
}

/// The lines of the paragraph around line `chosen`. Only rows with a single line can belong to a paragraph of several lines.
fn paragraph(result: &OcrResult, chosen: usize) -> std::ops::Range<usize> {
    let boxes: Vec<Rect> = result.blocks.iter().map(|block| block.bbox).collect();
    paragraphs::group(&boxes).into_iter().find(|group| group.contains(&chosen)).unwrap_or(chosen..chosen + 1)
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
        RecognisedLine { text: text.to_owned(), bbox: Rect::from(bbox), confidence, recogniser: "test".to_owned() }
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
            line("first line", [0, 60, 200, 20], 0.99),
            line("second line", [0, 84, 200, 20], 0.99),
        ];
        let found =
            pick(&assemble(&lines, Point::default(), 0.6), Point::new(50, 90), ChoiceWeights::default()).unwrap();
        assert_eq!(found.pick.text, "first line second line");
        assert_eq!(found.pick.offset, Some(11));
        assert_eq!(found.pick.bbox, Rect::new(0, 60, 200, 44));
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
        let found =
            pick(&assemble(&lines, Point::default(), 0.6), Point::new(20, 40), ChoiceWeights::default()).unwrap();
        assert!(found.pick.is_table && found.pick.has_header);
        assert_eq!(found.pick.rows[1], ["사과", "120"]);
        assert_eq!(found.pick.row, Some(1));
        assert_eq!(found.pick.lang, Lang::Ko);
    }
}
