//! What people say around an order without it being part of a name: opinions, rough counts, what they did with the thing (NLU-2, NLU-5, DSL-6, EXE-4).

use super::*;

fn check_order(utterance: &str, order: &str, argument: Option<&str>) {
    let found = said(utterance, false);
    assert_eq!(
        (found.kind, found.wish.order.as_deref(), found.wish.argument.as_deref()),
        (UtteranceKind::Command, Some(order), argument),
        "{utterance}: {found:?}"
    );
}

// NLU-2
#[test]
fn an_opinion_or_a_name_for_the_listener_behind_an_order_is_no_part_of_it_nlu_2() {
    for (utterance, target) in [
        ("click the blue theme I'd imagine", "blue theme"),
        ("choose the monthly plan, I'd say", "monthly plan"),
        ("press the green button I expect", "green"),
        ("press save, grandson", "save"),
        ("choose the annual plan if you ask me", "annual plan"),
    ] {
        assert_eq!(said(utterance, false).wish.target_text.as_deref(), Some(target), "{utterance}");
    }
    check_order("could you minimise the window for me, mate", "minimise", Some("window"));
    check_order("close this window for us", "close", Some("window"));
    // A mark inside of a name is no pause.
    check_order("예산안.xlsx 열어", "open", Some("예산안.xlsx"));
}

// EXE-4
#[test]
fn a_rough_count_of_keys_is_a_count_exe_4() {
    for (utterance, key, times) in [
        ("hit tab about six times", "tab", 6),
        ("press the down arrow say five times", "down", 5),
        ("hit backspace ten times or so", "backspace", 10),
        ("탭 한 네 번 눌러 줘", "tab", 4),
        ("엔터를 세 번 정도 눌러", "enter", 3),
        ("탭 다섯 번쯤 눌러 줘", "tab", 5),
    ] {
        let wish = said(utterance, false).wish;
        assert_eq!((wish.key.as_deref(), wish.times), (Some(key), Some(times)), "{utterance}");
    }
}

// DSL-6
#[test]
fn what_was_done_with_the_thing_names_it_only_for_what_is_not_there_dsl_6() {
    check_order("copy what I highlighted", "copy", None);
    check_order("print what I just wrote", "print", None);
    check_order("save what I've typed so far", "save", None);
    check_order("find what I wrote", "find", Some("what I wrote"));
    check_order("unmute it again", "mute", Some("off"));
}

// NLU-5, DSL-6
#[test]
fn the_volume_is_corrected_by_a_number_alone_nlu_5() {
    check_order("볼륨을 이십으로 아니 오십으로 해 줘", "volume", Some("50"));
    check_order("소리 60으로 아니다 70으로 올려", "volume", Some("70"));
}

// NLU-2
#[test]
fn before_what_an_order_is_wanted_is_told_besides_nlu_2() {
    check_order("꺼지기 전에 저장해 줘", "save", None);
    check_order("까먹기 전에 이거 복사해 줘", "copy", None);
    for utterance in ["어제 자기 전에 문서를 저장했어", "밥 먹기 전에 손 씻어라"] {
        assert_eq!(said(utterance, false).kind, UtteranceKind::None, "{utterance}");
    }
}

// NLU-2
#[test]
fn a_number_of_one_letter_has_its_particle_nlu_2() {
    for (utterance, target, value) in [
        ("밝기를 칠로 맞춰 줘", "밝기", "7"),
        ("속도를 둘로 해 줘", "속도", "2"),
        ("대비를 이십으로 바꿔", "대비", "20"),
    ] {
        let wish = said(utterance, false).wish;
        assert_eq!((wish.target_text.as_deref(), wish.value.as_deref()), (Some(target), Some(value)), "{utterance}");
    }
    assert_eq!(said("경로 눌러 줘", false).wish.target_text.as_deref(), Some("경로"));
}

// NLU-8
#[test]
fn a_number_with_its_percent_is_no_wish_to_hear_numbers_nlu_8() {
    for utterance in ["lift the glow down to twenty percent there, it drains my charge", "read it at fifty percent"] {
        assert_ne!(said(utterance, false).wish.intent, Some(Intent::Numbers), "{utterance}");
    }
    assert_eq!(said("read only the percentages", false).wish.intent, Some(Intent::Numbers));
}
