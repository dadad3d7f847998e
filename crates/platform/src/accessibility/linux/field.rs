//! What a text field reveals about itself without its text being requested (PIC-5).

use std::collections::HashMap;

use atspi::Role as Native;
use atspi::zbus::zvariant::OwnedObjectPath;
use futures_util::future::join;

use super::call_error::CallError;
use super::node::{LinuxNode, NodeFacts};

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const TEXT: &str = "org.a11y.atspi.Text";
/// Attributes that hold a placeholder: in GTK and Firefox, and in browsers by ARIA.
const PLACEHOLDER: [&str; 2] = ["placeholder-text", "placeholder"];

impl NodeFacts {
    /// Whether the element takes text, or has a role that normally does: an entry that is not editable now may hide its
    /// text as well.
    pub(super) const fn is_field(&self) -> bool {
        self.states.is_editable()
            || matches!(self.native, Native::Entry | Native::Text | Native::Editbar | Native::Autocomplete)
    }
}

impl LinuxNode {
    /// The description; empty if there is none.
    pub(super) async fn description(&self) -> String {
        self.property(ACCESSIBLE, "Description").await.unwrap_or_default()
    }

    /// The hint shown in an empty field.
    pub(super) async fn placeholder(&self) -> String {
        let attributes: Result<HashMap<String, String>, CallError> = self.call(ACCESSIBLE, "GetAttributes", &()).await;
        let mut attributes = attributes.unwrap_or_default();
        PLACEHOLDER.iter().find_map(|key| attributes.remove(*key)).unwrap_or_default()
    }

    /// The name of the element that labels this element; empty if there is none.
    pub(super) async fn label(&self) -> String {
        const LABELLED_BY: u32 = 2;
        let relations =
            self.call::<_, Vec<(u32, Vec<(String, OwnedObjectPath)>)>>(ACCESSIBLE, "GetRelationSet", &()).await;
        let labels = relations
            .unwrap_or_default()
            .into_iter()
            .filter(|(kind, _)| *kind == LABELLED_BY)
            .flat_map(|(_, labels)| labels);
        match labels.filter_map(|label| self.at(label)).next() {
            Some(label) => label.name().await.unwrap_or_default(),
            None => String::new(),
        }
    }

    /// The text of the label directly before this element; empty if something else precedes it.
    pub(super) async fn label_before(&self) -> String {
        let (index, parent) = join(self.index(), self.parent()).await;
        let (Ok(index), Ok(Some(parent))) = (index, parent) else { return String::new() };
        if index < 1 {
            return String::new();
        }
        match parent.child(index - 1).await {
            Ok(Some(before)) if matches!(before.native().await, Ok(Native::Label | Native::Static)) => {
                before.name().await.unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// What a single-line field of GTK 4 shows, which differs from the typed text if the field hides it. `None` for
    /// other elements.
    ///
    /// GTK 4 returns the typed text of a hidden field if the text is requested, but the drawn text if the line at an
    /// offset is requested.
    async fn shown_line(&self) -> Result<Option<String>, CallError> {
        const LINE: u32 = 3;
        if !self.app.local || !self.interfaces().await?.has("EditableText") || self.states().await?.is_multi_line() {
            return Ok(None);
        }
        let (shown, _, _): (String, i32, i32) = self.call(TEXT, "GetStringAtOffset", &(0_i32, LINE)).await?;
        Ok(Some(shown))
    }

    /// Characters `start` to `end` of what a field shows; `None` if that can't differ from the field's content.
    pub(super) async fn shown(&self, start: i32, end: i32) -> Result<Option<String>, CallError> {
        let part = |shown: String| {
            let (start, end) = (usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(usize::MAX));
            shown.chars().take(end).skip(start).collect()
        };
        Ok(self.shown_line().await?.map(part))
    }

    /// Whether the field hides its content, judged by what it shows. A field of GTK 4 whose requests fail counts as
    /// hidden.
    pub(super) async fn is_hidden(&self) -> bool {
        if !self.app.local {
            // Web pages can also draw mask characters by style, which the tree does not reveal.
            let place = self.extents(luna_messages::Point::default()).await.unwrap_or_default();
            let is_one_line = self.states().await.is_ok_and(|states| !states.is_multi_line());
            return is_one_line && self.app.guard.shows_mask_characters(place);
        }
        let (shown, typed) = join(self.shown_line(), self.character_count()).await;
        match (shown, typed) {
            (Ok(None), _) => false,
            (Ok(Some(shown)), Ok(typed)) => super::super::masked::hides(&shown, usize::try_from(typed).unwrap_or(0)),
            (Err(_), _) | (_, Err(_)) => true,
        }
    }
}
