//! The language in which the person uses this machine.

use luna_messages::Lang;

/// The language of the desktop: on Windows the user's language of menus and dialogs, elsewhere the locale of the environment. English if it is
/// neither Korean nor English.
#[must_use]
pub fn ui_language() -> Lang {
    #[cfg(windows)]
    return of_language_id(windows_language_id());
    #[cfg(not(windows))]
    return of_locale(|name| std::env::var(name).ok());
}

/// The language of the messages by the variables of a locale; the first variable that is set and not empty counts.
#[must_use]
pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Lang {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    if set.is_some_and(|locale| locale.starts_with("ko")) { Lang::Ko } else { Lang::En }
}

/// The language of a Windows language identifier, whose lower ten bits are the language without the country.
#[cfg(any(windows, test))]
const fn of_language_id(id: u16) -> Lang {
    const KOREAN: u16 = 0x12;
    if id & 0x3ff == KOREAN { Lang::Ko } else { Lang::En }
}

#[cfg(windows)]
fn windows_language_id() -> u16 {
    // SAFETY: a function without arguments that only reads a setting.
    unsafe { windows::Win32::Globalization::GetUserDefaultUILanguage() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_identifier_counts_without_its_country() {
        // Korean of South Korea and of North Korea, English, Japanese, Chinese.
        for (id, expect) in
            [(0x0412, Lang::Ko), (0x0812, Lang::Ko), (0x0409, Lang::En), (0x0411, Lang::En), (0x0804, Lang::En)]
        {
            assert_eq!(of_language_id(id), expect, "{id:#x}");
        }
    }

    #[test]
    fn the_first_variable_of_the_locale_that_is_set_counts() {
        let set = |pairs: &'static [(&str, &str)]| {
            of_locale(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(set(&[("LANG", "ko_KR.UTF-8")]), Lang::Ko);
        assert_eq!(set(&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "en_US.UTF-8")]), Lang::En);
        assert_eq!(set(&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "")]), Lang::Ko);
        assert_eq!(set(&[]), Lang::En);
    }
}
