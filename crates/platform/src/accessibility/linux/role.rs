//! Maps AT-SPI's roles to Luna's (PIC-1, PIC-5). Pure.

use atspi::Role as Native;
use luna_messages::pick::Role;

/// Luna's role. `editable`: the element takes text; AT-SPI uses the role "text" for labels and fields alike.
pub(super) fn luna_role(native: Native, editable: bool) -> Role {
    match native {
        Native::PasswordText => Role::Protected,
        Native::Entry | Native::Editbar | Native::Autocomplete => Role::Edit,
        Native::DateEditor => Role::DateField,
        Native::Terminal => Role::Terminal,
        Native::Text if editable => Role::Edit,
        Native::Text
        | Native::Label
        | Native::Static
        | Native::Paragraph
        | Native::Caption
        | Native::AcceleratorLabel
        | Native::BlockQuote
        | Native::Comment
        | Native::Definition
        | Native::DescriptionTerm
        | Native::DescriptionValue
        | Native::Footnote
        | Native::ContentDeletion
        | Native::ContentInsertion
        | Native::Mark
        | Native::Suggestion
        | Native::Subscript
        | Native::Superscript
        | Native::Math
        | Native::MathFraction
        | Native::MathRoot
        | Native::Timer
        | Native::Marquee
        | Native::Footer
        | Native::Header => Role::Text,
        Native::ToolTip => Role::ToolTip,
        Native::StatusBar => Role::StatusBar,
        Native::Notification => Role::Alert,
        Native::ProgressBar | Native::LevelBar => Role::ProgressBar,
        Native::DocumentFrame
        | Native::DocumentSpreadsheet
        | Native::DocumentPresentation
        | Native::DocumentText
        | Native::DocumentWeb
        | Native::DocumentEmail
        | Native::HTMLContainer
        | Native::Article
        | Native::Page
        | Native::Log => Role::Document,
        Native::Link => Role::Hyperlink,
        Native::Button | Native::PushButtonMenu => Role::Button,
        Native::ToggleButton => Role::ToggleButton,
        Native::Menu => Role::Menu,
        Native::MenuItem | Native::CheckMenuItem | Native::RadioMenuItem | Native::TearoffMenuItem => Role::MenuItem,
        Native::ListItem | Native::DesktopIcon => Role::ListItem,
        Native::TreeItem => Role::TreeItem,
        Native::Heading => Role::Heading,
        Native::PageTab => Role::Tab,
        Native::CheckBox => Role::CheckBox,
        Native::RadioButton => Role::RadioButton,
        Native::ComboBox => Role::ComboBox,
        Native::Slider | Native::Dial | Native::Rating => Role::Slider,
        Native::SpinButton => Role::SpinButton,
        Native::TableCell => Role::Cell,
        Native::TableColumnHeader | Native::ColumnHeader => Role::ColumnHeader,
        Native::TableRowHeader | Native::RowHeader => Role::RowHeader,
        Native::TableRow => Role::Row,
        Native::Table | Native::TreeTable => Role::Table,
        Native::List | Native::ListBox | Native::DescriptionList => Role::List,
        Native::Tree => Role::Tree,
        Native::Image
        | Native::Icon
        | Native::ImageMap
        | Native::CHART
        | Native::Animation
        | Native::Canvas
        | Native::DrawingArea => Role::Image,
        Native::Frame | Native::Window => Role::Window,
        // GTK 3's message boxes are windows with the role "alert".
        Native::Dialog | Native::Alert | Native::FileChooser | Native::ColorChooser | Native::FontChooser => {
            Role::Dialog
        }
        Native::Section if editable => Role::Edit,
        Native::Panel
        | Native::Filler
        | Native::Section
        | Native::Grouping
        | Native::ScrollPane
        | Native::Viewport
        | Native::SplitPane
        | Native::LayeredPane
        | Native::RootPane
        | Native::PopupMenu
        | Native::TitleBar
        | Native::InfoBar
        | Native::Embedded
        | Native::InternalFrame => Role::Group,
        Native::Form => Role::Form,
        Native::Landmark => Role::Landmark,
        Native::PageTabList => Role::TabList,
        Native::ToolBar => Role::ToolBar,
        Native::MenuBar => Role::MenuBar,
        Native::Separator => Role::Separator,
        Native::ScrollBar => Role::ScrollBar,
        // The remaining roles have no text of their own worth reading.
        _ => Role::Other,
    }
}

/// Blocks of running text: what lies in one is part of a sentence.
pub(super) const fn is_block(native: Native) -> bool {
    matches!(
        native,
        Native::Paragraph
            | Native::Heading
            | Native::Caption
            | Native::BlockQuote
            | Native::Comment
            | Native::Definition
            | Native::DescriptionTerm
            | Native::DescriptionValue
            | Native::Footnote
    )
}

/// Pieces of running text, plain or emphasised.
pub(super) const fn is_piece(native: Native) -> bool {
    matches!(
        native,
        Native::Static
            | Native::Mark
            | Native::ContentDeletion
            | Native::ContentInsertion
            | Native::Suggestion
            | Native::Subscript
            | Native::Superscript
    )
}

