//! Desktop commands in Korean (NLU-2): the verb at the end says what to do, what stands before it says with what.

use luna_messages::dsl::{Action, ScrollDirection};
use luna_messages::understanding::ParsedCommand;

use super::desk::{Deed, Verb};
use super::draft::{Draft, Scene};
use super::keys::{keys, pressed};
use super::korean_values::{changed, typed, value};
use super::scroll::{Said, Scrolling};
use super::target::{aimed, target, without_fillers, without_last_fillers, without_particle};
use super::verbs::Class;

/// Joins steps, by the form of the verb before it.
const JOINTS: [(Class, &str); 26] = [
    (Class::Closed, "고나서"),
    (Class::Closed, "고난다음에"),
    (Class::Closed, "고난다음"),
    (Class::Closed, "고난뒤에"),
    (Class::Closed, "고난후에"),
    (Class::Closed, "고서"),
    (Class::Closed, "고요"),
    (Class::Closed, "고"),
    (Class::Closed, "구"),
    (Class::Infinitive, "서"),
    (Class::Infinitive, "가지고"),
    (Class::Infinitive, "줘그리고"),
    (Class::Infinitive, "그리고"),
    (Class::Infinitive, "주고"),
    (Class::Infinitive, "주시고"),
    (Class::Stem, "시고"),
    (Class::Past, "다음에"),
    (Class::Past, "다음"),
    (Class::Past, "뒤에"),
    (Class::Past, "뒤"),
    (Class::Past, "후에"),
    (Class::Past, "후"),
    (Class::Noun, "후에"),
    (Class::Noun, "후"),
    (Class::Noun, "한다음"),
    (Class::Infinitive, "주세요그리고"),
];

/// The steps of a command; empty if it is none.
#[must_use]
pub fn command(scene: &Scene<'_>, scrolling: &Scrolling) -> Vec<Draft> {
    let n = scene.heard.len();
    // Where the wake word ends, the command begins; other fillers are seen to when the target is read.
    let from = scene.grease.wake_end(scene.heard).filter(|end| *end < n).unwrap_or(0);
    if let Some((at, verb)) = last_verb(scene, from) {
        let (steps, rest) = steps(scene, scrolling, from, at);
        if let Some(last) = draft(scene, scrolling, rest, at, &verb, bare(scene, at, &verb)) {
            return steps.into_iter().chain([last]).collect();
        }
    }
    turned(scene, from)
        .or_else(|| verb_first(scene, from))
        .or_else(|| without_verb(scene, scrolling, from))
        .into_iter()
        .collect()
}

/// Whether nothing but the word itself is said, no order: "회의 예약".
fn bare(scene: &Scene<'_>, at: usize, verb: &Verb) -> bool {
    verb.class == Class::Noun && scene.frame.tail.is_greasy(at + verb.label.chars().filter(|c| *c != ' ').count())
}

/// The verb that the utterance ends with: where it begins.
fn last_verb(scene: &Scene<'_>, from: usize) -> Option<(usize, Verb)> {
    verb_at_the_end(scene, from, false).or_else(|| verb_at_the_end(scene, from, true))
}

/// `glued`: a verb of one syllable may be written together with the word before, as in "블루 투스켜줘".
fn verb_at_the_end(scene: &Scene<'_>, from: usize, glued: bool) -> Option<(usize, Verb)> {
    /// Before 켜 or 꺼 these make another verb: 시켜, 들켜, 지켜.
    const OTHER: [char; 8] = ['시', '들', '삼', '지', '으', '비', '엉', '박'];
    let heard = scene.heard;
    (from..heard.len()).find_map(|at| {
        if heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to) {
            return None;
        }
        let mut found: Option<(usize, &Verb)> = None;
        scene.desk.verbs.at(&heard.cells, at, |end, verb| {
            let short = end == at + 1;
            let apart = at == from || scene.border(at) || after_particle(scene, from, at);
            let before = at.checked_sub(1).and_then(|before| heard.cells.get(before));
            let switched = matches!(verb.deed, Deed::Toggle(_)) && end < heard.len() && at > from + 1;
            let apart = apart || (glued && switched && before.is_some_and(|before| !OTHER.contains(before)));
            if (!short || apart)
                && scene.grease.after(heard, &scene.frame.tail, end, verb.class, false)
                && found.is_none_or(|(last, _)| end >= last)
            {
                found = Some((end, verb));
            }
        });
        found.map(|(_, verb)| (at, verb.clone()))
    })
}

