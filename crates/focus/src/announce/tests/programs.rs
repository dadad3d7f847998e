//! Elements as a person meets them in real programs, with what is heard (ANN-1, ANN-2, ANN-4).

use super::*;

use Role::*;
use State::*;

// ANN-1, ANN-2, ANN-4
#[test]
fn a_file_manager_ann_1_ann_2_ann_4() {
    let file = element(ListItem, "보고서.pdf").at(3, 12);
    check(&file, "보고서.pdf, 목록 항목, 12개 중 3번째", "보고서.pdf, list item, 3 of 12");
    let chosen = element(ListItem, "사진").at(1, 12).states(&[Selected]);
    check(&chosen, "사진, 목록 항목, 선택됨, 12개 중 1번째", "사진, list item, selected, 1 of 12");
    let cell = element(Cell, "2.3 MB").cell(4, 1, "", "크기");
    check(&cell, "크기 열, 2.3 MB", "크기 column, 2.3 MB");
    check(&element(ColumnHeader, "이름"), "이름, 열 머리글", "이름, column header");
    let folder = element(TreeItem, "문서").at(2, 6).level(1).states(&[Collapsed]);
    check(&folder, "문서, 트리 항목, 접힘, 6개 중 2번째, 1수준", "문서, tree item, collapsed, 2 of 6, level 1");
    let back = element(Button, "").labelled("뒤로").described("이전 위치로 이동").states(&[Disabled]);
    check(&back, "뒤로, 버튼, 사용할 수 없음, 이전 위치로 이동", "뒤로, button, unavailable, 이전 위치로 이동");
    let view = element(ToggleButton, "").described("목록 보기").states(&[Pressed]);
    check(&view, "목록 보기, 토글 버튼, 눌림", "목록 보기, toggle button, pressed");
    let menu = element(ToggleButton, "").labelled("기본 메뉴").states(&[HasPopup, Unpressed, Collapsed]);
    check(
        &menu,
        "기본 메뉴, 토글 버튼, 눌리지 않음, 접힘, 메뉴 있음",
        "기본 메뉴, toggle button, not pressed, collapsed, opens menu",
    );
    let search = element(Edit, "").labelled("검색").placeholder("파일 이름");
    check(&search, "검색, 편집창, 비어 있음, 파일 이름", "검색, edit, blank, 파일 이름");
    let status = element(StatusBar, "12개 항목, 남은 공간 34 GB");
    check(&status, "12개 항목, 남은 공간 34 GB, 상태 표시줄", "12개 항목, 남은 공간 34 GB, status bar");
}

// ANN-1, ANN-2, ANN-4
#[test]
fn a_browser_ann_1_ann_2_ann_4() {
    let tab = element(Tab, "Luna - GitHub").at(2, 7).states(&[Selected]);
    check(&tab, "Luna - GitHub, 탭, 선택됨", "Luna - GitHub, tab, selected");
    let address = element(Edit, "https://example.org/").labelled("주소 및 검색창").states(&[HasPopup]);
    check(
        &address,
        "주소 및 검색창, 편집창, 팝업 있음, https://example.org/",
        "주소 및 검색창, edit, opens popup, https://example.org/",
    );
    let bell = element(Button, "🔔").labelled("알림 3개");
    check(&bell, "알림 3개, 버튼", "알림 3개, button");
    let hamburger = element(Button, "☰").labelled("Menu").states(&[HasPopup, Collapsed]);
    check(&hamburger, "Menu, 버튼, 접힘, 메뉴 있음", "Menu, button, collapsed, opens menu");
    check(
        &element(Heading, "Search results").level(1),
        "Search results, 제목 1수준",
        "Search results, heading level 1",
    );
    let visited = element(Hyperlink, "Next").states(&[Visited]);
    check(&visited, "Next, 링크, 방문함", "Next, link, visited");
    let page = element(Hyperlink, "2").labelled("Page 2").states(&[Current]);
    check(&page, "Page 2, 링크, 현재", "Page 2, link, current");
    let logo = element(Image, "Example Corporation");
    check(&logo, "Example Corporation, 이미지", "Example Corporation, image");
    check(&element(Landmark, "").labelled("Main menu"), "Main menu, 랜드마크", "Main menu, landmark");
    check(&element(Text, "Copyright 2026"), "Copyright 2026", "Copyright 2026");
    let details = element(Button, "More options").states(&[Expanded]);
    check(&details, "More options, 버튼, 펼쳐짐", "More options, button, expanded");
    let saved = element(Alert, "Your changes were saved.");
    check(&saved, "Your changes were saved. 알림", "Your changes were saved. alert");
    let loading = element(Document, "").labelled("Inbox").states(&[Busy]);
    check(&loading, "Inbox, 작업 중", "Inbox, busy");
}

