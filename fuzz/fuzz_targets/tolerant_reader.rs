//! Any text is read without a panic, with the same result however it is split, and nothing is invented (DSL-3).
#![no_main]

use libfuzzer_sys::fuzz_target;
use luna_llm_tasks::answer::{AnswerPart, AnswerReader, LooseValue, plain, read};

/// Whether letters and digits of the value occur in the text.
fn occurs_in(value: &LooseValue, text: &str) -> bool {
    let said =
        |words: &str| text.contains("\\u") || words.chars().filter(|c| c.is_alphanumeric()).all(|c| text.contains(c));
    match value {
        LooseValue::Null | LooseValue::Bool(_) => true,
        LooseValue::Number(_) => text.contains(|c: char| c.is_ascii_digit()),
        LooseValue::Text(words) => said(words),
        LooseValue::List(elements) => elements.iter().all(|element| occurs_in(element, text)),
        LooseValue::Object(entries) => entries.iter().all(|(key, value)| said(key) && occurs_in(value, text)),
    }
}

fuzz_target!(|input: (u8, &str)| {
    let (size, text) = input;
    let whole = read(text);
    let mut reader = AnswerReader::new();
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(usize::from(size).max(1)) {
        reader.push(&piece.iter().collect::<String>());
    }
    assert_eq!(reader.finish(), whole);
    for part in &whole.parts {
        match part {
            AnswerPart::Value(value) => assert!(occurs_in(value, text)),
            AnswerPart::Call(call) => assert!(call.arguments.iter().all(|(_, value)| occurs_in(value, text))),
        }
    }
    assert!(plain(text, "").len() <= text.len());
});