/// Whether a particle, or the word for a role, ends at `at`.
fn after_particle(scene: &Scene<'_>, from: usize, at: usize) -> bool {
    without_particle(scene, from, at, true) < at || scene.desk.roles.ending_at(&scene.heard.cells, from, at).is_some()
}

/// The steps before the last one, and where the last begins.
fn steps(scene: &Scene<'_>, scrolling: &Scrolling, from: usize, to: usize) -> (Vec<Draft>, usize) {
    let heard = scene.heard;
    let mut steps = Vec::new();
    let mut start = from;
    let mut at = from;
    while at < to {
        let quoted = heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to);
        let joint = (!quoted).then(|| joint(scene, start, at, to)).flatten();
        if let Some((end, verb)) = joint
            && let Some(step) = draft(scene, scrolling, start, at, &verb, false)
        {
            steps.push(step);
            start = after_and(scene, end, to);
            at = start;
            continue;
        }
        at += 1;
    }
    (steps, start)
}

/// A verb with what joins it to the next step: where that begins.
fn joint(scene: &Scene<'_>, start: usize, at: usize, to: usize) -> Option<(usize, Verb)> {
    let heard = scene.heard;
    let mut found: Option<(usize, Verb)> = None;
    let mut forms: Vec<(usize, Class, &Verb)> = Vec::new();
    scene.desk.verbs.at(&heard.cells, at, |end, verb| {
        let short = end == at + 1;
        let apart = at > start && (scene.border(at) || after_particle(scene, start, at));
        if short && !apart {
            return;
        }
        forms.push((end, verb.class, verb));
        if verb.class == Class::Noun {
            for (word, class) in [
                ("하", Class::Closed),
                ("하", Class::Stem),
                ("해", Class::Infinitive),
                ("한", Class::Past),
                ("을하", Class::Closed),
                ("를하", Class::Closed),
            ] {
                let word: Vec<char> = word.chars().collect();
                if heard.is_at(end, &word) {
                    forms.push((end + word.len(), class, verb));
                }
            }
        }
    });
    for (end, class, verb) in forms {
        for (of, word) in JOINTS {
            let word: Vec<char> = word.chars().collect();
            let after = end + word.len();
            if of == class
                && heard.is_at(end, &word)
                && after <= to
                && scene.border(after)
                && found.as_ref().is_none_or(|(last, _)| after > *last)
            {
                found = Some((after, verb.clone()));
            }
        }
    }
    found
}

fn after_and(scene: &Scene<'_>, mut at: usize, to: usize) -> usize {
    for word in
        ["그리고", "그다음에", "그다음", "그런다음", "이어서", "바로", "나서", "다음에", "또", "그후에", "그뒤에"]
    {
        let word: Vec<char> = word.chars().collect();
        if scene.heard.is_at(at, &word) && at + word.len() < to {
            at += word.len();
        }
    }
    at
}

/// "홍길동 입력해 이름 칸에": the target after the verb.
fn turned(scene: &Scene<'_>, from: usize) -> Option<Draft> {
    let heard = scene.heard;
    let end = without_last_fillers(scene, from, heard.len());
    if heard.cells.get(end.checked_sub(1)?) != Some(&'에') && heard.cells.get(end - 1) != Some(&'다') {
        return None;
    }
    (from + 1..end)
        .filter(|at| scene.border(*at) && !heard.quotes.iter().any(|q| q.from <= *at && *at < q.to))
        .find_map(|at| {
            let mut found = None;
            scene.desk.verbs.at(&heard.cells, at, |after, verb| {
                if verb.deed == Deed::Type {
                    found = scene
                        .grease
                        .endings(heard, after, verb.class)
                        .into_iter()
                        .filter(|rest| *rest < end && scene.border(*rest))
                        .max();
                }
            });
            let rest = found?;
            let mut wish = ParsedCommand {
                action: Some(Action::SetValue),
                value: Some(value(scene, from, at)),
                ..ParsedCommand::default()
            };
            target(scene, rest, end, false).put(&mut wish);
            Some(Draft { wish, ..Draft::default() })
        })
}

