//! What is asked of the desktop itself, scrolling, and closed lists (DSL-6, EXE-2, EXE-5).

use luna_messages::desktop_order::{
    BatteryState, DesktopAnswer, DesktopOrder, LocalTime, TopWindow, VolumeChange, VolumeState, WindowArrangement,
};
use luna_messages::element::{Role, State};
use luna_messages::element_action::{Capacity, ElementAction};
use luna_messages::executor::OrderOutcome::{Failed, Refused, Success};
use luna_messages::executor::{ActedBy, OrderSource};
use luna_messages::{Point, Rect};

use super::screen::{ScriptedScreen, button, field, shown};
use crate::events::{ExecutorEffect, ExecutorEvent};

/// A desktop that answers what it is.
#[derive(Debug, Default)]
pub(super) struct ShownDesktop {
    pub windows: Vec<TopWindow>,
    pub asked: Vec<DesktopOrder>,
    /// It does what it is asked, but it is not seen; or it does not answer.
    pub is_unseen: bool,
    pub is_silent: bool,
}

impl ShownDesktop {
    pub fn answer(&self, what: &DesktopOrder) -> Option<DesktopAnswer> {
        let time = LocalTime { year: 2026, month: 3, day: 4, weekday: 3, hour: 15, minute: 7 };
        (!self.is_silent).then(|| match what {
            DesktopOrder::Time => DesktopAnswer::Time(time),
            DesktopOrder::Battery => DesktopAnswer::Battery(Some(BatteryState { percent: 80, plugged_in: false })),
            DesktopOrder::Volume(VolumeChange::Mute) => DesktopAnswer::Volume(VolumeState { percent: 50, muted: true }),
            DesktopOrder::Volume(VolumeChange::Percent(percent)) => {
                DesktopAnswer::Volume(VolumeState { percent: *percent, muted: false })
            }
            DesktopOrder::Volume(_) => DesktopAnswer::Volume(VolumeState { percent: 60, muted: false }),
            DesktopOrder::Windows => DesktopAnswer::Windows(self.windows.clone()),
            DesktopOrder::Arrange { .. } => DesktopAnswer::Arranged { seen: !self.is_unseen },
            DesktopOrder::Open { name } if name == "Calculator" => {
                DesktopAnswer::Opened { name: "Calculator".into(), seen: true }
            }
            DesktopOrder::Open { name } if name == "Paint" => {
                DesktopAnswer::Programs(vec!["Paint 2".into(), "Paint 3D".into()])
            }
            DesktopOrder::Open { .. } => DesktopAnswer::Programs(Vec::new()),
        })
    }
}

fn window(handle: u64, title: &str, application: &str, is_active: bool) -> TopWindow {
    let (title, application) = (title.to_owned(), application.to_owned());
    TopWindow { handle, title, application, is_active, is_minimised: false }
}

fn desk() -> ScriptedScreen {
    let mut screen = ScriptedScreen::new(vec![button("확인"), field("이름")]);
    screen.desktop.windows = vec![
        window(1, "편지 - Thunderbird", "thunderbird", true),
        window(2, "오늘의 소식 - Mozilla Firefox", "firefox", false),
        window(3, "Notes", "gedit", false),
        window(4, "어제의 소식 - Mozilla Firefox", "firefox", false),
    ];
    screen
}

// DSL-6
#[test]
fn time_battery_and_volume_are_told_dsl_6() {
    let check = |words: &str, said: &str| {
        let mut screen = desk();
        let report = screen.say(words);
        assert_eq!((report.outcome, report.said.as_str()), (Success, said), "{words}");
        assert_eq!(screen.desktop.asked.len(), 1, "{words}");
        assert!(screen.acts.is_empty() && screen.keys.is_empty(), "{words}");
    };
    check("지금 몇 시야", "오후 3시 7분이에요. 3월 4일 수요일이에요.");
    check("what time is it", "오후 3시 7분이에요. 3월 4일 수요일이에요.");
    check("배터리 얼마 남았어", "배터리 80퍼센트, 전원이 연결되어 있지 않아요.");
    check("볼륨 올려", "볼륨 60.");
    check("set the volume to 30", "볼륨 30.");
    check("음소거", "음소거했어요.");
}

