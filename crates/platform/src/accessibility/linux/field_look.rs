//! Whether a text field shows its content or mask characters instead, judged by a picture of it (PIC-5). Pure.
//!
//! A page can mask a field by its style, which no tree reveals. A picture tells it only if it shows the whole line of the field and nothing else; what
//! nobody can see so is not taken for plain text.

use atspi::Role as Native;
use luna_messages::Rect;
use luna_messages::pick::ShownWindow;

use super::super::masked;
use super::space::{is_page, lies_in};
use crate::capture::Shot;

/// Maximum height, in pixels, of the picture of a line.
const MAX_LINE_HEIGHT: i32 = 120;

/// What a picture of a field shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldLook {
    /// Mask characters.
    Masked,
    /// Something else.
    Plain,
    /// No picture shows the field.
    Unseen,
}

/// What of a field may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldSecrecy {
    Open,
    /// All but its content, which may be masked.
    Unknown,
    Secret,
}

/// Where a picture of a field can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureSource {
    /// The field is on the screen.
    Screen,
    /// Others may cover it: the window's own picture.
    OwnPicture(ShownWindow),
    Nowhere,
}

/// The page that a field lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageAround {
    /// It is part of no page.
    None,
    /// The page has this box; empty if it tells none.
    At(Rect),
    /// The application did not tell.
    Unknown,
}

/// What an ancestor of a field tells of the page around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageStep {
    Page,
    /// There is no page around it.
    Outside,
    /// Its own ancestors tell.
    Further,
}

/// What an ancestor with this role tells of the page around a field. A dialog may be part of a page.
pub(super) const fn page_step(native: Native) -> PageStep {
    match native {
        _ if is_page(native) => PageStep::Page,
        Native::Frame | Native::Window | Native::Application | Native::DesktopFrame => PageStep::Outside,
        _ => PageStep::Further,
    }
}

/// The part of a field, whose box is `place`, in which its only line is.
pub(super) fn line_of(place: Rect) -> Rect {
    let spare = (place.height - MAX_LINE_HEIGHT).max(0);
    Rect::new(place.x, place.y + spare / 2, place.width, place.height - spare)
}

/// Where to have a picture of `line`. `frame`: the field's window with its frame, if it is on the display; `topmost`: the topmost window that meets the
/// line.
pub(super) fn source(line: Rect, frame: Option<ShownWindow>, topmost: Option<ShownWindow>) -> PictureSource {
    match frame {
        Some(frame) if !line.is_empty() && lies_in(line, frame.bounds) => {
            if topmost == Some(frame) {
                PictureSource::Screen
            } else {
                PictureSource::OwnPicture(frame)
            }
        }
        _ => PictureSource::Nowhere,
    }
}

/// What a picture tells of `line`. A picture of a part of it, or of a single colour, as one of what is not drawn, tells nothing.
pub(super) fn judge(shot: Option<Shot>, line: Rect) -> FieldLook {
    match shot {
        Some(shot) if shot.region == line => {
            if masked::shows_marks(&shot.picture) {
                return FieldLook::Masked;
            }
            let mut pixels = shot.picture.rgb.chunks_exact(3);
            let first = pixels.next();
            if pixels.all(|pixel| Some(pixel) == first) { FieldLook::Unseen } else { FieldLook::Plain }
        }
        _ => FieldLook::Unseen,
    }
}

/// Whether a picture of `line` shows the field: a page may have scrolled it out of its own box, where other parts of the window are.
pub(super) fn is_in_view(line: Rect, is_showing: bool, page: PageAround) -> bool {
    match page {
        PageAround::At(page) => is_showing && (page.is_empty() || lies_in(line, page)),
        PageAround::None | PageAround::Unknown => is_showing,
    }
}

