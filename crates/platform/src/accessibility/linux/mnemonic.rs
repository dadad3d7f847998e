//! The letter of a mnemonic at the end of a name (ANN-1, RNK-2). In languages whose letters no key types, such as Korean, programs write it behind what an
//! entry is called: "검색(S)". It is no part of that: nobody says it, and to hear it is noise. Pure.

use atspi::Role as Native;

/// What programs write mnemonics on.
const fn has_mnemonic(native: Native) -> bool {
    matches!(
        native,
        Native::Menu
            | Native::MenuItem
            | Native::CheckMenuItem
            | Native::RadioMenuItem
            | Native::Button
            | Native::ToggleButton
            | Native::CheckBox
            | Native::RadioButton
            | Native::PageTab
    )
}

/// Whether a letter is one of those that have no keys of their own.
const fn is_unkeyed(letter: char) -> bool {
    matches!(letter, '가'..='힣' | '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')
}

/// The name without the letter of its mnemonic.
pub(super) fn without(name: String, native: Native) -> String {
    if !has_mnemonic(native) {
        return name;
    }
    let told = name.trim_end();
    let body = told.trim_end_matches(['.', '…']);
    let Some((called, letter)) = body.strip_suffix(')').and_then(|inner| inner.rsplit_once('(')) else { return name };
    let is_letter = letter.len() == 1 && letter.chars().all(|c| c.is_ascii_uppercase());
    if !is_letter || !called.chars().any(is_unkeyed) {
        return name;
    }
    format!("{}{}", called.trim_end(), &told[body.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANN-1, RNK-2
    #[test]
    fn the_letter_of_a_mnemonic_is_no_part_of_a_name_ann_1_rnk_2() {
        let check = |native, name: &str, expect: &str| assert_eq!(without(name.to_owned(), native), expect, "{name:?}");
        check(Native::Menu, "검색(S)", "검색");
        check(Native::MenuItem, "행 번호(U)      ", "행 번호");
        check(Native::MenuItem, "기본 설정(E)...", "기본 설정...");
        check(Native::Button, "열기(O)…", "열기…");
        check(Native::Button, "開く (O)", "開く");
        // A name of a file, a word in brackets, a number of messages, and a name in Latin letters are names.
        check(Native::ListItem, "보고서(A)", "보고서(A)");
        check(Native::MenuItem, "창(새로)", "창(새로)");
        check(Native::PageTab, "받은 편지함(1)", "받은 편지함(1)");
        check(Native::MenuItem, "Vitamin (C)", "Vitamin (C)");
        check(Native::MenuItem, "찾기", "찾기");
        check(Native::MenuItem, "", "");
    }
}
