//! Which answers are accepted, and that the schemas agree.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
use luna_messages::dsl::{Action, DslAnswer, DslRequest, DslTask};
use luna_messages::pick::Role;
use luna_messages::{ElementId, Rect};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::schema::{PublishedSchema, answer_schema};
use super::*;

fn candidate(id: &str, text: &str, role: Role) -> Candidate {
    Candidate {
        id: ElementId(id.to_owned()),
        role,
        text: text.to_owned(),
        bbox: Rect::new(10, 20, 30, 40),
        automation_id: String::new(),
        enabled: true,
        near: vec!["파일".to_owned()],
        zone: Zone::TopRight,
        details: CandidateDetails::default(),
    }
}

fn offer() -> Offer {
    Offer::new(&[
        candidate("e-save", "저장", Role::Button),
        candidate("e-secret", "비밀번호", Role::Protected),
        candidate("e-as", "다른 이름으로 저장", Role::MenuItem),
    ])
}

/// Whether the value conforms to the schema; knows the few JSON Schema keywords that these schemas use.
fn fits(value: &Json, schema: &Json) -> bool {
    let object = schema.as_object().expect("a schema is an object");
    object.iter().all(|(word, rule)| match word.as_str() {
        "$schema" | "$id" | "title" => true,
        "anyOf" => rule.as_array().unwrap().iter().any(|schema| fits(value, schema)),
        "enum" => rule.as_array().unwrap().contains(value),
        "const" => rule == value,
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            other => panic!("{other}"),
        },
        "properties" => value.as_object().is_none_or(|fields| {
            fields.iter().all(|(name, field)| rule.get(name).is_none_or(|schema| fits(field, schema)))
        }),
        "required" => rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
        "additionalProperties" => {
            assert_eq!(rule, &json!(false));
            value.as_object().is_none_or(|fields| fields.keys().all(|name| schema["properties"].get(name).is_some()))
        }
        "items" => value.as_array().is_none_or(|elements| elements.iter().all(|element| fits(element, rule))),
        "minItems" => value.as_array().is_none_or(|elements| elements.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|elements| elements.len() as u64 <= rule.as_u64().unwrap()),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap()),
        "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= rule.as_u64().unwrap()),
        "minimum" => value.as_i64().is_none_or(|number| number >= rule.as_i64().unwrap()),
        "maximum" => value.as_i64().is_none_or(|number| number <= rule.as_i64().unwrap()),
        other => panic!("the word {other} is not known here"),
    })
}

fn schema(task: DslTask) -> Json {
    serde_json::from_str(&answer_schema(task, &offer()).unwrap()).unwrap()
}

