//! A recogniser's reading of a line: its characters with their places, so that readings can be compared part by part.

/// A recognised character.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadCharacter {
    /// Rarely more than one `char`; never white space.
    pub text: String,
    /// Left edge as a fraction of the line's width.
    pub start: f32,
    /// Right edge as a fraction of the line's width.
    pub end: f32,
    /// 0 to 1.
    pub confidence: f32,
    /// Whether a space separates it from the character before.
    pub spaced: bool,
}

impl ReadCharacter {
    /// The middle as a fraction of the line's width.
    pub fn middle(&self) -> f32 {
        f32::midpoint(self.start, self.end)
    }
}

/// A reading of a line, from left to right.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineReading {
    pub characters: Vec<ReadCharacter>,
}

impl LineReading {
    /// The text, with single spaces between words.
    pub fn text(&self) -> String {
        text_of(&self.characters)
    }

    /// Mean confidence of the characters, 0 to 1; 0 without characters.
    pub fn confidence(&self) -> f32 {
        let sum: f32 = self.characters.iter().map(|character| character.confidence).sum();
        sum / self.characters.len().max(1) as f32
    }

    pub const fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// The words, as ranges of characters.
    pub fn words(&self) -> Vec<std::ops::Range<usize>> {
        let mut words: Vec<std::ops::Range<usize>> = Vec::new();
        for (at, character) in self.characters.iter().enumerate() {
            match words.last_mut() {
                Some(word) if !character.spaced => word.end = at + 1,
                _ => words.push(at..at + 1),
            }
        }
        words
    }
}

/// The text of characters, with single spaces between words.
pub fn text_of(characters: &[ReadCharacter]) -> String {
    let mut text = String::new();
    for character in characters {
        if character.spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&character.text);
    }
    text
}
