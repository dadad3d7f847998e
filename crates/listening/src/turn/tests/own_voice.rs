//! Luna's own voice commands nothing.

use std::time::Duration;

use luna_messages::listening::HeardOutcome;

use super::scene::{SaidVoice, TurnScene, outcomes, quiet, reflexes, said};
use crate::turn::TurnSettings;
use crate::turn::own_words::OwnWords;

fn own(text: &str, heard: &str, share: f32) -> bool {
    let mut words = OwnWords::default();
    words.say(text, Duration::ZERO);
    words.are(heard, share)
}

// BRG-6
#[test]
fn luna_reading_a_command_aloud_does_not_obey_it_brg_6() {
    for (text, heard) in [("신호등에서 멈춰 주세요.", "멈춰"), ("Press Stop to end.", "stop"), ("다음", "다음")]
    {
        // The signal tells: the voice is Luna's.
        let voice = SaidVoice { own: 0.96, ..said(1000, heard) };
        let done = TurnScene::new(TurnSettings::default(), vec![voice]).reading(text).play();
        assert_eq!((reflexes(&done), quiet(&done)), (vec![], vec![]), "{text}");
        // The signal is in doubt; the text tells.
        let voice = SaidVoice { own: 0.55, ..said(1000, heard) };
        let done = TurnScene::new(TurnSettings::default(), vec![voice]).reading(text).play();
        assert_eq!(reflexes(&done), [], "{text}");
        // A person says it over Luna's voice.
        let voice = SaidVoice { own: 0.1, ..said(1000, heard) };
        let done = TurnScene::new(TurnSettings::default(), vec![voice]).reading(text).play();
        assert_eq!(reflexes(&done).len(), 1, "{text}");
    }
}

// BRG-4, BRG-6
#[test]
fn lunas_own_words_are_known_by_their_text_brg_4_brg_6() {
    let text = "오늘 서울은 맑고 바람이 조금 불겠습니다.";
    assert!(own(text, "서울은 맑고 바람이 조금 불겠", 0.0));
    assert!(own(text, "서울은 막고 바람이 조금 불겠습니다", 0.6));
    assert!(own("The train to Busan leaves at nine.", "the train to Busan leaves", 0.0));
    assert!(!own(text, "내일 부산은 흐리고 비가 오겠습니다", 0.0));
    assert!(!own(text, "멈춰", 0.9));
    assert!(!own(text, "", 0.9));
    assert!(!own("", "멈춰", 0.9));
}

// BRG-4, BRG-9
#[test]
fn a_short_sound_at_the_border_of_a_reading_is_nothing_and_between_sentences_it_counts_brg_4_brg_9() {
    let blip = |from_ms| SaidVoice { from_ms, words: vec![("멈춰", from_ms + 150)], own: 0.0, own_now: None };
    let settings = || TurnSettings { debounce: Duration::from_millis(100), ..TurnSettings::default() };
    let mut first = TurnScene::new(settings(), vec![blip(3020)]);
    first.reading.push((3000, super::scene::sentence("글입니다.", false)));
    let done = first.play();
    assert_eq!(outcomes(&done).last().map(|(_, outcome)| *outcome), Some(HeardOutcome::AtTheBorder), "{done:?}");
    let mut second = TurnScene::new(settings(), vec![blip(3020)]).reading("글입니다.");
    second.reading.push((3000, super::scene::sentence("또 글입니다.", false)));
    assert_eq!(reflexes(&second.play()).len(), 1);
}
