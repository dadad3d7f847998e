//! The fonts of this machine, for the few words that Luna writes on the screen (OVL-3).

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Parts of file names of fonts that have Latin and Korean letters, without spaces and in lower case; the plainest first.
const KOREAN: [&str; 11] = [
    "nanumgothic.",
    "nanumbarungothic.",
    "notosanscjk-regular",
    "notosanskr-regular",
    "malgun.",
    "applesdgothicneo",
    "pretendard-regular",
    "spoqahansans",
    "undotum",
    "baekmuk",
    "droidsansfallback",
];
/// The same of fonts with Latin letters.
const LATIN: [&str; 5] = ["segoeui.", "dejavusans.", "notosans-regular", "liberationsans-regular", "arial."];
/// Bounds of the search: folders have some hundred fonts, and the largest has about 20 MB.
const MAX_DEPTH: usize = 5;
const MAX_FILES: usize = 5_000;
const MAX_TRIED: usize = 40;
const MAX_BYTES: u64 = 64 << 20;

/// Fonts of the machine.
pub trait Fonts: Send + Sync {
    /// Gives the contents of one font file after another to `accept`, likely ones first, until it returns `true`. Reads the
    /// disk: callers use a thread that may block.
    fn find(&self, accept: &mut dyn FnMut(&[u8]) -> bool);
}

/// The fonts that are installed in the usual folders.
#[must_use]
pub fn system() -> Arc<dyn Fonts> {
    Arc::new(FontFolders(usual_folders()))
}

/// Fonts below some folders.
#[derive(Debug, Clone)]
pub struct FontFolders(pub Vec<PathBuf>);

impl Fonts for FontFolders {
    fn find(&self, accept: &mut dyn FnMut(&[u8]) -> bool) {
        let mut files = Vec::new();
        for folder in &self.0 {
            collect(folder, 0, &mut files);
        }
        files.sort_by_cached_key(|path| (rank(path), path.clone()));
        for path in files.into_iter().take(MAX_TRIED) {
            let is_small = std::fs::metadata(&path).is_ok_and(|file| file.len() <= MAX_BYTES);
            if is_small && std::fs::read(&path).is_ok_and(|font| accept(&font)) {
                return;
            }
        }
    }
}

fn usual_folders() -> Vec<PathBuf> {
    let under = |variable: &str, folder: &str| std::env::var_os(variable).map(|base| PathBuf::from(base).join(folder));
    if cfg!(windows) {
        return under("WINDIR", "Fonts").into_iter().collect();
    }
    let own = [under("XDG_DATA_HOME", "fonts"), under("HOME", ".local/share/fonts"), under("HOME", ".fonts")];
    let of_system = ["/usr/share/fonts", "/usr/local/share/fonts"].map(PathBuf::from);
    of_system.into_iter().chain(own.into_iter().flatten()).collect()
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if files.len() >= MAX_FILES {
            return;
        }
        let path = entry.path();
        let is_font = path.extension().and_then(|one| one.to_str()).is_some_and(|extension| {
            ["ttf", "otf", "ttc", "otc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        });
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => collect(&path, depth + 1, files),
            // A link to a file is followed, one to a folder is not: it may lead in a circle.
            Ok(kind) if is_font && !kind.is_dir() => files.push(path),
            Ok(_) | Err(_) => {}
        }
    }
}

/// The place of a font in the order of the search.
fn rank(path: &Path) -> usize {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name: String = name.chars().filter(|one| !one.is_whitespace()).flat_map(char::to_lowercase).collect();
    let known = KOREAN.iter().chain(&LATIN).position(|part| name.contains(part));
    known.unwrap_or(KOREAN.len() + LATIN.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-3
    #[test]
    fn fonts_with_korean_letters_come_first_ovl_3() {
        let names = ["NanumGothic.ttf", "NotoSansCJK-Regular.ttc", "malgun.ttf", "DejaVuSans.ttf", "NanumPen.ttf"];
        let ranks: Vec<usize> = names.iter().map(|name| rank(Path::new(name))).collect();
        assert!(ranks.is_sorted(), "{ranks:?}");
        assert!(rank(Path::new("NanumGothicBold.ttf")) > rank(Path::new("NanumGothic.ttf")));
    }

    // OVL-3
    #[test]
    fn the_search_ends_with_the_font_that_is_accepted_ovl_3() {
        let folder = std::env::temp_dir().join(format!("luna-fonts-{}", std::process::id()));
        let inner = folder.join("inner");
        std::fs::create_dir_all(&inner).unwrap();
        for (name, text) in [("b.ttf", "b"), ("readme.txt", "text"), ("inner/NanumGothic.ttf", "nanum"), ("a.otf", "a")]
        {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let fonts = FontFolders(vec![folder.clone(), folder.join("missing")]);
        let mut seen = Vec::new();
        fonts.find(&mut |font| {
            seen.push(String::from_utf8(font.to_vec()).unwrap());
            font == b"a"
        });
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(seen, ["nanum", "a"]);
    }
}
