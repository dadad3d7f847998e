//! The elements of a whole window, as candidates for a command (PIC-9).

use luna_messages::pick::WindowInfo;

use super::*;

/// The elements of the window at `point`. Requests them twice, and a third time over a new connection as after a
/// restart: the ids must be the same each time and unique (PIC-6).
async fn elements(tree: &AtSpi, what: &str, point: Point) -> (WindowInfo, Vec<Element>) {
    let window = tree.window_at(point).await.unwrap().unwrap();
    let start = Instant::now();
    let first = tree.window_elements(&window).await.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(start.elapsed() < Duration::from_millis(1000), "{what} took {:?}", start.elapsed());
    let again = tree.window_elements(&window).await.unwrap();
    let fresh = AtSpi::new().window_elements(&window).await.unwrap();
    assert_eq!(ids(&first), ids(&again), "{what}");
    assert_eq!(ids(&first), ids(&fresh), "{what}");
    let different: std::collections::HashSet<_> = ids(&first).into_iter().collect();
    assert_eq!(different.len(), first.len(), "{what}: {first:?}");
    assert!(first.len() <= 500);
    for element in &first {
        assert!(!element.bbox.intersection(window.bounds).is_empty(), "{element:?}");
        assert!(element.role != Role::Protected && element.offset.is_none() && element.rows.is_empty(), "{element:?}");
    }
    assert_no_secret(what, &first);
    (window, first)
}

fn ids(elements: &[Element]) -> Vec<&str> {
    elements.iter().map(|element| element.id.0.as_str()).collect()
}

#[track_caller]
fn find<'a>(elements: &'a [Element], text: &str) -> &'a Element {
    let mut with_text = elements.iter().filter(|element| element.text == text);
    match (with_text.next(), with_text.next()) {
        (Some(element), None) => element,
        (None, _) => panic!("{text:?} is not in {elements:#?}"),
        (Some(one), Some(other)) => panic!("{text:?} twice: {one:#?} {other:#?}"),
    }
}

// PIC-9, PIC-6, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn the_elements_of_a_gtk_3_window_pic_9_pic_6_pic_5() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Candidates 후보", Point::new(60, 60));
    let tree = AtSpi::new();
    let (_, all) = elements(&tree, "GTK 3", sample.place("label_en").center()).await;
    let cases = [
        ("label_ko", Role::Text, "다람쥐 헌 쳇바퀴에 타고파.", ""),
        ("button", Role::Button, "Send report 보고서 보내기", ""),
        ("disabled", Role::Button, "Not now 지금은 안 됨", ""),
        ("check", Role::CheckBox, "Notifications 알림 받기", ""),
        ("radio", Role::RadioButton, "Daily 매일", ""),
        ("entry", Role::Edit, "Seoul station 서울역", "Destination 목적지"),
        ("scale", Role::Slider, "42", "Volume 소리 크기"),
        ("menu_file", Role::Menu, "File 파일", ""),
        ("tab_other", Role::Tab, "Other 그 밖", ""),
        ("task2", Role::ListItem, "보고서 쓰기", ""),
        ("cell1_1", Role::Cell, "2,500원", ""),
    ];
    for (name, role, text, label) in cases {
        let found = find(&all, text);
        assert_eq!((found.role, found.label.as_str()), (role, label), "{name}: {found:?}");
        assert_eq!(found.enabled, name != "disabled", "{name}");
        assert!(found.bbox.contains(sample.place(name).center()), "{name}: {found:?}");
        // The pick under the pointer returns the same element.
        assert_eq!(element(&tree, name, sample.place(name).center()).await.id, found.id, "{name}");
    }
    assert!(find(&all, "Bus 버스").role == Role::ComboBox);
    assert!(all.iter().any(|element| element.role == Role::Edit && element.text.contains("둘째 줄은 한국어입니다.")));
    let password = sample.place("password").center();
    let over = all.iter().filter(|element| element.bbox.contains(password));
    assert_eq!(over.count(), 0, "the protected field is there");
}