/// "아래로", "컨트롤 에스": if no verb is needed.
fn without_verb(scene: &Scene<'_>, scrolling: &Scrolling, from: usize) -> Option<Draft> {
    let n = scene.heard.len();
    let begin = without_fillers(scene, from, n);
    // Without politeness at the end.
    let end = (begin + 1..n)
        .find(|at| scene.frame.tail.is_greasy(*at) && (scene.heard.gap(*at) || *at + 1 == n))
        .unwrap_or(n);
    for (begin, end) in [(from, n), (begin, n), (begin, end)] {
        if let Some(named) = keys(scene, begin, end).filter(|named| named.sure) {
            return Some(pressed(named));
        }
    }
    let said = scrolling.read(scene, begin, end).or_else(|| scrolling.read(scene, from, n));
    // "스크롤을 위로 해 줘": a noun and 하다.
    let done = || {
        let named =
            ["스크롤", "화면", "페이지", "scroll"].iter().any(|word| scene.heard.word_end(begin, word).is_some());
        let ends = (begin + 3..n).filter(|at| scene.heard.gap(*at) && named);
        ends.filter(|at| scene.grease.after(scene.heard, &scene.frame.tail, *at, Class::Noun, false))
            .find_map(|at| scrolling.read(scene, begin, at).filter(|said| said.direction.is_some()))
    };
    let said = said.filter(|said| said.direction.is_some()).or_else(done)?;
    // "위", "아래" alone are places.
    (end - begin > 2).then(|| scrolled(said, ScrollDirection::Down))
}

/// "클릭 세이브": the English order in Korean words.
fn verb_first(scene: &Scene<'_>, from: usize) -> Option<Draft> {
    let action = |deed: Deed| match deed {
        Deed::Invoke => Some(Action::Invoke),
        Deed::Select => Some(Action::Select),
        _ => None,
    };
    let (end, verb) = scene.desk.verbs.longest(&scene.heard.cells, from)?;
    let fits = verb.class == Class::Noun
        && scene.heard.cells.get(from).is_some_and(|c| luna_text::language::is_hangul(*c))
        && scene.heard.gap(end)
        && scene.heard.words(end, scene.heard.len()).len() < 4;
    let action = action(verb.deed).filter(|_| fits && end < scene.heard.len())?;
    let draft = aimed(scene, end, scene.heard.len(), action, false);
    (draft.wish.target_text.is_some() && verb.label != "실행" && verb.label != "시작" && verb.label != "선택")
        .then_some(draft)
}

fn scrolled(said: Said, usual: ScrollDirection) -> Draft {
    let wish = ParsedCommand {
        action: Some(Action::Scroll),
        direction: Some(said.direction.unwrap_or(usual)),
        amount: said.amount,
        ..ParsedCommand::default()
    };
    Draft { wish, ..Draft::default() }
}

