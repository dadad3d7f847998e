//! The page of a document under the pointer by the places of its characters, because Evince tells right places of
//! characters but wrong boxes of all pages after the first.

use atspi::Role as Native;
use luna_messages::Point;

use super::ancestor_path::ScanCache;
use super::node::LinuxNode;
use super::text_location;

/// The pages to examine, as distances from the current one. The next ones may be in view as well.
const NEIGHBOURS: [i32; 4] = [0, 1, -1, 2];

/// The element that was hit or, if it is a document or a page of it that has no text at `pointer`, the page that has. Its
/// box is that of the document in `scan_cache`.
pub(super) async fn corrected(hit: LinuxNode, pointer: Point, scan_cache: &mut ScanCache) -> LinuxNode {
    let document = match scan_cache.facts(&hit).map(|facts| facts.native) {
        Some(Native::DocumentFrame) => Some(hit.clone()),
        Some(Native::Page) if !has_text_at(&hit, pointer).await => hit.parent().await.ok().flatten(),
        _ => None,
    };
    let Some(document) = document else { return hit };
    match page_at(&document, &hit, pointer).await {
        Some(page) => {
            let (facts, around) = (page.facts().await, document.facts().await);
            if let (Ok(mut facts), Ok(around)) = (facts, around) {
                facts.bbox = around.bbox;
                scan_cache.put(page.clone(), facts, document);
            }
            page
        }
        None => hit,
    }
}

/// The page with text at the pointer, other than `hit`.
async fn page_at(document: &LinuxNode, hit: &LinuxNode, pointer: Point) -> Option<LinuxNode> {
    // Counted from 1.
    let current: i32 = document.property("org.a11y.atspi.Document", "CurrentPageNumber").await.ok()?;
    for distance in NEIGHBOURS {
        let index = current.checked_sub(1)?.checked_add(distance)?;
        if index < 0 {
            continue;
        }
        let Some(page) = document.child(index).await.ok().flatten().filter(|page| page != hit) else { continue };
        if page.native().await == Ok(Native::Page) && has_text_at(&page, pointer).await {
            return Some(page);
        }
    }
    None
}

async fn has_text_at(page: &LinuxNode, pointer: Point) -> bool {
    let count = page.character_count().await.unwrap_or(0);
    text_location::has_character_at(page, count, pointer).await
}
