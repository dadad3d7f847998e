//! The line of a text under the pointer for Qt's plain text editors, which report the place of each character as if its
//! paragraph were the first one (PIC-1).
//!
//! Within a paragraph the places are right, so that its last character tells its height. The heights of the paragraphs
//! and the scroll bar, which counts the lines as they are wrapped, tell what is at the pointer.

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::{Point, Rect};

use super::details::Details;
use super::node::LinuxNode;
use super::reading::MAX_READ_CHARACTERS;

/// Maximum number of children to examine, on each of two levels.
const CHILDREN: usize = 8;
/// Maximum number of paragraphs above the view whose heights are requested.
const MAX_ABOVE: usize = 400;
/// Number of paragraphs whose heights are requested at once.
const BATCH: usize = 32;
/// Maximum number of steps of a bisection: enough for a paragraph of a million characters.
const MAX_STEPS: usize = 24;
/// The margin, in pixels, above the first line of a text that is not scrolled.
const TOP_MARGIN: i32 = 4;

/// What the lines tell about the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByLines {
    /// The offset of the character under the pointer, or of the last one of its line.
    At(i32),
    /// The text has no line there.
    Beside,
}

/// Tells where characters are, as the toolkit reports it.
trait CharacterPlaces: Sync {
    /// The box of a character; `None` for the end of a line.
    fn place(&self, offset: i32) -> impl Future<Output = Option<Rect>> + Send;
}

struct ToldPlaces<'a> {
    node: &'a LinuxNode,
}

impl CharacterPlaces for ToldPlaces<'_> {
    async fn place(&self, offset: i32) -> Option<Rect> {
        self.node.character_extents(offset).await
    }
}

/// The character at the pointer. `None` unless all paragraphs are told at the same height.
pub(super) async fn by_lines(node: &LinuxNode, count: i32, pointer: Point) -> Option<ByLines> {
    let text = node.text(0, count.min(MAX_READ_CHARACTERS)).await.ok()?;
    let paragraphs = paragraphs(&text);
    let places = ToldPlaces { node };
    // Asked first, because nearly every other text is done with then.
    let [one, other] = starts(&paragraphs, &places).await?;
    if 2 * (one.y - other.y).abs() >= one.height {
        return None;
    }
    let bbox = node.facts().await.ok()?.bbox;
    let scrolled = scroll_bar(node).await.unwrap_or(0);
    let is_whole = count <= MAX_READ_CHARACTERS;
    TextLines { paragraphs, places, bbox, scrolled, is_whole }.find(pointer).await
}

/// The places of the first characters of the first two paragraphs that have any.
async fn starts(paragraphs: &[Paragraph], places: &impl CharacterPlaces) -> Option<[Rect; 2]> {
    let mut filled = paragraphs.iter().filter(|paragraph| paragraph.length > 0);
    let (one, other) = (filled.next()?.start, filled.next()?.start);
    let (one, other) = join(places.place(one), places.place(other)).await;
    Some([one?, other?])
}

/// A line of a text, which may be wrapped into several on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Paragraph {
    /// The offset of its first character.
    start: i32,
    length: i32,
    has_tab: bool,
}

impl Paragraph {
    const fn last(self) -> i32 {
        self.start + self.length - 1
    }

    /// Whether it may be wider than `width`, if no character is wider than `em`.
    const fn may_wrap(self, width: i32, em: i32) -> bool {
        self.has_tab || self.length.saturating_mul(em) > width
    }
}

/// The paragraphs of a text. Pure.
fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut start = 0;
    let paragraph = |line: &str| {
        let length = i32::try_from(line.chars().count()).unwrap_or(i32::MAX);
        let paragraph = Paragraph { start, length, has_tab: line.contains('\t') };
        start = start.saturating_add(length).saturating_add(1);
        paragraph
    };
    text.split('\n').map(paragraph).collect()
}

