//! Calls of tools: what is looked at freely, what needs the person's yes, what a yes holds for (TOOL-1 to TOOL-3, DNG-2, PRV-3, PRV-5).
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)]

#[path = "support/harness.rs"]
mod harness;

use harness::{ToolsHarness, WINDOW, element, elements, window};
use luna_messages::executor::{ExecutorMessage, PermissionAnswer, RequestedAction};
use luna_messages::input::{InputRefusal, InputResult, MouseButton};
use luna_messages::pick::{Role, WindowInfo};
use luna_messages::tools::{ToolFailureKind, ToolReport, ToolsMessage};
use luna_messages::{Point, Rect, RequestId};
use luna_platform::input::fault::{InputFault, SentInput};
use serde_json::{Value, json};

fn failure(report: &ToolReport) -> ToolFailureKind {
    report.error.as_ref().unwrap_or_else(|| panic!("it succeeded: {:?}", report.data)).kind
}

// TOOL-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn looking_is_free_tool_1() {
    let harness = ToolsHarness::new();
    for (tool, input, path, expect) in [
        ("echo", json!({"text": "가"}), "/text", json!("가")),
        ("wait", json!({"ms": 5}), "/waited_ms", json!(5)),
        ("list_windows", json!({}), "/windows/0/title", json!("Editor")),
        ("list_windows", json!({}), "/windows/0/program", json!("program3")),
        ("read_screen", json!({}), "/node/programName", json!("program3")),
        ("read_screen", json!({}), "/elements/0/text", json!("저장")),
        ("read_screen", json!({}), "/elements/0/type", json!("button")),
        ("ocr", json!({}), "/lines/0/text", json!("저장")),
    ] {
        let (_, report) = harness.call(tool, input);
        let report = harness.end(report, &[("저장", Rect::new(10, 10, 80, 30), 0.9)]).await;
        assert!(report.success, "{tool}: {:?}", report.error);
        assert_eq!(report.data.unwrap().pointer(path), Some(&expect), "{tool} {path}");
        assert!(luna_test_support::drain(&harness.executor).is_empty(), "{tool} asks nobody");
    }
}

// TOOL-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_t_be_done_is_told_tool_1() {
    let harness = ToolsHarness::new();
    harness.programs.install(&["Text Editor", "Photo Editor"]);
    for (tool, input, kind) in [
        ("format_disk", json!({}), ToolFailureKind::UnknownTool),
        ("echo", json!({}), ToolFailureKind::InvalidInput),
        ("navigate_to", json!({"target": "settings"}), ToolFailureKind::NotAvailable),
        ("read_screen", json!({"mode": "detailed"}), ToolFailureKind::NotAvailable),
        ("click", json!({"x": 5000, "y": 5}), ToolFailureKind::NotFound),
        ("click", json!({"text": "없는 글"}), ToolFailureKind::NotFound),
        ("launch_app", json!({"name": "games"}), ToolFailureKind::NotFound),
        ("launch_app", json!({"name": "editor"}), ToolFailureKind::NotFound),
    ] {
        let (_, report) = harness.call(tool, input);
        let report = harness.end(report, &[]).await;
        assert_eq!(failure(&report), kind, "{tool}: {:?}", report.error);
    }
    assert!(luna_test_support::drain(&harness.executor).is_empty(), "nobody is asked for what can't be done");
}

// PRV-3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_protected_field_holds_is_in_no_result_prv_3() {
    let harness = ToolsHarness::new();
    let (_, report) = harness.call("read_screen", json!({}));
    let report = harness.end(report, &[]).await;
    let shown = report.data.unwrap().to_string();
    assert!(shown.contains("비밀번호") && !shown.contains("hunter2"), "{shown}");
    let (_, _report) = harness.call("click", json!({"x": 20, "y": 100}));
    let (request, _reply) = harness.question(&[]).await;
    assert_eq!(request.action, RequestedAction::Click { target: "비밀번호".to_owned(), at: Point::new(20, 100) });
    assert!(request.labels.iter().all(|label| !label.contains("hunter2")));
}

