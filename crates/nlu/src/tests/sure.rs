//! Score, margin, alternatives and thresholds (NLU-6), and talk that is no order (NLU-8).

use super::*;

fn offered_as(candidates: &[CandidateInput], utterance: &str, asking: bool) -> Interpretation {
    let candidates = Some(candidates.to_vec());
    luna().understand(&UtteranceInput {
        utterance: utterance.to_owned(),
        asking,
        candidates,
        ..UtteranceInput::default()
    })
}

// NLU-6, DSL-2
#[test]
fn every_interpretation_has_a_score_and_a_margin_nlu_6() {
    let offered = [button("a", "저장", 0, 0), button("b", "다른 이름으로 저장", 0, 40)];
    for utterance in [
        "저장 버튼 눌러 줘",
        "저장",
        "멈춰",
        "번역해줘",
        "2번",
        "네",
        "설정 열고 와이파이 꺼줘",
        "click save",
        "two lines down",
        "우리 애는 매일 일기 써",
        "kick the ball",
        "삭제 누르지 마",
        "",
        "what time is it",
    ] {
        for speaking in [false, true] {
            for candidates in [None, Some(offered.to_vec())] {
                let found = luna().understand(&UtteranceInput {
                    utterance: utterance.to_owned(),
                    speaking,
                    candidates,
                    ..UtteranceInput::default()
                });
                assert!((0.0..=1.0).contains(&found.score), "{utterance}: {found:?}");
                assert!(
                    (0.0..=1.0).contains(&found.margin) && found.margin <= found.score + 1e-9,
                    "{utterance}: {found:?}"
                );
                assert!(found.alternatives.len() <= 3, "{utterance}: {found:?}");
                let scores: Vec<f64> = found.alternatives.iter().map(|one| one.score).collect();
                assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "the likelier first: {found:?}");
                assert!(
                    scores.iter().all(|score| (0.0..=1.0).contains(score) && *score <= found.score + 1e-9),
                    "{found:?}"
                );
                if found.kind != UtteranceKind::None {
                    assert!(found.score > 0.0, "what acts has a score: {utterance}: {found:?}");
                }
            }
        }
    }
}

// NLU-6
#[test]
fn the_plainer_an_order_the_surer_it_is_nlu_6() {
    for (plain, doubtful) in [
        ("저장 버튼 눌러 줘", "음 그 저쟝 뻐튼 눌러"),
        ("멈춰", "멈처"),
        ("click the save button", "safe bottom click uh"),
    ] {
        let (plain, doubtful) = (said(plain, true), said(doubtful, true));
        assert!(plain.score > doubtful.score, "{plain:?} {doubtful:?}");
    }
}

// NLU-6
#[test]
fn what_may_mean_something_else_says_so_nlu_6() {
    let found = said("메모 열어 줘", false);
    assert!(!found.alternatives.is_empty() || found.margin > 0.0, "{found:?}");
    let several = ["저장 눌러 줘", "위로", "다음", "open mail", "go back", "find save"];
    let with: Vec<&str> =
        several.into_iter().filter(|utterance| !said(utterance, false).alternatives.is_empty()).collect();
    assert!(!with.is_empty(), "none of them has an alternative");
    for utterance in with {
        let found = said(utterance, false);
        let rival = &found.alternatives[0];
        assert!(
            (0.0..=found.score).contains(&found.margin) && rival.score <= found.score,
            "the margin is a lead: {found:?}"
        );
        let same = rival.kind == found.kind && rival.command == found.command && rival.wish == found.wish;
        assert!(!same || rival.target_id != found.target_id, "an alternative is another one: {found:?}");
    }
}

// NLU-6, EXE-3
#[test]
fn a_question_lets_less_sure_answers_count_nlu_6() {
    let offered = [button("a", "하나은행", 0, 0), button("b", "우리은행", 0, 40)];
    for (utterance, expect) in [("2번", "b"), ("두 번째 거", "b"), ("둘째 걸로 할래", "b"), ("the second one", "b")]
    {
        let found = offered_as(&offered, utterance, true);
        assert_eq!(
            (found.kind, found.target_id.as_deref()),
            (UtteranceKind::Answer, Some(expect)),
            "{utterance}: {found:?}"
        );
    }
    // A number alone is no answer if nobody asked.
    for utterance in ["이번", "둘"] {
        let found = said(utterance, false);
        assert_eq!(found.kind, UtteranceKind::None, "{utterance}: {found:?}");
    }
    for utterance in ["네", "아니요", "yes", "no"] {
        let found = luna().understand(&UtteranceInput {
            utterance: utterance.to_owned(),
            asking: true,
            ..UtteranceInput::default()
        });
        assert_eq!(found.kind, UtteranceKind::Answer, "{utterance}: {found:?}");
    }
}

