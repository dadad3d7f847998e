//! An announcement as one text, and where reading begins in it.

use luna_messages::tts::{AnnouncedPiece, ReadAloud};
use luna_text::sentence;
use zeroize::Zeroize;

use super::plain::{contains_words, one_line, plain_words};

/// What is said of an element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Announcement {
    parts: Vec<String>,
    body: Option<LongText>,
}

/// A text of several sentences, which is read from one of them on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LongText {
    pub(super) text: String,
    /// Where the sentence begins with which reading begins, in characters.
    pub(super) start: usize,
}

impl LongText {
    /// The text from the sentence at `offset` characters on.
    pub(super) fn new(text: &str, offset: Option<usize>) -> Self {
        let starts: Vec<usize> = sentence::split(text).iter().map(|piece| piece.start).collect();
        let start = starts.get(sentence::at(&starts, offset.unwrap_or(0))).copied().unwrap_or(0);
        Self { text: text.to_owned(), start }
    }

    /// The text before the sentence with which reading begins, and from it on.
    fn halves(&self) -> (&str, &str) {
        let at = self.text.char_indices().nth(self.start).map_or(self.text.len(), |(at, _)| at);
        self.text.split_at(at)
    }
}

impl Announcement {
    /// Whether nothing is said.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.body.is_none()
    }

    /// The parts in the order in which they are said; a text of several sentences comes after them.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// What is said, from where reading begins.
    #[must_use]
    pub fn said(&self) -> String {
        let introduction = self.introduction();
        match &self.body {
            None => introduction,
            Some(body) if introduction.is_empty() => body.halves().1.to_owned(),
            Some(body) => format!("{introduction}\n{}", body.halves().1),
        }
    }

    /// What is read aloud, after the dialogs that were entered. The sentences before the one that is pointed at come before all of that, so that
    /// "previous sentence" reaches them.
    #[must_use]
    pub fn reading(&self, entered: &[Self]) -> ReadAloud {
        if let (Some(body), [], []) = (&self.body, &self.parts[..], entered) {
            return ReadAloud::Text { text: body.text.clone(), offset: body.start };
        }
        let mut pieces = Vec::new();
        let (before, rest) = self.body.as_ref().map_or(("", ""), LongText::halves);
        push_text(&mut pieces, before.trim_end());
        let first = pieces.len();
        for dialog in entered {
            dialog.push_introduction(&mut pieces);
            push_text(&mut pieces, dialog.body.as_ref().map_or("", |body| body.halves().1));
        }
        self.push_introduction(&mut pieces);
        push_text(&mut pieces, rest);
        match &mut pieces[..] {
            [AnnouncedPiece::Text(text)] => ReadAloud::Text { text: std::mem::take(text), offset: 0 },
            _ => ReadAloud::Announcement { pieces, first },
        }
    }

    /// Number of sentences that are read after those that tell the element.
    pub(crate) fn sentences_after_introduction(&self) -> usize {
        let body = self.body.as_ref().map_or(0, |body| sentence::split(body.halves().1).len());
        if self.parts.is_empty() { body.saturating_sub(1) } else { body }
    }

    /// A single part is a text or a name, and may have clauses of its own.
    fn push_introduction(&self, pieces: &mut Vec<AnnouncedPiece>) {
        match &self.parts[..] {
            [] => {}
            [one] => push_text(pieces, one),
            _ => pieces.push(AnnouncedPiece::Introduction(self.introduction())),
        }
    }

    fn introduction(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            if !text.is_empty() {
                // After the end of a sentence, a comma would be heard as a hesitation.
                text.push_str(if text.ends_with(['.', '!', '?', '…', '。', ':', ',']) { " " } else { ", " });
            }
            text.push_str(part);
        }
        text
    }
}

fn push_text(pieces: &mut Vec<AnnouncedPiece>, text: &str) {
    if !text.trim().is_empty() {
        pieces.push(AnnouncedPiece::Text(text.to_owned()));
    }
}

impl Drop for Announcement {
    /// Wipes the text, so that no screen text stays in freed memory (BUF-2).
    fn drop(&mut self) {
        self.parts.zeroize();
        if let Some(body) = &mut self.body {
            body.text.zeroize();
        }
    }
}

/// Collects the parts of an announcement, none of them twice.
#[derive(Debug, Default)]
pub(super) struct Parts(Vec<String>);

impl Parts {
    /// Adds a part unless it is empty or was said.
    pub(super) fn push(&mut self, part: &str) {
        let part = one_line(part);
        if !part.is_empty() && !self.0.iter().any(|said| is_same(said, &part)) {
            self.0.push(part);
        }
    }

    /// Adds a part unless its words were said within another part.
    pub(super) fn push_news(&mut self, part: &str) {
        if !self.0.iter().any(|said| contains_words(said, part)) {
            self.push(part);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn with_body(self, body: Option<LongText>) -> Announcement {
        Announcement { parts: self.0, body }
    }
}

/// Whether two parts sound the same.
fn is_same(one: &str, other: &str) -> bool {
    one == other || !plain_words(one).is_empty() && plain_words(one) == plain_words(other)
}
