//! Spoken names of hot keys, and alternatives for unavailable ones (SES-6). A key is written as in the configuration: `ctrl+alt+l`.

use luna_messages::Lang;
use luna_messages::control::Command;

use luna_text::letters::latin_name;
use luna_text::numerals::digit_word;

/// An unavailable hot key and a free alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedKey {
    /// The configured key.
    pub key: String,
    /// A free key; `None` if none was found.
    pub proposal: Option<String>,
}

/// Letters for proposals. Without J, L, N, R and S, which on some desktops lock the screen, start a screen reader or record the screen if one of the modifiers
/// is missed.
const LETTERS: &str = "yxwqvbdtfmguiohkpacez";

/// Alternatives for `key`, the easiest to remember first: the same key with Ctrl, Alt and Super, or with one more modifier, then other letters. None of
/// `used`.
#[must_use]
pub fn proposals(key: &str, used: &[String]) -> Vec<String> {
    const MODIFIERS: [&str; 4] = ["ctrl", "alt", "shift", "super"];
    let parts: Vec<&str> = key.split('+').collect();
    let Some((last, held)) = parts.split_last() else { return Vec::new() };
    let with_shift = MODIFIERS.into_iter().filter(|name| held.contains(name) || *name == "shift");
    let same_key = [format!("ctrl+alt+super+{last}"), with_shift.chain([*last]).collect::<Vec<_>>().join("+")];
    let other_keys = LETTERS.chars().map(|letter| format!("ctrl+alt+super+{letter}"));
    let mut found: Vec<String> = Vec::new();
    for other in same_key.into_iter().chain(other_keys) {
        if other != key && !used.contains(&other) && !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

/// A key as it is printed on keyboards: "Ctrl+Alt+Super+L".
#[must_use]
pub fn written_key(key: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    let part = |part: &str| part.split('_').map(capital).collect::<Vec<_>>().join(" ");
    key.split('+').map(part).collect::<Vec<_>>().join("+")
}

/// What a command does, in a few words.
#[must_use]
pub const fn purpose(command: Command, lang: Lang) -> &'static str {
    let (ko, en) = match command {
        Command::FocusOn => ("집중 모드 켜기", "focus mode on"),
        Command::FocusOff => ("집중 모드 끄기", "focus mode off"),
        Command::FocusToggle => ("집중 모드 켜기, 끄기", "focus mode on and off"),
        Command::Stop => ("멈춤", "stop"),
        Command::Repeat => ("이 문장 다시", "repeat this sentence"),
        Command::Pause => ("잠깐 멈춤", "pause"),
        Command::Resume => ("계속", "resume"),
        Command::PauseToggle => ("잠깐, 계속", "pause, resume"),
        Command::Slower => ("느리게", "slower"),
        Command::Faster => ("빠르게", "faster"),
        Command::Next => ("다음 문장, 고정 중에는 다음 줄", "next sentence; pinned: next line"),
        Command::Prev => ("이전 문장, 고정 중에는 이전 줄", "previous sentence; pinned: previous line"),
        Command::Translate => ("번역", "translate"),
        Command::Spell => ("철자", "spell"),
        Command::SpellJamo => ("자모까지 철자", "spell with jamo"),
        Command::Numbers => ("숫자만", "numbers only"),
        Command::Summarize => ("요약", "summarize"),
        Command::Bigger => ("더 넓은 영역", "a larger region"),
        Command::Pin => ("고정", "pin this text"),
        Command::Unpin => ("고정 해제", "unpin"),
        Command::PinToggle => ("고정, 고정 해제", "pin this text, unpin"),
        Command::ReadRow => ("행 읽기", "read the row"),
        Command::ReadTable => ("표나 목록 읽기", "read the table or list"),
        Command::Help => ("할 수 있는 말", "what can be said"),
        Command::Escape => ("물음 닫기", "dismiss a question"),
        Command::Confirm => ("예, 물어본 일 하기", "yes, do what was asked"),
    };
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

/// A key as spoken: "Control Alt L", "컨트롤 알트 엘".
#[must_use]
pub fn spoken_key(key: &str, lang: Lang) -> String {
    key.split('+').map(|part| spoken_part(part, lang)).collect::<Vec<_>>().join(" ")
}

fn spoken_part(part: &str, lang: Lang) -> String {
    let (ko, en) = match part {
        "ctrl" => ("컨트롤", "Control"),
        "alt" => ("알트", "Alt"),
        "shift" => ("시프트", "Shift"),
        "super" => ("슈퍼", "Super"),
        "escape" => ("이에스시", "Escape"),
        "space" => ("스페이스", "Space"),
        "enter" => ("엔터", "Enter"),
        "up" => ("위쪽 화살표", "Up"),
        "down" => ("아래쪽 화살표", "Down"),
        "left" => ("왼쪽 화살표", "Left"),
        "right" => ("오른쪽 화살표", "Right"),
        "page_up" => ("페이지 업", "Page Up"),
        "page_down" => ("페이지 다운", "Page Down"),
        "home" => ("홈", "Home"),
        "end" => ("엔드", "End"),
        other => return spoken_character(other, lang),
    };
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
    .to_owned()
}

/// A letter or digit by its name; the number of `f5` is read as a number.
fn spoken_character(part: &str, lang: Lang) -> String {
    let mut characters = part.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) => {
            let upper = || one.to_ascii_uppercase().to_string();
            match (one.to_digit(10), lang) {
                (Some(digit), _) => digit_word(digit, lang).map_or_else(upper, str::to_owned),
                (None, Lang::Ko) => latin_name(one, lang).unwrap_or_else(upper),
                (None, Lang::En) => upper(),
            }
        }
        (Some('f'), Some(_)) if lang == Lang::Ko => format!("에프 {}", &part[1..]),
        _ => part.to_ascii_uppercase(),
    }
}

