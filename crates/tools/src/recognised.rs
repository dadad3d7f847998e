//! Finding a text among recognised lines (TOOL-2).

use luna_messages::ocr::OcrBlock;

/// The most confident line that contains the text; of equally confident ones the shortest, then the first. Spaces and case don't count: recognition loses
/// them.
#[must_use]
pub fn containing<'a>(blocks: &'a [OcrBlock], text: &str) -> Option<&'a OcrBlock> {
    let wanted = plain(text);
    if wanted.is_empty() {
        return None;
    }
    let fits = blocks.iter().filter(|block| plain(&block.text).contains(&wanted));
    fits.min_by(|one, other| {
        let by_confidence = other.confidence.total_cmp(&one.confidence);
        let length = |block: &OcrBlock| block.text.chars().count();
        by_confidence.then(length(one).cmp(&length(other))).then(one.order.cmp(&other.order))
    })
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}
