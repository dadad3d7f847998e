//! What a Korean noun phrase points at: its text, role, number, and place (NLU-2).

use luna_messages::candidate::Zone;
use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::understanding::{ParsedCommand, Relation};

use super::draft::{Draft, Scene};
use super::target_words::{CALLED, CONNECTIVES, CORNERS, DUMMIES, NAMES_OF_SIDES, NO_FILLERS, NO_OWNERS};
use luna_text::hangul::{final_consonant, has_final};
use luna_text::language::is_hangul;

/// What a noun phrase points at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Target {
    pub text: String,
    /// Its role, if a word says it.
    pub role: Option<Role>,
    /// Which of several.
    pub ordinal: Option<i32>,
    pub beside: Option<(Relation, String)>,
    /// Where on the screen.
    pub zone: Option<Zone>,
}

impl Target {
    /// Writes it into a step.
    pub fn put(self, wish: &mut ParsedCommand) {
        wish.target_text = Some(self.text).filter(|text| !text.is_empty());
        wish.role = self.role;
        wish.ordinal = self.ordinal;
        wish.zone = self.zone;
        if let Some((relation, anchor)) = self.beside {
            wish.relation = Some(relation);
            wish.anchor = Some(anchor);
        }
    }
}

fn one_of<const N: usize>(scene: &Scene<'_>, at: usize, to: usize, words: &[&str; N]) -> Option<usize> {
    let heard = scene.heard;
    words
        .iter()
        .filter(|word| heard.word_end(at, word).is_some())
        .map(|word| at + word.chars().count())
        .filter(|end| *end <= to)
        .max()
}

/// The start of the word of `words` that ends at `to`.
fn ends_with<const N: usize>(scene: &Scene<'_>, from: usize, to: usize, words: &[&str; N]) -> Option<usize> {
    words
        .iter()
        .filter_map(|word| {
            let start = to.checked_sub(word.chars().count()).filter(|start| *start >= from)?;
            scene.heard.word_end(start, word).is_some().then_some(start)
        })
        .min()
}

/// The end of the phrase without a particle, and which: 을, 로, 에. `moving`: 로 is one, too.
#[must_use]
pub fn without_particle(scene: &Scene<'_>, from: usize, to: usize, moving: bool) -> usize {
    let cells = &scene.heard.cells;
    // "뒤로" is what the button is called.
    let called = ["뒤로", "앞으로"].iter().any(|word| scene.heard.word_end(from, word) == Some(to));
    if to <= from + 1 || called || scene.is_label(from, to) {
        return to;
    }
    let (Some(&last), Some(&before)) = (cells.get(to - 1), cells.get(to - 2)) else { return to };
    let two = to.checked_sub(3).filter(|at| *at >= from).and_then(|at| cells.get(at));
    let foreign = !is_hangul(before);
    let closed = has_final(before) || foreign;
    let open = !has_final(before) || foreign;
    let long = to - from > 2;
    match last {
        '을' if closed => to - 1,
        '를' if open => to - 1,
        '은' if closed && long && scene.heard.gap(to) => to - 1,
        '는' if open && long && before != '있' && scene.heard.gap(to) => to - 1,
        '에' if before != '상' || long => to - 1,
        '서' if before == '에' && two.is_some() => to - 2,
        '다' if before == '에' && two.is_some() => to - 2,
        '가' if before == '다' && two == Some(&'에') && to - from > 3 => to - 3,
        '로' if moving && before == '으' && two.is_some_and(|c| has_final(*c)) => to - 2,
        '로' if moving && (foreign || !has_final(before) || final_consonant(before) == Some('ㄹ')) => to - 1,
        _ => to,
    }
}

/// Whether a word that may be a filler is the name of what follows, as buttons of dialogs are called.
fn is_called(scene: &Scene<'_>, from: usize, end: usize, to: usize) -> bool {
    const NAMES: [&str; 6] = ["오케이", "ok", "okay", "예", "네", "아니"];
    one_of(scene, from, end, &NAMES) == Some(end)
        && scene
            .desk
            .roles
            .longest(&scene.heard.cells, end)
            .is_some_and(|(last, _)| without_particle(scene, end, to, false) == last)
}

