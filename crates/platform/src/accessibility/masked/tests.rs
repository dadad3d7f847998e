//! Masked fields by their pixels (PIC-5).

use super::*;

// PIC-5
#[test]
fn marks_in_the_place_of_characters_hide_them_pic_5() {
    for (shown, typed) in
        [("●●●●●●●", 7), ("•", 1), ("****", 4), ("●●●●a", 5), ("●a", 2), ("", 3), ("xxxxx", 5), ("☺☺☺", 3), ("●●", 2)]
    {
        assert!(hides(shown, typed), "{shown}");
    }
    for (shown, typed) in
        [("", 0), ("plain", 5), ("부산항", 3), ("1111", 4), ("a", 1), ("● on", 4), ("a*b", 3), ("• one", 5), ("-5", 2)]
    {
        assert!(!hides(shown, typed), "{shown}");
    }
}

/// A single-line field that a test draws into.
struct Field {
    picture: Picture,
    ink: [u8; 3],
}

impl Field {
    fn new(ground: [u8; 3], ink: [u8; 3]) -> Self {
        let picture = Picture::new(240, 32, ground.repeat(240 * 32)).unwrap();
        Self { picture, ink }
    }

    fn fill(mut self, x: usize, y: usize, width: usize, height: usize, colour: [u8; 3]) -> Self {
        for row in y..y + height {
            for column in x..x + width {
                let at = 3 * (row * 240 + column);
                self.picture.rgb[at..at + 3].copy_from_slice(&colour);
            }
        }
        self
    }

    fn bar(self, x: usize, y: usize, width: usize, height: usize) -> Self {
        let ink = self.ink;
        self.fill(x, y, width, height, ink)
    }

    fn dot(mut self, x: usize, y: usize, diameter: usize) -> Self {
        let (radius, ink) = (diameter as f64 / 2.0, self.ink);
        for row in 0..diameter {
            for column in 0..diameter {
                let (dx, dy) = (column as f64 + 0.5 - radius, row as f64 + 0.5 - radius);
                if dx.hypot(dy) <= radius {
                    let at = 3 * ((y + row) * 240 + x + column);
                    self.picture.rgb[at..at + 3].copy_from_slice(&ink);
                }
            }
        }
        self
    }

    fn dots(self, count: usize, step: usize, diameter: usize) -> Self {
        (0..count).fold(self, |field, index| field.dot(12 + index * step, 16 - diameter / 2, diameter))
    }

    /// Letter-like shapes: bars of several heights with feet.
    fn letters(self, from: usize, count: usize) -> Self {
        (0..count).fold(self, |field, index| {
            let x = from + index * 9;
            let height = 8 + (index * 5) % 7;
            field.bar(x, 24 - height, 2, height).bar(x, 22, 6, 2)
        })
    }

    fn frame(self) -> Self {
        self.bar(0, 0, 240, 1).bar(0, 31, 240, 1).bar(0, 0, 1, 32).bar(239, 0, 1, 32)
    }

    #[track_caller]
    fn expect(self, masked: bool) {
        assert_eq!(shows_marks(&self.picture), masked);
    }
}

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [20; 3];
const BLUE: [u8; 3] = [53, 132, 228];

// PIC-5
#[test]
fn a_row_of_equal_dots_is_seen_pic_5() {
    for (ground, ink) in [(WHITE, BLACK), (BLACK, WHITE), ([250, 250, 220], [90, 90, 90])] {
        for (count, step, diameter) in [(3, 9, 7), (7, 9, 7), (12, 10, 8), (5, 6, 5), (8, 7, 4), (20, 10, 6)] {
            Field::new(ground, ink).dots(count, step, diameter).expect(true);
            Field::new(ground, ink).dots(count, step, diameter).frame().bar(12 + count * step, 6, 1, 20).expect(true);
        }
    }
    Field::new(WHITE, BLACK).dots(1, 9, 7).expect(true);
    Field::new(WHITE, BLACK).dots(2, 9, 7).expect(true);
}

// PIC-5
#[test]
fn dots_are_seen_beside_icons_a_plain_last_character_and_a_selection_pic_5() {
    Field::new(WHITE, BLACK).dots(6, 9, 7).bar(215, 10, 12, 5).bar(215, 18, 12, 5).expect(true);
    Field::new(WHITE, BLACK).dots(6, 9, 7).letters(68, 1).expect(true);
    let selected = Field::new(WHITE, BLACK).fill(10, 6, 80, 20, BLUE);
    Field { ink: WHITE, ..selected }.dots(8, 9, 7).expect(true);
    // Part of the dots is selected: those are white, the others black.
    let part = Field { ink: WHITE, ..Field::new(WHITE, BLACK).fill(10, 6, 38, 20, BLUE) }.dots(4, 9, 7);
    (4..8).fold(Field { ink: BLACK, ..part }, |field, index| field.dot(12 + index * 9, 13, 7)).expect(true);
}

// PIC-5
#[test]
fn letters_emptiness_and_leaders_are_no_dots_pic_5() {
    Field::new(WHITE, BLACK).expect(false);
    Field::new(WHITE, BLACK).frame().expect(false);
    Field::new(WHITE, BLACK).frame().bar(12, 6, 1, 20).expect(false);
    for count in [1, 2, 5, 12] {
        Field::new(WHITE, BLACK).letters(12, count).expect(false);
    }
    // "Name . . . . value": letters on both sides.
    Field::new(WHITE, BLACK).letters(12, 4).dot(52, 21, 3).dot(60, 21, 3).dot(68, 21, 3).letters(76, 4).expect(false);
    // A full stop at the end of a word.
    Field::new(WHITE, BLACK).letters(12, 4).dot(52, 21, 3).expect(false);
    // Not a line of text.
    assert!(!shows_marks(&Picture::new(4, 4, vec![0; 48]).unwrap()));
    assert!(!shows_marks(&Picture::new(300, 200, vec![0; 300 * 200 * 3]).unwrap()));
}
