//! The trained model that tells orders from talk (NLU-8): where its file is, and reading it.
//!
//! The file isn't compiled in: its licence differs from Luna's (see `models/order-or-talk/README.md`). Without it the grammar works alone, more careful.

use std::fs;
use std::path::{Path, PathBuf};

use luna_nlu::talk::{self, Classifier};

use crate::engines::check_owner;

/// The file below the folder of the program, or below a folder above it.
const FILE: &str = "models/order-or-talk/order-or-talk.bin";
/// Folders above the program's that are searched: a test runs in `target/debug/deps`, in a folder more for another platform.
const FOLDERS_ABOVE: usize = 4;
/// The variable with the path of another file.
const VARIABLE: &str = "LUNA_ORDER_OR_TALK";
/// No such file is larger.
const LONGEST: u64 = 1 << 25;

/// Why there is no classifier. None of these stops Luna.
#[derive(Debug, thiserror::Error)]
pub enum OrderOrTalkError {
    #[error("there is no {FILE} beside the program")]
    NotBeside,
    #[error("{} is not there", .0.display())]
    NotThere(PathBuf),
    #[error("{} can't be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    /// Another user could have put anything into it (PRV-7).
    #[error("{} is not used: {reason}", path.display())]
    NotOwn { path: PathBuf, reason: String },
    #[error("{} is not used: {error}", path.display())]
    Refused { path: PathBuf, error: talk::Error },
}

/// Reads the classifier: of the path in `LUNA_ORDER_OR_TALK` if it is set, else of `models/order-or-talk` beside the program or up to four folders above it.
///
/// # Errors
/// If there is no file, another user can write it, or it is none of this version.
pub fn load() -> Result<(PathBuf, Classifier), OrderOrTalkError> {
    let own = std::env::current_exe().unwrap_or_default();
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let path = find(named, &own, Path::exists)?;
    let classifier = read(&path)?;
    Ok((path, classifier))
}

fn find(named: Option<PathBuf>, own: &Path, exists: impl Fn(&Path) -> bool) -> Result<PathBuf, OrderOrTalkError> {
    if let Some(path) = named {
        return if exists(&path) { Ok(path) } else { Err(OrderOrTalkError::NotThere(path)) };
    }
    let mut places = own.ancestors().skip(1).take(1 + FOLDERS_ABOVE).map(|folder| folder.join(FILE));
    places.find(|path| exists(path)).ok_or(OrderOrTalkError::NotBeside)
}

fn read(path: &Path) -> Result<Classifier, OrderOrTalkError> {
    let own = |error: Box<dyn std::error::Error + Send + Sync>| OrderOrTalkError::NotOwn {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    check_owner(path).map_err(own)?;
    let refused = |error: talk::Error| OrderOrTalkError::Refused { path: path.to_owned(), error };
    let unreadable = |error: std::io::Error| OrderOrTalkError::Unreadable { path: path.to_owned(), error };
    if fs::metadata(path).map_err(unreadable)?.len() > LONGEST {
        return Err(refused(talk::Error::OtherFormat));
    }
    Classifier::read(&fs::read(path).map_err(unreadable)?).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    // NLU-8
    #[test]
    fn the_file_is_found_where_it_is_nlu_8() {
        let check = |named: Option<&str>, own: &str, there: &[&str], expect: Option<&str>| {
            let found =
                find(named.map(PathBuf::from), Path::new(own), |path| there.iter().any(|t| Path::new(t) == path));
            assert_eq!(found.ok().as_deref(), expect.map(Path::new), "{named:?} {own} {there:?}");
        };
        let file = |folder: &str| format!("{folder}/{FILE}");
        check(Some("/m/x.bin"), "/p/luna", &["/m/x.bin", &file("/p")], Some("/m/x.bin"));
        // A path that was named is never replaced by another file.
        check(Some("/m/x.bin"), "/p/luna", &[&file("/p")], None);
        check(None, "/p/luna", &[&file("/p")], Some(&file("/p")));
        check(None, "/c/target/debug/luna", &[&file("/c")], Some(&file("/c")));
        check(None, "/c/target/x86_64-pc-windows-gnu/debug/deps/test", &[&file("/c")], Some(&file("/c")));
        check(None, "/c/target/debug/luna", &[&file("/c"), &file("/c/target")], Some(&file("/c/target")));
        check(None, "/a/b/c/d/e/f/luna", &[&file("/a")], None);
        check(None, "/p/luna", &[], None);
    }

    // NLU-8, PRV-7
    #[test]
    fn a_file_that_is_no_model_is_told_with_its_path_nlu_8_prv_7() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.bin");
        fs::write(&path, b"no model").unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("x.bin") && error.contains("no order-or-talk model"), "{error}");
        assert!(matches!(read(&folder.path().join("y.bin")), Err(OrderOrTalkError::Unreadable { .. })));
    }

    // NLU-8
    #[test]
    fn the_shipped_file_is_read_and_tells_orders_from_talk_nlu_8() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() <= 300_000, "{} bytes", bytes.len());
        let classifier = Classifier::read(&bytes).unwrap();
        for order in
            ["저장 버튼 눌러 줘", "이 메일 읽어 주세요", "press the save button", "could you read this page to me"]
        {
            assert!(classifier.order(order) > 0.8, "{order}: {}", classifier.order(order));
        }
        for talk in [
            "우리 애는 매일 일기 써",
            "여자친구가 감정없이 카톡 답장해",
            "kick the ball",
            "he told me to stop and I stopped",
        ] {
            assert!(classifier.order(talk) < 0.2, "{talk}: {}", classifier.order(talk));
        }
    }
}
