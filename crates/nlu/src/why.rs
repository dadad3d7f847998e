//! Why an utterance was understood as it was, in one line, in its language.

use luna_messages::understanding::{Interpretation, UtteranceKind};

use super::meaning::CLEAR;
use super::normalised::NormalisedUtterance;

/// Nothing was understood, and why.
pub fn nothing(heard: &NormalisedUtterance) -> Interpretation {
    let nothing = Interpretation::default();
    Interpretation { why: why(&nothing, heard), ..nothing }
}

/// The line.
pub fn why(understood: &Interpretation, heard: &NormalisedUtterance) -> String {
    let korean = heard.has_hangul();
    let say = |ko: &str, en: &str| if korean { ko.to_owned() } else { en.to_owned() };
    let wish = &understood.wish;
    match understood.kind {
        UtteranceKind::Reflex => {
            let name = understood.command.map_or("", luna_messages::control::Command::name);
            say(
                &format!("말 전체가 바로 따르는 명령 {name}입니다."),
                &format!("The whole utterance is the reflex {name}."),
            )
        }
        UtteranceKind::Reading => say("읽기를 부탁하는 말입니다.", "It asks for reading."),
        UtteranceKind::Answer if understood.target_id.is_some() => {
            say("제시된 것 가운데 하나를 고르는 대답입니다.", "It answers by choosing one of the candidates.")
        }
        UtteranceKind::Answer => say("질문에 대한 대답입니다.", "It answers a question."),
        UtteranceKind::Ambiguous => say(
            "루나에게 하는 말이지만 규칙만으로는 정할 수 없습니다.",
            "It is addressed to Luna, but more than the rules decide.",
        ),
        UtteranceKind::Command if !understood.steps.is_empty() => {
            let n = understood.steps.len();
            say(&format!("{n}단계로 된 명령입니다."), &format!("It is a command in {n} steps."))
        }
        UtteranceKind::Command if wish.order.as_deref().is_some_and(|order| order != CLEAR) => {
            let name = wish.order.as_deref().unwrap_or_default();
            say(&format!("늘 쓰는 명령 {name}입니다."), &format!("It is the usual order {name}."))
        }
        UtteranceKind::Command if understood.target_id.is_some() => say(
            "동사가 할 일을 말하고, 맞는 후보가 하나뿐입니다.",
            "The verb says what to do, and exactly one candidate fits.",
        ),
        UtteranceKind::Command if understood.ranking.is_empty() || wish.target_text.is_none() => {
            say("동사가 할 일을 말합니다.", "The verb says what to do.")
        }
        UtteranceKind::Command => say(
            "동사가 할 일을 말하지만, 맞는 후보가 하나로 정해지지 않습니다.",
            "The verb says what to do, but not exactly one candidate fits.",
        ),
        UtteranceKind::None if understood.negated => {
            say("하지 말라는 말입니다. 아무것도 하지 않습니다.", "It says what not to do: nothing is done.")
        }
        UtteranceKind::None if understood.score > 0.0 => {
            say("루나에게 하는 말 같지 않습니다.", "It does not sound like an order to Luna.")
        }
        UtteranceKind::None if heard.is_empty() => say("들은 말이 없습니다.", "Nothing was said."),
        UtteranceKind::None if heard.too_long => say("명령이라기에는 너무 깁니다.", "It is too long for a command."),
        UtteranceKind::None => say("아는 명령이 아닙니다.", "It is no command that the rules know."),
    }
}