fn draft(scene: &Scene<'_>, scrolling: &Scrolling, from: usize, to: usize, verb: &Verb, bare: bool) -> Option<Draft> {
    let begin = without_fillers(scene, from, to);
    let nothing = begin >= to || {
        let mut all = false;
        scene.grease.fillers(scene.heard, begin, |end| all |= end == to);
        all
    };
    match verb.deed {
        Deed::Type => Some(typed(scene, from, to)),
        Deed::Change => changed(scene, from, to, verb, bare),
        Deed::Shift(direction) => match scrolling.read(scene, from, to) {
            Some(said) => Some(scrolled(said, direction)),
            None => {
                let mut draft = aimed(scene, from, to, Action::Invoke, false);
                draft.unsure = draft.wish.target_text.is_none() || !scene.labels.iter().any(|label| !label.is_empty());
                Some(draft)
            }
        },
        Deed::Scroll => scrolling.read(scene, from, to).map(|said| scrolled(said, ScrollDirection::Down)),
        Deed::Go => match scrolling.read(scene, from, to).filter(|said| said.direction.is_some()) {
            Some(said) => Some(scrolled(said, ScrollDirection::Down)),
            // "제주도에 가고 싶어" is said to nobody who presses buttons.
            None if nothing || (wished(scene, to) && scene.labels.iter().all(|label| label.is_empty())) => None,
            None => Some(aimed(scene, from, to, Action::Invoke, true)),
        },
        Deed::Label if bare && !nothing && !addressed(scene, from, begin, to) => None,
        Deed::Label => {
            let mut draft = aimed(scene, if nothing { to } else { from }, to, Action::Invoke, false);
            match &draft.wish.target_text {
                None => draft.wish.target_text = Some(verb.label.clone()),
                Some(text)
                    if ["전부", "모두", "다", "전체", "이거", "그거", "이것", "그것"].contains(&text.as_str()) =>
                {
                    draft.wish.target_text = Some(verb.label.clone());
                }
                Some(text) => draft.also = vec![format!("{text} {}", verb.label), verb.label.clone()],
            }
            Some(draft)
        }
        Deed::Read => {
            let mut draft = aimed(scene, from, to, Action::Invoke, false);
            draft.wish.action = None;
            draft.wish.intent = Some(luna_messages::reading::Intent::Read);
            Some(draft)
        }
        Deed::Invoke => {
            let last = without_last_fillers(scene, begin, to);
            // "에 프 오" begins with what may be a filler.
            let named = keys(scene, from, last).or_else(|| keys(scene, begin, last));
            if let Some(named) =
                named.filter(|named| named.sure && !scene.is_label(begin, without_particle(scene, begin, to, false)))
            {
                return Some(pressed(named));
            }
            let mut draft = aimed(scene, from, to, Action::Invoke, false);
            if draft.wish == (ParsedCommand { action: Some(Action::Invoke), ..ParsedCommand::default() })
                && !scene.unspaced()
                && begin < to
            {
                draft.wish.target_text = Some(scene.heard.said(begin, to)).filter(|text| !text.is_empty());
            }
            if verb.label != "누르기" && draft.wish.target_text.is_some() {
                draft.also = draft.wish.target_text.iter().map(|text| format!("{text} {}", verb.label)).collect();
            }
            Some(draft)
        }
        Deed::Select => {
            // "지역은 부산으로 골라 줘": what is chosen stands last.
            let chosen = scene.heard.is_at(to.saturating_sub(1), &['로']);
            let topic = |at: &usize| {
                let last = scene.heard.part(at - 1, *at);
                scene.heard.gap(*at) && at - begin > 2 && (last == ['은'] || last == ['는'])
            };
            let from =
                (begin + 1..to).rev().find(topic).filter(|_| chosen && !scene.is_label(begin, to)).unwrap_or(from);
            Some(aimed(scene, from, to, Action::Select, chosen))
        }
        Deed::Toggle(state) => {
            let mut draft = aimed(scene, from, to, Action::Toggle, false);
            draft.wish.state = state;
            Some(draft)
        }
    }
}

/// Whether what begins with the verb at `at` is a wish of the person's own.
fn wished(scene: &Scene<'_>, at: usize) -> bool {
    let rest: String = scene.heard.part(at, scene.heard.len()).iter().collect();
    let towards = scene.heard.is_at(at.saturating_sub(1), &['로']);
    let own = ["고싶", "갈래", "할래"].iter().any(|wish| rest.contains(wish));
    own || (!towards && ["가자", "갑시다", "갈까"].iter().any(|wish| rest.starts_with(wish)))
}

/// Whether a bare noun is an order all the same: after the wake word, or with a number or a finger at it ("이 메일 삭제").
fn addressed(scene: &Scene<'_>, from: usize, begin: usize, to: usize) -> bool {
    let pointed = target(scene, from, to, false);
    let all =
        ["전부", "모두", "다", "전체", "이거", "그거"].iter().any(|word| scene.heard.word_end(from, word) == Some(to));
    from > 0
        || begin > from
        || all
        || pointed.ordinal.is_some()
        || pointed.role.is_some()
        || scene.is_label(from, scene.heard.len())
}