/// Sentences of which it isn't clear whether they are meant for Luna.
const DOUBTFUL: [&str; 12] = [
    "매일 일기 써",
    "창문 닫아",
    "문 열어",
    "불 꺼",
    "밥 먹고 전화해",
    "노래 틀어",
    "open the door",
    "turn the light off",
    "close your eyes",
    "write a letter",
    "팬 켜줘",
    "도움이 될 꺼야",
];

// NLU-6
#[test]
fn the_wake_word_lets_less_sure_orders_count_nlu_6() {
    let mut acts = [0, 0];
    for utterance in DOUBTFUL {
        let alone = said(utterance, false).kind != UtteranceKind::None;
        let called = format!("{} {utterance}", if utterance.is_ascii() { "hey luna," } else { "루나야," });
        let called = said(&called, false).kind != UtteranceKind::None;
        assert!(called || !alone, "what counts without the wake word counts with it: {utterance}");
        acts[0] += i32::from(alone);
        acts[1] += i32::from(called);
    }
    assert!(acts[1] > acts[0], "alone {}, after the wake word {}", acts[0], acts[1]);
}

// NLU-6, NLU-8
#[test]
fn without_the_classifier_it_is_more_careful_nlu_6_nlu_8() {
    let acts = |luna: &Understanding, utterance: &str| {
        luna.understand(&UtteranceInput { utterance: utterance.to_owned(), ..UtteranceInput::default() }).kind
            != UtteranceKind::None
    };
    // Plain orders are done all the same.
    for utterance in [
        "저장 버튼 눌러 줘",
        "click the save button",
        "복사해 줘",
        "undo that",
        "이 글 요약해 줘",
        "아래로 내려줘",
        "컨트롤 씨 눌러",
    ] {
        assert!(acts(careful(), utterance), "{utterance}");
    }
    // The less sure ones not: no talk acts that the classifier would have kept back.
    for utterance in TALK {
        assert!(!acts(careful(), utterance), "{utterance}");
    }
    let orders = [
        "엄마한테 늦는다고 카톡 보내 줘",
        "회의가 길어졌으니까 메모 열어 줘",
        "날씨 칸에 서울 써 줘",
        "put my name in the box",
        "I'm done writing, click save",
    ];
    let with = orders.iter().filter(|utterance| acts(luna(), utterance)).count();
    let without = orders.iter().filter(|utterance| acts(careful(), utterance)).count();
    assert!(without <= with, "{without} without, {with} with it");
}

/// Talk that sounds like orders.
const TALK: [&str; 12] = [
    "우리 애는 매일 일기 써",
    "안녕히 가세요",
    "도움이 될 꺼야",
    "kick the ball",
    "걱정 안해",
    "일기를 써보세요",
    "여자친구가 감정없이 카톡 답장해",
    "제게 들려주세요",
    "can you write a regex in JavaScript?",
    "he told me to stop and I stopped",
    "my brother closed the door",
    "오늘 날씨가 참 좋네",
];

// NLU-8
#[test]
fn who_tells_asks_or_chats_orders_nothing_nlu_8() {
    for utterance in TALK {
        for speaking in [false, true] {
            let found = said(utterance, speaking);
            assert_eq!(found.kind, UtteranceKind::None, "{utterance}, speaking {speaking}: {found:?}");
        }
    }
    // Neither pins, unpins nor stops.
    for (utterance, never) in
        [("걱정 안해", Command::Unpin), ("팬 켜줘", Command::Pin), ("can you speak quieter", Command::Stop)]
    {
        assert_ne!(said(utterance, true).command, Some(never), "{utterance}");
    }
}

// EXE-3
#[test]
fn an_answer_may_mention_its_choice_among_other_words_exe_3() {
    let named = |id: &str, text: &str| CandidateInput {
        id: id.to_owned(),
        text: Some(text.to_owned()),
        ..CandidateInput::default()
    };
    let banks = [named("a", "신한은행"), named("b", "국민은행"), named("c", "새벽 배송")];
    let mails = [named("a", "Invoice, Daniel Smith"), named("b", "Invoice, Anna Miller")];
    for (utterance, offered, expect) in [
        ("신한은행 쪽으로요", banks.as_slice(), Some("a")),
        ("새벽 배송이 낫지", &banks, Some("c")),
        ("아마 국민은행이 맞을 거야 그걸로", &banks, Some("b")),
        ("the one from Daniel", &mails, Some("a")),
        // Both are mentioned, or none.
        ("the invoice", &mails, None),
        ("잘 모르겠는데", &banks, None),
    ] {
        let found = offered_as(offered, utterance, true);
        assert_eq!(found.target_id.as_deref(), expect, "{utterance}: {found:?}");
    }
}
