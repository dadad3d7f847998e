//! Decides which recogniser's reading of which part of a line counts. Pure.
//!
//! The preferred recogniser reads every line. It knows Latin letters, and passes over Hangul or takes it for something else, often with
//! confidence. The Korean recogniser knows Hangul, and takes Latin letters for anything. So confidences of different recognisers are not
//! comparable: what counts is whether a reading covers all ink, and whether its words look like words ([`letters`]).

use std::ops::Range;

use crate::letters;
use crate::reading::{LineReading, ReadCharacter};
use crate::script::{self, Script};

/// Confidence from which a line in Latin letters needs no second reading.
const SURE_LATIN: f32 = 0.9;
/// Confidence from which a line with Chinese characters or kana needs no second reading: Hangul misread as Chinese has less.
const SURE_IDEOGRAPHIC: f32 = 0.93;
/// Confidence from which each letter is clear.
const CLEAR: f32 = 0.97;
/// Letters and digits below which a Latin reading may be one of Hangul.
const FEW: usize = 4;
/// How far from the middle of a character its ink may reach, as a multiple of the line's height; letters are half as high as a line with its
/// margins.
const REACH: f32 = 0.33;
/// Ink out of the reach of all characters, as a multiple of the line's height, from which a reading has passed over something. A Hangul
/// syllable beside a letter leaves about twice as much.
const PASSED_OVER: f32 = 0.2;
/// Confidence from which the preferred recogniser is believed.
const CERTAIN: f32 = 0.9;
/// Confidence from which the Korean recogniser is believed that a single syllable is one.
const SURE_SYLLABLE: f32 = 0.85;

/// What is known of a line besides its readings.
#[derive(Debug, Clone, Copy)]
pub struct LineShape<'a> {
    /// Width divided by height.
    pub aspect: f32,
    /// For each column, whether it contains ink.
    pub ink: &'a [bool],
}

/// Whether the preferred recogniser's reading needs a second opinion.
pub fn is_doubtful(read: &LineReading, shape: LineShape<'_>) -> bool {
    let text = read.text();
    let has_ideographs = text.chars().any(script::is_ideographic);
    let sure = if has_ideographs { SURE_IDEOGRAPHIC } else { SURE_LATIN };
    let confidence = read.confidence();
    // Some syllables look like two or three letters; no word of Hangul looks like more.
    let is_short = !has_ideographs && text.chars().filter(|char| char.is_alphanumeric()).count() < FEW;
    // An implausible word is believed only if each of its letters is clear, as in abbreviations and file names.
    let is_nonsense = confidence < CLEAR && quality(read) < sure;
    confidence < sure || is_short || is_nonsense || passes_over(read, shape)
}

/// Confidence of a reading, less for words that look like none; 0 to 1.
pub fn quality(read: &LineReading) -> f32 {
    weighed(read.clone()).confidence()
}

/// The reading with the confidence of each word reduced by its plausibility.
pub fn weighed(mut read: LineReading) -> LineReading {
    for word in read.words() {
        let text: String = read.characters[word.clone()].iter().map(|one| one.text.as_str()).collect();
        let plausibility = letters::plausibility(&text);
        read.characters[word].iter_mut().for_each(|one| one.confidence *= plausibility);
    }
    read
}

/// Whether the merged reading, with the Korean recogniser's part, is better than the preferred recogniser's.
pub fn is_better(merged: &LineReading, first: &LineReading, shape: LineShape<'_>) -> bool {
    let hangul = merged.text().chars().filter(|char| script::is_hangul(*char)).count();
    let (confidence, of_first) = (merged.confidence(), first.confidence());
    if first.is_empty() || merged.is_empty() {
        return first.is_empty();
    }
    if hangul == 0 {
        // Without Hangul there is nothing that the Korean recogniser knows better.
        return confidence > 0.6 && of_first < 0.4;
    }
    if passes_over(first, shape) {
        return confidence > 0.5 * of_first;
    }
    // Whoever reads Hangul as Chinese is not sure of it.
    if has_ideographs(first) {
        return confidence > of_first - 0.3;
    }
    confidence >= if of_first >= CERTAIN { SURE_SYLLABLE } else { of_first - 0.1 }
}

fn has_ideographs(read: &LineReading) -> bool {
    read.characters.iter().any(|one| one.text.chars().any(script::is_ideographic))
}

/// Whether ink has no character near it.
pub fn passes_over(read: &LineReading, shape: LineShape<'_>) -> bool {
    passes_over_between(&read.characters, shape, 0.0, 1.0)
}