// DSL-6
#[test]
fn a_slider_of_that_name_goes_before_the_volume_of_the_system_dsl_6() {
    let mut screen = ScriptedScreen::new(vec![shown("음량", Role::Slider, &[Capacity::SetNumber], &[])]);
    let report = screen.say("음량을 30으로");
    assert_eq!(
        screen.acts.last().map(|(_, action)| action.clone()),
        Some(ElementAction::SetNumber(30.0)),
        "{report:?}"
    );
    assert!(screen.desktop.asked.is_empty());
}

// DSL-6
#[test]
fn windows_are_switched_to_by_program_and_title_dsl_6() {
    let check = |words: &str, expect: Option<(u64, WindowArrangement)>| {
        let mut screen = desk();
        let report = screen.say(words);
        let arranged = screen.desktop.asked.iter().find_map(|asked| match asked {
            DesktopOrder::Arrange { window, how } => Some((*window, *how)),
            _ => None,
        });
        assert_eq!(arranged, expect, "{words}: {report:?}");
        assert_eq!(report.outcome, if expect.is_some() { Success } else { Failed }, "{words}: {report:?}");
    };
    check("루나, 창 닫아 줘", Some((1, WindowArrangement::Close)));
    check("파이어폭스로 전환", Some((2, WindowArrangement::Activate)));
    check("switch to Firefox", Some((2, WindowArrangement::Activate)));
    check("switch to Notes", Some((3, WindowArrangement::Activate)));
    check("minimise the window", Some((1, WindowArrangement::Minimise)));
    check("최대화해", Some((1, WindowArrangement::Maximise)));
    check("switch to Blender", None);
}

// DSL-6, TOOL-3
#[test]
fn a_program_is_opened_if_it_is_the_only_one_of_that_name_dsl_6_tool_3() {
    let check = |words: &str, outcome, said: &str| {
        let mut screen = desk();
        let report = screen.say(words);
        assert_eq!((report.outcome, report.said.as_str()), (outcome, said), "{words}");
    };
    check("open Calculator", Success, "Calculator: 열었어요.");
    check("launch Paint", Failed, "여럿이 있어요: Paint 2, Paint 3D. 이름을 끝까지 말해 주세요.");
    check("open Blender", Failed, "그런 프로그램이 없어요: Blender. 설치된 프로그램의 이름으로 말해 주세요.");
    // What the window shows by that name goes before.
    let mut screen = desk();
    screen.show(button("Calculator"));
    screen.say("open Calculator");
    assert_eq!((screen.pressed(), screen.desktop.asked.len()), (vec!["Calculator"], 0));
}

// DSL-6, EXE-2
#[test]
fn what_the_desktop_does_not_do_is_told_dsl_6_exe_2() {
    let mut unseen = desk();
    unseen.desktop.is_unseen = true;
    let report = unseen.say("minimise the window");
    assert_eq!((report.outcome, report.steps.len()), (Failed, 0), "{report:?}");
    let mut silent = desk();
    silent.desktop.is_silent = true;
    let report = silent.say("지금 몇 시야");
    assert_eq!(report.outcome, Failed, "{report:?}");
    assert!(report.said.contains("알려 주지 않아요"), "{report:?}");
}

// DSL-6
#[test]
fn where_one_is_names_window_and_focus_and_no_long_text_dsl_6() {
    let mut screen = desk();
    screen.elements[1].state.focused = true;
    assert_eq!(screen.say("여기가 어디야").said, "편지 - Thunderbird 창, 이름에 있어요.");
    let mut screen = desk();
    screen.show(shown(&"글 ".repeat(100), Role::Document, &[Capacity::Focus], &[]));
    screen.elements[2].state.focused = true;
    assert_eq!(screen.say("where am I").said, "편지 - Thunderbird 창이에요.");
}

// EXE-1, EXE-2
#[test]
fn scrolling_turns_the_wheel_and_looks_whether_it_moved_exe_1_exe_2() {
    let check = |words: &str, moves: bool, is_page: bool, notches: i16, outcome, verified: bool| {
        let mut screen = ScriptedScreen::new(vec![button("확인")]).with_input();
        screen.scrolls = moves;
        screen.pages = if is_page { vec![Rect::new(100, 100, 600, 450)] } else { Vec::new() };
        let report = screen.say(words);
        assert_eq!(screen.wheel.iter().map(|(_, turned)| *turned).collect::<Vec<_>>(), [notches], "{words}");
        assert_eq!(report.outcome, outcome, "{words}: {report:?}");
        let step = report.steps.first().expect("a step");
        assert_eq!((step.by, step.verified), (Some(ActedBy::Pointer), verified), "{words}: {report:?}");
        if is_page {
            assert!(screen.pages[0].contains(screen.wheel[0].0), "{words}");
        }
    };
    check("아래로 스크롤해 줘", true, true, 6, Success, true);
    check("scroll up", true, true, -6, Success, true);
    check("조금 내려", true, false, 3, Success, true);
    check("맨 위로 가 줘", true, false, -300, Success, true);
    check("scroll down", false, true, 6, Failed, false);
    // A program that does not tell where its lines are.
    check("scroll down", false, false, 8, Success, false);
}

