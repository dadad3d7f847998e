//! What the senses of the lexicon are called outside of it.

use luna_messages::dsl::ScrollDirection;
use luna_messages::reading::Intent;
use luna_messages::understanding::Switch;
use luna_messages::{Fidelity, Lang};

/// What a button for a verb is called: 닫기 for `<닫>`.
pub fn label_of(sense: &str) -> String {
    match sense.strip_prefix('<').and_then(|stem| stem.strip_suffix('>')) {
        Some(stem) => stem.strip_suffix('하').map_or_else(|| format!("{stem}기"), str::to_owned),
        None => sense.to_owned(),
    }
}

pub fn switch(sense: &str) -> Switch {
    if sense == "on" { Switch::On } else { Switch::Off }
}

pub fn direction(sense: &str) -> ScrollDirection {
    if sense == "up" { ScrollDirection::Up } else { ScrollDirection::Down }
}

pub fn lang(sense: &str) -> Lang {
    if sense == "ko" { Lang::Ko } else { Lang::En }
}

pub fn fidelity(sense: &str) -> Fidelity {
    if sense == "natural" { Fidelity::Natural } else { Fidelity::Faithful }
}

pub fn intent(sense: &str) -> Intent {
    match sense {
        "translate" => Intent::Translate,
        "spell" => Intent::Spell,
        "numbers" => Intent::Numbers,
        "summarize" => Intent::Summarize,
        _ => Intent::Read,
    }
}

/// Of two intents in one reading the higher one counts: "핵심만 영어로" summarises.
pub const fn rank_of(intent: Option<Intent>) -> u8 {
    match intent {
        None | Some(Intent::Read) => 0,
        Some(Intent::Translate) => 1,
        Some(_) => 2,
    }
}
