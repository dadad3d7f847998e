//! Candidates as they are compared: their words, roles, zones and places beside each other.

use luna_messages::candidate::Zone;
use luna_messages::dsl::Action;
use luna_messages::element_action::{Capacity, CapacitySet};
use luna_messages::pick::Role;
use luna_messages::understanding::{CandidateInput, InputBox, Relation};

use super::clock::ClockTime;
use super::file_names::without_ending;
use super::words::{UnitPairs, WordedText, spoken};
use crate::label_lexicon::LabelLexicon;
use crate::normalised::compact;
use crate::roles::{role, zone};
use crate::slips::units;

/// A candidate as it is compared.
#[derive(Debug)]
pub struct CandidateFeatures<'a> {
    pub id: &'a str,
    /// The label as it is said.
    pub label: WordedText,
    /// Of a file's name, that without its ending.
    pub file_name: Option<WordedText>,
    /// The time of day that its label begins with.
    pub clock: Option<ClockTime>,
    /// The label's cells as it is written, if they differ.
    written: Option<Vec<char>>,
    pub role: Option<Role>,
    pub near: Vec<NearText>,
    pub zone: Option<Zone>,
    pub bbox: Option<[f64; 4]>,
    pub enabled: bool,
    pub recognised: bool,
    /// Words by which its kind alone names it.
    kinds: &'static [&'static str],
    /// What can be done to it, if that is known.
    capacities: Option<CapacitySet>,
    /// Its place in reading order.
    pub order: usize,
}

/// The text of a nearby label.
#[derive(Debug)]
pub struct NearText {
    pub cells: Vec<char>,
    pub pairs: UnitPairs,
}

impl CandidateFeatures<'_> {
    /// Whether its label is written with exactly these cells.
    #[must_use]
    pub fn is_written(&self, cells: &[char]) -> bool {
        self.written.as_deref().unwrap_or(&self.label.cells) == cells
    }

    /// Whether the cells are a word for what it is: 날짜 for a field that takes a date.
    #[must_use]
    pub fn is_kind(&self, cells: &[char]) -> bool {
        self.kinds.iter().any(|word| compact(word) == cells)
    }

    /// Whether nothing can be done to it: it only tells where others are, and is never meant itself (EXE-1).
    #[must_use]
    pub fn only_labels(&self) -> bool {
        self.capacities.as_ref().is_some_and(CapacitySet::is_empty)
    }

    /// Whether it has what an action needs: 2 for the very capacity, 1 for one that does the same, 0 for none. Unknown counts as the very one.
    #[must_use]
    pub fn is_able(&self, action: Action) -> u8 {
        use Capacity::{Expand, Focus, Press, Select, SetNumber, SetText, Toggle};
        let Some(has) = self.capacities else { return 2 };
        // A field of a page takes keys, and tells of nothing but the focus.
        let is_typed_in = matches!(self.role, Some(Role::Edit | Role::Protected)) && has.contains(Focus);
        if is_typed_in && matches!(action, Action::Focus | Action::SetValue) {
            return 2;
        }
        let any = |capacities: &[Capacity]| capacities.iter().any(|one| has.contains(*one));
        let (very, like): (&[Capacity], &[Capacity]) = match action {
            Action::Invoke => (&[Press, Toggle, Select, Expand], &[Focus]),
            Action::SetValue => (&[SetText, SetNumber], &[Select, Focus]),
            Action::Toggle => (&[Toggle], &[Press, Select]),
            Action::Select => (&[Select], &[Press, Toggle, Expand]),
            Action::Expand | Action::Collapse => (&[Expand], &[Press]),
            Action::Focus => (&[SetText, SetNumber], &[Focus]),
            Action::Scroll | Action::Key | Action::Hotkey | Action::Desktop | Action::Clarify => return 2,
        };
        if any(very) { 2 } else { u8::from(any(like)) }
    }

    /// Whether it is known that it has a number within limits: a slider or a spinner.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.capacities.is_some_and(|has| has.contains(Capacity::SetNumber))
    }

    /// Whether it is known that it has the very capacity that an action needs.
    #[must_use]
    pub fn is_known_able(&self, action: Action) -> bool {
        self.capacities.is_some() && self.is_able(action) == 2
    }
}

