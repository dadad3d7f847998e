//! The table of tools, and what is taken and refused.

use luna_messages::Rect;
use luna_messages::ocr::OcrBlock;
use luna_messages::tools::{ToolFailureKind, ToolKind};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::call::{CheckedCall, ClickTarget};
use crate::input::{ButtonInput, PageDirection, ReadMode, ScrollInput, WaitInput};
use crate::recognised::containing;
use crate::table::{ToolEffect, effect, list};

// TOOL-1
#[test]
fn twelve_tools_are_described_with_closed_schemas_tool_1() {
    let tools = list();
    assert_eq!(tools.len(), 12);
    for tool in tools {
        let schema = &tool.input_schema;
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)), "{schema}");
        assert!(!schema.to_string().contains("$ref"), "models read schemas without references: {schema}");
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let types = property["type"].to_string();
            if types.contains("string") && property.get("enum").is_none() {
                assert!(property["maxLength"].is_u64(), "{}.{name} has no limit: {property}", tool.name);
            }
            if types.contains("integer") {
                assert!(property["maximum"].is_number(), "{}.{name} has no limit: {property}", tool.name);
            }
        }
    }
}

// TOOL-1
#[test]
fn what_changes_something_is_known_to_act_tool_1() {
    let acting: Vec<ToolKind> = ToolKind::ALL.into_iter().filter(|tool| effect(*tool) == ToolEffect::Acts).collect();
    let expect = [
        ToolKind::Click,
        ToolKind::Type,
        ToolKind::KeyPress,
        ToolKind::Scroll,
        ToolKind::LaunchApp,
        ToolKind::NavigateTo,
    ];
    assert_eq!(acting, expect);
}

fn parsed(name: &str, input: Value) -> CheckedCall {
    CheckedCall::parse(name, &input).unwrap_or_else(|failure| panic!("{name} {input}: {failure}"))
}

// TOOL-1
#[test]
fn calls_are_read_as_small_models_write_them_tool_1() {
    let at = |x, y| ClickTarget::At(luna_messages::Point::new(x, y));
    let click = |target, button, double| CheckedCall::Click { target, button, double };
    for (name, input, expect) in [
        ("echo", json!({"text": "a"}), CheckedCall::Echo { text: "a".to_owned() }),
        ("echo", json!("{\"text\": \"a\"}"), CheckedCall::Echo { text: "a".to_owned() }),
        ("wait", json!({"ms": "250"}), CheckedCall::Wait(WaitInput { ms: 250 })),
        ("wait", json!({"ms": 250.0}), CheckedCall::Wait(WaitInput { ms: 250 })),
        ("list_windows", Value::Null, CheckedCall::ListWindows),
        ("list_windows", json!({}), CheckedCall::ListWindows),
        ("read_screen", json!({}), CheckedCall::ReadScreen { mode: ReadMode::Quick }),
        ("read_screen", json!({"mode": "Detailed"}), CheckedCall::ReadScreen { mode: ReadMode::Detailed }),
        ("ocr", json!({"region": null}), CheckedCall::Ocr { region: None }),
        (
            "ocr",
            json!({"region": {"x": "-5", "y": 0, "width": 9, "height": 9}}),
            CheckedCall::Ocr { region: Some(Rect::new(-5, 0, 9, 9)) },
        ),
        ("click", json!({"x": 3, "y": 4}), click(at(3, 4), ButtonInput::Left, false)),
        ("click", json!({"x": 3, "y": 4, "text": null, "double": "true"}), click(at(3, 4), ButtonInput::Left, true)),
        (
            "click",
            json!({"text": " 저장 ", "button": "right"}),
            click(ClickTarget::Text("저장".to_owned()), ButtonInput::Right, false),
        ),
        (
            "scroll",
            json!({"direction": "down"}),
            CheckedCall::Scroll(ScrollInput { direction: PageDirection::Down, pages: 1 }),
        ),
        (
            "key_press",
            json!({"keys": "ctrl + s", "times": 2}),
            CheckedCall::KeyPress { chord: "Ctrl+S".parse().unwrap(), times: 2 },
        ),
    ] {
        assert!(parsed(name, input.clone()) == expect, "{name} {input}");
    }
}

