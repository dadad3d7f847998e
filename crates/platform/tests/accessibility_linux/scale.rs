//! Windows with a scale factor of 2, whose applications tell logical pixels, window-relative ones, or a mixture (SES-3).

use luna_messages::pick::CaptureScope;

use super::*;

const TWICE: [(&str, &str); 1] = [("GDK_SCALE", "2")];

// SES-3, PIC-7
#[tokio::test(flavor = "multi_thread")]
async fn gtk_3_is_read_at_twice_the_size_ses_3_pic_7() {
    let _desk = desk().await;
    let mut sample = SampleApp::start_in("gtk3_sample.py", "Twice 두 배", Point::new(30, 20), &[], &TWICE);
    let tree = AtSpi::new();
    protected::on_the_bus(&tree, sample.place("label_en").center()).await;
    let cases = [
        ("label_ko", Role::Text, "다람쥐 헌 쳇바퀴에 타고파."),
        ("button", Role::Button, "Send report 보고서 보내기"),
        ("check", Role::CheckBox, "Notifications 알림 받기"),
        ("entry", Role::Edit, "Seoul station 서울역"),
        ("task0", Role::ListItem, "우유 사기"),
        ("cell1_0", Role::Cell, "배 Pear"),
    ];
    for (name, role, text) in cases {
        let place = sample.place(name);
        for point in [place.center(), Point::new(place.x + 3, place.y + 3)] {
            let found = element(&tree, name, point).await;
            assert_eq!((found.role, found.text.as_str()), (role, text), "{name} at {point:?}");
            assert!(found.bbox.contains(point), "{name}: {found:?}");
        }
    }
    // The line of the text under the pointer, by its character.
    let line = sample.place("note_line2");
    let found = element(&tree, "note", line.center()).await;
    let before: String = found.text.chars().take(found.offset.unwrap()).collect();
    assert_eq!(before.lines().count(), 3, "{before:?}");
    let (password, label) = (sample.place("password"), sample.place("label_en"));
    assert!(matches!(pick(&tree, password.center()).await, Ok(AtPoint::Protected(field)) if field.bbox == password));
    let window = tree.window_at(label.center()).await.unwrap().unwrap();
    let searched = tree.search(Some(&window), window.bounds, CaptureScope::Window).await.unwrap();
    assert!(searched.hidden.contains(&password), "{:?} lacks {password:?}", searched.hidden);
    // A menu is a window of its own, whose coordinates are those of the main window.
    sample.tell("menu");
    sample.wait_for("MENU");
    let found = element(&AtSpi::new(), "menu_open", sample.place("menu_open").center()).await;
    assert_eq!((found.role, found.text.as_str()), (Role::MenuItem, "Open document 문서 열기"));
    sample.tell("unmenu");
}

// SES-3, PIC-7
#[tokio::test(flavor = "multi_thread")]
async fn gtk_4_is_read_at_twice_the_size_ses_3_pic_7() {
    let _desk = desk().await;
    let sample = SampleApp::start_in("gtk4_sample.py", "Twice 4", Point::new(100, 40), &[], &TWICE);
    let tree = AtSpi::new();
    protected::on_the_bus(&tree, sample.place("label_en").center()).await;
    let cases = [
        ("label_en", Role::Text, "The five boxing wizards jump quickly."),
        ("button", Role::Button, "Save 저장하기"),
        ("check", Role::CheckBox, "Remember me 기억하기"),
        ("entry", Role::Edit, "Busan harbour 부산항"),
        ("task1", Role::ListItem, "Call the dentist"),
    ];
    for (name, role, text) in cases {
        let found = element(&tree, name, sample.place(name).center()).await;
        assert_eq!((found.role, found.text.as_str()), (role, text), "{name}");
        assert!(found.bbox.contains(sample.place(name).center()), "{name}: {found:?}");
    }
    let password = sample.place("password");
    assert!(matches!(pick(&tree, password.center()).await, Ok(AtPoint::Protected(_))));
    let window = tree.window_at(password.center()).await.unwrap().unwrap();
    let boxes = tree.protected_boxes(&window, window.bounds).await.unwrap();
    assert!(boxes.iter().any(|found| found.contains(password.center())), "{boxes:?} miss {password:?}");
}

