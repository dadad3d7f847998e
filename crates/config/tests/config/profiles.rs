//! Profiles (CFG-1).

use super::*;

// CFG-1
#[test]
fn low_vram_changes_what_the_requirements_say_and_nothing_else_cfg_1() {
    let default = Config::built_in("default").unwrap();
    let low = Config::built_in("low_vram").unwrap();
    let values = serde_json::to_value(&low).unwrap();
    for (key, expect) in [
        ("windows.uia", json!({"snapshots": 2, "ttl_ms": 1200})),
        ("windows.ocr", json!({"topk": 12, "history": 1, "ttl_ms": 2000})),
        ("windows.stt", json!({"hot_seconds": 3, "full_seconds": 12})),
        ("llm_budget.max_tokens", json!(1200)),
        ("llm_budget.barge_in_shrink", json!(0.4)),
        ("llm_budget.caps.system", json!(200)),
        ("gpu.budget_mb", json!(6144)),
    ] {
        assert_eq!(*at(&values, key), expect, "{key}");
    }
    let changes = changes(&default, &low);
    assert_eq!(changes.safe.len() + changes.needs_restart.len(), 8, "{changes:?}");
}

// CFG-1
#[test]
fn profiles_inherit_deeply_and_lists_are_replaced_cfg_1() {
    let text = "version: 1\nx-slow: &slow { tts: { rate: 0.8, rate_step: 0.05 } }\nprofiles:\n  default: &d\n    tts: { rate: 1.5 }\n    windows: { uia: { ttl_ms: 900 } }\n  travel: &t\n    <<: *d\n    windows: { uia: { snapshots: 5 } }\n    voice: { dangerous: [사기] }\n  night:\n    <<: [*slow, *t]\n    tts: { rate_max: 2.0 }\n  plain:\n    tts: { rate_min: 0.6 }\n";
    let default = with_profile(text, "default");
    assert_eq!((default.tts.rate, default.windows.uia.ttl_ms, default.windows.uia.snapshots), (1.5, 900, 3));

    let travel = with_profile(text, "travel");
    assert_eq!((travel.tts.rate, travel.windows.uia.ttl_ms, travel.windows.uia.snapshots), (1.5, 900, 5));
    assert_eq!(travel.voice.dangerous, ["사기"]);
    assert_eq!(travel.windows.stt.full_seconds, 12);

    // Without `<<` a profile inherits from `default`; the person's changes there apply to the built-in `low_vram`.
    assert_eq!(with_profile(text, "plain").tts.rate, 1.5);
    let low = with_profile(text, "low_vram");
    assert_eq!((low.tts.rate, low.windows.uia.ttl_ms, low.windows.uia.snapshots), (1.5, 1200, 2));

    // A mixed list: an anchor that is no profile is merged directly.
    let night = with_profile(text, "night");
    assert_eq!((night.tts.rate, night.tts.rate_step, night.tts.rate_max), (0.8, 0.05, 2.0));
}

// CFG-1
#[test]
fn anchors_and_merge_keys_work_below_profiles_cfg_1() {
    let text = "version: 1\nprofiles:\n  default:\n    thinking_budget: &b { nlu_intent: 10, macro_plan: 20 }\n    answer_budget: { <<: *b, macro_plan: 30 }\n";
    let config = loaded(text).config;
    assert_eq!((config.answer_budget.nlu_intent, config.answer_budget.macro_plan), (10, 30));
    assert_eq!(config.answer_budget.summarize_short, 128);
}

#[test]
fn profiles_that_inherit_in_a_circle_end() {
    let text = "version: 1\nprofiles:\n  travel: &t\n    tts: { rate: 2.0 }\n  default:\n    <<: *t\n    tts: { rate_step: 0.2 }\n";
    assert_eq!(with_profile(text, "default").tts.rate, 2.0);
    assert_eq!(with_profile(text, "travel").tts.rate_step, 0.2);
}