/// The sentences that name each unavailable key and say what to do. Empty if there is none.
#[must_use]
pub fn refused_keys(refused: &[RefusedKey], lang: Lang) -> String {
    let one = |refused: &RefusedKey| {
        let key = spoken_key(&refused.key, lang);
        let proposal = refused.proposal.as_deref().map(|other| spoken_key(other, lang));
        match (lang, proposal) {
            (Lang::Ko, Some(other)) => format!(
                "{key}, 이 단축키는 다른 프로그램이 쓰고 있는 것 같아요. 설정에서 {other} 단축키로 바꿔 주세요."
            ),
            (Lang::Ko, None) => {
                format!("{key}, 이 단축키는 다른 프로그램이 쓰고 있는 것 같아요. 설정에서 다른 키로 바꿔 주세요.")
            }
            (Lang::En, Some(other)) => {
                format!(
                    "I can't have the hot key {key}; another program seems to use it. {other} is free: change it in the settings."
                )
            }
            (Lang::En, None) => {
                format!("I can't have the hot key {key}; another program seems to use it. Change it in the settings.")
            }
        }
    };
    refused.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The sentences that name each key that has become available. Empty if there is none.
#[must_use]
pub fn regained_keys(keys: &[String], lang: Lang) -> String {
    let one = |key: &String| {
        let key = spoken_key(key, lang);
        match lang {
            Lang::Ko => format!("{key}, 이 단축키를 이제 쓸 수 있어요."),
            Lang::En => format!("The hot key {key} works now."),
        }
    };
    keys.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-6
    #[test]
    fn keys_are_said_by_their_names_ses_6() {
        for (key, ko, en) in [
            ("ctrl+alt+l", "컨트롤 알트 엘", "Control Alt L"),
            ("ctrl+shift+super+9", "컨트롤 시프트 슈퍼 구", "Control Shift Super nine"),
            ("alt+f12", "알트 에프 12", "Alt F12"),
            ("escape", "이에스시", "Escape"),
            ("ctrl+page_up", "컨트롤 페이지 업", "Control Page Up"),
        ] {
            assert_eq!((spoken_key(key, Lang::Ko).as_str(), spoken_key(key, Lang::En).as_str()), (ko, en));
        }
    }

    // SES-6
    #[test]
    fn another_key_is_proposed_that_nothing_else_uses_ses_6() {
        let used = ["ctrl+alt+super+l".to_owned(), "ctrl+alt+super+y".to_owned()];
        assert_eq!(proposals("ctrl+alt+l", &[])[..3], ["ctrl+alt+super+l", "ctrl+alt+shift+l", "ctrl+alt+super+y"]);
        assert_eq!(proposals("ctrl+alt+l", &used)[..2], ["ctrl+alt+shift+l", "ctrl+alt+super+x"]);
        assert_eq!(proposals("ctrl+alt+super+u", &[])[..2], ["ctrl+alt+shift+super+u", "ctrl+alt+super+y"]);
        assert_eq!(proposals("f5", &[])[..2], ["ctrl+alt+super+f5", "shift+f5"]);
        for key in ["ctrl+alt+l", "ctrl+alt+shift+super+l", "escape"] {
            let all = proposals(key, &used);
            assert!(all.len() > 18 && all.iter().all(|other| other != key && !used.contains(other)), "{key}: {all:?}");
        }
    }

    // SES-6
    #[test]
    fn keys_are_written_as_they_are_printed_ses_6() {
        for (key, expect) in
            [("ctrl+alt+super+u", "Ctrl+Alt+Super+U"), ("shift+page_up", "Shift+Page Up"), ("f5", "F5"), ("", "")]
        {
            assert_eq!(written_key(key), expect);
        }
        let all = Command::ALL.map(|command| (purpose(command, Lang::Ko), purpose(command, Lang::En)));
        assert!(all.iter().all(|(ko, en)| !ko.is_empty() && en.is_ascii() && !ko.is_ascii()), "{all:?}");
    }

    // SES-6
    #[test]
    fn what_is_refused_is_told_key_by_key_with_what_to_do_ses_6() {
        let refused = [
            RefusedKey { key: "ctrl+alt+l".into(), proposal: Some("ctrl+alt+shift+l".into()) },
            RefusedKey { key: "ctrl+alt+s".into(), proposal: None },
        ];
        for lang in [Lang::Ko, Lang::En] {
            let told = refused_keys(&refused, lang);
            for key in ["ctrl+alt+l", "ctrl+alt+shift+l", "ctrl+alt+s"] {
                assert!(told.contains(&spoken_key(key, lang)), "{told}");
            }
            assert_eq!(luna_text::language::by_script(&told, Lang::En), lang, "{told}");
            assert_eq!(refused_keys(&[], lang), "");
            assert!(regained_keys(&["ctrl+alt+l".into()], lang).contains(&spoken_key("ctrl+alt+l", lang)));
        }
    }
}
