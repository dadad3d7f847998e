//! Reasons, courtesy and conditions around orders, before and behind them (NLU-2, NLU-8), and orders that have an entry on the screen (DSL-6).

use super::widgets::{PRESS, Shown, check};
use super::*;

// NLU-2, DSL-6
#[test]
fn what_is_said_around_an_order_changes_nothing_nlu_2_dsl_6() {
    for (utterance, order, argument) in [
        ("mute the sound quick, there's somebody at the door", "mute", Some("on")),
        ("전화 왔응게 음소거 좀 해 주쇼잉", "mute", Some("on")),
        ("I'm filling in a form, so what's the date today?", "time", None),
        ("how much battery's left, I've to go out in a bit", "battery", None),
        ("이 창 좀 크게 해 줄래, 글씨가 작아서", "maximise", None),
        ("turn it down, the baby's asleep", "volume", Some("down")),
        ("could you maybe make this window as big as it'll go", "maximise", None),
        ("make the window as large as it will go", "maximise", None),
    ] {
        let found = said(utterance, false);
        assert_eq!((found.kind, found.wish.order.as_deref()), (UtteranceKind::Command, Some(order)), "{utterance}");
        assert_eq!(found.wish.argument.as_deref(), argument, "{utterance}");
    }
    for (utterance, direction, amount) in [
        ("scroll down a little bit if you'd be so kind", ScrollDirection::Down, ScrollAmount::Small),
        ("scroll right up to the top of the page, I missed the beginning", ScrollDirection::Up, ScrollAmount::End),
        ("scroll straight down to the bottom of this page", ScrollDirection::Down, ScrollAmount::End),
    ] {
        let found = said(utterance, false);
        let wish = &found.wish;
        assert_eq!((wish.direction, wish.amount), (Some(direction), Some(amount)), "{utterance}: {found:?}");
    }
    let all: [Shown; 2] = [("tab", "Week", PRESS), ("list_item", "보낸 편지함", PRESS)];
    check("I think I'd rather go to the Week tab", &all, &[(Action::Select, "0:Week", "")]);
    check("내가 뭐라고 썼나 보게 보낸 편지함 선택해 줘", &all, &[(Action::Select, "1:보낸 편지함", "")]);
}

// NLU-8
#[test]
fn the_same_words_in_talk_order_nothing_nlu_8() {
    for utterance in [
        "I'd rather go to the seaside than stay home",
        "he was as big as it gets",
        "if there is one thing I hate it is rain",
        "돈 있으면 좀 꿔 달라고 하더라",
        "어젯밤에 전화 왔응게 그냥 잤지",
        "이번에 결혼한다던데 며칠이야",
        "며칠 있다 가요",
    ] {
        assert_eq!(said(utterance, false).kind, UtteranceKind::None, "{utterance}");
    }
}

// DSL-6, NLU-3
#[test]
fn saving_under_another_name_is_an_order_of_its_own_dsl_6_nlu_3() {
    for utterance in ["다른 이름으로 저장해 줘", "새 이름으로 저장", "save as", "save it under a different name"]
    {
        let found = said(utterance, false);
        assert_eq!(found.wish.order.as_deref(), Some("save_as"), "{utterance}: {found:?}");
        assert_eq!((found.kind, found.wish.argument), (UtteranceKind::Command, None), "{utterance}");
    }
    assert_eq!(said("저장해 줘", false).wish.order.as_deref(), Some("save"));
    // An entry for it goes before the keys.
    for label in ["다른 이름으로 저장(A)...", "Save As…"] {
        let all: [Shown; 2] = [("button", "Save", PRESS), ("menu_item", label, PRESS)];
        check("다른 이름으로 저장해 줘", &all, &[(Action::Invoke, &format!("1:{label}"), "")]);
    }
}