/// Each acting call, with what it sends once it is allowed.
fn acting() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("click", json!({"x": 20, "y": 20}), "click"),
        ("click", json!({"text": "저장"}), "click"),
        ("type", json!({"text": "hello"}), "text"),
        ("key_press", json!({"keys": "Ctrl+S"}), "press"),
        ("scroll", json!({"direction": "down", "pages": 2}), "press"),
        ("launch_app", json!({"name": "editor"}), "launch"),
    ]
}

const SAVE: &[(&str, Rect, f32)] =
    &[("저장", Rect::new(10, 10, 80, 30), 0.95), ("삭제", Rect::new(10, 50, 80, 30), 0.9)];

fn sent(harness: &ToolsHarness) -> Vec<&'static str> {
    let input = harness.input.sent().into_iter().map(|sent| match sent {
        SentInput::Click(_) => "click",
        SentInput::Hover(_) => "hover",
        SentInput::Scroll { .. } => "wheel",
        SentInput::Press { .. } => "press",
        SentInput::Text { .. } => "text",
    });
    input.chain(harness.programs.launched().iter().map(|_| "launch")).collect()
}

// DNG-2, PRV-5
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_done_without_the_person_s_yes_to_this_very_call_dng_2_prv_5() {
    for (tool, input, what) in acting() {
        for answer in
            [Some(PermissionAnswer::Granted), Some(PermissionAnswer::Refused), Some(PermissionAnswer::Busy), None]
        {
            let harness = ToolsHarness::new();
            harness.programs.install(&["Editor"]);
            let (id, report) = harness.call(tool, input.clone());
            let (request, reply) = harness.question(SAVE).await;
            assert_eq!(request.id, id, "the question is about this call");
            assert!(sent(&harness).is_empty(), "{tool}: nothing before the answer");
            match answer {
                Some(answer) => reply.answer(answer),
                // The component that asks ended: that allows nothing.
                None => drop(reply),
            }
            let report = harness.end(report, SAVE).await;
            let expect = match answer {
                Some(PermissionAnswer::Granted) => {
                    assert!(report.success, "{tool}: {:?}", report.error);
                    assert_eq!(sent(&harness), [what], "{tool}");
                    continue;
                }
                Some(PermissionAnswer::Refused) => ToolFailureKind::NotAllowed,
                Some(PermissionAnswer::Busy) => ToolFailureKind::Busy,
                None => ToolFailureKind::Failed,
            };
            assert_eq!(failure(&report), expect, "{tool}");
            assert!(sent(&harness).is_empty(), "{tool}: {answer:?}");
        }
    }
}

// KER-11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_ends_a_call_and_a_yes_that_comes_later_does_nothing_ker_11() {
    for (tool, input, _) in acting() {
        let harness = ToolsHarness::new();
        harness.programs.install(&["Editor"]);
        let (_, report) = harness.call(tool, input);
        let (_, reply) = harness.question(SAVE).await;
        let at = RequestId::next();
        harness.stops.stop(at);
        harness.inbox.post(ToolsMessage::Stop { at }).unwrap();
        assert_eq!(failure(&harness.end(report, SAVE).await), ToolFailureKind::Stopped, "{tool}");
        reply.answer(PermissionAnswer::Granted);
        let (_, echo) = harness.call("echo", json!({"text": "later"}));
        assert!(harness.end(echo, SAVE).await.success, "a later call is not stopped");
        // Else the executor would let the program wait, as if it had given up its question.
        let messages = luna_test_support::drain(&harness.executor);
        assert!(!messages.iter().any(|message| matches!(message, ExecutorMessage::EndPermit { .. })), "{tool}");
        assert!(sent(&harness).is_empty(), "{tool}");
    }
}

