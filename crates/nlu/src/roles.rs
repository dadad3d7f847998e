//! Names of roles, zones and relations, as the lexicon, Luna and the platforms write them.

use luna_messages::candidate::Zone;
use luna_messages::pick::Role;
use luna_messages::understanding::Relation;

use super::normalised::compact;

/// A relation by the name of its section.
#[must_use]
pub fn relation(name: &str) -> Relation {
    match name {
        "above" => Relation::Above,
        "below" => Relation::Below,
        "left" => Relation::Left,
        "right" => Relation::Right,
        "near" => Relation::Near,
        _ => Relation::Inside,
    }
}

/// A role by its name, as the lists, Luna or a platform writes it.
#[must_use]
pub fn role(name: &str) -> Option<Role> {
    let name: String = compact(name).into_iter().collect();
    Some(match name.as_str() {
        "text" | "label" | "static" | "statictext" => Role::Text,
        "edit" | "entry" | "textbox" | "input" | "textfield" | "textinput" | "editbox" | "searchbox" | "textarea"
        | "box" | "field" | "입력란" | "입력창" | "입력칸" | "한줄입력란" | "여러줄입력란" | "한줄입력창"
        | "여러줄입력창" => Role::Edit,
        "document" => Role::Document,
        "hyperlink" | "link" => Role::Hyperlink,
        "button" | "pushbutton" | "splitbutton" | "icon" | "togglebutton" => Role::Button,
        "menuitem" | "menu" => Role::MenuItem,
        "listitem" | "option" | "treeitem" | "row" => Role::ListItem,
        "heading" => Role::Heading,
        "tab" | "tabitem" | "pagetab" => Role::Tab,
        "checkbox" | "switch" | "checkmenuitem" | "확인란" | "체크란" | "체크박스" | "체크상자" => {
            Role::CheckBox
        }
        "radiobutton" | "radio" | "라디오버튼" | "라디오단추" => Role::RadioButton,
        "combobox" | "dropdown" | "select" => Role::ComboBox,
        "slider" | "spinner" | "spinbutton" | "스피너" | "스핀버튼" | "스핀상자" | "숫자상자" => {
            Role::Slider
        }
        "cell" | "tablecell" | "gridcell" => Role::Cell,
        "table" | "grid" => Role::Table,
        "list" | "listbox" | "목록" | "리스트" => Role::List,
        "image" | "picture" => Role::Image,
        "window" | "frame" | "dialog" => Role::Window,
        "group" | "panel" => Role::Group,
        _ => return None,
    })
}

/// A zone by its name.
#[must_use]
pub fn zone(name: &str) -> Option<Zone> {
    let name = name.trim().to_lowercase().replace(['_', ' '], "-");
    Zone::ALL.into_iter().find(|zone| zone.name() == name)
}