// EXE-1
#[test]
fn the_wheel_never_turns_over_a_number_or_a_choice_exe_1() {
    let mut screen = ScriptedScreen::new(Vec::new()).with_input();
    screen.show(shown("크기", Role::Slider, &[Capacity::SetNumber], &[]));
    screen.elements[0].state.element.bbox = Rect::new(300, 200, 200, 200);
    screen.say("scroll down");
    let (at, _) = screen.wheel[0];
    assert!(!screen.elements[0].state.element.bbox.contains(at), "{at:?}");
    screen.elements[0].state.element.bbox = Rect::new(0, 0, 800, 600);
    assert_eq!(screen.say("scroll down").outcome, Failed);
    assert_eq!(screen.wheel.len(), 1);
    assert_ne!(at, Point { x: 400, y: 300 });
}

// KER-11
#[test]
fn a_stop_keeps_the_desktop_as_it_is_ker_11() {
    for words in ["볼륨 올려", "scroll down"] {
        let mut screen = desk().with_input();
        screen.take(ExecutorEvent::Order(ScriptedScreen::spoken(words, OrderSource::Voice)));
        // Asked for, and not done yet.
        while screen.perform_next() && screen.waiting.iter().all(|effect| !is_done_outside(effect)) {}
        let stop = screen.stop();
        screen.take(stop);
        screen.settle();
        assert!(screen.wheel.is_empty() && screen.desktop.asked.is_empty(), "{words}");
        assert_eq!(screen.reports[0].1.outcome, Refused, "{words}");
    }
}

const fn is_done_outside(effect: &ExecutorEffect) -> bool {
    matches!(effect, ExecutorEffect::Desktop { .. } | ExecutorEffect::Scroll { .. })
}

fn combo_box() -> ScriptedScreen {
    let combo = shown("Country", Role::ComboBox, &[Capacity::Expand, Capacity::Press], &[State::Collapsed]);
    ScriptedScreen::new(vec![combo, button("Submit")])
}

// EXE-5
#[test]
fn a_closed_list_is_opened_for_its_option_and_closed_again_exe_5() {
    let mut screen = combo_box();
    screen.take(ExecutorEvent::Order(ScriptedScreen::spoken("select Korea from the list", OrderSource::Voice)));
    screen.until_acted();
    // The options are shown now.
    let option = shown("Korea", Role::MenuItem, &[Capacity::Select, Capacity::Press], &[State::Unselected]);
    screen.show(option);
    screen.settle();
    (0..4).for_each(|_| screen.pass());
    let (_, report) = &screen.reports[0];
    assert_eq!((report.outcome, report.said.as_str()), (Success, "Korea: 골랐어요."), "{report:?}");
    assert_eq!(screen.pressed(), ["Country", "Korea", "Country"], "{:?}", screen.acts);
}

// EXE-5
#[test]
fn nothing_is_opened_for_what_is_pressed_or_if_several_lists_may_hold_it_exe_5() {
    let mut screen = combo_box();
    assert_eq!(screen.say("click Korea").outcome, Failed);
    assert!(screen.acts.is_empty());
    let mut screen = combo_box();
    screen.show(shown("Language", Role::ComboBox, &[Capacity::Expand, Capacity::Press], &[State::Collapsed]));
    assert_eq!(screen.say("select Korea").outcome, Failed);
    assert!(screen.acts.is_empty());
    // Named, it is known which.
    screen
        .take(ExecutorEvent::Order(ScriptedScreen::spoken("select Korea in the Country dropdown", OrderSource::Voice)));
    screen.until_acted();
    assert_eq!(screen.pressed(), ["Country"]);
}

// EXE-4
#[test]
fn keys_are_pressed_as_often_as_was_said_exe_4() {
    let check = |words: &str, expect: &[&str]| {
        let mut screen = ScriptedScreen::new(vec![button("확인")]);
        screen.say(words);
        assert_eq!(screen.keys, expect, "{words}");
    };
    check("탭 두 번 눌러", &["Tab", "Tab"]);
    check("press down arrow 3 times", &["Down", "Down", "Down"]);
    check("press enter twice", &["Enter", "Enter"]);
    check("엔터 한 번 눌러", &["Enter"]);
}