/// The start of the phrase without fillers and 그, 이.
#[must_use]
pub fn without_fillers(scene: &Scene<'_>, mut from: usize, to: usize) -> usize {
    loop {
        if scene.is_label(from, to) || one_of(scene, from, to, &NO_FILLERS).is_some() {
            return from;
        }
        if scene.numbers.place(scene.heard, from, false).is_some_and(|place| place.0 <= to) {
            return from;
        }
        // "저 장": a known word with a space inside is no filler.
        let known =
            scene.desk.verbs.longest(&scene.heard.cells, from).filter(|(end, _)| *end <= to).map(|found| found.0);
        let mut next = from;
        scene.grease.fillers(scene.heard, from, |end| {
            // "오케이 버튼", and what a candidate is called.
            let name = scene.is_label(from, end) || (scene.heard.gap(end) && is_called(scene, from, end, to));
            let clear = !name && scene.heard.gap(end)
                || (!name
                    && scene.unspaced()
                    && (end > from + 1 || scene.heard.is_at(from, &['음']) || scene.heard.is_at(from, &['어'])));
            if end < to && clear && end > next && known.is_none_or(|known| known <= end) {
                next = end;
            }
        });
        for word in ["이", "그", "저", "해당", "현재", "이런", "아까", "방금", "아까그", "방금그"] {
            let end = from + word.chars().count();
            if one_of(scene, from, to, &[word]).is_some()
                && end < to
                && scene.heard.gap(end)
                && end > next
                && known.is_none_or(|known| known <= end)
            {
                next = end;
            }
        }
        if next == from {
            return from;
        }
        from = next;
    }
}

/// The end of the phrase without fillers after it: "버튼 좀".
#[must_use]
pub fn without_last_fillers(scene: &Scene<'_>, from: usize, mut to: usize) -> usize {
    'again: while to > from + 1 {
        for start in (from + 1..to).rev().take(6) {
            let mut ends = false;
            scene.grease.fillers(scene.heard, start, |end| ends |= end == to);
            let clear = scene.heard.gap(start) || (scene.unspaced() && scene.heard.is_at(start, &['좀']));
            let counted = scene.numbers.place(scene.heard, start, false).is_some();
            if ends && clear && !counted && !scene.is_label(from, to) {
                to = start;
                continue 'again;
            }
        }
        return to;
    }
    to
}

/// A place of the screen at the beginning: which, and where the rest begins.
fn zone(scene: &Scene<'_>, from: usize, to: usize) -> Option<(Zone, usize)> {
    let heard = scene.heard;
    let mut at = from;
    let screen = one_of(scene, from, to, &["화면의", "화면에서", "화면", "창의", "스크린", "페이지의"]);
    if let Some(end) = screen {
        at = end;
    }
    let (mut end, &zone) = scene.desk.zones.longest(&heard.cells, at).filter(|(end, _)| *end <= to)?;
    let firm = screen.is_some()
        || matches!(zone, Zone::TopLeft | Zone::TopRight | Zone::BottomLeft | Zone::BottomRight)
        || one_of(scene, at, to, &["맨", "제일", "가장", "정중앙", "한가운데", "최상단", "최하단"]).is_some();
    let corner = one_of(scene, end, to, &CORNERS);
    end = corner.unwrap_or(end);
    let connected = one_of(scene, end, to, &CONNECTIVES).filter(|after| scene.border(*after) || *after == to);
    let rest = connected.unwrap_or(end);
    let named = one_of(scene, rest, to, &NAMES_OF_SIDES).is_some_and(|end| scene.border(end) || end == to);
    let role_only = scene
        .desk
        .roles
        .longest(&heard.cells, rest)
        .is_some_and(|(end, _)| without_particle(scene, rest, to, false) == end);
    let fits = rest == to
        || connected.is_some()
        || corner.is_some()
        || role_only
        || (firm && scene.border(rest))
        || (!scene.unspaced() && heard.gap(rest) && !named);
    (fits && !(named && !firm && connected.is_none())).then_some((zone, rest))
}

