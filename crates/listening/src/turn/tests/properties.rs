//! What holds for any schedule of voices, and any delay of the recogniser.

use proptest::prelude::*;

use super::scene::{SaidVoice, TurnScene, quiet, reflexes, said};
use crate::turn::TurnSettings;

fn voices() -> impl Strategy<Value = Vec<SaidVoice>> {
    let words =
        prop::sample::select(vec!["멈춰", "다음", "여보 밥 먹었어", "루나", "루나 멈춰", "아", "stop", "번역해 줘"]);
    prop::collection::vec((200_u64..2500, words, 0.0_f32..1.0), 1..5).prop_map(|gaps| {
        let mut at = 0;
        let mut voices = Vec::new();
        for (gap, words, own) in gaps {
            // The next voice begins after the last one counts as ended.
            let voice = SaidVoice { own, ..said((at + gap + 700) / 10 * 10, words) };
            at = voice.to_ms();
            voices.push(voice);
        }
        voices
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // BRG-1, BRG-5, STT-2
    #[test]
    fn luna_never_stays_quiet_and_each_voice_commands_once_brg_1_brg_5_stt_2(
        voices in voices(), reads in any::<bool>(), window in 20_u64..3000, whole in 50_u64..4000,
    ) {
        let mut scene = TurnScene::new(TurnSettings::default(), voices.clone());
        if reads {
            scene = scene.reading("오늘 서울은 맑고 바람이 조금 불겠습니다.");
        }
        (scene.window_ms, scene.whole_ms, scene.until_ms) = (window, whole, 25_000);
        let done = scene.play();
        let quiet = quiet(&done);
        // Each duck is followed by its end, and comes only while Luna reads.
        let ducks: Vec<_> = quiet.iter().filter(|(_, what)| *what != "cut").collect();
        prop_assert!(reads || ducks.is_empty());
        for pair in ducks.chunks(2) {
            prop_assert_eq!(pair.len(), 2);
            prop_assert!(pair[0].1 == "duck" && pair[1].1 != "duck", "{:?}", quiet);
            let end = voices.iter().map(SaidVoice::to_ms).filter(|end| *end + 900 >= pair[0].0).min().unwrap_or(0);
            let called = voices.iter().any(|voice| voice.words[0].0 == "루나");
            prop_assert!(called || pair[1].0 <= end.max(pair[0].0) + 4000, "{:?}", quiet);
        }
        prop_assert!(reflexes(&done).len() <= voices.len());
        prop_assert!(!scene.machine.needs_ticks());
    }
}
