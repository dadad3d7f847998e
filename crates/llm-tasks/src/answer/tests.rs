//! The notations of foreign models, and properties of any text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;

use super::*;

/// Calls as `name{json}` and values as JSON, concatenated.
fn shown(answer: &ParsedAnswer) -> String {
    let part = |part: &AnswerPart| match part {
        AnswerPart::Call(call) => {
            let positional: Vec<String> = call.positional.iter().map(ToString::to_string).collect();
            format!("{}{}{}", call.name, positional.join(","), LooseValue::Object(call.arguments.clone()))
        }
        AnswerPart::Value(value) => value.to_string(),
    };
    answer.parts.iter().map(part).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(text: &str, expect: &str) {
    let answer = read(text);
    assert_eq!(shown(&answer), expect, "{text}\n{answer:?}");
    assert!(!answer.damaged, "{text}\n{answer:?}");
}

#[track_caller]
fn check_cut(text: &str, expect: &str, cut: Cut) {
    let answer = read(text);
    assert_eq!((shown(&answer).as_str(), answer.cut), (expect, cut), "{text}\n{answer:?}");
}

// DSL-3
#[test]
fn plain_json_is_read_as_it_is_dsl_3() {
    check(r#"{"action":"invoke","target":{"id":"c1"}}"#, r#"{"action":"invoke","target":{"id":"c1"}}"#);
    check(r#"[{"a":1},{"b":[true,null,-2.5e3]}]"#, r#"[{"a":1},{"b":[true,null,-2.5e3]}]"#);
    check(r#"{"a":"\"따옴표\" \\ \n \uD55C\uAE00 \ud83d\ude00"}"#, "{\"a\":\"\\\"따옴표\\\" \\\\ \\n 한글 😀\"}");
    check(r#"{"a":"b, c","d":"{x}"}"#, r#"{"a":"b, c","d":"{x}"}"#);
    check("{}", "");
    check("그냥 글이에요.", "");
}

// DSL-3
#[test]
fn what_people_and_python_write_is_read_dsl_3() {
    for text in [
        r#"{"a": 1, "b": "x",}"#,
        "{'a': 1, 'b': 'x'}",
        "{a: 1, b: 'x'}",
        "{a: 1, b: x}",
        "{\"a\": 1\n \"b\": \"x\"}",
        "{\"a\": 1 /* one */, // two\n \"b\": \"x\" # three\n}",
        "{“a”: 1, “b”: “x”}",
        r#"{\"a\": 1, \"b\": \"x\"}"#,
        "{\"a\"：1，\"b\"：\"x\"}",
        "{\"a\": 1, \"b\": \"\"\"x\"\"\"}",
        "{'a': 1, 'b': 'x', ...}",
        "{\"a\" => 1, \"b\" = \"x\"}",
        "{,\"a\": +1,, \"b\": \"x\"}",
        "\u{feff} {\u{a0}\"a\": 0x1, \"b\": \"x\"}}}}",
    ] {
        check(text, r#"{"a":1,"b":"x"}"#);
    }
    check("{'a': True, 'b': None, 'c': (1, 2), 'd': .5}", r#"{"a":true,"b":null,"c":[1,2],"d":0.5}"#);
    check(r#"{"a": "He said "hi" to me", "b": 2}"#, r#"{"a":"He said \"hi\" to me","b":2}"#);
    check(r#"{"a": "say "hi", then go", "b": 2}"#, r#"{"a":"say \"hi\", then go","b":2}"#);
    check("{'a': 'it's fine', 'b': 2}", r#"{"a":"it's fine","b":2}"#);
    check(r#"{"path": "C:\Users\d"}"#, r#"{"path":"C:\\Users\\d"}"#);
    check("{\"a\": \"two\nlines\"}", r#"{"a":"two\nlines"}"#);
    check(
        "{city: New York, when: 2026-11-21, at: 12:30, url: https://a.kr/x}",
        r#"{"city":"New York","when":"2026-11-21","at":"12:30","url":"https://a.kr/x"}"#,
    );
    check(r#"{"a": [1, 2}"#, r#"{"a":[1,2]}"#);
    check("{\"a\": \"x\" + \"y\"}", r#"{"a":"xy"}"#);
    check("{\"n\": 007}", r#"{"n":"007"}"#);
}

// DSL-3, REA-3, REA-4
#[test]
fn thoughts_and_words_around_are_no_answer_dsl_3_rea_3_rea_4() {
    let object = r#"{"a":1}"#;
    for text in [
        "Sure! Here it is:\n```json\n{\"a\": 1}\n```\nAnything else?",
        "```\n{\"a\": 1}\n```",
        "~~~\n{\"a\":1}",
        "<think>maybe {\"b\": 2}?</think>\n{\"a\": 1}",
        "maybe {\"b\": 2}? or {\"c\": \"</think>{\"a\": 1}",
        "<thinking>\nhm\n</thinking>{\"a\":1}<|im_end|>",
        "[THINK]{\"b\":2}[/THINK]{\"a\":1}",
        "<|channel|>analysis<|message|>{\"b\":2}<|end|><|start|>assistant<|channel|>final<|message|>{\"a\":1}",
        "네, 알겠습니다. {\"a\": 1} 입니다.",
        "The set {x} and [note] mean {\"a\": 1}.",
    ] {
        check(text, object);
    }
    check("{\"a\": \"</think>\"}", r#"{"a":"</think>"}"#);
    check_cut("<think>{\"a\": 1} and so on", "", Cut::Value);
    let answer = read("<think>비밀</think>네.\n");
    assert_eq!((answer.text.trim(), answer.parts.len()), ("네.", 0), "{answer:?}");
}

// DSL-3
#[test]
fn the_families_of_models_are_understood_dsl_3() {
    let call = r#"f{"a":1,"b":"x"}"#;
    for text in [
        r#"<tool_call>{"name": "f", "arguments": {"a": 1, "b": "x"}}</tool_call>"#,
        r#"<tool_call>{"name": "f", "arguments": "{\"a\": 1, \"b\": \"x\"}"}"#,
        "<tool_call>\n{'name': 'f', 'arguments': {'a': 1, 'b': 'x'}}\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\nx\n</parameter>\n</function>\n</tool_call>",
        r#"<function_calls><invoke name="f"><parameter name="a">1</parameter><parameter name="b">x</parameter></invoke>"#,
        r#"<|python_tag|>{"name": "f", "parameters": {"a": 1, "b": "x"}}<|eom_id|>"#,
        r#"{"name": "f", "parameters": {"a": 1, "b": "x"}}"#,
        r#"{"type": "function", "function": {"name": "f", "arguments": "{\"a\": 1, \"b\": \"x\"}"}}"#,
        r#"{"content": null, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"a": 1, "b": "x"}}}]}"#,
        r#"<function=f>{"a": 1, "b": "x"}</function>"#,
        r#"<|python_tag|>f.call(a=1, b="x")"#,
        r#"[f(a=1, b="x")]"#,
        "[f(a=1, b='x')",
        "f(a=1, b='x')",
        "Let me see.\nf(a=1, b='x')\n",
        "```tool_code\nprint(f(a=1, b='x'))\n```",
        "```tool_code\nresult = f(a=1, b=\"x\")\n```",
        "```python\nf(**{'a': 1, 'b': 'x'})\n```",
        "```json\n[{\"name\": \"f\", \"parameters\": {\"a\": 1, \"b\": \"x\"}}]\n```",
        r#"[TOOL_CALLS][{"name": "f", "arguments": {"a": 1, "b": "x"}}]"#,
        r#"[TOOL_CALLS]f{"a": 1, "b": "x"}"#,
        r#"[TOOL_CALLS]f[ARGS]{"a": 1, "b": "x"}</s>"#,
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": 1, \"b\": \"x\"}\n```<｜tool▁call▁end｜>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": 1, \"b\": \"x\"}<|tool_call_end|>",
        "Thought: hm\nAction: f\nAction Input: {\"a\": 1, \"b\": \"x\"}",
        r#"{"action": "f", "action_input": {"a": 1, "b": "x"}}"#,
    ] {
        check(text, call);
    }
    let two = r#"f{"a":1} g{"b":"x"}"#;
    for text in [
        r#"[f(a=1), g(b="x")]"#,
        "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>\n<tool_call>{\"name\":\"g\",\"arguments\":{\"b\":\"x\"}}</tool_call>",
        r#"<|python_tag|>{"name":"f","parameters":{"a":1}}; {"name":"g","parameters":{"b":"x"}}"#,
        "```tool_code\nf(a=1)\nprint(g(b='x'))\n```",
        r#"[TOOL_CALLS]f{"a":1}[TOOL_CALLS]g{"b":"x"}"#,
        r#"[{"name":"f","arguments":{"a":1}},{"name":"g","arguments":{"b":"x"}}]"#,
    ] {
        check(text, two);
    }
    check("<tool_call>{\"name\": \"now\"}</tool_call>", "now{}");
    check("```tool_code\nnow()\n```", "now{}");
    check("Then call now() or stop(a=1) to go on.", "");
    check(r#"{"name": "Kim", "age": 3}"#, r#"{"name":"Kim","age":3}"#);
    let definition = r#"{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}"#;
    check(definition, definition);
}

// DSL-3
#[test]
fn what_is_cut_off_is_dropped_and_never_completed_dsl_3() {
    check_cut(r#"{"a": 1, "b": "hel"#, r#"{"a":1}"#, Cut::Value);
    check_cut(r#"{"a": 1, "b": 12"#, r#"{"a":1}"#, Cut::Value);
    check_cut(r#"{"a": 1, "b": tr"#, r#"{"a":1}"#, Cut::Value);
    check_cut(r#"{"a": 1, "b"#, r#"{"a":1}"#, Cut::Value);
    check_cut(r#"{"a": 1, "b":"#, r#"{"a":1}"#, Cut::Value);
    check_cut(r#"{"a": 1,"#, r#"{"a":1}"#, Cut::Value);
    check_cut(r#"{"a": 1, "b": "x""#, r#"{"a":1,"b":"x"}"#, Cut::Brackets);
    check_cut(r#"{"a": {"b": [1, 2]"#, r#"{"a":{"b":[1,2]}}"#, Cut::Brackets);
    check_cut(r#"{"a": {"b": [1, 2"#, r#"{"a":{"b":[1]}}"#, Cut::Value);
    check_cut(r#"{"a": "x\"#, "", Cut::Value);
    check_cut(r#"{"a": "x\u12"#, "", Cut::Value);
    check_cut("[f(a=1, b='x", r#"f{"a":1}"#, Cut::Value);
    check_cut("<function=f><parameter=a>1</parameter><parameter=b>x", r#"f{"a":1}"#, Cut::Value);
}

// DSL-3
#[test]
fn nonsense_is_noticed_dsl_3() {
    assert!(read(r#"{"a": 1, "b" ? 2}"#).damaged);
    assert!(read(r#"{"a": [1, 2, "b": 3}"#).damaged);
    assert!(!read("{?}").damaged);
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    assert!(read(&deep).damaged);
}

// DSL-3
#[test]
fn time_is_linear_dsl_3() {
    for seed in [
        "{",
        "[",
        "{\"a\":",
        "{\"a\":[",
        "\"",
        "'",
        "<",
        "[f(",
        "f(a=",
        "{\"",
        "\" ",
        "\", ",
        "</think>",
        "<think>",
        "<tool_call>",
        "\\",
        "{\"a\":\"\\u",
        "/*",
        "```",
        "[TOOL_CALLS]f",
        "a.b",
        "{a:1,",
        "<function=f><parameter=a>",
        "{'a': 'b' ",
        "(",
        "…",
    ] {
        let steps = |times: usize| scan::steps(&seed.repeat(times));
        let (one, two) = (steps(500), steps(1000));
        assert!(two <= 3 * one + 1000 && two <= 8 * 1000 * seed.len(), "{seed:?}: {one} then {two}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\"",
        "'",
        ":",
        ",",
        "=",
        "\\",
        "\\u",
        " ",
        "\n",
        "a",
        "f(",
        "name",
        "arguments",
        "\"a\": 1",
        "null",
        "True",
        "12",
        ".",
        "-",
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "<function=f>",
        "<parameter=a>",
        "</parameter>",
        "[TOOL_CALLS]",
        "<|python_tag|>",
        "```",
        "```tool_code\n",
        "print(",
        "//",
        "/*",
        "*/",
        "#",
        "가",
        "😀",
        "“",
        "”",
        "...",
        "Action: f",
        "{\"name\":\"f\",\"arguments\":{",
    ];
    prop::collection::vec(
        prop_oneof![8 => prop::sample::select(pieces).prop_map(str::to_owned), 1 => "\\PC{0,3}"],
        0..60,
    )
    .prop_map(|pieces| pieces.concat())
}

/// Whether every string and every digit of the result occurs in the answer.
fn nothing_is_invented(value: &LooseValue, text: &str) -> bool {
    match value {
        LooseValue::Null | LooseValue::Bool(_) => true,
        LooseValue::Number(_) => text.contains(|c: char| c.is_ascii_digit()),
        LooseValue::Text(read) => {
            read.chars().filter(|c| c.is_alphanumeric()).all(|c| text.contains(c) || text.contains("\\u"))
        }
        LooseValue::List(elements) => elements.iter().all(|element| nothing_is_invented(element, text)),
        LooseValue::Object(entries) => entries.iter().all(|(key, value)| {
            key.chars().filter(|c| c.is_alphanumeric()).all(|c| text.contains(c) || text.contains("\\u"))
                && nothing_is_invented(value, text)
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    // DSL-3
    #[test]
    fn any_text_is_read_the_same_however_it_is_split_dsl_3(text in text(), cut in 1_usize..7) {
        let whole = read(&text);
        let mut reader = AnswerReader::new();
        let chars: Vec<char> = text.chars().collect();
        for piece in chars.chunks(cut) {
            reader.push(&piece.iter().collect::<String>());
        }
        prop_assert_eq!(reader.finish(), whole.clone());
        prop_assert!(scan::steps(&text) <= 20 * text.len() + 20);
        for part in &whole.parts {
            match part {
                AnswerPart::Value(value) => prop_assert!(nothing_is_invented(value, &text)),
                AnswerPart::Call(call) => prop_assert!(
                    text.contains(call.name.as_str()) && nothing_is_invented(&LooseValue::Object(call.arguments.clone()), &text)
                ),
            }
        }
        let said = plain(&text, "");
        prop_assert!(said.len() <= text.len());
    }

    // DSL-3
    #[test]
    fn a_prefix_never_has_more_than_the_whole_dsl_3(cut in 0_usize..120) {
        let whole = r#"{"action": "set_value", "target": {"id": "c12"}, "params": {"value": "안녕 \"x\""}, "n": 123, "options": ["a", "b"]}"#;
        let entries = read(whole);
        let full = entries.values().next().unwrap().entries().to_vec();
        let at = (0..=cut.min(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
        let answer = read(&whole[..at]);
        for value in answer.values() {
            for (key, value) in value.entries() {
                let (_, expected) = full.iter().find(|(name, _)| name == key).unwrap();
                if !expected.is_object() && value.as_list().is_none() {
                    prop_assert_eq!(value, expected);
                }
            }
        }
    }
}

// TRN-1
#[test]
fn plain_answers_lose_only_what_was_put_round_them_trn_1() {
    for (answer, source, expect) in [
        ("저장되었습니다.", "It was saved.", "저장되었습니다."),
        ("<think>hm</think>\n저장되었습니다.", "It was saved.", "저장되었습니다."),
        ("hm</think>저장되었습니다.", "It was saved.", "저장되었습니다."),
        ("Here is the translation:\n\n저장되었습니다.", "It was saved.", "저장되었습니다."),
        ("Translation: 저장되었습니다.", "It was saved.", "저장되었습니다."),
        ("번역: It was saved.", "저장되었습니다.", "It was saved."),
        ("```text\n저장되었습니다.\n```", "It was saved.", "저장되었습니다."),
        ("\"저장되었습니다.\"", "It was saved.", "저장되었습니다."),
        ("\"저장\"과 \"열기\"", "\"Save\" and \"Open\"", "\"저장\"과 \"열기\""),
        ("Summary: three files", "Summary: 파일 세 개", "Summary: three files"),
        ("Here is the key.", "열쇠가 여기 있어요.", "Here is the key."),
        ("Sure: 3 files", "네: 파일 3개", "3 files"),
        ("<think>only this", "x", ""),
    ] {
        assert_eq!(plain(answer, source), expect, "{answer}");
    }
}