// TOOL-1
#[test]
fn what_is_wrong_is_told_with_what_to_do_tool_1() {
    let long = "x".repeat(2001);
    for (name, input, words) in [
        ("delete", json!({}), "No tool is called 'delete'. The tools are echo, screen_capture"),
        ("echo", json!({}), "text is missing; it takes text"),
        ("echo", json!({"text": 5}), "text must be a string"),
        ("echo", json!({"text": "a", "loud": true}), "'loud' is unknown; it takes text"),
        ("echo", json!({"text": long}), "text has 2001 characters, at most 2000 are taken"),
        ("echo", json!([1]), "it must be an object"),
        ("echo", json!("not json"), "it is a string that is no JSON"),
        ("list_windows", json!({"all": true}), "'all' is unknown; it takes nothing"),
        ("wait", json!({"ms": -1}), "ms must be a whole number from 0 to 30000"),
        ("wait", json!({"ms": 1.5}), "ms must be a whole number"),
        ("wait", json!({"ms": "soon"}), "ms must be a whole number"),
        ("wait", json!({"ms": 1e300}), "ms must be a whole number"),
        ("scroll", json!({"direction": "left"}), "direction must be one of up, down"),
        ("scroll", json!({"direction": "up", "pages": 21}), "pages must be a whole number from 1 to 20"),
        ("click", json!({}), "nothing tells what to click"),
        ("click", json!({"text": "  "}), "nothing tells what to click"),
        ("click", json!({"x": 1}), "one coordinate is missing"),
        ("click", json!({"x": 1, "y": 2, "text": "a"}), "not both"),
        ("click", json!({"x": 99999, "y": 2}), "x must be a whole number from -32768 to 32767"),
        ("type", json!({"text": ""}), "text is empty"),
        ("type", json!({"text": "a\u{1b}[2J"}), "control character"),
        ("key_press", json!({"keys": "Hyper+Q"}), "keys:"),
        ("ocr", json!({"region": {"x": 0, "y": 0, "width": 0, "height": 5}}), "region.width must be a whole number"),
        ("ocr", json!({"region": {"x": 0, "y": 0, "width": 4}}), "region.height is missing"),
        ("read_screen", json!({"mode": "all"}), "mode must be one of quick, detailed"),
    ] {
        let Err(failure) = CheckedCall::parse(name, &input) else { panic!("{name} {input} is taken") };
        assert!(failure.message.contains(words), "{name} {input}: {failure}");
        let kind = if name == "delete" { ToolFailureKind::UnknownTool } else { ToolFailureKind::InvalidInput };
        assert_eq!(failure.kind, kind);
        assert!(!failure.message.contains(&"x".repeat(100)), "input is not repeated at length");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,30}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let keys = prop::sample::select(vec!["text", "x", "y", "ms", "keys", "region", "mode", "width", "other"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(keys, inner, 0..4)
                .prop_map(|map| map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Value>()),
        ]
    })
}

proptest! {
    // TOOL-1
    #[test]
    fn any_input_is_a_call_or_an_error_tool_1(tool in prop::sample::select(ToolKind::ALL.to_vec()), input in any_json()) {
        match CheckedCall::parse(tool.name(), &input) {
            Ok(call) => prop_assert_eq!(call.tool(), tool),
            Err(failure) => prop_assert!(failure.message.chars().count() < 400, "{}", failure),
        }
    }
}

// TOOL-2
#[test]
fn the_most_confident_line_with_the_text_is_chosen_tool_2() {
    let block = |text: &str, confidence: f32, order: usize| OcrBlock {
        text: text.to_owned(),
        bbox: Rect::new(0, 20 * i32::try_from(order).unwrap(), 50, 20),
        confidence,
        contrast: 1.0,
        order,
    };
    let blocks = [
        block("파일 저장", 0.7, 0),
        block("저 장", 0.9, 1),
        block("모두 저장", 0.9, 2),
        block("Save As", 0.8, 3),
        block("열기", 0.99, 4),
    ];
    for (text, expect) in [
        ("저장", Some(1)),
        ("save as", Some(3)),
        ("SAVEAS", Some(3)),
        ("모두저장", Some(2)),
        ("없음", None),
        (" ", None),
    ] {
        assert_eq!(containing(&blocks, text).map(|block| block.order), expect, "{text}");
    }
}
