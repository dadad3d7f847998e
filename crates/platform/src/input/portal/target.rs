//! Which window gets the keys. A compositor does not tell: the windows themselves do, by the accessibility tree.

use async_trait::async_trait;
use luna_messages::input::{InputRefusal, OtherWindow};

use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;
use crate::accessibility::linux::{AtSpi, FieldMark};

/// What a field with the focus tells of its content without the content itself: it differs once a character arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldState(FieldSource);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldSource {
    Tree(FieldMark),
    Number(u64),
}

impl FieldState {
    /// The state of a double.
    #[must_use]
    pub const fn numbered(number: u64) -> Self {
        Self(FieldSource::Number(number))
    }
}

/// Tells where keys would go. Each call has a deadline of its own.
#[async_trait]
pub trait KeyTarget: Send + Sync {
    /// The window that gets the keys; `None` if none is known to, or if several may.
    ///
    /// # Errors
    /// [`PlatformError`] if that can't be found out.
    async fn active(&self) -> Result<Option<OtherWindow>, PlatformError>;

    /// Whether the window that [`KeyTarget::active`] told last still gets the keys. Asked before each key.
    ///
    /// # Errors
    /// As [`KeyTarget::active`].
    async fn is_still_active(&self, window: u64) -> Result<bool, PlatformError>;

    /// The state of the field that gets the keys; `None` if it is protected, or no text.
    async fn field(&self) -> Option<FieldState>;
}

/// Why keys may not be sent; `None` if they may.
pub(super) async fn obstacle(
    target: &dyn KeyTarget,
    window: u64,
    barrier: &ActBarrier,
) -> Result<Option<InputRefusal>, PlatformError> {
    let focused = target.active().await?;
    let is_it = focused.as_ref().is_some_and(|focused| focused.window == window);
    if !is_it {
        return Ok(Some(InputRefusal::NotFocused { focused }));
    }
    // Last, as nothing but what is sent comes after it.
    Ok(barrier.is_raised().then_some(InputRefusal::Stopped))
}

/// As [`obstacle`], for the keys after the first ones, by one call.
pub(super) async fn new_obstacle(target: &dyn KeyTarget, window: u64, barrier: &ActBarrier) -> Option<InputRefusal> {
    // If the application does not answer any more, nobody knows.
    if !target.is_still_active(window).await.unwrap_or(false) {
        return Some(InputRefusal::NotFocused { focused: None });
    }
    barrier.is_raised().then_some(InputRefusal::Stopped)
}

/// The windows of the accessibility tree. It has its own connection, which begins with the first key.
#[derive(Default)]
pub(super) struct TreeTarget(AtSpi);

#[async_trait]
impl KeyTarget for TreeTarget {
    async fn active(&self) -> Result<Option<OtherWindow>, PlatformError> {
        let window = self.0.active_tree_window().await?;
        Ok(window.map(|window| OtherWindow { window: window.handle, title: window.title }))
    }

    async fn is_still_active(&self, window: u64) -> Result<bool, PlatformError> {
        self.0.is_still_active(window).await
    }

    async fn field(&self) -> Option<FieldState> {
        self.0.field_mark().await.map(|mark| FieldState(FieldSource::Tree(mark)))
    }
}
