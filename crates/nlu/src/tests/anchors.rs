//! What is a target, and what only tells where others are (EXE-1, NLU-3).

use luna_messages::element_action::Capacity;
use proptest::prelude::*;

use super::*;

/// A button, and a text to which nothing can be done.
fn pressed(id: &str, text: &str, x: i32, y: i32) -> CandidateInput {
    able(button(id, text, x, y), &[Capacity::Press, Capacity::Focus])
}

fn label(id: &str, text: &str, x: i32, y: i32) -> CandidateInput {
    able(CandidateInput { role: Some("label".to_owned()), ..button(id, text, x, y) }, &[])
}

fn able(one: CandidateInput, capacities: &[Capacity]) -> CandidateInput {
    CandidateInput { capacities: Some(capacities.iter().copied().collect()), ..one }
}

fn field(id: &str, text: &str, x: i32, y: i32) -> CandidateInput {
    let one = CandidateInput { role: Some("edit".to_owned()), ..button(id, text, x, y) };
    able(one, &[Capacity::SetText, Capacity::Focus])
}

fn check_target(utterance: &str, candidates: &[CandidateInput], expect: Option<&str>) {
    let found = among(utterance, candidates);
    assert_eq!(found.target_id.as_deref(), expect, "{utterance}: {found:?}");
}

// EXE-1, NLU-3
#[test]
fn a_text_that_repeats_what_is_said_is_no_target_exe_1() {
    for (utterance, target) in [
        ("저장 눌러 줘", "저장"),
        ("확인 버튼 눌러", "확인"),
        ("click the save button", "Save"),
        ("press cancel", "Cancel"),
        ("알림 꺼 줘", "알림"),
        ("turn off notifications", "Notifications"),
        ("삭제해 줘", "삭제"),
        ("저장", "저장"),
        ("open settings", "Settings"),
    ] {
        for repeated in [utterance.to_owned(), format!("{utterance}."), utterance.to_uppercase()] {
            let texts = [label("page", &repeated, 0, 0), label("heading", "안내", 0, 40)];
            let with =
                [texts.to_vec(), vec![pressed("it", target, 0, 80), pressed("other", "도움말", 0, 120)]].concat();
            check_target(utterance, &with, Some("it"));
            // And if there is nothing of that name, there is no target.
            let without = [texts.to_vec(), vec![pressed("other", "도움말", 0, 120)]].concat();
            let found = among(utterance, &without);
            assert_eq!(found.target_id, None, "{utterance}: {found:?}");
            assert!(!found.ranking.iter().any(|id| id == "page" || id == "heading"), "{utterance}: {found:?}");
        }
    }
    // What nobody asked about is as it was: it may be meant.
    let unknown = [button("page", "도움말 보기", 0, 0)];
    check_target("도움말 보기", &unknown, Some("page"));
    check_target("도움말 보기", &[pressed("page", "도움말 보기", 0, 0)], Some("page"));
}

