//! What is to be entered, and where, in Korean (NLU-2): 이름에 홍길동이라고 입력해, 볼륨을 50으로 바꿔.

use luna_messages::dsl::Action;
use luna_messages::understanding::ParsedCommand;

use super::desk::Verb;
use super::draft::{Draft, Scene};
use super::keys::{keys, pressed};
use super::target::{aimed, target, without_fillers, without_last_fillers, without_particle};

/// Targets that take a text without being called so.
const FIELDS: [&str; 16] = [
    "이름",
    "아이디",
    "비밀번호",
    "이메일",
    "메일주소",
    "주소",
    "전화번호",
    "제목",
    "검색어",
    "내용",
    "본문",
    "검색창",
    "주소창",
    "입력창",
    "메시지",
    "댓글",
];

/// Cells of a word that ends at `to`.
fn cut(scene: &Scene<'_>, from: usize, to: usize, words: &[&str]) -> usize {
    words
        .iter()
        .filter_map(|word| {
            let start = to.checked_sub(word.chars().count()).filter(|start| *start > from)?;
            scene.heard.word_end(start, word).is_some().then_some(start)
        })
        .min()
        .unwrap_or(to)
}

/// What is to be entered, of a range: without 이라고, 을.
pub fn value(scene: &Scene<'_>, from: usize, to: usize) -> String {
    let from = without_fillers(scene, from, to);
    let to = without_last_fillers(scene, from, to);
    if let Some(quote) = scene.heard.quotes.iter().find(|quote| quote.from >= from && quote.to <= to) {
        return quote.text.clone();
    }
    let end = cut(
        scene,
        from,
        to,
        &["라고", "라구", "이라고", "이라구", "이라는말을", "라는말을", "이란말을", "이라는글을", "라는글을"],
    );
    // "라고" after a consonant is the end of 이라고 that was cut with it.
    let end = if end < to { end } else { without_object(scene, from, to) };
    scene.heard.said(from, end)
}

fn without_object(scene: &Scene<'_>, from: usize, to: usize) -> usize {
    match scene.heard.cells.get(to.saturating_sub(1)) {
        Some('을' | '를') => without_particle(scene, from, to, false),
        _ => to,
    }
}

/// The value and the target of 입력, 쓰다.
pub fn typed(scene: &Scene<'_>, from: usize, to: usize) -> Draft {
    let heard = scene.heard;
    let begin = without_fillers(scene, from, to);
    let mut wish = ParsedCommand { action: Some(Action::SetValue), ..ParsedCommand::default() };
    if let Some(quote) = heard.quotes.iter().find(|quote| quote.from >= from && quote.to <= to) {
        wish.value = Some(quote.text.clone());
        let before = without_last_fillers(scene, begin, quote.from);
        let (a, b) = if before > begin && quote.from > begin {
            (begin, quote.from)
        } else {
            let mut after = quote.to;
            for word in ["이라고", "라고", "라는글자를", "이란", "을", "를", "이라는", "라는"] {
                let word: Vec<char> = word.chars().collect();
                if heard.is_at(after, &word) {
                    after += word.len();
                    break;
                }
            }
            (after.min(to), to)
        };
        target(scene, a, b, true).put(&mut wish);
        return Draft { wish, ..Draft::default() };
    }
    let trimmed = without_last_fillers(scene, begin, to);
    if let Some(named) = keys(scene, begin, trimmed).filter(|named| named.sure) {
        return pressed(named);
    }
    match places(scene, begin, trimmed) {
        Some((aim, text)) => {
            target(scene, aim.0, aim.1, false).put(&mut wish);
            wish.value = Some(value(scene, text.0, text.1)).filter(|value| !value.is_empty());
        }
        None => {
            let words = heard.words(begin, trimmed);
            let first = words.first().copied().filter(|(a, b)| {
                words.len() > 1
                    && (scene.is_label(*a, *b) || FIELDS.iter().any(|field| heard.word_end(*a, field) == Some(*b)))
            });
            let start = first.map_or(begin, |(_, end)| end);
            if let Some((a, b)) = first {
                wish.target_text = Some(heard.said(a, b));
            }
            wish.value = Some(value(scene, start, trimmed)).filter(|value| !value.is_empty());
        }
    }
    Draft { wish, ..Draft::default() }
}

type Range = (usize, usize);

