//! The words for roles and states, in Korean and English: those of Orca and NVDA, and of their Korean translations.

use luna_messages::Lang;
use luna_messages::element::State;
use luna_messages::pick::Role;
use luna_messages::reading::Verbosity;

/// Korean, English.
type Words = (&'static str, &'static str);

const fn of(words: Words, lang: Lang) -> &'static str {
    match lang {
        Lang::Ko => words.0,
        Lang::En => words.1,
    }
}

/// The word for a role.
pub(super) const fn role(role: Role, lang: Lang) -> &'static str {
    of(role_words(role), lang)
}

const fn role_words(role: Role) -> Words {
    match role {
        Role::Text => ("텍스트", "text"),
        Role::Edit => ("편집창", "edit"),
        Role::Document => ("문서", "document"),
        Role::Hyperlink => ("링크", "link"),
        Role::Button => ("버튼", "button"),
        Role::MenuItem => ("메뉴 항목", "menu item"),
        Role::ListItem => ("목록 항목", "list item"),
        Role::Heading => ("제목", "heading"),
        Role::Tab => ("탭", "tab"),
        Role::CheckBox => ("확인란", "check box"),
        Role::RadioButton => ("라디오 버튼", "radio button"),
        Role::ComboBox => ("콤보 상자", "combo box"),
        Role::Slider => ("슬라이더", "slider"),
        Role::Cell => ("셀", "cell"),
        Role::Table => ("표", "table"),
        Role::List => ("목록", "list"),
        Role::Image => ("이미지", "image"),
        Role::Protected => ("보호된 입력란", "protected field"),
        Role::Window => ("창", "window"),
        Role::Group => ("그룹", "group"),
        Role::Other => ("요소", "element"),
        Role::ToggleButton => ("토글 버튼", "toggle button"),
        Role::Switch => ("스위치", "switch"),
        Role::SpinButton => ("스핀 버튼", "spin button"),
        Role::ProgressBar => ("진행률 표시줄", "progress bar"),
        Role::Menu => ("메뉴", "menu"),
        Role::TreeItem => ("트리 항목", "tree item"),
        Role::Tree => ("트리", "tree"),
        Role::Dialog => ("대화상자", "dialog"),
        Role::Alert => ("알림", "alert"),
        Role::RowHeader => ("행 머리글", "row header"),
        Role::ColumnHeader => ("열 머리글", "column header"),
        Role::Row => ("행", "row"),
        Role::StatusBar => ("상태 표시줄", "status bar"),
        Role::ToolTip => ("도구 설명", "tool tip"),
        Role::Terminal => ("터미널", "terminal"),
        Role::DateField => ("날짜 입력란", "date edit"),
        Role::Separator => ("구분선", "separator"),
        Role::ScrollBar => ("스크롤 막대", "scroll bar"),
        Role::ToolBar => ("도구 모음", "tool bar"),
        Role::MenuBar => ("메뉴 모음", "menu bar"),
        Role::TabList => ("탭 목록", "tab list"),
        Role::Landmark => ("랜드마크", "landmark"),
        Role::Form => ("양식", "form"),
    }
}

/// Whether the role tells anything. Plain text is what a person expects, and "element" says nothing.
pub(super) const fn has_role(role: Role) -> bool {
    !matches!(role, Role::Text | Role::Other)
}

/// Whether the role is said. In a table and in a document, the word would be heard before every cell and sentence.
pub(super) const fn is_role_said(role: Role, verbosity: Verbosity) -> bool {
    match verbosity {
        Verbosity::Brief => false,
        Verbosity::Normal => has_role(role) && !matches!(role, Role::Cell | Role::Document),
        Verbosity::Full => has_role(role),
    }
}

/// The word for a state of an element with this role.
pub(super) const fn state(state: State, role: Role, lang: Lang) -> &'static str {
    of(state_words(state, role), lang)
}

