//! Sounds of hesitation, reasons and names of address around orders (NLU-2, NLU-6).

use super::widgets::{COUNT, PRESS, Shown, UNFOLD, WRITE, check, screen};
use super::*;

const ALL: [Shown; 9] = [
    ("edit", "Subject", WRITE),
    ("edit", "제목", WRITE),
    ("button", "Play Radio 4", PRESS),
    ("button", "Pay now", PRESS),
    ("combo_box", "Font size", UNFOLD),
    ("hyperlink", "Opening hours and holidays", PRESS),
    ("list_item", "제주도 여행", UNFOLD),
    ("spin_button", "반복 횟수", COUNT),
    ("edit", "파일 이름", WRITE),
];

// NLU-2
#[test]
fn a_hesitation_is_no_part_of_a_value_nlu_2() {
    for (utterance, target, value) in [
        ("for the subject put, um, Lunch on Friday", "0:Subject", "Lunch on Friday"),
        ("type, uh, see you soon in the subject field", "0:Subject", "see you soon"),
        ("type Lunch, um, at noon in the subject field", "0:Subject", "Lunch at noon"),
        ("type, uh, hello there, um, in the subject field", "0:Subject", "hello there"),
        ("제목 칸에 음, 생일 축하, 어, 선물이라고 적어 줘", "1:제목", "생일 축하 선물"),
        ("제목에, 음, 점심 약속이라고 써 줘", "1:제목", "점심 약속"),
        ("제목에 음… 점심 약속이라고 써 줘", "1:제목", "점심 약속"),
        // What is quoted, or all there is, is meant.
        ("type \"um, Lunch\" in the subject field", "0:Subject", "um, Lunch"),
        ("제목에 \"음, 점심\"이라고 써 줘", "1:제목", "음, 점심"),
    ] {
        check(utterance, &ALL, &[(Action::SetValue, target, value)]);
    }
}

// NLU-2
#[test]
fn reasons_and_names_of_address_are_no_part_of_an_order_nlu_2() {
    for (utterance, action, target, value) in [
        ("it's the gas bill, so press pay now before they cut us off", Action::Invoke, "3:Pay now", ""),
        ("press pay now before he closes the shop", Action::Invoke, "3:Pay now", ""),
        ("make the font size eighteen for Mum, she's got bad eyes", Action::SetValue, "4:Font size", "18"),
        (
            "follow the link about the opening hours, I need to know if they're shut Mondays",
            Action::Invoke,
            "5:Opening hours and holidays",
            "",
        ),
        ("play Radio 4 for me, pet, I don't want to miss the Archers", Action::Invoke, "2:Play Radio 4", ""),
        ("play Radio 4, young man", Action::Invoke, "2:Play Radio 4", ""),
        ("제주도 여행은 다 봤으니까 접어 줘", Action::Collapse, "6:제주도 여행", ""),
        ("제주도 여행은 이제 됐으니까 접어 줘", Action::Collapse, "6:제주도 여행", ""),
        ("반복 횟수를 스무 번으로 해 줘", Action::SetValue, "7:반복 횟수", "스무 번"),
        ("파일 이름 칸에 커서 갖다 놔 줘, 내가 칠게", Action::Focus, "8:파일 이름", ""),
    ] {
        check(utterance, &ALL, &[(action, target, value)]);
    }
    // The label of a button within a story is none.
    for utterance in [
        "he used to play radio 4 all day long",
        "play radio 5 for me",
        "play radio 4, he said to the young lady",
        "we always play radio 4 at home",
    ] {
        assert_eq!(among(utterance, &screen(&ALL)).target_id, None, "{utterance}");
    }
}

// NLU-2, DSL-6
#[test]
fn an_english_verb_takes_korean_particles_nlu_2_dsl_6() {
    for (utterance, order) in
        [("copy만 해 줘", "copy"), ("일단 copy만 해 줘, 붙이는 건 이따 내가 할게", "copy"), ("save 좀 해 줘", "save")]
    {
        assert_eq!(said(utterance, false).wish.order.as_deref(), Some(order), "{utterance}");
    }
    assert_eq!(said("copy만 하지 마", false).wish.order, None);
}

// NLU-8, DSL-6
#[test]
fn the_day_of_the_month_is_told_with_a_reason_if_luna_is_called_nlu_8_dsl_6() {
    let found = said("Luna, which day of the month is it today, I've to write a cheque", false);
    assert_eq!(found.wish.order.as_deref(), Some("time"), "{found:?}");
    assert_eq!(luna().number_said("스무 번"), Some(20));
}
