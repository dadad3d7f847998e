//! What can be said now: by state, language and way to call (VOI-1).

use luna_text::language;

use super::*;

#[track_caller]
fn check(state: FocusStateKind, call: &VoiceCall, lang: Lang, expect: &str) {
    assert_eq!(what_can_be_said(state, call, lang, |_| true), expect);
}

// VOI-1
#[test]
fn what_can_be_said_is_told_by_state_voi_1() {
    use FocusStateKind::{Idle, Pinned, Reading, Targeting, WaitCmd};
    let none = VoiceCall::Nothing;
    check(Idle, &none, Lang::Ko, "집중 모드가 꺼져 있어요. 할 수 있는 말: 집중 모드 켜.");
    check(Idle, &none, Lang::En, "Focus mode is off. You can say: focus on.");
    check(WaitCmd, &none, Lang::Ko, "읽을 글이 없어요. 할 수 있는 말: 더 크게, 집중 모드 꺼.");
    check(WaitCmd, &none, Lang::En, "There is nothing to read. You can say: bigger, focus off.");
    check(Targeting, &none, Lang::Ko, "글을 찾고 있어요. 할 수 있는 말: 멈춰, 번역, 철자, 숫자만, 요약, 집중 모드 꺼.");
    let reading = "You can say: stop, again, pause, go on, slower, faster, next, previous, translate, spell, numbers, summary, read the row, \
                   read the table, bigger, pin, focus off.";
    check(Reading, &none, Lang::En, reading);
    let pinned = "글이 고정돼 있어요. 할 수 있는 말: 멈춰, 다시, 잠깐, 계속, 느리게, 빠르게, 다음, 이전, 번역, 철자, 숫자만, 요약, 행 읽어, \
                  표 읽어, 고정 해제, 집중 모드 꺼.";
    check(Pinned, &none, Lang::Ko, pinned);
    let without = what_can_be_said(Reading, &none, Lang::En, |command| command != Command::ReadTable);
    assert_eq!(without, reading.replace("read the table, ", ""));
}

// VOI-1
#[test]
fn how_luna_is_called_is_told_if_it_is_needed_voi_1() {
    let word: Arc<str> = "별이".into();
    for (call, lang, expect) in [
        (VoiceCall::WhenSilent(Arc::clone(&word)), Lang::Ko, " 제가 조용할 때는 먼저 별이 하고 불러 주세요."),
        (VoiceCall::Always(Arc::clone(&word)), Lang::Ko, " 먼저 별이 하고 불러 주세요."),
        (VoiceCall::WhenSilent("Nova".into()), Lang::En, " While I am silent, say Nova first."),
        (VoiceCall::Always("Nova".into()), Lang::En, " Say Nova first."),
        (VoiceCall::Hold(CtrlSide::Right), Lang::Ko, " 오른쪽 컨트롤 키를 누른 채 말해 주세요."),
        (VoiceCall::Hold(CtrlSide::Left), Lang::En, " Hold the left Ctrl key while you speak."),
    ] {
        let plain = what_can_be_said(FocusStateKind::Reading, &VoiceCall::Nothing, lang, |_| true);
        check(FocusStateKind::Reading, &call, lang, &format!("{plain}{expect}"));
    }
}

#[test]
fn it_is_in_lunas_language_and_short() {
    for state in FocusStateKind::ALL {
        for lang in [Lang::Ko, Lang::En] {
            let said = what_can_be_said(state, &VoiceCall::Hold(CtrlSide::Right), lang, |_| true);
            assert_eq!(language::by_script(&said, Lang::En), lang, "{said}");
            assert!(said.chars().count() < 240, "short enough to be heard out: {said}");
        }
    }
}
