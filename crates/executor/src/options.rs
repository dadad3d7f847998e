//! What is asked if several elements fit alike (EXE-3, EXE-6).

use luna_messages::candidate::{Candidate, Zone};
use luna_messages::element::Role;
use luna_messages::{Lang, Rect};

use crate::target::{candidate_name, spoken_name};

/// Most options of one question: more can't be remembered.
pub const MOST: usize = 3;

/// Percents of an element that lie in the one around it: pages let the inner one stick out by its margins.
const MOST_OF_IT: i64 = 85;

/// Leaves out what only lies around something else of the same name that can be acted on, such as a tab around its link: both are one thing to the person,
/// and what is done to the inner one reaches the outer one, too. If nothing would be left, all stay.
#[must_use]
pub fn without_wrappers(options: Vec<Candidate>, all: &[Candidate]) -> Vec<Candidate> {
    let is_wrapper = |outer: &Candidate| all.iter().any(|inner| wraps(outer, inner));
    let kept: Vec<Candidate> = options.iter().filter(|option| !is_wrapper(option)).cloned().collect();
    if kept.is_empty() { options } else { kept }
}

fn wraps(outer: &Candidate, inner: &Candidate) -> bool {
    let area = |of: Rect| i64::from(of.width) * i64::from(of.height);
    let shared = area(outer.bbox.intersection(inner.bbox));
    !outer.text.is_empty()
        && outer.text == inner.text
        && outer.id != inner.id
        && !inner.details.capacities.is_empty()
        && shared > 0
        && (is_box_role(outer.role) && is_pressed(inner.role)
            || shared * 100 >= area(inner.bbox) * MOST_OF_IT && wraps_more(outer, inner))
}

/// Of two that lie in each other, the one that was listed around the other: it can do more, as tabs around links and items around texts can.
fn wraps_more(outer: &Candidate, inner: &Candidate) -> bool {
    let area = |of: Rect| i64::from(of.width) * i64::from(of.height);
    let is_mutual = area(outer.bbox.intersection(inner.bbox)) * 100 >= area(outer.bbox) * MOST_OF_IT;
    !is_mutual || is_box_role(outer.role) && !is_box_role(inner.role)
}

/// Whether what is called the same and meets it is the thing itself: a button in a tab.
const fn is_pressed(role: Role) -> bool {
    matches!(role, Role::Button | Role::Hyperlink)
}

/// Whether elements of a role often have what is pressed inside them.
const fn is_box_role(role: Role) -> bool {
    matches!(role, Role::Tab | Role::ListItem | Role::Cell | Role::MenuItem | Role::Group | Role::Heading | Role::Text)
}

/// What each option is called; `said`: the person's own words for it, if nothing else names it. Equal labels are told apart by their place on the screen, by their neighbour, or by their order.
#[must_use]
pub fn told_apart(options: &[Candidate], said: &str, lang: Lang) -> Vec<String> {
    let names: Vec<String> = options.iter().map(|option| spoken_name(candidate_name(option, said))).collect();
    let labels: Vec<&str> = names.iter().map(String::as_str).collect();
    let zones: Vec<&str> = options.iter().map(|option| zone(option.zone, lang)).collect();
    let near: Vec<&str> = options.iter().map(|option| option.near.first().map_or("", String::as_str)).collect();
    let differs = |of: &[&str], at: usize| {
        let alike = |other: usize| other != at && labels[other] == labels[at];
        !of[at].is_empty() && !(0..options.len()).any(|other| alike(other) && of[other] == of[at])
    };
    let told = |at: usize| {
        let label = labels[at];
        if labels.iter().filter(|other| **other == label).count() == 1 {
            label.to_owned()
        } else if differs(&zones, at) {
            format!("{} {label}", zones[at])
        } else if differs(&near, at) && near[at] != label {
            match lang {
                Lang::Ko => format!("{} 옆 {label}", near[at]),
                Lang::En => format!("{label} beside {}", near[at]),
            }
        } else {
            let before = labels[..at].iter().filter(|other| **other == label).count() + 1;
            match lang {
                Lang::Ko => format!("{before}번째 {label}"),
                Lang::En => format!("{label} number {before}"),
            }
        }
    };
    (0..options.len()).map(told).collect()
}

const fn zone(zone: Zone, lang: Lang) -> &'static str {
    match (zone, lang) {
        (Zone::TopLeft, Lang::Ko) => "좌상단",
        (Zone::Top, Lang::Ko) => "위쪽",
        (Zone::TopRight, Lang::Ko) => "우상단",
        (Zone::Left, Lang::Ko) => "왼쪽",
        (Zone::Center, Lang::Ko) => "가운데",
        (Zone::Right, Lang::Ko) => "오른쪽",
        (Zone::BottomLeft, Lang::Ko) => "좌하단",
        (Zone::Bottom, Lang::Ko) => "아래쪽",
        (Zone::BottomRight, Lang::Ko) => "우하단",
        (Zone::TopLeft, Lang::En) => "top left",
        (Zone::Top, Lang::En) => "top",
        (Zone::TopRight, Lang::En) => "top right",
        (Zone::Left, Lang::En) => "left",
        (Zone::Center, Lang::En) => "middle",
        (Zone::Right, Lang::En) => "right",
        (Zone::BottomLeft, Lang::En) => "bottom left",
        (Zone::Bottom, Lang::En) => "bottom",
        (Zone::BottomRight, Lang::En) => "bottom right",
    }
}