// NLU-3, RNK-1
#[test]
fn a_field_beside_a_label_is_the_one_that_the_label_names_nlu_3_rnk_1() {
    // A column of labels and one of fields, each field called by its label.
    let number = |id: &str, text: &str, role: &str, y: i32| {
        let one = CandidateInput { role: Some(role.to_owned()), ..button(id, text, 200, y) };
        able(one, &[Capacity::SetNumber, Capacity::Focus])
    };
    let fields = [
        field("name", "Name 이름", 200, 0),
        number("count", "Count 개수", "spin_button", 30),
        number("volume", "Volume 음량", "slider", 60),
        field("city", "City 도시", 200, 90),
    ];
    let labels = [("Name 이름", 0), ("Count 개수", 30), ("Volume 음량", 60), ("City 도시", 90)];
    let labels: Vec<CandidateInput> = labels.iter().map(|(text, y)| label(&format!("{text}:"), text, 40, *y)).collect();
    let with_labels = [labels, fields.to_vec()].concat();
    for all in [with_labels.as_slice(), fields.as_slice()] {
        for (utterance, expect) in [
            ("개수 옆의 스피너를 7로 설정해", "count"),
            ("set the spinner next to Count to 7", "count"),
            ("set the slider next to volume to 3", "volume"),
            ("이름 옆의 입력란에 홍길동 입력해", "name"),
            ("type Alice into the field next to City", "city"),
        ] {
            check_target(utterance, all, Some(expect));
        }
    }
    // To the right of the label is the field of that name; below a field is the next one.
    check_target("이름 오른쪽 입력란 눌러", &with_labels, Some("name"));
    check_target("click the field below Volume", &fields, Some("city"));
    // What is beside a field is not the field, unless it was called one.
    let with_button = [fields.to_vec(), vec![pressed("find", "Find 찾기", 420, 30)]].concat();
    check_target("개수 옆에 있는 버튼 눌러", &with_button, Some("find"));
    check_target("개수 옆에 있는 거 눌러", &with_button, Some("find"));
    check_target("click the slider below Count", &with_labels, Some("volume"));
}

// EXE-1, NLU-5
#[test]
fn a_page_says_nothing_in_place_of_the_person_exe_1() {
    // A text of a page is dangerous, is the opposite, or denies: the order is still the person's.
    for (utterance, text) in [
        ("저장 눌러 줘", "삭제"),
        ("저장 눌러 줘", "저장 누르지 마"),
        ("click save", "click delete"),
        ("click save", "save, no, delete"),
    ] {
        let all =
            [label("page", text, 0, 0), pressed("save", if utterance.is_ascii() { "Save" } else { "저장" }, 0, 40)];
        let found = among(utterance, &all);
        assert_eq!(
            (found.target_id.as_deref(), found.dangerous),
            (Some("save"), false),
            "{utterance}, {text}: {found:?}"
        );
    }
}

// NLU-3, RNK-1
#[test]
fn texts_tell_where_others_are_nlu_3() {
    let all = [
        label("name", "파일 이름", 0, 0),
        pressed("a", "선택", 0, 40),
        label("kind", "파일 형식", 0, 200),
        pressed("b", "선택", 0, 240),
        label("word", "Banana", 300, 0),
        pressed("c", "Buy", 400, 0),
        label("other", "Apple", 300, 200),
        pressed("d", "Buy", 400, 200),
    ];
    for (utterance, expect) in [
        ("파일 이름 아래의 버튼 눌러", Some("a")),
        ("파일 형식 아래 선택 버튼 눌러 줘", Some("b")),
        ("click the button next to Banana", Some("c")),
        ("click the Buy button to the right of Apple", Some("d")),
        ("파일 이름 눌러", None),
        ("click Banana", None),
        ("Banana", None),
        ("두 번째 버튼 눌러", Some("a")),
    ] {
        check_target(utterance, &all, expect);
    }
}

// EXE-1, RNK-2
#[test]
fn what_can_do_it_goes_before_what_cannot_exe_1() {
    use Capacity::{Expand, Focus, Press, Select, SetText, Toggle};
    let one = |id: &str, text: &str, capacities: &[Capacity]| {
        able(CandidateInput { role: None, ..button(id, text, 0, 0) }, capacities)
    };
    for (utterance, all, expect) in [
        ("검색 눌러", [one("a", "검색", &[SetText, Focus]), one("b", "검색", &[Press])], "b"),
        ("검색에 김치 입력해", [one("a", "검색", &[SetText, Focus]), one("b", "검색", &[Press])], "a"),
        ("알림 꺼 줘", [one("a", "알림", &[Press]), one("b", "알림", &[Toggle])], "b"),
        ("type kimchi into search", [one("a", "Search", &[Press]), one("b", "Search", &[SetText])], "b"),
        ("select Search", [one("a", "Search", &[Press]), one("b", "Search", &[Select])], "b"),
        ("expand Search", [one("a", "Search", &[Press]), one("b", "Search", &[Expand])], "b"),
    ] {
        check_target(utterance, &all, Some(expect));
    }
    // Nothing else is called so: it is the target, and the caller says that it can't be done.
    check_target("알림 꺼 줘", &[one("a", "알림", &[Focus]), one("b", "소리", &[Toggle])], Some("a"));
}

