//! The machine's interfaces for actors: called off the workers, and with a deadline (KER-11).

use std::time::Duration;

use luna_actor_runtime::blocking::BlockingService;
use luna_platform::audio::AudioOutput;
use luna_platform::capture::Capture;
use luna_platform::card::Card;
use luna_platform::desktop::DesktopControl;
use luna_platform::fonts::Fonts;
use luna_platform::hot_key::HotKeys;
use luna_platform::input::Input;
use luna_platform::microphone::Microphone;
use luna_platform::overlay::ScreenOverlay;
use luna_platform::pointer::Pointer;
use luna_platform::programs::Programs;

use crate::system::System;

/// Deadline of display calls, which take less than a millisecond. The platform's own limit is a second; this covers calls that it can't abandon.
const DISPLAY_DEADLINE: Duration = Duration::from_millis(1500);
/// Deadline of clicks and keys; the platform's own limit is two seconds.
const INPUT_DEADLINE: Duration = Duration::from_secs(3);
/// Deadline of what is asked of the desktop: a sound server has some tenths of a second for each of five answers.
const DESKTOP_DEADLINE: Duration = Duration::from_millis(2500);
/// Deadline of a capture; a large screen takes some tens of milliseconds.
const CAPTURE_DEADLINE: Duration = Duration::from_millis(2500);
/// Deadline for finding and starting a program: its desktop files are read, some hundreds.
const PROGRAMS_DEADLINE: Duration = Duration::from_secs(5);
/// Deadline for opening a sound device: usually some tens of milliseconds, two seconds for a wireless one. A slower device is reported, and used once
/// open.
const OPEN_DEVICE_DEADLINE: Duration = Duration::from_secs(3);
/// Deadline for opening the microphone: a sound server that does not answer takes five seconds to be given up.
const OPEN_MICROPHONE_DEADLINE: Duration = Duration::from_secs(6);
/// Deadline for reading fonts, which takes some tens of milliseconds; of a slow disk some seconds.
const FONTS_DEADLINE: Duration = Duration::from_secs(10);
/// Deadline of driver calls; a sleeping card takes seconds to wake.
const DRIVER_DEADLINE: Duration = Duration::from_secs(20);

/// The blocking parts of [`System`]. Clones share the threads.
#[derive(Clone)]
#[allow(missing_docs, reason = "the traits say it")]
pub struct BlockingSystem {
    pub pointer: BlockingService<dyn Pointer>,
    pub keys: BlockingService<dyn HotKeys>,
    pub input: BlockingService<dyn Input>,
    pub desktop: BlockingService<dyn DesktopControl>,
    pub screen: BlockingService<dyn Capture>,
    pub programs: BlockingService<dyn Programs>,
    pub overlay: BlockingService<dyn ScreenOverlay>,
    pub fonts: BlockingService<dyn Fonts>,
    pub card: BlockingService<dyn Card>,
    pub audio: BlockingService<dyn AudioOutput>,
    pub microphone: BlockingService<dyn Microphone>,
    pub loopback: BlockingService<dyn Microphone>,
}

impl BlockingSystem {
    /// Starts no thread yet: each starts with its first call.
    #[must_use]
    pub fn new(system: &System) -> Self {
        Self {
            pointer: BlockingService::new("pointer", DISPLAY_DEADLINE, system.pointer.clone()),
            keys: BlockingService::new("keys", DISPLAY_DEADLINE, system.hot_keys.clone()),
            input: BlockingService::new("input", INPUT_DEADLINE, system.input.clone()),
            desktop: BlockingService::new("desktop", DESKTOP_DEADLINE, system.desktop.clone()),
            screen: BlockingService::new("screen", CAPTURE_DEADLINE, system.capture.clone()),
            programs: BlockingService::new("installed programs", PROGRAMS_DEADLINE, system.programs.clone()),
            overlay: BlockingService::new("overlay", DISPLAY_DEADLINE, system.overlay.clone()),
            fonts: BlockingService::new("fonts", FONTS_DEADLINE, system.fonts.clone()),
            card: BlockingService::new("card", DRIVER_DEADLINE, system.card.clone()),
            audio: BlockingService::new("sound device", OPEN_DEVICE_DEADLINE, system.audio.clone()),
            microphone: BlockingService::new("microphone", OPEN_MICROPHONE_DEADLINE, system.microphone.clone()),
            loopback: BlockingService::new("loopback", OPEN_MICROPHONE_DEADLINE, system.loopback.clone()),
        }
    }
}
