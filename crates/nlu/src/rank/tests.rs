//! Which candidate a step means, said to the ranker itself: opposites, parts of words, slips and sounds, and the labels of real windows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use luna_messages::dsl::Action;
use luna_messages::understanding::{CandidateInput, ParsedCommand, Switch};
use proptest::prelude::*;

use super::*;
use crate::lexicon::lines;
use crate::normalised::compact;

fn ranker() -> &'static Ranker {
    static RANKER: std::sync::OnceLock<Ranker> = std::sync::OnceLock::new();
    RANKER.get_or_init(|| Ranker::new(RankingWeightSet::default()))
}

fn offered(labels: &[&str]) -> Vec<CandidateInput> {
    let one = |(at, label): (usize, &&str)| CandidateInput {
        id: at.to_string(),
        role: Some("button".to_owned()),
        text: Some((*label).to_owned()),
        ..CandidateInput::default()
    };
    labels.iter().enumerate().map(one).collect()
}

fn pressing(text: &str) -> Draft {
    let wish =
        ParsedCommand { action: Some(Action::Invoke), target_text: Some(text.to_owned()), ..ParsedCommand::default() };
    Draft { wish, ..Draft::default() }
}

/// The label that a text means among these.
fn meant<'a>(text: &str, labels: &[&'a str]) -> Option<&'a str> {
    let found = ranker().rank(&pressing(text), &offered(labels)).target?;
    labels.get(found.parse::<usize>().unwrap()).copied()
}

/// Labels that are the opposite of each other, or of which one takes the other back.
const OPPOSITES: &[(&str, &str)] = &[
    ("보기", "비우기"),
    ("install", "Uninstall"),
    ("Install update", "Uninstall update"),
    ("설치", "제거"),
    ("구독", "구독 취소"),
    ("구독", "구독취소"),
    ("연결", "연결 해제"),
    ("블루투스 연결", "블루투스 연결 해제"),
    ("저장", "저장 안 함"),
    ("저장", "저장안함"),
    ("저장", "저장하지 않음"),
    ("저장", "Don't save"),
    ("save", "Don't Save"),
    ("save", "Do not save"),
    ("save", "저장 안 함"),
    ("subscribe", "Unsubscribe"),
    ("connect", "Disconnect"),
    ("connect", "연결 해제"),
    ("로그인", "로그아웃"),
    ("로그인", "자동 로그인 해제"),
    ("log in", "Log out"),
    ("sign in", "Sign out"),
    ("켜기", "끄기"),
    ("와이파이 켜기", "Wi-Fi 끄기"),
    ("turn on", "Turn off"),
    ("접기", "펼치기"),
    ("collapse", "Expand"),
    ("확대", "축소"),
    ("zoom in", "Zoom out"),
    ("이전", "다음"),
    ("이전 단계", "다음 단계"),
    ("previous page", "Next page"),
    ("lock", "Unlock"),
    ("잠금", "잠금 해제"),
    ("mute", "Unmute"),
    ("음소거", "음소거 해제"),
    ("enable", "Disable"),
    ("enable extension", "Disable extension"),
    ("동의", "동의 안 함"),
    ("동의", "동의하지 않습니다"),
    ("agree", "Disagree"),
    ("활성화", "비활성화"),
    ("숨기기", "숨기기 취소"),
    ("숨기기", "보이기"),
    ("hide", "Unhide"),
    ("follow", "Unfollow"),
    ("팔로우", "언팔로우"),
    ("팔로우", "팔로우 취소"),
    ("pin", "Unpin"),
    ("고정", "고정 해제"),
    ("like", "Dislike"),
    ("select", "Deselect"),
    ("선택", "선택 해제"),
    ("알림", "알림 끄기"),
    ("실행", "실행 취소"),
    ("주문", "주문 취소"),
    ("order", "Cancel order"),
    ("show again", "Don't show again"),
    ("공개", "비공개"),
    ("가입", "탈퇴"),
    ("허용", "차단"),
    ("allow", "Don't allow"),
    ("올리기", "내리기"),
    ("import", "Export"),
    ("가져오기", "내보내기"),
    ("archive", "Unarchive"),
    ("오름차순 정렬", "내림차순 정렬"),
    ("check in", "Check-out"),
];