/// A text whose paragraphs are all told at the height of the first one.
struct TextLines<P> {
    paragraphs: Vec<Paragraph>,
    places: P,
    bbox: Rect,
    /// How many lines are scrolled away at the top.
    scrolled: i32,
    /// Whether these are all paragraphs.
    is_whole: bool,
}

/// The measures that all lines share.
#[derive(Debug, Clone, Copy)]
struct LineMeasures {
    /// Where the toolkit tells the top of each paragraph.
    top: i32,
    /// Height of a paragraph of one line.
    height: i32,
    /// Distance of wrapped lines.
    pitch: i32,
}

impl<P: CharacterPlaces> TextLines<P> {
    async fn find(&self, point: Point) -> Option<ByLines> {
        let mut measures = self.measures().await?;
        let (first, hidden) = self.first_visible(&mut measures).await?;
        let margin = if self.scrolled == 0 { TOP_MARGIN } else { 0 };
        let mut top = self.bbox.y + margin - hidden * measures.pitch;
        for some in self.paragraphs.get(first..).unwrap_or_default().chunks(BATCH) {
            let heights = join_all(some.iter().map(|paragraph| self.height(*paragraph, measures))).await;
            for (&paragraph, height) in some.iter().zip(heights) {
                let height = height?;
                if point.y < top + height {
                    let told = Point::new(point.x, measures.top + (point.y - top).max(0));
                    return Some(ByLines::At(self.in_paragraph(paragraph, told, measures).await?));
                }
                top += height;
                if top >= self.bbox.bottom() {
                    return Some(ByLines::Beside);
                }
            }
        }
        self.is_whole.then_some(ByLines::Beside)
    }

    /// `None` unless two paragraphs are told at the height of the first one, and that moved by as many pixels as lines
    /// are scrolled away: that is the defect to be made up for.
    async fn measures(&self) -> Option<LineMeasures> {
        let [one, other] = starts(&self.paragraphs, &self.places).await?;
        let height = one.height.max(other.height);
        let top = self.bbox.y - self.scrolled;
        let is_at_top = |place: Rect| 2 * (place.y - top).abs() < height;
        (is_at_top(one) && is_at_top(other)).then_some(LineMeasures { top, height, pitch: height })
    }

    /// The height of a paragraph; `None` if it is not told.
    async fn height(&self, paragraph: Paragraph, measures: LineMeasures) -> Option<i32> {
        if paragraph.length == 0 {
            return Some(measures.height);
        }
        let last = self.places.place(paragraph.last()).await?;
        Some((last.bottom() - measures.top).max(1))
    }

    /// The first paragraph in view, and how many of its lines are scrolled away. Finds the distance of wrapped lines on
    /// the way, which `measures` have from then on.
    async fn first_visible(&self, measures: &mut LineMeasures) -> Option<(usize, i32)> {
        let mut left = self.scrolled;
        let mut asked = 0;
        let mut is_pitch_known = false;
        for (number, &paragraph) in self.paragraphs.iter().enumerate() {
            if left == 0 {
                return Some((number, 0));
            }
            let mut lines = 1;
            if paragraph.may_wrap(self.bbox.width, measures.height) {
                asked += 1;
                let height = self.height(paragraph, *measures).await.filter(|_| asked <= MAX_ABOVE)?;
                if 2 * height >= 3 * measures.height && !is_pitch_known {
                    is_pitch_known = true;
                    measures.pitch = self.pitch(paragraph, *measures).await?;
                }
                lines += lines_below(height - measures.height, measures.pitch);
            }
            if lines > left {
                return Some((number, left));
            }
            left -= lines;
        }
        None
    }

    /// The distance of the first two lines of a wrapped paragraph.
    async fn pitch(&self, paragraph: Paragraph, measures: LineMeasures) -> Option<i32> {
        let first = self.places.place(paragraph.start).await?;
        let is_below = |place: Rect| 2 * (place.bottom() - first.bottom()) > measures.height;
        let (mut low, mut high) = (paragraph.start, paragraph.last());
        let mut below = self.places.place(high).await.filter(|last| is_below(*last))?;
        for _ in 0..MAX_STEPS {
            if low + 1 >= high {
                break;
            }
            let middle = low + (high - low) / 2;
            match self.places.place(middle).await? {
                place if is_below(place) => (high, below) = (middle, place),
                _ => low = middle,
            }
        }
        Some((below.bottom() - first.bottom()).max(1))
    }

