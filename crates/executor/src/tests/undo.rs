//! What Luna takes back (DSL-6).

use luna_messages::element::State;
use luna_messages::executor::OrderOutcome::{Failed, Success};

use super::screen::{Behaviour, ScriptedScreen, ShownElement, button, check_box, field};

// DSL-6
#[test]
fn what_luna_did_last_is_taken_back_where_it_knows_how_dsl_6() {
    let shown = || {
        let mut name = field("이름");
        name.state.element.text = "김철수".to_owned();
        vec![check_box("알림", false), name, button("새로 고침")]
    };
    // What is said, what is pressed as keys, and how often something was done to an element.
    for (said, keys, acts) in [
        (vec!["알림 켜 줘", "되돌려"], vec![], 2),
        (vec!["이름 칸에 홍길동 입력해 줘", "되돌려"], vec![], 2),
        (vec!["알림 켜 줘", "이름 칸에 홍길동 입력해 줘", "되돌려", "되돌려", "되돌려"], vec!["Ctrl+Z"], 4),
        // What came before something that can't be taken back is not the last.
        (vec!["알림 켜 줘", "새로 고침 눌러", "되돌려"], vec!["Ctrl+Z"], 2),
        (vec!["알림 켜 줘", "컨트롤 에스 눌러", "되돌려"], vec!["Ctrl+S", "Ctrl+Z"], 1),
        (vec!["되돌려"], vec!["Ctrl+Z"], 0),
    ] {
        let mut screen = ScriptedScreen::new(shown());
        for words in &said {
            let report = screen.say(words);
            assert_eq!(report.outcome, Success, "{words} of {said:?}: {report:?}");
        }
        assert_eq!(
            (&screen.keys, screen.acts.len()),
            (&keys.iter().map(|key| (*key).to_owned()).collect(), acts),
            "{said:?}"
        );
        let is_on = screen.elements[0].state.is(State::Checked);
        assert_eq!(is_on, said.contains(&"알림 켜 줘") && acts < 4 && !keys.is_empty(), "{said:?}");
        assert_eq!(screen.elements[1].state.element.text, "김철수", "{said:?}");
    }
}

// DSL-6, PRV-1
#[test]
fn what_was_there_long_ago_or_is_gone_is_left_to_the_application_dsl_6_prv_1() {
    for is_gone in [false, true] {
        let mut screen = ScriptedScreen::new(vec![check_box("알림", false), button("닫기")]);
        assert_eq!(screen.say("알림 켜 줘").outcome, Success);
        if is_gone {
            screen.elements.remove(0);
        } else {
            screen.now += std::time::Duration::from_secs(121);
        }
        assert_eq!(screen.say("되돌려").outcome, Success);
        assert_eq!((screen.keys.len(), screen.acts.len()), (1, 1), "{is_gone}");
    }
}

// DSL-6
#[test]
fn what_the_person_did_since_stays_theirs_dsl_6() {
    let mut screen = ScriptedScreen::new(vec![field("편지"), check_box("알림", false)]);
    assert_eq!(screen.say("편지 칸에 안녕 입력해 줘").outcome, Success);
    screen.elements[0].state.element.text = "안녕하세요, 세 문단을 썼습니다".to_owned();
    assert_eq!(screen.say("되돌려").outcome, Failed, "it is not as Luna left it");
    assert_eq!((screen.acts.len(), screen.keys.len()), (1, 0));
    assert_eq!(screen.say("되돌려").outcome, Success);
    assert_eq!((screen.acts.len(), screen.keys.len()), (1, 1), "the application's own undo is left");
    assert_eq!(screen.elements[0].state.element.text, "안녕하세요, 세 문단을 썼습니다");
    // A switch that the person switched back.
    let mut screen = ScriptedScreen::new(vec![check_box("알림", false)]);
    assert_eq!(screen.say("알림 켜 줘").outcome, Success);
    screen.elements[0].state.element.properties.states = [State::Unchecked].into_iter().collect();
    assert_eq!(screen.say("되돌려").outcome, Failed);
}

// DSL-6, EXE-7
#[test]
fn what_came_before_something_uncertain_is_not_the_last_dsl_6_exe_7() {
    let ignoring = ShownElement { behaviour: Behaviour::Silent, ..button("목록 새로 고침") };
    let mut screen = ScriptedScreen::new(vec![check_box("알림", false), ignoring]);
    assert_eq!(screen.say("알림 켜 줘").outcome, Success);
    assert_eq!(screen.say("목록 새로 고침 버튼 눌러").outcome, Failed);
    assert_eq!(screen.say("되돌려").outcome, Success);
    assert_eq!((screen.acts.len(), screen.keys.len()), (2, 1));
    let mut screen = ScriptedScreen::new(vec![check_box("알림", false)]);
    assert_eq!(screen.say("알림 켜 줘").outcome, Success);
    assert_eq!(screen.say("볼륨 30으로").outcome, Success);
    assert_eq!(screen.say("되돌려").outcome, Success);
    assert_eq!((screen.acts.len(), screen.keys.len()), (1, 1), "the volume came last");
}
