//! What a text field reveals about itself without its text being requested (PIC-5).

use atspi::Role as Native;
use futures_util::future::join;

use super::ancestor_path::Ancestor;
use super::call_error::CallError;
use super::field_look::{self, FieldLook, FieldSecrecy, PageAround, PageStep};
use super::node::{LinuxNode, NodeFacts};

const TEXT: &str = "org.a11y.atspi.Text";
/// Maximum number of ancestors to follow up to the page.
const MAX_DEPTH: usize = 60;

/// How much may be done to find out whether a field hides its content.
#[derive(Clone, Copy)]
pub(super) enum Effort<'a> {
    /// It is one of many fields.
    OneOfMany,
    /// The person is at the field, whose nearest ancestors these are.
    Attended(&'a [Ancestor]),
}

impl<'a> Effort<'a> {
    /// The parent of the field, if it is known.
    pub(super) fn parent(self) -> Option<&'a Ancestor> {
        match self {
            Self::OneOfMany => None,
            Self::Attended(ancestors) => ancestors.first(),
        }
    }
}

impl NodeFacts {
    /// Whether the element takes text, or has a role that normally does: an entry that is not editable now may hide its
    /// text as well.
    pub(super) const fn is_field(&self) -> bool {
        self.states.is_editable()
            || matches!(self.native, Native::Entry | Native::Text | Native::Editbar | Native::Autocomplete)
    }

    /// Whether the field has a single line, as the toolkit tells.
    const fn is_line(&self) -> bool {
        !self.states.is_multi_line() && (self.states.is_single_line() || matches!(self.native, Native::Entry))
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

    /// What of the field, whose facts are `this`, may be read, judged by what it shows. A field of GTK 4 whose requests fail
    /// is secret.
    pub(super) async fn secrecy(&self, this: &NodeFacts, effort: Effort<'_>) -> FieldSecrecy {
        if !self.app.local {
            // Web pages can also draw mask characters by style, which the tree does not reveal.
            return if this.states.is_multi_line() {
                FieldSecrecy::Open
            } else {
                self.secrecy_by_look(this, effort).await
            };
        }
        let (shown, typed) = join(self.shown_line(), self.character_count()).await;
        let is_hidden = match (shown, typed) {
            (Ok(None), _) => false,
            (Ok(Some(shown)), Ok(typed)) => super::super::masked::hides(&shown, usize::try_from(typed).unwrap_or(0)),
            (Err(_), _) | (_, Err(_)) => true,
        };
        if is_hidden { FieldSecrecy::Secret } else { FieldSecrecy::Open }
    }

    async fn secrecy_by_look(&self, this: &NodeFacts, effort: Effort<'_>) -> FieldSecrecy {
        let line = field_look::line_of(this.bbox);
        let is_showing = this.states.is_shown(false);
        let guard = &self.app.guard;
        let mut look = if is_showing { guard.look_on_screen(self.window, line) } else { FieldLook::Unseen };
        let above = match (look, effort) {
            (FieldLook::Masked, _) => return FieldSecrecy::Secret,
            (FieldLook::Plain, Effort::OneOfMany) => return FieldSecrecy::Open,
            (FieldLook::Unseen, Effort::OneOfMany) => &[],
            (_, Effort::Attended(above)) => above,
        };
        // Editors of formatted text consist of fields, too, which no page masks. Chromium hands out what was typed.
        if !this.is_line() || self.app.masks_text {
            return FieldSecrecy::Open;
        }
        let page = self.page_around(above).await;
        let is_in_view = field_look::is_in_view(line, is_showing, page);
        if !is_in_view {
            look = FieldLook::Unseen;
        }
        if look == FieldLook::Unseen && page != PageAround::None {
            if matches!(effort, Effort::Attended(_)) && is_in_view {
                look = guard.look_in_own_picture(self.window, line);
            }
            // An empty field hides nothing.
            if look == FieldLook::Unseen && self.character_count().await == Ok(0) {
                return FieldSecrecy::Open;
            }
        }
        field_look::secrecy(look, page)
    }

    /// The page that the element lies in. `above`: its nearest ancestors, as far as they are known.
    async fn page_around(&self, above: &[Ancestor]) -> PageAround {
        for Ancestor { facts, .. } in above {
            match field_look::page_step(facts.native) {
                PageStep::Page => return PageAround::At(facts.bbox),
                PageStep::Outside => return PageAround::None,
                PageStep::Further => {}
            }
        }
        let mut current = above.last().map_or_else(|| self.clone(), |ancestor| ancestor.node.clone());
        for _ in 0..MAX_DEPTH {
            match current.parent().await {
                Ok(Some(parent)) => current = parent,
                Ok(None) | Err(CallError::Refused) => return PageAround::None,
                Err(_) => return PageAround::Unknown,
            }
            match current.native().await.map(field_look::page_step) {
                Ok(PageStep::Page) => return PageAround::At(current.extents().await.unwrap_or_default()),
                Ok(PageStep::Outside) => return PageAround::None,
                Ok(PageStep::Further) => {}
                Err(_) => return PageAround::Unknown,
            }
        }
        PageAround::Unknown
    }
}
