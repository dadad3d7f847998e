//! Which labels indicate that a field holds a secret (PIC-5). Pure.
//!
//! Used only for text fields: a button or a label "비밀번호 찾기" is ordinary text. Whole words count, not parts: "PIN" but
//! not "spinner", "암호" and "암호를" but not "암호화폐".

/// Words, or sequences of words, that name a secret; lower case, without trailing digits.
const ENGLISH: [&[&str]; 25] = [
    &["password"],
    &["passwd"],
    &["passcode"],
    &["passphrase"],
    &["passkey"],
    &["pass", "word"],
    &["pass", "code"],
    &["pass", "phrase"],
    &["pwd"],
    &["pin"],
    &["puk"],
    &["secret"],
    &["token"],
    &["apikey"],
    &["api", "key"],
    &["access", "key"],
    &["private", "key"],
    &["pre", "shared", "key"],
    &["psk"],
    &["cvc"],
    &["cvv"],
    &["card", "verification"],
    &["security", "code"],
    &["recovery", "code"],
    &["recovery", "key"],
];

/// A Korean word for a secret.
struct Noun {
    word: &'static str,
    /// Whether other words may be prefixed without a space ("새비밀번호"). Short nouns occur in too many other words
    /// ("당직비번").
    compounds: bool,
}

const fn noun(word: &'static str) -> Noun {
    Noun { word, compounds: true }
}

const KOREAN: [Noun; 13] = [
    noun("비밀번호"),
    noun("암호"),
    noun("패스워드"),
    noun("패스코드"),
    noun("패스프레이즈"),
    noun("비밀키"),
    noun("개인키"),
    noun("보안코드"),
    noun("토큰"),
    noun("핀번호"),
    noun("핀코드"),
    Noun { word: "비번", compounds: false },
    Noun { word: "핀", compounds: false },
];

/// The same nouns written as two words.
const KOREAN_IN_A_ROW: [[&str; 2]; 4] = [["비밀", "번호"], ["비밀", "키"], ["개인", "키"], ["보안", "코드"]];

/// Prefixes allowed even for nouns without compounds.
const PREFIXES: [&str; 12] =
    ["새", "현재", "기존", "이전", "로그인", "계정", "관리자", "사용자", "카드", "계좌", "결제", "와이파이"];

/// Particles that end a word.
const PARTICLES: [&str; 18] = [
    "를",
    "을",
    "는",
    "은",
    "가",
    "이",
    "와",
    "과",
    "로",
    "으로",
    "의",
    "도",
    "만",
    "에",
    "란",
    "이란",
    "입니다",
    "부터",
];

/// Suffixes written together with the noun; anything may follow them.
const SUFFIXES: [&str; 13] =
    ["를", "을", "확인", "재확인", "입력", "재입력", "다시", "설정", "재설정", "변경", "구문", "문구", "칸"];

/// If one of these words follows, the label names something about the secret and not the secret itself.
const ABOUT: [&str; 24] = [
    "hint",
    "length",
    "strength",
    "policy",
    "generator",
    "manager",
    "name",
    "type",
    "limit",
    "count",
    "expiry",
    "expires",
    "힌트",
    "길이",
    "강도",
    "정책",
    "생성기",
    "관리자",
    "이름",
    "종류",
    "유형",
    "만료",
    "개수",
    "찾기",
];

/// Whether a label, placeholder or description of a field indicates that it holds a secret.
pub(super) fn names_a_secret(label: &str) -> bool {
    // Mnemonic markers may be inside words: "Pass_word", "암호(&P)".
    let without_mnemonics: String = label.chars().filter(|c| !matches!(c, '_' | '&')).collect();
    contains_secret(&without_mnemonics) || without_mnemonics != label && contains_secret(label)
}

fn contains_secret(label: &str) -> bool {
    let words = words(label);
    (0..words.len()).any(|start| {
        let Some(length) = secret_at(&words[start..]) else { return false };
        words.get(start + length).is_none_or(|next| !ABOUT.iter().any(|about| next.starts_with(about)))
    })
}

