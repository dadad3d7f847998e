//! Names of keys as people say them, and what is no key (EXE-4).

use super::*;

fn read(text: &str) -> Result<String, KeyChordError> {
    text.parse::<KeyChord>().map(|chord| chord.to_string())
}

// EXE-4
#[test]
fn keys_and_hotkeys_are_known_by_name_in_both_languages_exe_4() {
    for (text, expect) in [
        ("ctrl+s", "Ctrl+S"),
        ("Ctrl + S", "Ctrl+S"),
        ("컨트롤+s", "Ctrl+S"),
        ("컨트롤 에스", "Ctrl+S"),
        ("컨트롤 쉬프트 티", "Ctrl+Shift+T"),
        ("shift+ctrl+t", "Ctrl+Shift+T"),
        ("ctrl+alt+shift+win+a", "Ctrl+Alt+Shift+Win+A"),
        ("shift+tab", "Shift+Tab"),
        ("alt+f4", "Alt+F4"),
        ("알트 에프 사", "Alt+F4"),
        ("알트+f4 키", "Alt+F4"),
        ("에프 이십 사", "F24"),
        ("f 12", "F12"),
        ("enter", "Enter"),
        ("엔터", "Enter"),
        ("엔터키", "Enter"),
        ("엔터 키", "Enter"),
        ("the enter", "unknown the"),
        ("Escape", "Esc"),
        ("이스케이프", "Esc"),
        ("위로", "Up"),
        ("위 방향키", "Up"),
        ("화살표 오른쪽", "Right"),
        ("방향키 엔터", "unknown 방향키"),
        ("down arrow", "Down"),
        ("page_up", "Page Up"),
        ("page-down", "Page Down"),
        ("페이지 업", "Page Up"),
        ("컨트롤 홈", "Ctrl+Home"),
        ("한영 전환", "Hangul"),
        ("ctrl+plus", "Ctrl++"),
        ("ctrl++", "Ctrl++"),
        ("+", "+"),
        ("ctrl+-", "Ctrl+-"),
        ("컨트롤 마이너스", "Ctrl+-"),
        ("ctrl+5", "Ctrl+5"),
        ("win", "Win"),
        ("윈도우 키", "Win"),
        ("win+d", "Win+D"),
        ("ctrlalt", "Ctrl+Alt"),
        ("alt+shift", "Alt+Shift"),
        ("A", "A"),
        ("?", "?"),
        ("f0", "unknown f0"),
        ("f25", "unknown f25"),
        ("f05", "unknown f05"),
        ("fn+s", "unknown fn"),
        ("ctrl+저장", "unknown 저장"),
        ("가", "unknown 가"),
    ] {
        let found = read(text).or_else(|error| match error {
            KeyChordError::Unknown { given } => Ok::<_, KeyChordError>(format!("unknown {given}")),
            other => Err(other),
        });
        assert_eq!(found.as_deref(), Ok(expect), "{text:?}");
    }
}

// EXE-4
#[test]
fn what_is_no_chord_is_told_exe_4() {
    for text in ["", " ", "ctrl+", "+s", "ctrl+ +s", "키 +"] {
        assert_eq!(read(text), Err(KeyChordError::Empty), "{text:?}");
    }
    let several = KeyChordError::Several { first: NamedKey::Character('a'), second: NamedKey::Enter };
    assert_eq!(read("a+enter"), Err(several.clone()));
    assert!(several.to_string().starts_with("A and Enter can't be pressed together"), "{several}");
    assert!(read("ctrl+sss").unwrap_err().to_string().starts_with("`sss` names no key"));
}

// EXE-4
#[test]
fn every_key_is_read_back_as_it_is_shown_exe_4() {
    let named =
        ["enter", "esc", "tab", "space", "backspace", "delete", "insert", "home", "end", "page_up", "page_down"];
    let others = ["up", "down", "left", "right", "menu", "print_screen", "caps_lock", "hangul", "hanja"];
    let functions = (1..=24).map(|number| format!("f{number}"));
    let characters = (b'!'..=b'~').map(|byte| char::from(byte).to_string());
    let names = named.into_iter().chain(others).map(str::to_owned).chain(functions).chain(characters);
    let mut count = 0;
    for name in names {
        for held in ["", "ctrl+", "alt+shift+win+"] {
            let chord: KeyChord = format!("{held}{name}").parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(chord.to_string().parse(), Ok(chord), "{chord}");
            count += 1;
        }
    }
    assert_eq!(count, (20 + 24 + 94) * 3);
}

/// The name that understanding gives to each group of words for a key.
fn names_of_understanding() -> Vec<&'static str> {
    let lexicon = include_str!("../../../../nlu/src/lexicon/keys.txt");
    let groups = lexicon.lines().filter_map(|line| line.strip_prefix("= ")?.split_once(':'));
    groups.filter_map(|(_, name)| name.split_whitespace().next()).collect()
}

// EXE-4
#[test]
fn every_key_that_understanding_knows_can_be_pressed_exe_4() {
    let names = names_of_understanding();
    assert!(names.len() > 60 && names.contains(&"page_up") && names.contains(&"z"), "{names:?}");
    for name in names {
        assert!(read(name).is_ok(), "{name}: {:?}", read(name));
        assert!(read(&format!("ctrl+{name}")).is_ok(), "{name}");
    }
}