// ANN-1, ANN-2
#[test]
fn a_form_ann_1_ann_2() {
    let name = element(Edit, "").labelled("이름 *").states(&[Required]);
    check(&name, "이름, 편집창, 필수, 비어 있음", "이름, edit, required, blank");
    let mail = element(Edit, "kim@").labelled("E-mail:").states(&[Required, Invalid]).error("Enter a full address");
    check(
        &mail,
        "E-mail, 편집창, 필수, 입력 오류, Enter a full address, kim@",
        "E-mail, edit, required, invalid entry, Enter a full address, kim@",
    );
    let password = element(Role::Protected, "").labelled("Password").states(&[Required]);
    check(&password, "Password, 보호된 입력란, 필수", "Password, protected field, required");
    let agree = element(CheckBox, "약관에 동의합니다.").states(&[Unchecked, Required]);
    check(&agree, "약관에 동의합니다. 확인란, 선택 안 됨, 필수", "약관에 동의합니다. check box, not checked, required");
    let all = element(CheckBox, "전체 선택").states(&[HalfChecked]);
    check(&all, "전체 선택, 확인란, 일부 선택됨", "전체 선택, check box, partially checked");
    let card = element(RadioButton, "Card").states(&[Checked]).at(1, 3);
    check(&card, "Card, 라디오 버튼, 선택됨", "Card, radio button, selected");
    let cash = element(RadioButton, "Cash").states(&[Unchecked]).at(2, 3);
    assert_eq!(said(&cash, Verbosity::Full, Lang::En), "Cash, radio button, not selected, 2 of 3");
    let country = element(ComboBox, "대한민국").labelled("나라").states(&[Collapsed, HasPopup]).at(3, 40);
    check(&country, "나라, 콤보 상자, 대한민국", "나라, combo box, 대한민국");
    assert_eq!(said(&country, Verbosity::Full, Lang::Ko), "나라, 콤보 상자, 접힘, 대한민국, 40개 중 3번째");
    let birthday = element(DateField, "2026-11-23").labelled("생일");
    check(&birthday, "생일, 날짜 입력란, 2026-11-23", "생일, date edit, 2026-11-23");
    let count = element(SpinButton, "2").labelled("수량").value(2.0, 1.0, 9.0, "");
    check(&count, "수량, 스핀 버튼, 2", "수량, spin button, 2");
    let id = element(Edit, "A-1024").labelled("주문 번호").states(&[ReadOnly]);
    check(&id, "주문 번호, 편집창, 읽기 전용, A-1024", "주문 번호, edit, read only, A-1024");
    let send = element(Button, "보내기").described("Ctrl+Enter").states(&[Disabled]);
    check(&send, "보내기, 버튼, 사용할 수 없음, Ctrl+Enter", "보내기, button, unavailable, Ctrl+Enter");
    check(&element(Group, "").labelled("배송지"), "배송지, 그룹", "배송지, group");
    check(&element(Form, "").labelled("회원 가입"), "회원 가입, 양식", "회원 가입, form");
    check(&element(Text, "30,000원").labelled("합계:"), "합계, 30,000원", "합계, 30,000원");
}

