//! The candidates for a command in the window at a point (PIC-9).

use luna_actor_uia::failure;
use luna_focus::candidates::candidates;
use luna_messages::Point;
use luna_messages::candidate::Candidate;
use luna_messages::pick::PickFailure;
use luna_platform::capture::monitor_at;

use crate::settings;
use crate::system::System;
use luna_config::Config;

/// The candidates of the window at a point, in reading order. Zones are those of the monitor there, or of the window if no monitor is known.
///
/// # Errors
/// If there is no window at the point, it contains no candidate, or the accessibility tree can't be read.
pub async fn at(config: &Config, system: &System, point: Point) -> Result<Vec<Candidate>, PickFailure> {
    system.accessibility.block_roles(settings::blocked_roles(config));
    let window = system.accessibility.window_at(point).await.map_err(|error| failure(&error))?;
    let window = window.ok_or(PickFailure::NoWindow)?;
    let elements = system.accessibility.window_elements(&window).await.map_err(|error| failure(&error))?;
    let monitors = system.capture.monitors().unwrap_or_default();
    let screen = monitor_at(&monitors, point).map_or(window.bounds, |monitor| monitor.bounds);
    let found = candidates(&elements, screen, settings::announcement_style(config));
    if found.is_empty() { Err(PickFailure::NoText) } else { Ok(found) }
}

/// A candidate on one line, for people: zone, role, text, labels near it.
#[must_use]
pub fn line(candidate: &Candidate) -> String {
    let text = candidate.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = format!("{}\t{:?}\t{text}", candidate.zone.name(), candidate.role);
    if !candidate.enabled {
        line.push_str("\t(disabled)");
    }
    if !candidate.near.is_empty() {
        line.push_str("\t(near: ");
        line.push_str(&candidate.near.join(", "));
        line.push(')');
    }
    line
}