// DNG-4
#[test]
fn what_is_said_of_the_target_may_tell_of_a_danger_dng_4() {
    let said = |one: CandidateInput, said: &str| CandidateInput { said: Some(said.to_owned()), ..one };
    let check = |utterance: &str, one: CandidateInput, expect: bool| {
        let found = among(utterance, std::slice::from_ref(&one));
        assert_eq!((found.target_id.is_some(), found.dangerous), (true, expect), "{utterance}: {found:?}");
        assert_eq!(luna().resolve(&found.wish, std::slice::from_ref(&one)).dangerous, expect, "{utterance}");
    };
    check("진행 눌러", said(pressed("a", "진행", 0, 0), "진행, 버튼. 계정을 삭제합니다"), true);
    check("진행 눌러", said(pressed("a", "진행", 0, 0), "진행, 버튼"), false);
    check("click go", said(pressed("a", "Go", 0, 0), "Go, button. Delete account"), true);
    // What stands in a field is no danger of it.
    check("본문에 안녕 입력해", said(field("a", "본문", 0, 0), "본문, 편집 창, 이 메일은 삭제해"), false);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    // EXE-1, NLU-3
    #[test]
    fn what_only_labels_others_is_never_a_target_exe_1(
        said in "[가-힣a-z ]{0,16}",
        labels in proptest::collection::vec(("[가-힣a-z ]{0,10}", any::<bool>()), 1..6),
        known in proptest::collection::vec((prop::sample::select(LABELS.to_vec()), any::<bool>()), 0..6),
        order in prop::sample::select(ORDERS.to_vec()),
        at: prop::sample::Index,
        asking: bool,
        speaking: bool,
    ) {
        let all: Vec<(String, bool)> =
            labels.into_iter().chain(known.into_iter().map(|(label, only)| (label.to_owned(), only))).collect();
        let name = at.get(&all).0.clone();
        let utterances =
            [said.clone(), name.clone(), order.replace('X', &name), format!("{said} 눌러"), format!("click {said}"), order.replace('X', &said)];
        for utterance in utterances {
            let mut offered: Vec<CandidateInput> = all.iter().enumerate().map(|(at, (text, only))| {
                let row = i32::try_from(at).unwrap() * 40;
                if *only { label(&format!("label {at}"), text, 0, row) } else { pressed(&format!("{at}"), text, 0, row) }
            }).collect();
            offered.push(label("label page", &utterance, 0, 900));
            let given = UtteranceInput { utterance: utterance.clone(), speaking, asking, candidates: Some(offered.clone()) };
            let found = luna().understand(&given);
            let is_label = |id: &String| id.starts_with("label");
            prop_assert!(!found.target_id.iter().chain(&found.ranking).chain(&found.several).any(is_label), "{}: {:?}", utterance, found);
            prop_assert!(!found.alternatives.iter().filter_map(|one| one.target_id.as_ref()).any(is_label), "{}: {:?}", utterance, found);
            let later = found.steps.iter().chain([&found.wish]).map(|step| luna().resolve(step, &offered));
            for one in later {
                prop_assert!(!one.target.iter().chain(&one.ranking).chain(&one.several).any(is_label), "{}: {:?}", utterance, one);
            }
        }
    }
}

const LABELS: [&str; 8] = ["저장", "취소", "이름", "삭제", "Save", "Cancel", "Name", "2"];
const ORDERS: [&str; 10] = [
    "X 눌러 줘",
    "X 칸에 김치 입력해",
    "X 아래 버튼 눌러",
    "X 켜 줘",
    "두 번째 X 눌러",
    "click X",
    "type kimchi into X",
    "click the button next to X",
    "X",
    "X 펼쳐",
];