// SES-3, PIC-1, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn popovers_of_gtk_4_are_read_where_their_windows_are_ses_3_pic_1_pic_5() {
    let _desk = desk().await;
    for environment in [&[][..], &TWICE] {
        let sample = SampleApp::start_in("gtk4_popover.py", "Popover 팝오버", Point::new(100, 40), &[], environment);
        let tree = AtSpi::new();
        protected::on_the_bus(&tree, sample.place("label").center()).await;
        let cases = [
            ("label", Role::Text, "Only in the popover."),
            ("check", Role::CheckBox, "Wrap lines 줄 바꿈"),
            ("button", Role::Button, "Apply 적용"),
        ];
        for (name, role, text) in cases {
            let found = element(&tree, name, sample.place(name).center()).await;
            assert_eq!((found.role, found.text.as_str()), (role, text), "{name}");
            assert!(found.bbox.contains(sample.place(name).center()), "{name}: {found:?}");
        }
        let password = sample.place("password").center();
        assert!(matches!(pick(&tree, password).await, Ok(AtPoint::Protected(_))));
        let window = tree.window_at(password).await.unwrap().unwrap();
        let boxes = tree.protected_boxes(&window, window.bounds).await.unwrap();
        assert!(matches!(&boxes[..], [field] if field.contains(password)), "{boxes:?}");
        let elements = tree.window_elements(&window).await.unwrap();
        assert!(elements.iter().all(|element| element.text != "What the popover covers."), "{elements:?}");
        assert_no_secret("the popover", &elements);
    }
}

// SES-3, PIC-7
#[tokio::test(flavor = "multi_thread")]
async fn chromiums_own_controls_and_its_page_are_read_at_twice_the_size_ses_3_pic_7() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let mut browser = Browser::open_scaled(&fixture("page.html"), "50,60", "800,400", 2);
    let start = Instant::now();
    // The heading is 22 logical pixels below the top of the page, which begins below the controls.
    let heading = |window: Rect| (160..340).step_by(10).map(move |y| Point::new(window.x + 120, window.y + y));
    let mut found = None;
    while found.is_none() {
        assert!(start.elapsed() < Duration::from_secs(40), "Chromium did not show the page");
        tokio::time::sleep(Duration::from_millis(300)).await;
        if !browser.is_shown(&tree, Point::new(500, 500), "Luna sample page").await {
            continue;
        }
        let window = tree.window_at(Point::new(500, 500)).await.unwrap().unwrap().bounds;
        for point in heading(window) {
            if let Ok(AtPoint::Element(element)) = pick(&tree, point).await
                && element.text.starts_with("Weather")
                // The page's pieces are there before the blocks around them.
                && element.role == Role::Heading
            {
                found = Some((window, element));
                break;
            }
        }
    }
    let (window, heading) = found.unwrap();
    let top = heading.bbox.y;
    let at = |x: i32, y: i32| Point::new(heading.bbox.x + 2 * x, top + 2 * y);
    for (point, role, text) in [
        (at(250, 50), Role::Hyperlink, "Seoul 서울"),
        (at(80, 133), Role::Button, "Refresh 새로 고침"),
        (at(80, 178), Role::Edit, "Jeju island 제주도"),
    ] {
        let found = element(&tree, text, point).await;
        assert_eq!((found.role, found.text.as_str()), (role, text), "{point:?}");
        assert!(found.bbox.contains(point), "{found:?}");
    }
    // Its own controls, each in its place.
    for (x, y, role, text) in [(99, 63, Role::Button, "Reload"), (27, 63, Role::Button, "Back")] {
        let point = Point::new(window.x + 2 * x, window.y + 2 * y);
        let found = element(&tree, text, point).await;
        assert_eq!((found.role, found.text.as_str()), (role, text), "{point:?} in {window:?}");
        assert!(found.bbox.contains(point) && found.bbox.width < 100, "{found:?}");
    }
    let lines = tree.window_lines(&tree.window_at(heading.bbox.center()).await.unwrap().unwrap()).await.unwrap();
    let line = lines.lines.iter().find(|line| line.text == "Refresh 새로 고침").unwrap_or_else(|| panic!("{lines:?}"));
    assert!(line.bbox.contains(at(80, 133)), "{line:?}");
}
