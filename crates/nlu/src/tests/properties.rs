//! What holds for every text.

use luna_messages::understanding::ParsedCommand;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

use super::*;

// NLU-2
#[test]
fn long_and_strange_utterances_are_none_nlu_2() {
    for utterance in [
        "",
        "   ",
        "!!!",
        "\u{200b}",
        &"음".repeat(10_000),
        &"멈춰 ".repeat(5_000),
        &"\"".repeat(5_000),
        &"위".repeat(590),
        &"에".repeat(590),
    ] {
        let understood = said(utterance, true);
        assert!(understood.command.is_none() || utterance.len() < 100, "{}", utterance.len());
        assert!(!understood.why.is_empty() && !understood.why.contains('\n'));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    // NLU-2
    #[test]
    fn no_text_makes_it_panic_nlu_2(text in "\\PC{0,60}", korean in "[가-힣 ]{0,40}", speaking: bool) {
        for utterance in [text.clone(), korean.clone(), format!("{korean}에 {text} 입력해"), format!("{korean} 아래 {korean} 눌러"), format!("\"{text}\"라고 써")] {
            let candidates = Some(vec![CandidateInput { id: "1".to_owned(), text: Some(korean.clone()), ..CandidateInput::default() }]);
            let understood = luna().understand(&UtteranceInput { utterance, speaking, candidates, ..UtteranceInput::default() });
            prop_assert!(!understood.why.is_empty());
        }
    }

    // NLU-2, RNK-2
    #[test]
    fn spaces_width_and_case_do_not_count_nlu_2_rnk_2(at in 0..SAID.len(), more in 1..4_usize, speaking: bool) {
        let utterance = SAID[at];
        let plain = said(utterance, speaking);
        let wide: String = utterance
            .chars()
            .map(|c| if c.is_ascii_graphic() { char::from_u32(c as u32 + 0xFEE0).unwrap() } else { c })
            .collect();
        for other in [
            format!("  {utterance} "),
            utterance.replace(' ', &" ".repeat(more)),
            utterance.replace(' ', "\u{3000}"),
            utterance.to_uppercase(),
            wide,
            utterance.nfd().collect(),
            format!("{utterance}."),
        ] {
            let found = said(&other, speaking);
            prop_assert_eq!((found.kind, found.command, found.wish.order, found.wish.action), (plain.kind, plain.command, plain.wish.order.clone(), plain.wish.action), "{}", other);
        }
    }

    // NLU-3, RNK-1
    #[test]
    fn the_order_of_the_candidates_does_not_matter_nlu_3_rnk_1(
        at in 0..SAID.len(),
        labels in Just(LABELS.to_vec()).prop_shuffle(),
        count in 1..LABELS.len(),
    ) {
        let one = |label: &&str| {
            let row = LABELS.iter().position(|known| known == label).unwrap();
            button(label, label, 0, 40 * i32::try_from(row).unwrap())
        };
        let mut offered: Vec<CandidateInput> = labels[..count].iter().map(one).collect();
        let given = among(SAID[at], &offered);
        offered.reverse();
        let turned = among(SAID[at], &offered);
        // A number chooses by the order, and nothing else does.
        if given.kind != UtteranceKind::Answer || given.wish.ordinal.is_none() {
            prop_assert_eq!((&given.target_id, given.kind, &given.ranking), (&turned.target_id, turned.kind, &turned.ranking), "{}", SAID[at]);
        }
    }

    // NLU-3, NLU-7
    #[test]
    fn a_target_is_one_of_the_candidates_nlu_3(text in "[가-힣a-z ]{0,20}", labels in proptest::collection::vec("[가-힣a-z ]{0,10}", 0..6)) {
        let offered: Vec<CandidateInput> = labels.iter().enumerate().map(|(at, label)| button(&at.to_string(), label, 0, 0)).collect();
        for utterance in [text.clone(), format!("{text} 눌러"), format!("click {text}")] {
            let found = among(&utterance, &offered);
            let known = |id: &String| offered.iter().any(|one| &one.id == id);
            prop_assert!(found.target_id.iter().all(known) && found.ranking.iter().all(known));
            prop_assert!(found.alternatives.iter().filter_map(|one| one.target_id.as_ref()).all(known));
        }
    }

    // NLU-5, NLU-6
    #[test]
    fn what_is_understood_says_what_to_do_nlu_5_nlu_6(
        said in proptest::collection::vec(prop::sample::select(SAID.to_vec()), 1..4),
        link in prop::sample::select(vec![" ", ", ", " 말고 ", " 아니 ", "하고 ", " and ", " no ", " not ", " 0번 ", " then "]),
        speaking: bool,
        asking: bool,
    ) {
        let utterance = said.join(link);
        let candidates = Some(LABELS.iter().map(|label| button(label, label, 0, 0)).collect());
        let found = luna().understand(&UtteranceInput { utterance, speaking, asking, candidates });
        let says_what = |wish: &ParsedCommand| wish.action.is_some() || wish.intent.is_some() || wish.order.is_some();
        prop_assert!(found.kind != UtteranceKind::Command || says_what(&found.wish), "{:?}", found);
        prop_assert!(found.steps.iter().all(says_what), "{:?}", found);
        prop_assert_eq!(found.kind == UtteranceKind::Reflex, found.command.is_some());
        prop_assert!(found.margin <= found.score && found.score <= 1.0 && found.wish.ordinal != Some(0));
        let scores: Vec<f64> = std::iter::once(found.score).chain(found.alternatives.iter().map(|one| one.score)).collect();
        prop_assert!(scores.is_sorted_by(|a, b| a >= b) && scores.len() <= 4, "{:?}", scores);
    }

    // NLU-2
    #[test]
    fn the_same_is_understood_each_time_nlu_2(text in "\\PC{0,40}", speaking: bool, asking: bool) {
        let given = UtteranceInput { utterance: text, speaking, asking, ..UtteranceInput::default() };
        prop_assert_eq!(luna().understand(&given), luna().understand(&given));
    }
}

/// Utterances of all kinds.
const SAID: [&str; 16] = [
    "저장 눌러 줘",
    "취소 버튼 눌러",
    "저장해 줘",
    "멈춰",
    "번역해 줘",
    "두 줄 뒤 영어로 읽어줘",
    "아래로 내려줘",
    "설정 열고 와이파이 꺼줘",
    "컨트롤 씨",
    "click save",
    "open the mail",
    "stop",
    "translate this into Korean",
    "press control c",
    "우리 애는 매일 일기 써",
    "zoom in",
];
const LABELS: [&str; 8] = ["저장", "취소", "다른 이름으로 저장", "설정", "Save", "Mail", "와이파이", "Save as"];
