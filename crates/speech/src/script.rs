//! Turns a request into a script: sentences, each with its words per voice (TTS-1, TTS-3, TTS-5, OCR-4).

use luna_messages::reading::Style;
use luna_messages::tts::{AnnouncedPiece, ReadAloud, ReadPart, ReadRequest, SpokenNotice};
use luna_messages::{Lang, RequestId};
use zeroize::Zeroize;

use luna_text::runs::{self, VoiceRun};
use luna_text::{numbers, sentence};

use crate::{rows, spell};
use luna_text::language::by_script;

/// A unit of speech. Wiped on drop (BUF-2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The words as published in events.
    pub text: String,
    /// Its main language.
    pub lang: Lang,
    /// The words for each voice, in order.
    pub runs: Vec<VoiceRun>,
}

/// A text ready to be spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeechScript {
    /// The reading or notice.
    pub id: RequestId,
    /// Its sentences; may be empty.
    pub sentences: Vec<Sentence>,
    /// Index of the sentence to begin with.
    pub first: usize,
}

impl Sentence {
    /// A sentence of plain text; `fallback` is its language if it has no letters.
    #[must_use]
    pub fn plain(text: &str, fallback: Lang) -> Self {
        Self { text: text.to_owned(), lang: by_script(text, fallback), runs: runs::split(text, fallback) }
    }

    fn spoken(runs: Vec<VoiceRun>, lang: Lang) -> Self {
        let text = runs.iter().map(|r| r.text.as_str()).collect::<Vec<_>>().join(", ");
        Self { text, lang, runs }
    }
}

impl Zeroize for Sentence {
    fn zeroize(&mut self) {
        self.text.zeroize();
        for run in &mut self.runs {
            run.text.zeroize();
        }
    }
}

impl Drop for Sentence {
    fn drop(&mut self) {
        self.zeroize();
    }
}

/// The script of a read request.
#[must_use]
pub fn from_request(request: &ReadRequest) -> SpeechScript {
    let lang = request.lang;
    let mut first_row = 0;
    let (starts, sentences): (Vec<usize>, Vec<Sentence>) = match (&request.reading, request.style) {
        (ReadAloud::Text { text, .. }, Style::News) => plain(text, lang).into_iter().unzip(),
        (ReadAloud::Text { text, .. }, style) => styled(text, style, lang).into_iter().unzip(),
        (ReadAloud::Announcement { pieces, .. }, style) => {
            let sentences = pieces.iter().enumerate().flat_map(|(at, piece)| {
                let sentences = match (piece, style) {
                    (AnnouncedPiece::Introduction(words), Style::News) => introduction(words, lang),
                    _ => styled(piece.words(), style, lang).into_iter().map(|(_, sentence)| sentence).collect(),
                };
                sentences.into_iter().map(move |sentence| (at, sentence))
            });
            sentences.unzip()
        }
        (ReadAloud::Rows { rows, has_header, row }, Style::News) => {
            let announced = rows::announce(rows, *has_header, *row, lang);
            let spoken = announced.lines.iter().enumerate().flat_map(|(line, text)| {
                let parts = sentence::split_rows(text).into_iter();
                parts.map(|p| (line, Sentence::plain(p.text, lang))).collect::<Vec<_>>()
            });
            let spoken: Vec<(usize, Sentence)> = spoken.collect();
            first_row = spoken.iter().position(|(line, _)| *line >= announced.first).unwrap_or(0);
            spoken.into_iter().unzip()
        }
        (ReadAloud::Rows { rows, .. }, style) => {
            rows.iter().flat_map(|row| styled(&row.join(" "), style, lang)).map(|(_, s)| (0, s)).unzip()
        }
    };
    let first = match request.reading {
        ReadAloud::Text { offset, .. } => sentence::at(&starts, offset),
        ReadAloud::Announcement { first, .. } => starts.iter().position(|&piece| piece >= first).unwrap_or(0),
        ReadAloud::Rows { .. } => first_row,
    };
    let nothing = sentences.is_empty() && request.style == Style::Numbers;
    let sentences = if nothing { vec![no_numbers(lang)] } else { sentences };
    SpeechScript { id: request.id, sentences, first }
}

/// The script of a piece of a text.
#[must_use]
pub fn from_part(part: &ReadPart) -> SpeechScript {
    SpeechScript {
        id: part.id,
        sentences: plain(&part.text, part.lang).into_iter().map(|(_, sentence)| sentence).collect(),
        first: 0,
    }
}

/// The script of a notice.
#[must_use]
pub fn from_notice(notice: &SpokenNotice) -> SpeechScript {
    let sentences = sentence::split(&notice.text).iter().map(|p| Sentence::plain(p.text, notice.lang)).collect();
    SpeechScript { id: notice.id, sentences, first: 0 }
}

