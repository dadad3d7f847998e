//! What is known of the current screen, in memory only (SCR-2, PRV-1).

use std::time::Duration;

use luna_messages::image::Picture;
use luna_messages::ocr::OcrResult;
use zeroize::Zeroize;

use crate::hash::{identify, instance_hash};
use crate::screen::{ScreenContent, ScreenNode};

/// A screen, and what was found out about it since it was read.
#[derive(Debug)]
pub struct KnownScreen {
    pub node: ScreenNode,
    /// When it was read, since a fixed point.
    pub at: Duration,
    /// Over all that was read: the same screen with other content has another one.
    pub instance_hash: String,
    pub screen: ScreenContent,
    /// The newest picture of it. It wipes itself.
    pub screenshot: Option<Picture>,
    pub recognised: Option<OcrResult>,
    /// What a vision model says of it.
    pub description: Option<String>,
}

impl KnownScreen {
    fn wipe(&mut self) {
        self.screen.zeroize();
        self.description.zeroize();
        if let Some(recognised) = &mut self.recognised {
            recognised.blocks.iter_mut().for_each(|block| block.text.zeroize());
            recognised.rows.zeroize();
        }
    }
}

impl Drop for KnownScreen {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// The newest screen that was read, until its time is over.
#[derive(Debug)]
pub struct ShadowModel {
    lifetime: Duration,
    current: Option<KnownScreen>,
}

impl ShadowModel {
    /// Nothing is known. `lifetime`: how long a screen is kept (PRV-1).
    #[must_use]
    pub const fn new(lifetime: Duration) -> Self {
        Self { lifetime, current: None }
    }

    /// The screen was read at `now`. What was found out about it before is kept if it is exactly the same. Returns what is known of it.
    pub fn refresh(&mut self, screen: ScreenContent, now: Duration) -> &KnownScreen {
        let (node, instance_hash) = (identify(&screen), instance_hash(&screen));
        let same = self.current.take().filter(|known| known.instance_hash == instance_hash && known.node == node);
        let mut known =
            KnownScreen { node, at: now, instance_hash, screen, screenshot: None, recognised: None, description: None };
        if let Some(mut same) = same {
            known.screenshot = same.screenshot.take();
            known.recognised = same.recognised.take();
            known.description = same.description.take();
        }
        self.current.insert(known)
    }

    /// What is known, unless it is too old.
    #[must_use]
    pub fn current(&self, now: Duration) -> Option<&KnownScreen> {
        self.current.as_ref().filter(|known| now < known.at + self.lifetime)
    }

    /// A picture of the current screen was taken.
    pub fn picture(&mut self, picture: Picture) {
        if let Some(known) = &mut self.current {
            known.screenshot = Some(picture);
        }
    }

    /// The text of the current screen was recognised.
    pub fn recognised(&mut self, result: OcrResult) {
        if let Some(known) = &mut self.current {
            known.recognised = Some(result);
        }
    }

    /// Something was done on the screen: what is known is not what is there.
    pub fn forget(&mut self) {
        self.current = None;
    }

    /// Wipes what is too old.
    pub fn purge(&mut self, now: Duration) {
        if self.current(now).is_none() {
            self.current = None;
        }
    }
}
