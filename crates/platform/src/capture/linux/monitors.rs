//! The monitors of an X11 screen and their scale (PIC-7).

use luna_messages::Rect;
use x11rb::connection::RequestConnection as _;
use x11rb::protocol::randr::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};

use crate::capture::Monitor;
use crate::x11::{Failure, XDisplay};

/// All monitors. X11 coordinates are physical pixels already; the scale is the same for all monitors, because X11 has
/// only one.
pub(super) fn monitors(display: &XDisplay) -> Result<Vec<Monitor>, Failure> {
    let scale = scale(display)?;
    let mut bounds = by_randr(display)?;
    if bounds.is_empty() {
        let (width, height) = display.size()?;
        bounds.push(Rect::new(0, 0, width.into(), height.into()));
    }
    Ok(bounds.into_iter().map(|bounds| Monitor { bounds, scale }).collect())
}

/// The monitors that RandR reports; none if RandR is missing or older than 1.5.
fn by_randr(display: &XDisplay) -> Result<Vec<Rect>, Failure> {
    let connection = &display.connection;
    if connection.extension_information(randr::X11_EXTENSION_NAME)?.is_none() {
        return Ok(Vec::new());
    }
    let version = connection.randr_query_version(1, 5)?.reply()?;
    if (version.major_version, version.minor_version) < (1, 5) {
        return Ok(Vec::new());
    }
    let monitors = connection.randr_get_monitors(display.root, true)?.reply()?.monitors;
    let bounds = monitors.iter().map(|m| Rect::new(m.x.into(), m.y.into(), m.width.into(), m.height.into()));
    // Mirrored monitors occupy the same place.
    let mut distinct: Vec<Rect> = Vec::new();
    for bounds in bounds.filter(|bounds| !bounds.is_empty()) {
        if !distinct.contains(&bounds) {
            distinct.push(bounds);
        }
    }
    Ok(distinct)
}

/// Physical pixels per logical pixel, from the resource `Xft.dpi`, which desktops set and toolkits follow.
fn scale(display: &XDisplay) -> Result<f64, Failure> {
    let property = display
        .connection
        .get_property(false, display.root, AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING, 0, 64 * 1024)?
        .reply()?;
    Ok(scale_of_resources(&String::from_utf8_lossy(&property.value)))
}

/// 1 if no resource sets a plausible scale.
fn scale_of_resources(resources: &str) -> f64 {
    resources
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.trim() == "Xft.dpi")
        .filter_map(|(_, dpi)| dpi.trim().parse::<f64>().ok())
        .map(|dpi| dpi / 96.0)
        .find(|scale| (0.5..=8.0).contains(scale))
        .unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-7
    #[test]
    fn the_scale_is_a_96th_of_the_dots_per_inch_pic_7() {
        for (resources, expect) in [
            ("", 1.0),
            ("Xft.dpi:\t192\n", 2.0),
            ("Xcursor.size: 24\nXft.dpi: 120\nXft.hinting: 1\n", 1.25),
            ("Xft.dpi: many\n", 1.0),
            ("Xft.dpi: 0\n", 1.0),
            ("Xft.dpi: -96", 1.0),
            ("Xft.dpi: NaN", 1.0),
            ("Xft.dpi: 1e300", 1.0),
            ("*Xft.dpi: 192", 1.0),
        ] {
            assert!((scale_of_resources(resources) - expect).abs() < 1e-9, "{resources:?}");
        }
    }
}