fn plain(text: &str, lang: Lang) -> Vec<(usize, Sentence)> {
    // The language of the whole text applies to a sentence without letters, such as "42.".
    let whole = by_script(text, lang);
    sentence::split(text).iter().map(|p| (p.start, Sentence::plain(p.text, whole))).collect()
}

/// Its commas separate a name from a role and a state; they end no clause.
fn introduction(words: &str, lang: Lang) -> Vec<Sentence> {
    let whole = by_script(words, lang);
    sentence::split_rows(words).iter().map(|piece| Sentence::plain(piece.text, whole)).collect()
}

fn styled(text: &str, style: Style, lang: Lang) -> Vec<(usize, Sentence)> {
    match style {
        Style::News => plain(text, lang),
        Style::Spell | Style::SpellJamo => spell::spell(text, style == Style::SpellJamo, lang)
            .into_iter()
            .map(|group| (group.start, Sentence::spoken(group.runs, lang)))
            .collect(),
        Style::Numbers => {
            let whole = by_script(text, lang);
            numbers::find(text).iter().map(|n| (n.start, Sentence::plain(n.text, whole))).collect()
        }
    }
}

/// A text without numbers is announced as such, never silent.
fn no_numbers(lang: Lang) -> Sentence {
    let text = match lang {
        Lang::Ko => "숫자가 없어요.",
        Lang::En => "There are no numbers.",
    };
    Sentence::plain(text, lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reading: ReadAloud, style: Style, lang: Lang, first: usize, expect: &[&str]) {
        let utterance = from_request(&ReadRequest { id: RequestId(1), reading, style, lang });
        assert_eq!(utterance.sentences.iter().map(|s| s.text.as_str()).collect::<Vec<_>>(), expect);
        assert_eq!(utterance.first, first);
    }

    fn text(text: &str, offset: usize) -> ReadAloud {
        ReadAloud::Text { text: text.into(), offset }
    }

    // TTS-1, TTS-3, OCR-4
    #[test]
    fn a_request_becomes_sentences_tts_1_tts_3_ocr_4() {
        check(text("하나다. 둘이다. Three.", 6), Style::News, Lang::Ko, 1, &["하나다.", "둘이다.", "Three."]);
        check(text("", 0), Style::News, Lang::Ko, 0, &[]);
        check(text("가격은 3,200원과 5km", 0), Style::Numbers, Lang::Ko, 0, &["3,200원", "5km"]);
        check(text("가격은 3,200원과 5km", 10), Style::Numbers, Lang::Ko, 0, &["3,200원", "5km"]);
        check(text("없음", 0), Style::Numbers, Lang::Ko, 0, &["숫자가 없어요."]);
        check(text("Hi", 0), Style::Spell, Lang::En, 0, &["capital H, I"]);
        check(text("강", 0), Style::SpellJamo, Lang::Ko, 0, &["강: 기역, 아, 이응"]);
        let rows = || ReadAloud::Rows {
            rows: vec![vec!["이름".into(), "값".into()], vec!["전압".into(), "5V".into()]],
            has_header: true,
            row: 0,
        };
        check(rows(), Style::News, Lang::Ko, 0, &["머리글: 이름, 값", "전압, 5V"]);
        check(rows(), Style::Numbers, Lang::Ko, 0, &["5V"]);
    }

    // ANN-1, TTS-1, TTS-2
    #[test]
    fn an_introduction_is_one_sentence_however_many_commas_it_has_ann_1_tts_1_tts_2() {
        let said = "소리 크기, 슬라이더, 40 퍼센트, 필수 항목";
        let introduction = || AnnouncedPiece::Introduction(said.into());
        let announcement = |pieces, first| ReadAloud::Announcement { pieces, first };
        check(announcement(vec![introduction()], 0), Style::News, Lang::Ko, 0, &[said]);
        let text = |words: &str| AnnouncedPiece::Text(words.into());
        let pieces =
            || vec![text("먼저다. 하나다."), introduction(), text("둘이다. 비가 오고, 바람이 불고, 눈이 온다.")];
        let expect = ["먼저다.", "하나다.", said, "둘이다.", "비가 오고, 바람이 불고,", "눈이 온다."];
        check(announcement(pieces(), 1), Style::News, Lang::Ko, 2, &expect);
        check(announcement(vec![text("없다"), introduction()], 1), Style::Numbers, Lang::Ko, 0, &["40 퍼센트"]);
        check(announcement(Vec::new(), 0), Style::News, Lang::Ko, 0, &[]);
    }

    // TTS-5
    #[test]
    fn a_number_alone_takes_the_voice_of_the_text_tts_5() {
        let request = ReadRequest {
            id: RequestId(1),
            reading: text("가격은 3,200원. 42.", 0),
            style: Style::News,
            lang: Lang::En,
        };
        assert_eq!(from_request(&request).sentences.last().map(|s| s.lang), Some(Lang::Ko));
    }
}
