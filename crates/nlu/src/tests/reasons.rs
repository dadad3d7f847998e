//! Orders with their reasons, and things that several candidates fit.

use super::*;

// NLU-2
#[test]
fn a_reason_is_no_part_of_an_order_nlu_2() {
    for (utterance, target) in [
        ("다 썼으니까 저장 버튼 눌러 줄래", "저장"),
        ("인터넷이 안 되네 와이파이 켜 줘", "와이파이"),
        ("I'm done writing, click save", "save"),
        // No reason, but a part of the name.
        ("우리 동네 소식지 버튼 눌러 줘", "우리 동네 소식지"),
        ("장바구니 비우기 눌러 봐", "장바구니 비우기"),
    ] {
        let found = said(utterance, false);
        assert_eq!(found.kind, UtteranceKind::Command, "{utterance}: {found:?}");
        assert_eq!(found.wish.target_text.as_deref(), Some(target), "{utterance}");
    }
    let closed = said("저장했으니까 창 닫아 줘", false).wish;
    assert_eq!(closed.order.as_deref(), Some("close"), "DSL-6: {closed:?}");
    for (utterance, command) in [
        ("못 들었으니까 다시 읽어 줄래", Some(Command::Repeat)),
        ("read it a bit faster, I'm in a hurry", Some(Command::Faster)),
        // Others talk in the room, too.
        ("비가 오니까 다음에 만나자", None),
        ("My son said, read it again, dad", None),
        ("Next, we will look at the chart", None),
    ] {
        assert_eq!(said(utterance, true).command, command, "{utterance}");
    }
}

// NLU-3, NLU-4
#[test]
fn what_fits_several_candidates_alike_is_ambiguous_nlu_4() {
    for (labels, kind, target) in [
        (["확인", "확인"], UtteranceKind::Ambiguous, None),
        (["확인", "취소"], UtteranceKind::Command, Some("0")),
        (["인쇄", "취소"], UtteranceKind::Command, None),
    ] {
        let candidates: Vec<CandidateInput> = labels
            .iter()
            .enumerate()
            .map(|(id, text)| serde_json::from_value(serde_json::json!({"id": id.to_string(), "text": text})).unwrap())
            .collect();
        let utterance = UtteranceInput {
            utterance: "확인 눌러 줘".to_owned(),
            candidates: Some(candidates),
            ..UtteranceInput::default()
        };
        let found = luna().understand(&utterance);
        assert_eq!((found.kind, found.target_id.as_deref()), (kind, target), "{labels:?}");
    }
}

// RNK-2
#[test]
fn labels_are_known_by_their_sound_and_with_their_numbers_in_words_rnk_2() {
    for (utterance, labels) in [
        ("넷플릭스 열어 줘", ["Gmail", "Netflix"]),
        ("삼 층 안내 눌러 줘", ["2층 안내", "3층 안내"]),
        ("open chapter seven", ["Chapter 17", "Chapter 7"]),
    ] {
        let candidates = serde_json::json!([{"id": "0", "text": labels[0]}, {"id": "1", "text": labels[1]}]);
        let utterance = serde_json::json!({"utterance": utterance, "candidates": candidates});
        let found = luna().understand(&serde_json::from_value::<UtteranceInput>(utterance).unwrap());
        assert_eq!(found.target_id.as_deref(), Some("1"), "{labels:?}: {found:?}");
    }
}
