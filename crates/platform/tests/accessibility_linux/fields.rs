//! What is told of an element besides its text: states, value, label, description, position, headers (ANN-1, ANN-2).

use luna_messages::element::{Position, State};

use super::*;

/// Markup at x 20 of the page, each 40 px below the one before, and what must be told of the element at x 30.
const ELEMENTS: [(&str, &str); 26] = [
    ("<button aria-label='메뉴 열기'>☰</button>", "Button 메뉴 열기"),
    (
        "<button aria-label='알림' aria-haspopup=menu aria-expanded=false>🔔 3</button>",
        "Button 알림 Collapsed HasPopup",
    ),
    ("<button aria-pressed=true>굵게</button>", "ToggleButton 굵게 Pressed"),
    ("<button role=switch aria-checked=false>와이파이</button>", "Switch 와이파이 Unchecked"),
    (
        "<input type=checkbox style='width:30px;height:20px' aria-label='광고' disabled checked>",
        "CheckBox 광고 Checked Disabled",
    ),
    ("<input type=date value=2026-11-23 aria-label='날짜'>", "SpinButton 11 label=Month 날짜 11/1..12 hint=mm"),
    (
        "<select aria-label='도시'><option>서울<option selected>부산<option>대구</select>",
        "ComboBox 부산 label=도시 Collapsed",
    ),
    ("<select aria-label='빈 것' style='width:60px'></select>", "ComboBox  label=빈 것 Collapsed"),
    ("<input aria-label='이름' required placeholder='홍길동'>", "Edit  label=이름 Required hint=홍길동"),
    (
        "<input aria-label='나이' aria-invalid=true aria-errormessage=e value=a readonly><i id=e>숫자만</i>",
        "Edit a label=나이 Invalid ReadOnly error=숫자만",
    ),
    ("<input type=range aria-label='음량' max=200 value=80>", "Slider 80 label=음량 80/0..200"),
    ("<progress value=0.4 aria-label='내려받기'></progress>", "ProgressBar 40 % label=내려받기 0.4/0..1"),
    ("<input type=number aria-label='개수' value=3 min=1 max=9>", "SpinButton 3 label=개수 3/1..9"),
    ("<img alt='고양이 사진' width=60 height=30 src='data:image/svg+xml,<svg/>'>", "Image 고양이 사진"),
    ("<a href=#><img alt=home width=20 height=20 src='data:image/svg+xml,<svg/>'>home</a>", "Hyperlink home"),
    ("<a href=#a title='도움말을 엽니다'>도움말</a>", "Hyperlink 도움말 desc=도움말을 엽니다"),
    ("<a href=#b aria-current=page>지금 쪽</a>", "Hyperlink 지금 쪽 Current"),
    ("<ul><li><a href=#c>첫 링크</a> 뒤<li>둘</ul>", "Hyperlink 첫 링크"),
    ("<ul><li>하나<li>둘</ul>", "ListItem 하나 1/2"),
    ("<table><tr><td><button>지우기</button></table>", "Button 지우기"),
    ("<pre>pre 글</pre>", "Text pre 글"),
    ("<div>div 글</div>", "Text div 글"),
    ("<h3>셋째 제목</h3>", "Heading 셋째 제목 level=3"),
    (
        "<div role=tree><div role=treeitem aria-level=1 aria-expanded=true>뿌리</div></div>",
        "TreeItem 뿌리 Unselected Expanded 1/1 level=1",
    ),
    (
        "<input type=radio name=q style='width:30px;height:20px' aria-label='가' checked><input type=radio name=q aria-label='나'>",
        "RadioButton 가 Checked 1/2",
    ),
    (
        // As long as the label.
        "<input type=password aria-label='비밀번호' value=hunt required>",
        "Protected  label=비밀번호 Required Protected",
    ),
];

/// What is told of an element, in one line.
fn told(element: &Element) -> String {
    let properties = &element.properties;
    let mut told = format!("{:?} {}", element.role, element.text);
    let mut add = |what: &str, text: &str| {
        if !text.is_empty() {
            told += &format!(" {what}{text}");
        }
    };
    add("label=", &element.label);
    for state in properties.states.iter() {
        add("", &format!("{state:?}"));
    }
    if let Some(value) = &properties.value {
        // Chromium has single precision.
        add("", &format!("{}/{}..{}", (value.now * 1000.0).round() / 1000.0, value.min, value.max));
    }
    if let Some(Position { index, of }) = properties.position {
        add("", &format!("{index}/{of}"));
    }
    if let Some(level) = properties.level {
        add("level=", &level.to_string());
    }
    add("desc=", &properties.description);
    add("hint=", &properties.placeholder);
    add("error=", &properties.error_message);
    told
}

