//! What a text field reveals about itself without its text being requested (PIC-5).

use atspi::Role as Native;
use futures_util::future::join;

use super::call_error::CallError;
use super::node::{LinuxNode, NodeFacts};

const TEXT: &str = "org.a11y.atspi.Text";

impl NodeFacts {
    /// Whether the element takes text, or has a role that normally does: an entry that is not editable now may hide its
    /// text as well.
    pub(super) const fn is_field(&self) -> bool {
        self.states.is_editable()
            || matches!(self.native, Native::Entry | Native::Text | Native::Editbar | Native::Autocomplete)
    }
}

impl LinuxNode {
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

    /// Whether the field, whose facts are `this`, hides its content, judged by what it shows. A field of GTK 4 whose
    /// requests fail counts as hidden.
    pub(super) async fn is_hidden(&self, this: &NodeFacts) -> bool {
        if !self.app.local {
            // Web pages can also draw mask characters by style, which the tree does not reveal.
            return !this.states.is_multi_line() && self.app.guard.shows_mask_characters(this.bbox);
        }
        let (shown, typed) = join(self.shown_line(), self.character_count()).await;
        match (shown, typed) {
            (Ok(None), _) => false,
            (Ok(Some(shown)), Ok(typed)) => super::super::masked::hides(&shown, usize::try_from(typed).unwrap_or(0)),
            (Err(_), _) | (_, Err(_)) => true,
        }
    }
}
