//! What can't be taken back or costs something, and needs a confirmation (DNG-1, DNG-4): said, or written on what is to be pressed.
//!
//! It is a property of words of the lexicon, in every form and ending. A participle only says what lies there (삭제된 항목, "Sent"), and so does a noun
//! before what it describes (결제 내역, "payment history"). `voice.dangerous` adds words.

use super::label_lexicon::{DangerousWord, KnownWord, LabelLexicon, WordHash, stem_forms};
use super::normalised::{NormalisedUtterance, compact};
use super::rank::spoken;

/// Letters of a word, and of an utterance, from which on both may have been recognised as one: "deletethefile".
const SHORTEST_JOINED: (usize, usize) = (4, 12);
/// An utterance of fewer letters has no spaces anyway.
const SHORTEST_UNSPACED: usize = 5;

/// The English words that DNG-1 lists; the Korean ones are configured.
const LISTED: [&str; 5] = ["delete", "empty", "send", "buy", "pay"];

/// Which words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DangerWords {
    /// Those of the lexicon, too (DNG-4).
    All,
    /// Those of the lexicon that are verbs in the title of a menu, too: its entries do it. "Format" and "Order" name what the entries are about (DNG-4).
    Titles,
    /// Only those that ask whatever is done: configured, or listed by DNG-1.
    Listed,
}

/// The words that need a confirmation.
#[derive(Debug, Clone, Default)]
pub struct Danger {
    configured: Vec<Vec<char>>,
    /// Forms of those that are stems of verbs: 비워 of 비우.
    forms: Vec<Vec<char>>,
}

/// A text that is searched.
#[derive(Clone, Copy)]
struct Searched<'a> {
    lexicon: &'static LabelLexicon,
    heard: &'a NormalisedUtterance,
    /// Whether it is a label.
    label: bool,
    /// Whether it has no spaces at all.
    unspaced: bool,
    words: DangerWords,
    forms: &'a [Vec<char>],
}

impl Danger {
    /// With the configured words (`voice.dangerous`) besides those of the lexicon.
    #[must_use]
    pub fn new(configured: &[String]) -> Self {
        let words = configured.iter().map(|word| compact(word)).filter(|word| !word.is_empty());
        let configured: Vec<Vec<char>> = words.collect();
        let is_stem = |word: &&Vec<char>| {
            let known = LabelLexicon::shared().word(WordHash::of(word));
            known.is_some_and(|word| word.danger == Some(DangerousWord::Stem))
        };
        let forms = configured.iter().filter(is_stem).flat_map(|word| stem_forms(word)).collect();
        Self { configured, forms }
    }

    /// Whether what was said has such a word.
    #[must_use]
    pub fn is_in(&self, heard: &NormalisedUtterance, words: DangerWords) -> bool {
        self.search(heard, false, words)
    }

    /// Whether a label has such a word.
    #[must_use]
    pub fn is_label(&self, label: &str, words: DangerWords) -> bool {
        self.search(&NormalisedUtterance::new(&spoken(label)), true, words)
    }

    fn search(&self, heard: &NormalisedUtterance, label: bool, words: DangerWords) -> bool {
        let unspaced = heard.len() >= SHORTEST_UNSPACED && heard.unspaced(0, heard.len());
        let text = Searched { lexicon: LabelLexicon::shared(), heard, label, unspaced, words, forms: &self.forms };
        (0..heard.len()).any(|at| {
            text.is_dangerous_at(at)
                || self.configured.iter().any(|word| {
                    let end = at + word.len();
                    heard.part(at, end) == word && (!word.iter().all(char::is_ascii) || text.is_word(at, end))
                })
        })
    }
}