/// The number of words that the name of a secret takes at the start of `words`; `None` if there is none.
fn secret_at(words: &[String]) -> Option<usize> {
    let first = words.first()?;
    if let Some(name) = ENGLISH.iter().find(|name| {
        words.len() >= name.len() && name.iter().zip(words).all(|(part, word)| without_number(word) == *part)
    }) {
        return Some(name.len());
    }
    if KOREAN.iter().any(|noun| is_inflected(first, noun)) {
        return Some(1);
    }
    let second = words.get(1)?;
    let is_pair = |[one, other]: &[&str; 2]| first.ends_with(one) && second.strip_prefix(other).is_some_and(is_suffix);
    KOREAN_IN_A_ROW.iter().any(is_pair).then_some(2)
}

/// Whether `word` is the noun, alone or with prefixes and suffixes: "새비밀번호를", "암호확인"; not "암호화폐".
fn is_inflected(word: &str, noun: &Noun) -> bool {
    word.match_indices(noun.word).any(|(at, found)| {
        let (before, after) = (&word[..at], &word[at + found.len()..]);
        (before.is_empty() || noun.compounds || PREFIXES.contains(&before)) && is_suffix(after)
    })
}

fn is_suffix(rest: &str) -> bool {
    rest.is_empty() || PARTICLES.contains(&rest) || SUFFIXES.iter().any(|one| rest.starts_with(one))
}

fn without_number(word: &str) -> &str {
    word.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The words of a label in lower case, split at non-letters, between Hangul and other letters ("PIN번호"), and before a
/// capital that follows a small letter ("newPassword").
fn words(label: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before: Option<char> = None;
    for c in label.chars() {
        let is_cut = before.is_some_and(|b| {
            is_hangul(b) != is_hangul(c) && !c.is_ascii_digit() || b.is_lowercase() && c.is_uppercase()
        });
        if is_cut || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c.is_alphanumeric().then_some(c);
    }
    words.retain(|word| !word.is_empty());
    words
}

const fn is_hangul(c: char) -> bool {
    matches!(c, '가'..='힣' | 'ㄱ'..='ㅣ')
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-5
    #[test]
    fn labels_that_name_a_secret_pic_5() {
        for label in [
            "Password",
            "_Password",
            "Pass_word:",
            "&Password",
            "New password:",
            "newPassword",
            "Password2",
            "Enter your passphrase",
            "PASSWORD",
            "PIN",
            "Card pin code",
            "PIN번호",
            "CVC",
            "CVV2",
            "API token",
            "API key",
            "Client secret",
            "비밀번호",
            "비밀번호 확인",
            "비밀번호를 입력하세요",
            "비밀번호를입력하세요",
            "비밀번호확인",
            "새비밀번호",
            "비밀 번호:",
            "암호:",
            "암호를 입력하세요",
            "암호(_P)",
            "사용자 암호는",
            "관리자암호",
            "계좌 비번",
            "핀 번호",
            "액세스 토큰",
            "패스워드 재입력",
        ] {
            assert!(names_a_secret(label), "{label}");
        }
    }

    // PIC-5
    #[test]
    fn parts_of_words_name_no_secret_pic_5() {
        for label in [
            "",
            "Spinner",
            "Opinion",
            "Shopping",
            "City 도시",
            "tokenizer",
            "Max tokens",
            "passwordless login",
            "Secretary",
            "compass",
            "Passenger name",
            "Password hint",
            "Password length",
            "암호화폐 검색",
            "암호화폐",
            "암호화 방식",
            "암호학 개론",
            "암호문",
            "준비번호",
            "예비번호판",
            "비밀 일기",
            "전화 번호",
            "우편번호",
            "핀란드",
            "토큰화",
            "비밀번호 힌트",
            "비밀번호 찾기",
            "이름",
        ] {
            assert!(!names_a_secret(label), "{label}");
        }
    }
}