/// Whether an ancestor walk stops below such an element.
pub(super) const fn is_boundary(native: Native) -> bool {
    matches!(
        native,
        Native::Application
            | Native::Frame
            | Native::Window
            | Native::Dialog
            | Native::DocumentWeb
            | Native::DocumentFrame
            | Native::DocumentText
            | Native::Table
            | Native::TreeTable
            | Native::Tree
            | Native::List
            | Native::ListBox
            | Native::ScrollPane
            | Native::Viewport
            | Native::MenuBar
            | Native::PageTabList
            | Native::DesktopFrame
    )
}

/// Elements that contain no others.
pub(super) const fn is_leaf(native: Native) -> bool {
    matches!(native, Native::Label | Native::Static | Native::Image | Native::Icon | Native::Slider | Native::Separator)
}

/// Containers whose children may lie outside of their box.
pub(super) const fn overflows(native: Native) -> bool {
    matches!(
        native,
        Native::PageTab
            | Native::Menu
            | Native::MenuItem
            | Native::ComboBox
            | Native::Application
            | Native::Unknown
            | Native::Invalid
    )
}

/// Whether a name is only a widget class, which GTK 4 reports if the application sets no name.
pub(super) fn is_class_name(name: &str) -> bool {
    name.strip_prefix("Gtk").is_some_and(|rest| {
        rest.chars().next().is_some_and(char::is_uppercase) && rest.chars().all(char::is_alphanumeric)
    })
}

/// Whether a name looks like a type's name, such as `EditorSourceView`: one word of letters and digits with several
/// capitals.
pub(super) fn is_type_name(name: &str) -> bool {
    let capitals = name.chars().filter(char::is_ascii_uppercase).count();
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && name.chars().any(|c| c.is_ascii_lowercase())
        && capitals >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-1
    #[test]
    fn pieces_of_a_sentence_lie_in_blocks_and_containers_bound_the_way_up_pic_1() {
        for (native, block, boundary) in [
            (Native::Paragraph, true, false),
            (Native::BlockQuote, true, false),
            (Native::Filler, false, false),
            (Native::Section, false, false),
            (Native::ListItem, false, false),
            (Native::ListBox, false, true),
            (Native::Table, false, true),
            (Native::DocumentWeb, false, true),
            (Native::Frame, false, true),
        ] {
            assert_eq!((is_block(native), is_boundary(native)), (block, boundary), "{native:?}");
        }
    }

    // PIC-5
    #[test]
    fn password_text_is_protected_whatever_else_it_is_pic_5() {
        for editable in [false, true] {
            assert_eq!(luna_role(Native::PasswordText, editable), Role::Protected);
        }
    }

    // PIC-1
    #[test]
    fn kin_of_the_readable_roles_are_readable_pic_1() {
        let cases = [
            (Native::Label, Role::Text),
            (Native::Static, Role::Text),
            (Native::Entry, Role::Edit),
            (Native::Link, Role::Hyperlink),
            (Native::Button, Role::Button),
            (Native::MenuItem, Role::MenuItem),
            (Native::DocumentText, Role::Document),
            (Native::ListItem, Role::ListItem),
            (Native::Heading, Role::Heading),
            (Native::PageTab, Role::Tab),
            (Native::CheckBox, Role::CheckBox),
            (Native::TableCell, Role::Cell),
        ];
        for (native, role) in cases {
            assert_eq!(luna_role(native, false), role);
            assert!(role.is_readable(), "{role:?}");
        }
        for (native, role, general) in [
            (Native::ToggleButton, Role::ToggleButton, Role::Button),
            (Native::Menu, Role::Menu, Role::MenuItem),
            (Native::SpinButton, Role::SpinButton, Role::Slider),
            (Native::TreeItem, Role::TreeItem, Role::ListItem),
            (Native::ColumnHeader, Role::ColumnHeader, Role::Cell),
            (Native::Terminal, Role::Terminal, Role::Edit),
            (Native::DateEditor, Role::DateField, Role::Edit),
            (Native::Alert, Role::Dialog, Role::Window),
            (Native::ToolTip, Role::ToolTip, Role::Text),
        ] {
            assert_eq!((luna_role(native, false), role.general()), (role, general));
        }
        for native in [Native::Panel, Native::Frame, Native::Image, Native::ScrollBar, Native::Filler] {
            assert!(!luna_role(native, false).is_readable(), "{native:?}");
        }
        assert_eq!(luna_role(Native::Text, true), Role::Edit);
        assert_eq!(luna_role(Native::Text, false), Role::Text);
    }

    #[test]
    fn class_names_are_not_names() {
        assert!(is_type_name("EditorSourceView") && !is_type_name("Name") && !is_type_name("Zip Code"));
        assert!(!is_type_name("URL") && !is_type_name("이름"));
        assert!(is_class_name("GtkEntry") && is_class_name("GtkListBox"));
        assert!(
            !is_class_name("Gtk")
                && !is_class_name("Gtk programming")
                && !is_class_name("Gtkmm")
                && !is_class_name("Save")
        );
    }
}
