//! The actor with a scripted screen: an order is done once, a question is asked of the person, a stop holds whatever hangs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "orders/by_model.rs"]
mod by_model;
#[path = "support/harness.rs"]
mod harness;

use std::time::Duration;

use harness::{ExecutorHarness, PATIENCE, WINDOW, button};
use luna_messages::bus::BusEvent;
use luna_messages::control::Command;
use luna_messages::desktop_order::{BatteryState, TopWindow, WindowArrangement};
use luna_messages::element_action::{ActionResult, NoEffectProof, ObservedChange};
use luna_messages::executor::{ActedBy, ExecutorMessage, OrderOutcome, OrderSource};
use luna_messages::input::{ClickPoint, ClickRequest, NoClickPoint};
use luna_messages::listening::{ListeningMessage, Questioner};
use luna_messages::{ElementId, Lang, NoReply, Point, Rect, RequestId};
use luna_platform::PlatformError;
use luna_platform::accessibility::fault::ActionFault;
use luna_platform::input::fault::SentInput;

// EXE-1, EXE-2
#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_done_once_seen_and_told_exe_1_exe_2() {
    let luna = ExecutorHarness::new(vec![button("a", "저장"), button("bb", "취소")]);
    luna.screen.change_after(vec![ObservedChange::WindowOpened]);
    let report = luna.report("저장 눌러", OrderSource::Program).await;
    assert_eq!((report.outcome, luna.done()), (OrderOutcome::Success, vec!["a".to_owned()]), "{report:?}");
    assert!(report.steps[0].verified && luna.says().await.text.contains("눌렀어요"));
    luna.wait("the watch ends with the order", |luna| luna.screen.watch_count() == 0).await;
    let told = |event: &BusEvent| matches!(event, BusEvent::ExecutorReport { report: told } if *told == report);
    assert!(luna.events.lock().unwrap().iter().any(told));
    // Nothing changes: it is told, and not done again.
    luna.screen.change_after(Vec::new());
    let report = luna.report("취소 눌러", OrderSource::Voice).await;
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Failed, 2), "{report:?}");
    // The screen can't be read.
    luna.screen.fail(Some(PlatformError::NoAnswer));
    assert_eq!(luna.report("저장 눌러", OrderSource::Voice).await.outcome, OrderOutcome::Failed);
}

// EXE-7, KER-11: an application that never answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_holds_while_the_application_hangs_exe_7_ker_11() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    luna.screen.order(ActionFault::Never);
    let (_, report) = luna.order("저장 눌러", OrderSource::Voice);
    luna.wait("it is under way", |luna| luna.done().len() == 1).await;
    luna.inbox.post(ExecutorMessage::Stop { at: RequestId::next() }).unwrap();
    let report = tokio::time::timeout(PATIENCE, report).await.unwrap().unwrap().unwrap();
    assert_eq!(report.outcome, OrderOutcome::Refused);
    assert!(luna.says().await.text.contains("멈췄어요"));
    assert_eq!(luna.done().len(), 1);
    luna.wait("nothing is watched", |luna| luna.screen.watch_count() == 0).await;
}

// KER-11: the Reflex actor raises the barrier before this actor hears of the stop.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_ordered_before_a_stop_is_not_done_though_the_stop_is_not_heard_yet_ker_11() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    let stop = RequestId(u64::MAX);
    luna.stops.stop(stop);
    let report = luna.report("저장 눌러", OrderSource::Voice).await;
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Failed, 0), "{report:?}");
}

// DNG-2
#[tokio::test(flavor = "multi_thread")]
async fn a_question_waits_for_the_person_dng_2() {
    let luna = ExecutorHarness::new(vec![button("a", "삭제")]);
    luna.screen.change_after(vec![ObservedChange::WindowOpened]);
    let asking = |luna: &ExecutorHarness| {
        luna.listening.take_all().into_iter().rev().find_map(|message| match message {
            ListeningMessage::Asking { who: Questioner::Executor, asking } => Some(asking),
            _ => None,
        })
    };
    let report = luna.report("삭제 눌러", OrderSource::Program).await;
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Confirm, 0), "{report:?}");
    assert_eq!(asking(&luna), Some(true));
    let question = luna.says().await;
    assert!(question.text.contains("루나, 예") && question.lang == Lang::Ko, "{question:?}");
    // Before it was heard nobody can agree, and programs never do.
    assert_eq!(luna.report("루나, 예", OrderSource::Voice).await.outcome, OrderOutcome::Confirm);
    let question = luna.says().await;
    luna.finish(&question);
    assert_eq!(luna.report("루나, 예", OrderSource::Program).await.outcome, OrderOutcome::Confirm);
    assert!(luna.done().is_empty());
    let report = luna.report("루나, 예", OrderSource::Voice).await;
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Success, 1), "{report:?}");
    assert_eq!(asking(&luna), Some(false));
    let events = luna.events.lock().unwrap().clone();
    assert!(
        events.iter().any(|event| matches!(event, BusEvent::ExecutorQuestion { options, .. } if options.len() == 1))
    );
    assert!(events.iter().any(|event| matches!(event, BusEvent::ExecutorQuestionClosed {})));
}

// KER-7, KER-11: whoever waits is told if the actor crashes.
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_of_a_call_ends_one_order_ker_7_ker_11() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    luna.screen.order(ActionFault::Panic);
    let (_, lost) = luna.order("저장 눌러", OrderSource::Voice);
    let answer = tokio::time::timeout(PATIENCE, lost).await.expect("in time").expect("an answer");
    assert!(
        matches!(&answer, Err(NoReply::Crashed)) || answer.is_ok_and(|report| report.outcome == OrderOutcome::Failed)
    );
    luna.screen.change_after(vec![ObservedChange::WindowOpened]);
    let report = luna.report("저장 눌러", OrderSource::Voice).await;
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Success, 1), "{report:?}");
}

