//! The letters of the chip, once they were found.

use std::sync::{Arc, Mutex, PoisonError};

use luna_actor_runtime::blocking::BlockingService;
use luna_messages::Lang;
use luna_overlay::font::ChipFont;
use luna_platform::fonts::Fonts;

/// What came of the search.
#[derive(Default)]
struct FoundLetters {
    /// The language that was searched for last.
    lang: Option<Lang>,
    font: Option<Arc<ChipFont>>,
}

/// The letters of the chip. Clones share them.
#[derive(Clone, Default)]
pub struct ChipLetters(Arc<Mutex<FoundLetters>>);

impl ChipLetters {
    /// `None` if they were not found (yet).
    pub fn get(&self, lang: Lang) -> Option<Arc<ChipFont>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).font.clone().filter(|font| font.lang() == lang)
    }

    /// Searches the fonts, unless they were searched for this language already. Whether there are other letters now.
    pub async fn load(self, fonts: BlockingService<dyn Fonts>, lang: Lang) -> bool {
        {
            let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if found.lang.replace(lang) == Some(lang) {
                return false;
            }
        }
        let search = move |fonts: &(dyn Fonts + 'static)| {
            let mut letters = None;
            fonts.find(&mut |font| {
                letters = ChipFont::of(font, lang);
                letters.is_some()
            });
            letters
        };
        let letters = match fonts.ask(search).await {
            Ok(letters) => letters,
            Err(error) => {
                tracing::warn!(%error, "The fonts can't be read.");
                None
            }
        };
        let is_found = letters.is_some();
        if !is_found {
            tracing::warn!(
                ?lang,
                "No font has the letters that tell the mode on the screen, so that this is left out; install one with Korean letters, such as \
                 fonts-nanum."
            );
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).font = letters.map(Arc::new);
        is_found
    }
}
