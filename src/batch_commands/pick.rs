//! Picks what is under a point of the screen.

use luna_focus::machine::pick_of;
use luna_messages::Point;
use luna_messages::pick::{Pick, PickFailure, PickRequest};
use luna_messages::uia::TreeAnswer;

use crate::settings::LiveConfig;
use crate::system::System;
use crate::wiring::Wiring;
use luna_config::Config;

/// Picks at a point as focus mode does: the tree first, then recognition, never under protected fields.
///
/// # Errors
/// If nothing at the point can be read, for example because there is no window or no text.
pub async fn at(config: &Config, system: &System, point: Point) -> Result<Pick, PickFailure> {
    let wiring = Wiring::new(&LiveConfig::new(config.clone()), system);
    let request = PickRequest { cursor: point, enlarge: 1.0 };
    match luna_actor_uia::pick_once(&wiring.uia_dependencies(), request).await {
        TreeAnswer::Found(element) => Ok(pick_of(element)),
        // By its label and its states only: of such an element no text was fetched.
        TreeAnswer::Protected(field) => Ok(pick_of(field)),
        TreeAnswer::Refused(failure) => Err(failure),
        TreeAnswer::NoText(searched) => {
            luna_actor_ocr::pick_once(&wiring.ocr_dependencies(), request, &searched).await.map(|found| found.pick)
        }
    }
}
