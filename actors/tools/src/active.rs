//! The window that the person works in.

use luna_messages::pick::WindowInfo;
use luna_messages::tools::ToolFailure;

use crate::{ToolEnvironment, failures};

/// The active window with its open menus.
pub async fn windows(environment: &ToolEnvironment) -> Result<Vec<WindowInfo>, ToolFailure> {
    let windows = environment.dependencies.actions.active_windows().await.map_err(failures::of_machine)?;
    if windows.is_empty() { Err(failures::no_window()) } else { Ok(windows) }
}