    /// The character of the paragraph at `told`, a point in the toolkit's places, or the last one of the line there.
    async fn in_paragraph(&self, paragraph: Paragraph, told: Point, measures: LineMeasures) -> Option<i32> {
        let (mut low, mut high) = (paragraph.start, paragraph.start + paragraph.length);
        for _ in 0..MAX_STEPS {
            if low >= high {
                break;
            }
            let middle = low + (high - low) / 2;
            match order(self.places.place(middle).await?, told, measures.pitch) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        let is_before_line = low > paragraph.last() || {
            let place = self.places.place(low).await?;
            place.bottom() - measures.pitch > told.y
        };
        Some(if is_before_line { low - 1 } else { low }.max(paragraph.start))
    }
}

/// How many lines of this distance fit into a height, rounded. Pure.
const fn lines_below(height: i32, pitch: i32) -> i32 {
    if pitch <= 0 || height <= 0 { 0 } else { (2 * height + pitch) / (2 * pitch) }
}

/// Where a character is in a paragraph, seen from a point: before or after it, or at it. Lines touch at the bottoms of
/// their characters, whose tops depend on the font. Pure.
fn order(place: Rect, point: Point, pitch: i32) -> std::cmp::Ordering {
    let bottom = place.y + place.height;
    if point.y >= bottom || point.y >= bottom - pitch && point.x >= place.x + place.width {
        std::cmp::Ordering::Less
    } else if point.y < bottom - pitch || point.x < place.x {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    }
}

/// The value of the vertical scroll bar inside the text; `None` if it has none that is shown.
async fn scroll_bar(node: &LinuxNode) -> Option<i32> {
    let mut level = vec![(node.clone(), 1)];
    for _ in 0..2 {
        let mut below = Vec::new();
        for (node, count) in &level {
            if *count > 0 {
                below.extend(node.first_children(CHILDREN).await.unwrap_or_default());
            }
        }
        below.truncate(2 * CHILDREN);
        let answers = join_all(below.iter().map(|child| child.facts())).await;
        level.clear();
        for (facts, child) in answers.into_iter().zip(below) {
            let Ok(facts) = facts else { continue };
            let is_bar = facts.native == Native::ScrollBar && is_upright(facts.bbox);
            if is_bar && facts.states.is_shown(false) {
                let details = Details { interfaces: child.interfaces().await.ok()?, ..Details::default() };
                let value = child.range_value(&details).await?.now;
                return (0.0..f64::from(i32::MAX)).contains(&value).then_some(value as i32);
            }
            level.push((child, facts.children));
        }
    }
    None
}

const fn is_upright(bbox: Rect) -> bool {
    bbox.height > bbox.width
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const BBOX: Rect = Rect::new(60, 150, 200, 120);
    /// Height of a line of letters and of one of Hangul, width of a character, and distance of wrapped lines.
    const HEIGHTS: (i32, i32) = (15, 13);
    const WIDTH: i32 = 7;
    const PITCH: i32 = 14;

    /// A text as Qt lays it out and tells it: wrapped after some characters, each paragraph at the top.
    struct QtText {
        characters: Vec<char>,
        columns: i32,
        scrolled: i32,
    }

    impl CharacterPlaces for QtText {
        async fn place(&self, offset: i32) -> Option<Rect> {
            let offset = usize::try_from(offset).unwrap();
            let own = *self.characters.get(offset).filter(|c| **c != '\n')?;
            let before = self.characters[..offset].iter().rev().take_while(|c| **c != '\n').count();
            let (row, column) = (before as i32 / self.columns, before as i32 % self.columns);
            let height = if own.is_ascii() { HEIGHTS.0 } else { HEIGHTS.1 };
            let bottom = BBOX.y - self.scrolled + row * PITCH + height;
            Some(Rect::new(BBOX.x + 4 + column * WIDTH, bottom - HEIGHTS.0, WIDTH, HEIGHTS.0))
        }
    }

    fn lines(text: &str, columns: i32, scrolled: i32) -> TextLines<QtText> {
        let places = QtText { characters: text.chars().collect(), columns, scrolled };
        TextLines { paragraphs: paragraphs(text), places, bbox: BBOX, scrolled, is_whole: true }
    }

    /// The character found at a point of the window's content.
    async fn found(lines: &TextLines<QtText>, x: i32, y: i32) -> Option<char> {
        match lines.find(Point::new(BBOX.x + x, BBOX.y + y)).await.unwrap() {
            ByLines::At(offset) => Some(lines.places.characters[usize::try_from(offset).unwrap()]),
            ByLines::Beside => None,
        }
    }

    // PIC-1
    #[tokio::test]
    async fn the_pointed_line_is_found_among_lines_of_several_fonts_pic_1() {
        let text = lines("가나다\nabc\n라마바\ndef\n\nghi", 100, 0);
        let middles =
            [(10, Some('가')), (24, Some('a')), (38, Some('라')), (52, Some('d')), (83, Some('g')), (95, None)];
        for (y, expect) in middles {
            assert_eq!(found(&text, 6, y).await, expect, "{y}");
        }
        // Lower lines of one font add up.
        assert_eq!(found(&lines("가\n나\n다\n라\n마\n바\nabc", 100, 0), 6, 84).await, Some('a'));
        // Right of a line, its last character; between two paragraphs, the empty one.
        assert_eq!((found(&text, 90, 24).await, found(&text, 90, 68).await), (Some('c'), Some('\n')));
    }

    // PIC-1
    #[tokio::test]
    async fn wrapped_lines_count_on_the_screen_and_in_the_scroll_bar_pic_1() {
        let text = "abcdefghijklmnopqrstuvwxyz0123456789\nABC\n!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ABCDEFGH\nxyz";
        let top = lines(text, 10, 0);
        let cases =
            [(10, Some('a')), (24, Some('k')), (38, Some('u')), (52, Some('4')), (69, Some('A')), (84, Some('!'))];
        for (y, expect) in cases {
            assert_eq!(found(&top, 6, y).await, expect, "{y}");
        }
        assert_eq!(found(&top, 190, 24).await, Some('t'));
        // Two lines of the first paragraph are scrolled away; then all of it and the next.
        let scrolled = lines(text, 10, 2);
        assert_eq!((found(&scrolled, 6, 7).await, found(&scrolled, 6, 37).await), (Some('u'), Some('A')));
        assert_eq!(found(&lines(text, 10, 5), 6, 7).await, Some('!'));
        assert_eq!(found(&lines(text, 10, 9), 6, 7).await, Some('x'));
    }

    // PIC-1
    #[tokio::test]
    async fn a_text_whose_places_are_right_is_left_alone_pic_1() {
        // The scroll bar counts pixels, or the second paragraph is told below the first.
        let mut text = lines("abc\ndef", 100, 0);
        text.scrolled = 105;
        assert_eq!(text.find(BBOX.center()).await, None);
        let text = lines("a\ndef", 100, 0);
        assert_eq!(TextLines { bbox: BBOX.translated(0, -40), ..text }.find(BBOX.center()).await, None);
        assert_eq!(lines("one line", 100, 0).find(BBOX.center()).await, None);
    }

    // PIC-1
    #[test]
    fn paragraphs_are_those_of_the_text_pic_1() {
        let all = paragraphs("가나다\n\nla\tst");
        let expect = [(0, 3, false), (4, 0, false), (5, 5, true)];
        assert_eq!(all.iter().map(|one| (one.start, one.length, one.has_tab)).collect::<Vec<_>>(), expect);
        assert!(all[2].may_wrap(1000, 15) && all[0].may_wrap(40, 15) && !all[0].may_wrap(45, 15));
    }
}
