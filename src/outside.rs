//! What of the machine actors may ask: off the workers, and with a deadline (KER-11).

use std::time::Duration;

use luna_actor_runtime::outside::Outside;
use luna_platform::audio::AudioOutput;
use luna_platform::capture::Capture;
use luna_platform::card::Card;
use luna_platform::hot_key::HotKeys;
use luna_platform::pointer::Pointer;

use crate::system::System;

/// An answer of the display takes less than a millisecond. The platform gives up on one after a second; this is for what it can't give up on.
const DISPLAY: Duration = Duration::from_millis(1500);
/// A picture of a large screen takes some tens of milliseconds.
const PICTURE: Duration = Duration::from_millis(2500);
/// A device opens in some tens of milliseconds, one without wires in two seconds. One that takes longer is told, and used once it is there.
const SOUND: Duration = Duration::from_secs(3);
/// A card that sleeps takes seconds to wake.
const DRIVER: Duration = Duration::from_secs(20);

/// The parts of [`System`] whose calls block. Clones share the threads.
#[derive(Clone)]
#[allow(missing_docs, reason = "the traits say it")]
pub struct OutsideSystem {
    pub pointer: Outside<dyn Pointer>,
    pub keys: Outside<dyn HotKeys>,
    pub screen: Outside<dyn Capture>,
    pub card: Outside<dyn Card>,
    pub audio: Outside<dyn AudioOutput>,
}

impl OutsideSystem {
    /// Starts no thread yet: each comes with the first question.
    #[must_use]
    pub fn new(system: &System) -> Self {
        Self {
            pointer: Outside::new("pointer", DISPLAY, system.pointer.clone()),
            keys: Outside::new("keys", DISPLAY, system.hot_keys.clone()),
            screen: Outside::new("screen", PICTURE, system.capture.clone()),
            card: Outside::new("card", DRIVER, system.card.clone()),
            audio: Outside::new("sound device", SOUND, system.audio.clone()),
        }
    }
}