/// A name's value, looked up once for all candidates that share it.
fn known<'a, T: Copy>(seen: &mut Vec<(&'a str, Option<T>)>, name: &'a str, value: fn(&str) -> Option<T>) -> Option<T> {
    if let Some((_, value)) = seen.iter().find(|(seen, _)| *seen == name) {
        return *value;
    }
    let value = value(name);
    seen.push((name, value));
    value
}

/// Words by which the kind of a field names it, though nothing is written beside it.
fn kinds(one: &CandidateInput) -> &'static [&'static str] {
    match (one.kind.as_deref(), one.role.as_deref()) {
        (Some("date_field"), _) => &["date", "날짜", "일자"],
        (_, Some("protected")) => &["password", "비밀번호", "암호", "패스워드"],
        _ => &[],
    }
}

/// The candidates as they are compared.
pub fn features<'a>(lexicon: &LabelLexicon, offered: &'a [CandidateInput]) -> Vec<CandidateFeatures<'a>> {
    let (mut roles, mut zones) = (Vec::new(), Vec::new());
    let near = |text: &String| {
        let cells = compact(text);
        NearText { pairs: UnitPairs::of(&units(&cells)), cells }
    };
    let mut all: Vec<CandidateFeatures<'_>> = offered
        .iter()
        .enumerate()
        .map(|(order, one)| {
            let text = one.text.as_deref().unwrap_or_default();
            let said = if closes(text) { "x".into() } else { spoken(text) };
            let label = WordedText::label(lexicon, &said);
            let file_name = without_ending(&said).map(|name| WordedText::label(lexicon, name));
            let written = (said != text).then(|| compact(text)).filter(|written| *written != label.cells);
            CandidateFeatures {
                id: &one.id,
                label,
                file_name,
                clock: ClockTime::written(text),
                written,
                role: one.role.as_deref().and_then(|name| known(&mut roles, name, role)),
                near: one.near.as_ref().map(|texts| texts.texts().iter().map(near).collect()).unwrap_or_default(),
                zone: one.zone.as_deref().and_then(|name| known(&mut zones, name, zone)),
                bbox: one.bbox.map(InputBox::row),
                enabled: one.enabled.unwrap_or(true),
                kinds: kinds(one),
                capacities: one.capacities,
                recognised: one.source.as_deref() == Some("ocr"),
                order,
            }
        })
        .collect();
    // Reading order if all places are known: rows, then from left to right.
    if all.iter().all(|one| one.bbox.is_some()) {
        let mut order: Vec<(f64, f64, f64, usize)> =
            all.iter().filter_map(|one| one.bbox.map(|[x, y, _, height]| (y, x, height, one.order))).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut row, mut top, mut rows) = (0, f64::MIN, Vec::new());
        for (y, x, height, index) in order {
            if y - top > (height / 2.0).max(4.0) {
                row += 1;
                top = y;
            }
            rows.push((row, x, index));
        }
        rows.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for (place, (_, _, index)) in rows.into_iter().enumerate() {
            if let Some(one) = all.get_mut(index) {
                one.order = place;
            }
        }
    }
    all
}

/// Whether a text is a sign on buttons that close something.
fn closes(text: &str) -> bool {
    matches!(text.trim(), "×" | "✕" | "✖" | "✗" | "╳" | "⨯" | "🗙" | "❌")
}