/// A place beside something: how, where the text of the other ends, where the rest begins.
fn beside(scene: &Scene<'_>, from: usize, to: usize) -> Option<(Relation, usize, usize)> {
    let heard = scene.heard;
    let unspaced = scene.unspaced();
    (from + 1..to).find_map(|at| {
        let (end, &relation) = scene.desk.relations.longest(&heard.cells, at).filter(|(end, _)| *end <= to)?;
        let short = end == at + 1;
        let role_at = |rest: usize| {
            let role = scene.desk.roles.longest(&heard.cells, rest);
            role.is_some_and(|(end, _)| without_particle(scene, rest, to, false) == end)
        };
        let connected = one_of(scene, end, to, &CONNECTIVES)
            .filter(|after| scene.border(*after) || *after == to || *after > end + 1 || role_at(*after));
        let rest = connected.unwrap_or(end);
        // "파일 이름아래의": a glued word of place counts where what follows shows it.
        if !scene.border(at) && (short || connected.is_none()) {
            return None;
        }
        let role_only = role_at(rest)
            || one_of(scene, rest, to, &DUMMIES).is_some_and(|end| without_particle(scene, rest, to, false) == end);
        let named = one_of(scene, rest, to, &NAMES_OF_SIDES).is_some();
        let slight = short && relation == Relation::Inside;
        let fits = (connected.is_some() && (!unspaced || rest < to || role_only))
            || role_only
            || (!unspaced && heard.gap(end) && !named && !slight);
        // "맨 위", "위 아래": no name stands before.
        let other = scene.desk.zones.longest(&heard.cells, from).is_some_and(|(end, _)| end >= at);
        (fits && !other && !heard.quotes.iter().any(|quote| quote.from <= at && at < quote.to))
            .then_some((relation, at, rest))
    })
}

/// What the cells from `from` to `to` point at. `moving`: the verb is one of motion, so 로 is a particle.
#[must_use]
pub fn target(scene: &Scene<'_>, from: usize, to: usize, moving: bool) -> Target {
    let heard = scene.heard;
    let mut target = Target::default();
    let from = without_fillers(scene, from, to);
    let to = without_last_fillers(scene, from, to);
    let to = without_particle(scene, from, to, moving);
    if from >= to {
        return target;
    }
    if scene.is_label(from, to) {
        target.text = scene.heard.said(from, to);
        return target;
    }
    let mut start = from;
    let counted = scene.numbers.place(scene.heard, from, false).is_some_and(|place| place.0 < to);
    if let Some((zone, rest)) = zone(scene, from, to).filter(|_| !counted) {
        target.zone = Some(zone);
        start = rest;
    } else if let Some((relation, end, rest)) = beside(scene, from, to) {
        // "파일 이름의 아래"
        let owner = heard.is_at(end - 1, &['의'])
            && end > from + 2
            && !scene.is_label(from, end)
            && ends_with(scene, from, end, &NO_OWNERS).is_none();
        let anchor = self::name(scene, from, if owner { end - 1 } else { end }, &mut Target::default());
        if !anchor.is_empty() {
            target.beside = Some((relation, anchor));
            start = rest;
        }
    } else if let Some(at) = (from + 1..to.saturating_sub(2))
        .find(|at| !counted && heard.word_end(*at, "에서").is_some_and(|end| scene.border(end)))
    {
        // "목록에서 세 번째 항목"
        let anchor = self::name(scene, from, at, &mut Target::default());
        if !anchor.is_empty() {
            target.beside = Some((Relation::Inside, anchor));
            start = at + 2;
        }
    }
    target.text = name(scene, start, to, &mut target);
    target
}

