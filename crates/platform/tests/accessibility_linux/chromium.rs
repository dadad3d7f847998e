//! Reading a page in Chromium.

use super::*;

// PIC-1, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn chromium_is_read_and_its_protected_field_is_not_pic_1_pic_5() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let browser = Browser::start(&tree).await;
    let cases = [
        ((60, 22), Role::Heading, "Weather report 날씨 소식"),
        ((60, 62), Role::Text, "Rain is expected tonight in Seoul 서울, with strong wind."),
        ((270, 62), Role::Hyperlink, "Seoul 서울"),
        ((420, 62), Role::Text, "Rain is expected tonight in Seoul 서울, with strong wind."),
        ((60, 102), Role::Text, "오늘 밤 서울에는 비가 오고 바람이 강하게 붑니다."),
        ((100, 145), Role::Button, "Refresh 새로 고침"),
        ((280, 141), Role::CheckBox, "Celsius 섭씨"),
        ((100, 190), Role::Edit, "Jeju island 제주도"),
        ((60, 258), Role::Cell, "부산 Busan"),
        ((230, 286), Role::Cell, "18 °C"),
        ((80, 382), Role::ListItem, "장화 Boots"),
        ((400, 355), Role::Edit, "First line here.\n둘째 줄입니다."),
        ((60, 448), Role::Edit, "Editable division 고칠 수 있는 칸"),
    ];
    for ((x, y), role, text) in cases {
        let found = element(&tree, text, browser.at(x, y)).await;
        assert_eq!((found.role, found.text.as_str()), (role, text), "{found:?}");
    }
    // The offset of the pointer in the sentence, also after the embedded link.
    for (x, word) in [(60, "Rain"), (420, "strong")] {
        let found = element(&tree, word, browser.at(x, 62)).await;
        let offset = found.offset.unwrap_or_else(|| panic!("{found:?}"));
        let at = found.text.find(word).map(|byte| found.text[..byte].chars().count()).unwrap();
        assert!(offset.abs_diff(at) < 12, "{word}: {offset} {at}");
    }
    let cell = rows(&tree, "cell", browser.at(230, 286), RowsExtent::Container).await;
    assert_eq!(
        cell.rows,
        [
            ["도시 City", "기온 Temperature"],
            ["부산 Busan", "21 °C"],
            ["대전 Daejeon", "18 °C"],
            ["인천 Incheon", "17 °C"]
        ]
    );
    assert!(cell.has_header);
    let item = rows(&tree, "item", browser.at(80, 382), RowsExtent::Container).await;
    assert_eq!(item.rows, [["우산 Umbrella"], ["장화 Boots"], ["Coat 외투"]]);
    assert_eq!(element(&tree, "entry", browser.at(100, 190)).await.automation_id, "entry");
    let password = Rect::new(browser.origin.x + 270, browser.origin.y + 175, 228, 32);
    let page = Rect::new(browser.origin.x, browser.origin.y, 640, 480);
    sweep(&tree, page, password, "Chromium").await;
}
