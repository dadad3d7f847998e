//! Orders, from the words until they are done and verified.

use luna_messages::executor::{ActedBy, OrderOutcome};
use serde_json::{Value, json};

use crate::scene::ActingScene;
use crate::times::{Times, rows};

/// Where the pointer is before each order: beside the window.
const ASIDE: (i32, i32) = (1880, 1040);

/// One kind of order. The peer undoes what Luna did, so that each has something to do each time.
struct OrderCase {
    name: &'static str,
    by: ActedBy,
    /// In Korean and in English.
    said: [&'static str; 2],
    /// What the window has to tell after it.
    done: Value,
    /// What the peer does, to which element, and with which value.
    peer: (&'static str, &'static str, Value),
    undone: Value,
}

fn cases() -> Vec<OrderCase> {
    let pressed = |who: &str| json!({"who": who, "what": "clicked"});
    let toggled = |who: &str, on: bool| json!({"who": who, "what": "toggled", "on": on});
    let counted = |number: f64| json!({"who": "count", "what": "value", "number": number});
    let written = |text: &str| json!({"who": "entry", "what": "changed", "text": text});
    vec![
        OrderCase {
            name: "press a button",
            by: ActedBy::Tree,
            said: ["저장 눌러", "click Save"],
            done: pressed("save"),
            peer: ("press", "Save 저장", Value::Null),
            undone: pressed("save"),
        },
        OrderCase {
            name: "switch a check box",
            by: ActedBy::Tree,
            said: ["알림 켜", "turn on Notify"],
            done: toggled("check", true),
            peer: ("toggle", "Notify 알림", Value::Null),
            undone: toggled("check", false),
        },
        OrderCase {
            name: "choose one of several",
            by: ActedBy::Tree,
            said: ["매주 선택해", "select Weekly"],
            done: toggled("weekly", true),
            peer: ("select", "Daily 매일", Value::Null),
            undone: toggled("weekly", false),
        },
        OrderCase {
            name: "set a number",
            by: ActedBy::Tree,
            said: ["개수 옆의 스피너를 7로 설정해", "set the spinner right of Count to 7"],
            done: counted(7.0),
            peer: ("number", "Count 개수", json!(3)),
            undone: counted(3.0),
        },
        OrderCase {
            name: "enter a text",
            by: ActedBy::Tree,
            said: ["이름에 Alice 입력해", "type Alice into Name"],
            done: written("Alice"),
            peer: ("text", "Name 이름", json!("Before 전")),
            undone: written("Before 전"),
        },
        OrderCase {
            name: "click what has no action in the tree",
            by: ActedBy::Pointer,
            said: ["도장 눌러", "click Stamp"],
            done: pressed("stamp"),
            peer: ("pointer", "Stamp 도장", Value::Null),
            undone: pressed("stamp"),
        },
    ]
}

/// Gives each order `rounds` times in each language, by turns with the peer.
pub fn measure(scene: &mut ActingScene, rounds: usize) -> Vec<Value> {
    let (mut report, mut by_tree) = (Vec::new(), (Times::default(), Times::default()));
    // The rules of understanding are made once, beside the start.
    scene.order("지금 몇 시야");
    scene.silence();
    for case in cases() {
        let (mut ours, mut peer) = (Times::default(), Times::default());
        // The first round warms up both.
        for round in 0..=rounds {
            for said in case.said {
                let (luna, other) = one(scene, &case, said);
                if round > 0 {
                    ours.add(luna);
                    peer.add(other);
                }
            }
        }
        let goal = if case.by == ActedBy::Tree { "≤ 150" } else { "≤ 400" };
        report.extend(rows(case.name, &ours, &peer, Some(goal)));
        if case.by == ActedBy::Tree {
            by_tree.0.extend(&ours);
            by_tree.1.extend(&peer);
        }
    }
    report.splice(0..0, rows("all orders by the tree", &by_tree.0, &by_tree.1, Some("≤ 150")));
    report
}

fn one(scene: &mut ActingScene, case: &OrderCase, said: &str) -> (f64, f64) {
    scene.mouse.move_to(ASIDE);
    scene.told();
    let (report, ours) = scene.order(said);
    let seen = report.steps.first().is_some_and(|step| step.verified && step.by == Some(case.by));
    assert!(report.outcome == OrderOutcome::Success && seen, "{said}: {report:?}");
    scene.expect(said, &case.done);
    scene.silence();
    scene.mouse.move_to(ASIDE);
    let (action_kind, name, value) = &case.peer;
    let peer = scene.peer(action_kind, name, value);
    scene.expect(action_kind, &case.undone);
    (ours, peer)
}
