//! Words that need a confirmation (DNG-1).

use super::normalised::NormalisedUtterance;
use super::trie::Trie;

/// Each word of the requirement with its forms: of a verb all forms, and what recognisers write for the same sounds. `^` stands for the
/// beginning of a word.
const FAMILIES: [(&str, &str); 10] = [
    ("삭제", "삭제 삭재 삭쩨 지워 지우 지울 지웁 딜리트"),
    ("비우", "비우 비워 비울 비웁 비운"),
    (
        "전송",
        "전송 발송 송신 ^보내줘 ^보내주 ^보내기 ^보내라 ^보내자 ^보내세요 ^보내십 ^보낼 ^보내고 ^보내봐 보내줘 보내주세요",
    ),
    ("구매", "구매 구입 ^사줘 ^사주 ^사자"),
    ("결제", "결제 결재 결쩨"),
    ("delete", "delete deletes deleting deleted erase erasing"),
    ("empty", "empty emptying empties emptied"),
    ("send", "send sends sending sent"),
    ("buy", "buy buys buying bought purchase purchasing"),
    ("pay", "pay pays paying paid payment checkout"),
];
/// English words count whatever is configured.
const ALWAYS: [&str; 5] = ["delete", "empty", "send", "buy", "pay"];

/// The words that need a confirmation.
#[derive(Debug, Clone, Default)]
pub struct Danger {
    anywhere: Trie<()>,
    at_start: Trie<()>,
    whole: Trie<()>,
}

impl Danger {
    /// With the configured words (`voice.dangerous`).
    #[must_use]
    pub fn new(configured: &[String]) -> Self {
        let mut danger = Self::default();
        for word in configured.iter().map(String::as_str).chain(ALWAYS) {
            let plain: String = super::normalised::compact(word).into_iter().collect();
            let family = FAMILIES.iter().find(|family| family.0 == plain).map_or(plain.as_str(), |family| family.1);
            for form in family.split(' ') {
                if form.is_ascii() {
                    danger.whole.insert(form, ());
                } else if let Some(form) = form.strip_prefix('^') {
                    danger.at_start.insert(form, ());
                } else {
                    danger.anywhere.insert(form, ());
                }
            }
        }
        danger
    }

    /// Whether a text holds one of them.
    #[must_use]
    pub fn is_in(&self, heard: &NormalisedUtterance) -> bool {
        let unspaced = heard.unspaced(0, heard.len());
        (0..heard.len()).any(|at| {
            let start = heard.gap(at);
            let latin_before = at > 0 && !start && heard.cells.get(at - 1).is_some_and(char::is_ascii_alphabetic);
            let mut found = self.anywhere.longest(&heard.cells, at).is_some()
                || (start && self.at_start.longest(&heard.cells, at).is_some());
            self.whole.at(&heard.cells, at, |end, ()| {
                let latin_after = !heard.gap(end) && heard.cells.get(end).is_some_and(char::is_ascii_alphabetic);
                let whole = !latin_before && !latin_after;
                // "deletethefile"
                found |= whole || (unspaced && at == 0 && end >= 4 && heard.len() >= 12);
            });
            found
        })
    }
}