/// Where the target and where the value of "이름에 홍길동", "홍길동을 이름에" stand.
fn places(scene: &Scene<'_>, from: usize, to: usize) -> Option<(Range, Range)> {
    let heard = scene.heard;
    let ends = |at: usize| -> Option<usize> {
        ["에다가", "에다", "에", "한테"].iter().find_map(|word| {
            let word: Vec<char> = word.chars().collect();
            let end = at + word.len();
            (heard.is_at(at, &word) && (scene.border(end) || end == to)).then_some(end)
        })
    };
    // The value first: "홍길동을 이름 칸에".
    if let Some(at) = (from + 1..to).find(|at| ends(*at) == Some(to)) {
        let split = (from + 1..at).rev().find(|split| {
            scene.border(*split)
                && (without_object(scene, from, *split) < *split
                    || cut(scene, from, *split, &["라고", "이라고", "라구"]) < *split)
        });
        if let Some(split) = split {
            return Some(((split, at), (from, split)));
        }
        let words = heard.words(from, at);
        let roles = |word: &(usize, usize)| scene.desk.roles.get(heard.part(word.0, word.1)).is_some();
        let last = words.last()?;
        let start = if roles(last) && words.len() > 2 { words.get(words.len() - 2)?.0 } else { last.0 };
        let label = (from + 1..at).find(|start| scene.border(*start) && scene.is_label(*start, at));
        let start = label.unwrap_or(start);
        return (start > from).then_some(((start, at), (from, start)));
    }
    let mut splits: Vec<(usize, usize)> =
        (from + 1..to).filter_map(|at| Some((at, ends(at)?))).filter(|(_, end)| *end < to).collect();
    if splits.is_empty() {
        // "이름 칸에홍길동": glued.
        splits = (from + 1..to)
            .filter(|at| {
                heard.is_at(*at, &['에'])
                    && scene.desk.roles.ending_at(&heard.cells, from, *at).is_some()
                    && *at + 1 < to
            })
            .map(|at| (at, at + 1))
            .collect();
    }
    let good = |(at, _): &&(usize, usize)| {
        let window = heard.cells.get(at - 1) == Some(&'창');
        window || scene.is_label(from, *at) || scene.desk.roles.ending_at(&heard.cells, from, *at).is_some()
    };
    let (at, end) = splits.iter().find(good).or_else(|| splits.first()).copied()?;
    Some(((from, at), (end, to)))
}

/// A를 B로 바꿔.
pub fn changed(scene: &Scene<'_>, from: usize, to: usize, verb: &Verb, bare: bool) -> Option<Draft> {
    let heard = scene.heard;
    let begin = without_fillers(scene, from, to);
    let to = without_last_fillers(scene, begin, to);
    let end = match heard.cells.get(to.wrapping_sub(1)) {
        Some('로') => {
            let closed = to >= 2 && heard.cells.get(to - 2) == Some(&'으');
            if closed { to - 2 } else { to - 1 }
        }
        _ => to,
    };
    let quote = heard.quotes.iter().find(|quote| quote.from >= begin && quote.to <= to);
    let mut wish = ParsedCommand { action: Some(Action::SetValue), ..ParsedCommand::default() };
    if end == to && quote.is_none() {
        let words = heard.words(begin, to);
        let number =
            words.last().filter(|(a, _)| words.len() > 1 && heard.cells.get(*a).is_some_and(char::is_ascii_digit));
        if let Some(&(a, b)) = number {
            target(scene, begin, a, false).put(&mut wish);
            wish.value = Some(heard.said(a, b));
            return Some(Draft { wish, ..Draft::default() });
        }
        if bare || begin >= to {
            return None;
        }
        // "알람 설정해 줘": a button.
        let mut draft = aimed(scene, from, to, Action::Invoke, false);
        draft.also = draft.wish.target_text.iter().map(|text| format!("{text} {}", verb.label)).collect();
        return Some(draft);
    }
    let stop = quote.map_or(end, |quote| quote.from);
    let split = (begin + 1..stop).rev().find(|at| {
        matches!(heard.cells.get(at - 1), Some('을' | '를' | '은' | '는'))
            && scene.border(*at)
            && without_particle(scene, begin, *at, false) < *at
    });
    // "글꼴을굴림으로": glued.
    let split = split.or_else(|| {
        (begin + 2..stop).rev().find(|at| {
            matches!(heard.cells.get(at - 1), Some('을' | '를')) && without_particle(scene, begin, *at, false) < *at
        })
    });
    let split = split.or_else(|| {
        let words = heard.words(begin, stop);
        words.last().map(|word| word.0).filter(|at| *at > begin && quote.is_none())
    });
    let split = split.unwrap_or(if quote.is_some() { stop } else { begin });
    target(scene, begin, split, false).put(&mut wish);
    wish.value = Some(match quote {
        Some(quote) => quote.text.clone(),
        None => heard.said(split, end),
    });
    Some(Draft { wish, ..Draft::default() })
}