const fn state_words(state: State, role: Role) -> Words {
    match state {
        State::Checked => match role {
            Role::Switch => ("켜짐", "on"),
            Role::ToggleButton | Role::Button => ("눌림", "pressed"),
            Role::RadioButton => ("선택됨", "selected"),
            Role::CheckBox => ("선택됨", "checked"),
            // Items can be both checked and selected, so Korean needs two words.
            _ => ("체크됨", "checked"),
        },
        State::Unchecked => match role {
            Role::Switch => ("꺼짐", "off"),
            Role::ToggleButton | Role::Button => ("눌리지 않음", "not pressed"),
            Role::RadioButton => ("선택 안 됨", "not selected"),
            Role::CheckBox => ("선택 안 됨", "not checked"),
            _ => ("체크 안 됨", "not checked"),
        },
        State::HalfChecked => match role {
            Role::CheckBox | Role::Switch => ("일부 선택됨", "partially checked"),
            Role::ToggleButton | Role::Button => ("일부 눌림", "partially pressed"),
            _ => ("일부 체크됨", "partially checked"),
        },
        State::Pressed => ("눌림", "pressed"),
        State::Unpressed => ("눌리지 않음", "not pressed"),
        State::Selected => ("선택됨", "selected"),
        State::Unselected => ("선택 안 됨", "not selected"),
        State::Expanded => ("펼쳐짐", "expanded"),
        State::Collapsed => ("접힘", "collapsed"),
        State::Disabled => ("사용할 수 없음", "unavailable"),
        State::Required => ("필수", "required"),
        State::Invalid => ("입력 오류", "invalid entry"),
        State::ReadOnly => ("읽기 전용", "read only"),
        State::Busy => ("작업 중", "busy"),
        State::Visited => ("방문함", "visited"),
        State::HasPopup => match role {
            Role::MenuItem => ("하위 메뉴", "submenu"),
            Role::Button | Role::ToggleButton => ("메뉴 있음", "opens menu"),
            _ => ("팝업 있음", "opens popup"),
        },
        State::Current => ("현재", "current"),
        State::Protected => ("보호됨", "protected"),
        State::Withheld => ("내용은 읽지 않음", "content not read"),
    }
}

/// What is said if a state ends that has no opposite; `None` if its end means nothing to a person.
pub(super) const fn end_of_state(state: State, lang: Lang) -> Option<&'static str> {
    let words = match state {
        State::Disabled => ("사용할 수 있음", "available"),
        State::Required => ("필수 아님", "not required"),
        State::Invalid => ("입력 오류 없음", "no longer invalid"),
        State::ReadOnly => ("편집 가능", "editable"),
        State::Busy => ("작업 끝남", "no longer busy"),
        State::Current => ("현재 아님", "not current"),
        State::Checked
        | State::Unchecked
        | State::HalfChecked
        | State::Pressed
        | State::Unpressed
        | State::Selected
        | State::Unselected
        | State::Expanded
        | State::Collapsed
        | State::Visited
        | State::HasPopup
        | State::Protected
        | State::Withheld => return None,
    };
    Some(of(words, lang))
}

/// Of a field or cell without content.
pub(super) const fn blank(lang: Lang) -> &'static str {
    of(("비어 있음", "blank"), lang)
}

pub(super) fn percent(number: &str, lang: Lang) -> String {
    format!("{number} {}", of(("퍼센트", "percent"), lang))
}

pub(super) fn position(index: u32, of_all: u32, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("{of_all}개 중 {index}번째"),
        Lang::En => format!("{index} of {of_all}"),
    }
}

pub(super) fn level(level: u32, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("{level}수준"),
        Lang::En => format!("level {level}"),
    }
}

pub(super) fn row_name(header: &str, lang: Lang) -> String {
    header_name(header, ("행", "row"), lang)
}

pub(super) fn column_name(header: &str, lang: Lang) -> String {
    header_name(header, ("열", "column"), lang)
}

/// "Age column", but "column B": the coordinates of a spreadsheet are no names.
fn header_name(header: &str, words: Words, lang: Lang) -> String {
    let is_letters = header.len() <= 3 && header.bytes().all(|c| c.is_ascii_uppercase());
    let is_coordinate = is_letters || header.bytes().all(|c| c.is_ascii_digit());
    let word = of(words, lang);
    match lang {
        Lang::Ko if is_coordinate => format!("{header}{word}"),
        Lang::En if is_coordinate => format!("{word} {header}"),
        Lang::Ko | Lang::En => format!("{header} {word}"),
    }
}

/// `row` and `column` from 1.
pub(super) fn cell_place(row: u32, column: u32, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("{row}행 {column}열"),
        Lang::En => format!("row {row} column {column}"),
    }
}