/// The text of a phrase without its number and role; these go into `target`. If nothing else is left, the word of the role.
fn name(scene: &Scene<'_>, from: usize, to: usize, target: &mut Target) -> String {
    let heard = scene.heard;
    let (mut from, mut to) = (from, to);
    let mut role_word: Option<(usize, usize)> = None;
    // From behind.
    loop {
        to = without_last_fillers(scene, from, to);
        if from >= to || scene.is_label(from, to) {
            break;
        }
        // The number of the last word: "버튼 세 번째".
        if target.ordinal.is_none()
            && let Some((at, n)) = (from..to).filter(|at| *at == from || scene.border(*at)).find_map(|at| {
                scene.numbers.place(heard, at, at == from).filter(|place| place.0 == to).map(|place| (at, place.1))
            })
        {
            target.ordinal = Some(n);
            to = at;
            for among in ["중에서", "중에", "중", "가운데", "에서", "의"] {
                if let Some(at) = ends_with(scene, from, to, &[among])
                    .filter(|at| *at > from && (scene.border(*at) || among.chars().count() > 2))
                {
                    to = at;
                    break;
                }
            }
            continue;
        }
        if let Some(at) = ends_with(scene, from, to, &DUMMIES).filter(|at| {
            *at == from
                || scene.border(*at)
                || scene.numbers.place(heard, from, true).is_some_and(|place| place.0 == *at)
        }) {
            to = at;
            continue;
        }
        if role_word.is_none()
            && let Some((at, &role)) = scene.desk.roles.ending_at(&heard.cells, from, to)
        {
            let letters = to - at;
            // "새탭", "이름칸": a role of one syllable stands apart, but for 칸 and 란.
            // "새 탭" is a name; "고양이 사진" is more than a picture.
            let alone = ["새"].iter().any(|word| heard.word_end(from, word) == Some(at));
            let counted = scene.numbers.place(heard, from, true).is_some_and(|place| place.0 == at);
            let content = role == Role::Image && at > from && !counted;
            let apart = at == from
                || heard.gap(at)
                || letters > 1
                || (scene.unspaced() && letters == 1)
                || heard.is_at(at, &['칸'])
                || (heard.is_at(at, &['란']) && at > from + 1);
            if apart && !alone && !content {
                target.role = Some(role);
                role_word = Some((at, to));
                to = at;
                to = ends_with(scene, from, to, &CALLED).filter(|at| *at > from).unwrap_or(to);
                continue;
            }
        }
        break;
    }
    // From the front.
    loop {
        if from >= to || scene.is_label(from, to) {
            break;
        }
        if target.ordinal.is_none()
            && let Some((end, n)) = scene.numbers.place(heard, from, false).filter(|place| {
                // "여섯 번째의 항목"
                let owner = heard.is_at(place.0, &['의']);
                place.0 <= to && (owner || scene.border(place.0) || place.0 == to)
            })
        {
            target.ordinal = Some(n);
            from = one_of(scene, end, to, &["에있는", "로있는", "의", "에"])
                .filter(|end| *end == to || scene.border(*end))
                .unwrap_or(end);
            continue;
        }
        if target.ordinal.is_none()
            && let Some((end, n)) = scene.numbers.place(heard, from, true).filter(|place| place.0 == to)
        {
            target.ordinal = Some(n);
            from = end;
            continue;
        }
        let next = without_fillers(scene, from, to);
        if next == from {
            break;
        }
        from = next;
    }
    if from < to {
        return heard.said(from, to);
    }
    role_word.map(|(at, end)| heard.said(at, end)).unwrap_or_default()
}

/// A command that only needs its target.
pub(super) fn aimed(scene: &Scene<'_>, from: usize, to: usize, action: Action, moving: bool) -> Draft {
    let mut wish = ParsedCommand { action: Some(action), ..ParsedCommand::default() };
    let to = without_last_fillers(scene, from, to);
    target(scene, from, to, moving).put(&mut wish);
    Draft { wish, ..Draft::default() }
}