const GOOD: [(DslTask, &str); 16] = [
    (DslTask::NluIntent, r#"{"intent":"read","mode":"faithful","lang_tgt":"en","line_offset":2}"#),
    (DslTask::NluIntent, r#"{"intent":"spell","mode":"natural"}"#),
    (DslTask::NluIntent, r#"{"action":"invoke","target":{"id":"c1"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"invoke","target":{"id":"c2"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"toggle","target":{"id":"c1"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"select","target":{"id":"c1"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"select","target":{"id":"c1"},"params":{"value":"둘째"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"set_value","target":{"id":"c1"},"params":{"value":""}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"scroll","params":{"direction":"down"}}"#),
    (
        DslTask::SelectionDisambiguation,
        r#"{"action":"scroll","target":{"id":"c1"},"params":{"direction":"up","amount":"end"}}"#,
    ),
    (DslTask::SelectionDisambiguation, r#"{"action":"key","params":{"key":"엔터"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"hotkey","params":{"hotkey":"ctrl+shift+t"}}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"clarify"}"#),
    (DslTask::SelectionDisambiguation, r#"{"action":"clarify","target":{"id":"c1"},"options":["저장","취소","그만"]}"#),
    (DslTask::MacroPlan, r#"[{"action":"invoke","target":{"id":"c1"}},{"action":"key","params":{"key":"enter"}}]"#),
    (DslTask::MacroPlan, r#"[{"action":"clarify","options":["a"]}]"#),
];

// DSL-2, DSL-3, DSL-5
#[test]
fn good_answers_fit_the_schema_and_are_let_through_unchanged_dsl_2_dsl_3_dsl_5() {
    for (task, text) in GOOD {
        let value: Json = serde_json::from_str(text).unwrap();
        assert!(fits(&value, &schema(task)), "{text}");
        let answer = read(task, text, &offer()).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(serde_json::to_value(&answer).unwrap(), value, "{text}");
    }
}

#[track_caller]
fn rejected(task: DslTask, text: &str, expect: &Rejection) {
    assert_eq!(read(task, text, &offer()).as_ref(), Err(expect), "{text}");
    if let Ok(value) = serde_json::from_str::<Json>(text) {
        assert!(!fits(&value, &schema(task)), "the schema lets through {text}");
    }
}

// DSL-4
#[test]
fn what_was_not_offered_is_rejected_dsl_4() {
    use DslTask::{MacroPlan, NluIntent, SelectionDisambiguation as Choose};
    let place = |field: &str| Rejection::Coordinate { field: field.into() };
    let missing = |field| Rejection::Missing { field };
    let wrong = |field, expected| Rejection::Wrong { field, expected };
    for (task, text, why) in [
        (Choose, r#"{"action":"invoke","target":{"id":"c3"}}"#, Rejection::NotOffered { id: "c3".into() }),
        (Choose, r#"{"action":"invoke","target":{"id":"e-secret"}}"#, Rejection::NotOffered { id: "e-secret".into() }),
        (Choose, r#"{"action":"invoke","target":{"x":120,"y":300}}"#, place("x")),
        (Choose, r#"{"action":"invoke","target":{"id":"c1","bbox":[1,2,3,4]}}"#, place("bbox")),
        (Choose, r#"{"action":"invoke","target":{"id":"c1"},"params":{"x":1}}"#, place("x")),
        (Choose, r#"{"action":"invoke","x":1,"y":2}"#, place("x")),
        (Choose, r#"{"action":"clarify","options":["a","b","c","d"]}"#, Rejection::Options { count: 4 }),
        (
            Choose,
            r#"{"action":"click","target":{"id":"c1"}}"#,
            wrong("action", "invoke, set_value, toggle, select, scroll, key, hotkey or clarify"),
        ),
        (Choose, r#"{"target":{"id":"c1"}}"#, missing("action")),
        (Choose, r#"{"action":"invoke"}"#, missing("target")),
        (Choose, r#"{"action":"set_value","target":{"id":"c1"}}"#, missing("params.value")),
        (Choose, r#"{"action":"scroll","params":{"amount":"end"}}"#, missing("params.direction")),
        (
            Choose,
            r#"{"action":"invoke","target":{"id":"c1"},"why":"because"}"#,
            Rejection::Unknown { field: "why".into() },
        ),
        (
            Choose,
            r#"{"action":"invoke","target":{"id":"c1"},"options":["a"]}"#,
            Rejection::NotWith { field: "options", action: Action::Invoke },
        ),
        (Choose, r#"{"intent":"read","mode":"faithful"}"#, Rejection::NotForTask { task: Choose }),
        (Choose, r#"{"action":"scroll","params":{"direction":"left"}}"#, wrong("direction", "up or down")),
        (
            Choose,
            r#"{"action":"hotkey","params":{"hotkey":""}}"#,
            Rejection::Length { field: "hotkey", most: KEY_CHARS },
        ),
        (NluIntent, r#"{"intent":"read"}"#, missing("mode")),
        (
            NluIntent,
            r#"{"intent":"read","mode":"faithful","line_offset":99999}"#,
            wrong("line_offset", "a whole number from -1000 to 1000"),
        ),
        (MacroPlan, "[]", Rejection::NoAnswer),
        (
            MacroPlan,
            r#"[{"action":"invoke","target":{"id":"c1"}},{"action":"invoke","target":{"id":"c9"}}]"#,
            Rejection::NotOffered { id: "c9".into() },
        ),
    ] {
        rejected(task, text, &why);
    }
    // Rules that the schema can't express.
    for (text, why) in [
        (r#"{"action":"clarify","options":["(120, 300)"]}"#, place("options")),
        (r#"{"action":"clarify","options":["x=120px"]}"#, place("options")),
        (r#"{"action":"invoke","action":"toggle","target":{"id":"c1"}}"#, Rejection::Twice { field: "action" }),
        (
            r#"{"action":"invoke","target":{"id":"c1"}} {"action":"invoke","target":{"id":"c2"}}"#,
            Rejection::Several { count: 2 },
        ),
        (r#"{"action":"invoke","target":{"id":"c"#, Rejection::CutOff),
        (
            r#"{"action":"key","params":{"key":"rm -rf; x"}}"#,
            wrong("params.key", "names of keys joined by +, such as ctrl+s"),
        ),
        ("I would click it.", Rejection::NoAnswer),
        ("", Rejection::NoAnswer),
    ] {
        assert_eq!(read(Choose, text, &offer()), Err(why), "{text}");
    }
}

// DSL-3
#[test]
fn foreign_forms_of_a_good_answer_are_the_same_answer_dsl_3() {
    let expect = read(DslTask::NluIntent, r#"{"action":"invoke","target":{"id":"c1"}}"#, &offer()).unwrap();
    for text in [
        "```json\n{\"action\": \"invoke\", \"target\": {\"id\": \"c1\"}}\n```",
        "<think>c2 or c1?</think>{'action': 'invoke', 'target': {'id': 'c1'},}",
        r#"<tool_call>{"name": "invoke", "arguments": {"target": {"id": "c1"}}}</tool_call>"#,
        r#"{"name": "respond", "parameters": {"action": "invoke", "target": {"id": "c1"}}}"#,
        "[invoke(target={'id': 'c1'})]",
        r#"{"action": "invoke", "target": "c1", "params": null, "options": null}"#,
        r#"{"action": "invoke", "target": {"id": "c1"}"#,
        r#"{"command": {"action": "invoke", "target": {"id": "c1"}}}"#,
        "{\"action\":\"invoke\",\"target\":{\"id\":\"c1\"}}\n{\"action\":\"invoke\",\"target\":{\"id\":\"c1\"}}",
    ] {
        assert_eq!(read(DslTask::NluIntent, text, &offer()).as_ref(), Ok(&expect), "{text}");
    }
}

// DSL-4, DSL-6
#[test]
fn a_usual_order_is_no_answer_of_a_model_dsl_4_dsl_6() {
    let expected = "invoke, set_value, toggle, select, scroll, key, hotkey or clarify";
    let wrong = Rejection::Wrong { field: "action", expected };
    for task in [DslTask::NluIntent, DslTask::SelectionDisambiguation, DslTask::MacroPlan] {
        rejected(task, r#"{"action":"desktop"}"#, &wrong);
        rejected(task, r#"{"action":"desktop","target":{"id":"c1"}}"#, &wrong);
        assert!(read(task, r#"{"action":"desktop","order":"close"}"#, &offer()).is_err());
        assert!(!schema(task).to_string().contains("desktop"), "{task:?}");
    }
    assert!(PublishedSchema::ALL.iter().all(|published| !published.text().contains("desktop")));
}

// DSL-1, DSL-3, PRV-3
#[test]
fn requests_fit_their_schema_and_hold_no_place_and_no_protected_field_dsl_1_dsl_3_prv_3() {
    let offer = offer();
    let request = offer.request(DslTask::NluIntent, "저장 눌러 줘", &["삭제".to_owned()]);
    let written = serde_json::to_value(&request).unwrap();
    let published: Json = serde_json::from_str(&PublishedSchema::Request.text()).unwrap();
    assert!(fits(&written, &published), "{written}");
    assert_eq!(serde_json::from_value::<DslRequest>(written.clone()).unwrap(), request);
    let text = written.to_string();
    assert!(!text.contains("비밀번호") && !text.contains("bbox") && written["candidates"][1]["id"] == "c2", "{text}");
    assert_eq!(offer.element("c2"), Some(&ElementId("e-as".into())));
    assert_eq!(offer.named("저장").map(|candidate| candidate.id.as_str()), Some("c1"));
}

/// Whether every string of a schema has a maximum length.
fn has_ends(schema: &Json) -> bool {
    match schema {
        Json::Object(words) => {
            let endless = words.get("type") == Some(&json!("string")) && !words.contains_key("maxLength")
                || words.get("type") == Some(&json!("array")) && !words.contains_key("maxItems");
            !endless && words.values().all(has_ends)
        }
        Json::Array(elements) => elements.iter().all(has_ends),
        _ => true,
    }
}

// DSL-3, DSL-4
#[test]
fn schemas_have_ends_and_name_only_what_is_offered_dsl_3_dsl_4() {
    for published in PublishedSchema::ALL {
        let schema: Json = serde_json::from_str(&published.text()).unwrap();
        assert!(
            has_ends(&schema) && schema["$id"].as_str().unwrap().contains(published.name()),
            "{}",
            published.name()
        );
    }
    for task in [DslTask::NluIntent, DslTask::SelectionDisambiguation, DslTask::MacroPlan] {
        assert!(has_ends(&schema(task)));
        let nothing = answer_schema(task, &Offer::default()).unwrap();
        assert!(!nothing.contains("invoke") && !nothing.contains("target"), "nothing is offered: {nothing}");
        assert!(!schema(task).to_string().contains("c3"));
    }
    assert_eq!(answer_schema(DslTask::SummarizeShort, &offer()), None);
    let unnarrowed: Json = serde_json::from_str(&PublishedSchema::Response.text()).unwrap();
    assert!(fits(&json!({"action": "invoke", "target": {"id": "anything"}}), &unnarrowed));
}

fn any_json() -> impl Strategy<Value = Json> {
    let names = [
        "action",
        "target",
        "id",
        "params",
        "value",
        "key",
        "hotkey",
        "direction",
        "options",
        "intent",
        "mode",
        "x",
        "c1",
        "c9",
    ];
    let words = ["invoke", "clarify", "scroll", "up", "c1", "c9", "read", "faithful", "", "ctrl+s"];
    let leaf = prop_oneof![
        prop::sample::select(words.to_vec()).prop_map(Json::from),
        any::<i16>().prop_map(Json::from),
        Just(Json::Null)
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            prop::collection::vec((prop::sample::select(names.to_vec()), inner), 0..5).prop_map(|fields| Json::Object(
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    // DSL-4
    #[test]
    fn whatever_is_let_through_was_offered_and_fits_the_schema_dsl_4(value in any_json()) {
        for task in [DslTask::NluIntent, DslTask::SelectionDisambiguation, DslTask::MacroPlan] {
            if let Ok(answer) = read(task, &value.to_string(), &offer()) {
                let through = serde_json::to_value(&answer).unwrap();
                prop_assert!(fits(&through, &schema(task)), "{value} became {through}");
            }
            if fits(&value, &schema(task)) {
                prop_assert!(read(task, &value.to_string(), &offer()).is_ok(), "{value}");
            }
        }
    }

    // DSL-4
    #[test]
    fn any_text_is_read_or_rejected_dsl_4(text in "\\PC{0,80}") {
        for task in DslTask::ALL {
            if let Ok(DslAnswer::Command(command)) = read(task, &text, &offer()) {
                prop_assert!(command.target.is_none_or(|target| offer().has(&target.id)));
            }
        }
    }
}
