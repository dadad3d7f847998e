//! Korean particles with forms that depend on the preceding sound (PRE-7).

use luna_messages::preserve::TokenClass;

use super::spoken::{FinalSound, ending};

/// The forms after a consonant, after a vowel and after ㄹ; and what may follow the particle (empty: the end of the word).
type Form = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Longer forms first.
const FORMS: &[Form] = &[
    ("이었", "였", "이었", ANY),
    ("이에요", "예요", "이에요", ANY),
    ("이라", "라", "이라", ANY),
    ("이란", "란", "이란", &[""]),
    ("이며", "며", "이며", &["", "서"]),
    ("이나", "나", "이나", &["", "마"]),
    ("이랑", "랑", "이랑", &["", "은", "도"]),
    ("이든", "든", "이든", &["", "지", "가"]),
    ("이야", "야", "이야", &["", "말로"]),
    ("으로", "로", "로", &["", "는", "도", "만", "써", "서", "부터", "의", "까지", "서는", "써는", "요"]),
    ("은", "는", "은", &["", "요", "커녕"]),
    ("이", "가", "이", &["", "요"]),
    ("을", "를", "을", &["", "요"]),
    ("과", "와", "과", &["", "는", "도", "의", "만"]),
    ("아", "야", "아", &[""]),
];
/// Anything may follow.
const ANY: &[&str] = &["*"];

/// The corrected form of the particle at the start of `rest`, the text after a token with this spoken ending: the length of the existing form in
/// bytes, and the right form. `None` if no variable particle follows.
pub(super) fn fit_particle(rest: &str, ending: FinalSound) -> Option<(usize, &'static str)> {
    let run = rest.len() - rest.trim_start_matches(luna_text::language::is_hangul).len();
    let word = rest.get(..run).filter(|word| !word.is_empty())?;
    for (consonant, vowel, rieul, after) in FORMS {
        for form in [consonant, vowel] {
            let Some(tail) = word.strip_prefix(form) else { continue };
            // Too many words begin with 라 or 나.
            let allowed = if *after == ANY {
                form.chars().count() > 1 || tail.is_empty() || begins_ending(tail)
            } else {
                after.contains(&tail)
            };
            if allowed {
                let right = match ending {
                    FinalSound::Vowel => vowel,
                    FinalSound::Rieul => rieul,
                    FinalSound::Consonant => consonant,
                };
                return Some((form.len(), right));
            }
        }
    }
    None
}

/// What becomes of the particle after a token whose text changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Following {
    /// There is none, or it fits, or it was written so before the change and has nothing to do with it.
    Stays,
    /// So many bytes become this form.
    Becomes(usize, &'static str),
    /// It does not fit, or it is no particle.
    Doubtful,
}

/// What becomes of the start of `rest` if the token before it, which `before` precedes, changes from the first text into the second.
pub(super) fn following(class: TokenClass, (old, new): (&str, &str), rest: &str, before: char) -> Following {
    let Some((length, right)) = fit_particle(rest, ending(class, new)) else { return Following::Stays };
    let (Some(there), Some(after)) = (rest.get(..length), rest.get(length..)) else { return Following::Doubtful };
    // 을(를) fits everything.
    if there == right || after.starts_with('(') {
        return Following::Stays;
    }
    if fit_particle(rest, ending(class, old)).is_none_or(|(_, fitting)| fitting != there) {
        // It fits neither: wrong in any case, and surely a particle only after a sign.
        let sure = new.ends_with('%') && matches!(there, "은" | "는" | "이" | "가" | "을" | "를" | "과" | "와");
        return if sure { Following::Becomes(length, right) } else { Following::Stays };
    }
    // 종로 3가, 제2과, 디지털3로 are names; how a Latin word is read is a guess.
    let name = new.ends_with(|c: char| c.is_numeric())
        && (matches!(there, "이" | "가" | "과" | "와" | "아" | "야") || luna_text::language::is_hangul(before));
    let guess = matches!(class, TokenClass::Url | TokenClass::Email | TokenClass::Code | TokenClass::Glossary)
        && !(is_spelled_out(old) && is_spelled_out(new));
    if name || guess { Following::Doubtful } else { Following::Becomes(length, right) }
}

/// Whether the last letter is read by its name: it stands alone.
fn is_spelled_out(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let letters = text.chars().rev().take_while(char::is_ascii_alphabetic).count();
    letters == 1 || letters == 0 && text.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether the text begins with an ending that may follow 라 or 였.
fn begins_ending(tail: &str) -> bool {
    ["고", "는", "면", "도", "서", "며", "던", "습", "다", "어", "을", "지", "네", "기", "음", "으"]
        .iter()
        .any(|end| tail.starts_with(end))
}

/// `token` followed by `particle` in the matching form: 을 or 를, 이 or 가, 은 or 는, 과 or 와, 으로 or 로 and so on. Digits, units and Latin letters count
/// as read in Korean. Anything else is appended unchanged.
#[must_use]
pub fn with_particle(class: TokenClass, token: &str, particle: &str) -> String {
    match fit_particle(particle, ending(class, token)) {
        Some((length, form)) => format!("{token}{form}{}", particle.get(length..).unwrap_or("")),
        None => format!("{token}{particle}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use luna_messages::preserve::TokenClass::{Code, Date, Number, Percent, Unit};

    // PRE-7
    #[test]
    fn particles_fit_what_stands_before_them_pre_7() {
        let check = |class: TokenClass, token: &str, particle: &str, expect: &str| {
            assert_eq!(with_particle(class, token, particle), expect);
        };
        check(Percent, "30%", "을", "30%를");
        check(Unit, "70kg", "를", "70kg을");
        check(Unit, "5km", "은", "5km는");
        check(Number, "3", "가 있다", "3이 있다");
        check(Number, "7", "으로", "7로");
        check(Number, "6", "로", "6으로");
        check(Number, "2", "과", "2와");
        check(Code, "`app`", "라고", "`app`이라고");
        check(Date, "14:00", "이었다", "14:00였다");
        check(Number, "10", "예요", "10이에요");
        check(Number, "5", "개를", "5개를");
        check(Number, "3", "까지", "3까지");
        check(Number, "3", "나라", "3나라");
        check(Number, "4", "은행", "4은행");
    }
}