/// What of a field may be read. Only pages mask fields without telling so.
pub(super) fn secrecy(look: FieldLook, page: PageAround) -> FieldSecrecy {
    match (look, page) {
        (FieldLook::Masked, _) => FieldSecrecy::Secret,
        (FieldLook::Plain, _) | (FieldLook::Unseen, PageAround::None) => FieldSecrecy::Open,
        (FieldLook::Unseen, PageAround::At(_) | PageAround::Unknown) => FieldSecrecy::Unknown,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use luna_messages::image::Picture;

    use super::*;

    const LINE: Rect = Rect::new(100, 100, 200, 30);

    fn window(handle: u64, bounds: [i32; 4]) -> ShownWindow {
        ShownWindow { handle, bounds: Rect::from(bounds) }
    }

    // PIC-5
    #[test]
    fn a_covered_field_is_seen_in_its_windows_own_picture_only_pic_5() {
        let own = window(1, [50, 50, 400, 300]);
        let other = window(2, [0, 0, 110, 110]);
        for (frame, topmost, expect) in [
            (Some(own), Some(own), PictureSource::Screen),
            (Some(own), Some(other), PictureSource::OwnPicture(own)),
            // Covered as a whole by a window that is not searched further.
            (Some(own), None, PictureSource::OwnPicture(own)),
            // Not on the display, as with Wayland.
            (None, Some(other), PictureSource::Nowhere),
            (None, None, PictureSource::Nowhere),
            // Scrolled out of the window.
            (Some(window(1, [50, 110, 400, 300])), Some(other), PictureSource::Nowhere),
            (Some(window(1, [50, 400, 400, 300])), None, PictureSource::Nowhere),
        ] {
            assert_eq!(source(LINE, frame, topmost), expect, "{frame:?} {topmost:?}");
        }
        assert_eq!(source(Rect::default(), Some(own), Some(own)), PictureSource::Nowhere, "no box");
    }

    /// A white picture with black squares of `size` pixels at these distances from the left.
    fn picture(line: Rect, marks: &[usize], size: usize) -> Picture {
        let (width, height) = (line.width as usize, line.height as usize);
        let mut rgb = vec![255; 3 * width * height];
        for (x, y) in
            marks.iter().flat_map(|x| (0..size * size).map(move |i| (x + i % size, i / size + (height - size) / 2)))
        {
            rgb[3 * (y * width + x)..][..3].fill(0);
        }
        Picture::new(line.width as u32, line.height as u32, rgb).unwrap()
    }

    // PIC-5
    #[test]
    fn only_a_picture_of_the_whole_line_tells_something_pic_5() {
        let shot = |region: Rect, marks: &[usize]| Shot { picture: picture(region, marks, 6), region };
        let masked = shot(LINE, &[10, 20, 30, 40, 50]);
        let plain = shot(LINE, &[10, 17, 40]);
        assert_eq!(judge(Some(masked), LINE), FieldLook::Masked);
        assert_eq!(judge(Some(plain), LINE), FieldLook::Plain);
        assert_eq!(judge(Some(shot(LINE, &[])), LINE), FieldLook::Unseen, "nothing was drawn");
        assert_eq!(judge(None, LINE), FieldLook::Unseen);
        let part = Rect::new(100, 100, 150, 30);
        assert_eq!(
            judge(Some(shot(part, &[10, 17, 40])), LINE),
            FieldLook::Unseen,
            "a part lies outside of the screen"
        );
    }

    // PIC-5
    #[test]
    fn what_a_page_scrolled_away_is_not_in_view_pic_5() {
        let page = |bounds: [i32; 4]| PageAround::At(Rect::from(bounds));
        for (is_showing, page, expect) in [
            (true, PageAround::None, true),
            (true, PageAround::Unknown, true),
            (false, PageAround::None, false),
            (true, page([0, 80, 500, 500]), true),
            (true, page([0, 98, 500, 32]), true),
            // The upper half is under the browser's tool bar.
            (true, page([0, 115, 500, 500]), false),
            (false, page([0, 80, 500, 500]), false),
            (true, page([0, 0, 0, 0]), true),
        ] {
            assert_eq!(is_in_view(LINE, is_showing, page), expect, "{is_showing} {page:?}");
        }
    }

    // PIC-5
    #[test]
    fn only_fields_of_pages_are_withheld_unseen_pic_5() {
        use FieldLook::{Masked, Plain, Unseen};
        let page = PageAround::At(LINE);
        for (look, around, expect) in [
            (Masked, PageAround::None, FieldSecrecy::Secret),
            (Masked, page, FieldSecrecy::Secret),
            (Plain, PageAround::None, FieldSecrecy::Open),
            (Plain, page, FieldSecrecy::Open),
            (Plain, PageAround::Unknown, FieldSecrecy::Open),
            (Unseen, PageAround::None, FieldSecrecy::Open),
            (Unseen, page, FieldSecrecy::Unknown),
            (Unseen, PageAround::Unknown, FieldSecrecy::Unknown),
        ] {
            assert_eq!(secrecy(look, around), expect, "{look:?} {around:?}");
        }
    }

    // PIC-5
    #[test]
    fn a_dialog_may_be_part_of_a_page_pic_5() {
        for (native, expect) in [
            (Native::DocumentWeb, PageStep::Page),
            (Native::Dialog, PageStep::Further),
            (Native::Alert, PageStep::Further),
            (Native::InternalFrame, PageStep::Further),
            (Native::Panel, PageStep::Further),
            (Native::Frame, PageStep::Outside),
            (Native::Application, PageStep::Outside),
        ] {
            assert_eq!(page_step(native), expect, "{native:?}");
        }
    }

    // PIC-5
    #[test]
    fn the_line_of_a_high_field_is_in_its_middle_pic_5() {
        assert_eq!(line_of(LINE), LINE);
        assert_eq!(line_of(Rect::new(0, 100, 300, 160)), Rect::new(0, 120, 300, 120));
    }
}
