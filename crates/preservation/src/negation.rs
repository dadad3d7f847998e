//! Sentences that a larger model translates more reliably: with two or more negations, or a policy keyword (TRN-4).

/// Words of contracts and policies, in which a mistake is costly. Korean ones match anywhere in a word, English ones at its beginning.
pub const POLICY_WORDS: &[&str] = &[
    "약관",
    "정책",
    "계약",
    "동의",
    "환불",
    "개인정보",
    "보증",
    "면책",
    "책임",
    "의무",
    "위약금",
    "해지",
    "법률",
    "규정",
    "금지",
    "배상",
    "저작권",
    "terms",
    "policy",
    "policies",
    "agreement",
    "contract",
    "consent",
    "refund",
    "privacy",
    "warrant",
    "liab",
    "obligat",
    "penalt",
    "terminat",
    "legal",
    "prohibit",
    "indemni",
    "copyright",
];

/// Why a sentence is hard to translate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranslationDifficulty {
    /// The number of negations, at least two.
    Negations(usize),
    /// It has a policy keyword.
    Policy,
}

/// Whether `sentence` should go to a larger model, and why (TRN-4). `policy` are the keywords, such as [`POLICY_WORDS`].
#[must_use]
pub fn translation_difficulty<S: AsRef<str>>(sentence: &str, policy: &[S]) -> Option<TranslationDifficulty> {
    let count = negations(sentence);
    if count >= 2 {
        return Some(TranslationDifficulty::Negations(count));
    }
    let lower = sentence.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric());
    let found = policy.iter().map(|word| word.as_ref().to_lowercase()).filter(|word| !word.is_empty()).any(|word| {
        if word.is_ascii() && !word.contains(' ') {
            words().any(|other| other.starts_with(&word))
        } else {
            lower.contains(&word)
        }
    });
    found.then_some(TranslationDifficulty::Policy)
}

/// Number of Korean and English negations in `sentence`.
#[must_use]
pub fn negations(sentence: &str) -> usize {
    let lower = sentence.to_lowercase().replace('’', "'");
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().map(|(i, word)| of_word(word, words.get(i + 1).copied())).sum()
}

fn of_word(word: &str, next: Option<&str>) -> usize {
    if word.is_ascii() {
        return usize::from(
            matches!(
                word,
                "not"
                    | "no"
                    | "never"
                    | "none"
                    | "nothing"
                    | "nobody"
                    | "nowhere"
                    | "neither"
                    | "nor"
                    | "without"
                    | "cannot"
                    | "unless"
                    | "hardly"
                    | "cant"
                    | "dont"
                    | "wont"
            ) || word.ends_with("n't"),
        );
    }
    // 안 alone before a verb is a negation; "안 물건" after a noun means "inside", which can't be distinguished: it counts.
    if matches!(word, "안" | "못") {
        return usize::from(next.is_some());
    }
    // Words that only look like a negation, or are lexicalised.
    const OTHERS: &[&str] = &[
        "없애",
        "없앤",
        "없앨",
        "틀림없",
        "끊임없",
        "다름없",
        "변함없",
        "못지않",
        "아니면",
        "아니요",
        "아니오",
        "머지않",
        "마지않",
        "못생",
        "못자리",
    ];
    if OTHERS.iter().any(|other| word.contains(other)) {
        return 0;
    }
    let mut count = word.matches("없").count() + word.matches("않").count();
    for sign in [
        "아니",
        "아닌",
        "아닙",
        "아닐",
        "아녜",
        "못하",
        "못한",
        "못했",
        "못할",
        "못해",
        "못합",
        "말아",
        "말고",
        "마세요",
        "마십",
        "마라",
        "말라",
        "지마",
        "지말",
        "못쓰",
        "못써",
    ] {
        count += word.matches(sign).count();
    }
    // Two of the patterns match 지마세요.
    if word.contains("지마") && (word.contains("마세요") || word.contains("마십") || word.contains("마라")) {
        count -= 1;
    }
    if word.contains("지말") && (word.contains("말아") || word.contains("말고") || word.contains("말라")) {
        count -= 1;
    }
    // A noun such as 고구마 before 라 is counted by mistake, which at most sends a sentence to the larger model.
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    // TRN-4
    #[test]
    fn two_negations_or_a_word_of_policy_make_a_sentence_doubtful_trn_4() {
        let check = |sentence: &str, expect: usize| assert_eq!(negations(sentence), expect, "{sentence}");
        check("저장하지 않으면 닫을 수 없습니다.", 2);
        check("하지 않을 수 없다", 2);
        check("안 보이면 못 읽는다", 2);
        check("삭제하지 마세요", 1);
        check("파일이 없습니다", 1);
        check("여기가 아니라 저기입니다", 1);
        check("열거나 아니면 닫으세요", 0);
        check("안전한 안내 방송", 0);
        check("임시 파일을 없애 주세요", 0);
        check("틀림없이 됩니다", 0);
        check("You can't close it without saving.", 2);
        check("Do not turn off.", 1);
        check("It isn’t that nobody knows", 2);
        check("Note the knot in the notebook", 0);
        check("그건 못하지 않아요", 2);
        assert_eq!(translation_difficulty("이용 약관을 읽으세요", POLICY_WORDS), Some(TranslationDifficulty::Policy));
        assert_eq!(translation_difficulty("Our Privacy rules", POLICY_WORDS), Some(TranslationDifficulty::Policy));
        assert_eq!(translation_difficulty("Open the file", POLICY_WORDS), None);
        assert_eq!(translation_difficulty("Never say never", POLICY_WORDS), Some(TranslationDifficulty::Negations(2)));
        assert_eq!(translation_difficulty("Nordic walking", &["walk"]), Some(TranslationDifficulty::Policy));
        assert_eq!(translation_difficulty("An illegally parked car", &["legal"]), None);
        assert_eq!(
            translation_difficulty("The terms of use apply", &["terms of use"]),
            Some(TranslationDifficulty::Policy)
        );
        assert_eq!(translation_difficulty("Anything", &[""]), None);
    }
}