// NLU-7
#[test]
fn an_opposite_never_stands_for_its_partner_nlu_7() {
    let mut wrong = Vec::new();
    for &(one, other) in OPPOSITES {
        for (said, there) in [(one, other), (other, one)] {
            for labels in [vec![there], vec![there, "도움말", "Help"]] {
                if let Some(found) = meant(said, &labels) {
                    wrong.push(format!("{said} → {found}"));
                }
            }
            let labels = [there, said, "이름"];
            if meant(said, &labels) != Some(said) {
                wrong.push(format!("{said}: not itself beside {there}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), 6 * OPPOSITES.len(), wrong.join("\n"));
}

// NLU-7, RNK-2
#[test]
fn a_part_of_a_word_never_stands_for_the_word_nlu_7() {
    for (said, labels) in [
        ("포도", &["포도주"][..]),
        ("제목", &["부제목"]),
        ("title", &["Subtitle"]),
        ("java", &["JavaScript"]),
        ("print", &["Printer"]),
        ("back", &["Backup"]),
        ("pay", &["Payroll"]),
        ("note", &["Notepad"]),
        ("전문", &["전문가"]),
        ("취소", &["취소선"]),
        ("보기", &["돋보기"]),
        ("이름", &["별이름표"]),
        ("보기", &["Back", "Book"]),
        ("이전", &["이진", "이젠"]),
        ("저장", &["저작권"]),
        ("option a", &["Option B"]),
        ("save as", &["Save all"]),
        ("비밀번호 찾기", &["비밀번호"]),
        ("delete account", &["Account"]),
        ("새 폴더", &["폴더 닫기"]),
        ("copy", &["Close"]),
        ("3번", &["2번"]),
        ("탭 닫기", &["다른 탭 닫기", "오른쪽에 있는 탭 닫기"]),
        ("close tab", &["Close other tabs", "Close tabs to the right", "Close"]),
        ("save", &["You have changes that are not saved. Save them now?"]),
        ("bright black", &["Black"]),
    ] {
        assert_eq!(meant(said, labels), None, "{said}");
    }
}

// NLU-7, RNK-2
#[test]
fn a_file_is_found_without_its_ending_in_any_order_of_its_words_rnk_2() {
    for (said, labels, expect) in [
        ("march report file", &["report-march.pdf", "report-april.pdf"][..], Some("report-march.pdf")),
        ("report march", &["report-march.pdf", "report-april.pdf"], Some("report-march.pdf")),
        ("여행 사진 파일", &["여행_사진.zip", "견적서.pdf"], Some("여행_사진.zip")),
        ("예산안 문서", &["2024_예산안.hwp", "견적서.pdf"], Some("2024_예산안.hwp")),
        ("budget 2024 file", &["Budget_2023.xlsx", "Invoices"], None),
        ("report file", &["report-march.pdf", "report-april.pdf"], None),
        ("회의록 4월", &["회의록_3월.docx"], None),
        ("파일", &["여행_사진.zip"], None),
        ("notes", &["notes.txt", "notes_old.txt"], Some("notes.txt")),
    ] {
        assert_eq!(meant(said, labels), expect, "{said}");
    }
}

// NLU-3, RNK-2
#[test]
fn the_label_that_was_said_is_found_rnk_2() {
    for (said, labels, expect) in [
        ("저장", &["다른 이름으로 저장", "저장"][..], Some("저장")),
        ("저장", &["다른 이름으로 저장"], Some("다른 이름으로 저장")),
        ("저장", &["다른 이름으로 저장", "모두 저장"], None),
        ("저장", &["저장(S)", "다른 이름으로 저장(A)…"], Some("저장(S)")),
        ("다른 이름으로 저장", &["저장(S)", "다른 이름으로 저장(A)…"], Some("다른 이름으로 저장(A)…")),
        ("save", &["&Save", "Save &As…"], Some("&Save")),
        ("save as", &["&Save", "Save &As…"], Some("Save &As…")),
        ("password", &["P_assword", "_User"], Some("P_assword")),
        ("save", &["Save\tCtrl+S", "Save As\tCtrl+Shift+S"], Some("Save\tCtrl+S")),
        ("예약", &["예약하기", "조회하기"], Some("예약하기")),
        ("결제하기", &["결제", "취소"], Some("결제")),
        ("저장을", &["저장", "취소"], Some("저장")),
        ("document", &["Documents", "Downloads"], Some("Documents")),
        ("받은편지함", &["받은편지함 (3)", "보낸편지함"], Some("받은편지함 (3)")),
        ("보고서", &["보고서 (1)", "보고서 (2)"], None),
        ("보고서", &["보고서 (1)", "보고서"], Some("보고서")),
        ("메일쓰기", &["메일 쓰기", "메일함"], Some("메일 쓰기")),
        ("삭제", &["Delete", "Save"], Some("Delete")),
        ("delete account", &["계정 삭제", "계정 설정"], Some("계정 삭제")),
        ("새 탭", &["New tab", "New window"], Some("New tab")),
        ("유튜브", &["YouTube", "YouTube Music"], Some("YouTube")),
        ("넷플릭스", &["Netflix", "Notion"], Some("Netflix")),
        ("구글 드라이브", &["Google 드라이브", "Google 문서"], Some("Google 드라이브")),
        ("피디에프 저장", &["PDF 저장", "인쇄"], Some("PDF 저장")),
        ("줌", &["Zoom", "Teams"], Some("Zoom")),
        ("저쟝", &["저장", "취소"], Some("저장")),
        ("취소 취소", &["확인", "취소"], Some("취소")),
        ("mark to mark positioning", &["Mark positioning"], None),
        (
            "기후 변화",
            &["기후 변화가 부른 올여름 홍수 피해와 대책", "날씨"],
            Some("기후 변화가 부른 올여름 홍수 피해와 대책"),
        ),
        ("최소", &["확인", "취소"], Some("취소")),
        ("네보내기", &["가져오기", "내보내기"], Some("내보내기")),
        ("회의", &["회의", "회신", "회사"], Some("회의")),
        ("내리차순 정렬", &["오름차순 정렬", "내림차순 정렬"], Some("내림차순 정렬")),
        ("insert tabel", &["Bold", "Insert Table"], Some("Insert Table")),
        ("male", &["Mail", "Calendar"], Some("Mail")),
        ("sine in", &["Sign in", "Register"], Some("Sign in")),
        ("sail", &["Sale", "Sail"], Some("Sail")),
        ("메일 폴더", &["메일", "일정"], Some("메일")),
        ("주문", &["주문 결제하기", "쇼핑 계속하기"], Some("주문 결제하기")),
        ("continue", &["Pay and continue", "Back"], Some("Pay and continue")),
        ("삼 층 안내", &["1층 안내", "3층 안내"], Some("3층 안내")),
        ("연결 해제", &["연결", "연결 해제"], Some("연결 해제")),
        ("연결 끊기", &["Connect", "Disconnect"], Some("Disconnect")),
        ("구독 취소", &["Subscribe", "Unsubscribe"], Some("Unsubscribe")),
        ("저장 안 함", &["Save", "Don't Save", "Cancel"], Some("Don't Save")),
        ("로그아웃", &["Log in", "Sign out"], Some("Sign out")),
        ("알림", &["알림 켜기/끄기", "소리"], Some("알림 켜기/끄기")),
        ("자동저장", &["자동 저장", "저장"], Some("자동 저장")),
    ] {
        assert_eq!(meant(said, labels), expect, "{said} {labels:?}");
    }
}

// NLU-7, NLU-2
#[test]
fn what_is_switched_needs_no_word_for_it_nlu_7() {
    for (state, label, expect) in [
        (Switch::Off, "알림 끄기", true),
        (Switch::Off, "알림 켜기", false),
        (Switch::On, "알림 켜기", true),
        (Switch::On, "알림 끄기", false),
        (Switch::Off, "알림", true),
        (Switch::On, "알림", true),
        (Switch::Off, "알림 켜기/끄기", true),
    ] {
        let mut draft = pressing("알림");
        (draft.wish.action, draft.wish.state) = (Some(Action::Toggle), Some(state));
        let found = ranker().rank(&draft, &offered(&[label, "소리"]));
        assert_eq!(found.target.is_some(), expect, "{state:?} {label}");
    }
}

// NLU-7
#[test]
fn a_slip_or_a_sound_counts_only_where_nothing_is_nearer_nlu_7() {
    for (said, labels, expect) in [
        ("저쟝", &["저장", "저당"][..], Some("저장")),
        ("cloze", &["Clothes", "Cloths"], None),
        ("포돗", &["포도", "포돗 상자"], None),
    ] {
        assert_eq!(meant(said, labels), expect, "{said} {labels:?}");
    }
}

/// The labels of real windows.
fn windows() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut windows: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, label) in lines(include_str!("windows.txt")) {
        match windows.last_mut().filter(|window| window.0 == name) {
            Some(window) => window.1.push(label),
            None => windows.push((name, vec![label])),
        }
    }
    windows
}

// NLU-3, NLU-7
#[test]
fn labels_of_real_windows_are_found_as_they_are_said_nlu_3() {
    let (mut found, mut alike, mut lost, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for (window, labels) in windows() {
        for label in &labels {
            let twin = |other: &&&str| compact(other) == compact(label);
            match meant(label, &labels) {
                Some(other) if other == *label => found += 1,
                Some(other) => wrong.push(format!("{window}: {label} → {other}")),
                None if labels.iter().filter(twin).count() > 1 => alike += 1,
                None => lost.push(format!("{window}: {label}")),
            }
        }
    }
    assert_eq!(
        (lost, wrong),
        (Vec::<String>::new(), Vec::new()),
        "lost and wrong; {found} were found, {alike} are there twice"
    );
}

// NLU-3, NLU-7
#[test]
fn a_label_that_is_not_there_is_not_found_nlu_7() {
    let (mut none, mut wrong) = (0, Vec::new());
    for (window, labels) in windows() {
        for label in &labels {
            let others: Vec<&str> = labels.iter().copied().filter(|other| compact(other) != compact(label)).collect();
            match meant(label, &others) {
                None => none += 1,
                Some(other) => wrong.push(format!("{window}: {label} → {other}")),
            }
        }
    }
    // What is left are labels that hold all the words that were said: "Background" for "Selection background".
    assert!(wrong.len() * 11 < none + wrong.len(), "{} of {}: {wrong:#?}", wrong.len(), none + wrong.len());
}

/// Labels and what could be said for them.
fn any_labels() -> impl Strategy<Value = Vec<&'static str>> {
    let all: Vec<&str> =
        OPPOSITES.iter().flat_map(|(one, other)| [*one, *other]).chain(["이름", "Help", "도움말"]).collect();
    proptest::sample::subsequence(all, 1..12).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    // NLU-7
    #[test]
    fn a_vetoed_candidate_is_never_the_target_in_any_order_nlu_7(labels in any_labels(), at: prop::sample::Index, other: bool) {
        let (one, partner) = OPPOSITES[at.index(OPPOSITES.len())];
        let (said, partner) = if other { (partner, one) } else { (one, partner) };
        let labels: Vec<&str> = labels.into_iter().filter(|label| *label != partner).chain([partner]).collect();
        for turn in 0..labels.len() {
            let mut labels = labels.clone();
            labels.rotate_left(turn);
            let ranked = ranker().rank(&pressing(said), &offered(&labels));
            let text = |id: &String| labels[id.parse::<usize>().unwrap()];
            prop_assert!(ranked.target.iter().chain(&ranked.vetoed).all(|id| ranked.vetoed.contains(id) == (ranked.target.as_ref() != Some(id))));
            prop_assert!(ranked.target.as_ref().map(text) != Some(partner), "{said} → {partner} among {labels:?}");
            prop_assert!(!ranked.ranking.iter().any(|id| ranked.vetoed.contains(id)));
        }
    }

    // NLU-3
    #[test]
    fn of_equal_labels_none_is_chosen_nlu_3(labels in any_labels(), at: prop::sample::Index) {
        let said = labels[at.index(labels.len())];
        let twice: Vec<&str> = labels.iter().copied().chain([said]).collect();
        let ranked = ranker().rank(&pressing(said), &offered(&twice));
        prop_assert!(ranked.target.is_none() && ranked.several.len() > 1, "{}", said);
    }

    // NLU-3, NLU-6
    #[test]
    fn fit_and_margin_are_shares_and_the_same_label_fits_whole_nlu_6(labels in any_labels(), at: prop::sample::Index, text in "[가-힣a-z ]{0,12}") {
        let said = labels[at.index(labels.len())];
        let whole = ranker().rank(&pressing(said), &offered(&labels));
        prop_assert!(whole.target.is_none() || whole.fit >= 0.95, "{} {:?}", said, whole);
        let any = ranker().rank(&pressing(&text), &offered(&labels));
        prop_assert!((0.0..=1.0).contains(&any.fit) && (0.0..=1.0).contains(&any.margin) && any.margin <= any.fit);
    }
}
