//! Sentences of every day that merely contain a word of a command.

use super::*;

/// What people talk about, around words of the vocabulary. 〈〉 is filled with each of the words.
const KOREAN: [&str; 16] = [
    "〈〉라는 말을 어제 처음 들었다",
    "그 책에는 〈〉라는 단어가 자주 나온다",
    "나는 〈〉에 대해 생각해 본 적이 없다",
    "친구가 〈〉 이야기를 한참 했다",
    "〈〉 때문에 회의가 길어졌다고 한다",
    "오늘 수업에서 〈〉의 뜻을 배웠다",
    "우리 동네에는 〈〉 카페가 있다",
    "아이가 〈〉 놀이를 좋아한다",
    "〈〉 같은 건 별로 중요하지 않았다",
    "엄마는 〈〉 소리를 듣고 웃었다",
    "어제 본 영화 제목이 〈〉였다",
    "그 사람은 〈〉 말고는 관심이 없다",
    "이 노래에는 〈〉 부분이 두 번 나온다",
    "신문에 〈〉 기사가 실렸다",
    "비가 와서 〈〉 행사가 취소됐다",
    "〈〉 하나로 모든 게 달라졌다",
];
const ENGLISH: [&str; 16] = [
    "the word 〈〉 was on the wall",
    "we talked about 〈〉 all evening",
    "there is a shop called 〈〉 in our street",
    "my brother thinks 〈〉 is a funny word",
    "she said 〈〉 and left the room",
    "nobody knows what 〈〉 means here",
    "the film was named 〈〉",
    "he wrote 〈〉 on a piece of paper",
    "the 〈〉 sign had fallen down",
    "I learned the word 〈〉 yesterday",
    "a 〈〉 like that is hard to find",
    "they argued about 〈〉 for an hour",
    "our teacher explained 〈〉 twice",
    "the story ends with 〈〉",
    "it was 〈〉 that made him angry",
    "children often say 〈〉 in this game",
];
const WORDS: [&str; 44] = [
    "멈춰",
    "그만",
    "정지",
    "중지",
    "다시",
    "반복",
    "잠깐",
    "기다려",
    "계속",
    "이어서",
    "다음",
    "이전",
    "천천히",
    "느리게",
    "빠르게",
    "빨리",
    "번역",
    "영어로",
    "철자",
    "숫자",
    "퍼센트",
    "요약",
    "핵심",
    "크게",
    "확대",
    "고정",
    "해제",
    "집중 모드",
    "집중",
    "포커스",
    "속도",
    "읽어",
    "넘어가",
    "건너뛰어",
    "돌아가",
    "조용히",
    "스톱",
    "넥스트",
    "재생",
    "하나씩",
    "한글",
    "줄",
    "문장",
    "취소",
];
const ENGLISH_WORDS: [&str; 30] = [
    "stop",
    "repeat",
    "again",
    "pause",
    "wait",
    "resume",
    "continue",
    "next",
    "previous",
    "back",
    "slower",
    "slow",
    "faster",
    "fast",
    "translate",
    "spell",
    "numbers",
    "percent",
    "summary",
    "bigger",
    "zoom",
    "pin",
    "unpin",
    "focus",
    "quiet",
    "skip",
    "english",
    "korean",
    "letter",
    "hold on",
];

/// The strings of real programs: pairs of language and text.
fn strings() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/windows-terminal");
    let mut texts = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "resw") {
                let text = std::fs::read_to_string(&path).unwrap();
                texts.extend(
                    text.split("<value>").skip(1).filter_map(|rest| rest.split("</value>").next()).map(str::to_owned),
                );
            }
        }
    }
    assert!(texts.len() > 1_000, "{} strings in {}", texts.len(), folder.display());
    texts
}

// BRG-1
#[test]
fn ordinary_sentences_are_no_reflexes_brg_1() {
    let mut sentences: Vec<String> = Vec::new();
    for (frames, words) in [(&KOREAN, &WORDS[..]), (&ENGLISH, &ENGLISH_WORDS[..])] {
        sentences.extend(frames.iter().flat_map(|frame| words.iter().map(|word| frame.replace("〈〉", word))));
    }
    let made = sentences.len();
    assert!(made >= 1_000, "{made}");
    // Sentences of programs: those of at least four words; shorter ones may be commands.
    sentences.extend(strings().into_iter().filter(|text| text.split_whitespace().count() >= 4));
    let hits: Vec<&String> = sentences.iter().filter(|text| said(text, true).kind == UtteranceKind::Reflex).collect();
    let allowed = sentences.len() / 1_000;
    assert!(hits.len() <= allowed, "{} of {}: {hits:?}", hits.len(), sentences.len());
}

// BRG-1, RNK-2
#[test]
fn frequent_words_are_no_slips_of_commands_brg_1() {
    for word in [
        "에서",
        "다른",
        "서로",
        "지역",
        "당시",
        "인천",
        "전쟁",
        "어차피",
        "아이패드",
        "일정",
        "충분히",
        "직접",
        "주민",
        "의존",
        "case",
        "value",
        "stupid",
        "backyard",
        "reminder",
        "unix",
    ] {
        let found = said(word, true);
        assert_ne!(found.kind, UtteranceKind::Reflex, "{word}: {found:?}");
    }
}

// NLU-2
#[test]
fn what_is_too_long_for_a_command_is_told_so_and_not_looked_at_nlu_2() {
    let check = |utterance: &str, kind: UtteranceKind, why: &str| {
        let found = said(utterance, true);
        assert_eq!((found.kind, found.why.as_str()), (kind, why), "{} bytes", utterance.len());
    };
    let stops = "말 전체가 바로 따르는 명령 stop입니다.";
    for spaces in [1, 100_000] {
        let space = " ".repeat(spaces);
        check(&format!("{space}멈춰{space}"), UtteranceKind::Reflex, stops);
        check(&space, UtteranceKind::None, "Nothing was said.");
    }
    for between in [" ", "\n", "1 ", "번 ", "\u{3000}", "\"", ", ", "um "] {
        check(&format!("멈춰{}멈춰", between.repeat(100_000)), UtteranceKind::None, "명령이라기에는 너무 깁니다.");
    }
    check(&"stop ".repeat(100_000), UtteranceKind::None, "It is too long for a command.");
    assert_eq!(luna().reflex(&"멈춰 ".repeat(100_000), true), None);
}
