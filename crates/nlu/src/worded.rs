//! Digits that a recogniser wrote for words: "1번 더 읽어 줘", "say it 1 more time" (RNK-2).

use super::numbers::{ENGLISH, NATIVE};

/// What is counted with native words, in phrases that hold no number: 한 번 더, 한 글자씩, 두 줄.
const COUNTED: [&str; 9] = ["번", "줄", "글자", "자씩", "문장", "문단", "단락", "페이지", "화면"];

/// The utterance with its single digits in words; none if there is nothing to change.
#[must_use]
pub fn worded(utterance: &str) -> Option<String> {
    let plain: String = utterance
        .chars()
        .map(|c| if ('０'..='９').contains(&c) { char::from_u32(c as u32 - 0xfee0).unwrap_or(c) } else { c })
        .collect();
    let mut said = String::with_capacity(plain.len() + 8);
    let mut changed = false;
    let mut rest = plain.as_str();
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let next = after.chars().next().unwrap_or(' ');
        let number = c.to_digit(10).filter(|_| !before.is_ascii_alphanumeric() && !next.is_ascii_alphanumeric());
        let index = number.and_then(|number| usize::try_from(number).ok()).and_then(|number| number.checked_sub(1));
        // Asked behind a digit only: each space is passed over once, however many there are.
        let behind = if index.is_some() { behind_space(after) } else { after };
        let counted = COUNTED.iter().any(|counter| behind.starts_with(counter));
        let word = index.and_then(|index| match (counted, next) {
            // The native words begin with the one for nothing.
            (true, _) => NATIVE.get(index + 1),
            (false, ' ') if !luna_text::language::is_hangul(behind.chars().next().unwrap_or(' ')) => ENGLISH.get(index),
            _ => None,
        });
        match word {
            Some(word) => {
                said.push_str(word);
                said.extend((counted && next != ' ').then_some(' '));
                changed = true;
            }
            None => said.push(c),
        }
        before = c;
        rest = after;
    }
    changed.then_some(said)
}

fn behind_space(text: &str) -> &str {
    let behind = text.trim_start();
    #[cfg(test)]
    tests::PASSED_OVER.with(|passed| passed.set(passed.get() + text.len() - behind.len()));
    behind
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        /// Bytes of space that were passed over.
        pub static PASSED_OVER: Cell<usize> = const { Cell::new(0) };
    }

    proptest! {
        // NLU-2
        #[test]
        fn each_space_is_passed_over_at_most_once_nlu_2(
            parts in proptest::collection::vec(prop_oneof!["[0-9a-z가번줄]{1,2}", " {1,300}"], 0..60),
        ) {
            let utterance = parts.concat();
            PASSED_OVER.with(|passed| passed.set(0));
            let _ = worded(&utterance);
            prop_assert!(PASSED_OVER.with(Cell::get) <= utterance.len());
        }
    }

    // RNK-2
    #[test]
    fn single_digits_are_words_where_words_are_usual_rnk_2() {
        for (utterance, expect) in [
            ("1번 더 읽어 줘", Some("한 번 더 읽어 줘")),
            ("다시 １번만", Some("다시 한 번만")),
            ("say that 1 more time", Some("say that one more time")),
            ("2 lines down", Some("two lines down")),
            ("12번", None),
            ("F5", None),
            ("5층", None),
            ("멈춰", None),
        ] {
            assert_eq!(worded(utterance).as_deref(), expect, "{utterance}");
        }
    }
}