// ANN-1, ANN-2, ANN-4
#[test]
fn settings_and_dialogs_ann_1_ann_2_ann_4() {
    let dark = element(Switch, "어두운 모드").states(&[Checked]);
    check(&dark, "어두운 모드, 스위치, 켜짐", "어두운 모드, switch, on");
    let night = element(Switch, "").labelled("야간 조명").states(&[Unchecked]).described("해가 지면 켜져요");
    check(&night, "야간 조명, 스위치, 꺼짐, 해가 지면 켜져요", "야간 조명, switch, off, 해가 지면 켜져요");
    let volume = element(Slider, "").labelled("Volume").value(0.65, 0.0, 1.0, "");
    check(&volume, "Volume, 슬라이더, 65 퍼센트", "Volume, slider, 65 percent");
    let brightness = element(Slider, "").labelled("Brightness").value(7.0, 1.0, 10.0, "");
    check(&brightness, "Brightness, 슬라이더, 7", "Brightness, slider, 7");
    let speed = element(Slider, "").labelled("Speed").value(2.0, 0.0, 4.0, "Fast");
    check(&speed, "Speed, 슬라이더, Fast", "Speed, slider, Fast");
    let copying = element(ProgressBar, "").labelled("복사 중").value(512.0, 0.0, 2048.0, "");
    check(&copying, "복사 중, 진행률 표시줄, 25 퍼센트", "복사 중, progress bar, 25 percent");
    let save = element(Dialog, "저장하지 않은 변경 사항이 있습니다.").labelled("문서를 저장할까요?");
    check(
        &save,
        "문서를 저장할까요? 대화상자, 저장하지 않은 변경 사항이 있습니다.",
        "문서를 저장할까요? dialog, 저장하지 않은 변경 사항이 있습니다.",
    );
    check(&element(Window, "").labelled("설정"), "설정, 창", "설정, window");
    let scroll = element(ScrollBar, "").value(300.0, 0.0, 1200.0, "");
    check(&scroll, "스크롤 막대, 25 퍼센트", "scroll bar, 25 percent");
    check(&element(ToolTip, "굵게 (Ctrl+B)"), "굵게 (Ctrl+B), 도구 설명", "굵게 (Ctrl+B), tool tip");
    check(&element(Separator, ""), "구분선", "separator");
    check(&element(ToolBar, "").labelled("서식"), "서식, 도구 모음", "서식, tool bar");
    let language = element(ListItem, "한국어").at(9, 30).states(&[Checked]);
    check(&language, "한국어, 목록 항목, 체크됨, 30개 중 9번째", "한국어, list item, checked, 9 of 30");
}

// ANN-1, ANN-2
#[test]
fn menus_and_trees_ann_1_ann_2() {
    let open = element(MenuItem, "열기").at(2, 9).states(&[Selected]);
    check(&open, "열기, 메뉴 항목, 9개 중 2번째", "열기, menu item, 2 of 9");
    let recent = element(MenuItem, "최근 문서").at(3, 9).states(&[HasPopup, Collapsed]);
    check(&recent, "최근 문서, 메뉴 항목, 하위 메뉴, 9개 중 3번째", "최근 문서, menu item, submenu, 3 of 9");
    let wrap = element(MenuItem, "줄 바꿈").states(&[Checked]).at(4, 9);
    check(&wrap, "줄 바꿈, 메뉴 항목, 체크됨, 9개 중 4번째", "줄 바꿈, menu item, checked, 4 of 9");
    let paste = element(MenuItem, "붙여넣기").states(&[Disabled]).at(5, 9);
    check(&paste, "붙여넣기, 메뉴 항목, 사용할 수 없음, 9개 중 5번째", "붙여넣기, menu item, unavailable, 5 of 9");
    check(&element(Menu, "파일").at(1, 6), "파일, 메뉴, 6개 중 1번째", "파일, menu, 1 of 6");
    let task = element(TreeItem, "build").states(&[Checked, Expanded]).at(1, 2).level(2);
    check(
        &task,
        "build, 트리 항목, 체크됨, 펼쳐짐, 2개 중 1번째, 2수준",
        "build, tree item, checked, expanded, 1 of 2, level 2",
    );
}

// ANN-1, ANN-4
#[test]
fn documents_and_terminals_ann_1_ann_4() {
    let cell = element(Cell, "1,200").cell(2, 1, "3", "B");
    check(&cell, "3행, B열, 1,200", "row 3, column B, 1,200");
    let blank = element(Cell, "").cell(2, 1, "3", "B");
    check(&blank, "3행, B열, 비어 있음", "row 3, column B, blank");
    let note = element(Edit, "장보기\n우유\n달걀").labelled("메모").offset(5);
    check(&note, "메모, 편집창\n우유\n달걀", "메모, edit\n우유\n달걀");
    let shell = element(Terminal, "$ ls\nCargo.toml").offset(6);
    check(&shell, "터미널\nCargo.toml", "terminal\nCargo.toml");
    let paragraph = element(Text, "비가 온다. 우산을 챙기자.").offset(8);
    check(&paragraph, "우산을 챙기자.", "우산을 챙기자.");
    check(&element(Table, "").labelled("성적"), "성적, 표", "성적, table");
    check(&element(Edit, "").states(&[ReadOnly]), "편집창, 읽기 전용, 비어 있음", "edit, read only, blank");
}
