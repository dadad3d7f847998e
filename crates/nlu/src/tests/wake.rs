//! Whether words call Luna (VOI-1, NLU-6).

use proptest::prelude::*;

use super::*;
use luna_messages::understanding::WakeCall::{self, Alone, NotCalled, WithWords};

#[track_caller]
fn check(luna: &Understanding, text: &str, expect: WakeCall) {
    assert_eq!(luna.wake_call(text), expect, "{text}");
    let utterance = UtteranceInput { utterance: text.to_owned(), ..UtteranceInput::default() };
    assert_eq!(luna.understand(&utterance).addressed, expect.is_called(), "{text}");
}

fn with_wake(word: Option<&str>) -> Understanding {
    Understanding::new(&Vocabulary { wake_word: word.map(str::to_owned), ..Vocabulary::default() })
}

// VOI-1
#[test]
fn the_wake_word_calls_at_the_beginning_and_at_the_end_voi_1() {
    let luna = with_wake(Some("루나"));
    for (text, expect) in [
        ("루나", Alone),
        ("루나야", Alone),
        ("루나야!", Alone),
        ("루나 씨", Alone),
        ("헤이 루나", Alone),
        ("hey luna", Alone),
        ("Luna.", Alone),
        ("음 루나야", Alone),
        ("루나야 음", Alone),
        ("루나 루나", Alone),
        ("루나야 저장해 줘", WithWords),
        ("루나, 예", WithWords),
        ("루나 네", WithWords),
        ("음, 저기 루나야 저장해 줘", WithWords),
        ("um, hey luna, stop", WithWords),
        ("okay Luna what can I say", WithWords),
        ("루나야저장해줘", WithWords),
        ("루나야 우주의 나이가 얼마나 됐는지 궁금한데", WithWords),
        ("저장해 줘 루나", WithWords),
        ("저장해 줘, 루나야", WithWords),
        ("멈춰 루나야 좀", WithWords),
        ("stop it luna", WithWords),
        ("open the settings, Luna, please", WithWords),
        // Inside other words, and with a particle, it is talked about.
        ("루나틱", NotCalled),
        ("루나틱 들어 봤어", NotCalled),
        ("lunar", NotCalled),
        ("lunar eclipse", NotCalled),
        ("lunatic", NotCalled),
        ("벨루나", NotCalled),
        ("루나는 달이라는 뜻이래", NotCalled),
        ("루나가 뭐래", NotCalled),
        ("루나틱한분위기야", NotCalled),
        ("우리 강아지 이름은 루나야", NotCalled),
        ("her cat is Luna", NotCalled),
        ("'루나'라고 써 줘", NotCalled),
        ("type \"luna\"", NotCalled),
        ("어제 루나 봤는데 재밌더라", NotCalled),
        ("저장해 줘", NotCalled),
        ("루", NotCalled),
        ("", NotCalled),
    ] {
        check(&luna, text, expect);
    }
}

// VOI-1, VOI-2
#[test]
fn the_configured_wake_word_calls_voi_1_voi_2() {
    let star = with_wake(Some("별이"));
    for (text, expect) in [
        ("별이야", Alone),
        ("헤이 별이", Alone),
        ("별이야 멈춰", WithWords),
        ("멈춰 별이야", WithWords),
        ("별이빛나는 밤", NotCalled),
        ("루나야 멈춰", NotCalled),
        ("luna", NotCalled),
    ] {
        check(&star, text, expect);
    }
    let jarvis = with_wake(Some("Jarvis"));
    for (text, expect) in
        [("hey jarvis", Alone), ("Jarvis, stop", WithWords), ("stop, jarvis", WithWords), ("jarvisson", NotCalled)]
    {
        check(&jarvis, text, expect);
    }
    let none = with_wake(None);
    for text in ["루나야 멈춰", "hey luna", ""] {
        check(&none, text, NotCalled);
    }
}

// VOI-1: as a partial transcript grows, a call that began stays one.
#[test]
fn a_call_stays_one_while_the_transcript_grows_voi_1() {
    let luna = with_wake(Some("루나"));
    for text in ["루나야 저장 버튼 눌러 줘", "음 루나 두 줄 뒤 읽어 줘", "hey luna read the next line"]
    {
        let ends: Vec<usize> =
            text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| at).chain([text.len()]).collect();
        let calls: Vec<bool> = ends.iter().map(|end| luna.wake_call(&text[..*end]).is_called()).collect();
        assert!(calls.is_sorted() && calls[calls.len() - 1], "{text}: {calls:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    // VOI-1: whatever else is said, the wake word before it calls, and a word that only begins with it does not.
    #[test]
    fn whatever_follows_the_wake_word_it_is_a_call_voi_1(words in "[가-힣a-z]{1,4}( [가-힣a-z]{1,5}){0,4}") {
        let luna = WAKE.get_or_init(|| with_wake(Some("루나")));
        for called in [format!("루나야, {words}"), format!("hey luna {words}")] {
            prop_assert!(luna.wake_call(&called).is_called(), "{}", called);
        }
        let other = format!("루나틱스 {words} 합니다");
        prop_assert_eq!(luna.wake_call(&other), NotCalled);
    }
}

static WAKE: std::sync::OnceLock<Understanding> = std::sync::OnceLock::new();