// PIC-9
#[tokio::test(flavor = "multi_thread")]
async fn an_open_menu_has_elements_of_its_own_pic_9() {
    let _desk = desk().await;
    let mut sample = SampleApp::start("gtk3_sample.py", "Menu candidates", Point::new(60, 60));
    let tree = AtSpi::new();
    sample.tell("menu");
    sample.wait_for("MENU");
    let point = sample.place("menu_open").center();
    let (_, all) = elements(&tree, "menu", point).await;
    let texts: Vec<_> = all.iter().map(|element| (element.role, element.text.as_str())).collect();
    assert_eq!(texts, [(Role::MenuItem, "Open document 문서 열기"), (Role::MenuItem, "Quit 끝내기")]);
    assert_eq!(element(&tree, "menu_open", point).await.id, all[0].id);
    sample.tell("unmenu");
}

// PIC-9, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn the_elements_of_a_gtk_4_window_leave_out_fields_that_hand_out_secrets_pic_9_pic_5() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk4_sample.py", "Candidates 4", Point::new(200, 150));
    let tree = AtSpi::new();
    let (_, all) = elements(&tree, "GTK 4", sample.place("label_en").center()).await;
    for (name, role, text) in [
        ("button", Role::Button, "Save 저장하기"),
        ("check", Role::CheckBox, "Remember me 기억하기"),
        ("entry", Role::Edit, "Busan harbour 부산항"),
    ] {
        let found = find(&all, text);
        assert_eq!((found.role, found.enabled), (role, true), "{name}");
        assert_eq!(element(&tree, name, sample.place(name).center()).await.id, found.id, "{name}");
    }
    for name in ["password", "hidden_entry"] {
        let place = sample.place(name).center();
        let fields = all.iter().filter(|element| element.role == Role::Edit && element.bbox.contains(place));
        assert_eq!(fields.count(), 0, "{name}");
    }
}

// PIC-9, PIC-6, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn the_elements_of_a_page_pic_9_pic_6_pic_5() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let browser = Browser::start(&tree).await;
    let (_, all) = elements(&tree, "Chromium", browser.at(60, 30)).await;
    let cases = [
        ((60, 22), Role::Heading, "Weather report 날씨 소식", "heading", ""),
        ((420, 62), Role::Text, "Rain is expected tonight in Seoul 서울, with strong wind.", "paragraph", ""),
        ((270, 62), Role::Hyperlink, "Seoul 서울", "", ""),
        ((100, 145), Role::Button, "Refresh 새로 고침", "button", ""),
        ((100, 190), Role::Edit, "Jeju island 제주도", "entry", "City 도시"),
        ((400, 355), Role::Edit, "First line here.\n둘째 줄입니다.", "area", "Note 메모"),
        ((230, 286), Role::Cell, "18 °C", "", ""),
        ((80, 382), Role::ListItem, "장화 Boots", "", ""),
        ((60, 448), Role::Edit, "Editable division 고칠 수 있는 칸", "fake", "Comment 의견"),
    ];
    for ((x, y), role, text, id, label) in cases {
        let found = find(&all, text);
        assert_eq!(
            (found.role, found.automation_id.as_str(), found.label.as_str(), found.enabled),
            (role, id, label, true)
        );
        assert_eq!(element(&tree, text, browser.at(x, y)).await.id, found.id, "{text}");
    }
    let check = all.iter().find(|element| element.role == Role::CheckBox).unwrap_or_else(|| panic!("{all:#?}"));
    assert_eq!((check.text.as_str(), check.automation_id.as_str()), ("Celsius 섭씨", "check"));
    let password = browser.at(380, 190);
    assert!(
        !all.iter().any(|element| element.bbox.contains(password) || element.automation_id == "password"),
        "{all:#?}"
    );
}
