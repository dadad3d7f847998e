//! The platform's capabilities, one trait each; tests replace them individually.

use std::sync::Arc;

use luna_platform::accessibility::actions::ElementActions;
use luna_platform::accessibility::{self, Accessibility};
use luna_platform::audio::{self, AudioOutput};
use luna_platform::capture::{self, Capture};
use luna_platform::card::{self, Card, Memory};
use luna_platform::desktop::{self, DesktopControl};
use luna_platform::fonts::{self, Fonts};
use luna_platform::hot_key::{self, HotKeys};
use luna_platform::input::{self, Input};
use luna_platform::microphone::{self, Microphone};
use luna_platform::overlay::{self, ScreenOverlay};
use luna_platform::pointer::{self, Pointer};
use luna_platform::programs::{self, Programs};

/// The platform's capabilities.
#[derive(Clone)]
#[allow(missing_docs, reason = "the traits say it")]
pub struct System {
    pub accessibility: Arc<dyn Accessibility>,
    /// Acts on the elements of the same tree (EXE-1).
    pub actions: Arc<dyn ElementActions>,
    pub capture: Arc<dyn Capture>,
    pub pointer: Arc<dyn Pointer>,
    pub hot_keys: Arc<dyn HotKeys>,
    /// Keys and clicks, where the tree can't act (EXE-1, EXE-4).
    pub input: Arc<dyn Input>,
    /// Windows as a whole, volume, time and battery (DSL-6).
    pub desktop: Arc<dyn DesktopControl>,
    pub audio: Arc<dyn AudioOutput>,
    pub microphone: Arc<dyn Microphone>,
    /// What this machine plays, as a sound input (BRG-4).
    pub loopback: Arc<dyn Microphone>,
    /// The programs that are installed (TOOL-3).
    pub programs: Arc<dyn Programs>,
    /// Marks what is read and asked about on the screen (OVL).
    pub overlay: Arc<dyn ScreenOverlay>,
    pub fonts: Arc<dyn Fonts>,
    pub card: Arc<dyn Card>,
    pub memory: Arc<dyn Memory>,
}

impl System {
    /// This machine. Each capability connects at its first use, so that a missing one never blocks the start (KER-9).
    #[must_use]
    pub fn of_this_machine() -> Self {
        let (accessibility, actions) = accessibility::system_with_actions();
        Self {
            accessibility,
            actions,
            capture: capture::system(),
            pointer: pointer::system(),
            hot_keys: hot_key::system(),
            input: input::system(),
            desktop: desktop::system(),
            audio: audio::system(),
            microphone: microphone::system(),
            loopback: microphone::loopback(),
            programs: programs::system(),
            overlay: overlay::system(),
            fonts: fonts::system(),
            card: card::system(),
            memory: card::system_memory(),
        }
    }
}