/// The same for a part of the line; the characters' places are those in the whole line.
fn passes_over_between(characters: &[ReadCharacter], shape: LineShape<'_>, start: f32, end: f32) -> bool {
    let columns = shape.ink.len();
    let of_height = |multiple: f32| multiple / shape.aspect.max(1e-3) * columns as f32;
    let column = |place: f32| ((place * columns as f32).max(0.0) as usize).min(columns);
    let mut lone: Vec<bool> = shape.ink.to_vec();
    lone[..column(start)].fill(false);
    lone[column(end)..].fill(false);
    for character in characters {
        let (middle, reach) = (character.middle() * columns as f32, of_height(REACH));
        lone[((middle - reach).max(0.0) as usize).min(columns)..((middle + reach).max(0.0) as usize).min(columns)]
            .fill(false);
    }
    let most = lone.split(|inked| !inked).map(<[bool]>::len).sum::<usize>();
    most as f32 >= of_height(PASSED_OVER).max(1.0)
}

/// Characters of the Korean reading that stand together, and whose they are.
#[derive(Debug, Clone, PartialEq)]
struct Stretch {
    characters: Range<usize>,
    kind: StretchKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StretchKind {
    /// Hangul with its punctuation.
    Korean,
    /// Letters and digits that the preferred recogniser knows better.
    Other,
}

/// Puts a line together from the Korean reading and the preferred recogniser's readings of the parts that are no Hangul. `read_part` reads
/// the part between two fractions of the width with the preferred recogniser; its answer is in fractions of that part.
///
/// # Errors
/// Those of `read_part`.
pub fn merge<E>(
    korean: &LineReading,
    shape: LineShape<'_>,
    mut read_part: impl FnMut(f32, f32) -> Result<LineReading, E>,
) -> Result<LineReading, E> {
    let korean = weighed(korean.clone());
    let mut read = |start: f32, end: f32| -> Result<LineReading, E> {
        let mut part = read_part(start, end)?;
        for one in &mut part.characters {
            (one.start, one.end) = (start + one.start * (end - start), start + one.end * (end - start));
        }
        Ok(part)
    };
    let mut merged: Vec<ReadCharacter> = Vec::new();
    let groups = groups(&korean);
    for (at, (group, _)) in groups.iter().enumerate() {
        // Between two words in Latin letters a single syllable is hardly ever Hangul.
        let is_other = |at: Option<usize>| at.and_then(|at| groups.get(at)).map(|(_, alone)| !alone);
        let (before, after) = (is_other(at.checked_sub(1)), is_other(Some(at + 1)));
        let in_latin = (before, after) != (None, None) && before.unwrap_or(true) && after.unwrap_or(true);
        let own = &korean.characters[group.clone()];
        let stretches = stretches(&korean, group);
        if stretches.iter().all(|one| one.kind == StretchKind::Korean) && !is_questionable(own, in_latin) {
            merged.extend_from_slice(own);
            continue;
        }
        let (start, end) = extent(&korean, group, shape);
        let whole = read(start, end)?;
        let is_certain = whole.confidence() >= CERTAIN && whole.confidence() >= mean(own);
        if is_certain
            && is_latin(&whole, shape, end - start)
            && !passes_over_between(&whole.characters, shape, start, end)
        {
            append(&mut merged, whole.characters, own);
            continue;
        }
        for stretch in stretches {
            let own = &korean.characters[stretch.characters.clone()];
            let (start, end) = extent(&korean, &stretch.characters, shape);
            // Places are not exact: no character is taken twice.
            let taken = merged.last().map_or(0.0, ReadCharacter::middle);
            let within = |one: &&ReadCharacter| (start..=end).contains(&one.middle()) && one.middle() > taken;
            let mut part: Vec<ReadCharacter> = whole.characters.iter().filter(within).cloned().collect();
            if stretch.kind == StretchKind::Korean {
                // A syllable in the middle of a word where two or more Latin letters are clear is none.
                let is_clear =
                    part.len() >= 2 && part.iter().all(|one| one.text.is_ascii() && one.confidence >= CERTAIN);
                if is_clear && stretch.characters.len() == 1 {
                    append(&mut merged, part, own);
                } else {
                    merged.extend_from_slice(own);
                }
                continue;
            }
            if mean(&part) < CERTAIN || passes_over_between(&part, shape, start, end) {
                // The neighbours distract it.
                part = read(start, end)?.characters;
            }
            // The Korean recogniser's letters and digits count for little: it takes any ink for some.
            let is_known = |one: &ReadCharacter| !one.text.chars().any(script::is_ideographic);
            if !part.is_empty() && mean(&part) >= 0.5 * mean(own) && part.iter().all(is_known) {
                append(&mut merged, part, own);
            } else {
                merged
                    .extend(own.iter().map(|one| ReadCharacter { confidence: one.confidence * DOUBT, ..one.clone() }));
            }
        }
    }
    Ok(LineReading { characters: merged })
}

/// What is left of the Korean recogniser's confidence in letters and digits that the preferred recogniser does not see.
const DOUBT: f32 = 0.6;

/// Appends a part in place of `own`.
fn append(merged: &mut Vec<ReadCharacter>, mut part: Vec<ReadCharacter>, own: &[ReadCharacter]) {
    part = weighed(LineReading { characters: part }).characters;
    if let (Some(first), Some(own)) = (part.first_mut(), own.first()) {
        first.spaced = own.spaced;
    }
    merged.append(&mut part);
}

fn mean(characters: &[ReadCharacter]) -> f32 {
    characters.iter().map(|one| one.confidence).sum::<f32>() / characters.len().max(1) as f32
}

/// Whether Hangul may be a misread Latin word: it looks like no word, or is a single syllable that is not sure or stands among Latin words.
fn is_questionable(own: &[ReadCharacter], in_latin: bool) -> bool {
    let text: String = own.iter().map(|one| one.text.as_str()).collect();
    let syllables = text.chars().filter(|char| script::is_hangul(*char)).count();
    (syllables <= 1 && (in_latin || mean(own) < SURE_SYLLABLE)) || mean(own) < 0.6
}

/// Whether all characters are ASCII, and as many as Latin letters need for the width.
fn is_latin(part: &LineReading, shape: LineShape<'_>, width: f32) -> bool {
    let characters = part.characters.iter().map(|one| one.text.chars().count()).sum::<usize>();
    let ascii = part.characters.iter().all(|one| one.text.is_ascii());
    // Of a line with its margins, a letter takes a fourth to half of the height, a syllable two thirds.
    ascii && characters > 0 && width * shape.aspect / characters as f32 <= 0.6
}

/// The extent of some characters with half of the gaps beside them, so that no stroke is cut.
fn extent(read: &LineReading, range: &Range<usize>, shape: LineShape<'_>) -> (f32, f32) {
    let margin = 0.15 / shape.aspect.max(1e-3);
    let (first, last) = (&read.characters[range.start], &read.characters[range.end - 1]);
    let before = range.start.checked_sub(1).map_or(0.0, |before| read.characters[before].end);
    let after = read.characters.get(range.end).map_or(1.0, |after| after.start);
    let start = (first.start - ((first.start - before) / 2.0).clamp(0.0, margin)).clamp(0.0, 1.0);
    let end = last.end + ((after - last.end) / 2.0).clamp(0.0, margin);
    (start, end.min(1.0).max(start + 1e-3))
}

/// Words of a Korean reading, with neighbours that are not Korean alone in one range: they are read together, with the spaces that the
/// preferred recogniser sees. With each, whether it is Korean alone.
fn groups(korean: &LineReading) -> Vec<(Range<usize>, bool)> {
    let is_korean = |word: &Range<usize>| {
        korean.characters[word.clone()].iter().all(|one| kind_of(one) != Some(StretchKind::Other))
    };
    let mut groups: Vec<(Range<usize>, bool)> = Vec::new();
    for word in korean.words() {
        let alone = is_korean(&word);
        match groups.last_mut() {
            Some((last, false)) if !alone => last.end = word.end,
            _ => groups.push((word, alone)),
        }
    }
    groups
}

/// The stretches of a group. Marks belong to what stands before them, at the beginning to what follows.
fn stretches(korean: &LineReading, group: &Range<usize>) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for at in group.clone() {
        let kind = kind_of(&korean.characters[at]);
        match (found.last_mut(), kind) {
            (Some(last), None) => last.characters.end = at + 1,
            (Some(last), Some(kind)) if last.kind == kind => last.characters.end = at + 1,
            (Some(_), Some(kind)) => found.push(Stretch { characters: at..at + 1, kind }),
            (None, Some(kind)) => found.push(Stretch { characters: group.start..at + 1, kind }),
            (None, None) => {}
        }
    }
    if found.is_empty() {
        found.push(Stretch { characters: group.clone(), kind: StretchKind::Other });
    }
    found
}

/// Whose a character is; `None` for marks. Hangul letters alone are what the Korean recogniser makes of lines and corners.
fn kind_of(character: &ReadCharacter) -> Option<StretchKind> {
    let char = character.text.chars().next()?;
    match script::of(char) {
        Script::Mark => None,
        Script::Hangul if script::syllable(char).is_some() => Some(StretchKind::Korean),
        Script::Hangul | Script::Ideographic | Script::Letter | Script::Digit => Some(StretchKind::Other),
    }
}

#[cfg(test)]
#[path = "lines/tests.rs"]
mod tests;
