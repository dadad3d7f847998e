//! Where an element is: headers of its row and column, its level, its position (ANN-1, ANN-3).

use luna_messages::Lang;
use luna_messages::element::CellPlace;
use luna_messages::pick::Role;
use luna_messages::reading::Verbosity;

use super::{AnnouncedElement, AnnouncementStyle, words};

/// The role, of a heading with its level.
pub(super) fn role_with_level(element: &AnnouncedElement<'_>, lang: Lang) -> String {
    let word = words::role(element.role, lang);
    match element.properties.level {
        Some(level) if element.role == Role::Heading => format!("{word} {}", words::level(level, lang)),
        _ => word.to_owned(),
    }
}

/// The headers of a cell whose row or column is another one than before.
pub(super) fn headers(
    element: &AnnouncedElement<'_>,
    previous: Option<&AnnouncedElement<'_>>,
    style: AnnouncementStyle,
) -> Vec<String> {
    // A header is its own name; that of another column says nothing of it.
    let is_header = matches!(element.role, Role::ColumnHeader | Role::RowHeader);
    let Some(cell) = element.properties.cell.as_ref().filter(|_| !is_header) else { return Vec::new() };
    let before = previous.and_then(|previous| previous.properties.cell.as_ref());
    let is_new = |place: fn(&CellPlace) -> (u32, &str)| {
        // A header says nothing about itself.
        let (_, header) = place(cell);
        !header.trim().is_empty()
            && header.trim() != element.text.trim()
            && before.is_none_or(|before| place(before) != place(cell))
    };
    let mut headers = Vec::new();
    if is_new(|cell| (cell.row, &cell.row_header)) {
        headers.push(words::row_name(cell.row_header.trim(), style.lang));
    }
    if is_new(|cell| (cell.column, &cell.column_header)) {
        headers.push(words::column_name(cell.column_header.trim(), style.lang));
    }
    headers
}

/// The position, the level if it is another one than before, and of a cell the numbers of its row and column.
pub(super) fn place(
    element: &AnnouncedElement<'_>,
    previous: Option<&AnnouncedElement<'_>>,
    style: AnnouncementStyle,
) -> Vec<String> {
    let AnnouncementStyle { verbosity, lang, .. } = style;
    let (role, properties) = (element.role, element.properties);
    let mut place = Vec::new();
    // What the position counts in lists, menus and trees is what a person moves through.
    let counted = matches!(role.general(), Role::ListItem | Role::MenuItem) || verbosity == Verbosity::Full;
    if let Some(position) = properties.position.filter(|position| counted && position.of > 0) {
        place.push(words::position(position.index, position.of, lang));
    }
    let before = previous.filter(|previous| previous.role == role).and_then(|previous| previous.properties.level);
    if let Some(level) = properties.level
        && role != Role::Heading
        && (before != Some(level) || verbosity == Verbosity::Full)
    {
        place.push(words::level(level, lang));
    }
    if let Some(cell) = &properties.cell {
        // Without headers and text, the numbers alone tell the cell.
        let unnamed = cell.row_header.is_empty() && cell.column_header.is_empty() && element.text.trim().is_empty();
        if verbosity == Verbosity::Full || unnamed {
            place.push(words::cell_place(cell.row.saturating_add(1), cell.column.saturating_add(1), lang));
        }
    }
    place
}
