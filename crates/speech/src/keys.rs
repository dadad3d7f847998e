//! Spoken names of hot keys, and alternatives for unavailable ones (SES-6). A key is written as in the configuration: `ctrl+alt+l`.

use luna_messages::Lang;

use luna_text::letters::{digit_name, latin_name};

/// An unavailable hot key and a free alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedKey {
    /// The configured key.
    pub key: String,
    /// A free key; `None` if none was found.
    pub proposal: Option<String>,
}

/// Alternatives for `key`: with one more modifier, then with another instead, then with all modifiers. None of `used`.
#[must_use]
pub fn proposals(key: &str, used: &[String]) -> Vec<String> {
    const MODIFIERS: [&str; 4] = ["ctrl", "alt", "shift", "super"];
    let parts: Vec<&str> = key.split('+').collect();
    let Some((last, held)) = parts.split_last() else { return Vec::new() };
    let with = |more: &[&str], without: &str| {
        let kept =
            MODIFIERS.into_iter().filter(|name| (held.contains(name) || more.contains(name)) && *name != without);
        kept.chain([*last]).collect::<Vec<_>>().join("+")
    };
    let tries = [
        with(&["shift"], ""),
        with(&["super"], ""),
        with(&["ctrl", "super"], "alt"),
        with(&["alt", "super"], "ctrl"),
        with(&["ctrl", "alt", "shift", "super"], ""),
    ];
    let mut found: Vec<String> = Vec::new();
    for other in tries {
        if other != key && !used.contains(&other) && !found.contains(&other) {
            found.push(other);
        }
    }
    found
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
                (Some(digit), _) => digit_name(digit, lang).map_or_else(upper, str::to_owned),
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
        let used = ["ctrl+alt+shift+l".to_owned()];
        assert_eq!(
            proposals("ctrl+alt+l", &[]),
            ["ctrl+alt+shift+l", "ctrl+alt+super+l", "ctrl+super+l", "alt+super+l", "ctrl+alt+shift+super+l"]
        );
        assert_eq!(proposals("ctrl+alt+l", &used)[0], "ctrl+alt+super+l");
        assert_eq!(proposals("f5", &[])[0], "shift+f5");
        assert!(!proposals("ctrl+alt+shift+super+l", &[]).contains(&"ctrl+alt+shift+super+l".to_owned()));
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