// KER-11: the barrier alone, if the stop's message is still on its way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_barrier_of_a_call_stops_it_without_the_actor_ker_11() {
    for (tool, input, _) in acting() {
        let harness = ToolsHarness::new();
        harness.programs.install(&["Editor"]);
        let (_, report) = harness.call(tool, input);
        let (_, reply) = harness.question(SAVE).await;
        harness.stops.stop(RequestId::next());
        reply.answer(PermissionAnswer::Granted);
        assert_eq!(failure(&harness.end(report, SAVE).await), ToolFailureKind::Stopped, "{tool}");
        assert!(sent(&harness).is_empty(), "{tool}");
    }
}

// KER-6
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_is_gone_takes_its_question_with_it_ker_6() {
    let harness = ToolsHarness::new();
    let (id, _report) = harness.call("type", json!({"text": "hello"}));
    let (_, _reply) = harness.question(&[]).await;
    harness.inbox.post(ToolsMessage::Cancel { id }).unwrap();
    let closed = async {
        loop {
            let messages = luna_test_support::drain(&harness.executor);
            if messages
                .iter()
                .any(|message| matches!(message, ExecutorMessage::EndPermit { id: ended } if *ended == id))
            {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(harness::PATIENCE, closed).await.expect("the question is closed");
    assert!(sent(&harness).is_empty());
}

// DNG-2
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yes_does_not_hold_once_the_screen_is_another_dng_2() {
    let other = |bounds| WindowInfo { handle: WINDOW + 1, process: 9, title: "Other".to_owned(), bounds };
    for tool in ["type", "key_press", "scroll"] {
        let harness = ToolsHarness::new();
        let (_, report) = harness.call(tool, acting().into_iter().find(|(name, ..)| *name == tool).unwrap().1);
        let (_, reply) = harness.question(&[]).await;
        harness.actions.set_windows(vec![other(window().bounds)]);
        reply.answer(PermissionAnswer::Granted);
        assert_eq!(failure(&harness.end(report, &[]).await), ToolFailureKind::Changed, "{tool}");
        assert!(sent(&harness).is_empty());
    }
    // The text that was found is gone, or elsewhere.
    for later in [
        vec![],
        vec![("저장", Rect::new(300, 300, 80, 30), 0.95)],
        vec![("저장 안 함", Rect::new(10, 10, 80, 30), 0.95)],
    ] {
        let harness = ToolsHarness::new();
        let (_, report) = harness.call("click", json!({"text": "저장"}));
        let (_, reply) = harness.question(SAVE).await;
        reply.answer(PermissionAnswer::Granted);
        assert_eq!(failure(&harness.end(report, &later).await), ToolFailureKind::Changed, "{later:?}");
        assert!(sent(&harness).is_empty());
    }
}

// TOOL-2
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_is_clicked_in_the_middle_of_its_most_certain_place_tool_2() {
    let harness = ToolsHarness::new();
    let lines = [
        ("저장 안 함", Rect::new(300, 300, 80, 30), 0.6),
        ("저장", Rect::new(10, 10, 80, 30), 0.95),
        ("삭제", Rect::new(10, 50, 80, 30), 0.99),
    ];
    let (_, report) = harness.call("click", json!({"text": "저장", "button": "right", "double": true}));
    let (request, reply) = harness.question(&lines).await;
    assert_eq!(request.action, RequestedAction::Click { target: "저장".to_owned(), at: Point::new(50, 25) });
    reply.answer(PermissionAnswer::Granted);
    let report = harness.end(report, &lines).await;
    let data = report.data.unwrap();
    assert_eq!(data["mode"], "text");
    assert_eq!(data["found_text"], "저장");
    assert_eq!(data["bbox"], json!([10, 10, 80, 30]));
    assert!(data["confidence"].as_f64().is_some_and(|confidence| (confidence - 0.95).abs() < 1e-3));
    let [SentInput::Click(click)] = &harness.input.sent()[..] else { panic!("{:?}", harness.input.sent()) };
    assert_eq!((click.at.point, click.at.window, click.at.bounds), (Point::new(50, 25), WINDOW, window().bounds));
    assert_eq!((click.button, click.is_double), (MouseButton::Right, true));
    // The same picture tells that the text is still there: it is not recognised once more.
    let looks = [&harness.recognitions, &harness.shots].map(|count| count.load(std::sync::atomic::Ordering::Relaxed));
    assert_eq!(looks, [1, 2]);
}

// DNG-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_be_dangerous_goes_with_the_question_dng_1() {
    let mut described = elements();
    described[0].properties.description = "모두 삭제합니다".to_owned();
    for (elements, input, lines, word) in [
        (elements(), json!({"x": 20, "y": 60}), vec![], "삭제"),
        (described, json!({"x": 20, "y": 20}), vec![], "모두 삭제합니다"),
        (
            elements_named("확인", "Delete all"),
            json!({"text": "확인"}),
            vec![("확인", Rect::new(10, 10, 80, 30), 0.9)],
            "Delete all",
        ),
        (
            elements(),
            json!({"text": "비우기"}),
            vec![("휴지통 비우기", Rect::new(200, 200, 80, 30), 0.9)],
            "휴지통 비우기",
        ),
    ] {
        let harness = ToolsHarness::on(elements);
        let (_, _report) = harness.call("click", input.clone());
        let (request, _reply) = harness.question(&lines).await;
        assert!(request.labels.iter().any(|label| label == word), "{input}: {:?}", request.labels);
    }
    let harness = ToolsHarness::new();
    let (_, _report) = harness.call("type", json!({"text": "rm -r delete\n"}));
    let (request, _reply) = harness.question(&[]).await;
    assert!(request.labels.iter().any(|label| label.contains("delete")), "with Enter, a text may act");
}

/// A button that shows one thing, and is called another by the tree.
fn elements_named(text: &str, label: &str) -> Vec<luna_messages::pick::Element> {
    vec![element("one", Role::Button, text, label, Rect::new(10, 10, 80, 30))]
}

// EXE-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_hit_test_does_not_confirm_is_not_clicked_and_nothing_is_tried_twice_exe_7() {
    for (result, kind) in [
        (InputResult::NotDone(InputRefusal::Covered { by: None }), ToolFailureKind::Covered),
        (InputResult::NotDone(InputRefusal::Moved), ToolFailureKind::Changed),
        (InputResult::NotDone(InputRefusal::Grabbed), ToolFailureKind::Failed),
        (
            InputResult::Partly { sent: 1, why: luna_messages::input::InputInterruption::NoAnswer },
            ToolFailureKind::Partly,
        ),
    ] {
        let harness = ToolsHarness::new();
        harness.input.order(InputFault::Answer(result.clone()));
        let (_, report) = harness.call("click", json!({"x": 20, "y": 20}));
        let (_, reply) = harness.question(&[]).await;
        reply.answer(PermissionAnswer::Granted);
        assert_eq!(failure(&harness.end(report, &[]).await), kind, "{result:?}");
        assert!(harness.input.sent().len() <= 1, "once at most");
    }
}

// DNG-2, EXE-7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_for_yes_may_be_held_a_while_and_nothing_is_sent_twice_dng_2_exe_7() {
    for (tool, input, what) in acting().into_iter().filter(|(.., what)| *what != "launch") {
        let harness = ToolsHarness::new();
        for _ in 0..3 {
            harness.input.order(InputFault::Answer(InputResult::NotDone(InputRefusal::Held)));
        }
        let (_, report) = harness.call(tool, input);
        let (_, reply) = harness.question(SAVE).await;
        reply.answer(PermissionAnswer::Granted);
        let report = harness.end(report, SAVE).await;
        assert!(report.success, "{tool}: {:?}", report.error);
        assert_eq!(sent(&harness), [what], "{tool}");
    }
}