// EXE-3, EXE-6
#[test]
fn what_only_lies_around_another_of_its_name_is_no_option_exe_3_exe_6() {
    let mut screen = ScriptedScreen::new(vec![
        shown("Settings", Role::Tab, &[Capacity::Press, Capacity::Select], &[]),
        shown("Settings", Role::Hyperlink, &[Capacity::Press], &[]),
    ]);
    // As pages have it: the link sticks out a little.
    screen.elements[0].state.element.bbox = Rect::new(50, 184, 42, 24);
    screen.elements[1].state.element.bbox = Rect::new(51, 185, 45, 23);
    assert_eq!(screen.say("click Settings").outcome, Success);
    // Two of the same kind beside each other are two.
    screen.elements[1].state.element.bbox = Rect::new(151, 185, 45, 23);
    assert_ne!(screen.say("click Settings").outcome, Success);
}

// EXE-3
#[test]
fn any_that_fits_will_do_if_that_is_said_exe_3() {
    let check = |words: &str, presses: usize| {
        let mut screen = ScriptedScreen::new(vec![button("하나"), button("둘")]);
        screen.say(words);
        assert_eq!(screen.pressed().len(), presses, "{words}");
    };
    check("아무 버튼이나 눌러 줘", 1);
    check("press any button", 1);
    check("press the button", 0);
    check("press a button", 0);
}

// EXE-1, EXE-5, EXE-7
#[test]
fn on_the_way_through_a_menu_of_a_page_nothing_is_pressed_exe_1_exe_5_exe_7() {
    let menu = |is_page: bool| {
        let can = &[Capacity::Press, Capacity::Focus];
        let mut screen = ScriptedScreen::new(vec![
            shown("Fruit", Role::MenuItem, can, &[State::HasPopup]),
            shown("Apple", Role::MenuItem, can, &[]),
        ])
        .with_input();
        screen.pages = if is_page { vec![Rect::new(0, 0, 700, 500)] } else { Vec::new() };
        screen
    };
    let mut page = menu(true);
    page.say("select Fruit > Apple");
    // The page takes what the pointer is on for chosen, so the last one is clicked.
    assert_eq!((page.hovered.len(), page.inputs.len(), page.acts.len()), (1, 1, 0), "{:?}", page.reports);
    // A program opens the menu of an entry that is pressed.
    let mut program = menu(false);
    program.say("select Fruit > Apple");
    assert_eq!((program.hovered.len(), program.pressed()), (0, vec!["Fruit", "Apple"]), "{:?}", program.reports);
    // The last one is pressed, whatever it has.
    let mut last = menu(true);
    last.say("click Fruit");
    assert_eq!((last.hovered.len(), last.pressed()), (0, vec!["Fruit"]), "{:?}", last.reports);
}

// DSL-6, NLU-3
#[test]
fn saving_under_another_name_presses_keys_if_nothing_is_called_so_dsl_6_nlu_3() {
    let mut screen = ScriptedScreen::new(vec![button("저장")]);
    screen.say("다른 이름으로 저장해 줘");
    assert_eq!((screen.keys.as_slice(), screen.acts.len()), (["Ctrl+Shift+S".to_owned()].as_slice(), 0));
    let mut screen = ScriptedScreen::new(vec![button("저장"), button("다른 이름으로 저장")]);
    screen.say("다른 이름으로 저장해 줘");
    assert_eq!((screen.pressed(), screen.keys.len()), (vec!["다른 이름으로 저장"], 0));
}

// DSL-6, EXE-2
#[test]
fn a_window_that_asks_before_it_closes_is_told_and_keys_close_what_the_desktop_does_not_know_dsl_6_exe_2() {
    let mut screen = desk();
    screen.desktop.is_unseen = true;
    let report = screen.say("close the window");
    assert_eq!(report.outcome, Failed, "{report:?}");
    assert!(report.said.contains("아직 열려 있어요") && screen.keys.is_empty(), "{report:?}");
    for is_silent in [true, false] {
        let mut screen = desk();
        screen.desktop.is_silent = is_silent;
        screen.desktop.windows.clear();
        assert_eq!(screen.say("close the window").outcome, Success);
        assert_eq!(screen.keys, ["Alt+F4"], "{is_silent}");
    }
}