/// How well one role answers to another.
pub fn role_similarity(said: Role, is: Option<Role>) -> f64 {
    const GROUPS: [&[Role]; 4] = [
        &[Role::Button, Role::Hyperlink, Role::MenuItem, Role::Image, Role::Tab],
        &[Role::Edit, Role::ComboBox, Role::Document],
        &[Role::ListItem, Role::MenuItem, Role::Cell, Role::Tab, Role::Text, Role::RadioButton],
        &[Role::CheckBox, Role::RadioButton],
    ];
    match is {
        Some(is) if is == said => 1.0,
        Some(is) if GROUPS.iter().any(|group| group.contains(&said) && group.contains(&is)) => 0.4,
        Some(_) => 0.0,
        None => 0.5,
    }
}

/// How well an action goes with a role.
pub fn suits(action: Action, is: Option<Role>) -> f64 {
    let fitting: &[Role] = match action {
        Action::SetValue | Action::Focus => &[Role::Edit, Role::ComboBox, Role::Slider, Role::Document],
        Action::Toggle => &[Role::CheckBox, Role::RadioButton, Role::Button],
        Action::Select => &[Role::ListItem, Role::Tab, Role::RadioButton, Role::MenuItem, Role::ComboBox, Role::Cell],
        Action::Expand | Action::Collapse => {
            &[Role::ComboBox, Role::Group, Role::ListItem, Role::MenuItem, Role::Heading, Role::Button, Role::Tab]
        }
        _ => &[
            Role::Button,
            Role::Hyperlink,
            Role::MenuItem,
            Role::Tab,
            Role::ListItem,
            Role::CheckBox,
            Role::RadioButton,
        ],
    };
    match is {
        Some(role) if fitting.contains(&role) => 1.0,
        Some(_) => 0.2,
        None => 0.5,
    }
}

/// How far a place lies in the zone that was said: "right" holds "top right", too, but less.
pub fn within(said: Zone, is: Zone) -> f64 {
    if said == is {
        return 1.0;
    }
    if matches!(said, Zone::Top | Zone::Bottom | Zone::Left | Zone::Right)
        && is.name().split('-').any(|part| part == said.name())
    {
        0.8
    } else {
        0.0
    }
}

/// How far `one` is from `other` in the direction of the relation; none if it lies elsewhere.
pub fn beside(relation: Relation, one: &CandidateFeatures<'_>, other: &CandidateFeatures<'_>) -> Option<f64> {
    let ([x, y, width, height], [left, top, other_width, other_height]) = (one.bbox?, other.bbox?);
    let (right, bottom) = (left + other_width, top + other_height);
    let overlap = |a: f64, b: f64, c: f64, d: f64| (b.min(d) - a.max(c)).max(0.0) / (b - a).min(d - c).max(1.0);
    let across = overlap(x, x + width, left, right);
    let along = overlap(y, y + height, top, bottom);
    let gap = |distance: f64, aligned: f64| {
        (distance >= -4.0 && aligned > 0.0).then_some(distance.max(0.0) + 40.0 * (1.0 - aligned))
    };
    match relation {
        Relation::Above => gap(top - (y + height), across),
        Relation::Below => gap(y - bottom, across),
        Relation::Left => gap(left - (x + width), along),
        Relation::Right => gap(x - right, along),
        Relation::Near => {
            let dx = (left - (x + width)).max(x - right).max(0.0);
            let dy = (top - (y + height)).max(y - bottom).max(0.0);
            Some(f64::hypot(dx, dy))
        }
        Relation::Inside => {
            (x >= left - 2.0 && y >= top - 2.0 && x + width <= right + 2.0 && y + height <= bottom + 2.0).then_some(0.0)
        }
    }
}

/// How far the middle of a box lies to a side; the middle of the screen has no end.
pub fn reach(side: Zone, [x, y, width, height]: [f64; 4]) -> Option<f64> {
    let (x, y) = (x + width / 2.0, y + height / 2.0);
    match side {
        Zone::Top => Some(-y),
        Zone::Bottom => Some(y),
        Zone::Left => Some(-x),
        Zone::Right => Some(x),
        Zone::TopLeft => Some(-x - y),
        Zone::TopRight => Some(x - y),
        Zone::BottomLeft => Some(y - x),
        Zone::BottomRight => Some(x + y),
        Zone::Center => None,
    }
}