// EXE-2: the answer and what changed come in any order, and late.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_late_counts_exe_2() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    luna.screen.change_after(vec![ObservedChange::WindowOpened]);
    luna.screen.order(ActionFault::Late(Duration::from_millis(300), ActionResult::Accepted));
    let report = luna.report("저장 눌러", OrderSource::Voice).await;
    assert_eq!((report.outcome, luna.done().len()), (OrderOutcome::Success, 1), "{report:?}");
}

// EXE-4, DSL-6
#[tokio::test(flavor = "multi_thread")]
async fn keys_go_to_the_active_window_and_commands_to_luna_itself_exe_4_dsl_6() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    let report = luna.report("컨트롤 에스 눌러", OrderSource::Program).await;
    assert_eq!(report.outcome, OrderOutcome::Success, "{report:?}");
    let chord = "ctrl+s".parse().unwrap();
    assert_eq!(luna.input.sent(), [SentInput::Press { chord, times: 1, window: WINDOW }]);
    let report = luna.report("집중 모드 켜", OrderSource::Program).await;
    assert_eq!(report.outcome, OrderOutcome::Success, "{report:?}");
    let commands: Vec<_> = luna.reflex.take_all().into_iter().map(|message| message.command()).collect();
    assert_eq!(commands, [Command::FocusOn]);
}

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn a_click_stands_in_for_what_the_application_declined_exe_1_exe_7() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    let bounds = Rect::new(0, 0, 800, 600);
    let at = ClickPoint { point: Point::new(50, 55), window: WINDOW, bounds, is_confirmed: true };
    luna.screen.set_click_point(ElementId("a".to_owned()), Ok(at));
    luna.screen.order(ActionFault::Answer(ActionResult::NoEffect(NoEffectProof::Declined)));
    let report = luna.report("저장 눌러", OrderSource::Program).await;
    assert_eq!(
        (luna.input.sent(), luna.done().len()),
        (vec![SentInput::Click(ClickRequest::left(at))], 0),
        "{report:?}"
    );
    assert_eq!(report.steps[0].by, Some(ActedBy::Pointer), "{report:?}");
    // Something else lies there: nothing is clicked, and that is told.
    luna.screen.set_click_point(ElementId("a".to_owned()), Err(NoClickPoint::Covered));
    luna.screen.order(ActionFault::Answer(ActionResult::NoEffect(NoEffectProof::Declined)));
    let report = luna.report("저장 눌러", OrderSource::Program).await;
    assert_eq!((report.outcome, luna.input.sent().len()), (OrderOutcome::Failed, 1), "{report:?}");
    assert!(report.said.contains("가려져"), "{report:?}");
}

// DSL-6, KER-11
#[tokio::test(flavor = "multi_thread")]
async fn the_desktop_is_asked_once_and_not_after_a_stop_dsl_6_ker_11() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    luna.desktop.script().battery = Some(BatteryState { percent: 41, plugged_in: true });
    let report = luna.report("배터리 얼마 남았어", OrderSource::Voice).await;
    assert_eq!(
        (report.outcome, report.said.as_str()),
        (OrderOutcome::Success, "배터리 41퍼센트, 전원에 연결되어 있어요.")
    );
    let report = luna.report("volume up", OrderSource::Program).await;
    assert_eq!((report.outcome, luna.desktop.script().volume.percent), (OrderOutcome::Success, 60), "{report:?}");
    luna.desktop.script().windows = vec![TopWindow {
        handle: 9,
        title: "Notes".to_owned(),
        application: "gedit".to_owned(),
        is_active: false,
        is_minimised: false,
    }];
    assert_eq!(luna.report("switch to Notes", OrderSource::Voice).await.outcome, OrderOutcome::Success);
    assert_eq!(luna.desktop.script().arranged, [(9, WindowArrangement::Activate)]);
    luna.desktop.script().fails = Some(PlatformError::NoAnswer);
    let report = luna.report("switch to Notes", OrderSource::Voice).await;
    assert_eq!(report.outcome, OrderOutcome::Failed, "{report:?}");
    luna.desktop.script().fails = None;
    // The Reflex actor raised the barrier.
    luna.stops.stop(RequestId(u64::MAX));
    assert_eq!(luna.report("switch to Notes", OrderSource::Voice).await.outcome, OrderOutcome::Failed);
    assert_eq!(luna.desktop.script().arranged.len(), 1);
}

// DSL-6, TOOL-3
#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_installed_is_not_opened_dsl_6_tool_3() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    let report = luna.report("open Blender", OrderSource::Voice).await;
    assert_eq!(report.outcome, OrderOutcome::Failed, "{report:?}");
    assert!(report.steps.is_empty());
}

// EXE-1, EXE-2
#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_is_turned_over_the_active_window_exe_1_exe_2() {
    let luna = ExecutorHarness::new(vec![button("a", "저장")]);
    let report = luna.report("아래로 스크롤해 줘", OrderSource::Voice).await;
    let sent = luna.input.sent();
    let [SentInput::Scroll { at, notches }] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!((at.window, *notches, report.steps.len()), (WINDOW, 8, 1), "{report:?}");
    // Nothing moved on this screen, which does not tell where its lines are.
    assert_eq!((report.outcome, report.steps[0].verified), (OrderOutcome::Success, false), "{report:?}");
    luna.stops.stop(RequestId(u64::MAX));
    luna.report("scroll up", OrderSource::Voice).await;
    assert_eq!(luna.input.sent().len(), 1);
}
