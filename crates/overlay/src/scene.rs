//! What is to be shown, before it is known on which monitors.

use luna_messages::reading::Intent;
use luna_messages::{Lang, Rect};

/// The look, from the configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlayLook {
    /// Red, green and blue of the box and of the numbers (`overlay.color`).
    pub color: [u8; 3],
    /// How dark the rest becomes: 0 is unchanged, 1 is black (`overlay.dim_outside`, OVL-1).
    pub darkness: f64,
    /// In logical pixels (`overlay.corner_radius`, OVL-1).
    pub corner_radius: u32,
    /// Thicker lines with a black and a white edge, and nothing translucent (`overlay.high_contrast`).
    pub high_contrast: bool,
    /// The language of the chip.
    pub lang: Lang,
}

/// What is read now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneTarget {
    /// On the desktop.
    pub bbox: Rect,
    /// Whether it stays although the pointer moves on (FOC-4).
    pub pinned: bool,
}

/// What the chip tells (OVL-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneChip {
    /// `None` while focus mode is off.
    pub mode: Option<Intent>,
    /// Whether Luna hears what is said.
    pub listening: bool,
}

/// All that is to be shown at a time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OverlayScene {
    pub target: Option<SceneTarget>,
    /// The boxes of the options of a question with their numbers, from 1 (OVL-2).
    pub badges: Vec<(usize, Rect)>,
    pub chip: Option<SceneChip>,
}

impl OverlayScene {
    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.target.is_none() && self.badges.is_empty() && self.chip.is_none()
    }
}

/// A monitor in units of the desktop (PIC-7): physical pixels, under Wayland logical ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SceneMonitor {
    pub bounds: Rect,
    /// Units of the desktop per logical pixel: lengths of the look are in logical pixels.
    pub scale: f64,
    /// Pixels of a picture per unit of the desktop in each direction, at least 1.
    pub density: u16,
}

impl SceneChip {
    /// The words of the chip, such as "읽기 · 듣는 중".
    #[must_use]
    pub fn text(self, lang: Lang) -> String {
        let mode = self.mode.map(|mode| match (mode, lang) {
            (Intent::Read, Lang::Ko) => "읽기",
            (Intent::Read, Lang::En) => "Reading",
            (Intent::Translate, Lang::Ko) => "번역",
            (Intent::Translate, Lang::En) => "Translation",
            (Intent::Spell, Lang::Ko) => "철자",
            (Intent::Spell, Lang::En) => "Spelling",
            (Intent::Numbers, Lang::Ko) => "숫자",
            (Intent::Numbers, Lang::En) => "Numbers",
            (Intent::Summarize, Lang::Ko) => "요약",
            (Intent::Summarize, Lang::En) => "Summary",
        });
        let ear = match (self.listening, lang) {
            (true, Lang::Ko) => "듣는 중",
            (true, Lang::En) => "listening",
            (false, Lang::Ko) => "듣지 않음",
            (false, Lang::En) => "not listening",
        };
        mode.map_or_else(|| ear.to_owned(), |mode| format!("{mode} · {ear}"))
    }

    /// Every character of every chip in this language, each once.
    #[must_use]
    pub fn characters(lang: Lang) -> Vec<char> {
        const MODES: [Intent; 5] = [Intent::Read, Intent::Translate, Intent::Spell, Intent::Numbers, Intent::Summarize];
        let chips =
            MODES.into_iter().flat_map(|mode| [true, false].map(|listening| Self { mode: Some(mode), listening }));
        let mut all: Vec<char> = chips.flat_map(|chip| chip.text(lang).chars().collect::<Vec<_>>()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-3
    #[test]
    fn the_chip_tells_the_mode_and_whether_luna_listens_ovl_3() {
        for (mode, listening, ko, en) in [
            (Some(Intent::Read), true, "읽기 · 듣는 중", "Reading · listening"),
            (Some(Intent::Translate), false, "번역 · 듣지 않음", "Translation · not listening"),
            (Some(Intent::Spell), true, "철자 · 듣는 중", "Spelling · listening"),
            (Some(Intent::Numbers), true, "숫자 · 듣는 중", "Numbers · listening"),
            (Some(Intent::Summarize), true, "요약 · 듣는 중", "Summary · listening"),
            (None, true, "듣는 중", "listening"),
        ] {
            let chip = SceneChip { mode, listening };
            assert_eq!((chip.text(Lang::Ko).as_str(), chip.text(Lang::En).as_str()), (ko, en));
            for lang in [Lang::Ko, Lang::En] {
                let known = SceneChip::characters(lang);
                assert!(chip.text(lang).chars().all(|one| known.contains(&one)), "{}", chip.text(lang));
            }
        }
    }
}
