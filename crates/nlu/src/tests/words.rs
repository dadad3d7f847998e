//! Targets are matched by words (NLU-7), and commands live in the lexicon (NLU-9).

use super::*;

fn target(utterance: &str, labels: &[&str]) -> Option<String> {
    let offered: Vec<CandidateInput> =
        labels.iter().enumerate().map(|(at, label)| button(label, label, 0, 40 * i32::try_from(at).unwrap())).collect();
    among(utterance, &offered).target_id
}

// NLU-7
#[test]
fn an_opposite_never_stands_for_its_partner_nlu_7() {
    for (utterance, label) in [
        ("click install", "Uninstall"),
        ("click uninstall", "Install"),
        ("구독 눌러", "구독 취소"),
        ("연결 눌러 줘", "연결 해제"),
        ("저장 눌러", "저장 안 함"),
        ("click save", "Don't save"),
        ("click subscribe", "Unsubscribe"),
        ("press enable", "Disable"),
        ("잠금 눌러", "잠금 해제"),
        ("로그인 눌러", "로그아웃"),
        ("click sign in", "Sign out"),
        ("click mute", "Unmute"),
    ] {
        assert_eq!(target(utterance, &[label]), None, "{utterance}: {label}");
        assert_eq!(target(utterance, &[label, "확인"]), None, "{utterance}: {label}");
    }
    for (utterance, labels) in [
        ("click install", ["Install", "Uninstall"]),
        ("연결 눌러 줘", ["연결", "연결 해제"]),
        ("연결 해제 눌러 줘", ["연결 해제", "연결"]),
        ("저장 안 함 눌러", ["저장 안 함", "저장"]),
        ("구독 취소 눌러", ["구독 취소", "구독"]),
    ] {
        assert_eq!(target(utterance, &labels).as_deref(), Some(labels[0]), "{utterance}");
        assert_eq!(target(utterance, &[labels[1], labels[0]]).as_deref(), Some(labels[0]), "{utterance}");
    }
}

// NLU-7
#[test]
fn neither_a_part_of_a_word_nor_its_sound_in_one_script_is_a_target_nlu_7() {
    for (utterance, label) in [
        ("보기 눌러", "비우기"),
        ("click art", "Start"),
        ("click port", "Import"),
        ("나가기 눌러", "나누기"),
        ("복사 눌러", "봉사"),
    ] {
        assert_eq!(target(utterance, &[label]), None, "{utterance}: {label}");
    }
    // Words of a label, and sound between the scripts.
    for (utterance, label) in [
        ("저장 눌러", "다른 이름으로 저장"),
        ("넷플릭스 열어 줘", "Netflix"),
        ("구글 눌러", "Google"),
        ("click file", "File menu"),
        ("저쟝 눌러", "저장"),
    ] {
        assert_eq!(target(utterance, &[label, "가나다라"]).as_deref(), Some(label), "{utterance}");
    }
}

/// All that a new usual order needs in the lexicon.
const SHRUG: &str = "= desktop:shrug inflect\n어깨 <으쓱하>\n(으쓱|어깨춤)\nshrug\n";

// NLU-9, DSL-6
#[test]
fn a_command_is_added_by_a_section_of_the_lexicon_alone_nlu_9() {
    // Without the classifier, which knows no orders of this sort.
    let luna = Understanding::with_words(&Vocabulary::default(), SHRUG);
    let order = |luna: &Understanding, utterance: &str| {
        let found = luna.understand(&UtteranceInput { utterance: utterance.to_owned(), ..UtteranceInput::default() });
        (found.wish.order, found.negated)
    };
    let shrugs = (Some("shrug".to_owned()), false);
    for utterance in [
        "어깨 으쓱해 줘",
        "어깨 으쓱하세요",
        "으쓱",
        "으쓱해 줘",
        "루나야 어깨 으쓱해",
        "shrug",
        "please shrug",
        "could you shrug",
        "would you mind shrugging",
    ] {
        assert_eq!(order(&luna, utterance), shrugs, "{utterance}");
    }
    // The operators know it, too, and it is a step like any other.
    assert_eq!(order(&luna, "어깨 으쓱하지 마"), (None, true));
    assert_eq!(order(&luna, "don't shrug"), (None, true));
    assert_eq!(order(&luna, "어깨 으쓱하지 말고 저장해 줘").0.as_deref(), Some("save"));
    let steps = luna
        .understand(&UtteranceInput {
            utterance: "복사하고 어깨 으쓱해".to_owned(), ..UtteranceInput::default()
        })
        .steps;
    let orders: Vec<Option<&str>> = steps.iter().map(|step| step.order.as_deref()).collect();
    assert_eq!(orders, [Some("copy"), Some("shrug")]);
    // Without the section it is nothing, and its name is unknown.
    assert_eq!(order(super::luna(), "shrug"), (None, false));
    let synonyms = BTreeMap::from([("shrug".to_owned(), vec!["몰라요".to_owned()])]);
    let named = Vocabulary { synonyms, ..Vocabulary::default() };
    assert_eq!(Understanding::new(&named).unknown_synonyms(), ["shrug"]);
    let named = Understanding::with_words(&named, SHRUG);
    assert!(named.unknown_synonyms().is_empty());
    assert_eq!(order(&named, "몰라요").0.as_deref(), Some("shrug"));
}

// NLU-9
#[test]
fn more_words_change_nothing_else_nlu_9() {
    let more = Understanding::with_words(&Vocabulary::default(), SHRUG).with_classifier(Some(classifier()));
    for utterance in
        ["저장 버튼 눌러 줘", "멈춰", "번역해 줘", "click cancel no wait click okay", "두 번째 링크 열어 줘"]
    {
        let given = UtteranceInput { utterance: utterance.to_owned(), ..UtteranceInput::default() };
        assert_eq!(more.understand(&given), luna().understand(&given), "{utterance}");
    }
}