// ANN-1, ANN-2, ANN-3, ANN-4, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn a_page_tells_all_that_is_said_ann_1_ann_2_ann_3_ann_4_pic_5() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let mut html = String::from(
        "<!doctype html><meta charset=utf-8><title>Luna fields</title><style>body{margin:0;font:16px/20px sans-serif}\
         ul,h3,pre{margin:0}ul{padding:0 0 0 2px}.r{position:absolute;left:20px;width:560px}</style>",
    );
    for (index, (markup, _)) in ELEMENTS.iter().enumerate() {
        html += &format!("<div class=r style='top:{}px'>{markup}</div>", 10 + 36 * index);
    }
    let page = std::env::temp_dir().join(format!("luna-fields-{}.html", std::process::id()));
    std::fs::write(&page, html).unwrap();
    let mut browser = Browser::open(&page, "100,20", "700,1000");
    inline::wait_for_text(&mut browser, &tree, "Luna fields", "셋째 제목").await;
    let mut wrong = Vec::new();
    for (index, (markup, expect)) in ELEMENTS.iter().enumerate() {
        let y = 10 + 36 * i32::try_from(index).unwrap() + 10;
        let found = match pick(&tree, browser.at(30, y)).await {
            Ok(AtPoint::Element(element) | AtPoint::Protected(element)) => told(&element),
            other => format!("{other:?}"),
        };
        if found != *expect {
            wrong.push(format!("{markup}\n  expected {expect}\n  found    {found}"));
        }
    }
    // Beside everything, and between two elements, there is nothing to read.
    for point in [browser.at(640, 500), browser.at(660, 900)] {
        let found = pick(&tree, point).await;
        if !matches!(found, Ok(AtPoint::NoText { .. })) {
            wrong.push(format!("a blank place: {found:?}"));
        }
    }
    std::fs::remove_file(page).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// ANN-2, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn gtk_3_tells_states_values_and_labels_ann_2_pic_5() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Fields 칸", Point::new(60, 60));
    let tree = AtSpi::new();
    protected::on_the_bus(&tree, sample.place("label_en").center()).await;
    let button = element(&tree, "disabled", sample.place("disabled").center()).await;
    assert!(button.properties.states.contains(State::Disabled), "{button:?}");
    let check = element(&tree, "check", sample.place("check").center()).await;
    let states = check.properties.states;
    assert!(states.contains(State::Checked) || states.contains(State::Unchecked), "{check:?}");
    let scale = element(&tree, "scale", sample.place("scale").center()).await;
    assert_eq!((scale.text.as_str(), scale.label.as_str()), ("42", "Volume 소리 크기"));
    assert!(scale.properties.value.is_some_and(|value| value.now.round() == 42.0 && value.max > value.min));
    let task = element(&tree, "task1", sample.place("task1").center()).await;
    assert_eq!(task.properties.position, Some(Position { index: 2, of: 4 }));
    let cell = element(&tree, "cell1_1", sample.place("cell1_1").center()).await;
    let place = cell.properties.cell.unwrap();
    assert_eq!((place.row, place.column, place.column_header.as_str()), (1, 1, "값 Price"));
    let entry = element(&tree, "entry", sample.place("entry").center()).await;
    assert_eq!(entry.label, "Destination 목적지");
    let password = pick(&tree, sample.place("password").center()).await.unwrap();
    let AtPoint::Protected(field) = password else { panic!("{password:?}") };
    assert!(field.role == Role::Protected && field.text.is_empty(), "{field:?}");
    assert!(field.properties.states.contains(State::Protected));
    assert_no_secret("the password field", &field);
}

// ANN-4
#[tokio::test(flavor = "multi_thread")]
async fn a_title_bar_tells_the_title_ann_4() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Title 제목", Point::new(60, 90));
    let tree = AtSpi::new();
    let window = tree.window_at(sample.place("label_en").center()).await.unwrap().unwrap();
    let title = element(&tree, "title", Point::new(window.bounds.x + 200, window.bounds.y - 8)).await;
    assert_eq!((title.role, title.text.as_str()), (Role::Window, "Title 제목"));
}