impl Searched<'_> {
    fn is_dangerous_at(self, at: usize) -> bool {
        let mut hash = WordHash::START;
        (at + 1..).zip(self.heard.cells.iter().skip(at).take(self.lexicon.longest())).any(|(end, cell)| {
            hash = hash.with(*cell);
            let known = self.lexicon.word(hash).copied().unwrap_or_default();
            let is_dangerous = |danger| {
                let is_meant = match self.words {
                    DangerWords::All => true,
                    DangerWords::Titles => danger != DangerousWord::First || !known.describes,
                    DangerWords::Listed => self.is_listed(at, end),
                };
                is_meant && self.is_dangerous(at, end, danger, known)
            };
            known.danger.is_some_and(is_dangerous) && !self.is_hidden(at)
        })
    }

    /// "delete", "deletes", "deleting"; 비워
    fn is_listed(self, at: usize, end: usize) -> bool {
        if self.forms.iter().any(|form| form == self.heard.part(at, end)) {
            return true;
        }
        let said: String = self.heard.part(at, end).iter().collect();
        LISTED.iter().any(|word| {
            let rest = said.strip_prefix(word.strip_suffix('e').unwrap_or(word));
            rest.is_some_and(|rest| matches!(rest, "" | "e" | "s" | "es" | "ing"))
        })
    }

    fn is_dangerous(self, at: usize, end: usize, danger: DangerousWord, known: KnownWord) -> bool {
        // "준비 우리" is no 비우.
        if !self.heard.gap(at) && !self.heard.unspaced(at, end) {
            return false;
        }
        if self.heard.part(at, end).iter().all(char::is_ascii) {
            let joined = self.unspaced && at == 0 && end >= SHORTEST_JOINED.0 && self.heard.len() >= SHORTEST_JOINED.1;
            let opens = !self.label || danger != DangerousWord::First || self.opens_an_order(at);
            return (joined || self.is_word(at, end)) && opens && !(known.describes && self.describes(end));
        }
        match danger {
            DangerousWord::Stem => true,
            DangerousWord::Whole => self.heard.gap(at) && self.ends(end),
            DangerousWord::Anywhere => !self.is_participle(end) && !self.describes(end),
            DangerousWord::Word | DangerousWord::First => {
                self.may_begin(at) && !self.is_participle(end) && !self.describes(end)
            }
        }
    }

    /// Whether no letter of the same script stands beside it.
    fn is_word(self, at: usize, end: usize) -> bool {
        let ascii = |at: usize| self.heard.cells.get(at).is_some_and(char::is_ascii_alphanumeric);
        let joined = |before: usize, at: usize| !self.heard.gap(at) && ascii(before) && ascii(at);
        !at.checked_sub(1).is_some_and(|before| joined(before, at)) && !joined(end - 1, end)
    }

    /// Whether a Korean word may begin here: after a space, or after words of the lexicon (자동이체).
    fn may_begin(self, at: usize) -> bool {
        let chunk = self.chunk_before(at);
        let known = || {
            (chunk + 1..=at).any(|middle| {
                let is_known =
                    |from: usize, to: usize| from == to || self.lexicon.sense(self.heard.part(from, to)).is_some();
                is_known(chunk, middle) && is_known(middle, at)
            })
        };
        self.heard.gap(at) || self.unspaced || known()
    }

    /// Where the letters without a space before this one begin.
    fn chunk_before(self, at: usize) -> usize {
        (0..at).rev().find(|before| self.heard.gap(*before)).unwrap_or(0)
    }

    /// Whether an order may begin here: at the beginning, or after "and".
    fn opens_an_order(self, at: usize) -> bool {
        let before = || self.heard.part(self.chunk_before(at), at);
        at == 0 || self.lexicon.word(WordHash::of(before())).is_some_and(|word| word.is_lead)
    }

    /// Whether a participle of the noun stands here: 삭제된, 구매한.
    fn is_participle(self, end: usize) -> bool {
        self.is_followed(end, |word, from, to| {
            word.is_done && (to - from > 1 || self.heard.gap(to) || self.heard.cells.get(from) != Some(&'한'))
        })
    }

    /// Whether what follows is the thing that the noun describes.
    fn describes(self, end: usize) -> bool {
        self.is_followed(end, |word, from, to| {
            // 결제일, but not "결제 일"
            let of_the_word = to - from > 1 || !self.heard.gap(from);
            word.is_thing && of_the_word && self.ends(to)
        })
    }

    /// Whether a word ends here, but for a particle.
    fn ends(self, at: usize) -> bool {
        let end = (at..self.heard.len()).find(|at| self.heard.gap(*at)).unwrap_or(self.heard.len());
        let rest = self.heard.part(at, end);
        rest.is_empty() || self.lexicon.word(WordHash::of(rest)).is_some_and(|word| word.is_ending)
    }

    fn is_followed(self, from: usize, test: impl Fn(&KnownWord, usize, usize) -> bool) -> bool {
        let mut hash = WordHash::START;
        (from + 1..).zip(self.heard.cells.iter().skip(from).take(self.lexicon.longest())).any(|(to, cell)| {
            hash = hash.with(*cell);
            self.lexicon.word(hash).is_some_and(|word| test(word, from, to))
        })
    }

    /// Whether a word that is none of these holds the letters from here: 지우개, 내보내기.
    fn is_hidden(self, at: usize) -> bool {
        const LONGEST_BEFORE: usize = 4;
        (at.saturating_sub(LONGEST_BEFORE)..=at)
            .any(|from| self.is_followed(from, |word, _, to| word.is_stop && to > at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn danger() -> Danger {
        Danger::new(&[])
    }

    // DNG-1, DNG-4
    #[test]
    fn what_acts_is_dangerous_in_every_form_dng_4() {
        for text in [
            "보내",
            "이 메일 보내",
            "보내 줘",
            "이메일보내줘",
            "메일 보낼게",
            "보내라",
            "보내 버려",
            "전송해",
            "송금해 줘",
            "엄마한테 십만 원 송금",
            "이체해",
            "자동이체 등록",
            "계좌이체 해 줘",
            "휴지통으로 이동",
            "휴지통에 넣어",
            "휴지통에 버려 줘",
            "휴지통으로 옮겨",
            "영구 삭제",
            "삭 제 해 줘",
            "이파일삭제해줘",
            "지워",
            "이거 지워 줘",
            "지울래",
            "지웁시다",
            "비워",
            "휴지통비우기",
            "비우면 돼",
            "비울게",
            "주문하기",
            "바로주문",
            "이거 주문해 줘",
            "구매할게",
            "결제 진행",
            "결재 버튼",
            "탈퇴",
            "회원탈퇴",
            "회원 탈퇴할래",
            "초기화",
            "공장초기화",
            "포맷해",
            "덮어쓰기",
            "이거 사 줘",
            "move to trash",
            "move it to the trash",
            "put it in the trash",
            "delete forever",
            "deleting this",
            "erase it",
            "place order",
            "place my order",
            "checkout",
            "proceed to checkout",
            "empty the trash",
            "um empty the trash",
            "format the drive",
            "factory reset",
            "send",
            "please send this email",
            "pay now",
            "buy it",
            "purchase this",
            "transfer money",
            "delete my account",
            "uninstall",
            "바이 눌러",
            "deletethefile",
        ] {
            assert!(danger().is_in(&NormalisedUtterance::new(text), DangerWords::All), "{text}");
        }
    }

    // DNG-4
    #[test]
    fn labels_are_dangerous_by_what_they_do_dng_4() {
        for label in [
            "삭제(D)",
            "&Delete",
            "D_elete",
            "Delete\tDel",
            "Move to Trash",
            "휴지통으로 이동",
            "휴지통 비우기",
            "Empty Trash",
            "Save and empty",
            "보내기",
            "Send",
            "Send and Archive",
            "Pay and continue",
            "Continue and pay",
            "Buy now",
            "결제하기",
            "주문 결제하기",
            "주문하기",
            "Place order",
            "Order now",
            "Checkout",
            "송금",
            "이체하기",
            "계정 삭제",
            "Delete account",
            "탈퇴하기",
            "공장 초기화",
            "Factory reset",
            "Format…",
            "모두 지우기",
            "Uninstall",
            "Delete history",
        ] {
            assert!(danger().is_label(label, DangerWords::All), "{label}");
        }
        for label in [
            "Unsubscribe",
            "구독 취소",
            "보낸 편지함",
            "보낸메일함",
            "Sent",
            "Sent items",
            "Deleted items",
            "삭제된 항목",
            "지운 편지함",
            "Payroll",
            "PayPal",
            "Display",
            "내보내기",
            "지우개",
            "보내는 사람",
            "받는 사람",
            "New empty profile",
            "결제 내역",
            "결제수단",
            "주문 내역",
            "주문내역을",
            "구매 기록",
            "Payment history",
            "Payment method",
            "Purchase history",
            "Order history",
            "Sort order",
            "파일 포맷",
            "아이체험",
            "준비 우리",
            "페이지",
            "백스페이스",
            "바이러스 검사",
            "휴지통",
            "Trash",
            "Sender",
            "Buyer",
            "저장",
            "취소",
            "Log out",
        ] {
            assert!(!danger().is_label(label, DangerWords::All), "{label}");
        }
    }

    // DNG-4
    #[test]
    fn titles_of_menus_are_dangerous_by_their_verbs_dng_4() {
        for (title, expect) in [
            ("Delete", true),
            ("삭제", true),
            ("Send", true),
            ("보내기", true),
            ("Remove", true),
            ("Payment and delivery", true),
            ("Format", false),
            ("포맷", false),
            ("Order", false),
            ("Sent", false),
            ("Edit", false),
        ] {
            assert_eq!(danger().is_label(title, DangerWords::Titles), expect, "{title}");
        }
        assert!(danger().is_label("Format disk", DangerWords::All));
    }

    // DNG-1
    #[test]
    fn configured_words_only_add_dng_1() {
        let own = Danger::new(&["제출".to_owned(), "publish".to_owned()]);
        for (text, expect) in
            [("제출해", true), ("publish it", true), ("republished", false), ("삭제", true), ("send", true)]
        {
            assert_eq!(own.is_in(&NormalisedUtterance::new(text), DangerWords::All), expect, "{text}");
        }
        assert!(!danger().is_in(&NormalisedUtterance::new("제출해"), DangerWords::All));
    }
}
